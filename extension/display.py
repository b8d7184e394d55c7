"""Draw rows as a table, for a terminal or a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askwhere.box import box
from askwhere.cells import counted, is_numeric, short, visible, written

SHOWN = 1_000


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], shown: int = SHOWN, room: int | None = None) -> str:
    """Return the rows in a box, with their number below; at most the first `shown` rows, with a note of that.

    The box fits into `room`, the columns of a terminal, see `box`. A single text that does not fit into a cell is
    returned as it is.
    """
    text = whole(rows)
    if text is not None:
        return text
    cells = [[_line(written(cell)) for cell in row] for row in rows[:shown]]
    numeric = [is_numeric(rows[:SHOWN], i) for i in range(len(columns))]
    return f"{box(list(map(_line, columns)), cells, numeric, room)}\n{_number(rows, shown)}"


def _line(text: str) -> str:
    """Return a text on one line, in which a terminal obeys nothing."""
    return visible(text).replace("\n", "⏎").replace("\t", " ")


def whole(rows: Sequence[Sequence[Any]]) -> str | None:
    """Return an answer's only value where it is a text of several lines, or longer than a cell; else None."""
    if len(rows) != 1 or len(rows[0]) != 1 or not isinstance(rows[0][0], str):
        return None
    text = rows[0][0]
    return visible(text) if "\n" in text.strip() or short(text) != text else None


def html(columns: Sequence[str], rows: Sequence[Sequence[Any]], folded: str, details: str, shown: int = SHOWN) -> str:
    """Return the rows as an HTML table, with their number below, and `details` folded under the line `folded`.

    All of it is shown as text: nothing in a value or a name is markup.
    """
    from markupsafe import Markup

    numeric = [is_numeric(rows[:SHOWN], i) for i in range(len(columns))]
    left, right = Markup('<{0} style="text-align: left">{1}</{0}>'), Markup('<{0} style="text-align: right">{1}</{0}>')

    def line(tag: str, texts: Sequence[str]) -> Markup:
        cells = ((right if number else left).format(tag, text) for text, number in zip(texts, numeric, strict=True))
        return Markup("<tr>{}</tr>").format(Markup("").join(cells))

    head = line("th", list(map(visible, columns)))
    body = Markup("\n").join(line("td", [visible(written(cell)) for cell in row]) for row in rows[:shown])
    page = Markup(
        "<table>\n<thead>{}</thead>\n<tbody>\n{}\n</tbody>\n</table>\n<p>{}</p>\n"
        "<details><summary>{}</summary><pre>{}</pre></details>"
    ).format(head, body, _number(rows, shown), visible(folded), visible(details))
    return str(page)


def _number(rows: Sequence[Sequence[Any]], shown: int) -> str:
    more = f", the first {shown:,} shown" if len(rows) > shown else ""
    return f"{counted(len(rows), 'row')}{more}"
