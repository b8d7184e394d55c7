"""Bound the size of a query after the engine has replaced each name in it by its definition.

Engines replace a view, a common table expression or a macro by its text wherever it is named. SQLite, which merges
subqueries of FROM into the queries around them, also replaces a column by the expression that it names. So a short text
can stand for a very long one: fourteen views that each join the one before with itself, or `coalesce(x, x, x, x) AS x`
in ten nested queries. No engine can be interrupted during this expansion. Its result is estimated here from sqlglot's
tree, in nodes: columns, tables, literals and expressions.

The estimate is an upper bound. Columns are identified by their own names, without the table before the dot.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from askwhere.engine import Table
from askwhere.errors import Refused
from askwhere.frozen import frozen
from askwhere.guard.estimates import MAX_WORK
from askwhere.sql.dialects import named
from askwhere.sql.identifiers import fold
from sqlglot import exp

REASON = f"stands for more than {MAX_WORK:,} columns, tables and expressions where each name in it is written out"
# The nodes that are queries. A Subquery is only the parentheses around one.
QUERIES = (exp.Select, exp.SetOperation, exp.Values)
# sqlglot's names of the places whose queries are read as a source or a side of a UNION.
_READ_FROM = {"this", "expression", "from_", "joins", "laterals"}


@frozen
class Relation:
    """The sizes of an expanded relation: of each column, of any column not in `columns` (`other`), and of the whole."""

    columns: tuple[tuple[str, int], ...] = ()
    other: int = 1
    size: int = 1

    @property
    def largest(self) -> int:
        """Return the size of the largest column."""
        return max([self.other, *(size for _, size in self.columns)])


@frozen
class Scope:
    """The sizes that names in a query expand to: tables, macros, common table expressions, and outer columns.

    `merges` says whether the engine replaces columns by the expressions that they name. `other` is the size of a column
    that is not in `columns`.
    """

    relation: Callable[[Sequence[str]], Relation]
    macro: Callable[[str], int]
    merges: bool
    ctes: Mapping[str, _Cte] = field(default_factory=dict)
    columns: Mapping[str, int] = field(default_factory=dict)
    other: int = 1

    def column(self, name: str) -> int:
        """Return the size of an expanded column."""
        return max(self.other, self.columns.get(fold(name), 1)) if self.merges else 1

    def with_columns(self, relations: Iterable[Relation]) -> Scope:
        """Return this scope with the columns of some relations."""
        sizes = dict(self.columns)
        other = self.other
        for relation in relations:
            other = max(other, relation.other)
            for name, size in relation.columns:
                sizes[name] = max(size, sizes.get(name, 1))
        return replace(self, columns=sizes, other=other)


@dataclass
class _Cte:
    """A common table expression, and its sizes once they are estimated.

    `scope` contains the common table expression itself, so it is set later. `begun` ends recursion.
    """

    node: exp.CTE
    scope: Scope | None = None
    relation: Relation | None = None
    begun: bool = False


def check(query: exp.Expr, tables: Iterable[Table], dialect: str) -> None:
    """Raise `Refused` where an expanded query over these tables is larger than `MAX_WORK`."""
    by_name: dict[str, list[Table]] = defaultdict(list)
    for table in tables:
        by_name[fold(table.name)].append(table)

    def relation(path: Sequence[str]) -> Relation:
        named_so = [t for t in by_name.get(fold(path[-1]), ()) if ends_with(t.path, path)] if path else []
        return max(map(_of_table, named_so), key=lambda r: r.size, default=Relation())

    if estimate(query, Scope(relation, lambda _: 1, named(dialect).merges_queries)).size > MAX_WORK:
        raise Refused(f"the query {REASON}; use fewer of them, and each less often")


def _of_table(table: Table) -> Relation:
    return Relation(tuple((fold(c.name), c.work) for c in table.columns), 1, table.work)


def ends_with(path: Sequence[str], end: Sequence[str]) -> bool:
    """Return whether a query may name the table at `path` by `end`: by its name, after any of the names before it."""
    folded = [fold(part) for part in path]
    return folded[-1] == fold(end[-1]) and {fold(part) for part in end[:-1]} <= set(folded[:-1])


# --- queries -------------------------------------------------------------------------------------------------------


def estimate(query: exp.Expr, scope: Scope) -> Relation:
    """Return the sizes of an expanded query."""
    inner = list(query.walk(prune=lambda node: node is not query and isinstance(node, (*QUERIES, exp.With))))[1:]
    scope = _with_ctes([node for node in inner if isinstance(node, exp.With)], scope)
    nested = [node for node in inner if isinstance(node, QUERIES)]
    near = [node for node in nested if _is_read_from(node, query)]
    inner_sizes = {id(node): estimate(node, scope) for node in near}
    read = [(_alias(node), inner_sizes[id(node)]) for node in near]
    read += [(_alias(node), _table(node, scope)) for node in inner if isinstance(node, exp.Table)]
    inside = scope.with_columns([*(relation for _, relation in read), _renamed(inner, read)])
    inner_sizes |= {id(node): estimate(node, inside) for node in nested if id(node) not in inner_sizes}
    listed = query.expressions if isinstance(query, exp.Select) else []
    columns = list(islice((pair for node in listed for pair in _outputs(node, read, inside, inner_sizes)), MAX_WORK))
    if len(columns) == MAX_WORK:
        return Relation((), MAX_WORK + 1, MAX_WORK + 1)
    size = 1 + sum(amount for _, amount in columns)
    if isinstance(query, exp.SetOperation):
        columns = _united([inner_sizes[id(node)] for node in near])
    others = [relation.other for _, relation in read] if any(map(_star, listed)) or not listed else []
    result = Relation(tuple(columns), max(others, default=1))
    after = inside.with_columns([result])
    clauses = [node for node in query.iter_expressions() if not any(node is item for item in listed)]
    return replace(result, size=size + sum(_weigh(node, after, inner_sizes, result.largest) for node in clauses))


def _with_ctes(clauses: Sequence[exp.Expr], scope: Scope) -> Scope:
    """Return a scope with the common table expressions of some WITH clauses."""
    if not clauses:
        return scope
    ctes = {fold(cte.alias): _Cte(cte) for clause in clauses for cte in clause.expressions}
    scope = replace(scope, ctes={**scope.ctes, **ctes})
    for cte in ctes.values():
        cte.scope = scope
    return scope


def _is_read_from(node: exp.Expr, query: exp.Expr) -> bool:
    """Return whether a nested query is a source or a side of a UNION, and not a part of an expression."""
    while node is not query and node.arg_key in _READ_FROM and node.parent is not None:
        node = node.parent
    return node is query


def _alias(node: exp.Expr) -> str:
    """Return the folded name by which a source is known in the query around it."""
    return fold((node if isinstance(node, exp.Table) else node.parent or node).alias_or_name)


def _table(node: exp.Expr, scope: Scope) -> Relation:
    """Return the sizes of the table or common table expression that a node names."""
    path = [part.name for part in node.parts] if isinstance(node, (exp.Table, exp.Column)) else []
    cte = scope.ctes.get(fold(path[0])) if len(path) == 1 else None
    if cte is None or cte.begun:
        return cte.relation if cte is not None and cte.relation is not None else scope.relation(path)
    assert cte.scope is not None
    cte.begun = True
    query = next((inner for inner in cte.node.this.walk() if isinstance(inner, QUERIES)), cte.node.this)
    sizes = estimate(query, cte.scope)
    again = _renamed(cte.node.iter_expressions(), [("", sizes)]).columns
    cte.relation = replace(sizes, columns=(*again, *sizes.columns))
    return cte.relation


def _renamed(nodes: Iterable[exp.Expr], read: Sequence[tuple[str, Relation]]) -> Relation:
    """Return the columns that aliases such as `t(a, b)` name, each with the size of the largest column in `read`."""
    largest = max((relation.largest for _, relation in read), default=1)
    aliases = [name for node in nodes if isinstance(node, exp.TableAlias) for name in node.args.get("columns") or ()]
    return Relation(tuple((fold(name.name), largest) for name in aliases))


def _star(node: exp.Expr) -> bool:
    return isinstance(node, exp.Star) or (isinstance(node, exp.Column) and isinstance(node.this, exp.Star))


def _outputs(
    node: exp.Expr, read: Sequence[tuple[str, Relation]], scope: Scope, inner_sizes: Mapping[int, Relation]
) -> Iterator[tuple[str, int]]:
    """Yield the columns that an item of a select list makes, each with its size."""
    if not _star(node):
        yield fold(node.alias_or_name), _weigh(node, scope, inner_sizes, 1)
        return
    qualifier = fold(node.table) if isinstance(node, exp.Column) else ""
    sources = [relation for alias, relation in read if alias == qualifier] or [relation for _, relation in read]
    for relation in sources:
        yield from relation.columns
        if relation.other > 1:
            yield "", relation.size


def _united(sides: Sequence[Relation]) -> list[tuple[str, int]]:
    """Return the columns of UNION, INTERSECT or EXCEPT: each with its largest size in any side."""
    widest = max(sides, key=lambda side: len(side.columns), default=Relation())
    names = sides[0].columns if sides and len(sides[0].columns) == len(widest.columns) else widest.columns
    return [
        (name, max(side.columns[place][1] for side in sides if place < len(side.columns)))
        for place, (name, _) in enumerate(names)
    ]


def _weigh(node: exp.Expr, scope: Scope, inner_sizes: Mapping[int, Relation], listed: int) -> int:
    """Return an expanded expression's size.

    `inner_sizes` are those of the queries in it, by id. `listed` is the size of a number that stands for an item of the
    select list, as in ORDER BY 1.
    """
    if id(node) in inner_sizes:
        return inner_sizes[id(node)].size
    if isinstance(node, (exp.With, exp.Identifier)):
        return 0
    if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
        reads = isinstance(node.parent, exp.In) and node.arg_key == "field"  # SQLite's `x IN t`
        return _table(node, scope).size if reads else scope.column(node.name)
    if isinstance(node, exp.Literal) and isinstance(node.parent, (exp.Ordered, exp.Group)):
        return listed
    inner = sum([_weigh(child, scope, inner_sizes, listed) for child in node.iter_expressions()])
    if isinstance(node, exp.Table):
        return _table(node, scope).size + inner
    return (scope.macro(node.name) if isinstance(node, exp.Anonymous) else 1) * (1 + inner)
