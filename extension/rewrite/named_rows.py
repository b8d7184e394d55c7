"""Show names in place of keys that a question does not ask for, and in place of all columns of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, count

from askwhere.engine import Column, Table
from askwhere.frozen import frozen
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.key_names import called_a_key, read_as, type_of
from askwhere.reader.schema.naming import name_columns
from askwhere.reader.words.names import full_stems, name_stems
from askwhere.reader.words.tokens import stem
from askwhere.rewrite.context import MendingContext
from askwhere.rewrite.joining import ends_of_keys
from askwhere.rewrite.scopes import Scopes, Source, equated, sources_of
from askwhere.rewrite.writing import column, equal_values, identifier, read
from askwhere.sql.identifiers import fold
from sqlglot import exp

# Words of a question that ask for keys, and words that ask for all columns.
_KEYS = re.compile(r"(?i)\b(ids?|identif\w+|codes?|keys?|ref(erence)?s?|(numbers?|nos?)(?! of\b))\b|#")
_ALL = re.compile(r"(?i)\b(all|every\w*|details?|info\w*|records?|rows?|columns?|fields?|data|attributes?|profiles?)\b")
# Queries with more outputs are left as they are: each output is compared with each join.
MOST_OUTPUTS = 100
_NAMES = frozenset(map(stem, ("name", "title")))


def with_names(tree: exp.Expr, context: MendingContext) -> bool:
    """Replace outputs that are keys, or all columns of a table, by the columns that name its rows; return whether any.

    Only outputs of the outermost SELECT are replaced. They stay where the question asks for keys or for all columns,
    and where the table has no column of names.
    """
    if not isinstance(tree, exp.Select) or len(tree.selects) > MOST_OUTPUTS or _by_position(tree):
        return False
    scopes = Scopes(tree, context.catalog, context.dialect)
    whole = [type(shown) for shown in tree.selects] == [exp.Star]
    before = tree.selects
    outputs = _names_of_table if whole else _outputs_with_names
    tree.set("expressions", outputs(tree, scopes, context))
    return tree.selects != before


def _by_position(tree: exp.Select) -> bool:
    """Return whether a query orders or groups by the position of an output, which another output may change."""
    clauses = [tree.args.get(name) for name in ("order", "group")]
    keys = [key for clause in clauses if clause for key in clause.expressions]
    return any(isinstance(key.this if isinstance(key, exp.Ordered) else key, exp.Literal) for key in keys)


def _names_of_table(tree: exp.Select, scopes: Scopes, context: MendingContext) -> list[exp.Expr]:
    """Return the columns that name the rows of the only table in FROM; else the query's outputs as they are."""
    sources = [scopes.source(node) for node in sources_of(tree)]
    table = sources[0].table if len(sources) == 1 else None
    names = _names(table) if table is not None and not _ALL.search(context.question) else ()
    if not all(_NAMES & {*full_stems(name.name)} for name in names):
        return tree.selects  # a label, say, does not name the rows
    return [column(name.name, sources[0].alias, context.dialect) for name in names] or tree.selects


def _names(table: Table) -> tuple[Column, ...]:
    """Return the columns that name a table's rows; none where only keys do."""
    names = name_columns(table)
    keys = {*table.primary_key, *(c for key in table.foreign_keys for c in key.columns)}
    return () if {c.name for c in names} & keys else names


@frozen
class _Key:
    """An output that is a key: its column and source, and the table (`thing`) and column that the key refers to."""

    output: exp.Expr
    column: exp.Column
    source: Source
    thing: Table
    identifier: str


