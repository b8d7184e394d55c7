"""One query as far as it was read: what its FROM has, and what was asked of it before FROM came.

`SELECT T1.name, age` is a promise: some table called T1 has a `name`, and exactly one of the tables has an `age`. A
promise that no tables can keep is not made, and FROM ends when all are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from askwhere.pipeline.binding_names import COLUMNS_ONLY, LOOSE, MIXED, NULL, NUMBERS, Kinds, Named, Names, is_alias

# Steps after which a search for tables that keep all promises gives up: then the promise is not made.
STEPS = 200

# A column as it is referred to: the name of its source, None where it stands alone, and its own.
Reference = tuple[str | None, str]
# What is asked of columns: kinds, None for any.
Asked = Mapping[str, Kinds | None]
Written = tuple[str, ...]
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Source(NamedTuple):
    """What FROM has: under which name, and which columns with their kinds."""

    name: str
    columns: Mapping[str, str]


class Output(NamedTuple):
    """One item of a select list: the column's name if it has one, its kind, and how it was written.

    `plain` are the columns that it shows outside of aggregates, `title` is the name that it was given.
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
        """What the column is called, where it has a name."""
        return self.title or self.name


class Query(NamedTuple):
    """A query as far as it was read. `part` is where: 'select', 'from', 'on', 'where', 'group', 'having' or 'order'.

    `outer` is the query that this one stands in, whose columns may be used where `sees`; `source_of` says that this one
    stands in its FROM. `width` is how many columns this one must have, `kinds` of which kinds they must be.
    `asked` and `bare` hold what was asked of named sources and of any; `maybe` what an outer source has, and one of
    this query's must have if it takes the same name. `must` is the column that the join being read has to be made by,
    `commas` says that FROM has some. `stars` are the sources whose columns are all shown, None for those of all.
    `merged` are columns that USING made one; `borrowed` names of outer sources that were used.
    `first` are the columns of the first of `arms` that UNION and its like put together. `plain` and `within` are what
    the item being read shows outside of aggregates and inside. `aggregated` says that there are aggregates, while an
    item is read in it, and `aggregated_before` that there were before it. `keys` and `written` are what GROUP BY named.
    """

    outer: Query | None = None
    sees: bool = False
    width: int | None = None
    kinds: Kinds | None = None
    source_of: bool = False
    part: str = "select"
    asked: Mapping[str, Asked] = NOTHING
    maybe: Mapping[str, Asked] = NOTHING
    bare: Asked = NOTHING
    sources: tuple[Source, ...] = ()
    merged: frozenset[str] = frozenset()
    must: str | None = None
    commas: bool = False
    stars: tuple[str | None, ...] = ()
    borrowed: frozenset[str] = frozenset()
    outputs: tuple[Output, ...] = ()
    first: tuple[Output, ...] = ()
    arms: int = 1
    plain: frozenset[Reference] = frozenset()
    within: frozenset[Reference] = frozenset()
    aggregated: bool = False
    aggregated_before: bool = False
    here: bool = False  # inside of an aggregate
    grouped: bool = False
    keys: frozenset[Reference] = frozenset()
    written: frozenset[Written] = frozenset()


def fits(kind: str, kinds: Kinds | None) -> bool:
    """Whether a column of a kind may stand where `kinds` are asked for."""
    return kinds is None or kind in kinds or (LOOSE in kinds and kind in "ift")


def meets(columns: Mapping[str, str], asked: Asked) -> bool:
    """Whether a table has all columns that were asked of it."""
    return all(column in columns and fits(columns[column], kinds) for column, kinds in asked.items())


def source(query: Query, name: str) -> Source | None:
    """The source of a name."""
    return next((found for found in query.sources if found.name == name), None)


def candidates(names: Names, query: Query, name: str) -> Iterator[Named]:
    """The tables that may get a name that was used before FROM: any for an alias, else the one that has it."""
    asked = {**query.maybe.get(name, {}), **query.asked.get(name, {})}
    if is_alias(name):
        column = next(iter(asked), None)
        among: Sequence[Named] = names.tables if column is None else names.having.get(column, ())
    else:
        among = names.by_name.get(name, ())
    return (table for table in among if meets(table.columns, asked))


def owners(query: Query, column: str) -> list[Source]:
    """The sources that have a column, those that USING made one counted once."""
    having = [found for found in query.sources if column in found.columns]
    return having[:1] if column in query.merged else having


# ---------------------------------------------------------------------------------------------------------- promises


def can_be_kept(names: Names, query: Query) -> bool:
    """Whether some tables, added to FROM, keep all that was promised before it.

    Each column that stands alone must be in one source, or in two that a join with USING makes one.
    """
    if not _unambiguous(query):
        return False
    open_ = [name for name in query.asked if source(query, name) is None]
    if not query.bare:
        return all(next(candidates(names, query, name), None) for name in open_)
    covered = frozenset(column for column in query.bare if owners(query, column))
    groups = [tuple(candidates(names, query, name)) for name in open_]
    if not all(groups):
        return False
    # A name that may go to a table with none of these columns is in nobody's way: a long reply has hundreds of them.
    groups = [group for group in groups if all(query.bare.keys() & table.columns.keys() for table in group)]
    steps = [STEPS]
    return _search(names, query.bare, groups, covered, bool(query.sources), steps)


