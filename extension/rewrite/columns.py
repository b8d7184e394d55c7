"""Find the unknown and the ambiguous columns of a query, and what each may have been meant to be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from askwhere.engine import ForeignKey, Table
from askwhere.indexer.key_names import read_as, type_of
from askwhere.rewrite.repairs import (
    CHANGE,
    COMMON,
    FARTHER,
    UNLIKE,
    Repair,
    Text,
    Unknown,
    near,
    place_of,
    renamed,
    replaced,
)
from askwhere.rewrite.scopes import Scope, Scopes, Source, conjuncts, equated, sources_of
from askwhere.rewrite.writing import column as written_column
from askwhere.rewrite.writing import equal_values
from askwhere.sql import spans
from askwhere.sql.identifiers import fold, unquote
from askwhere.sql.literals import quoted
from askwhere.sql.spans import Edit
from sqlglot import exp

_ROW = frozenset({"rowid", "oid", "_rowid_"})


def unknown_column(text: Text, node: exp.Column, scope: Scope) -> Iterator[Unknown]:
    """Yield a column that is unknown or ambiguous, with or without a qualifier; nothing for any other."""
    if fold(node.name) in _ROW:
        return
    if node.table:
        yield from _qualified(text, node, scope)
        return
    for enclosing in scope.enclosing():
        sources = enclosing.sources_with(node.name)
        if len(sources) > 1 and not _may_be_output(node, scope) and fold(node.name) not in enclosing.merged:
            yield Unknown("ambiguous", node.name, _ambiguity_repairs(text, node, sources, enclosing))
        if sources or enclosing.may_have(node.name):
            return
    if _is_output(node, scope) or _is_bare_call(node, text):
        return
    yield Unknown("column", node.name, _column_repairs(text, node, scope))


def _qualified(text: Text, node: exp.Column, scope: Scope) -> Iterator[Unknown]:
    """Yield a qualified column that its source lacks, or whose qualifier is no source."""
    if len(node.parts) > 2:
        return  # with the table's schema, or a field of a record
    source = scope.source(node.table)
    if source is None:
        if any(enclosing.sources_with(node.table) for enclosing in scope.enclosing()):
            return  # a field of a column that is a record
        yield Unknown("table", node.table, _qualifier_repairs(text, node, scope))
    elif source.columns is not None and not source.has(node.name) and not _is_hidden_column(text, source, node.name):
        here = renamed(text, node.this, near(node.name, source.columns))
        others = [s for s in scope.sources_with(node.name) if s is not source]
        moved = [_requalified(text, node, other) for other in others]
        yield Unknown("column", f"{node.table}.{node.name}", (*here, *moved, *_join_repairs(text, node, scope)))


def _is_hidden_column(text: Text, source: Source, column: str) -> bool:
    """Return whether a source has this column and it is hidden. It is not repaired, as a repair would reveal it."""
    hidden = {(path, fold(name)) for path, name in text.known.catalog.grant.hidden}
    return source.table is not None and (source.table.path, fold(column)) in hidden


def _requalified(text: Text, node: exp.Column, source: Source) -> Repair:
    """Return the repair that qualifies a column with another source."""
    edit = replaced(text, node.args["table"], source.alias)
    return Repair((edit,), CHANGE, f"{node.table}.{node.name} → {source.alias}.{node.name}")


def _qualifier_repairs(text: Text, node: exp.Column, scope: Scope) -> tuple[Repair, ...]:
    """Return repairs of a qualifier that names no source."""
    place = node.args["table"]
    here = [s for enclosing in scope.enclosing() for s in enclosing.sources if s.alias]
    aliased = [s for s in here if s.table and fold(s.table.name) == fold(node.table)]
    if aliased:  # the table's own name, which its alias hides
        return tuple(_requalified(text, node, s) for s in aliased)
    repairs = list(renamed(text, place, near(node.table, [s.alias for s in here])))
    table = text.known.catalog.table(node.table)
    if table is not None:
        return (*repairs, *_join_repair(text, node, scope, table))
    changed = {repair.edits for repair in repairs}
    alone = [s for s in here if s.has(node.name) and (replaced(text, place, s.alias),) not in changed]
    repairs += [Repair((replaced(text, place, s.alias),), UNLIKE, f"{node.table} → {s.alias}") for s in alone]
    return (*repairs, *_alias_repairs(text, node, here))


def _alias_repairs(text: Text, node: exp.Column, here: Iterable[Source]) -> Iterator[Repair]:
    """Yield repairs of an alias that nothing uses: the qualifier, used more than once, may be right."""
    used = [fold(c.table) for c in text.tree.find_all(exp.Column)]
    if used.count(fold(node.table)) < 2:
        return
    for source in here:
        alias = source.node.args.get("alias")
        named = alias.this if isinstance(alias, exp.TableAlias) else None
        if named is None or fold(source.alias) in used or "start" not in named.meta:
            continue
        for slips, _ in near(node.table, [source.alias]):
            yield Repair((replaced(text, named, node.table),), slips, f"{source.alias} → {node.table}")


def _column_repairs(text: Text, node: exp.Column, scope: Scope) -> tuple[Repair, ...]:
    """Return repairs of an unqualified column that no source has."""
    visible = [source for enclosing in scope.enclosing() for source in enclosing.sources]
    if any(_is_hidden_column(text, source, node.name) for source in visible):
        return ()
    here = [column for source in scope.sources for column in source.columns or ()]
    names: list[tuple[float, str]] = [*near(node.name, [*here, *_usable_aliases(node, scope)])]
    known = {fold(name) for _, name in names}
    farther = [column for source in visible for column in source.columns or ()]
    names += [(slips + FARTHER, name) for slips, name in near(node.name, farther) if fold(name) not in known]
    repairs = [*renamed(text, node.this, names), *_text_repair(text, node), *_distinct_repair(node)]
    return (*repairs, *_join_repairs(text, node, scope))


def _usable_aliases(node: exp.Column, scope: Scope) -> tuple[str, ...]:
    """Return the aliases of outputs that a clause after SELECT may use."""
    return () if _is_shown(node, scope) else scope.outputs


def _is_shown(node: exp.Column, scope: Scope) -> bool:
    """Return whether a column stands in the outputs of its query."""
    child: exp.Expr = node
    while child.parent is not None and child.parent is not scope.query:
        child = child.parent
    return child.arg_key == "expressions"


def _is_output(node: exp.Column, scope: Scope) -> bool:
    return scope.has_output(node.name) and not _is_shown(node, scope)


def _may_be_output(node: exp.Column, scope: Scope) -> bool:
    return _is_output(node, scope) and node.find_ancestor(exp.Order, exp.Group, exp.Having) is not None


def _is_bare_call(node: exp.Column, text: Text) -> bool:
    return fold(node.name) in text.known.functions and not node.this.quoted and fold(node.name) not in COMMON


def _text_repair(text: Text, node: exp.Column) -> Iterator[Repair]:
    """Yield the repair that turns a name in double quotes into a text, as which some databases read it."""
    start, end = place_of(node) or (0, 0)
    old = text.sql[start:end]
    shown = isinstance(node.parent, (exp.Select, exp.Ordered, exp.Group, exp.Alias, exp.Distinct))
    if old[:1] == '"' and not shown:
        new = quoted(unquote(old))
        yield Repair((Edit(start, end, new),), CHANGE, f"{old} → {new}")


def _distinct_repair(node: exp.Column) -> Iterator[Repair]:
    """Yield the repair of a misspelt DISTINCT, which the parser takes for a column with the next one as its alias."""
    if isinstance(node.parent, exp.Alias) and not node.this.quoted and (span := place_of(node)):
        for slips, _ in near(node.name, ["distinct"]):
            yield Repair((Edit(*span, "DISTINCT"),), slips, f"{node.name} → DISTINCT")


def _ambiguity_repairs(text: Text, node: exp.Column, sources: Sequence[Source], scope: Scope) -> tuple[Repair, ...]:
    """Return repairs that qualify an ambiguous column: by the first source only where inner joins make both equal."""
    place = (place_of(node) or (0, 0))[0]
    equal = _are_joined_as_equal(scope.query, node.name, sources)
    return tuple(
        Repair((Edit(place, place, f"{text.written(s.alias)}."),), CHANGE, f"{node.name} → {s.alias}.{node.name}")
        for s in (sources[:1] if equal else sources)
        if s.alias
    )


def _are_joined_as_equal(query: exp.Query, name: str, sources: Sequence[Source]) -> bool:
    """Return whether two sources are joined on this very column, and by inner joins alone."""
    joins = query.args.get("joins") or ()
    if len(sources) != 2 or any(j.side or j.kind not in ("", "INNER") for j in joins):
        return False
    if len({_type(source, name) for source in sources}) > 1:
        return False
    expected = {(fold(source.alias), fold(name)) for source in sources}
    conditions = (condition.unnest() for join in joins for condition in conjuncts(join.args.get("on")))
    return any({(fold(c.table), fold(c.name)) for c in equated(condition)} == expected for condition in conditions)


def _type(source: Source, name: str) -> str | None:
    columns = source.table.columns if source.table else ()
    return next((c.type.upper() for c in columns if fold(c.name) == fold(name)), None)


def unknown_in_using(text: Text, join: exp.Join, scopes: Scopes) -> Iterator[Unknown]:
    """Yield the columns of USING that the joined source, or every other source, lacks."""
    scope, joined = scopes.of(join), scopes.source(join.this)
    others = [s for s in scope.sources if s is not joined] if scope and join.args.get("using") else []
    if scope is None or any(s.columns is None for s in others):
        return
    for name in join.args.get("using") or ():
        presence = (joined.has(name.name), any(s is not joined for s in scope.sources_with(name.name)))
        for has, sources in zip(presence, ([joined], others), strict=True):
            columns = [] if has else [column for s in sources for column in s.columns or ()]
            if columns and "start" in name.meta:
                yield Unknown("column", name.name, renamed(text, name, near(name.name, columns)))


def _join_repairs(text: Text, node: exp.Column, scope: Scope) -> Iterator[Repair]:
    """Yield repairs that join a table which has the column."""
    for table in text.known.catalog.tables:
        if _has(table, node.name):
            yield from _join_repair(text, node, scope, table)


def _join_repair(text: Text, node: exp.Column, scope: Scope, table: Table) -> Iterator[Repair]:
    """Yield the repair that joins a table by the one declared key between it and what the query reads.

    Nothing is yielded where this could change the result in other ways: a join that repeats rows under an aggregate, or
    a star that would show more columns.
    """
    query = scope.query
    links = [(s, *link) for s in scope.sources if s.table for link in _keys_between(s.table, table)]
    here = any(s.table == table for s in scope.sources)
    if here or len(links) != 1 or not isinstance(query, exp.Select) or not _has(table, node.name):
        return
    source, key, many = links[0]
    counts = query.find(exp.AggFunc) is not None
    elsewhere = node.table and scope.source(node.table) is not None  # the qualifier names a source without the column
    if (many and (counts or elsewhere)) or any(shown.is_star for shown in query.selects):
        return
    start = (place_of(sources_of(query)[0]) or (0, 0))[0]
    select = spans.at(text.sql, text.dialect, start)
    if select is None:
        return
    place = spans.before(text.sql, text.dialect, select.after("from"))
    joined = _join_text(text, source, table, key, many)
    qualified = tuple(_needed_qualifiers(query, source, table, text))
    if elsewhere:
        qualified += (replaced(text, node.args["table"], table.name),)
    cost = CHANGE + FARTHER if elsewhere else CHANGE
    yield Repair((Edit(place, place, joined), *qualified), cost, f"{node.name} by{joined}")


def _has(table: Table, column: str) -> bool:
    return fold(column) in (fold(c.name) for c in table.columns)


def _keys_between(table: Table, other: Table) -> Iterator[tuple[ForeignKey, bool]]:
    """Yield the declared keys between two tables, with True where one row of the first meets many of the other."""
    yield from ((key, False) for key in table.foreign_keys if key.target == other.path and not key.guessed)
    yield from ((key, True) for key in other.foreign_keys if key.target == table.path and not key.guessed)


def _join_text(text: Text, source: Source, table: Table, key: ForeignKey, many: bool) -> str:
    """Return the JOIN of a table along a key; `many` says that the key is the joined table's."""
    mine, others = (key.target_columns, key.columns) if many else (key.columns, key.target_columns)
    equal = (
        equal_values(
            written_column(a, source.alias, text.dialect),
            written_column(b, table.name, text.dialect),
            read_as(type_of(source.table, a), type_of(table, b)),
            text.dialect,
        )
        for a, b in zip(mine, others, strict=True)
    )
    on = " AND ".join(condition.sql(dialect=text.dialect) for condition in equal)
    return f" JOIN {text.written(table.name)} ON {on}"


def _needed_qualifiers(query: exp.Select, source: Source, table: Table, text: Text) -> Iterator[Edit]:
    """Yield qualifiers for the columns that would be ambiguous after the join."""
    for column in query.find_all(exp.Column):
        if not column.table and source.has(column.name) and _has(table, column.name) and (span := place_of(column)):
            yield Edit(span[0], span[0], f"{text.written(source.alias)}.")
