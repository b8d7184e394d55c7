"""Correlate subqueries that compare a column with itself: one side is meant to be the outer row's."""

from __future__ import annotations

from collections.abc import Iterator

from askwhere.rewrite.context import MendingContext
from askwhere.rewrite.scopes import conjuncts, equated
from askwhere.sql.identifiers import fold
from sqlglot import exp


def with_outer_row(tree: exp.Expr, context: MendingContext) -> bool:
    """Let a column that a subquery compares with itself be compared with the outer row's; return whether any was.

    In `SELECT name FROM staff WHERE pay > (SELECT AVG(pay) FROM staff WHERE city = staff.city)` the inner table hides
    the outer one: both sides are the same column, and the condition holds for every row. The outer row's city is meant,
    so the inner table gets an alias.
    """
    cases = [case for select in tree.find_all(exp.Select) for case in _outer_sides(select)]
    for select, side, outer in cases:
        if outer.alias:
            side.set("table", outer.args["alias"].this.copy())
            continue
        table = select.args["from_"].this
        alias = table.this.copy()
        alias.set("this", _unused(f"{table.name}_2", tree))
        table.set("alias", exp.TableAlias(this=alias))
        for column in select.find_all(exp.Column):
            if column is not side and fold(column.table) == fold(table.name):
                column.set("table", alias.copy())
    return bool(cases)


def _outer_sides(select: exp.Select) -> Iterator[tuple[exp.Select, exp.Column, exp.Table]]:
    """Yield a subquery that compares a column with itself, the side that is meant to be outer, and the outer table."""
    source = select.args.get("from_")
    table = source.this if source else None
    if not isinstance(table, exp.Table) or table.alias or select.args.get("joins"):
        return
    if not select.args.get("where") or len(list(select.find_all(exp.Select))) > 1:
        return
    outer, name = _outer(select), fold(table.name)
    for part in conjuncts(select.args["where"].this):
        sides = equated(part)
        same = len({fold(side.name) for side in sides}) == 1
        if outer and same and {fold(side.table) for side in sides} <= {"", name}:
            yield from [(select, side, outer) for side in sides if side.table][-1:]
            return


def _outer(select: exp.Select) -> exp.Table | None:
    """Return the subquery's table where the nearest outer query reads it too; None where no outer query does."""
    name, outer = fold(select.args["from_"].this.name), select.parent_select
    while outer is not None:
        sources = (source.this for source in (outer.args.get("from_"), *outer.args.get("joins", ())) if source)
        same = next((s for s in sources if isinstance(s, exp.Table) and fold(s.name) == name), None)
        if same is not None:
            return same
        outer = outer.parent_select
    return None


def _unused(name: str, tree: exp.Expr) -> str:
    """Return the name, with underscores appended until no table of the query has it."""
    used = {fold(table.alias_or_name) for table in tree.find_all(exp.Table)}
    while fold(name) in used:
        name += "_"
    return name
