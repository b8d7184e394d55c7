"""Complete GROUP BY: DuckDB requires every column that is shown beside an aggregate in it."""

from __future__ import annotations

from collections.abc import Iterator

from askwhere.rewrite.repairs import CHANGE, Repair, Text
from askwhere.sql import spans
from askwhere.sql.identifiers import fold
from askwhere.sql.spans import Edit
from sqlglot import exp


def grouped(text: Text) -> Iterator[Repair]:
    """Yield repairs that add to GROUP BY the columns that a SELECT shows outside its aggregates."""
    for select in text.tree.find_all(exp.Select):
        missing = _missing(select, text.dialect)
        place = next((c.this.meta["start"] for c in select.find_all(exp.Column) if "start" in c.this.meta), None)
        span = spans.at(text.sql, text.dialect, place) if missing and place is not None else None
        if span is None or select.find(exp.Window):
            continue
        listed = ", ".join(missing)
        clause = "group" if select.args.get("group") else "where"
        new = f", {listed}" if clause == "group" else f" GROUP BY {listed}"
        end = spans.before(text.sql, text.dialect, span.after(clause))
        yield Repair((Edit(end, end, new),), CHANGE, f"grouped by {listed}")


def _missing(select: exp.Select, dialect: str) -> list[str]:
    """Return the expressions that a SELECT shows outside its aggregates and does not group by, as SQL."""
    group = select.args.get("group")
    if group is None and not any(_aggregates(shown) for shown in select.selects):
        return []
    keys = list(group.expressions) if group is not None else []
    numbers = {int(key.name) for key in keys if isinstance(key, exp.Literal) and key.name.isdecimal()}
    named = {fold(_plain(key, dialect)) for key in keys} | {fold(key.name) for key in keys}
    missing = []
    for number, shown in enumerate(select.selects, 1):
        if number not in numbers and fold(shown.alias or "?") not in named:
            missing += [part for part in _group_keys(shown.unalias()) if fold(_plain(part, dialect)) not in named]
    columns = (part for part in missing if part.find(exp.Column) and not part.find(exp.Query, exp.Star))
    return list(dict.fromkeys(part.sql(dialect=dialect) for part in columns))


def _plain(node: exp.Expr, dialect: str) -> str:
    """Return a column's name without its table, or another expression as SQL."""
    return node.name if isinstance(node, exp.Column) else node.sql(dialect=dialect)


def _aggregates(node: exp.Expr) -> bool:
    """Return whether an expression contains an aggregate and no subquery."""
    return node.find(exp.AggFunc) is not None and node.find(exp.Query) is None


def _group_keys(shown: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the expression itself or, if it contains an aggregate, its columns outside of aggregates."""
    if not _aggregates(shown):
        yield shown
        return
    yield from (c for c in shown.find_all(exp.Column) if not c.find_ancestor(exp.AggFunc))
