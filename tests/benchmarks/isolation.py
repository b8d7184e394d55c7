"""What `isolation = 'process'` costs beside asking without it, in both engines, over a file.

    python tests/benchmarks/isolation.py

Printed are milliseconds of processor time, of this process and of the one that runs queries for it, and of the clock:
of the first question, which starts that process; of a later one, answered before or new; and of 100,000 rows.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb
from askwhere.bindings.isolation import pool as isolation_pool
from askwhere.models import Scripted

ROWS = 100_000
ROUNDS = 15
MAKE = {
    "sqlite": f"WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < {ROWS})",
    "duckdb": f"WITH k AS (SELECT i FROM range({ROWS}) t(i))",
}
FACTS = "SELECT i AS id, 'name ' || (i % 1000) AS name, i * 0.5 AS amount FROM k"
SMALL = "SELECT name, sum(amount) AS total FROM facts WHERE id < {} GROUP BY name ORDER BY name LIMIT 10"
ALL = "SELECT id, name, amount FROM facts"


def used() -> float:
    """Return seconds of processor time of this process and those that it has started."""
    listed = [str(worker.pid) for worker in isolation_pool.alive()]
    others = sum(_seconds(Path("/proc") / pid / "stat") for pid in listed)
    return time.process_time() + others


def _seconds(stat: Path) -> float:
    user, system = stat.read_text().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / 100


def cost(work: Callable[[int], Any], rounds: int) -> tuple[float, float]:
    """Return milliseconds of processor time, the mean, as its clock is coarse, and of the wall clock, the median."""
    began, times = used(), []
    for number in range(rounds):
        started = time.perf_counter()
        work(number)
        times.append(time.perf_counter() - started)
    return 1_000 * (used() - began) / rounds, 1_000 * statistics.median(times)


def measured(path: Path, isolation: str) -> Sequence[tuple[float, float]]:
    """Return what the four things cost, with or without isolation."""
    replies = [SMALL.format(100 + number) for number in range(3 * ROUNDS + 2)]
    settings = {"method": "sea", "isolation": isolation, "values": "hide"}
    connection = askwhere.connect(path, read_only=True, model=Scripted([*replies, ALL]), **settings)
    rows = lambda question: connection.execute(f"SELECT * FROM ask('{question}')").fetchall()  # noqa: E731
    first = cost(lambda _: rows("flurb"), 1)
    again = cost(lambda _: rows("flurb"), 10 * ROUNDS)
    new = cost(lambda number: rows(f"flurb {'x' * number}y"), 3 * ROUNDS)
    rows("flurb zq")
    assert len(rows("flurb all")) == ROWS
    many = cost(lambda _: rows("flurb all"), ROUNDS)
    connection.close()
    isolation_pool.end_all()
    return first, again, new, many


def main() -> None:
    """Print a line for each engine and each thing measured."""
    with tempfile.TemporaryDirectory() as folder:
        for kind, connect in (("sqlite", apsw.Connection), ("duckdb", duckdb.connect)):
            path = Path(folder) / f"facts.{kind}"
            connection: Any = connect(str(path))
            connection.execute(f"CREATE TABLE facts AS {MAKE[kind]} {FACTS}")
            connection.close()
            plain, isolated = measured(path, ""), measured(path, "process")
            names = ("first question", "answered before", "new question", f"{ROWS:,} rows")
            for name, (cpu, wall), (cpu_, wall_) in zip(names, plain, isolated, strict=True):
                print(
                    f"{kind}: {name}: processor {cpu:.1f} ms plain, {cpu_:.1f} ms isolated;"
                    f" wall {wall:.1f} ms plain, {wall_:.1f} ms isolated",
                    flush=True,
                )


if __name__ == "__main__":
    main()
