"""Index values in memory, where the database file has no index, or one without some columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from askwhere.indexer.values import Match

if TYPE_CHECKING:
    from askwhere.engine import Engine
    from askwhere.indexer.catalog import Catalog


class MemoryIndex:
    """A value index in memory of at most `per_column` values of each column, read until `seconds` are spent.

    The seconds are processor time (see `build.in_memory`). `left_out` are the columns that were not read completely.
    """

    def __init__(self, engine: Engine, catalog: Catalog, seconds: float = 2.0, per_column: int = 20_000) -> None:
        from askwhere.indexer import build  # loads numpy

        self._index, self.left_out = build.in_memory(engine, catalog, seconds, per_column)

    def search(self, text: str, k: int = 2, fill: bool = False) -> list[Match]:
        """Search as `ValueIndex.search` does."""
        return self._index.search(text, k, fill)

    def exact(self, phrases: Iterable[str]) -> dict[str, tuple[Match, ...]]:
        """Look up phrases as `ValueIndex.exact` does."""
        return self._index.exact(phrases)
