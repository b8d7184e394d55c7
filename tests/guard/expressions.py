"""Runs random DuckDB queries that the guard lets through: `python -m guard.expressions SEED COUNT FILE [SQL]`.

They are made of DuckDB's own list of functions, by the types of their arguments, from values of all types with extremes
and NULLs, and stand where groups, windows, orders and sets are made. Each is written to FILE before it runs, so that
whoever waits for this process knows what killed it. The last line of output is JSON: how many ran, and the slowest.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Timer
from typing import Any

import duckdb
from askwhere import guard
from askwhere.engine import Column, Grant, Table
from askwhere.errors import QueryError
from askwhere.guard.duckdb import check_duckdb

SECONDS = 2.0  # until a query is interrupted
TABLES = """
CREATE TABLE things AS SELECT i::INTEGER AS id, 'n' || i AS name, (i * 1.5)::DOUBLE AS amount, i % 2 = 0 AS flag,
  DATE '2020-01-01' + i::INTEGER AS day, TIMESTAMP '2020-01-01' + to_hours(i) AS at, [i, NULL, i + 1] AS numbers,
  {'a': i, 'b': 'x' || i} AS record, MAP {'k' || i: i} AS pairs, (i / 3)::DECIMAL(12, 3) AS price,
  ('{"a": [' || i || ']}')::JSON AS document, 'ab'::BLOB AS bytes, '0101'::BIT AS bits, INTERVAL 1 DAY AS span,
  (i % 3)::UTINYINT AS tiny, (i::HUGEINT * 1e20::HUGEINT) AS huge, TIME '10:00' AS clock FROM range(300) t(i);
