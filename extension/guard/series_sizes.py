"""Bound the lists that `range` and `generate_series` return in DuckDB, which cannot be interrupted while it makes one.

Three forms of arguments are allowed: integer literals; the length of a list or text, plus or minus literals; and dates
with a literal interval of an hour or more, in a call that is computed once for the whole query. For other arguments, a
query can read the function as a table, `FROM range(...)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from askwhere.errors import Refused
from askwhere.guard.estimates import FIXED, LONG, MAX_VALUE, Scope, Value
from askwhere.guard.tree import Node, arguments, functions_called, literal_number, literal_text, walk
from askwhere.sql.identifiers import fold

_MAX_SERIES = 1_000_000  # elements of a list that is computed once for the whole query
_LENGTHS = {"len", "length", "array_length", "list_count", "cardinality", "json_array_length", "+", "-"}
_INTERVALS = {"to_hours", "to_days", "to_weeks", "to_months", "to_quarters", "to_years", "to_decades"}
# Functions whose result is no farther from today than their arguments, or than the dates in tables.
_NEAR_DATES = {
    "min", "max", "date_trunc", "last_day", "today", "now", "current_date", "current_timestamp", "+", "-", "coalesce",
    "get_current_timestamp", "trunc", "strptime", "first", "any_value",
}  # fmt: skip


def series(name: str, given: Sequence[Node], scope: Scope) -> Value:
    """Return the bounds of the list that `range` or `generate_series` returns.

    Raise `Refused` for arguments of a form that is not allowed, and for too many elements.
    """
    numbers = [n for n in map(literal_number, given) if n is not None]
    is_computed_once = scope.once and scope.times == 1
    most = _MAX_SERIES if is_computed_once else int(MAX_VALUE // FIXED)
    if len(numbers) == len(given) and numbers:
        start, stop = (0, numbers[0]) if len(numbers) == 1 else numbers[:2]
        step = numbers[2] if len(numbers) > 2 else 1
        count = abs(stop - start) // max(1, abs(step)) + (name == "generate_series")
        if count <= most:
            return Value(LONG if count * FIXED > MAX_VALUE else count * FIXED, 1, element=FIXED, listed=True)
    elif functions_called(list(given)) & _LENGTHS and all(_is_length(g) for g in given):
        return Value(_size_by_length(given, scope), 1, listed=True)
    elif len(given) == 3 and is_computed_once and _is_long_interval(given[2]) and not _may_be_far(given[:2]):
        return Value(LONG, 1, element=FIXED, listed=True)
    raise Refused(
        f"{name} makes a list of up to {most:,} plain numbers here, or of dates by hours or more for the whole query;"
        f" for others read it as a table: FROM {name}(...)"
    )


def _size_by_length(given: Sequence[Node], scope: Scope) -> float:
    """Return the bytes of a list whose length is computed from those of lists or texts: the bytes of all of these."""
    calls = [p for g in given for p in walk(g) if p.get("class") == "FUNCTION" and p["function_name"] not in "+-"]
    return FIXED + sum(scope.estimate_value(argument, scope).size for call in calls for _, argument in arguments(call))


def _is_length(node: Node) -> bool:
    """Return whether an expression is an integer literal, a length, or a sum or difference of such expressions."""
    if literal_number(node) is not None:
        return True
    if node.get("class") != "FUNCTION" or (name := fold(node["function_name"])) not in _LENGTHS:
        return False
    return name not in "+-" or all(_is_length(argument) for _, argument in arguments(node))


def _is_long_interval(node: Node) -> bool:
    """Return whether an expression is a literal interval of an hour or more."""
    parts = list(walk(node))
    if any(p.get("class") in ("COLUMN_REF", "SUBQUERY", "COMPARISON") for p in parts):
        return False
    text = " ".join(literal_text(p).lower() for p in parts if p.get("class") == "CONSTANT")
    # The parser makes `INTERVAL 2 DAY` a call: to_days(CAST(trunc(CAST(2 AS DOUBLE)) AS INTEGER)).
    calls = functions_called(node) - {"trunc"}
    if calls:
        number = re.search(r"\d+", text)
        return len(calls) == 1 and calls <= _INTERVALS and number is not None and int(number[0]) > 0
    return re.fullmatch(r"\s*[1-9]\d*\s*(hour|day|week|month|quarter|year|decade)s?\s*", text) is not None


def _may_be_far(nodes: Iterable[Node]) -> bool:
    """Return whether dates may lie outside the years 1000 to 2999, because of a literal or a function in them."""
    listed = list(nodes)
    texts = [literal_text(part) for node in listed for part in walk(node) if part.get("class") == "CONSTANT"]
    plain = all(re.fullmatch(r"[12]\d{3}(-.*)?|[a-z]+|-?\d{1,3}( \w+)?", text.strip(), re.I) for text in texts)
    return not plain or bool(functions_called(listed) - _INTERVALS - _NEAR_DATES)
