"""Comments and synonyms that users write into tables named `askwhere_comments`, one in each database.

A row is about a table, or about a column of it. The table is an ordinary one, made and changed in SQL.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from askwhere.engine import Column, Engine, Storage, Table
from askwhere.errors import DatabaseError

TABLE = "askwhere_comments"
COLUMNS = ("table_name", "column_name", "comment", "synonyms")
# Rows about things that are not there which one note names.
NAMED = 10


@dataclass(frozen=True, order=True)
class Comment:
    """What is said of a table, or where `column` is not empty of a column of it.

    `table` is a name as the user wrote it; it means tables whose path begins with `scope`.
    """

    table: str
    column: str = ""
    text: str = ""
    synonyms: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What it is about, as `table` or `table.column`."""
        return f"{self.table}.{self.column}" if self.column else self.table


@dataclass(frozen=True)
class Comments:
    """What all comment tables say; `faults` tells of those that cannot be read."""

    rows: tuple[Comment, ...] = ()
    faults: tuple[str, ...] = ()


def read(engine: Engine) -> Comments:
    """The rows of all comment tables, in an order of their own."""
    tables = engine.comment_tables()
    faults = tuple(fault for table in tables if (fault := fault_of(table)))
    rows = sorted({row for table in tables if not fault_of(table) for row in _rows(engine, table)})
    return Comments(tuple(rows), faults)


def fault_of(table: Table) -> str:
    """Why a comment table cannot be read, in a sentence; '' for nothing."""
    name = ".".join((*table.path[:-1], TABLE))
    if table.kind != "table":
        kind = "virtual table" if table.kind == "virtual" else table.kind
        return f"{name} is not read: it is a {kind}, and must be an ordinary table"
    has = _columns(table)
    if "table_name" not in has:
        return f"{name} is not read: it has no column table_name; expected {', '.join(COLUMNS)}"
    if not has.keys() & {"comment", "synonyms"}:
        return f"{name} is not read: it has neither a column comment nor a column synonyms"
    return ""


def split(synonyms: str) -> tuple[str, ...]:
    """The words or phrases of a list with commas, each once.

    >>> split("client,  Buyer of goods,, client")
    ('client', 'Buyer of goods')
    """
    phrases = (" ".join(part.split()) for part in synonyms.split(","))
    return tuple({phrase.lower(): phrase for phrase in phrases if phrase}.values())


def create(prefix: str = "") -> str:
    """The statement that makes a comment table, if there is none; `prefix` is a database and schema, with its dot."""
    columns = "table_name TEXT NOT NULL, column_name TEXT, comment TEXT, synonyms TEXT"
    return f"CREATE TABLE IF NOT EXISTS {prefix}{TABLE} ({columns})"


def described(tables: Iterable[Table], comments: Comments) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    """The tables with what is said of them, and notes on what could not be read or is about nothing.

    A comment here wins over the database's own; where the table's name stands in several schemas, a row that names
    the schema wins over one that does not. The synonyms of several rows add up.
    """
    rows = by_table(comments.rows)
    found: set[Comment] = set()
    said = []
    for table in tables:
        own = about(table, rows)
        columns = tuple(_with(column, own.get(column.name.lower(), ())) for column in table.columns)
        said.append(replace(_with(table, own.get("", ())), columns=columns))
        found.update(row for name in ("", *(c.name.lower() for c in columns)) for row in own.get(name, ()))
    return tuple(said), (*comments.faults, *_astray([row for row in comments.rows if row not in found]))


def by_table(rows: Iterable[Comment]) -> Mapping[str, Sequence[Comment]]:
    """The rows by the name of the table as they have it, without case."""
    found: dict[str, list[Comment]] = defaultdict(list)
    for row in rows:
        found[row.table.strip().lower()].append(row)
    return found


def about(table: Table, rows: Mapping[str, Sequence[Comment]]) -> Mapping[str, Sequence[Comment]]:
    """The rows about a table, by the column's name without case; first those that name the table most fully."""
    names = [".".join(table.path[i:]).lower() for i in range(len(table.path))]
    if len(table.path) == 2:  # a SQLite database is `main` to itself, whatever it is attached as
        names.append(f"main.{table.name}".lower())
    found: dict[str, list[Comment]] = defaultdict(list)
    for name in sorted(set(names), key=lambda name: -name.count(".")):
        for row in rows.get(name, ()):
            if table.path[: len(row.scope)] == row.scope:
                found[row.column.strip().lower()].append(row)
    return found


