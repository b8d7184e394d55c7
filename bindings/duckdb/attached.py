"""Read what DuckDB does not list of attached SQLite, PostgreSQL and MySQL databases: keys, numbers of rows, changes.

Each is asked in its own SQL, by the function that DuckDB's extension has for it. Generated SQL cannot call these.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeAlias

import duckdb
from askwhere.bindings.duckdb.running import Connection
from askwhere.frozen import frozen
from askwhere.sql.literals import quoted

Path: TypeAlias = tuple[str, ...]

# A constraint as duckdb_constraints() has it, after its table: kind, columns, and what it refers to, with its schema.
Constraint: TypeAlias = tuple[str, list[str], str, str, list[str]]

# The columns of constraints, a row each: where the table is, the constraint's kind and mark, the column, and the table
# and the column that it refers to. Each has a name of its own, as DuckDB demands.
_SQLITE_KEYS = """
SELECT 'main' AS a, m.name AS b, 'FOREIGN KEY' AS c, p.id AS d, p."from" AS e, 'main' AS f,
  (SELECT t.name FROM sqlite_schema t WHERE lower(t.name) = lower(p."table")) AS g,
  coalesce(p."to", (SELECT c.name FROM pragma_table_info(p."table") c WHERE c.pk = p.seq + 1)) AS h
FROM sqlite_schema m, pragma_foreign_key_list(m.name) p WHERE m.type = 'table' ORDER BY m.name, p.id, p.seq
"""
_POSTGRES_KEYS = """
SELECT n.nspname::text AS a, c.relname::text AS b, 'FOREIGN KEY' AS c, k.oid::bigint AS d, x.attname::text AS e,
  m.nspname::text AS f, r.relname::text AS g, y.attname::text AS h
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_class r ON r.oid = k.confrelid JOIN pg_namespace m ON m.oid = r.relnamespace
CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY u(own, other, place)
JOIN pg_attribute x ON x.attrelid = k.conrelid AND x.attnum = u.own
JOIN pg_attribute y ON y.attrelid = k.confrelid AND y.attnum = u.other
WHERE k.contype = 'f' AND k.conparentid = 0 ORDER BY k.oid, u.place
"""
_MYSQL_KEYS = """
SELECT k.table_schema, k.table_name, t.constraint_type, k.constraint_name, k.column_name, k.referenced_table_schema,
  k.referenced_table_name, k.referenced_column_name
FROM information_schema.key_column_usage k JOIN information_schema.table_constraints t
ON t.table_schema = k.table_schema AND t.table_name = k.table_name AND t.constraint_name = k.constraint_name
ORDER BY k.table_schema, k.table_name, k.constraint_name, k.ordinal_position
"""
# Tables with their estimated rows, a mark that changes with them, and whether each is a part of another table.
_POSTGRES_TABLES = """
SELECT n.nspname::text, c.relname::text, greatest(c.reltuples, 0)::bigint, coalesce(
    (SELECT sum(s.n_tup_ins + s.n_tup_upd + s.n_tup_del)::text FROM pg_stat_user_tables s
     WHERE s.relid = c.oid OR s.relid IN (SELECT t.relid FROM pg_partition_tree(c.oid) t)), ''), c.relispartition
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND n.nspname <> 'information_schema' AND left(n.nspname, 3) <> 'pg_'
"""
_MYSQL_TABLES = """
SELECT table_schema, table_name, coalesce(table_rows, 0),
  concat(coalesce(table_rows, 0), ' ', coalesce(update_time, '')), false
