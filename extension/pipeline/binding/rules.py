"""Read a query token by token, by rules that fail as soon as no continuation of it could bind.

The rules for the rest of the query are a stack, the next one on top. A rule gets the machine, from whose stack it has
been removed, and the next token. It consumes the token, leaves it to the next rule, or fails by returning None: then
the token cannot come there. The rules accept a little more than the grammar, which constrains the reply too.
"""

from __future__ import annotations

from askwhere.pipeline.binding import promises, scope, state
from askwhere.pipeline.binding.columns import starred
from askwhere.pipeline.binding.expressions import condition, value
from askwhere.pipeline.binding.grammar import QUERIES
from askwhere.pipeline.binding.machine import (
    Machine,
    Read,
    Token,
    clause,
    expect,
    listed,
    of_sort,
    optional,
    passed,
    took,
    word,
)
from askwhere.pipeline.binding.names import NULL, Kinds, Names
from askwhere.pipeline.binding.sources import columns_of_query, end_from, from_, more_sources, source
from askwhere.pipeline.binding.state import Output, Query, Reference, Written


def begin(names: Names) -> Machine:
    """Return the machine before a query."""
    return Machine(names, None, query).then((query, None, None, False, False), (optional, ";"))


def query(m: Machine, t: Token, width: int | None, kinds: Kinds | None, sees_outer: bool, in_from: bool) -> Read:
    """Read SELECT, and push the rules for the rest of a query. The arguments are the fields of `Query`."""
    if word(t) != "SELECT" or m.depth >= QUERIES:
        return None
    inner = Query(m.query, sees_outer, width, kinds, in_from)
    back = (leave, m.aggregates, m.queries, m.level)
    m = m._replace(query=inner, queries=m.depth + 1 < QUERIES, depth=m.depth + 1, level=0)
    return took(m.then((optional, "DISTINCT"), *ARM, order_opt, LIMIT, back))


def item(m: Machine, t: Token) -> Read:
    """Read one item of a select list."""
    m = m._replace(written=(), single=None, aggregates=True).with_query(
        plain=frozenset(), within=frozenset(), in_aggregate=False
    )
    m = m.with_query(aggregated=False, aggregated_before=m.here.aggregated)
    if t.text == "*":
        after = starred(m, None)
        return took(after.then(item_end) if after else None)
    return passed(m.then((value, m.here.kinds, False, True), item_end))


def item_end(m: Machine, t: Token) -> Read:
    """Read AS and a title, or nothing."""
    if word(t) == "AS" and not _is_star(m):
        return took(m.then((title, m.written, only_column(m))))
    if promises.may_meet(m.here, m.kind) and not only_column(m):
        return None
    return item_done(m, t, None, m.written, only_column(m))


def _is_star(m: Machine) -> bool:
    return m.single is not None and m.single[1] == "*"


def only_column(m: Machine) -> Reference | None:
    """Return the column if the item is a column or a star alone, else None."""
    return m.single if m.single and (m.single_at == len(m.written) or _is_star(m)) else None


def title(m: Machine, t: Token, written: tuple[str, ...], single: Reference | None) -> Read:
    """Read the name that an output is given: a promised one where this output can fulfil a promise."""
    promised = promises.may_meet(m.here, m.kind)
    possible = t.sort == "word" and (not promised or t.text in promised)
    return took(m.then((item_done, t.text.lower(), written, single))) if possible else None


def item_done(m: Machine, t: Token, titled: str | None, written: tuple[str, ...], single: Reference | None) -> Read:
    """Add the item that was read to the outputs of its query."""
    q = m.here
    name = single[1] if single and not titled and single[1] != "*" else None
    output = Output(name, m.kind, written, single, q.plain, q.aggregated, titled)
    q = q._replace(outputs=(*q.outputs, output), aggregated=q.aggregated or q.aggregated_before)
    # Fail early where this column would make an unqualified column of the outer query ambiguous.
    if q.in_from and q.outer and output.column is not None and q.outer.bare:
        made = columns_of_query(q.outputs)
        if scope.with_source(m.names, q.outer, "", made, False) is None:
            return None
    return passed(m._replace(query=q).then(more_items))


def more_items(m: Machine, t: Token) -> Read:
    """Read a comma and another item, or nothing."""
    q = m.here
    full = q.width is not None and len(q.outputs) >= q.width
    if t.text == ",":
        return None if full else took(m.then(item))
    if (q.width is not None and not full) or promises.unmet(q):
        return None
    return passed(m)


def group_opt(m: Machine, t: Token) -> Read:
    """Read GROUP BY, or nothing where none is required."""
    if word(t) == "GROUP":
        if m.names.typed and m.here.stars:
            return None  # DuckDB refuses a star that shows columns which are not grouped by
        return took(m.with_query(part="group", grouped=True).then((expect, "BY"), key, more_keys, having_opt))
    return None if scope.ungrouped(m.names, m.here) else passed(m)


def key(m: Machine, t: Token) -> Read:
    """Read a key of GROUP BY."""
    if t.sort == "number":
        return took(_by_position(m, t))
    return passed(m._replace(written=(), single=None, queries=False).then((value, None, True), key_end))


