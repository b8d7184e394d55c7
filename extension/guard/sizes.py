"""How much a DuckDB query can make of what it reads: the columns it binds, the sizes of its values, the work of a call.

DuckDB binds a query, and computes one call over a few thousand rows, without looking whether it has been interrupted.
So what one such step may cost is bounded before, by estimates from the tree: a value of a table counts as `CELL` bytes,
a literal as long as it is, and each function as it makes its result of its arguments. What an aggregate collects of
rows is `LONG`: the rows bound it, and collecting can be interrupted. It may be passed on, not multiplied.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from askwhere.engine import Table
from askwhere.errors import Refused
from askwhere.guard.functions import (
    DUCKDB_AGGREGATES,
    DUCKDB_COLLECTING,
    DUCKDB_FIXED,
    DUCKDB_NESTING,
    DUCKDB_NUMBERS,
    DUCKDB_QUADRATIC,
    DUCKDB_REGEXPS,
    DUCKDB_SEARCHING,
)
from askwhere.guard.scan import fold
from askwhere.guard.tables import fold_path

Node: TypeAlias = dict[str, Any]

FIXED = 16.0  # bytes of a number, a date, a truth
CELL = 100.0
LONG = 2.0**40
COPIES = 32  # of a LONG value in one other
MAX_VALUE = 120_000
MAX_ROW = 400_000  # bytes of all values that a query makes for one row of its result
MAX_COMPARED = 400  # bytes of what is compared character by character
MAX_PATTERN = 250  # bytes of a regular expression that a query puts together: each row's is compiled anew
MAX_SEARCHED = 100_000  # bytes of a text times those of what is looked for in it
MAX_TIMES = 200_000  # calls of a lambda's body for one row, and what is read in all of them
MAX_SERIES = 1_000_000
MAX_NESTED = 40  # lists and records in each other
MAX_COLUMNS = 5_000
MAX_FIELDS = 2_000  # of a record, with those of records in it
MAX_WORK = 40_000  # columns and expressions that are bound, those of a common table expression for each use
MAX_GROUPINGS = 128
MAX_FRAME = 100  # rows that a window collects to each side
_FIXED_KINDS = ("COMPARISON", "CONJUNCTION", "BETWEEN")
_FIXED_LENGTH = re.compile(r"\[\d+\]")
_ARRAYS = {"array_value", "array_cross_product"}
_HOLDING = {
    "list_value", "list_pack", "list_append", "list_prepend", "list_resize", "list_zip", "array_append",
    "array_prepend", "array_push_back", "array_push_front", "array_resize", "array_value", "array_zip", "map", "row",
    "map_from_entries", "struct_concat", "struct_insert", "struct_pack", "struct_update", "union_value",
}  # fmt: skip
_ELEMENTS = {
    "array_extract", "element_at", "list_extract", "list_first", "list_last", "map_extract_value", "struct_extract",
    "unnest",
}  # fmt: skip
_JOINING = {"||", "concat", "lower", "upper", "trim", "ltrim", "rtrim", "regexp_escape"}
_LARGE_PATTERN = re.compile(r"\{|\\[pP]")
_CHOOSING = {"OPERATOR_COALESCE", "OPERATOR_NULLIF", "OPERATOR_TRY", "OPERATOR_UNPACK"}
_PARTS = {"ARRAY_EXTRACT", "ARRAY_SLICE", "STRUCT_EXTRACT"}
_LENGTHS = {"len", "length", "array_length", "list_count", "cardinality", "json_array_length", "+", "-"}


@dataclass(frozen=True)
class Value:
    """What is known of a value, at most: bytes, how deep lists and records in it nest, and the fields of records."""

    size: float = FIXED
    nested: int = 0
    fields: int = 1
    array: bool = False  # of a fixed length
    stored: bool = False  # in a table as it is: the query did not make it
    crashing: bool = False  # a record without names with such an array: to group it ends the process (2.0.0)


@dataclass(frozen=True)
class Relation:
    """A table, or a query as one: its columns in order, the work of binding it, and whether it is one row at most."""

    name: str
    columns: tuple[tuple[str, Value], ...]
    work: int = 1
    single: bool = False

    @property
    def row(self) -> Value:
        """A whole row as one value."""
        return record(value for _, value in self.columns)


@dataclass
class Work:
    """How much has been bound so far."""

    done: int = 0

    def add(self, amount: int) -> None:
        """Counts; raises `Refused` beyond the limit."""
        self.done += amount
        if self.done > MAX_WORK:
            raise Refused(
                f"the query has more than {MAX_WORK:,} columns and expressions where what it names in WITH or by * is"
                " written out; name fewer columns, and use each name of WITH less often"
            )


@dataclass(frozen=True)
class Scope:
    """What an expression sees: relations, innermost first, names of other values, how often it is computed."""

    tables: Mapping[tuple[str, ...], Relation]
    work: Work
    ctes: Mapping[str, Relation] = field(default_factory=dict)
    relations: tuple[Relation, ...] = ()
    names: Mapping[str, Value] = field(default_factory=dict)
    once: bool = True  # for the whole query, not for each row
    once_inside: bool = True  # in an aggregate's arguments
    times: float = 1.0  # for each row, in a lambda

    def naming(self, names: Mapping[str, Value]) -> Scope:
        """This scope with more names in it."""
        return replace(self, names={**self.names, **names})


def check_sizes(root: Node, tables: Iterable[Table]) -> None:
    """Raises `Refused` where a query of these tables could cost too much in a step that nothing interrupts."""
    known = {
        fold_path(t.path): Relation(fold(t.name), tuple((fold(c.name), stored(c.type)) for c in t.columns))
        for t in tables
    }
    query(root, Scope(known, Work()))


def stored(declared: str) -> Value:
    """A value of a table's column, by the column's type."""
    kind = declared.upper()
    nested = kind.count("[") + sum(kind.count(name) for name in ("STRUCT", "TUPLE", "MAP", "UNION", "VARIANT"))
    fields = 1 + kind.count(",") if nested else 1
    array = _FIXED_LENGTH.search(kind) is not None
    return Value(max(CELL, FIXED * fields), nested, fields, array, True, array and "TUPLE(" in kind)


def _read(values: Iterable[Value]) -> None:
    """Raises `Refused` where one of the columns that are read may end the process."""
    if any(v.crashing for v in values):
        raise Refused(
            "a column that is read is a TUPLE with arrays of a fixed length in it, which may crash DuckDB;"
            " name the fields of such records: STRUCT"
        )


def record(values: Iterable[Value]) -> Value:
    """One value that holds others. Where these are arrays of a fixed length, DISTINCT and GROUP BY crash (2.0.0)."""
    held = list(values)
    if any(v.array for v in held):
        raise Refused("an array of a fixed length may not stand in a list or record here; cast it to a list")
    depth = 1 + max((v.nested for v in held), default=0)
    return Value(FIXED + sum(FIXED + v.size for v in held), depth, _fields(sum(v.fields for v in held) or 1))


def _fields(number: int) -> int:
    if number > MAX_FIELDS:
        raise Refused(f"the query makes a record of more than {MAX_FIELDS:,} fields; take the columns that are needed")
    return number


def largest(values: Iterable[Value]) -> Value:
    """What is as large as the largest of some values in every way."""
    given = list(values)
    found = [Value(), *given]
    return Value(
        max(v.size for v in found),
        max(v.nested for v in found),
        max(v.fields for v in found),
        any(v.array for v in found),
        bool(given) and all(v.stored for v in given),
        any(v.crashing for v in found),
    )


def _fits(amount: float, most: float, copies: float) -> bool:
    """Whether an amount is within `most`, or one of rows' number, of which there may be so many copies."""
    return amount <= most or LONG <= amount <= copies * LONG


