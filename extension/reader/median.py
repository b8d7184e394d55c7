"""Write medians, which SQLite has no function for: the middle value of the rows, or the mean of the middle two."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

_TWO = exp.Literal.number(2)


def median(
    rows: exp.Select, value: exp.Expr, groups: Sequence[exp.Expr], shown: Sequence[tuple[int, str]], name: str
) -> exp.Select:
    """Return the query of the median of `value` over the rows of a query, for each group if there are any.

    `shown` are the groups that are shown, as their positions in `groups` and their names; `name` is the median's own.
    """
    keys = [exp.alias_(group.copy(), f"group_{place}") for place, group in enumerate(groups)]
    part = [group.copy() for group in groups]
    order = exp.Order(expressions=[exp.Ordered(this=value.copy())])
    place = exp.Window(this=exp.RowNumber(), partition_by=part, order=order)
    total = exp.Window(this=exp.Count(this=value.copy()), partition_by=[p.copy() for p in part])
    measured = [exp.alias_(one, said) for one, said in ((value.copy(), "value"), (place, "place"), (total, "total"))]
    some = exp.Is(this=value.copy(), expression=exp.Not(this=exp.null()))
    ranked = rows.select(*keys, *measured, append=False).where(some)
    ranked.set("distinct", None)
    count, twice = exp.column("total"), exp.Mul(this=_TWO.copy(), expression=exp.column("place"))
    middle = exp.Between(this=twice, low=count, high=exp.Add(this=count.copy(), expression=_TWO.copy()))
    columns = [exp.alias_(exp.column(f"group_{at}"), said) for at, said in shown]
    query = exp.select(*columns, exp.alias_(exp.Avg(this=exp.column("value")), name))
    query = query.from_(ranked.subquery("ranked")).where(middle)
    return query.group_by(*(exp.column(key.alias) for key in keys)) if keys else query
