# ruff: noqa: E501  (a statement is a line)
"""What hostile statements cost: how each ends, in how many seconds, and how much the process grows meanwhile.

    python tests/benchmarks/limits.py                     # all statements of both engines
    python tests/benchmarks/limits.py --engine duckdb --only levenshtein

Each statement is the reply of a model in a fresh process, with `query_timeout = 2` and `max_seconds = 10`, on a table
of 200 customers. What takes longer than LIMIT seconds, or grows by more than MEGABYTES, is marked `!`. A process that
dies is told by its signal.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from askwhere.display import table

QUERY_TIMEOUT, MAX_SECONDS = 2, 10
LIMIT = MAX_SECONDS + 1
MEGABYTES = 600
KILLED_AFTER = 60
COLUMNS = ("engine", "statement", "outcome", "seconds", "grew by MB", "")
ROWS = {
    "duckdb": "CREATE TABLE customers AS SELECT i::INTEGER AS id, 'n' || i AS name,"
    " 'e' || i || '@example.com' AS email,"
    " 'token' || i AS api_token, ['Rome', 'Oslo', 'Lima'][i % 3 + 1] AS city FROM range(200) t(i)",
    "sqlite": "CREATE TABLE customers AS WITH RECURSIVE k(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM k WHERE i < 199)"
    " SELECT i AS id, 'n' || i AS name, 'e' || i || '@example.com' AS email, 'token' || i AS api_token,"
    " CASE i % 3 WHEN 0 THEN 'Rome' WHEN 1 THEN 'Oslo' ELSE 'Lima' END AS city FROM k",
}


def doubling(levels: int, first: str = "SELECT 1 x", each: str = "SELECT a.*, b.* FROM {0} a, {0} b") -> str:
    """Return common table expressions, each of which reads the one before it as `each` says."""
    named = [f"a0 AS ({first})"] + [f"a{n} AS ({each.format(f'a{n - 1}')})" for n in range(1, levels)]
    return f"WITH {', '.join(named)} SELECT count(*) FROM a{levels - 1}"


def nested(call: str, levels: int, inner: str) -> str:
    """Return calls nested in calls."""
    for _ in range(levels):
        inner = call.format(inner)
    return inner


_MANY = "customers a, customers b, customers c"
_LONG = "(SELECT string_agg(a.email, '') s FROM customers a, customers b, range(20))"
_A = "printf('%.{0}c', 'a')"
# A statement may have a name that is shorter than it is.
STATEMENTS: dict[str, dict[str, str]] = {
    "sqlite": {
        # wide and long rows
        "printf": "SELECT length(printf('%.16000000c', 'a'))",
        "printf x 4": "SELECT " + ", ".join(f"printf('%.16000000c', 'a') c{n}" for n in range(4)),
        "printf x 60": "SELECT " + ", ".join(f"printf('%.16000000c', 'a') c{n}" for n in range(60)),
        "printf x 200": "SELECT " + ", ".join(f"printf('%.16000000c', 'a') c{n}" for n in range(200)),
        "printf x 200 of 1 MB": "SELECT " + ", ".join(f"printf('%.1000000c', 'a') c{n}" for n in range(200)),
        "printf once, shown 200 times": "SELECT " + ", ".join(f"upper(x) c{n}" for n in range(200))
        + " FROM (SELECT printf('%.16000000c', 'a') x FROM customers LIMIT 1)",
        "printf of rows, ordered": "SELECT printf('%.16000000c', name) x FROM customers ORDER BY x",
        "printf of rows, distinct": "SELECT count(DISTINCT printf('%.1000000c', name) || id) FROM customers",
        "stars that double": doubling(12, "SELECT printf('%.100000c', 'a') x").replace("SELECT count(*)", "SELECT *"),
        "printf wide digits": "SELECT printf('%16000000d', 1) || printf('%.16000000f', 1.5)",
        "no ASCII": "SELECT " + ", ".join(f"char(128512) || printf('%.900000c', 'a') c{n}" for n in range(60)),
        "hex of hex": "SELECT length(" + nested("hex({0})", 24, "'x'") + ")",
        "hex of hex of rows": "SELECT " + nested("hex({0})", 18, "email") + " FROM customers",
        "replace of replace": "SELECT length(" + nested("replace({0}, 'x', 'xxxxxxxxxx')", 9, "'x'") + ") FROM customers",
        "quote of quote": "SELECT length(" + nested("quote({0})", 26, "''''") + ")",
        "concat doubled": "WITH RECURSIVE r(n, x) AS (SELECT 1, 'x' UNION ALL SELECT n + 1, x || x FROM r LIMIT 40) SELECT x FROM r",
        "recursive rows that grow": "WITH RECURSIVE r(n, x) AS (SELECT 1, 'x' UNION ALL SELECT n + 1, x || 'xxxxxxxx' FROM r) SELECT count(x) FROM r",
        "randomblob": "SELECT length(randomblob(900000000))",
        "char": "SELECT length(group_concat(char(" + ",".join(["128512"] * 60) + "), '')) FROM " + _MANY,
        # rows that are kept
        "endless recursion": "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
        "endless recursion, distinct": "WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x + 1 FROM c) SELECT count(*) FROM c",
        "cross join": f"SELECT * FROM {_MANY}",
        "cross join counted": f"SELECT count(*) FROM {_MANY}, customers d",
        "cross join ordered": f"SELECT * FROM {_MANY} ORDER BY a.email, b.email DESC, c.email",
        "cross join grouped": f"SELECT a.email, b.email, c.email, count(*) FROM {_MANY} GROUP BY 1, 2, 3",
        "cross join distinct": f"SELECT DISTINCT a.email || b.email || c.email FROM {_MANY}",
        "group_concat": f"SELECT length(group_concat(a.email || b.email || c.email)) FROM {_MANY}",
        "group_concat x 40": "SELECT " + ", ".join(f"group_concat(a.email || b.email || {n}) c{n}" for n in range(40))
        + " FROM customers a, customers b",
        "group_concat by groups": f"SELECT a.id, b.id, group_concat(printf('%.100000c', c.name)) FROM {_MANY} GROUP BY 1, 2",
        "json_group_array": f"SELECT length(json_group_array(a.email || b.email || c.email)) FROM {_MANY}",
        "json_group_object": f"SELECT length(json_group_object(a.email || b.email, c.email)) FROM {_MANY}",
        "window over rows": f"SELECT group_concat(a.email) OVER (ORDER BY b.id, c.id) FROM {_MANY}",
        "window frames": "SELECT group_concat(printf('%.10000c', a.name)) OVER (ORDER BY a.id ROWS BETWEEN 100 PRECEDING AND 100"
        " FOLLOWING) FROM customers a, customers b",
        "many windows": "SELECT " + ", ".join(f"sum(id) OVER (ORDER BY id % {n + 1}) a{n}" for n in range(60)) + " FROM customers",
        "percentile": f"SELECT percentile(a.id + b.id * c.id, 50) FROM {_MANY}, customers d",
        "set operations": " UNION ".join(f"SELECT a.email || b.email || {n} FROM customers a, customers b" for n in range(45)),
        "except": f"SELECT a.email || b.email || c.email FROM {_MANY} EXCEPT SELECT 'x'",
        "materialized": f"WITH m AS MATERIALIZED (SELECT a.email || b.email || c.email x FROM {_MANY}) SELECT count(*) FROM m, m n",
        "deep subqueries": "SELECT * FROM " + nested("(SELECT *, x || x AS y FROM {0})", 30, "(SELECT name x FROM customers)"),
        "correlated": "SELECT " + nested("(SELECT max(a.id + {0}) FROM customers a WHERE a.id < 9)", 9, "1"),
        # work that is more than linear in one value
        "instr": "SELECT instr(" + _A.format(16000000) + ", " + _A.format(8000000) + " || 'b')",
        "instr of rows": "SELECT sum(instr(" + _A.format(4000000) + ", " + _A.format(2000000) + " || id)) FROM customers",
        "replace long": "SELECT length(replace(" + _A.format(16000000) + ", " + _A.format(8000000) + " || 'b', 'x'))",
        "trim": "SELECT length(trim(" + _A.format(8000000) + ", printf('%.*c', 8000000, 'b') || 'a'))",
        "unhex": "SELECT length(unhex(" + _A.format(100).replace("'a'", "'-'").replace("100", "8000000") + ", printf('%.8000000c', '+') || '-'))",
        "like": "SELECT " + _A.format(16000000) + " LIKE '%" + "a" * 90 + "b%'",
        "like of rows": "SELECT count(*) FROM customers WHERE " + _A.format(4000000) + " || id LIKE '%" + "_a" * 45 + "b%'",
        "glob": "SELECT " + _A.format(16000000) + " GLOB '*" + "[a-z][^b]" * 9 + "b*'",
        "json_patch": "SELECT length(json_patch((SELECT json_group_object(a.id || '-' || b.id, 1) FROM customers a, customers b),"
        " (SELECT json_group_object(a.id || '+' || b.id, 1) FROM customers a, customers b)))",
        "json_tree": "SELECT sum(length(fullkey)) FROM json_tree((SELECT json_group_object(a.email || b.email || c.id, '[1,2,3]') FROM"
        f" {_MANY}))",
        "json nested": "SELECT length(" + nested("json_array({0}, {0})", 12, "name") + ") FROM customers",
        "json_set chain": "SELECT length(" + nested("json_set({0}, '$.x', printf('%.1000000c', 'a'))", 60, "'{{}}'") + ") FROM customers",
        "substr loop": "WITH RECURSIVE s(x) AS (SELECT printf('%.4000000c', 'a') UNION ALL SELECT substr(x, 2) FROM s WHERE x <> '')"
        " SELECT count(*) FROM s",
    },
    "duckdb": {
        # a size that a number says
        "repeat by name": "SELECT length(repeat(count := 200000000, string := '1'))",
        "rpad by name": "SELECT length(rpad(count := 200000000, string := '1', character := 'x'))",
        "list_resize by name": "SELECT len(list_resize([1], value := 1, size := 200000000))",
        "repeat of repeat": "SELECT length(repeat(repeat('x', 10000), 10000)) FROM customers",
        "repeat of a list": "SELECT len(repeat(repeat([1], 10000), 10000)) FROM customers",
        "rpad of rows": "SELECT sum(length(rpad(name, 10000, email))) FROM customers, range(100000)",
        "bitstring": "SELECT bit_count(bitstring('1', 100000000))",
        "bitstring of rows": "SELECT sum(bit_count(bitstring('1', 2000000000))) FROM customers",
        "bitstring shifted": "SELECT bit_count(bitstring('1', 1000000) << 100000000)",
        "bitstring_agg": "SELECT bit_count(bitstring_agg(id::BIGINT, 0, 999999999)) FROM customers",
        "bitstring_agg list": "SELECT list_aggregate([1], 'bitstring_agg', 0, 999999999)",
        "range list": "SELECT len(range(200000000))",
        "range list of rows": "SELECT sum(len(range(id * 1000000))) FROM customers",
        "generate_series dates":
            "SELECT len(generate_series(TIMESTAMP '0001-01-01', TIMESTAMP '9999-01-01', INTERVAL 1 SECOND))",
        "range table": "SELECT list(range) FROM range(100000000)",
        "range sum": "SELECT sum(range) FROM range(100000000000)",
        "generate_subscripts": "SELECT count(*) FROM (SELECT generate_subscripts(range(100000000), 1))",
        "equi_width_bins": "SELECT len(equi_width_bins(0, 1e9, 100000000, false))",
        "reservoir_quantile": "SELECT reservoir_quantile(id::HUGEINT, 0.5, 2147483647) FROM customers",
        "list reservoir_quantile": "SELECT list_aggregate([1, 2], 'reservoir_quantile', 0.5, 2147483647)",
        "approx_top_k": "SELECT approx_top_k(id, 100000000) FROM customers",
        "max with a count": "SELECT max(id, 100000000) FROM customers",
        "arg_max with a count": "SELECT arg_max(id, name, 900000) FROM customers GROUP BY id",
        "lttb": "SELECT lttb(id, id, 1000000000) FROM customers",
        "to_base": "SELECT length(to_base(1, 2, 2000000000))",
        "printf": "SELECT length(printf('%200000000d', 1))",
        "format": "SELECT length(format('{:>200000000}', 'x'))",
        "bar": "SELECT length(bar(1, 0, 1, 100000000))",
        "factorial": "SELECT factorial(33) * factorial(33)",
        "bignum": "SELECT length(repeat('9', 10000)::BIGNUM::VARCHAR) FROM customers",
        "bignum product":
            "SELECT length((repeat('9', 10000)::BIGNUM + repeat('9', 10000)::BIGNUM)::VARCHAR) FROM "
            "customers, customers b",
        "array cast": "SELECT len(CAST(NULL AS INTEGER[100000])) FROM customers",
        "nested array cast": "SELECT CAST(NULL AS INTEGER[10000][10000])",
        # a value that grows
        "concat doubled": "SELECT length(" + nested("replace({0}, 'x', 'xxxxxxxxxx')", 9, "'x'") + ") FROM customers",
        "concat by rows": doubling(1, "SELECT 1 x").replace("SELECT count(*) FROM a0", "")
        + ", t0 AS (SELECT 'xxxxxxxxxx' s)"
        + "".join(f", t{n} AS (SELECT s || s || s || s s FROM t{n - 1})" for n in range(1, 15))
        + " SELECT length(s) FROM t14",
        "translate hex": "SELECT length(" + nested("hex({0})", 20, "email") + ") FROM customers",
        "list_transform of ranges": "SELECT len(list_transform(range(10000), lambda x: range(10000)))",
        "list_reduce that doubles":
            "SELECT length(list_reduce(list_transform(range(32), lambda i: 'xx'), lambda a, b: a || a))",
        "flatten": "SELECT len(flatten(list_transform(range(10000), lambda x: range(10000))))",
        "list_concat": "SELECT len(" + nested("list_concat({0}, {0})", 10, "range(10000)") + ")",
        "json of lists": "SELECT length(to_json(list_transform(range(10000), lambda x: range(1000)))::VARCHAR)",
        "string_agg of long texts": f"SELECT string_agg(repeat(a.name, 100), '') FROM {_MANY}",
        "string_agg": f"SELECT length(string_agg(a.email || b.email || c.email, '')) FROM {_MANY}",
        "list of rows": f"SELECT len(list(a)) FROM {_MANY}",
        "list of structs": f"SELECT len(list({{'a': a.email, 'b': b.email, 'c': c.email}})) FROM {_MANY}",
        "array_agg ordered": f"SELECT len(array_agg(a.email ORDER BY b.email, c.name)) FROM {_MANY}",
        "group_concat distinct": f"SELECT len(list(DISTINCT a.email || b.email || c.email)) FROM {_MANY}",
        "histogram": f"SELECT cardinality(histogram(a.email || b.email || c.email)) FROM {_MANY}",
        "count distinct": f"SELECT count(DISTINCT a.email || b.email || c.email) FROM {_MANY}",
        "group by all": f"SELECT a.email, b.email, c.email, count(*) FROM {_MANY} GROUP BY ALL ORDER BY ALL",
        "window over rows": f"SELECT list(a.email) OVER (ORDER BY b.id, c.id) FROM {_MANY} LIMIT 1",
        "window lists": "SELECT sum(len(list(a.email) OVER (ORDER BY a.id, b.id))) FROM customers a, customers b",
        "order by rows": f"SELECT * FROM {_MANY} ORDER BY a.email, b.email DESC, c.email",
        "quantile": f"SELECT quantile_cont(a.id + b.id * c.id, 0.5) FROM {_MANY}, range(100)",
        "mode": f"SELECT mode(a.email || b.email || c.email) FROM {_MANY}",
        "recursive union": "WITH RECURSIVE r(x) AS (SELECT 'x' UNION ALL SELECT x || x FROM r) SELECT length(x) FROM r",
        "recursive list": "WITH RECURSIVE r(x) AS (SELECT [1] UNION ALL SELECT x || x FROM r) SELECT len(x) FROM r",
        "wide rows": "SELECT " + ", ".join(f"repeat(email, 1000) a{n}" for n in range(500)) + " FROM customers",
        "pivoted list zip": "SELECT len(list_zip(" + ", ".join(["range(1000000)"] * 50) + "))",
        # work that is more than linear in one value
        "levenshtein": f"SELECT levenshtein(s, reverse(s)) FROM {_LONG}",
        "damerau_levenshtein": f"SELECT damerau_levenshtein(s, reverse(s)) FROM {_LONG}",
        "jaro_similarity": f"SELECT jaro_similarity(s, reverse(s)) FROM {_LONG}",
        "jaccard": f"SELECT jaccard(s, reverse(s)) FROM {_LONG}",
        "levenshtein of repeats": "SELECT sum(levenshtein(repeat(name, 2000), repeat(email, 1000))) FROM customers",
        "levenshtein of rpad":
            "SELECT sum(damerau_levenshtein(rpad(name, 9999, 'x'), rpad(email, 9999, 'y'))) FROM customers",
        "instr": f"SELECT instr(s, s || 'x') + position(repeat('a', 5000) || 'b' IN repeat('a', 10000)) FROM {_LONG}",
        "contains":
            "SELECT sum((contains(repeat('a', 10000), repeat('a', 5000) || 'b'))::INT) FROM customers, range(1000)",
        "regexp": f"SELECT regexp_replace(s, '(.*)*(.*)*x', 'y', 'g') FROM {_LONG}",
        "regexp repeats": "SELECT regexp_matches(email, '((((a{1,30}){1,30})b){1,30})') FROM customers",
        "regexp by rows":
            "SELECT sum(regexp_matches(repeat('a', 9999), '(a?){' || id || '}b')::INT) FROM customers, range(10000)",
        "like": f"SELECT s LIKE '%a%a%a%a%a%a%a%a%a%a%a%b' FROM {_LONG}",
        "like over repeats": "SELECT repeat('a', 10000) LIKE '%" + "a%" * 500 + "b' FROM customers",
        "like of both kinds": "SELECT repeat('a', 200) LIKE '%a_%a_%a_%a_%b'",
        "glob": "SELECT repeat('a', 10000) GLOB '" + "*a" * 500 + "b' FROM customers",
        "list_intersect": "SELECT len(list_intersect(range(3000000), range(3000000)))",
        "list_has_all": "SELECT list_has_all(range(300000), range(300000)) FROM customers",
        "list_contains in transform":
            "SELECT len(list_filter(range(10000), lambda x: list_contains(range(10000), -x)))",
        "nested transform":
            "SELECT list_sum(list_transform(range(10000), lambda x: "
            "list_sum(list_transform(range(10000), lambda y: x * y))))",
        "string_split": f"SELECT len(string_split(s, '')) FROM {_LONG}",
        "replace by nothing": f"SELECT length(replace(s, '@', s[:10000])) FROM {_LONG}",
        "list_position of strings":
            "SELECT list_position(list_transform(range(10000), lambda x: repeat('a', 10000)), 'b')",
        "list_sort": "SELECT len(list_sort(list_transform(range(1000000), lambda x: (x * 7919) % 1000003)))",
        "list_distinct": "SELECT len(list_distinct(range(10000000)))",
        "bignum cast": "SELECT repeat('9', 10000)::BIGNUM FROM customers, range(1000)",
        "hash of long": f"SELECT sha256(s), md5(s), hash(s) FROM {_LONG}",
        # binding
        "stars that double": doubling(17),
        "stars that double by USING": doubling(12, "SELECT 1 x, 2 y", "SELECT * FROM {0} a JOIN {0} b USING (x)"),
        "relations that double": doubling(22, "SELECT 1 x", "SELECT a.x FROM {0} a, {0} b"),
        "COLUMNS that double": doubling(17, each="SELECT COLUMNS(*) FROM {0} a, {0} b"),
        "structs that double": doubling(25, each="SELECT a AS x, b AS y FROM {0} a, {0} b"),
        "unnested structs": doubling(18, "SELECT {'x': 1, 'y': 2} s", "SELECT {{'s': s, 't': s}} s FROM {0}"),
        "lists that nest": doubling(60, "SELECT [1] x", "SELECT [[x, x], [x, x]] x FROM {0}"),
        "cube": "SELECT count(*) FROM customers GROUP BY CUBE (" + ", ".join(f"id + {n}" for n in range(16)) + ")",
        "cubes":
            "SELECT count(*) FROM customers GROUP BY CUBE (id, name, email, city), CUBE (id + 1, id + 2, "
            "id + 3, id + 4)",
        "rollup":
            "SELECT count(*) FROM customers, range(1000) t(i) GROUP BY ROLLUP (" + ", ".join(
            f"i + {n}" for n in range(200)) + ")",
        "many joins": "SELECT count(*) FROM " + ", ".join(f"customers c{n}" for n in range(60)) + " WHERE "
        + " AND ".join(f"c{n}.id = c{n + 1}.id" for n in range(59)),
        "a clique of joins": "SELECT count(*) FROM " + ", ".join(f"customers c{n}" for n in range(25)) + " WHERE "
        + " AND ".join(f"c{n}.id = c{m}.id" for n in range(25) for m in range(n)),
        "many ORs":
            "SELECT count(*) FROM customers WHERE " + " OR ".join(f"(id = {n} AND name = 'n{n}')" for n in range(600)),
        "ORs of ANDs": "SELECT count(*) FROM customers WHERE "
        + " AND ".join(f"(id = {n} OR name = '{n}' OR email = '{n}')" for n in range(300)),
        "deep types": "SELECT '" + "[" * 3000 + "'::" + "INTEGER" + "[]" * 90,
        "deep JSON": "SELECT ('" + "[" * 20000 + "')::JSON",
        "deep JSON types": "SELECT json_structure('" + '{"a":' * 900 + "1" + "}" * 900 + "')",
        "wide JSON types":
            "SELECT json_group_structure(json_object('a' || a.id || '_' || b.id, 1)) FROM customers a, customers b",
        "many windows":
            "SELECT " + ", ".join(f"sum(id) OVER (ORDER BY id % {n + 1}) a{n}" for n in range(300)) + " FROM customers",
        "set operations": " UNION ".join(f"SELECT id + {n} FROM customers" for n in range(190)),
        "correlated": "SELECT " + nested("(SELECT max(a.id + {0}) FROM customers a WHERE a.id < 3)", 7, "1"),
        "cast chain": "SELECT " + nested("CAST({0} AS DECIMAL(38, 10))", 90, "1"),
        "decimal chain": "SELECT " + " * ".join(["1.0000000001"] * 600),
        "unnest recursive": "SELECT unnest(list_transform(range(10000), lambda x: [[range(100)]]), recursive := true)",
        "unnest of a wide struct":
            doubling(13, "SELECT {'x': 1, 'y': 2} s", "SELECT {{'s': s, 't': s}} s FROM {0}").replace(
            "SELECT count(*)", "SELECT unnest(s, recursive := true)"),
        # crashes of the engine
        "rollup over a row": "SELECT row(array_value(1, 2)) x, count(*) FROM customers GROUP BY ROLLUP (x)",
        "variant list": "SELECT list_sort(1::VARIANT), list_reverse_sort(1::VARIANT) FROM customers",
    },
}  # fmt: skip


def child(engine: str, sql: str) -> None:
    """Ask, and tell the outcome as JSON."""
    import askwhere
    from askwhere.models import Scripted

    with tempfile.TemporaryDirectory() as folder:
        connection: Any = made(engine, folder)
        askwhere.register(
            connection, model=Scripted([sql] * 5), effort="fast", query_timeout=QUERY_TIMEOUT, max_seconds=MAX_SECONDS
        )
        connection.execute("SELECT ask_version()").fetchall()
        before, started = held("RSS"), time.monotonic()
        try:
            outcome = f"{len(askwhere.ask(connection, 'zz').rows)} rows"
        except askwhere.AskError as exc:
            outcome = f"{type(exc).__name__}: {exc}"
        facts = {"outcome": outcome, "seconds": time.monotonic() - started, "grew": held("HWM") - before}
        print(json.dumps(facts), flush=True)
        os._exit(0)  # what cannot be stopped is not waited for


def made(engine: str, folder: str) -> Any:
    """Return a connection to a database with the customers, in a file."""
    if engine == "duckdb":
        import duckdb

        connection = duckdb.connect(f"{folder}/app.duckdb")
        connection.execute(ROWS[engine])
        return connection
    import apsw

    database = apsw.Connection(f"{folder}/app.db")
    database.execute(ROWS[engine])
    return database


def held(what: str) -> float:
    """Return the megabytes that this process holds (`RSS`) or held at most (`HWM`)."""
    status = Path("/proc/self/status").read_text()
    return int(re.findall(rf"Vm{what}:\s*(\d+) kB", status)[0]) / 1024


def line(engine: str, name: str, sql: str, python: str, gigabytes: int) -> tuple[str, ...]:
    """Return a row of the table, for a statement in a process of its own."""
    limited = f'ulimit -v {gigabytes * 1024 * 1024}; exec "$@"'
    command = ["bash", "-c", limited, "-", python, __file__, "--child", engine, sql]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=KILLED_AFTER, check=False)
    except subprocess.TimeoutExpired:
        return (engine, name, f"no end by {KILLED_AFTER} s", f"{KILLED_AFTER}.0", "", "!")
    if done.returncode or not done.stdout:
        died = signal.Signals(-done.returncode).name if done.returncode < 0 else f"exit {done.returncode}"
        return (engine, name, f"the process died: {died} {done.stderr.strip()[-60:]}", "", "", "!")
    facts = json.loads(done.stdout.splitlines()[-1])
    bad = facts["seconds"] > LIMIT or facts["grew"] > MEGABYTES
    said = " ".join(facts["outcome"].split())[:90]
    return (engine, name, said, f"{facts['seconds']:.1f}", f"{facts['grew']:.0f}", "!" if bad else "")


def lines(parsed: argparse.Namespace) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table."""
    for engine in parsed.engine.split(","):
        for name, sql in STATEMENTS[engine].items():
            if parsed.only in name:
                yield line(engine, name, sql, parsed.python, parsed.gigabytes)


def main() -> None:
    """Try the statements, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="sqlite,duckdb", metavar="NAMES", help="sqlite, duckdb, or both")
    parser.add_argument("--only", default="", metavar="TEXT", help="the statements alone whose name has this text")
    parser.add_argument("--python", default=sys.executable, metavar="PATH", help="the interpreter that runs them")
    parser.add_argument("--gigabytes", type=int, default=6, metavar="N", help="of address space, for each")
    parser.add_argument("--child", nargs=2, metavar=("ENGINE", "SQL"), help=argparse.SUPPRESS)
    parsed = parser.parse_args()
    if parsed.child:
        return child(*parsed.child)
    rows = []
    for row in lines(parsed):
        rows.append(row)
        print("; ".join(row), flush=True)
    print(f"\n{table(COLUMNS, rows)}")
    return None


if __name__ == "__main__":
    main()
