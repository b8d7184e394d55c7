"""Write table and column names into sqlglot trees."""

from __future__ import annotations

from askwhere.sql.dialect import Dialect
from sqlglot import exp


def identifier(name: str, dialect: Dialect) -> exp.Identifier:
    """Return a name as a sqlglot identifier, quoted only if the dialect requires it."""
    return exp.Identifier(this=name, quoted=not dialect.is_bare(name))
