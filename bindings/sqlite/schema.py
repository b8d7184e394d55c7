"""Read a SQLite connection's schema: tables, keys, comments, views, and the functions and collations of its own."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

import apsw
from askwhere.bindings.sqlite.scanning import read
from askwhere.bindings.sqlite.storage import without_hooks
from askwhere.engine import Column, ForeignKey, Table
from askwhere.guard.definitions import Definitions, with_work
from askwhere.guard.estimates import MAX_WORK
from askwhere.indexer import keys
from askwhere.sql.identifiers import fold, quote, quote_path, unquote
from askwhere.sql.lexer import tokens
from askwhere.sql.parentheses import closing, split

# The field `hidden` of `PRAGMA table_xinfo` for a generated column that is computed when it is read.
_VIRTUAL_COLUMN = 2


def tables(connection: apsw.Connection, listed: Iterable[tuple[Any, ...]]) -> tuple[Table, ...]:
    """See `Engine.tables`. Sorted by database: main first, then temp, then attached ones.

    `listed` are the rows of `PRAGMA table_list`, which must have been run under an authorizer that refuses SELECT:
    otherwise it prepares a query of each view, which takes any time where views read views.
    """
    order = {name: place for place, name in enumerate(connection.db_names())}
    kinds = {(schema, name): kind for schema, name, kind, *_ in listed if _askable(name, kind)}
    texts = {path: text for path, text in _definitions(connection).items() if path in kinds}
    known = Definitions("sqlite", {path: text for path, text in texts.items() if kinds[path] != "table"})
    made = [_table(connection, path, kind, texts.get(path, ""), known) for path, kind in kinds.items()]
    return tuple(sorted((t for t in made if t), key=lambda t: (order.get(t.path[0], 99), t.name.lower())))


def _table(
    connection: apsw.Connection, path: tuple[str, str], kind: str, text: str, known: Definitions
) -> Table | None:
    """Return a table or view with its keys; None for one that cannot be read, and for a stored answer."""
    schema, name = path
    expanded = known.relation(path)
    if kind == "virtual" and _is_ours(text):
        return None
    if expanded.size > MAX_WORK:
        return Table(path, (), kind, definition=text, work=expanded.size)
    try:
        info = columns_of(connection, schema, name)
    except apsw.Error:
        return None  # a view over a table that is gone, or a module that is not loaded
    virtual = any(hidden == _VIRTUAL_COLUMN for *_, hidden in info)
    declarations = declared_columns(text) if virtual else {}
    columns = [
        Column(
            column,
            declared or "",
            computed=declarations.get(fold(column), text) if hidden == _VIRTUAL_COLUMN else "",
        )
        for column, declared, _, hidden in info
        if hidden != 1
    ]
    keys = sorted((pk, column) for column, _, pk, _ in info if pk)
    return Table(
        path=path,
        columns=tuple(with_work(columns, expanded, "sqlite")),
        kind=kind,
        primary_key=tuple(column for _, column in keys),
        unique=_unique(connection, schema, name),
        foreign_keys=_foreign_keys(connection, schema, name),
        rows=_rows(connection, path) if kind == "table" else None,
        definition=text if kind != "table" else "",
        work=expanded.size,
    )


def _definitions(connection: apsw.Connection) -> dict[tuple[str, str], str]:
    """Return the CREATE statements of all tables and views, by path."""
    return {
        (schema, str(name)): str(text or "")
        for schema in connection.db_names()
        for name, text in read(
            connection, f"SELECT name, sql FROM {quote(schema)}.sqlite_schema WHERE type IN ('table', 'view')"
        )
    }


def declared_columns(sql: str) -> dict[str, str]:
    """Return the declaration of each column in CREATE TABLE, type and constraints, by the column's folded name."""
    lexed, declarations = tokens(sql, "sqlite"), dict[str, str]()
    opening = next((place for place, token in enumerate(lexed) if token.text == "("), len(lexed))
    for name, *rest in split(lexed[opening + 1 : closing(lexed, opening)]):
        declarations.setdefault(fold(unquote(name.text)), " ".join(token.text for token in rest))
    return declarations


def columns_of(connection: apsw.Connection, schema: str, name: str) -> list[tuple[str, str | None, int, int]]:
    """Return name, declared type, place in the primary key, and `hidden`, of each column of a table or view.

    By the PRAGMA itself: a table of the file may have the name of the table function `pragma_table_xinfo`.
    """
    listed = read(connection, f"PRAGMA {quote(schema)}.table_xinfo({quote(name)})")
    return [(column, declared, pk, hidden) for _, column, declared, _, _, pk, hidden in listed]


def _unique(connection: apsw.Connection, schema: str, name: str) -> tuple[tuple[str, ...], ...]:
    """Return the columns of each unique index without a condition, except that of the primary key."""
    listed = read(connection, f"PRAGMA {quote(schema)}.index_list({quote(name)})")
    groups = (
        tuple(column for _, _, column in read(connection, f"PRAGMA {quote(schema)}.index_info({quote(index)})"))
        for _, index, unique, origin, partial in listed
        if unique and not partial and origin != "pk"
    )
    return tuple(columns for columns in groups if all(columns))