INSERT INTO things (id) VALUES (NULL), (2147483647), (-2147483648);
"""
VALUES = {
    "VARCHAR": "'' 'a' 'Ünï' '1' '2020-01-01' '%a_' '[1,2]' '{\"a\":1}' name NULL::VARCHAR '$.a' 'sum' 'year' 'epoch'",
    "INTEGER": "0 1 -1 7 id 2147483647 -2147483648 NULL::INTEGER",
    "BIGINT": "0::BIGINT 3::BIGINT id::BIGINT 9223372036854775807 -9223372036854775808 NULL::BIGINT",
    "HUGEINT": "1::HUGEINT huge 170141183460469231731687303715884105727 NULL::HUGEINT",
    "UTINYINT": "tiny 255::UTINYINT",
    "DOUBLE": "0.0::DOUBLE amount 'nan'::DOUBLE 'inf'::DOUBLE '-inf'::DOUBLE 1e308::DOUBLE NULL::DOUBLE 0.5::DOUBLE",
    "FLOAT": "1.5::FLOAT 'nan'::FLOAT",
    "DECIMAL": "price 1.23 99999999999999999999999999999999999999 NULL::DECIMAL(5,2)",
    "BOOLEAN": "true false flag NULL::BOOLEAN",
    "DATE": "day DATE'2024-02-29' DATE'infinity' DATE'-infinity' DATE'0001-01-01' NULL::DATE",
    "TIMESTAMP": "at TIMESTAMP'infinity' TIMESTAMP'1970-01-01' NULL::TIMESTAMP",
    "TIMESTAMP WITH TIME ZONE": "at::TIMESTAMPTZ",
    "TIME": "clock TIME'23:59:59' NULL::TIME",
    "INTERVAL": "span to_days(id) to_months(2147483647) to_years(-1) NULL::INTERVAL",
    "BLOB": "bytes ''::BLOB",
    "BIT": "bits '1'::BIT",
    "JSON": "document '[]'::JSON 'null'::JSON '{\"a\":{\"b\":[1,2]}}'::JSON",
    "LIST": "numbers [] [NULL] [1,2,3] ['a','b'] [[1],[2]] [numbers,numbers] list_value(record) NULL::INTEGER[] [1.5]",
    "ARRAY": "array_value(1,2) [1,2,3]::FLOAT[3] array_value(id,id) NULL::INTEGER[2] array_value(array_value(1,2))",
    "STRUCT": "record row(1,'a') row(array_value(1,2)) struct_pack(a:=numbers) {'a':{'b':NULL}}",
    "MAP": "pairs MAP{} MAP{1:[1]} map([1],[numbers])",
    "VARIANT": "1::VARIANT numbers::VARIANT record::VARIANT NULL::VARIANT",
    "UNION": "union_value(a:=1) union_value(b:=numbers)",
}
SHAPES = (
    "SELECT {a} FROM things",
    "SELECT {a}, {b} FROM things LIMIT 5",
    "SELECT {a}",
    "SELECT {a} AS x, count(*) FROM things GROUP BY x",
    "SELECT {a} AS x, count(*), {g} FROM things GROUP BY ROLLUP (x)",
    "SELECT {a} AS x, {b} AS y, {g} FROM things GROUP BY CUBE (x, y)",
    "SELECT {a} AS x, {b} AS y, {g}, grouping(x) FROM things GROUP BY GROUPING SETS ((x), (y), ())",
    "SELECT DISTINCT {a} FROM things",
    "SELECT DISTINCT ON ({a}) {b} FROM things",
    "SELECT id FROM things ORDER BY {a} DESC NULLS FIRST, {b} LIMIT 7",
    "SELECT {g} FROM things",
    "SELECT {g} FILTER (WHERE {a} IS NOT NULL) FROM things GROUP BY {b}",
    "SELECT {g} OVER (PARTITION BY {a} ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) FROM things",
    "SELECT {g} OVER (ORDER BY {a}) FROM things",
    "SELECT lag({a}) OVER (ORDER BY {b}), first_value({b} IGNORE NULLS) OVER (PARTITION BY flag) FROM things",
    "SELECT {a} FROM things UNION SELECT {b} FROM things",
    "SELECT {a} FROM things EXCEPT ALL SELECT {a} FROM things",
    "SELECT * FROM things t JOIN things u ON {a} IS NOT DISTINCT FROM u.name LIMIT 9",
    "SELECT t.id FROM things t JOIN (SELECT {a} AS x FROM things) u ON u.x = {b} LIMIT 9",
    "SELECT (SELECT {g} FROM things u WHERE u.id = t.id) FROM things t",
    "SELECT {a} IN (SELECT {b} FROM things) FROM things",
    "SELECT unnest([{a}, {b}]) FROM things",
    "SELECT unnest({a}) FROM things LIMIT 9",
    "SELECT list_transform([{a}, {b}], lambda x: x) FROM things",
    "SELECT CASE WHEN flag THEN {a} ELSE {b} END FROM things",
    "WITH c AS (SELECT {a} AS x FROM things) SELECT x, count(*) FROM c GROUP BY ALL ORDER BY ALL",
    "SELECT max({a}), min({b}), count(DISTINCT {a}), mode({b}), list({a} ORDER BY {b}) FROM things",
    "SELECT to_json({a})::VARCHAR, ({a})::VARCHAR FROM things",
    "SELECT ({a})::{t} FROM things",
    "SELECT TRY_CAST({a} AS {t}), {a} = {b}, {a} < {a} FROM things",
)
CASTS = (
    "VARCHAR", "INTEGER", "INTEGER[]", "VARIANT", "JSON", "STRUCT(a INTEGER)", "MAP(VARCHAR, INTEGER)", "DOUBLE[2]",
    "BIT", "BLOB", "BIGNUM", "DATE", "TIMESTAMP", "INTERVAL", "UNION(a INTEGER, b VARCHAR)", "DECIMAL(38, 37)",
)  # fmt: skip


class Generator:
    """Makes queries, of functions that the guard knows and the engine lists."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, seed: int) -> None:
        self.random = random.Random(seed)
        listed = connection.execute(
            "SELECT lower(function_name), function_type, parameter_types, varargs FROM duckdb_functions()"
            " WHERE internal AND function_type IN ('scalar', 'aggregate') ORDER BY ALL"
        ).fetchall()
        known = [row for row in listed if row[0] in guard.DUCKDB_FUNCTIONS]
        # Each name as often as any other, however many types it takes.
        self.scalars = _by_name(row for row in known if row[1] == "scalar")
        self.aggregates = _by_name(row for row in known if row[1] == "aggregate")
        self.values = {kind: text.split() for kind, text in VALUES.items()}

    def query(self) -> str:
        """One random query."""
        shape = self.random.choice(SHAPES)
        return shape.format(
            a=self.expression(2), b=self.expression(2), g=self.call(self.aggregates, 1), t=self.random.choice(CASTS)
        )

    def expression(self, depth: int, kind: str = "") -> str:
        """A value, or a call of a function of values."""
        if depth == 0 or self.random.random() < 0.3:
            kinds = [kind] if kind in self.values else list(self.values)
            return self.random.choice(self.values[self.random.choice(kinds)])
        return self.call(self.scalars, depth)

    def call(self, functions: dict[str, list[tuple[Any, ...]]], depth: int) -> str:
        """A call of a function, of arguments of the types it takes, most of the time."""
        name = self.random.choice(list(functions))
        _, _, types, varargs = self.random.choice(functions[name])
        types = list(types) + [varargs] * self.random.randrange(3) if varargs else types
        arguments = [self.expression(depth - 1, self._kind(kind)) for kind in types]
        if arguments and not re.fullmatch(r"\w+", name):
            return f"({arguments[0]} {name} {arguments[-1]})" if len(arguments) > 1 else f"({name} {arguments[0]})"
        return f'"{name}"({", ".join(arguments)})'

    def _kind(self, declared: str) -> str:
        """The name of the values that fit a declared type; `''`, for any, now and then."""
        if self.random.random() < 0.1:
            return ""
        declared = declared.upper()
        for ending, kind in (("[]", "LIST"), ("]", "ARRAY")):
            if declared.endswith(ending):
                return kind
        return declared.split("(")[0]


