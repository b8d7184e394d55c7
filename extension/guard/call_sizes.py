"""Estimate the size of a function call's result in a DuckDB query, and refuse calls that may run for long.

DuckDB computes a call for some thousand rows in one step, and checks for an interrupt only afterwards. So the functions
whose time or memory may exceed the sum of their arguments' sizes are bounded here, each by its kind:
`askwhere.guard.functions` lists the functions of each kind.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from askwhere.errors import Refused
from askwhere.guard.estimates import (
    CELL,
    FIXED,
    LONG,
    MAX_TIMES,
    Scope,
    Value,
    WrittenOut,
    all_listed,
    check_not_repeated,
    largest,
    record,
    repeating,
    within,
)
from askwhere.guard.functions import (
    DUCKDB_AGGREGATES,
    DUCKDB_COLLECTING,
    DUCKDB_FIXED,
    DUCKDB_FUNCTIONS,
    DUCKDB_NAMED_AGGREGATES,
    DUCKDB_NESTING,
    DUCKDB_NUMBERS,
    DUCKDB_QUADRATIC,
    DUCKDB_REGEXPS,
    DUCKDB_SEARCHING,
)
from askwhere.guard.growth import GROWTH
from askwhere.guard.series_sizes import series
from askwhere.guard.states import check_width, in_row, is_joined, is_sorted, list_aggregate, state_bytes
from askwhere.guard.tree import (
    Node,
    arguments,
    constant_argument,
    expressions,
    functions_called,
    literal_number,
    literal_text,
    walk,
)
from askwhere.sql.identifiers import fold

MAX_WIDTH = 10_000  # of a field that `printf` and `format` write
# The flags and the width of each field in a format text.
FORMAT_FIELDS = {"printf": re.compile(r"%([^a-zA-Z%]*)"), "format": re.compile(r"\{([^}]*)")}
_WIDTH_FROM_ARGUMENT = re.compile(r"[*{]")  # in the flags and the width of a field
_MAX_PATTERN = 250  # bytes of a regular expression that is not a literal: DuckDB compiles it for each row
_MAX_SEARCHED = 100_000  # bytes of a text that is searched, times the bytes of the text that is looked for
_MAX_DEEP = 20_000  # bytes of a JSON text that a function reads by recursion: it has half as many levels at most
_SHORT_LITERAL = 64  # bytes of a literal that takes no longer to look for than one byte
_MAX_FRAME = 100  # rows before or after the current one, in a window that collects them
_SERIES = ("range", "generate_series")
_REDUCING = ("reduce", "list_reduce", "array_reduce")
# Aggregates that compute each frame of a window anew, without checking for an interrupt.
_RECOMPUTED = DUCKDB_COLLECTING | {"entropy", "mad", "mode"}
# Aggregates that return a value for each fraction in a list.
_QUANTILES = {"approx_quantile", "quantile", "quantile_cont", "quantile_disc"}
# Functions that compare each key of a list with all others, without checking for an interrupt.
_COMPARING_KEYS = {"map", "map_from_entries"}
_FROM_JSON = ("from_json", "json_transform", "from_json_strict", "json_transform_strict")
# Functions that take JSON paths, from the second argument on.
_PATHS = {
    "->", "->>", "json_array_length", "json_exists", "json_extract", "json_extract_path", "json_extract_path_text",
    "json_extract_string", "json_insert", "json_keys", "json_remove", "json_replace", "json_set", "json_type",
    "json_value",
}  # fmt: skip
# Functions of DuckDB 2.0 that make it give up the database where they read a list as JSON: DuckDB writes a NULL in the
# list as `NULL`, which is no JSON, and takes these for functions that raise no error. Those that extract only do so for
# a path that is a number.
_READING_JSON = {
    "json_array_length", "json_contains", "json_keys", "json_merge_patch", "json_normalize", "json_strip_nulls",
    "json_structure", "json_type",
}  # fmt: skip
_EXTRACTING_JSON = {
    "->", "->>", "json_extract", "json_extract_path", "json_extract_path_text", "json_extract_string", "json_value",
}  # fmt: skip
# Functions that write a list as valid JSON, and have the same fault where they get JSON that was made of a list before.
_WRITING_JSON = {
    "array_to_json", "json_array", "json_group_array", "json_group_object", "json_object", "json_quote", "row_to_json",
    "to_json",
}  # fmt: skip
# Functions that return no list, whatever their arguments are.
_WRITING = _WRITING_JSON | _READING_JSON | {"json_group_structure", "group_concat", "listagg", "string_agg"}
# Functions whose arguments get one type; others, where the elements of one list and another argument do.
_ONE_TYPE = {
    "||", "array_cat", "array_concat", "coalesce", "greatest", "if", "ifnull", "least", "list_cat", "list_concat",
    "list_pack", "list_value", "nullif",
}  # fmt: skip
_ONE_TYPE_WITH_ELEMENTS = {
    "array_append", "array_prepend", "array_push_back", "array_push_front", "array_resize", "list_append",
    "list_prepend", "list_resize",
}  # fmt: skip
_TAKING_LAMBDAS = {
    "apply", "array_apply", "array_filter", "array_reduce", "array_transform", "filter", "list_apply", "list_filter",
    "list_reduce", "list_transform", "reduce",
}  # fmt: skip
_LISTS = {"array_agg", "list"}  # aggregates that collect their values in a list
_LISTING = {"list_value", "list_pack"}  # functions that return a list of their arguments
_ARRAYS = {"array_value", "array_cross_product"}  # functions that return an array of a fixed length
# Functions that put their arguments into a list or record.
_HOLDING = {
    "list_value", "list_pack", "list_append", "list_prepend", "list_resize", "list_zip", "array_append",
    "array_prepend", "array_push_back", "array_push_front", "array_resize", "array_value", "array_zip", "map", "row",
    "map_from_entries", "struct_concat", "struct_insert", "struct_pack", "struct_update", "union_value",
}  # fmt: skip
# Functions whose time does not depend on how long their arguments are.
_WITHOUT_READING = {
    "array_length", "cardinality", "constant_or_null", "count", "if", "ifnull", "list_value", "octet_length",
    "pg_typeof", "row", "strlen", "struct_extract", "struct_extract_at", "struct_pack", "typeof", "unnest",
}  # fmt: skip
# The same for lists: of a text they count characters, and in a map they compare keys.
_WITHOUT_READING_LISTS = {
    "array_extract", "element_at", "len", "length", "list_element", "list_extract", "list_first", "list_last",
}  # fmt: skip
# Functions whose value is a list where their LONG arguments are lists, or one of their arguments or a part of one.
_LISTED = (DUCKDB_NESTING - DUCKDB_NAMED_AGGREGATES) - {
    "array_to_string", "array_to_string_comma_default", "list_histogram", "list_string_agg", "map", "map_concat",
    "map_from_entries",
} | {
    "||", "any_value", "arbitrary", "array_extract", "coalesce", "element_at", "first", "first_value", "if", "ifnull",
    "lag", "last", "last_value", "lead", "list_element", "list_extract", "list_first", "list_last", "nth_value",
    "nullif", "struct_extract", "struct_extract_at", "unnest",
}  # fmt: skip
# Functions that extract an element.
_EXTRACTING = {
    "array_extract", "element_at", "list_extract", "list_first", "list_last", "map_extract_value", "struct_extract",
    "unnest",
}  # fmt: skip
# Functions that a query may compose a regular expression with: none of them adds an operator to it.
_JOINING = {"||", "concat", "lower", "upper", "trim", "ltrim", "rtrim", "regexp_escape"}
# Counts and character classes: they turn a short regular expression into a large automaton.
_LARGE_PATTERN = re.compile(r"\{|\\[pP]")
# The parts of a regular expression: escapes, classes, groups, counts, and any other character.
_PARTS = re.compile(
    r"\\[pP]\{[^}]*\}|\\.|\[\^?\]?[^\]]*\]|(?P<open>\()|(?P<close>\))|\{(?P<least>\d{1,6})(?:,(?P<most>\d{0,6}))?\}|.",
    re.DOTALL,
)
_MOST_STATES = 12  # of a regular expression's counts; with more states it may be slow in long texts
_WILDCARDS = (("%", "_"), ("*", "?"), ("*", "["))  # pairs: for any text, for one character
_LIKE = {"~~", "!~~", "~~*", "!~~*", "~~~", "like_escape", "not_like_escape", "ilike_escape", "not_ilike_escape"}


def call(node: Node, scope: Scope) -> Value:
    """Return the bounds of a call's result. Raise `Refused` where the call could take too much time or memory."""
    name = fold(node["function_name"])
    counts_before = scope.work.counts
    inside = replace(scope, once=scope.once_inside) if name in DUCKDB_AGGREGATES else scope
    lambda_place = 1 if name in _TAKING_LAMBDAS or name not in DUCKDB_FUNCTIONS else None
    given = [n if place == lambda_place else as_call(n) for place, (_, n) in enumerate(arguments(node))]
    lambdas = [n for n in given if n.get("class") == "LAMBDA"]
    values = [scope.estimate_value(n, inside) for n in given if n.get("class") != "LAMBDA"]
    # The expressions in FILTER, ORDER BY and OVER.
    clauses = [scope.estimate_value(part, inside) for part in expressions(node, "children", "arguments")]
    check_width(clauses)
    if (result := scope.macros(name, values)) is not None:
        return result
    macro = count_macro(name, counts_before, scope)
    if macro and macro.collects:
        check_not_repeated(name, values)
        collected = Value(LONG, 1 + largest(values).nested, largest(values).fields)
        return repeating(collected) if macro.queries and not scope.once else collected
    check_not_repeated("a sort or a partition", clauses)
    _check_numbers(name, arguments(node))
    _check_time(name, node, values, inside)
    if "arguments" in node:  # DuckDB 2.0
        _check_json(name, values, given)
    _count_states(name, node, values, given, scope)
    if name not in _WITHOUT_READING:
        check_not_repeated(name, [v for v in values if not (v.listed and name in _WITHOUT_READING_LISTS)])
    if node["class"] == "WINDOW":
        scope.work.window(scope.copies, bool(node.get("distinct") or node.get("arg_orders") or is_sorted(node)))
    if name in DUCKDB_COLLECTING:
        collected = record(values)
        size = max(LONG, *(v.size for v in values))
        if node["class"] == "WINDOW":
            size = collected.size * _frame_rows(node)
            scope.work.keep(size * scope.copies)
        element = largest(values).size if name in _LISTS and not largest(values).nested else math.inf
        nested = 0 if name in _WRITING else collected.nested
        listed = name in _LISTS and collected.listed
        value = Value(size, nested, collected.fields, names=collected.names, element=element, listed=listed)
        return replace(value, unchecked=collected.unchecked)
    if lambdas:
        return _call_with_lambda(name, values, lambdas[0], scope)
    if name in _SERIES:
        sequence = series(name, given, scope)
        return sequence if scope.once else repeating(sequence)
    operands = values if name in DUCKDB_NESTING or name in _EXTRACTING else [v.as_text for v in values]
    result = _result(name, operands, given, sum(len(argument_name) for argument_name, _ in arguments(node)))
    result = replace(result, unchecked=_is_unchecked(name, values, given))
    return repeating(result) if node["class"] == "WINDOW" or any(v.repeated for v in values) else result


