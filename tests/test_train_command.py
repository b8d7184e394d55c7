"""`askwhere train` from end to end: pairs from people's questions and a model's queries, and the adapter of them."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import askwhere
import pytest
import torch
from askwhere.bindings.cli import main as cli
from askwhere.bindings.opening import open_database
from askwhere.evaluation.sets import Item
from askwhere.models import Scripted
from askwhere.training import pairs
from askwhere.training.pairs import LeftOut, Pair
from tiny_training import make_tokenizer, write_base

# What PEFT 0.21 asks of transformers 5.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing. is deprecated:FutureWarning"),
]

GOLD = "SELECT  COUNT(*)\nFROM ships WHERE country = 'Norway'"
ITEMS = (
    Item("right", "fleet", "How many ships of Norway are there?", GOLD),
    Item("wrong", "fleet", "Which countries have ships?", "SELECT DISTINCT country FROM ships"),
    Item("fails", "fleet", "Names of all ships", "SELECT name FROM ships"),
    Item("no gold", "fleet", "Captains of all ships", "SELECT captain FROM boats"),
    Item("elsewhere", "lake", "How deep is the lake?", "SELECT depth FROM lakes"),
)
REPLIES = {
    "right": "SELECT COUNT(id) FROM ships WHERE country = 'Norway'",
    "wrong": "SELECT country FROM ships",
    "fails": "SELECT title FROM ships",
}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set of questions over two databases, as `askwhere eval` reads it."""
    for name, sql in (
        ("fleet", "CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT, country TEXT)"),
        ("lake", "CREATE TABLE lakes (id INTEGER PRIMARY KEY, depth REAL)"),
    ):
        path = tmp_path / "set" / "databases" / name / f"{name}.sqlite"
        path.parent.mkdir(parents=True)
        with contextlib.closing(sqlite3.connect(path)) as con:
            con.execute(sql)
            if name == "fleet":
                rows = [(1, "Aurora", "Norway"), (2, "Borealis", "Norway"), (3, "Cygnus", "Chile")]
                con.executemany("INSERT INTO ships VALUES (?, ?, ?)", rows)
            con.commit()
    records = [{"id": i.id, "db_id": i.db_id, "question": i.question, "sql": i.gold} for i in ITEMS]
    (tmp_path / "set" / "train.json").write_text(json.dumps(records))
    return tmp_path / "set"


