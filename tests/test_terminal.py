"""The shell in a terminal, typed at as a user does: widths, completion, history, Ctrl-C, candidates and the pager."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest
from support import Database
from terminal import WAITS, Terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="pexpect needs a terminal of Unix"),
]

MADE = """
CREATE TABLE mountains (id INTEGER PRIMARY KEY, name TEXT, height_in_millimetres BIGINT, remark TEXT);
INSERT INTO mountains VALUES (1, 'Everest', 8848860000000, 'the highest mountain above the level of the sea of all'),
  (2, 'Kilimanjaro', 5895000, 'short'), (3, 'Mont Blanc', -4805590, NULL);
CREATE TABLE shipments (id INTEGER PRIMARY KEY, from_city TEXT, to_city TEXT);
INSERT INTO shipments VALUES (1, 'Oslo', 'Rome'), (2, 'Rome', 'Rome'), (3, 'Oslo', 'Rome');
"""
NUMBERS = "WITH RECURSIVE k(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM k WHERE x < 200) SELECT x AS n FROM k;"
ENDLESS = "WITH RECURSIVE k(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM k) SELECT count(*) FROM k;"
LESS = ":\x1b[K"  # the prompt of the pager
Open = Callable[..., Terminal]


@pytest.fixture
def terminal(database: Database) -> Iterator[Open]:
    """Opens a shell on the database, as often as a test calls it; each shares the history with those before."""
    database.raw(database.path).execute(MADE)
    database.close()
    opened: list[Terminal] = []

    def open_(lines: int = 24, columns: int = 80, **environment: str) -> Terminal:
        opened.append(Terminal(database.path, lines, columns, **environment))
        return opened[-1]

    yield open_
    for one in opened:
        one.child.close(force=True)


@pytest.mark.parametrize("columns", [44, 60, 110])
def test_numbers_are_whole_and_wide_texts_are_cut_with_a_mark(terminal: Open, columns: int) -> None:
    shown = terminal(40, columns).run("SELECT * FROM mountains ORDER BY id;")
    box = [line for line in shown.splitlines() if line[:1] in ("╭", "│", "├", "╰")]
    assert len(box) == 7
    assert len(set(map(len, box))) == 1
    assert len(box[0]) <= columns
    assert [number in shown for number in ("8848860000000", "5895000", "-4805590")] == [True] * 3
    whole = "the highest mountain above the level of the sea of all" in shown
    assert whole == (columns == 110)
    assert whole or "…" in shown
    assert ("3 rows; .mode line shows what was cut" in shown) == ("…" in shown)
    assert ("more to the right" in shown) == ("remark" not in shown)


def test_a_name_is_completed_and_a_function_too(terminal: Open) -> None:
    opened = terminal()
    opened.type("SELECT min(height_in_mi\t", "llimetres")
    opened.type(") + 1 FROM mounta\t", "ins")
    assert "5895001" in opened.run(" WHERE id = 2;")
    opened.type("SELECT length(ask_vers\t", "ion(")
    assert "1 row" in opened.run(")) > 1 AS there;")


def test_what_was_typed_comes_back_in_the_next_shell(terminal: Open) -> None:
    opened = terminal()
    assert "│    42 │" in opened.run("SELECT 40 + 2 AS first;")
    assert "│     3 │" in opened.run("how many mountains are there")
    opened.child.send("\x04")
    opened.child.expect(pexpect.EOF)
    again = terminal()
    again.type("\x1b[A", "there")
    assert "│     3 │" in again.run("")
    again.type("\x1b[A\x1b[A", "first")
    assert "│    42 │" in again.run("")


def test_ctrl_c_drops_the_line_and_stops_a_query_but_not_the_shell(terminal: Open) -> None:
    opened = terminal()
    opened.type("SELECT nonsense", "nonsense")
    opened.child.send("\x03")
    opened.prompted()
    opened.start(ENDLESS)
    opened.child.expect_exact(" s")  # of the seconds that it has taken
    opened.child.sendintr()
    assert re.search("[Ii]nterrupt", opened.prompted())
    assert "│    42 │" in opened.run("SELECT 40 + 2 AS there;")
    opened.child.send("\x04")
    opened.child.expect(pexpect.EOF)


def test_sql_that_goes_on_says_how_to_leave_it(terminal: Open) -> None:
    opened = terminal()
    opened.child.send("SELECT 40 +\r")
    opened.child.expect_exact("; ends the SQL, Ctrl-C drops")
    opened.child.send("\x03")
    opened.prompted()
    assert "could not place" in opened.run("with zorbs")


def test_what_the_prompt_says_is_broken_between_words(terminal: Open, database: Database) -> None:
    opened = terminal(24, 60)
    banner = [line for line in opened.banner.splitlines() if str(database.path) not in line]  # a long word stays whole
    refused = opened.run("what tables are there").splitlines()
    assert refused[-1].endswith("what can be asked about.")
    assert max(len(line.rstrip()) for line in (*banner, *refused[1:])) <= 60  # the first is what was typed


def test_statements_that_change_rows_say_how_many(terminal: Open) -> None:
    opened = terminal()
    assert "2 rows changed" in opened.run("DELETE FROM shipments WHERE id > 1;")
    assert "1 row changed" in opened.run("UPDATE shipments SET id = 7;")
    assert "changed" not in opened.run("CREATE TABLE t (id INTEGER); DELETE FROM t; SELECT 1;")


def test_candidates_are_listed_and_chosen_by_their_numbers(terminal: Open) -> None:
    opened = terminal(30, 120)
    listed = opened.run("shipments in Rome")
    assert "say which with .choose N" in listed
    assert ("  1: SELECT" in listed, "  2: SELECT" in listed) == (True, True)
    assert {rows for n in (1, 2) for rows in ("3 rows", "1 row\n") if rows in opened.run(f".choose {n}")} == {
        "3 rows",
        "1 row\n",
    }


def test_only_a_long_result_is_paged(terminal: Open) -> None:
    opened = terminal(24, 80, PAGER="sed s/^/page:/")
    assert "page:│   1 │" in opened.run(NUMBERS)
    assert "page" not in opened.run("SELECT 40 + 2 AS there;")
    opened.run(".pager off")
    assert "page" not in opened.run(NUMBERS)


def test_a_pager_that_is_always_used_gets_tables_as_wide_as_they_are(terminal: Open) -> None:
    opened = terminal(24, 40, PAGER="sed s/^/page:/")
    opened.run(".pager on")
    shown = opened.run("SELECT * FROM mountains ORDER BY id;")
    assert "page:3 rows" in shown
    assert "the highest mountain above the level of the sea of all" in shown


@pytest.mark.skipif(not Path("/usr/bin/less").exists(), reason="needs less")
def test_the_usual_pager_is_left_by_q_and_ctrl_c_does_not_end_the_shell(terminal: Open) -> None:
    opened = terminal()
    opened.start(NUMBERS)
    opened.child.expect_exact("│  10 │")
    opened.child.expect_exact(LESS)
    opened.child.sendintr()
    # less rings the bell and mostly writes its prompt again. A key that comes before that can be lost: q is sent again.
    opened.child.expect_exact([LESS, "\x07", pexpect.TIMEOUT], timeout=10)
    opened.child.send("q")
    while opened.child.expect_exact([WAITS, pexpect.TIMEOUT], timeout=10):
        opened.child.send("q")
    opened.child.send("\x15")  # clears the line, which a second key may have come to
    assert "│    42 │" in opened.run("SELECT 40 + 2 AS there;")


def test_a_pager_that_is_missing_is_said_below_the_rows(terminal: Open) -> None:
    opened = terminal(24, 80, PAGER="no-such-pager -x")
    shown = opened.run(NUMBERS)
    assert "│ 200 │" in shown
    assert "The pager 'no-such-pager -x' (PAGER) was not found; .pager off does without." in shown
    expected = ".pager: expected one of on, off, auto, found sometimes"
    assert expected in opened.run(".pager sometimes").replace("\n", "")
