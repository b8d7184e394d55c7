"""Define estimates for the values and relations of a DuckDB query, and the limits on them.

A size is an upper bound in bytes. A value of a table's column counts as `CELL`, unless its length is known
(`Lengths`), a literal as its length. A value that grows with the number of rows, such as a list that an aggregate
collects, counts as `LONG`. DuckDB can be interrupted while it collects, so such a value is allowed, but only a limited
number of copies of it may be made.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from askwhere.errors import Refused
from askwhere.frozen import frozen
from askwhere.guard.tree import Node

FIXED = 16.0  # bytes of a number, a date or a boolean
TEXT = 48.0  # bytes of the longest of these as a text: '-178956970 years -8 months -2147483648 days'
BYTE, BITS = 4, 8  # characters for one byte of a BLOB as text, `\\x00`, and of a BIT as text
CELL = 100.0  # bytes of a value of a table's column
VECTOR = 2_048  # rows for which DuckDB computes a call at once
LONG = 2.0**40  # bytes that stand for a value that grows with the number of rows
COPIES = 10  # the most copies of a LONG value in one value
MAX_VALUE = 120_000  # bytes of one value
MAX_TIMES = 200_000  # evaluations of a lambda's body for one row
MAX_EXPANDED_JOINS = 300  # of views, and of common table expressions that are NOT MATERIALIZED, for each use
MAX_WORK = 40_000  # columns and expressions that are bound; a common table expression counts for each use
MAX_MADE = 250_000  # bytes of all values that a query computes for one row, intermediate ones included
MAX_JOINS = 80  # with what becomes one: DuckDB's optimizer takes minutes for hundreds, and hears of no interrupt
MAX_WINDOWS = 30  # DuckDB computes those of one order at once, of all rows, and hears late of an interrupt
MAX_ORDERED_WINDOWS = 3  # that keep a tree of all rows: those with DISTINCT, or an order among their arguments
MAX_EQUALITIES = 120  # of columns with each other: DuckDB's optimizer takes time that grows with the cube of those
MAX_EXPANDED_EQUALITIES = 600  # of common table expressions that are NOT MATERIALIZED, for each use
MAX_MATCHED = 20_000  # bytes that slow regular expressions are matched with for one row, times their states
_MAX_FIELDS = 2_000  # fields of a record, with those of the records in it

_FIXED_LENGTH = re.compile(r"\[\d+\]")  # the length in the type of an array


@frozen
class Value:
    """Upper bounds for a value: its bytes, the nesting of lists and records in it, and the fields of its records.

    `names` are the bytes of those fields' names, which are written once for each record where the value becomes text.
    """

    size: float = FIXED
    nested: int = 0
    fields: int = 1
    array: bool = False  # it is, or holds, an array of a fixed length
    stored: bool = False  # the query takes it from a table without changing it
    crashing: bool = False  # a TUPLE that holds such an array: grouping by one ends the process (DuckDB 2.0.0)
    names: float = 0.0
    elements: float = 0.0  # of a list, where the query says how many it has
    label: float = 0.0  # bytes of the name of a column that has it, where that name is not known here
    element: float = math.inf  # bytes of the longest element of a list without lists and records in it, if known
    growing: bool = False  # a column that each step of a recursive query makes longer, in that step
    repeated: bool = False  # a LONG value that may stand beside many rows, which each read all of it
    # Of an alias or a generated column: the numbers of expressions and joins that each use of it writes out.
    stands_for: tuple[int, int] = (0, 0)
    sharing: int = 1  # how many columns hold the fields of one record, which these bounds are of

    @property
    def written(self) -> Value:
        """Return the bounds of this value as text, which repeats the names of the fields in each record."""
        return replace(self, size=self.size * (1.0 + self.names / (FIXED * self.fields))) if self.names else self

    @property
    def text(self) -> float:
        """Return the bytes of this value as text: a number has more digits than bytes."""
        return TEXT if self.size == FIXED and not self.nested else self.written.size

    @property
    def part(self) -> float:
        """Return the bytes, or of columns that hold the fields of one record an equal part of these."""
        return self.size / self.sharing

    @property
    def field_columns(self) -> tuple[Value, ...]:
        """Return the bounds of the columns that its fields become, which are not larger together than the record."""
        return (replace(self, label=self.names / self.fields, sharing=self.fields),) * self.fields


@frozen
class Relation:
    """A table, or the result of a query: its columns in order, the work of binding it, and whether it has one row."""

    name: str
    columns: tuple[tuple[str, Value], ...]
    work: int = 1
    single: bool = False  # it has at most one row
    exact: bool = False  # its columns are known by their places
    equalities: int = 0  # that each use of it adds, of a common table expression that is written out
    sides: int = 1  # of set operations in it, at most: DuckDB writes a filter into each
    joins: int = 0  # the joins that each use of it adds: of a view, or of a common table expression that is written out

    @property
    def row(self) -> Value:
        """Return the bounds of a whole row as one record."""
        return record((value for _, value in self.columns), sum(label(*column) for column in self.columns))


@frozen
class Lengths:
    """The bytes of the longest value of some columns, by folded path and name.

    `rows` is the greatest number of rows, of those that DuckDB computes at once, whose values may be so long.
    """

    longest: Mapping[tuple[tuple[str, ...], str], float] = field(default_factory=dict)
    rows: float = VECTOR


@dataclass
class Work:
    """The columns and expressions bound so far (`done`), and the bytes of the values computed for one row (`made`).

    `collected` has the values that grow with the number of rows, in units of `LONG`; `matched` are the bytes that slow
    regular expressions are matched with in a row, times their states. `states` are the bytes that the aggregates of the
    current SELECT take in the row of a group. Where fewer than `VECTOR` rows have values of these sizes, each may be
    larger, by the factor `room`.
    """

    room: float = 1.0

    done: int = 0
    made: float = 0.0
    collected: float = 0.0
    matched: float = 0.0
    most_joins: float = MAX_JOINS
    joins: int = 0
    expanded: int = 0
    windows: int = 0
    ordered_windows: int = 0
    equalities: int = 0
    expanded_equalities: int = 0
    states: float = 0.0

    def window(self, times: int = 1, ordered: bool = False) -> None:
        """Add a window that the query has so many times, maybe `ordered` by its own arguments.

        Raise `Refused` beyond `MAX_WINDOWS`, and `MAX_ORDERED_WINDOWS`.
        """
        self.windows += times
        self.ordered_windows += times * ordered
        if self.windows > MAX_WINDOWS:
            raise Refused(f"the query has more than {MAX_WINDOWS} windows (OVER); compute fewer")
        if self.ordered_windows > MAX_ORDERED_WINDOWS:
            raise Refused(
                f"the query has more than {MAX_ORDERED_WINDOWS} windows (OVER) with DISTINCT or an ORDER BY in their"
                " arguments; compute fewer, or use them with GROUP BY and join the result"
            )

    def join(self, times: int = 1) -> None:
        """Add a join that the query has so many times. Raise `Refused` beyond `most_joins`."""
        self.joins += times
        if self.joins > self.most_joins:
            raise Refused(
                f"the query has more than {self.most_joins} joins; subqueries in expressions, aggregates with DISTINCT,"
                " mode, entropy and histogram count as one each"
            )

    def equate(self, times: int, expanded: int = 0) -> None:
        """Add comparisons of columns with each other for equality, and those `expanded` where WITH is written out.

        Raise `Refused` beyond `MAX_EQUALITIES`, and `MAX_EXPANDED_EQUALITIES`.
        """
        self.equalities += times
        self.expanded_equalities += expanded
        if self.equalities > MAX_EQUALITIES or self.expanded_equalities > MAX_EXPANDED_EQUALITIES:
            raise Refused(
                f"the query compares columns with each other for equality more than {MAX_EQUALITIES} times (=, <>,"
                f" USING, NATURAL), or {MAX_EXPANDED_EQUALITIES:,} times in WITH queries that are written out; compare"
                " fewer"
            )

    def expand(self, joins: int) -> None:
        """Add the joins in a view, or in a common table expression that is written out where it is named.

        Raise `Refused` beyond `MAX_EXPANDED_JOINS`.
        """
        self.expanded += joins
        if self.expanded > MAX_EXPANDED_JOINS:
            raise Refused(
                f"the views and WITH queries that the query names have more than {MAX_EXPANDED_JOINS} joins; name fewer"
            )

    def keep(self, size: float) -> None:
        """Add the bytes that an aggregate keeps for each group, three times: several threads do so, and copy results.

        Raise `Refused` beyond `MAX_MADE`.
        """
        self.made += 3 * size
        if self.made > MAX_MADE * max(1.0, self.room):
            raise Refused(
                f"the aggregates of the query keep more than {MAX_MADE // 3:,} bytes for each group; let them keep"
                " fewer values, or ask for fewer of them"
            )

    def again(self, since: tuple[int, int], times: int) -> None:
        """Count so many times more what was counted since `counted` was such. Raise `Refused` as `add` and `join`."""
        if times > 0:
            done, joins = self.counted
            self.add(times * (done - since[0]))
            self.join(times * (joins - since[1]))

    @property
    def counted(self) -> tuple[int, int]:
        """Return the numbers of columns and expressions, and of joins, so far."""
        return self.done, self.joins

    def match(self, amount: float) -> None:
        """Add what a regular expression is matched with. Raise `Refused` beyond `MAX_MATCHED`."""
        self.matched += amount
        if self.matched > MAX_MATCHED * self.room:
            raise Refused(
                "a regular expression with a large count, as {900}, takes too long in texts of this length: use a small"
                " count or none, or shorten the texts, as left(text, 100) does"
            )

    def add(self, amount: int) -> None:
        """Add to the number. Raise `Refused` beyond `MAX_WORK`."""
        self.done += amount
        if self.done > MAX_WORK:
            raise Refused(
                f"the query has more than {MAX_WORK:,} columns and expressions where *, COLUMNS, aliases, macros,"
                " filters of UNION and what it names in WITH are written out; name fewer columns, by short names,"
                " and use each alias and each name of WITH less often"
            )

    def make(self, size: float) -> None:
        """Add the bytes of a computed value. Raise `Refused` beyond `MAX_MADE`, or beyond twice `COPIES`.

        DuckDB computes each call for some thousand rows, and keeps all results until the next rows.
        """
        if size >= LONG:
            self.collected += size / LONG
        else:
            self.made += size
        if self.made > MAX_MADE * self.room or self.collected > 2 * COPIES:
            raise Refused(
                f"the query makes more than {MAX_MADE * self.room:,.0f} bytes for each row, intermediate values"
                " included; let it put together, repeat or collect less"
            )


@dataclass
class WrittenOut:
    """What a call of a macro stands for: its expressions, joins and windows, and the bytes of its aggregates' states.

    `in_row` are the bytes in the row of a group, `kept` all bytes; `expanded` are the joins in views. The body names a
    parameter `uses` times.
    """

    expressions: int = 0
    joins: int = 0
    expanded: int = 0
    windows: int = 0
    in_row: float = 0.0
    kept: float = 0.0
    uses: int = 0

    def add(self, other: WrittenOut, times: int) -> None:
        """Add so many times what another one stands for."""
        self.expressions += times * other.expressions
        self.joins += times * other.joins
        self.expanded += times * other.expanded
        self.windows += times * other.windows
        self.in_row += times * other.in_row
        self.kept += times * other.kept


@frozen
class Scope:
    """The names that an expression can use, and how often it is computed.

    Queries hold expressions, and expressions hold subqueries and calls with expressions. `estimate_query` and
    `estimate_value` are passed along here, to avoid circular imports between the modules of these functions.
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
    macros: Callable[[str, Sequence[Value]], Value | None] = lambda name, arguments: None  # bounds of a macro's result
    # What a call of a macro stands for, None where a function is no macro.
    written_out: Callable[[str], WrittenOut | None] = lambda name: None
    grouped: bool = False  # aggregates keep a state for each of many groups
    copies: int = 1  # of the expression, where COLUMNS stands for several columns
    sets: int = 1  # by which the query groups
    naming_column: Value = Value(CELL)  # a column's name, where UNPIVOT or SUMMARIZE makes it a value

    def naming(self, names: Mapping[str, Value]) -> Scope:
        """Return this scope with more names."""
        return replace(self, names={**self.names, **names})


