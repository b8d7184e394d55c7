"""What `ask` costs beside the query it stands for, over a million rows in both engines.

    python tests/benchmarks/overhead.py

Printed is the time of the plain query over that of `ask` once the question is answered: 1.00 is no overhead. The two
are run in turn, and the median ratio counts.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import apsw
import askwhere
import duckdb
from askwhere.models import Scripted

ROWS = 1_000_000
ROUNDS = 9
MAKE = {
    "sqlite": f"WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < {ROWS})",
    "duckdb": f"WITH k AS (SELECT i FROM range({ROWS}) t(i))",
}
FACTS = "SELECT i AS id, 'name ' || (i % 1000) AS name, i * 0.5 AS amount FROM k"
QUERIES = {
    "every row": "SELECT id, name, amount FROM facts",
    "half the rows": "SELECT id, name FROM facts WHERE id % 2 = 0",
    "grouped": "SELECT name, sum(amount) AS total FROM facts GROUP BY name",
}


def seconds(work: Callable[[], Any]) -> float:
    """Return wall seconds of one run."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def ratio(connection: Any, sql: str, question: str) -> float:
    """Return median over the rounds of plain time over asked time."""
    asked = f"SELECT * FROM ask('{question}')"
    plain = connection.execute(sql).fetchall()
    assert len(connection.execute(asked).fetchall()) == len(plain)
    pairs = [
        (seconds(lambda: connection.execute(sql).fetchall()), seconds(lambda: connection.execute(asked).fetchall()))
        for _ in range(ROUNDS)
    ]
    return statistics.median(one / other for one, other in pairs)


def main() -> None:
    """Print a line an engine and query."""
    for name, connect in (("sqlite", apsw.Connection), ("duckdb", duckdb.connect)):
        connection: Any = connect(":memory:")
        connection.execute(f"CREATE TABLE facts AS {MAKE[name]} {FACTS}")
        askwhere.register(connection, model=Scripted(QUERIES.values()), method="sea")
        for what, sql in QUERIES.items():
            print(f"{name}: {what}: plain / ask = {ratio(connection, sql, f'flurb {what}'):.2f}", flush=True)
        connection.close()


if __name__ == "__main__":
    main()
