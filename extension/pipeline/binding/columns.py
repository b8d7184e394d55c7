"""Decide which columns, qualifiers and stars may come next in a query, given what was read before."""

from __future__ import annotations

from askwhere.pipeline.binding import promises, scope, state
from askwhere.pipeline.binding.grammar import EXPRESSIONS
from askwhere.pipeline.binding.machine import Machine
from askwhere.pipeline.binding.names import ANY, COLUMNS_ONLY, CONSTANT, FORMAT, PART, Kinds, is_alias
from askwhere.pipeline.binding.state import Query


def only(kinds: Kinds | None, mark: str) -> bool:
    """Return whether the kinds required at a place include a mark (`names`), such as `COLUMNS_ONLY`."""
    return kinds is not None and mark in kinds


def constant_alone(kinds: Kinds | None) -> bool:
    """Return whether only a literal may come next: a whole number, a part of a date, or a date format."""
    return kinds is not None and not kinds.isdisjoint({CONSTANT, PART, FORMAT})


def unqualified(m: Machine, text: str, kinds: Kinds | None) -> scope.Resolved | None:
    """Resolve an unqualified word: a column, an output by its alias, or an output that FROM must have (`promises`)."""
    column = column_called(m, text)
    resolved = scope.bare_column(m.names, m.here, column, kinds) if column else None
    return (
        resolved or scope.output_titled(m.here, text, kinds) or (None if column else promises.promise(m, text, kinds))
    )


def column_called(m: Machine, text: str) -> str | None:
    """Return the folded name of the column that a word spells, of the catalog or of a subquery in FROM; else None."""
    folded = text.lower()
    is_of_subquery = folded not in m.names.spelled and _is_of_subquery(m.query, folded)
    return m.names.columns.get(text) or (folded if is_of_subquery else None)


def _is_of_subquery(query: Query | None, column: str) -> bool:
    """Return whether a subquery in FROM has an output of this name."""
    while query is not None:
        if any(column in source.columns for source in query.sources):
            return True
        query = query.outer if query.sees_outer else None
    return False


def begins_path(m: Machine, path_: tuple[str, ...], kinds: Kinds | None, first: bool) -> bool:
    """Return whether the path begins a longer one, of a table with a column that may come here."""
    if path_ not in m.names.beginnings or only(kinds, CONSTANT):
        return False
    longer = (table for path, table in m.names.paths.items() if path[: len(path_)] == path_ and path != path_)
    return any(can_qualify(m, table.name, kinds, first) for table in longer)


def name_of(m: Machine, path_: tuple[str, ...]) -> str | None:
    """Return the folded name of the source that a path names: a table, or an alias."""
    if table := m.names.paths.get(path_):
        return table.name
    return path_[0].lower() if len(path_) == 1 and is_alias(path_[0]) else None


def can_qualify(m: Machine, qualifier: str, kinds: Kinds | None, first: bool) -> bool:
    """Return whether a column of a source named `qualifier` may come next, or a star where an item begins (`first`)."""
    columns = (scope.named_column(m.names, m.here, qualifier, column, kinds) for column in columns_of(m, qualifier))
    return any(columns) or (first and starred(m, qualifier) is not None)


def columns_of(m: Machine, qualifier: str) -> list[str]:
    """Return the columns that a source named `qualifier` may have, each once."""
    query: Query | None = m.here
    columns: dict[str, None] = {}
    while query is not None:
        if source := state.source(query, qualifier):
            return [*columns, *(column for column in source.columns if column not in columns)]
        if query.part == "select":
            tables = scope.possible_tables(m.names, query, qualifier)
            columns.update(dict.fromkeys(column for table in tables for column in table.columns))
        query = query.outer if query.sees_outer else None
    return [*columns]


def has_column(m: Machine, kinds: Kinds | None) -> bool:
    """Return whether a column of one of `kinds`, or a cast to one, may come one level deeper; True if constants may."""
    if kinds is None or not only(kinds, COLUMNS_ONLY):
        return True
    if m.level + 1 < EXPRESSIONS and not kinds.isdisjoint(m.names.types.values()):
        return True
    if m.here.part != "select":
        return any(can_qualify(m, source.name, kinds, False) for source in m.here.sources)
    return any(scope.bare_column(m.names, m.here, column, kinds) for column in m.names.by_column)


def starred(m: Machine, name: str | None) -> Machine | None:
    """Return the machine after `*` or `name.*`; None where no star may come."""
    q = m.here
    if (
        q.width is not None
        or (q.in_from and (q.outer or Query()).bare)
        or (m.names.typed and (q.aggregated or q.aggregated_before or q.grouped))
    ):
        return None
    if name is not None:
        q = q._replace(required={**q.required, name: q.required.get(name, {})})
        if not scope.can_be_met(m.names, q):
            return None
    return m._replace(query=q._replace(stars=(*q.stars, name)), kind=ANY, single=(name, "*"), single_at=-1)
