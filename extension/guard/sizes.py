"""Refuse DuckDB queries that could take too much time or memory in a step that cannot be interrupted.

DuckDB does not check for an interrupt while it binds a query, or while it computes one call for a few thousand rows. So
the cost of such a step is bounded before the query runs, by estimates from its syntax tree. This module estimates
queries and the tables that they read (`Relation`); `expression_sizes` and `call_sizes` estimate their expressions
(`Value`); `estimates` defines the units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from askwhere.engine import Column, Table
from askwhere.errors import Refused
from askwhere.guard.call_sizes import count_macro
from askwhere.guard.estimates import (
    CELL,
    FIXED,
    LONG,
    VECTOR,
    Lengths,
    Relation,
    Scope,
    Value,
    Work,
    check_readable,
    label,
    largest,
    one_of,
    repeating,
    stored,
)
from askwhere.guard.expression_sizes import UNPACKING, estimate_value
from askwhere.guard.functions import DUCKDB_AGGREGATES
from askwhere.guard.joined_lists import check_joined_lists
from askwhere.guard.macro_sizes import Macros
from askwhere.guard.states import check_width, summary_bytes
from askwhere.guard.tree import Node, arguments, expressions, functions_called, nodes, texts, walk
from askwhere.guard.view_joins import count_joins
from askwhere.sql.identifiers import fold, fold_path

_MAX_ROW = 400_000  # bytes of all values that a query makes for one row of its result
_MAX_COLUMNS = 5_000  # of one relation
_MAX_GROUPINGS = 128  # sets of columns that CUBE, ROLLUP and GROUPING SETS stand for
_MAX_LABEL = 1_000  # bytes of a column's name that COLUMNS makes from other names
_LABEL = 50  # so many bytes of a column's name take as long to bind as one more column
_MAX_TREE = 10_000  # bytes of a JSON text whose every value json_tree lists: its paths grow with the number of levels
_MAX_STEP = 1_000  # bytes by which each step of a recursive query may make a value longer
_MAX_SAMPLE = 1_000_000  # rows of a sample, for which DuckDB allocates memory at once
_UNNESTING = {"unnest", "generate_subscripts"}
_INEQUALITIES = {
    "COMPARE_GREATERTHAN", "COMPARE_GREATERTHANOREQUALTO", "COMPARE_LESSTHAN", "COMPARE_LESSTHANOREQUALTO",
}  # fmt: skip


def check_sizes(
    root: Node, tables: Iterable[Table], lengths: Lengths | None = None, macros: Macros | None = None
) -> Relation:
    """Return the estimate of the query at `root` over some tables.

    `lengths` are those of the stored values; without them, each value counts as `CELL`. `macros` are those that the
    query may call. Raise `Refused` where the query could cost too much in a step that cannot be interrupted.
    """
    _check_samples(root)
    lengths = lengths or Lengths()
    written = [*texts(root)]
    named = {*map(fold, written)}  # a query can read no table whose name is not written in it
    tables = tuple(tables)
    joins_in_views = count_joins(tables, named)
    known = {
        path: Relation(
            fold(t.name),
            tuple((name, _stored(c, t, lengths.longest.get((path, name), CELL))) for c, name in folded),
            t.work,
            exact=True,
            sides=1 + joins_in_views.get(t.path, 0),
            joins=joins_in_views.get(t.path, 0),
        )
        for t in tables
        if fold(t.name) in named
        for path, folded in [(fold_path(t.path), [(c, fold(c.name)) for c in t.columns])]
    }
    names = (name for relation in known.values() for name, _ in relation.columns)
    sizes = [len(text.encode()) for text in (*names, *written)]
    # COLUMNS makes names from other names if its alias has a backslash; PIVOT joins values to a name.
    composed = _MAX_LABEL if any("\\" in text for text in written) else CELL
    joined = sum(sizes) if any(node.get("pivots") for node in nodes(root)) else 0
    work = Work(room=VECTOR / max(1.0, lengths.rows))
    column_name = Value(max([composed, joined, *sizes]))
    scope = Scope(known, work, estimate_query, estimate_value, column_name=column_name)
    return estimate_query(root, replace(scope, written_out=macros.written_out) if macros else scope)


def _check_samples(root: Node) -> None:
    """Raise `Refused` where a query takes a sample of more than `_MAX_SAMPLE` rows."""
    for sample in filter(None, (node.get("sample") for node in nodes(root))):
        if not sample["is_percentage"] and not 0 <= float(sample["sample_size"]["value"]) <= _MAX_SAMPLE:
            raise Refused(f"the query takes a sample of more than {_MAX_SAMPLE:,} rows; take fewer, or a percentage")


def _stored(column: Column, table: Table, longest: float) -> Value:
    """Return bounds for a column of a table or view.

    DuckDB copies the expression of a generated column to each use of it, and that of a view's column into filters. What
    a view's definition has is taken to be in its columns in equal parts.
    """
    value = stored(column.type, longest)
    if table.kind == "view":
        return replace(value, copied=(column.work - 1) / max(1, len(table.columns)))
    return replace(value, stands_for=(column.work - 1, 0)) if column.computed else value


# --- queries -------------------------------------------------------------------------------------------------------


def estimate_query(node: Node, scope: Scope) -> Relation:
    """Return the estimate of a query, with the work of binding it. Raise `Refused` where it could cost too much."""
    expressions_before = scope.work.expressions
    for entry in (node.get("cte_map") or {}).get("map") or []:
        scope = _with_cte(entry, scope)
    kind = node["type"]
    if kind == "SET_OPERATION_NODE":
        sides = node.get("children") or [node["left"], node["right"]]
        results = [estimate_query(side, scope) for side in sides]
        result = _set_operation(results)
        _check_sides(results, scope)
        _estimate_modifiers(node, replace(scope, relations=(result, *scope.relations)))
    elif kind == "RECURSIVE_CTE_NODE":
        result = _recursive(node, scope)
    else:
        result = _select(node, scope)
    if len(result.columns) > _MAX_COLUMNS:
        raise Refused(f"the query has more than {_MAX_COLUMNS:,} columns; name those that are needed")
    check_width(value for _, value in result.columns)
    scope.work.bind(1 + sum(1 + label(*column) // _LABEL for column in result.columns))
    return replace(result, work=scope.work.expressions - expressions_before)


def _with_cte(entry: Node, scope: Scope) -> Scope:
    """Return the scope with one more common table expression."""
    value, joins_before = entry["value"], scope.work.joins + scope.work.expanded_joins
    equalities_before = scope.work.equalities
    result = estimate_query(value.get("query_node") or value["query"]["node"], scope)
    if value.get("materialized") == "CTE_MATERIALIZE_NEVER":
        result = replace(
            result,
            joins=scope.work.joins + scope.work.expanded_joins - joins_before,
            equalities=scope.work.equalities - equalities_before,
        )
    return replace(scope, ctes={**scope.ctes, fold(entry["key"]): _renamed(result, entry["key"], value["aliases"])})


def _renamed(relation: Relation, name: str, columns: Sequence[str]) -> Relation:
    """Return a relation under another name, with its first columns renamed.

    Where the number of columns that a star stands for is an estimate, it is not certain which column gets which name.
    So each renamed column then has the bounds of the largest column.
    """
    renamed = relation.columns
    if columns:
        bounds = largest(value for _, value in renamed)
        values = [value if relation.exact else bounds for _, value in renamed]
        values += [bounds] * (len(columns) - len(values))
        renamed = (*((fold(c), v) for c, v in zip(columns, values, strict=False)), *renamed[len(columns) :])
    return replace(relation, name=fold(name) or relation.name, columns=renamed)


def _set_operation(sides: Sequence[Relation]) -> Relation:
    """Return the estimate of UNION, INTERSECT or EXCEPT: each column has bounds that hold for all sides."""
    widest = max(sides, key=lambda side: len(side.columns))
    values = [[s.columns[n][1] for s in sides if n < len(s.columns)] for n in range(len(widest.columns))]
    # A filter over all sides has the expressions of each.
    bounds = [replace(one_of(v), copied=sum(one.copied for one in v)) for v in values]
    columns = tuple((name, value) for (name, _), value in zip(widest.columns, bounds, strict=True))
    return Relation("", columns, exact=all(side.exact for side in sides), sides=sum(side.sides for side in sides))


def _check_sides(sides: Sequence[Relation], scope: Scope) -> None:
    """Raise `Refused` where one row of each side of a set operation, without the largest side, has too many bytes."""
    sizes = [sum(v.share for _, v in side.columns if CELL < v.size < LONG) for side in sides]
    most = _MAX_ROW * scope.work.room
    if sum(sizes) - max(sizes) > most:
        raise Refused(f"the query puts together sides with more than {most:,.0f} bytes for a row of each")


def _recursive(node: Node, scope: Scope) -> Relation:
    """Return the estimate of a recursive query. Raise `Refused` where each step may multiply a value.

    The step is first estimated over the rows of the first query. If it makes no column longer, these rows are the
    estimate. Otherwise it is estimated again with LONG values in the longer columns, until no other column gets longer.
    A step may add to a LONG value, but not multiply it.
    """
    left = estimate_query(node["left"], scope)
    left = replace(left, columns=tuple((c, replace(v, stored=False)) for c, v in left.columns), single=False)
    name = fold(node["cte_name"])

    def step(rows: Relation) -> Relation:
        ctes = {**scope.ctes, name: _renamed(rows, name, node["aliases"])}
        return estimate_query(node["right"], replace(scope, ctes=ctes))

    grown, after = left, step(left)
    while (more := _grown(grown, after)) != grown:
        grown, after = more, step(more)
    if any(v.size > 1.5 * LONG or v.fields > left.row.fields for _, v in after.columns if grown != left):
        raise Refused(
            "each step of the recursive query multiplies the value, so that it grows too fast; let it add a part"
        )
    most = _MAX_STEP * scope.work.room
    if any(v.growing and after.columns[n][1].size > LONG + most for n, (_, v) in enumerate(grown.columns)):
        raise Refused(
            f"each step of the recursive query makes a value longer by more than {most:,.0f} bytes; let it add less"
        )
    return replace(grown, columns=tuple((c, replace(v, growing=False)) for c, v in grown.columns))


def _grown(rows: Relation, after: Relation) -> Relation:
    """Return the rows of a recursive query, with LONG values in the columns that are longer after a step."""
    sizes = [value.size for _, value in after.columns]
    if not (rows.exact and after.exact) and any(v.size < s for (_, v), s in zip(rows.columns, sizes, strict=False)):
        sizes = [LONG] * len(rows.columns)
    longer = [
        (c, replace(v, size=LONG, elements=0.0, growing=True, listed=v.listed and v.nested > 0))
        if v.size < LONG and v.size < size
        else (c, v)
        for (c, v), size in zip(rows.columns, sizes, strict=False)
    ]
    # What is JSON in the first rows stays so, and a list becomes JSON in each step.
    longer = [
        (c, replace(v, unchecked=v.unchecked or a.unchecked or a.nested > v.nested == 0))
        for (c, v), (_, a) in zip(longer, after.columns, strict=False)
    ]
    return replace(rows, columns=(*longer, *rows.columns[len(longer) :]))


def _select(node: Node, scope: Scope) -> Relation:
    """Return the estimate of a SELECT. Raise `Refused` where it, or one of its expressions, costs too much."""
    sources = tuple(_sources(node["from_table"], scope))
    check_joined_lists(node, sources)
    single = all(source.single for source in sources)
    grouped = bool(node["group_expressions"]) or node.get("aggregate_handling") == "FORCE_AGGREGATES"
    once = single or (not grouped and any(map(_aggregates, node["select_list"])))
    # A subquery or the right side of a join may compute an aggregate for each row around it.
    inner = replace(
        scope,
        relations=(*sources, *scope.relations),
        once=once,
        once_inside=single,
        times=1.0,
        filtering=False,
        own=len(sources) or scope.own,
        grouped=grouped or bool(scope.relations),
        sets=max(1, len(node.get("group_sets") or [])),
    )
    outer_states, scope.work.states = scope.work.states, 0.0
    if not single:  # names of a query around this one
        inner = inner.with_names({name: repeating(value) for name, value in scope.names.items()})
    columns: list[tuple[str, Value]] = []
    for item in node["select_list"]:
        counts_before, weights_before = scope.work.counts, scope.work.weights
        copied_before = scope.work.copied, scope.work.copied_bytes
        item_columns = _item(item, inner, sources)
        if item.get("class") != "STAR" or item["columns"]:
            item_columns = _with_weights(item_columns, weights_before, scope.work.weights)
        columns += item_columns
        # An item, WHERE, GROUP BY and HAVING may use the aliases of earlier items; DuckDB copies the item to each use.
        stands_for = _counts_since(counts_before, item, scope)
        copied, copied_bytes = scope.work.copied - copied_before[0], scope.work.copied_bytes - copied_before[1]
        adds = Value(stands_for=stands_for, copied=copied, copied_bytes=copied_bytes)
        inner = inner.with_names({name: _as_alias(value, adds) for name, value in item_columns if name})
    for name, is_once in (("where_clause", single), ("having", once), ("qualify", once)):
        if node.get(name):
            expressions_before = scope.work.in_filters
            filtered = _copied_scope(node[name], inner, sources)
            estimate_value(node[name], replace(filtered, once=is_once, filtering=True))
            scope.work.bind((scope.work.in_filters - expressions_before) * (_sides(sources) - 1))
    _estimate_modifiers(node, inner)
    keys = _check_groups(node, inner, columns)
    check_width((*keys, *(v for _, v in columns)), scope.work.states if grouped else 0.0)
    check_width(v for relation in inner.relations for _, v in relation.columns if v.fields > 1)
    scope.work.states = outer_states
    row_bytes = sum(v.share for _, v in columns if v.size > CELL and not v.stored)
    # DISTINCT, ORDER BY and GROUP BY copy the columns that they read. One copy of each costs no more than the table.
    read_bytes = sum(v.share for source in sources for _, v in source.columns)
    row_bytes += max(0.0, sum(v.share for _, v in columns if v.stored) - read_bytes)
    most = _MAX_ROW * scope.work.room
    if most < row_bytes < LONG:  # LONG values are limited where they are computed (`Work.make`)
        raise Refused(f"the query makes more than {most:,.0f} bytes for each row")
    unnests = any(map(_unnests, node["select_list"]))
    if unnests:
        columns = [(name, repeating(value)) for name, value in columns]
    exact = all(_is_exact(item, sources) for item in node["select_list"])
    return Relation("", tuple(columns), single=once and not unnests, exact=exact, sides=_sides(sources))


def _as_alias(value: Value, adds: Value) -> Value:
    """Return the bounds of an item by its alias, with what `adds` says that each use of the alias adds."""
    return replace(value, stands_for=adds.stands_for, copied=adds.copied, copied_bytes=adds.copied_bytes)


def _with_weights(
    columns: Sequence[tuple[str, Value]], before: tuple[float, float], after: tuple[float, float]
) -> list[tuple[str, Value]]:
    """Return the columns of an item with what each use of one in a filter adds, from `Work.weights` around the item."""
    expressions, size = ((now - then) / max(1, len(columns)) for then, now in zip(before, after, strict=True))
    return [(name, replace(value, copied=max(0.0, expressions - 1), copied_bytes=size)) for name, value in columns]


def _sides(sources: Iterable[Relation]) -> int:
    """Return an upper bound for the copies of a filter over some sources: one for each side of their set operations."""
    return 1 + sum(source.sides - 1 for source in sources)


def _counts_since(counts_before: tuple[int, int], item: Node, scope: Scope) -> tuple[int, int]:
    """Return (expressions, joins) that each use of an item's alias adds, given `Work.counts` from before the item.

    The joins count only if the item has a subquery: DuckDB computes the same aggregate only once.
    """
    expressions, joins = scope.work.counts
    adds_joins = joins > counts_before[1] and any(part.get("class") == "SUBQUERY" for part in walk(item))
    return (
        0 if item.get("class") == "STAR" else expressions - counts_before[0],
        joins - counts_before[1] if adds_joins else 0,
    )


def _estimate_modifiers(node: Node, scope: Scope) -> None:
    """Raise `Refused` where an expression of ORDER BY, DISTINCT ON, LIMIT or OFFSET could cost too much."""
    for modifier in node.get("modifiers") or []:
        for expression in (
            *(order["expression"] for order in modifier.get("orders") or []),
            *(modifier[name] for name in ("limit", "offset") if modifier.get(name)),
        ):
            estimate_value(expression, _copied_scope(expression, scope, scope.relations))
        keys: list[Value] = []
        for expression in modifier.get("distinct_on_targets") or []:
            copied = _copied_scope(expression, scope, scope.relations)
            keys += [estimate_value(expression, copied)] * (copied.copies // scope.copies)
        check_width(keys)


def _copied_scope(expression: Node, scope: Scope, sources: Sequence[Relation]) -> Scope:
    """Return the scope of an expression: if it has a star, DuckDB makes a copy of it for each column of its sources."""
    stars = _stars(expression)
    if not _is_expanded(expression, stars):
        return scope
    return replace(scope, copies=scope.copies * _number_of_copies(stars, scope, sources))


def _number_of_copies(stars: Iterable[Node], scope: Scope, sources: Sequence[Relation]) -> int:
    """Return how many copies of an expression DuckDB makes: one for each column that its stars stand for."""
    return max([1, *(len(_columns(star, scope, sources)) for star in stars)])


def _stars(item: Node) -> list[Node]:
    """Return the stars in an expression, with those compared to a subquery, without unpacked ones: `*COLUMNS(*)`."""
    found = list(walk(item))
    unpacked = {id(inner) for part in found if part.get("type") == UNPACKING for inner in walk(part)}
    found = [part for part in found if id(part) not in unpacked]
    compared = [part["child"] for part in found if part.get("class") == "SUBQUERY" and part.get("child")]
    return [part for part in found if part.get("class") == "STAR"] + [s for child in compared for s in _stars(child)]


def _check_groups(node: Node, scope: Scope, columns: Sequence[tuple[str, Value]]) -> Sequence[Value]:
    """Return the bounds of the expressions that a query groups by.

    Raise `Refused` for too many grouping sets, each of which is one more query, and for several sets over lists or
    records, which crash DuckDB 2.0.0.
    """
    values = [estimate_value(group, scope) for group in node["group_expressions"]]
    sets = node.get("group_sets") or []
    if len(sets) > _MAX_GROUPINGS:
        raise Refused(f"the query groups by more than {_MAX_GROUPINGS} sets of columns; name fewer in CUBE and ROLLUP")
    # `GROUP BY 1` means the first item of the select list; here a constant may mean any item.
    by_place = any(group.get("class") == "CONSTANT" for group in node["group_expressions"])
    if len(sets) > 1 and any(v.nested for v in (*values, *(v for _, v in columns if by_place))):
        raise Refused("GROUPING SETS, CUBE and ROLLUP take plain columns here, no lists or records")
    return values


def _item(item: Node, scope: Scope, sources: Sequence[Relation]) -> list[tuple[str, Value]]:
    """Return the columns of an item of a select list as (name, bounds); the name is '' where it is not known."""
    if item.get("class") == "STAR" and not item["columns"]:
        return _starred(item, scope, sources)
    value = estimate_value(item, _copied_scope(item, scope, sources))
    name = fold(item.get("alias") or (item["column_names"][-1] if item.get("class") == "COLUMN_REF" else ""))
    stars = _stars(item)
    if _is_expanded(item, stars):
        named = replace(value, label=_expanded_label(name, sources))
        return [("", named)] * _number_of_copies(stars, scope, sources)
    if _unnests(item) and value.fields > 1:
        return [(name, field) for field in value.field_columns]
    return [(name, replace(value, label=value.names * _unnests(item) if name else _sql_bytes(item)))]


def _starred(item: Node, scope: Scope, sources: Sequence[Relation]) -> list[tuple[str, Value]]:
    """Return the columns that a star stands for as (name, bounds), after its REPLACE and RENAME."""
    scope.work.bind(1)
    replaced = {fold(pair["key"]): estimate_value(pair["value"], scope) for pair in item.get("replace_list") or []}
    renamed = {fold(pair["key"]["column"]): fold(pair["value"]) for pair in item.get("rename_list") or []}
    starred = _columns(item, scope, sources)
    check_readable(v for _, v in starred)
    return [(renamed.get(name, name), largest([v, replaced[name]]) if name in replaced else v) for name, v in starred]


def _columns(star: Node, scope: Scope, sources: Sequence[Relation]) -> list[tuple[str, Value]]:
    """Return the columns that a star stands for: those of its sources, of a query around it, or a record's fields."""
    named = fold(star.get("relation_name") or "")
    found = [column for s in sources if not named or s.name == named for column in s.columns]
    found = found or [column for s in scope.relations if s.name == named for column in s.columns]
    if found:
        return found
    records = [v for s in scope.relations for name, v in s.columns if name == named]
    value = largest(records or (v for s in scope.relations for _, v in s.columns))
    return [("", field) for field in value.field_columns]