# --- queries -------------------------------------------------------------------------------------------------------


def query(node: Node, scope: Scope) -> Relation:
    """What a query node gives."""
    before = scope.work.done
    for entry in (node.get("cte_map") or {}).get("map") or []:
        scope = _with(entry, scope)
    kind = node["type"]
    if kind == "SET_OPERATION_NODE":
        found = _together([query(side, scope) for side in node.get("children") or [node["left"], node["right"]]])
        _modifiers(node, replace(scope, relations=(found, *scope.relations)))
    elif kind == "RECURSIVE_CTE_NODE":
        found = _recursive(node, scope)
    else:
        found = _select(node, scope)
    if len(found.columns) > MAX_COLUMNS:
        raise Refused(f"the query has more than {MAX_COLUMNS:,} columns; name those that are needed")
    scope.work.add(1 + len(found.columns))
    return replace(found, work=scope.work.done - before)


def _with(entry: Node, scope: Scope) -> Scope:
    value = entry["value"]
    found = query(value.get("query_node") or value["query"]["node"], scope)
    return replace(scope, ctes={**scope.ctes, fold(entry["key"]): _renamed(found, entry["key"], value["aliases"])})


def _renamed(found: Relation, name: str, columns: Sequence[str]) -> Relation:
    """A relation by another name, its columns by other names; these hold for any, as a star may have moved them."""
    columns_ = found.columns
    if columns:
        every = largest(value for _, value in columns_)
        columns_ = (*((fold(column), every) for column in columns), *columns_[len(columns) :])
    return replace(found, name=fold(name) or found.name, columns=columns_)


def _together(sides: Sequence[Relation]) -> Relation:
    widest = max(sides, key=lambda side: len(side.columns))
    every = [largest(s.columns[n][1] for s in sides if n < len(s.columns)) for n in range(len(widest.columns))]
    return Relation("", tuple((name, value) for (name, _), value in zip(widest.columns, every, strict=True)))


def _recursive(node: Node, scope: Scope) -> Relation:
    """A recursive query: what each step makes of the rows before it must not be a multiple of them."""
    left = query(node["left"], scope)
    left = replace(left, columns=tuple((c, replace(v, stored=False)) for c, v in left.columns))
    name = fold(node["cte_name"])
    grown = replace(left, columns=tuple((c, replace(v, size=LONG)) for c, v in left.columns), single=False)

    def step(rows: Relation) -> Relation:
        return query(node["right"], replace(scope, ctes={**scope.ctes, name: _renamed(rows, name, node["aliases"])}))

    same = step(replace(left, single=False))
    if all(after.size <= before.size for (_, before), (_, after) in zip(left.columns, same.columns, strict=False)):
        return replace(left, single=False)
    if any(v.size > 1.5 * LONG or v.fields > left.row.fields for _, v in step(grown).columns):
        raise Refused("each step of the recursive query makes a multiple of the value before it; let it add a part")
    return grown