def _outputs_with_names(tree: exp.Select, scopes: Scopes, context: MendingContext) -> list[exp.Expr]:
    """Return the outputs of a query with names in place of keys, and join the tables that have the names."""
    keys = {id(key.output): key for key in _keys(tree, scopes, context.catalog) if not _asks_for(key, context.question)}
    if not keys:
        return tree.selects
    for node, source in [(node, scopes.source_of(node)) for node in tree.find_all(exp.Column)]:
        if source is not None and not node.table:  # a table that is joined may have columns of the same names
            node.set("table", identifier(source.alias, context.dialect))
    shown = {output.sql() for output in tree.selects}
    new: list[exp.Expr] = []
    for output in tree.selects:
        key = keys.get(id(output))
        names = _named(key, tree, scopes, context) if key is not None else []
        if not names or any(name.sql() in shown for name in names):
            new.append(output)
        elif output.alias and len(names) == 1:
            new.append(exp.alias_(names[0], identifier(output.alias, context.dialect)))
        else:
            new += names
    return new


def _keys(tree: exp.Select, scopes: Scopes, catalog: Catalog) -> Iterator[_Key]:
    """Yield the outputs that are keys of a table with names, except those whose alias another clause uses."""
    ends = ends_of_keys(catalog)
    group = tree.args.get("group")
    grouped = {part.sql() for part in group.expressions} if group is not None else set()
    aggregated = any(output.find(exp.AggFunc) for output in tree.selects)
    referred = {fold(node.name) for node in tree.find_all(exp.Column) if not node.table}
    for output in tree.selects:
        node = output.unalias()
        source = scopes.source_of(node) if isinstance(node, exp.Column) else None
        if not isinstance(node, exp.Column) or source is None or source.table is None:
            continue
        path, name = ends.get((source.table.path, fold(node.name)), ((), ""))
        thing = catalog.by_path.get(path)
        alone = node.sql() in grouped if grouped else not aggregated
        if thing is not None and _names(thing) and alone and fold(output.alias) not in referred:
            yield _Key(output, node, source, thing, name)


def _asks_for(key: _Key, question: str) -> bool:
    """Return whether a question asks for the key itself, by a word such as "number" or by the name of its column."""
    if called_a_key(key.column.name):
        return _KEYS.search(question) is not None
    own = frozenset(name_stems(key.column.name)) - frozenset(name_stems(key.thing.name))
    return not own.isdisjoint(map(stem, re.findall(r"\w+", question)))


def _named(key: _Key, tree: exp.Select, scopes: Scopes, context: MendingContext) -> list[exp.Expr]:
    """Return the columns that name the rows which a key identifies; join their table to the query if needed."""
    alias = key.source.alias
    if (key.source.table, fold(key.column.name)) != (key.thing, key.identifier):
        alias = _equated(key, tree, scopes) or _joined(key, tree, context)
    names: list[exp.Expr] = [column(name.name, alias, context.dialect) for name in _names(key.thing)]
    group = tree.args.get("group")
    if group is not None:
        group.set("expressions", [*group.expressions, *(name.copy() for name in names)])
    return names


def _equated(key: _Key, tree: exp.Select, scopes: Scopes) -> str:
    """Return the alias of a source that a join already equates with the key; '' where there is none."""
    for join in tree.args.get("joins") or ():
        for equation in join.find_all(exp.EQ):
            others = [side for side in equated(equation) if side != key.column]
            source = scopes.source_of(others[0]) if len(others) == 1 else None
            if source is not None and (source.table, fold(others[0].name)) == (key.thing, key.identifier):
                return source.alias
    return ""


def _joined(key: _Key, tree: exp.Select, context: MendingContext) -> str:
    """Join the table that a key refers to by a LEFT JOIN, which keeps rows whose key is NULL; return its alias."""
    taken = {fold(node.alias_or_name) for node in sources_of(tree)}
    name = key.thing.name
    alias = next(a for a in chain([name], (f"{name}_{n}" for n in count(2))) if fold(a) not in taken)
    own = next(c.name for c in key.thing.columns if fold(c.name) == key.identifier)
    types = read_as(type_of(key.thing, own), type_of(key.source.table, key.column.name))
    on = equal_values(column(own, alias, context.dialect), key.column.copy(), types, context.dialect)
    tree.append(
        "joins", exp.Join(this=read(key.thing.path, alias, context.catalog, context.dialect), side="LEFT", on=on)
    )
    return alias
