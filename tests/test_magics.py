"""`%ask` and `%%ask`, in an IPython that is started for it, with a database in either engine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support import SHOP, Database

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

CITIES = "CREATE TABLE shipments (id INTEGER PRIMARY KEY, from_city TEXT, to_city TEXT);"
CITIES += "INSERT INTO shipments VALUES (1, 'Oslo', 'Rome'), (2, 'Rome', 'Rome'), (3, 'Oslo', 'Rome');"


@pytest.fixture
def file(database: Database) -> str:
    database.raw(database.path).execute(SHOP + CITIES)
    database.close()
    return str(database.path)


def run(tmp_path: Path, *cells: str) -> str:
    """What IPython prints for cells, one after the other, with askwhere loaded."""
    script = "from IPython.core.interactiveshell import InteractiveShell\n"
    script += "shell = InteractiveShell.instance(colors='NoColor')\n"
    script += f"for cell in {('%load_ext askwhere', *cells)!r}:\n    shell.run_cell(cell, store_history=True)\n"
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"IPYTHONDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
        timeout=600,
    )
    return ran.stdout


def test_a_question_mark_at_the_end_asks_and_no_help_is_shown(file: str, tmp_path: Path) -> None:
    said = run(tmp_path, f"%ask --db {file} how many shipments are there?", "a = %ask how many shipments are there ??")
    assert "not found" not in said
    assert said.count("COUNT(*)") == 1
    said = run(tmp_path, f"a = %ask --db {file} how many shipments are there?\nprint(a.rows)", "%ask?")
    assert "((3,),)" in said
    assert "Answer a question in plain language" in said


def test_a_text_of_several_lines_keeps_its_question_marks(file: str, tmp_path: Path) -> None:
    text = 'text = """\n%ask how many?\n  a = %ask how many??\n"""\n'
    said = run(tmp_path, f"{text}a = %ask --db {file} how many customers are there?\nprint(repr(text), a.rows)")
    assert "'\\n%ask how many?\\n  a = %ask how many??\\n' ((3,),)" in said


def test_a_question_in_a_line_and_one_in_a_cell(file: str, tmp_path: Path) -> None:
    said = run(
        tmp_path,
        f"%ask --db {file} what's the number of customers",
        "print(_.rows, _.ask('only those in Canada').rows)",
        "%%ask\nnumber of customers\nper country\n",
        "answer = %ask only those in Canada",
        "print(answer.rows)",
    )
    assert "│     3 │" in said
    assert "By this query, with a confidence of 0." in said
    assert "((3,),) ((2,),)" in said
    assert "│ Norway  │     1 │" in said
    assert "After “number of customers per country”:\n(('Canada', 2),)" in said


def test_a_connection_is_named_by_its_variable(file: str, tmp_path: Path) -> None:
    said = run(
        tmp_path,
        f"import askwhere; con = askwhere.connect({file!r})",
        "%ask --db con how many orders are there",
        "con.execute('INSERT INTO orders VALUES (9, 1, 2.5)'); con.execute('SELECT 1').fetchall()",
        "%ask how many orders are there",
        "%ask --db answer how many orders are there",
        "con.close()",
    )
    assert "│     4 │" in said
    assert "│     5 │" in said
    assert "UsageError: there is no file answer" in said


@pytest.mark.parametrize("opened", ["askwhere.connect({!r})", "{}.{}({!r})"])
def test_a_closed_connection_is_named_so(file: str, tmp_path: Path, database: Database, opened: str) -> None:
    module, call = ("apsw", "Connection") if database.kind == "sqlite" else ("duckdb", "connect")
    opening = opened.format(file) if "askwhere" in opened else opened.format(module, call, file)
    said = run(
        tmp_path,
        f"import askwhere, {module}; con = {opening}; con.close()",
        "%ask --db con",
        "%ask --db con how many orders are there",
        f"con = {opening}",
        "%ask --db con how many orders are there",
        "con.close()",
        "%ask how many customers are there",
    )
    assert said.count("UsageError: the connection is closed; open the database again (") == 3
    assert "│     4 │" in said
    assert "Traceback" not in said


def test_a_question_with_two_readings_is_settled_by_a_number(file: str, tmp_path: Path) -> None:
    said = run(
        tmp_path,
        f"%ask --db '{file}' shipments in Rome",
        "%ask --choose 2",
        "%ask --choose=1 shipments in Rome",
    )
    assert "say which with `%ask --choose N`, or ask more precisely" in said
    assert said.index("3 rows") < said.index("1 row\n")


def test_what_cannot_be_answered_says_why(file: str, tmp_path: Path) -> None:
    said = run(
        tmp_path,
        "%ask how many customers are there",
        "%ask --choose 1",
        f"%ask --db {file}",
        "%ask --choose 1",
        "%ask zorb the flux",
        "%ask --choose many customers",
        "%ask --modle x customers",
        "%ask --chart customers",
        "%ask --chart",
        "%ask --db",
        "%ask how many customers --effort fast",
        "%ask",
        "%ask --help",
        "%ask --set max_rows=1 names of customers",
    )
    assert said.count("UsageError: %ask: expected a database: name a file or a connection") == 2
    assert "UsageError: choose: no question has been asked yet; ask one first" in said
    assert "could not place “zorb”" in said
    assert "`%ask --model NAME`" in said
    assert "argument --choose: invalid int value: 'many'" in said
    assert "there is no option --modle; did you mean '--model'?; usage: %ask [--db DB]" in said
    assert said.count("there is no option --chart; draw the answer in the next cell: _.chart(); usage: %ask") == 2
    assert "%ask: --db needs a value behind it; usage: %ask" in said
    assert "%ask: options come before the question, and --effort stands behind it; usage: %ask" in said
    assert "UsageError: %ask: expected a question; %ask? describes it; usage: %ask [--db DB]" in said
    assert "UsageError: %ask: there is no option --help; %ask? describes it; usage: %ask [--db DB]" in said
    assert "the answer has more than max_rows = 1 row;" in said
    assert "Traceback" not in said


def test_what_a_refusal_says_to_declare_is_an_option(file: str, tmp_path: Path) -> None:
    said = run(
        tmp_path,
        f"%ask --db {file} how many reshipments are there",
        "%ask --synonym reshipments=shipments how many reshipments are there",
        '%ask --synonym "small box=shipments" --key shipments.to_city=customers.country',
        "%ask how many small boxes are there",
        '%ask --synonym "tiny box" shipments how many tiny boxes are there',
        "%ask --synonym small=nothing",
        "%ask --synonym small",
        "%ask --key shipments.to_city=",
    )
    assert "To make “reshipments” a word for shipments: `%ask --synonym reshipments=shipments`." in said
    assert "INSERT" not in said
    assert "questions may say reshipments for shipments\n" in said
    assert "questions may say small box for shipments\nshipments.to_city refers to customers.country\n" in said
    assert "questions may say tiny box for shipments\n" in said
    assert said.count("│     3 │") == 3
    assert "UsageError: there is no table or column nothing: expected TABLE or TABLE.COLUMN" in said
    assert "UsageError: %ask: --synonym: expected WORDS=NAME, found small" in said
    assert "UsageError: %ask: --key: expected KEY=COLUMN, found shipments.to_city=" in said


def test_the_screenshot_of_a_notebook_can_be_taken_again(browser: Browser, tmp_path: Path) -> None:
    for module in ("nbconvert", "altair", "vl_convert"):
        pytest.importorskip(module)
    from screenshots import IMAGES, MOST_BYTES, take_notebook

    image = take_notebook(browser, tmp_path)
    assert 10_000 < image.stat().st_size < MOST_BYTES
    assert (IMAGES / image.name).exists()
