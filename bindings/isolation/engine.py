"""The setting `isolation`: generated SQL is checked and run in a process of its own, with hard limits.

That process has the database open read-only, guards and runs one query at a time, and sends rows as JSON: if it has
been taken over it can send wrong rows, but nothing that runs here. Rows that are to be delivered are kept here as they
came until they are read: in memory while they are few, else in a file that has no name.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Protocol

from askwhere.bindings.isolation.cells import grant_as_json, unpacked
from askwhere.bindings.isolation.pool import (
    ERRORS,
    GRACE_SECONDS,
    ROWS,
    SAID,
    Place,
    Retired,
    Worker,
    borrowed,
    named,
    said,
)
from askwhere.bindings.limits import too_large
from askwhere.engine import Checked, Engine, Grant, Limits, Result
from askwhere.errors import AskError, DatabaseError, QueryError, TooMuch

MOST_BYTES = 256 * 2**20  # of one result, as it is sent
CHECK_SECONDS = 10.0  # to parse, judge and bind a query
IN_MEMORY = 4 * 2**20  # bytes of rows to be delivered that need no file
CELL = 8  # bytes that a cell counts beside its content
MOST_LISTS = 8 * 2**20  # of one result: three bytes that are sent may be a list, which is a hundred here
# What a reply may be beside its rows, and what one frame may be more than all rows.
MOST_SAID = 2**22


class Spool:
    """Batches of rows that wait to be read, once, in order; `width` is the number of columns."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.rows = 0
        self._sizes: list[tuple[int, int]] = []  # of each batch: bytes, rows
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # closed by __del__

    def add(self, batch: bytes, rows: int) -> None:
        """Keep a batch. Raises `DatabaseError` where there is no room."""
        try:
            self._file.write(batch)
        except OSError as exc:
            raise DatabaseError(f"the rows could not be kept in {tempfile.gettempdir()}: {exc}") from exc
        self._sizes.append((len(batch), rows))
        self.rows += rows

    def clear(self) -> None:
        """Forget what was kept."""
        self._sizes, self.rows = [], 0
        self._file.seek(0)
        self._file.truncate()

    @property
    def count(self) -> int:
        """How many batches there are."""
        return len(self._sizes)

    def batches(self) -> Iterator[bytes]:
        """Each batch as it came."""
        self._file.seek(0)
        for size, _ in self._sizes:
            yield self._file.read(size)

    def unpacked(self) -> Iterator[tuple[Any, ...]]:
        """The rows, of batches that are not of text."""
        for batch, (_, count) in zip(self.batches(), self._sizes, strict=True):
            with _decoding():
                rows = unpacked(batch, self.width)
                if len(rows) != count:
                    raise ValueError(f"{len(rows)} rows that were to be {count}")
            yield from rows

    def __del__(self) -> None:
        self._file.close()


class Inner(Engine, Protocol):
    """What is isolated: an engine that can read rows which came from elsewhere."""

    def reading(self, checked: Checked, read: Callable[[], Spool]) -> str:
        """The SQL that delivers, inside a statement of the user's, the rows that `read` gives for each scan."""


AtWork = Callable[[Worker], contextlib.AbstractContextManager[None]]


def _nothing(worker: Worker) -> contextlib.AbstractContextManager[None]:
    return contextlib.nullcontext()


class IsolatedEngine:
    """An engine whose `check` and `run` happen in another process; what is asked of the catalog stays here.

    `at_work` is entered with a process while it works for a request. Raises `DatabaseError` where there is no file.
    """

    def __init__(self, inner: Inner, path: str, attached: tuple[tuple[str, str], ...], at_work: AtWork = _nothing):
        self._inner = inner
        self._place = placed(inner.dialect, path, attached)
        self._at_work = at_work

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def check(self, sql: str, grant: Grant) -> Checked:
        """See `Engine.check`."""
        return check(self._place, sql, grant, self._at_work)

    def run(self, checked: Checked, grant: Grant, limits: Limits) -> Result:
        """See `Engine.run`."""
        return run(self._place, checked, grant, limits, self._at_work)

    def delivering(self, checked: Checked, grant: Grant, limits: Limits) -> str:
        """See `Isolated.delivering`."""
        place, at_work, text = self._place, self._at_work, self._inner.static_types
        return self._inner.reading(checked, lambda: spooled(place, checked, grant, limits, at_work, text))

    def stream(self, checked: Checked, grant: Grant, limits: Limits) -> Iterator[tuple[Any, ...]]:
        """The rows of a checked query, run now and read when they are wanted. Raises as `run`, all at once."""
        return spooled(self._place, checked, grant, limits, self._at_work).unpacked()


