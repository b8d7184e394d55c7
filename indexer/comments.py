"""Read and write comments and synonyms, which users keep in a table `askwhere_comments` in each database.

A row is about a table, or about a column of it. The table is an ordinary one, which users make and change with SQL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from askwhere.cells import first_of, short
from askwhere.engine import Column, Engine, Table
from askwhere.errors import DatabaseError
from askwhere.frozen import frozen
from askwhere.grouping import grouped
from askwhere.indexer import user_tables
from askwhere.indexer.user_tables import UserRow, columns_of, not_read
from askwhere.sql.identifiers import shortest
from askwhere.storage import Storage

TABLE = "askwhere_comments"
COLUMNS = ("table_name", "column_name", "comment", "synonyms")
# How many rows about things that do not exist a note names, and how many characters it shows of each.
NAMED, SHOWN = 10, 100
# Synonyms that are read: the first question of a process cuts each into words, and 90,000 took it half a minute.
MOST_SYNONYMS = 5_000


@dataclass(frozen=True, order=True)
class Comment:
    """The comment and the synonyms of a table or, if `column` is not empty, of one of its columns.

    `table` is the name as the user wrote it, of a table in the database or schema `scope`, which has the row. `home`
    says whether that is the database that was opened: then `table` may also be a table of another database, if this one
    has no table of that name.
    """

    table: str
    column: str = ""
    text: str = ""
    synonyms: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    home: bool = False

    @property
    def name(self) -> str:
        """Return what the row is about, as `table` or `table.column`."""
        return f"{self.table}.{self.column}" if self.column else self.table


@frozen
class Comments:
    """The rows of all comment tables; `faults` are sentences about those that cannot be read."""

    rows: tuple[Comment, ...] = ()
    faults: tuple[str, ...] = ()


def read(engine: Engine) -> Comments:
    """Return the rows of all comment tables, sorted."""
    user_rows, faults = user_tables.read(engine, TABLE, COLUMNS, fault_of)
    return _bounded(sorted(set(map(_comment, user_rows))), faults)


def _comment(row: UserRow) -> Comment:
    table, column, text, synonyms = (row.cells.get(name, "") for name in COLUMNS)
    return Comment(table, column, text.strip(), split(synonyms), row.scope, row.home)


def _bounded(rows: Sequence[Comment], faults: Sequence[str]) -> Comments:
    """Return rows with their first `MOST_SYNONYMS` synonyms, and a sentence about the others, if there are any."""
    count = sum(len(row.synonyms) for row in rows)
    if count <= MOST_SYNONYMS:
        return Comments(tuple(rows), tuple(faults))
    first, left = [], MOST_SYNONYMS
    for row in rows:
        first.append(replace(row, synonyms=row.synonyms[:left]))
        left -= len(first[-1].synonyms)
    more = f"{TABLE} has {count:,} synonyms; the first {MOST_SYNONYMS:,}, by the names of tables and columns, are read"
    return Comments(tuple(first), (*faults, more))


def fault_of(table: Table) -> str:
    """Return why a comment table cannot be read, in a sentence; '' if it can."""
    fault = not_read(table, COLUMNS, ("table_name",))
    if not fault and not columns_of(table, COLUMNS).keys() & {"comment", "synonyms"}:
        return f"{'.'.join(table.path)} is not read: it has neither a column comment nor a column synonyms"
    return fault


def split(synonyms: str) -> tuple[str, ...]:
    """Return the words and phrases of a list with commas, each once.

    >>> split("client,  Buyer of goods,, client")
    ('client', 'Buyer of goods')
    """
    phrases = (" ".join(part.split()) for part in synonyms.split(","))
    return tuple({phrase.lower(): phrase for phrase in phrases if phrase}.values())


def create(prefix: str = "") -> str:
    """Return the statement that creates a comment table if there is none; `prefix` is its schema with a dot, or ''."""
    columns = "table_name TEXT NOT NULL, column_name TEXT, comment TEXT, synonyms TEXT"
    return f"CREATE TABLE IF NOT EXISTS {prefix}{TABLE} ({columns})"


def described(tables: Iterable[Table], comments: Comments) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    """Return the tables with their comments and synonyms, and notes on rows that cannot be used.

    A row's comment wins over one that the database itself has (COMMENT ON). A row that names the schema wins over one
    that does not. The synonyms of several rows are joined.
    """
    tables = tuple(tables)
    if not comments.rows:
        return tables, comments.faults
    given = placed(comments.rows, tables)
    rows = by_table(given)
    used: set[Comment] = set()
    described_tables = []
    for table in tables:
        own = about(table, rows)
        columns = tuple(_with_comments(column, own.get(column.name.lower(), ())) for column in table.columns)
        described_tables.append(replace(_with_comments(table, own.get("", ())), columns=columns))
        used.update(row for name in ("", *(c.name.lower() for c in columns)) for row in own.get(name, ()))
    return tuple(described_tables), (*comments.faults, *_unmatched([row for row in given if row not in used]))


def placed(rows: Iterable[Comment], tables: Iterable[Table]) -> tuple[Comment, ...]:
    """Return the rows; those at home that name no table of their own database get an empty scope, for any database."""
    named = grouped((name, table) for table in tables for name in _names(table))

    def own(row: Comment) -> bool:
        return any(t.path[: len(row.scope)] == row.scope for t in named.get(row.table.strip().lower(), ()))

    return tuple(replace(row, scope=()) if row.home and not own(row) else row for row in rows)


def _names(table: Table) -> set[str]:
    """Return the names, in lower case, by which a row may mean a table."""
    names = {".".join(path).lower() for path in (*(table.path[i:] for i in range(len(table.path))), table.short)}
    if len(table.path) == 2:  # rows in a SQLite file call it `main`, whatever name it is attached by
        names.add(f"main.{table.name}".lower())
    return names - {""}


def by_table(rows: Iterable[Comment]) -> Mapping[str, Sequence[Comment]]:
    """Return the rows by the table's name as they write it, in lower case."""
    return grouped((row.table.strip().lower(), row) for row in rows)


