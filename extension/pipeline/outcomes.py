"""What queries gave, as digests: equal results are found without keeping their rows.

Two results are equal when they have the same rows, each as often, with the columns in the order given; the order of
rows counts only where both queries order them. Numbers are equal across int, float and decimal, and as far as 12
significant digits, or to the whole number where that has more: sums in another order differ in the last ones. (Two
numbers that lie on both sides of such a rounding differ all the same.) Texts are compared as they are; a date is no
text.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from askwhere.engine import Result
from askwhere.guard import parsing
from sqlglot import exp
from sqlglot.errors import SqlglotError

DIGITS = 12
_SIZE = 16
_AS_THEY_ARE = {int, str, bytes, type(None)}


@dataclass(frozen=True)
class Outcome:
    """A result to be compared: `bag` is its rows in any order, `sequence` in this one.

    `ordered` says that the query orders them. `cut` is the query of a result that was not read to its end, which is
    like no other query's.
    """

    columns: int
    rows: int
    bag: int
    sequence: bytes
    ordered: bool
    cut: str = ""


def of_rows(result: Result, sql: str, dialect: str) -> Outcome:
    """The outcome of a query's result, read once, row by row."""
    count, bag, sequence = _digests(result.rows)
    return Outcome(len(result.columns), count, bag, sequence, is_ordered(sql, dialect), "" if result.complete else sql)


def same(one: Outcome, other: Outcome) -> bool:
    """Whether two outcomes are the same answer."""
    alike = (one.columns, one.rows, one.bag, one.cut) == (other.columns, other.rows, other.bag, other.cut)
    return alike and (one.sequence == other.sequence or not (one.ordered and other.ordered))


def is_ordered(sql: str, dialect: str) -> bool:
    """Whether the query itself, not a part of it, orders its rows."""
    try:
        tree = parsing.statement(sql, dialect)
    except SqlglotError:
        return False
    return isinstance(tree, exp.Query) and tree.args.get("order") is not None


def _digests(rows: Iterable[tuple[Any, ...]]) -> tuple[int, int, bytes]:
    """How many rows there are; the sum of their hashes, which is the same in any order; a hash of them in order."""
    count = bag = 0
    sequence = hashlib.blake2b(digest_size=_SIZE)
    for row in rows:
        cells = [cell if type(cell) in _AS_THEY_ARE else comparable(cell) for cell in row]
        text = repr(cells).encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(text, digest_size=_SIZE).digest()
        sequence.update(digest)
        bag = (bag + int.from_bytes(digest)) % 2 ** (8 * _SIZE)
        count += 1
    return count, bag, sequence.digest()


def comparable(cell: Any) -> object:
    """A cell as something whose `repr` is the same for equal cells.

    >>> comparable(2), comparable(2.0), comparable(0.1 + 0.2), comparable("2")
    (2, 2, 0.3, '2')
    """
    if cell is None or isinstance(cell, str | bytes):
        return cell
    if isinstance(cell, int):
        return int(cell)
    if isinstance(cell, float | Decimal):
        return _number(cell)
    if isinstance(cell, list | tuple):
        return [comparable(part) for part in cell]
    if isinstance(cell, dict):
        return {str(key): comparable(part) for key, part in cell.items()}
    return (type(cell).__name__, str(cell))


def _number(value: float | Decimal) -> object:
    if not math.isfinite(value):
        return ("number", str(float(value)))
    if value == int(value) or abs(value) >= 10**DIGITS:
        return round(value)
    rounded = float(f"{value:.{DIGITS}g}")
    return int(rounded) if rounded == int(rounded) else rounded
