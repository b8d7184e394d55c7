"""Check a DuckDB query again with the lengths of the stored values that it computes with, where these are long.

The first estimate takes every stored value for `CELL` bytes. A call over longer ones costs more: a text of 80 kB is a
slow pattern, and two texts of 10 kB may make one of 100 MB. The lengths come from the engine's statistics, which cost
next to nothing, and are measured only where the query could be too expensive without knowing them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from askwhere.engine import Column, Table
from askwhere.errors import Refused
from askwhere.guard.estimates import CELL, FIXED, Lengths
from askwhere.guard.functions import DUCKDB_FIXED, DUCKDB_QUADRATIC, DUCKDB_SEARCHING
from askwhere.guard.sizes import check_sizes
from askwhere.guard.tree import Node, nodes
from askwhere.sql.identifiers import fold, fold_path

_MAX_REPEATED = 300_000  # bytes of stored values in a row of the result, where DuckDB may copy them for `VECTOR` rows
UNKNOWN = 16_000.0  # bytes that an unmeasured value is taken for at first
_ELEMENT = FIXED / 2  # bytes of a list or record for each character of its text: '1,' is one element
_COMPUTING = {"CASE", "CAST", "COLLATE", "FUNCTION", "LAMBDA", "OPERATOR", "WINDOW"}
_COPYING = {"DISTINCT_MODIFIER", "ORDER_MODIFIER", "SET_OPERATION_NODE"}
# Functions whose time and result do not grow with the length of their arguments, apart from copying one of them.
_CHEAP = DUCKDB_FIXED - DUCKDB_QUADRATIC.keys() - DUCKDB_SEARCHING | {"sum"}
# Functions that yield several rows for one.
_MULTIPLYING = {"generate_subscripts", "unnest"}
_FIXED_TYPE = re.compile(
    r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL\(\d+, ?\d+\)"
    r"|DOUBLE|FLOAT|REAL|BOOLEAN|DATE|TIME.*|INTERVAL|UUID|ENUM.*"
)


class Measuring(Protocol):
    """Finds the bytes of the longest value of each of some columns, by folded name."""

    def known(self, table: Table, columns: Sequence[Column]) -> Mapping[str, float]:
        """Return the bytes by the engine's statistics, without reading rows; columns that these lack are left out."""

    def measured(self, table: Table, columns: Sequence[Column]) -> Mapping[str, tuple[float, float]]:
        """Return the bytes of the longest value, and of all of the `VECTOR` longest together. Raise `TooMuch`."""


def check_lengths(root: Node, tables: Sequence[Table], measuring: Measuring) -> None:
    """Raise `Refused` where a query could cost too much with the values that are stored.

    Raise `TooMuch` where measuring these takes too long.
    """
    computed = _computed(root, tables)
    if not computed:
        return
    longest: dict[tuple[tuple[str, ...], str], float] = {}
    for table, columns in computed:
        known = measuring.known(table, columns)
        longest |= {
            (fold_path(table.path), fold(c.name)): known.get(fold(c.name), UNKNOWN) * _expansion(c) for c in columns
        }
    if max(longest.values()) <= CELL:
        return
    try:
        _check(root, tables, Lengths(longest))
    except Refused:
        measured = _measured(root, computed, measuring)
        try:
            _check(root, tables, measured)
        except Refused as refused:
            raise Refused(f"{refused} ({_longest(computed, measured)})") from None


def _check(root: Node, tables: Sequence[Table], lengths: Lengths) -> None:
    """Raise `Refused` where values of such lengths cost too much to compute with, or to repeat in many rows."""
    result = check_sizes(root, tables, lengths)
    if _repeats(root):
        repeated = sum(value.share for _, value in result.columns if value.stored)
        if repeated > _MAX_REPEATED:
            raise Refused(
                f"the query may show more than {_MAX_REPEATED:,} bytes of long values beside each of many rows; leave"
                " them out, or ask for them alone"
            )


def _repeats(root: Node) -> bool:
    """Return whether a stored value may occur in several rows of the result: a query joins, or has a subquery, etc."""
    inside = list(nodes(root))
    classes, kinds = _kinds(inside, "class"), _kinds(inside, "type")
    called = {fold(n["function_name"]) for n in inside if n.get("class") == "FUNCTION"}
    return (
        kinds.count("BASE_TABLE") > 1
        or "SUBQUERY" in classes
        or _has_copying_window(inside)
        or not {"JOIN", "RECURSIVE_CTE_NODE", "TABLE_FUNCTION"}.isdisjoint(kinds)
        or not called.isdisjoint(_MULTIPLYING)
    )


