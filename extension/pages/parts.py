"""Word the figures that templates show: times, counts, confidences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askwhere.cells import is_numeric

# A confidence below this is shown as a warning.
_SURE = 0.8


def numeric(columns: Sequence[str], shown: Sequence[Sequence[Any]]) -> list[bool]:
    """Return for each column of some rows whether it holds numbers."""
    return [is_numeric(shown, place) for place in range(len(columns))]


def likely_kind(confidence: float) -> str:
    """Return the CSS class of a confidence: 'good', or 'fair' below `_SURE`."""
    return "good" if confidence >= _SURE else "fair"


def time(ms: float) -> str:
    """Return a time in milliseconds as text, in seconds from one second on."""
    return f"{ms / 1000:,.2f} s" if ms >= 1000 else f"{ms:.3g} ms" if ms >= 0.01 else "0 ms"