def _unambiguous(query: Query) -> bool:
    """Whether no column that stands alone is in two sources, but for one that the join being read is made by."""
    twice = [column for column in query.bare if len(owners(query, column)) > 1]
    return not twice or (twice == [query.must] and len(owners(query, twice[0])) == 2)


def _search(
    names: Names,
    bare: Asked,
    groups: Sequence[Sequence[Named]],
    covered: frozenset[str],
    joined: bool,
    steps: list[int],
) -> bool:
    """Whether a table of each group, and more for the columns not yet covered, can be added one by one."""
    missing = [column for column in bare if column not in covered]
    if not groups and not missing:
        return True
    among: Sequence[Named] = groups[0] if groups else names.having.get(missing[0], ())
    for table in sorted(among, key=lambda t: -sum(c in t.columns for c in missing)):
        steps[0] -= 1
        if steps[0] < 0:
            return False
        has = frozenset(column for column in bare if column in table.columns)
        new, again = has - covered, has & covered
        if len(again) > joined or not all(fits(table.columns[c], bare[c]) for c in new):
            continue
        if _search(names, bare, groups[1:], covered | new, True, steps):
            return True
    return False


# --------------------------------------------------------------------------------------------------------- references


class Found(NamedTuple):
    """What a reference leads to: the query with what was promised, and the column's kind."""

    query: Query
    kind: str


def named_column(names: Names, query: Query, name: str, column: str, kinds: Kinds | None) -> Found | None:
    """What `name.column` leads to."""
    own = source(query, name)
    if own is not None:
        return _own(names, query, own, column, kinds, (name, column))
    if query.part == "select":
        known = not query.here and outer_source(query, name) and _borrowed(names, query, name, column, kinds)
        return _either(query, known, name, column) if known else _promised(names, query, name, column, kinds)
    if query.here:
        return None  # what an aggregate of an inner query shows of an outer one is the outer one's
    return _borrowed(names, query, name, column, kinds)


def bare_column(names: Names, query: Query, column: str, kinds: Kinds | None) -> Found | None:
    """What a column that stands alone leads to; None where no source has it, or two."""
    if query.part == "select":
        return _promised_bare(names, query, column, kinds)
    having = owners(query, column)
    if len(having) == 1:
        found = _own(names, query, having[0], column, kinds, (None, column))
        if found and query.part == "on":  # sources that come later must not have it too
            asked = {**query.bare, column: query.bare.get(column)}
            return Found(found.query._replace(bare=asked), found.kind)
        return found
    if having or query.part in ("on", "group", "order") or not query.sees or query.here or query.outer is None:
        return None
    if query.outer.part in ("select", "from"):
        return None
    outer = bare_column(names, query.outer, column, kinds)
    return outer and Found(query._replace(outer=outer.query), outer.kind)


def titled(query: Query, text: str, kinds: Kinds | None) -> Found | None:
    """What the name of an item of the select list leads to: it may be grouped and ordered by, and stand in HAVING."""
    if query.part not in ("group", "having", "order") or query.here:
        return None
    found = [output for output in query.first or query.outputs if output.title == text.lower()]
    if len(found) != 1 or not fits(found[0].kind, kinds):
        return None
    is_windowed = "OVER" in found[0].written
    if (query.part == "having" and is_windowed) or (query.part == "group" and not groups(found[0])):
        return None
    return Found(query, found[0].kind)


def groups(output: Output) -> bool:
    """Whether an item of the select list may be grouped by."""
    return not (output.aggregated or output.kind == NULL or "OVER" in output.written)


def _own(
    names: Names, query: Query, own: Source, column: str, kinds: Kinds | None, reference: Reference
) -> Found | None:
    kind = own.columns.get(column)
    if kind is None or not fits(kind, kinds):
        return None
    if names.typed and query.grouped and not query.here and query.part in ("having", "order"):
        return Found(query, kind) if resolved(query, reference) in query.keys else None
    return Found(_used(query, reference), kind)


def _promised(names: Names, query: Query, name: str, column: str, kinds: Kinds | None) -> Found | None:
    asked = query.asked.get(name, {})
    both = _both(asked.get(column), kinds)
    query = _used(query._replace(asked={**query.asked, name: {**asked, column: both}}), (name, column))
    found = {table.columns[column] for table in candidates(names, query, name)}
    return Found(query, _kind(found)) if found and can_be_kept(names, query) else None