def _select(node: Node, scope: Scope) -> Relation:
    sources = tuple(_sources(node["from_table"], scope))
    single = all(source.single for source in sources)
    grouped = bool(node["group_expressions"]) or node.get("aggregate_handling") == "FORCE_AGGREGATES"
    once = single or (not grouped and any(map(_aggregates, node["select_list"])))
    inner = replace(scope, relations=(*sources, *scope.relations), once=once, once_inside=single, times=1.0)
    columns: list[tuple[str, Value]] = []
    for item in node["select_list"]:
        found = _item(item, inner, sources)
        columns += found
        inner = inner.naming({name: value for name, value in found if name})
    for name in ("where_clause", "having", "qualify"):
        if node.get(name):
            value_of(node[name], inner)
    _modifiers(node, inner)
    _check_groups(node, inner, columns)
    if not _fits(made := sum(v.size for _, v in columns if v.size > CELL), MAX_ROW, COPIES) and made < LONG:
        raise Refused(f"the query makes more than {MAX_ROW:,} bytes for each row")
    return Relation("", tuple(columns), single=once and not any(map(_unnests, node["select_list"])))


def _modifiers(node: Node, scope: Scope) -> None:
    for modifier in node.get("modifiers") or []:
        for expression in (
            *(order["expression"] for order in modifier.get("orders") or []),
            *(modifier.get("distinct_on_targets") or []),
            *(modifier[name] for name in ("limit", "offset") if modifier.get(name)),
        ):
            value_of(expression, scope)


def _check_groups(node: Node, scope: Scope, columns: Sequence[tuple[str, Value]]) -> None:
    """Groups by several sets: each is one more query, and over lists or records they crash the engine (2.0.0)."""
    values = [value_of(group, scope) for group in node["group_expressions"]]
    sets = node.get("group_sets") or []
    if len(sets) > MAX_GROUPINGS:
        raise Refused(f"the query groups by more than {MAX_GROUPINGS} sets of columns; name fewer in CUBE and ROLLUP")
    by_place = any(group.get("class") == "CONSTANT" for group in node["group_expressions"])
    if len(sets) > 1 and any(v.nested for v in (*values, *(v for _, v in columns if by_place))):
        raise Refused("GROUPING SETS, CUBE and ROLLUP take plain columns here, no lists or records")


def _item(item: Node, scope: Scope, sources: Sequence[Relation]) -> list[tuple[str, Value]]:
    """The columns that an item of a select list is, with their names."""
    if item.get("class") == "STAR" and not item["columns"]:
        named = fold(item.get("relation_name") or "")
        scope.work.add(1)
        made = {fold(name): value_of(expression, scope) for name, expression in _pairs(item.get("replace_list"))}
        of = [column for s in sources if not named or s.name == named for column in s.columns]
        _read(v for _, v in of)
        found = [(name, largest([v, made[name]]) if name in made else v) for name, v in of]
        return found or [("", largest(v for s in scope.relations for _, v in s.columns))]
    value = value_of(item, scope)
    name = fold(item.get("alias") or (item["column_names"][-1] if item.get("class") == "COLUMN_REF" else ""))
    if any(part.get("class") == "STAR" for part in _parts(item)) and not _counts(item):
        return [("", value)] * max(1, sum(len(source.columns) for source in sources))
    if _unnests(item) and value.fields > 1:
        return [(name, value)] * value.fields
    return [(name, value)]


def _counts(item: Node) -> bool:
    return item.get("class") in ("FUNCTION", "WINDOW") and fold(item["function_name"]) in {"count", "count_star"}


def _pairs(listed: Any) -> Iterator[tuple[Any, Any]]:
    for pair in listed or []:
        yield pair["key"], pair["value"]


# --- what a query reads --------------------------------------------------------------------------------------------


def _sources(node: Node, scope: Scope) -> Iterator[Relation]:
    kind = node["type"]
    if kind == "EMPTY":
        return
    if kind == "JOIN":
        left = tuple(_sources(node["left"], scope))
        right = tuple(_sources(node["right"], replace(scope, relations=(*left, *scope.relations), once=False)))
        for name in ("condition", "ranking_expression"):
            if node.get(name):
                value_of(node[name], replace(scope, relations=(*left, *right, *scope.relations), once=False))
        using = {fold(name) for name in node.get("using_columns") or []}
        every = node.get("ref_type") == "NATURAL"
        _read(v for r in (*left, *right) for name, v in r.columns if every or name in using)
        yield from (*left, *right)
        return
    found = _SOURCES[kind](node, scope)
    # What is called without arguments for each row of a table is what `generate_series` and its like are for.
    yield _renamed(found, node.get("alias") or found.name, node.get("column_name_alias") or [])


