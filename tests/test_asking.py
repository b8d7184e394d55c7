"""The page that shows how to ask: each of its examples is answered on the sample database."""

from __future__ import annotations

import re
from pathlib import Path

import askwhere
import pytest
from askwhere.bindings import sample

PAGE = Path(__file__).parents[1] / "docs" / "asking.md"
TABLE = PAGE.read_text("utf-8").partition("|---|---|")[2].partition("\n\n")[0]
EXAMPLES = [code for row in TABLE.splitlines() for code in re.findall(r"`([^`]+)`", row)]
AFTER = {"only those in Asia": "cities over 10 million people"}


@pytest.fixture(scope="module", params=["sqlite", "duckdb"])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> object:
    path = tmp_path_factory.mktemp("world") / ("world.db" if request.param == "sqlite" else "world.duckdb")
    (sample.build_sqlite if request.param == "sqlite" else sample.build_duckdb)(path)
    return askwhere.connect(path)


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) > 20


@pytest.mark.parametrize("question", EXAMPLES)
def test_each_example_is_answered(world: object, question: str) -> None:
    answer = askwhere.ask(world, question, follows=AFTER.get(question))
    assert answer.rows
