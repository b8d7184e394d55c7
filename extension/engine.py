"""What askwhere needs of a database: its tables as facts, and a safe way to run a query.

The two bindings (`askwhere.bindings.sqlite`, `askwhere.bindings.duckdb`) implement `Engine`; everything else is
written against it, so no other module knows which database it talks to.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from askwhere.errors import DatabaseError


@dataclass(frozen=True)
class Column:
    """One column as the database declares it; `type` is the declared type, `''` where there is none.

    `computed` is SQL that holds the expression of a generated column that is computed when it is read.
    """

    name: str
    type: str = ""
    comment: str = ""
    synonyms: tuple[str, ...] = ()
    computed: str = ""


@dataclass(frozen=True)
class ForeignKey:
    """`columns` of this table refer to `target_columns` of `target` (a `Table.path`), pair by pair."""

    columns: tuple[str, ...]
    target: tuple[str, ...]
    target_columns: tuple[str, ...]
    guessed: bool = False


@dataclass(frozen=True)
class Table:
    """A table or view that may be asked. `path` is how generated SQL must name it, outermost name first.

    `rows` is a count or the engine's estimate, None where counting would cost a scan (views, huge tables).
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

    @property
    def name(self) -> str:
        """The table's own name, without catalog and schema."""
        return self.path[-1]


@dataclass(frozen=True)
class Limits:
    """How much one query may use: wall seconds, rows fetched, bytes of memory it may add."""

    seconds: float = 30.0
    rows: int = 1_001
    bytes: int = 256 * 1024 * 1024


@dataclass(frozen=True)
class Grant:
    """What a generated query may touch. Names are compared without case.

    `tables` are the granted tables; `hidden` holds `(table path, column)` pairs that must stay unread;
    `functions` are user functions allowed beside the engine's harmless built-ins. `withheld` are views that may not be
    read, with what there is to say of each.
    """

    tables: tuple[Table, ...]
    hidden: frozenset[tuple[tuple[str, ...], str]] = frozenset()
    functions: frozenset[str] = frozenset()
    withheld: tuple[tuple[tuple[str, ...], str], ...] = ()


