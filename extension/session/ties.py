"""Find the rows that LIMIT leaves out although ORDER BY puts them at the place of the last row that is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from askwhere.cells import short, written
from askwhere.engine import Result
from askwhere.frozen import frozen
from askwhere.pipeline.outcomes import comparable
from askwhere.rewrite.parts import listed, numbered
from askwhere.sql.identifiers import fold
from sqlglot import exp

BEHIND = 20  # rows behind the last one that are looked at
_NAMED = 3  # rows that are named
_LONGEST = 40  # characters of a name

Rows = Sequence[tuple[Any, ...]]


@frozen
class _Cut:
    """The numbers of LIMIT and OFFSET, and the expressions of ORDER BY."""

    limit: int
    offset: int
    keys: tuple[exp.Expr, ...]


def notes(tree: exp.Select, dialect: str, rows: Rows, run: Callable[[str, int | None], Result]) -> Iterator[str]:
    """Yield a sentence on the rows that are left out, if there are any. Raise what `run` raises.

    The query is run for the rows behind too, with what it orders by beside its own columns.
    """
    cut = _order_and_limit(tree)
    if cut is None or cut.limit != len(rows):
        return
    most = cut.limit + BEHIND
    ran = run(tree.select(*cut.keys).limit(most, copy=False).sql(dialect), most).rows
    places = [[comparable(cell) for cell in row[-len(cut.keys) :]] for row in ran]
    if len(ran) <= cut.limit or places[cut.limit] != (last := places[cut.limit - 1]) or None in last:
        return
    tied = [row[: -len(cut.keys)] for row, place in zip(ran, places, strict=True) if place == last]
    left_out = _without(tied, rows)
    if left_out and len(set(map(_as_text, tied))) > 1:
        named = _named(list(map(_label, left_out)), "at least " if places[most - 1 :] == [last] else "")
        tie, are = ("ties", "is") if len(left_out) == 1 else ("tie", "are")
        yield f"{named} {tie} with {_label(rows[-1])} at place {cut.offset + cut.limit}, and {are} left out"


def _order_and_limit(tree: exp.Select) -> _Cut | None:
    """Return how a query orders and limits its rows; None if it does not, or the order or the limit is unclear."""
    order, limit = tree.args.get("order"), _number(tree.args.get("limit"))
    offset = _number(tree.args["offset"]) if tree.args.get("offset") else 0
    keys = [_ordering(tree, key.this) for key in order.expressions] if order else []
    known = tuple(key.copy() for key in keys if key is not None)
    if not keys or limit is None or offset is None or len(known) < len(keys):
        return None
    own = {output.unalias().sql() for output in tree.selects}
    if tree.args.get("distinct") and not own >= {key.sql() for key in known}:
        return None  # more columns would make more rows
    return _Cut(limit, offset, known)


def _number(clause: exp.Expr | None) -> int | None:
    """Return the number of rows of LIMIT or OFFSET; None for other expressions, such as a percentage."""
    number = clause.expression if isinstance(clause, exp.Limit | exp.Offset) else None
    if clause is None or not isinstance(number, exp.Literal) or not number.is_int or clause.args.get("limit_options"):
        return None
    return int(number.name)


def _ordering(query: exp.Select, key: exp.Expr) -> exp.Expr | None:
    """Return the expression of a key in ORDER BY, which may be an output's number or alias; None if it is unknown."""
    if isinstance(key, exp.Literal):
        output = numbered(key)
        return output.unalias() if output else None
    if isinstance(key, exp.Column) and not key.table:
        for output in query.selects:
            if isinstance(output, exp.Alias) and fold(output.alias) == fold(key.name):
                return output.unalias()
    return key


def _without(rows: Rows, shown: Rows) -> list[tuple[Any, ...]]:
    """Return the rows that `shown` lacks, as multisets."""
    left, missing = Counter(map(_as_text, shown)), []
    for row in rows:
        left[_as_text(row)] -= 1
        if left[_as_text(row)] < 0:
            missing.append(row)
    return missing


def _as_text(row: Sequence[Any]) -> str:
    """Return a text that is the same for equal rows."""
    return repr([comparable(cell) for cell in row])


def _label(row: Sequence[Any]) -> str:
    """Return what names a row: its first cell, with the second where both are texts, as first and last names are."""
    several = all(isinstance(cell, str) for cell in row[:2])
    return " ".join(short(written(cell), _LONGEST) for cell in row[: 2 if several else 1])


def _named(labels: list[str], at_least: str) -> str:
    """Return some labels as a list, of many the first and how many more there are."""
    if len(labels) <= _NAMED:
        return listed(labels)
    return f"{', '.join(labels[:_NAMED])} and {at_least}{len(labels) - _NAMED} more"
