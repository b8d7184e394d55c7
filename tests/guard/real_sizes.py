"""Compares the guard's estimates of DuckDB values with real ones: `python -m guard.real_sizes SEED COUNT FILE [SQL]`.

Expressions are made of DuckDB's own list of functions, nested, also in themselves, over rows of values of at most as
many bytes as the guard takes a stored value to have: brackets, quotes, control characters, letters that grow. Each is
written to FILE before it runs. The last line of output is JSON: how many were compared, and those that came out larger.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from threading import Timer
from typing import Any

import duckdb
from askwhere import guard
from askwhere.engine import Column, Grant, Table
from askwhere.errors import QueryError
from askwhere.guard.duckdb import check_duckdb
from askwhere.guard.estimates import CELL, FIXED, LONG, Value

SECONDS = 5.0  # until a query is interrupted
SLACK = 1.1  # of what comes out to the estimate
TEXTS = (
    "[" * 50 + "]" * 50, '{"a":' * 16 + "1" + "}" * 16, "[" + "1," * 49 + "1]", '["\\u0001",' + '"",' * 29 + '""]',
    "{" + ",".join(f'"{c}":1' for c in "abcdefghijklmn") + "}", '"' * 100, "\\" * 100, "'" * 100, "\x01" * 100,
    "€" * 33, "😀" * 25, "\U0001d160" * 25, "ɐ" * 50, "Ⱥẞİΐﬀ" * 8, "," * 100, "9" * 100, "1" * 100, "1e308", " " * 100,
    "%c" * 50, "{}" * 50, "a" * 100, "a " * 50, "x'" * 50, "<>&" * 33, "/" * 100, "POINT(1 2)",
)  # fmt: skip
COLUMNS = {
    "id": "-2147483648", "t": "?", "amount": "-1.7976931348623157e308", "n": "-170141183460469231731687303715884105727",
    "price": "-1234567890123456789012345678.0123456789::DECIMAL(38,10)", "day": "DATE '9999-12-31'",
    "moment": "TIMESTAMP '9999-12-31 23:59:59.999999'", "flag": "true", "u": "gen_random_uuid()", "b": "?::BLOB",
    "span": "INTERVAL '-178956970 years -8 months -2147483648 days'", "bits": f"'{'01' * 50}'::BIT",
    "numbers": "[-2147483648, 0, 0, 0, 0, 0]", "words": "[?[:16], '', '', '', '']", "record": "{'a': 1, 'b': ?[:80]}",
    "pairs": "MAP {?[:60]: 1}",
}  # fmt: skip
VALUES = {
    "VARCHAR": "t t t t t t 'a' '' '%c' '$.a' '$.*' '$[*]' '.' ',' '(.)' '\\0\\0' '[[1]]' repeat(t,100)",
    "INTEGER": "0 1 2 3 5 100 id", "BIGINT": "0 1 2 3 100 10000 id", "DOUBLE": "amount 0.5 1e308", "HUGEINT": "n",
    "DECIMAL": "price", "BOOLEAN": "flag", "DATE": "day", "TIMESTAMP": "moment", "INTERVAL": "span", "UUID": "u",
    "BLOB": "b encode(t)", "BIT": "bits t::BLOB::BIT", "BIGNUM": "1e308::BIGNUM (id*1e290)::BIGNUM n::BIGNUM",
    "LIST": "numbers words [t] [id] range(100) string_split(t,'') [t,t]", "STRUCT": "record {'a':t} row(t,id)",
    "MAP": "pairs MAP{t:1}", "JSON": "to_json(t) to_json(words) t::JSON t::JSON", "ARRAY": "array_value(1,2)",
}  # fmt: skip
LAMBDAS = ("x", "x::VARCHAR", "[x,x]", "concat(x,t)", "t", "len(t)")
WRAPS = {
    "VARCHAR": ("({})::VARCHAR", "concat({})", "({})::VARCHAR || t"), "JSON": ("to_json({})",), "STRUCT": ("row({})",),
    "LIST": ("[{}]", "string_split(({})::VARCHAR,'')", "[{0},{0}]"), "BLOB": ("encode(({})::VARCHAR)",),
    "BIT": ("encode(({})::VARCHAR)::BIT",), "MAP": ("MAP{{1:{}}}",), "BIGNUM": ("(id*1e290)::BIGNUM",),
}  # fmt: skip


class Generator:
    """Makes expressions of functions that the guard knows and the engine lists."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, seed: int) -> None:
        self.random = random.Random(seed)
        self.functions: dict[str, list[tuple[Any, ...]]] = {}
        for name, *signature in connection.execute(
            "SELECT lower(function_name), parameter_types, varargs, return_type FROM duckdb_functions()"
            " WHERE internal AND function_type IN ('scalar', 'macro') ORDER BY ALL"
        ).fetchall():
            if name in guard.DUCKDB_FUNCTIONS:
                self.functions.setdefault(name, []).append(tuple(signature))
        self.names = list(self.functions)

    def expression(self) -> str:
        """A call of a function, now and then of its own results."""
        name = self.random.choice(self.names)
        if self.random.random() < 0.3:
            return self.call(name, 4, again=True)
        return self.call(name, self.random.randint(1, 4))

    def call(self, name: str, depth: int, again: bool = False) -> str:
        types, varargs, _ = self.random.choice(self.functions[name])
        types = [*types, *([varargs] * self.random.randint(1, 2) if varargs else [])]
        given = [
            f"lambda x: {self.random.choice(LAMBDAS)}"
            if "LAMBDA" in (kind or "").upper()
            else self.value(self.kind(kind), depth - 1, name if again and not place else "")
            for place, kind in enumerate(types)
        ]
        if given and not re.fullmatch(r"\w+", name):
            return f"({given[0]} {name} {given[-1]})" if len(given) > 1 else f"({name} {given[0]})"
        if given and given[0].isidentifier() and self.random.random() < 0.3:
            return f'{given[0]}."{name}"({", ".join(given[1:])})'
        return f'"{name}"({", ".join(given)})'

    def value(self, kind: str, depth: int, again: str = "") -> str:
        """An expression of a kind: a given one, or a call whose result is made one of that kind."""
        plain = kind in ("INTEGER", "BIGINT") or (not again and self.random.random() < 0.2)
        if depth <= 0 or plain or kind not in WRAPS:
            return self.random.choice(VALUES[kind].split())
        name = again or self.random.choice(self.names)
        made = self.call(name, depth, bool(again))
        if any(self.kind(returned) == kind for _, _, returned in self.functions[name]) and self.random.random() < 0.7:
            return made
        return self.random.choice(WRAPS[kind]).format(made)

    def kind(self, declared: str | None) -> str:
        """The name of the values that fit a declared type; any where it is none of them."""
        text = (declared or "").upper()
        kind = "LIST" if text.endswith("[]") else "ARRAY" if text.endswith("]") else text.split("(")[0]
        return kind if kind in VALUES else self.random.choice(list(VALUES))