FROM information_schema.tables
WHERE table_schema NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')
"""
# The SQL of views, and of generated columns with the column: DuckDB lists both without. A view that calls a function of
# users, or whose SQL may not be seen, may read anything: `query()` counts as a call that does.
# Servers before PostgreSQL 12 have no column `attgenerated`.
_POSTGRES_DEFINITIONS = """
SELECT n.nspname::text AS a, c.relname::text AS b, '' AS c, pg_get_viewdef(c.oid) || CASE WHEN EXISTS (
    SELECT FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
    WHERE d.classid = 'pg_rewrite'::regclass AND r.ev_class = c.oid AND d.refclassid = 'pg_proc'::regclass)
  THEN ' query()' ELSE '' END AS d
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('v', 'm') AND n.nspname <> 'information_schema' AND left(n.nspname, 3) <> 'pg_'
UNION ALL
SELECT n.nspname::text, c.relname::text, a.attname::text, pg_get_expr(x.adbin, x.adrelid)
FROM pg_attribute a JOIN pg_attrdef x ON x.adrelid = a.attrelid AND x.adnum = a.attnum
JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE to_jsonb(a) ->> 'attgenerated' <> ''
"""
_MYSQL_DEFINITIONS = """
SELECT table_schema AS a, table_name AS b, '' AS c, concat(view_definition,
  CASE WHEN view_definition = '' OR view_definition LIKE '%`(%' THEN ' query()' ELSE '' END) AS d
FROM information_schema.views WHERE table_schema NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')
UNION ALL
SELECT table_schema, table_name, column_name, generation_expression FROM information_schema.columns
WHERE generation_expression <> ''
"""
# SQLite's views, virtual tables with those that hold their contents, and statistics: each shows columns of others.
_SQLITE_DEFINITIONS = r"""
SELECT 'main' AS a, t.name AS b, '' AS c, coalesce(t.sql, '') || ' query()' AS d FROM sqlite_schema t
WHERE t.type = 'view' OR t.type = 'table' AND (t.rootpage = 0 OR t.name LIKE 'sqlite\_%' ESCAPE '\' OR EXISTS (
  SELECT 1 FROM sqlite_schema v WHERE v.type = 'table' AND v.rootpage = 0
  AND lower(substr(t.name, 1, length(v.name) + 1)) = lower(v.name) || '_'))
"""
# A number that changes with tables, columns, keys and views: the transactions that wrote the catalog's rows last.
_POSTGRES_SCHEMA = """
SELECT (SELECT sum(a.xmin::text::bigint) || ' ' || count(*) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace)) || ' ' ||
  (SELECT coalesce(sum(k.xmin::text::bigint), 0) || ' ' || count(*) FROM pg_constraint k) || ' ' ||
  (SELECT sum(r.xmin::text::bigint) || ' ' || count(*) FROM pg_rewrite r)
"""
_MYSQL_SCHEMA = """
SELECT concat(count(*), ' ', coalesce(sum(crc32(
  concat(table_schema, table_name, column_name, column_type, column_key))), 0), ' ',
  (SELECT coalesce(sum(crc32(concat(table_schema, table_name, view_definition))), 0) FROM information_schema.views))
