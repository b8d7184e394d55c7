"""Declare the protocol of a storage, where askwhere keeps tables of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Storage(Protocol):
    """The place of askwhere's own tables, all named `askwhere_*`: the database, or a file beside it."""

    @property
    def prefix(self) -> str:
        """Return what stands before a table's name in SQL, with its dot."""

    @property
    def keyed(self) -> str:
        """Return the column declarations of a table of keyed blobs: `k`, a 64-bit number, and `b`."""

    @property
    def staging(self) -> str:
        """Return the suffix of a table's name while it is written anew and committed in parts.

        It is '' where a transaction may have any size.
        """

    def tables(self) -> list[str]:
        """Return the names of all `askwhere_*` tables."""

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement on these tables and return all its rows."""

    def insert(self, table: str, rows: Sequence[tuple[int, bytes]]) -> None:
        """Add keyed blobs to a table with the columns `k` and `b`."""

    def commit(self) -> None:
        """Commit what was written since the last time; only where there is `staging`."""

    def inflates(self, table: str) -> bool:
        """Return whether a table is so compressed that to read it takes far more memory than the file has bytes."""

    def fetch(self, table: str, keys: Sequence[int]) -> Mapping[int, bytes]:
        """Return the blobs that a table has for some keys."""


def of_index(storages: Sequence[Storage]) -> Storage:
    """Return the database's own storage if it holds the value index or has no file beside it, else that of the file."""
    own, *beside = storages
    return own if not beside or "askwhere_index" in own.tables() else beside[0]
