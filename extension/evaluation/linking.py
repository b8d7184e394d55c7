"""Recall of schema linking: which of the tables and columns that gold names were shown to the model.

MCS-SQL (Table 5) counts the questions for which all were: see `Recall.complete`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from askwhere.engine import Table
from askwhere.guard.scan import fold
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.skeleton import entities


@dataclass(frozen=True)
class Recall:
    """What gold needs, as texts, and what of it was found."""

    needed: frozenset[str]
    found: frozenset[str]

    @property
    def share(self) -> float:
        """The share that was found, 0 to 1; 1 where nothing is needed."""
        return len(self.found) / len(self.needed) if self.needed else 1.0

    @property
    def complete(self) -> bool:
        """Whether all was found."""
        return self.found == self.needed


def tables(gold_sql: str, dialect: str, catalog: Catalog, shown: Iterable[Table]) -> Recall:
    """The tables of the catalog that gold names, and those of them that were shown (`Linked.schema.tables`)."""
    needed = frozenset(name for name in entities(gold_sql, dialect, catalog.tables) if "." not in name)
    return Recall(needed, needed & {fold(table.name) for table in shown})


def columns(gold_sql: str, dialect: str, catalog: Catalog, shown: Iterable[Table]) -> Recall:
    """The columns that gold names, as `table.column` with aliases resolved, and those of them that were shown.

    `*` names none. A column without its table's name, which several tables of the query have, is one of each.
    """
    needed = frozenset(name for name in entities(gold_sql, dialect, catalog.tables) if "." in name)
    return Recall(needed, needed & {f"{fold(t.name)}.{fold(c.name)}" for t in shown for c in t.columns})
