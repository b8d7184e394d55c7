"""Translate a checked query into a server's own SQL, if the server would return the same rows as DuckDB.

Only what is listed is translated: types of nodes (`pushable`), with operands of known kinds (`kinds`). For any other
query `NotPushable` is raised, and DuckDB runs it. The translation is parsed again, and may name only the query's own
tables.

Texts are compared and sorted by their bytes, NULLs come last, and results have DuckDB's types, as in DuckDB itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from askwhere.bindings.duckdb.kinds import CALLS, TEXTS, Kinds, path_of
from askwhere.bindings.duckdb.pushable import ARGUMENTS, NotPushable, Server, Target, check_parts
from askwhere.sql.parsing import statement
from sqlglot import exp
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope

_JOINS = frozenset({("", ""), ("", "INNER"), ("", "CROSS"), ("LEFT", ""), ("RIGHT", ""), ("FULL", "")})
_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)")

# The types of nodes that only a translation has.
_ADDED: Mapping[type[exp.Expr], str] = {
    exp.Collate: "this expression",
    exp.Div: "this expression typed safe",
    exp.TimeToStr: "this format",
    exp.DataTypeParam: "this",
    exp.DataType: "this nested expressions",
    exp.Anonymous: "this expressions",
}


def translated(sql: str, targets: Mapping[tuple[str, ...], Target], types: Sequence[str], server: Server) -> str:
    """Return a query in the server's SQL, its columns named c1, c2, …, given the types that it has in DuckDB.

    `sql` names each table by its full path; `targets` are the tables by their folded paths. Raise `NotPushable`.
    """
    parsed = statement(sql, "duckdb")
    check_parts(parsed)
    known: dict[str, Any] = {}
    for (catalog, schema, name), target in targets.items():
        known.setdefault(catalog, {}).setdefault(schema, {})[name] = dict.fromkeys(target.columns, "TEXT")
    tree = qualify(parsed, dialect="duckdb", schema=known)
    check_parts(tree)
    for scope in traverse_scope(tree):
        _Clauses(scope, targets, server).query()
    if not isinstance(tree, exp.Select) or len(tree.expressions) != len(types):
        raise NotPushable("its columns are not known")
    for place, (output, kind) in enumerate(zip(list(tree.expressions), types, strict=True), 1):
        cast = exp.Cast(
            this=output.unalias().copy(), to=exp.DataType.build(_type(kind, server), dialect=server.dialect)
        )
        output.replace(exp.alias_(cast, f"c{place}", quoted=True))
    for table in list(tree.find_all(exp.Table)):
        if table.args.get("db"):
            target = targets[path_of(table)]
            table.set("catalog", None)
            table.set("db", exp.to_identifier(target.schema, quoted=True))
            table.set("this", exp.to_identifier(target.name, quoted=True))
    text = tree.sql(server.dialect, identify=True)
    _confirm(text, targets.values(), server)
    return text


class _Clauses(Kinds):
    """One SELECT of a query, whose clauses are checked and rewritten for a server."""

    def query(self) -> None:
        """Check the kinds of all expressions, and rewrite expressions for the server. Raise `NotPushable`."""
        select = self._scope.expression
        if not isinstance(select, exp.Select):
            raise NotPushable(f"it has {type(select).__name__}")
        for output in select.expressions:
            output.meta["kind"] = self._kind(output.unalias())
        for join in select.args.get("joins") or ():
            if (join.side.upper(), join.kind.upper()) not in _JOINS:
                raise NotPushable(f"it joins by {join.side} {join.kind}")
            self._check_conditions(join.args.get("on"))
        self._check_conditions(*(part.this for name in ("where", "having") if (part := select.args.get(name))))
        for key in select.args["group"].expressions if select.args.get("group") else ():
            if isinstance(key, exp.Literal):
                raise NotPushable("it groups by a constant")
            self._refuse_floats(self._kind(key))
        if select.args.get("distinct"):
            for output in select.expressions:
                self._refuse_floats(output.meta["kind"])
                if output.meta["kind"] in TEXTS and self._server.equal:
                    raise NotPushable("it has DISTINCT texts, which are compared as they are delivered")
        for name in ("limit", "offset"):
            if (part := select.args.get(name)) and not _is_whole(part.expression):
                raise NotPushable(f"its {name} is no whole number")
        self._order(select)

    def _order(self, select: exp.Select) -> None:
        """Replace aliases in ORDER BY by their expressions: PostgreSQL takes no expression over an alias there."""
        shown = {output.alias: output for output in select.expressions if isinstance(output, exp.Alias)}
        for key in select.args["order"].expressions if select.args.get("order") else ():
            alias = isinstance(key.this, exp.Column) and not key.this.table
            if isinstance(key.this, exp.Literal) or (alias and key.this.name not in shown):
                raise NotPushable("it is in the order of a constant")
            if alias:
                output = shown[key.this.name]
                key.this.replace(output.unalias().copy())
            if (output.meta["kind"] if alias else self._kind(key.this)) == "text":
                if select.args.get("distinct"):
                    raise NotPushable("it has DISTINCT texts in order")
                self._sort_by_bytes(key.this)
            key.set("nulls_first", bool(key.args.get("nulls_first")))


def _is_whole(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit()


def _type(kind: str, server: Server) -> str:
    """Return the server's type that DuckDB reads as its type `kind`. Raise `NotPushable` where there is none."""
    if decimal := _DECIMAL.fullmatch(kind):
        return f"decimal({decimal[1]}, {decimal[2]})"
    if kind not in server.types:
        raise NotPushable(f"a column has the type {kind}")
    return server.types[kind]


def _confirm(text: str, targets: Iterable[Target], server: Server) -> None:
    """Parse a translated query. Raise `NotPushable` if it has unknown nodes, calls, or tables other than `targets`."""
    tree = statement(text, server.dialect)
    check_parts(tree, {**ARGUMENTS, **_ADDED})
    allowed = {(target.schema, target.name) for target in targets}
    ctes = {cte.alias for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        path = tuple(part.name for part in table.parts)
        if path not in allowed and not (len(path) == 1 and path[0] in ctes):
            raise NotPushable(f"{'.'.join(path)} is none of its tables")
    for call in tree.find_all(exp.Anonymous):
        if call.name.lower() not in CALLS:
            raise NotPushable(f"it calls {call.name}")
