"""Prints rows as a table on a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import IO, Any

from askwhere.pages.cells import is_numeric, short, visible, written
from tabulate import tabulate

SHOWN = 1_000


def safe_for(text: str, out: IO[str]) -> str:
    """Return the text as `out` takes it: on a terminal, which obeys control characters, those are made visible."""
    return visible(text) if out.isatty() else text


class Screen:
    """A file for a program that writes colours: on a terminal, all other control characters are made visible."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)

    def write(self, text: str) -> int:
        """Write a text, and return its length."""
        parts = _COLOUR.split(text)  # every second part is a colour
        self._out.write("".join(part if n % 2 else safe_for(part, self._out) for n, part in enumerate(parts)))
        return len(text)


_COLOUR = re.compile("(\x1b\\[[0-9;]*m)")


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], shown: int = SHOWN) -> str:
    """Return the rows in a box, with their number below; at most the first `shown` rows, with a note of that.

    A single text that does not fit into a cell is returned as it is.
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
    """Return an answer's only value where it is a text of several lines, or longer than a cell; else None."""
    if len(rows) != 1 or len(rows[0]) != 1 or not isinstance(rows[0][0], str):
        return None
    text = rows[0][0]
    return visible(text) if "\n" in text.strip() or short(text) != text else None