def _promised_bare(names: Names, query: Query, column: str, kinds: Kinds | None) -> Found | None:
    both = _both(query.bare.get(column), kinds)
    query = _used(query._replace(bare={**query.bare, column: both}), (None, column))
    found = {t.columns[column] for t in names.having.get(column, ()) if fits(t.columns[column], both)}
    return Found(query, _kind(found)) if found and can_be_kept(names, query) else None


def _either(query: Query, outer: Found, name: str, column: str) -> Found:
    """A column of an outer source, which is of this query's own where FROM will give the same name to a table."""
    asked = {**query.maybe, name: {**query.maybe.get(name, {}), column: frozenset({outer.kind})}}
    return Found(query._replace(outer=outer.query.outer, maybe=asked), outer.kind)


def _used(query: Query, reference: Reference) -> Query:
    if query.here:
        return query._replace(within=query.within | {reference})
    return query._replace(plain=query.plain | {reference})


def _both(one: Kinds | None, other: Kinds | None) -> Kinds | None:
    """What is in both; a kind that nothing has where they have none in common."""
    if one is None or other is None:
        return other if one is None else one
    return (one & other) - {COLUMNS_ONLY}


def _kind(found: set[str]) -> str:
    if len(found) == 1:
        return next(iter(found))
    return "f" if found <= NUMBERS else MIXED


def outer_source(query: Query, name: str) -> Source | None:
    """The source of an outer query that may be used by its name."""
    while query.sees and query.outer is not None:
        query = query.outer
        if found := source(query, name):
            return found
    return None


def _borrowed(names: Names, query: Query, name: str, column: str, kinds: Kinds | None) -> Found | None:
    """What a name of the outer query leads to. What stands in ORDER BY and GROUP BY sees none, as SQLite has it."""
    if not query.sees or query.outer is None or query.part in ("group", "order"):
        return None
    outer = query.outer
    if outer.part == "from":
        return None
    found = named_column(names, outer, name, column, kinds)
    if found is None:
        return None
    return Found(query._replace(outer=found.query, borrowed=query.borrowed | {name}), found.kind)


# --------------------------------------------------------------------------------------------------------------- FROM


def with_source(names: Names, query: Query, name: str, columns: Mapping[str, str], joins: bool) -> Query | None:
    """The query with one more source in FROM; None where it would break a promise.

    `joins` says that USING may follow, which makes one column of two.
    """
    if source(query, name) or name in query.borrowed:
        return None
    if not meets(columns, query.asked.get(name, {})) or not meets(columns, query.maybe.get(name, {})):
        return None
    again = [column for column in query.bare if column in columns and owners(query, column)]
    if len(again) > joins or any(not fits(columns[c], query.bare[c]) for c in query.bare if c in columns):
        return None
    must = again[0] if again else None
    if must and len(owners(query, must)) != 1:
        return None
    after = query._replace(sources=(*query.sources, Source(name, columns)), must=must)
    return after if can_be_kept(names, after) else None


def shared(query: Query, column: str) -> bool:
    """Whether the last source may be joined USING a column: exactly one source before it has it."""
    if query.must not in (None, column) or len(query.sources) < 2:
        return False
    before = query._replace(sources=query.sources[:-1])
    last = query.sources[-1].columns
    having = owners(before, column)
    return column in last and len(having) == 1 and _alike(having[0].columns[column], last[column])


def _alike(one: str, other: str) -> bool:
    return one == other or {one, other} <= NUMBERS


def complete(query: Query) -> bool:
    """Whether FROM keeps all that was promised before it."""
    return (
        bool(query.sources)
        and query.must is None
        and all(source(query, name) for name in query.asked)
        and all(len(owners(query, column)) == 1 for column in query.bare)
        and all(star is None or source(query, star) for star in query.stars)
    )


def shown(query: Query) -> tuple[Output, ...]:
    """The columns of a query whose FROM is complete, with those that stars stand for."""
    found: list[Output] = []
    for output in query.outputs:
        if output.single and output.single[1] == "*":
            found.extend(_starred(query, output.single[0]))
        else:
            found.append(output)
    return tuple(found)


def _starred(query: Query, name: str | None) -> Iterator[Output]:
    seen: set[str] = set()
    for own in query.sources:
        for column, kind in own.columns.items():
            if name in (None, own.name) and not (name is None and column in query.merged and column in seen):
                seen.add(column)
                yield Output(column, kind)


def resolved(query: Query, reference: Reference) -> Reference:
    """A reference with its source's name, where only one has the column."""
    name, column = reference
    having = owners(query, column) if name is None else []
    return (having[0].name, column) if having else reference


def ungrouped(names: Names, query: Query) -> bool:
    """Whether columns are shown that GROUP BY does not name, beside what is grouped: DuckDB refuses them."""
    if not names.typed or not (query.aggregated or query.grouped):
        return False
    if query.stars:
        return True
    shown_ = [output for output in query.outputs if output.written not in query.written]
    return any(resolved(query, reference) not in query.keys for output in shown_ for reference in output.plain)
