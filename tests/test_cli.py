"""The command line and the shells, run as a user runs them."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import apsw
import askwhere
import pexpect
import pytest
from askwhere.bindings import sample
from askwhere.bindings.cli import commands, doctor, script, shell
from askwhere.display import table
from support import in_process

PROGRAM = [sys.executable, "-m", "askwhere"]
EXTENSIONS = {"sqlite": "db", "duckdb": "duckdb"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("world")
    sample.build_sqlite(folder / "world.db")
    sample.build_duckdb(folder / "world.duckdb")
    return folder


@pytest.fixture(params=["sqlite", "duckdb"])
def world(request: pytest.FixtureRequest, built: Path) -> str:
    return str(built / f"world.{EXTENSIONS[request.param]}")


def run(
    *arguments: str, stdin: str = "", cwd: Path | None = None, stdout: IO[str] | int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    command = [*PROGRAM, *arguments]
    return subprocess.run(
        command, input=stdin, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False, timeout=600, cwd=cwd
    )


def test_ask_prints_a_table(world: str) -> None:
    done = run("ask", world, "how", "many", "rivers", "are", "there")
    assert done.returncode == 0
    assert done.stdout.splitlines()[1].startswith("│")
    assert done.stdout.splitlines()[-1] == "1 row"


@pytest.mark.slow
def test_ask_prints_json_csv_or_sql(world: str) -> None:
    question = "How many rivers are there?"
    (row,) = json.loads(in_process("ask", world, question, "--json").stdout)
    (number,) = row.values()
    assert number > 20
    assert list(csv.reader(io.StringIO(in_process("ask", world, question, "--csv").stdout))) == [[*row], [str(number)]]
    assert in_process("ask", world, question, "--sql").stdout.startswith("SELECT")


@pytest.mark.slow
def test_a_question_that_is_not_understood_exits_with_1_and_names_the_words(world: str) -> None:
    done = in_process("ask", world, "zorb the flux?")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("askwhere: ")
    assert "zorb" in done.stderr
    assert "Traceback" not in done.stderr


def test_mistakes_are_one_line_and_an_exit_code(tmp_path: Path) -> None:
    done = run("ask", str(tmp_path / "none.db"), "how many?")
    assert (done.returncode, done.stderr) == (1, f"askwhere: there is no file {tmp_path / 'none.db'}\n")
    (tmp_path / "nine.db").touch()
    assert "none.db; did you mean 'nine.db'?" in in_process("ask", str(tmp_path / "none.db"), "how many?").stderr
    assert in_process("ask").returncode == 2
    assert "the following arguments are required: question" in in_process("ask", str(tmp_path / "nine.db"), " ").stderr
    done = in_process("ask", "how many?", str(tmp_path / "nine.db"))
    assert (done.returncode, f"the database comes first: {tmp_path / 'nine.db'} 'how many?'" in done.stderr) == (
        2,
        True,
    )
    assert in_process("nonsense").returncode == 2
    assert "there is no command 'shel'; askwhere --help lists them; did you mean 'shell'?" in in_process("shel").stderr
    assert f"try askwhere ask {__file__} 'QUESTION'" in in_process(__file__).stderr
    assert run("--version").stdout.strip()
    assert in_process("help").stdout == in_process("--help").stdout
    assert in_process("help", "ask").stdout == in_process("ask", "--help").stdout


@pytest.mark.slow
def test_output_into_a_closed_pipe_is_quiet(world: str) -> None:
    command = f"{' '.join(PROGRAM)} ask {world} 'Show the names of all cities' --csv --quiet | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, timeout=600)
    assert done.stderr == ""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [("ask", "Show the names of all cities", "--csv"), ("shell", "SELECT 40 + 2;")])
def test_output_that_cannot_be_written_is_one_line(world: str, arguments: tuple[str, ...]) -> None:
    command, *rest = arguments
    with open("/dev/full", "w") as full:
        done = run(command, world, *rest, stdout=full)
    assert done.returncode == 1
    assert done.stderr == "askwhere: the output cannot be written: No space left on device\n"


@pytest.mark.slow
def test_output_in_an_encoding_that_lacks_a_character_is_one_line(world: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    done = run("ask", world, "How many rivers are there?")
    assert (done.returncode, done.stdout) == (1, "")
    expected = r"askwhere: the output is in CP1252, which has no '\u256d': set PYTHONIOENCODING=utf-8"
    assert done.stderr.splitlines()[-1] == expected


@pytest.mark.slow
def test_csv_of_too_many_rows_is_an_error_and_nothing_else(world: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKWHERE_MAX_ROWS", "10")
    done = in_process("ask", world, "Show the names of all cities", "--csv")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("askwhere: the answer has more than max_rows = 10 rows")


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "how many?"),
        pytest.param(("index",), marks=pytest.mark.slow),
        pytest.param(("shell", "SELECT * FROM rivers"), marks=pytest.mark.slow),
    ],
)
def test_a_locked_or_damaged_file_is_no_traceback(built: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    name, *rest = arguments
    content = (built / "world.db").read_bytes()
    (tmp_path / "damaged.db").write_bytes(content[:100] + b"\xff" * 4_000 + content[4_100:])
    done = in_process(name, str(tmp_path / "damaged.db"), *rest)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1].startswith("askwhere: the database is damaged; restore it from a copy")
    assert "Traceback" not in done.stderr
    shutil.copy(built / "world.db", tmp_path / "locked.db")
    other = apsw.Connection(str(tmp_path / "locked.db"))
    other.execute("BEGIN EXCLUSIVE")
    done = in_process(name, str(tmp_path / "locked.db"), *rest)
    other.close()
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1].startswith("askwhere: the database is locked by another connection; try again")
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_ask_and_shell_open_read_only_where_asked_to(world: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("ask", world, "How many rivers are there?", "--read-only", "--csv").stdout.endswith("70\n")
    done = run("shell", "--read-only", world, "DELETE FROM rivers")
    assert done.returncode == 1
    assert "read" in done.stderr
    monkeypatch.setenv("ASKWHERE_ISOLATION", "process")
    done = run("ask", world, "How many rivers are there?", "--csv", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("70\n")


def test_doctor_says_what_is_installed_in_lines_of_bounded_width() -> None:
    done = run("doctor")
    assert done.returncode == 0
    for word in ("askwhere", "Python", "apsw", "SQLite 3.", "duckdb", "sqlglot", "setting model", "reader"):
        assert word in done.stdout
    named = ("extension ", "threads ")
    assert max(len(note) for what, _, note in doctor.report() if f"{what} ".startswith(named)) <= 90


def test_doctor_says_which_extensions_of_duckdb_are_here() -> None:
    found = {what: (value, note) for what, value, note in doctor.report()}
    assert found["extension quack"][0] in ("installed", "not installed")
    assert found["extension quack"][1] == "of DuckDB, for askwhere serve: INSTALL quack in SQL"
    assert {f"extension {name}" for name in ("httpfs", "sqlite_scanner", "ducklake")} <= found.keys()


def test_doctor_says_whether_the_server_of_the_model_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "server of model" not in [what for what, _, _ in doctor.report()]
    monkeypatch.setenv("ASKWHERE_MODEL", "ollama:tiny")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{port}")
        assert ("server of model", "reached", f"http://127.0.0.1:{port}/v1") in list(doctor.report())
    why = "nothing answers there (connection refused); is the server running, and is OLLAMA_HOST right?"
    assert ("server of model", "broken", f"http://127.0.0.1:{port}/v1: {why}") in list(doctor.report())
    monkeypatch.setenv("ASKWHERE_MODEL", "openai:tiny")
    monkeypatch.setenv("ASKWHERE_BASE_URL", "http://gpu.example.com/v1")
    done = in_process("doctor")
    assert done.returncode == 1
    assert "base_url: gpu.example.com needs https" in done.stdout


def test_doctor_checks_what_the_package_needs_and_nothing_else() -> None:
    assert {"apsw", "duckdb", "sqlglot", "numpy", "prompt-toolkit"} <= set(doctor.requirements())
    assert not {"pytest", "openai", "ruff"} & set(doctor.requirements())


def test_doctor_shows_a_broken_configuration_in_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "askwhere").mkdir()
    (tmp_path / "askwhere" / "config.toml").write_text("max_rows = ")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    done = in_process("doctor")
    assert (done.returncode, done.stderr) == (1, "")
    (line,) = [line for line in done.stdout.splitlines() if "configuration" in line]
    assert "broken" in line
    assert "is not valid TOML" in line
    assert "duckdb" in done.stdout


@pytest.mark.slow
def test_demo_asks_five_questions_of_both_engines_and_ends_with_a_command(tmp_path: Path) -> None:
    done = run("demo", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("SELECT * FROM ask('") == 10
    assert done.stdout.splitlines()[-1].strip() == "askwhere shell world.db"
    assert {p.name for p in tmp_path.iterdir()} == {"world.db", "world.duckdb"}
    assert run("demo", cwd=tmp_path).returncode == 0


@pytest.mark.slow
def test_the_shell_runs_statements_given_as_arguments(world: str) -> None:
    done = run("shell", world, "SELECT * FROM ask('How many rivers are there?')")
    assert done.returncode == 0, done.stderr
    assert "70" in done.stdout
    assert run("shell", world, "SELECT * FROM nowhere").returncode == 1


@pytest.mark.slow
def test_the_shell_reads_a_script_from_a_pipe(world: str) -> None:
    script = "CREATE TEMP TABLE t AS\n  SELECT 'a;b' AS x;\nSELECT * FROM t;\nSELECT ask_version();\n"
    done = run("shell", world, stdin=script)
    assert done.returncode == 0, done.stderr
    assert "a;b" in done.stdout
    assert "0.1.0" in done.stdout


@pytest.mark.slow
def test_a_script_ends_with_1_at_its_first_error(world: str) -> None:
    done = run("shell", world, stdin="SELECT 40 + 2;\nSELECT * FROM nosuch;\nSELECT 7 * 9;\n")
    assert done.returncode == 1
    assert "42" in done.stdout
    assert "63" not in done.stdout
    assert "nosuch" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_last_statement_of_a_script_needs_no_semicolon_and_quit_ends_it(world: str) -> None:
    done = run("shell", world, stdin="\nSELECT 40 + 2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "42" in done.stdout
    done = run("shell", world, stdin="SELECT 40 + 2;\n.quit\nSELECT 7 * 9;\n")
    assert done.returncode == 0
    assert "42" in done.stdout
    assert "63" not in done.stdout


@pytest.fixture
def typed(world: str) -> Iterator[pexpect.spawn]:
    environment = {**os.environ, "TERM": "dumb", "PROMPT_TOOLKIT_NO_CPR": "1"}
    child = pexpect.spawn(PROGRAM[0], [*PROGRAM[1:], "shell", world], encoding="utf-8", timeout=300, env=environment)
    child.setwinsize(50, 200)
    child.expect("askwhere> ")
    yield child
    child.close(force=True)


@pytest.mark.slow
def test_the_prompt_answers_and_survives_mistakes(typed: pexpect.spawn) -> None:
    typed.sendline("SELECT * FROM ask('How many rivers are there?');")
    typed.expect("70")
    typed.sendline("SELECT * FROM ask('zorb the flux');")
    typed.expect("zorb.*could|could not place.*zorb")
    typed.sendline("SELECT 40 + 2 AS answer;")
    typed.expect("42")


@pytest.mark.slow
def test_the_prompt_takes_questions_between_statements(typed: pexpect.spawn) -> None:
    typed.sendline("how many rivers are there")
    typed.expect("Not SQL, so asked as a question")
    typed.expect("70")
    typed.expect("By this query, with a confidence of")
    typed.sendline("select the longest of the rivers")
    typed.expect('syntax error near "of"')
    typed.sendline("SELECT 40 + 2 AS answer")
    typed.sendline(";")
    typed.expect("42")


@pytest.mark.slow
def test_ctrl_c_stops_the_statement_and_not_the_shell(typed: pexpect.spawn) -> None:
    endless = "WITH RECURSIVE k(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM k) SELECT count(*) FROM k"
    typed.sendline(f"SELECT 'be' || 'gun'; {endless};")
    typed.expect("begun")
    time.sleep(0.5)
    typed.kill(signal.SIGINT)
    typed.expect(["[Ii]nterrupt", r"\^C"])
    typed.sendline("SELECT 40 + 2 AS answer;")
    typed.expect("42")


def test_a_table_marks_nulls_and_aligns_numbers() -> None:
    shown = table(("name", "n"), [("a", 1), (None, 20)])
    assert "│ NULL │ 20 │" in shown
    assert shown.endswith("2 rows")
    assert table(("x",), [(i,) for i in range(5)], 2).endswith("5 rows, the first 2 shown")


def test_statements_of_a_script_end_at_their_semicolons() -> None:
    lines = ["SELECT 1;\n", ".tables\n", "SELECT ';' -- x;\n", ", 2;\n", "SELECT 3\n"]
    assert list(script.complete_statements(lines, script.is_complete)) == [
        "SELECT 1;\n", ".tables\n", "SELECT ';' -- x;\n, 2;\n", "SELECT 3\n",
    ]  # fmt: skip


@pytest.mark.parametrize("file", ["world.db", "world.duckdb"])
def test_the_help_fits_into_a_terminal(built: Path, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = io.StringIO()
    with contextlib.closing(askwhere.connect(built / file)) as connection:
        commands.execute(shell.shell_of(connection, out), ".help")
    lines = out.getvalue().splitlines()
    assert len(lines) < 23
    assert max(map(len, lines)) < 80


@pytest.mark.slow
def test_the_help_of_a_script_in_sqlite_begins_with_the_commands_about_questions() -> None:
    def said(command: str) -> str:
        call = [sys.executable, "-m", "askwhere", "shell", ":memory:"]
        both = subprocess.run(
            call, input=command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True
        )
        return both.stdout

    listed = said(".help\n")
    assert listed.startswith(".help ")
    assert listed.index("\n.choose ") < listed.index("\n.autoimport ")
    assert said(".help functions\n").startswith("ask(question, ")


@pytest.mark.parametrize("file", ["world.db", "world.duckdb"])
def test_the_prompt_knows_its_commands(built: Path, file: str) -> None:
    connection = askwhere.connect(built / file)
    for command, expected in ((".help", ".choose"), (".help functions", "ask_candidates(question"),
                              (".help me", "found 'me'"),
                              (".examples", "average height of mountains"), (".examples 3", "found '3'"),
                              (".tables", "countries"), (".schema rivers", "length_km"),
                              (".schema", "CREATE TABLE rivers"), (".nonsense", "there is no command .nonsense"),
                              (".modee", "did you mean '.mode'?"), (".schema river", "did you mean 'rivers'?"),
                              (".schema nope", 'there is no table "nope"'), (".mode nope", "found nope")):  # fmt: skip
        out = io.StringIO()
        try:
            commands.execute(shell.shell_of(connection, out), command)
        except askwhere.AskError as exc:
            out.write(str(exc))
        assert expected in out.getvalue()
    connection.close()
