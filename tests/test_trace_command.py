"""`askwhere trace` on both engines."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import askwhere
import pytest
from askwhere.models import Scripted
from pages import checked
from support import Database, in_process

pytestmark = pytest.mark.slow

HOSTILE = "</script><img src=x onerror=alert(1)>"
QUESTION = "customers in Norway"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return in_process("trace", *arguments)


@pytest.fixture
def shop(database: Database) -> str:
    connection = database.shop(database.path)
    connection.execute(f"INSERT INTO customers VALUES (4, '{HOSTILE}', 'Norway')")
    connection.execute(f'CREATE TABLE "{HOSTILE}" ("{HOSTILE}" TEXT)')
    connection.close()
    return str(database.path)


def test_the_steps_are_printed_as_a_table_or_as_the_rows_of_ask_trace(shop: str) -> None:
    printed = run(shop, QUESTION)
    assert (printed.returncode, printed.stderr) == (0, "")
    assert [line.split("│")[1].strip() for line in printed.stdout.splitlines()[3:5]] == ["read", "run"]
    rest = "the rest is loading the program and reading the schema and the values"
    assert re.search(
        rf"^2 steps, which took [\d.]+ m?s of the [\d.]+ m?s in all; {rest}$", printed.stdout, re.MULTILINE
    )
    steps = json.loads(run(shop, QUESTION, "--json").stdout)
    with_askwhere = askwhere.connect(shop)
    askwhere.ask(with_askwhere, QUESTION)
    rows = with_askwhere.execute(f"SELECT step, detail FROM ask_trace('{QUESTION}')").fetchall()
    with_askwhere.close()
    assert [(step["step"], step["detail"]) for step in steps] == [tuple(row) for row in rows]
    assert list(steps[0]) == [
        "step", "detail", "model", "prompt", "reply", "prompt_tokens", "completion_tokens", "ms",
    ]  # fmt: skip


def test_the_notes_of_the_answer_stand_below_the_steps(database: Database) -> None:
    database.made(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, ordered DATE, shipped DATE);"
        "INSERT INTO orders VALUES (1, '2020-01-05', '2020-01-06')",
        database.path,
    ).close()
    printed = run(str(database.path), "orders in 2020").stdout
    assert printed.endswith("\nNote: goes by orders.ordered, and not by orders.shipped\n")


def test_the_page_is_written_with_hostile_names_and_values_as_text(shop: str, tmp_path: Path) -> None:
    page = tmp_path / "trace.html"
    for _ in range(2):  # a page of before is replaced
        done = run(shop, QUESTION, "--html", str(page))
        assert (done.returncode, done.stderr, done.stdout) == (0, "", f"wrote {page}\n")
    assert HOSTILE in checked(page.read_text("utf-8")).whole


def test_the_name_of_a_hostile_table_is_text(shop: str, tmp_path: Path) -> None:
    page = tmp_path / "trace.html"
    run(shop, f"how many {HOSTILE}", "--html", str(page))
    checked(page.read_text("utf-8"))


def test_a_question_without_an_answer_has_its_page_and_exits_with_1(shop: str, tmp_path: Path) -> None:
    page = tmp_path / "trace.html"
    done = run(shop, "zorb the flux", "--html", str(page))
    assert done.returncode == 1
    assert done.stderr.startswith("askwhere: The built-in reader could not place “zorb”")
    assert "No answer" in checked(page.read_text("utf-8")).whole


def test_the_page_takes_the_place_of_nothing_else(shop: str, tmp_path: Path) -> None:
    before = Path(shop).read_bytes()
    done = run(shop, QUESTION, "--html", shop)
    assert done.returncode == 1
    assert done.stderr == f"askwhere: {shop} exists and is not an HTML page, so it is not replaced: name another file\n"
    assert Path(shop).read_bytes() == before
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE, text=True)
    assert run(shop, QUESTION, "--html", str(tmp_path / "pipe")).returncode == 0
    checked(reader.communicate()[0])
    program = [sys.executable, "-m", "askwhere", "trace"]  # a process, as it gives its standard output up
    done = subprocess.run(
        [*program, shop, QUESTION, "--html", str(tmp_path / "no" / "folder.html")],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)


def test_choosing_what_a_prompt_shows_is_a_step_with_its_time(database: Database) -> None:
    con = database.shop(model=Scripted(["SELECT COUNT(*) FROM customers"]), effort="fast")
    askwhere.ask(con, "flurb")
    found = con.execute("SELECT step, detail, ms >= 0 FROM ask_trace('flurb')").fetchall()
    assert [row for row in found if row[0] == "schema"] == [("schema", "shows all 2 tables", True)]
