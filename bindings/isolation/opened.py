"""What the process that runs queries needs of a database: one implementation for each engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol

from askwhere.engine import Checked, Grant, Limits

THREADS = 2  # of an engine in that process

Batch = Callable[[int], Sequence[tuple[Any, ...]]]


Send = Callable[[Batch], bool]


class Opened(Protocol):
    """A database, opened by this process, for one request at a time."""

    def ready(self) -> Hashable:
        """Open the database, or open it again where its file is another one. Raises DatabaseError.

        Gives what differs when what was checked is to be checked again.
        """

    def check(self, sql: str, grant: Grant) -> Checked:
        """See `Engine.check`."""

    def run(self, checked: Checked, grant: Grant, limits: Limits, send: Send) -> tuple[bool, bool]:
        """Run a query and `send` what fetches its rows, a second time where they have to be read in another way.

        Gives what `send` gave last, and whether that was so for text that is not UTF-8.
        """

    def as_text(self, checked: Checked) -> str:
        """The query with one column, a row's values as a JSON array of texts that can be cast to their types."""

    def rest(self) -> None:
        """Nothing is asked of it for a while: let go of what would be in anyone's way."""


def stamp(files: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """What differs when a file is another one, or was written to."""
    return tuple(map(_stamp, files))


def _stamp(file: str) -> tuple[int, ...]:
    try:
        status = os.stat(file)
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
