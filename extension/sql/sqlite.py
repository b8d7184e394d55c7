"""Describe SQLite's SQL."""

from __future__ import annotations

from functools import partial

from askwhere.sql.dialect import Dialect, Expressions, token_pattern
from sqlglot import exp, parse_one

_FORMS = {"year": "%Y", "month": "%m", "day": "%d", "hour": "%H", "minute": "%M", "second": "%S"}
# Modifiers of `date` for DATE_TRUNC('month', born); it truncates to no unit shorter than a day.
_STARTS = {"'year'": ", 'start of year'", "'month'": ", 'start of month'", "'day'": ""}


def part(name: str, date: str) -> str:
    """Return SQL for a part of a date, such as its year, as a number.

    >>> part("year", "born")
    "CAST(STRFTIME('%Y', born) AS INTEGER)"
    """
    return f"CAST(STRFTIME('{_FORMS[name]}', {date}) AS INTEGER)"


def _truncated(unit: str, date: str) -> str | None:
    start = _STARTS.get(unit.lower())
    return None if start is None else f"date({date}{start})"


_WHOLE = exp.DataType.build("int", dialect="sqlite")
# The modifiers of DATE that lead to the beginning of the present unit.
_BEGINNINGS = {
    "day": "",
    "week": "'weekday 0', '-6 days', ",
    "month": "'start of month', ",
    "quarter": "'start of month', ((1 - STRFTIME('%m', 'now', 'localtime')) % 3) || ' months', ",
    "year": "'start of year', ",
}


def _formed(date: exp.Expr, form: str) -> exp.Expr:
    return exp.Anonymous(this="STRFTIME", expressions=[exp.Literal.string(form), date])


def _year(date: exp.Expr) -> exp.Expr:
    return exp.Cast(this=_formed(date, "%Y"), to=_WHOLE.copy())


def _days(later: exp.Expr, earlier: exp.Expr) -> exp.Expr:
    until, since = (_called("JULIANDAY", _called("DATE", date)) for date in (later, earlier))
    return exp.Sub(this=until, expression=since)


def _seconds(later: exp.Expr, earlier: exp.Expr) -> exp.Expr:
    return exp.Paren(this=exp.Sub(this=_formed(later, "%s"), expression=_formed(earlier, "%s")))


def _age(birth: exp.Expr) -> exp.Expr:
    today = parse_one("STRFTIME('%Y%m%d', 'now', 'localtime')", dialect="sqlite")
    apart = exp.Paren(this=exp.Sub(this=today, expression=_formed(birth, "%Y%m%d")))
    return exp.Div(this=apart, expression=exp.Literal.number(10_000), typed=True)


def _called(name: str, argument: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this=name, expressions=[argument])


def _quarter(date: exp.Expr) -> exp.Expr:
    month = exp.Cast(this=_formed(date, "%m"), to=_WHOLE.copy())
    after = exp.Paren(this=exp.Add(this=month, expression=exp.Literal.number(2)))
    return exp.Div(this=after, expression=exp.Literal.number(3), typed=True)


def _number(text: exp.Expr) -> exp.Expr:
    """Return the number that a text writes, NULL for other texts, which CAST alone takes for 0.

    SQLite compares a text with a number as numbers where the whole text writes one, and as different types otherwise.
    """
    cast = exp.Cast(this=text, to=exp.DataType.build("real", dialect="sqlite"))
    return exp.Case(ifs=[exp.If(this=exp.EQ(this=text.copy(), expression=cast.copy()), true=cast)])


def _dated(text: exp.Expr, form: str) -> exp.Expr:
    """Return the ISO date that a text in a form such as %d/%m/%Y writes, with or without leading zeros, else NULL."""
    sign, column = form[2], text.sql(dialect="sqlite")
    first, second = f"CAST({column} AS INTEGER)", f"CAST(SUBSTR({column}, INSTR({column}, '{sign}') + 1) AS INTEGER)"
    month, day = (second, first) if form.startswith("%d") else (first, second)
    made = f"PRINTF('%s-%02d-%02d', SUBSTR({column}, -4), {month}, {day})"
    return parse_one(f"CASE WHEN {column} LIKE '%{sign}%{sign}____' THEN {made} END", dialect="sqlite")


