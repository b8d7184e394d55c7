"""The gold of the held-out questions: it runs in both engines, gives rows, and the same rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from askwhere.bindings.opening import open_database
from askwhere.evaluation import gold, sets
from askwhere.evaluation.judge import Judge, judging
from held_out import DATABASES, QUESTIONS, build

pytestmark = pytest.mark.slow

UNORDERED = "SELECT 1"  # rows of which ORDER BY puts none first come in one order or another in DuckDB
ITEMS = sets.read(QUESTIONS)


def test_there_are_twenty_questions_about_each_database() -> None:
    assert Counter(item.db_id for item in ITEMS) == {file.stem: 20 for file in DATABASES}
    assert len({item.question.lower() for item in ITEMS}) == 200
    assert Counter(item.difficulty for item in ITEMS) == {"easy": 70, "medium": 90, "hard": 40}


@pytest.fixture(params=DATABASES, ids=lambda file: file.stem)
def judges(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Judge, Judge]]:
    """A database's name, and a judge of it in SQLite and in DuckDB."""
    with ExitStack() as stack:
        opened = []
        for kind in ("sqlite", "duckdb"):
            path = build(request.param, tmp_path, kind)
            database = stack.enter_context(closing(open_database(path, kind, {})))
            opened.append(stack.enter_context(judging(database, path, open_database, 120.0)))
        yield request.param.stem, opened[0], opened[1]


def test_gold_gives_the_same_rows_in_both_engines(judges: tuple[str, Judge, Judge]) -> None:
    name, sqlite, duckdb = judges
    for item in (item for item in ITEMS if item.db_id == name):
        found, other = sqlite.gold(item).result, duckdb.gold(item).result
        assert found.rows, item.id
        assert gold.same(found, other, UNORDERED), item.id
