"""The process that checks and runs generated SQL for another one, see `isolation.engine`.

It reads requests from standard input and writes replies to standard output until the other end is closed. The engine is
loaded, then all limits are set; only then is the database opened, read-only, for the first request, and again when its
file changes.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import resource
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from askwhere.bindings.engine_errors import NO_THREADS, explained, too_large
from askwhere.bindings.isolation.cells import digests, grant_of_json, packed
from askwhere.bindings.isolation.engine import MOST_BYTES, weight
from askwhere.bindings.isolation.opened import THREADS, Batch, Opened
from askwhere.bindings.isolation.pool import GRACE_SECONDS
from askwhere.bindings.isolation.process import FRAME, GRANTS, MESSAGE, ROWS, DatabaseSpec
from askwhere.engine import Checked, Grant, Limits
from askwhere.errors import AskError, Busy, TooMuch

IDLE_SECONDS = 60.0  # without a request until the process ends
BATCH_BYTES = 2**19  # aimed at for a batch; its rows at first and at most are below
FIRST_ROWS, BATCH_ROWS = 64, 8_192
REMEMBERED = 64  # checked queries that are cached
# Bytes that an engine maps beside its data: DuckDB's threads reserve stacks and arenas that they never touch.
MARGIN = {"sqlite": 64 * 2**20, "duckdb": 1024 * 2**20}
OPEN_FILES = 64


class Process:
    """The state of this process between requests: grants and checked queries."""

    def __init__(self, opened: Opened, most: int) -> None:
        self.opened = opened
        self._most = most  # bytes that this process may map
        self._grown = 0  # with more bytes mapped, the next query may not have enough: the process ends
        self._grants: dict[str, Grant] = {}
        self._definitions: dict[str, dict[str, str]] = {}  # that each grant was made for, see `cells.digests`
        self._checked: dict[tuple[str, str], Checked] = {}
        self._version: Hashable = None

    def answer(self, request: dict[str, Any]) -> None:
        """Answer one request: send rows, then a reply, which says whether this process ends after it."""
        try:
            last, reply = False, self._reply(request)
        except AskError as error:
            last, reply = False, _error(type(error).__name__, str(error), getattr(error, "sql", ""))
        except MemoryError:
            last = True
            reply = _error("TooMuch", "the query needed more memory than its process may use; ask something narrower")
        except Exception as error:
            last = True
            reply = _error("QueryError", f"the query failed in its process: {type(error).__name__}: {error}")
            if NO_THREADS in str(explained(error)):
                reply = _error("DatabaseError", NO_THREADS)
        self.opened.rest()
        _send_reply({**reply, **({"last": True} if last or _mapped() > self._grown > 0 else {})})

    def _reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a request, its rows sent before."""
        name, limits = request["grant"], Limits(**request["limits"])
        _allow(limits.seconds)
        if "granted" in request:
            if len(self._grants) >= GRANTS:
                self._grants.clear()  # as the other side does, see `process.Worker.ask`
                self._definitions.clear()
            self._definitions[name] = request["granted"].pop("definitions")
            self._grants[name] = grant_of_json(request["granted"])
        if (version := self.opened.ready()) != self._version:
            self._checked.clear()
            self._version = version
        self._grown = self._grown or (self._most + _mapped()) // 2
        self._refuse_changed(self._definitions[name])
        grant, key = self._grants[name], (name, request["sql"])
        if request["do"] == "check" or key not in self._checked:
            checked = self.opened.check(request["sql"], grant)
            if len(self._checked) >= REMEMBERED:
                self._checked.clear()
            self._checked[name, checked.sql] = checked
            if request["do"] == "check":
                return {"sql": checked.sql, "columns": checked.columns, "types": checked.types}
        else:
            checked = self._checked[key]
        return self._run(checked, grant, limits, request["do"] == "text")

    def _refuse_changed(self, definitions: dict[str, str]) -> None:
        """Raise `Busy` where a table or view of the opened files is not defined as in those that were granted."""
        for path, digest in digests(self.opened.definitions()).items():
            if definitions.get(path, digest) != digest:
                raise Busy(
                    f"{path} is defined otherwise in the file than on the connection that asks: the file was replaced,"
                    " or changed meanwhile; ask again, on a new connection if the file was replaced"
                )

    def _run(self, checked: Checked, grant: Grant, limits: Limits, text: bool) -> dict[str, Any]:
        """Run a checked query, send its rows, and return the reply."""
        began, sent = time.monotonic(), False

        def send(fetch: Batch) -> bool:
            nonlocal sent
            if sent:
                _send_reply({"again": True})
            sent = True
            return _send_rows(fetch, len(checked.columns), limits, _joined if text else packed)

        if text:
            checked = replace(checked, sql=self.opened.as_text(checked))
        complete, undecodable = self.opened.run(checked, grant, limits, send)
        return {"complete": complete, "seconds": time.monotonic() - began, "undecodable": undecodable}


