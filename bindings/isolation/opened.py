"""The protocol by which the process that runs queries uses a database; each engine implements it."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol

from askwhere.engine import Checked, Grant, Limits

THREADS = 2  # that an engine may use in that process

Batch = Callable[[int], Sequence[tuple[Any, ...]]]


Send = Callable[[Batch], bool]


class Opened(Protocol):
    """A database that this process has opened, for one request at a time."""

    def ready(self) -> Hashable:
        """Open the database, again where its file was replaced or written. Raises DatabaseError.

        Returns a value that changes when checked queries have to be checked again.
        """

    def check(self, sql: str, grant: Grant) -> Checked:
        """See `Engine.check`."""

    def run(self, checked: Checked, grant: Grant, limits: Limits, send: Send) -> tuple[bool, bool]:
        """Run a query, and call `send` with a function that fetches its rows.

        `send` is called a second time where the rows have to be read in another way. Returns the last result of `send`,
        and whether the other way was for text that is not UTF-8.
        """

    def as_text(self, checked: Checked) -> str:
        """Return the query with one column: each row as a JSON array of texts that can be cast to their types."""

    def rest(self) -> None:
        """Release locks that would hinder other programs until the next request."""


def stamp(files: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Return a value that changes when a file is replaced or written."""
    return tuple(map(_stamp, files))


def _stamp(file: str) -> tuple[int, ...]:
    try:
        status = os.stat(file)
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
