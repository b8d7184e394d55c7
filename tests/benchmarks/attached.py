"""How many of Spider's dev questions the reader answers in DuckDB: own tables, attached ones, and these without keys.

    build/serving/bin/python tests/benchmarks/attached.py [--each 10]

Needs `make serving` and the data at $ASKWHERE_DATA. The questions are those whose gold query gives the same in DuckDB;
an answer is right by Spider's rule. With `--each` only every so many of them are asked.
"""

from __future__ import annotations

import argparse
import contextlib
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import askwhere
import duckdb
from askwhere.bindings.copying import copy
from askwhere.bindings.duckdb import attached
from askwhere.evaluation import spider
from askwhere.evaluation.rows import plain
from databases import DATA, Databases, questions


@contextlib.contextmanager
def own(name: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a copy of a database in DuckDB's own tables."""
    file = DATA / "databases" / name / f"{name}.sqlite"
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)) as gold:
        gold.text_factory = lambda text: text.decode(errors="ignore")
        with duckdb.connect() as connection:
            copy(gold, connection)
            askwhere.register(connection)
            yield connection


@contextlib.contextmanager
def elsewhere(name: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """Attach a database's SQLite file."""
    file = DATA / "databases" / name / f"{name}.sqlite"
    with contextlib.closing(askwhere.connect(attach={"far": str(file)})) as connection:
        yield connection


@contextlib.contextmanager
def keyless(name: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """Attach a database's SQLite file, whose keys nobody reads."""
    known = attached.KINDS["sqlite"]
    attached.KINDS["sqlite"] = replace(known, keys="")
    try:
        with elsewhere(name) as connection:
            yield connection
    finally:
        attached.KINDS["sqlite"] = known


WAYS = {"DuckDB's own tables": own, "SQLite attached": elsewhere, "the same without keys": keyless}


def main() -> None:
    """Print how many questions each way answers right and wrong, and how many it refuses."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=1)
    asked = questions("dev", "duckdb")[:: parser.parse_args().each]
    counts = {way: Counter[str]() for way in WAYS}
    known = Databases()
    for name in dict.fromkeys(one["db_id"] for one in asked):
        for way, opening in WAYS.items():
            with opening(name) as connection:
                for one in (one for one in asked if one["db_id"] == name):
                    expected = known.expected(known.database(name, "sqlite"), name, one["sql"])
                    counts[way][outcome(connection, one["question"], expected, one["sql"])] += 1
    for way, found in counts.items():
        print(f"{way}: {found['right']} right, {found['wrong']} wrong, {found['refused']} refused of {len(asked)}")


def outcome(connection: duckdb.DuckDBPyConnection, question: str, expected: spider.Rows, gold: str) -> str:
    """Return 'right', 'wrong' or 'refused' for a question."""
    try:
        rows = plain(askwhere.ask(connection, question).rows)
    except (askwhere.AskError, duckdb.Error):
        return "refused"
    return "right" if spider.equal(expected, rows, spider.ordered(gold)) else "wrong"


if __name__ == "__main__":
    main()
