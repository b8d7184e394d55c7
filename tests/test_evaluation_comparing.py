"""`askwhere eval compare`, as it is called."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest
from askwhere.bindings.cli import main as cli
from askwhere.evaluation import records
from evaluations import made
from support import SHOP
from test_evaluation_compare import run as signs

Ran = tuple[int, str, str]
COUNT = "SELECT count(*) FROM customers"


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def called(*arguments: object) -> Ran:
        code = cli.main(["eval", *map(str, arguments)])
        out, err = capfd.readouterr()
        return code, out, err

    return called


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """The files of two runs, the second better than the first in two questions, worse in one."""
    paths = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    second = signs("-+++-", model="openai:x", settings={"grammar": "off"})
    for path, run in zip(paths, (signs("++-?-"), second), strict=True):
        records.write(path, run)
        records.summary_path(path).write_text("{}")
    return paths


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Two questions about a shop, of which the reader has one right."""
    apsw.Connection(str(tmp_path / "shop.sqlite")).execute(SHOP)
    asked = [("How many customers are there?", COUNT), ("How many orders are there?", COUNT)]
    lines = [json.dumps({"db_id": "shop", "question": question, "sql": gold}) for question, gold in asked]
    (tmp_path / "spider.jsonl").write_text("\n".join(lines))
    return tmp_path / "spider.jsonl"


def options(shop: Path, *more: object) -> list[object]:
    return [shop, "--databases", shop.parent, "--workers", 1, "--cache", shop.parent / "cache.db", *more]


# -------------------------------------------------------------------------------------------------------------- compare


def test_two_runs_are_compared_with_their_questions(call: Any, runs: tuple[Path, Path]) -> None:
    code, out, err = call("compare", *runs)
    assert (code, err) == (0, "")
    assert f"first:  {runs[0]}, dev, the built-in reader" in out
    assert f"second: {runs[1]}, dev, openai:x, effort balanced, grammar = off" in out
    assert "Of 5 common questions the first run has 2 right, the second 3: 2 got better, 1 worse" in out
    better, worse = out.split("\nBetter: 2\n")[1].split("\nWorse: 1\n")
    assert "question 2  (shop, q-2, easy)\n    gold:   SELECT 1\n    first:  SELECT 2\n" in better
    assert "question 0" in worse


def test_fewer_questions_are_listed_where_so_many_are_asked_for(call: Any, runs: tuple[Path, Path]) -> None:
    out = call("compare", *runs, "--questions", 1)[1]
    assert "Better: 2, the first 1 shown" in out
    assert "question 3" not in out
    assert "Better" not in call("compare", *runs, "--questions", 0)[1]


def test_a_comparison_is_had_as_json(call: Any, runs: tuple[Path, Path]) -> None:
    found = json.loads(call("compare", *runs, "--json")[1])
    assert (found["questions"], found["mcnemar"]["p"]) == (5, 1.0)
    assert [one["id"] for one in found["better"]] == ["q-2", "q-3"]
    assert found["levels"][-1] == {
        "level": "all", "questions": 5, "first": "40.0", "second": "60.0", "difference": "+20.0", "better": 2,
        "worse": 1, "p": "1.000",
    }  # fmt: skip


def test_runs_are_compared_by_a_score_that_is_named(call: Any, tmp_path: Path) -> None:
    for name, run in (("a", signs("+-", scores=("spider_ex",))), ("b", signs("++", scores=("bird_ex", "spider_ex")))):
        records.write(tmp_path / f"{name}.jsonl", run)
    code, _, err = call("compare", "a.jsonl", "b.jsonl")
    assert (code, err.endswith("name one that both have with --score\n")) == (1, True)
    assert "the first run has 1 right, the second 2" in call("compare", "a.jsonl", "b.jsonl", "--score", "spider_ex")[1]


def test_runs_over_other_questions_are_an_error_or_say_how_many(call: Any, tmp_path: Path) -> None:
    one, two, three = (tmp_path / f"{name}.jsonl" for name in "abc")
    records.write(one, signs("++"))
    records.write(two, signs("+++"))
    records.write(three, made(0.5))
    assert "not over the same questions: 1 of the second run are not in the other" in call("compare", one, two)[1]
    code, out, err = call("compare", one, three)
    assert (code, out) == (1, "")
    assert "the runs have no question in common" in err
    assert "there is no run file nowhere.jsonl" in call("compare", one, "nowhere.jsonl")[2]


def test_what_a_terminal_would_obey_is_shown(call: Any, tmp_path: Path) -> None:
    hostile = signs("+-")
    hostile = replace(hostile, records=tuple(replace(r, question="\x1b[2J", gold="\x1b]0;x") for r in hostile.records))
    other = replace(signs("-+"), records=tuple(replace(r, question="\x1b[2J") for r in signs("-+").records))
    for path, run in (("a.jsonl", hostile), ("b.jsonl", other)):
        records.write(tmp_path / path, run)
    assert "\x1b" not in call("compare", "a.jsonl", "b.jsonl")[1]


# --------------------------------------------------------------------------------------------------------------- checks


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--method", "mcs"], "the method 'mcs' asks a model, and none is set"),
    ],
)
def test_what_cannot_be_held_is_said_before_anything_is_asked(
    call: Any, shop: Path, more: list[str], said: str
) -> None:
    code, out, err = call(*options(shop, *more))
    assert (code, out) == (1, "")
    assert said in err
    assert not Path("evaluation").exists()
