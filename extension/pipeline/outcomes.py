"""Compare the results of queries by digests, so that equal ones are found without keeping their rows.

Two results are equal if they have the same rows, each as often, with columns in the same order; the order of rows
counts only where both queries order them. Numbers are equal across int, float and decimal to 12 significant digits, or
to the whole number where that has more digits, since sums in another order differ in their last digits. (Two numbers on
both sides of a rounding boundary differ all the same.) Texts must be the same; a date never equals a text.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from askwhere.engine import Result
from askwhere.frozen import frozen
from askwhere.sql import parsing
from sqlglot import exp

DIGITS = 12
_SIZE = 16
_AS_THEY_ARE = {int, str, bytes, type(None)}


@frozen
class Outcome:
    """The digests of a result: `bag` does not depend on the order of its rows, `sequence` does.

    `ordered` says whether the query orders them. `cut` is the query of a result that was not read to its end, which
    equals only results of the same query; else ''.
    """

    columns: int
    rows: int
    bag: int
    sequence: bytes
    ordered: bool
    cut: str = ""


def of_rows(result: Result, sql: str, dialect: str) -> Outcome:
    """Return the outcome of a query's result, read once, row by row."""
    count, bag, sequence = _digests(result.rows)
    return Outcome(len(result.columns), count, bag, sequence, is_ordered(sql, dialect), "" if result.complete else sql)


def same(first: Outcome, other: Outcome) -> bool:
    """Return whether two outcomes are the same answer."""
    equal = (first.columns, first.rows, first.bag, first.cut) == (other.columns, other.rows, other.bag, other.cut)
    return equal and (first.sequence == other.sequence or not (first.ordered and other.ordered))


def is_ordered(sql: str, dialect: str) -> bool:
    """Return whether the outermost query orders its rows."""
    tree = parsing.parsed(sql, dialect)
    return isinstance(tree, exp.Query) and tree.args.get("order") is not None


def _digests(rows: Iterable[tuple[Any, ...]]) -> tuple[int, int, bytes]:
    """Return the number of rows, the sum of their hashes (the same in any order), and a hash of them in order."""
    count = bag = 0
    sequence = hashlib.blake2b(digest_size=_SIZE)
    for row in rows:
        # Most cells are of types that are compared as they are, without a call for each.
        cells = [cell if type(cell) in _AS_THEY_ARE else comparable(cell) for cell in row]
        text = repr(cells).encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(text, digest_size=_SIZE).digest()
        sequence.update(digest)
        bag = (bag + int.from_bytes(digest)) % 2 ** (8 * _SIZE)
        count += 1
    return count, bag, sequence.digest()


def comparable(cell: Any) -> object:
    """Return a value for a cell whose `repr` is the same for equal cells.

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
    """Return a number rounded to `DIGITS` significant digits."""
    if not math.isfinite(value):
        return ("number", str(float(value)))
    if value == int(value) or abs(value) >= 10**DIGITS:
        return round(value)
    rounded = float(f"{value:.{DIGITS}g}")
    return int(rounded) if rounded == int(rounded) else rounded
