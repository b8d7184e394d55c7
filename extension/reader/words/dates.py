"""Read spans of days ("March 2023") and periods to group by ("per quarter")."""

from __future__ import annotations

import re
from calendar import day_name, month_abbr, month_name, monthrange
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from askwhere.engine import Column
from askwhere.frozen import frozen
from askwhere.reader.words.months import is_by_month
from askwhere.reader.words.tokens import NUMBERS
from askwhere.reader.words.types import is_dated, is_moment, is_year
from askwhere.sql.dialect import Dialect
from sqlglot import exp


@frozen
class Bound:
    """The beginning of a day, fixed or relative to today.

    - Fixed, `day` is an ISO date or, as ISO 8601 writes them, a month of any year, `--03`, a day of any week, `-W-5`
      for Friday, or a time of any day, `-T19:00`.
    - Relative, `day` is empty. It is the beginning of the unit `present` that was current `ago` months ago, plus
      `shift` units `by`. The latest June that has begun is five months into the year that was current five months ago.

    Units are 'day', 'week' (which begins on Monday), 'month', 'quarter' and 'year'.
    """

    day: str = ""
    present: str = "day"
    shift: int = 0
    by: str = "day"
    ago: int = 0

    @property
    def recurs(self) -> bool:
        """Return whether it is in any year or week, or on any day, and not on one date."""
        return self.day.startswith("-")


def begins_a_month(bound: Bound) -> bool:
    """Return whether a bound is the beginning of a month, of a certain year or of any, or relative to today."""
    if bound.day:
        return bound.day.endswith("-01") or bool(re.match(r"--\d\d\Z", bound.day))
    return bound.present in ("month", "quarter", "year") and bound.by in ("month", "quarter", "year")


@frozen
class Span:
    """The days from `first` to `end`, without `end` itself."""

    first: Bound
    end: Bound


