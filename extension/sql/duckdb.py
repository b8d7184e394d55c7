"""Describe DuckDB's SQL."""

from __future__ import annotations

from askwhere.sql.dialect import Dialect, Expressions, token_pattern
from sqlglot import exp, parse_one


def _date(text: exp.Expr) -> exp.Expr:
    if text.is_type("date") or (isinstance(text, exp.TryCast) and text.to.this == exp.DType.DATE):
        return text
    return exp.TryCast(this=text, to=exp.DataType.build("date"))


def _moment(text: exp.Expr) -> exp.Expr:
    return text if text.is_type("timestamp") else _date(text)


def _time(text: exp.Expr) -> exp.Expr:
    return text if text.is_type("timestamp") else exp.TryCast(this=text, to=exp.DataType.build("timestamp"))


def _seconds(later: exp.Expr, earlier: exp.Expr) -> exp.Expr:
    until, since = (exp.Anonymous(this="EPOCH", expressions=[_time(date)]) for date in (later, earlier))
    return exp.Paren(this=exp.Sub(this=until, expression=since))


def _present(unit: str, number: int, by: str, ago: int = 0) -> exp.Expr:
    then = f"CURRENT_DATE - INTERVAL '{ago} month'" if ago else "CURRENT_DATE"
    began = then if unit == "day" else f"DATE_TRUNC('{unit}', {then})"
    moved = f"{began} + INTERVAL ({number}) {by}" if number else began
    return parse_one(f"CAST({moved} AS DATE)", dialect="duckdb")


def _typed(text: exp.Expr, type_: str) -> exp.Expr:
    return exp.TryCast(this=text, to=exp.DataType.build(type_, dialect="duckdb")) if type_ else text


def _dated(text: exp.Expr, form: str) -> exp.Expr:
    return _date(exp.Anonymous(this="TRY_STRPTIME", expressions=[text, exp.Literal.string(form)]))


def _month(year: exp.Expr, month: exp.Expr) -> exp.Expr:
    return _date(parse_one(f"{year.sql(dialect='duckdb')} || '-' || {month.sql(dialect='duckdb')} || '-01'"))


def _clock(time: exp.Expr) -> exp.Expr:
    of_day = time if time.is_type("time") else exp.TryCast(this=time, to=exp.DataType.build("time"))
    return exp.Left(this=exp.cast(of_day, "varchar"), expression=exp.Literal.number(5))


EXPRESSIONS = Expressions(
    day=_date,
    year=lambda date: exp.Extract(this=exp.var("YEAR"), expression=_moment(date)),
    quarter=lambda date: exp.Extract(this=exp.var("QUARTER"), expression=_moment(date)),
    formed=lambda date, form: exp.Anonymous(this="STRFTIME", expressions=[_moment(date), exp.Literal.string(form)]),
    clock=_clock,
    days=lambda later, earlier: exp.Anonymous(
        this="DATE_DIFF", expressions=[exp.Literal.string("day"), _moment(earlier), _moment(later)]
    ),
    seconds=_seconds,
    age=lambda date: exp.Anonymous(
        this="DATE_SUB", expressions=[exp.Literal.string("year"), _date(date), exp.CurrentDate()]
    ),
    date=_date,
    time=_time,
    number=lambda text: exp.TryCast(this=text, to=exp.DataType.build("double")),
    typed=_typed,
    dated=_dated,
    month=_month,
    present=_present,
)

DUCKDB = Dialect(
    name="duckdb",
    title="DuckDB",
    file_mark=(8, b"DUCK"),  # after a checksum: https://duckdb.org/docs/stable/internals/storage
    tokens=token_pattern(before=r"(?P<escaped> [eE]'(?:[^'\\]|\\.|'')*' ) | (?P<dollar> \$\w*\$ ) |"),
    dollar_texts=True,
    name_quotes='"',
    keywords=frozenset(
        "all alter analyse analyze and anti any array as asc asof asymmetric at authorization between binary both by"
        " case cast check collate collation column concurrently constraint create cross cube current_date current_time"
        " current_timestamp default deferrable desc describe distinct do drop else end except false fetch for force"
        " foreign freeze from full glob grant group having if ilike in initially inner insert install intersect"
        " interval into is isnull join lambda lateral leading left like limit localtime localtimestamp lock map"
        " natural not notnull null offset on only or order outer overlaps pivot pivot_longer pivot_wider placing"
        " positional primary qualify references regexp returning revoke right rollback rollup select semi session_user"
        " show similar some summarize symmetric table tablesample then to trailing true union unique unpack unpivot"
        " using values variadic verbose when where window with".split()
    ),
    statements=frozenset(
        "abort alter analyze attach begin call checkpoint comment commit copy create deallocate delete desc describe"
        " detach drop end execute explain export force from import insert install load merge pivot pragma prepare"
        " replace reset rollback select set show start summarize table truncate unpivot update use vacuum values"
        " with".split()
    ),
    folds_names=False,
    lateral=True,
    null_order="last",
    authorizer=False,
    collations=None,
    most_windows=None,
    in_tables=False,
    calls_tables=False,
    shared_ctes=False,
    merges_queries=False,
    static_types=True,
    plain_values=False,
    types=("INTEGER", "BIGINT", "DOUBLE", "VARCHAR", "DATE", "TIMESTAMP"),
    ilike=True,
    limit_comma=False,
    fetch_first=True,
    part=lambda name, date: f"EXTRACT({name.upper()} FROM {date})",
    calls={},
    expressions=EXPRESSIONS,
)
