"""Draw a table in a box that fits into a terminal: wide texts are cut, with a mark, and numbers never are.

The known libraries for tables cut numbers too, and take longer to load than most questions take to answer.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import partial

# The least columns of a terminal to which a text is cut.
LEAST = 8
# Characters that may take another number of columns than one.
_NOT_LATIN = re.compile(r"[^\x00-\x7f\xa0-\xac\xae-\u02ff]")


def box(columns: Sequence[str], cells: Sequence[Sequence[str]], right: Sequence[bool], room: int | None = None) -> str:
    """Return a box of names and cells; a column is aligned to the `right`, as numbers are, or to the left.

    The box fits into `room` columns of a terminal: texts are cut, the widest first, and where that is not enough the
    last columns are left out, with a note below. What is aligned to the right is never cut. Every text is one line.

    >>> print(box(("name", "n"), [("Ann", "12"), ("Bartholomew", "3")], (False, True), room=18))
    ╭───────────┬────╮
    │ name      │  n │
    ├───────────┼────┤
    │ Ann       │ 12 │
    │ Bartholo… │  3 │
    ╰───────────┴────╯
    """
    lines = [columns, *cells]
    widths = [max(width(line[i]) for line in lines) for i in range(len(columns))]
    if room is not None:
        widths = _fitted(widths, right, room)
    drawn = [
        " │ ".join(_padded(text, n, to_right) for text, n, to_right in zip(line, widths, right, strict=False))
        for line in lines
    ]
    rules = ["─┼─".join("─" * n for n in widths)]
    head, *body = (f"│ {line} │" for line in drawn)
    top, rule, bottom = (rules[0].replace("┼", sign) for sign in "┬┼┴")
    left_out = len(columns) - len(widths)
    note = [f"… and {left_out} column{'' if left_out == 1 else 's'} more to the right"] if left_out else []
    return "\n".join([f"╭─{top}─╮", head, f"├─{rule}─┤", *body, f"╰─{bottom}─╯", *note])


def width(text: str) -> int:
    """Return how many columns of a terminal a text of one line takes."""
    if not _NOT_LATIN.search(text):
        return len(text)
    from wcwidth import wcswidth  # takes time to load, and most texts are Latin

    return max(int(wcswidth(text)), 0)


def cut(text: str, room: int) -> str:
    """Return a text of one line, cut to `room` columns of a terminal with a mark at its end."""
    if width(text) <= room:
        return text
    text = text[: room - 1]  # no character is narrower than a column, but for marks
    while width(text) > room - 1:
        text = text[:-1]
    return f"{text}…"


def _padded(text: str, room: int, to_right: bool) -> str:
    text = text if to_right else cut(text, room)
    filling = " " * (room - width(text))
    return filling + text if to_right else text + filling


def _fitted(widths: Sequence[int], right: Sequence[bool], room: int) -> list[int]:
    """Return the widths of the columns that fit, the first ones."""

    def fitted(shown: int, most: int) -> list[int]:
        return [n if whole else min(n, most) for n, whole in zip(widths[:shown], right, strict=False)]

    def is_too_wide(shown: int, most: int) -> bool:
        return sum(fitted(shown, most)) + 3 * shown + 1 > room

    for shown in range(min(len(widths), room // 3), 1, -1):
        if not is_too_wide(shown, LEAST):
            wider = range(LEAST + 1, max(LEAST, *widths[:shown]) + 1)
            return fitted(shown, LEAST + bisect_left(wider, True, key=partial(is_too_wide, shown)))
    return [widths[0] if right[0] else min(widths[0], max(room - 4, LEAST))]
