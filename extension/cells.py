"""Write cells as text for people, in a terminal or on a page."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

# Characters that do not print, or that change how others do: control characters (a terminal obeys them), halves of
# surrogate pairs, separators that Python takes for line breaks, and directional marks, embeddings and overrides
# ("Trojan Source", CVE-2021-42574).
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\ud800-\udfff\u2028-\u202e\u2066-\u2069\ufffe\uffff]"
)
DATE = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")  # what a text begins with that is a date
SURROGATE = re.compile("[\ud800-\udfff]")  # half of a pair: JSON can write one, UTF-8 and the engines cannot
_LONGEST = 200  # characters of a cell that are shown
_DIGITS = 15  # of a float: any number with as many digits is the nearest float's own, written again
_SINGLE, _SINGLE_DIGITS = "FLOAT", 9  # DuckDB's floats of 32 bits, and the digits by which any is told from all others


def visible(text: str) -> str:
    """Return the text with characters that do not print replaced by their code points.

    >>> visible("a\\x1b[31m")
    'a⟨U+001B⟩[31m'
    """
    return _UNPRINTABLE.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text.replace("\r\n", "\n"))


def short(text: str, longest: int = _LONGEST) -> str:
    """Return the text, cut to `longest` characters, the last of which is then "…"."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def first_of(names: Sequence[str], most: int, separator: str = ", ") -> str:
    """Return the first `most` names as a list, and how many more there are.

    >>> first_of(["id", "name", "city"], 2), first_of(["id", "name"], 2)
    ('id, name and 1 more', 'id, name')
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return separator.join(names[:most]) + more


def rounded(cell: Any) -> Any:
    """Return a float without the last digits, in which sums of decimal fractions err; other cells as they are.

    >>> rounded(0.1 + 0.2), rounded(425988.80000000016), rounded(2**53)
    (0.3, 425988.8, 9007199254740992)
    """
    return float(f"{cell:.{_DIGITS}g}") if isinstance(cell, float) else cell


def in_decimals(rows: Sequence[tuple[Any, ...]], types: Sequence[str]) -> Sequence[tuple[Any, ...]]:
    """Return rows in which the numbers of columns of type FLOAT, which has 32 bits, are the fractions meant by them.

    >>> in_decimals([(219.7100067138672, 219.7100067138672)], ("FLOAT", "DOUBLE"))
    [(219.71, 219.7100067138672)]
    """
    single = [kind == _SINGLE for kind in types]
    if not any(single):
        return rows
    return [tuple(_decimal(cell) if is_one else cell for cell, is_one in zip(row, single, strict=True)) for row in rows]


def _decimal(cell: Any) -> Any:
    """Return a float of 32 bits as the shortest decimal fraction that they stand for; another cell as it is."""
    if not isinstance(cell, float) or not math.isfinite(cell) or cell.is_integer():
        return cell
    fractions = (float(f"{cell:.{digits}g}") for digits in range(1, _SINGLE_DIGITS + 1))
    return next((fraction for fraction in fractions if struct.pack("f", fraction) == struct.pack("f", cell)), cell)


def written(cell: Any) -> str:
    """Return a cell as a short text: NULL, the first bytes of a blob, or the value, a float `rounded`."""
    if cell is None:
        return "NULL"
    if isinstance(cell, bytes):
        return f"x'{cell[:20].hex()}{'…' if len(cell) > 20 else ''}'"
    return short(str(rounded(cell)))


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, in the plural, by default with an s, unless it is 1.

    >>> counted(1, "query", "queries"), counted(1200, "row")
    ('1 query', '1,200 rows')
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def is_numeric(rows: Sequence[Sequence[Any]], column: int) -> bool:
    """Return whether a column has numbers, and nothing else but NULL."""
    cells = [row[column] for row in rows if row[column] is not None]
    return bool(cells) and all(isinstance(cell, int | float | Decimal) and not isinstance(cell, bool) for cell in cells)
