"""Write names in the trees of queries."""

from __future__ import annotations

from askwhere.sql.dialect import Dialect
from sqlglot import exp


def identifier(name: str, dialect: Dialect) -> exp.Identifier:
    """Return a name as the engine reads it: in quotes only where it needs them."""
    return exp.Identifier(this=name, quoted=not dialect.is_bare(name))