def placed(engine: str, path: str | Path, attached: tuple[tuple[str, str], ...] = ()) -> Place:
    """What another process is to open. Raises `DatabaseError` where it cannot be opened by one."""
    if os.name != "posix":
        raise DatabaseError("isolation = 'process' needs an operating system with resource limits (Linux or macOS)")
    if str(path) in ("", ":memory:"):
        raise DatabaseError("isolation = 'process' needs a database in a file: another process cannot see memory")
    files = tuple((name, str(Path(file).absolute())) for name, file in attached)
    return Place(engine, str(Path(path).absolute()), files)


def check(place: Place, sql: str, grant: Grant, at_work: AtWork = _nothing) -> Checked:
    """`sql` checked by another process. Raises what `Engine.check` raises, and as `run`."""
    request = {"do": "check", "sql": sql, "limits": asdict(Limits(seconds=CHECK_SECONDS))}
    found = _requested(place, request, grant, Spool(0), Limits(CHECK_SECONDS, 0, 0), at_work)
    with _decoding():
        return Checked(str(found["sql"]), _texts(found["columns"]), _texts(found["types"]))


def run(place: Place, checked: Checked, grant: Grant, limits: Limits, at_work: AtWork = _nothing) -> Result:
    """A checked query run by another process, which checks it again if it was another that did.

    Raises what `Engine.run` raises, `TooMuch` also when that process had to be ended, and `DatabaseError` when it
    cannot open the file, or when this process holds a DuckDB file open for writing.
    """
    spool, end = _run(place, "run", checked, grant, limits, at_work)
    rows = tuple(spool.unpacked())
    with _decoding():
        return Result(checked.columns, rows, bool(end["complete"]), float(end["seconds"]), bool(end["undecodable"]))


def spooled(
    place: Place, checked: Checked, grant: Grant, limits: Limits, at_work: AtWork = _nothing, text: bool = False
) -> Spool:
    """All rows of a checked query, as values or as `text`. Raises as `run`, `TooMuch` where they are too many."""
    spool, end = _run(place, "text" if text else "run", checked, grant, limits, at_work)
    if not end.get("complete"):
        from askwhere.session import too_many  # all that answers questions comes with it

        raise too_many(limits.rows, checked.sql)
    return spool


def _run(
    place: Place, how: str, checked: Checked, grant: Grant, limits: Limits, at_work: AtWork
) -> tuple[Spool, dict[str, Any]]:
    limits = replace(limits, bytes=min(limits.bytes, MOST_BYTES))
    request = {"do": how, "sql": checked.sql, "types": checked.types, "limits": asdict(limits)}
    spool = Spool(len(checked.columns))
    return spool, _requested(place, request, grant, spool, limits, at_work)


def _requested(
    place: Place, request: Mapping[str, Any], grant: Grant, spool: Spool, limits: Limits, at_work: AtWork
) -> dict[str, Any]:
    """What a process says in the end of a request, the rows it sent before in `spool`."""
    try:
        try:
            return _request(place, request, grant, spool, limits, at_work)
        except Retired:
            return _request(place, request, grant, spool, limits, at_work, new=True)
    except Retired as exc:
        raise DatabaseError("the process that isolation = 'process' needs ended before it was asked") from exc


def _request(
    place: Place,
    request: Mapping[str, Any],
    grant: Grant,
    spool: Spool,
    limits: Limits,
    at_work: AtWork,
    new: bool = False,
) -> dict[str, Any]:
    with _decoding(), borrowed(place, at_work, new) as worker:
        deadline = time.monotonic() + limits.seconds + GRACE_SECONDS
        worker.ask(request, named(grant, grant_as_json), deadline)
        size = lists = 0
        while True:
            kind, content, rows = worker.receive(deadline, limits.bytes - size + MOST_SAID)
            if kind == SAID and "again" not in (reply := said(content)):
                worker.clean = not reply.get("last")
                return _answer(reply)
            if kind == SAID:
                spool.clear()
                size = lists = 0
                continue
            if kind != ROWS or spool.rows + rows > limits.rows:
                raise ValueError("more rows than asked for")
            size += weight(content, rows, spool.width)
            lists += content.count(b"[")
            if size > limits.bytes or lists > MOST_LISTS:
                raise TooMuch(too_large(limits))
            spool.add(content, rows)


def weight(batch: bytes, rows: int, width: int) -> int:
    """How many bytes a batch counts, of what a result may have."""
    return len(batch) + CELL * rows * width


def _answer(reply: dict[str, Any]) -> dict[str, Any]:
    """The reply. Raises the error that it tells of."""
    if "error" not in reply:
        return reply
    kind = ERRORS.get(str(reply["error"]), AskError)
    message, sql = str(reply["message"]), str(reply["sql"])
    raise kind(message, sql) if issubclass(kind, QueryError) else kind(message)


@contextlib.contextmanager
def _decoding() -> Iterator[None]:
    """What was received is no answer: raises `DatabaseError` instead of what that met."""
    try:
        yield
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, ArithmeticError) as exc:
        raise DatabaseError(f"the query's process sent something that is no answer: {exc}") from exc


def _texts(values: Any) -> tuple[str, ...]:
    return tuple(str(value) for value in values)
