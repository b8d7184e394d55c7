"""Bound the lists, records and maps that a trial fetches.

DuckDB's client makes Python objects of a whole value in one step that nothing can interrupt: a list of forty million
elements, or a map whose keys all have one hash. So the engine compares their number with a bound first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from askwhere.sql.identifiers import quote
from askwhere.sql.literals import quoted

MOST_ELEMENTS = 200_000  # of a list
MOST_ENTRIES = 5_000  # of a map: as many equal hashes take a third of a second
_MOST_CHARACTERS = 2_000_000  # of a value with lists or records inside, as text
_MOST_WITH_MAPS = 30_000  # the same where maps are inside
TOO_MANY = (
    f"the query makes a list of more than {MOST_ELEMENTS:,} elements, a map of more than {MOST_ENTRIES:,}, or as large"
    " a record; let it return rows instead, as unnest makes them"
)
_NESTED = re.compile(r"\[|\b(STRUCT|TUPLE|MAP|UNION|VARIANT)\b")


def bounded(sql: str, names: Sequence[str], types: Sequence[str]) -> str:
    """Return a query for the rows of `sql` that ends with the error `TOO_MANY` where a value has too many elements.

    It is `sql` itself where no column has a nested type.
    """
    if not any(map(is_nested, types)):
        return sql
    columns = ", ".join(_column(quote(name), kind.upper()) for name, kind in zip(names, types, strict=True))
    return f"SELECT {columns} FROM (\n{sql}\n) AS askwhere_rows"  # errors show the line of the query alone


def is_nested(kind: str) -> bool:
    """Return whether values of a type are lists, records or maps, or may be."""
    return _NESTED.search(kind.upper()) is not None


def _column(name: str, kind: str) -> str:
    """Return the column of a type, with an error in place of a value that is too large."""
    cases = "".join(
        f" WHEN {condition} THEN system.main.error({quoted(TOO_MANY)})" for condition in _bounds(name, kind)
    )
    return f"CASE{cases} ELSE {name} END AS {name}" if cases else name


def _bounds(name: str, kind: str) -> Iterator[str]:
    """Yield the conditions under which a value of a type is too large, the cheaper first."""
    if kind.endswith("[]"):
        yield f"system.main.len({name}) > {MOST_ELEMENTS}"
        inside = kind.removesuffix("[]")
    elif kind.startswith("MAP("):
        yield f"system.main.cardinality({name}) > {MOST_ENTRIES}"
        inside = kind.removeprefix("MAP(")
    else:
        inside = kind
    if is_nested(inside):
        most = _MOST_WITH_MAPS if re.search(r"\b(MAP|VARIANT)\b", inside) else _MOST_CHARACTERS
        yield f"system.main.strlen(CAST({name} AS VARCHAR)) > {most}"
