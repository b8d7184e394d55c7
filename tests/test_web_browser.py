"""`askwhere web` in headless Chromium: three widths, light and dark, by the keyboard, with hostile values."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import apsw
import askwhere
import pytest
from askwhere.sql.literals import literal
from browser import DESK, HOSTILE, LONG, PHONE, landmarks, readable
from web import Site, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    file = tmp_path_factory.mktemp("web") / f"{HOSTILE[:20].replace('/', '')}.db"
    made = apsw.Connection(str(file))
    made.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT)")
    for value in (HOSTILE, LONG, "javascript:alert(1)", '" onfocus="alert(1)" x="', "{{ 7 * 7 }}"):
        made.execute(f"INSERT INTO customers (name, country) VALUES ({literal(value)}, {literal(value)})")
    made.close()
    with serving(lambda: askwhere.connect(file), name=HOSTILE, write=True) as served:
        yield served


@pytest.fixture
def entered(browser: Browser, site: Site) -> Iterator[Any]:
    """Opens the page by its printed address; with it comes what it complained of, or asked of other places."""
    contexts = []

    def enter(scheme: Any = "light", width: int = DESK) -> tuple[Page, list[str]]:
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        contexts.append(context)
        page, heard = context.new_page(), []
        page.on("console", lambda message: heard.append(message.text))
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.on("dialog", lambda dialog: heard.append(dialog.message))
        page.on("request", lambda r: None if r.url.startswith(site.origin) else heard.append(r.url))
        page.goto(site.entrance)
        return page, heard

    yield enter
    for context in contexts:
        context.close()


def asked(page: Page, question: str) -> None:
    """Ask by the keyboard alone: the line has the focus."""
    page.locator("[name=question]:focus").wait_for()
    page.keyboard.type(question)
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1, name=question).wait_for()
    page.locator("#rows, .error").first.wait_for()
    page.wait_for_load_state()


def followed(page: Page, link: str) -> None:
    """Follow a link to the page whose heading is the link's text, and wait until that page is loaded."""
    page.get_by_role("link", name=link).first.click()
    page.get_by_role("heading", level=1, name=link, exact=True).wait_for()
    page.wait_for_load_state()


def test_the_button_below_a_refusal_adds_the_synonym_and_asks_again(entered: Any) -> None:
    page, heard = entered()
    asked(page, "how many costumers are there")
    assert "INSERT" not in page.locator(".error").inner_text()
    page.get_by_role("button", name="Make “costumers” a word for customers").press("Enter")
    page.locator("#rows").wait_for()
    assert page.locator("#rows td").first.inner_text() == "5"
    assert heard == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, 768, DESK])
def test_hostile_values_are_text_and_nothing_sticks_out(entered: Any, scheme: str, width: int) -> None:
    page, heard = entered(scheme, width)
    asked(page, "customers")
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    readable(page, width, 20)
    assert page.get_by_role("cell", name=HOSTILE).count() == 1
    assert page.locator("img, script, iframe").count() == 0
    landmarks(page, ["Rows", "SQL", "Steps"])
    for name in ("History", "Words"):
        followed(page, name)
        readable(page, width, 5)
    assert heard == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, 768, DESK])
def test_the_chart_of_hostile_values_is_a_picture_of_their_texts(entered: Any, scheme: str, width: int) -> None:
    pytest.importorskip("vl_convert")
    page, heard = entered(scheme, width)
    asked(page, "customers per country")
    page.get_by_role("img", name="Bar chart of ").wait_for()
    texts = page.evaluate("[...document.querySelectorAll('#chart text')].map(e => e.textContent)")
    assert [text for text in texts if "/style" in text and "<img" in text]
    inks = page.evaluate("[...document.querySelectorAll('#chart text')].map(e => getComputedStyle(e).fill)")
    assert set(inks) == {page.evaluate("getComputedStyle(document.body).color")}
    readable(page, width, 20)
    landmarks(page, ["Rows", "Chart", "SQL", "Steps"])
    assert page.locator("image, img, script, iframe, a[href^='http']").count() == 0
    assert heard == []


def test_a_conversation_by_the_keyboard(entered: Any, tmp_path: Path) -> None:
    page, heard = entered()
    asked(page, "customers per country")
    asked(page, "how many customers are there")
    followed(page, "customers per country")
    asked(page, "with more than 3 customers")
    page.get_by_text("After “customers per country”").wait_for()
    page.get_by_role("button", name="Pin this query").click()
    page.get_by_text("Pinned.").wait_for()
    followed(page, "History")
    page.get_by_role("button", name="Unpin").click()
    page.get_by_role("button", name="Unpin").wait_for(state="detached")
    assert heard == []


def test_errors_are_text(entered: Any) -> None:
    page, heard = entered()
    page.locator("[name=question]:focus").wait_for()
    page.keyboard.type(f"zorb {HOSTILE}")
    page.keyboard.press("Enter")
    page.get_by_role("alert").wait_for()
    assert page.locator("img, script").count() == 0
    assert heard == []


class Attacker(BaseHTTPRequestHandler):
    """Serves one page with a form that asks a question of the page at `target`."""

    target = ""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        form = f"<form method=post action='{self.target}/ask'><input name=question value=customers><button>x"
        self.wfile.write(form.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing to standard error."""


@pytest.mark.parametrize(
    ("host", "refusal"),
    [
        ("127.0.0.1", "Only this page may send its forms."),  # the same site to a browser, so the cookie comes with it
        ("localhost", "Open the page by the address"),
    ],
)
def test_no_page_of_another_place_can_ask(browser: Browser, site: Site, host: str, refusal: str) -> None:
    handler = type("Aimed", (Attacker,), {"target": site.origin})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    context = browser.new_context()
    page = context.new_page()
    page.goto(site.entrance)
    page.goto(f"http://{host}:{server.server_port}/")
    page.get_by_role("button").click()
    page.get_by_text(refusal).wait_for()
    context.close()
    server.shutdown()
    server.server_close()


def test_the_screenshots_of_the_documentation_can_be_taken_again(browser: Browser, tmp_path: Path) -> None:
    from screenshots import IMAGES, MOST_BYTES, take_shells, take_web

    for image in (take_web(browser, tmp_path), *take_shells(browser, tmp_path)):
        assert 10_000 < image.stat().st_size < MOST_BYTES
        # As high as now: the shell does not print more or fewer lines than are shown. Widths go by the machine's fonts.
        assert _height(IMAGES / image.name) == _height(image), f"{image.name} is out of date: make screenshots"


def _height(image: Path) -> int:
    """The height of a PNG in pixels."""
    return int.from_bytes(image.read_bytes()[20:24], "big")