@pytest.fixture
def train(capfd: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Run the command; its code, what it prints, and its errors."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)

    def run(*arguments: Any) -> tuple[int, str, str]:
        code = cli.main(["train", *map(str, arguments)])
        out, err = capfd.readouterr()
        return code, out, err

    yield run
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_base(make_tokenizer(), tmp_path_factory.mktemp("hf") / "base")


def made(folder: Path, kept: frozenset[str] = frozenset(), engine: str = "sqlite") -> dict[str, Pair | LeftOut]:
    def path_of(name: str) -> Path | None:
        path = folder / "databases" / name / f"{name}.sqlite"
        return path if name == "fleet" else None

    model = Scripted(REPLIES.values())
    return {one.id: one for one in pairs.make_pairs(ITEMS, path_of, open_database, {"model": model}, kept, engine)}


# ------------------------------------------------------------------------------------------------------------ the pairs


def test_a_right_query_is_its_own_reply(folder: Path) -> None:
    pair = made(folder)["right"]
    assert isinstance(pair, Pair)
    assert (pair.right, pair.reply) == (True, pairs.reply(REPLIES["right"]))


@pytest.mark.parametrize("id_", ["wrong", "fails"])
def test_a_wrong_query_has_gold_for_its_reply(folder: Path, id_: str) -> None:
    pair = made(folder)[id_]
    assert isinstance(pair, Pair)
    gold = next(item.gold for item in ITEMS if item.id == id_)
    assert (pair.right, pair.reply) == (False, pairs.reply(gold))


def test_pairs_can_be_of_duckdb(folder: Path) -> None:
    found = made(folder, engine="duckdb")
    right, fails = found["right"], found["fails"]
    assert isinstance(right, Pair)
    assert isinstance(fails, Pair)
    assert "### DuckDB query: " in right.prompt
    assert right.right
    assert 'Referenced column "title" not found' in fails.prompt


def test_questions_without_gold_or_database_are_left_out(folder: Path) -> None:
    found = made(folder)
    assert found["elsewhere"] == LeftOut("elsewhere", "lake", "the database is not there")
    without = found["no gold"]
    assert isinstance(without, LeftOut)
    assert "no such table: boats" in without.why


@pytest.mark.parametrize("id_", list(REPLIES))
def test_the_prompt_is_what_elimination_sends(folder: Path, id_: str) -> None:
    pair = made(folder)[id_]
    assert isinstance(pair, Pair)
    eliminator = Scripted([REPLIES["right"]])
    with contextlib.closing(
        askwhere.connect(
            folder / "databases" / "fleet" / "fleet.sqlite",
            model=Scripted([REPLIES[id_]]),
            eliminator=eliminator,
            method="sea",
        )
    ) as con:
        askwhere.ask(con, next(item.question for item in ITEMS if item.id == id_))
    assert eliminator.prompts == [pair.prompt]


def test_pairs_of_databases_held_out_are_marked(folder: Path) -> None:
    found = [one for one in made(folder, frozenset(["fleet"])).values() if isinstance(one, Pair)]
    assert [pair.held_out for pair in found] == [True] * 3


def test_the_report_says_how_often_the_first_query_was_right(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    pairs.write(made(folder).values(), path)
    assert pairs.report(*pairs.read(path)) == (
        "3 pairs to learn, of 1 databases, the first query right in 33.3 %\n"
        "0 pairs held out, of 0 databases\n"
        "2 questions left out; the first: QueryError: no such table: boats"
    )


def test_a_file_cut_short_is_gone_on_with(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    pairs.write(made(folder).values(), path)
    path.write_text(path.read_text()[:-20])
    known, left_out = pairs.read(path)
    assert (len(known), len(left_out)) == (3, 1)
    pairs.write([LeftOut("elsewhere", "lake", "again")], path)
    assert len(pairs.read(path)[1]) == 2


def test_a_question_left_out_is_asked_again(tmp_path: Path) -> None:
    path, pair = tmp_path / "pairs.jsonl", Pair("1", "fleet", "### Question\nSELECT", " 1", True, False)
    pairs.write([LeftOut("1", "fleet", "the server was away"), pair], path)
    assert pairs.read(path) == ([pair], [])


# ---------------------------------------------------------------------------------------------------------- the command


def test_pairs_are_written_and_learned_and_the_adapter_changes_answers(
    folder: Path, train: Run, base: Path, tmp_path: Path
) -> None:
    pytest.importorskip("llama_cpp")
    output, model = tmp_path / "pairs.jsonl", f"gguf:{base.with_suffix('.gguf')}"
    arguments = (folder, "--model", model, "--set", "max_tokens=400", "--output", output)
    code, out, err = train("data", *arguments)
    assert (code, err) == (0, "")
    assert "of 1 databases, the first query right in 0.0 %" in out
    known, left_out = pairs.read(output)
    assert train("data", *arguments)[0] == 0
    assert pairs.read(output) == (known, left_out)
    code, out, err = train("data", *arguments, "--held-out", "0")
    assert (code, out) == (1, "")
    assert "was trained with other databases held out: give the same --held-out and --seed" in err
    pairs.write((replace(p, id=str(n), held_out=False) for n, p in enumerate(known * 6)), tmp_path / "more.jsonl")
    code, out, err = train(
        "lora", tmp_path / "more.jsonl", "--base", base, "--output", tmp_path / "run", "--batch", 4, "--rate", 0.05
    )
    assert (code, err) == (0, "")
    assert "or eliminator to lora:" in out
    without, with_ = (_eliminated(folder, model, e) for e in (model, f"lora:{tmp_path / 'run' / 'adapter.gguf'}"))
    assert without != with_


def _eliminated(folder: Path, model: str, eliminator: str) -> list[str]:
    """What the eliminator replies in the method `sea`, to a first query that is noise."""
    path = folder / "databases" / "fleet" / "fleet.sqlite"
    settings = {"model": model, "eliminator": eliminator, "method": "sea", "leave_out": "adjustment"}
    with contextlib.closing(askwhere.connect(path, **settings)) as con:
        with contextlib.suppress(askwhere.AskError):
            askwhere.ask(con, ITEMS[0].question)
        steps = con.execute("SELECT step, reply FROM ask_trace(?)", (ITEMS[0].question,)).fetchall()
    return [reply for step, reply in steps if step == "eliminate"]


def test_an_adapter_goes_on_where_it_was_left(train: Run, base: Path, tmp_path: Path) -> None:
    path, run = tmp_path / "pairs.jsonl", tmp_path / "run"
    pairs.write(
        (Pair(str(i), "a", "### Question: how many?\nSELECT", " COUNT(*)", True, False) for i in range(40)), path
    )
    arguments = ("lora", path, "--base", base, "--output", run, "--batch", 8)
    assert train(*arguments, "--seconds", 0)[0] == 0
    assert (run / "adapter.gguf").exists()
    assert not (run / "log.jsonl").read_text()
    code, out, err = train(*arguments)
    assert (code, err) == (0, "")
    assert len((run / "log.jsonl").read_text().splitlines()) == 5
    code, out, err = train(*arguments[:-1], 4)
    assert (code, out) == (1, "")
    assert "holds another run, Plan(rate=0.0002, batch=8," in err
    assert "or name another folder" in err


def test_examples_are_prompts_of_the_product_with_gold_that_runs(train: Run, tmp_path: Path, folder: Path) -> None:
    output = tmp_path / "pairs.jsonl"
    arguments = ("examples", folder, "--output", output, "--held-out", 0)
    code, out, err = train(*arguments)
    assert (code, err) == (0, "")
    found, _ = pairs.read(output)
    assert out == f"{len(found)} pairs to learn, of 1 databases\n0 pairs held out, of 0 databases\n"
    assert {pair.db_id for pair in found} == {"fleet"}
    assert all(pair.reply.startswith("```sql\nSELECT ") and pair.reply.endswith("\n```") for pair in found)
    assert train(*arguments)[1] == out
    assert pairs.read(output)[0] == found


def test_the_reader_needs_no_eliminator(train: Run, folder: Path, tmp_path: Path) -> None:
    code, _, err = train("data", folder, "--output", tmp_path / "pairs.jsonl")
    assert code == 1
    assert "the reader's queries need no eliminator; name a model with --model" in err


def test_a_missing_extra_is_named(train: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == "peft" else found(name, *a))
    code, _, err = train("lora", "pairs.jsonl", "--base", "base")
    assert (code, err) == (1, "askwhere: training needs peft: pip install peft\n")


def test_a_folder_without_a_model_is_refused(train: Run, tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text("")
    code, _, err = train("lora", tmp_path / "pairs.jsonl", "--base", tmp_path, "--output", tmp_path / "run")
    assert code == 1
    assert "holds no model: expected a folder with config.json, weights and a tokenizer" in err


def test_a_file_of_something_else_is_refused(train: Run, base: Path, tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text('{"question": "how many?"}\n')
    code, _, err = train("lora", tmp_path / "other.jsonl", "--base", base, "--output", tmp_path / "run")
    assert code == 1
    assert "line 1: expected a pair as `askwhere train data` writes it, found" in err
