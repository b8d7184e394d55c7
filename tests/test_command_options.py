"""--model, --method, --effort and --set: the same on every command that may ask, and stronger than the environment."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from askwhere.bindings.cli import ask, drawing, options
from askwhere.bindings.cli import main as cli
from askwhere.errors import ArgumentError, SettingError
from faulty import Faulty, answer, reply
from support import PER_COUNTRY, Database, in_process

GIVEN = ["--model", "openai:x", "--method", "sea", "--effort", "fast", "--set", "max_rows=3", "--set", "Server=vllm"]
ASKING = (
    ["ask", "x.db", "how many?"],
    ["trace", "x.db", "how many?"],
    ["shell", "x.db"],
    ["index", "x.db"],
    ["calibrate", "x.db"],
    ["fix", "x.db", "SELECT 1"],
    ["explain", "x.db", "SELECT 1"],
    ["serve", "x.db"],
    ["eval", "run", "x.jsonl"],
    ["eval", "x.jsonl"],
    ["train", "data", "x.jsonl", "--output", "y"],
)


@pytest.mark.parametrize("words", ASKING, ids=" ".join)
def test_every_command_that_may_ask_takes_them(words: Sequence[str]) -> None:
    chosen = options.chosen(cli._parsed([*words, *GIVEN]))
    assert chosen == {"model": "openai:x", "method": "sea", "effort": "fast", "max_rows": "3", "server": "vllm"}
    assert options.chosen(cli._parsed(words)) == {}


def test_what_sets_nothing_is_refused() -> None:
    with pytest.raises(ArgumentError, match="--set: expected NAME=VALUE, found 'max_rows'"):
        options.chosen(cli._parsed(["ask", "x.db", "q", "--set", "max_rows"]))
    with pytest.raises(SettingError, match="there is no setting 'max_row'; did you mean 'max_rows'"):
        options.chosen(cli._parsed(["ask", "x.db", "q", "--set", "max_row=1"]))


@pytest.mark.parametrize("command", ["ask", "trace"])
@pytest.mark.parametrize(
    ("given", "question"),
    [
        (["x.db", "how many rivers are there"], "how many rivers are there"),
        (["x.db", "how", "many", "rivers", "are", "there"], "how many rivers are there"),
        (["--json", "x.db", "how", "many", "rivers", "--choose", "2"], "how many rivers"),
        (["x.db", "how", "--json", "many", "--choose", "2", "rivers"], "how many rivers"),
        (["x.db", "colder", "than", "-5", "degrees"], "colder than -5 degrees"),
        (["x.db", "--", "what", "is", "--json"], "what is --json"),
    ],
)
def test_the_words_after_the_file_are_the_question_and_options_stand_anywhere(
    command: str, given: list[str], question: str
) -> None:
    parsed = cli._parsed([command, *given])
    assert (parsed.database, " ".join(parsed.question)) == ("x.db", question)
    assert parsed.json == (parsed.choose == 2) == ("--choose" in given)


def test_the_shell_takes_options_before_its_statements() -> None:
    parsed = cli._parsed(["shell", "x.db", "--read-only", "SELECT 1", "SELECT 2"])
    assert (parsed.database, parsed.sql, parsed.read_only) == ("x.db", ["SELECT 1", "SELECT 2"], True)
    assert cli._parsed(["shell", "--read-only", "x.db"]).sql == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("--modl", "--modl; did you mean '--model'?\n"),
        ("--listn", "--listn; did you mean '--listen'?\n"),
        ("--port", "--port\n"),
    ],
)
def test_only_a_near_option_is_suggested(wrong: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli._parsed(["serve", "x.db", wrong])
    assert capsys.readouterr().err.endswith(f"unrecognized arguments: {said}")


@pytest.mark.parametrize("command", ["ask", "trace"])
def test_a_question_without_a_word_is_a_wrong_call(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli._parsed([command, "x.db", "--json"])
    assert "the following arguments are required: question" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "question", "chart"),
    [
        (["orders", "per", "month", "--chart"], "orders per month", ""),
        (["--chart", "orders", "per", "month"], "orders per month", ""),
        (["orders", "--chart", "a.PNG", "per", "month"], "orders per month", "a.PNG"),
        (["orders", "--chart=a.png"], "orders", "a.png"),
        (["--chart", "a.gif", "orders"], "orders", "a.gif"),
        (["orders", "in", "a.png"], "orders in a.png", None),
    ],
)
def test_a_chart_is_drawn_in_the_file_behind_the_option(words: list[str], question: str, chart: str | None) -> None:
    parsed = cli._parsed(["ask", "x.db", *words])
    assert (" ".join(parsed.question), parsed.chart) == (question, chart)
    assert set(ask._CHARTS) == drawing.KINDS.keys()


def test_a_database_behind_the_option_for_a_chart_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.db").touch()
    parsed = cli._parsed(["ask", "--chart", "x.db", "orders", "per", "month"])
    assert (parsed.database, parsed.question, parsed.chart) == ("x.db", ["orders", "per", "month"], "")


@pytest.mark.parametrize("arguments", [["ask", "x.db", "q", "--efort", "fast"], ["index", "x.db", "--efort=fast"]])
def test_an_unknown_option_is_told_the_nearest(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli._parsed(arguments)
    assert capsys.readouterr().err.endswith("fast; did you mean '--effort'?\n")


def test_the_query_and_the_notes_are_on_standard_error(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    database.shop(database.path).close()
    asked = ["ask", str(database.path), "--csv", "how many orders are there", "--follows", "customers in Canada"]
    query = "SELECT COUNT(*) AS count FROM orders\n"
    noted = "Note: read as a question of its own"
    assert cli.main(asked) == 0
    out, err = capsys.readouterr()
    assert out == "count\n4\n"
    first, *rest = err.splitlines(keepends=True)
    assert first.startswith("By this query, with a confidence of 0.")
    assert rest[0] == query
    assert rest[1].startswith(noted)
    assert cli.main([*asked, "--quiet"]) == 0
    assert capsys.readouterr() == (out, "")
    assert cli.main([*asked[:2], "--sql", *asked[3:]]) == 0
    out, err = capsys.readouterr()
    assert out == query
    assert err.startswith(noted)


@pytest.mark.slow
def test_a_question_goes_to_the_model_that_is_named(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    database.shop(database.path).close()
    monkeypatch.setenv("ASKWHERE_MODEL", "openai:another")
    with Faulty((answer(reply(PER_COUNTRY)),)) as server:
        to = ("--model", "openai:house", "--method", "sea", "--set", f"base_url={server.url}")
        asked = in_process("ask", str(database.path), "flurb", "--csv", "--quiet", *to)
        assert (asked.stdout, asked.stderr) == ("country,n\nCanada,2\nNorway,1\n", "")
        steps = json.loads(in_process("trace", str(database.path), "flurb", "--json", *to).stdout)
        assert {step["model"] for step in steps if step["model"]} == {"openai:house"}
        assert in_process("shell", str(database.path), "SELECT n FROM ask('flurb')", *to).returncode == 0
    assert [body["model"] for body in server.bodies] == ["house"] * 3


@pytest.mark.slow
def test_ollama_is_asked_where_its_variable_says_and_is_sent_no_key(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKWHERE_API_KEY", "sk-SECRET123")
    with Faulty((answer(reply(PER_COUNTRY)), answer({"error": "not found"}, 404)), models=("qwen:1b",)) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url.removesuffix("/v1"))
        connection = database.shop(model="ollama:qwen:7b", method="sea", base_url="https://example.com/v1")
        assert connection.execute("SELECT * FROM ask('flurb')").fetchall() == [("Canada", 2), ("Norway", 1)]
        with pytest.raises(Exception, match=r"ollama:qwen:7b at .*it lists qwen:1b; ollama pull qwen:7b brings it"):
            connection.execute("SELECT * FROM ask('zorb')").fetchall()
    assert server.requests[0].body["model"] == "qwen:7b"
    assert not [sent for sent in server.requests if "SECRET" in str(sent.headers)]


@pytest.mark.slow
def test_ollama_that_is_not_running_is_said_with_its_variable(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Faulty((answer({}),)) as server:
        address = server.url.removesuffix("/v1")
    monkeypatch.setenv("OLLAMA_HOST", address)
    connection = database.shop(model="ollama:qwen:7b", method="sea")
    with pytest.raises(Exception, match=r"nothing answers there .*; is the server running, and is OLLAMA_HOST right"):
        connection.execute("SELECT * FROM ask('flurb')").fetchall()


@pytest.mark.parametrize("command", ["model list", "model get", "eval run", "eval compare", "train lora"])
def test_the_help_of_a_command_below_another_begins_with_what_it_does(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    group, name = command.split()
    with pytest.raises(SystemExit):
        cli.main([group, "--help"])
    listed = " ".join(capsys.readouterr().out.split())
    with pytest.raises(SystemExit):
        cli.main([group, name, "--help"])
    what = " ".join(capsys.readouterr().out.split("\n\n")[1].split()).removesuffix(".")
    assert f"{name} {what[0].lower()}{what[1:]}" in listed


def test_a_question_that_is_too_long_for_a_file_name_is_a_question(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    database.shop(database.path).close()
    assert cli.main(["ask", str(database.path), "how many customers are there, " * 9 + "zorbs"]) == 1
    assert "The built-in reader could not place “zorbs”" in " ".join(capsys.readouterr().err.split())


def test_an_empty_name_is_not_the_current_folder(capsys: pytest.CaptureFixture[str]) -> None:
    said = "askwhere: expected a database or data files, found an empty name; is a variable not set?\n"
    for words in (["ask", "", "how", "many"], ["shell", ""], ["index", ""]):
        assert cli.main(words) == 1
        assert " ".join(capsys.readouterr().err.split()) == said.strip()
