"""What says which rows of a table came first: its date, or else the number that is its key."""

from __future__ import annotations

from askwhere.engine import Column, Table
from askwhere.reader.naming import key_columns, own_words
from askwhere.reader.types import is_date, is_number, is_year

_TIMES = frozenset({"date", "time", "year", "datetim", "timestamp", "day", "at", "on"})
_OF_SOMETHING_ELSE = frozenset({"birth", "born", "birthdat", "birthday", "death", "updat", "modifi", "chang"})


def sequence_columns(table: Table) -> tuple[Column, ...]:
    """The columns that the first and the last rows of a table may be told by; one where it is plain which is meant.

    A date named after the table (`OrderDate` of `Orders`) is plainly meant. Other dates may be, and so may a key that
    is a number; days of birth and of changes say nothing of it.
    """
    dates = events(table)
    keys = key_columns(table)
    return own_dates(table) or dates + (keys if len(keys) == 1 and is_number(keys[0]) else ())


def events(table: Table) -> tuple[Column, ...]:
    """Return the dates and years of a table but days of birth and death and of changes to its rows."""
    return tuple(c for c in _timely(table) if not own_words(table, c) & _OF_SOMETHING_ELSE)


def own_dates(table: Table) -> tuple[Column, ...]:
    """The dates that are named after the table or after nothing: `OrderDate` of `Orders`."""
    return tuple(c for c in _timely(table) if own_words(table, c) <= _TIMES)


def _timely(table: Table) -> tuple[Column, ...]:
    return tuple(c for c in table.columns if is_date(c) or is_year(c))
