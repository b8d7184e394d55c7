"""Read and write foreign keys that users declare, which are rows of a table `askwhere_keys` in each database.

A row says which columns refer to which, each side as a table and its columns: `orders.cust`, or `lines(day, number)`
for several. Users may also make and change the table with SQL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from askwhere.cells import first_of, short
from askwhere.engine import Engine, ForeignKey, Table
from askwhere.errors import ArgumentError, suggestion
from askwhere.frozen import frozen
from askwhere.grouping import grouped
from askwhere.indexer import comments, formats, user_tables
from askwhere.indexer.formats import Kind, prepare
from askwhere.indexer.user_tables import not_read
from askwhere.patterns import split, written
from askwhere.sql.identifiers import fold, parts, shortest, unquote
from askwhere.storage import Storage

TABLE = "askwhere_keys"
COLUMNS = ("key", "refers_to")
KIND = Kind(TABLE, "key TEXT NOT NULL, refers_to TEXT NOT NULL")
# The tables in which users declare what the schema does not: comments and keys.
DECLARING = (comments.TABLE, TABLE)
# Given in place of what a key refers to, it removes the key.
DROP = "drop"

_EXPECTED = "expected a table and its column, as in 'orders.cust', or its columns, as in 'lines(day, number)'"

# One side of a key: a table and some of its columns.
End: TypeAlias = tuple[Table, tuple[str, ...]]
_ByName: TypeAlias = Mapping[str, Sequence[Table]]


@dataclass(frozen=True, order=True)
class Row:
    """A declared key as its row states it, about tables in the database or schema `scope`.

    A row at `home`, where askwhere's own tables are, may also be about tables of other databases: a name is looked up
    in the row's own database first, then in all.
    """

    key: str
    refers_to: str
    scope: tuple[str, ...] = ()
    home: bool = False


@frozen
class Keys:
    """The rows of all key tables; `faults` are sentences about those that cannot be read."""

    rows: tuple[Row, ...] = ()
    faults: tuple[str, ...] = ()


def read(engine: Engine) -> Keys:
    """Return the rows of the key tables of all databases, and of the file beside the engine's own."""
    user_rows, faults = user_tables.read(engine, TABLE, COLUMNS, lambda table: not_read(table, COLUMNS, COLUMNS))
    rows = {Row(row.cells["key"], row.cells["refers_to"], row.scope, row.home) for row in user_rows}
    return Keys(tuple(sorted({*rows, *side_rows(engine)})), faults)


def side_rows(engine: Engine) -> tuple[Row, ...]:
    """Return the rows in the file beside a database that cannot be written."""
    home = engine.home()[:1]

    def row_of(key: str, refers_to: str) -> Row:
        return Row(str(key), str(refers_to), home, True)

    return tuple(formats.load(engine.storages()[1:], KIND, COLUMNS, row_of))


def declared(tables: Sequence[Table], keys: Keys) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    """Return the tables with the declared keys, and notes on rows that cannot be used.

    The columns that a key refers to become the primary key of a table that has none.
    """
    by_path, by_name = {table.path: table for table in tables}, _by_name(tables)
    # A hostile file may declare a hundred thousand keys: no step may compare each with all others.
    identities = {table.path: set(map(_identity, table.foreign_keys)) for table in tables}
    added: dict[tuple[str, ...], list[ForeignKey]] = {}
    unresolved = []
    for row in keys.rows:
        pairs = list(_pairs(by_name, row))
        if not pairs:
            unresolved.append(f"{short(row.key, comments.SHOWN)} refers to {short(row.refers_to, comments.SHOWN)}")
        for path, key in pairs:
            if _identity(key) not in identities[path]:
                identities[path].add(_identity(key))
                added.setdefault(path, []).append(key)
            target = by_path[key.target]
            by_path[key.target] = replace(target, primary_key=target.primary_key or key.target_columns)
    for path, own in added.items():
        by_path[path] = replace(by_path[path], foreign_keys=(*by_path[path].foreign_keys, *own))
    note = f"{TABLE} names tables or columns that are not there: {first_of(unresolved, comments.NAMED, '; ')}"
    return tuple(by_path.values()), (*keys.faults, *([note] if unresolved else ()))


