"""Find the unknown names of a query, and what each may have been meant to be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from askwhere import guard
from askwhere.engine import Engine, ForeignKey, Table
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.scopes import Scope, Scopes, Source, sources_of, withs
from askwhere.rewrite.dialects import same_call
from askwhere.sql import spans
from askwhere.sql.dialects import KNOWN, named
from askwhere.sql.identifiers import fold, quote, unquote
from askwhere.sql.literals import quoted
from askwhere.sql.spans import Edit
from rapidfuzz.distance import OSA
from sqlglot import exp

# A misspelling may have one typing slip in every four letters, and one in a shorter name of at least two letters.
LETTERS_A_SLIP = 4
# A change of the query's shape costs as much as one slip: where both are possible, neither is chosen.
CHANGE = 1.0
# Added for a name of an enclosing scope, and for a function that only this engine has.
FARTHER = 0.5
# The cost of translating a function that another database has: it was hardly misspelt.
OTHERS_OWN = 0.5
# The cost of taking a name for a source with an unlike name: a last resort.
UNLIKE = 4.0
ALTERNATIVES = 8
# Longer names are not compared: the time is the product of the lengths.
MOST_LETTERS = 200

_COMMON = frozenset.intersection(*map(guard.harmless, KNOWN))
_ROW = frozenset({"rowid", "oid", "_rowid_"})
_OWN = ("sqlite_", "askwhere_", "pragma_", "duckdb_", "pg_")
_OWN_SCHEMAS = frozenset({"information_schema", "pg_catalog"})


@dataclass(frozen=True)
class Repair:
    """One way to change a text: `cost` counts typing slips, `description` is the change in words."""

    edits: tuple[Edit, ...]
    cost: float
    description: str


@dataclass(frozen=True)
class Known:
    """The names that a query may use: the catalog's, every table of the database, and functions.

    `tables` are folded, and in each way to write their paths; `functions` are all that the engine has.
    """

    catalog: Catalog
    dialect: str
    tables: frozenset[str]
    functions: frozenset[str]

    @classmethod
    def of(cls, engine: Engine, catalog: Catalog) -> Known:
        """Return the names that a query may use in a database."""
        tables = {fold(".".join(path)) for t in engine.tables() for path in _ways(t.path)}
        return cls(catalog, engine.dialect, frozenset(tables), engine.functions())

    @property
    def callable(self) -> frozenset[str]:
        """Return the functions that a query may call."""
        allowed = frozenset(fold(f) for f in self.catalog.grant.functions)
        return (guard.harmless(self.dialect) & self.functions) | allowed


def _ways(path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the ways to write a table's path."""
    yield from (path[i:] for i in range(len(path)))
    yield (path[0], path[-1])


@dataclass(frozen=True)
class Text:
    """A query as text and as a tree, with the names that it may use."""

    sql: str
    tree: exp.Expr
    known: Known

    @property
    def dialect(self) -> str:
        """Return sqlglot's name of the dialect."""
        return self.known.dialect

    def written(self, name: str, like: str = "") -> str:
        """Return a name as SQL writes it: quoted where it must be, or where the name in its place (`like`) was."""
        return quote(name) if like[:1] in ('"', "`", "[") else named(self.dialect).written(name)


@dataclass(frozen=True)
class Unknown:
    """An unknown name of a query, with the repairs that it may need, nearest first.

    `kind` is 'table', 'function', 'column' or 'ambiguous'.
    """

    kind: str
    name: str
    repairs: tuple[Repair, ...]


def unknown(text: Text) -> Unknown | None:
    """Return the first unknown name, of a table, else of a function, else of a column; None where all are known."""
    scopes = Scopes(text.tree, text.known.catalog, text.dialect)
    return next(_unknown(text, scopes), None)


