"""A sketch of a third engine's SQL, to show what one must say: PostgreSQL, without a server.

Its keywords are the reserved words of https://www.postgresql.org/docs/17/sql-keywords-appendix.html, and those that
sqlglot does not read as names.
"""

from __future__ import annotations

import re

from askwhere.sql.dialect import Dialect, Expressions, token_pattern
from sqlglot import exp, parse_one


def _date(text: exp.Expr) -> exp.Expr:
    return exp.Cast(this=text, to=exp.DataType.build("date"))


def _present(unit: str, number: int, by: str, ago: int = 0) -> exp.Expr:
    then = f"CURRENT_DATE - INTERVAL '{ago} month'" if ago else "CURRENT_DATE"
    began = then if unit == "day" else f"DATE_TRUNC('{unit}', {then})"
    return parse_one(f"CAST({began} + INTERVAL '{number} {by}' AS DATE)", dialect="postgres")


_PARTS = {"d": "DD", "m": "MM", "Y": "YYYY"}

POSTGRES = Dialect(
    name="postgres",
    title="PostgreSQL",
    file_mark=None,
    tokens=token_pattern(before=r"(?P<escaped> [eE]'(?:[^'\\]|\\.|'')*' ) | (?P<dollar> \$\w*\$ ) |"),
    dollar_texts=True,
    name_quotes='"',
    keywords=frozenset(
        "all alter analyse analyze and any array as asc asymmetric authorization between binary both by case cast check"
        " collate collation column concurrently constraint create cross cube current_catalog current_date current_role"
        " current_schema current_time current_timestamp current_user default deferrable desc describe distinct do drop"
        " else end except false fetch for foreign freeze from full grant group having if ilike in initially inner"
        " insert intersect interval into is isnull join lateral leading left like limit localtime localtimestamp lock"
        " natural not notnull null offset on only or order outer overlaps placing primary references returning revoke"
        " right rollback rollup select session_user similar some symmetric system_user table tablesample then to"
        " trailing true union unique user using values variadic verbose when where window with".split()
    ),
    statements=frozenset(
        "abort alter analyze begin call checkpoint close comment commit copy create deallocate declare delete discard"
        " do drop end execute explain fetch grant insert listen lock merge move notify prepare reassign refresh reindex"
        " release reset revoke rollback savepoint security select set show start table truncate unlisten update vacuum"
        " values with".split()
    ),
    folds_names=True,
    lateral=False,
    null_order="largest",
    authorizer=True,  # it shows no tree; what stands in the authorizer's place is a role that may only read
    collations=None,
    most_windows=None,
    in_tables=False,
    calls_tables=False,
    shared_ctes=False,
    merges_queries=True,
    static_types=True,
    plain_values=False,
    types=("INTEGER", "BIGINT", "NUMERIC", "TEXT", "DATE", "TIMESTAMP"),
    ilike=True,
    limit_comma=False,
    fetch_first=True,
    part=lambda name, date: f"EXTRACT({name.upper()} FROM {date})",
    calls={},
    expressions=Expressions(
        day=_date,
        year=lambda date: exp.Extract(this=exp.var("YEAR"), expression=_date(date)),
        quarter=lambda date: exp.Extract(this=exp.var("QUARTER"), expression=_date(date)),
        formed=lambda date, form: exp.Anonymous(
            this="TO_CHAR",
            expressions=[_date(date), exp.Literal.string(form.replace("%Y", "YYYY").replace("%m", "MM"))],
        ),
        clock=lambda time: exp.Anonymous(this="TO_CHAR", expressions=[time, exp.Literal.string("HH24:MI")]),
        days=lambda later, earlier: exp.Sub(this=_date(later), expression=_date(earlier)),
        seconds=lambda later, earlier: exp.Extract(
            this=exp.var("EPOCH"), expression=exp.Paren(this=exp.Sub(this=later, expression=earlier))
        ),
        age=lambda date: exp.Extract(
            this=exp.var("YEAR"), expression=exp.Anonymous(this="AGE", expressions=[_date(date)])
        ),
        date=_date,
        time=lambda text: exp.Cast(this=text, to=exp.DataType.build("timestamp")),
        number=lambda text: exp.Cast(this=text, to=exp.DataType.build("double")),
        typed=lambda text, type_: exp.Cast(this=text, to=exp.DataType.build(type_)) if type_ else text,
        dated=lambda text, form: exp.Anonymous(
            this="TO_DATE",
            expressions=[text, exp.Literal.string(re.sub("%(.)", lambda m: _PARTS[m[1]], form))],
        ),
        month=lambda year, month: exp.Anonymous(this="MAKE_DATE", expressions=[year, month, exp.Literal.number(1)]),
        present=_present,
    ),
)
FUNCTIONS = frozenset({"avg", "count", "lower", "max", "min", "sum", "upper"})
TABLE_FUNCTIONS = frozenset({"generate_series"})