def _by_name(tables: Iterable[Table]) -> _ByName:
    """Return the tables by their own name, folded."""
    return grouped((fold(table.name), table) for table in tables)


def _pairs(tables: _ByName, row: Row) -> Iterator[tuple[tuple[str, ...], ForeignKey]]:
    """Yield the keys that a row declares, each with its table's path.

    If several tables have the name of a side, a table refers to the one in its own schema, or else to the only one.
    """
    ends, targets = (_eligible(row, _ends(tables, text)) for text in (row.key, row.refers_to))
    for table, columns in ends:
        near = [t for t in targets if t[0].path[:-1] == table.path[:-1]] or targets
        if (
            len(near) == 1
            and len(near[0][1]) == len(columns)
            and (table.path, columns) != (near[0][0].path, near[0][1])
        ):
            yield table.path, ForeignKey(columns, near[0][0].path, near[0][1], "declared")


def _eligible(row: Row, ends: list[End]) -> list[End]:
    """Return the ends of a key that its row may mean."""
    own = [end for end in ends if end[0].path[: len(row.scope)] == row.scope]
    return own or (ends if row.home else [])


def _ends(tables: _ByName, text: str) -> list[End]:
    """Return the tables, with the columns, that a side of a key names, with names as the tables spell them."""
    path, columns = side(text)
    ends = []
    for table in tables.get(fold(path[-1]), ()) if path and columns and not _repeats_a_column(columns) else ():
        spelled = {fold(column.name): column.name for column in table.columns}
        if _names(path, table) and all(fold(column) in spelled for column in columns):
            ends.append((table, tuple(spelled[fold(column)] for column in columns)))
    return ends


def _repeats_a_column(columns: Sequence[str]) -> bool:
    """Return whether a column is named twice; such a key would be met by few rows or none."""
    return len(set(map(fold, columns))) < len(columns)


def _names(path: tuple[str, ...], table: Table) -> bool:
    """Return whether a path names a table: it is the end of the table's path, or its short path.

    In a SQLite file `main` names the file's own database, whatever it is attached as.
    """
    sought, full, short = (tuple(map(fold, names)) for names in (path, table.path, table.short))
    return sought in (full[-len(sought) :], short) or (len(full) == 2 and sought == ("main", full[-1]))