def _send_rows(fetch: Batch, width: int, limits: Limits, write: Callable[[Any], bytes]) -> bool:
    """Send rows while they are fetched, within the limits; return whether they are all.

    Raise `TooMuch` for too many bytes.
    """
    sent, size, step = 0, 0, FIRST_ROWS
    while rows := fetch(min(step, limits.rows + 1 - sent)):
        over = sent + len(rows) > limits.rows
        rows = rows[: limits.rows - sent]
        batch = write(rows)
        size += weight(batch, len(rows), width)
        if size > limits.bytes:
            raise TooMuch(too_large(limits))
        _write(ROWS, batch, len(rows))
        sent += len(rows)
        if over:
            return False
        step = max(1, min(4 * step, BATCH_ROWS, BATCH_BYTES * len(rows) // len(batch)))
    return True


def _joined(rows: Sequence[tuple[Any, ...]]) -> bytes:
    """Return a batch of rows that are JSON texts already."""
    return f"[{','.join([text for (text,) in rows])}]".encode()


def _error(kind: str, message: str, sql: str = "") -> dict[str, Any]:
    """Return the reply that reports an error."""
    return {"error": kind, "message": message, "sql": sql}


# --- the channel ---------------------------------------------------------------------------------------------------

_output = 1


def _send_reply(content: dict[str, Any]) -> None:
    """Write a reply."""
    _write(MESSAGE, json.dumps(content).encode(), 0)


def _write(kind: bytes, content: bytes, rows: int) -> None:
    """Write one frame."""
    left = memoryview(FRAME.pack(len(content), kind, rows) + content)
    while left:
        left = left[os.write(_output, left) :]


def _next() -> dict[str, Any] | None:
    """Return the next request; None after `IDLE_SECONDS` without one, and when the other end is closed."""
    poller = select.poll()
    poller.register(0, select.POLLIN)
    if not poller.poll(IDLE_SECONDS * 1_000):
        return None
    head = _exactly(FRAME.size)
    if head is None:
        return None
    content = _exactly(FRAME.unpack(head)[0])
    return None if content is None else dict(json.loads(content))


def _exactly(size: int) -> bytes | None:
    """Read `size` bytes; None where the input ends before."""
    pieces = bytearray()
    while len(pieces) < size:
        piece = os.read(0, size - len(pieces))
        if not piece:
            return None
        pieces += piece
    return bytes(pieces)


def _end_with_host() -> None:
    """End this process when the one that started it is gone, also while a query runs."""
    poller = select.poll()
    poller.register(0, 0)  # with no events asked for, poll reports only that the other end is closed
    poller.poll()
    os._exit(0)


# --- the limits ----------------------------------------------------------------------------------------------------


def limit(engine: str) -> int:
    """Set hard limits on this process, which no code in it can raise; return the bytes of memory that it may map."""
    most = _mapped() + MOST_BYTES + MARGIN[engine]
    hard = {
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_AS: most,
    }
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # writing a file then fails with an error, which the engine reports
    for kind, value in hard.items():
        _, allowed = resource.getrlimit(kind)
        value = value if allowed == resource.RLIM_INFINITY else min(value, allowed)
        # macOS refuses limits below what is mapped already; the others still hold there.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (value, value))
    return most


def _allow(seconds: float) -> None:
    """Limit this process's CPU time to the time used so far plus `seconds` on each thread."""
    soft = math.ceil(seconds * THREADS + GRACE_SECONDS + time.process_time()) + 1
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _mapped() -> int:
    """Return the bytes of address space that this process has mapped."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0 if sys.platform != "linux" else 2**30
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Answer requests until the process that asks is gone, or asks nothing for a while."""
    global _output
    _output = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a library prints must not get between the frames
    try:
        threading.Thread(target=_end_with_host, daemon=True).start()
    except RuntimeError:
        _send_reply(_error("DatabaseError", NO_THREADS))
        return
    asked = _next()
    if asked is None:
        os._exit(0)
    attached = tuple((name, file) for name, file in asked.pop("attached"))
    engine_name, path, home = (asked.pop(name) for name in ("engine", "path", "home"))
    spec = DatabaseSpec(engine_name, path, attached, home=home, **{name: tuple(v) for name, v in asked.items()})
    if spec.engine == "sqlite":
        from askwhere.bindings.isolation import sqlite as engine
    else:
        from askwhere.bindings.isolation import duckdb as engine  # type: ignore[no-redef]
        from askwhere.bindings.isolation.duckdb import list_functions

        list_functions()
    most = limit(spec.engine)
    process = Process(engine.Opened(spec), most)
    _send_reply({"ready": True})
    while (request := _next()) is not None:
        process.answer(request)
    os._exit(0)  # an engine may still be busy in a thread; there is nothing to clean up


if __name__ == "__main__":
    main()
