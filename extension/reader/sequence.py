"""Choose the columns that tell which rows of a table came first: a date, or else a numeric key."""

from __future__ import annotations

from askwhere.engine import Column, Table
from askwhere.reader.naming import key_columns, own_words
from askwhere.reader.types import is_date, is_number, is_year

_TIMES = frozenset({"date", "time", "year", "datetim", "timestamp", "day", "at", "on"})
_OF_SOMETHING_ELSE = frozenset({"birth", "born", "birthdat", "birthday", "death", "updat", "modifi", "chang"})


def sequence_columns(table: Table) -> tuple[Column, ...]:
    """Return the columns that may order the rows of a table in time.

    If there is a date named after the table (`OrderDate` of `Orders`) or after nothing, only such dates are returned;
    else other dates, except those of birth, death and changes, and the key if it is one number.
    """
    dates = events(table)
    keys = key_columns(table)
    return own_dates(table) or dates + (keys if len(keys) == 1 and is_number(keys[0]) else ())


def events(table: Table) -> tuple[Column, ...]:
    """Return the dates and years of a table, except dates of birth, death and changes to its rows."""
    return tuple(c for c in timely(table) if not own_words(table, c) & _OF_SOMETHING_ELSE)


def own_dates(table: Table) -> tuple[Column, ...]:
    """Return the dates and years that are named after the table or after nothing: `OrderDate` of `Orders`."""
    return tuple(c for c in timely(table) if own_words(table, c) <= _TIMES)


def timely(table: Table) -> tuple[Column, ...]:
    """Return the columns of a table that hold dates, times or years."""
    return tuple(c for c in table.columns if is_date(c) or is_year(c))
