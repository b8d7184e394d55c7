"""Choose the chart that fits the columns of an answer, and write it in Vega-Lite."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from askwhere.cells import short, visible, written
from askwhere.errors import AskError
from askwhere.frozen import frozen

MOST_POINTS = 5_000  # as many as altair draws
MOST_BARS = 30
MOST_LINES = 5
LONGEST = 200  # characters of a name or a label: Vega takes quadratic time to measure one, which nothing interrupts
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_SIZE = {"width": 600, "height": 300}  # pixels
# Texts that are times: a quarter, or a month or day in ISO 8601, with or without a time of day. A year alone is one
# where the name of its column says so.
_QUARTER = re.compile(r"(\d{4})-Q([1-4])")
_ISO = re.compile(r"\d{4}-\d\d(-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d(:?\d\d)?)?)?)?")
_YEAR = re.compile(r"[12]\d{3}")

# Properties of every object in JavaScript: for a text of such a name, Vega reads the property and draws nothing.
_OF_OBJECTS = frozenset(
    "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf __proto__"
    " __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__".split()
)


@frozen
class Column:
    """A column of an answer: its kind (`time`, `number` or `text`), and its cells converted to it, or None."""

    name: str
    kind: str
    cells: tuple[Any, ...]


@frozen
class Chart:
    """A chart: its kind (`line`, `bar` or `scatter`), the column along its axis, and the columns of numbers.

    `along` has times in UTC for a line, texts for bars, numbers for a scatter plot; only cells of `numbers` may be
    None. Texts have no characters that do not print.
    """

    kind: str
    along: Column
    numbers: tuple[Column, ...]
    note: str = ""


def chart_of(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Chart:
    """Return the chart that fits the columns: a line over time, bars for a text and a number, points for two numbers.

    Bars are in the order of the rows, at most `MOST_BARS` of them. Raise `AskError`, which says why, where none fits.
    """
    if len(rows) < 2:
        raise _no_chart(f"it has {'one row' if rows else 'no rows'}, and a chart compares several")
    if len(rows) * (len(columns) - 1) > MOST_POINTS:
        raise _no_chart(
            f"it has {len(rows) * (len(columns) - 1):,} points, and a chart has at most {MOST_POINTS:,};"
            " ask for groups, such as 'per month', or for fewer rows"
        )
    listed = [_column(name, [row[n] for row in rows]) for n, name in enumerate(columns)]
    times, texts, numbers = (
        [series for series in listed if series.kind == kind] for kind in ("time", "text", "number")
    )
    if not numbers:
        raise _no_chart(f"it has no column of numbers, only {_listed(listed)}")
    if len(times) == 1 and not texts and len(numbers) <= MOST_LINES:
        return _complete("line", times[0], numbers)
    if len(texts) == len(numbers) == 1 and not times:
        return _bars(texts[0], numbers[0])
    if len(numbers) == len(listed) == 2:
        return _complete("scatter", numbers[0], numbers[1:])
    raise _no_chart(
        f"a chart shows a time with at most {MOST_LINES} numbers, a text with a number, or two numbers, and this is"
        f" {_listed(listed)}; ask for fewer columns"
    )


def _no_chart(why: str) -> AskError:
    return AskError(f"there is no chart of this answer: {why}")


def _listed(columns: Sequence[Column]) -> str:
    return ", ".join(f"{column.name!r} ({column.kind})" for column in columns)


def _column(name: str, cells: Sequence[Any]) -> Column:
    """Return a column with the kind that fits all of its cells; NULL fits every kind."""
    shown, present = _line(name), [cell for cell in cells if cell is not None]
    named_year = "year" in name.casefold()
    times = [_time(cell, named_year) for cell in present]
    if present and None not in times:
        return Column(shown, "time", tuple(_time(cell, named_year) for cell in cells))
    if all(isinstance(cell, int | float | Decimal) and not isinstance(cell, bool) for cell in present):
        numbers = tuple(map(_number, cells))
        if any(number is not None for number in numbers):
            return Column(shown, "number", numbers)
    return Column(shown, "text", tuple(_line(written(cell)) for cell in cells))


def _line(text: str) -> str:
    """Return a text as a chart shows it, on one line, and cut behind `LONGEST` characters.

    An invisible character, the word joiner, is put into what would end the script in which a notebook writes the chart,
    and after a name of `_OF_OBJECTS`.
    """
    shown = re.sub("<(?=[/!])", "<\u2060", visible(short(text, LONGEST)).replace("\n", "⏎").replace("\t", " "))
    return f"{shown}\u2060" if shown in _OF_OBJECTS else shown


def _number(cell: Any) -> float | int | None:
    """Return a number as JSON can write it, an integer below 2**53 unchanged; None for other values and infinity."""
    try:
        number = float(cell)
    except (TypeError, ValueError, OverflowError):  # none, no number, or one beyond all floats
        return None
    if not math.isfinite(number):
        return None
    return cell if isinstance(cell, int) and abs(cell) < 2**53 else number


def _time(cell: Any, named_year: bool) -> datetime | None:
    """Return a cell as a time in UTC, None for any other cell. A time without a zone is taken as UTC."""
    if isinstance(cell, datetime):
        try:
            return cell.astimezone(UTC) if cell.tzinfo else cell.replace(tzinfo=UTC)
        except OverflowError:  # in UTC before the first year, or after the last
            return None
    if isinstance(cell, date):
        return datetime(cell.year, cell.month, cell.day, tzinfo=UTC)
    if not isinstance(cell, str | int) or isinstance(cell, bool):
        return None
    text = str(cell)
    if named_year and _YEAR.fullmatch(text):
        return datetime(int(text), 1, 1, tzinfo=UTC)
    if quarter := _QUARTER.fullmatch(text):
        text = f"{quarter[1]}-{int(quarter[2]) * 3 - 2:02}"
    if not _ISO.fullmatch(text):
        return None
    try:
        return _time(datetime.fromisoformat(f"{text}-01" if len(text) == 7 else text), False)
    except (ValueError, OverflowError):  # the thirteenth month
        return None


def _complete(kind: str, along: Column, numbers: Sequence[Column]) -> Chart:
    """Return a chart without the rows whose cell along the axis is NULL."""
    kept = [n for n, cell in enumerate(along.cells) if cell is not None]
    first, *others = (
        Column(column.name, column.kind, tuple(column.cells[n] for n in kept)) for column in (along, *numbers)
    )
    return Chart(kind, first, tuple(others))


def _bars(texts: Column, numbers: Column) -> Chart:
    """Return a bar for each of the first rows; a number makes texts that come again unique."""
    labels: dict[str, None] = {}
    for text in texts.cells[:MOST_BARS]:
        again = (text if n == 1 else f"{text} ({n})" for n in itertools.count(1))
        labels[next(label for label in again if label not in labels)] = None
    total = len(texts.cells)
    note = f"the first {MOST_BARS} of {total:,} rows" if total > MOST_BARS else ""
    along = Column(texts.name, "text", tuple(labels))
    return Chart("bar", along, (Column(numbers.name, "number", numbers.cells[:MOST_BARS]),), note)


def vega_lite(chart: Chart) -> dict[str, Any]:
    """Return a chart as Vega-Lite, with field names of our own: the database's names and cells are only text in it."""
    drawn = {"$schema": _SCHEMA, "data": {"values": list(_points(chart))}, **_LOOKS[chart.kind](chart)}
    return drawn | ({"title": chart.note} if chart.note else {})


