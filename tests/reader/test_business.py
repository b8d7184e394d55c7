"""Questions that a shop's people ask, from `business.sql`: answered by the rows of their SQL, in both engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from askwhere.errors import Unread

HERE = Path(__file__).parent


def pairs() -> list[tuple[str, str]]:
    text = (HERE / "business.sql").read_text()
    return [(q.strip(), sql.strip()) for q, sql in (part.split("\n", 1) for part in text.split("-- ")[1:])]


@pytest.fixture(scope="module")
def shop(make: Any) -> Any:
    return make((HERE / "shop.sql").read_text())


@pytest.mark.parametrize(("question", "expected"), pairs())
def test_question_gives_the_rows_of_its_sql(shop: Any, question: str, expected: str) -> None:
    readings = shop.read(question)
    assert len(readings) == 1, [r.sql for r in readings]
    found, wanted = shop.rows(readings[0].sql), shop.rows(expected)
    if "ORDER BY" not in expected:
        found, wanted = sorted(found, key=repr), sorted(wanted, key=repr)
    assert found == wanted, readings[0].sql


@pytest.mark.parametrize(
    "question",
    [
        "What is the highest average price?",
        "customers per year",
        "products per month",
        "customers with the most orders per month",
        "names of customers per month",
    ],
)
def test_what_is_not_understood_is_refused(shop: Any, question: str) -> None:
    with pytest.raises(Unread):
        shop.read(question)
