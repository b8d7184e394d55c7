"""Find what a plain word for a number or a date means in each table: "number", "date"."""

from __future__ import annotations

from askwhere.engine import Column, Table
from askwhere.reader.marking.formulas import days_of
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.naming import events, key_columns, own_dates
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.names import full_stems

_GIVEN = (("number",), ("refer",))  # what is left of a name of the number that people know a row by


def plainly_named(word: str, lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the number or the date of each table for "number" or "date"; nothing for other words."""
    finder = {"number": _number, "numbers": _number, "date": _date, "dates": _date}.get(word)
    found = ((table, finder(table)) for table in lexicon.tables) if finder else ()
    return tuple(Sense(table, (column,), 0.9) for table, column in found if column)


def _number(table: Table) -> Column | None:
    """Return the column of the number that people know a row by: the one that is given out, or else the key."""
    own = set(full_stems(table.name))
    rest = {c.name: tuple(w for w in full_stems(c.name) if w not in own) for c in table.columns}
    given = [c for c in table.columns if rest[c.name] in _GIVEN]
    keys = key_columns(table)
    return given[0] if given else keys[0] if len(keys) == 1 else None


def _date(table: Table) -> Column | None:
    """Return the one date of a table, named after the table or nothing if it can be, or the one at which rows begin.

    None is returned for a table with other dates.
    """
    found = own_dates(table) or events(table)
    if len(found) == 1:
        return found[0]
    return next((pair.columns[1] for pair in days_of(table)), None)
