"""Write names, columns and tables into the tree of a query."""

from __future__ import annotations

from askwhere.indexer.catalog import Catalog
from askwhere.sql.dialects import named
from askwhere.sql.identifiers import fold
from sqlglot import exp


def identifier(name: str, dialect: str) -> exp.Identifier:
    """Return a name as an identifier, quoted where it must be."""
    return exp.to_identifier(name, quoted=named(dialect).written(name) != name)


def column(name: str, source: str, dialect: str) -> exp.Column:
    """Return the column of a source, which the query calls `source`."""
    return exp.Column(this=identifier(name, dialect), table=identifier(source, dialect))


def equal_values(left: exp.Expr, right: exp.Expr, types: tuple[str, str], dialect: str) -> exp.EQ:
    """Return the condition that two columns are equal, each read as a type, '' for its own (`key_names.read_as`)."""
    typed = named(dialect).expressions.typed
    return exp.EQ(this=typed(left, types[0]), expression=typed(right, types[1]))


def read(path: tuple[str, ...], alias: str, catalog: Catalog, dialect: str) -> exp.Table:
    """Return a table as FROM reads it under a name."""
    table = catalog.by_path[path]
    written = [identifier(part, dialect) for part in table.short or (table.name,)]
    places: dict[str, exp.Expr] = dict(zip(("this", "db", "catalog"), reversed(written), strict=False))
    if fold(alias) != fold(table.name):
        places["alias"] = exp.TableAlias(this=identifier(alias, dialect))
    return exp.Table(**places)
