"""Helpers for tests of pages: a parser that refuses what no page may have, and a trace with every part in it."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import askwhere
from askwhere.bindings import sample
from askwhere.bindings.cli import trace
from askwhere.models import Scripted
from askwhere.pages.facts import Trace
from askwhere.session import Question

ELEMENTS = frozenset(
    "html head meta title style body header nav main footer section article figure h1 h2 h3 h4 p a ul li dl dt dd div"
    " span strong small mark del ins pre code table caption thead tbody tr th td details summary svg rect"
    " line circle text".split()
)
ATTRIBUTES = frozenset(
    "lang charset http-equiv content name href id class title tabindex role aria-label aria-labelledby aria-hidden"
    " scope open viewbox preserveaspectratio focusable x y width height x1 y1 x2 y2 cx cy r dx dy text-anchor".split()
)
EMPTY = ("meta",)

# For every element with text of its own: the contrast of the text and the ground behind it (WCAG 2.2, 1.4.3).
CONTRASTS = """() => {
  const channel = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const rgba = text => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ground = e => { for (; e; e = e.parentElement) {
    const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] == 1) return c; if (c[3] > 0) throw 'half seen'; }
    return [255, 255, 255, 1]; };
  const found = [];
  for (const e of document.querySelectorAll('body, body *')) {
    if (![...e.childNodes].some(n => n.nodeType == 3 && n.data.trim())) continue;
    const [a, b] = [light(rgba(getComputedStyle(e).color)), light(ground(e))];
    found.push([(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.outerHTML.slice(0, 80)]);
  }
  return found;
}"""
# Elements whose text is smaller than 12 pixels.
SMALL = (
    "[...document.querySelectorAll('body *')].filter(e => parseFloat(getComputedStyle(e).fontSize) < 12)"
    ".map(e => e.outerHTML.slice(0, 80))"
)


class Parsed(HTMLParser):
    """A page's elements, attributes and text. Raises AssertionError for markup that is malformed or not allowed."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self.style = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == [], self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ELEMENTS, tag
        assert {name for name, _ in attrs} <= ATTRIBUTES, attrs
        assert len({name for name, _ in attrs}) == len(attrs), attrs
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in EMPTY:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1:] == ["style"]:
            self.style += data
        else:
            self.text.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"a processing instruction: {data}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data}")

    @property
    def whole(self) -> str:
        """All text."""
        return "".join(self.text)

    def named(self, tag: str) -> list[dict[str, str]]:
        """Return the attributes of all elements of that name."""
        return [attributes for name, attributes in self.elements if name == tag]


def checked(page: str) -> Parsed:
    """Return the parsed page, once it is known to be well-formed, to run and load nothing, and to be accessible."""
    page.encode("utf-8")
    parsed = Parsed(page)
    digest = base64.b64encode(hashlib.sha256(parsed.style.encode()).digest()).decode()
    (policy,) = (m["content"] for m in parsed.named("meta") if m.get("http-equiv") == "Content-Security-Policy")
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert not re.search(r"url\(|@import|https?:", parsed.style)
    identifiers = [attributes["id"] for _, attributes in parsed.elements if "id" in attributes]
    assert len(identifiers) == len(set(identifiers))
    for _, attributes in parsed.elements:
        if "href" in attributes:
            assert attributes["href"].removeprefix("#") in identifiers
        if "aria-labelledby" in attributes:
            assert attributes["aria-labelledby"] in identifiers
    levels = [int(tag[1]) for tag, _ in parsed.elements if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip([0, *levels], levels, strict=False))
    for landmark in ("header", "nav", "main", "footer"):
        assert len(parsed.named(landmark)) == 1
    return parsed


QUESTION = "What are the 5 largest countries in Africa?"
FROM = "FROM countries JOIN continents ON countries.continent_id = continents.id WHERE continents.name = 'Africa'"
# A query with two columns that are not there: the eliminator joins the continents, a correction mends the area.
REPLIES = (
    "SELECT name FROM countries WHERE continent = 'Africa' ORDER BY area DESC LIMIT 5",
    "The table countries has no column area; the area is in area_km2.",
    f"SELECT countries.name {FROM} ORDER BY countries.area_km2 DESC LIMIT 5",
)
ELIMINATED = f"SELECT countries.name {FROM} ORDER BY countries.area DESC LIMIT 5"


def example(folder: Path, question: str = QUESTION, **settings: Any) -> Trace:
    """Return a trace on the sample database with two corrections, three candidates and two groups of them."""
    sample.build_sqlite(folder / "world.db")
    models = {"model": Scripted(REPLIES), "eliminator": Scripted([ELIMINATED])}
    connection = askwhere.connect(folder / "world.db", **{**models, **settings})
    try:
        return trace.trace_of(connection, Question(question), "world.db")
    finally:
        connection.close()
