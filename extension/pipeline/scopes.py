"""What the names of a query stand for: the sources that each SELECT reads, and the columns they have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from askwhere.engine import Table
from askwhere.guard.scan import fold
from askwhere.guard.tables import fold_path
from askwhere.indexer.catalog import Catalog
from sqlglot import exp


@dataclass(frozen=True)
class Source:
    """What a SELECT reads under the name `alias`: a table of the catalog, or a query.

    `columns` is None where they are not known: of a table that is not there, or of a function.
    """

    alias: str
    node: exp.Expr
    columns: tuple[str, ...] | None = None
    table: Table | None = None

    def has(self, column: str) -> bool:
        """Whether it has a column of that name, in any case."""
        return fold(column) in map(fold, self.columns or ())


@dataclass(frozen=True)
class Scope:
    """The sources of one SELECT, the names that its own output has, and the scope around it that it sees.

    `merged` are the columns that USING or NATURAL makes one.
    """

    query: exp.Query
    sources: tuple[Source, ...]
    outputs: tuple[str, ...]
    merged: frozenset[str]
    outer: Scope | None

    def source(self, alias: str) -> Source | None:
        """The source of that name here or around here; None where there is none."""
        found = next((s for s in self.sources if fold(s.alias) == fold(alias)), None)
        return found or (self.outer.source(alias) if self.outer else None)

    def around(self) -> Iterator[Scope]:
        """This scope and those around it, from the inside out."""
        yield self
        if self.outer:
            yield from self.outer.around()


class Scopes:
    """The scopes of a query over a catalog."""

    def __init__(self, tree: exp.Expr, catalog: Catalog, dialect: str) -> None:
        self.tree = tree
        self._catalog = catalog
        self._lateral = dialect == "duckdb"
        self._found: dict[int, Scope] = {}
        self._open: set[int] = set()

    def of(self, node: exp.Expr) -> Scope | None:
        """The scope that a node stands in; None outside any query."""
        query = node.find_ancestor(exp.Select, exp.SetOperation)
        return self._scope(query) if isinstance(query, exp.Query) else None

    def _scope(self, query: exp.Query) -> Scope:
        if id(query) not in self._found:
            sources = tuple(map(self.source, sources_of(query)))
            outputs = tuple(name for name in self._outputs(query, sources) or () if name)
            self._found[id(query)] = Scope(query, sources, outputs, _merged(query, sources), self._outer(query))
        return self._found[id(query)]

    def _outer(self, query: exp.Query) -> Scope | None:
        child: exp.Expr = query
        while child.parent is not None:
            parent = child.parent
            if isinstance(parent, exp.CTE):
                return None
            if isinstance(parent, (exp.From, exp.Join)) and parent.this is child:
                return self._beside(parent.find_ancestor(exp.Select), child) if self._lateral else None
            if isinstance(parent, exp.Select):
                return self._scope(parent)
            child = parent
        return None

    def _beside(self, select: exp.Select | None, node: exp.Expr) -> Scope | None:
        """What a query in FROM sees in DuckDB: the sources before it."""
        if select is None:
            return None
        before = list(takewhile(lambda other: other is not node, sources_of(select)))
        return Scope(select, tuple(map(self.source, before)), (), frozenset(), self._outer(select))

    def source(self, node: exp.Expr) -> Source:
        """What a node of FROM or JOIN reads."""
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            return self._table(node)
        if isinstance(node, exp.Subquery) and isinstance(node.unnest(), exp.Query):
            return Source(node.alias, node, _renamed(self._columns(node.unnest()), node))
        return Source(node.alias_or_name, node)

    def _table(self, node: exp.Table) -> Source:
        query = cte(node)
        if query is not None:
            return Source(node.alias_or_name, node, _renamed(_renamed(self._columns(query.this), query), node))
        table = find_table(tuple(part.name for part in node.parts), self._catalog)
        columns = tuple(c.name for c in table.columns) if table else None
        return Source(node.alias_or_name, node, _renamed(columns, node), table)

    def _columns(self, query: exp.Expr) -> tuple[str, ...] | None:
        """The names of a query's own columns, '' for one without a name; None where they are not known."""
        inner = query.unnest() if isinstance(query, exp.Subquery) else query
        if not isinstance(inner, exp.Query) or id(inner) in self._open:
            return None  # VALUES, or a query that reads itself
        self._open.add(id(inner))
        try:
            return self._outputs(inner, tuple(map(self.source, sources_of(inner))))
        finally:
            self._open.discard(id(inner))

    def _outputs(self, query: exp.Query, sources: tuple[Source, ...]) -> tuple[str, ...] | None:
        if isinstance(query, exp.SetOperation):
            return self._columns(query.left)
        found: list[str] = []
        for shown in query.selects:
            if not shown.is_star:
                found.append(shown.alias_or_name)
                continue
            wanted = fold(shown.table) if isinstance(shown, exp.Column) else ""
            starred = [s for s in sources if not wanted or fold(s.alias) == wanted]
            if any(s.columns is None for s in starred):
                return None
            found += [column for s in starred for column in s.columns or ()]
        return tuple(found)


def sources_of(query: exp.Query) -> list[exp.Expr]:
    """The nodes that a SELECT reads from, in the order of the text; none for a set operation."""
    if not isinstance(query, exp.Select):
        return []
    from_ = query.args.get("from_")
    nodes = [from_.this] if from_ is not None else []
    nodes += [join.this for join in query.args.get("joins") or ()]
    nested = [join.this for node in nodes for join in node.args.get("joins") or ()]
    return [*nodes, *nested, *(query.args.get("laterals") or ())]


def cte(node: exp.Table) -> exp.CTE | None:
    """The common table expression that a table's name means; None where it means none."""
    if len(node.parts) != 1:
        return None
    return next((c for c in visible_ctes(node) if fold(c.alias) == fold(node.name)), None)


def visible_ctes(node: exp.Expr) -> Iterator[exp.CTE]:
    """The common table expressions that a node may name."""
    ancestor = node.parent
    while ancestor is not None:
        with_ = ancestor if isinstance(ancestor, exp.With) else ancestor.args.get("with_")
        yield from with_.expressions if with_ is not None else ()
        ancestor = ancestor.parent


def find_table(path: tuple[str, ...], catalog: Catalog) -> Table | None:
    """The table that a query names by the end of its path."""
    wanted = fold_path(path)
    return next((t for t in catalog.tables if fold_path(t.path)[-len(wanted) :] == wanted), None)


def _renamed(columns: tuple[str, ...] | None, node: exp.Expr) -> tuple[str, ...] | None:
    """The columns with the names that an alias such as `t(a, b)` gives them."""
    names = tuple(node.alias_column_names)
    return names + (columns or ())[len(names) :] if names else columns


def _merged(query: exp.Query, sources: tuple[Source, ...]) -> frozenset[str]:
    merged: set[str] = set()
    for join in query.args.get("joins") or ():
        merged |= {fold(name.name) for name in join.args.get("using") or ()}
        if join.args.get("method") == "NATURAL":
            merged |= {fold(column) for source in sources for column in source.columns or ()}
    return frozenset(merged)