def about(table: Table, rows: Mapping[str, Sequence[Comment]]) -> Mapping[str, Sequence[Comment]]:
    """Return the rows about a table by the column's name in lower case, those with a longer table name first."""
    names = sorted(_names(table), key=lambda name: -name.count("."))
    own = (row for name in names for row in rows.get(name, ()) if table.path[: len(row.scope)] == row.scope)
    return grouped((row.column.strip().lower(), row) for row in own)


def listed(tables: Iterable[Table]) -> Iterator[tuple[str, str | None, str, str]]:
    """Yield (table, column, comment, synonyms) for all that has a comment or synonyms; column is None for a table."""
    tables = tuple(tables)
    names = names_in_rows(tables)
    for table in tables:
        things: list[tuple[str | None, Table | Column]] = [(None, table), *((c.name, c) for c in table.columns)]
        for column, thing in things:
            if thing.comment or thing.synonyms:
                yield names[table.path], column, thing.comment, ", ".join(thing.synonyms)


def names_in_rows(tables: Iterable[Table]) -> Mapping[tuple[str, ...], str]:
    """Return the name of each table, by path, that rows get: the shortest end of its path that no other table has."""
    return {path: ".".join(short) for path, short in shortest({table.path: () for table in tables}).items()}


def save(engine: Engine, descriptions: Iterable[tuple[Table, Comment]], replacing: bool = False) -> tuple[int, int]:
    """Write descriptions of tables and columns. Return how many were written, and how many changed nothing.

    An existing comment, or existing synonyms, stay unless `replacing`. All are written or none. Raise `DatabaseError`
    where the database or a comment table cannot be written.
    """
    _check_writable(engine)
    tables = engine.tables()
    names, rows = names_in_rows(tables), by_table(placed(read(engine).rows, tables))
    with engine.writing() as storage:
        storage.execute(create(storage.prefix))
        written = [
            _write(storage, names[table.path], new, about(table, rows).get(new.column.lower(), ()), replacing)
            for table, new in descriptions
        ]
    return sum(written), len(written) - sum(written)


def add(engine: Engine, table: Table, new: Comment) -> None:
    """Add a row about a table or one of its columns. The synonyms of all rows count.

    Raise `DatabaseError` where the database or a comment table cannot be written.
    """
    _check_writable(engine)
    with engine.writing() as storage:
        storage.execute(create(storage.prefix))
        _insert(storage, names_in_rows(engine.tables())[table.path], new)


def _check_writable(engine: Engine) -> None:
    """Raise `DatabaseError` where the database is read-only, or a comment table lacks a column."""
    if engine.read_only:
        raise DatabaseError("the database is read-only, and comments are kept in it; open it with permission to write")
    for table in engine.tables_named(TABLE):
        if fault := fault_of(table) or _missing_columns(table):
            raise DatabaseError(fault)


def _insert(storage: Storage, name: str, new: Comment) -> None:
    """Insert a row about the table of this name."""
    insert = f"INSERT INTO {storage.prefix}{TABLE} ({', '.join(COLUMNS)}) VALUES (?, ?, ?, ?)"
    storage.execute(insert, (name, new.column or None, new.text or None, ", ".join(new.synonyms) or None))


def _write(storage: Storage, name: str, new: Comment, stored: Sequence[Comment], replacing: bool) -> bool:
    """Insert a row, or update the rows `stored` about the same thing. Return whether anything changed."""
    # A row with a shorter name may also be about other tables.
    stored = [row for row in stored if row.table.count(".") >= name.count(".")]
    old = _with_comments(Column(""), stored)
    before, given = (old.comment, old.synonyms), (new.text, new.synonyms)
    first, second = (given, before) if replacing else (before, given)
    text, synonyms = first[0] or second[0], first[1] or second[1]
    if (text, synonyms) == before:
        return False
    if not stored:
        _insert(storage, name, replace(new, text=text, synonyms=synonyms))
    cells, target = (text or None, ", ".join(synonyms) or None), f"{storage.prefix}{TABLE}"
    for row in stored:
        update = f"UPDATE {target} SET comment = ?, synonyms = ? WHERE table_name = ? AND coalesce(column_name, '') = ?"
        storage.execute(update, (*cells, row.table, row.column))
    return True


def _missing_columns(table: Table) -> str:
    """Return a sentence about the columns that a comment table lacks, so that it cannot be written; '' for none."""
    missing = [name for name in COLUMNS if name not in columns_of(table, COLUMNS)]
    add = "; ".join(f"ALTER TABLE {TABLE} ADD COLUMN {name} TEXT" for name in missing)
    return f"{TABLE} has no column {' and no column '.join(missing)}: {add}" if missing else ""


T = TypeVar("T", Column, Table)


def _with_comments(thing: T, rows: Iterable[Comment]) -> T:
    """Return a table or column with the comment and the synonyms of some rows."""
    texts = [row.text for row in rows if row.text]
    synonyms = tuple(dict.fromkeys(synonym for row in rows for synonym in row.synonyms))
    return replace(thing, comment=texts[0] if texts else thing.comment, synonyms=synonyms)


def _unmatched(rows: Sequence[Comment]) -> Iterator[str]:
    """Yield a note on rows about tables or columns that do not exist; most are mistyped."""
    if rows:
        names = [short(row.name, SHOWN) for row in rows]
        yield f"{TABLE} is about tables or columns that are not there: {first_of(names, NAMED)}"
