"""Rows as a table for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabulate import tabulate

SHOWN = 1_000


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], shown: int = SHOWN) -> str:
    """The rows in a box, with their number below; of many rows the first `shown`, and it says so."""
    cells = [[_cell(value) for value in row] for row in rows[:shown]]
    aligned = ["right" if _is_numeric(rows, i) else "left" for i in range(len(columns))]
    box = tabulate(cells, list(columns), tablefmt="rounded_outline", colalign=aligned, disable_numparse=True)
    more = f", the first {shown:,} shown" if len(rows) > shown else ""
    return f"{box}\n{len(rows):,} row{'' if len(rows) == 1 else 's'}{more}"


def _cell(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"x'{value[:20].hex()}{'…' if len(value) > 20 else ''}'"
    text = str(value).replace("\n", "⏎")
    return text if len(text) <= 200 else text[:199] + "…"


def _is_numeric(rows: Sequence[Sequence[Any]], column: int) -> bool:
    cells = [row[column] for row in rows[:SHOWN] if row[column] is not None]
    return bool(cells) and all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells)
