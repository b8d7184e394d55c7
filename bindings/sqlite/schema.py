"""Reads a SQLite connection's schema: tables, keys, comments, views, and the functions and collations of its own."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable

import apsw
from askwhere.bindings.sqlite.storage import read, without_hooks
from askwhere.engine import Column, ForeignKey, Table
from askwhere.indexer import comments
from askwhere.sql.identifiers import quote, quote_path

# The field `hidden` of `pragma_table_xinfo` for a generated column that is computed when it is read.
_VIRTUAL_COLUMN = 2


def tables(connection: apsw.Connection) -> tuple[Table, ...]:
    """See `Engine.tables`. Sorted by database: main first, then temp, then attached ones."""
    listed = read(connection, "SELECT schema, name, type FROM pragma_table_list ORDER BY rowid")
    order = {name: place for place, name in enumerate(connection.db_names())}
    found = [_table(connection, schema, name, kind) for schema, name, kind in listed if _askable(name, kind)]
    return tuple(sorted((t for t in found if t), key=lambda t: (order.get(t.path[0], 99), t.name.lower())))


def _table(connection: apsw.Connection, schema: str, name: str, kind: str) -> Table | None:
    """Return a table or view with its keys; None for one that cannot be read, and for a stored answer."""
    try:
        info = read(connection, "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?, ?)", (name, schema))
    except apsw.Error:
        return None  # a view over a table that is gone, or a module that is not loaded
    computed = any(hidden == _VIRTUAL_COLUMN for *_, hidden in info)
    written = _definition(connection, schema, name) if kind in ("view", "virtual") or computed else ""
    definition = written if kind in ("view", "virtual") else ""
    if kind == "virtual" and _is_ours(definition):
        return None
    keys = sorted((pk, column) for column, _, pk, _ in info if pk)
    path = (schema, name)
    return Table(
        path=path,
        columns=tuple(
            Column(column, declared or "", computed=written if hidden == _VIRTUAL_COLUMN else "")
            for column, declared, _, hidden in info
            if hidden != 1
        ),
        kind=kind,
        primary_key=tuple(column for _, column in keys),
        unique=_unique(connection, schema, name),
        foreign_keys=_foreign_keys(connection, schema, name),
        rows=_rows(connection, path) if kind == "table" else None,
        definition=definition,
    )


def _definition(connection: apsw.Connection, schema: str, name: str) -> str:
    """Return the CREATE statement of a table or view; '' where there is none."""
    found = read(connection, f"SELECT sql FROM {quote(schema)}.sqlite_schema WHERE name = ?", (name,))
    return str(found[0][0]) if found and found[0][0] else ""


def _unique(connection: apsw.Connection, schema: str, name: str) -> tuple[tuple[str, ...], ...]:
    """Return the columns of each unique index without a condition, but for the primary key's."""
    found = read(
        connection,
        "SELECT i.name, c.name FROM pragma_index_list(?, ?) i JOIN pragma_index_info(i.name, ?) c"
        " WHERE i.\"unique\" AND i.partial = 0 AND i.origin <> 'pk' ORDER BY i.seq, c.seqno",
        (name, schema, schema),
    )
    groups: dict[str, list[str]] = {}
    for index, column in found:
        groups.setdefault(index, []).append(column)
    return tuple(tuple(columns) for columns in groups.values() if all(columns))


def _foreign_keys(connection: apsw.Connection, schema: str, name: str) -> tuple[ForeignKey, ...]:
    found = read(connection, 'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?, ?)', (name, schema))
    keys: dict[int, tuple[str, list[str], list[str | None]]] = {}
    for number, target, column, target_column in found:
        _, columns, target_columns = keys.setdefault(number, (target, [], []))
        columns.append(column)
        target_columns.append(target_column)
    resolved = (_foreign_key(connection, schema, *keys[number]) for number in sorted(keys))
    return tuple(key for key in resolved if key)


def _foreign_key(
    connection: apsw.Connection, schema: str, target: str, columns: list[str], target_columns: list[str | None]
) -> ForeignKey | None:
    """Return the key with names spelled as in its target; None where that has no such table or columns.

    A key that names no columns refers to the target's primary key.
    """
    real = read(connection, f"SELECT name FROM {quote(schema)}.sqlite_schema WHERE lower(name) = lower(?)", (target,))
    if not real:
        return None
    info = read(connection, "SELECT name, pk FROM pragma_table_xinfo(?, ?)", (real[0][0], schema))
    spelled = {name.lower(): name for name, _ in info}
    primary = [name for _, name in sorted((pk, name) for name, pk in info if pk)]
    named = [spelled.get(c.lower(), "") for c in target_columns if c] or primary
    if len(named) != len(columns) or not all(named):
        return None
    return ForeignKey(tuple(columns), (schema, real[0][0]), tuple(named))


