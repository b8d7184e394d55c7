"""An engine under the setting `isolation`: another process checks and runs generated SQL, within hard limits.

That process has the database open read-only, guards and runs one query at a time, and sends rows as JSON. If a query
takes it over, it can send wrong rows, but no code that runs here. Rows that wait to be delivered stay encoded until
they are read: in memory while they are few, else in a temporary file without a name.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Protocol

from askwhere.bindings.engine_errors import too_large
from askwhere.bindings.isolation.cells import digests, grant_as_json, unpacked
from askwhere.bindings.isolation.pool import ERRORS, GRACE_SECONDS, borrowed, named
from askwhere.bindings.isolation.process import MESSAGE, ROWS, DatabaseSpec, Retired, Worker, reply_of
from askwhere.engine import Checked, Engine, Grant, Limits, Result
from askwhere.errors import AskError, DatabaseError, QueryError, TooMuch
from askwhere.frozen import frozen
from askwhere.sql import dialects

IN_MEMORY_ONLY = "isolation = 'process' needs a database in a file: another process cannot see memory"
MOST_BYTES = 256 * 2**20  # of one result, as sent
CHECK_SECONDS = 10.0  # to parse, check and bind a query
IN_MEMORY = 4 * 2**20  # bytes of rows that are kept without a file
CELL = 8  # bytes counted for each cell beside its content
BATCH = 128  # and for each batch: there may be many batches without rows
# Values in what is decoded at once, a batch or a whole result: two bytes of JSON become up to a hundred in Python.
MOST_VALUES = 6 * 2**20
MOST_REPLY = 2**22  # bytes of a reply without rows
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.S)
_ASTRAL = re.compile(rb"\\u[dD]|[\xf0-\xff]")  # half of a character beyond the 16 bits of most, or its first byte


class Spool:
    """Batches of rows, as received, that wait to be read once and in order; `width` is the number of columns.

    `plain` is `Dialect.plain_values`. With `whole`, all batches are decoded before one is used.
    """

    def __init__(self, width: int, plain: bool = False, whole: bool = False) -> None:
        self.width, self._plain, self.whole = width, plain, whole
        self.rows = 0
        self._sizes: list[tuple[int, int]] = []  # of each batch: bytes, rows
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # closed by __del__

    def add(self, batch: bytes, rows: int) -> None:
        """Keep a batch. Raise `DatabaseError` where there is no room."""
        with _keeping():
            self._file.write(batch)
            self._file.flush()
        self._sizes.append((len(batch), rows))
        self.rows += rows

    def clear(self) -> None:
        """Drop all batches."""
        self._sizes, self.rows = [], 0
        with _keeping():
            self._file.seek(0)
            self._file.truncate()

    @property
    def count(self) -> int:
        """Return the number of batches."""
        return len(self._sizes)

    def batches(self) -> Iterator[bytes]:
        """Yield each batch in the order received. Raise `DatabaseError` where the file cannot be read."""
        with _keeping():
            self._file.seek(0)
        for size, _ in self._sizes:
            with _keeping():
                batch = self._file.read(size)
            yield batch

    def unpacked(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of batches that `cells.packed` encoded. Raise `DatabaseError` for any other bytes."""
        for batch, (_, count) in zip(self.batches(), self._sizes, strict=True):
            with _decoding():
                rows = unpacked(batch, self.width, self._plain)
                if len(rows) != count:
                    raise ValueError(f"{len(rows)} rows that were to be {count}")
            yield from rows

    def __del__(self) -> None:
        with contextlib.suppress(OSError):  # of what could not be written, and is still in its buffer
            self._file.close()


@contextlib.contextmanager
def _keeping() -> Iterator[None]:
    """Raise `DatabaseError` in place of an error of the file that rows are kept in."""
    try:
        yield
    except OSError as exc:
        # Not gettempdir(), which raises where no folder has room.
        raise DatabaseError(f"the rows could not be kept in {tempfile.tempdir or 'a temporary file'}: {exc}") from exc


class Inner(Engine, Protocol):
    """The engine that is isolated. It can also deliver rows that another process has read."""

    def definitions(self) -> Mapping[str, str]:
        """Return the SQL of each table and view that is in a file, by its path."""

    def reading(self, checked: Checked, read: Callable[[], Spool]) -> str:
        """Return the SQL that delivers rows inside a statement of the user's; it calls `read` for each scan."""