FROM information_schema.columns
WHERE table_schema NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')
"""
# The columns that hold truth values, as numbers: DuckDB lists them as such.
_SQLITE_FLAGS = """
SELECT 'main' AS a, m.name AS b, p.name AS c FROM sqlite_schema m, pragma_table_info(m.name) p
WHERE m.type = 'table' AND upper(p.type) IN ('BOOL', 'BOOLEAN')
"""


@frozen
class Kind:
    """A kind of database that DuckDB attaches: the table function that queries it, and the queries for its schema.

    `own` are the schemas with nothing of the user's. `clear` is the statement that clears DuckDB's cache of the schema.
    `default` is the schema of tables that are named without one, '' where only the server knows it. `flags` asks for
    columns of truth values that DuckDB lists as numbers, `definitions` for the SQL of views and generated columns,
    which it lists as tables and plain columns. `loose` says whether a column may have values of other types.
    """

    function: str
    keys: str
    tables: str = ""
    schema: str = ""
    clear: str = ""
    own: tuple[str, ...] = ()
    default: str = "main"
    flags: str = ""
    loose: bool = False
    definitions: str = ""


_MYSQL_OWN = ("mysql", "sys", "information_schema", "performance_schema")
KINDS: dict[str, Kind] = {
    "sqlite": Kind("sqlite_query", _SQLITE_KEYS, flags=_SQLITE_FLAGS, loose=True, definitions=_SQLITE_DEFINITIONS),
    "postgres": Kind(
        "postgres_query",
        _POSTGRES_KEYS,
        _POSTGRES_TABLES,
        _POSTGRES_SCHEMA,
        clear="CALL pg_clear_cache()",
        default="public",
        definitions=_POSTGRES_DEFINITIONS,
    ),
    "mysql": Kind(
        "mysql_query",
        _MYSQL_KEYS,
        _MYSQL_TABLES,
        _MYSQL_SCHEMA,
        clear="CALL mysql_clear_cache()",
        own=_MYSQL_OWN,
        default="",
        definitions=_MYSQL_DEFINITIONS,
    ),
}
_SOURCES = (
    "SELECT database_name, type, coalesce(path, '') FROM duckdb_databases() WHERE NOT internal AND type <> 'duckdb'"
)
# Replaces the list of views where the SQL of one cannot be parsed, as DuckDB then lists no views of any database.
_NO_VIEWS = (
    "(SELECT '' AS database_name, '' AS schema_name, '' AS view_name, 0 AS view_oid, '' AS comment, '' AS sql,"
    " TRUE AS internal, FALSE AS temporary WHERE FALSE)"
)


@frozen
class Attached:
    """An attached database of another kind: its name, its type in DuckDB, and its file, '' where it has none."""

    name: str
    type: str
    file: str

    @property
    def kind(self) -> Kind:
        """Return how its kind is read."""
        return KINDS[self.type]

    def ask(self, connection: Connection, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query in the source's own SQL, none where it cannot be asked."""
        if not sql:
            return []
        try:
            result = connection.execute(f"SELECT * FROM {self.kind.function}({quoted(self.name)}, {quoted(sql)})")
            return result.fetchall()
        except duckdb.Error:
            return []  # an older server, or one that does not let this user ask

    def answers(self, connection: Connection) -> bool:
        """Return whether the source can be reached."""
        return bool(self.ask(connection, "SELECT 1 AS a"))


@frozen
class Facts:
    """Facts of a table from its source: estimated rows, a mark that changes with them, whether it is a partition."""

    rows: int
    mark: str
    part: bool


def sources(connection: Connection) -> list[Attached]:
    """Return the attached databases that can be asked in their own SQL."""
    rows = connection.execute(_SOURCES).fetchall()
    return [Attached(name, kind, path) for name, kind, path in rows if kind in KINDS]


