"""Running an evaluation over processes: resumed after a kill, nothing asked twice, nothing hanging."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from askwhere.bindings.opening import open_database
from askwhere.errors import ArgumentError, ModelError
from askwhere.evaluation import records, runner
from askwhere.evaluation.cache import Cache
from askwhere.evaluation.plans import Plan
from askwhere.evaluation.records import Header, Run
from askwhere.evaluation.sets import Item
from askwhere.models import Completions
from support import SHOP, Told
from support import Database as Shop

COUNT = "SELECT count(*) FROM customers"
ITEMS = (
    Item("a", "shop", "how many customers", COUNT),
    Item("b", "shop", "customers by name", "SELECT name FROM customers ORDER BY name"),
    Item("c", "shop", "how many orders", "SELECT count(*) FROM orders"),
    Item("d", "shop", "which gold fails", "SELECT nothing FROM nowhere"),
)


class Writing(Told):
    """A model that also writes down what it was asked, for those who have a copy of it in another process.

    'sleep', 'die' and 'fail' are done instead of being replied.
    """

    def __init__(self, replies: dict[str, str], asked: Path) -> None:
        super().__init__(replies)
        self.asked = asked

    def complete(self, prompt: str, n: int = 1, **options: Any) -> Completions:
        question = self.question(prompt)
        with self.asked.open("a") as file:
            file.write(f"{question}\n")
        reply = self.replies[question]
        if reply == "sleep":
            time.sleep(3_600)
        if reply == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if reply == "fail":
            raise ModelError("the server is down")
        return super().complete(prompt, n, **options)


Make = Callable[..., Run]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    made = Shop("sqlite", tmp_path)
    made.raw(made.path).execute(SHOP)
    made.close()
    return made.path


def plan(shop: Path, model: Any, items: tuple[Item, ...] = ITEMS, **header: Any) -> Plan:
    made = Header("shop.jsonl", method="sea", model="told", scores=("spider_ex", "own_ex"), **header)
    return Plan(made, items, {"shop": shop}, {"shop": "print"}, {"model": model, "method": "sea"})


def told(shop: Path, **replies: str) -> Writing:
    right = {item.question: item.gold for item in ITEMS}
    return Writing(
        right | {item.question: replies[item.id] for item in ITEMS if item.id in replies}, shop.parent / "asked"
    )


def asked(model: Writing) -> list[str]:
    return sorted(model.asked.read_text().split("\n")[:-1]) if model.asked.exists() else []


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_a_run_says_what_came_of_each_question(shop: Path, engine: str) -> None:
    model = told(shop, b="SELECT country FROM customers")
    found, _ = runner.run(plan(shop, model, engine=engine), open_database, shop.parent / "run.jsonl")
    assert [(r.id, r.outcome, r.scores["spider_ex"]) for r in found.records] == [
        ("a", "answered", 1.0),
        ("b", "answered", 0.0),
        ("c", "answered", 1.0),
    ]
    assert [(e.id, e.reason.startswith("its gold query cannot be used: ")) for e in found.excluded] == [("d", True)]
    assert asked(model) == sorted(item.question for item in ITEMS[:3])  # what cannot be used is not paid for
    assert replace(records.read(shop.parent / "run.jsonl"), complete=True) == found


@pytest.mark.slow
def test_a_run_goes_on_where_it_was_killed(shop: Path) -> None:
    path = shop.parent / "run.jsonl"
    model = told(shop)
    whole, _ = runner.run(plan(shop, model), open_database, path)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:3]) + lines[3][:40], "utf-8")  # killed as it wrote
    before = asked(model)
    again, _ = runner.run(plan(shop, model), open_database, path)
    assert len(asked(model)) == len(before) + 2
    assert [r.id for r in again.records] == [r.id for r in whole.records]
    assert again.excluded == whole.excluded


@pytest.mark.slow
def test_nothing_is_asked_twice(shop: Path) -> None:
    model = told(shop)
    with Cache(shop.parent / "cache.db") as cache:
        first, _ = runner.run(plan(shop, model), open_database, shop.parent / "first.jsonl", cache=cache)
        second, _ = runner.run(plan(shop, model), open_database, shop.parent / "second.jsonl", cache=cache)
        assert len(asked(model)) == 3
        assert second.records == tuple(replace(record, cached=True) for record in first.records)
        # How it is judged does not matter, how it is asked does.
        other = plan(shop, model, query_seconds=5.0)
        runner.run(other, open_database, shop.parent / "third.jsonl", cache=cache)
        assert len(asked(model)) == 3
        other = plan(shop, model, settings={"schema_tokens": "100"})
        runner.run(other, open_database, shop.parent / "fourth.jsonl", cache=cache)
        assert len(asked(model)) == 6


@pytest.mark.slow
def test_a_question_over_its_limit_is_cut_and_counted(shop: Path) -> None:
    model = told(shop, b="sleep")
    found, _ = runner.run(plan(shop, model, seconds=5.0), open_database, shop.parent / "run.jsonl")
    assert [(r.id, r.outcome, r.scores["own_ex"]) for r in found.records] == [
        ("a", "answered", 1.0),
        ("b", "failed", 0.0),
        ("c", "answered", 1.0),
    ]
    assert found.records[1].error == "Cut: the question was not answered within 5 seconds"


@pytest.mark.slow
def test_a_process_that_dies_costs_one_question(shop: Path) -> None:
    found, _ = runner.run(plan(shop, told(shop, b="die")), open_database, shop.parent / "run.jsonl")
    assert [(r.id, r.outcome) for r in found.records] == [("a", "answered"), ("b", "failed"), ("c", "answered")]
    assert found.records[1].error == "Died: the process that asked ended with code -9"


@pytest.mark.slow
def test_what_failed_for_a_passing_reason_is_asked_again(shop: Path) -> None:
    path, model = shop.parent / "run.jsonl", told(shop, b="fail")
    with Cache(shop.parent / "cache.db") as cache:
        failed, _ = runner.run(plan(shop, model), open_database, path, cache=cache)
        assert (failed.records[1].outcome, failed.records[1].error) == ("failed", "ModelError: the server is down")
        model.replies[ITEMS[1].question] = ITEMS[1].gold
        found, _ = runner.run(plan(shop, model), open_database, path, cache=cache)
    assert [r.outcome for r in found.records] == ["answered"] * 3
    assert asked(model).count(ITEMS[1].question) > asked(model).count(ITEMS[0].question) == 1


def test_a_file_of_another_run_is_left_alone(shop: Path) -> None:
    path, model = shop.parent / "run.jsonl", told(shop)
    runner.run(plan(shop, model), open_database, path)
    before = path.read_bytes()
    with pytest.raises(ArgumentError, match="is another run's, with other seed, query_seconds; remove it"):
        runner.run(plan(shop, model, seed=1, query_seconds=5.0), open_database, path)
    assert path.read_bytes() == before


def test_progress_tells_the_running_score(shop: Path) -> None:
    heard: list[tuple[int, int, float]] = []
    model = told(shop, b="SELECT country FROM customers")
    runner.run(plan(shop, model), open_database, shop.parent / "run.jsonl", tell=lambda *said: heard.append(said))
    assert heard == [(1, 4, 1.0), (2, 4, 0.5), (3, 4, 2 / 3), (4, 4, 2 / 3)]


def test_prices_give_the_cost(shop: Path) -> None:
    found, _ = runner.run(
        plan(shop, told(shop), ITEMS[:1], prices=(2.0, 10.0)), open_database, shop.parent / "run.jsonl"
    )
    assert found.records[0].cost == pytest.approx(0.0021)


def _run(shop: Path, model: Writing) -> None:
    with Cache(shop.parent / "cache.db") as cache:
        runner.run(plan(shop, model), open_database, shop.parent / "run.jsonl", cache=cache)


@pytest.mark.slow
def test_a_run_killed_with_kill_9_goes_on_and_pays_nothing_twice(shop: Path) -> None:
    path, model = shop.parent / "run.jsonl", told(shop, c="sleep")
    process = multiprocessing.get_context("spawn").Process(target=_run, args=(shop, model))
    process.start()
    while len(asked(model)) < 3 and process.is_alive():
        time.sleep(0.05)
    assert process.pid
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert [r.id for r in records.read(path).records] == ["a", "b"]
    _run(shop, told(shop))
    assert [(r.id, r.outcome) for r in records.read(path).records] == [(id_, "answered") for id_ in "abc"]
    assert asked(model) == sorted([*(item.question for item in ITEMS[:3]), ITEMS[2].question])
