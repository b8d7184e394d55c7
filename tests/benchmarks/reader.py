"""How much of Spider the built-in reader answers, how much of that is right, and how long a question takes.

    python tests/benchmarks/reader.py --set dev,realistic,syn_dev --engine both

Right is Spider's test-suite execution match (`askwhere.evaluation.spider`). A question whose best readings tie counts
as not answered, since asking it fails with a choice; how often that happened is printed too.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import duckdb

sys.path.insert(0, str(Path(__file__).parent))
from askwhere.bindings.duckdb import DuckDBEngine
from askwhere.bindings.sqlite import SQLiteEngine
from askwhere.engine import Engine
from askwhere.errors import AskError, Unread
from askwhere.evaluation import spider
from askwhere.evaluation.rows import plain
from askwhere.indexer import catalog as catalogs
from askwhere.indexer.values import MemoryIndex
from askwhere.reader import read

DATA = Path(os.environ.get("ASKWHERE_DATA", Path(__file__).parents[2] / "../shared/data")) / "spider"
CACHE = Path(os.environ.get("ASKWHERE_BENCHMARK_CACHE", f"{tempfile.gettempdir()}/askwhere-benchmark"))


@dataclass(frozen=True)
class Outcome:
    """What came of one question: 'right', 'wrong', 'refused', 'tied' or 'broken' (the query failed)."""

    kind: str
    level: str
    ms: float
    first: bool


class Database:
    """One Spider database, open in an engine, with its catalog and values; `run` gives rows or None."""

    def __init__(self, name: str, dialect: str) -> None:
        self.path = DATA / "databases" / name / f"{name}.sqlite"
        self.dialect = dialect
        self.gold = sqlite3.connect(f"file:{self.path}?mode=ro&immutable=1", uri=True)
        self.gold.text_factory = lambda b: b.decode(errors="ignore")
        self.keep: Any = None
        engine = self._sqlite() if dialect == "sqlite" else self._duckdb()
        self.catalog = catalogs.read(engine)
        self.values = MemoryIndex(engine, self.catalog, seconds=60)

    def _sqlite(self) -> Engine:
        self.keep = apsw.Connection(
            f"file:{self.path}?mode=ro&immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )
        return SQLiteEngine(self.keep)

    def _duckdb(self) -> Engine:
        self.keep = duckdb.connect(":memory:")
        copy(self.gold, self.keep)
        return DuckDBEngine(self.keep)

    def run(self, sql: str, on: str) -> list[tuple[Any, ...]] | None:
        """The rows of a query in SQLite or in DuckDB; None where it fails."""
        try:
            if on == "sqlite":
                deadline = time.monotonic() + 10
                self.gold.set_progress_handler(lambda: time.monotonic() > deadline, 100_000)
                return self.gold.execute(sql).fetchall()
            return plain(self.keep.execute(sql).fetchall())
        except (sqlite3.Error, duckdb.Error):
            return None


def copy(source: sqlite3.Connection, target: duckdb.DuckDBPyConnection) -> None:
    """All tables of a SQLite database in DuckDB: each column in the narrowest type that holds all of its values."""
    names = [
        r[0] for r in source.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    ]
    left = list(names)
    for keys in ("foreign", "primary", ""):  # what DuckDB refuses (a key to text that holds numbers) is left out
        for _ in range(len(left) + 1):  # foreign keys can only be declared once the tables they refer to exist
            for name in list(left):
                if _create(source, target, name, keys):
                    left.remove(name)


def _create(source: sqlite3.Connection, target: duckdb.DuckDBPyConnection, name: str, keys: str) -> bool:
    quoted = '"' + name.replace('"', '""') + '"'
    info = source.execute(f"PRAGMA table_info({quoted})").fetchall()
    rows = source.execute(f"SELECT * FROM {quoted}").fetchall()
    parts = [f'"{c[1]}" {_type(c[2], [r[i] for r in rows])}' for i, c in enumerate(info)]
    if keys:
        primary = [c[1] for c in sorted(info, key=lambda c: c[5]) if c[5]]
        parts += [f"PRIMARY KEY ({', '.join(_quote(p) for p in primary)})"] if primary else []
    if keys == "foreign":
        grouped: dict[int, list[Any]] = defaultdict(list)
        for key in source.execute(f"PRAGMA foreign_key_list({quoted})"):
            grouped[key[0]].append(key)
        for key in grouped.values():
            to = [_quote(k[4]) for k in key if k[4]]
            parts.append(
                f"FOREIGN KEY ({', '.join(_quote(k[3]) for k in key)}) REFERENCES {_quote(key[0][2])}"
                + (f" ({', '.join(to)})" if to else "")
            )
    try:
        target.execute(f"CREATE TABLE {quoted} ({', '.join(parts)})")
    except duckdb.Error:
        return False
    try:
        row = f"({', '.join('?' * len(info))})"
        for start in range(0, len(rows), 500):  # row by row takes minutes for the larger databases
            some = rows[start : start + 500]
            target.execute(f"INSERT INTO {quoted} VALUES {', '.join([row] * len(some))}", [v for r in some for v in r])
        return True
    except duckdb.Error:
        target.execute(f"DROP TABLE {quoted}")
        return False


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _type(declared: str, values: list[Any]) -> str:
    kinds = {type(v) for v in values if v is not None}
    if kinds and kinds <= {int}:
        return "BIGINT"
    if kinds and kinds <= {int, float}:
        return "DOUBLE"
    return "VARCHAR" if kinds else ("BIGINT" if "INT" in declared.upper() else "VARCHAR")


def questions(name: str, dialect: str) -> list[dict[str, Any]]:
    """The questions of a set whose database is at hand, in the order of the file.

    For DuckDB only those whose gold query is known to give the same there. Spider-Syn rewrites the questions of dev and
    keeps its queries, so dev's list serves for it.
    """
    path = DATA / (f"{name}.jsonl" if dialect == "sqlite" else f"{name}.duckdb.jsonl")
    if path.exists():
        found = lines(path)
    else:
        checked = {(q["db_id"], q["sql"]) for q in lines(DATA / "dev.duckdb.jsonl")}
        found = [q for q in lines(DATA / f"{name}.jsonl") if (q["db_id"], q["sql"]) in checked]
    return [q for q in found if (DATA / "databases" / q["db_id"] / f"{q['db_id']}.sqlite").exists()]


def lines(path: Path) -> list[dict[str, Any]]:
    """The records of a file of JSON lines."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Judge:
    """Runs gold once for ever, predictions each time."""

    def __init__(self) -> None:
        self.open: dict[tuple[str, str], Database] = {}
        self.gold: dict[tuple[str, str], Any] = {}
        self.file = CACHE / "gold.pickle"
        if self.file.exists():
            self.gold = pickle.loads(self.file.read_bytes())
        self.known = len(self.gold)

    def database(self, name: str, dialect: str) -> Database:
        """The database, opened on first use; only the last few are kept."""
        if (name, dialect) not in self.open:
            if len(self.open) > 3:
                self.open.pop(next(iter(self.open)))
            self.open[name, dialect] = Database(name, dialect)
        return self.open[name, dialect]

    def expected(self, database: Database, name: str, sql: str) -> Any:
        """Gold's rows in SQLite."""
        if (name, sql) not in self.gold:
            self.gold[name, sql] = database.run(spider.prepared(sql, "")[0], "sqlite")
        return self.gold[name, sql]

    def save(self) -> None:
        """Keep gold's results for the next run."""
        if len(self.gold) > self.known:
            CACHE.mkdir(parents=True, exist_ok=True)
            self.file.write_bytes(pickle.dumps(self.gold))

    def ask(self, question: dict[str, Any], dialect: str) -> tuple[Outcome, str]:
        """The outcome of one question, and what the reader said."""
        name = question["db_id"]
        first = (name, dialect) not in self.open
        database = self.database(name, dialect)
        level = spider.hardness(question["sql"])
        start = time.perf_counter()
        try:
            readings = read(question["question"], database.catalog, database.values, dialect)
        except Unread as refused:
            return Outcome("refused", level, (time.perf_counter() - start) * 1000, first), f"{refused.words}"
        ms = (time.perf_counter() - start) * 1000
        if len(readings) > 1:
            return Outcome("tied", level, ms, first), " || ".join(r.sql for r in readings)
        sql = readings[0].sql
        rows = database.run(spider.prepared("", sql)[1], dialect)
        if rows is None:
            return Outcome("broken", level, ms, first), sql
        gold = self.expected(database, name, question["sql"])
        alike = gold is not None and spider.equal(gold, rows, spider.ordered(question["sql"]))
        return Outcome("right" if alike else "wrong", level, ms, first), f"{sql}   [{readings[0].score}]"


