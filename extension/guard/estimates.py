"""Define estimates for the values and relations of a DuckDB query, and the limits on them.

A size is an upper bound in bytes. A value of a table's column counts as `CELL` unless its length is known (`Lengths`);
a literal counts as its length. A value that grows with the number of rows, such as a list that an aggregate collects,
counts as `LONG`. Such a value is allowed, since DuckDB can be interrupted while it collects, but a query may make only
a limited number of copies of it.
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
TEXT = 48.0  # bytes of the longest text of such a value: the interval '-178956970 years -8 months -2147483648 days'
BYTE, BITS = 4, 8  # characters in the text of one byte: of a BLOB (`\\x00`), and of a BIT
CELL = 100.0  # bytes of a value of a table's column
VECTOR = 2_048  # rows for which DuckDB computes a call in one step
LONG = 2.0**40  # bytes that stand for a value that grows with the number of rows
COPIES = 10  # of a LONG value, that one value may contain
MAX_VALUE = 120_000  # bytes of one value
MAX_TIMES = 200_000  # evaluations of a lambda's body for one row
MAX_EXPANDED_JOINS = 300  # joins in views and in WITH … AS NOT MATERIALIZED, counted again for each use of one
MAX_WORK = 40_000  # columns and expressions that are bound, those of WITH queries counted again for each use of one
MAX_MADE = 250_000  # bytes of all values that a query computes for one row, intermediate ones included
# Joins, and what DuckDB turns into joins. Its optimizer takes minutes for hundreds of them, and cannot be interrupted.
MAX_JOINS = 80
# DuckDB computes all windows of one order in one step over all rows, and checks for an interrupt only afterwards.
MAX_WINDOWS = 30
# Windows with DISTINCT, or with ORDER BY among their arguments: for each one, DuckDB keeps a tree of all rows.
MAX_ORDERED_WINDOWS = 3
# Comparisons of one column with another for equality: the optimizer's time grows with the cube of their number.
MAX_EQUALITIES = 120
MAX_EXPANDED_EQUALITIES = 600  # such comparisons in WITH … AS NOT MATERIALIZED, counted again for each use of one
MAX_MATCHED = 20_000  # bytes of text that slow regular expressions search for one row, times the states of each
_MAX_FIELDS = 2_000  # fields of a record, including those of the records in it

_FIXED_LENGTH = re.compile(r"\[\d+\]")  # the length in the type of an array


@frozen
class Value:
    """Upper bounds for a value: its bytes, the nesting of lists and records in it, and the fields of its records.

    `names` are the bytes of those fields' names, which the value's text repeats for each record.
    """

    size: float = FIXED
    nested: int = 0
    fields: int = 1
    array: bool = False  # it is, or contains, an array of a fixed length
    stored: bool = False  # the query takes it from a table without changing it
    crashing: bool = False  # a TUPLE that contains such an array: grouping by one ends the process (DuckDB 2.0.0)
    names: float = 0.0
    elements: float = 0.0  # number of elements of a list; 0 where the query does not state it
    label: float = 0.0  # bytes of the name of this value's column, where the name itself is not known here
    element: float = math.inf  # bytes of the longest element of a list of plain values, if known
    growing: bool = False  # each step of the recursive query that is being estimated makes this column longer
    repeated: bool = False  # a LONG value of which many rows may each read the whole
    listed: bool = False  # it contains no LONG text and no map, so that a part of it is found without reading all
    unchecked: bool = False  # JSON that DuckDB may have made of a list without checking what comes out
    # For an alias or a generated column: how many expressions and joins DuckDB writes in place of each use of it.
    stands_for: tuple[int, int] = (0, 0)
    # For a column of a query, a view or a common table expression: the expressions, and the bytes of computed values,
    # that DuckDB adds to a filter for each use of the column in it.
    copied: float = 0.0
    copied_bytes: float = 0.0
    sharing: int = 1  # number of columns that a record's fields became; the bounds here are those of the whole record

    @property
    def as_text(self) -> Value:
        """Return the bounds of this value's text, which repeats the names of the fields for each record."""
        return replace(self, size=self.size * (1.0 + self.names / (FIXED * self.fields))) if self.names else self

    @property
    def text_bytes(self) -> float:
        """Return the bytes of this value's text: a number has more digits than bytes."""
        return TEXT if self.size == FIXED and not self.nested else self.as_text.size

    @property
    def share(self) -> float:
        """Return the bytes that this column adds to a row: of a record spread over columns, an equal share for each."""
        return self.size / self.sharing

    @property
    def field_columns(self) -> tuple[Value, ...]:
        """Return the bounds of the columns that this record's fields become: together, they are no larger than it."""
        return (replace(self, label=self.names / self.fields, sharing=self.fields),) * self.fields