def _base_table(node: Node, scope: Scope) -> Relation:
    path = tuple(fold(node.get(key) or "") for key in ("catalog_name", "schema_name", "table_name"))
    path = tuple(part for part in path if part)
    found = scope.ctes.get(path[0]) if len(path) == 1 else None
    found = found or scope.tables.get(path)
    if found is None:
        raise Refused(f"the query reads {'.'.join(path)!r} in a way that cannot be checked")
    scope.work.add(found.work)
    return found


def _subquery(node: Node, scope: Scope) -> Relation:
    return query(node["subquery"]["node"], scope)


def _values(node: Node, scope: Scope) -> Relation:
    rows = [[value_of(cell, scope) for cell in row] for row in node["values"]]
    names = [fold(name) for name in node.get("expected_names") or []]
    names += [f"col{n}" for n in range(len(names), max(map(len, rows)))]
    columns = (largest(row[n] for row in rows if n < len(row)) for n in range(len(names)))
    return Relation("", tuple(zip(names, columns, strict=True)), single=len(rows) == 1)


def _table_function(node: Node, scope: Scope) -> Relation:
    """A table that a function gives row by row, each column no larger than its arguments."""
    call = node["function"]
    name = fold(call["function_name"])
    every = largest(value_of(argument, scope) for _, argument in arguments(call))
    every = Value(FIXED) if name in ("range", "generate_series") else every
    count = max(1, every.fields) if name == "unnest" else 10 if name.startswith("json") else 1
    return Relation(name, ((name, every), *([("", every)] * (count - 1))))


def _pivot(node: Node, scope: Scope) -> Relation:
    sources = tuple(_sources(node["source"], scope))
    inner = replace(scope, relations=(*sources, *scope.relations))
    entries = [len(pivot.get("entries") or [1]) for pivot in node.get("pivots") or []]
    for expression in _expressions(node, "source"):
        value_of(expression, inner)
    number = math.prod(entries) * max(1, len(node.get("aggregates") or []))
    every = largest(
        [v for s in sources for _, v in s.columns] + [value_of(a, inner) for a in node.get("aggregates") or []]
    )
    if number > MAX_COLUMNS:
        raise Refused(f"the query has more than {MAX_COLUMNS:,} columns; pivot fewer values")
    return Relation("", tuple(c for s in sources for c in s.columns) + (("", every),) * number)


def _summary(node: Node, scope: Scope) -> Relation:
    asked = node["query"]
    found = query(asked.get("node") or asked, scope)
    scope.work.add(20 * len(found.columns))  # it computes a dozen aggregates of each
    return Relation("", (("", Value(CELL)),) * 12)


_SOURCES: dict[str, Callable[[Node, Scope], Relation]] = {
    "BASE_TABLE": _base_table,
    "SUBQUERY": _subquery,
    "EXPRESSION_LIST": _values,
    "TABLE_FUNCTION": _table_function,
    "PIVOT": _pivot,
    "SHOW_REF": _summary,
}


# --- expressions ---------------------------------------------------------------------------------------------------


def value_of(node: Node, scope: Scope) -> Value:
    """What is known of an expression's value. Raises `Refused` where that is too large, or takes too long."""
    scope.work.add(1)
    kind = node["class"]
    found = _EXPRESSIONS.get(kind, _held)(node, scope)
    if not _fits(found.size, MAX_VALUE, COPIES):
        raise Refused("the query makes a value too large of smaller ones; let it repeat, replace or collect less")
    if kind not in _FIXED_KINDS and not _fits(scope.times * found.size, MAX_TIMES * CELL, MAX_TIMES):
        raise Refused("the query computes a long value again for each element of a list; use a join of tables for it")
    if found.nested > MAX_NESTED:
        raise Refused("lists and records of the query are nested too deeply")
    _fields(found.fields)
    return found


def _constant(node: Node, scope: Scope) -> Value:
    length = float(len(_text(node)))
    literal, value = node.get("literal"), node.get("value")
    is_text = literal["kind"] == "STRING" if literal else value is not None and value["type"]["id"] == "VARCHAR"
    return Value(max(1.0, length) if is_text else max(FIXED, length))


def _column(node: Node, scope: Scope) -> Value:
    """A column, or a field of one, or a whole row: the largest that its name may mean."""
    names = [fold(name) for name in node["column_names"]]
    owners = [r for r in scope.relations if r.name in names[:-1]]
    found = [v for r in owners for name, v in r.columns if name in names]
    if not found:
        found = [v for r in scope.relations for name, v in r.columns if name in names]
        found += [v for name, v in scope.names.items() if name in names]
        found += [r.row for r in scope.relations if r.name == names[-1]]
    found = found or _all(scope)
    _read(found)
    return largest(found)


def _all(scope: Scope) -> list[Value]:
    return [v for r in scope.relations for _, v in r.columns] + list(scope.names.values())


def _star(node: Node, scope: Scope) -> Value:
    _read(_all(scope))
    return largest([*(value_of(part, scope) for part in _expressions(node)), *_all(scope)])


def _query_inside(node: Node, scope: Scope) -> Value:
    if node.get("child"):
        value_of(node["child"], scope)
    found = query(node["subquery"]["node"], replace(scope, names=dict(scope.names)))
    return largest(v for _, v in found.columns) if node["subquery_type"] == "SCALAR" else Value()


