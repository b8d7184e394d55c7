"""Declare what the process that runs queries needs of an engine: `Opened`, which each engine implements."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Protocol

from askwhere.engine import Checked, Grant, Limits

THREADS = 2  # that an engine may use in that process

# Returns the next rows of a query, at most so many.
Batch = Callable[[int], Sequence[tuple[Any, ...]]]
# Sends all rows that a `Batch` fetches, within the limits, and returns whether they are all.
Send = Callable[[Batch], bool]


class Opened(Protocol):
    """A database that this process has opened, for one request at a time."""

    def ready(self) -> Hashable:
        """Open the database, again where its file was replaced or written. Raise DatabaseError.

        Return a value that changes when checked queries have to be checked again.
        """

    def definitions(self) -> Mapping[str, str]:
        """Return the SQL of each table and view in the files, by its path; `ready` was called."""

    def check(self, sql: str, grant: Grant) -> Checked:
        """See `Engine.check`."""

    def run(self, checked: Checked, grant: Grant, limits: Limits, send: Send) -> tuple[bool, bool]:
        """Run a query, and call `send` with a function that fetches its rows.

        If a text is not UTF-8, the query is run again with its bytes decoded, and `send` is called a second time.
        Return the last result of `send`, and whether that was so.
        """

    def as_text(self, checked: Checked) -> str:
        """Return the query with one column: each row as a JSON array of texts that can be cast to their types."""

    def rest(self) -> None:
        """Release the locks that would keep other programs from the file between two requests."""


def stamp(files: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Return a value that changes when a file is replaced or written."""
    return tuple(map(_stamp, files))


def _stamp(file: str) -> tuple[int, ...]:
    try:
        status = os.stat(file)
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