def label(name: str, value: Value) -> int:
    """Return the bytes of a column's name."""
    return max(len(name.encode()), int(value.label))


def within(amount: float, most: float, copies: float) -> bool:
    """Return whether an amount is at most `most` or, where it grows with the number of rows, `copies` times `LONG`."""
    return amount <= most or LONG <= amount <= copies * LONG


def largest(values: Iterable[Value]) -> Value:
    """Return bounds that hold for all of the values; without values, those of a number."""
    given = list(values)
    bounds = [Value(), *given]
    return Value(
        max(v.size for v in bounds),
        max(v.nested for v in bounds),
        max(v.fields for v in bounds),
        any(v.array for v in bounds),
        bool(given) and all(v.stored for v in given),
        any(v.crashing for v in bounds),
        max(v.names for v in bounds),
        label=max(v.label for v in bounds),
        element=max((v.element for v in given), default=math.inf),
        growing=any(v.growing for v in bounds),
        repeated=any(v.repeated for v in bounds),
    )


def record(values: Iterable[Value], names: float = 0.0) -> Value:
    """Return the bounds of a record or list of some values; `names` are the bytes of its own fields' names.

    Raise `Refused` for arrays of a fixed length in it: DISTINCT and GROUP BY over such a value crash DuckDB 2.0.0.
    """
    items = list(values)
    if any(v.array for v in items):
        raise Refused("an array of a fixed length may not stand in a list or record here; cast it to a list")
    depth = 1 + max((v.nested for v in items), default=0)
    fields = math.ceil(sum(v.fields / v.sharing for v in items)) or 1
    check_fields(fields)
    names += sum(v.names / v.sharing for v in items)
    size = FIXED + sum(FIXED + v.part for v in items)
    return Value(size, depth, fields, names=names, repeated=any(v.repeated for v in items))


