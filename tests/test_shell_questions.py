"""The shell's prompt takes questions and SQL: which line is which, what is printed, in both engines."""

from __future__ import annotations

import io

import apsw
import askwhere
import duckdb
import pytest
from askwhere.bindings.cli import duckdb_shell, questions, sqlite_shell
from askwhere.errors import AskError
from support import Database

ENGINES = ("sqlite", "duckdb")
QUESTIONS = [
    "how many rivers are there",
    "How many rivers are there?",
    "how many rivers are there;",
    "rivers",
    "5 largest cities",
    "what's the customer's name",
    "cities with population > 1000 (in Norway)",
    "show me customers in Norway",
    "show the customers",
    "select the best customers",
    "Select all rivers longer than 5 km",
    "describe the customers",
    "from which country are they",
    "with what money",
    "values over 5",
    "summarize sales by country",
    "drop in sales by month",
    "END OF THE WORLD",
]
# SQL, each with nothing but words and commas in it, as far as that goes.
STATEMENTS = [
    "SELECT name FROM rivers WHERE name LIKE 'A%' AND a IS NOT NULL GROUP BY name HAVING a ORDER BY name DESC LIMIT 3",
    "SELECT DISTINCT a AS b FROM t LEFT JOIN u ON t.x WHERE a BETWEEN 1 AND 2 UNION ALL SELECT 2",
    "SELECT CASE WHEN a THEN b ELSE c END FROM t",
    "WITH x AS",
    "VALUES",
    "CREATE TABLE t AS SELECT a FROM b",
    "INSERT INTO t SELECT a FROM b",
    "UPDATE t SET a",
    "DELETE FROM t WHERE a",
    "DROP TABLE IF EXISTS t",
    "ALTER TABLE t ADD COLUMN c INTEGER DEFAULT 3",
    "EXPLAIN SELECT a FROM t",
    "ATTACH 'x.db' AS y",
    "BEGIN TRANSACTION",
]  # fmt: skip
ONE_ENGINES = {
    "sqlite": ["PRAGMA journal_mode", "SAVEPOINT a", "EXPLAIN QUERY PLAN SELECT a FROM t"],
    "duckdb": ["FROM t SELECT a", "SHOW TABLES", "SHOW ALL TABLES", "DESCRIBE t", "SUMMARIZE t", "USE x"],
}  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("line", QUESTIONS)
def test_a_line_that_is_no_sql_is_a_question(line: str, engine: str) -> None:
    why = questions.why_question(line, engine)
    assert why is not None
    assert "so asked as a question" in why


@pytest.mark.parametrize("engine", ENGINES)
def test_sql_is_sql_wherever_its_line_ends(engine: str) -> None:
    for statement in (*STATEMENTS, *ONE_ENGINES[engine]):
        words = statement.split()
        for count in range(1, len(words) + 1):
            text = " ".join(words[:count])
            assert questions.why_question(text, engine) is None, text
            assert questions.why_question(f"{text};", engine) is None or count < len(words), text


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "line",
    [
        "",
        ".tables",
        ";",
        "-- a note",
        "(SELECT 1)",
        "SELCT * FROM rivers;",
        "SELECT * FORM rivers",
        "SELECT name, FROM rivers WHERE length = 3;",
        "SELECT 'how many",
        "SELECT name\nFORM the rivers",
    ],
)
def test_what_only_sql_has_is_left_to_the_engine(line: str, engine: str) -> None:
    assert questions.why_question(line, engine) is None


def test_the_place_of_the_fault_is_said() -> None:
    expected = 'Not SQL (there is a syntax error near "customers"), so asked as a question.'
    assert {questions.why_question("select the best customers", engine) for engine in ENGINES} == {expected}


def test_a_question_is_answered_with_its_query_below(database: Database) -> None:
    connection, out = database.shop(), io.StringIO()
    questions.answer(connection, "how many customers are there", out)
    lines = out.getvalue().splitlines()
    assert lines[3].strip("│ ") == "3"
    assert lines[5:7] == ["1 row", lines[6]]
    assert lines[6].startswith("By this query, with a confidence of 0.")
    assert lines[7].startswith("SELECT ")


def test_the_duckdb_prompt_asks_by_command_too() -> None:
    connection, out = duckdb.connect(), io.StringIO()
    connection.execute("CREATE TABLE rivers AS SELECT * FROM (VALUES (1, 'Rhine'), (2, 'Elbe')) AS r(id, name)")
    askwhere.register(connection)
    duckdb_shell.execute(connection, ".ask rivers' names", out)
    assert "2 rows" in out.getvalue()
    with pytest.raises(AskError, match=r"\.ask: expected a question after it, found none"):
        duckdb_shell.execute(connection, ".ask", out)
    with pytest.raises(AskError, match='there is no table "what\'s"'):
        duckdb_shell.execute(connection, ".schema what's", out)
    connection.close()


def sqlite_prompt(lines: str) -> tuple[str, str]:
    """What the prompt for SQLite prints for the lines, and its errors."""
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE rivers (id INTEGER PRIMARY KEY, name TEXT)")
    connection.execute("INSERT INTO rivers VALUES (1, 'Rhine'), (2, 'Elbe')")
    askwhere.register(connection)
    out, errors = io.StringIO(), io.StringIO()
    shell = sqlite_shell.Shell(db=connection, stdin=io.StringIO(lines), stdout=out, stderr=errors)
    shell.interactive = True
    shell.cmdloop(intro="")
    connection.close()
    return out.getvalue(), errors.getvalue()


def test_the_sqlite_prompt_answers_questions_and_runs_sql_over_several_lines() -> None:
    out, errors = sqlite_prompt("how many rivers are there\nSELECT 40 +\n2 AS n;\n.ask rivers' names\n")
    assert "Not SQL, so asked as a question.\n" in out
    assert "│ 2 │" in out.replace("  ", "")
    assert "FROM" in out
    assert "42" in out
    assert "2 rows" in out
    assert errors.strip() == ""


def test_the_sqlite_prompt_says_what_it_cannot_answer_and_goes_on() -> None:
    out, errors = sqlite_prompt("zorb the flux\n.ask\nSELECT 40 + 2;\n.help\n")
    assert "could not place" in errors
    assert "expected a question after it" in errors
    assert "42" in out
    assert "ask_candidates(" in out
    assert "ask QUESTION" in errors
