"""Decide whether an attached server answers a query whole, in its own SQL, and write the query that asks it to.

DuckDB lets the server filter rows, but fetches the rest to join, group and sort them itself. Where its plan expects to
fetch many more rows than the answer has, the query is translated (`translating`) and sent to the server whole. Only
queries that the guard has accepted come here, and no generated SQL may call the functions that ask a server.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from math import ceil, prod
from typing import Any, TypeAlias

import duckdb
from askwhere.bindings.duckdb import attached, pushable
from askwhere.bindings.duckdb.plans import nodes
from askwhere.bindings.duckdb.pushable import Server, Target
from askwhere.bindings.duckdb.reading import casts
from askwhere.bindings.duckdb.running import Connection, run
from askwhere.engine import Checked, Limits, Pushed, Table
from askwhere.frozen import frozen
from askwhere.sql.identifiers import fold, fold_path
from askwhere.sql.literals import quoted
from askwhere.sql.parsing import statement
from sqlglot import exp
from sqlglot.errors import SqlglotError

# A server answers a query whole only if DuckDB expects to fetch `LEAST_ROWS`, and `TIMES` as many as the answer has.
LEAST_ROWS, TIMES = 10_000, 10
AFTER = 0.5  # seconds that the server may take beyond our own limit, which should end the query first

# Servers that are attached read-only, if DuckDB has the order of values and NULLs that translations keep.
_SERVERS = """
SELECT database_name FROM system.main.duckdb_databases() WHERE type IN ('postgres', 'mysql') AND readonly
AND system.main.current_setting('default_null_order') = 'NULLS_LAST'
AND system.main.current_setting('default_collation') = ''
AND system.main.current_setting('default_order') IN ('ASC', 'ASCENDING')
"""
# The columns of some tables in PostgreSQL: their types, and numbers of different values, negative for a share of the
# rows. Texts with rules of their own for what is equal are left out.
_COLUMNS = """
SELECT n.nspname::text AS a, c.relname::text AS b, x.attname::text AS d, t.typname::text AS e,
  coalesce((SELECT max(s.n_distinct) FROM pg_catalog.pg_stats s WHERE s.schemaname = n.nspname
    AND s.tablename = c.relname AND s.attname = x.attname), 0)::float8 AS f
FROM pg_catalog.pg_attribute x JOIN pg_catalog.pg_class c ON c.oid = x.attrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN pg_catalog.pg_type t ON t.oid = x.atttypid
WHERE x.attnum > 0 AND NOT x.attisdropped AND pg_catalog.current_setting('server_encoding') = 'UTF8'
AND (n.nspname, c.relname) IN ({})
AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_collation l WHERE l.oid = x.attcollation AND NOT l.collisdeterministic)
"""
# The same for MariaDB, whose columns have at most as many different values as their table has rows. MySQL has no
# collation of that name. One of the modes reads NOT differently, and one backslashes.
_MARIADB_COLUMNS = """
SELECT table_schema, table_name, column_name,
  concat(data_type, if(collation_name = 'utf8mb4_nopad_bin', ' by bytes', '')), -1
FROM information_schema.columns
WHERE (table_schema, table_name) IN ({}) AND coalesce(character_set_name, 'utf8mb4') = 'utf8mb4'
AND version() LIKE '%MariaDB%' AND @@sql_mode NOT LIKE '%HIGH_NOT_PRECEDENCE%'
AND @@sql_mode NOT LIKE '%NO_BACKSLASH_ESCAPES%'
AND @@character_set_connection = 'utf8mb4'
"""


@frozen
class _Kind:
    """A kind of server: how it is asked, its query for columns, and the name of its scan in DuckDB's plans.

    DuckDB cannot stop a server that is still computing, so the server limits itself. `before` is a statement that sets
    the limit for the rest of the transaction, `first` is put in front of the query; `{}` in them is seconds.
    """

    server: Server
    columns: str
    scan: str
    before: str = ""
    first: str = ""


_KINDS: Mapping[str, _Kind] = {
    "postgres": _Kind(
        pushable.POSTGRES,
        _COLUMNS,
        "POSTGRES_SCAN",
        before="SELECT pg_catalog.set_config('statement_timeout', '{:.0f}s', true) AS a",
    ),
    "mysql": _Kind(
        pushable.MARIADB, _MARIADB_COLUMNS, "MYSQL_SCAN", first="SET STATEMENT max_statement_time = {:.0f} FOR "
    ),
}


@frozen
class _Fact:
    """A column as its server describes it: name, type, and about how many distinct values it has, 0 if not known."""

    name: str
    type: str
    distinct: float


# The columns of a table by their folded names.
_Facts: TypeAlias = Mapping[str, _Fact]


def pushed(connection: Connection, checked: Checked, query: str, tables: Iterable[Table]) -> Pushed | None:
    """Return how a server answers a checked query whole; None if DuckDB should run it.

    `query` is the query before its columns were renamed, with each table by its full path. `connection` is in a
    read-only transaction, which an error aborts.
    """
    served = [table for table in tables if table.source in _KINDS]
    if not served:
        return None
    try:
        servers = {name for (name,) in connection.execute(_SERVERS).fetchall()}
        known = {fold_path(table.path): table for table in served if table.path[0] in servers}
        if not known:
            return None
        tree = statement(query, "duckdb")
        if not isinstance(tree, exp.Select):
            return None
        used = _used(tree, known)
        if not used:
            return None
        pushable.check_parts(tree)
        first = next(iter(used.values()))
        type_, server, kind = first.source, first.path[0], _KINDS[first.source]
        fetched, root = _estimates(connection, checked.sql, kind.scan)
        if fetched < LEAST_ROWS:
            return None
        facts = _facts(connection, server, used.values(), type_)
        if fetched < TIMES * _returned(tree, facts, root):
            return None
        targets = {path: _target(table, facts[path], kind.server) for path, table in used.items()}
        from askwhere.bindings.duckdb import translating  # takes time to load, and most queries stay

        written = translating.translated(query, targets, checked.types, kind.server)
        sql = _asking(server, written, checked, type_)
        described = connection.execute(f"DESCRIBE {sql}").fetchall()
    except (duckdb.Error, SqlglotError, RecursionError, LookupError, ValueError):
        return None
    types = tuple(column_type for _, column_type, *_ in described)
    return Pushed(server, sql, written, type_) if types == checked.types else None


def _used(tree: exp.Select, known: Mapping[tuple[str, ...], Table]) -> dict[tuple[str, ...], Table]:
    """Return the tables that a query reads, by folded path; none unless all are in `known` and on one server."""
    ctes = {fold(cte.alias) for cte in tree.find_all(exp.CTE)}
    paths = {fold_path(tuple(part.name for part in table.parts)) for table in tree.find_all(exp.Table)}
    paths = {path for path in paths if len(path) > 1 or path[0] not in ctes}
    is_one_server = paths <= known.keys() and len({path[0] for path in paths}) == 1
    return {path: known[path] for path in paths} if is_one_server else {}


def rows(connection: Connection, pushed: Pushed, limits: Limits) -> tuple[list[tuple[Any, ...]], bool]:
    """Return the rows that a server computes within the limits, and whether they are all. Raise as `running.run`."""
    kind, seconds = _KINDS[pushed.type], ceil(limits.seconds + AFTER)
    if kind.before:
        connection.execute(_query(pushed.source, pushed.type, kind.before.format(seconds))).fetchall()
    limited = quoted(kind.first.format(seconds) + pushed.written)
    sql = pushed.sql.replace(quoted(pushed.written), limited)
    return run(connection, Checked(sql, (), ()), limits)  # no server's columns have nested types


def _query(source: str, type_: str, written: str) -> str:
    """Return DuckDB's statement that runs `written`, SQL of the server's own, on a server."""
    return f"SELECT * FROM system.main.{attached.KINDS[type_].function}({quoted(source)}, {quoted(written)})"


def _asking(server: str, written: str, checked: Checked, type_: str) -> str:
    """Return DuckDB's query whose rows a server computes, with the names and types of the checked query."""
    return f"SELECT {casts(checked, 'c{}')} FROM ({_query(server, type_, written)})"


