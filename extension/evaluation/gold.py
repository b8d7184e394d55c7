"""Gold queries in the engine that is evaluated: SQLite's as they are; for DuckDB transpiled, and checked."""

from __future__ import annotations

import sqlglot
import sqlglot.errors
from askwhere.engine import Result
from askwhere.errors import QueryError
from askwhere.evaluation import own
from askwhere.evaluation.literals import text_of
from askwhere.evaluation.rows import alike, plain
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.outcomes import comparable
from askwhere.pipeline.scopes import Scopes
from sqlglot import exp


def transpiled(sql: str, catalog: Catalog) -> str:
    """SQLite's query as DuckDB's; a name in double quotes that is no column's becomes the text that it is for SQLite.

    Raises `QueryError` where it cannot be parsed.
    """
    try:
        tree = sqlglot.parse_one(sql, dialect="sqlite")
        scopes = Scopes(tree, catalog, "sqlite")
        return tree.transform(_texts, scopes, copy=False).sql(dialect="duckdb")
    except (sqlglot.errors.SqlglotError, RecursionError) as exc:
        raise QueryError(f"gold cannot be transpiled: {exc}", sql) from exc


def _texts(node: exp.Expr, scopes: Scopes) -> exp.Expr:
    text = text_of(node, scopes) if isinstance(node, exp.Column) else None
    return node if text is None else exp.Literal.string(text)


def same(original: Result, copied: Result, sql: str) -> bool:
    """Whether gold gives in DuckDB what it gives in SQLite, in the same order where it orders its rows."""
    if len(original.columns) != len(copied.columns):
        return False
    if not original.rows and not copied.rows:
        return True
    first, second = (
        [tuple(repr(comparable(cell)) for cell in row) for row in plain(result.rows)] for result in (original, copied)
    )
    return alike(first, second, own.ordered(sql, "sqlite"))
