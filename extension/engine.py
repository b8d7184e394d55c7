"""Define the interface to a database: its tables, and a safe way to run queries.

The two bindings (`askwhere.bindings.sqlite`, `askwhere.bindings.duckdb`) implement `Engine`; everything else is written
against it, so that no other module knows which database it talks to.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

from askwhere.errors import DatabaseError
from askwhere.frozen import frozen
from askwhere.storage import Storage

# Batches of a column: a number of rows, and their texts.
Scanned: TypeAlias = Iterator[tuple[int, Sequence[str]]]


@frozen
class Column:
    """One column as the database declares it; `type` is the declared type, '' where there is none.

    `computed` is the expression, in SQL, of a generated column that is computed when it is read. `work` is how many
    columns and expressions it expands to (`guard.written_out`). `too_large` says why computing it could make too large
    a value, '' where it could not (`guard.definition_sizes`).
    """

    name: str
    type: str = ""
    comment: str = ""
    synonyms: tuple[str, ...] = ()
    computed: str = ""
    work: int = 1
    too_large: str = ""


@frozen
class ForeignKey:
    """A reference: `columns` of this table refer to `target_columns` of `target` (a `Table.path`), pair by pair.

    `origin` is 'database' for a key of the database itself, 'declared' for one of `askwhere_keys`, and 'guessed' for
    one that askwhere inferred.
    """

    columns: tuple[str, ...]
    target: tuple[str, ...]
    target_columns: tuple[str, ...]
    origin: str = "database"

    @property
    def guessed(self) -> bool:
        """Return whether nobody declared the key."""
        return self.origin == "guessed"

    @property
    def declared(self) -> bool:
        """Return whether users declared the key, and not the database."""
        return self.origin == "declared"


@frozen
class Table:
    """A table or view that may be asked about; `path` is how generated SQL must name it, outermost name first.

    `rows` is a count or the engine's estimate, None where counting would cost a scan (views, huge tables). `work` is
    how many columns, tables and expressions a view expands to (`guard.written_out`); one that expands to too many has
    no columns. `too_large` says why a view could make too large a value, '' where it could not. `source` is the type of
    the attached database that holds it, '' for the engine's own.
    """

    path: tuple[str, ...]
    columns: tuple[Column, ...]
    kind: str = "table"  # 'table', 'view' or 'virtual'
    primary_key: tuple[str, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    rows: int | None = None
    comment: str = ""
    definition: str = ""  # a view's own SQL
    synonyms: tuple[str, ...] = ()
    work: int = 1
    too_large: str = ""
    source: str = ""
    short: tuple[str, ...] = ()  # the shortest path by which a statement may name it, where that is not its name

    def __hash__(self) -> int:
        return hash(self.path)  # not of all columns: the reader looks tables up again and again

    @property
    def name(self) -> str:
        """Return the table's own name, without catalog and schema."""
        return self.path[-1]

    def paths(self, column: str = "") -> list[tuple[str, ...]]:
        """Return the paths of the table, or of its `column`, by which statements and settings may name it."""
        return [(*path, column) if column else path for path in (self.path, self.short) if path]


@frozen
class Limits:
    """The limits of one query: wall seconds, rows fetched, bytes of memory that it may add."""

    seconds: float = 30.0
    rows: int = 1_001
    bytes: int = 256 * 1024 * 1024


@frozen
class Grant:
    """The tables, columns and functions that a generated query may use; names are compared without case.

    `tables` are the granted tables; `hidden` has `(table path, column)` pairs that must not be read; `functions` are
    user functions allowed beside the engine's harmless built-ins. `withheld` are views that may not be read, each with
    the reason to tell.
    """

    tables: tuple[Table, ...]
    hidden: frozenset[tuple[tuple[str, ...], str]] = frozenset()
    functions: frozenset[str] = frozenset()
    withheld: tuple[tuple[tuple[str, ...], str], ...] = ()


@frozen
class Pushed:
    """How an attached server answers a query whole: `sql` asks `source` to run what is `written` in its own SQL.

    `type` is the server's kind, as DuckDB names it.
    """

    source: str
    sql: str
    written: str
    type: str


@frozen
class Checked:
    """A query that the guard accepted: `sql` is what to run, with tables qualified and column names made unique.

    Where it costs less, `pushed` gives the same rows; an engine may run either.
    """

    sql: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    pushed: Pushed | None = None


