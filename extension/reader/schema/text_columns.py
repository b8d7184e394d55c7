"""Find what columns of text hold: dates in one of several forms, numbers, or amounts with a unit.

Such a column gets another type, which ends in ` TEXT` and says how to read it (`in_form`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from askwhere.engine import Column, Table
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader.words.names import KEY_WORDS, full_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_text, is_year, says_yes_or_no
from askwhere.sql.dialect import Dialect
from sqlglot import exp

_SAMPLE = 40  # values of each column that are looked at
_FEW_DATES = 5  # as many of them are enough to know a date
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?\Z")
_PARTS = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2\d{4}\Z")
_DATED = re.compile(r"\d{1,2}(?:/\d{1,2}/(?:\d{4}|\d\d)|([.-])\d{1,2}\1\d{4})\b")
_LATE_DAYS = " ".join(map(str, range(13, 32)))  # what is no month: where it stands, the day stands
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?\Z")
_AMOUNT = re.compile(r"[-+]?[$€£]? ?\d{1,3}(?:,?\d{3})*(?:[.,]\d+)? ?(?:[%€]|[A-Za-z]{1,3})?\Z")
# Numbers by which people know a thing: nobody adds them up, and `00501` is another than `501`.
_CODES = KEY_WORDS | {stem(word) for word in "phone telephone tel mobile fax zip postcode postal isbn nr no".split()}
NUMBERS, AMOUNTS, UNCLEAR = "NUMBER TEXT", "AMOUNT TEXT", "DATE ? TEXT"


def with_types_of_texts(catalog: Catalog, values: ValueIndex) -> Catalog:
    """Return the catalog with the types of text columns changed where all values that the index gives have a form.

    ISO dates and times are typed `DATE TEXT` and `DATETIME TEXT`, dates such as 14/03/2024 `DATE %d/%m/%Y TEXT`, or
    `UNCLEAR` where no value tells day and month apart; numbers are typed `NUMBERS`, and what is sorted otherwise as
    text than as the numbers in it ("$9", "$10") `AMOUNTS`.
    """
    found = _values(values, "", _SAMPLE)
    late = _values(values, _LATE_DAYS, _SAMPLE) if any(map(_are_dates, found.values())) else {}

    def column(table: Table, one: Column) -> Column:
        place = (table.path, one.name)
        texts = found.get(place, ()) if is_text(one) or not one.type else ()
        kind = _type_of(table, one, texts, late.get(place, ())) if texts else ""
        return replace(one, type=kind) if kind else one

    tables = tuple(replace(t, columns=tuple(column(t, c) for c in t.columns)) for t in catalog.tables)
    return replace(catalog, tables=tables) if tables != catalog.tables else catalog


def _values(values: ValueIndex, text: str, most: int) -> dict[tuple[tuple[str, ...], str], list[str]]:
    """Return up to `most` values of each column that share a word with a text, or for no text the first ones."""
    found: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for match in values.search(text, most, fill=not text):
        found.setdefault((match.table, match.column), []).append(match.value)
    return found


def _type_of(table: Table, column: Column, texts: Sequence[str], late: Sequence[str]) -> str:
    """Return the type of a column that holds these texts, and these ones with a number that is no month; else ""."""
    if all(_ISO.match(text) for text in texts[:_FEW_DATES]):
        return "DATE TEXT" if all(len(text) == 10 for text in texts[:_FEW_DATES]) else "DATETIME TEXT"
    if _are_dates(texts):
        return _date_type([*texts, *late])
    if not column.type or is_year(column) or says_yes_or_no(column) or _is_code(table, column):
        return ""
    if all(map(_NUMBER.match, texts)):
        return NUMBERS if {"0", "1"} != set(texts) else ""
    amounts = all(map(_AMOUNT.match, texts)) and sorted(texts) != sorted(texts, key=_in_order)
    return AMOUNTS if amounts else ""


def _are_dates(texts: Sequence[str]) -> bool:
    """Return whether all texts begin with a date that ends in its year."""
    return all(map(_DATED.match, texts))


def _date_type(texts: Sequence[str]) -> str:
    """Return the type of dates that end in their year: with the day first, the month first, or `UNCLEAR`."""
    parts = [_PARTS.match(text) for text in texts]
    signs = {match[2] for match in parts if match}
    days, others = ({int(match[place]) > 12 for match in parts if match} for place in (1, 3))
    if not all(parts) or len(signs) != 1 or (True in days) == (True in others):
        return UNCLEAR
    sign = signs.pop()
    return f"DATE {sign.join(('%d', '%m', '%Y') if True in days else ('%m', '%d', '%Y'))} TEXT"


def _is_code(table: Table, column: Column) -> bool:
    """Return whether a column is a key, or is called like the number or code of a thing."""
    keys = (table.primary_key, *(key.columns for key in table.foreign_keys))
    return not _CODES.isdisjoint(full_stems(column.name)) or any(column.name in key for key in keys)


def _in_order(text: str) -> tuple[float, str]:
    """Return what sorts amounts by their number, then by their text."""
    number = re.sub(r"[^\d.-]", "", text.replace(",", ""))
    return (float(number) if re.fullmatch(r"-?\d+(?:\.\d+)?", number) else 0.0, text)


def is_written(column: Column) -> bool:
    """Return whether a column holds its dates or numbers as text, as `with_types_of_texts` marks them."""
    return column.type.endswith(" TEXT")


def date_form(column: Column) -> str:
    """Return the form of the dates that a column holds as text, `%d/%m/%Y`; empty for ISO and for other columns."""
    return column.type[5:-5] if column.type.startswith("DATE %") and is_written(column) else ""


def comparable(column: exp.Expr, of: Column, dialect: Dialect) -> exp.Expr | None:
    """Return a column as what can be compared and sorted: a number or a date in place of the text that says it.

    Return None where a text can be read in several ways.
    """
    if of.type in (AMOUNTS, UNCLEAR):
        return None
    if of.type == NUMBERS:
        return dialect.expressions.number(column)
    return dialect.expressions.dated(column, form) if (form := date_form(of)) else column


def unreadable(column: Column) -> str:
    """Return why a column of text cannot be compared or sorted, as the end of a sentence; empty where it can."""
    if column.type == UNCLEAR:
        return "holds dates as text in which day and month cannot be told apart, or a time follows"
    return "holds amounts as text, which sort otherwise than their numbers" if column.type == AMOUNTS else ""
