"""Group alternatives that a query joins to another condition without parentheses."""

from __future__ import annotations

from askwhere.rewrite.context import MendingContext
from askwhere.rewrite.scopes import conjuncts
from sqlglot import exp


def grouped(tree: exp.Expr, context: MendingContext) -> bool:
    """Group alternatives for one column as one condition, `(a = 1 OR a = 2) AND b`; return whether there were any.

    AND binds closer than OR, which small models forget: `a = 1 OR a = 2 AND b` asks for `b` only where `a` is 2.
    Alternatives for different columns, and those in parentheses, stay.
    """
    wholes = [node for node in tree.find_all(exp.Or) if not isinstance(node.parent, exp.Or)]
    changes = [(node, new) for node in wholes if (new := _grouped(node)) is not None]
    for node, new in changes:
        node.replace(new)
    return bool(changes)


def _grouped(node: exp.Or) -> exp.Expr | None:
    """Return `a AND (b OR c)` for `a AND b OR c` where `b` and `c` compare one column and `a` another, else None."""
    parts = list(node.flatten(unnest=False))
    first, last = conjuncts(parts[0]), conjuncts(parts[-1])
    alternatives = [first[-1], *parts[1:-1], last[0]]
    others = [*first[:-1], *last[1:]]
    compared = {_compared(condition) for condition in alternatives}
    if not others or len(compared) > 1 or not compared.isdisjoint({"", *map(_compared, others)}):
        return None
    return exp.and_(*first[:-1], exp.paren(exp.or_(*alternatives)), *last[1:])


def _compared(condition: exp.Expr) -> str:
    """Return the column that a condition compares with one value, as SQL; '' for other conditions."""
    of_one = isinstance(condition, (exp.EQ, exp.Like)) and isinstance(condition.left, exp.Column)
    return condition.this.sql() if of_one else ""
