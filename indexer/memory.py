"""The values of text columns, indexed in memory: where the database file has no index, or not of all columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from askwhere.indexer.values import Match

if TYPE_CHECKING:
    from askwhere.engine import Engine
    from askwhere.indexer.catalog import Catalog


class MemoryIndex:
    """Values in memory, read column by column until `seconds` are spent; a column's first `per_column` at most.

    The seconds are processor time (see `build.in_memory`). Columns that were cut or not reached are in `left_out`.
    """

    def __init__(self, engine: Engine, catalog: Catalog, seconds: float = 2.0, per_column: int = 20_000) -> None:
        from askwhere.indexer import build  # numpy comes with it: only when values are looked at

        self._index, self.left_out = build.in_memory(engine, catalog, seconds, per_column)

    def search(self, text: str, k: int = 2, fill: bool = False) -> list[Match]:
        """See `ValueIndex.search`."""
        return self._index.search(text, k, fill)

    def exact(self, phrases: Iterable[str]) -> dict[str, tuple[Match, ...]]:
        """See `ValueIndex.exact`."""
        return self._index.exact(phrases)
