"""Advice on a query's unknown names, for a model: what would bind in their place, beside the error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from askwhere.engine import Table
from askwhere.indexer.catalog import Catalog
from askwhere.reader.schema.edges import Edge, Tree
from askwhere.reader.schema.joins import Graph
from askwhere.rewrite import other_dialects
from askwhere.rewrite.repairs import near
from askwhere.rewrite.scopes import Scope, Scopes, Source
from askwhere.sql.identifiers import fold
from askwhere.sql.sqlite import SQLITE
from sqlglot import exp

# Names, and tables that have a column, that are told at most; more than that help nobody to choose.
TOLD = 3
# Joins on the way to a table, at most.
WAY = 2

written = SQLITE.written


def binding(sql: str, catalog: Catalog, dialect: str) -> str:
    """Return what would bind: the near names, the tables that have a column, and how they are joined.

    A line has one name; '' where nothing is known of any.
    """
    tree = other_dialects.parse(sql, dialect)
    if tree is None:
        return ""
    scopes = Scopes(tree, catalog, dialect)
    tables = (_table(source, catalog) for source in map(scopes.source, tree.find_all(exp.Table)))
    placed = ((column, scopes.of(column)) for column in tree.find_all(exp.Column))
    columns = (_column(column, scope, catalog) for column, scope in placed if scope)
    return "\n".join(list(dict.fromkeys(filter(None, (*tables, *columns))))[:TOLD])


def _table(source: Source, catalog: Catalog) -> str:
    """Return the advice on a table that does not exist."""
    if source.columns is not None:
        return ""
    names = _alike(source.node.name, (table.name for table in catalog.tables))
    return _said(f"There is no table {source.node.name}", [f"Near is {', '.join(names)}"] if names else [])


def _column(node: exp.Column, scope: Scope, catalog: Catalog) -> str:
    """Return the advice on a column that no table of the query has, that several have, or whose table is not read."""
    own = scope.source(node.table) if node.table else None
    if node.table and own is None:
        table = catalog.table(node.table)
        return _said(f"{node.table} does not stand in FROM", list(_ways(scope, [table], catalog)) if table else [])
    if own is not None:
        is_there = own.columns is None or own.has(node.name)
        return "" if is_there else _said(_lacks(node.name, own), list(_meant(node.name, own, scope, catalog)))
    having = scope.sources_with(node.name)
    if len(having) > 1 and fold(node.name) not in scope.merged:
        names = [f"{written(source.alias)}.{written(node.name)}" for source in having if source.alias]
        return _said(f"{node.name} is ambiguous", [f"Write {' or '.join(names)}"])
    is_output = scope.has_output(node.name) and not _is_shown(node, scope)
    if is_output or any(around.sources_with(node.name) or around.is_unknown for around in scope.enclosing()):
        return ""
    return _said(_lacks(node.name, None), list(_meant(node.name, None, scope, catalog)))


def _is_shown(node: exp.Column, scope: Scope) -> bool:
    """Return whether a column stands in the output of its query, whose names it then cannot use."""
    return any(node is column for shown in scope.query.selects for column in shown.find_all(exp.Column))


def _lacks(column: str, own: Source | None) -> str:
    return f"{own.table.name if own.table else own.alias} has no {column}" if own else f"Nothing in FROM has {column}"


def _meant(column: str, own: Source | None, scope: Scope, catalog: Catalog) -> Iterator[str]:
    """Return near columns of what the query reads, and the tables that have the column."""
    here = [own] if own else list(scope.sources)
    near_ = [
        f"{written(source.alias)}.{written(name)}" for source in here for name in _alike(column, source.columns or ())
    ]
    if near_:
        yield f"Near is {', '.join(near_[:TOLD])}"
    others = [source for source in scope.sources_with(column) if source is not own]
    if others:
        yield f"It is {', '.join(f'{written(source.alias)}.{written(column)}' for source in others)}"
        return
    yield from _ways(scope, [t for t in catalog.tables if _has(t, column)][:TOLD], catalog, column)


def _ways(scope: Scope, tables: Iterable[Table], catalog: Catalog, column: str = "") -> Iterator[str]:
    """Yield how each table is joined to what a query reads, along keys."""
    graph, sources = Graph(catalog), [source for source in scope.sources if source.table]
    for table in tables:
        said = f"{written(table.name)} has {written(column)}" if column else f"{written(table.name)} is there"
        found = [(tree.cost, source, tree.edges) for source in sources for tree in _trees(graph, source, table)]
        if found:
            _, source, edges = min(found, key=lambda way: way[0])
            said += f": {_joins(source, edges, catalog)}"
        yield said


def _trees(graph: Graph, source: Source, table: Table) -> list[Tree]:
    assert source.table is not None
    return [tree for tree in graph.trees((source.table.path, table.path)) if 0 < len(tree.edges) <= WAY]


def _joins(source: Source, edges: Iterable[Edge], catalog: Catalog) -> str:
    """Return the joins from what a query reads along keys, as SQL."""
    assert source.table is not None
    names = {source.table.path: written(source.alias)}
    left, parts = list(edges), []
    while left:
        edge = next(e for e in left if (e.child in names) != (e.parent in names))
        left.remove(edge)
        new = edge.parent if edge.child in names else edge.child
        names[new] = written(catalog.by_path[new].name)
        pairs = zip(edge.columns, edge.target_columns, strict=True)
        on = (f"{names[edge.child]}.{written(a)} = {names[edge.parent]}.{written(b)}" for a, b in pairs)
        parts.append(f"JOIN {names[new]} ON {' AND '.join(on)}")
    return " ".join(parts)


def _alike(name: str, names: Iterable[str]) -> list[str]:
    """Return the names that one may be a misspelling of, then those that hold it or that it holds."""
    all_ = list(dict.fromkeys(names))
    found = [other for _, other in near(name, all_)]
    held = [other for other in all_ if _holds(name, other) or _holds(other, name)]
    return list(dict.fromkeys((*found, *held)))[:TOLD]


def _holds(whole: str, part: str) -> bool:
    return len(part) > 3 and fold(part) in fold(whole)


def _has(table: Table, column: str) -> bool:
    return fold(column) in (fold(c.name) for c in table.columns)


def _said(wrong: str, instead: list[str]) -> str:
    return f"{wrong}. {'. '.join(instead)}." if instead else ""
