"""List the words that a reply may use for tables, columns and functions, and the kinds of their values.

A kind is what DuckDB distinguishes when it binds: 'i' integers, 'f' other numbers, 't' text, 'd' dates and timestamps,
'b' booleans, and any other type by its name. SQLite compares anything with anything: all its values have the kind ANY.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property, lru_cache

from askwhere import guard
from askwhere.engine import Table
from askwhere.frozen import frozen
from askwhere.grouping import grouped
from askwhere.sql.dialect import Dialect
from askwhere.sql.dialects import named
from askwhere.sql.identifiers import quote

Kinds = frozenset[str]
# Further kinds: of every value in SQLite, of NULL, and of a column name that has different kinds in different tables.
ANY, NULL, MIXED = "any", "null", "mixed"
NUMBERS: Kinds = frozenset("if")
TEXT: Kinds = frozenset("t")
DATES: Kinds = frozenset("d")
# Marks that the kinds required at a place may include:
AS_TEXT = "as text"  # a number may be written as a text
COLUMNS_ONLY = "columns only"  # only a column or a cast may come, no constant
CONSTANT, PART, FORMAT = "constant", "part", "format"  # only a literal may: a whole number, part of a date, date format
LOOSE = "loose"  # texts and numbers may be mixed, since DuckDB casts one where columns are compared for equality


@frozen
class Signature:
    """The kinds of a function's arguments and of its result; None means the kind that they share."""

    takes: tuple[Kinds | None, ...]
    gives: str | None
    aggregate: bool = False


def _functions() -> dict[str, Signature]:
    """Return the signature of each function."""
    dates, whole = DATES | {COLUMNS_ONLY}, frozenset({"i", CONSTANT})
    signatures = {
        "abs ceil exp floor ln sign sqrt": Signature((NUMBERS,), "f"),
        "avg median stddev sum total variance": Signature((NUMBERS,), "f", True),
        "max min": Signature((None,), None, True),
        "count": Signature((None,), "i", True),
        "length": Signature((TEXT,), "i"),
        "lower ltrim rtrim trim upper": Signature((TEXT,), "t"),
        "day hour minute month quarter week year": Signature((dates,), "i"),
        "dayname monthname": Signature((dates,), "t"),
        "date last_day": Signature((dates,), "d"),
        "julianday": Signature((dates,), "f"),
        "date_diff datediff": Signature((frozenset({PART}), DATES, DATES), "i"),
        "contains starts_with": Signature((TEXT, TEXT), "b"),
        "instr": Signature((TEXT, TEXT), "i"),
        "power": Signature((NUMBERS, NUMBERS), "f"),
        "round": Signature((NUMBERS, whole), "f"),
        "strftime": Signature((dates, frozenset({FORMAT})), "t"),
        "date_trunc": Signature((frozenset({PART}), dates), "d"),
        "ifnull nullif": Signature((None, None), None),
        "replace": Signature((TEXT, TEXT, TEXT), "t"),
        "substr substring": Signature((TEXT, whole, whole), "t"),
        "row_number rank dense_rank": Signature((), "i"),
    }
    return {name: signature for names, signature in signatures.items() for name in names.split()}


FUNCTIONS = _functions()
# Functions whose arguments are read by rules of their own.
SPECIAL = frozenset({"coalesce"})
KINDS = {"BIGINT": "i", "INTEGER": "i", "DOUBLE": "f", "REAL": "f", "NUMERIC": "f", "VARCHAR": "t", "TEXT": "t",
         "DATE": "d", "TIMESTAMP": "d"}  # fmt: skip
PARTS = frozenset("year quarter month week day hour minute second decade century".split())  # of date_trunc


def kind_of(type_: str, typed: bool) -> str:
    """Return the kind of a column's declared type."""
    name = type_.upper().split("(")[0].strip()
    if not typed:
        return ANY
    if name.endswith("]") or "[" in type_:
        return type_.upper()
    if name in {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}:
        return "i"
    if name in {"DOUBLE", "FLOAT", "REAL", "DECIMAL", "NUMERIC", "HUGEINT", "UBIGINT", "UHUGEINT"}:
        return "f"
    if name in {"DATE", "TIMESTAMP"}:
        return "d"
    return {"VARCHAR": "t", "BOOLEAN": "b"}.get(name, type_.upper())


def comparable(kind: str) -> Kinds | None:
    """Return the kinds that may be compared with a value of a kind; None for any."""
    if kind in (ANY, NULL):
        return None
    return NUMBERS if kind in NUMBERS else frozenset({kind})