def side(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the path of the table and the columns that one side of a key names.

    >>> side('sales.lines(day, "line no")')
    (('sales', 'lines'), ('day', 'line no'))
    """
    head, bracket, rest = text.strip().partition("(")
    if bracket and rest.endswith(")"):
        return parts(head.strip()), tuple(map(unquote, split(rest[:-1])))
    *path, column = parts(text.strip()) or ("",)
    return tuple(path), (column,)


def _identity(key: ForeignKey) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return what identifies a foreign key within its table: the table it refers to, and its own columns, folded."""
    return key.target, frozenset(map(fold, key.columns))


def shown(tables: Iterable[Table]) -> Iterator[tuple[str, str, str]]:
    """Yield the two sides and the origin of each key of some tables, with the shortest unambiguous names."""
    tables = tuple(tables)
    names = shortest({table.path: table.short for table in tables})
    for table in tables:
        for key in table.foreign_keys:
            if key.target in names:
                yield text(names[table.path], key.columns), text(names[key.target], key.target_columns), key.origin


def text(path: Sequence[str], columns: Sequence[str]) -> str:
    """Return one side of a key as a row states it."""
    if len(columns) == 1:
        return written((*path, *columns))
    return f"{written(path)}({', '.join(written([column]) for column in columns)})"


def resolved(tables: Sequence[Table], written: str) -> End:
    """Return the table and the columns that one side of a key names.

    Raise `ArgumentError`, with the nearest name, where there is none, or where several tables have the name.
    """
    ends = _ends(_by_name(tables), written)
    if len(ends) > 1:  # a table with exactly this path comes before one in a database that is called `main` here
        sought = tuple(map(fold, side(written)[0]))
        ends = [end for end in ends if tuple(map(fold, end[0].path[-len(sought) :])) == sought] or ends
    if len(ends) == 1:
        return ends[0]
    if _repeats_a_column(side(written)[1]):
        raise ArgumentError(f"{written[:100]!r} names a column twice: a key has each of its columns once")
    names = shortest({table.path: table.short for table in tables})
    if ends:
        either = " or ".join(text(names[t.path], c) for t, c in ends)
        raise ArgumentError(f"{written[:100]!r} may be {either}; say which")
    near = suggestion(written, (text(names[t.path], [c.name]) for t in tables for c in t.columns))
    raise ArgumentError(f"{written[:100]!r} names no column of this database; {_EXPECTED}{near}")


def write(engine: Engine, storage: Storage, tables: Sequence[Table], pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Declare keys, each given by its two sides, and return a sentence about each. The caller commits.

    With `DROP` as the second side, the keys declared for those columns are removed. Raise `ArgumentError` for a table,
    column or key that does not exist.
    """
    names, short_names = (
        _stable_names(tables, engine.home()[:1]),
        shortest({table.path: table.short for table in tables}),
    )
    changes = [_sides(tables, key, refers_to) for key, refers_to in pairs]
    table = prepare(storage, KIND)
    done = []
    for child, parent in changes:
        key, shown_key = (text(paths[child[0].path], child[1]) for paths in (names, short_names))
        removed = _remove(storage, table, child, parent)
        if parent is None:
            done.append(f"{shown_key} {'refers to nothing that was declared' if removed else 'had no declared key'}")
            continue
        refers_to = text(names[parent[0].path], parent[1])
        storage.execute(f"INSERT INTO {table} VALUES (?, ?)", (key, refers_to))
        done.append(f"{shown_key} refers to {text(short_names[parent[0].path], parent[1])}")
    return done


def _stable_names(tables: Iterable[Table], home: tuple[str, ...]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return the names of tables in rows at home: full paths, but without the home database, whose name may change."""
    paths = [table.path for table in tables]
    own = shortest({path[1:]: () for path in paths if path[:1] == home})
    return {path: own[path[1:]] if path[:1] == home else path for path in paths}


def _sides(tables: Sequence[Table], key: str, refers_to: str) -> tuple[End, End | None]:
    """Return both sides of a key; None for the second where the key is to be removed. Raise as `write`."""
    child = resolved(tables, key)
    if refers_to.strip().lower() == DROP:
        return child, None
    parent = resolved(tables, refers_to)
    if len(child[1]) != len(parent[1]):
        raise ArgumentError(
            f"{key!r} has {len(child[1])} columns and {refers_to!r} has {len(parent[1])}: a key refers to as many"
        )
    if child == parent:
        raise ArgumentError(f"{key[:100]!r} cannot refer to itself; name the column that holds the other table's key")
    return child, parent


def _remove(storage: Storage, table: str, child: End, parent: End | None) -> bool:
    """Remove the rows of the key from `child` to `parent`; if that is None, of all keys from `child`.

    Return whether there were any.
    """
    rows = storage.execute(f"SELECT key, refers_to FROM {table}")
    removed = [
        row
        for row in rows
        if child in _ends(_by_name([child[0]]), str(row[0]))
        and (parent is None or parent in _ends(_by_name([parent[0]]), str(row[1])))
    ]
    for row in removed:
        storage.execute(f"DELETE FROM {table} WHERE key = ? AND refers_to = ?", row)
    return bool(removed)
