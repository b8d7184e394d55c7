"""Tell what a column holds, from its declared type and its name."""

from __future__ import annotations

import re

from askwhere.engine import Column

_NUMBER = re.compile(r"INT|REAL|DOUB|FLOA|DEC|NUM|SERIAL|MONEY|LONG", re.IGNORECASE)
_MOMENT = re.compile(r"DATETIME|TIMESTAMP", re.IGNORECASE)
_DATE = re.compile(r"DATE|TIME", re.IGNORECASE)


def _declared(column: Column) -> str:
    """Return a column's type. An ENUM is text, whatever other types its name and its labels contain."""
    return "TEXT" if column.type[:4].upper() == "ENUM" else column.type


def is_number(column: Column) -> bool:
    """Return whether a column is declared to hold numbers."""
    return bool(_NUMBER.search(_declared(column)))


def is_flag(column: Column) -> bool:
    """Return whether a column is declared to hold booleans."""
    return column.type.upper().startswith("BOOL")


def is_date(column: Column) -> bool:
    """Return whether a column holds dates or times, by its type or, unless it holds numbers, by its name."""
    return bool(_DATE.search(_declared(column))) or (not is_number(column) and bool(_DATE.search(column.name)))


def is_dated(column: Column) -> bool:
    """Return whether a column is declared to hold dates or times."""
    return bool(_DATE.search(_declared(column)))


def is_moment(column: Column) -> bool:
    """Return whether a column is declared to hold a date with a time."""
    return bool(_MOMENT.search(_declared(column)))


def is_year(column: Column) -> bool:
    """Return whether a column holds plain years, by its name."""
    return "year" in column.name.lower() and not _DATE.search(_declared(column))


def is_text(column: Column) -> bool:
    """Return whether a column is declared with a type for neither numbers nor dates.

    Numbers are then compared as text unless they are cast. A column without a declared type does not count.
    """
    return not is_number(column) and not _DATE.search(_declared(column)) and bool(column.type)
