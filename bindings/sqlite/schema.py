"""What a SQLite connection says of its schema: tables, keys, comments, views, and what it knows of its own."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable

import apsw
from askwhere.bindings.sqlite.storage import read, without_hooks
from askwhere.engine import Column, ForeignKey, Table, quote, quote_path
from askwhere.indexer import comments

_VIRTUAL_COLUMN = 2  # what `pragma_table_xinfo` says is hidden of a generated column that is computed when it is read


def tables(connection: apsw.Connection) -> tuple[Table, ...]:
    """See `Engine.tables`. The connection's own order: main first, then temp, then attached databases."""
    listed = read(connection, "SELECT schema, name, type FROM pragma_table_list ORDER BY rowid")
    order = {name: place for place, name in enumerate(connection.db_names())}
    found = [_table(connection, schema, name, kind) for schema, name, kind in listed if _askable(name, kind)]
    return tuple(sorted((t for t in found if t), key=lambda t: (order.get(t.path[0], 99), t.name.lower())))


def _table(connection: apsw.Connection, schema: str, name: str, kind: str) -> Table | None:
    try:
        info = read(connection, "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?, ?)", (name, schema))
    except apsw.Error:
        return None  # a view over something that is gone, or a module that is not loaded: it cannot be asked
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
    found = read(connection, f"SELECT sql FROM {quote(schema)}.sqlite_schema WHERE name = ?", (name,))
    return str(found[0][0]) if found and found[0][0] else ""


def _unique(connection: apsw.Connection, schema: str, name: str) -> tuple[tuple[str, ...], ...]:
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
    """The key with names as the target spells them; without named columns it means the target's primary key."""
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
    """The highest rowid: what counting would say in most tables, without reading them."""
    try:
        return int(read(connection, f"SELECT max(rowid) FROM {quote_path(path)}")[0][0] or 0)
    except (apsw.Error, ValueError, TypeError):
        return None  # WITHOUT ROWID


def _askable(name: str, kind: str) -> bool:
    lowered = name.lower()
    return kind in ("table", "view", "virtual") and not lowered.startswith(("sqlite_", "askwhere_"))


def _is_ours(definition: str) -> bool:
    """Whether a virtual table is a stored answer: answers are not asked about."""
    return " using ask(" in " ".join(definition.lower().split()).replace("using ask (", "using ask(")


def comment_tables(connection: apsw.Connection) -> tuple[Table, ...]:
    """See `Engine.comment_tables`."""
    found = (_comment_table(connection, schema) for schema in connection.db_names())
    return tuple(table for table in found if table)


def _comment_table(connection: apsw.Connection, schema: str) -> Table | None:
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
    """See `Engine.schema_version`: every database's schema cookie, and what the temporary schema holds."""
    return (
        tuple(
            (name, connection.db_filename(name), read(connection, f"PRAGMA {quote(name)}.schema_version")[0][0])
            for name in databases(connection)
        ),
        tuple(read(connection, "SELECT name, sql FROM temp.sqlite_schema ORDER BY name")),
        tuple((t.path, _said(connection, t)) for t in comment_tables(connection) if t.kind == "table"),
    )


def _said(connection: apsw.Connection, table: Table) -> int:
    """A number that differs when a comment table has other rows."""
    cells = " || ',' || ".join(f"quote({quote(column.name)})" for column in table.columns)
    return hash(read(connection, f"SELECT CAST(group_concat({cells}) AS BLOB) FROM {quote_path(table.path)}")[0][0])


def databases(connection: apsw.Connection) -> list[str]:
    """Main and attached databases; the temporary one comes and goes by itself."""
    return [name for name in connection.db_names() if name != "temp"]


def schema_of(connection: apsw.Connection) -> tuple[list[Table], list[str]]:
    """The views of a connection, and the names of everything in its schemas."""
    views, names = [], []
    for schema in connection.db_names():
        listed = read(connection, f"SELECT name, type, sql FROM {quote(schema)}.sqlite_schema")
        names += [str(name) for name, _, _ in listed]
        views += [Table((schema, str(n)), (), "view", definition=str(sql)) for n, kind, sql in listed if kind == "view"]
    return views, names


def column_named(connection: apsw.Connection, names: Iterable[str]) -> tuple[str, str] | None:
    """A table or view with a column of one of the names, and the column; None where there is none."""
    wanted = tuple(names)
    found = read(
        connection,
        "SELECT t.name, c.name FROM pragma_table_list t, pragma_table_xinfo(t.name, t.schema) c"
        f" WHERE t.type <> 'shadow' AND lower(c.name) IN ({', '.join('?' * len(wanted))}) LIMIT 1",
        wanted,
    )
    return (str(found[0][0]), str(found[0][1])) if found else None


def redefined(connection: apsw.Connection) -> set[str]:
    """Functions of the user's own on this connection: one that is named like a built-in is still the user's."""
    listed = read(connection, "SELECT lower(name) FROM pragma_function_list WHERE NOT builtin")
    return {str(name) for (name,) in listed} - plain_names("function")


@functools.cache
def plain_names(kind: str) -> frozenset[str]:
    """The collations, or the functions not built in, that every connection of this library has."""
    what = "pragma_collation_list" if kind == "collation" else "pragma_function_list WHERE NOT builtin"
    with without_hooks():
        plain = apsw.Connection(":memory:")
    try:
        names = plain.execute(f"SELECT name FROM {what}").fetchall()
    finally:
        plain.close()
    return frozenset(str(name) if kind == "collation" else str(name).lower() for (name,) in names)