def _rows(connection: apsw.Connection, path: tuple[str, ...]) -> int | None:
    """Return the highest rowid as an estimate of the number of rows, which needs no scan; None without rowids."""
    try:
        return int(read(connection, f"SELECT max(rowid) FROM {quote_path(path)}")[0][0] or 0)
    except (apsw.Error, ValueError, TypeError):
        return None  # WITHOUT ROWID


def _askable(name: str, kind: str) -> bool:
    """Return whether questions may be about a table of that name and kind: not SQLite's own tables, nor askwhere's."""
    lowered = name.lower()
    return kind in ("table", "view", "virtual") and not lowered.startswith(("sqlite_", "askwhere_"))


def _is_ours(definition: str) -> bool:
    """Return whether a virtual table is a stored answer, which no question is about."""
    return " using ask(" in " ".join(definition.lower().split()).replace("using ask (", "using ask(")


def comment_tables(connection: apsw.Connection) -> tuple[Table, ...]:
    """See `Engine.comment_tables`."""
    found = (_comment_table(connection, schema) for schema in connection.db_names())
    return tuple(table for table in found if table)


def _comment_table(connection: apsw.Connection, schema: str) -> Table | None:
    """Return the comment table of a database; None where there is none.

    A view or a virtual table of that name has no columns here, as reading it could run somebody's SQL.
    """
    kinds = read(
        connection,
        f"SELECT type, coalesce(rootpage, 0) FROM {quote(schema)}.sqlite_schema"
        " WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')",
        (comments.TABLE,),
    )
    if not kinds:
        return None
    (kind, root), path = kinds[0], (schema, comments.TABLE)
    if kind == "view" or not root:
        return Table(path, (), kind="view" if kind == "view" else "virtual")
    info = read(connection, "SELECT name FROM pragma_table_info(?, ?)", (comments.TABLE, schema))
    return Table(path, tuple(Column(name) for (name,) in info))


def version(connection: apsw.Connection) -> Hashable:
    """See `Engine.schema_version`: each database's schema cookie, the temporary schema, and the comments' content."""
    return (
        tuple(
            (name, connection.db_filename(name), read(connection, f"PRAGMA {quote(name)}.schema_version")[0][0])
            for name in databases(connection)
        ),
        tuple(read(connection, "SELECT name, sql FROM temp.sqlite_schema ORDER BY name")),
        tuple((t.path, _hashed(connection, t)) for t in comment_tables(connection) if t.kind == "table"),
    )


def _hashed(connection: apsw.Connection, table: Table) -> int:
    """Return a number that changes with the rows of a comment table."""
    cells = " || ',' || ".join(f"quote({quote(column.name)})" for column in table.columns)
    return hash(read(connection, f"SELECT CAST(group_concat({cells}) AS BLOB) FROM {quote_path(table.path)}")[0][0])


def databases(connection: apsw.Connection) -> list[str]:
    """Return the names of the main and the attached databases, without the temporary one."""
    return [name for name in connection.db_names() if name != "temp"]


def schema_of(connection: apsw.Connection) -> tuple[list[Table], list[str]]:
    """Return the views of a connection, and the names of everything in its schemas."""
    views, names = [], []
    for schema in connection.db_names():
        listed = read(connection, f"SELECT name, type, sql FROM {quote(schema)}.sqlite_schema")
        names += [str(name) for name, _, _ in listed]
        views += [Table((schema, str(n)), (), "view", definition=str(sql)) for n, kind, sql in listed if kind == "view"]
    return views, names


def column_named(connection: apsw.Connection, names: Iterable[str]) -> tuple[str, str] | None:
    """Return a table or view that has a column of one of the names, and the column; None for none."""
    wanted = tuple(names)
    found = read(
        connection,
        "SELECT t.name, c.name FROM pragma_table_list t, pragma_table_xinfo(t.name, t.schema) c"
        f" WHERE t.type <> 'shadow' AND lower(c.name) IN ({', '.join('?' * len(wanted))}) LIMIT 1",
        wanted,
    )
    return (str(found[0][0]), str(found[0][1])) if found else None


def redefined(connection: apsw.Connection) -> set[str]:
    """Return the names of the user's own functions on this connection, also those named like a built-in."""
    listed = read(connection, "SELECT lower(name) FROM pragma_function_list WHERE NOT builtin")
    return {str(name) for (name,) in listed} - plain_names("function")


@functools.cache
def plain_names(kind: str) -> frozenset[str]:
    """Return the collations, or the functions not built in, that every connection of this library has."""
    what = "pragma_collation_list" if kind == "collation" else "pragma_function_list WHERE NOT builtin"
    with without_hooks():
        plain = apsw.Connection(":memory:")
    try:
        names = plain.execute(f"SELECT name FROM {what}").fetchall()
    finally:
        plain.close()
    return frozenset(str(name) if kind == "collation" else str(name).lower() for (name,) in names)