def repeating(value: Value) -> Value:
    """Return the bounds of a value that stands beside many rows."""
    return replace(value, repeated=True) if value.size >= LONG else value


def check_alone(what: str, values: Iterable[Value]) -> None:
    """Raise `Refused` where something reads the whole of a collected value for each of many rows, in one step."""
    if any(v.repeated for v in values):
        raise Refused(
            f"{what} would read a collected value again for each of many rows: compute it once, in the query that"
            " collects the value, or collect less; only its length and its elements may be taken beside other rows"
        )


def check_fields(number: int) -> None:
    """Raise `Refused` for a record of too many fields."""
    if number > _MAX_FIELDS:
        raise Refused(f"the query makes a record of more than {_MAX_FIELDS:,} fields; take the columns that are needed")


def check_readable(values: Iterable[Value]) -> None:
    """Raise `Refused` where reading one of the columns may crash DuckDB."""
    if any(v.crashing for v in values):
        raise Refused(
            "a column that is read is a TUPLE with arrays of a fixed length in it, which may crash DuckDB;"
            " name the fields of such records: STRUCT"
        )


def stored(declared: str, longest: float = CELL) -> Value:
    """Return bounds for a value of a table's column, from its declared type and the bytes of the longest value."""
    kind = declared.upper()
    nested = kind.count("[") + sum(kind.count(name) for name in ("STRUCT", "TUPLE", "MAP", "UNION", "VARIANT"))
    fields = 1 + kind.count(",") if nested else 1
    array = _FIXED_LENGTH.search(kind) is not None
    longer = BITS if kind.startswith("BIT") else BYTE if kind.startswith("BLOB") else 1
    size = max(CELL, longest) * longer
    return Value(max(size, FIXED * fields), nested, fields, array, True, array and "TUPLE(" in kind)
