"""What running the reader's readings gains, with no model at all: one step after the other.

    python tests/benchmarks/readings.py
    python tests/benchmarks/readings.py --set realistic,syn_dev --engine both

`reader alone` answers with the best reading as it is written. `+ execution filter` leaves out readings that the guard
refuses, or that fail. `+ agreement` makes one group of readings with equal rows, and asks back where two groups are
close, as `ask` does; those may be settled with `choose`: the last line answers with the right one where there is one.

Answered is a share of all questions, right a share of those answered; EX is the share of all questions that are
answered right, by Spider's test-suite execution match (`askwhere.evaluation.spider`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.bindings.sqlite.engine import SQLiteEngine
from askwhere.engine import Engine, Limits, Result
from askwhere.errors import AskError, Unread
from askwhere.evaluation import spider
from askwhere.pipeline.facts import Candidate
from askwhere.pipeline.select import choose, compared, rank, try_out
from askwhere.reader import read
from databases import Database, Databases, questions

STEPS = ("reader alone", "+ execution filter", "+ agreement", "ties settled by choose")


def readings(question: str, database: Database) -> list[Candidate]:
    """Return the reader's readings, best first; none where it refuses."""
    try:
        found = read(question, database.catalog, database.values, database.dialect)
    except Unread:
        return []
    return [Candidate(one.sql, "reader", 1 / len(found), one.confidence) for one in found]


def tried(written: Sequence[Candidate], database: Database) -> tuple[Candidate, ...]:
    """Return the readings run as a session runs them, and compared."""
    engine: Engine = (SQLiteEngine if database.dialect == "sqlite" else DuckDBEngine)(database.keep)
    grant = database.catalog.grant

    def run(sql: str, rows: int | None) -> Result:
        return engine.run(engine.check(sql, grant), grant, Limits(rows=rows or 1_000_000))

    return compared([try_out(one, engine, grant, Limits()) for one in written], database.dialect, run)


def answers(question: dict[str, Any], database: Database, right: Any) -> Iterator[str | None]:
    """Yield the query that each of `STEPS` answers with, None for no answer; `right` says of a query whether it is."""
    written = readings(question["question"], database)
    yield written[0].sql if written else None
    ran = tried(written, database)
    usable = [one for one in ran if one.result is not None]
    yield usable[0].sql if usable else None
    try:
        best = choose(rank(ran, database.dialect), None, 0.0).sql if ran else None
    except AskError:
        best = None
    yield best
    settled = next((one.sql for one in usable if right(one.sql)), None)
    yield best if best or not usable else settled or usable[0].sql


def report(name: str, dialect: str, databases: Databases) -> None:
    """Print what each step gains on a set."""
    asked = questions(name, dialect)
    found: list[list[bool | None]] = []
    for question in asked:
        database = databases.database(question["db_id"], dialect)
        gold = databases.expected(database, question["db_id"], question["sql"])

        def right(sql: str, database: Database = database, gold: Any = gold, asked: Any = question) -> bool:
            rows = database.run(spider.prepared("", sql)[1], dialect)
            return None not in (rows, gold) and spider.equal(gold, rows, spider.ordered(asked["sql"]))

        found.append([None if sql is None else right(sql) for sql in answers(question, database, right)])
    print(f"\n{name}, {dialect}: {len(asked):,} questions\n{'':24}{'answered':>10}{'right':>9}{'wrong':>8}{'EX':>8}")
    for place, step in enumerate(STEPS):
        given = [one[place] for one in found if one[place] is not None]
        good = sum(map(bool, given))
        print(
            f"{step:24}{100 * len(given) / len(asked):8.1f} %{100 * good / len(given):7.1f} %"
            f"{len(given) - good:8}{100 * good / len(asked):6.1f} %"
        )


def main() -> None:
    """Print a table for each set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", default="dev", help="dev, realistic, syn_dev, dk")
    parser.add_argument("--engine", default="sqlite", choices=("sqlite", "duckdb", "both"))
    given = parser.parse_args()
    databases = Databases()
    for dialect in ("sqlite", "duckdb") if given.engine == "both" else (given.engine,):
        for name in given.set.split(","):
            report(name, dialect, databases)


if __name__ == "__main__":
    main()
