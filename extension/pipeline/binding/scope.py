"""Resolve columns while a query is being written, also before its FROM: by what they require of the sources.

`SELECT T1.name, age` makes two requirements: the source T1 has a `name`, and exactly one source has an `age`. A column
is rejected where no tables could meet all requirements, and FROM may only end once its sources meet them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from askwhere.pipeline.binding.names import COLUMNS_ONLY, MIXED, NUMBERS, Kinds, Named, Names, is_alias
from askwhere.pipeline.binding.state import (
    Query,
    Reference,
    Required,
    Source,
    can_be_grouped_by,
    fits,
    meets,
    owners,
    resolved,
    source,
)

# The most steps of the search for tables that meet all requirements; a column is rejected where they do not suffice.
STEPS = 200

# The most sources in FROM that no column before it names, while one that is named is still missing. Without a limit, a
# model that declares another alias than the one it used would join tables until its reply has no tokens left.
EXTRA = 4


def possible_tables(names: Names, query: Query, name: str) -> Iterator[Named]:
    """Yield the tables that a qualifier before FROM may mean: any table for an alias, else tables of this name.

    Tables that lack a column required of the qualifier are left out.
    """
    required = {**query.maybe.get(name, {}), **query.required.get(name, {})}
    if is_alias(name):
        column = next(iter(required), None)
        tables: Sequence[Named] = names.tables if column is None else names.by_column.get(column, ())
    else:
        tables = names.by_name.get(name, ())
    return (table for table in tables if meets(table.columns, required))


# --------------------------------------------------------------------------------------------------------- requirements


def can_be_met(names: Names, query: Query) -> bool:
    """Return whether some tables, added to FROM, would meet all requirements made before it.

    Each unqualified column must be in exactly one source, or in two that USING can merge.
    """
    if not _unambiguous(query):
        return False
    missing = [name for name in query.required if source(query, name) is None]
    if not query.bare:
        return all(next(possible_tables(names, query, name), None) for name in missing)
    covered = frozenset(column for column in query.bare if owners(query, column))
    groups = [tuple(possible_tables(names, query, name)) for name in missing]
    if not all(groups):
        return False
    # A qualifier whose table may have none of these columns never conflicts; a long reply has hundreds of them.
    groups = [group for group in groups if all(query.bare.keys() & table.columns.keys() for table in group)]
    return _search(names, query.bare, groups, covered, bool(query.sources), [STEPS])


def _unambiguous(query: Query) -> bool:
    """Return whether no unqualified column is in two sources, except one that the current join is yet to merge."""
    twice = [column for column in query.bare if len(owners(query, column)) > 1]
    return not twice or (twice == [query.to_merge] and len(owners(query, twice[0])) == 2)


def _search(
    names: Names,
    bare: Required,
    groups: Sequence[Sequence[Named]],
    covered: frozenset[str],
    joined: bool,
    steps: list[int],
) -> bool:
    """Return whether FROM can have one table of each group, and more tables that have the columns not `covered`.

    Each column of `bare` must be in one table only, but USING can merge one column of a table that is `joined` to those
    before. `steps` holds the number of tables that may still be tried, counted down in place; False once it is spent.
    """
    missing = [column for column in bare if column not in covered]
    if not groups and not missing:
        return True
    tables: Sequence[Named] = groups[0] if groups else names.by_column.get(missing[0], ())
    for table in sorted(tables, key=lambda t: -sum(c in t.columns for c in missing)):
        steps[0] -= 1
        if steps[0] < 0:
            return False
        has = frozenset(column for column in bare if column in table.columns)
        new, repeated = has - covered, has & covered
        if len(repeated) > (1 if joined else 0) or not all(fits(table.columns[c], bare[c]) for c in new):
            continue
        if _search(names, bare, groups[1:], covered | new, True, steps):
            return True
    return False


# --------------------------------------------------------------------------------------------------------- references


class Resolved(NamedTuple):
    """A resolved column: the query with the new requirement, and the column's kind."""

    query: Query
    kind: str


