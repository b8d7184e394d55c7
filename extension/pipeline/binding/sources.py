"""Read FROM by rules: tables and queries with their aliases, and the joins between them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from askwhere.pipeline.binding import scope, state
from askwhere.pipeline.binding.expressions import condition
from askwhere.pipeline.binding.grammar import QUERIES
from askwhere.pipeline.binding.machine import Machine, Read, Token, expect, optional, passed, took, word
from askwhere.pipeline.binding.names import Named, is_alias
from askwhere.pipeline.binding.state import Output


def from_(m: Machine, t: Token) -> Read:
    """Read FROM."""
    return took(m.with_query(part="from")) if word(t) == "FROM" else None


def source(m: Machine, t: Token, joins: bool) -> Read:
    """Read a table, or a query in parentheses; `joins` says whether USING may follow."""
    if t.text == "(":
        if m.depth >= QUERIES:
            return None
        m = m.then((m.select, None, None, False, True), (expect, ")"), (sub_alias, joins))
        return took(m)
    return path(m, t, joins, ())


def path(m: Machine, t: Token, joins: bool, before: tuple[str, ...]) -> Read:
    """Read the part of a table's path that follows `before`; fail where a promise needs a subquery as first source."""
    if m.here.promised and not m.here.sources:
        return None
    so_far = (*before, t.text)
    table = m.names.paths.get(so_far)
    is_table = table is not None and _can_join(m, table, joins, table.name)
    begins = so_far in m.names.beginnings and any(
        _can_join(m, table, joins, table.name)
        for longer, table in m.names.paths.items()
        if longer[:-1][: len(so_far)] == so_far
    )
    if t.sort != "word" or not (is_table or begins):
        return None
    return took(m.then((path_end, joins, so_far, is_table, begins)))


def path_end(m: Machine, t: Token, joins: bool, so_far: tuple[str, ...], is_table: bool, begins: bool) -> Read:
    """Read a dot before the next part of a path, or go on after the table."""
    if t.text == "." and begins:
        return took(m.then((path, joins, so_far)))
    if not is_table:
        return None
    return passed(m.then((alias_opt, joins, m.names.paths[so_far])))


_FREE = "\0"  # stands for an alias that has not been used yet


def _can_join(m: Machine, table: Named, joins: bool, *names: str) -> bool:
    """Return whether FROM may have a table next, under an alias or one of `names`."""
    known = (*names, _FREE, *filter(is_alias, m.here.required))
    return any(scope.with_source(m.names, m.here, name, table.columns, joins) for name in known)


def alias_opt(m: Machine, t: Token, joins: bool, table: Named) -> Read:
    """Read an alias of a table, or nothing."""
    if word(t) == "AS" and t.whole:
        return took(m.then((alias, joins, table.columns))) if _can_join(m, table, joins) else None
    if t.sort == "word" and is_alias(t.text):
        return alias(m, t, joins, table.columns)
    return _sourced(m, table.name, joins, table.columns)


def alias(m: Machine, t: Token, joins: bool, columns: Any) -> Read:
    """Read the alias of a source."""
    if t.sort != "word" or not is_alias(t.text):
        return None
    read = _sourced(m, t.text.lower(), joins, columns)
    return took(read[0]) if read else None


def sub_alias(m: Machine, t: Token, joins: bool) -> Read:
    """Read the alias of a query in FROM."""
    columns = columns_of_query(m.outputs)
    if word(t) == "AS" and t.whole:
        return took(m.then((alias, joins, columns)))
    return alias(m, t, joins, columns)


def columns_of_query(outputs: Iterable[Output]) -> dict[str, str]:
    """Return the columns that a query in FROM has, with their kinds."""
    return {output.column: output.kind for output in outputs if output.column}


def _sourced(m: Machine, name: str, joins: bool, columns: Any) -> Read:
    after = scope.with_source(m.names, m.here, name, columns, joins)
    return passed(m._replace(query=after)) if after else None


def more_sources(m: Machine, t: Token) -> Read:
    """Read a comma or a join with its source, or nothing."""
    text = word(t)
    if text == ",":
        return took(m.with_query(commas=True).then((source, False), more_sources))
    if text == "LEFT":
        return took(m.then((optional, "OUTER"), join, more_sources))
    if text == "INNER":
        return took(m.then(join, more_sources))
    if text == "CROSS":
        return took(m.then((expect, "JOIN"), (source, False), more_sources))
    return passed(m.then(join, more_sources)) if text == "JOIN" else passed(m)


def join(m: Machine, t: Token) -> Read:
    """Read JOIN and a source."""
    return took(m.then((source, _may_merge(m)), on_using)) if word(t) == "JOIN" else None


def _may_merge(m: Machine) -> bool:
    """Return whether a join may have USING: in DuckDB, not after sources separated by commas."""
    return not (m.names.typed and m.here.commas)


def on_using(m: Machine, t: Token) -> Read:
    """Read ON with a condition, or USING with a column."""
    # A column of both sources that the query uses unqualified is only unambiguous with USING.
    if word(t) == "ON" and m.here.to_merge is None:
        return took(m.with_query(part="on")._replace(aggregates=False).then(condition, (part, "from")))
    if (
        word(t) == "USING"
        and _may_merge(m)
        and any(state.may_merge(m.here, column) for column in m.here.sources[-1].columns)
    ):
        return took(m.then((expect, "("), using, (expect, ")")))
    return None


def using(m: Machine, t: Token) -> Read:
    """Read the column of USING."""
    column = m.names.columns.get(t.text)
    if column is None or not state.may_merge(m.here, column):
        return None
    return took(m.with_query(merged=m.here.merged | {column}, to_merge=None))


def part(m: Machine, t: Token, name: str) -> Read:
    """Set the part of the query that follows."""
    return passed(m.with_query(part=name))


def end_from(m: Machine, t: Token) -> Read:
    """End FROM: the sources must have all columns that were required of them."""
    q = m.here
    if not state.meets_all(q):
        return None
    outputs = state.expanded(q)
    if q.in_from and q.outer and scope.with_source(m.names, q.outer, _FREE, columns_of_query(outputs), False) is None:
        return None
    q = q._replace(part="where", first_arm=q.first_arm or outputs)
    return passed(m._replace(query=q, aggregates=False))
