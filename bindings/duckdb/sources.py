"""Find the columns that a view or generated column of DuckDB reads, from its plan in an empty copy of the schema.

In the copy, DuckDB's only optimization is to leave out unused columns, so that the scans of a plan list what is read.
This works for any SQL: references by position, whole rows, macros, and tables that functions name.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import duckdb
from askwhere.bindings.duckdb import attached
from askwhere.bindings.duckdb.extensions import ALONE, Config
from askwhere.bindings.duckdb.plans import nodes
from askwhere.bindings.duckdb.running import Connection
from askwhere.engine import Reading, Source, Table
from askwhere.guard.estimates import MAX_WORK
from askwhere.sql.identifiers import parts, quote, quote_path
from askwhere.sql.literals import quoted

_EMPTY: Config = {**ALONE, "threads": 1, "python_enable_replacements": "false"}
_OTHERS = "SELECT string_agg(name, ',') FROM duckdb_optimizers() WHERE name <> 'unused_columns'"
# Leaves of a plan that read nothing of the database.
_HARMLESS = frozenset(
    "COLUMN_DATA_SCAN CTE_SCAN REC_CTE_SCAN DELIM_SCAN DUMMY_SCAN EMPTY_RESULT RANGE GENERATE_SERIES REPEAT UNNEST"
    " JSON_EACH JSON_TREE".split()
)
# Leaves that read files. They count as harmless too, as no hidden column is in a file, unless a view is replaced by a
# table (`_planned`): then the file may be one that this view reads.
_FILES = frozenset("READ_CSV READ_PARQUET READ_JSON".split())
_READABLE = """
SELECT current_setting('allowed_paths'), current_setting('allowed_directories')
WHERE NOT current_setting('enable_external_access')
"""
_MACROS = """
SELECT database_name, schema_name, function_name, function_type, parameters, macro_definition FROM duckdb_functions()
WHERE NOT internal AND function_type IN ('macro', 'table_macro') ORDER BY 1, 2, 3
"""


def macros(connection: Connection) -> dict[str, str]:
    """Return the text of each macro's definitions, by its name."""
    texts: dict[str, str] = {}
    for *_, name, _, _, definition in connection.execute(_MACROS).fetchall():
        texts[name] = f"{texts.get(name, '')} {definition}"
    return texts


def sources(
    connection: Connection, reads: Sequence[Reading], tables: Sequence[Table], opaque: Collection[tuple[str, ...]]
) -> list[frozenset[Source] | None]:
    """See `Engine.sources`. It is not known what an attached server reads for its views and generated columns."""
    by_read = _sources(connection, reads, tables, opaque)
    return [None if _is_computed_elsewhere(*read) else found for read, found in zip(reads, by_read, strict=True)]


def _is_computed_elsewhere(table: Table, names: Sequence[str]) -> bool:
    """Return whether an attached server computes a table, as a view, or one of the columns."""
    return bool(table.source) and (table.kind == "view" or any(c.computed and c.name in names for c in table.columns))


def _sources(
    connection: Connection, reads: Sequence[Reading], tables: Sequence[Table], opaque: Collection[tuple[str, ...]]
) -> list[frozenset[Source] | None]:
    """Return for each of `reads` the columns that it reads, None where its plan does not show them."""
    generated = {
        tuple(path)
        for *path, sql in connection.execute(
            "SELECT database_name, schema_name, table_name, sql FROM duckdb_tables()"
        ).fetchall()
        if sql is None or "generated" in sql.lower()
    }
    if not any(table.kind == "view" or table.path in generated for table, _ in reads):
        return [frozenset((table.path, name) for name in names) for table, names in reads]
    planned = _planned(connection, reads, tables, ())
    stand_ins = [t for t in tables if t.kind == "view" and t.path in opaque]
    if not stand_ins:
        return planned
    others = _planned(connection, reads, tables, stand_ins)
    return [None if a is None or b is None else a | b for a, b in zip(planned, others, strict=True)]


def _planned(
    connection: Connection, reads: Sequence[Reading], tables: Sequence[Table], stand_ins: Sequence[Table]
) -> list[frozenset[Source] | None]:
    """Return the columns that each of `reads` reads, by its plan in a copy of the schema.

    In the copy the views `stand_ins` are tables: a plan names a table that it scans, but not a view.
    """
    with contextlib.closing(duckdb.connect(":memory:", config=_EMPTY)) as empty:
        readable = connection.execute(_READABLE).fetchone() or ((), ())
        for setting, paths in zip(("allowed_paths", "allowed_directories"), readable, strict=True):
            # Where the connection can read no other files, views over these are planned too.
            empty.execute(f"SET {setting} = [{', '.join(map(quoted, paths))}]")
        empty.execute("SET enable_external_access = false")
        _copy(connection, empty, stand_ins, {t.path for t in tables if t.work > MAX_WORK})
        empty.execute(f"SET disabled_optimizers = '{empty.execute(_OTHERS).fetchall()[0][0]}'")
        standing = {table.path for table in stand_ins}
        harmless = _HARMLESS if stand_ins else _HARMLESS | _FILES
        return [
            frozenset()  # a stand-in is a table, which reads nothing but its own columns
            if table.path in standing
            else _reads(empty, table, names, tables, harmless)
            for table, names in reads
        ]


