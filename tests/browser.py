"""Headless Chromium, as the tests of pages and the screenshots of the documentation use it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

# Debian's packages, of which the first is the smallest, and the names that others give it.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# As root Chromium has no sandbox. The others keep it from asking the network for anything of its own.
FLAGS = ("--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync")


def find() -> str | None:
    """The machine's own Chromium; None for none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def install() -> None:
    """See to it that there is a Chromium: Debian's package where that can be installed, else Playwright's download."""
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
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opening(browser: Browser, files: Mapping[str, Path]) -> Iterator[Callable[..., tuple[Page, list[str]]]]:
    """What opens a page by its name, with all boxes unfolded: `open_(name, colour scheme, width)`.

    With the page comes what it asked for or complained of.
    """
    contexts = []

    def open_(name: str, scheme: Any = "light", width: int = 1280) -> tuple[Page, list[str]]:
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


if __name__ == "__main__":
    install()
