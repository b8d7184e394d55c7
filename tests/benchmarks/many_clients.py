"""What `askwhere serve` answers for 1, 10 and 50 clients at once, over sockets, beside the same SQL alone.

    build/serving/bin/python tests/benchmarks/many_clients.py [--clients 1 10 50] [--workers 1 2] [--each 200]

Needs `make serving`. The clients are threads of one process, each with a DuckDB of its own and a connection of Quack's
for each statement. Rates and waiting are printed in times of the SQL alone, of as many clients, as other work on the
machine slows both. Processor time is that of the server's processes.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import duckdb
from askwhere.bindings import sample
from askwhere.bindings.duckdb.extensions import load

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from servers import BIN, free_port

TOKEN = "0123456789abcdef"
REPEATED = "top 5 cities by population"
NEW = "cities with a population over {}"  # with another number each: the reader reads it anew
_numbers = iter(range(1_000_000, 10_000_000))


@dataclass(frozen=True)
class Server:
    """A running `askwhere serve`: its address, and its processes."""

    address: str
    processes: Sequence[int]

    def seconds(self) -> float:
        """Return the processor time that they have used."""
        stats = (Path(f"/proc/{pid}/stat").read_text("utf-8") for pid in self.processes)
        times = [stat.rpartition(")")[2].split()[11:13] for stat in stats]
        return sum(int(ticks) for pair in times for ticks in pair) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Measured:
    """Statements a second, the seconds of each, and the seconds of processor time of one in the server."""

    rate: float
    waits: Sequence[float]
    work: float


@contextlib.contextmanager
def served(file: Path, workers: int) -> Iterator[Server]:
    """Serve a file on a port of its own while the block lasts."""
    port = free_port()
    command = [
        BIN / "askwhere",
        "serve",
        file,
        "--read-only",
        "--workers",
        str(workers),
        "--listen",
        f"localhost:{port}",
    ]
    environment = {**os.environ, "ASKWHERE_TOKEN": TOKEN, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            assert "serves" in process.stdout.readline()
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8")
            yield Server(f"quack:localhost:{port}", (process.pid, *map(int, children.split())))
        finally:
            process.terminate()


def client(server: Server) -> duckdb.DuckDBPyConnection:
    """Return a connection that may ask a server."""
    connection = duckdb.connect(config={"threads": 1})
    for extension in ("httpfs", "quack"):
        load(connection, extension)
    connection.execute(f"CREATE SECRET (TYPE quack, TOKEN '{TOKEN}', SCOPE '{server.address}')")
    return connection


def measured(server: Server, clients: Sequence[duckdb.DuckDBPyConnection], statements: Sequence[str]) -> Measured:
    """Run statements by all clients at once, and each client's one after another."""
    left, lock, waits = iter(statements), threading.Lock(), list[float]()

    def work(place: int) -> None:
        while True:
            with lock:
                statement = next(left, "")
            if not statement:
                return
            began = time.perf_counter()
            clients[place].execute(f"FROM quack_query('{server.address}', $${statement}$$)").fetchall()
            waits.append(time.perf_counter() - began)

    used, began = server.seconds(), time.perf_counter()
    with ThreadPoolExecutor(len(clients)) as pool:
        list(pool.map(work, range(len(clients))))
    took = time.perf_counter() - began
    return Measured(len(statements) / took, sorted(waits), (server.seconds() - used) / len(statements))


def asked(question: str) -> str:
    """Return the statement that asks a question."""
    return f"FROM ask('{question}')"


def new() -> str:
    """Return a statement that asks what was never asked."""
    return asked(NEW.format(next(_numbers)))


def lines(server: Server, n: int, each: int) -> Iterator[tuple[str, ...]]:
    """Yield the figures of a number of clients."""
    clients = [client(server) for _ in range(n)]
    measured(server, clients, [asked(REPEATED)] * 20 + [new() for _ in range(20)])  # all workers read the database
    sql = clients[0].execute(f"FROM quack_query('{server.address}', $$SELECT ask_sql('{REPEATED}')$$)").fetchall()[0][0]
    plain = measured(server, clients, [sql] * each)
    for said, statements in (
        ("the SQL alone", [sql] * each),
        ("a question asked before", [asked(REPEATED)] * each),
        ("new questions", [new() for _ in range(each)]),
        ("a new question, asked by all at once", [new()] * n),
    ):
        found = measured(server, clients, statements)
        late = found.waits[int(0.95 * (len(found.waits) - 1))]
        yield (
            str(max(1, len(server.processes) - 1)),
            str(n),
            said,
            f"{found.rate:.1f}",
            f"{found.rate / plain.rate:.2f}",
            f"{late / statistics.median(plain.waits):.1f}",
            f"{found.work * 1000:.0f}",
            f"{found.work / plain.work:.1f}",
        )
    for connection in clients:
        connection.close()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 10, 50])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--each", type=int, default=200, help="statements of each kind")
    given = parser.parse_args()
    columns = ("workers", "clients", "statements", "a second", "in times of plain", "p95 in times of plain's median")
    columns += ("ms of processor time", "in times of plain's")
    print(" | ".join(columns))
    with tempfile.TemporaryDirectory() as folder:
        sample.build_duckdb(file := Path(folder, "world.duckdb"))
        for number in given.workers:
            with served(file, number) as server:
                for n in given.clients:
                    for cells in lines(server, n, given.each):
                        print(" | ".join(cells), flush=True)


if __name__ == "__main__":
    main()