def _fixed(node: Node, scope: Scope) -> Value:
    for part in _expressions(node):
        value_of(part, scope)
    return Value()


def _chosen(node: Node, scope: Scope) -> Value:
    return largest(value_of(part, scope) for part in _expressions(node))


def _operator(node: Node, scope: Scope) -> Value:
    values = [value_of(part, scope) for part in _expressions(node)]
    if node["type"] in _CHOOSING:
        return largest(values)
    if node["type"] in _PARTS:
        return replace(values[0], nested=max(0, values[0].nested - (node["type"] != "ARRAY_SLICE")))
    return record(values) if node["type"] == "ARRAY_CONSTRUCTOR" else Value()


def _held(node: Node, scope: Scope) -> Value:
    return record(value_of(part, scope) for part in _expressions(node))


def _cast(node: Node, scope: Scope) -> Value:
    child = value_of(node["child"], scope)
    size, names, depth = _type(node.get("type_expr") or node["cast_type"])
    if not _fits(size, MAX_VALUE / FIXED, 0):
        raise Refused("the query casts to an array that is too long")
    if names & {"bignum", "varint"} and child.size > 4 * MAX_COMPARED:
        raise Refused("the query casts a text to BIGNUM that it made longer than numbers are")
    nested = len(names & {"array", "list", "struct", "row", "map", "union", "variant", "tuple"}) and depth
    # A list is longer as text: commas, quotes and brackets.
    longer = 3 if child.nested else 1
    fields = max(child.fields, len(names) if nested else 1)
    array = any(True for _ in _array_sizes(node.get("type_expr") or node["cast_type"]))
    return Value(max(child.size * longer, size * FIXED), nested, fields, array)


def _type(node: Any) -> tuple[float, set[str], int]:
    """How many elements a value of a type always has, the names of types and fields in it, and how many types."""
    text_sizes = [float(size) for size in _array_sizes(node)]
    names = {
        fold(str(part[key]))
        for part in _parts(node)
        for key in ("type_name", "id", "name")
        if isinstance(part.get(key), str) and part[key]
    }
    return math.prod(text_sizes), names, sum(1 for part in _parts(node) if "type_name" in part or "id" in part)


def _array_sizes(node: Any) -> Iterator[int]:
    for part in _parts(node):
        if part.get("type") == "ARRAY_TYPE_INFO":
            yield int(part["size"])
        elif part.get("class") == "TYPE" and fold(part["type_name"]) == "array":
            for child in part["children"]:
                number = literal_number(child)
                if number is not None:
                    yield number


