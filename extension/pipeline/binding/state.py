"""Describe a query that is partly written: its sources, its outputs, and the columns that it requires."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from askwhere.pipeline.binding.names import LOOSE, NULL, NUMBERS, Kinds

# A column as it is referred to: the name of its source, None if it is unqualified, and its own name.
Reference = tuple[str | None, str]
# The columns required, with the kinds that each may have, None for any.
Required = Mapping[str, Kinds | None]
Written = tuple[str, ...]
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Source(NamedTuple):
    """A source of FROM: its name in the query, and its columns with their kinds."""

    name: str
    columns: Mapping[str, str]


class Output(NamedTuple):
    """One item of a select list: its column's name if it is a column, its kind, and its tokens.

    `single` is the column if the item is nothing but a column; `plain` are its columns outside of aggregates; `title`
    is its name after AS.
    """

    name: str | None
    kind: str
    written: Written = ()
    single: Reference | None = None
    plain: frozenset[Reference] = frozenset()
    aggregated: bool = False
    title: str | None = None

    @property
    def column(self) -> str | None:
        """Return the name of the output column, or None."""
        return self.title or self.name


class Query(NamedTuple):
    """A query as far as it has been read."""

    outer: Query | None = None  # the query around this one
    sees_outer: bool = False  # the outer query's columns may be used here
    width: int | None = None  # the number of columns that this query must have, None for any
    kinds: Kinds | None = None  # the kinds that its columns may have, None for any
    in_from: bool = False  # it is a source in the FROM of the outer query
    part: str = "select"  # the clause being read: also 'from', 'on', 'where', 'group', 'having' or 'order'

    # FROM
    required: Mapping[str, Required] = NOTHING  # the columns required of each named source
    # Columns found in an outer source, by its name: a source of this query that takes this name must have them, too.
    maybe: Mapping[str, Required] = NOTHING
    bare: Required = NOTHING  # the unqualified columns, each of which exactly one source must have
    promised: Required = NOTHING  # the outputs required of a subquery in FROM
    sources: tuple[Source, ...] = ()
    merged: frozenset[str] = frozenset()  # the columns that USING has merged
    to_merge: str | None = None  # the column that USING must merge in the join being read
    commas: bool = False  # FROM has commas
    stars: tuple[str | None, ...] = ()  # the sources whose columns are all shown, None for all sources
    borrowed: frozenset[str] = frozenset()  # the outer sources that were used

    # SELECT and GROUP BY
    outputs: tuple[Output, ...] = ()  # the items read so far
    first_arm: tuple[Output, ...] = ()  # once FROM was read: the outputs, in a set operation those of its first query
    arms: int = 1  # the queries of the set operation, up to the one being read
    plain: frozenset[Reference] = frozenset()  # columns that the current item shows outside of aggregates
    within: frozenset[Reference] = frozenset()  # columns that the current item shows inside of aggregates
    aggregated: bool = False  # the current item has an aggregate; between items: any item has
    aggregated_before: bool = False  # an item before the current one has an aggregate
    in_aggregate: bool = False  # the arguments of an aggregate are being read
    grouped: bool = False  # it has GROUP BY; in ORDER BY also where it has an aggregate
    keys: frozenset[Reference] = frozenset()  # the keys of GROUP BY that are columns
    written_keys: frozenset[Written] = frozenset()  # the tokens of each key


def fits(kind: str, kinds: Kinds | None) -> bool:
    """Return whether a column of a kind may stand where `kinds` are required."""
    return kinds is None or kind in kinds or (LOOSE in kinds and kind in "ift")


def meets(columns: Mapping[str, str], required: Required) -> bool:
    """Return whether a table has all columns that are required of it."""
    return all(column in columns and fits(columns[column], kinds) for column, kinds in required.items())


def source(query: Query, name: str) -> Source | None:
    """Return the source of a name, or None."""
    return next((source for source in query.sources if source.name == name), None)


def owners(query: Query, column: str) -> list[Source]:
    """Return the sources that have a column; those that USING merged count once."""
    sources = [source for source in query.sources if column in source.columns]
    return sources[:1] if column in query.merged else sources


def can_be_grouped_by(output: Output) -> bool:
    """Return whether an item of the select list may be a key of GROUP BY."""
    return not (output.aggregated or output.kind == NULL or "OVER" in output.written)


def may_merge(query: Query, column: str) -> bool:
    """Return whether the last source may be joined USING a column, which exactly one earlier source must have."""
    if query.to_merge not in (None, column) or len(query.sources) < 2:
        return False
    before = query._replace(sources=query.sources[:-1])
    last = query.sources[-1].columns
    sources = owners(before, column)
    return column in last and len(sources) == 1 and _can_merge(sources[0].columns[column], last[column])


def _can_merge(kind: str, other: str) -> bool:
    return kind == other or {kind, other} <= NUMBERS


def meets_all(query: Query) -> bool:
    """Return whether FROM meets all requirements made before it."""
    return (
        bool(query.sources)
        and query.to_merge is None
        and all(source(query, name) for name in query.required)
        and all(len(owners(query, column)) == 1 for column in (*query.bare, *query.promised))
        and all(star is None or source(query, star) for star in query.stars)
    )


def expanded(query: Query) -> tuple[Output, ...]:
    """Return the outputs of a query whose FROM is complete, with each star replaced by its columns."""
    outputs: list[Output] = []
    for output in query.outputs:
        if output.single and output.single[1] == "*":
            outputs.extend(_starred(query, output.single[0]))
        else:
            outputs.append(output)
    return tuple(outputs)


def _starred(query: Query, name: str | None) -> Iterator[Output]:
    """Yield the columns that a star shows; columns that USING merged come once."""
    seen: set[str] = set()
    for source in query.sources:
        for column, kind in source.columns.items():
            if name in (None, source.name) and not (name is None and column in query.merged and column in seen):
                seen.add(column)
                yield Output(column, kind)


def resolved(query: Query, reference: Reference) -> Reference:
    """Return a reference with its source's name, if exactly one source has the column."""
    name, column = reference
    sources = owners(query, column) if name is None else []
    return (sources[0].name, column) if sources else reference
