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
from askwhere.reader.schema.naming import KIND
from askwhere.reader.words.names import KEY_WORDS, full_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_text, is_year, says_yes_or_no
from askwhere.sql.dialect import Dialect
from sqlglot import exp

_SAMPLE = 40  # values of each column that are looked at
_REPEATED = 5  # rows for each of the texts that are kinds, in the mean
_FEW_DATES = 5  # the first values, which decide whether a column is one of ISO dates
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?\Z")
_PARTS = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2\d{4}\Z")
_DATED = re.compile(r"\d{1,2}(?:/\d{1,2}/(?:\d{4}|\d\d)|([.-])\d{1,2}\1\d{4})\b")
_LATE_DAYS = " ".join(map(str, range(13, 32)))  # numbers that are no month: dates with one show where the day stands
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?\Z")
_AMOUNT = re.compile(r"[-+]?[$€£]? ?\d{1,3}(?:,?\d{3})*(?:[.,]\d+)? ?(?:[%€]|[A-Za-z]{1,3})?\Z")
# Numbers by which people know a thing: nobody adds them up, and `00501` is another than `501`.
_CODES = KEY_WORDS | {stem(word) for word in "phone telephone tel mobile fax zip postcode postal isbn nr no".split()}
NUMBERS, AMOUNTS, UNCLEAR = "NUMBER TEXT", "AMOUNT TEXT", "DATE ? TEXT"


def with_types_of_texts(catalog: Catalog, values: ValueIndex) -> Catalog:
    """Return the catalog with another type for each text column all of whose values in the index have one form.

    - `DATE TEXT`, `DATETIME TEXT`: ISO dates, and times;
    - `DATE %d/%m/%Y TEXT`: dates such as 14/03/2024, or `UNCLEAR` where no value tells day and month apart;
    - `NUMBERS`: numbers; `AMOUNTS`: texts with numbers, "$9", "$10", that sort otherwise than these;
    - `KIND`: texts that many rows have in common, which name none of them: the subjects of appointments.
    """
    first = _values(values, "", _SAMPLE)
    late = _values(values, _LATE_DAYS, _SAMPLE) if any(map(_are_dates, first.values())) else {}

    def typed(table: Table, column: Column) -> Column:
        place = (table.path, column.name)
        texts = first.get(place, ()) if is_text(column) or not column.type else ()
        kind = _type_of(table, column, texts, late.get(place, ())) if texts else ""
        if not kind and is_text(column) and 0 < len(texts) < _SAMPLE and (table.rows or 0) >= _REPEATED * len(texts):
            kind = KIND
        return replace(column, type=kind) if kind else column

    tables = tuple(replace(t, columns=tuple(typed(t, c) for c in t.columns)) for t in catalog.tables)
    return replace(catalog, tables=tables) if tables != catalog.tables else catalog


def _values(values: ValueIndex, text: str, most: int) -> dict[tuple[tuple[str, ...], str], list[str]]:
    """Return by (table, column) up to `most` values that share a word with a text, or the first ones for no text."""
    by_column: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for match in values.search(text, most, fill=not text):
        by_column.setdefault((match.table, match.column), []).append(match.value)
    return by_column


def _type_of(table: Table, column: Column, texts: Sequence[str], late: Sequence[str]) -> str:
    """Return the type of a column with these texts, and `late` ones with a number that is no month; "" for its own."""
    if all(_ISO.match(text) for text in texts[:_FEW_DATES]):
        return "DATE TEXT" if all(len(text) == 10 for text in texts[:_FEW_DATES]) else "DATETIME TEXT"
    if _are_dates(texts):
        return _date_type([*texts, *late])
    if not column.type or is_year(column) or says_yes_or_no(column) or _is_code(table, column):
        return ""
    if all(map(_NUMBER.match, texts)):
        return NUMBERS if {"0", "1"} != set(texts) else ""
    amounts = all(map(_AMOUNT.match, texts)) and sorted(texts) != sorted(texts, key=_by_number)
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


def _by_number(text: str) -> tuple[float, str]:
    """Return a key that sorts amounts by their number, then by their text."""
    number = re.sub(r"[^\d.-]", "", text.replace(",", ""))
    return (float(number) if re.fullmatch(r"-?\d+(?:\.\d+)?", number) else 0.0, text)


def is_written(column: Column) -> bool:
    """Return whether a column holds its dates or numbers as text, as `with_types_of_texts` marks them."""
    return column.type.endswith(" TEXT")


def date_form(column: Column) -> str:
    """Return the form of the dates that a column holds as text, `%d/%m/%Y`; empty for ISO and for other columns."""
    return column.type[5:-5] if column.type.startswith("DATE %") and is_written(column) else ""


def comparable(column: exp.Expr, of: Column, dialect: Dialect) -> exp.Expr | None:
    """Return a column as an expression that compares and sorts rightly: a number or date in place of a text for one.

    Return None where a text may mean several numbers or dates.
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