def _result(name: str, values: Sequence[Value], given: Sequence[Node], names: float) -> Value:
    """Return the bounds of a call's result, for a call without a lambda whose arguments' names have `names` bytes."""
    grown = GROWTH[name](values, given) if name in GROWTH else None
    if name in DUCKDB_FIXED:
        return Value()
    if name in _EXTRACTING and values and values[0].element < LONG:
        return Value(values[0].element)
    nested = largest(values).nested + _nests(name, values) - (name in _EXTRACTING)
    if name in _WRITING:
        nested = 0
    elif name in _EXTRACTING_JSON:
        nested = largest(values[1:]).nested  # a list for a list of paths
    total = FIXED + sum(v.size for v in values) if nested or name not in "+-" else largest(values).size
    total += FIXED * len(values) if name in DUCKDB_NESTING else 0
    size = total if grown is None else grown
    if name in _HOLDING:
        record(values)  # raises `Refused` for arrays of a fixed length
    fields = sum(v.fields for v in values) if name in DUCKDB_NESTING else largest(values).fields
    if name in _FROM_JSON:
        # The last argument is the structure, as text with at least eight characters for each field and each level.
        fields = nested = int(values[-1].size // 8)
        names = values[-1].size
    if name in DUCKDB_NESTING:
        names += sum(v.names for v in values)
    array = name in _ARRAYS or any(v.array for v in values)
    elements = float(len(values)) if name in _LISTING else 0.0
    names = max(names, largest(values).names)
    listed = name in _LISTED and all_listed(values)
    return Value(size, max(0, nested), max(1, fields), array, names=names, elements=elements, listed=listed)


def _nests(name: str, values: Sequence[Value]) -> bool:
    """Return whether a function returns a list or record: an aggregate does so where it returns several values."""
    if name in DUCKDB_AGGREGATES and name in DUCKDB_NUMBERS:
        return any(len(values) > place for place in DUCKDB_NUMBERS[name])
    if name in DUCKDB_AGGREGATES and name != "lttb":
        return any(v.nested for v in values[1:])
    return name in DUCKDB_NESTING


def _call_with_lambda(name: str, values: Sequence[Value], function: Node, scope: Scope) -> Value:
    """Return the bounds of the result of a function that calls the lambda `function` for each element of a list.

    Raise `Refused` for too many calls, and for a reduction whose value may be multiplied at each element.
    """
    source = largest(values)
    lengths = [v.elements for v in values]
    elements = max(lengths) if all(lengths) else source.size if source.size >= LONG else max(1.0, source.size / FIXED)
    times = scope.times * elements
    if not within(times, MAX_TIMES * scope.work.room, 50):
        raise Refused("the query reads lists inside of lists too often for each row; join tables instead")
    inside = max(0, source.nested - 1)
    size = source.size if inside else min(source.size, CELL)
    element = Value(
        size, inside, source.fields, names=source.names, listed=all_listed(values), unchecked=source.unchecked
    )
    names = {fold(part["column_names"][-1]) for part in walk(function["lhs"]) if part.get("class") == "COLUMN_REF"}
    if name in _REDUCING:
        # The value reduced so far counts as LONG: the lambda may add a little to it, but not double it.
        reduced = dict.fromkeys(names, replace(element, size=LONG))
        if scope.estimate_value(function["expr"], scope.with_names(reduced)).size > 1.5 * LONG:
            raise Refused(f"{name} multiplies the value at each element, so that it grows too fast; let it add a part")
    outer = scope.with_names({name: repeating(value) for name, value in scope.names.items()})
    body = replace(outer.with_names(dict.fromkeys(names, element)), times=times, once=False)
    mapped = scope.estimate_value(function["expr"], body)
    if "filter" in name:
        return source
    size = source.size * max(1.0, mapped.size / FIXED) if source.size >= LONG else elements * mapped.size
    fields, names_bytes = max(source.fields, mapped.fields), max(source.names, mapped.names)
    listed = name not in _REDUCING and all_listed([*values, mapped])
    unchecked = any(v.unchecked for v in (*values, mapped))
    return Value(size, 1 + mapped.nested, fields, names=names_bytes, listed=listed, unchecked=unchecked)


# --- calls that may take too long -----------------------------------------------------------------------------------


def _count_states(name: str, node: Node, values: Sequence[Value], given: Sequence[Node], scope: Scope) -> None:
    """Count the states of an aggregate, and the joins that DuckDB makes of it.

    An aggregate keeps a state for each group. A function of lists that calls an aggregate, as `list_mode` does, keeps a
    state for each row.
    """
    if name in DUCKDB_AGGREGATES:
        if is_joined(name, node, given):
            scope.work.join(scope.copies * scope.sets)
        scope.work.states += in_row(name) * scope.copies
        if scope.grouped or node["class"] == "WINDOW":
            scope.work.keep(state_bytes(name, node, values, given) * scope.copies * scope.sets)
        return
    aggregate, place = list_aggregate(name, given)
    if aggregate:
        given, values = [given[0], *given[place:]], [values[0], *values[place:]]
        _check_numbers(aggregate, [("", argument) for argument in given])
        scope.work.keep(state_bytes(aggregate, node, values, given) * scope.copies)


def count_macro(name: str, counts_before: tuple[int, int], scope: Scope) -> WrittenOut | None:
    """Count the body of a macro for one call, and the copies of the call's arguments. Do nothing for other functions.

    `counts_before` are the `Work.counts` from before the arguments were estimated. Return the counts of the body. Raise
    `Refused` where an argument could say how large a value of the body becomes.
    """
    if (macro := scope.written_out(name)) is None:
        return None
    if macro.sizing:
        raise Refused(
            f"the macro {name} gives a parameter to a function that makes a value of that size, as repeat does; write a"
            " plain number there in the macro, or leave it out"
        )
    work, times = scope.work, scope.copies
    work.repeat(counts_before, macro.uses - 1)
    work.bind(macro.expressions * times)
    work.expand(macro.expanded_joins * times)
    work.join(macro.joins * times * scope.sets)
    work.window(macro.ordered_windows * times, ordered=True)
    work.window((macro.windows - macro.ordered_windows) * times)
    work.equate(macro.equalities * times)
    work.states += macro.states_in_row * times
    if scope.grouped or macro.joins:
        work.keep(macro.states * times * scope.sets)
    return macro


def _check_numbers(name: str, given: Sequence[tuple[str, Node]]) -> None:
    """Raise `Refused` where an argument that sets the result's size is not an integer literal, or is too large."""
    for place, most in DUCKDB_NUMBERS.get(name, {}).items():
        if any(named for named, _ in given):
            raise Refused(f"write the arguments of {name} in their order, without names")
        if len(given) > place:
            number = literal_number(given[place][1])
            if number is None or number > most:
                raise Refused(f"{name} needs a plain number up to {most:,} for its size")


def _check_time(name: str, node: Node, values: Sequence[Value], scope: Scope) -> None:
    """Raise `Refused` for a call that compares, searches or matches texts that are too long, and for a slow window."""
    given = arguments(node)
    if name in _LIKE and len(given) > 1 and _backtracks(literal_text(given[1][1])):
        raise Refused("a pattern of LIKE or GLOB with many wildcards takes too long; use fewer, or regexp_matches")
    most = DUCKDB_QUADRATIC.get(name, math.inf)
    if any(v.size**2 > most**2 * scope.work.room for v in values):
        raise Refused(
            f"{name} compares every character with every other: give it short texts, as left(text, 100) makes them"
        )
    if name in DUCKDB_SEARCHING and not within(
        _searched(name, values, [n for _, n in given]), _MAX_SEARCHED * scope.work.room, 1_000
    ):
        raise Refused(f"{name} looks for a text in a long one, or for a long one, for too many rows; shorten them")
    if name == "json_contains" and any(v.size > _MAX_DEEP for v in values):
        raise Refused(
            "json_contains may end the process where JSON has very many levels: give it values of at most"
            f" {_MAX_DEEP:,} bytes each, or look for a value with json_extract"
        )
    if name in _COMPARING_KEYS and any(v.size >= LONG for v in values):
        raise Refused(f"{name} compares each key with all others, over many rows: use json_group_object or GROUP BY")
    if name in _PATHS:
        _check_paths(name, [argument for _, argument in given[1:]])
    if name in DUCKDB_REGEXPS:
        scope.work.match(_matched(values, [n for _, n in given]))
    if name in DUCKDB_REGEXPS and not _is_plain(given[1:2]):
        _check_pattern(name, [argument for _, argument in given[1:2]], scope)
    if node["class"] == "WINDOW":
        _check_window(name, node, values)


def as_call(node: Node) -> Node:
    """Return `j -> '$.a'` as the call that it is where no lambda may be; DuckDB's tree has a lambda for it."""
    if node.get("class") != "LAMBDA":
        return node
    given = [node["lhs"], node["expr"]]
    named = [{"name": "", "expression": part} for part in given]
    written = {"arguments": named} if "syntax_type" in node else {"children": given}  # DuckDB 2.0, 1.5
    return {"class": "FUNCTION", "type": "FUNCTION", "function_name": "->", **written}


def _is_unchecked(name: str, values: Sequence[Value], given: Sequence[Node]) -> bool:
    """Return whether a call's result may be JSON that DuckDB made of a list without checking it.

    The definition of a user's function is not known here.
    """
    if name in _WRITING or name in DUCKDB_FIXED:
        return False
    levels = {v.nested for v, n in zip(values, given, strict=False) if n.get("class") != "CONSTANT"}
    is_made = (
        len(levels) > 1 if name in _ONE_TYPE else len(levels) == 1 < len(values) and name in _ONE_TYPE_WITH_ELEMENTS
    )
    return is_made or any(v.unchecked for v in values) or name not in DUCKDB_FUNCTIONS


def _check_json(name: str, values: Sequence[Value], given: Sequence[Node]) -> None:
    """Raise `Refused` where DuckDB 2.0 might read a list as JSON, in a way that makes it give up the whole database."""
    by_text = all(n.get("class") == "CONSTANT" and literal_number(n) is None for n in given[1:])
    if name in _READING_JSON or (name in _EXTRACTING_JSON and not by_text):
        read = values if name in ("json_contains", "json_merge_patch") else values[:1]
        if any(v.nested or v.unchecked for v in read):
            raise Refused(
                f"{name} needs JSON and gets what may be a list or a record, with which DuckDB 2.0 may give up the"
                f" whole database: write {name}(to_json(x)) for such an x, or {name}(x::VARCHAR) for a text in a record"
            )
    if name in _WRITING_JSON and any(v.unchecked for v in values):
        raise Refused(
            f"{name} gets JSON that DuckDB 2.0 may have made of a list without checking it, with which it may give up"
            f" the whole database: write x::VARCHAR for it, or to_json(x) where the list becomes JSON"
        )


def _check_paths(name: str, given: Sequence[Node]) -> None:
    """Raise `Refused` for a JSON path with several `..`, whose time grows with the cube of the number of levels.

    Raise it also for a path that is computed from constants, whose text is not known here. A path that differs by row
    is allowed, since DuckDB accepts no such path there.
    """
    for parts in (list(walk(node)) for node in given if literal_number(node) is None):
        computed = functions_called(parts) - {"list_value", "list_pack"}
        varies = any(part.get("class") in ("COLUMN_REF", "SUBQUERY") for part in parts)
        if any(literal_text(p).count("..") > 1 for p in parts if p.get("class") == "CONSTANT"):
            raise Refused(f"a path of {name} has '..' more than once; look one level down at a time")
        if computed and not varies:
            raise Refused(f"{name} needs a plain text or a column for its path")


def _backtracks(pattern: str) -> bool:
    """Return whether DuckDB 1.5 may take exponential time for a pattern of LIKE or GLOB.

    It may where `%` or `*` occurs four times or more, together with a wildcard for one character.
    """
    return any(pattern.count(any_text) > 3 and any_sign in pattern for any_text, any_sign in _WILDCARDS)


def _searched(name: str, values: Sequence[Value], given: Sequence[Node]) -> float:
    """Return the bytes of the text that is searched, times the bytes of the longest text that is looked for.

    A short literal counts as one byte, since its length does not change the time; as a regular expression, as four.
    """
    literal = 4.0 if name in DUCKDB_REGEXPS else 1.0
    sought = (
        literal if n.get("class") == "CONSTANT" and v.size <= _SHORT_LITERAL else v.size
        for v, n in zip(values[1:], given[1:], strict=False)
    )
    return values[0].size * max(sought, default=1.0)


def _matched(values: Sequence[Value], given: Sequence[Node]) -> float:
    """Return the bytes of the text that a regular expression searches, times a factor for its counts, such as `{9}`.

    Return 0 for a regular expression that is fast in any text. Where its counts make more than `_MOST_STATES` states,
    its automaton may have more states than DuckDB keeps, and each character is then compared with each state.
    """
    states = max((counted_states(literal_text(node)) for node in given[1:]), default=0)
    return values[0].size * (24.0 + states) if states > _MOST_STATES else 0.0


def counted_states(pattern: str) -> int:
    """Return an upper bound for the states that a regular expression's counts make; nested counts are multiplied.

    >>> [counted_states(pattern) for pattern in (r"^\\d{4}-\\d{2}$", "(a{3}b){2,5}", "[{9}]|x+")]
    [6, 20, 0]
    """
    groups = [[0, 0]]  # for each open group: the states before its last part, and those of its last part
    for part in _PARTS.finditer(pattern):
        count = part["most"] or part["least"]
        if part["open"]:
            groups.append([0, 0])
        elif part["close"] and len(groups) > 1:
            inside = sum(groups.pop())
            groups[-1] = [sum(groups[-1]), inside]
        elif count:
            groups[-1][1] = min(int(count) * (groups[-1][1] + 1), 1_000_000)
        else:
            groups[-1] = [sum(groups[-1]), 0]
    return sum(map(sum, groups))


def _is_plain(given: Sequence[tuple[str, Node]]) -> bool:
    """Return whether all arguments are constants, given by position."""
    return all(not name and argument.get("class") == "CONSTANT" for name, argument in given)


def _check_pattern(name: str, given: Sequence[Node], scope: Scope) -> None:
    """Raise `Refused` for a regular expression that is not constant and may be large: each row compiles its own."""
    if not given or not _is_small_pattern(given[0], scope) or scope.estimate_value(given[0], scope).size > _MAX_PATTERN:
        raise Refused(
            f"{name} needs a plain text for its pattern, or columns of tables joined to short texts without"
            r" counts as {3} and classes as \p{L}; to look for a column's value, use contains or starts_with"
        )


def _is_small_pattern(node: Node, scope: Scope) -> bool:
    """Return whether a regular expression is composed of stored values, and of literals without counts and classes."""
    if node.get("class") == "CONSTANT":
        return not _LARGE_PATTERN.search(literal_text(node))
    if node.get("class") == "COLUMN_REF":
        return scope.estimate_value(node, scope).stored
    called = fold(node["function_name"]) if node.get("class") == "FUNCTION" else ""
    return called in _JOINING and all(_is_small_pattern(argument, scope) for _, argument in arguments(node))


def _check_window(name: str, node: Node, values: Sequence[Value]) -> None:
    """Raise `Refused` for windows that DuckDB 2.0.0 computes for thousands of rows without checking for interrupts."""
    if node.get("distinct") and node.get("exclude_clause") not in (None, "NO_OTHER"):
        raise Refused(f"{name} as a window may have DISTINCT or EXCLUDE, not both")
    is_computed_once = name not in DUCKDB_COLLECTING and _is_whole_partition(node)
    if name in _RECOMPUTED and not is_computed_once and not (_is_near(node, "start") and _is_near(node, "end")):
        raise Refused(
            f"{name} as a window collects rows again for each row: use it with GROUP BY and join the result, or with"
            f" a frame between plain numbers of rows up to {_MAX_FRAME}"
        )
    returns_several = any(len(values) > place for place in DUCKDB_NUMBERS.get(name, ()))
    returns_several |= name in _QUANTILES and any(v.nested for v in values[1:])
    if name in DUCKDB_AGGREGATES and returns_several:
        raise Refused(f"{name} as a window keeps several values for each row: use it with GROUP BY and join the result")


def _is_whole_partition(node: Node) -> bool:
    """Return whether a window's frame is its whole partition: DuckDB then computes it once, not for each row."""
    whole = node.get("start") == "UNBOUNDED_PRECEDING" and not node.get("orders")
    ends = node.get("end") in ("CURRENT_ROW_RANGE", "UNBOUNDED_FOLLOWING")
    return whole and ends and node.get("exclude_clause") in (None, "NO_OTHER")


def _is_near(node: Node, side: str) -> bool:
    """Return whether a side of a window's frame, `start` or `end`, is within `_MAX_FRAME` rows of the current row."""
    return _distance(node, side) <= _MAX_FRAME


def _distance(node: Node, side: str) -> float:
    """Return the distance in rows from the current row to a side of a window's frame, infinity if it is not known."""
    if node.get(side) == "CURRENT_ROW_ROWS":
        return 0
    distance = literal_text(node.get(f"{side}_expr") or {}) if str(node.get(side)).endswith("_ROWS") else ""
    return int(distance) if distance.isdecimal() else math.inf


def _frame_rows(node: Node) -> float:
    """Return an upper bound for the rows in a window's frame."""
    return 1 + _distance(node, "start") + _distance(node, "end")


def check_format(name: str, node: Node) -> None:
    """Raise `Refused` for a format that is not constant, or has a width above `MAX_WIDTH` or from an argument."""
    text = constant_argument(node, 0)
    widths = "".join(FORMAT_FIELDS[name].findall(text or ""))
    if (
        text == ""
        or _WIDTH_FROM_ARGUMENT.search(widths)
        or any(int(digits) > MAX_WIDTH for digits in re.findall(r"\d+", widths))
    ):
        raise Refused(f"{name} needs a plain text for its format, with widths up to {MAX_WIDTH:,}")
