"""Measure the recall of schema linking: the share of gold's tables and columns that a prompt shows.

MCS-SQL (Table 5) counts the questions for which all were shown, those with a share of 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from askwhere.engine import Table
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.skeleton import entities
from askwhere.sql.identifiers import fold


@dataclass(frozen=True)
class Recall:
    """The names or values in the gold query (`needed`), and those among them that were shown to the model (`found`)."""

    needed: frozenset[str]
    found: frozenset[str]

    @property
    def share(self) -> float:
        """Return the share that was found, 0 to 1; 1 where nothing is needed."""
        return len(self.found) / len(self.needed) if self.needed else 1.0


def tables(gold_sql: str, dialect: str, catalog: Catalog, shown: Iterable[Table]) -> Recall:
    """Return the recall of tables: those that the gold query names, and those among them in `shown`."""
    needed = frozenset(name for name in entities(gold_sql, dialect, catalog.tables) if "." not in name)
    return Recall(needed, needed & {fold(table.name) for table in shown})


def columns(gold_sql: str, dialect: str, catalog: Catalog, shown: Iterable[Table]) -> Recall:
    """Return the recall of columns: those that the gold query names, as `table.column` with aliases resolved.

    `*` names no column. A column without a table's name that several tables of the query have counts for each of them.
    """
    needed = frozenset(name for name in entities(gold_sql, dialect, catalog.tables) if "." in name)
    return Recall(needed, needed & {f"{fold(t.name)}.{fold(c.name)}" for t in shown for c in t.columns})
