"""`askwhere eval`: its options, what it prints, and the files that it writes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import apsw
import askwhere
import pexpect
import pytest
from askwhere.bindings.cli import main as cli
from askwhere.bindings.cli import results
from askwhere.bindings.opening import open_database
from askwhere.evaluation import plans, records
from askwhere.evaluation.plans import Request
from askwhere.evaluation.records import Header
from support import SHOP, connected

pytestmark = pytest.mark.slow

QUESTIONS = (
    ("shop", "How many customers are there?", "SELECT count(*) FROM customers"),
    ("shop", "How many customers are in Canada?", "SELECT count(*) FROM customers WHERE country = 'Canada'"),
    ("shop", "What is the average amount of orders?", "SELECT avg(amount) FROM orders"),
    ("shop", "Which blorps are blue?", "SELECT name FROM customers"),
    ("shop", "How many orders are there?", "SELECT count(*) FROM customers"),
    ("gone", "How many orders are there?", "SELECT count(*) FROM orders"),
)
Eval = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as Spider has it, and the place where runs are written."""
    database = tmp_path / "data" / "database" / "shop" / "shop.sqlite"
    database.parent.mkdir(parents=True)
    connection = apsw.Connection(str(database))
    connection.execute(SHOP)
    connection.close()
    asked = [{"db_id": db, "question": question, "query": gold} for db, question, gold in QUESTIONS]
    (tmp_path / "data" / "dev.json").write_text(json.dumps(asked))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