def listed(tables: Iterable[Table]) -> Iterator[tuple[str, str | None, str, str]]:
    """For each table and column of which something is said: table, column (None for the table), comment, synonyms."""
    tables = tuple(tables)
    names = called(tables)
    for table in tables:
        things: list[tuple[str | None, Table | Column]] = [(None, table), *((c.name, c) for c in table.columns)]
        for column, thing in things:
            if thing.comment or thing.synonyms:
                yield names[table.path], column, thing.comment, ", ".join(thing.synonyms)


def called(tables: Iterable[Table]) -> Mapping[tuple[str, ...], str]:
    """How a row names each table: by its own name, with the schema where two have that name."""
    tables = tuple(tables)
    times = Counter(table.name.lower() for table in tables)
    return {t.path: t.name if times[t.name.lower()] == 1 else ".".join(t.path[-2:]) for t in tables}


def save(engine: Engine, said: Iterable[tuple[Table, Comment]], replacing: bool = False) -> tuple[int, int]:
    """Write what is said of tables and their columns; of how many it was written, and of how many nothing was new.

    A comment or synonyms that are there already stay, or with `replacing` make way. All is written, or nothing.
    Raises `DatabaseError`.
    """
    if engine.read_only:
        raise DatabaseError("the database is read-only, and comments are kept in it; open it with permission to write")
    for table in engine.comment_tables():
        if fault := fault_of(table) or _lacking(table):
            raise DatabaseError(fault)
    names, rows = called(engine.tables()), by_table(read(engine).rows)
    with engine.writing() as storage:
        storage.execute(create(storage.prefix))
        written = [
            _write(storage, names[table.path], new, about(table, rows).get(new.column.lower(), ()), replacing)
            for table, new in said
        ]
    return sum(written), len(written) - sum(written)


def _write(storage: Storage, name: str, new: Comment, there: Sequence[Comment], replacing: bool) -> bool:
    """Write what one row says, or into the rows that are there; whether anything was new."""
    there = [row for row in there if row.table.count(".") >= name.count(".")]  # others speak of several tables
    old = _with(Column(""), there)
    before, given = (old.comment, old.synonyms), (new.text, new.synonyms)
    first, second = (given, before) if replacing else (before, given)
    text, synonyms = first[0] or second[0], first[1] or second[1]
    if (text, synonyms) == before:
        return False
    cells, table = (text or None, ", ".join(synonyms) or None), f"{storage.prefix}{TABLE}"
    if not there:
        insert = f"INSERT INTO {table} ({', '.join(COLUMNS)}) VALUES (?, ?, ?, ?)"
        storage.execute(insert, (name, new.column or None, *cells))
    for row in there:
        update = f"UPDATE {table} SET comment = ?, synonyms = ? WHERE table_name = ? AND coalesce(column_name, '') = ?"
        storage.execute(update, (*cells, row.table, row.column))
    return True


def _lacking(table: Table) -> str:
    missing = [name for name in COLUMNS if name not in _columns(table)]
    add = "; ".join(f"ALTER TABLE {TABLE} ADD COLUMN {name} TEXT" for name in missing)
    return f"{TABLE} has no column {' and no column '.join(missing)}: {add}" if missing else ""


T = TypeVar("T", Column, Table)


def _with(thing: T, rows: Iterable[Comment]) -> T:
    """A table or column with what rows say of it."""
    said = [row.text for row in rows if row.text]
    synonyms = tuple(dict.fromkeys(synonym for row in rows for synonym in row.synonyms))
    return replace(thing, comment=said[0] if said else thing.comment, synonyms=synonyms)


def _astray(rows: Sequence[Comment]) -> Iterator[str]:
    """A note on rows that are about nothing that is there: most are mistyped."""
    if rows:
        more = f" and {len(rows) - NAMED:,} more" if len(rows) > NAMED else ""
        names = ", ".join(row.name for row in rows[:NAMED])
        yield f"{TABLE} is about tables or columns that are not there: {names}{more}"


def _columns(table: Table) -> dict[str, str]:
    """A comment table's own columns, by the name that is expected of them."""
    return {column.name.lower(): column.name for column in table.columns if column.name.lower() in COLUMNS}


def _rows(engine: Engine, table: Table) -> Iterator[Comment]:
    has = _columns(table)
    # What stands in the schema `main` of a DuckDB database is about all of its schemas.
    scope = table.path[:1] if table.path[-2] == "main" else table.path[:-1]
    for row in engine.texts(table, list(has.values())):
        cells = dict(zip(has, row, strict=True))
        yield Comment(
            table=cells["table_name"],
            column=cells.get("column_name", ""),
            text=cells.get("comment", "").strip(),
            synonyms=split(cells.get("synonyms", "")),
            scope=scope,
        )
