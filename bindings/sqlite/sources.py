"""Find the columns that a view or generated column reads: SQLite's authorizer reports them as a query is prepared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import apsw
from askwhere.bindings.sqlite.scanning import read
from askwhere.bindings.sqlite.schema import columns_of, declared_columns
from askwhere.engine import Reading, Source, Table
from askwhere.guard.functions import SQLITE_TABLE_FUNCTIONS
from askwhere.sql.identifiers import fold, quote, quote_path
from askwhere.sql.lexer import names

# Returns the columns that the authorizer reports while some SQL is prepared: schema, table, column.
ColumnsRead: TypeAlias = Callable[[str], set[tuple[str, str, str]]]


def sources(
    connection: apsw.Connection, columns_read: ColumnsRead, reads: Sequence[Reading], tables: Sequence[Table]
) -> list[frozenset[Source] | None]:
    """See `Engine.sources`. A view over another view counts as reading all columns that the other reads."""
    spelled = {(fold(t.path[0]), fold(t.name), fold(c.name)): (t.path, c.name) for t in tables for c in t.columns}
    computed = {t.path: _computed(connection, t) for t in tables if t.kind == "table"}
    texts = {fold(t.name): names(t.definition, "sqlite") for t in tables if t.kind == "view"}
    by_reading: list[frozenset[Source] | None] = []
    for table, columns in reads:
        if table.kind != "view":
            direct: set[Source] | None = {(table.path, column) for column in columns}
        else:
            direct = _of_view(columns_read, table, columns, spelled, texts)
        by_reading.append(None if direct is None else frozenset(_with_computed(direct, computed)))
    return by_reading


def _of_view(
    columns_read: ColumnsRead,
    view: Table,
    columns: Sequence[str],
    spelled: Mapping[tuple[str, str, str], Source],
    texts: Mapping[str, frozenset[str]],
) -> set[Source] | None:
    """Return the columns that a view reads; None where it reads more than columns of known tables.

    SQLite's own tables, for one, may show any value.
    """
    try:
        events = columns_read(f"SELECT {', '.join(map(quote, columns))} FROM {quote_path(view.path)}")
    except apsw.Error:
        return None
    reported = {(fold(s), fold(t), fold(c)) for s, t, c in events if c}
    if any(_may_show_others(key, spelled) for key in reported - spelled.keys()):
        return None
    direct = {spelled[key] for key in reported & spelled.keys()}
    # The authorizer does not report the columns that USING or NATURAL compares.
    words = _words_of(view, texts)
    if "natural" in words:
        return None
    if "using" in words:
        direct |= {source for (_, table, column), source in spelled.items() if {table, column} <= words}
    return direct - {(view.path, column) for column in columns}


def _may_show_others(reported: tuple[str, str, str], spelled: Mapping[tuple[str, str, str], Source]) -> bool:
    """Return whether a reported column of an unknown table may show values of others, as full-text indexes do."""
    schema, table, column = reported
    if column == "rowid" and any((s, t) == (schema, table) for s, t, _ in spelled):
        return False
    return table not in SQLITE_TABLE_FUNCTIONS and not table.startswith("pragma_")


def _words_of(view: Table, texts: Mapping[str, frozenset[str]]) -> set[str]:
    """Return all names and words in the text of a view and of the views under it; `texts` are those of all views."""
    words, waiting = set(names(view.definition, "sqlite")), {fold(view.name)}
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        words |= texts.get(name, frozenset())
        waiting |= (words & texts.keys()) - seen
    return words


def _with_computed(direct: set[Source], computed: Mapping[tuple[str, ...], Mapping[str, set[str]]]) -> set[Source]:
    """Return the columns, and those that the generated ones among them are computed from."""
    columns, waiting = set(direct), list(direct)
    while waiting:
        path, column = waiting.pop()
        more = {(path, name) for name in computed.get(path, {}).get(column, ())} - columns
        columns |= more
        waiting += more
    return columns


def _computed(connection: apsw.Connection, table: Table) -> dict[str, set[str]]:
    """Return each generated column of a table with the columns that its expression names.

    Where the expression cannot be found in the CREATE statement, these are all columns of the table.
    """
    schema, name = table.path
    listed = [column for column, _, _, hidden in columns_of(connection, schema, name) if hidden in (2, 3)]
    if not listed:
        return {}
    rows = read(connection, f"SELECT sql FROM {quote(schema)}.sqlite_schema WHERE name = ?", (name,))
    declared = {c: names(rest, "sqlite") for c, rest in declared_columns(str(rows[0][0]) if rows else "").items()}
    everything = frozenset(fold(c.name) for c in table.columns)
    return {
        column: {c.name for c in table.columns if fold(c.name) in declared.get(fold(column), everything)}
        for column in listed
    }
