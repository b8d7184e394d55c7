"""Mend joins that compare keys of different things, such as a patient's number with an admission's.

Small models write them where no key leads from one table to the other and a third lies between. Such a query runs, and
its rows mean nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from askwhere.errors import QueryError
from askwhere.indexer.catalog import Catalog
from askwhere.reader.schema.edges import Edge, Impossible, steps
from askwhere.reader.schema.joins import Graph
from askwhere.rewrite.context import MendingContext
from askwhere.rewrite.scopes import Scopes, conjuncts, equated
from askwhere.rewrite.writing import column, equal_values, identifier, read
from askwhere.sql.identifiers import fold
from sqlglot import exp

Path = tuple[str, ...]
KeyColumn = tuple[Path, str]  # a table's path and the folded name of a column

_DIFFERENT = "a join compares keys of different tables"


def ends_of_keys(catalog: Catalog) -> dict[KeyColumn, KeyColumn]:
    """Return for each column of a key the column that its chain of keys ends with, such as a table's primary key.

    Keys of several columns are left out.
    """
    refers: dict[KeyColumn, KeyColumn] = {}
    for table in catalog.tables:
        for key in table.foreign_keys:
            if len(key.columns) == 1:
                refers[(table.path, fold(key.columns[0]))] = (key.target, fold(key.target_columns[0]))
    owned = [(t.path, fold(t.primary_key[0])) for t in catalog.tables if len(t.primary_key) == 1]
    return {column: _last(column, refers) for column in (*owned, *refers, *refers.values())}


def _last(column: KeyColumn, refers: dict[KeyColumn, KeyColumn]) -> KeyColumn:
    """Return the end of the chain of keys from a column, or the column at which the chain meets itself."""
    seen = {column}
    while (column := refers.get(column, column)) not in seen:
        seen.add(column)
    return column


def along_keys(tree: exp.Expr, context: MendingContext) -> bool:
    """Replace joins that compare keys of different tables by joins along foreign keys; return whether any was replaced.

    Tables that only such a join used are left out. The query stays as it is where no foreign keys connect its tables.
    Raise `QueryError` where they can be joined in several ways.
    """
    ends = ends_of_keys(context.catalog)
    scopes = Scopes(tree, context.catalog, context.dialect)
    wrong = [select for select in tree.find_all(exp.Select) if _is_wrong(select, scopes, ends)]
    if not wrong:
        return False
    graph = Graph(context.catalog)
    mended = [_join_again(select, scopes, context.catalog, graph, context.dialect) for select in wrong]
    return any(mended)


def _is_wrong(select: exp.Select, scopes: Scopes, ends: dict[KeyColumn, KeyColumn]) -> bool:
    """Return whether a join equates two keys that end at different columns (`ends`) and have different names."""
    for condition in _conditions(select):
        pair = [_column(side, scopes) for side in equated(condition)]
        targets = {ends[key] for key in pair if key in ends}
        if len(targets) == 2 and pair[0][1] != pair[1][1]:
            return True
    return False


def _conditions(select: exp.Select) -> Iterator[exp.Expr]:
    """Yield the conditions of a query's joins, those connected by AND one by one."""
    for join in select.args.get("joins") or ():
        yield from (part.unnest() for part in conjuncts(join.args.get("on")))


def _column(node: exp.Column, scopes: Scopes) -> KeyColumn:
    """Return a column as its table's path and folded name; the path is empty where it is not a table's column."""
    table = scopes.table_of(node)
    return (table.path if table is not None else (), fold(node.name))


def _join_again(select: exp.Select, scopes: Scopes, catalog: Catalog, graph: Graph, dialect: str) -> bool:
    """Rewrite FROM with joins of the query's tables along foreign keys; return False where no keys connect them."""
    scope = scopes.of(select.selects[0])
    assert scope is not None
    tables = [source.table for source in scope.sources if source.table is not None]
    names = {table.path: source.alias for source in scope.sources if (table := source.table) is not None}
    if len(names) < len(scope.sources) or not _is_plain(select):
        raise QueryError(_DIFFERENT, select.sql(dialect))
    columns = [
        (node, source) for node in select.find_all(exp.Column) if (source := scopes.source_of(node)) in scope.sources
    ]
    used = {s.table.path for node, s in columns if s and s.table and not _joins(node, select)}
    wanted = [t.path for t in tables if t.path in used or _counts_rows(select)] or [tables[0].path]
    trees = graph.trees(wanted)
    if not trees:
        return False
    if len(trees) > 1:
        raise QueryError(f"{_DIFFERENT}, and their keys join them in several ways", select.sql(dialect))
    for node, source in columns:  # qualify them: a table that is added may have columns of the same names
        if source is not None and not node.table:
            node.set("table", identifier(source.alias, dialect))
    names = {path: catalog.by_path[path].name for e in trees[0].edges for path in (e.child, e.parent)} | names
    select.set("from_", exp.From(this=read(wanted[0], names[wanted[0]], catalog, dialect)))
    try:
        along = list(steps(wanted[0], trees[0].edges))
    except Impossible:
        raise QueryError(f"{_DIFFERENT}, and no chain of keys joins them", select.sql(dialect)) from None
    select.set("joins", [_join(path, edge, names, catalog, dialect) for path, edge in along])
    return True


def _is_plain(select: exp.Select) -> bool:
    """Return whether each join of a query is an inner join whose only conditions are equal columns."""
    joins = select.args.get("joins") or ()
    inner = all(not j.side and j.kind in ("", "INNER") and not j.args.get("using") and not j.method for j in joins)
    return inner and all(map(equated, _conditions(select)))


def _joins(node: exp.Column, select: exp.Select) -> bool:
    """Return whether a column stands in the condition of one of the query's own joins."""
    join = node.find_ancestor(exp.Join)
    return join is not None and join.parent is select


def _counts_rows(select: exp.Select) -> bool:
    """Return whether a query has `*`, as in `count(*)`: then each table that it reads changes the result."""
    return any(not isinstance(star.parent, exp.Column) for star in select.find_all(exp.Star))


def _join(path: Path, edge: Edge, names: Mapping[Path, str], catalog: Catalog, dialect: str) -> exp.Join:
    """Return the join of a table along a key."""
    child, parent = names[edge.child], names[edge.parent]
    equal = [
        equal_values(column(mine, child, dialect), column(other, parent, dialect), types, dialect)
        for mine, other, types in zip(edge.columns, edge.target_columns, edge.read_as, strict=True)
    ]
    return exp.Join(this=read(path, names[path], catalog, dialect), on=exp.and_(*equal))
