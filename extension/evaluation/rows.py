"""Compare the rows of two results: find out whether one order of the columns makes them the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

Rows = Sequence[Sequence[Any]]

_Columns = Sequence[tuple[Any, ...]]
_SQLITE_HAS = (int, float, str, bytes, type(None))


def plain(rows: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Return rows as SQLite would give them, so that rules made for SQLite also compare DuckDB's results.

    A decimal becomes a float, a boolean 0 or 1, and a value of another type that SQLite does not have its `str`.

    >>> plain([(True, Decimal("1.50"), "a", None)])
    [(1, 1.5, 'a', None)]
    """
    return [tuple(_plain(cell) for cell in row) for row in rows]


def _plain(cell: Any) -> Any:
    """Return a cell as SQLite would give it."""
    if isinstance(cell, bool):
        return int(cell)
    if isinstance(cell, Decimal):
        return float(cell)
    return cell if isinstance(cell, _SQLITE_HAS) else str(cell)


def alike(gold: Rows, predicted: Rows, ordered: bool) -> bool:
    """Return whether one order of the predicted columns makes the results equal by Python's `==`.

    It is the same order for all rows. With `ordered` they are compared as lists of rows, else as multisets of rows.
    Results without rows are not alike.
    """
    if not gold or len(gold) != len(predicted) or len(gold[0]) != len(predicted[0]):
        return False
    gold_columns, predicted_columns = list(zip(*gold, strict=True)), list(zip(*predicted, strict=True))
    if ordered:
        return Counter(gold_columns) == Counter(predicted_columns)
    if {frozenset(Counter(c).items()) for c in gold_columns} != {
        frozenset(Counter(c).items()) for c in predicted_columns
    }:
        return False
    return _placed(sorted(gold_columns, key=lambda column: -len(set(column))), predicted_columns, [])


def _placed(gold: _Columns, predicted: _Columns, chosen: list[int]) -> bool:
    """Return whether a choice of predicted columns for gold's first columns can be completed to all of them."""
    if len(chosen) == len(gold):
        return True
    expected = Counter(zip(*gold[: len(chosen) + 1], strict=True))
    for i in _untried(predicted, chosen):
        placed = [*chosen, i]
        if Counter(zip(*(predicted[c] for c in placed), strict=True)) == expected and _placed(gold, predicted, placed):
            return True
    return False


def _untried(columns: _Columns, chosen: list[int]) -> Iterator[int]:
    """Yield the columns that are not chosen; of several equal columns, one."""
    seen: set[tuple[Any, ...]] = set()
    for i, column in enumerate(columns):
        if i not in chosen and column not in seen:
            seen.add(column)
            yield i