def main(seed: int, count: int, file: Path, given: Sequence[str]) -> dict[str, Any]:
    """Compares so many expressions, or the given ones; says how many could be, and those that came out larger."""
    connection = duckdb.connect(config={"memory_limit": "500MB", "threads": 1})
    tables = tuple(_tables(connection))
    generator = Generator(connection, seed)
    compared, larger = 0, {}
    for expression in given or islice(iter(generator.expression, None), count):
        for table in tables if given else (generator.random.choice(tables),):
            sql = f"SELECT {expression} AS x, ({expression})::VARCHAR AS y FROM {table.name}"
            with contextlib.suppress(QueryError, duckdb.Error, UnicodeDecodeError):
                text, (x, *_, y) = _estimated(connection, sql, Grant((table,)))
                file.write_text(text)
                real = _real(connection, text)
                compared += 1
                if any(
                    size < LONG and most > SLACK * max(size, FIXED) for most, size in zip(real, (x, y), strict=True)
                ):
                    larger[expression.split("(")[0]] = (*real, x, y, text)
    return {"compared": compared, "larger": sorted(larger.values(), key=lambda found: len(found[-1]))}


def _tables(connection: duckdb.DuckDBPyConnection) -> Iterator[Table]:
    """Makes a table of one row for each text, so that one that is no JSON fails alone."""
    for number, text in enumerate(TEXTS):
        made = ", ".join(f"{value} AS {name}" for name, value in COLUMNS.items())
        values = [text.encode()[: int(CELL)] if "BLOB" in value else text for value in COLUMNS.values() if "?" in value]
        connection.execute(f"CREATE TABLE things{number} AS SELECT {made}", values)
        columns = connection.execute(f"SELECT column_name, column_type FROM (DESCRIBE things{number})").fetchall()
        yield Table(("memory", "main", f"things{number}"), tuple(Column(*column) for column in columns))


def _estimated(connection: duckdb.DuckDBPyConnection, sql: str, grant: Grant) -> tuple[str, list[float]]:
    """The text that the guard lets through, and its estimate of each column's bytes."""
    text = guard.qualify(sql, "duckdb", grant)
    tree = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [text]).fetchall()[0][0]
    found: list[tuple[str, Value]] = list(check_duckdb(tree, grant).columns)
    return text, [value.size for _, value in found]


def _real(connection: duckdb.DuckDBPyConnection, text: str) -> tuple[float, float]:
    """The most bytes of the first column, of a list without its elements, and of the last column, which is a text."""
    timer = Timer(SECONDS, connection.interrupt)
    timer.start()
    try:
        kind, written = connection.execute(f"SELECT any_value(typeof(x)), max(strlen(y)) FROM ({text})").fetchall()[0]
        size = {"VARCHAR": "strlen(x)", "JSON": "strlen(x)", "BLOB": "octet_length(x)"}.get(str(kind), "0")
        if str(kind).endswith("[]"):
            size = f"{FIXED:.0f} * len(x)"
        largest = connection.execute(f"SELECT max({size}) FROM ({text})").fetchall()[0][0]
    finally:
        timer.cancel()
    return largest or 0, written or 0


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:])))
