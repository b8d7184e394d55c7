"""Find the unknown names of a query, and what each may have been meant to be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from askwhere.rewrite.columns import unknown_column, unknown_in_using
from askwhere.rewrite.other_dialects import same_call
from askwhere.rewrite.repairs import (
    CHANGE,
    COMMON,
    FARTHER,
    OTHERS_OWN,
    Known,
    Repair,
    Text,
    Unknown,
    near,
    place_of,
    renamed,
    replaced,
)
from askwhere.rewrite.scopes import Scopes, ancestors, withs
from askwhere.sql import spans
from askwhere.sql.dialects import named
from askwhere.sql.identifiers import fold, unquote
from askwhere.sql.spans import Edit
from sqlglot import exp

_OWN = ("sqlite_", "askwhere_", "pragma_", "duckdb_", "pg_")
_OWN_SCHEMAS = frozenset({"information_schema", "pg_catalog"})


def unknown(text: Text) -> Unknown | None:
    """Return the first unknown name, of a table, else of a function, else of a column; None where all are known."""
    scopes = Scopes(text.tree, text.known.catalog, text.dialect)
    return next(_unknown(text, scopes), None)


def _unknown(text: Text, scopes: Scopes) -> Iterator[Unknown]:
    """Yield the unknown names of a query: tables, functions, columns of USING, then other columns."""
    tree = text.tree
    for table in _in_order(tree.find_all(exp.Table)):
        if isinstance(table.this, exp.Identifier) and _is_reserved(text, table):
            yield Unknown("table", table.name, (_quoted_repair(text, table),))
        elif isinstance(table.this, exp.Identifier) and _is_unknown_table(table, text.known, scopes):
            yield Unknown("table", table.name, _table_repairs(text, table))
    for call in _in_order(tree.find_all(exp.Func)):
        name = _function_name(text, call)
        if name and fold(name) not in text.known.functions and not fold(name).startswith("ask"):
            yield Unknown("function", name, _function_repairs(text, call, name))
    for join in tree.find_all(exp.Join):
        yield from unknown_in_using(text, join, scopes)
    for column in _inside_first(tree):
        scope = scopes.of(column)
        if scope is not None and isinstance(column.this, exp.Identifier):
            yield from unknown_column(text, column, scope)


def _in_order(nodes: Iterable[Any]) -> list[Any]:
    """Return the nodes that have a place in the text, in its order."""
    placed = [(place, node) for node in nodes if (place := place_of(node)) is not None]
    return [node for _, node in sorted(placed, key=lambda pair: pair[0])]


def _inside_first(tree: exp.Expr) -> list[exp.Column]:
    """Return the columns, those of inner queries first: names of an outer query may depend on them."""
    columns: list[exp.Column] = _in_order(tree.find_all(exp.Column))
    return sorted(columns, key=lambda column: -sum(isinstance(node, exp.Query) for node in ancestors(column)))


# Tables


def _is_unknown_table(node: exp.Table, known: Known, scopes: Scopes) -> bool:
    """Return whether a table does not exist. A table that exists but may not be read is no misspelling."""
    source = scopes.source(node)
    if source.columns is not None or source.table or scopes.cte(node) is not None:
        return False
    if fold(".".join(part.name for part in node.parts)) in known.tables or fold(node.name).startswith(_OWN):
        return False
    return not {fold(part.name) for part in node.parts} & _OWN_SCHEMAS and "start" in node.this.meta


def _is_reserved(text: Text, node: exp.Table) -> bool:
    """Return whether a table's name needs quotes and has none: the guard would quote it, but the user's text fails."""
    start, end = place_of(node) or (0, 0)
    return (
        text.sql[start:end].lower() in named(text.dialect).keywords and text.known.catalog.table(node.name) is not None
    )


def _quoted_repair(text: Text, node: exp.Table) -> Repair:
    """Return the repair that puts a table's name in quotes."""
    return Repair((replaced(text, node, node.name),), CHANGE, f"{node.name} → {text.written(node.name)}")


def _table_repairs(text: Text, node: exp.Table) -> tuple[Repair, ...]:
    """Return repairs of an unknown table's name."""
    catalog = text.known.catalog
    start, end = place_of(node) or (0, 0)
    if len(node.parts) > 1:
        old = text.sql[start:end]
        if catalog.table(node.name):  # the path's schema does not exist
            name = text.written(catalog.by_name[fold(node.name)].name)
            return (Repair((Edit(start, end, name),), CHANGE, f"{old} → {name}"),)
        paths = {".".join(t.path[-len(node.parts) :]): t.path[-len(node.parts) :] for t in catalog.tables}
        dotted = ".".join(part.name for part in node.parts)
        spellings = [(slips, ".".join(map(text.written, paths[name]))) for slips, name in near(dotted, paths)]
        return tuple(Repair((Edit(start, end, new),), slips, f"{old} → {new}") for slips, new in spellings)
    names = [*(cte.alias for with_ in withs(node) for cte in with_.expressions), *(t.name for t in catalog.tables)]
    return renamed(text, node.this, near(node.name, names))


# Functions


def _function_name(text: Text, call: exp.Func) -> str:
    """Return a call's function as the text names it; '' for what only the parser treats as a function."""
    if "start" not in call.meta:
        return ""
    name = text.sql[call.meta["start"] : call.meta["end"] + 1]
    called = text.sql[call.meta["end"] + 1 :].lstrip().startswith("(")
    return unquote(name) if called and fold(name) not in _SYNTAX else ""


# Words that look like calls but are syntax, which engines do not list among their functions.
_SYNTAX = frozenset(
    "all and in not or select cast try_cast extract coalesce nullif exists columns grouping interval values any some"
    " trim position overlay substring row struct map array if list filter over unpack raise match unnest".split()
)


def _function_repairs(text: Text, call: exp.Func, name: str) -> tuple[Repair, ...]:
    """Return repairs of an unknown function: what it means in another dialect, and functions of similar names."""
    start, end = call.meta["start"], call.meta["end"] + 1
    closed = spans.closing(text.sql, text.dialect, end)
    call_text = text.sql[start : max(closed, end)]
    translations = same_call(call_text, text.dialect) if closed > 0 else []
    repairs = [Repair((Edit(start, closed, new),), OTHERS_OWN, f"{call_text} → {new}") for new in translations]
    for slips, other in near(name, (f for f in text.known.callable if f[:1].isalpha())):
        new = other.upper() if name.isupper() else other
        cost = slips + (0 if other in COMMON else FARTHER)
        repairs.append(Repair((Edit(start, end, new),), cost, f"{name} → {new}"))
    return tuple(repairs)
