"""Write gold queries in the style that replies are to have: names as prompts spell them, aliases only where needed."""

from __future__ import annotations

import re

from askwhere.errors import QueryError
from askwhere.evaluation.gold import transpiled
from askwhere.evaluation.recall import as_text
from askwhere.indexer.catalog import Catalog
from askwhere.rewrite.scopes import Scopes
from askwhere.sql import parsing
from askwhere.sql.dialects import named
from sqlglot import exp
from sqlglot.errors import SqlglotError

GOLD = "sqlite"  # the dialect in which the training sets' queries are written
_OPERAND = r'(?:\w+\.)?(?:\w+|"[^"]*")'
_NEGATED = re.compile(rf"\bNOT ({_OPERAND}) (IN|LIKE|BETWEEN)\b")
_PRESENT = re.compile(rf"\bNOT ({_OPERAND}) IS NULL\b")


def styled(sql: str, catalog: Catalog, dialect: str, gold: str = GOLD) -> str:
    """Return a query in the style of replies, in a dialect's SQL; '' where that is not possible.

    `gold` is the dialect that the query is in: SQLite's, or the same as `dialect`.
    """
    try:
        if dialect != gold:
            sql = transpiled(sql, catalog)
            if "ANY_VALUE" in sql:  # it groups by less than it shows, which only SQLite lets pass
                return ""
        tree = parsing.statement(sql, dialect)
        if dialect == GOLD:
            scopes = Scopes(tree, catalog, dialect)
            tree = tree.transform(as_text, scopes, copy=False)
        for select in tree.find_all(exp.Select):
            _by_name(select)
        _spell(tree, catalog, dialect)
        for node in tree.walk():
            if isinstance(node, exp.Ordered):  # the order of NULL is the dialect's own
                node.set("nulls_first", named(dialect).nulls_first(bool(node.args.get("desc"))))
            elif isinstance(node, exp.Join) and node.kind == "INNER":
                node.set("kind", None)
        text = " ".join(tree.sql(dialect=dialect).split())
        return _PRESENT.sub(r"\1 IS NOT NULL", _NEGATED.sub(r"\1 NOT \2", text))
    except (SqlglotError, QueryError, RecursionError, KeyError):
        return ""


def _by_name(select: exp.Select) -> None:
    """Replace the aliases of a query's tables by the tables' names, if no table is named twice."""
    clause = select.args.get("from_") or select.args.get("from")
    if clause is None:
        return
    sources = [clause.this, *(join.this for join in select.args.get("joins") or ())]
    if any(not isinstance(t, exp.Table) for t in sources) or len({t.name.lower() for t in sources}) < len(sources):
        return
    names = {t.alias.lower(): t.name for t in sources if t.alias}
    for column in select.find_all(exp.Column):
        if column.table.lower() in names:
            column.set("table", exp.to_identifier(names[column.table.lower()]))
    for table in sources:
        table.set("alias", None)
    if len(sources) == 1:
        for column in select.find_all(exp.Column):
            if column.find_ancestor(exp.Select) is select and column.table.lower() == sources[0].name.lower():
                column.set("table", None)


def _spell(tree: exp.Expr, catalog: Catalog, dialect: str) -> None:
    """Spell the names of tables and columns as the catalog does, quoted where the dialect needs it."""
    tables = {table.name.lower(): table.name for table in catalog.tables}
    columns = {column.name.lower(): column.name for table in catalog.tables for column in table.columns}
    for node in tree.find_all(exp.Table, exp.Column):
        parts = (("this", columns), ("table", tables)) if isinstance(node, exp.Column) else (("this", tables),)
        for part, known in parts:
            old = node.args.get(part)
            if isinstance(old, exp.Identifier) and (new := known.get(old.name.lower())):
                node.set(part, exp.to_identifier(new, quoted=not named(dialect).is_bare(new)))
