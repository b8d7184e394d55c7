"""The report in headless Chromium: light and dark, on a phone, on paper, with the keyboard, under attack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from askwhere.evaluation.records import Run
from askwhere.evaluation.report import html
from browser import DESK, HOSTILE, LONG, PHONE, SCREENS, landmarks, on_paper, readable
from evaluations import made, several

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow


def crowded() -> Sequence[tuple[str, Run]]:
    """Runs with text that has no place to break and markup everywhere, that cost much."""
    run = made(0.5, 6, asked=12)
    said = f"{HOSTILE} {LONG}"
    records = tuple(
        replace(
            r, id=f"{LONG} {n}", db_id=LONG, question=f"{said} {n}", gold=f"SELECT '{LONG}', {HOSTILE}", error=said,
            predicted=said, level="" if n % 2 else LONG, cost=10.0**9, prompt_tokens=10**12, seconds=1e6,
            error_classes=() if run.right(r) else (LONG,),
        )
        for n, r in enumerate(run.records)
    )  # fmt: skip
    header = replace(run.header, set=LONG, model=LONG, method=LONG, settings={LONG: said}, scores=("spider_ex", LONG))
    return [(said, Run(header, records)), (LONG, Run(header, records[1:], complete=False))]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    pages = {"several": several(), "one": several()[1:2], "crowded": crowded()}
    for name, runs in pages.items():
        (folder / f"{name}.html").write_text(html(runs, "0.1.0", 60), "utf-8")
    return {name: folder / f"{name}.html" for name in pages}


@pytest.mark.parametrize("name", ["several", "one", "crowded"])
@pytest.mark.parametrize(("scheme", "width"), SCREENS)
def test_text_is_readable_and_nothing_sticks_out(
    opened: Callable[..., tuple[Page, list[str]]], name: str, scheme: str, width: int
) -> None:
    page, heard = opened(name, scheme, width)
    readable(page, width, 100)
    assert heard == []


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_text_of_a_plot_stays_in_its_box(opened: Callable[..., tuple[Page, list[str]]], width: int) -> None:
    page, _ = opened("several", width=width)
    assert page.locator(".plot").count() == 4
    outside = page.evaluate(
        """() => [...document.querySelectorAll('.plot text, .plot circle')].filter(e => {
          const [a, b] = [e.getBoundingClientRect(), e.closest('figure').getBoundingClientRect()];
          return a.left < b.left || a.right > b.right || a.top < b.top || a.bottom > b.bottom;
        }).map(e => e.outerHTML)"""
    )
    assert outside == []


def test_a_dot_stands_where_its_figures_are(opened: Callable[..., tuple[Page, list[str]]]) -> None:
    page, _ = opened("several")
    plot = page.locator("#cost .plot")
    box = plot.bounding_box()
    right = [100 * sum(map(run.right, run.records)) / len(run.records) for _, run in several()]
    assert box is not None
    for place, share in enumerate(right):
        dot = plot.locator("circle").nth(place).bounding_box()
        assert dot is not None
        up = 100 * (1 - (dot["y"] + dot["height"] / 2 - box["y"]) / box["height"])
        assert up == pytest.approx(share, abs=0.5)


def test_markup_in_the_runs_is_dead(opened: Callable[..., tuple[Page, list[str]]]) -> None:
    page, heard = opened("crowded")
    assert page.title().startswith("Evaluation of 2 runs")
    assert page.locator("script, img").count() == 0
    assert HOSTILE in page.locator("#wrong").inner_text()
    assert heard == []


def test_landmarks_and_headings_are_there_for_who_cannot_see(opened: Callable[..., tuple[Page, list[str]]]) -> None:
    page, _ = opened("several")
    names = ("Scores", "Compared", "Score by hardness", "Accuracy against cost", "Calibration", "Error classes")
    landmarks(page, (*names, "Seconds a question", "Wrong questions"))


def test_a_wrong_question_is_opened_with_the_keyboard(browser: Browser, files: dict[str, Path]) -> None:
    page = browser.new_page()
    page.goto(files["one"].as_uri())
    box = page.locator("#wrong details").first
    box.locator("summary").focus()
    assert not box.locator("pre").first.is_visible()
    page.keyboard.press("Enter")
    assert box.locator("pre").first.is_visible()
    page.close()


def test_on_paper_it_is_light_and_whole(opened: Callable[..., tuple[Page, list[str]]]) -> None:
    page, _ = opened("several", "dark")
    on_paper(page)


def test_the_screenshot_of_the_documentation_can_be_taken_again(browser: Browser, tmp_path: Path) -> None:
    from screenshots import IMAGES, MOST_BYTES, take_reports

    taken = take_reports(browser, tmp_path)
    assert {path.name for path in taken} == {path.name for path in IMAGES.glob("report-*.png")}
    assert all(10_000 < path.stat().st_size < MOST_BYTES for path in (*taken, *IMAGES.glob("report-*.png")))