def chosen(args: argparse.Namespace, name: str, dialect: str) -> Iterator[dict[str, Any]]:
    """The questions to ask: every `stride`th, of one database where one is given."""
    found = [q for q in questions(name, dialect) if not args.db or q["db_id"] in args.db.split(",")]
    found = [q for q in found if q["db_id"] not in args.without.split(",")]
    yield from found[args.offset :: args.stride][: args.limit]


def report(name: str, dialect: str, outcomes: list[Outcome]) -> None:
    """One table for a set."""
    print(f"\n{name}, {dialect}: {len(outcomes)} questions")
    print(f"{'':8} {'asked':>6} {'answered':>9} {'right':>7} {'tied':>6} {'refused':>8}")
    for level in (*spider.LEVELS, "all"):
        mine = [o for o in outcomes if level in (o.level, "all")]
        count = Counter(o.kind for o in mine)
        answered = count["right"] + count["wrong"] + count["broken"]
        print(
            f"{level:8} {len(mine):6} {_share(answered, len(mine)):>9} {_share(count['right'], answered):>7}"
            f" {_share(count['tied'], len(mine)):>6} {_share(count['refused'], len(mine)):>8}"
        )
    later = sorted(o.ms for o in outcomes if not o.first)
    if later:
        print(
            f"ms a question: median {statistics.median(later):.1f}, p95 {later[int(len(later) * 0.95)]:.1f},"
            f" most {later[-1]:.1f}"
        )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def main() -> None:
    """Run the sets that were asked for and print a table of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", default="dev,realistic,syn_dev", help="dev, realistic, syn_dev, dk, train_spider")
    parser.add_argument("--engine", default="both", choices=("sqlite", "duckdb", "both"))
    parser.add_argument("--show", default="", help="print questions that came out so: wrong,refused,tied,broken,right")
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--db", default="", help="only these databases")
    parser.add_argument("--without", default="", help="not these databases")
    args = parser.parse_args()
    judge = Judge()
    for dialect in ("sqlite", "duckdb") if args.engine == "both" else (args.engine,):
        for name in args.set.split(","):
            outcomes = []
            for question in chosen(args, name, dialect):
                outcome, said = judge.ask(question, dialect)
                outcomes.append(outcome)
                if outcome.kind in args.show.split(","):
                    print(f"{outcome.kind.upper()} {question['db_id']}: {question['question']}")
                    print(f"   gold {question['sql']}\n   read {said}")
            report(name, dialect, outcomes)
    judge.save()


if __name__ == "__main__":
    try:
        main()
    except AskError as error:
        raise SystemExit(str(error)) from error
