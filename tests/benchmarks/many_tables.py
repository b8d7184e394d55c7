"""What questions cost in a database of 1,000 tables: the first, another one, and one repeated.

    python tests/benchmarks/many_tables.py [--tables 1000]

It is the sample database with as many other tables, a DuckDB file: attached to another database, and then opened
itself, in the same process. The first question of all counts the import of modules, too.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import askwhere
import duckdb
from askwhere.bindings import sample

QUESTIONS = (
    ("the first question", "how many rivers are there"),
    ("a new one", "top 3 countries by population"),
    ("a new one", "how many cities per country"),
    ("a repeated one", "top 3 countries by population"),
)
TABLE = """
CREATE TABLE log_{0} (log_{0}_id INTEGER PRIMARY KEY, made_on DATE, entry VARCHAR, remark_{0} VARCHAR, duration DOUBLE);
INSERT INTO log_{0} VALUES (1, '2024-01-02', 'begun', 'a remark on {0}', 10), (2, '2024-02-03', 'ended', 'none', 5);
"""


def measured(work: Callable[[], object]) -> str:
    """Return the times of some work, as text."""
    began, used = time.perf_counter(), time.process_time()
    work()
    return f"{time.process_time() - used:.2f} s of processor time, {time.perf_counter() - began:.2f} s"


def main() -> None:
    """Print a line for each question."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "many.duckdb")
        sample.build_duckdb(file)
        with duckdb.connect(str(file)) as made:
            made.execute("".join(TABLE.format(f"{n:04}") for n in range(given.tables)))
        with duckdb.connect(":memory:") as attached:
            attached.execute(f"ATTACH '{file}' AS many (READ_ONLY)")
            askwhere.register(attached)
            for said, question in QUESTIONS:
                print(f"attached, {said}: {measured(lambda q=question: askwhere.ask(attached, q).rows)}")
        with askwhere.connect(file) as connection:
            for said, question in QUESTIONS:
                print(f"in the file, {said}: {measured(lambda q=question: askwhere.ask(connection, q).rows)}")


if __name__ == "__main__":
    main()
