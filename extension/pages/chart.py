"""Bars for tables and cards: inline SVG that takes the width of its box. The numbers beside them say the same."""

from __future__ import annotations

from collections.abc import Iterable

from askwhere.pages.markup import Markup, tag


def bar(parts: Iterable[tuple[str, float, float]], whole: float) -> Markup:
    """One bar of the parts (class, start, length), on a track as long as `whole`."""
    scale = 100 / whole if whole > 0 else 0.0
    drawn = (_rect(kind, start * scale, length * scale) for kind, start, length in parts if length > 0)
    return tag(
        "svg",
        _rect("track", 0, 100),
        *drawn,
        class_="bar",
        viewBox="0 0 100 8",
        preserveAspectRatio="none",
        aria_hidden="true",
        focusable="false",
    )


def _rect(kind: str, start: float, length: float) -> Markup:
    # Wide enough to be seen, however short; and never past the end of the track.
    wide = max(length, 0.8)
    return tag("rect", class_=kind, x=f"{min(start, 100 - wide):.2f}", y=0, width=f"{wide:.2f}", height=8)
