"""Draw bars for tables and cards, as inline SVG that takes the width of its box.

Bars are hidden from screen readers: the same numbers are next to them as text.
"""

from __future__ import annotations

from collections.abc import Iterable

from askwhere.pages.markup import Markup, tag


def bar(parts: Iterable[tuple[str, float, float]], whole: float) -> Markup:
    """Return a bar of parts (class, start, length), on a track of the length `whole`."""
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
    # A minimum width keeps short parts visible, and no part passes the end of the track.
    wide = max(length, 0.8)
    return tag("rect", class_=kind, x=f"{min(start, 100 - wide):.2f}", y=0, width=f"{wide:.2f}", height=8)