def _expanded_label(alias: str, sources: Sequence[Relation]) -> float:
    """Return the bytes of the longest name that COLUMNS makes: `AS 'new_\\1'` puts a part of an old name in each.

    Raise `Refused` beyond `_MAX_LABEL`: DuckDB cannot be interrupted while it makes the names, and their length may
    double with each subquery.
    """
    longest = max((max(label(*column), column[1].names) for s in sources for column in s.columns), default=0.0)
    parts = alias.count("\\")
    size = len(alias.encode()) + parts * longest if alias else longest
    if parts and size > _MAX_LABEL:
        raise Refused(
            f"COLUMNS makes names of up to {size:,.0f} bytes, and {_MAX_LABEL:,} are allowed; put fewer parts of the"
            " old names, as \\1, into its alias"
        )
    return size


def _sql_bytes(part: Node) -> int:
    """Return an upper bound for the bytes of a part of the tree as SQL.

    DuckDB takes the SQL of an expression without an alias as its column's name.
    """
    return sum(len(text.encode()) for text in texts(part))


def _aggregates(item: Node) -> bool:
    return not functions_called(item).isdisjoint(DUCKDB_AGGREGATES)


def _is_exact(item: Node, sources: Sequence[Relation]) -> bool:
    """Return whether the number of columns that an item stands for is known, not estimated."""
    if item.get("class") != "STAR" or item["columns"]:
        return not _stars(item) and not _unnests(item)
    named = fold(item.get("relation_name") or "")
    starred = [source for source in sources if not named or source.name == named]
    excluded = item.get("exclude_list") or item.get("qualified_exclude_list")
    return len(starred) == 1 and starred[0].exact and not excluded