MONTHS = {name.lower(): n for names in (month_name, month_abbr) for n, name in enumerate(names) if n} | {"sept": 9}
# Days of the week, from 1 for Monday, each as its first day and the one behind its last: (6, 8) of a weekend.
_DAYS = {f"{name.lower()}{end}": (n, n + 1) for n, name in enumerate(day_name, 1) for end in ("", "s")}
_DAYS |= dict.fromkeys(("weekend", "weekends"), (6, 8))
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\Z")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
DATE_UNITS = {form: unit for unit in ("day", "week", "month", "quarter", "year") for form in (unit, f"{unit}s")}
_DECADES = {"fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990}
_LAST = ("last", "past", "previous")
_ARTICLES = ("the", "of", "in", ",")


def day_spans(words: Sequence[str]) -> Iterator[tuple[int, int, Span]]:
    """Yield the spans of days in a question's `words` (in lower case) as (start, end, span).

    The words of a span are `words[start:end]`. For "between A and B" and "from A to B" the span from the first day of
    A to the last day of B is yielded as well, and for "June to August 2025", whose first month has no year.
    """
    spans = [(start, *longest) for start in range(len(words)) if (longest := _longest(words, start))]
    for start, end, span in spans:
        yield start, end, span
        for later, end_of_later, other in spans:
            between = tuple(words[end:later])
            alike = span.first.recurs or not other.first.recurs
            if start and alike and words[start - 1] in ("between", "from") and between in _TO.get(words[start - 1], ()):
                yield start - 1, end_of_later, Span(span.first, other.end)
            elif end == start + 1 and between in _TO["from"] and _is_of_later_year(words, start):
                yield start, end_of_later, Span(span.first, other.end)


_TO = {"between": (("and",),), "from": (("to",), ("until",), ("till",), ("through",), ("up", "to"))}


def _longest(words: Sequence[str], start: int) -> tuple[int, Span] | None:
    """Return the longest span that begins at `words[start]`, with the index behind it; None without one."""
    for end in range(min(start + 6, len(words)), start, -1):
        content = [w for w in words[start:end] if w not in _ARTICLES]
        if words[start] not in _ARTICLES[1:] and words[end - 1] not in _ARTICLES and (span := _span(content)):
            return end, span
    if _is_of_later_year(words, start):
        return start + 1, _months(int(words[start + 3]), MONTHS[words[start]], 1)
    span = _recurring(words, start)
    return (start + 1, span) if span else None


def _is_of_later_year(words: Sequence[str], start: int) -> bool:
    """Return whether a month has its year behind a second one: "between March and June 2023", "June to August 2025"."""
    later = words[start + 1 : start + 4]
    if words[start] not in MONTHS or len(later) < 3 or later[1] not in MONTHS or not _YEAR.match(later[2]):
        return False
    return (start > 0 and words[start - 1] in _TO) or (later[0],) in _TO["from"]


def _recurring(words: Sequence[str], start: int) -> Span | None:
    """Return the span of a day of the week, or of a month without a year, "in March"; None for other words.

    A word that may also be another, "may", "mar", is a month only behind a preposition or beside other months.
    """
    if words[start] in _DAYS:
        return Span(*(Bound(f"-W-{day}") for day in _DAYS[words[start]]))
    word, before = words[start], words[start - 1] if start else ""
    if before == "since" and word in MONTHS:
        return _latest(MONTHS[word])
    months = any(near in MONTHS for near in (*words[max(start - 2, 0) : start - 1], *words[start + 2 : start + 3]))
    if len(word) < 4 and not (months or before in _WITHIN):
        return None
    behind = "".join(words[start + 1 : start + 2])
    alone = len(word) > 4 and word not in _ALSO_WORDS and behind.isalpha()  # "January invoices"
    listed = before in ("between", "and", "from", "to", "or", "vs") and (months or word not in _ALSO_WORDS)
    if word not in MONTHS or not (before in _WITHIN or listed or alone):
        return None
    return Span(Bound(f"--{MONTHS[word]:02}"), Bound(f"--{MONTHS[word] + 1:02}"))


_WITHIN = ("in", "during", "of", "for", "every", "each")
_ALSO_WORDS = ("may", "march", "august")


def _span(words: Sequence[str]) -> Span | None:
    """Return the span that all of these words, given without articles, stand for; None if they stand for none."""
    match words:
        case ["today" | "tonight"]:
            return Span(Bound(), Bound(shift=1))
        case ["yesterday"]:
            return Span(Bound(shift=-1), Bound())
        case ["tomorrow"]:
            return Span(Bound(shift=1), Bound(shift=2))
        case [("this" | "current"), unit] if unit in DATE_UNITS:
            return Span(_begin(unit), _begin(unit, 1))
        case [last, unit] if last in _LAST and unit in DATE_UNITS.keys() - {"day", "days"} and not unit.endswith("s"):
            return Span(_begin(unit, -1), _begin(unit))
        case ["this", day] if day in _DAYS:
            return _of_week(_DAYS[day])
        case [last, ("weekend") as day] if last in _LAST:
            return _of_week(_DAYS[day], -1)
        case ["last", month] if month in MONTHS:
            return _latest(MONTHS[month], 1)
        case ["this", month] if month in MONTHS:
            return _month_of(Bound("", "year"), MONTHS[month])
        case [number, unit, "ago"] if unit in DATE_UNITS and _number_ago(number):
            return Span(_begin(unit, -_number_ago(number)), _begin(unit, 1 - _number_ago(number)))
        case [last, number, unit] if last in _LAST and unit in DATE_UNITS and _number(number):
            return Span(Bound(shift=-_number(number), by=DATE_UNITS[unit]), Bound(shift=1))
        case [("next" | "coming"), unit] if unit in DATE_UNITS.keys() - {"day", "days"} and not unit.endswith("s"):
            return Span(_begin(unit, 1), _begin(unit, 2))
        case [("next" | "coming"), number, unit] if unit in DATE_UNITS and _number(number):
            return Span(Bound(), Bound(shift=_number(number), by=DATE_UNITS[unit]))
        case [decade] if re.match(r"(?:19|20)\d0s\Z", decade):
            return _months(int(decade[:4]), 1, 120)
        case [decade] if decade in _DECADES:
            return _months(_DECADES[decade], 1, 120)
        case [("first" | "last") as end, number, ("months" | "month"), year] if _YEAR.match(year):
            many = _number(number)
            return _months(int(year), 1 if end == "first" else 13 - many, many) if 0 < many < 12 else None
        case [month, year] if month in MONTHS and _YEAR.match(year):
            return _months(int(year), MONTHS[month], 1)
        case [month, day, year] if month in MONTHS and _DAY.match(day) and _YEAR.match(year):
            return _day(int(year), MONTHS[month], int(re.sub(r"\D", "", day)))
        case [day, month, year] if month in MONTHS and _DAY.match(day) and _YEAR.match(year):
            return _span([month, day, year])
        case [part, year] if re.match(r"[qh][1-4]\Z", part) and _YEAR.match(year):
            return _part("quarter" if part[0] == "q" else "half", int(part[1]), int(year))
        case [year, part] if re.match(r"[qh][1-4]\Z", part) and _YEAR.match(year):
            return _span([part, year])
        case [ordinal, ("quarter" | "half") as part, year] if ordinal in _ORDINALS and _YEAR.match(year):
            return _part(part, 2 if (ordinal, part) == ("last", "half") else _ORDINALS[ordinal], int(year))
    return None


def _number_ago(word: str) -> int:
    """Return the number before a unit and "ago", 1 for an article; 0 for another word."""
    return 1 if word in ("a", "an") else _number(word)


def day_ago(words: Sequence[str]) -> Span:
    """Return the span of the very day of "five years ago", which alone stands for all of that year."""
    number, unit = _number_ago(words[0]), DATE_UNITS[words[1]]
    months = number * {"month": 1, "quarter": 3, "year": 12}.get(unit, 0)
    first = Bound(ago=months) if months else Bound(shift=-number * (7 if unit == "week" else 1))
    return Span(first, replace(first, shift=first.shift + 1))


def _of_week(days: tuple[int, int], weeks: int = 0) -> Span:
    """Return the span of days of the week, as `_DAYS` has them, of the present week or `weeks` later."""
    first, end = (Bound("", "week", day - 1 + 7 * weeks, "day") for day in days)
    return Span(first, end)


def _number(word: str) -> int:
    """Return the number that a word is, in letters or digits; 0 for another word."""
    return int(word) if word.isdecimal() and len(word) < 5 else NUMBERS.get(word, 0)


def _begin(unit: str, shift: int = 0) -> Bound:
    """Return the beginning of the current unit (week, month …), `shift` units later."""
    return Bound("", DATE_UNITS[unit], shift, DATE_UNITS[unit])


def _part(part: str, number: int, year: int) -> Span | None:
    """Return the span of a quarter or half of a year, None if the year has none of that number."""
    months = 3 if part == "quarter" else 6
    return _months(year, months * (number - 1) + 1, months) if number * months <= 12 else None


def _months(year: int, first: int, number: int) -> Span:
    """Return the span of `number` months, from the month `first` (1 to 12) of a year on."""
    after = first + number - 1
    end = date(year + after // 12, after % 12 + 1, 1)
    return Span(Bound(date(year, first, 1).isoformat()), Bound(end.isoformat()))


def of_year_beside(span: Span, beside: Span) -> Span:
    """Return a month of any year in the year of the month beside it, "January and February 2024"; else the span."""
    month, year = re.fullmatch(r"--(\d\d)", span.first.day), re.match(r"(\d{4})-\d\d-01\Z", beside.first.day)
    return _months(int(year[1]), int(month[1]), 1) if month and year and begins_a_month(beside.end) else span


def _latest(month: int, ended: int = 0) -> Span:
    """Return the span of the latest month of this number (1 to 12) that has begun, or with 1 for `ended` is over."""
    return _month_of(Bound("", "year", ago=month - 1 + ended), month)


def _month_of(year: Bound, month: int) -> Span:
    """Return the span of a month (1 to 12) of a year that is relative to today."""
    first, end = (replace(year, shift=number, by="month") for number in (month - 1, month))
    return Span(first, end)


def _day(year: int, month: int, day: int) -> Span | None:
    """Return the span of one day, None for a day that the month does not have."""
    if not 1 <= day <= monthrange(year, month)[1]:
        return None
    first = date(year, month, day)
    return Span(Bound(first.isoformat()), Bound((first + timedelta(1)).isoformat()))


def written(bound: Bound, dialect: Dialect) -> exp.Expr:
    """Return a bound in SQL: an ISO date as a text literal, or an expression over today's date in local time."""
    if bound.day:
        return exp.Literal.string(bound.day)
    number, unit = (bound.shift * 3, "month") if bound.by == "quarter" else (bound.shift, bound.by)
    number, unit = (number * 7, "day") if unit == "week" else (number, unit)
    return dialect.expressions.present(bound.present, number, unit, bound.ago)


_FORMS = (
    "per {}", "by {}", "each {}", "every {}", "for each {}", "for every {}", "in each {}", "in every {}", "of each {}",
    "per calendar {}", "by calendar {}", "grouped by {}", "{} by {}",
    "{} over {}", "{} on {}", "from {} to {}",
)  # fmt: skip
# Numbers that leave out the year: 1 to 4, and a text from `01` to `12`.
QUARTER_OF_YEAR, MONTH_OF_YEAR = "quarter of the year", "month of the year"
OF_YEAR = {"quarter": QUARTER_OF_YEAR, "month": MONTH_OF_YEAR}
WEEKDAY = "weekday"
ADVERBS = {"day": "daily", "month": "monthly", "quarter": "quarterly", "year": "yearly"}
_WEEKDAYS = ("weekday", "day of the week", "day of week", "week day")
HOUR = "hour"
DECADE = "decade"
_NUMBERED = tuple((part, (part, f"{unit} of year", f"{unit} of a year")) for unit, part in OF_YEAR.items())
_HOURS = ("hour", "hour of the day", "hour of day", "time of day", "time of the day")

# The part of a date that each phrase groups by: "per month" gives 'month'.
PERIODS: dict[tuple[str, ...], str] = {
    tuple(phrase.format(part, part).split()): part
    for part, adverb in ADVERBS.items()
    for phrase in (*_FORMS, adverb, *(("per annum", "annually") if part == "year" else ()))
}
PERIODS |= {
    tuple(phrase.format(noun, noun).split()): part
    for part, nouns in ((WEEKDAY, _WEEKDAYS), (HOUR, _HOURS), (DECADE, (DECADE,)), *_NUMBERED)
    for noun in nouns
    for phrase in (*_FORMS, "on each {}", "on every {}")
}


_FORMATS = {"month": "%Y-%m", "year": "%Y", MONTH_OF_YEAR: "%m", WEEKDAY: "%w", HOUR: "%H"}

# Nouns that ask for a period: "which month had the most orders".
NOUNS: dict[tuple[str, ...], str] = {
    (noun,): part for part in (*ADVERBS, WEEKDAY, HOUR, DECADE) for noun in (part, f"{part}s")
}
NOUNS |= {
    tuple(noun.split()): part for part, nouns in ((WEEKDAY, _WEEKDAYS), (HOUR, _HOURS), *_NUMBERED) for noun in nouns
}


def has_part(column: Column, part: str) -> bool:
    """Return whether a column can be grouped by a part of a date: a date by any part, a plain year by years alone."""
    if is_by_month(column):
        return part in ("month", "quarter", *OF_YEAR.values())  # the year has a column of its own
    if part == HOUR:
        return is_moment(column)
    return (is_dated(column) and not is_year(column)) or (part in ("year", DECADE) and is_year(column))


def period_name(part: str) -> str:
    """Return the name of the column that shows a part of a date: 'quarter' also for `QUARTER_OF_YEAR`, and so on."""
    return part.split(" ")[0]


def part_of(date: exp.Expr, part: str, dialect: Dialect) -> exp.Expr:
    """Return the SQL of the period of a date: a day as a date, else as text `2024-02`, `2024-Q1` or `2024`.

    The quarter of a known year is its number, 1 to 4, and such a month a text from `01`; a day of the week is a text
    from `0`, Sunday, to `6`, an hour of the day one from `00` to `23`, and a decade the number of its first year.
    """
    written = dialect.expressions
    if part == DECADE:
        return decade_of(exp.cast(written.formed(date, "%Y"), "INTEGER"))
    if part == "day":
        return written.day(date)
    if part == QUARTER_OF_YEAR:
        return written.quarter(date)
    if part != "quarter":
        return written.formed(date, _FORMATS[part])
    year = exp.DPipe(this=written.formed(date, "%Y"), expression=exp.Literal.string("-Q"))
    return exp.DPipe(this=year, expression=exp.Paren(this=written.quarter(date.copy())))


def decade_of(year: exp.Expr) -> exp.Expr:
    """Return the SQL of the first year of a year's decade: 1990 for 1994."""
    return exp.Sub(this=year, expression=exp.Paren(this=exp.Mod(this=year.copy(), expression=exp.Literal.number(10))))


# For each noun for a period the adverb that names of columns have: a `monthly_fee` is not grouped by for a "month".
EVERY = {
    f"{noun}{end}": every
    for noun, every in {**ADVERBS, "hour": "hourly", "week": "weekly"}.items()
    for end in ("", "s")
}


def says_each(words: Iterable[str], part: str) -> bool:
    """Return whether the words of a name say that its amounts are for each `part` of a date: `monthly_rent`."""
    return not {ADVERBS.get(part), "annual" if part == "year" else None}.isdisjoint(words)