@pytest.fixture
def evaluate(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Eval:
    def run(*arguments: Any) -> tuple[int, str, str]:
        code = cli.main(["eval", *map(str, arguments), "--workers", "1", "--cache", str(tmp_path / "cache.db")])
        out, err = capfd.readouterr()
        return code, out, err

    return run


@pytest.mark.slow
def test_modules_in_the_folder_of_the_questions_are_not_imported(folder: Path) -> None:
    for name in ("multiprocessing", "random", "apsw"):
        (folder / f"{name}.py").write_text("open('called', 'w').close()")
    command = [Path(sys.executable).parent / "askwhere", "eval", ".", "--workers", "1", "--no-cache"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not (folder / "called").exists()


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_a_run_prints_its_scores_and_writes_its_files(folder: Path, evaluate: Eval, engine: str) -> None:
    code, out, err = evaluate(folder, "--engine", engine, "--output", "run.jsonl")
    assert (code, err) == (0, "")
    assert f"dev on {engine}: 5 questions; model reader, effort balanced" in out
    assert "1 not asked: its database is not there" in out
    assert "outcomes: 4 answered, 1 refused, 0 ambiguous, 0 failed" in out
    run = records.read(Path("run.jsonl"))
    assert run.complete
    assert [run.right(record) for record in run.records] == [True, True, True, False, False]
    figures = json.loads(Path("run.summary.json").read_text())["figures"]
    assert figures["spider_ex"]["all"] | {"low": 0, "high": 0} == {"percent": 60, "low": 0, "high": 0, "questions": 5}
    assert figures["right_of_answered"]["all"]["percent"] == 75
    assert figures["value_recall"]["all"] == {"percent": 100, "low": None, "high": None, "questions": 1}


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_a_newcomers_questions_stand_beside_the_database(
    tmp_path: Path, evaluate: Eval, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    monkeypatch.chdir(tmp_path)
    connection = connected(engine, tmp_path / f"shop.{'db' if engine == 'sqlite' else 'duckdb'}")
    for statement in filter(str.strip, SHOP.split(";")):
        connection.execute(statement)
    connection.close()
    asked = [{"question": question, "sql": gold} for _, question, gold in QUESTIONS[:5]]
    Path("shop.jsonl").write_text("\n".join(map(json.dumps, asked)))
    code, out, err = evaluate("shop")
    assert (code, err) == (0, "")
    below = out[out.index("Not right: 2") :]
    assert "  Which blorps are blue?  (shop, shop-3)\n    expected: SELECT name FROM customers\n    got:  " in below
    assert "  How many orders are there?  (shop, shop-4)\n    expected: SELECT count(*) FROM customers\n" in below
    assert "average" not in below
    _, out, _ = evaluate("shop", "--questions", "1")
    assert "Not right: 2, the first 1 shown" in out


@pytest.mark.slow
def test_the_same_command_asks_nothing_again(folder: Path, evaluate: Eval) -> None:
    _, first, _ = evaluate(folder)
    (path,) = Path("evaluation").glob("*.jsonl")
    before = path.read_text("utf-8")
    _, second, _ = evaluate(folder)
    assert (first, before) == (second, path.read_text("utf-8"))
    _, out, _ = evaluate(folder, "--json", "--query-seconds", "7")
    assert json.loads(out)["usage"]["cached"] == 5


def test_settings_sample_and_databases_are_chosen(folder: Path, evaluate: Eval) -> None:
    _, out, _ = evaluate(folder, "--only", "shop", "--sample", "2", "--seed", "3", "--set", "exclude_tables=orders")
    assert "about shop on sqlite: 2 questions, a sample with seed 3; model reader" in out
    assert "exclude_tables = orders" in out


def test_pins_are_asked_as_questions(folder: Path, evaluate: Eval) -> None:
    database = folder / "database" / "shop" / "shop.sqlite"
    connection = askwhere.connect(database)
    for question, gold in (("how many orders", "SELECT count(*) FROM orders"), ("how many zorgs", "SELECT 1")):
        connection.execute("SELECT ask_pin(?, ?)", (question, gold)).fetchall()
    connection.close()
    _, out, _ = evaluate(database)
    assert "shop.sqlite on sqlite: 2 questions" in out
    assert "outcomes: 1 answered, 1 refused" in out


def test_slow_scores_are_made_where_they_are_asked_for(
    folder: Path, evaluate: Eval, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = evaluate(folder, "--more", "ves", "--score", "bird_ex", "--sample", "3", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["header"]["scores"] == ["bird_ex", "spider_ex", "own_ex", "soft_f1", "ves"]
    assert "ves" in found["figures"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.json"], "there is no file nowhere.json"),
        (["data", "--split", "test"], "data has no test.jsonl, test.json or examples/*_test.json; there are dev.json"),
        (["data", "--set", "modell=x"], "there is no setting 'modell'; did you mean 'model'?"),
        (["data", "--set", "grammar"], "--set: expected NAME=VALUE, found 'grammar'"),
        (["data", "--only", "x"], "there are no questions about x; there are: gone, shop"),
        (["data", "--only", "gone"], "found none of the databases gone, which may be"),
        (["data", "--score", "ex"], "there is no score 'ex'; expected one of spider_ex, bird_ex, own_ex"),
        (["data", "--engine", "duckdb", "--more", "ves"], "the score ves is made on SQLite alone"),
        (["data", "--databases", "nowhere"], "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_run_is_said(folder: Path, evaluate: Eval, arguments: list[str], said: str) -> None:
    code, out, err = evaluate(*arguments)
    assert (code, out) == (1, "")
    assert said in err
    assert not Path("evaluation").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pexpect needs a terminal of Unix")
def test_on_a_terminal_it_shows_the_running_score_and_can_be_interrupted(folder: Path, tmp_path: Path) -> None:
    questions = [
        {"db_id": "shop", "question": f"How many customers of {n}?", "query": "SELECT 1"} for n in range(3_000)
    ]
    (folder / "dev.json").write_text(json.dumps(questions))
    command = f"eval {folder} --workers 1 --no-cache --output {tmp_path / 'run.jsonl'}"
    child = pexpect.spawn(sys.executable, ["-m", "askwhere", *command.split()], timeout=600)
    child.expect(r"asking, \d+\.\d % right: \d+ of 3000, ")
    child.sendintr()
    child.expect("askwhere: interrupted; the same command goes on from here")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == cli.INTERRUPTED
    assert 0 < len(records.read(tmp_path / "run.jsonl").records) < 3_000


def test_what_a_model_cost_is_said_for_a_question_and_in_all() -> None:
    used = {"requests": 4, "calls": 8, "prompt_tokens": 2_000, "completion_tokens": 100, "cost": 0.5}
    figure = {"percent": 50.0, "low": None, "high": None, "questions": 4}
    names = ("answered", "right_of_answered", "spider_ex", "skeleton", "table_recall", "column_recall", "value_recall")
    found = {
        "header": asdict(Header("dev.json")),
        "questions": 4,
        "outcomes": {"answered": 4},
        "figures": {name: {"all": figure} for name in names},
        "calibration": {"ece": 0.1, "brier": 0.2},
        "usage": {**used, "seconds_median": 1.0, "seconds_p95": 2.0},
    }
    *_, cost, seconds = results.summary_lines({**found, "excluded": {}, "warnings": []})
    assert cost == (
        "a question: 1.0 requests, 2.0 completions, 500.0 prompt tokens, 25.0 completion tokens, $0.12500;"
        " in all 8 completions, 2,100 tokens and $0.50"
    )
    assert seconds == "seconds a question: median 1.000, p95 2.000"


def test_a_question_may_take_a_minute_more_than_its_answer(folder: Path) -> None:
    plan = plans.plan(Request(folder, settings={"max_seconds": 900}), open_database)
    assert plan.header.seconds == 960
    assert plans.plan(Request(folder), open_database).header.seconds == 300
    assert plans.plan(Request(folder, seconds=5.0), open_database).header.seconds == 5