def _foreign_keys(connection: apsw.Connection, schema: str, name: str) -> tuple[ForeignKey, ...]:
    """Return the declared foreign keys of a table whose targets exist."""
    rows = read(connection, f"PRAGMA {quote(schema)}.foreign_key_list({quote(name)})")
    keys: dict[int, tuple[str, list[str], list[str | None]]] = {}
    for number, _, target, column, target_column, *_ in rows:
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
    real = read(
        connection,
        f"SELECT name FROM {quote(schema)}.sqlite_schema WHERE type = 'table' AND lower(name) = lower(?)",
        (target,),
    )
    if not real:
        return None
    info = columns_of(connection, schema, real[0][0])
    spelled = {name.lower(): name for name, *_ in info}
    primary = [name for _, name in sorted((pk, name) for name, _, pk, _ in info if pk)]
    named = [spelled.get(c.lower(), "") for c in target_columns if c] or primary
    if len(named) != len(columns) or not all(named):
        return None
    return ForeignKey(tuple(columns), (schema, real[0][0]), tuple(named))


def _rows(connection: apsw.Connection, path: tuple[str, ...]) -> int | None:
    """Return an estimate of a table's rows without a scan: the rowids from first to last. None if it has no rowids."""
    first, last = (f"(SELECT {end}(rowid) FROM {quote_path(path)})" for end in ("min", "max"))
    try:
        return int(read(connection, f"SELECT {last} - {first} + 1")[0][0] or 0)
    except (apsw.Error, ValueError, TypeError):
        return None  # WITHOUT ROWID


def _askable(name: str, kind: str) -> bool:
    """Return whether questions may be about a table of that name and kind: not SQLite's own tables, nor askwhere's."""
    lowered = name.lower()
    return kind in ("table", "view", "virtual") and not lowered.startswith(("sqlite_", "askwhere_"))


def _is_ours(definition: str) -> bool:
    """Return whether a virtual table is a stored answer, which no question is about."""
    return " using ask(" in " ".join(definition.lower().split()).replace("using ask (", "using ask(")


def tables_named(connection: apsw.Connection, *names: str) -> tuple[Table, ...]:
    """Return the tables of some names in any database, as `Engine.tables_named`, in lower case."""
    return tuple(table for schema in connection.db_names() for table in _tables_in_schema(connection, schema, names))


def _tables_in_schema(connection: apsw.Connection, schema: str, names: Sequence[str]) -> Iterator[Table]:
    """Yield the tables of some names in one database.

    A view or a virtual table of such a name has no columns here, as reading it could run somebody's SQL.
    """
    rows = read(
        connection,
        f"SELECT lower(name), type, coalesce(rootpage, 0) FROM {quote(schema)}.sqlite_schema"
        f" WHERE lower(name) IN ({', '.join('?' * len(names))}) AND type IN ('table', 'view')",
        names,
    )
    for name, kind, root in rows:
        if kind == "view" or not root:
            yield Table((schema, name), (), kind="view" if kind == "view" else "virtual")
        else:
            info = columns_of(connection, schema, name)
            yield Table((schema, name), tuple(Column(column) for column, _, _, hidden in info if not hidden))


def version(connection: apsw.Connection) -> Hashable:
    """See `Engine.schema_version`: each database's schema cookie, the temporary schema, and users' tables."""
    return (
        tuple(
            (name, connection.db_filename(name), read(connection, f"PRAGMA {quote(name)}.schema_version")[0][0])
            for name in databases(connection)
        ),
        tuple(read(connection, "SELECT name, sql FROM temp.sqlite_schema ORDER BY name")),
        tuple((t.path, _hashed(connection, t)) for t in tables_named(connection, *keys.DECLARING) if t.kind == "table"),
    )


def _hashed(connection: apsw.Connection, table: Table) -> int:
    """Return a number that changes with the rows of a table."""
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


def definitions(connection: apsw.Connection) -> dict[str, str]:
    """Return the SQL of each table and view in the files of a connection by path, without askwhere's own."""
    return {
        f"{schema}.{name}": str(sql)
        for schema in connection.db_names()
        if schema != "temp"
        for name, sql in read(
            connection, f"SELECT name, sql FROM {quote(schema)}.sqlite_schema WHERE type IN ('table', 'view')"
        )
        if not str(name).lower().startswith("askwhere_")
    }


def redefined(connection: apsw.Connection) -> set[str]:
    """Return the names of the user's own functions on this connection, also those named like a built-in."""
    return _added_functions(connection) - plain_names("function")


def _added_functions(connection: apsw.Connection) -> set[str]:
    """Return the names of the functions of a connection that are not built into SQLite."""
    return {str(name).lower() for name, builtin, *_ in read(connection, "PRAGMA function_list") if not builtin}


def collations(connection: apsw.Connection) -> set[str]:
    """Return the names of the collations of a connection."""
    return {str(name) for _, name in read(connection, "PRAGMA collation_list")}


@functools.cache
def plain_names(kind: str) -> frozenset[str]:
    """Return the collations, or the functions not built in, that every connection of this library has."""
    with without_hooks():
        plain = apsw.Connection(":memory:")
    try:
        return frozenset(collations(plain) if kind == "collation" else _added_functions(plain))
    finally:
        plain.close()
