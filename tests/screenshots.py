"""Takes the screenshots of the documentation: `make screenshots`.

The question of a trace is asked of the sample database, with scripted replies; the runs of a report are made up.
Datasette, and the page of `askwhere web`, show answers of the reader.
"""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import Any

import askwhere
import datasette_host
import web
from askwhere.bindings.cli import drawing
from askwhere.bindings.loadable import library as native
from askwhere.bindings.sample import build_sqlite
from askwhere.charts import chart_of
from askwhere.evaluation import report
from askwhere.pages.trace import html
from browser import chromium
from evaluations import several
from pages import example
from playwright.sync_api import Browser

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
MOST_BYTES = 200_000
# Name, colours, width, pixels a unit, the first section that is shown (the page's top for none), and the height.
SHOTS: tuple[tuple[str, Any, int, int, str, int], ...] = (
    ("trace-light", "light", 1000, 1, "", 1560),
    ("trace-dark", "dark", 1000, 1, "#corrections", 1500),
    ("trace-narrow", "light", 360, 2, "", 900),
)


REPORTS: tuple[tuple[str, Any, int, int, str, int], ...] = (("report-light", "light", 1000, 1, "#hardness", 1480),)


def take(browser: Browser, folder: Path) -> list[Path]:
    """Write the screenshots to a folder; returns their files."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        page = Path(made, "trace.html")
        page.write_text(html(example(Path(made))), "utf-8")
        return [_shot(browser, page, folder, *shot) for shot in SHOTS]


def take_reports(browser: Browser, folder: Path) -> list[Path]:
    """Write the screenshots of the evaluation's report, of runs that are made up; returns their files."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        page = Path(made, "report.html")
        page.write_text(report.html(several(), askwhere.__version__, 60), "utf-8")
        return [_shot(browser, page, folder, *shot) for shot in REPORTS]


def take_datasette(browser: Browser, folder: Path) -> Path:
    """Write the screenshot of an answer in Datasette; returns its file."""
    folder.mkdir(parents=True, exist_ok=True)
    image = folder / "datasette.png"
    with tempfile.TemporaryDirectory() as made:
        database = Path(made, "world.db")
        build_sqlite(database)
        connection = askwhere.connect(database)
        connection.execute("CREATE VIRTUAL TABLE rivers_per_country USING ask('number of rivers per country')")
        connection.close()
        with datasette_host.serving(database, native.extension_path()) as address:
            page = browser.new_page(viewport={"width": 800, "height": 620})
            page.goto(f"{address}/world/rivers_per_country?_sort_desc=count&_size=8")
            page.screenshot(path=image)
    return image


def take_web(browser: Browser, folder: Path) -> Path:
    """Write the screenshot of a follow-up on the page of `askwhere web`; returns its file."""
    folder.mkdir(parents=True, exist_ok=True)
    image = folder / "web.png"
    with tempfile.TemporaryDirectory() as made:
        database = Path(made, "world.db")
        build_sqlite(database)
        with web.serving(lambda: askwhere.connect(database), name="world.db", write=True) as site:
            page = browser.new_page(viewport={"width": 900, "height": 900})
            page.goto(site.entrance)
            for question in ("number of countries per continent", "only those with more than 45"):
                page.locator("[name=question]").fill(question)
                page.keyboard.press("Enter")
                page.get_by_role("heading", level=1, name=question).wait_for()
                page.locator("#rows").wait_for()
            page.screenshot(path=image)
    return image


def take_chart(folder: Path) -> Path:
    """Write the chart of an answer; returns its file."""
    folder.mkdir(parents=True, exist_ok=True)
    image = folder / "chart.svg"
    with tempfile.TemporaryDirectory() as made:
        database = Path(made, "world.db")
        build_sqlite(database)
        with contextlib.closing(askwhere.connect(database)) as connection:
            answer = askwhere.ask(connection, "number of countries per continent")
            drawing.write(chart_of(answer.columns, answer.rows), image)
    image.chmod(0o644)
    return image


def _shot(
    browser: Browser, file: Path, folder: Path, name: str, scheme: Any, width: int, scale: int, first: str, height: int
) -> Path:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, device_scale_factor=scale
    )
    page = context.new_page()
    page.goto(file.as_uri())
    top = page.evaluate("first => first ? document.querySelector(first).offsetTop - 24 : 0", first)
    bottom = page.evaluate("document.documentElement.scrollHeight")
    clip = {"x": 0, "y": top, "width": width, "height": min(height, bottom - top)}
    image = folder / f"{name}.png"
    page.screenshot(path=image, full_page=True, clip=clip)  # type: ignore[arg-type]
    context.close()
    assert image.stat().st_size < MOST_BYTES, f"{image} has {image.stat().st_size:,} bytes"
    return image


if __name__ == "__main__":
    with chromium() as opened:
        made = (*take(opened, IMAGES), *take_reports(opened, IMAGES), take_datasette(opened, IMAGES))
        for path in (*made, take_web(opened, IMAGES), take_chart(IMAGES)):
            print(f"wrote {path} ({path.stat().st_size:,} bytes)")
