"""Find the views and generated columns of DuckDB whose own calls could make a value that is too large.

Any query that reads one runs these calls, which cannot be interrupted. So definitions are estimated as queries are
(`askwhere.guard.sizes`), each with the views, generated columns and macros that it names.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from askwhere.engine import Column, Table
from askwhere.errors import Refused
from askwhere.guard.estimates import CELL, Relation, Scope, Value, Work, largest, stored
from askwhere.guard.expression_sizes import estimate_value
from askwhere.guard.functions import DUCKDB_SHORT
from askwhere.guard.sizes import estimate_query
from askwhere.guard.tree import as_calls, nodes
from askwhere.sql.identifiers import fold, fold_path, unquote
from askwhere.sql.lexer import names, tokens

Path = tuple[str, ...]
# Words that may stand before a parenthesis and call nothing.
_KEYWORDS = frozenset(
    """
all and any as between by case distinct else except exists filter from in intersect join not on or order over select
some then union using values when where with
""".split()
)
_QUERYING = frozenset({"query", "query_table"})  # functions whose argument names a query or table
_REASON = "could make a value that is too large"
_UNCHECKED = "its definition cannot be checked"


def too_large(
    tables: Iterable[Table],
    macros: Mapping[str, str],
    tree: Callable[[str], str],
    lengths: Callable[[Table, Sequence[Column]], Mapping[str, float]],
) -> dict[tuple[Path, str], str]:
    """Return the views, by (path, ''), and generated columns, by (path, name), that could make too large a value.

    The value of each is the reason. `macros` are the texts of macros by name. `tree` returns DuckDB's syntax tree of a
    SELECT as JSON; `lengths` returns the bytes of the longest value of columns, by folded name, where they are known.
    """
    own = [t for t in tables if not t.source]
    texts = [((t.path, ""), t.name, t.definition) for t in own if t.kind == "view"]
    texts += [((t.path, c.name), t.name, c.computed) for t in own for c in t.columns if c.computed]
    growing = _growing([*((name, text) for _, name, text in texts), *macros.items()])
    if not growing:
        return {}
    sizes = _Sizes(own, growing, {fold(name): text for name, text in macros.items()}, tree, lengths)
    suspects = [table for table in own if fold(table.name) in growing]
    return {key: f"{_REASON} ({why})" for table in suspects for key, why in sizes.reasons(table)}


def _growing(texts: Iterable[tuple[str, str]]) -> set[str]:
    """Return the folded names of the definitions that may make a value longer than what they read, also indirectly."""
    named = [(fold(name), names(text, "duckdb"), _may_grow(text)) for name, text in texts]
    growing = {name for name, _, grows in named if grows}
    while more := {name for name, inside, _ in named if name not in growing and not growing.isdisjoint(inside)}:
        growing |= more
    return growing


def _may_grow(text: str) -> bool:
    """Return whether a definition may make a value longer than what it reads."""
    lexed = tokens(text, "duckdb")
    called = {fold(unquote(token.text)) for token, after in pairwise(lexed) if after.text == "("}
    named = {token.text for token in lexed if token.kind == "sign"}
    return not named.isdisjoint("|[") or not {name for name in called if name[:1].isalpha()} <= DUCKDB_SHORT | _KEYWORDS


class _Sizes:
    """The estimates of some definitions, each made when it is first needed."""

    def __init__(
        self,
        tables: Iterable[Table],
        growing: Collection[str],
        macros: Mapping[str, str],
        tree: Callable[[str], str],
        lengths: Callable[[Table, Sequence[Column]], Mapping[str, float]],
    ) -> None:
        self._by_name: dict[str, list[Table]] = defaultdict(list)
        for table in tables:
            self._by_name[fold(table.name)].append(table)
        self._growing, self._macros, self._tree, self._lengths = growing, macros, tree, lengths
        self._known: dict[Path, tuple[Relation, Mapping[str, str]]] = {}
        self._results: dict[str, Value] = {}

    def reasons(self, table: Table) -> Iterator[tuple[tuple[Path, str], str]]:
        """Yield ((path, name), reason) for each generated column that could be too large; for a view, name is ''."""
        _, reasons = self._estimate(table)
        yield from (((table.path, column), why) for column, why in reasons.items())

    def relation(self, path: Path) -> Relation:
        """Return the estimate of the table at a path; where the path may name several, the largest estimate.

        Raise `Refused` for a view that could make too large a value.
        """
        named = [t for t in self._by_name.get(path[-1], ()) if _is_named(fold_path(t.path), path)]
        found = [self._estimate(table) for table in named]
        for _, reasons in found:
            if "" in reasons:
                raise Refused(reasons[""])
        unknown = Relation(path[-1], (("", Value(CELL)),))  # a file, or a table of an attached SQLite database, say
        return max((relation for relation, _ in found), key=lambda relation: relation.row.size, default=unknown)

    def result(self, name: str, arguments: Sequence[Value]) -> Value | None:
        """Return the bounds of a macro's result; None for other functions, and for macros that make no value longer.

        Raise `Refused` where the macro could make too large a value.
        """
        if name not in self._growing or name not in self._macros:
            return None
        if name not in self._results:
            self._results[name] = Value(CELL)  # ends the recursion of a macro that names itself, an error in DuckDB
            body = self._macros[name]
            is_table = body.lstrip("( ").lower().startswith(("select", "with", "from", "values"))
            parameters = Relation("", (("", Value(CELL)),))
            columns = self._query(body if is_table else f"SELECT {body}", parameters).columns
            self._results[name] = largest(value for _, value in columns)
        result, given = self._results[name], largest(arguments)
        return replace(result, size=result.size * max(1.0, given.size / CELL))

    def _estimate(self, table: Table) -> tuple[Relation, Mapping[str, str]]:
        """Return (estimate of a table, reasons), as `_view` or `_generated` does; no reasons for any other table."""
        if table.path not in self._known:
            longest = self._lengths(table, table.columns) if table.kind == "table" and table.columns else {}
            columns = tuple((fold(c.name), stored(c.type, longest.get(fold(c.name), CELL))) for c in table.columns)
            # This ends the recursion of a view that names itself, an error in DuckDB.
            self._known[table.path] = (Relation(fold(table.name), columns), {})
            if fold(table.name) in self._growing:
                self._known[table.path] = self._view(table) if table.kind == "view" else self._generated(table)
        return self._known[table.path]

    def _view(self, view: Table) -> tuple[Relation, Mapping[str, str]]:
        """Return (estimate of a view, reasons): by '', why the view could make too large a value, if it could."""
        declared, _ = self._known[view.path]
        lexed = tokens(view.definition, "duckdb")
        start = next((token.end for token in lexed if token.word == "as"), 0)
        try:
            query = self._query(view.definition[start:])
        except Refused as refused:
            return declared, {"": str(refused)}
        values = [value for _, value in query.columns]
        if len(values) != len(declared.columns):  # how many columns a star stands for is an estimate
            values = [largest(values)] * len(declared.columns)
        named = zip((name for name, _ in declared.columns), values, strict=True)
        return replace(declared, columns=tuple(named)), {}

    def _generated(self, table: Table) -> tuple[Relation, Mapping[str, str]]:
        """Return (estimate of a table, reasons): by name, why a generated column could make too large a value."""
        relation, reasons = self._known[table.path][0], {}
        waiting = {fold(c.name): (c.name, c.computed) for c in table.columns if c.computed}
        reads = {name: names(text, "duckdb") - {name} for name, (_, text) in waiting.items()}
        while waiting:
            ready = [name for name in waiting if reads[name].isdisjoint(waiting)] or [*waiting]
            for name in ready:
                column, text = waiting.pop(name)
                try:
                    value = largest(v for _, v in self._query(f"SELECT ({text})", relation).columns)
                except Refused as refused:
                    reasons[column], value = str(refused), Value(math.inf)
                columns = tuple((other, value if other == name else v) for other, v in relation.columns)
                relation = replace(relation, columns=columns)
        return relation, reasons

    def _query(self, sql: str, *outer: Relation) -> Relation:
        """Return the estimate of a query, which may name the columns of `outer`.

        Raise `Refused` where it could make too large a value, or cannot be checked.
        """
        try:
            answer = json.loads(self._tree(sql))
            (statement,) = answer["statements"]
            as_calls(statement["node"])
            if not _QUERYING.isdisjoint(fold(n.get("function_name") or "") for n in nodes(statement["node"])):
                raise ValueError("a query in a text")
            scope = Scope(
                _Tables(self),
                Work(most_joins=math.inf),
                estimate_query,
                estimate_value,
                relations=outer,
                macros=self.result,
            )
            return estimate_query(statement["node"], scope)
        except (AttributeError, LookupError, TypeError, ValueError, RecursionError):
            raise Refused(_UNCHECKED) from None


def _is_named(path: Path, by: Path) -> bool:
    """Return whether a statement may name a table by a path: its end, or its database and name without a schema."""
    return path[-len(by) :] == by or (len(by) == 2 and (path[0], path[-1]) == by)


class _Tables(Mapping[Path, Relation]):
    """The estimates of tables, by any path that may name one in a statement; made when they are read."""

    def __init__(self, sizes: _Sizes) -> None:
        self._sizes = sizes

    def __getitem__(self, path: Path) -> Relation:
        return self._sizes.relation(path)

    def __iter__(self) -> Iterator[Path]:
        return iter(())

    def __len__(self) -> int:
        return 0
