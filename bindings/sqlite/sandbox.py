"""Open connections to SQLite on which nothing but granted reads can be prepared."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Hashable, Iterator

import apsw
from askwhere.bindings.sqlite import handles
from askwhere.bindings.sqlite.guard import authorized
from askwhere.bindings.sqlite.schema import databases
from askwhere.engine import Grant

# Copying an in-memory database costs about 6 ms a megabyte, so larger ones are read in place.
COPY_AT_MOST = 16 * 1024 * 1024


class Sandboxes:
    """The connections apart from the user's; of a database in memory, the last copy is kept."""

    def __init__(self) -> None:
        self._copy: tuple[Hashable, apsw.Connection] | None = None

    @contextlib.contextmanager
    def entered(
        self, user: apsw.Connection, grant: Grant, apart: bool, version: Callable[[], Hashable]
    ) -> Iterator[apsw.Connection]:
        """Yield a connection on which nothing but granted reads can be prepared.

        With `apart` it is a private read-only connection to the file, or to a copy of a small database in memory.
        Otherwise, and in a transaction or with temporary tables, which no other connection sees, it is the user's own.
        `version` returns a value that changes with the schema or the rows of the user's database.
        """
        private = self._private(user, version) if apart else None
        connection = private or user
        own = private is not None and private is not (self._copy and self._copy[1])
        try:
            if own:
                connection.execute("BEGIN")  # so that the guard checks the same state as is read
            with authorized(connection, grant, None if private else connection.authorizer):
                yield connection
        finally:
            if own and private is not None:
                private.close()

    def _private(self, user: apsw.Connection, version: Callable[[], Hashable]) -> apsw.Connection | None:
        """Return a connection that sees what the user's sees; None if only that one does, or none can be opened."""
        if user.in_transaction or not handles.is_plain(user):
            return None
        files = [(name, user.db_filename(name)) for name in databases(user)]
        try:
            # A file that has taken the place of an open one has other rows, and a pipe might never be ready to read.
            if all(os.path.isfile(file) and not handles.has_moved(user, name) for name, file in files):
                return handles.open_again(user, files)
            return (
                self._memory_copy(user, version()) if len(files) == 1 and handles.size(user) <= COPY_AT_MOST else None
            )
        except (apsw.Error, OSError):
            return None  # locked, no permission for a second handle, another VFS: read in place

    def _memory_copy(self, user: apsw.Connection, version: Hashable) -> apsw.Connection:
        """Return a copy of the database in memory, made again when the original has changed."""
        if self._copy is None or self._copy[0] != version:
            self._copy = (version, handles.copy(user))
        return self._copy[1]
