"""Draw the chart of an answer: in the terminal, or to a file whose ending says how."""

from __future__ import annotations

import html
import importlib
import json
import math
import shutil
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from askwhere import files
from askwhere.box import cut
from askwhere.charts import Chart, chart_of, vega_lite
from askwhere.errors import AskError

_MARKERS = "•+○△◆"  # as many as a chart has lines
_TICKS = 5
_UNITS = ((1_000_000, "M"), (1_000, "k"))
_MOST_PLAIN = 1e12
_NARROWEST, _LOWEST = 40, 8  # columns and lines


def draw(columns: Sequence[str], rows: Sequence[Sequence[Any]], file: str = "") -> str:
    """Return the chart of rows as text, or write it to a file and return that. Raise `AskError` where none fits."""
    if not file:
        return in_terminal(chart_of(columns, rows))
    check(Path(file))
    write(chart_of(columns, rows), Path(file))
    return f"wrote {file}"


def in_terminal(chart: Chart) -> str:
    """Return a chart as text that fits the terminal. Raise `AskError` if plotext is not installed."""
    plotext = _installed("plotext", "drawing a chart in the terminal")
    plotext.terminal.limit(False, False)  # each bar has a line, however low the terminal is
    figure = plotext.figure
    figure.clear()
    room = shutil.get_terminal_size()
    wide, high = max(room.columns, _NARROWEST), max(min(room.lines - 2, 24), _LOWEST)
    frame = 4 + bool(chart.note)  # lines: its top and bottom, the ticks, the label, and the title
    figure.plot_size(wide, len(chart.along.cells) + frame if chart.kind == "bar" else high)
    (_bars if chart.kind == "bar" else _points)(figure, chart)
    if chart.note:
        figure.title(chart.note)
    return "\n".join(line.rstrip() for line in str(figure.build().string(True)).splitlines())


def _bars(figure: Any, chart: Chart) -> None:
    places = list(range(len(chart.along.cells), 0, -1))  # the first row is at the top
    lengths = [number or 0 for number in chart.numbers[0].cells]
    low, high = min(0, *lengths), max(0, *lengths)
    # A line of the terminal for each bar: a wider one would reach into the next line.
    figure.draw(figure.bar(places, lengths, orientation="horizontal", width=0.01))
    figure.ruler("y").ticks(places, [cut(text, figure.size()[0] // 3) for text in chart.along.cells])
    figure.ruler("y").lim(1, len(places))
    high = high if high > low else 1
    figure.ruler("x").lim(low, high)
    figure.ruler("x").ticks(*_number_ticks(low, high))
    figure.label(chart.numbers[0].name, "x")


def _points(figure: Any, chart: Chart) -> None:
    over_time, places = chart.kind == "line", list(map(_place, chart.along.cells))
    for column, marker in zip(chart.numbers, _MARKERS, strict=False):
        points = sorted(zip(places, column.cells, strict=True), key=itemgetter(0))
        for present, run in groupby(points, lambda point: point[1] is not None):
            if present:  # a line has a gap where there is no number
                signal = figure.signal(*map(list, zip(*run, strict=True)), marker=marker)
                signal.lines(over_time)
                figure.draw(signal)
    numbers = [cell for column in chart.numbers for cell in column.cells if cell is not None]
    figure.ruler("y").ticks(*_number_ticks(min(numbers), max(numbers)))
    x_ticks = _ticks(sorted(set(chart.along.cells))) if over_time else _number_ticks(min(places), max(places))
    figure.ruler("x").ticks(*x_ticks)
    figure.label(chart.along.name, "x")
    figure.label(_names(chart), "y")


def _names(chart: Chart) -> str:
    """Return the names of the columns of numbers; of several, each with its marker."""
    names = [column.name for column in chart.numbers]
    return names[0] if len(names) == 1 else ", ".join(f"{m} {n}" for m, n in zip(_MARKERS, names, strict=False))


def _place(at: Any) -> float:
    return at.timestamp() if isinstance(at, datetime) else at


def _ticks(times: Sequence[datetime]) -> tuple[list[float], list[str]]:
    """Return some evenly spread times with labels, as short as the times allow."""
    last = len(times) - 1
    chosen = [times[n] for n in sorted({round(last * n / (_TICKS - 1)) for n in range(_TICKS)})]
    rest = "-01-01 00:00"  # what follows a year, a month or a day that is meant as such
    length = next(n for n in (4, 7, 10, 16) if all(_written(at)[n:] == rest[n - 4 :] for at in times))
    return list(map(_place, chosen)), [_written(at)[:length] for at in chosen]


def _number_ticks(low: float, high: float) -> tuple[list[float], list[str]]:
    """Return some round numbers from `low` to `high` with labels, at least one: plain, or in k or M."""
    rough = (high - low) / _TICKS or abs(high) or 1
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first, last = math.ceil(low / step), math.floor(high / step)
    places = [n * step for n in range(first, last + 1)] or [low]
    return places, [_shortened(place, max(abs(low), abs(high))) for place in places]


def _shortened(number: float, largest: float) -> str:
    """Return a number as the label of an axis whose numbers reach up to `largest`."""
    if largest >= _MOST_PLAIN or number == 0:
        return f"{number:g}"
    unit, sign = next(((size, sign) for size, sign in _UNITS if largest >= size * 10), (1, ""))
    return f"{round(number / unit, 9):,.10g}{sign}"


def _written(at: datetime) -> str:
    return at.isoformat(" ", "minutes")[:16]


def check(path: Path) -> None:
    """Raise `AskError` for a file with an ending of no chart, or one that exists and holds something else."""
    if path.suffix.lower() not in KINDS:
        raise AskError(f"chart: expected a file that ends in {', '.join(KINDS)}, found {str(path)!r}")
    files.refuse_other(path, KINDS[path.suffix.lower()][0], "a chart")


def write(chart: Chart, path: Path) -> None:
    """Write a chart to a file, as its ending says. Raise `AskError` if vl-convert is not installed and needed."""
    _, made = KINDS[path.suffix.lower()]
    files.write(files.named(path), made(chart))


def _json(chart: Chart) -> bytes:
    return json.dumps(vega_lite(chart)).encode()


def _svg(chart: Chart) -> bytes:
    return str(_converter().vegalite_to_svg(vega_lite(chart))).encode()


def _png(chart: Chart) -> bytes:
    return bytes(_converter().vegalite_to_png(vega_lite(chart), scale=2))


def _html(chart: Chart) -> bytes:
    # A picture in a page that runs nothing: altair's own would write names and cells of the database into a script.
    names = [column.name for column in (*chart.numbers, chart.along)]
    return _PAGE.format(html.escape(", ".join(names)), _svg(chart).decode()).encode()


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<title>{}</title>
</head>
<body>
{}
</body>
</html>
"""


def _converter() -> Any:
    return _installed("vl_convert", "writing a chart as HTML, PNG or SVG")


def _installed(module: str, task: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        package = {"vl_convert": "vl-convert-python"}.get(module, module)
        raise AskError(f"{task} needs {package}: pip install {package}") from None


# The endings of files, each with how such a file begins and what makes its content.
KINDS: dict[str, tuple[bytes, Callable[[Chart], bytes]]] = {
    ".html": (b"<!doctype html>", _html),
    ".json": (b'{"$schema": "https://vega.github.io/schema/vega-lite/', _json),
    ".png": (b"\x89PNG\r\n\x1a\n", _png),
    ".svg": (b"<svg", _svg),
}
