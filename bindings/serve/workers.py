"""Serve one database from several processes behind one address, since Python code uses one core of a process.

This process listens and passes requests on (`proxy`). Each worker serves as a server without `--workers` does, on a
port of its own that only programs on this machine reach. One that ends is replaced.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import pickle
import sys
import threading
from asyncio import FIRST_COMPLETED
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from askwhere.bindings import database_files
from askwhere.bindings.cli.show import screens
from askwhere.bindings.duckdb.addresses import is_lake
from askwhere.bindings.serve import server
from askwhere.bindings.serve.address import Address, refuse_used
from askwhere.bindings.serve.proxy import Proxy
from askwhere.bindings.serve.watch import reserve
from askwhere.bindings.source import Source
from askwhere.errors import ArgumentError
from askwhere.frozen import frozen

log = logging.getLogger("askwhere")

MOST = 64  # workers; each has a copy of what one server has in memory
REPLACE_SECONDS = 1.0  # before a worker that ended is replaced

# Not by `-c`: where __main__ has no file, DuckDB writes a progress bar to standard output during a long statement.
# With -P, so that no module is imported from the current folder.
_WORK = ("-P", "-m", "askwhere.bindings.serve.workers")


@frozen
class Task:
    """What is served, and where."""

    source: Source
    address: Address
    token: str
    chosen: Mapping[str, Any]


@frozen
class _Worker:
    """A process that serves on a port; `attached` is as in `server.Served`."""

    process: Process
    port: int
    attached: str | None


class _Failed(Exception):
    """A worker could not serve, and has said why."""


def check(source: Source, number: int) -> None:
    """Raise `ArgumentError` if several processes cannot open the source, or see each other's pins and keys."""
    lake = "a DuckLake of its own, as --keep ducklake:sqlite:kept.db (docs/scaling.md)"
    if not 0 < number <= MOST:
        raise ArgumentError(f"--workers: expected a number from 1 to {MOST}, found {number}")
    if number == 1 or (source.keep is not None and is_lake(str(source.keep))):
        return
    if source.keep is not None:
        raise ArgumentError(f"--workers: only one process can write {source.keep}; keep pins and index in {lake}")
    if server.is_served_itself(source):
        raise ArgumentError(
            f"--workers: only one process can open {source} to write it; add --read-only, or put its tables into a"
            " DuckLake (docs/scaling.md)"
        )
    if source.is_data or source.in_memory or database_files.kind_of_file(Path(source.paths[0])) != "duckdb":
        raise ArgumentError(
            f"--workers: what clients pin, declare or index would be known to one process alone; keep it in {lake}"
        )


def run(task: Task, number: int, shown: Callable[[str | None], Iterable[str]]) -> NoReturn:
    """Serve by a number of workers until a signal comes; `shown` returns the lines to print at the start.

    Raise `AskError` for an address in use.
    """
    refuse_used(task.address)
    asyncio.run(_serve(task, number, shown))
    raise AssertionError("the process has ended")


async def _serve(task: Task, number: int, shown: Callable[[str | None], Iterable[str]]) -> NoReturn:
    """Start the workers, pass requests on to them, and replace those that end, until a signal comes.

    Then the process ends within the loop: closing that would report each connection that was only just accepted.
    """
    proxy, stopped = Proxy(), asyncio.Event()
    for name in server.signals():
        asyncio.get_running_loop().add_signal_handler(name, stopped.set)
    starting = asyncio.create_task(_begun_all(task, number))
    await asyncio.wait([starting, stopping := asyncio.create_task(stopped.wait())], return_when=FIRST_COMPLETED)
    if stopped.is_set():
        starting.cancel()
        await asyncio.wait([starting])
        server.end(0, "stopped")
    try:
        first, *others = await starting
    except _Failed:
        server.end(1)
    keeping = [asyncio.create_task(_keep(task, worker, proxy)) for worker in (first, *others)]
    async with await proxy.listening(task.address):
        print("\n".join(shown(first.attached)), flush=True)
        await stopping
    for keeper in keeping:
        keeper.cancel()
    await asyncio.wait(keeping)
    server.end(0, "stopped")


async def _begun_all(task: Task, number: int) -> list[_Worker]:
    """Start a number of workers. Raise `_Failed` where one cannot serve."""
    first = await _begun(task)  # alone: what is wrong is said once
    return [first, *await asyncio.gather(*(_begun(task) for _ in range(number - 1)))]


async def _begun(task: Task) -> _Worker:
    """Start a worker, and return it when it serves. It ends when this process does. Raise `_Failed`."""
    within, reserved = reserve()
    process = await asyncio.create_subprocess_exec(
        sys.executable, *_WORK, stdin=PIPE, stdout=PIPE, start_new_session=True
    )
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write(pickle.dumps(replace(task, address=within)))
        with contextlib.suppress(ConnectionError):
            await process.stdin.drain()
        if facts := await process.stdout.readline():
            return _Worker(process, within.port, json.loads(facts))
    except BaseException:
        await _ended(process)
        raise
    finally:
        reserved.close()
    await process.wait()
    raise _Failed


async def _keep(task: Task, worker: _Worker, proxy: Proxy) -> None:
    """Pass requests on to a worker, and to another one when it ends, until this is cancelled."""
    while True:
        proxy.ports.add(worker.port)
        try:
            assert worker.process.stdout
            printed = await worker.process.stdout.read()
            code = await worker.process.wait()
        except asyncio.CancelledError:
            await _ended(worker.process)
            raise
        finally:
            proxy.ports.discard(worker.port)
        log.warning("a worker ended (%s), and is replaced: %s", code, printed.decode().strip() or "it printed nothing")
        worker = await _again(task)


async def _again(task: Task) -> _Worker:
    """Return a new worker, started again until it can serve."""
    while True:
        await asyncio.sleep(REPLACE_SECONDS)
        with contextlib.suppress(_Failed):
            return await _begun(task)


async def _ended(process: Process) -> None:
    """End a worker, which takes at most `server.CLEAN_SECONDS`."""
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    await process.wait()


def work() -> NoReturn:
    """Serve the `Task` on standard input until that is closed. Print the attached sources as a line once it serves."""
    task: Task = pickle.load(sys.stdin.buffer)
    alone = threading.Event()

    def wait() -> None:
        sys.stdin.buffer.read()
        alone.set()

    threading.Thread(target=wait, daemon=True).start()
    with screens("stderr"):  # what is logged may have a client's statement in it
        server.serve(task.source, task.address, task.token, task.chosen, lambda: not alone.is_set(), _ready)


def _ready(served: server.Served) -> None:
    """Print the attached sources, if the process that started this one still runs."""
    with contextlib.suppress(BrokenPipeError):
        print(json.dumps(served.attached), flush=True)


if __name__ == "__main__":
    work()