def _estimates(connection: Connection, sql: str, scan: str) -> tuple[int, int]:
    """Return the rows that DuckDB expects to fetch from a server for a query, and those that it expects to return."""
    plan = json.loads(connection.execute(f"EXPLAIN (FORMAT json) {sql}").fetchall()[0][1])
    counts = ((node["name"].strip(), node["extra_info"].get("Estimated Cardinality")) for node in nodes(plan))
    estimated = [(name, int(rows)) for name, rows in counts if rows is not None]
    return sum(rows for name, rows in estimated if name == scan), estimated[0][1]


def _facts(
    connection: Connection, server: str, tables: Iterable[Table], type_: str
) -> Mapping[tuple[str, ...], _Facts]:
    """Return the columns of tables as their server describes them, by the folded path of the table.

    Raise `ValueError` where names have a backslash, or differ in their capitals alone: such queries stay in DuckDB.
    """
    listed = list(tables)
    rows = {fold_path(table.path): table.rows or 0 for table in listed}
    names = ", ".join(f"({quoted(table.path[1])}, {quoted(table.path[2])})" for table in listed)
    facts: dict[tuple[str, ...], dict[str, _Fact]] = {path: {} for path in rows}
    if "\\" in names:
        raise ValueError("MariaDB reads a backslash in a text as a sign for something else")
    asked = _query(server, type_, _KINDS[type_].columns.format(names))
    for schema, name, column, kind, estimate in connection.execute(asked).fetchall():
        path = fold_path((server, schema, name))
        distinct = estimate if estimate >= 0 else -estimate * rows[path]
        if fold(column) in facts[path]:
            raise ValueError("names that differ in their capitals alone")
        facts[path][fold(column)] = _Fact(column, kind, distinct)
    return facts


def _target(table: Table, facts: _Facts, server: Server) -> Target:
    """Return a table for the server, with all of its columns."""
    columns = {}
    for column in table.columns:
        fact = facts.get(fold(column.name), _Fact(column.name, "", 0))
        kind = server.kinds.get((fact.type, column.type.partition("(")[0]), "")
        columns[fold(column.name)] = (fact.name, kind)
    return Target(table.path[1], table.path[2], columns)


def _returned(tree: exp.Select, facts: Mapping[tuple[str, ...], _Facts], estimate: int) -> float:
    """Return about how many rows an answer has: with GROUP BY, the product of its keys' numbers of distinct values."""
    limit, group = tree.args.get("limit"), tree.args.get("group")
    most = float(limit.expression.name) if limit and limit.expression.name.isdigit() else float(estimate)
    if not group:
        return 1 if any(isinstance(output.unalias(), exp.AggFunc) for output in tree.selects) else most
    shown = {fold(output.alias_or_name): output.unalias() for output in tree.selects}
    keys = [tree.selects[int(key.name) - 1] if isinstance(key, exp.Literal) else key for key in group.expressions]
    keys = [shown.get(fold(key.name), key) if isinstance(key, exp.Column) else key for key in keys]
    names = {fold(column.name) for key in keys for column in key.find_all(exp.Column)}
    distinct = [max((known[name].distinct for known in facts.values() if name in known), default=0) for name in names]
    return min(most, prod(distinct)) if all(distinct) else most
