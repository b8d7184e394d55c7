"""Periods to group rows by: the day, month, quarter or year of a date."""

from __future__ import annotations

from askwhere.engine import Column
from askwhere.reader.types import is_dated, is_year
from askwhere.sql.dialect import Dialect
from sqlglot import exp

_FORMS = (
    "per {}", "by {}", "each {}", "every {}", "for each {}", "for every {}", "in each {}", "in every {}", "of each {}",
    "per calendar {}", "by calendar {}", "grouped by {}", "{} by {}",
    "{} over {}", "{} on {}", "from {} to {}",
)  # fmt: skip
_ADVERBS = {"day": "daily", "month": "monthly", "quarter": "quarterly", "year": "yearly"}

# The part of a date that each phrase groups by: "per month" gives 'month'.
PERIODS: dict[tuple[str, ...], str] = {
    tuple(said.format(part, part).split()): part
    for part, adverb in _ADVERBS.items()
    for said in (*_FORMS, adverb, *(("per annum", "annually") if part == "year" else ()))
}


# Nouns that ask for a period: "which month had the most orders".
NOUNS = {noun: part for part in _ADVERBS for noun in (part, f"{part}s")}


def has_part(column: Column, part: str) -> bool:
    """Return whether a column can be grouped by a part of a date: a date by any part, a plain year only by 'year'."""
    return (is_dated(column) and not is_year(column)) or (part == "year" and is_year(column))


def part_of(date: exp.Expr, part: str, dialect: Dialect) -> exp.Expr:
    """Return the SQL of the period of a date: a day as a date, else as text `2024-02`, `2024-Q1` or `2024`."""
    written = dialect.expressions
    if part == "day":
        return written.day(date)
    if part != "quarter":
        return written.formed(date, {"month": "%Y-%m", "year": "%Y"}[part])
    year = exp.DPipe(this=written.formed(date, "%Y"), expression=exp.Literal.string("-Q"))
    return exp.DPipe(this=year, expression=exp.Paren(this=written.quarter(date.copy())))


# What names of columns say of a period, for each noun: the `monthly_fee` is none of a "month".
EVERY = {
    f"{noun}{end}": every
    for noun, every in {**_ADVERBS, "hour": "hourly", "week": "weekly"}.items()
    for end in ("", "s")
}