def strict(kinds: Kinds | None) -> Kinds | None:
    """Return the kinds without those that only count in comparisons."""
    return kinds - {AS_TEXT, LOOSE} if kinds else kinds


def merged(kind: str, other: str) -> str:
    """Return the kind of a CASE or call with results of two kinds."""
    if NULL in (kind, other):
        return other if kind == NULL else kind
    return "f" if kind != other and {kind, other} <= NUMBERS else kind


@frozen
class Named:
    """A table that a query may use: its folded name, and its columns' folded names with their kinds."""

    name: str
    columns: Mapping[str, str]


@frozen
class Names:
    """The words of a catalog as the grammar spells them, with each byte of UTF-8 as one character (Latin-1).

    `typed` says whether the engine refuses to mix kinds, and to show ungrouped columns beside aggregates (DuckDB).
    `paths` has each way to write a table, as a tuple of words. `columns` has the folded column for each word, `spelled`
    the words for each column. `types` are the types that CAST may name, with their kinds.
    """

    typed: bool
    tables: tuple[Named, ...]
    paths: Mapping[tuple[str, ...], Named]
    columns: Mapping[str, str]
    functions: frozenset[str]
    types: Mapping[str, str]
    spelled: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def beginnings(self) -> frozenset[tuple[str, ...]]:
        """Return the prefixes of paths with several parts."""
        return frozenset(path[:end] for path in self.paths for end in range(1, len(path)))

    @cached_property
    def by_column(self) -> dict[str, tuple[Named, ...]]:
        """Return the tables that have each column."""
        holders = grouped((column, table) for table in self.tables for column in table.columns)
        return {column: tuple(tables) for column, tables in holders.items()}

    @cached_property
    def by_name(self) -> dict[str, tuple[Named, ...]]:
        """Return the tables of each name."""
        called = grouped((table.name, table) for table in self.tables)
        return {name: tuple(tables) for name, tables in called.items()}

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Return all words for columns and for parts of tables' paths, sorted."""
        return tuple(sorted({*self.columns, *(part for path in self.paths for part in path)}))

    @cached_property
    def table_words(self) -> tuple[str, ...]:
        """Return all words for parts of tables' paths, sorted."""
        return tuple(sorted({part for path in self.paths for part in path}))

    @cached_property
    def calls(self) -> tuple[str, ...]:
        """Return all words for functions, sorted."""
        return tuple(sorted(self.functions))


def beginning(words: tuple[str, ...], start: str) -> Iterator[str]:
    """Yield those of sorted words that begin with `start`."""
    for i in range(bisect_left(words, start), len(words)):
        if not words[i].startswith(start):
            return
        yield words[i]


@lru_cache(maxsize=8)
def names(tables: tuple[Table, ...], dialect: str) -> Names:
    """Return the words that a reply may use for the tables of a catalog."""
    known_dialect = named(dialect)
    typed, allowed = known_dialect.static_types, guard.harmless(dialect)
    paths, columns, spelled = {}, dict[str, str](), dict[str, set[str]]()
    named_tables = []
    times = Counter(fold(table.name) for table in tables)
    for table in tables:
        named_table = Named(fold(table.name), {fold(c.name): kind_of(c.type, typed) for c in table.columns})
        named_tables.append(named_table)
        paths[tuple(_word(quote(part)) for part in table.path)] = named_table
        if times[named_table.name] == 1:  # another table of this name needs its path
            paths.update({(word,): named_table for word in _words(table.name, known_dialect)})
        for column in table.columns:
            for word in _words(column.name, known_dialect):
                columns[word] = fold(column.name)
                spelled.setdefault(fold(column.name), set()).add(word)
    functions = frozenset(f for f in FUNCTIONS if f in allowed or f in _WINDOWS) | SPECIAL
    types = {name: KINDS[name] for name in known_dialect.types}
    words = {column: tuple(sorted(words)) for column, words in spelled.items()}
    return Names(typed, tuple(named_tables), paths, columns, functions, types, words)


_WINDOWS = ("row_number", "rank", "dense_rank")


def fold(name: str) -> str:
    """Return a name in lower case, as engines compare names."""
    return _word(name.lower())


def _words(name: str, dialect: Dialect) -> Iterator[str]:
    yield _word(quote(name))
    if dialect.is_bare(name):
        yield name


def _word(text: str) -> str:
    return text.encode().decode("latin-1")


def is_alias(word: str) -> bool:
    """Return whether a word can be an alias that a query gives to a table."""
    return re.fullmatch("[a-zA-Z][0-9]?", word) is not None