@frozen
class Relation:
    """A table, or the result of a query: its columns in order, and what each use of it in a query costs."""

    name: str
    columns: tuple[tuple[str, Value], ...]
    work: int = 1  # columns and expressions that are bound
    single: bool = False  # it has at most one row
    exact: bool = False  # the number and the order of its columns are known, not estimated
    equalities: int = 0  # counted towards `MAX_EXPANDED_EQUALITIES` for each use of it
    sides: int = 1  # upper bound for the sides of set operations in it: DuckDB copies a filter into each
    joins: int = 0  # counted towards `MAX_EXPANDED_JOINS` for each use of it

    @property
    def row(self) -> Value:
        """Return the bounds of a whole row as one record."""
        return record((value for _, value in self.columns), sum(label(*column) for column in self.columns))


@frozen
class Lengths:
    """The bytes of the longest value of some columns, by folded path and name.

    Of the rows that DuckDB computes in one step, at most `rows` have values of these lengths.
    """

    longest: Mapping[tuple[tuple[str, ...], str], float] = field(default_factory=dict)
    rows: float = VECTOR


@dataclass
class Work:
    """The cost of the part of a query that is estimated so far. Each method adds to a total and checks its limit."""

    room: float = 1.0  # factor of the limits on bytes: above 1 where fewer than `VECTOR` rows have the longest values

    expressions: int = 0  # expressions and columns that are bound
    filter_copies: int = 0  # of these, those that filters have in place of columns of queries and views
    row_bytes: float = 0.0  # of the values computed for one row, without those that grow with the number of rows
    collected: float = 0.0  # bytes of the values that grow with the number of rows, in units of `LONG`
    matched: float = 0.0  # bytes of text that slow regular expressions search for one row, times the states of each
    copied: float = 0.0  # `Value.copied` of the columns that expressions name
    copied_bytes: float = 0.0
    most_joins: float = MAX_JOINS
    joins: int = 0
    expanded_joins: int = 0  # in views and common table expressions, as `MAX_EXPANDED_JOINS` counts them
    windows: int = 0
    ordered_windows: int = 0
    equalities: int = 0
    expanded_equalities: int = 0
    states: float = 0.0  # bytes that the states of the current SELECT's aggregates take in the row of a group

    def window(self, times: int = 1, ordered: bool = False) -> None:
        """Count a window `times` times; `ordered` if it has DISTINCT, or ORDER BY among its arguments.

        Raise `Refused` beyond `MAX_WINDOWS` or `MAX_ORDERED_WINDOWS`.
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
        """Count a join `times` times. Raise `Refused` beyond `most_joins`."""
        self.joins += times
        if self.joins > self.most_joins:
            raise Refused(
                f"the query has more than {self.most_joins} joins; subqueries in expressions, aggregates with DISTINCT,"
                " mode, entropy and histogram count as one each"
            )

    def equate(self, times: int, expanded: int = 0) -> None:
        """Count comparisons of columns for equality, and those `expanded` from a common table expression.

        Raise `Refused` beyond `MAX_EQUALITIES` or `MAX_EXPANDED_EQUALITIES`.
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
        """Count the joins in a view or a common table expression for one more use of it.

        Raise `Refused` beyond `MAX_EXPANDED_JOINS`.
        """
        self.expanded_joins += joins
        if self.expanded_joins > MAX_EXPANDED_JOINS:
            raise Refused(
                f"the views and WITH queries that the query names have more than {MAX_EXPANDED_JOINS} joins; name fewer"
            )

    def keep(self, size: float) -> None:
        """Count the bytes that an aggregate keeps for each group. Raise `Refused` beyond `MAX_MADE`.

        They count three times, since several threads keep states, and copy the results.
        """
        self.row_bytes += 3 * size
        if self.row_bytes > MAX_MADE * max(1.0, self.room):
            raise Refused(
                f"the aggregates of the query keep more than {MAX_MADE // 3:,} bytes for each group; let them keep"
                " fewer values, or ask for fewer of them"
            )

    def repeat(self, since: tuple[int, int], times: int) -> None:
        """Count the expressions and joins added since `counts` returned `since`, for `times` more copies of them.

        Raise `Refused` as `bind` and `join` do.
        """
        if times > 0:
            expressions, joins = self.counts
            self.bind(times * (expressions - since[0]))
            self.join(times * (joins - since[1]))

    @property
    def counts(self) -> tuple[int, int]:
        """Return (columns and expressions bound, joins) so far."""
        return self.expressions, self.joins

    @property
    def in_filters(self) -> int:
        """Return the columns and expressions bound so far that DuckDB copies for each side of a set operation.

        What stands for a column of a query or view has counted for all its sides.
        """
        return self.expressions - self.filter_copies

    def copy(self, value: Value, times: int, filtering: bool) -> None:
        """Count what a column that an expression names stands for; in a filter, DuckDB writes it out.

        Raise `Refused` as `bind` and `make` do.
        """
        self.copied += times * value.copied
        self.copied_bytes += times * value.copied_bytes
        if filtering:
            copies = times * math.ceil(min(value.copied, MAX_WORK + 1))
            self.filter_copies += copies
            self.bind(copies)
            self.make(min(times * value.copied_bytes, LONG / 2))

    @property
    def weights(self) -> tuple[float, float]:
        """Return (expressions, bytes of computed values) so far, with those of the columns that are named."""
        return self.expressions + self.copied, self.row_bytes + self.copied_bytes

    def match(self, amount: float) -> None:
        """Count the bytes of text that a slow regular expression searches, times the states of its automaton.

        Raise `Refused` beyond `MAX_MATCHED`.
        """
        self.matched += amount
        if self.matched > MAX_MATCHED * self.room:
            raise Refused(
                "a regular expression with a large count, as {900}, takes too long in texts of this length: use a small"
                " count or none, or shorten the texts, as left(text, 100) does"
            )

    def bind(self, number: int) -> None:
        """Count columns and expressions that are bound. Raise `Refused` beyond `MAX_WORK`."""
        self.expressions += number
        if self.expressions > MAX_WORK:
            raise Refused(
                f"the query has more than {MAX_WORK:,} columns and expressions where *, COLUMNS, aliases, macros,"
                " filters of UNION and what it names in WITH are written out; name fewer columns, by short names,"
                " and use each alias and each name of WITH less often"
            )

    def make(self, size: float) -> None:
        """Count the bytes of a computed value. Raise `Refused` beyond `MAX_MADE`, or `2 * COPIES` of `LONG` values.

        DuckDB computes each call for some thousand rows, and keeps all results until it takes the next rows.
        """
        if size >= LONG:
            self.collected += size / LONG
        else:
            self.row_bytes += size
        if self.row_bytes > MAX_MADE * self.room or self.collected > 2 * COPIES:
            raise Refused(
                f"the query makes more than {MAX_MADE * self.room:,.0f} bytes for each row, intermediate values"
                " included; let it put together, repeat or collect less"
            )