def _month(year: exp.Expr, month: exp.Expr) -> exp.Expr:
    of, number = year.sql(dialect="sqlite"), month.sql(dialect="sqlite")
    return parse_one(f"({of} || '-' || SUBSTR('0' || {number}, -2) || '-01')", dialect="sqlite")


def _present(unit: str, number: int, by: str, ago: int = 0) -> exp.Expr:
    start = "" if unit == "day" else "'start of month', "
    then = f"{start}'-{ago} months', " if ago else ""
    move = f"'{number:+d} {by}s'" if number else ""
    return parse_one(
        f"DATE('now', 'localtime', {(then + _BEGINNINGS[unit] + move).removesuffix(', ')})", dialect="sqlite"
    )


EXPRESSIONS = Expressions(
    day=lambda time: exp.Anonymous(this="DATE", expressions=[time]),
    year=_year,
    quarter=_quarter,
    formed=_formed,
    clock=lambda time: _formed(time, "%H:%M"),
    days=_days,
    seconds=_seconds,
    age=_age,
    date=lambda text: text,
    time=lambda text: text,
    number=_number,
    typed=lambda text, _: text,  # SQLite compares a column of numbers with one of texts as numbers
    dated=_dated,
    month=_month,
    present=_present,
)

SQLITE = Dialect(
    name="sqlite",
    title="SQLite",
    file_mark=(0, b"SQLite format 3\0"),  # https://sqlite.org/fileformat.html
    # `?12` is one parameter, and a word may hold `$`: https://sqlite.org/c3ref/bind_blob.html, `IdChar` in tokenize.c.
    tokens=token_pattern(
        before=r"(?P<parameter> \?[0-9]* | [$@:\#]\w+ ) |", names=r"| `(?:[^`]|``)*` | \[[^\]]*(?:\]|\Z)", in_words="$"
    ),
    dollar_texts=False,
    name_quotes='"`[',
    keywords=frozenset(
        "add all alter and any as autoincrement between case cast check collate commit constraint create cross cube"
        " current_date current_time current_timestamp default deferrable delete describe distinct drop else escape"
        " except exists false fetch for foreign from glob grant group having if ilike in index inner insert intersect"
        " interval into is isnull join lateral like limit lock not nothing notnull null offset on or order outer"
        " primary qualify raise references regexp returning revoke rollback rollup select set table tablesample then"
        " to transaction true union unique update using values when where window with".split()
    ),
    statements=frozenset(
        "alter analyze attach begin commit create delete detach drop end explain insert pragma reindex release replace"
        " rollback savepoint select update vacuum values with".split()
    ),
    folds_names=False,
    lateral=False,
    null_order="smallest",
    authorizer=True,
    collations=frozenset({"binary", "nocase", "rtrim"}),
    # Each window becomes a query of its own around the others, with all columns: 50 of 1,800 columns take a second, and
    # 1,200 of one column half a minute, in which SQLite cannot be interrupted.
    most_windows=50,
    in_tables=True,
    calls_tables=True,
    shared_ctes=True,
    merges_queries=True,
    static_types=False,
    plain_values=True,
    types=("INTEGER", "REAL", "TEXT", "NUMERIC"),
    ilike=False,
    limit_comma=True,
    fetch_first=False,
    part=part,
    calls={
        **{(name, 1): partial(part, name) for name in _FORMS},
        ("date_trunc", 2): _truncated,
        ("left", 2): lambda text, count: f"substr({text}, 1, {count})",
        ("right", 2): lambda text, count: f"substr({text}, -({count}))",
    },
    expressions=EXPRESSIONS,
)
