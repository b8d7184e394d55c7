"""Hold what the size check knows of a DuckDB query's values and relations, and the limits on them.

A size is an upper bound in bytes. A value of a table's column counts as `CELL`, a literal as its length. A value that
grows with the number of rows (a list that an aggregate collects) counts as `LONG`: collecting can be interrupted, so it
may be passed on, but not multiplied by more than a given number of copies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from askwhere.errors import Refused
from askwhere.guard.tree import Node

FIXED = 16.0  # bytes of a number, a date or a boolean
TEXT = 48.0  # bytes of the same as a text: '-178956970 years -8 months -2147483648 days'
BYTE, BITS = 4, 8  # characters of a byte in the text of a BLOB, `\\x00`, and in that of a BIT
CELL = 100.0
LONG = 2.0**40
COPIES = 10  # of a LONG value that one value may hold
MAX_VALUE = 120_000  # bytes of one value
MAX_TIMES = 200_000  # evaluations of a lambda's body for one row
MAX_WORK = 40_000  # columns and expressions that are bound; a common table expression counts for each use
MAX_MADE = 250_000  # bytes of all values that a query computes for one row, those on the way to others included
_MAX_FIELDS = 2_000  # of a record, with those of records in it

_FIXED_LENGTH = re.compile(r"\[\d+\]")  # of an array, in its type


@dataclass(frozen=True)
class Value:
    """Upper bounds for a value: its bytes, how deep lists and records nest in it, and the fields of its records.

    `names` are the bytes of those fields' names, which a text has for each record.
    """

    size: float = FIXED
    nested: int = 0
    fields: int = 1
    array: bool = False  # it is, or holds, an array of a fixed length
    stored: bool = False  # the query takes it from a table without changing it
    crashing: bool = False  # a TUPLE that holds such an array: grouping by one ends the process (DuckDB 2.0.0)
    names: float = 0.0
    elements: float = 0.0  # of a list, where the query says how many it has

    @property
    def written(self) -> Value:
        """Return a text with this value and the names of each record's fields."""
        return replace(self, size=self.size * (1.0 + self.names / (FIXED * self.fields))) if self.names else self

    @property
    def text(self) -> float:
        """Return the bytes of a text with this value: a number has more digits than bytes."""
        return TEXT if self.size == FIXED and not self.nested else self.written.size


@dataclass(frozen=True)
class Relation:
    """A table, or the result of a query: its columns in order, the work of binding it, and whether it has one row."""

    name: str
    columns: tuple[tuple[str, Value], ...]
    work: int = 1
    single: bool = False  # it has at most one row

    @property
    def row(self) -> Value:
        """Return a whole row as one record."""
        return record((value for _, value in self.columns), sum(len(name) for name, _ in self.columns))


@dataclass
class Work:
    """The number of columns and expressions bound so far, and the bytes of the values computed for one row.

    `collected` counts what grows with the number of rows, in units of `LONG`.
    """

    done: int = 0
    made: float = 0.0
    collected: float = 0.0

    def add(self, amount: int) -> None:
        """Add to the number. Raise `Refused` beyond `MAX_WORK`."""
        self.done += amount
        if self.done > MAX_WORK:
            raise Refused(
                f"the query has more than {MAX_WORK:,} columns and expressions where what it names in WITH or by * is"
                " written out; name fewer columns, and use each name of WITH less often"
            )

    def make(self, size: float) -> None:
        """Add the bytes of a computed value. Raise `Refused` beyond `MAX_MADE`, or beyond twice `COPIES`.

        DuckDB keeps what each call of a query made of some thousand rows until the next ones.
        """
        if size >= LONG:
            self.collected += size / LONG
        else:
            self.made += size
        if self.made > MAX_MADE or self.collected > 2 * COPIES:
            raise Refused(
                f"the query makes more than {MAX_MADE:,} bytes for each row, with the values that others are made of;"
                " let it put together, repeat or collect less"
            )


@dataclass(frozen=True)
class Scope:
    """The names that an expression can use, and how often it is computed.

    Queries hold expressions, and expressions hold subqueries and calls with expressions. `estimate_query` and
    `estimate_value` are passed along here, so that the modules which estimate them import each other in one direction.
    """

    tables: Mapping[tuple[str, ...], Relation]  # by folded path
    work: Work
    estimate_query: Callable[[Node, Scope], Relation]
    estimate_value: Callable[[Node, Scope], Value]
    ctes: Mapping[str, Relation] = field(default_factory=dict)
    relations: tuple[Relation, ...] = ()  # innermost first
    names: Mapping[str, Value] = field(default_factory=dict)  # aliases of the select list, parameters of lambdas
    once: bool = True  # computed once for the whole query, not for each row
    once_inside: bool = True  # the same for the arguments of an aggregate
    times: float = 1.0  # evaluations for each row, more than one inside a lambda
    naming_column: Value = Value(CELL)  # a column's name, where UNPIVOT or SUMMARIZE makes it a value

    def naming(self, names: Mapping[str, Value]) -> Scope:
        """Return this scope with more names."""
        return replace(self, names={**self.names, **names})


def within(amount: float, most: float, copies: float) -> bool:
    """Return whether an amount is at most `most` or, where it grows with the number of rows, `copies` times `LONG`."""
    return amount <= most or LONG <= amount <= copies * LONG


def largest(values: Iterable[Value]) -> Value:
    """Return a bound for each of some values: the maximum of every field. Without values it is a number's."""
    given = list(values)
    found = [Value(), *given]
    return Value(
        max(v.size for v in found),
        max(v.nested for v in found),
        max(v.fields for v in found),
        any(v.array for v in found),
        bool(given) and all(v.stored for v in given),
        any(v.crashing for v in found),
        max(v.names for v in found),
    )


def record(values: Iterable[Value], names: float = 0.0) -> Value:
    """Return the value of a record or list that holds some values; the names of its fields have so many bytes.

    Raise `Refused` for arrays of a fixed length in it: DISTINCT and GROUP BY over such a value crash DuckDB 2.0.0.
    """
    items = list(values)
    if any(v.array for v in items):
        raise Refused("an array of a fixed length may not stand in a list or record here; cast it to a list")
    depth = 1 + max((v.nested for v in items), default=0)
    fields = sum(v.fields for v in items) or 1
    check_fields(fields)
    names += sum(v.names for v in items)
    return Value(FIXED + sum(FIXED + v.size for v in items), depth, fields, names=names)


def check_fields(number: int) -> None:
    """Raise `Refused` for a record of too many fields."""
    if number > _MAX_FIELDS:
        raise Refused(f"the query makes a record of more than {_MAX_FIELDS:,} fields; take the columns that are needed")


def check_readable(values: Iterable[Value]) -> None:
    """Raise `Refused` where reading one of some columns may crash DuckDB."""
    if any(v.crashing for v in values):
        raise Refused(
            "a column that is read is a TUPLE with arrays of a fixed length in it, which may crash DuckDB;"
            " name the fields of such records: STRUCT"
        )


def stored(declared: str) -> Value:
    """Return bounds for a value of a table's column, from the column's declared type."""
    kind = declared.upper()
    nested = kind.count("[") + sum(kind.count(name) for name in ("STRUCT", "TUPLE", "MAP", "UNION", "VARIANT"))
    fields = 1 + kind.count(",") if nested else 1
    array = _FIXED_LENGTH.search(kind) is not None
    longer = BITS if kind.startswith("BIT") else BYTE if kind.startswith("BLOB") else 1
    return Value(max(CELL * longer, FIXED * fields), nested, fields, array, True, array and "TUPLE(" in kind)
