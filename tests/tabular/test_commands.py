"""Data files on the command line: which words are files, which the question, and what each command does with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from askwhere.bindings.cli import main as cli


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder: one with data files, and a folder whose name a question may hold."""
    monkeypatch.chdir(tmp_path)
    Path("orders.csv").write_text("id,customer_id,amount\n1,1,10\n2,1,5\n3,2,1\n")
    Path("customers.jsonl").write_text('{"id": 1, "country": "Canada"}\n{"id": 2, "country": "Norway"}\n')
    Path("how").mkdir()


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Return a command's exit code, output and errors."""
    code = cli.main(arguments)
    return code, *capsys.readouterr()


@pytest.mark.parametrize(
    "words",
    [
        ["orders.csv", "how", "many", "orders", "are", "there"],
        ["orders.csv", "customers.jsonl", "how many orders are there"],
        ["*.csv", "how many orders are there?"],
        [".", "how many orders are there"],
    ],
)
def test_the_first_words_that_are_data_are_asked_the_rest(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert run(capsys, "ask", *words, "--json", "--quiet") == (0, '[{"count": 3}]\n', "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["ask", "orders.csv", "customer.csv", "how", "many"],
            "there is no file customer.csv; did you mean 'customers.jsonl'?",
        ),
        (["ask", "nothing.csv", "how many"], "there is no file nothing.csv"),
        (
            ["index", "orders.csv"],
            "orders.csv cannot store this: add --keep FILE, a DuckDB file, which is made if there is none",
        ),
        (
            ["comments", "orders.csv", "--synonym", "x", "orders"],
            "orders.csv cannot store this: add --keep FILE",
        ),
        (["explain", "orders.csv", "SELECT", "1"], "expected one query, found 2 arguments: SELECT 1; put it in quotes"),
    ],
)
def test_what_is_wrong_is_said(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (1, "")
    assert said in err


@pytest.mark.parametrize("words", [["north", "how many visits are there"], ["north/", "how many visits are there"]])
def test_a_folders_name_before_a_question_in_quotes_is_the_folder(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    Path("north").mkdir()
    Path("north/visits.csv").write_text("id,day\n1,2024-01-01\n2,2024-01-02\n")
    assert run(capsys, "ask", "orders.csv", *words, "--json", "--quiet") == (0, '[{"count": 2}]\n', "")
    assert run(capsys, "ask", "orders.csv", "north", "visits", "--json")[0] == 1  # words of a question


def test_a_refusal_advises_a_command_that_keeps_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "ask", "orders.csv", "how many waterproof orders are there")
    assert code == 1
    assert "`askwhere ask orders.csv 'how many orders are there'`" in err


def test_a_question_is_needed_after_the_files(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["ask", "orders.csv", "customers.jsonl"])
    assert "the following arguments are required: question" in capsys.readouterr().err


@pytest.mark.slow
def test_every_command_takes_files(capsys: pytest.CaptureFixture[str]) -> None:
    files = ("orders.csv", "customers.jsonl", "--keep", "kept.duckdb")
    assert run(capsys, "index", *files)[1].startswith("indexed 2 values of 1 column")
    assert run(capsys, "index", *files, "customers")[1].startswith("indexed 2 values of 1 column")
    assert run(capsys, "ask", *files, "orders from Canada", "--json")[0] == 0
    assert "orders" in run(capsys, "shell", *files, ".tables")[1]
    assert "Shows the number of rows" in run(capsys, "explain", *files, "SELECT count(*) FROM orders")[1]
    assert run(capsys, "fix", *files, "SELECT amont FROM orders")[1] == "SELECT amount FROM orders\n"
    assert run(capsys, "comments", *files, "--synonym", "turnover", "orders.amount")[0] == 0
    steps = json.loads(run(capsys, "trace", *files, "total turnover", "--json")[1])
    assert any("SUM(amount)" in step["detail"] for step in steps)
    Path("pins.jsonl").write_text('{"question": "the best", "sql": "SELECT 1 AS best"}\n')
    assert run(capsys, "pins", *files, "--import", "pins.jsonl")[2] == "1 pin read from pins.jsonl\n"
    assert "the best" in run(capsys, "pins", *files)[1]
    assert run(capsys, "index", *files, "--drop")[1] == "the value index was dropped\n"
