"""What a column holds, from the type it was declared with and from its name."""

from __future__ import annotations

import re

from askwhere.engine import Column

_NUMBER = re.compile(r"INT|REAL|DOUB|FLOA|DEC|NUM|SERIAL|MONEY|LONG", re.IGNORECASE)
_MOMENT = re.compile(r"DATETIME|TIMESTAMP", re.IGNORECASE)
_DATE = re.compile(r"DATE|TIME", re.IGNORECASE)


def is_number(column: Column) -> bool:
    """Whether a column holds numbers that may be added up or ranked."""
    return bool(_NUMBER.search(column.type))


def is_flag(column: Column) -> bool:
    """Whether a column says yes or no, by its type."""
    return column.type.upper().startswith("BOOL")


def is_date(column: Column) -> bool:
    """Whether a column holds dates or times, by its type or, for text, by its name."""
    return bool(_DATE.search(column.type)) or (not is_number(column) and bool(_DATE.search(column.name)))


def is_dated(column: Column) -> bool:
    """Whether a column is declared to hold dates or times."""
    return bool(_DATE.search(column.type))


def is_moment(column: Column) -> bool:
    """Whether a column is declared to hold a day and a time of it."""
    return bool(_MOMENT.search(column.type))


def is_year(column: Column) -> bool:
    """Whether a column holds plain years."""
    return "year" in column.name.lower() and not _DATE.search(column.type)


def is_text(column: Column) -> bool:
    """Whether numbers in a column are compared as text unless they are cast."""
    return not is_number(column) and not _DATE.search(column.type) and bool(column.type)