@dataclass(frozen=True)
class Checked:
    """A query that the guard let through: `sql` is what to run, with tables qualified and column names made unique."""

    sql: str
    columns: tuple[str, ...]
    types: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """Rows of one run. `complete` is False when `Limits.rows` cut it; `seconds` is wall time.

    `undecodable` says that some text was not UTF-8 and was decoded with replacement.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    complete: bool
    seconds: float
    undecodable: bool = False


class Storage(Protocol):
    """Where askwhere keeps tables of its own, all named `askwhere_*`: in the database, or in a file beside it."""

    @property
    def prefix(self) -> str:
        """What stands before a table's name in SQL, with its dot."""

    @property
    def keyed(self) -> str:
        """How the columns of a table of keyed blobs are declared: `k`, a 64-bit number, and `b`."""

    @property
    def staging(self) -> str:
        """What is added to a table's name while it is written anew, where much is to be committed piece by piece.

        `''` where a transaction may be of any size.
        """

    def tables(self) -> list[str]:
        """The names of all `askwhere_*` tables."""

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a statement on these tables."""

    def insert(self, table: str, rows: Sequence[tuple[int, bytes]]) -> None:
        """Add keyed blobs to a table of the columns `k` and `b`."""

    def commit(self) -> None:
        """Where there is `staging`: commit what was written since the last time."""

    def fetch(self, table: str, keys: Sequence[int]) -> Mapping[int, bytes]:
        """The blobs of those keys that the table has."""


# A column, by its table's path and its name; and columns of one table or view that are read together.
Source: TypeAlias = tuple[tuple[str, ...], str]
Reading: TypeAlias = tuple[Table, Sequence[str]]


class Engine(Protocol):
    """One open database, seen by one connection. None of its methods changes anything the user can see."""

    @property
    def dialect(self) -> str:
        """sqlglot's name of the SQL dialect: 'sqlite' or 'duckdb'."""

    @property
    def static_types(self) -> bool:
        """Whether a column's values all have the type of the column."""

    def tables(self) -> tuple[Table, ...]:
        """All tables and views the connection sees, without the engine's own and without `askwhere_*`."""

    def comment_tables(self) -> tuple[Table, ...]:
        """What is named `askwhere_comments`, in any database: its path, its kind and the names of its columns."""

    def texts(self, table: Table, columns: Sequence[str]) -> list[tuple[str, ...]]:
        """All rows of these columns as text: `''` for NULL, undecodable bytes replaced."""

    def functions(self) -> frozenset[str]:
        """The names of all functions that a statement could call, in lower case, also of those that ours may not."""

    def user_functions(self) -> Mapping[str, str]:
        """The functions that somebody made, by name; of a macro its SQL, `''` of one that runs other code."""

    def taken(self) -> frozenset[str]:
        """The built-in functions whose names somebody's macros have: a query that was checked before calls those."""

    def macros(self) -> Mapping[str, str]:
        """Functions that are made of SQL, each with its text."""

    def sources(
        self, reads: Sequence[Reading], tables: Sequence[Table], opaque: Collection[tuple[str, ...]]
    ) -> list[frozenset[Source] | None]:
        """For each of `reads` the columns of `tables` that it reads, through views and generated columns.

        Of what is `opaque`, by its path, the view's own columns are named too. None where it cannot be told.
        """

    def schema_version(self) -> Hashable:
        """A cheap value that differs when the schema, or what the comment tables say of it, has changed."""

    def data_version(self) -> Hashable:
        """A cheap value that differs when rows may have changed."""

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of askwhere's own SQL (catalog look-ups, value scans); never of generated SQL."""

    def values(self, table: Table, column: Column, limit: int) -> list[str]:
        """Up to `limit` distinct texts of a column, none for one that holds no text; undecodable bytes replaced."""

    def scan(self, table: Table, column: Column, longest: int, numbers: bool) -> Iterator[tuple[int, Sequence[str]]]:
        """All texts of a column of at most `longest` characters, in batches: of how many rows, and the texts.

        Repeated texts may be left out; undecodable bytes are replaced. With `numbers`, numbers come as text too.
        Raises `DatabaseError`.
        """

    def stamps(self) -> Mapping[tuple[str, ...], str]:
        """For the path of each table a text, found cheaply, that differs when rows were added or removed."""

    @property
    def read_only(self) -> bool:
        """Whether the database cannot be written, so that `writing` goes to a file beside it."""

    def storages(self) -> tuple[Storage, ...]:
        """Where askwhere's own tables may be, to be read: the database, and the file beside it if there is one."""

    def storage(self) -> Storage:
        """askwhere's own tables, to be read."""

    def writing(self) -> AbstractContextManager[Storage]:
        """askwhere's own tables, to be changed in one transaction: all of it, or nothing. Raises `DatabaseError`."""

    def building(self) -> AbstractContextManager[Storage]:
        """As `writing`, for the index, by one connection at a time; staged tables are removed if it fails."""

    def check(self, sql: str, grant: Grant) -> Checked:
        """Parse, guard and bind generated SQL without running it. Raises `Refused` or `QueryError`."""

    def run(self, checked: Checked, grant: Grant, limits: Limits) -> Result:
        """Run a checked query where it cannot write. Raises `TooMuch` or `QueryError`."""

    def delivery(self, checked: Checked, trial: Result) -> str:
        """The SQL that delivers a checked query's rows inside a statement of the user's."""

    def isolated(self) -> Isolated:
        """The same database with `check` and `run` in a process of its own, under hard limits.

        Raises `DatabaseError` where another process cannot open it.
        """


class Isolated(Engine, Protocol):
    """An engine whose `check` and `run` happen in another process."""

    def delivering(self, checked: Checked, grant: Grant, limits: Limits) -> str:
        """The SQL that delivers inside a statement of the user's the rows which another process reads for it.

        Each time that it runs they are read anew. It raises `TooMuch` where they are more than the limits allow.
        """

    def stream(self, checked: Checked, grant: Grant, limits: Limits) -> Iterator[tuple[Any, ...]]:
        """The rows of a checked query, run now and read when they are wanted. Raises as `run`, all at once."""


def quote(name: str) -> str:
    """`name` as a quoted SQL identifier, in both engines: `odd "name"` becomes `"odd ""name\"""`."""
    if "\0" in name:
        raise DatabaseError(f"a name holds a NUL character and cannot be written in SQL: {name!r}")
    return '"' + name.replace('"', '""') + '"'


def quote_path(path: Sequence[str]) -> str:
    """A table's path as SQL, every part quoted: `"main"."orders"`."""
    return ".".join(quote(part) for part in path)
