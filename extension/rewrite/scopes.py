"""Resolve the names of a query: the sources that each SELECT reads, and the columns they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from askwhere.engine import Table
from askwhere.frozen import frozen
from askwhere.grouping import grouped
from askwhere.indexer.catalog import Catalog
from askwhere.sql.dialects import named
from askwhere.sql.identifiers import fold
from sqlglot import exp

# The most columns that all sources of a query may have; the columns of further sources count as unknown. Stars in
# common table expressions can double the columns with each, and no query that people write has so many.
MOST_COLUMNS = 100_000


@dataclass(frozen=True, eq=False)
class Source:
    """A table of the catalog or a query that a SELECT reads under the name `alias`.

    `columns` is None where they are unknown: for a table that does not exist, or a function.
    """

    alias: str
    node: exp.Expr
    columns: tuple[str, ...] | None = None
    table: Table | None = None

    def has(self, column: str) -> bool:
        """Return whether it has a column of a name, in any case."""
        return fold(column) in self.folded

    @cached_property
    def folded(self) -> frozenset[str]:
        """Return the columns' names, folded to compare them."""
        return frozenset(map(fold, self.columns or ()))


@frozen
class Scope:
    """The sources of one SELECT, the names of its outputs, and the enclosing scope that it can refer to.

    `merged` are the columns that USING or NATURAL merges.
    """

    query: exp.Query
    sources: tuple[Source, ...]
    outputs: tuple[str, ...]
    merged: frozenset[str]
    outer: Scope | None

    def source(self, alias: str) -> Source | None:
        """Return the source of an alias in this scope or an enclosing one, or None."""
        own = self._by_alias.get(fold(alias))
        return own or (self.outer.source(alias) if self.outer else None)

    @cached_property
    def _by_alias(self) -> dict[str, Source]:
        return {fold(source.alias): source for source in reversed(self.sources)}

    def sources_with(self, column: str) -> tuple[Source, ...]:
        """Return the sources of this scope that have a column of a name, in any case."""
        return tuple(self._by_column.get(fold(column), ()))

    @cached_property
    def _by_column(self) -> dict[str, list[Source]]:
        return grouped((column, source) for source in self.sources for column in source.folded)

    def may_have(self, name: str) -> bool:
        """Return whether a name may mean something unlisted: a column of an unknown source, or a source as a whole."""
        # A full-text table has a hidden column of its own name, which is compared with to search it.
        return self.is_unknown or self._has_virtual or fold(name) in self._by_alias

    @cached_property
    def is_unknown(self) -> bool:
        """Return whether a source has unknown columns."""
        return any(source.columns is None for source in self.sources)

    @cached_property
    def _has_virtual(self) -> bool:
        return any(source.table is not None and source.table.kind == "virtual" for source in self.sources)

    def count_of(self, table: str) -> int:
        """Return how many of the sources are tables or common table expressions of a name, in any case."""
        return self._counts[fold(table)]

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(fold(s.node.name) for s in self.sources if isinstance(s.node, exp.Table))

    def has_output(self, name: str) -> bool:
        """Return whether the query has an output of a name, in any case."""
        return fold(name) in self._folded_outputs

    @cached_property
    def _folded_outputs(self) -> frozenset[str]:
        return frozenset(map(fold, self.outputs))

    def enclosing(self) -> Iterator[Scope]:
        """Yield this scope and those that enclose it, from the inside out."""
        yield self
        if self.outer:
            yield from self.outer.enclosing()


