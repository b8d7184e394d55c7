"""Measure the recall of schema linking: the share of gold's tables, columns and compared texts that a prompt shows.

MCS-SQL (Table 5) counts the questions whose tables and columns were all shown: those with a recall of 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from askwhere.engine import Table
from askwhere.frozen import frozen
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import Match
from askwhere.pipeline.skeleton import entities
from askwhere.rewrite.scopes import Scopes
from askwhere.sql import parsing
from askwhere.sql.identifiers import fold
from sqlglot import exp


@frozen
class Recall:
    """The names or values in the gold query (`needed`), and those among them that were shown to the model (`found`)."""

    needed: frozenset[str]
    found: frozenset[str]

    @property
    def share(self) -> float:
        """Return the share that was found, 0 to 1; 1 where nothing is needed."""
        return len(self.found) / len(self.needed) if self.needed else 1.0


def tables(gold_sql: str, dialect: str, catalog: Catalog, shown: Iterable[Table]) -> Recall:
    """Return the recall of tables: the tables that the gold query names, and the share of them in `shown`."""
    needed = frozenset(name for name in entities(gold_sql, dialect, catalog.tables) if "." not in name)
    return Recall(needed, needed & {fold(table.name) for table in shown})


def columns(gold_sql: str, dialect: str, catalog: Catalog, shown: Iterable[Table]) -> Recall:
    """Return the recall of columns: the columns of the gold query, as `table.column` with aliases resolved.

    `*` names no column. A column without a table's name that several tables of the query have counts for each of them.
    """
    needed = frozenset(name for name in entities(gold_sql, dialect, catalog.tables) if "." in name)
    return Recall(needed, needed & {f"{fold(t.name)}.{fold(c.name)}" for t in shown for c in t.columns})


def values(gold_sql: str, dialect: str, catalog: Catalog, shown: Iterable[Match]) -> Recall:
    """Return the recall of values: the values in the gold query, as `table.column = value`, with their columns.

    A value is a text that gold compares with a column by =, <> or IN; numbers, LIKE patterns and bounds do not count.
    It must be shown as gold writes it, for the same column. `shown` are `Linked.shown` and `Linked.examples`.
    """
    needed = frozenset(f"{column} = {value}" for column, value in _compared(gold_sql, dialect, catalog))
    return Recall(needed, needed & {f"{fold(m.table[-1])}.{fold(m.column)} = {m.value}" for m in shown})


def _compared(sql: str, dialect: str, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Yield the columns of a query, as `table.column`, each with a text that it is compared with."""
    tree = parsing.parsed(sql, dialect)
    if tree is None:
        return
    scopes = Scopes(tree, catalog, dialect)
    for test in tree.find_all(exp.EQ, exp.NEQ, exp.In):
        sides = [test.this, *(test.expressions if isinstance(test, exp.In) else [test.expression])]
        columns = [name for side in sides for name in owners(side, scopes)]
        texts = [text for side in sides if (text := text_of(side, scopes)) is not None]
        yield from ((column, text) for column in columns for text in texts)


def owners(node: exp.Expr, scopes: Scopes) -> list[str]:
    """Return the tables' columns that a node may refer to, as `table.column` in lower case; none for other nodes."""
    if not isinstance(node, exp.Column) or (scope := scopes.of(node)) is None:
        return []
    for around in scope.enclosing():
        sources = [s for s in around.sources_with(node.name) if not node.table or fold(s.alias) == fold(node.table)]
        if sources:
            return [f"{fold(s.table.name)}.{fold(node.name)}" for s in sources if s.table]
    return []


def text_of(node: exp.Expr, scopes: Scopes) -> str | None:
    """Return the text of a literal, or as in SQLite of a name in double quotes that is no column's; else None."""
    if isinstance(node, exp.Literal):
        return str(node.this) if node.is_string else None
    if not isinstance(node, exp.Column) or node.table or not node.this.args.get("quoted"):
        return None
    scope = scopes.of(node)
    known = scope is None or any(a.is_unknown or a.sources_with(node.name) for a in scope.enclosing())
    return None if known else node.name


def as_text(node: exp.Expr, scopes: Scopes) -> exp.Expr:
    """Return a node unchanged, or as a literal if it is a name in double quotes that SQLite reads as a text."""
    text = text_of(node, scopes) if isinstance(node, exp.Column) else None
    return node if text is None else exp.Literal.string(text)