def _unnests(item: Node) -> bool:
    return not functions_called(item).isdisjoint(_UNNESTING)


def _is_expanded(item: Node, stars: Sequence[Node]) -> bool:
    """Return whether DuckDB copies an expression for each column that its stars stand for; not so for `count(*)`."""
    return any(star["columns"] for star in stars) or (bool(stars) and not _is_count(item))


def _is_count(item: Node) -> bool:
    return item.get("class") in ("FUNCTION", "WINDOW") and fold(item["function_name"]) in {"count", "count_star"}


# --- the sources of a query ---------------------------------------------------------------------------------------


def _sources(node: Node, scope: Scope) -> Iterator[Relation]:
    """Yield the relations of a FROM clause; of a join, those of both sides."""
    kind = node["type"]
    if kind == "EMPTY":
        return
    if kind == "JOIN":
        scope.work.join(scope.copies)
        left = tuple(_sources(node["left"], scope))
        beside = replace(scope, relations=(*left, *scope.relations), own=len(left), once=False)
        right = tuple(_sources(node["right"], beside))
        both_sides = replace(beside, relations=(*left, *right, *scope.relations), own=len(left) + len(right))
        both_sides = replace(both_sides, filtering=True)
        if node.get("ref_type") == "ASOF":
            _check_asof(node, left, right)
        for name in ("condition", "ranking_expression"):
            if node.get(name):
                expressions_before = scope.work.in_filters
                estimate_value(node[name], both_sides)
                scope.work.bind((scope.work.in_filters - expressions_before) * (_sides((*left, *right)) - 1))
        using = {fold(name) for name in node.get("using_columns") or []}
        natural = node.get("ref_type") == "NATURAL"
        both = {name for r in left for name, _ in r.columns} & {name for r in right for name, _ in r.columns}
        scope.work.equate(len(both) if natural else len(using))
        check_readable(v for r in (*left, *right) for name, v in r.columns if natural or name in using)
        yield from (*left, *right)
        return
    relation = _SOURCES[kind](node, scope)
    yield _renamed(relation, node.get("alias") or relation.name, node.get("column_name_alias") or [])


