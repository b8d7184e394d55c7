"""`askwhere web` over a database whose names are markup, control characters and marks that turn text around."""

from __future__ import annotations

import contextlib
import re
from html.parser import HTMLParser

import askwhere
import pytest
from askwhere.models import Scripted
from askwhere.sql.identifiers import quote
from support import Database, connected
from web import serving

pytestmark = pytest.mark.slow

BAD = "</td></script><img src=x onerror=alert(1)>\"'&lt;{{7*7}}\x1b[31m\u202e\u2066]]>"
NAMES = (f"{BAD}1", f"2 {BAD}")
CONTROLS = re.compile("[\0-\b\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
FOREIGN = {"script", "img", "iframe", "object", "embed", "base", "link", "audio", "video", "math"}


class Reader(HTMLParser):
    """Collects elements, and attributes that could run something."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.alive: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.alive += [
            a for a in attrs if a[0].startswith("on") or (a[1] or "").strip().lower().startswith("javascript")
        ]


def test_names_are_texts_on_every_page(database: Database) -> None:
    path = database.path.with_name(f"<b>x\u202e&{database.path.name}")
    with contextlib.closing(connected(database.kind, path)) as made:
        for name in NAMES:
            made.execute(f"CREATE TABLE {quote(name)} ({quote(f'k{name}')} TEXT, {quote(f'n{name}')} INTEGER)")
            for number in range(3):
                made.execute(f"INSERT INTO {quote(name)} VALUES (?, ?)", (f"{number}{BAD}", number))
    model = Scripted([f"SELECT * FROM {quote(NAMES[n % 2])}" for n in range(20)])
    given = {"model": model, "method": "sea", "effort": "fast"}
    with serving(lambda: askwhere.connect(str(path), **given), name=path.name, write=True) as site:
        pages = [site.asked(f"flurb of zorb {n} {BAD}") for n in range(2)]
        place = next(iter(re.findall(r'<option value="(\d+)"', site.get("/words")[1])))
        assert site.post("/words", {"name": place, "comment": BAD, "synonyms": "flurb"})[0] == 303
        pages += [site.get(page)[1] for page in ("/", "/history", "/words")]
    for page in pages:
        reader = Reader()
        reader.feed(page)
        assert not reader.elements & FOREIGN
        assert reader.alive == []
        assert not CONTROLS.search(page)
    assert "<td" in pages[0]