class IsolatedEngine:
    """An engine whose `check` and `run` happen in another process; the catalog is read in this one."""

    def __init__(self, inner: Inner, process: QueryProcess):
        self._inner = inner
        self._process = process

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def check(self, sql: str, grant: Grant) -> Checked:
        """See `Engine.check`."""
        return self._process.check(sql, grant)

    def run(self, checked: Checked, grant: Grant, limits: Limits) -> Result:
        """See `Engine.run`."""
        return self._process.run(checked, grant, limits)

    def delivering(self, checked: Checked, grant: Grant, limits: Limits) -> str:
        """See `Isolated.delivering`."""
        process, text = self._process, self._inner.static_types
        return self._inner.reading(checked, lambda: process.spooled(checked, grant, limits, text))

    def stream(self, checked: Checked, grant: Grant, limits: Limits) -> Iterator[tuple[Any, ...]]:
        """Run a checked query now, and yield its rows when they are wanted. Raise as `run`, before the first row."""
        return self._process.spooled(checked, grant, limits).unpacked()


def database_spec(
    engine: str, path: str | Path, attached: tuple[tuple[str, str], ...] = (), **more: Any
) -> DatabaseSpec:
    """Return the specification of a database that another process opens; `more` are further fields of it.

    Raise `DatabaseError` for a database in memory, and on systems without limits on resources.
    """
    if os.name != "posix":
        raise DatabaseError("isolation = 'process' needs an operating system with resource limits (Linux or macOS)")
    in_memory = str(path) in ("", ":memory:")
    if in_memory and not attached and not any(more.values()):
        raise DatabaseError(IN_MEMORY_ONLY)
    files = tuple((name, str(Path(file).absolute())) for name, file in attached)
    return DatabaseSpec(engine, ":memory:" if in_memory else str(Path(path).absolute()), files, **more)