@dataclass
class WrittenOut:
    """The counts of what DuckDB writes in place of one call of a macro: the macro's body."""

    expressions: int = 0
    joins: int = 0
    expanded_joins: int = 0  # in the views that the body names
    windows: int = 0
    ordered_windows: int = 0  # of these windows
    equalities: int = 0
    collects: bool = False  # an aggregate in the body collects its values
    queries: bool = False  # the body has a subquery
    sizing: bool = False  # a parameter says how large a value of the body becomes
    states_in_row: float = 0.0  # bytes that the states of its aggregates take in the row of a group
    states: float = 0.0  # all bytes of these states
    uses: int = 0  # how often the body names a parameter, for the one that it names most often

    def add(self, other: WrittenOut, times: int) -> None:
        """Add `times` copies of the counts of another macro, which the body calls."""
        self.expressions += times * other.expressions
        self.joins += times * other.joins
        self.expanded_joins += times * other.expanded_joins
        self.windows += times * other.windows
        self.ordered_windows += times * other.ordered_windows
        self.equalities += times * other.equalities
        self.collects |= other.collects
        self.queries |= other.queries
        self.sizing |= other.sizing
        self.states_in_row += times * other.states_in_row
        self.states += times * other.states


@frozen
class Scope:
    """The names that an expression can use, and how often it is computed.

    A query contains expressions, and an expression may contain queries. The functions `estimate_query` and
    `estimate_value` are passed along here, to avoid circular imports between their modules.
    """

    tables: Mapping[tuple[str, ...], Relation]  # by folded path
    work: Work
    estimate_query: Callable[[Node, Scope], Relation]
    estimate_value: Callable[[Node, Scope], Value]
    ctes: Mapping[str, Relation] = field(default_factory=dict)
    relations: tuple[Relation, ...] = ()  # innermost first
    own: int = 0  # so many of the relations are those of the innermost query that has a FROM
    names: Mapping[str, Value] = field(default_factory=dict)  # aliases of the select list, parameters of lambdas
    once: bool = True  # computed once for the whole query, not for each row
    once_inside: bool = True  # the same for the arguments of an aggregate in the expression
    filtering: bool = False  # the expression is a filter or the condition of a join
    times: float = 1.0  # evaluations for each row, more than one inside a lambda
    # Returns the bounds of a macro's result from those of its arguments; None for another function.
    macros: Callable[[str, Sequence[Value]], Value | None] = lambda name, arguments: None
    # Returns the counts of a macro's body; None for another function.
    written_out: Callable[[str], WrittenOut | None] = lambda name: None
    grouped: bool = False  # aggregates keep a state for each of many groups
    copies: int = 1  # how often DuckDB writes the expression out: for each column that its COLUMNS stands for
    sets: int = 1  # number of grouping sets of the query
    column_name: Value = Value(CELL)  # bounds of the longest column name, which UNPIVOT and SUMMARIZE make a value

    def with_names(self, names: Mapping[str, Value]) -> Scope:
        """Return this scope with more names."""
        return replace(self, names={**self.names, **names})