def read(connection: Connection, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Return the rows of a query about the catalog; without views where some cannot be listed."""
    try:
        return connection.execute(sql, list(parameters)).fetchall()
    except duckdb.Error as exc:
        if "duckdb_views()" not in sql or isinstance(exc, duckdb.InterruptException):
            raise
        return connection.execute(sql.replace("duckdb_views()", _NO_VIEWS), list(parameters)).fetchall()


def notes(connection: Connection) -> tuple[str, ...]:
    """Return a sentence on the views that cannot be listed, if there are any."""
    if not sources(connection):
        return ()
    try:
        connection.execute("SELECT view_name FROM duckdb_views()").fetchall()
    except duckdb.InterruptException:
        raise
    except duckdb.Error:
        return (
            "no views are asked: an attached SQLite database has one that DuckDB cannot read, and it then lists none",
        )
    return ()


def constraints(connection: Connection, source: Attached) -> Iterator[tuple[Path, Constraint]]:
    """Yield the constraints of a source that DuckDB does not list, each with its table's path."""
    keys = source.ask(connection, source.kind.keys)
    for (schema, table, kind, _), rows in groupby(keys, lambda row: row[:4]):
        parts = list(rows)
        if all(row[4] for row in parts) and (kind != "FOREIGN KEY" or all(row[6] and row[7] for row in parts)):
            *_, target_schema, target, _ = parts[0]
            columns, others = [row[4] for row in parts], [row[7] for row in parts]
            yield (source.name, schema, table), (kind, columns, target_schema or "", target or "", others)


def flags(connection: Connection, source: Attached) -> set[Path]:
    """Return the columns of a source that hold truth values, which DuckDB lists as numbers: tables' paths and names."""
    return {(source.name, *column) for column in source.ask(connection, source.kind.flags)}


def definitions(connection: Connection, source: Attached) -> dict[Path, str]:
    """Return the SQL of a source's views, by path, and of its generated columns, by path and name."""
    rows = source.ask(connection, source.kind.definitions)
    return {(source.name, *path, *([column] if column else [])): str(sql) for *path, column, sql in rows}


def facts(connection: Connection, source: Attached) -> dict[Path, Facts]:
    """Return the facts of a source about its tables, by path."""
    tables = source.ask(connection, source.kind.tables)
    return {(source.name, *path): Facts(int(rows), str(mark), bool(part)) for *path, rows, mark, part in tables}


def is_left_out(sources: Iterable[Attached], known: Mapping[Path, Facts], path: Path) -> bool:
    """Return whether a table is a part of another one, or the source's own."""
    return (path in known and known[path].part) or any(path[0] == s.name and path[1] in s.kind.own for s in sources)


def marks(connection: Connection, source: Attached, paths: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Yield for each path of a source a text that changes with the table's rows."""
    known = facts(connection, source)
    whole = str(_state(source.file)) if source.file and not known else ""
    for path in paths:
        if path[0] == source.name:
            yield path, known[path].mark if path in known else whole


def shortener(
    connection: Connection, sources: Iterable[Attached], here: Path, databases: set[str], schemas: set[str]
) -> Callable[[Path], Path]:
    """Return a function from a table's path to the shortest one by which a statement may name it.

    `here` are the current database and schema. A name that is both a database's and a schema's means nothing by itself.
    """
    both = databases & schemas
    defaults = {s.name: s.kind.default or _database(connection, s) for s in sources}

    def short(path: Path) -> Path:
        database, schema, name = path
        if database == "temp" or path[:2] == here:
            return (name,)
        if schema == defaults.get(database, "main") and database not in both:
            return (database, name)
        return (schema, name) if database == here[0] and schema not in both else path

    return short


def _database(connection: Connection, source: Attached) -> str:
    """Return the database of a MySQL server that tables without one are in."""
    rows = source.ask(connection, "SELECT database() AS d")
    return str(rows[0][0]) if rows else ""


def refresh(connection: Connection, sources: Iterable[Attached]) -> None:
    """Clear DuckDB's cache of the sources' schemas, without which it would not see new tables."""
    for clear in {source.kind.clear for source in sources} - {""}:
        with contextlib.suppress(duckdb.Error):
            connection.execute(clear).fetchall()


def shape(connection: Connection, source: Attached) -> Hashable:
    """Return a value, cheaply, that changes with the tables and keys of a source."""
    if source.file and not source.kind.schema:
        return _state(source.file)
    return tuple(source.ask(connection, source.kind.schema))


def content(connection: Connection, source: Attached) -> Hashable:
    """Return a value, cheaply, that changes with the rows of a source."""
    if source.file and not source.kind.tables:
        return _state(source.file)
    return frozenset(facts(connection, source).items())


def _state(file: str) -> Hashable:
    """Return the size and the time of change of a SQLite database's files."""
    states = []
    for name in (file, f"{file}-wal"):
        try:
            state = os.stat(name)
        except OSError:
            continue
        states.append((state.st_size, state.st_mtime_ns))
    return tuple(states)