@frozen
class QueryProcess:
    """The requests to a process that has a database open; one is started where none is idle.

    It answers only where the files that it opens have the `definitions` that this process sees: a file may have been
    replaced by another since this process opened it. `at_work` is entered while a process works for a request.
    """

    spec: DatabaseSpec
    definitions: Callable[[], Mapping[str, str]]
    at_work: Callable[[Worker], contextlib.AbstractContextManager[None]] = lambda worker: contextlib.nullcontext()

    def check(self, sql: str, grant: Grant) -> Checked:
        """Return `sql` as the process has checked it. Raise as `Engine.check`, and as `run`."""
        request = {"do": "check", "sql": sql, "limits": asdict(Limits(seconds=CHECK_SECONDS))}
        reply = self._reply(request, grant, Spool(0), Limits(CHECK_SECONDS, 0, 0))
        with _decoding():
            (text,) = _texts([reply["sql"]])
            made = Checked(text, _texts(reply["columns"]), _texts(reply["types"]))
            if not 0 < len(made.columns) == len(made.types):
                raise ValueError(f"{len(made.columns)} columns of {len(made.types)} types")
            return made

    def run(self, checked: Checked, grant: Grant, limits: Limits) -> Result:
        """Return the result of a checked query, which the process checks again if it has not checked it itself.

        Raise as `Engine.run`; also `TooMuch` when the process had to be ended, and `DatabaseError` when it cannot open
        the file, as when this process has a DuckDB file open for writing.
        """
        spool, end = self._spooled("run", checked, grant, limits, whole=True)
        rows = tuple(spool.unpacked())
        with _decoding():
            return Result(checked.columns, rows, bool(end["complete"]), float(end["seconds"]), bool(end["undecodable"]))

    def spooled(self, checked: Checked, grant: Grant, limits: Limits, text: bool = False) -> Spool:
        """Return all rows of a checked query, as values or as `text`. Raise as `run`, and `TooMuch` for too many."""
        spool, end = self._spooled("text" if text else "run", checked, grant, limits)
        if not end.get("complete"):
            from askwhere.session import too_many  # imports all that answers questions

            raise too_many(limits.rows, checked.sql)
        return spool

    def _spooled(
        self, how: str, checked: Checked, grant: Grant, limits: Limits, whole: bool = False
    ) -> tuple[Spool, dict[str, Any]]:
        """Run a checked query, `how` being 'run' or 'text'; return its rows, and the reply that follows them."""
        limits = replace(limits, bytes=min(limits.bytes, MOST_BYTES))
        plain = dialects.named(self.spec.engine).plain_values
        request = {"do": how, "sql": checked.sql, "types": checked.types, "limits": asdict(limits)}
        spool = Spool(len(checked.columns), plain, whole)
        return spool, self._reply(request, grant, spool, limits)

    def _reply(self, request: Mapping[str, Any], grant: Grant, spool: Spool, limits: Limits) -> dict[str, Any]:
        """Send a request, put the rows into `spool`, and return the reply after them.

        If the idle process ended by itself just before, a new one is asked.
        """
        try:
            try:
                return self._reply_of_one(request, grant, spool, limits)
            except Retired:
                return self._reply_of_one(request, grant, spool, limits, new=True)
        except Retired as exc:
            raise DatabaseError("the process that isolation = 'process' needs ended before it was asked") from exc

    def _as_json(self, grant: Grant) -> dict[str, Any]:
        """Return a grant as JSON can write it, with the definitions that it was made for."""
        return grant_as_json(grant) | {"definitions": digests(self.definitions())}

    def _reply_of_one(
        self, request: Mapping[str, Any], grant: Grant, spool: Spool, limits: Limits, new: bool = False
    ) -> dict[str, Any]:
        """Ask one process within the limits, and return its reply as `_reply` does. Raise `Retired` if it ended."""
        with _decoding(), borrowed(self.spec, self.at_work, new) as worker:
            deadline = time.monotonic() + limits.seconds + GRACE_SECONDS
            worker.ask(request, named(grant, self._as_json), deadline)
            size = values = 0
            while True:
                kind, content, rows = worker.receive(deadline, MOST_REPLY, limits.bytes - size + MOST_REPLY)
                if kind == MESSAGE and "again" not in (reply := reply_of(content)):
                    worker.clean = not reply.get("last")
                    return _answer(reply)
                if kind == MESSAGE:
                    spool.clear()
                    size = values = 0
                    continue
                if kind != ROWS or spool.rows + rows > limits.rows:
                    raise ValueError("more rows than asked for")
                size += weight(content, rows, spool.width)
                values = values_in(content) + (values if spool.whole else 0)
                if size > limits.bytes or values > MOST_VALUES:
                    raise TooMuch(too_large(limits))
                spool.add(content, rows)


def weight(batch: bytes, rows: int, width: int) -> int:
    """Return the bytes that a batch counts towards the limit on a result."""
    return BATCH + len(batch) * _wide(batch) + CELL * rows * width


def _wide(batch: bytes) -> int:
    """Return how many bytes each character of a text takes in Python, by the widest character of a batch."""
    if batch.isascii() and b"\\u" not in batch:
        return 1
    return 4 if _ASTRAL.search(batch) else 2


def values_in(batch: bytes) -> int:
    """Return how many JSON values a batch has, with those inside of others. Raise ValueError for an object."""
    count = batch.count(b",") + batch.count(b"[") + 1
    if count <= MOST_VALUES and b"{" not in batch:
        return count
    bare = _TEXT.sub(b"", batch)  # texts have commas and brackets, too
    if b"{" in bare:
        raise ValueError("an object where rows have none")
    return bare.count(b",") + bare.count(b"[") + 1


def _answer(reply: dict[str, Any]) -> dict[str, Any]:
    """Return the reply. Raise the error that it reports."""
    if "error" not in reply:
        return reply
    name, message, sql = _texts([reply["error"], reply["message"], reply["sql"]])
    kind = ERRORS.get(name, AskError)
    raise kind(message, sql) if issubclass(kind, QueryError) else kind(message)


@contextlib.contextmanager
def _decoding() -> Iterator[None]:
    """Raise `DatabaseError` in place of an error in decoding a reply: what the process sent is no reply."""
    try:
        yield
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, ArithmeticError) as exc:
        raise DatabaseError(f"the query's process sent something that is no answer: {exc}") from exc


def _texts(values: Any) -> tuple[str, ...]:
    """Return values as texts. Raise UnicodeEncodeError for half of a character, which no engine takes."""
    texts = tuple(str(value) for value in values)
    "".join(texts).encode()
    return texts
