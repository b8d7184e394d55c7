"""Write the clauses of a SELECT for a server: its columns, joins, conditions, groups and order."""

from __future__ import annotations

from askwhere.bindings.duckdb.kinds import TEXTS, Kinds
from askwhere.bindings.duckdb.pushable import Stays
from sqlglot import exp

_JOINS = frozenset({("", ""), ("", "INNER"), ("", "CROSS"), ("LEFT", ""), ("RIGHT", ""), ("FULL", "")})


class Clauses(Kinds):
    """One SELECT of a query, whose clauses are written for a server."""

    def query(self) -> None:
        """Check the kinds of all expressions, and rewrite those that the server writes in another way."""
        select = self._scope.expression
        if not isinstance(select, exp.Select):
            raise Stays(f"it has {type(select).__name__}")
        for one in select.expressions:
            one.meta["kind"] = self._kind(one.unalias())
        for join in select.args.get("joins") or ():
            if (join.side.upper(), join.kind.upper()) not in _JOINS:
                raise Stays(f"it joins by {join.side} {join.kind}")
            self._conditions(join.args.get("on"))
        self._conditions(*(part.this for name in ("where", "having") if (part := select.args.get(name))))
        for key in select.args["group"].expressions if select.args.get("group") else ():
            if isinstance(key, exp.Literal):
                raise Stays("it groups by a constant")
            self._one_zero(self._kind(key))
        if select.args.get("distinct"):
            for one in select.expressions:
                self._one_zero(one.meta["kind"])
                if one.meta["kind"] in TEXTS and self._server.equal:
                    raise Stays("it has DISTINCT texts, which are compared as they are delivered")
        for name in ("limit", "offset"):
            if (part := select.args.get(name)) and not _is_whole(part.expression):
                raise Stays(f"its {name} is no whole number")
        self._order(select)

    def _order(self, select: exp.Select) -> None:
        """Rewrite the keys of ORDER BY: PostgreSQL takes an alias there, but no expression over one."""
        shown = {one.alias: one for one in select.expressions if isinstance(one, exp.Alias)}
        for key in select.args["order"].expressions if select.args.get("order") else ():
            alias = isinstance(key.this, exp.Column) and not key.this.table
            if isinstance(key.this, exp.Literal) or (alias and key.this.name not in shown):
                raise Stays("it is in the order of a constant")
            if alias:
                one = shown[key.this.name]
                key.this.replace(one.unalias().copy())
            if (one.meta["kind"] if alias else self._kind(key.this)) == "text":
                if select.args.get("distinct"):
                    raise Stays("it has DISTINCT texts in order")
                self._ordered(key.this)
            key.set("nulls_first", bool(key.args.get("nulls_first")))


def _is_whole(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit()
