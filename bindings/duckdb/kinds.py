"""Infer the kind of each expression's values, and rewrite expressions that the server writes differently.

A kind is one of `exact` (integers and decimals), `double`, `text`, `name`, `date`, `timestamp`, `boolean` and `null`. A
`name` is a text that the server compares by its own collation; in a query of one table, DuckDB leaves that to it.
`_KIND_OF`, at the end, lists the types of expressions that are known. For any other, and for values of kinds that an
expression does not take, `NotPushable` is raised.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from askwhere.bindings.duckdb.pushable import EQUAL, EXTREMES, LOGIC, ORDERED, SUMS, NotPushable, Server, Target
from askwhere.sql.identifiers import fold
from sqlglot import exp
from sqlglot.optimizer.scope import Scope

CALLS = frozenset({"isfinite", "to_char"})  # functions that sqlglot does not know, and that are written here
_NUMBERS, _TIMES = frozenset({"exact", "double"}), frozenset({"date", "timestamp"})
TEXTS = frozenset({"text", "name"})
_NUMBER = re.compile(r"\d{1,18}(\.\d{1,9})?")
_DAY, _TIME = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?")
_PARTS = frozenset({"YEAR", "QUARTER", "MONTH", "DAY"})
_FORMS = {"%Y": "YYYY", "%Y-%m": "YYYY-MM", "%Y-%m-%d": "YYYY-MM-DD", "%m": "MM"}


class Kinds:
    """The expressions of one SELECT, in one scope, which are rewritten for a server."""

    def __init__(self, scope: Scope, targets: Mapping[tuple[str, ...], Target], server: Server) -> None:
        self._scope = scope
        self._server = server
        self._targets = targets

    @staticmethod
    def _refuse_floats(kind: str) -> None:
        """Raise `NotPushable` for floats: 0 and -0 are equal, so a group of both may show either."""
        if kind == "double":
            raise NotPushable("it groups by floats")

    def _check_conditions(self, *conditions: exp.Expr | None) -> None:
        """Raise `NotPushable` where a condition is no truth value."""
        for condition in conditions:
            if condition is not None and self._kind(condition) != "boolean":
                raise NotPushable("a condition is no truth value")

    def _kind(self, node: exp.Expr) -> str:
        """Return the kind of an expression's values. Raise `NotPushable` where the server may give other values.

        The methods of `_KIND_OF` do so for their types of nodes, and rewrite the node where the server writes it
        differently.
        """
        for classes, kind in _KIND_OF:
            if isinstance(node, classes):
                return kind(self, node)
        raise NotPushable(f"it has {type(node).__name__} as a value")

    def _column(self, node: exp.Expr) -> str:
        scope: Scope | None = self._scope
        while scope is not None and node.text("table") not in scope.sources:
            scope = scope.parent
        source = scope.sources[node.text("table")] if scope is not None else None
        if isinstance(source, exp.Table):
            target = self._targets.get(path_of(source))
            known = target.columns.get(fold(node.name)) if target else None
            if known is None or not known[1]:
                raise NotPushable(f"the column {node.name} has a type of its own")
            node.set("this", exp.to_identifier(known[0], quoted=True))
            return self._compare_by_bytes(node, known[1])
        if isinstance(source, Scope) and isinstance(source.expression, exp.Select):
            for output in source.expression.selects:
                if output.alias_or_name == node.name and "kind" in output.meta:
                    return self._compare_by_bytes(node, str(output.meta["kind"]))
        raise NotPushable(f"the column {node.name} is not known")

    def _compare_by_bytes(self, node: exp.Expr, kind: str) -> str:
        """Return the kind of an operand; add to a text the collation that compares bytes, where `Server.equal`."""
        if kind == "name" and len(self._scope.selected_sources) < 2:
            raise NotPushable("DuckDB lets the server compare texts by its own rules")
        if kind in TEXTS and self._server.equal and not isinstance(node.parent, exp.Collate):
            self._collate(node)
        return kind

    def _sort_by_bytes(self, node: exp.Expr) -> None:
        """Add the collation that sorts a text by its bytes, where `_compare_by_bytes` has not added it."""
        if not self._server.equal:
            self._collate(node)

    def _collate(self, node: exp.Expr) -> None:
        collation = exp.to_identifier(self._server.bytes, quoted=not self._server.equal)
        node.replace(exp.Collate(this=node.copy(), expression=collation))

    def _literal(self, node: exp.Expr) -> str:
        if isinstance(node, exp.Literal) and node.is_string:
            if "\\" in node.name or not node.name.isprintable():
                raise NotPushable("it has a text with a backslash or a control character")
            return self._compare_by_bytes(node, "text")
        if not _NUMBER.fullmatch(node.name):
            raise NotPushable(f"it has the number {node.name}")
        return "exact"

    def _common_kind(self, *nodes: exp.Expr) -> str:
        """Return the common kind of operands; cast a literal text beside dates. Raise `NotPushable` for none."""
        kinds = [self._kind(node) for node in nodes]
        distinct = {kind for kind in kinds if kind != "null"}
        if distinct <= _NUMBERS and distinct:
            return "double" if "double" in distinct else "exact"
        if distinct & _TIMES and distinct <= _TIMES | {"text"}:
            pattern = _DAY if "date" in distinct else _TIME
            for node, kind in zip(nodes, kinds, strict=True):
                if kind == "text":
                    if not (isinstance(node, exp.Literal) and pattern.fullmatch(node.name)):
                        raise NotPushable("it compares a text with a time")
                    node.replace(exp.cast(node.copy(), "date" if "date" in distinct else "timestamp"))
            return "timestamp" if "timestamp" in distinct else "date"
        if len(distinct) != 1 or "name" in distinct:
            raise NotPushable("it compares values of different kinds, or texts by rules")
        return distinct.pop()

    def _comparison(self, node: exp.Expr) -> str:
        sides = [node.args[name] for name in ("this", "expression", "low", "high") if node.args.get(name)]
        if self._common_kind(*sides) == "text" and not isinstance(node, EQUAL):
            self._sort_by_bytes(node.this)
        return "boolean"

    def _logic(self, node: exp.Expr) -> str:
        self._check_conditions(node.this, node.args.get("expression"))
        return "boolean"

    def _in(self, node: exp.Expr) -> str:
        if query := node.args.get("query"):
            inner = query.this if isinstance(query, exp.Subquery) else query
            if self._kind(node.this) != (kind := self._subquery_kind(inner)) or kind == "name":
                raise NotPushable("it compares values of different kinds, or texts by rules")
        else:
            self._common_kind(node.this, *node.expressions)
        return "boolean"

    def _subquery_kind(self, query: exp.Expr) -> str:
        """Return the kind of the only column of a query, which was checked before. Raise `NotPushable` for others."""
        if not isinstance(query, exp.Select) or len(query.expressions) != 1 or "kind" not in query.expressions[0].meta:
            raise NotPushable("it has a query as a value")
        return str(query.expressions[0].meta["kind"])

    def _is(self, node: exp.Expr) -> str:
        if not isinstance(node.expression, exp.Null):
            raise NotPushable("it has IS with a value")
        self._kind(node.this)
        return "boolean"

    def _like(self, node: exp.Expr) -> str:
        pattern = node.expression
        if not isinstance(pattern, exp.Literal) or self._common_kind(node.this, pattern) != "text":
            raise NotPushable("it has LIKE with a pattern that is computed")
        return "boolean"

    def _number(self, node: exp.Expr) -> str:
        kind = self._common_kind(*(side for side in (node.this, node.args.get("expression")) if side is not None))
        if kind not in _NUMBERS:
            raise NotPushable("it computes with what is no number")
        return kind

    def _average(self, node: exp.Expr) -> str:
        """Rewrite the average of exact numbers as sum / count: it is rounded once, to a float, as in DuckDB."""
        if self._number(node) == "exact":
            total = exp.cast(
                exp.Sum(this=node.this.copy()), exp.DataType.build(self._server.precise, dialect=self._server.dialect)
            )
            share = exp.Div(this=total, expression=exp.Count(this=node.this.copy()), typed=True)
            node.replace(exp.cast(share, "double"))
        return "double"

    def _min_or_max(self, node: exp.Expr) -> str:
        kind = self._kind(node.this)
        if kind == "boolean":
            raise NotPushable("it has an extreme of truth values")
        if kind == "text":
            self._sort_by_bytes(node.this)
        return kind

    def _count(self, node: exp.Expr) -> str:
        if isinstance(node.this, exp.Distinct):
            if len(node.this.expressions) != 1:
                raise NotPushable("it counts several columns")
            self._refuse_floats(self._kind(node.this.expressions[0]))
        elif not isinstance(node.this, exp.Star):
            self._kind(node.this)
        return "exact"

    def _date_part(self, node: exp.Expr) -> str:
        """Rewrite EXTRACT so that the part of an infinite date is NULL, as in DuckDB."""
        if node.name.upper() not in _PARTS or self._kind(node.expression) not in _TIMES:
            raise NotPushable(f"it has the part {node.name} of a value")
        node.replace(_if_finite(node.expression, exp.cast(node.copy(), "bigint"), None))
        return "exact"

    def _formatted_date(self, node: exp.Expr) -> str:
        """Rewrite strftime as to_char; an infinite date becomes the text 'infinity', as in DuckDB."""
        form = _FORMS.get(node.text("format"))
        if form is None or self._kind(node.this) not in _TIMES:
            raise NotPushable("it writes a date in a form of its own")
        written = exp.Anonymous(this="to_char", expressions=[node.this.copy(), exp.Literal.string(form)])
        node.replace(_if_finite(node.this, written, exp.cast(node.this.copy(), "text")))
        return "text"

    def _case(self, node: exp.Expr) -> str:
        self._check_conditions(*(branch.this for branch in node.args["ifs"]))
        default = node.args.get("default")
        return self._common_kind(*(branch.args["true"] for branch in node.args["ifs"]), *([default] if default else ()))

    def _cast(self, node: exp.Expr) -> str:
        """Return the kind of a cast: of a number to double, of a timestamp to date, of a literal to date or timestamp.

        None of these can fail on the server: the literal is checked here.
        """
        to = node.args["to"].this
        node.replace(node := exp.Cast(this=node.this, to=node.args["to"]))
        if to == exp.DataType.Type.DATE and not isinstance(node.this, exp.Literal) and self._kind(node.this) in _TIMES:
            return "date"
        if to == exp.DataType.Type.DOUBLE and self._kind(node.this) in _NUMBERS:
            return "double"
        for wanted, pattern, kind in (
            (exp.DataType.Type.DATE, _DAY, "date"),
            (exp.DataType.Type.TIMESTAMP, _TIME, "timestamp"),
        ):
            if (
                to == wanted
                and isinstance(node.this, exp.Literal)
                and node.this.is_string
                and pattern.fullmatch(node.this.name)
            ):
                return kind
        raise NotPushable("it has a cast")


_KIND_OF: tuple[tuple[type[exp.Expr] | tuple[type[exp.Expr], ...], Callable[[Kinds, exp.Expr], str]], ...] = (
    (exp.Column, Kinds._column),
    (exp.Literal, Kinds._literal),
    (exp.Null, lambda t, n: "null"),
    (exp.Boolean, lambda t, n: "boolean"),
    (exp.Paren, lambda t, n: t._kind(n.this)),
    ((*LOGIC, exp.Not), Kinds._logic),
    ((*EQUAL, *ORDERED, exp.Between), Kinds._comparison),
    (exp.In, Kinds._in),
    (exp.Exists, lambda t, n: "boolean"),
    (exp.Is, Kinds._is),
    (exp.Like, Kinds._like),
    ((*SUMS, exp.Neg, exp.Sum), Kinds._number),
    (exp.Avg, Kinds._average),
    (EXTREMES, Kinds._min_or_max),
    (exp.Count, Kinds._count),
    (exp.Extract, Kinds._date_part),
    (exp.TimeToStr, Kinds._formatted_date),
    (exp.Case, Kinds._case),
    (exp.Coalesce, lambda t, n: t._common_kind(n.this, *n.expressions)),
    (exp.Cast, Kinds._cast),
    (exp.Subquery, lambda t, n: t._subquery_kind(n.this)),
)


def path_of(table: exp.Table) -> tuple[str, ...]:
    """Return the folded path of a table."""
    return tuple(fold(part.name) for part in table.parts)


def _if_finite(date: exp.Expr, value: exp.Expr, other: exp.Expr | None) -> exp.Expr:
    """Return `CASE WHEN isfinite(date) THEN value ELSE other END`."""
    finite = exp.Anonymous(this="isfinite", expressions=[date.copy()])
    return exp.Case(ifs=[exp.If(this=finite, true=value)], default=other)
