"""Rows as a table for a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import IO, Any

from askwhere.pages.cells import is_numeric, short, visible, written
from tabulate import tabulate

SHOWN = 1_000


def heard(text: str, out: IO[str]) -> str:
    """The text as `out` takes it: a terminal obeys control characters, which names and values may hold."""
    return visible(text) if out.isatty() else text


class Screen:
    """A file for a program that colours what it writes: a terminal gets nothing else that it would obey."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)

    def write(self, text: str) -> int:
        """Write a text; returns how long it was."""
        parts = _COLOUR.split(text)  # every other one is a colour
        self._out.write("".join(part if n % 2 else heard(part, self._out) for n, part in enumerate(parts)))
        return len(text)


_COLOUR = re.compile("(\x1b\\[[0-9;]*m)")


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], shown: int = SHOWN) -> str:
    """The rows in a box, with their number below; of many rows the first `shown`, and it says so.

    A text that is all there is, and does not fit into a cell, stands as it is.
    """
    text = whole(rows)
    if text is not None:
        return text
    cells = [[visible(written(cell).replace("\n", "⏎")) for cell in row] for row in rows[:shown]]
    aligned = ["right" if is_numeric(rows[:SHOWN], i) else "left" for i in range(len(columns))]
    box = tabulate(
        cells, list(map(visible, columns)), tablefmt="rounded_outline", colalign=aligned, disable_numparse=True
    )
    more = f", the first {shown:,} shown" if len(rows) > shown else ""
    return f"{box}\n{len(rows):,} row{'' if len(rows) == 1 else 's'}{more}"


def whole(rows: Sequence[Sequence[Any]]) -> str | None:
    """The only value of an answer, where it is a text of several lines or longer than a cell shows; or None."""
    if len(rows) != 1 or len(rows[0]) != 1 or not isinstance(rows[0][0], str):
        return None
    text = rows[0][0]
    return visible(text) if "\n" in text.strip() or short(text) != text else None
