"""Spans of days in words: "March 2023", "the first quarter of 2024", "last month", "5 May 2021"."""

from __future__ import annotations

import re
from calendar import month_abbr, month_name, monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from askwhere.engine import Column, Table
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader.tokens import NUMBERS
from askwhere.reader.types import is_text
from askwhere.sql.dialect import Dialect
from sqlglot import exp


@dataclass(frozen=True)
class Bound:
    """The beginning of a day: an ISO date, or where that is empty, so far from the beginning of the present day, week …

    `present` and `by` are units: 'day', 'week' (which begins on Monday), 'month', 'quarter' or 'year'.
    """

    day: str = ""
    present: str = "day"
    shift: int = 0
    by: str = "day"


@dataclass(frozen=True)
class Span:
    """The days from `first` up to, and without, `end`."""

    first: Bound
    end: Bound


_MONTHS = {name.lower(): n for names in (month_name, month_abbr) for n, name in enumerate(names) if n} | {"sept": 9}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\Z")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_UNITS = {form: unit for unit in ("day", "week", "month", "quarter", "year") for form in (unit, f"{unit}s")}
_LAST = ("last", "past", "previous")
_ARTICLES = ("the", "of", "in", ",")


def spans(words: Sequence[str]) -> Iterator[tuple[int, int, Span]]:
    """Yield the spans that words in lower case say, each with its first word and the one after its last.

    "Between" or "from" before two of them makes one: from the first day of the one to the last day of the other.
    """
    found = [(start, *said) for start in range(len(words)) if (said := _longest(words, start))]
    for start, end, span in found:
        yield start, end, span
        for later, end_of_later, other in found:
            between = tuple(words[end:later])
            if start and words[start - 1] in ("between", "from") and between in _TO.get(words[start - 1], ()):
                yield start - 1, end_of_later, Span(span.first, other.end)


_TO = {"between": (("and",),), "from": (("to",), ("until",), ("till",), ("through",), ("up", "to"))}


def _longest(words: Sequence[str], start: int) -> tuple[int, Span] | None:
    """Return the longest span that begins with a word, and the place after it."""
    for end in range(min(start + 6, len(words)), start, -1):
        said = [w for w in words[start:end] if w not in _ARTICLES]
        if words[start] not in _ARTICLES[1:] and words[end - 1] not in _ARTICLES and (span := _span(said)):
            return end, span
    month = _MONTHS.get(words[start])  # "between March and June 2023": the year is said once
    later = words[start + 2 : start + 4]
    if (
        month
        and start
        and words[start - 1] in _TO
        and len(later) == 2
        and later[0] in _MONTHS
        and _YEAR.match(later[1])
    ):
        return start + 1, _months(int(later[1]), month, 1)
    return None


def _span(words: Sequence[str]) -> Span | None:
    """Return the span that words without articles say, None where they say none."""
    match words:
        case ["today"]:
            return Span(Bound(), Bound(shift=1))
        case ["yesterday"]:
            return Span(Bound(shift=-1), Bound())
        case [("this" | "current"), unit] if unit in _UNITS:
            return Span(_begin(unit), _begin(unit, 1))
        case [last, unit] if last in _LAST and unit in _UNITS.keys() - {"day", "days"} and not unit.endswith("s"):
            return Span(_begin(unit, -1), _begin(unit))
        case [last, number, unit] if last in _LAST and unit in _UNITS and _number(number):
            return Span(Bound(shift=-_number(number), by=_UNITS[unit]), Bound(shift=1))
        case [month, year] if month in _MONTHS and _YEAR.match(year):
            return _months(int(year), _MONTHS[month], 1)
        case [month, day, year] if month in _MONTHS and _DAY.match(day) and _YEAR.match(year):
            return _day(int(year), _MONTHS[month], int(re.sub(r"\D", "", day)))
        case [day, month, year] if month in _MONTHS and _DAY.match(day) and _YEAR.match(year):
            return _span([month, day, year])
        case [part, year] if re.match(r"[qh][1-4]\Z", part) and _YEAR.match(year):
            return _part("quarter" if part[0] == "q" else "half", int(part[1]), int(year))
        case [year, part] if re.match(r"[qh][1-4]\Z", part) and _YEAR.match(year):
            return _span([part, year])
        case [ordinal, ("quarter" | "half") as part, year] if ordinal in _ORDINALS and _YEAR.match(year):
            return _part(part, 2 if (ordinal, part) == ("last", "half") else _ORDINALS[ordinal], int(year))
    return None


def _number(word: str) -> int:
    return int(word) if word.isdecimal() and len(word) < 5 else NUMBERS.get(word, 0)


def _begin(unit: str, shift: int = 0) -> Bound:
    """Return the beginning of the present week, month …, or of one so many before or after it."""
    return Bound("", _UNITS[unit], shift, _UNITS[unit])


def _part(part: str, number: int, year: int) -> Span | None:
    months = 3 if part == "quarter" else 6
    return _months(year, months * (number - 1) + 1, months) if number * months <= 12 else None


def _months(year: int, first: int, number: int) -> Span:
    """Return so many months of a year from its month `first` on."""
    last = first + number - 1
    end = date(year, last, monthrange(year, last)[1]) + timedelta(1)
    return Span(Bound(date(year, first, 1).isoformat()), Bound(end.isoformat()))


def _day(year: int, month: int, day: int) -> Span | None:
    if not 1 <= day <= monthrange(year, month)[1]:
        return None
    that = date(year, month, day)
    return Span(Bound(that.isoformat()), Bound((that + timedelta(1)).isoformat()))


def written(bound: Bound, dialect: Dialect) -> exp.Expr:
    """Return a bound in SQL: a text in ISO form, or an expression of today's date, in local time."""
    if bound.day:
        return exp.Literal.string(bound.day)
    number, unit = (bound.shift * 3, "month") if bound.by == "quarter" else (bound.shift, bound.by)
    number, unit = (number * 7, "day") if unit == "week" else (number, unit)
    return dialect.expressions.present(bound.present, number, unit)


_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?\Z")
_SAMPLE = 5  # values of a column


def typed(catalog: Catalog, values: ValueIndex) -> Catalog:
    """Return a catalog in which columns of text that hold ISO dates or times are declared so, which few schemas do.

    A column counts where the few values looked at are all ISO.
    """
    found: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for match in values.search("", _SAMPLE, fill=True):
        found.setdefault((match.table, match.column), []).append(match.value)
    kinds = {key: _kind(texts) for key, texts in found.items()}

    def column(table: Table, one: Column) -> Column:
        kind = kinds.get((table.path, one.name), "") if is_text(one) or not one.type else ""
        return replace(one, type=kind) if kind else one

    if not any(kinds.values()):
        return catalog
    tables = tuple(replace(t, columns=tuple(column(t, c) for c in t.columns)) for t in catalog.tables)
    return replace(catalog, tables=tables)


def is_written(column: Column) -> bool:
    """Return whether a column of dates holds them as text."""
    return column.type.endswith(" TEXT")


def _kind(texts: Sequence[str]) -> str:
    """Return the type of a column that holds these texts: empty where they are no dates."""
    if not all(_ISO.match(text) for text in texts):
        return ""
    return "DATE TEXT" if all(len(text) == 10 for text in texts) else "DATETIME TEXT"
