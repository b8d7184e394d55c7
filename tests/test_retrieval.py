"""Which examples are shown: by words, or by masked words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.bindings import connections
from askwhere.models import Scripted
from askwhere.pipeline import retrieval
from askwhere.pipeline.demonstrations import Pool, read
from askwhere.pipeline.facts import Linked
from askwhere.pipeline.steps import Means
from askwhere.session import Question
from support import PER_COUNTRY, Database

pytestmark = pytest.mark.any_engine

PINS = {
    "orders of Ann": "SELECT * FROM orders JOIN customers c ON c.id = customer_id WHERE c.name = 'Ann'",
    "how many customers are in Norway": "SELECT count(*) AS n FROM customers WHERE country = 'Norway'",
    "the largest order": "SELECT max(amount) AS most FROM orders",
}
QUESTION = "names from Canada"


def shop(database: Database, model: Any, **settings: Any) -> Any:
    con = database.shop(model=model, **{"method": "dac", "leave_out": "entities, skeleton, execution", **settings})
    for question, sql in PINS.items():
        con.execute("SELECT ask_pin(?, ?)", (question, sql)).fetchall()
    return con


def shown(prompt: str) -> list[str]:
    return [question for question in re.findall("### Question: (.*)", prompt) if question in PINS]


def test_words_decide_by_default(database: Database) -> None:
    model = Scripted([PER_COUNTRY])
    askwhere.ask(shop(database, model), "the largest one")
    assert shown(model.prompts[0])[0] == "the largest order"


def test_masked_words_decide_if_that_is_set(database: Database) -> None:
    model = Scripted([PER_COUNTRY])
    askwhere.ask(shop(database, model, examples_by="masked"), "how many orders are in Canada")
    assert shown(model.prompts[0])[0] == "how many customers are in Norway"
    assert len(model.prompts) == 1


# ------------------------------------------------------------------------------------------------- a thousand questions


@pytest.fixture
def spider(data: Path) -> Iterator[tuple[Pool, list[Linked]]]:
    """All training questions, and the first thousand whose database is there, as they are linked to it."""
    path = data / "spider" / "train_spider.jsonl"
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    opened: dict[str, Any] = {}
    linked: list[Linked] = []
    for record in records:
        file = data / "spider" / "databases" / record["db_id"] / f"{record['db_id']}.sqlite"
        if len(linked) < 1_000 and file.exists():
            if record["db_id"] not in opened:
                opened[record["db_id"]] = askwhere.connect(file)
            con = opened[record["db_id"]]
            linked.append(connections.session(con).shown(connections.engine(con), Question(record["question"])))
    yield Pool(read(str(path)), "sqlite"), linked
    for con in opened.values():
        con.close()


@pytest.mark.slow
@pytest.mark.parametrize("by", ["bm25", "masked"])
def test_a_question_of_the_pool_finds_itself_first(spider: tuple[Pool, list[Linked]], by: str) -> None:
    pool, asked = spider
    assert len(asked) == 1_000
    means = Means(None, None, None, None, None, 0, lambda: pool, None, examples_by=by)  # type: ignore[arg-type]
    for linked in asked[::20]:
        assert retrieval.nearest(linked, means, 1)[0].question.lower() == linked.question.lower()


@pytest.mark.slow
def test_scores_belong_to_the_questions_that_they_are_for(spider: tuple[Pool, list[Linked]]) -> None:
    """Without the rule that a question itself comes first. By BM25 a question that repeats another's words may win."""
    pool, _ = spider
    places = range(0, 1_000, 20)
    by_words = sum(pool.questions[pool.by_question(pool.questions[n])[0]] == pool.questions[n] for n in places)
    by_masks = sum(pool.masks[pool.by_mask(pool.masks[n])[0]] == pool.masks[n] for n in places)
    assert by_words >= 48
    assert by_masks >= 45
