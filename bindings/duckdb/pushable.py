"""List what a query may contain so that PostgreSQL or MariaDB may run it in place of DuckDB.

Listed are the types of nodes of a syntax tree (sqlglot's) with their arguments, and the types of columns, that mean the
same there. For anything else `NotPushable` is raised, and DuckDB runs the query.
"""

from __future__ import annotations

from collections.abc import Mapping

from askwhere.frozen import frozen
from sqlglot import exp

LONGEST = 63  # bytes of a name: PostgreSQL cuts longer ones, and MariaDB has none of 65


class NotPushable(ValueError):
    """Raised for a query that DuckDB must run itself; the message says why."""


@frozen
class Target:
    """A table on the server. `schema`, `name` and the names of columns are as the server spells them.

    `columns` has name and kind of each column by its folded name. The kind (`kinds`) is '' where the server may compare
    or compute with values of the column in another way than DuckDB.
    """

    schema: str
    name: str
    columns: Mapping[str, tuple[str, str]]


@frozen
class Server:
    """How a kind of server, PostgreSQL or MariaDB, is asked; `dialect` is sqlglot's name for its SQL.

    `kinds` gives the kind of a column by two types: the server's, and the one that DuckDB shows for it. `types` gives,
    for each type of a result in DuckDB, the server's type to cast to. `bytes` is the collation that compares texts by
    their bytes, as DuckDB does. It is written only where texts are sorted; with `equal` it is written at every text, as
    the server may also find texts equal that differ in their bytes. `precise` is the type of the sum in an average.
    """

    dialect: str
    kinds: Mapping[tuple[str, str], str]
    types: Mapping[str, str]
    bytes: str
    equal: bool
    precise: str


POSTGRES = Server(
    "postgres",
    {
        ("int2", "SMALLINT"): "exact",
        ("int4", "INTEGER"): "exact",
        ("int8", "BIGINT"): "exact",
        ("numeric", "DECIMAL"): "exact",
        ("float8", "DOUBLE"): "double",
        ("text", "VARCHAR"): "text",
        ("varchar", "VARCHAR"): "text",
        ("date", "DATE"): "date",
        ("timestamp", "TIMESTAMP"): "timestamp",
        ("bool", "BOOLEAN"): "boolean",
    },
    {
        "SMALLINT": "smallint",
        "INTEGER": "integer",
        "BIGINT": "bigint",
        "HUGEINT": "numeric(38, 0)",
        "DOUBLE": "double precision",
        "VARCHAR": "text",
        "DATE": "date",
        "TIMESTAMP": "timestamp",
        "BOOLEAN": "boolean",
    },
    bytes="C",
    equal=False,
    precise="numeric(120, 50)",
)
# Its dates may be zero, which DuckDB reads as NULL, and its truth values any number.
MARIADB = Server(
    "mysql",
    {
        ("tinyint", "TINYINT"): "exact",
        ("smallint", "SMALLINT"): "exact",
        ("int", "INTEGER"): "exact",
        ("bigint", "BIGINT"): "exact",
        ("decimal", "DECIMAL"): "exact",
        ("double", "DOUBLE"): "double",
        ("text", "VARCHAR"): "name",
        ("varchar", "VARCHAR"): "name",
        ("text by bytes", "VARCHAR"): "text",
        ("varchar by bytes", "VARCHAR"): "text",
    },
    {
        **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT"), "bigint"),
        "HUGEINT": "decimal(38, 0)",
        "DOUBLE": "double",
        "VARCHAR": "char",
    },
    bytes="utf8mb4_nopad_bin",
    equal=True,
    precise="double",
)

LOGIC: tuple[type[exp.Expr], ...] = (exp.And, exp.Or)
EQUAL: tuple[type[exp.Expr], ...] = (exp.EQ, exp.NEQ)
ORDERED: tuple[type[exp.Expr], ...] = (exp.GT, exp.GTE, exp.LT, exp.LTE)
SUMS: tuple[type[exp.Expr], ...] = (exp.Add, exp.Sub, exp.Mul)
EXTREMES: tuple[type[exp.Expr], ...] = (exp.Min, exp.Max)

# The types of nodes that a query may have, with the arguments that each may have.
ARGUMENTS: Mapping[type[exp.Expr], str] = {
    exp.Select: "expressions from_ joins where group having order limit offset distinct with_",
    exp.From: "this",
    exp.Join: "this on kind side",
    exp.Where: "this",
    exp.Group: "expressions",
    exp.Having: "this",
    exp.Order: "expressions",
    exp.Ordered: "this desc nulls_first",
    exp.Limit: "expression",
    exp.Offset: "expression",
    exp.With: "expressions",
    exp.CTE: "this alias",
    exp.Subquery: "this alias",
    exp.Table: "this db catalog alias",
    exp.TableAlias: "this",
    exp.Alias: "this alias",
    exp.Column: "this table",
    exp.Identifier: "this quoted",
    exp.Literal: "this is_string",
    exp.Boolean: "this",
    exp.Null: "",
    exp.Star: "",
    exp.Paren: "this",
    exp.Not: "this",
    exp.Neg: "this",
    **dict.fromkeys((*LOGIC, *EQUAL, *ORDERED, *SUMS), "this expression"),
    exp.Between: "this low high",
    exp.In: "this expressions query",
    exp.Exists: "this",
    exp.Is: "this expression",
    exp.Like: "this expression",
    exp.Case: "ifs default",
    exp.If: "this true",
    exp.Coalesce: "this expressions",
    exp.Count: "this big_int",
    exp.Distinct: "expressions",
    **dict.fromkeys((exp.Sum, exp.Avg, *EXTREMES), "this"),
    exp.Extract: "this expression",
    exp.Var: "this",
    exp.TimeToStr: "this format",
    exp.Cast: "this to",
    exp.TryCast: "this to safe",
    exp.DataType: "this nested",
}


def check_parts(tree: exp.Expr, known: Mapping[type[exp.Expr], str] = ARGUMENTS) -> None:
    """Raise `NotPushable` for a type of node that `known` lacks, for another argument of a node, or for a long name."""
    for node in tree.walk():
        if type(node) not in known:
            raise NotPushable(f"it has {type(node).__name__}")
        if other := [name for name, value in node.args.items() if value and name not in known[type(node)].split()]:
            raise NotPushable(f"it has {type(node).__name__} with {other[0]}")
        if isinstance(node, exp.Identifier) and len(node.name.encode()) > LONGEST:
            raise NotPushable("a name is too long")