@frozen
class Result:
    """The rows of one run; `complete` is False where `Limits.rows` cut them, and `seconds` is wall time.

    `undecodable` says that some text was not UTF-8 and was decoded with replacement, `pushed` that a server computed
    the rows (`Checked.pushed`).
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    complete: bool
    seconds: float
    undecodable: bool = False
    pushed: bool = False


# A column as its table's path and its name; and columns of one table or view that are read together.
Source: TypeAlias = tuple[tuple[str, ...], str]
Reading: TypeAlias = tuple[Table, Sequence[str]]


class Unreadable(DatabaseError):
    """Values of one column cannot be read; others can."""


class Engine(Protocol):
    """One open database, seen by one connection. No method changes anything that the user can see."""

    @property
    def dialect(self) -> str:
        """Return sqlglot's name of the SQL dialect: 'sqlite' or 'duckdb'."""

    @property
    def static_types(self) -> bool:
        """Return whether a column's values all have the type of the column."""

    def tables(self) -> tuple[Table, ...]:
        """Return all tables and views that the connection sees, without the engine's own and `askwhere_*`."""

    def tables_named(self, name: str) -> tuple[Table, ...]:
        """Return the tables and views of a name in any database, such as `askwhere_comments`.

        Each has its path, kind and the names of its columns.
        """

    def home(self) -> tuple[str, ...]:
        """Return the path of the schema in which askwhere's own tables are, or would be if it could be written."""

    def texts(self, table: Table, columns: Sequence[str]) -> list[tuple[str, ...]]:
        """Return all rows of some columns as text, '' for NULL; raise `DatabaseError` where they are too many."""

    def functions(self) -> frozenset[str]:
        """Return the names of all functions that a statement could call, in lower case, also of those not allowed."""

    def user_functions(self) -> Mapping[str, str]:
        """Return the functions that users made, by name: the SQL of a macro, '' for one that runs other code."""

    def taken(self) -> frozenset[str]:
        """Return the built-in functions whose names users' macros have taken: a checked query would call the macros."""

    def macros(self) -> Mapping[str, str]:
        """Return the functions that are made of SQL, each with its text."""

    def sources(
        self, reads: Sequence[Reading], tables: Sequence[Table], opaque: Collection[tuple[str, ...]]
    ) -> list[frozenset[Source] | None]:
        """Return, for each of `reads`, the columns of `tables` that it reads, through views and generated columns.

        For a view whose path is in `opaque`, its own columns are named too. None stands for reads that cannot be
        resolved.
        """

    def notes(self) -> tuple[str, ...]:
        """Return a sentence on each database or table that is left out because it cannot be read."""

    def unreadable(self, tables: Iterable[Table]) -> frozenset[Source]:
        """Return the columns of some tables with a value that the engine cannot read, found within a few seconds."""

    def schema_version(self) -> Hashable:
        """Return a value that changes with the schema and with the users' comments and keys; this must be cheap."""

    def data_version(self) -> Hashable:
        """Return a value that changes when rows may have changed; this must be cheap."""

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of askwhere's own SQL (catalog look-ups, value scans); never of generated SQL.

        Raise `Unreadable` if DuckDB does not have, or no longer has, a table or column that it names.
        """

    def values(self, columns: Sequence[tuple[Table, Column]], limit: int) -> Iterator[list[str]]:
        """Yield up to `limit` distinct texts of each column, none for one without texts; undecodable bytes replaced.

        Columns are read as they are needed, those of small tables together.
        """

    def scan(self, table: Table, column: Column, longest: int, numbers: bool, most: int) -> Scanned:
        """Yield all texts of a column with at most `longest` characters, in batches: a number of rows, and their texts.

        Repeated texts may be left out; undecodable bytes are replaced. With `numbers`, numbers come as text too. The
        caller stops at more than `most` different ones. Raise `DatabaseError`, `Unreadable` for this column alone.
        """

    def stamps(self) -> Mapping[tuple[str, ...], str]:
        """Return a text for each table's path that changes when rows are added or removed; this must be cheap."""

    @property
    def read_only(self) -> bool:
        """Return whether the database cannot be written, so that `writing` goes to a file beside it."""

    def storages(self) -> tuple[Storage, ...]:
        """Return the places of askwhere's own tables, to be read.

        These are the database, and the file beside it if there is one.
        """

    def storage(self) -> Storage:
        """Return the storage of askwhere's own tables, to be read."""

    def writing(self) -> AbstractContextManager[Storage]:
        """Return a context that changes askwhere's own tables in one transaction. Raise `DatabaseError`."""

    def building(self) -> AbstractContextManager[Storage]:
        """Return a context as `writing`, for the index, for one connection at a time.

        Staged tables are removed if it fails.
        """

    def check(self, sql: str, grant: Grant) -> Checked:
        """Parse, guard and bind generated SQL without running it. Raise `Refused` or `QueryError`."""

    def run(self, checked: Checked, grant: Grant, limits: Limits) -> Result:
        """Run a checked query where it cannot write. Raise `TooMuch` or `QueryError`."""

    def delivery(self, checked: Checked, trial: Result) -> str:
        """Return the SQL that delivers a checked query's rows inside a statement of the user's.

        The rows of a complete trial, made for this statement, may be delivered as they are.
        """

    def isolated(self) -> Isolated:
        """Return the same database with `check` and `run` in a process of its own, under hard limits.

        Raise `DatabaseError` where another process cannot open it.
        """


class Isolated(Engine, Protocol):
    """An engine whose `check` and `run` happen in another process."""

    def delivering(self, checked: Checked, grant: Grant, limits: Limits) -> str:
        """Return the SQL that delivers, inside a statement of the user's, rows that another process reads for it.

        The rows are read again each time that it runs. It raises `TooMuch` where they exceed the limits.
        """

    def stream(self, checked: Checked, grant: Grant, limits: Limits) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a checked query, run now and read as they are needed.

        Raise as `run`, before the first row.
        """
