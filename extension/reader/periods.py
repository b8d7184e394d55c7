"""Periods that rows are grouped by: the month, quarter, year or day of a date."""

from __future__ import annotations

from askwhere.engine import Column
from askwhere.reader.types import is_dated, is_year
from sqlglot import exp

_FORMS = (
    "per {}", "by {}", "each {}", "every {}", "for each {}", "for every {}", "in each {}", "in every {}", "of each {}",
    "per calendar {}", "by calendar {}", "grouped by {}", "{} by {}",
)  # fmt: skip
_ADVERBS = {"day": "daily", "month": "monthly", "quarter": "quarterly", "year": "yearly"}

# What the words of a period are, and which part of a date it is.
PERIODS: dict[tuple[str, ...], str] = {
    tuple(said.format(part, part).split()): part
    for part, adverb in _ADVERBS.items()
    for said in (*_FORMS, adverb, *(("per annum", "annually") if part == "year" else ()))
}


def has_part(column: Column, part: str) -> bool:
    """Whether the values of a column are in one period each: dates, and of years plain years too."""
    return (is_dated(column) and not is_year(column)) or (part == "year" and is_year(column))


def part_of(date: exp.Expr, part: str, dialect: str) -> exp.Expr:
    """The period that a date is in: a day as a date, `2024-02`, `2024-Q1`, or a year as a number."""
    if dialect == "duckdb":
        day: exp.Expr = exp.TryCast(this=date, to=exp.DataType.build("date"))
        if part == "day":
            return day
        year: exp.Expr = exp.Extract(this=exp.var("YEAR"), expression=day)
        quarter: exp.Expr = exp.Extract(this=exp.var("QUARTER"), expression=day.copy())
        month: exp.Expr = exp.Anonymous(this="STRFTIME", expressions=[day.copy(), exp.Literal.string("%Y-%m")])
    else:
        if part == "day":
            return exp.Anonymous(this="DATE", expressions=[date])
        whole = exp.DataType.build("int", dialect="sqlite")
        year = exp.Cast(this=_written(date, "%Y"), to=whole)
        number = exp.Cast(this=_written(date.copy(), "%m"), to=whole.copy())
        after = exp.Paren(this=exp.Add(this=number, expression=exp.Literal.number(2)))
        quarter = exp.Div(this=after, expression=exp.Literal.number(3), typed=True)
        month = _written(date.copy(), "%Y-%m")
    if part == "quarter":
        written = exp.DPipe(this=year, expression=exp.Literal.string("-Q"))
        return exp.DPipe(this=written, expression=exp.Paren(this=quarter))
    return month if part == "month" else year


def _written(date: exp.Expr, form: str) -> exp.Expr:
    return exp.Anonymous(this="STRFTIME", expressions=[exp.Literal.string(form), date])
