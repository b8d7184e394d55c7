"""Cells as text for people, in a terminal as on a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

# No text, or text that would show other text out of its order: control characters (a terminal obeys them), halves of
# surrogate pairs, and directional overrides ("Trojan Source", CVE-2021-42574).
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufffe\uffff]")
_LONGEST = 200


def visible(text: str) -> str:
    """The text with what cannot be seen written as its code point.

    >>> visible("a\\x1b[31m")
    'a⟨U+001B⟩[31m'
    """
    return _UNSEEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text.replace("\r\n", "\n"))


def short(text: str) -> str:
    """The text, or its beginning."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def written(cell: Any) -> str:
    """A cell as a short text: NULL, a blob's first bytes, or what it says."""
    if cell is None:
        return "NULL"
    if isinstance(cell, bytes):
        return f"x'{cell[:20].hex()}{'…' if len(cell) > 20 else ''}'"
    return short(str(cell))


def is_numeric(rows: Sequence[Sequence[Any]], column: int) -> bool:
    """Whether a column holds numbers, and nothing else but NULL."""
    cells = [row[column] for row in rows if row[column] is not None]
    return bool(cells) and all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells)
