"""Write the parts of pages: tables of rows, queries, badges, boxes that fold and scroll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askwhere.pages.cells import is_numeric, written
from askwhere.pages.chart import bar
from askwhere.pages.colour import coloured, laid_out
from askwhere.pages.markup import Markup, join, tag

# A confidence below this is shown as a warning.
_SURE = 0.8


def sql(text: str, dialect: str) -> Markup:
    """Return a query in lines, coloured."""
    return preformatted("SQL", coloured(laid_out(text, dialect), dialect))


def preformatted(label: str, content: str) -> Markup:
    """Return preformatted text, which scrolls if it is long, by keyboard too; `label` names it for screen readers."""
    return tag("pre", content, tabindex=0, role="group", aria_label=label)


def scrolling(label: str, content: Markup) -> Markup:
    """Return a box that scrolls sideways, by keyboard too; `label` names it for screen readers."""
    return tag("div", content, class_="scroll", tabindex=0, role="group", aria_label=label)


def rows(columns: Sequence[str], shown: Sequence[Sequence[Any]], caption: str) -> Markup:
    """Return a table of rows, with numbers aligned to the right."""
    right = ["right" if is_numeric(shown, i) else None for i in range(len(columns))]
    head = (tag("th", name, scope="col", class_=side) for name, side in zip(columns, right, strict=True))
    body = (tag("tr", *(_cell(cell, side) for cell, side in zip(row, right, strict=True))) for row in shown)
    table = tag("table", tag("caption", caption), tag("thead", tag("tr", *head)), tag("tbody", *body), class_="rows")
    return scrolling(caption, table)


def sure(confidence: float) -> Markup:
    """Return a confidence from 0 to 1, as a bar and in words."""
    drawn = bar([(likely_kind(confidence), 0, confidence)], 1)
    return tag("div", drawn, tag("span", f"Confidence {confidence:.0%}"), class_="sure")


def likely_kind(confidence: float) -> str:
    """Return the CSS class of a confidence: 'good', or 'fair' below `_SURE`."""
    return "good" if confidence >= _SURE else "fair"


def badge(words: str, kind: str = "") -> Markup:
    """Return a few words as a badge; `kind` is 'good', 'fair', 'bad' or ''."""
    return tag("span", words, class_=f"badge {kind}".strip())


def notes(lines: Sequence[str]) -> Markup:
    """Return a list of remarks; empty markup if there are none."""
    return tag("ul", *(tag("li", line) for line in lines), class_="plain note") if lines else join([])


def folded(title: str, content: Markup, opened: bool = False) -> Markup:
    """Return a box that opens and closes without a script."""
    return tag("details", tag("summary", title), content, open=opened)


def time(ms: float) -> str:
    """Return a time in milliseconds as text, in seconds from one second on."""
    return f"{ms / 1000:,.2f} s" if ms >= 1000 else f"{ms:.3g} ms" if ms >= 0.01 else "0 ms"


def count(n: int, one: str, many: str = "") -> str:
    """Return a number with its noun, in the singular or plural.

    >>> count(1, "query", "queries"), count(1200, "row")
    ('1 query', '1,200 rows')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def _cell(cell: Any, side: str | None) -> Markup:
    return tag("td", tag("span", "NULL", class_="none") if cell is None else written(cell), class_=side)