class Scopes:
    """The scopes of a query over a catalog.

    Scopes, sources and the outputs of queries are cached by the node's id, as many names refer to one node. The nodes
    live as long as `tree`, which is kept.
    """

    def __init__(self, tree: exp.Expr, catalog: Catalog, dialect: str) -> None:
        self.tree = tree
        self._catalog = catalog
        self._lateral = named(dialect).lateral
        self._scopes: dict[int, Scope] = {}
        self._sources: dict[int, Source] = {}
        self._outputs_of: dict[int, tuple[str, ...] | None] = {}
        self._ctes: dict[int, dict[str, exp.CTE]] = {}
        self._open: set[int] = set()  # queries whose outputs are being listed
        self._columns_left = MOST_COLUMNS

    def of(self, node: exp.Expr) -> Scope | None:
        """Return the scope that a node stands in; None outside any query."""
        query = node.find_ancestor(exp.Select, exp.SetOperation)
        return self._scope(query) if isinstance(query, exp.Query) else None

    def source_of(self, column: exp.Column) -> Source | None:
        """Return the source whose column a name means, of the innermost scope that has it; None where several have."""
        scope = self.of(column)
        for enclosing in scope.enclosing() if scope is not None else ():
            candidates = [s for s in enclosing.sources if not column.table or fold(s.alias) == fold(column.table)]
            sources = [s for s in candidates if s.has(column.name)]
            if sources:
                return sources[0] if len(sources) == 1 else None
        return None

    def table_of(self, column: exp.Column) -> Table | None:
        """Return the table of the catalog whose column a name means; None where it means anything else."""
        source = self.source_of(column)
        return source.table if source is not None else None

    def _scope(self, query: exp.Query) -> Scope:
        """Return the scope of a query."""
        if id(query) not in self._scopes:
            sources = tuple(map(self.source, sources_of(query)))
            outputs = tuple(name for name in self._outputs(query, sources) or () if name)
            self._scopes[id(query)] = Scope(query, sources, outputs, _merged(query, sources), self._outer(query))
        return self._scopes[id(query)]

    def _outer(self, query: exp.Query) -> Scope | None:
        """Return the scope that a query can refer to beyond its own, or None."""
        child: exp.Expr = query
        for parent in ancestors(query):
            # A common table expression cannot refer to columns of the query around it.
            if isinstance(parent, exp.CTE):
                return None
            if isinstance(parent, (exp.From, exp.Join)) and parent.this is child:
                return self._lateral_scope(parent.find_ancestor(exp.Select), child) if self._lateral else None
            if isinstance(parent, exp.Select):
                return self._scope(parent)
            child = parent
        return None

    def _lateral_scope(self, select: exp.Select | None, node: exp.Expr) -> Scope | None:
        """Return the scope that a query in FROM sees in DuckDB (LATERAL): the sources before it."""
        if select is None:
            return None
        before = list(takewhile(lambda other: other is not node, sources_of(select)))
        return Scope(select, tuple(map(self.source, before)), (), frozenset(), self._outer(select))

    def source(self, node: exp.Expr) -> Source:
        """Return the source that a node of FROM or JOIN reads."""
        if id(node) not in self._sources:
            source = self._read(node)
            fits = len(source.columns or ()) <= self._columns_left
            self._columns_left -= len(source.columns or ()) if fits else 0
            self._sources[id(node)] = source if fits else replace(source, columns=None)
        return self._sources[id(node)]

    def _read(self, node: exp.Expr) -> Source:
        """Return the source that a node reads, as `source` does before it caches it."""
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            return self._table(node)
        if isinstance(node, exp.Subquery) and isinstance(node.unnest(), exp.Query):
            return Source(node.alias, node, _renamed(self._columns(node.unnest()), node))
        return Source(node.alias_or_name, node)

    def _table(self, node: exp.Table) -> Source:
        """Return the source of a table's name: a common table expression, or a table of the catalog."""
        query = self.cte(node)
        if query is not None:
            return Source(node.alias_or_name, node, _renamed(_renamed(self._columns(query.this), query), node))
        table = self._catalog.ending(tuple(part.name for part in node.parts))
        columns = tuple(c.name for c in table.columns) if table else None
        return Source(node.alias_or_name, node, _renamed(columns, node), table)

    def cte(self, node: exp.Table) -> exp.CTE | None:
        """Return the common table expression that a table's name refers to, or None."""
        if len(node.parts) != 1:
            return None
        named = (self._named(with_).get(fold(node.name)) for with_ in withs(node))
        return next((cte for cte in named if cte is not None), None)

    def _named(self, with_: exp.With) -> dict[str, exp.CTE]:
        if id(with_) not in self._ctes:
            self._ctes[id(with_)] = {fold(cte.alias): cte for cte in reversed(with_.expressions)}
        return self._ctes[id(with_)]

    def _columns(self, query: exp.Expr) -> tuple[str, ...] | None:
        """Return the names of a query's outputs, '' for one without a name; None where they are unknown."""
        inner = query.unnest() if isinstance(query, exp.Subquery) else query
        if not isinstance(inner, exp.Query) or id(inner) in self._open:
            return None  # VALUES, or a query that refers to itself
        if id(inner) not in self._outputs_of:
            self._open.add(id(inner))
            try:
                self._outputs_of[id(inner)] = self._outputs(inner, tuple(map(self.source, sources_of(inner))))
            finally:
                self._open.discard(id(inner))
        return self._outputs_of[id(inner)]

    def _outputs(self, query: exp.Query, sources: tuple[Source, ...]) -> tuple[str, ...] | None:
        """Return the outputs' names of a query with these sources.

        None where a star's columns are unknown or more than `MOST_COLUMNS`.
        """
        if isinstance(query, exp.SetOperation):
            return self._columns(query.left)
        outputs: list[str] = []
        for shown in query.selects:
            if not shown.is_star:
                outputs.append(shown.alias_or_name)
                continue
            alias = fold(shown.table) if isinstance(shown, exp.Column) else ""
            starred = [s for s in sources if not alias or fold(s.alias) == alias]
            if any(s.columns is None for s in starred):
                return None
            outputs += [column for s in starred for column in s.columns or ()]
            if len(outputs) > MOST_COLUMNS:
                return None
        return tuple(outputs)