def named_column(names: Names, query: Query, name: str, column: str, kinds: Kinds | None) -> Resolved | None:
    """Resolve a qualified column, `name.column`; None where that is not possible."""
    named = source(query, name)
    if named is not None:
        return _in_source(names, query, named, column, kinds, (name, column))
    if query.part == "select":
        outer = not query.in_aggregate and outer_source(query, name) and _borrowed(names, query, name, column, kinds)
        return _shared_with_outer(query, outer, name, column) if outer else _require(names, query, name, column, kinds)
    if query.in_aggregate:
        return None  # an aggregate over an outer column belongs to the outer query
    return _borrowed(names, query, name, column, kinds)


def bare_column(names: Names, query: Query, column: str, kinds: Kinds | None) -> Resolved | None:
    """Resolve an unqualified column; None where no source has it, or two have it."""
    if query.part == "select":
        return _require_bare(names, query, column, kinds)
    sources = owners(query, column)
    if len(sources) == 1:
        resolved = _in_source(names, query, sources[0], column, kinds, (None, column))
        if resolved and query.part == "on":  # sources that are joined later must not have it too
            required = {**query.bare, column: query.bare.get(column)}
            return Resolved(resolved.query._replace(bare=required), resolved.kind)
        return resolved
    if sources or query.part in ("on", "group", "order") or query.in_aggregate:
        return None
    if not query.sees_outer or query.outer is None or query.outer.part in ("select", "from"):
        return None
    outer = bare_column(names, query.outer, column, kinds)
    return outer and Resolved(query._replace(outer=outer.query), outer.kind)


def output_titled(query: Query, text: str, kinds: Kinds | None) -> Resolved | None:
    """Resolve the alias of an item of the select list, as GROUP BY, HAVING and ORDER BY may use it."""
    if query.part not in ("group", "having", "order") or query.in_aggregate:
        return None
    outputs = [output for output in query.first_arm or query.outputs if output.title == text.lower()]
    if len(outputs) != 1 or not fits(outputs[0].kind, kinds):
        return None
    is_windowed = "OVER" in outputs[0].written
    if (query.part == "having" and is_windowed) or (query.part == "group" and not can_be_grouped_by(outputs[0])):
        return None
    return Resolved(query, outputs[0].kind)


def _in_source(
    names: Names, query: Query, of: Source, column: str, kinds: Kinds | None, reference: Reference
) -> Resolved | None:
    """Resolve a column of a source of this query; None where it lacks the column, or GROUP BY hides it in DuckDB."""
    kind = of.columns.get(column)
    if kind is None or not fits(kind, kinds):
        return None
    if names.typed and query.grouped and not query.in_aggregate and query.part in ("having", "order"):
        return Resolved(query, kind) if resolved(query, reference) in query.keys else None
    return Resolved(_showing(query, reference), kind)


def _require(names: Names, query: Query, name: str, column: str, kinds: Kinds | None) -> Resolved | None:
    """Resolve a qualified column before FROM by requiring it of its source."""
    if query.promised:
        return None
    required = query.required.get(name, {})
    both = _common_kinds(required.get(column), kinds)
    query = _showing(query._replace(required={**query.required, name: {**required, column: both}}), (name, column))
    possible = {table.columns[column] for table in possible_tables(names, query, name)}
    return Resolved(query, _kind(possible)) if possible and can_be_met(names, query) else None


def _require_bare(names: Names, query: Query, column: str, kinds: Kinds | None) -> Resolved | None:
    """Resolve an unqualified column before FROM by requiring it of exactly one source."""
    if query.promised:
        return None
    both = _common_kinds(query.bare.get(column), kinds)
    query = _showing(query._replace(bare={**query.bare, column: both}), (None, column))
    possible = {t.columns[column] for t in names.by_column.get(column, ()) if fits(t.columns[column], both)}
    return Resolved(query, _kind(possible)) if possible and can_be_met(names, query) else None


