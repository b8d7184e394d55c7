"""Run queries on a SQLite file, in the process of `isolation.worker`."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import apsw
from askwhere.bindings.isolation.engine import MOST_BYTES
from askwhere.bindings.isolation.opened import Batch, Send, stamp
from askwhere.bindings.isolation.process import DatabaseSpec
from askwhere.bindings.sqlite import handles as sqlite_handles
from askwhere.bindings.sqlite.decoding import decoded
from askwhere.bindings.sqlite.engine import SQLiteEngine
from askwhere.bindings.sqlite.guard import in_bounds, translated
from askwhere.bindings.sqlite.limits import stopping
from askwhere.engine import Checked, Grant, Limits
from askwhere.errors import DatabaseError
from askwhere.sql.identifiers import quote

CACHE_BYTES = 16 * 2**20  # for SQLite's cache, beside what a query may use


class Opened:
    """Implement `opened.Opened` for SQLite, which itself notices when other processes write the file."""

    def __init__(self, spec: DatabaseSpec) -> None:
        apsw.hard_heap_limit(MOST_BYTES + CACHE_BYTES)
        self._spec = spec
        self._stamp: Hashable = ()
        self._connection: apsw.Connection | None = None
        self._wal = False

    def ready(self) -> Hashable:
        """See `opened.Opened.ready`."""
        state = tuple(status[:2] for status in stamp([self._spec.path, *(file for _, file in self._spec.attached)]))
        if self._connection is None or state != self._stamp:
            self._close()
            self._connection, self._stamp = _open(self._spec), state
            self._engine = _OwnConnectionEngine(self._connection)
            names = ("main", *(name for name, _ in self._spec.attached))
            modes = [self._connection.execute(f"PRAGMA {quote(name)}.journal_mode").get for name in names]
            self._wal = "wal" in modes
        return state

    def definitions(self) -> Mapping[str, str]:
        """See `opened.Opened.definitions`."""
        return self._engine.definitions()

    def check(self, sql: str, grant: Grant) -> Checked:
        """See `Engine.check`."""
        return self._engine.check(sql, grant)

    def run(self, checked: Checked, grant: Grant, limits: Limits, send: Send) -> tuple[bool, bool]:
        """See `opened.Opened.run`."""
        return self._engine.send(checked, grant, limits, send)

    def as_text(self, checked: Checked) -> str:
        """Raise `DatabaseError`: rows of SQLite are sent as values."""
        raise DatabaseError("rows of SQLite come as values")

    def rest(self) -> None:
        """Close a database in WAL mode: while it is open, the user's own connection could not remove the log."""
        if self._wal:
            self._close()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class _OwnConnectionEngine(SQLiteEngine):
    """An engine over a connection of its own: generated SQL runs on that connection, not on a second one."""

    _apart = False

    def send(self, checked: Checked, grant: Grant, limits: Limits, send: Send) -> tuple[bool, bool]:
        """See `opened.Opened.run`."""
        with self._sandbox(grant) as sandbox, stopping(sandbox, limits) as stop:

            def read() -> tuple[bool, bool]:
                return decoded(sandbox, checked, lambda rows: send(_fetching(rows)))

            try:
                return in_bounds(sandbox, checked, grant, limits, stop, read)
            except (apsw.Error, MemoryError) as exc:
                raise translated(exc, checked.sql, stop) from exc


def _fetching(rows: Iterator[tuple[Any, ...]]) -> Batch:
    """Return a function that fetches the next rows."""
    return lambda most: list(islice(rows, most))


def _open(spec: DatabaseSpec) -> apsw.Connection:
    """Open the files of a database read-only. Raise `DatabaseError`."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        connection = apsw.Connection(Path(spec.path).as_uri() + "?mode=ro", flags=flags)
        for name, file in spec.attached:
            connection.execute(f"ATTACH ? AS {quote(name)}", (Path(file).as_uri() + "?mode=ro",))
        # Read now, to raise here: a file in WAL mode that nobody has open needs two more, which cannot be written.
        connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
        return sqlite_handles.harden(connection)
    except apsw.Error as exc:
        raise DatabaseError(f"{spec.path} could not be opened by another process: {exc}") from exc
