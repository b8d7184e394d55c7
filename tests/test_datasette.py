"""Datasette shows what `ask` made, in a browser: a table of an answer, and a question in its SQL box."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

import datasette_host
import pytest
from native_hosts import extension, shop, worker
from support import PER_COUNTRY

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow
playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install -e '.[all]'")


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A Datasette over the shop, in which an answer has a name."""
    if not (datasette_host.FOLDER / "datasette").is_dir():
        pytest.skip("needs Datasette in build/datasette: make datasette")
    monkeypatch.setenv("ASKWHERE_WORKER", str(worker(tmp_path, PER_COUNTRY)))
    made = shop("shell", tmp_path / "shop.db")
    made.execute("CREATE VIRTUAL TABLE per_country USING ask('customers of each country')")
    made.close()
    monkeypatch.setenv("ASKWHERE_WORKER", str(worker(tmp_path, "SELECT name FROM customers WHERE country = 'Norway'")))
    with datasette_host.serving(tmp_path / "shop.db", extension()) as found:
        yield found


def test_an_answer_is_a_table_and_a_question_a_query(address: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{address}/shop")
    assert "per_country" in page.inner_text("body")
    page.goto(f"{address}/shop/per_country?_sort_desc=n")
    assert page.locator("td.col-country").all_inner_texts() == ["Canada", "Norway"]
    assert page.locator("td.col-n").all_inner_texts() == ["2", "1"]
    page.goto(f"{address}/shop?sql={quote_plus('SELECT * FROM ask(:question)')}&question=who+lives+in+Norway")
    assert page.locator("td.col-name").all_inner_texts() == ["Cy"]
    page.close()