def _shared_with_outer(query: Query, borrowed: Resolved, name: str, column: str) -> Resolved:
    """Resolve a column before FROM as an outer source's; a source here of the same name must have it too."""
    maybe = {**query.maybe, name: {**query.maybe.get(name, {}), column: frozenset({borrowed.kind})}}
    return Resolved(query._replace(outer=borrowed.query.outer, maybe=maybe), borrowed.kind)


def _showing(query: Query, reference: Reference) -> Query:
    """Return the query with a column added to those that the current item shows."""
    if query.in_aggregate:
        return query._replace(within=query.within | {reference})
    return query._replace(plain=query.plain | {reference})


def _common_kinds(one: Kinds | None, other: Kinds | None) -> Kinds | None:
    """Return the kinds in both sets; an empty set where they have none in common."""
    if one is None or other is None:
        return other if one is None else one
    return (one & other) - {COLUMNS_ONLY}


def _kind(possible: set[str]) -> str:
    """Return the kind of a column whose table is not known yet, given the kinds that it may have."""
    if len(possible) == 1:
        return next(iter(possible))
    return "f" if possible <= NUMBERS else MIXED


def outer_source(query: Query, name: str) -> Source | None:
    """Return the source of an enclosing query that has a name and may be used, or None."""
    while query.sees_outer and query.outer is not None:
        query = query.outer
        if outer := source(query, name):
            return outer
    return None


def _borrowed(names: Names, query: Query, name: str, column: str, kinds: Kinds | None) -> Resolved | None:
    """Resolve a column of an enclosing query; None in ORDER BY and GROUP BY, which in SQLite may use none."""
    if not query.sees_outer or query.outer is None or query.part in ("group", "order"):
        return None
    outer = query.outer
    if outer.part == "from":
        return None
    resolved = named_column(names, outer, name, column, kinds)
    if resolved is None:
        return None
    return Resolved(query._replace(outer=resolved.query, borrowed=query.borrowed | {name}), resolved.kind)


# --------------------------------------------------------------------------------------------------------------- FROM


def with_source(names: Names, query: Query, name: str, columns: Mapping[str, str], joins: bool) -> Query | None:
    """Return the query with one more source in FROM; None where a requirement could no longer be met.

    `joins` says whether USING may follow, which merges one column of two sources.
    """
    if source(query, name) or name in query.borrowed:
        return None
    if name not in query.required and _must_be_aliased(names, query, columns):
        return None
    if not meets(columns, query.required.get(name, {})) or not meets(columns, query.maybe.get(name, {})):
        return None
    repeated = [column for column in query.bare if column in columns and owners(query, column)]
    if len(repeated) > (1 if joins else 0):
        return None
    if any(not fits(columns[c], query.bare[c]) for c in query.bare if c in columns):
        return None
    to_merge = repeated[0] if repeated else None
    if to_merge and len(owners(query, to_merge)) != 1:
        return None
    after = query._replace(sources=(*query.sources, Source(name, columns)), to_merge=to_merge)
    return after if can_be_met(names, after) else None


def _must_be_aliased(names: Names, query: Query, columns: Mapping[str, str]) -> bool:
    """Return whether the next source, a table, must take an alias that was used before FROM and is still missing.

    It must if it is the only table that such an alias can name, and any table must once FROM has `EXTRA` others.
    """
    if not any(table.columns is columns for table in names.tables):
        return False
    missing = [name for name in query.required if is_alias(name) and source(query, name) is None]
    if not missing:
        return False
    if sum(named.name not in query.required for named in query.sources) >= EXTRA:
        return True
    return any(all(table.columns is columns for table in possible_tables(names, query, name)) for name in missing)


def ungrouped(names: Names, query: Query) -> bool:
    """Return whether columns outside aggregates are shown that GROUP BY does not name, which DuckDB refuses."""
    if not names.typed or not (query.aggregated or query.grouped):
        return False
    if query.stars:
        return True
    shown = [output for output in query.outputs if output.written not in query.written_keys]
    return any(resolved(query, reference) not in query.keys for output in shown for reference in output.plain)