def _by_name(rows: Any) -> dict[str, list[tuple[Any, ...]]]:
    found: dict[str, list[tuple[Any, ...]]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return found


def main(seed: int, count: int, file: Path, given: Sequence[str]) -> dict[str, Any]:
    """Runs so many queries, or the given ones; says how many the guard and the engine took, and the slowest."""
    connection = duckdb.connect()
    connection.execute(TABLES)
    columns = connection.execute("SELECT column_name, data_type FROM duckdb_columns() WHERE NOT internal").fetchall()
    grant = Grant((Table(("memory", "main", "things"), tuple(Column(*column) for column in columns)),))
    generator = Generator(connection, seed)
    facts: dict[str, Any] = {"made": 0, "let through": 0, "ran": 0, "slowest": 0.0, "slow": ""}
    for sql in given or (generator.query() for _ in range(count)):
        facts["made"] += 1
        try:
            text = guard.qualify(sql, "duckdb", grant)
            tree = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [text]).fetchall()[0][0]
            check_duckdb(tree, grant)
        except (QueryError, duckdb.Error):
            continue
        facts["let through"] += 1
        file.write_text(text)
        took = _run(connection, text, facts)
        if took > facts["slowest"]:
            facts |= {"slowest": took, "slow": text}
    return facts


def _run(connection: duckdb.DuckDBPyConnection, sql: str, facts: dict[str, Any]) -> float:
    """Runs a query until it is interrupted; the processor time. Raises where the whole instance is lost."""
    started = time.process_time()
    timer = Timer(SECONDS, connection.interrupt)
    timer.start()
    try:
        connection.execute(sql).fetchmany(1_000)
        facts["ran"] += 1
    except duckdb.FatalException:
        raise
    except Exception as exc:
        if "INTERNAL Error" in str(exc) or "invalidated" in str(exc):
            facts.setdefault("internal", []).append(f"{str(exc).splitlines()[0][:160]} | {sql}")
    finally:
        timer.cancel()
    connection.execute("SELECT 1").fetchall()
    return time.process_time() - started


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:])))