def _check_asof(join: Node, left: Sequence[Relation], right: Sequence[Relation]) -> None:
    """Raise `Refused` for an ASOF JOIN by more than one inequality and equalities of a column of each side.

    DuckDB computes any other part of the condition for all rows with one key, in one step.
    """
    condition = join.get("condition")
    if not condition:  # USING
        return
    parts = [*expressions(condition)] if condition["type"] == "CONJUNCTION_AND" else [condition]
    inequalities = sum(part["type"] in _INEQUALITIES for part in parts)
    if inequalities != 1 or sum(_joins_columns(part, left, right) for part in parts) != len(parts) - 1:
        raise Refused(
            "an ASOF JOIN may have one inequality and equalities of columns of both sides (a.k = b.k AND a.t >= b.t),"
            " and this one has another condition; filter in a query around it"
        )


def _joins_columns(part: Node, left: Sequence[Relation], right: Sequence[Relation]) -> bool:
    """Return whether a condition is the equality of a column of one side of a join and a column of the other."""
    if part["type"] != "COMPARE_EQUAL" or any(part[side].get("class") != "COLUMN_REF" for side in ("left", "right")):
        return False
    names = [[fold(name) for name in part[side]["column_names"]] for side in ("left", "right")]
    sides = {(_names_one_of(left, path), _names_one_of(right, path)) for path in names}
    return sides == {(True, False), (False, True)}