def _points(chart: Chart) -> Iterator[dict[str, Any]]:
    """Yield the points of a chart, those of one column after the other."""
    for column in chart.numbers:
        for place, number in zip(chart.along.cells, column.cells, strict=True):
            along = place.isoformat() if isinstance(place, datetime) else place
            yield {"along": along, "number": number} | ({"column": column.name} if len(chart.numbers) > 1 else {})


def _line_look(chart: Chart) -> dict[str, Any]:
    several = len(chart.numbers) > 1
    colour = {"color": {"field": "column", "type": "nominal", "sort": None, "title": None}} if several else {}
    along = {"field": "along", "type": "temporal", "scale": {"type": "utc"}, "title": chart.along.name}
    return {
        "mark": {"type": "line", "point": True},
        **_SIZE,
        "encoding": {"x": along, "y": _number_axis(chart), **colour},
    }


def _bar_look(chart: Chart) -> dict[str, Any]:
    along = {"field": "along", "type": "nominal", "sort": None, "title": chart.along.name}
    return {"mark": "bar", "width": _SIZE["width"], "encoding": {"x": _number_axis(chart), "y": along}}


def _scatter_look(chart: Chart) -> dict[str, Any]:
    free = {"scale": {"zero": False}}
    along = {"field": "along", "type": "quantitative", "title": chart.along.name, **free}
    return {"mark": "point", **_SIZE, "encoding": {"x": along, "y": {**_number_axis(chart), **free}}}


def _number_axis(chart: Chart) -> dict[str, Any]:
    """Return the axis of the numbers. With several columns, the legend has their names."""
    title = chart.numbers[0].name if len(chart.numbers) == 1 else None
    return {"field": "number", "type": "quantitative", "title": title}


_LOOKS = {"line": _line_look, "bar": _bar_look, "scatter": _scatter_look}
