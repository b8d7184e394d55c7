"""What an answer from 30 million rows of Parquet costs, in times of the query alone, and the most memory it takes.

    python tests/benchmarks/big_files.py [--rows 30_000_000] [--folder FOLDER]

Files are generated into FOLDER (about 700 MB), where they are not there yet: sales of ten years, partitioned by year.
Each question is asked of new connections by `askwhere.ask` and in SQL. The query that answers it then runs alone, on a
new connection too. The least of `--times` runs counts, in processor time, which other work on the machine hardly
changes. Memory is the process's own, at its peak.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import askwhere
import duckdb

QUESTIONS = (
    "total amount per country",
    "how many sales of Lamp in 2019",
    "average quantity per product in 2020",
    "top 5 customers by total amount",
)
ROWS = """
SELECT i AS sale_id, i * 7919 % 1000000 AS customer_id, 'Customer ' || (i * 7919 % 1000000) AS customer,
  ['Norway', 'Canada', 'France', 'Italy', 'Japan', 'Brazil'][1 + (i % 6)::INT] AS country,
  ['Paper', 'Ink', 'Desk', 'Lamp', 'Chair', 'Pen', 'Cable'][1 + (hash(i) % 7)::INT] AS product,
  (hash(i * 3) % 100000) / 100.0 AS amount, (hash(i * 5) % 20)::INT AS quantity,
  DATE '{0}-01-01' + (i % 365)::INT AS day, {0} AS year
FROM range({1}, {2}) AS r(i)
"""
YEARS = range(2015, 2025)


def generate(folder: Path, rows: int) -> None:
    """Write the files."""
    share = rows // len(YEARS)
    for n, year in enumerate(YEARS):
        made = ROWS.format(year, n * share, (n + 1) * share)
        duckdb.execute(f"COPY ({made}) TO '{folder}' (FORMAT parquet, PARTITION_BY year, OVERWRITE_OR_IGNORE true)")


def least(times: int, work: Callable[[Any], Any], folder: Path) -> tuple[float, Any]:
    """Return the least seconds of processor time of some runs, each on a new connection, and what the last returned."""
    seconds = []
    for _ in range(times):
        with askwhere.connect(folder) as connection:
            connection.execute("SET memory_limit = '1GB'")
            askwhere.ask(connection, "how many sales are there")  # the catalog and the values are read once
            began = time.process_time()
            found = work(connection)
            seconds.append(time.process_time() - began)
    return min(seconds), found


def shown(rows: list[tuple[Any, ...]]) -> list[list[str]]:
    """Return rows to be compared: the order in which fractions are added changes their last digits."""
    return sorted([f"{cell:.9g}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows)


def main() -> None:
    """Print a line for each question."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=30_000_000)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir(), "askwhere-big"))
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    folder = given.folder / "sales"
    if not folder.exists():
        folder.mkdir(parents=True)
        generate(folder, given.rows)
    for question in QUESTIONS:
        asked, answer = least(given.times, lambda c, q=question: (a := askwhere.ask(c, q), a.rows)[0], folder)
        in_sql, rows = least(given.times, lambda c, q=question: c.execute("FROM ask(?)", [q]).fetchall(), folder)
        plain, expected = least(given.times, lambda c, a=answer: c.execute(a.sql).fetchall(), folder)
        assert shown(rows) == shown(expected), question
        shares = f"ask() in Python {asked / plain:.2f}, in SQL {in_sql / plain:.2f} times"
        print(f"{question}: the query alone {plain:.2f} s; {shares}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(f"memory at its peak: {peak / 2**30:.2f} GB")


if __name__ == "__main__":
    main()
