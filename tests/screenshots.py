"""Takes the screenshots of the documentation: `make screenshots`.

The question of a trace is asked of the sample database, with scripted replies.
Datasette, the page of `askwhere web` and the shell show answers of the reader; what the shell prints in a terminal is
put into a page, to be seen.
"""

from __future__ import annotations

import base64
import contextlib
import html as html_
import io
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import askwhere
import datasette_host
import web
from askwhere.bindings.cli import drawing
from askwhere.bindings.loadable import library as native
from askwhere.bindings.sample import build_sqlite
from askwhere.charts import chart_of
from askwhere.pages.trace import html
from browser import chromium
from pages import example
from playwright.sync_api import Browser
from terminal import Terminal

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
MOST_BYTES = 200_000
# Name, colours, width, pixels a unit, the first section that is shown (the page's top for none), and the height.
SHOTS: tuple[tuple[str, Any, int, int, str, int], ...] = (
    ("trace-light", "light", 1000, 1, "", 1560),
    ("trace-dark", "dark", 1000, 1, "#corrections", 1500),
    ("trace-narrow", "light", 360, 2, "", 900),
)


def take(browser: Browser, folder: Path) -> list[Path]:
    """Write the screenshots to a folder; returns their files."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        page = Path(made, "trace.html")
        page.write_text(html(example(Path(made))), "utf-8")
        return [_shot(browser, page, folder, *shot) for shot in SHOTS]


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
            page = browser.new_page(viewport={"width": 900, "height": 1045})
            page.goto(site.entrance)
            for question in ("number of countries per continent", "only those with more than 45"):
                page.locator("#question").fill(question)
                page.keyboard.press("Enter")
                page.get_by_role("heading", level=1, name=question).wait_for()
                page.locator("#rows").wait_for()
            page.screenshot(path=image)
    return image


# Name, columns, and the lines that are typed, of which the last ones are seen.
SHELLS: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    (
        "shell",
        88,
        (
            "mountains higher than 8400 m and their heights",
            "only those in Nepal",
            "SELECT name FROM ask('top 3 cities by population');",
        ),
    ),
    ("terminal-chart", 88, ("number of countries per continent", ".chart")),
)
_TERMINAL = """<!doctype html>
<style>
body {{ margin: 0; background: #181f29; color: #e5eaf1; }}
pre {{ margin: 1rem; width: {}ch; font: 15px/17px "DejaVu Sans Mono", monospace; white-space: pre-wrap;
  word-break: break-all; }}
b {{ color: #7db8ff; }}
</style>
<pre>{}</pre>
"""


def take_shells(browser: Browser, folder: Path) -> list[Path]:
    """Write the screenshots of the shell; returns their files."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_shell(browser, folder / f"{name}.png", columns, lines) for name, columns, lines in SHELLS]


def _shell(browser: Browser, image: Path, columns: int, lines: tuple[str, ...]) -> Path:
    with tempfile.TemporaryDirectory() as made:
        database = Path(made, "world.db")
        build_sqlite(database)
        opened = Terminal(database, 60, columns, XDG_STATE_HOME=made)
        printed = [(line, opened.run(line).strip("\n")) for line in lines]
        opened.child.close(force=True)
    text = "\n".join(f"<b>askwhere&gt; {html_.escape(line)}</b>\n{html_.escape(shown)}" for line, shown in printed)
    page = browser.new_page(viewport={"width": 100, "height": 100}, device_scale_factor=1.5)
    page.set_content(_TERMINAL.format(columns, text))
    size = page.evaluate("(e => [e.offsetWidth + 32, e.offsetHeight + 32])(document.querySelector('pre'))")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.screenshot(path=image)
    page.close()
    assert image.stat().st_size < MOST_BYTES, f"{image} has {image.stat().st_size:,} bytes"
    return image


CELLS = (
    "%load_ext askwhere",
    "answer = %ask --db world.db number of countries per continent\nanswer",
    "answer.chart()",
)


def take_notebook(browser: Browser, folder: Path) -> Path:
    """Write the screenshot of a notebook, as nbconvert shows it, with its chart as a picture; returns its file."""
    from nbconvert import HTMLExporter
    from nbformat import v4

    folder.mkdir(parents=True, exist_ok=True)
    image = folder / "notebook.png"
    with tempfile.TemporaryDirectory() as made, contextlib.chdir(made):
        build_sqlite(Path("world.db"))
        cells = [
            v4.new_code_cell(
                source,
                execution_count=number,
                outputs=[v4.new_output("execute_result", data, execution_count=number, metadata=about)] if data else [],
            )
            for number, (source, data, about) in enumerate(_executed(CELLS), 1)
        ]
    page = browser.new_page(viewport={"width": 900, "height": 800})
    page.set_content(HTMLExporter().from_notebook_node(v4.new_notebook(cells=cells))[0], wait_until="domcontentloaded")
    page.locator("main").screenshot(path=image)
    page.close()
    return image


def _executed(cells: Sequence[str]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Execute cells in IPython; yield each with what it shows, by content type, and what is said about that."""
    import altair
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    with altair.renderers.enable("png", scale_factor=1):
        for source in cells:
            with contextlib.redirect_stdout(io.StringIO()):
                found = shell.run_cell(source, store_history=True)
            found.raise_error()
            data, about = ({}, {}) if found.result is None else shell.display_formatter.format(found.result)
            pictures = {
                kind: base64.b64encode(shown).decode() for kind, shown in data.items() if isinstance(shown, bytes)
            }
            yield source, data | pictures, about


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
        made = [*take(opened, IMAGES), take_datasette(opened, IMAGES)]
        made += (
            *take_shells(opened, IMAGES),
            take_web(opened, IMAGES),
            take_notebook(opened, IMAGES),
            take_chart(IMAGES),
        )
        for path in made:
            print(f"wrote {path} ({path.stat().st_size:,} bytes)")
