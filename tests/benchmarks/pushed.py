"""What questions about an attached PostgreSQL cost where the server answers them whole, and where DuckDB fetches rows.

    build/serving/bin/python tests/benchmarks/pushed.py [--rows 200_000]

Needs `make servers` and `make serving`. The processor times of this process and of the server are added, as they share
one machine here; then the bytes that the server sends are counted. The least of `--times` runs counts.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import askwhere
import duckdb
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.engine import Grant, Limits

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from servers import Gate, running_postgres

SHOP = """
CREATE TABLE client (id integer PRIMARY KEY, name text, country varchar(20));
CREATE TABLE deal (number integer PRIMARY KEY, client_id integer REFERENCES client (id), amount numeric(10,2),
  day date);
INSERT INTO client SELECT g, 'Client ' || g, (array['Norway', 'Canada', 'France', 'Italy', 'Japan'])[1 + g % 5]
  FROM generate_series(0, {clients} - 1) g;
INSERT INTO deal SELECT g, g::bigint * 7919 % {clients}, g % 100000 / 100.0, date '2020-01-01' + g % 1500
  FROM generate_series(1, {rows}) g;
ANALYZE;
"""
QUESTIONS = (
    "total amount per country",
    "top 5 clients by total amount",
    "average amount per year",
    "how many deals do clients in Norway have",
)


def process_at(port: int) -> int:
    """Return the number of the server's own process, which was started with the port."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        if f"\0-p\0{port}\0" in path.read_text("utf-8", "replace"):
            return int(path.parent.name)
    raise LookupError(f"no process was started with the port {port}")


def seconds(postmaster: int) -> float:
    """Return the processor time of this process, of a server and of its processes."""
    total = time.process_time()
    ticks = os.sysconf("SC_CLK_TCK")
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(path.name) == postmaster or int(fields[1]) == postmaster:
            total += sum(map(int, fields[11 : 15 if int(path.name) == postmaster else 13])) / ticks
    return total


def least(times: int, server: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least processor time of some runs, and what the last returned."""
    found = []
    for _ in range(times):
        began = seconds(server)
        rows = work()
        found.append(seconds(server) - began)
    return min(found), rows


def main() -> None:
    """Make the database, and print a line for each question."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_postgres(Path(folder)) as port:
        at = f"host=127.0.0.1 port={port} user=asker dbname=postgres"
        (Path(folder) / "make.sql").write_text(f"ATTACH '{at}' AS made (TYPE postgres);")
        with askwhere.connect(":memory:", init=Path(folder) / "make.sql") as made:
            made.execute("CALL postgres_execute('made', ?)", [SHOP.format(rows=given.rows, clients=given.rows // 20)])
        server = process_at(port)
        with Gate(port) as gate:
            through = at.replace(f"port={port}", f"port={gate.port}")
            with (
                askwhere.connect(":memory:", attach={"crm": f"postgres:{at}"}) as connection,
                askwhere.connect(":memory:", attach={"crm": f"postgres:{through}"}) as counted,
            ):
                for question in QUESTIONS:
                    compare(connection, question, given.times, server)
                    print(
                        "  kB from the server:",
                        " and ".join(f"{n / 1_000:,.1f}" for n in passed(counted, gate, question)),
                    )


def ways(connection: duckdb.DuckDBPyConnection, question: str) -> list[Callable[[], Any]]:
    """Return functions that run the query of a question: by DuckDB, and by the server if it is asked."""
    engine, limits = DuckDBEngine(connection), Limits()
    grant = Grant(engine.tables())
    checked = engine.check(askwhere.ask(connection, question).sql, grant)
    queries = [replace(checked, pushed=None), *([checked] if checked.pushed else [])]
    return [lambda query=query: engine.run(query, grant, limits).rows for query in queries]


def passed(connection: duckdb.DuckDBPyConnection, gate: Gate, question: str) -> Iterator[int]:
    """Yield the bytes that come from the server for the query of a question, by DuckDB, and by the server."""
    for work in ways(connection, question):
        before = gate.passed
        work()
        yield gate.passed - before


def compare(connection: duckdb.DuckDBPyConnection, question: str, times: int, server: int) -> None:
    """Print what the query of a question costs, both ways."""
    (fetched, rows), *pushed = [least(times, server, work) for work in ways(connection, question)]
    for seconds_, same in pushed:
        assert len(rows) == len(same), question
        print(f"{question}: DuckDB {fetched:.3f} s, the server {seconds_:.3f} s, {seconds_ / fetched:.2f} times")
    if not pushed:
        print(f"{question}: DuckDB's own, {fetched:.3f} s")


if __name__ == "__main__":
    main()
