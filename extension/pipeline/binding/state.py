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
    """A query as far as it has been read.

    `part` is the clause being read: 'select', 'from', 'on', 'where', 'group', 'having' or 'order'. `outer` is the query
    around this one; `sees_outer` says whether its columns may be used here, `in_from` whether this query is a source in
    its FROM. `width` and `kinds` are the number and kinds of columns that this query must have, None for any.

    Of FROM: `required` are the columns required of each named source, `bare` the unqualified columns, which exactly one
    source must have, `promised` the outputs required of a subquery in FROM. `maybe` are columns found in an outer
    source; a source of this query that takes the same name must have them too. `to_merge` is the column that USING must
    merge in the join being read, `merged` are those that it has merged. `commas` says whether FROM has commas. `stars`
    are the sources whose columns are all shown, None for all sources. `borrowed` are the outer sources that were used.

    Of SELECT and GROUP BY: `outputs` are the items read so far, `first_arm` the outputs of the first of the `arms` of a
    set operation, or of the query once its FROM was read. `plain` and `within` are the columns that the current item
    shows outside and inside aggregates. `aggregated` says whether the current item has an aggregate, and between items
    whether any has; `aggregated_before` whether an item before the current one has. `keys` are the columns of the keys
    of GROUP BY, `written_keys` their tokens.
    """

    outer: Query | None = None
    sees_outer: bool = False
    width: int | None = None
    kinds: Kinds | None = None
    in_from: bool = False
    part: str = "select"
    required: Mapping[str, Required] = NOTHING
    maybe: Mapping[str, Required] = NOTHING
    bare: Required = NOTHING
    promised: Required = NOTHING
    sources: tuple[Source, ...] = ()
    merged: frozenset[str] = frozenset()
    to_merge: str | None = None
    commas: bool = False
    stars: tuple[str | None, ...] = ()
    borrowed: frozenset[str] = frozenset()
    outputs: tuple[Output, ...] = ()
    first_arm: tuple[Output, ...] = ()
    arms: int = 1
    plain: frozenset[Reference] = frozenset()
    within: frozenset[Reference] = frozenset()
    aggregated: bool = False
    aggregated_before: bool = False
    in_aggregate: bool = False  # inside the arguments of an aggregate
    grouped: bool = False
    keys: frozenset[Reference] = frozenset()
    written_keys: frozenset[Written] = frozenset()


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