def sources_of(query: exp.Query) -> list[exp.Expr]:
    """Return the nodes that a SELECT reads from, in the order of the text; none for a set operation."""
    if not isinstance(query, exp.Select):
        return []
    from_ = query.args.get("from_")
    nodes = [from_.this] if from_ is not None else []
    nodes += [join.this for join in query.args.get("joins") or ()]
    nested = [join.this for node in nodes for join in node.args.get("joins") or ()]
    return [*nodes, *nested, *(query.args.get("laterals") or ())]


def withs(node: exp.Expr) -> Iterator[exp.With]:
    """Yield the WITH clauses whose common table expressions a node can name, from the inside out."""
    for ancestor in ancestors(node):
        with_ = ancestor if isinstance(ancestor, exp.With) else ancestor.args.get("with_")
        if with_ is not None:
            yield with_


def ancestors(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the nodes around a node, from the inside out."""
    while node.parent is not None:
        node = node.parent
        yield node


def conjuncts(condition: exp.Expr | None) -> list[exp.Expr]:
    """Return the parts of a condition between its ANDs; none for no condition."""
    if condition is None:
        return []
    return list(condition.flatten(unnest=False)) if isinstance(condition, exp.And) else [condition]


def equated(condition: exp.Expr) -> tuple[exp.Column, ...]:
    """Return the two columns that a condition equates; none for any other condition."""
    sides = (condition.left, condition.right) if isinstance(condition, exp.EQ) else ()
    columns = tuple(side for side in sides if isinstance(side, exp.Column))
    return columns if len(columns) == 2 else ()


def _renamed(columns: tuple[str, ...] | None, node: exp.Expr) -> tuple[str, ...] | None:
    """Return the columns with the names that an alias such as `t(a, b)` gives them."""
    names = tuple(node.alias_column_names)
    return names + (columns or ())[len(names) :] if names else columns


def _merged(query: exp.Query, sources: tuple[Source, ...]) -> frozenset[str]:
    """Return the columns that USING or NATURAL merges, with folded names."""
    joins = query.args.get("joins") or ()
    merged = {fold(name.name) for join in joins for name in join.args.get("using") or ()}
    if any(join.args.get("method") == "NATURAL" for join in joins):
        merged.update(*(source.folded for source in sources))
    return frozenset(merged)