def label(name: str, value: Value) -> int:
    """Return the bytes of a column's name, from the name or, where it is not known, from the column's bounds."""
    return max(len(name.encode()), int(value.label))


def within(amount: float, most: float, copies: float) -> bool:
    """Return whether an amount is within its limit.

    That is `most` or, for an amount that grows with the number of rows, `copies` times `LONG`.
    """
    return amount <= most or LONG <= amount <= copies * LONG


def largest(values: Iterable[Value]) -> Value:
    """Return bounds that hold for each of the values; without values, those of a number."""
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
        listed=all_listed(bounds),
        unchecked=any(v.unchecked for v in bounds),
        copied=max(v.copied for v in bounds),
        copied_bytes=max(v.copied_bytes for v in bounds),
    )


def record(values: Iterable[Value], names: float = 0.0) -> Value:
    """Return the bounds of a record or list of some values; `names` are the bytes of its own fields' names.

    Raise `Refused` if one is an array of a fixed length: DISTINCT and GROUP BY over such a record crash DuckDB 2.0.0.
    """
    items = list(values)
    if any(v.array for v in items):
        raise Refused("an array of a fixed length may not stand in a list or record here; cast it to a list")
    depth = 1 + max((v.nested for v in items), default=0)
    fields = math.ceil(sum(v.fields / v.sharing for v in items)) or 1
    check_fields(fields)
    names += sum(v.names / v.sharing for v in items)
    size = FIXED + sum(FIXED + v.share for v in items)
    value = Value(size, depth, fields, names=names, repeated=any(v.repeated for v in items), listed=all_listed(items))
    return replace(value, unchecked=any(v.unchecked for v in items))


def repeating(value: Value) -> Value:
    """Return the bounds of a value of which many rows may read the whole."""
    return replace(value, repeated=True) if value.size >= LONG else value


def one_of(values: Iterable[Value]) -> Value:
    """Return bounds that hold for each of the values, of which DuckDB makes one type.

    Lists among others that are none become JSON, without a check that it is valid.
    """
    items = list(values)
    return replace(largest(items), unchecked=any(v.unchecked for v in items) or len({v.nested for v in items}) > 1)


def all_listed(values: Iterable[Value]) -> bool:
    """Return whether all LONG values are lists of which a part is found without reading all."""
    return all(v.listed or v.size < LONG for v in values)


def check_not_repeated(reader: str, values: Iterable[Value]) -> None:
    """Raise `Refused` where `reader` would read the whole of a LONG value again for each of many rows, in one step."""
    if any(v.repeated for v in values):
        raise Refused(
            f"{reader} would read a collected value again for each of many rows: compute it once, in the query that"
            " collects the value, or collect less; beside other rows, only the length and the elements of a list may be"
            " taken, and strlen of a text"
        )


def check_fields(number: int) -> None:
    """Raise `Refused` for a record of more than `_MAX_FIELDS` fields."""
    if number > _MAX_FIELDS:
        raise Refused(f"the query makes a record of more than {_MAX_FIELDS:,} fields; take the columns that are needed")


def check_readable(values: Iterable[Value]) -> None:
    """Raise `Refused` where reading one of the values from its column may crash DuckDB."""
    if any(v.crashing for v in values):
        raise Refused(
            "a column that is read is a TUPLE with arrays of a fixed length in it, which may crash DuckDB;"
            " name the fields of such records: STRUCT"
        )


def stored(declared: str, longest: float = CELL) -> Value:
    """Return bounds for the values of a table's column, from its declared type and the bytes of its longest value."""
    kind = declared.upper()
    nested = kind.count("[") + sum(kind.count(name) for name in ("STRUCT", "TUPLE", "MAP", "UNION", "VARIANT"))
    fields = 1 + kind.count(",") if nested else 1
    array = _FIXED_LENGTH.search(kind) is not None
    growth = BITS if kind.startswith("BIT") else BYTE if kind.startswith("BLOB") else 1
    size = max(CELL, longest) * growth
    return Value(max(size, FIXED * fields), nested, fields, array, True, array and "TUPLE(" in kind)