def _call(node: Node, scope: Scope) -> Value:
    """What a call makes of its arguments."""
    name = fold(node["function_name"])
    inside = replace(scope, once=scope.once_inside) if name in DUCKDB_AGGREGATES else scope
    given = [argument for _, argument in arguments(node)]
    lambdas = [n for n in given if n.get("class") == "LAMBDA"]
    values = [value_of(n, inside) for n in given if n.get("class") != "LAMBDA"]
    for part in _expressions(node, "children", "arguments"):
        value_of(part, inside)
    check_numbers(name, node)
    if name in _PATTERNS and len(given) > 1 and _backtracks(_text(given[1])):
        raise Refused("a pattern of LIKE or GLOB with many wildcards takes too long; use fewer, or regexp_matches")
    if name in DUCKDB_QUADRATIC and any(v.size > MAX_COMPARED for v in values):
        raise Refused(
            f"{name} compares every character with every other: give it columns of tables or short texts,"
            " no text that the query has put together or repeated"
        )
    if name in DUCKDB_SEARCHING and not _fits(_searched(values), MAX_SEARCHED, 1_000):
        raise Refused(f"{name} looks for a long text in a long text that the query made; give it a shorter one")
    if name in DUCKDB_REGEXPS and not _is_plain(arguments(node)[1:2]):
        _check_pattern(name, given[1:2], inside)
    if node["class"] == "WINDOW":
        _check_window(name, node)
    if name in DUCKDB_COLLECTING:
        held = record(values)
        return Value(max(LONG, *(v.size for v in values)), held.nested, held.fields)
    if lambdas:
        return _with_lambda(name, values, lambdas[0], scope)
    if name in ("range", "generate_series"):
        return _series(name, given, values, scope)
    grown = _GROWTH[name](values, given) if name in _GROWTH else None
    if name in DUCKDB_FIXED:
        return Value()
    nested = largest(values).nested + _nests(name, values) - (name in _ELEMENTS)
    added = FIXED + sum(v.size for v in values) if nested or name not in "+-" else largest(values).size
    size = added if grown is None else grown
    if name in _HOLDING:
        record(values)
    fields = sum(v.fields for v in values) if name in DUCKDB_NESTING else largest(values).fields
    if name in ("from_json", "json_transform", "from_json_strict", "json_transform_strict"):
        fields = nested = int(values[-1].size // 8)
    return Value(size, max(0, nested), max(1, fields), name in _ARRAYS or any(v.array for v in values))


def _check_window(name: str, node: Node) -> None:
    """Refuses windows that DuckDB 2.0.0 computes for all rows, or for thousands, before it looks at an interrupt."""
    if node.get("distinct") and node.get("exclude_clause") not in (None, "NO_OTHER"):
        raise Refused(f"{name} as a window may have DISTINCT or EXCLUDE, not both")
    if name in DUCKDB_COLLECTING and not (_is_near(node, "start") and _is_near(node, "end")):
        raise Refused(
            f"{name} as a window collects rows again for each: use it with GROUP BY, and join that, or with a frame"
            f" between plain numbers of rows up to {MAX_FRAME}"
        )


def _is_near(node: Node, side: str) -> bool:
    """Whether a window's frame begins, or ends, at the row itself or at most `MAX_FRAME` rows from it."""
    if node.get(side) == "CURRENT_ROW_ROWS":
        return True
    distance = _text(node.get(f"{side}_expr") or {}) if str(node.get(side)).endswith("_ROWS") else ""
    return distance.isdecimal() and int(distance) <= MAX_FRAME


def _is_plain(given: Sequence[tuple[str, Node]]) -> bool:
    return all(not name and argument.get("class") == "CONSTANT" for name, argument in given)


def _check_pattern(name: str, given: Sequence[Node], scope: Scope) -> None:
    """Refuses a pattern that differs by row and may be large: DuckDB compiles it for each of some thousand rows."""
    if not given or not _joins(given[0], scope) or value_of(given[0], scope).size > MAX_PATTERN:
        raise Refused(
            f"{name} needs a plain text for its pattern, or columns of tables joined to short texts without"
            r" counts as {3} and classes as \p{L}; to look for a column's value, use contains or starts_with"
        )


def _joins(node: Node, scope: Scope) -> bool:
    """Whether a pattern is made of a table's values and of harmless texts, by functions that add none."""
    if node.get("class") == "CONSTANT":
        return not _LARGE_PATTERN.search(_text(node))
    if node.get("class") == "COLUMN_REF":
        return value_of(node, scope).stored
    called = fold(node["function_name"]) if node.get("class") == "FUNCTION" else ""
    return called in _JOINING and all(_joins(argument, scope) for _, argument in arguments(node))


def _nests(name: str, values: Sequence[Value]) -> bool:
    """Whether a function makes a list or record: some aggregates do so only where they are told how many."""
    if name in DUCKDB_AGGREGATES and name in DUCKDB_NUMBERS:
        return any(len(values) > place for place in DUCKDB_NUMBERS[name])
    if name in DUCKDB_AGGREGATES and name != "lttb":
        return any(v.nested for v in values[1:])
    return name in DUCKDB_NESTING


def _searched(values: Sequence[Value]) -> float:
    return values[0].size * max((v.size for v in values[1:]), default=1.0)


def _with_lambda(name: str, values: Sequence[Value], call: Node, scope: Scope) -> Value:
    """A function that calls a lambda for each element of a list."""
    source = largest(values)
    elements = source.size if source.size >= LONG else max(1.0, source.size / FIXED)
    times = scope.times * elements
    if not _fits(times, MAX_TIMES, 50):
        raise Refused("lists are read inside of lists too often for each row; use a join of tables for it")
    inside = max(0, source.nested - 1)
    element = Value(source.size if inside else min(source.size, CELL), inside, source.fields)
    names = {fold(part["column_names"][-1]) for part in _parts(call["lhs"]) if part.get("class") == "COLUMN_REF"}
    reducing = name in ("reduce", "list_reduce", "array_reduce")
    if reducing:
        grown = value_of(call["expr"], scope.naming(dict.fromkeys(names, replace(element, size=LONG))))
        if grown.size > 1.5 * LONG:
            raise Refused(f"{name} makes a multiple of the value before it with each element; let it add a part")
    made = value_of(call["expr"], replace(scope.naming(dict.fromkeys(names, element)), times=times, once=False))
    if "filter" in name:
        return source
    size = source.size * max(1.0, made.size / FIXED) if source.size >= LONG else elements * made.size
    return Value(size, 1 + made.nested, max(source.fields, made.fields))


def _series(name: str, given: Sequence[Node], values: Sequence[Value], scope: Scope) -> Value:
    """A list of numbers or dates: as long as literals say, or as a list or text is that it counts."""
    numbers = [n for n in map(literal_number, given) if n is not None]
    most = MAX_SERIES if scope.once and scope.times == 1 else int(MAX_VALUE // FIXED)
    if len(numbers) == len(given) and numbers:
        start, stop = (0, numbers[0]) if len(numbers) == 1 else numbers[:2]
        step = numbers[2] if len(numbers) > 2 else 1
        count = abs(stop - start) // max(1, abs(step)) + (name == "generate_series")
        if count <= most:
            return Value(LONG if count * FIXED > MAX_VALUE else count * FIXED, 1)
    elif {
        fold(p["function_name"]) for g in given for p in _parts(g) if p.get("class") == "FUNCTION"
    } & _LENGTHS and all(_counted(g) for g in given):
        return Value(_counted_size(given, scope), 1)
    elif len(given) == 3 and scope.once and scope.times == 1 and _long_step(given[2]) and not _far(given[:2]):
        return Value(LONG, 1)
    raise Refused(
        f"{name} makes a list of up to {most:,} plain numbers here, or of dates by hours or more for the whole query;"
        f" for others read it as a table: FROM {name}(...)"
    )


def _counted_size(given: Sequence[Node], scope: Scope) -> float:
    """The bytes of a list of numbers that counts as far as a list or a text is long."""
    lengths = [p for g in given for p in _parts(g) if p.get("class") == "FUNCTION" and p["function_name"] not in "+-"]
    return FIXED + sum(value_of(argument, scope).size for call in lengths for _, argument in arguments(call))


def _counted(node: Node) -> bool:
    """Whether a number is the length of something, give or take a literal."""
    if literal_number(node) is not None:
        return True
    if node.get("class") != "FUNCTION" or (name := fold(node["function_name"])) not in _LENGTHS:
        return False
    return name not in "+-" or all(_counted(argument) for _, argument in arguments(node))


def _long_step(node: Node) -> bool:
    """Whether an interval is a literal one of an hour or more."""
    parts = list(_parts(node))
    if any(p.get("class") in ("COLUMN_REF", "SUBQUERY", "COMPARISON") for p in parts):
        return False
    text = " ".join(_text(p).lower() for p in parts if p.get("class") == "CONSTANT")
    calls = {fold(p["function_name"]) for p in parts if p.get("class") == "FUNCTION"} - {"trunc"}
    if calls:
        number = re.search(r"\d+", text)
        return len(calls) == 1 and calls <= _DAYS and number is not None and int(number[0]) > 0
    return re.fullmatch(r"\s*[1-9]\d*\s*(hour|day|week|month|quarter|year|decade)s?\s*", text) is not None


_PATTERNS = {"~~", "!~~", "~~*", "!~~*", "~~~", "like_escape", "not_like_escape", "ilike_escape", "not_ilike_escape"}


def _backtracks(pattern: str) -> bool:
    """Whether DuckDB 1.5 tries all ways to split a text by a pattern: wildcards of both kinds, one kind often."""
    return any(pattern.count(many) > 3 and one in pattern for many, one in (("%", "_"), ("*", "?"), ("*", "[")))


_DAYS = {"to_hours", "to_days", "to_weeks", "to_months", "to_quarters", "to_years", "to_decades"}


def _far(nodes: Iterable[Node]) -> bool:
    """Whether dates may be far from those of people: by a literal, or by what is added to one."""
    parts = [part for node in nodes for part in _parts(node)]
    texts = [_text(part) for part in parts if part.get("class") == "CONSTANT"]
    calls = {fold(part["function_name"]) for part in parts if part.get("class") == "FUNCTION"}
    plain = all(re.fullmatch(r"[12]\d{3}(-.*)?|[a-z]+|-?\d{1,3}( \w+)?", text.strip(), re.I) for text in texts)
    return not plain or bool(calls - _DAYS - _DATED)


_DATED = {
    "min", "max", "date_trunc", "last_day", "today", "now", "current_date", "current_timestamp", "+", "-", "coalesce",
    "get_current_timestamp", "trunc", "strptime", "first", "any_value",
}  # fmt: skip


def _text(node: Node) -> str:
    literal, value = node.get("literal"), node.get("value")
    return str(literal["text"]) if literal else str(value["value"]) if value and "value" in value else ""


def _in_parts(text: Value) -> float:
    """The bytes of a text as a list of its parts: of a short one, few are empty."""
    return text.size * (4 if text.size <= 10 * CELL else FIXED)


# What is not the sum of the arguments' sizes, by what the arguments are and how they are written.
_GROWTH: dict[str, Callable[[Sequence[Value], Sequence[Node]], float]] = {
    **dict.fromkeys(
        ("repeat", "list_resize", "array_resize"),  # of a list, each new element holds what is given or nothing
        lambda v, n: (FIXED + v[2].size if len(v) > 2 else v[0].size) * float(literal_number(n[1]) or 1) + v[0].size,
    ),
    **dict.fromkeys(("lpad", "rpad"), lambda v, n: 4.0 * float(literal_number(n[1]) or 1)),
    "bar": lambda v, n: 4.0 * float((literal_number(n[3]) if len(n) > 3 else 0) or 80),
    "bitstring": lambda v, n: float(literal_number(n[1]) or 1) / 8 + FIXED if len(n) > 1 else v[0].size,
    "equi_width_bins": lambda v, n: FIXED * float(literal_number(n[2]) or 1),
    "replace": lambda v, n: v[0].size * max(1.0, len(_text(n[2])) / max(1, len(_text(n[1]))))
    if n[2].get("class") == "CONSTANT" == n[1].get("class")
    else v[0].size * v[2].size,
    "regexp_replace": lambda v, n: v[0].size * (1.0 + (len(_text(n[2])) if _text(n[2]) else v[2].size))
    if n[2].get("class") != "CONSTANT" or _text(n[2])
    else v[0].size,
    **dict.fromkeys(("hex", "to_hex", "to_base64", "base64"), lambda v, n: 2.0 * v[0].size),
    **dict.fromkeys(("bin", "to_binary"), lambda v, n: 8.0 * v[0].size),
    "url_encode": lambda v, n: 3.0 * v[0].size,
    "regexp_escape": lambda v, n: 2.0 * v[0].size,
    **dict.fromkeys(("strftime",), lambda v, n: 10.0 * sum(x.size for x in v)),
    **dict.fromkeys(("to_json", "json_quote", "row_to_json", "array_to_json", "json_object", "json_array"),
                    lambda v, n: 6.0 * sum(x.size for x in v) + FIXED),
    **dict.fromkeys(("string_split", "str_split", "split", "string_to_array", "string_split_regex", "str_split_regex",
                     "regexp_split_to_array", "regexp_extract_all"), lambda v, n: _in_parts(v[0])),
    **dict.fromkeys(("array_to_string", "list_string_agg", "array_to_string_comma_default", "concat_ws"),
                    lambda v, n: sum(x.size for x in v) * (1 + (min(x.size for x in v) if len(v) > 1 else 0) / FIXED)),
    **dict.fromkeys(("list_zip", "array_zip"), lambda v, n: 2.0 * sum(x.size for x in v) + FIXED),
    **dict.fromkeys(("approx_top_k", "arg_max", "arg_min", "max_by", "min_by", "argmax", "argmin", "max", "min",
                     "quantile", "quantile_cont", "quantile_disc", "approx_quantile", "lttb"),
                    lambda v, n: max([FIXED, *(x.size for x in v)])
                    * float(max([1, *(literal_number(x) or 1 for x in n[1:])]))),
    **dict.fromkeys(("lower", "upper", "trim", "ltrim", "rtrim", "substring", "substr", "left", "right", "reverse",
                     "list_slice", "array_slice", "split_part", "regexp_extract", "nullif", "lag", "lead", "first",
                     "last", "any_value", "arbitrary", "mode", "first_value", "last_value", "nth_value", "unnest",
                     "list_extract", "element_at", "array_extract", "struct_extract", "json_extract", "->", "->>",
                     "json_extract_string", "list_filter", "list_distinct", "list_sort", "list_reverse",
                     "strip_accents", "translate"),
                    lambda v, n: v[0].size if v else FIXED),
    **dict.fromkeys(("coalesce", "ifnull", "if", "greatest", "least"), lambda v, n: max([FIXED, *(x.size for x in v)])),
}  # fmt: skip


_EXPRESSIONS: dict[str, Callable[[Node, Scope], Value]] = {
    "BETWEEN": _fixed,
    "CASE": _chosen,
    "CAST": _cast,
    "COLLATE": _chosen,
    "COLUMN_REF": _column,
    "COMPARISON": _fixed,
    "CONJUNCTION": _fixed,
    "CONSTANT": _constant,
    "FUNCTION": _call,
    "OPERATOR": _operator,
    "POSITIONAL_REFERENCE": _star,
    "STAR": _star,
    "SUBQUERY": _query_inside,
    "TYPE": lambda node, scope: Value(),
    "WINDOW": _call,
}


# --- numbers that say sizes ----------------------------------------------------------------------------------------


def arguments(call: Node) -> list[tuple[str, Node]]:
    """A call's arguments, each with the name it is given by, `''` where by its place."""
    if call.get("arguments"):
        return [(fold(a.get("name") or ""), a["expression"]) for a in call["arguments"]]
    return [(fold(child.get("alias") or ""), child) for child in call.get("children") or []]


def literal_number(node: Node) -> int | None:
    """A plain whole number, or None for anything else."""
    if node.get("class") == "FUNCTION" and fold(node["function_name"]) == "-" and len(arguments(node)) == 1:
        number = literal_number(arguments(node)[0][1])
        return None if number is None else -number
    text = _text(node) if node.get("class") == "CONSTANT" else ""
    return int(text) if re.fullmatch(r"-?\d{1,18}", text) else None


def check_numbers(name: str, call: Node) -> None:
    """Raises `Refused` where a number that says how large a result is, is no plain one or too large."""
    given = arguments(call)
    for place, most in DUCKDB_NUMBERS.get(name, {}).items():
        if any(named for named, _ in given):
            raise Refused(f"write the arguments of {name} in their order, without names")
        if len(given) > place:
            number = literal_number(given[place][1])
            if number is None or number > most:
                raise Refused(f"{name} needs a plain number up to {most:,} for its size")


# --- the tree ------------------------------------------------------------------------------------------------------


def _aggregates(item: Node) -> bool:
    return any(
        part.get("class") == "FUNCTION" and fold(part["function_name"]) in DUCKDB_AGGREGATES for part in _parts(item)
    )


def _unnests(item: Node) -> bool:
    return any(
        part.get("class") == "FUNCTION" and fold(part["function_name"]) in {"unnest", "generate_subscripts"}
        for part in _parts(item)
    )


def _parts(node: Any) -> Iterator[Node]:
    """All objects in a part of the tree, outermost first; not those of queries inside it."""
    stack = [node]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack += value
        elif isinstance(value, dict):
            yield value
            if value.get("class") != "SUBQUERY":
                stack += value.values()


def _expressions(node: Node, *without: str) -> Iterator[Node]:
    """The expressions that stand directly in a node, whatever field they are in."""
    stack = [value for name, value in node.items() if name not in without]
    while stack:
        value = stack.pop(0)
        if isinstance(value, list):
            stack = value + stack
        elif isinstance(value, dict):
            if "class" in value:
                yield value
            elif "node" not in value:
                stack = list(value.values()) + stack
