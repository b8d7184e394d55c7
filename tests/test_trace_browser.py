"""The page of a trace in headless Chromium: light and dark, on a phone, on paper, with the keyboard, under attack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from askwhere.pages.facts import Columns, Correction, Link, Query, Trace
from askwhere.pages.trace import html
from askwhere.pipeline.facts import Step
from browser import HOSTILE, LONG, PHONE, SCREENS, landmarks, on_paper, readable
from pages import example

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow


def crowded(told: Trace) -> Trace:
    """The trace with text that has no place to break, a result of many columns, and markup everywhere."""
    cells = tuple(f"column {n} {HOSTILE}" for n in range(40))
    wide = Query(
        1, f"SELECT '{LONG}', {HOSTILE}", LONG, 0.4, 1, 1, cells, (cells, (LONG, *cells[1:])), 1.0, notes=(LONG,)
    )
    return replace(
        told,
        question=f"{HOSTILE} {LONG}",
        database=LONG,
        hint=LONG,
        queries=(wide, replace(wide, rank=2, group=0, error=f"{LONG} {HOSTILE}")),
        links=tuple(Link(LONG, how, LONG, LONG, f"{LONG} {HOSTILE}") for how in ("exact", "near", "name", "part")),
        tables=(Columns(LONG, (LONG, "a"), (LONG,)),),
        corrections=(Correction(LONG, LONG, HOSTILE, LONG, LONG, f"failed: {LONG}"),),
        steps=(Step(LONG, LONG, LONG, LONG, HOSTILE, 10**9, 10**9, 1e9), *told.steps),
    )


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    told = example(folder)
    refused = replace(told, chosen=0, queries=(), corrections=(), error=f"It could not be read: {HOSTILE}")
    traces = {"example": told, "crowded": crowded(told), "refused": refused, "hidden": replace(told, values="hide")}
    for name, one in traces.items():
        (folder / f"{name}.html").write_text(html(one), "utf-8")
    return {name: folder / f"{name}.html" for name in traces}


@pytest.mark.parametrize("name", ["example", "crowded", "refused", "hidden"])
@pytest.mark.parametrize(("scheme", "width"), SCREENS)
def test_text_is_readable_and_nothing_sticks_out(
    opened: Callable[..., tuple[Page, list[str]]], name: str, scheme: str, width: int
) -> None:
    page, heard = opened(name, scheme, width)
    readable(page, width, 20)
    (red, *_) = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert red > 200 if scheme == "light" else red < 50
    assert heard == []


def test_a_wide_table_scrolls_in_its_own_box_with_the_keyboard(opened: Callable[..., tuple[Page, list[str]]]) -> None:
    page, _ = opened("crowded", width=PHONE)
    box = page.locator("#answer .scroll")
    assert box.evaluate("e => e.scrollWidth > 3 * e.clientWidth")
    box.focus()
    page.keyboard.press("ArrowRight")
    for _ in range(100):  # it glides there; the page's own policy forbids Playwright to wait in it
        if box.evaluate("e => e.scrollLeft") > 0:
            return
        page.wait_for_timeout(20)
    raise AssertionError("the box did not scroll")


def test_markup_in_the_facts_is_dead_and_would_do_nothing_if_it_were_not(
    opened: Callable[..., tuple[Page, list[str]]],
) -> None:
    page, heard = opened("crowded")
    assert page.title().startswith(HOSTILE[:50])
    assert page.locator("script, img").count() == 0
    # What slipped through would meet the policy: no script runs, nothing is asked of another host.
    failed = []
    page.on("requestfailed", lambda request: failed.append((request.url, request.failure)))
    page.evaluate(
        """() => {
          const script = document.createElement('script'); script.textContent = 'window.taken = true';
          const image = document.createElement('img'); image.src = 'http://127.0.0.1:9/';
          image.setAttribute('onerror', 'window.taken = true');
          const style = document.createElement('style'); style.textContent = 'body { display: none }';
          document.body.append(script, image, style);
        }"""
    )
    page.wait_for_timeout(200)
    assert page.evaluate("window.taken === undefined")
    assert page.locator("body").is_visible()
    assert failed == [("http://127.0.0.1:9/", "csp")]
    assert sum(1 for said in heard if "Content Security Policy" in said) >= 3


def test_landmarks_and_headings_are_there_for_who_cannot_see(opened: Callable[..., tuple[Page, list[str]]]) -> None:
    page, _ = opened("example")
    landmarks(page, ("Answer", "Linked names and values", "Candidates", "Corrections", "Steps"))


def test_everything_can_be_reached_with_the_keyboard(browser: Browser, files: dict[str, Path]) -> None:
    page = browser.new_page()
    page.goto(files["example"].as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash + document.activeElement.id") == "#contentcontent"
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.tagName"))
        if page.evaluate("document.activeElement.closest('details.step') !== null"):
            break
    assert seen == {"PRE", "DIV", "SUMMARY"}
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.parentElement.open")
    page.close()


def test_on_paper_it_is_light_and_whole(opened: Callable[..., tuple[Page, list[str]]]) -> None:
    page, _ = opened("example", "dark")
    on_paper(page)
    assert page.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor") == "rgb(255, 255, 255)"
    cut = page.evaluate(
        "[...document.querySelectorAll('pre')]"
        ".filter(e => e.checkVisibility() && e.scrollHeight > e.clientHeight + 1).length"
    )
    assert cut == 0


def test_the_screenshots_of_the_documentation_can_be_taken_again(browser: Browser, tmp_path: Path) -> None:
    from screenshots import IMAGES, MOST_BYTES, take

    taken = take(browser, tmp_path)
    assert {path.name for path in taken} == {path.name for path in IMAGES.glob("trace-*.png")}
    assert all(10_000 < path.stat().st_size < MOST_BYTES for path in (*taken, *IMAGES.glob("trace-*.png")))
