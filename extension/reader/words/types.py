"""Tell what a column holds, from its declared type, its name and its values: numbers, dates, yes or no (flags)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from askwhere.engine import Column, Table
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader.words.names import cut_name, full_stems

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
    return is_dated(column) or (not is_number(column) and bool(_DATE.search(column.name)))


def is_dated(column: Column) -> bool:
    """Return whether a column is declared to hold dates or times."""
    return bool(_DATE.search(_declared(column)))


def is_moment(column: Column) -> bool:
    """Return whether a column is declared to hold a date with a time."""
    return bool(_MOMENT.search(_declared(column)))


def is_time_of_day(column: Column) -> bool:
    """Return whether a column holds times without a date, by its type or, without a type of dates, by its name."""
    name = column.name.lower()
    return column.type.upper() == "TIME" or (not is_dated(column) and "time" in name and "date" not in name)


def is_year(column: Column) -> bool:
    """Return whether a column holds plain years, by its name: no `yearly_cost`, nor a number of `years_worked`."""
    begun = column.name.lower().endswith(("built", "founded", "established")) and is_number(column)
    words = cut_name(column.name)
    named = begun or "yr" in words or any("year" in word and word not in ("years", "yearly") for word in words)
    return named and not is_dated(column)


def says_birth(column: Column) -> bool:
    """Return whether a column is called after birth: `birth_date`, `born`, `year_of_birth`."""
    return not _BIRTHS.isdisjoint(full_stems(column.name))


_BIRTHS = frozenset({"birth", "born", "birthdat", "birthday"})


def is_text(column: Column) -> bool:
    """Return whether a column is declared with a type for neither numbers nor dates.

    In it numbers compare as texts unless they are cast. A column without a declared type is none.
    """
    return not is_number(column) and not is_dated(column) and bool(column.type)


Truth = str | int
Truths = dict[tuple[tuple[str, ...], str], Truth]

# Names that only flags have.
_FLAG = re.compile(r"(?i:is|has|was|are)_|(?:is|has|was)(?=[A-Z])|(?:Is|Has|Was)(?=[A-Z])|.*_(?i:yn|flg|flag|fl|ind)\Z")
# Names of columns in which even the last two pairs of `_YES_NO` mean yes and no.
_MAYBE_FLAG = re.compile(r"(?i:on)_|[Oo]n(?=[A-Z])|(?i:(?<=[a-z]{3})ed|active|available)\Z")
_YES_NO = (("yes", "no"), ("true", "false"), ("y", "n"), ("1", "0"), ("t", "f"))


def says_yes_or_no(column: Column) -> bool:
    """Return whether a column is a flag by its type or name."""
    return is_flag(column) or bool(_FLAG.match(column.name))


def yes_values(catalog: Catalog, values: ValueIndex) -> Truths:
    """Return the value for yes of each flag: TRUE, 1, or a word as the data spells it.

    The keys are (table's path, column's name). A column of text is a flag if the index `values` holds both words of a
    pair in it, such as Y and N; one of numbers is a flag if its name says so, or if it holds 0 and 1 alone.
    """
    spelt = _spelt(values)
    return dict.fromkeys(values.flags, 1) | {
        (table.path, column.name): truth
        for table in catalog.tables
        for column in table.columns
        for truth in _truths_of(table, column, spelt)
    }


def _truths_of(table: Table, column: Column, spelt: dict[tuple[tuple[str, ...], str, str], str]) -> Iterator[Truth]:
    """Yield a column's value for yes; nothing if the column is no flag."""
    named = bool(_FLAG.match(column.name))
    if is_flag(column):
        yield True
    elif is_number(column):
        yield from (1,) if named else ()
    else:
        pairs = _YES_NO if named or _MAYBE_FLAG.search(column.name) else _YES_NO[:3]
        held = ([spelt.get((table.path, column.name, word), "") for word in pair] for pair in pairs)
        yield from [yes for yes, no in held if yes and no][:1]


def _spelt(values: ValueIndex) -> dict[tuple[tuple[str, ...], str, str], str]:
    """Return how each column that holds a word for yes or no spells it, by path, column and the word."""
    words = [word for pair in _YES_NO for word in pair]
    matches = values.exact(words)
    return {(m.table, m.column, word): m.value for word in words for m in matches.get(word, ())}
