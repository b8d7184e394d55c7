"""Everyday questions about the sample database: answered rightly or refused, in both engines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.bindings import sample

PAIRS = re.findall(
    r"-- (answer|never wrong): (.*)\n(.*)\n?", (Path(__file__).parent / "everyday.sql").read_text("utf-8")
)


# What the reader writes in each engine is tested by golden queries.
@pytest.fixture(scope="module", params=["db", pytest.param("duckdb", marks=pytest.mark.slow)])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    path = tmp_path_factory.mktemp("world") / f"world.{request.param}"
    (sample.build_sqlite if request.param == "db" else sample.build_duckdb)(path)
    connection = askwhere.connect(path)
    yield connection
    connection.close()


@pytest.mark.parametrize(("must", "question", "gold"), PAIRS, ids=[question for _, question, _ in PAIRS])
def test_an_everyday_question_is_answered_rightly_or_refused(world: Any, must: str, question: str, gold: str) -> None:
    expected = world.execute(gold).fetchall()
    try:
        answer = askwhere.ask(world, question)
    except (askwhere.Unread, askwhere.Ambiguous):
        assert must == "never wrong"
        return
    if "ORDER BY" in gold and "LIMIT" not in gold:
        assert list(answer.rows) == expected, answer.sql
    else:
        assert Counter(answer.rows) == Counter(expected), answer.sql