def _copy(
    connection: Connection, empty: Connection, stand_ins: Sequence[Table], without: Collection[tuple[str, ...]]
) -> None:
    """Make tables, views, macros and sequences in another connection, without rows, as far as possible.

    The views `without` are not made, as binding one takes too long.
    """
    for (name,) in connection.execute("SELECT database_name FROM duckdb_databases() WHERE NOT internal").fetchall():
        empty.execute(f"ATTACH IF NOT EXISTS ':memory:' AS {quote(name)}")
    for path in connection.execute(
        "SELECT database_name, schema_name FROM duckdb_schemas() WHERE NOT internal AND database_name <> 'temp'"
    ).fetchall():
        empty.execute(f"CREATE SCHEMA IF NOT EXISTS {quote_path(path)}")
    here = connection.execute("SELECT current_database(), current_schema()").fetchall()[0]
    made = {table.path: _stand_in(table) for table in stand_ins}
    waiting = [((*path, name), made.get((*path, name), sql)) for *path, name, sql in _definitions(connection)]
    waiting = [(path, sql) for path, sql in waiting if path not in without]
    while waiting:
        left = [(path, sql) for path, sql in waiting if not _runs(empty, path if path[0] != "temp" else here, sql)]
        if len(left) == len(waiting):
            return
        waiting = left


def _definitions(connection: Connection) -> Iterator[tuple[Any, ...]]:
    """Yield the path of everything in the databases, and the SQL that makes it."""
    for path in connection.execute(
        "SELECT database_name, schema_name, sequence_name FROM duckdb_sequences()"
    ).fetchall():
        yield *path, f"CREATE SEQUENCE {quote(path[-1])}"
    for path, overloads in groupby(connection.execute(_MACROS).fetchall(), lambda row: row[:3]):
        bodies = [
            f"({', '.join(map(quote, parameters))}) AS {'TABLE ' * (kind == 'table_macro')}{definition}"
            for *_, kind, parameters, definition in overloads
        ]
        yield *path, f"CREATE {'TEMP ' * (path[0] == 'temp')}MACRO {quote(path[-1])} {', '.join(bodies)}"
    yield from connection.execute("SELECT database_name, schema_name, table_name, sql FROM duckdb_tables()").fetchall()
    yield from attached.read(
        connection, "SELECT database_name, schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal"
    )


def _stand_in(view: Table) -> str:
    """Return the statement that makes a table with a view's columns."""
    columns = ", ".join(f"{quote(column.name)} {column.type}" for column in view.columns)
    return f"CREATE {'TEMP ' * (view.path[0] == 'temp')}TABLE {quote(view.name)} ({columns})"


def _runs(empty: Connection, place: Sequence[str], sql: str | None) -> bool:
    """Run a statement in a schema of the copy, and return whether it succeeded."""
    try:
        empty.execute(f"USE {quote_path(place[:2])}")
        empty.execute(sql or "")  # a table of an attached database of another kind has no SQL
    except duckdb.Error:
        return False
    return True


def _reads(
    empty: Connection, table: Table, names: Sequence[str], tables: Sequence[Table], harmless: Collection[str]
) -> frozenset[Source] | None:
    """Return the columns that some columns of a table or view read; None where its plan does not show them."""
    sql = f"EXPLAIN (FORMAT json) SELECT {', '.join(map(quote, names))} FROM {quote_path(table.path)}"
    try:
        plan = json.loads(empty.execute(sql).fetchall()[0][1])
        sources = frozenset(source for node in nodes(plan) for source in _scanned(node, tables, harmless))
    except (duckdb.Error, LookupError, TypeError, ValueError):
        return None  # it could not be made in the copy, or its plan has an unknown shape
    return sources if plan else None


def _scanned(node: Mapping[str, Any], tables: Sequence[Table], harmless: Collection[str]) -> Iterator[Source]:
    """Yield the columns that one node of a plan scans. The leaves `harmless` read no table.

    Raise `ValueError` for a node that may read something else.
    """
    facts = node["extra_info"]
    if "Table" not in facts:
        if not node["children"] and node["name"].strip() not in harmless:
            raise ValueError(f"{node['name']} is not known here")
        return
    path = parts(facts["Table"])
    named = [t for t in tables if t.path == path]
    if any("\n" in c.name for t in named for c in t.columns):
        raise ValueError("a column's name has a line break, and a plan lists one name per line")
    scanned = facts.get("Projections") or []
    for name in [scanned] if isinstance(scanned, str) else scanned:
        # A field of a STRUCT follows its column's name and a dot.
        columns = [
            (t.path, c.name) for t in named for c in t.columns if name == c.name or name.startswith(f"{c.name}.")
        ]
        if not columns:
            raise ValueError(f"{name} is no column of {facts['Table']}")
        yield from columns
