"""Write HTML in which text is always escaped: only `text`, `tag` and `join` make `Markup`; other strings are text."""

from __future__ import annotations

import html
from collections.abc import Iterable

from askwhere.pages.cells import visible

_EMPTY = ("meta",)


class Markup(str):
    """A string of HTML, which is not escaped again."""

    __slots__ = ()


def text(content: str) -> Markup:
    """Return HTML that shows a text: escaped, with code points for characters that do not print.

    >>> text("<b>\\x07")
    '&lt;b&gt;⟨U+0007⟩'
    """
    if isinstance(content, Markup):
        return content
    return Markup(html.escape(visible(content)))


def tag(name: str, /, *children: str, **attributes: str | int | bool | None) -> Markup:
    """Return an element. Attributes are named with `_` for `-` (`class_` is class); None and False leave one out.

    >>> tag("td", "a < b", class_="number", aria_label=None)
    '<td class="number">a &lt; b</td>'
    """
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{text(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _EMPTY:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{join(children)}</{name}>")


def join(children: Iterable[str]) -> Markup:
    """Return the children, concatenated."""
    return Markup("".join(map(text, children)))