def _by_position(m: Machine, t: Token) -> Machine | None:
    """Return the machine after an output's position in GROUP BY; None where there is no such output."""
    outputs = m.here.outputs
    if not t.text.isdigit() or m.here.stars or not 1 <= int(t.text) <= len(outputs):
        return None
    output = outputs[int(t.text) - 1]
    return _by_output(m, output) if state.can_be_grouped_by(output) else None


def _by_output(m: Machine, output: Output) -> Machine:
    """Return the machine with an output added to the keys of GROUP BY."""
    return m.with_query(
        written_keys=m.here.written_keys | {output.written}, keys=m.here.keys | _keys(m.here, output.single)
    )


def key_end(m: Machine, t: Token) -> Read:
    """Add the key that was read to the query's keys."""
    q, single = m.here, only_column(m)
    m = m._replace(queries=m.depth < QUERIES)
    for output in q.outputs if single is None and len(m.written) == 1 else ():
        if output.title == m.written[0].lower():
            return passed(_by_output(m, output))
    return passed(m.with_query(written_keys=q.written_keys | {m.written}, keys=q.keys | _keys(q, single)))


def _keys(q: Query, single: Reference | None) -> frozenset[Reference]:
    return frozenset({state.resolved(q, single)}) if single else frozenset()


def more_keys(m: Machine, t: Token) -> Read:
    """Read a comma and another key, or nothing where no other key is required."""
    if t.text == ",":
        return took(m.then(key, more_keys))
    return None if scope.ungrouped(m.names, m.here) else passed(m)


def having_opt(m: Machine, t: Token) -> Read:
    """Read HAVING, or nothing."""
    if word(t) == "HAVING":
        return took(m.with_query(part="having")._replace(aggregates=True).then(condition))
    return passed(m)


def more_arms(m: Machine, t: Token) -> Read:
    """Read UNION, INTERSECT or EXCEPT and another SELECT, or nothing."""
    if word(t) not in ("UNION", "INTERSECT", "EXCEPT"):
        return passed(m)
    q = m.here
    fresh = Query(
        q.outer, q.sees_outer, len(q.first_arm or ()), q.kinds, q.in_from, first_arm=q.first_arm, arms=q.arms + 1
    )
    return took(m._replace(query=fresh).then((optional, "ALL"), (expect, "SELECT"), (optional, "DISTINCT"), *ARM))


ARM = (item, from_, (source, False), more_sources, end_from, (clause, "WHERE", condition), group_opt, more_arms)
_NUMBER = (of_sort, "number")
LIMIT = (clause, "LIMIT", _NUMBER, (clause, "OFFSET", _NUMBER))


def order_opt(m: Machine, t: Token) -> Read:
    """Read ORDER BY, or nothing."""
    if word(t) != "ORDER":
        return passed(m)
    q = m.here
    aggregates = q.grouped or q.aggregated
    m = m.with_query(part="order", grouped=aggregates)._replace(aggregates=aggregates, queries=False)
    return took(m.then((expect, "BY"), term_of_order, (listed, term_of_order)))


def term_of_order(m: Machine, t: Token) -> Read:
    """Read a key of ORDER BY."""
    q = m.here
    if t.sort == "number":
        valid = t.text.isdigit() and 1 <= int(t.text) <= len(q.first_arm or ())
        return took(m.then((optional, "ASC", "DESC"))) if valid else None
    if q.arms > 1:  # a set operation is ordered only by the outputs of its first query
        column = m.names.columns.get(t.text, t.text.lower())
        known = [output.column for output in q.first_arm or ()]
        return took(m.then((optional, "ASC", "DESC"))) if t.sort == "word" and known.count(column) == 1 else None
    if keys := _computed_keys(m, t):
        return took(m.then((rest_of_key, keys, 1), (optional, "ASC", "DESC")))
    return passed(m._replace(written=(), single=None).then((value, None, True), (optional, "ASC", "DESC")))


def _computed_keys(m: Machine, t: Token) -> tuple[Written, ...]:
    """Return the computed keys of GROUP BY that begin with a token: DuckDB can order by one that is repeated exactly.

    Keys that contain a number of several digits are left out, as its first digit alone may have been read.
    """
    keys = m.here.written_keys if m.names.typed and t.sort == "word" else ()
    return tuple(
        key for key in keys
        if len(key) > 1 and key[0] == t.text.upper() and not any(part.isdigit() and len(part) > 1 for part in key)
    )  # fmt: skip


def rest_of_key(m: Machine, t: Token, keys: tuple[Written, ...], at: int) -> Read:
    """Read the next token of a computed key of GROUP BY, or nothing after a whole key.

    `keys` are the keys that begin with the `at` tokens read so far.
    """
    text = t.text.upper()
    continued = tuple(
        key for key in keys for part in key[at : at + 1] if part == text or (not t.whole and part.startswith(text))
    )
    if continued:
        return took(m.then((rest_of_key, continued, at + 1)))
    return passed(m) if any(len(key) == at for key in keys) else None


def leave(m: Machine, t: Token, aggregates: bool, queries: bool, level_: int) -> Read:
    """End a query, and restore the state of the query around it."""
    q = m.here
    kind = q.first_arm[0].kind if q.first_arm else NULL
    m = m._replace(query=q.outer, outputs=q.first_arm, kind=kind, single=None)
    return passed(m._replace(aggregates=aggregates, queries=queries, depth=m.depth - 1, level=level_))