def near(word: str, names: Iterable[str]) -> list[tuple[int, str]]:
    """Return the names that `word` may be a misspelling of, with the number of slips, fewest first.

    A slip is a letter too many, missing or wrong, or two letters swapped (optimal string alignment distance).

    >>> near("nmae", ["name", "names", "age"])
    [(1, 'name'), (2, 'names')]
    """
    found: dict[str, tuple[int, str]] = {}
    for name in names if len(word) <= MOST_LETTERS else ():
        if len(name) > MOST_LETTERS:
            continue
        longest = max(len(word), len(name))
        most = max(1, longest // LETTERS_A_SLIP)
        slips = OSA.distance(fold(word), fold(name), score_cutoff=most)
        if slips <= most and longest > 1:
            found.setdefault(fold(name), (slips, name))
    return sorted(found.values())[:ALTERNATIVES]


def _unknown(text: Text, scopes: Scopes) -> Iterator[Unknown]:
    """Yield the unknown names of a query: tables, functions, columns of USING, then other columns."""
    tree = text.tree
    for table in _in_order(tree.find_all(exp.Table)):
        if isinstance(table.this, exp.Identifier) and _is_reserved(text, table):
            yield Unknown("table", table.name, (_in_quotes(text, table),))
        elif isinstance(table.this, exp.Identifier) and _is_unknown_table(table, text.known, scopes):
            yield Unknown("table", table.name, _tables(text, table))
    for call in _in_order(tree.find_all(exp.Func)):
        name = _function_name(text, call)
        if name and fold(name) not in text.known.functions and not fold(name).startswith("ask"):
            yield Unknown("function", name, _functions(text, call, name))
    for join in tree.find_all(exp.Join):
        yield from _merging(text, join, scopes)
    for column in _inside_first(tree):
        scope = scopes.of(column)
        if scope is not None and isinstance(column.this, exp.Identifier):
            yield from _column(text, column, scope)


def _in_order(nodes: Iterable[Any]) -> list[Any]:
    """Return the nodes that have a place in the text, in its order."""
    placed = [(place, node) for node in nodes if (place := _span(node)) is not None]
    return [node for _, node in sorted(placed, key=lambda pair: pair[0])]


def _inside_first(tree: exp.Expr) -> list[exp.Column]:
    """Return the columns, those of inner queries first: names of an outer query may depend on them."""
    columns = [(c, sum(isinstance(a, exp.Query) for a in _ancestors(c))) for c in _in_order(tree.find_all(exp.Column))]
    return [column for column, _ in sorted(columns, key=lambda pair: -pair[1])]


def _ancestors(node: exp.Expr) -> Iterator[exp.Expr]:
    while node.parent is not None:
        node = node.parent
        yield node


def _span(node: exp.Expr) -> tuple[int, int] | None:
    """Return where a name stands, with its qualifiers; None where that is not known."""
    parts = node.parts if isinstance(node, (exp.Table, exp.Column)) else [node]
    if not all("start" in part.meta for part in parts):
        return None
    return min(part.meta["start"] for part in parts), max(part.meta["end"] for part in parts) + 1


def _replaced(text: Text, node: exp.Expr, name: str) -> Edit:
    """Return the edit that puts a name in a node's place."""
    start, end = _span(node) or (0, 0)
    return Edit(start, end, text.written(name, text.sql[start:end]))


# Tables


def _is_unknown_table(node: exp.Table, known: Known, scopes: Scopes) -> bool:
    """Return whether a table does not exist at all; one that exists and may not be read is no misspelling."""
    source = scopes.source(node)
    if source.columns is not None or source.table or scopes.cte(node) is not None:
        return False
    if fold(".".join(part.name for part in node.parts)) in known.tables or fold(node.name).startswith(_OWN):
        return False
    return not {fold(part.name) for part in node.parts} & _OWN_SCHEMAS and "start" in node.this.meta


def _is_reserved(text: Text, node: exp.Table) -> bool:
    """Return whether a table's name needs quotes and has none: the guard would quote it, but the user's text fails."""
    start, end = _span(node) or (0, 0)
    return (
        text.sql[start:end].lower() in named(text.dialect).keywords and text.known.catalog.table(node.name) is not None
    )


def _in_quotes(text: Text, node: exp.Table) -> Repair:
    """Return the repair that puts a table's name in quotes."""
    return Repair((_replaced(text, node, node.name),), CHANGE, f"{node.name} → {text.written(node.name)}")


def _tables(text: Text, node: exp.Table) -> tuple[Repair, ...]:
    """Return repairs of an unknown table's name."""
    catalog = text.known.catalog
    start, end = _span(node) or (0, 0)
    if len(node.parts) > 1:
        old = text.sql[start:end]
        if catalog.table(node.name):  # the path's schema does not exist
            name = text.written(catalog.by_name[fold(node.name)].name)
            return (Repair((Edit(start, end, name),), CHANGE, f"{old} → {name}"),)
        paths = {".".join(t.path[-len(node.parts) :]): t.path[-len(node.parts) :] for t in catalog.tables}
        dotted = ".".join(part.name for part in node.parts)
        found = [(slips, ".".join(map(text.written, paths[name]))) for slips, name in near(dotted, paths)]
        return tuple(Repair((Edit(start, end, new),), slips, f"{old} → {new}") for slips, new in found)
    names = [*(cte.alias for with_ in withs(node) for cte in with_.expressions), *(t.name for t in catalog.tables)]
    return _renamed(text, node.this, near(node.name, names))


def _renamed(text: Text, node: exp.Expr, found: Iterable[tuple[float, str]]) -> tuple[Repair, ...]:
    """Return repairs that replace a name by others, each given with its cost."""
    edits = ((cost, name, _replaced(text, node, name)) for cost, name in found)
    return tuple(Repair((edit,), cost, f"{node.name} → {name}") for cost, name, edit in edits)


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


def _functions(text: Text, call: exp.Func, name: str) -> tuple[Repair, ...]:
    """Return repairs of an unknown function: what it means in another dialect, and functions of similar names."""
    start, end = call.meta["start"], call.meta["end"] + 1
    closed = spans.closing(text.sql, text.dialect, end)
    call_text = text.sql[start : max(closed, end)]
    news = same_call(call_text, text.dialect) if closed > 0 else []
    found = [Repair((Edit(start, closed, new),), OTHERS_OWN, f"{call_text} → {new}") for new in news]
    for slips, other in near(name, (f for f in text.known.callable if f[:1].isalpha())):
        new = other.upper() if name.isupper() else other
        cost = slips + (0 if other in _COMMON else FARTHER)
        found.append(Repair((Edit(start, end, new),), cost, f"{name} → {new}"))
    return tuple(found)


# Columns


def _column(text: Text, node: exp.Column, scope: Scope) -> Iterator[Unknown]:
    """Yield an unqualified column that is unknown or ambiguous."""
    if fold(node.name) in _ROW:
        return
    if node.table:
        yield from _qualified(text, node, scope)
        return
    for around in scope.around():
        having = around.having(node.name)
        if len(having) > 1 and not _may_be_output(node, scope) and fold(node.name) not in around.merged:
            yield Unknown("ambiguous", node.name, _qualifying(text, node, having, around))
        if having or around.may_have(node.name):
            return
    if _is_output(node, scope) or _is_bare_call(node, text):
        return
    yield Unknown("column", node.name, _columns(text, node, scope))


def _qualified(text: Text, node: exp.Column, scope: Scope) -> Iterator[Unknown]:
    """Yield a qualified column that its source lacks, or whose qualifier is no source."""
    if len(node.parts) > 2:
        return  # with the table's schema, or a field of a record
    source = scope.source(node.table)
    if source is None:
        if any(around.having(node.table) for around in scope.around()):
            return  # a field of a column that is a record
        yield Unknown("table", node.table, _sources(text, node, scope))
    elif source.columns is not None and not source.has(node.name) and not _hides(text, source, node.name):
        here = _renamed(text, node.this, near(node.name, source.columns))
        others = [s for s in scope.having(node.name) if s is not source]
        moved = [_moved(text, node, other) for other in others]
        yield Unknown("column", f"{node.table}.{node.name}", (*here, *moved, *_brought(text, node, scope)))


def _hides(text: Text, source: Source, column: str) -> bool:
    """Return whether a source has a column that is hidden: it is not repaired, so that nothing is revealed."""
    hidden = {(path, fold(name)) for path, name in text.known.catalog.grant.hidden}
    return source.table is not None and (source.table.path, fold(column)) in hidden


def _moved(text: Text, node: exp.Column, source: Source) -> Repair:
    """Return the repair that qualifies a column with another source."""
    edit = _replaced(text, node.args["table"], source.alias)
    return Repair((edit,), CHANGE, f"{node.table}.{node.name} → {source.alias}.{node.name}")


def _sources(text: Text, node: exp.Column, scope: Scope) -> tuple[Repair, ...]:
    """Return repairs of a qualifier that names no source."""
    place = node.args["table"]
    here = [s for around in scope.around() for s in around.sources if s.alias]
    aliased = [s for s in here if s.table and fold(s.table.name) == fold(node.table)]
    if aliased:  # the table's own name, which its alias hides
        return tuple(_moved(text, node, s) for s in aliased)
    found = list(_renamed(text, place, near(node.table, [s.alias for s in here])))
    table = text.known.catalog.table(node.table)
    if table is not None:
        return (*found, *_joined(text, node, scope, table))
    changed = {repair.edits for repair in found}
    alone = [s for s in here if s.has(node.name) and (_replaced(text, place, s.alias),) not in changed]
    found += [Repair((_replaced(text, place, s.alias),), UNLIKE, f"{node.table} → {s.alias}") for s in alone]
    return (*found, *_definitions(text, node, here))


def _definitions(text: Text, node: exp.Column, here: Iterable[Source]) -> Iterator[Repair]:
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
            yield Repair((_replaced(text, named, node.table),), slips, f"{source.alias} → {node.table}")


def _columns(text: Text, node: exp.Column, scope: Scope) -> tuple[Repair, ...]:
    """Return repairs of an unqualified column that no source has."""
    if any(_hides(text, source, node.name) for around in scope.around() for source in around.sources):
        return ()
    here = [column for source in scope.sources for column in source.columns or ()]
    found: list[tuple[float, str]] = [*near(node.name, [*here, *_nameable(node, scope)])]
    known = {fold(name) for _, name in found}
    farther = [column for around in scope.around() for s in around.sources for column in s.columns or ()]
    found += [(slips + FARTHER, name) for slips, name in near(node.name, farther) if fold(name) not in known]
    repairs = [*_renamed(text, node.this, found), *_as_text(text, node), *_as_distinct(text, node)]
    return (*repairs, *_brought(text, node, scope))


def _nameable(node: exp.Column, scope: Scope) -> tuple[str, ...]:
    """Return the aliases of outputs that a clause after SELECT may use."""
    return () if _is_shown(node, scope) else scope.outputs


def _is_shown(node: exp.Column, scope: Scope) -> bool:
    """Return whether a column stands in the outputs of its query."""
    child: exp.Expr = node
    while child.parent is not None and child.parent is not scope.query:
        child = child.parent
    return child.arg_key == "expressions"


def _is_output(node: exp.Column, scope: Scope) -> bool:
    return scope.puts_out(node.name) and not _is_shown(node, scope)


def _may_be_output(node: exp.Column, scope: Scope) -> bool:
    return _is_output(node, scope) and node.find_ancestor(exp.Order, exp.Group, exp.Having) is not None


def _is_bare_call(node: exp.Column, text: Text) -> bool:
    return fold(node.name) in text.known.functions and not node.this.quoted and fold(node.name) not in _COMMON


def _as_text(text: Text, node: exp.Column) -> Iterator[Repair]:
    """Yield the repair that makes a text of a name in double quotes: some databases read it as one."""
    start, end = _span(node) or (0, 0)
    old = text.sql[start:end]
    shown = isinstance(node.parent, (exp.Select, exp.Ordered, exp.Group, exp.Alias, exp.Distinct))
    if old[:1] == '"' and not shown:
        new = quoted(unquote(old))
        yield Repair((Edit(start, end, new),), CHANGE, f"{old} → {new}")


def _as_distinct(text: Text, node: exp.Column) -> Iterator[Repair]:
    """Yield the repair of a misspelt DISTINCT, which the parser takes for a column with the next one as its alias."""
    if isinstance(node.parent, exp.Alias) and not node.this.quoted and (span := _span(node)):
        for slips, _ in near(node.name, ["distinct"]):
            yield Repair((Edit(*span, "DISTINCT"),), slips, f"{node.name} → DISTINCT")


def _qualifying(text: Text, node: exp.Column, having: Sequence[Source], scope: Scope) -> tuple[Repair, ...]:
    """Return repairs that qualify an ambiguous column; only the first source's where an inner join makes both equal."""
    place = (_span(node) or (0, 0))[0]
    equal = _equal(scope.query, node.name, having)
    return tuple(
        Repair(
            (Edit(place, place, f"{text.written(s.alias)}."),),
            CHANGE,
            f"{node.name} → {s.alias}.{node.name}",
        )
        for s in (having[:1] if equal else having)
        if s.alias
    )


def _equal(query: exp.Query, name: str, having: Sequence[Source]) -> bool:
    """Return whether two sources are joined on this very column, and by inner joins alone."""
    joins = query.args.get("joins") or ()
    if len(having) != 2 or any(j.side or j.kind not in ("", "INNER") for j in joins):
        return False
    if len({_type(source, name) for source in having}) > 1:
        return False
    expected = {(fold(source.alias), fold(name)) for source in having}
    on = [j.args["on"] for j in joins if j.args.get("on") is not None]
    conditions = (c for node in on for c in (node.flatten() if isinstance(node, exp.And) else [node]))
    return any(isinstance(c, exp.EQ) and {_named(c.left), _named(c.right)} == expected for c in conditions)


def _named(node: exp.Expr) -> tuple[str, str]:
    return (fold(node.table), fold(node.name)) if isinstance(node, exp.Column) else ("", "")


def _type(source: Source, name: str) -> str | None:
    columns = source.table.columns if source.table else ()
    return next((c.type.upper() for c in columns if fold(c.name) == fold(name)), None)


# Joins


def _merging(text: Text, join: exp.Join, scopes: Scopes) -> Iterator[Unknown]:
    """Yield the columns of USING that the joined source, or every other source, lacks."""
    scope, joined = scopes.of(join), scopes.source(join.this)
    others = [s for s in scope.sources if s is not joined] if scope and join.args.get("using") else []
    if scope is None or any(s.columns is None for s in others):
        return
    for name in join.args.get("using") or ():
        presence = (joined.has(name.name), any(s is not joined for s in scope.having(name.name)))
        for has, sources in zip(presence, ([joined], others), strict=True):
            columns = [] if has else [column for s in sources for column in s.columns or ()]
            if columns and "start" in name.meta:
                yield Unknown("column", name.name, _renamed(text, name, near(name.name, columns)))


def _brought(text: Text, node: exp.Column, scope: Scope) -> Iterator[Repair]:
    """Yield repairs that join a table which has the column."""
    for table in text.known.catalog.tables:
        if _has(table, node.name):
            yield from _joined(text, node, scope, table)


def _joined(text: Text, node: exp.Column, scope: Scope, table: Table) -> Iterator[Repair]:
    """Yield the repair that joins a table by the one declared key between it and what the query reads.

    Nothing is yielded where this could change the result in other ways: a join that repeats rows under an aggregate, or
    a star that would show more columns.
    """
    query = scope.query
    links = [(s, *link) for s in scope.sources if s.table for link in _links(s.table, table)]
    here = any(s.table == table for s in scope.sources)
    if here or len(links) != 1 or not isinstance(query, exp.Select) or not _has(table, node.name):
        return
    source, key, many = links[0]
    counts = query.find(exp.AggFunc) is not None
    elsewhere = node.table and scope.source(node.table) is not None  # the qualifier names a source without the column
    if (many and (counts or elsewhere)) or any(shown.is_star for shown in query.selects):
        return
    start = (_span(sources_of(query)[0]) or (0, 0))[0]
    select = spans.at(text.sql, text.dialect, start)
    if select is None:
        return
    place = spans.before(text.sql, text.dialect, select.after("from"))
    joined = _join_text(text, source, table, key, many)
    qualified = tuple(_own_qualifiers(query, source, table, text))
    if elsewhere:
        qualified += (_replaced(text, node.args["table"], table.name),)
    cost = CHANGE + FARTHER if elsewhere else CHANGE
    yield Repair((Edit(place, place, joined), *qualified), cost, f"{node.name} by{joined}")


def _has(table: Table, column: str) -> bool:
    return fold(column) in (fold(c.name) for c in table.columns)


def _links(one: Table, other: Table) -> Iterator[tuple[ForeignKey, bool]]:
    """Yield the declared keys between two tables, with True where one row of the first meets many of the other."""
    yield from ((key, False) for key in one.foreign_keys if key.target == other.path and not key.guessed)
    yield from ((key, True) for key in other.foreign_keys if key.target == one.path and not key.guessed)


def _join_text(text: Text, source: Source, table: Table, key: ForeignKey, many: bool) -> str:
    mine, others = (key.target_columns, key.columns) if many else (key.columns, key.target_columns)
    pairs = zip(mine, others, strict=True)
    alias, name = text.written(source.alias), text.written(table.name)
    on = " AND ".join(f"{alias}.{text.written(a)} = {name}.{text.written(b)}" for a, b in pairs)
    return f" JOIN {name} ON {on}"


def _own_qualifiers(query: exp.Select, source: Source, table: Table, text: Text) -> Iterator[Edit]:
    """Yield qualifiers for the columns that would be ambiguous after the join."""
    for column in query.find_all(exp.Column):
        if not column.table and source.has(column.name) and _has(table, column.name) and (span := _span(column)):
            yield Edit(span[0], span[0], f"{text.written(source.alias)}.")
