"""Write text as HTML: escaped, with code points for characters that do not print."""

from __future__ import annotations

from typing import Any

from askwhere.cells import visible
from markupsafe import Markup, escape


def text(content: str) -> Markup:
    """Return HTML that shows a text; `Markup` is HTML already, and returned as it is.

    >>> text("<b>\\x07")
    Markup('&lt;b&gt;⟨U+0007⟩')
    """
    return escape(printable(content))


def printable(value: Any) -> Any:
    """Return a value of a template with what does not print replaced, before it is escaped."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
