"""Draw the chart of an answer for the page, where its columns have one and vl-convert is there to draw it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askwhere.charts import Chart, chart_of, vega_lite
from askwhere.errors import AskError
from askwhere.pages.svg import inline
from markupsafe import Markup

MISSING = "For a chart of these rows, install vl-convert: pip install vl-convert-python"
# Colours that stand out from a light and from a dark page, by at least 3:1; those of texts and lines are the page's.
_COLOURS = ("#5b7fb4", "#c77f14", "#4a8f6c", "#b3578f", "#8a7a5c")
_TEXT = 12  # pixels
_LOOK = {
    "background": None,
    "view": {"stroke": None},
    "mark": {"color": _COLOURS[0]},
    "range": {"category": _COLOURS},
    "axis": {"labelFontSize": _TEXT, "titleFontSize": _TEXT},
    # The labels are wider in the page's font than in that which they are measured in.
    "axisX": {"labelSeparation": 15},
    "axisY": {"titlePadding": 30},
    "legend": {"labelFontSize": _TEXT, "titleFontSize": _TEXT},
    "title": {"fontSize": _TEXT},
}
_KINDS = {"line": "Line chart", "bar": "Bar chart", "scatter": "Scatter plot"}


def drawn(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[Markup, str]:
    """Return the chart of rows as SVG in HTML, '' for none; and the reason why one that fits cannot be drawn."""
    try:
        chart = chart_of(columns, rows)
    except AskError:
        return Markup(""), ""
    try:
        import vl_convert
    except ImportError:
        return Markup(""), MISSING
    try:
        svg = vl_convert.vegalite_to_svg({**vega_lite(chart), "config": _LOOK})
    except ValueError:  # what Vega cannot draw must not hide the answer
        return Markup(""), ""
    return inline(svg, described(chart)), ""


def described(chart: Chart) -> str:
    """Return a description of a chart in words, for screen readers."""
    numbers = ", ".join(column.name for column in chart.numbers)
    kind, cells = _KINDS[chart.kind], chart.along.cells
    between = f", from {cells[0]} to {cells[-1]}" if chart.kind == "bar" and cells else ""
    return f"{kind} of {numbers} by {chart.along.name}{between}; the table of the rows has the numbers."
