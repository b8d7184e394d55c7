"""Draw plots of points, as inline SVG in percent of its box: it fits any width, and its text keeps its size.

Plots are hidden from screen readers: a table next to each has the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from askwhere.pages.markup import Markup, tag


@dataclass(frozen=True)
class Axis:
    """An axis of a plot, from 0 to `most`; `ticks` are (value, text)."""

    title: str
    most: float
    ticks: tuple[tuple[float, str], ...]

    def place(self, value: float) -> float:
        """Return the place of a value, in percent of the axis; values beyond its ends are at the ends."""
        return 100 * min(max(value, 0.0), self.most) / self.most if self.most else 0.0


@dataclass(frozen=True)
class Point:
    """A point with its label, '' for none; `low` and `high` are the ends of the interval of y."""

    x: float
    y: float
    label: str = ""
    low: float | None = None
    high: float | None = None


def plane(points: Sequence[Point], x: Axis, y: Axis, diagonal: bool = False) -> Markup:
    """Return a plot of the points over a grid; with `diagonal` also the line from (0, 0) to the ends of both axes."""
    drawn = [*_grid(x, y)]
    if diagonal:
        drawn.append(_line("diagonal", 0, 100, 100, 0))
    drawn += [mark for point in points for mark in _point(point, x, y)]
    svg = tag("svg", *drawn, class_="plot", aria_hidden="true", focusable="false")
    return tag(
        "div", tag("p", f"↑ {y.title}", class_="note"), tag("div", svg, class_="plane"),
        tag("p", f"{x.title} →", class_="note right"),
    )  # fmt: skip


def span(low: float, high: float, at: float) -> Markup:
    """Return an interval from `low` to `high` and the point `at` (each 0 to 1) on a track, for a cell of a table."""
    parts = (
        _rect("track", 0, 100),
        _rect("interval", 100 * low, 100 * (high - low)),
        _rect("point", 100 * at - 0.5, 1),
    )
    return tag(
        "svg", *parts, class_="bar span", viewBox="0 0 100 8", preserveAspectRatio="none", aria_hidden="true",
        focusable="false",
    )  # fmt: skip


def scale(most: float) -> tuple[float, tuple[tuple[float, str], ...]]:
    """Return a round end for an axis that has to include `most`, and its four to six ticks.

    >>> scale(7.3)
    (8.0, ((0.0, '0'), (2.0, '2'), (4.0, '4'), (6.0, '6'), (8.0, '8')))
    """
    if most <= 0:
        return 1.0, ((0.0, "0"), (1.0, "1"))
    power = 10.0 ** math.floor(math.log10(most))
    step = next(s for s in (0.2, 0.5, 1.0, 2.0) if s * power * 5 >= most) * power
    steps = math.ceil(round(most / step, 9))
    return steps * step, tuple((n * step, f"{n * step:,.6g}") for n in range(steps + 1))


def _grid(x: Axis, y: Axis) -> Iterator[Markup]:
    for value, label in y.ticks:
        at = 100 - y.place(value)
        yield _line("grid", 0, at, 100, at)
        yield _text(label, 0, at, "end", -8, "0.32em")
    for value, label in x.ticks:
        at = x.place(value)
        yield _line("grid", at, 0, at, 100)
        yield _text(label, at, 100, "middle", 0, "1.4em")


def _point(point: Point, x: Axis, y: Axis) -> Iterable[Markup]:
    """Yield a point with its interval and label; the label is on the left of points near the right edge."""
    across, up = x.place(point.x), 100 - y.place(point.y)
    if point.low is not None and point.high is not None:
        yield _line("whisker", across, 100 - y.place(point.low), across, 100 - y.place(point.high))
    yield tag("circle", cx=_percent(across), cy=_percent(up), r=5, class_="dot")
    if point.label:
        right = across > 75
        yield _text(point.label, across, up, "end" if right else "start", -9 if right else 9, "0.32em", "label")


def _text(content: str, x: float, y: float, anchor: str, dx: int, dy: str, kind: str | None = None) -> Markup:
    return tag("text", content, x=_percent(x), y=_percent(y), dx=dx, dy=dy, text_anchor=anchor, class_=kind)


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> Markup:
    places = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    return tag("line", class_=kind, **{name: _percent(value) for name, value in places.items()})


def _rect(kind: str, start: float, length: float) -> Markup:
    wide = max(length, 0.8)
    return tag("rect", class_=kind, x=f"{min(max(start, 0), 100 - wide):.2f}", y=0, width=f"{wide:.2f}", height=8)


def _percent(value: float) -> str:
    return f"{value:.2f}%"
