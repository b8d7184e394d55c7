"""Put a picture that another program drew into a page: the shapes and texts of an SVG, and nothing else of it."""

from __future__ import annotations

from xml.etree import ElementTree

from askwhere.pages.markup import text
from markupsafe import Markup

_SPACE = "{http://www.w3.org/2000/svg}"
_ELEMENTS = frozenset(("g", "line", "path", "rect", "text"))
_ATTRIBUTES = frozenset(
    "class d fill font-size font-weight height opacity stroke stroke-width text-anchor transform width x x1 x2 y y1"
    " y2".split()
)


def inline(svg: str, label: str) -> Markup:
    """Return an SVG as HTML that loads and runs nothing, named `label` for screen readers.

    Its texts have the page's font; black texts have the colour of the stylesheet.
    """
    root = ElementTree.fromstring(svg)
    size = (root.get("width", ""), root.get("height", ""))
    inside = Markup("").join(map(_safe_copy, root))
    start = Markup('<svg role="img" aria-label="{0}" width="{1}" height="{2}" viewBox="0 0 {1} {2}">')
    return start.format(text(label), *size) + inside + Markup("</svg>")


def _safe_copy(element: ElementTree.Element) -> Markup:
    """Return a copy of an SVG element with what is allowed inside it; '' for one that is hidden or not allowed."""
    name = element.tag.removeprefix(_SPACE)
    if name not in _ELEMENTS or element.get("display") == "none":
        return Markup("")
    attributes = Markup("").join(
        Markup(' {}="{}"').format(key, value)
        for key, value in element.items()
        if key in _ATTRIBUTES and "url(" not in value.lower()
    )
    inside = text(element.text or "") + Markup("").join(map(_safe_copy, element))
    return Markup("<{0}{1}>{2}</{0}>").format(name, attributes, inside)