def _names_one_of(relations: Iterable[Relation], path: Sequence[str]) -> bool:
    """Return whether the path of a column may name one of some relations, or a column of theirs."""
    if len(path) > 1:
        return any(r.name in path[:-1] for r in relations)
    return any(name == path[0] for r in relations for name, _ in r.columns)


def _base_table(node: Node, scope: Scope) -> Relation:
    """Return a common table expression or a table, and count the work of one more use of it."""
    path = tuple(fold(node.get(key) or "") for key in ("catalog_name", "schema_name", "table_name"))
    path = tuple(part for part in path if part)
    relation = scope.ctes.get(path[0]) if len(path) == 1 else None
    relation = relation or scope.tables.get(path)
    if relation is None:
        raise Refused(f"the query reads {'.'.join(path)!r} in a way that cannot be checked")
    scope.work.bind(relation.work)
    scope.work.expand(relation.joins)
    scope.work.equate(0, relation.equalities)
    return relation


def _subquery(node: Node, scope: Scope) -> Relation:
    return estimate_query(node["subquery"]["node"], scope)


def _values(node: Node, scope: Scope) -> Relation:
    """Return the estimate of VALUES; columns without a name are col0, col1 and so on, as in DuckDB."""
    rows = [[estimate_value(cell, scope) for cell in row] for row in node["values"]]
    names = [fold(name) for name in node.get("expected_names") or []]
    names += [f"col{n}" for n in range(len(names), max(map(len, rows)))]
    columns = (one_of(row[n] for row in rows if n < len(row)) for n in range(len(names)))
    return Relation("", tuple(zip(names, columns, strict=True)), single=len(rows) == 1)