def _measured(root: Node, computed: Iterable[tuple[Table, Sequence[Column]]], measuring: Measuring) -> Lengths:
    """Return the measured lengths of some columns.

    A query that reads one table once reads each stored value once, so it has no more long rows than are stored.
    """
    longest: dict[tuple[tuple[str, ...], str], float] = {}
    rows = 0.0
    for table, columns in computed:
        measured = measuring.measured(table, columns)
        for column in columns:
            most, together = measured[fold(column.name)]
            longest[fold_path(table.path), fold(column.name)] = most * _expansion(column)
            rows += together / max(1.0, most)
    return Lengths(longest, min(rows, Lengths().rows)) if _reads_once(root) else Lengths(longest)


def _longest(computed: Iterable[tuple[Table, Sequence[Column]]], lengths: Lengths) -> str:
    """Return a sentence that names the column with the longest values."""
    columns = [(lengths.longest[fold_path(t.path), fold(c.name)], t.name, c.name) for t, cs in computed for c in cs]
    size, table, column = max(columns)
    return f"values of {table}.{column} have up to {size:,.0f} bytes"


def _computed(root: Node, tables: Iterable[Table]) -> list[tuple[Table, list[Column]]]:
    """Return the columns of varying length that a query may copy or compute with, by table.

    A name may stand for a column of any table of the query; a star, or a table's own name, stands for all of its
    columns.
    """
    inside = list(nodes(root))
    calls = [n for n in inside if n.get("class") in _COMPUTING]
    copies = any(n.get("group_expressions") for n in inside) or not _COPYING.isdisjoint(_kinds(inside, "type"))
    copies = copies or _repeats(root)
    if not copies and all(fold(n.get("function_name") or "") in _CHEAP for n in calls):
        return []
    named = {fold(name) for n in inside for name in n.get("column_names") or []}
    every = not {*_kinds(inside, "class"), *_kinds(inside, "type")}.isdisjoint(
        {"STAR", "POSITIONAL_REFERENCE", "PIVOT", "SHOW_REF"}
    )
    every = every or any(n.get("column_name_alias") for n in inside)
    read = {fold(n["table_name"]) for n in inside if n.get("type") == "BASE_TABLE"}
    aliases = {fold(n.get("alias") or "") for n in inside if n.get("type") in ("BASE_TABLE", "SUBQUERY")} | read
    every = every or any(fold(n["column_names"][-1]) in aliases for n in inside if n.get("column_names"))
    found = []
    for table in tables:
        if fold(table.name) in read:
            columns = [c for c in table.columns if not _is_fixed(c) and (every or fold(c.name) in named)]
            found += [(table, columns)] if columns else []
    return found


def _kinds(inside: Iterable[Node], field: str) -> list[str]:
    """Return the kinds of nodes by a field; in DuckDB 1.5 a literal has a node there for its type."""
    return [kind for node in inside if isinstance(kind := node.get(field), str)]


def _is_fixed(column: Column) -> bool:
    """Return whether the values of a column have about the same size: numbers, dates, truth values."""
    return _FIXED_TYPE.fullmatch(column.type.upper()) is not None


def _expansion(column: Column) -> float:
    """Return the bytes that the engine takes for each byte of a value's text: lists and records take more."""
    return _ELEMENT if re.search(r"\[|STRUCT|TUPLE|MAP|UNION|VARIANT", column.type.upper()) else 1.0


def _reads_once(root: Node) -> bool:
    """Return whether a query reads one table, once, and each row of it may become only one row of the result."""
    kinds = _kinds(list(nodes(root)), "type")
    return kinds.count("BASE_TABLE") == 1 and "PIVOT" not in kinds and not _repeats(root)


def _has_copying_window(inside: Iterable[Node]) -> bool:
    """Return whether the result of a window may be a value of another row, as that of `first_value` is."""
    return any(n.get("class") == "WINDOW" and fold(n["function_name"]) not in _CHEAP for n in inside)
