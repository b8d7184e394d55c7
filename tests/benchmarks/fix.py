"""How often `ask_fix` gives a misspelt query back as it was: Spider's gold queries, one name of each misspelt once.

    python tests/benchmarks/fix.py --set dev --engine both --seed 1

A slip is a letter more, less or other, or two that change places, at a random place of a random name (of a table, a
column, an alias or a function). Of a slip that leaves a query which the engine takes nothing can be known: it comes
back as it is, and is left out. "Other text" is another query whose rows are those of the original.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import statistics
import string
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import sqlglot
import sqlglot.errors
from askwhere.engine import Engine
from askwhere.errors import Ambiguous, AskError, QueryError
from askwhere.evaluation import spider
from askwhere.rewrite.fix import Fixed, fix, trouble
from databases import Database, questions
from sqlglot import exp

KINDS = ("equal", "other text", "wrong", "tied", "refused")


@dataclass(frozen=True)
class Outcome:
    """The outcome of one query."""

    kind: str
    ms: float


class Fixing(Database):
    """A database with the engine that repairs queries."""

    engine: Engine

    def _sqlite(self) -> Engine:
        self.engine = super()._sqlite()
        return self.engine

    def _duckdb(self) -> Engine:
        self.engine = super()._duckdb()
        return self.engine


def misspelt(sql: str, dialect: str, chance: random.Random) -> str:
    """Return the query with one typing error in one of its names."""
    tree = sqlglot.parse_one(sql, dialect=dialect)
    named = [n for n in tree.walk() if isinstance(n, (exp.Identifier, exp.Func)) and "start" in n.meta]
    words = [n for n in named if not isinstance(n, exp.Func) or isinstance(n, (exp.AggFunc, exp.Anonymous))]
    while words:
        meta = chance.choice(words).meta
        start, end = meta["start"], meta["end"] + 1
        start, end = (start + 1, end - 1) if sql[start] in '"`[' else (start, end)
        new = slip(sql[start:end], chance)
        if new and new.lower() != sql[start:end].lower():
            return sql[:start] + new + sql[end:]
    return sql


def slip(word: str, chance: random.Random) -> str:
    """Return the word with a letter added, missing or replaced, or with two exchanged."""
    place, letter = chance.randrange(len(word)), chance.choice(string.ascii_lowercase)
    return chance.choice(
        (
            word[:place] + letter + word[place:],
            word[:place] + word[place + 1 :],
            word[:place] + letter + word[place + 1 :],
            word[:place] + word[place : place + 2][::-1] + word[place + 2 :],
        )
    )


def tried(database: Fixing, gold: str, wrong: str) -> tuple[Outcome, str]:
    """Return the repaired query, and the error."""
    began = time.perf_counter()
    try:
        found: Fixed | AskError = fix(wrong, database.engine, database.catalog)
    except Ambiguous as exc:
        found = exc
    except QueryError as exc:
        found = exc
    ms = (time.perf_counter() - began) * 1000
    if not isinstance(found, Fixed):
        return Outcome("tied" if isinstance(found, Ambiguous) else "refused", ms), str(found)
    if plain(found.sql, database.dialect) == plain(gold, database.dialect):
        return Outcome("equal", ms), found.sql
    old, new = (database.run(sql, database.dialect) for sql in (gold, found.sql))
    alike = old is not None and new is not None and spider.equal(old, new, spider.ordered(gold))
    return Outcome("other text" if alike else "wrong", ms), found.sql


def plain(sql: str, dialect: str) -> str:
    """Return a query for comparison, without regard to case and quotes of names."""
    return re.sub(r"[\"`]", "", sqlglot.parse_one(sql, dialect=dialect).sql(dialect=dialect)).lower()


def usable(database: Fixing, record: dict[str, Any]) -> str | None:
    """Return the gold query if the engine accepts it, texts in double quotes put in single ones; else None."""
    gold = record["sql"] if database.dialect == "sqlite" else record["sql_duckdb"]
    for sql in (gold, re.sub(r'"([^"]*)"', r"'\1'", gold)):
        if trouble(sql, database.engine, database.catalog) is None:
            return str(sql)
    return None


def outcomes(name: str, dialect: str, seed: str, stride: int = 1, slips: int = 1) -> Iterator[tuple[Outcome, str]]:
    """Yield the outcome of every query of a set, with an example to show."""
    open_: tuple[str, Fixing] | None = None
    for number, record in enumerate(questions(name, dialect)[::stride]):
        if open_ is None or open_[0] != record["db_id"]:
            open_ = (record["db_id"], Fixing(record["db_id"], dialect))
        gold = usable(open_[1], record)
        if gold is None:
            yield Outcome("gold not taken", 0.0), record["sql"]
            continue
        wrong, chance = gold, random.Random(f"{seed} {number}")
        for _ in range(slips):
            with contextlib.suppress(sqlglot.errors.SqlglotError):  # after the first slip it may be no SQL any more
                wrong = misspelt(wrong, dialect, chance)
        if trouble(wrong, open_[1].engine, open_[1].catalog) is None:
            yield Outcome("slip taken", 0.0), wrong
            continue
        outcome, said = tried(open_[1], gold, wrong)
        yield outcome, f"{record['db_id']}\n   gold {gold}\n   slip {wrong}\n   said {said}"


def report(name: str, dialect: str, found: list[Outcome]) -> None:
    """Print the shares of each outcome."""
    counts = Counter(o.kind for o in found)
    asked = [o for o in found if o.kind in KINDS]
    left = ", ".join(f"{kind} {n}" for kind, n in counts.items() if kind not in KINDS) or "none"
    print(f"\n{name}, {dialect}: {len(asked)} misspelt queries; left out: {left}")
    print("  ".join(f"{kind} {counts[kind]} ({100 * counts[kind] / len(asked):.1f} %)" for kind in KINDS))
    times = sorted(o.ms for o in asked)
    late = times[int(len(times) * 0.95)]
    print(f"ms a query: median {statistics.median(times):.1f}, p95 {late:.1f}, most {times[-1]:.1f}")


def main() -> None:
    """Misspell and fix the queries of a set, in one engine or in both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", default="dev", help="dev or train_spider")
    parser.add_argument("--engine", default="both", choices=("sqlite", "duckdb", "both"))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--slips", type=int, default=1, help="how many in one query")
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--show", default="", help="print what came out so: wrong,refused,tied,equal,other text")
    args = parser.parse_args()
    for dialect in ("sqlite", "duckdb") if args.engine == "both" else (args.engine,):
        found = []
        for outcome, said in outcomes(args.set, dialect, args.seed, args.stride, args.slips):
            found.append(outcome)
            if outcome.kind in args.show.split(","):
                print(f"{outcome.kind.upper()} {said}")
        report(args.set, dialect, found)


if __name__ == "__main__":
    main()
