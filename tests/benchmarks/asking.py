"""Measure what a question costs beside its model: linking, schema text, parsing, guard, trial run.

    python tests/benchmarks/asking.py

A database of 200 columns (20 tables, 1,000 rows each) is asked with and without the value index, in both engines. The
model replies at once, with a query that runs; its own time is subtracted. Aim: a median under 20 ms.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb
from askwhere.models import Completions
from tabulate import tabulate

TABLES, COLUMNS, ROWS, QUESTIONS = 20, 10, 1_000, 60
STARTS, ENDS = "ba ke li mo nu pra sto tri ver wol".split(), "dan fel gor hin jas kor lun met nor pel".split()
WORDS = [first + middle + last for first in STARTS for middle in STARTS for last in ENDS]


class Instant:
    """Replies at once; `seconds` is what that took."""

    name, remote = "instant", False

    def __init__(self) -> None:
        self.seconds = 0.0

    def complete(self, prompt: str, n: int = 1, **_: Any) -> Completions:
        started = time.perf_counter()
        table = random.Random(prompt).randrange(TABLES)
        reply = Completions((f"SELECT name, column_2 FROM things_{table} WHERE column_3 = 'x' LIMIT 10",), 1, 1)
        self.seconds += time.perf_counter() - started
        return reply


def build(connection: Any) -> None:
    chance = random.Random(7)
    for table in range(TABLES):
        columns = ", ".join(f"column_{c} {'TEXT' if c % 2 else 'INTEGER'}" for c in range(2, COLUMNS))
        key = f", FOREIGN KEY (column_2) REFERENCES things_{table - 1}(id)" if table else ""
        connection.execute(f"CREATE TABLE things_{table} (id INTEGER PRIMARY KEY, name TEXT, {columns}{key})")
        marks = ", ".join("?" * COLUMNS)
        rows = [(i, phrase(chance), *(phrase(chance) if c % 2 else i for c in range(2, COLUMNS))) for i in range(ROWS)]
        connection.execute("BEGIN")
        connection.executemany(f"INSERT INTO things_{table} VALUES ({marks})", rows)
        connection.execute("COMMIT")


def phrase(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=3))


def measure(connection: Any) -> float:
    """Return the median seconds of a question after the first, without the model's time."""
    model, chance = Instant(), random.Random(3)
    askwhere.register(connection, model=model, query_timeout=5)
    took = []
    for number in range(QUESTIONS + 1):
        question = f"column 3 of things {number % TABLES} with {phrase(chance)} {number}"
        before, started = model.seconds, time.perf_counter()
        connection.execute("SELECT ask_sql(?)", (question,)).fetchall()
        took.append(time.perf_counter() - started - (model.seconds - before))
    return statistics.median(took[1:])


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind, open_ in (("sqlite", apsw.Connection), ("duckdb", duckdb.connect)):
            path = str(Path(folder) / kind)
            connection = open_(path)
            build(connection)
            without = measure(connection)
            connection.execute("SELECT ask_index()").fetchall()
            rows.append((kind, f"{without * 1000:.1f}", f"{measure(connection) * 1000:.1f}"))
            connection.close()
    print(tabulate(rows, ("engine", "ms, values in memory", "ms, values indexed")))


if __name__ == "__main__":
    main()
