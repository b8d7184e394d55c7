"""Take a query apart into its skeleton and its entities, the tables and columns that it names.

DAC (section 3.4) compares both with what the question says.
"""

from __future__ import annotations

from collections.abc import Iterable

from askwhere.engine import Table
from askwhere.sql import parsing
from askwhere.sql.identifiers import fold
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, traverse_scope

BLANK = "_"
# sqlglot takes quadratic time to number tables of one name; the longest query of the benchmarks reads 12.
MOST_TABLES = 500


def skeleton(sql: str, dialect: str) -> str:
    """Return the query with `_` for each name and value, without aliases; '' where it cannot be parsed.

    >>> skeleton("SELECT c.name AS n, count(*) FROM customers c WHERE age > 30 GROUP BY 1", "sqlite")
    'SELECT _, COUNT(*) FROM _ WHERE _ > _ GROUP BY _'
    """
    try:
        tree = parsing.statement(sql, dialect)
        return " ".join(tree.transform(_blanked).sql(normalize_functions="upper").split())
    except (SqlglotError, RecursionError):
        return ""


def match(sql: str, other: str, dialect: str) -> bool:
    """Return whether two queries have the same skeleton (DAC, Table 6); False where either cannot be parsed.

    >>> match("SELECT a FROM t WHERE b = 1", "SELECT x FROM y WHERE z = 'w'", "sqlite")
    True
    """
    first = skeleton(sql, dialect)
    return first != "" and first == skeleton(other, dialect)


def _blanked(node: exp.Expr) -> exp.Expr:
    """Return a node with its name or value blanked."""
    blank = exp.Identifier(this=BLANK, quoted=False)
    if isinstance(node, exp.Column):
        return exp.Star() if isinstance(node.this, exp.Star) else exp.Column(this=blank)
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
        return exp.Table(this=blank, joins=node.args.get("joins"))
    if isinstance(node, exp.Alias):
        inner: exp.Expr = node.this.transform(_blanked)
        return inner
    if isinstance(node, exp.TableAlias):
        return exp.TableAlias(this=blank)
    if isinstance(node, (exp.Literal, exp.Boolean, exp.National, exp.HexString, exp.Dot)):
        return exp.Column(this=blank)
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
        return exp.Column(this=blank)
    if isinstance(node, exp.Subquery):
        node.set("alias", None)
    if isinstance(node, exp.Ordered) and node.args.get("nulls_first"):
        node.set("nulls_first", None)
    return node


def entities(sql: str, dialect: str, tables: Iterable[Table]) -> frozenset[str]:
    """Return the tables and columns that a query names, as `table` and `table.column` in lower case, aliases resolved.

    Names that are not of `tables` are left out. The result is empty for a query that cannot be parsed, or that reads
    `MOST_TABLES` or more.
    """
    known = {fold(table.name): {fold(c.name) for c in table.columns} for table in tables}
    try:
        tree = parsing.statement(sql, dialect)
        if sum(1 for _ in tree.find_all(exp.Table)) >= MOST_TABLES:
            return frozenset()
        scopes = traverse_scope(tree)
    except (SqlglotError, RecursionError):
        return frozenset()
    named_entities: set[str] = set()
    for scope in scopes:
        sources = _sources(scope, known)
        named_entities |= {name for name in sources.values() if name}
        for column in {(fold(column.table), fold(column.name)) for column in scope.columns}:
            named_entities |= _owners(*column, sources, known)
    return frozenset(named_entities)


def _sources(scope: Scope, known: dict[str, set[str]]) -> dict[str, str]:
    """Return the tables that a scope reads, by alias; '' for a query."""
    return {
        fold(alias): fold(source.name) if isinstance(source, exp.Table) and fold(source.name) in known else ""
        for alias, source in scope.sources.items()
    }


def _owners(table: str, column: str, sources: dict[str, str], known: dict[str, set[str]]) -> set[str]:
    owners = {sources.get(table, "")} if table else set(sources.values())
    return {f"{owner}.{column}" for owner in owners if owner and column in known[owner]}