def _table_function(node: Node, scope: Scope) -> Relation:
    """Return the estimate of a function in FROM: each of its columns is no larger than its largest argument."""
    call = node["function"]
    name = fold(call["function_name"])
    counts_before = scope.work.counts
    given = [estimate_value(argument, scope) for _, argument in arguments(call)]
    count_macro(name, counts_before, scope)
    if (result := scope.macros(name, given)) is not None:
        return Relation(name, (("", result),))
    bounds = largest(given)
    bounds = Value(FIXED) if name in ("range", "generate_series") else bounds
    if name.startswith("json"):
        scope.work.make(bounds.size)  # each row has the whole text again
    if name == "json_tree" and bounds.size > _MAX_TREE:
        raise Refused(
            "json_tree writes two paths for each value, which takes gigabytes where JSON has very many levels: give it"
            f" values of at most {_MAX_TREE:,} bytes, or use json_each"
        )
    # json_each and json_tree have at most ten columns.
    count = max(1, bounds.fields) if name == "unnest" else 10 if name.startswith("json") else 1
    return Relation(name, ((name, bounds), *([("", bounds)] * (count - 1))))


def _pivot(node: Node, scope: Scope) -> Relation:
    """Return the estimate of PIVOT or UNPIVOT: the source's columns, and one for each combination of pivoted values."""
    sources = tuple(_sources(node["source"], scope))
    entries = [len(pivot.get("entries") or [1]) for pivot in node.get("pivots") or []]
    inner = replace(
        scope, relations=(*sources, *scope.relations), grouped=True, copies=scope.copies * math.prod(entries)
    )
    for expression in expressions(node, "source", "aggregates"):
        estimate_value(expression, scope if expression.get("class") == "CONSTANT" else inner)
    number = math.prod(entries) * max(1, len(node.get("aggregates") or []))
    pivoted = [v for s in sources for _, v in s.columns]
    bounds = largest([*pivoted, *(estimate_value(a, inner) for a in node.get("aggregates") or []), scope.column_name])
    bounds = replace(bounds, unchecked=one_of(pivoted).unchecked)  # UNPIVOT makes one type of several columns
    if number > _MAX_COLUMNS:
        raise Refused(f"the query has more than {_MAX_COLUMNS:,} columns; pivot fewer values")
    # The name of a column is composed of one value from each list, and of the aggregate.
    parts = [*(pivot.get("entries") or [] for pivot in node.get("pivots") or []), node.get("aggregates") or []]
    name_bytes = sum(max(map(_sql_bytes, part), default=0) for part in parts)
    scope.work.bind(number * (1 + name_bytes // _LABEL))
    column = ("", replace(bounds, label=name_bytes))
    return Relation("", tuple(c for s in sources for c in s.columns) + (column,) * number)


def _summary(node: Node, scope: Scope) -> Relation:
    """Return the estimate of SUMMARIZE: twelve columns, among them a column's name, type, least and greatest value."""
    described = node["query"]
    result = estimate_query(described.get("node") or described, scope)
    scope.work.bind(20 * len(result.columns))
    if scope.relations and _may_be_correlated(described, scope):
        states_in_row, states = summary_bytes(len(result.columns), node)
        check_width((), states_in_row)
        scope.work.keep(states)
    bounds = largest([scope.column_name, *(v.as_text for _, v in result.columns)])
    return Relation("", (("", Value(bounds.size + bounds.names)),) * 12)


def _may_be_correlated(query: Node, scope: Scope) -> bool:
    """Return whether a query may read columns of a query around it: it names any column or common table expression."""
    return any(
        n.get("class") == "COLUMN_REF" or n.get("relation_name") or fold(n.get("table_name") or "") in scope.ctes
        for n in nodes(query)
    )


_SOURCES: dict[str, Callable[[Node, Scope], Relation]] = {
    "BASE_TABLE": _base_table,
    "SUBQUERY": _subquery,
    "EXPRESSION_LIST": _values,
    "TABLE_FUNCTION": _table_function,
    "PIVOT": _pivot,
    "SHOW_REF": _summary,
}
