"""Headless Chromium, as the tests of pages and the screenshots of the documentation use it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pages import CONTRASTS, SMALL

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Debian's packages, of which the first is the smallest, and the names that others give it.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# As root Chromium has no sandbox. The others keep it from asking the network for anything of its own.
FLAGS = ("--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync")

PHONE, DESK = 360, 1280
SCREENS = [("light", DESK), ("dark", DESK), ("light", PHONE), ("dark", PHONE)]
# Markup that would do harm if it were not dead, and a word that has no place to break.
HOSTILE = (
    "</script></style><img src=//example.com/x onerror=fetch('//example.com')><script>document.title='taken'</script>"
)
LONG = "Donaudampfschifffahrtsgesellschaft" * 30


def find() -> str | None:
    """Return the machine's own Chromium; None for none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def install() -> None:
    """Install Chromium: Debian's package if possible, else Playwright's download."""
    if find():
        return
    commands = [[sys.executable, "-m", "playwright", "install", "chromium-headless-shell"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        commands = [["apt-get", "update"], ["apt-get", "install", "--yes", "--no-install-recommends", NAMES[0]]]
    for command in commands:
        subprocess.run(command, check=True, stdout=sys.stderr, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


@contextmanager
def chromium() -> Iterator[Browser]:
    """The machine's Chromium, `$CHROMIUM` first; with none, the one that Playwright itself has downloaded.

    Raises Playwright's error, which says what to do, where that is missing too.
    """
    from playwright.sync_api import sync_playwright  # comes with `make test-all`; `make test` does without

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opening(browser: Browser, files: Mapping[str, Path]) -> Iterator[Callable[..., tuple[Page, list[str]]]]:
    """Yield a function that opens a page by its name, with all boxes unfolded: `open_(name, colour scheme, width)`.

    It returns the page, and all that the page requested or complained of.
    """
    contexts = []

    def open_(name: str, scheme: Any = "light", width: int = DESK) -> tuple[Page, list[str]]:
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        contexts.append(context)
        page, heard = context.new_page(), []
        address = files[name].as_uri()
        page.on("console", lambda message: heard.append(message.text))
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.on("dialog", lambda dialog: heard.append(dialog.message))
        page.on("request", lambda request: None if request.url == address else heard.append(request.url))
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        return page, heard

    yield open_
    for context in contexts:
        context.close()


def readable(page: Page, width: int, texts: int) -> None:
    """Assert that no text is faint or small, that there are `texts` texts, and that nothing is wider than the page."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.scrollingElement.scrollLeft = 50, document.scrollingElement.scrollLeft") == 0
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts) > texts
    assert [found for found in contrasts if found[0] < 4.5] == []
    assert page.evaluate(SMALL) == []


def landmarks(page: Page, regions: Sequence[str]) -> None:
    """Assert that a screen reader finds the parts of a page: landmarks, one title, these regions, its tables."""
    for role in ("banner", "navigation", "main", "contentinfo"):
        assert page.get_by_role(role).count() == 1, role
    assert page.get_by_role("heading", level=1).count() == 1
    for name in regions:
        assert page.get_by_role("region", name=name, exact=True).count() == 1
    assert page.get_by_role("table").count() == page.locator("table").count()


def on_paper(page: Page) -> None:
    """Show the page as printed; assert that it is readable, and light although the screen is dark."""
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.get_by_role("navigation").is_visible()
    assert [found for found in page.evaluate(CONTRASTS) if found[0] < 4.5] == []
    assert page.pdf(format="A4").startswith(b"%PDF")


if __name__ == "__main__":
    install()
