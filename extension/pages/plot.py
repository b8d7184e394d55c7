"""Define the axes and points of plots, which the template `plot.html` draws."""

from __future__ import annotations

import math
from dataclasses import dataclass


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
