"""The shell's prompt takes questions and SQL: which line is which, what is printed, in both engines."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from askwhere.bindings.cli import asking, prompt, questions, shell
from askwhere.bindings.cli.waiting import waiting
from askwhere.bindings.source import Source
from askwhere.display import table
from support import Database

pytestmark = pytest.mark.any_engine

ENGINES = ("sqlite", "duckdb")
RIVERS = "CREATE TABLE rivers (id INTEGER PRIMARY KEY, name TEXT);INSERT INTO rivers VALUES (1, 'Rhine'), (2, 'Elbe')"
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
    "with population",
    "with recursive lakes",
    "insert",
    "call me",
    "values over 5",
    "summarize sales by country",
    "drop in sales by month",
    "END OF THE WORLD",
    '"how many rivers are there"',
    "'what is the river's name'",
    "“rivers”;",
    '"how many rivers are there?";',
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
# How many words the first line of a statement has at least, if not two.
FIRST_LINE = {"SELECT": 1, "VALUES": 1, "EXPLAIN": 1, "FROM": 1, "WITH": 3}
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
def test_sql_is_sql_wherever_a_statement_is_broken(engine: str) -> None:
    for statement in (*STATEMENTS, *ONE_ENGINES[engine]):
        words = statement.split()
        for count in range(FIRST_LINE.get(words[0], 2), len(words) + 1):
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
        "selct 1;",
        "delte from rivers;",
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
    asking.answer(connection, "how many customers are there", out, lambda c, r: print(table(c, r), file=out))
    lines = out.getvalue().splitlines()
    assert lines[3].strip("│ ") == "3"
    assert lines[5:7] == ["1 row", lines[6]]
    assert lines[6].startswith("By this query, with a confidence of 0.")
    assert lines[7].startswith("SELECT ")


def typed(database: Database, *lines: str) -> str:
    """What the prompt prints for what was typed."""
    connection, out = database.made(RIVERS), io.StringIO()
    opened = shell.shell_of(connection, out)
    for line in lines:
        prompt.handle(opened, line)
    return out.getvalue()


def test_the_prompt_answers_questions_and_runs_sql_over_several_lines(database: Database) -> None:
    out = typed(database, "how many rivers are there", "SELECT 40 +\n2 AS n; SELECT 7 * 9;", ".ask rivers' names")
    assert "Not SQL, so asked as a question.\n" in out
    assert "│ 2 │" in out.replace("  ", "")
    assert "FROM" in out
    assert "42" in out
    assert "63" in out
    assert "2 rows" in out


def test_what_is_known_is_not_said_again(database: Database) -> None:
    out = typed(database, "rivers", "how many rivers are there", "how many are there", "select the best rivers")
    assert out.count("Not SQL, so asked as a question.") == 1
    assert out.count('Not SQL (there is a syntax error near "rivers")') == 1
    assert "After “how many rivers are there”:" in out
    assert "read as a refinement" not in out


@pytest.mark.parametrize("marks", ['""', "''", "“”", "\u2018\u2019"])
def test_quotation_marks_around_a_question_are_left_out(database: Database, marks: str) -> None:
    out = typed(database, f"{marks[0]}how many rivers are there{marks[1]}", f".ask {marks[0]}rivers{marks[1]}")
    assert "COUNT(*)" in out
    assert "Rhine" in out
    assert "2 rows" in out


def test_the_prompt_says_where_the_tables_are_listed(database: Database) -> None:
    assert "The tables and their columns: .tables and .schema\n" in typed(database, "list all tables")


def test_the_prompt_says_what_it_cannot_answer_and_goes_on(database: Database) -> None:
    out = typed(
        database, "zorb the flux", ".ask", ".schema what's", ".zorb", ".pins", "SELECT * FORM rivers;", "SELECT 40 + 2;"
    )
    assert "could not place" in out
    assert ".ask: expected a question after it, found none" in out
    assert 'there is no table "what\'s"' in out
    assert "there is no command .zorb; .help lists them" in out
    assert "there is no command .pins; in SQL there is ask_pins(); .help lists them" in out
    assert "syntax error" in out
    assert "42" in out


def test_a_refusal_without_advice_says_what_can_be_asked(database: Database) -> None:
    advice = ".examples shows questions that it answers; .tables and .schema show what can be asked about.\n"
    assert typed(database, "what tables are there").endswith(advice)
    assert advice not in typed(database, "how many waterproof rivers are there")


@pytest.mark.parametrize("word", ["yes", "Y", "ok."])
def test_yes_asks_the_question_that_a_refusal_advises(database: Database, word: str) -> None:
    asked = typed(database, "how many waterproof rivers are there", word)
    assert "yes asks the first of these.\n" in asked
    assert "2" in asked.split("yes asks the first of these.")[1]
    forgotten = typed(database, "how many waterproof rivers are there", "rivers", word)
    assert forgotten.endswith("what can be asked about.\n")  # an answer came between


def test_tables_are_listed_by_the_names_that_sql_takes(database: Database) -> None:
    assert "│ rivers │ table │" in typed(database, ".tables")


def test_an_unknown_command_is_told_only_a_near_one_or_what_it_is_called_here(database: Database) -> None:
    out = typed(database, ".foo", ".tabels", ".wide")
    assert "there is no command .foo; .help lists them" in out
    assert "there is no command .tabels; did you mean '.tables'?; .help lists them" in out
    assert "there is no command .wide; for that there is .pager on; .help lists them" in out


def test_a_query_that_fails_is_shown_repaired_where_one_repair_is_near(database: Database) -> None:
    out = typed(database, "SELECT nme FROM rivers;", "SELECT zorb FROM rivers;", "DROP TABLE zorb;", "SELECT 40 + 2;")
    assert "Perhaps: SELECT name FROM rivers;" in out
    assert out.count("Perhaps:") == 1
    assert "42" in out
    out = typed(database, "BEGIN;", "SELECT nme FROM rivers;", "ROLLBACK;", "SELECT 40 + 2;")
    assert "42" in out


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT * FROM ask;", "ask() is a table: SELECT * FROM ask('…')"),
        ("SELECT ask_keys();", "ask_keys() is a table: SELECT * FROM ask_keys()"),
        ("SELECT * FROM ask_sql('rivers');", "ask_sql() is a value: SELECT ask_sql('…')"),
        ("SELECT * FROM ask('rivers', efort := 'fast');", "there is no argument efort; did you mean 'effort'?"),
        ("SELECT ask_sql('rivers', efort := 'fast');", "there is no argument efort; did you mean 'effort'?"),
        ("SELECT ask_keys('a', 'b') FROM rivers;", "ask_keys() is a table: SELECT * FROM ask_keys()"),
    ],
)
def test_a_function_called_otherwise_is_shown_as_it_is_called(database: Database, sql: str, said: str) -> None:
    assert typed(database, sql).endswith(f"{said}\n")


def test_a_question_in_double_quotes_is_told_of_single_ones(tmp_path: Path) -> None:
    duckdb = Database("duckdb", tmp_path)
    said = "a text has single quotes, and a column double ones: write 'all rivers' for \"all rivers\"\n"
    assert typed(duckdb, 'SELECT ask_sql("all rivers");') == said
    assert "single quotes" not in typed(duckdb, 'SELECT "all rivers" FROM rivers;')


def test_a_question_mark_alone_lists_the_commands(database: Database) -> None:
    assert typed(database, "?") == typed(database, ".help")


def test_rows_are_shown_as_the_mode_says(database: Database) -> None:
    select = "SELECT id, name FROM rivers ORDER BY id;"
    assert typed(database, ".mode csv", select) == "id,name\n1,Rhine\n2,Elbe\n"
    assert typed(database, ".mode json", select) == '[{"id": 1, "name": "Rhine"}, {"id": 2, "name": "Elbe"}]\n'
    assert "  id = 1\nname = Rhine\n\n  id = 2\nname = Elbe\n" in typed(database, ".mode line", select)
    assert "│  1 │ Rhine │" in typed(database, ".mode line", ".mode table", select)
    assert ".mode: expected one of table, line, csv, json, found none" in typed(database, ".mode")


@pytest.mark.slow  # plotext is not among what the fast tests need
def test_the_last_rows_are_drawn(database: Database, tmp_path: Path) -> None:
    names = "SELECT 'Oslo' AS city, 3 AS n UNION ALL SELECT 'Rome', 1 ORDER BY n DESC;"
    drawn = typed(database, names, ".chart").rpartition("2 rows\n")[2]
    assert drawn.index("Oslo") < drawn.index("Rome") < drawn.index("n\n")
    file = tmp_path / "cities.svg"
    assert typed(database, names, f".chart {file}").endswith(f"wrote {file}\n")
    assert file.read_text("utf-8").startswith("<svg")
    nothing = ".chart: expected rows before it, found none; ask a question or run a query first\n"
    assert typed(database, ".chart") == nothing
    assert typed(database, "SELECT 1 AS n;", ".chart").endswith("it has one row, and a chart compares several\n")
    assert "chart: expected a file that ends in .html" in typed(database, names, ".chart cities.txt")
    many = "WITH RECURSIVE k(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM k WHERE x < 2000) SELECT x, x AS y FROM k;"
    refused = ".chart: the last result has more than 1,000 rows, and the prompt keeps only that many: ask for fewer\n"
    assert typed(database, many, ".chart").endswith(refused)


CITIES = """
CREATE TABLE orders (id INTEGER PRIMARY KEY, ship_city TEXT, bill_city TEXT);
INSERT INTO orders VALUES (1, 'Oslo', 'Rome'), (2, 'Rome', 'Rome'), (3, 'Oslo', 'Oslo'), (4, 'Oslo', 'Rome');
"""


@pytest.fixture
def cities(database: Database) -> Callable[..., str]:
    """Types lines at the prompt of a database in which `orders in Rome` can be read in two ways."""
    connection, out = database.made(CITIES), io.StringIO()
    opened = shell.shell_of(connection, out)

    def type_(*lines: str) -> str:
        before = len(out.getvalue())
        for line in lines:
            prompt.handle(opened, line)
        return out.getvalue()[before:]

    return type_


def test_the_list_of_candidates_of_a_refusal_advises_what_to_type(cities: Callable[..., str]) -> None:
    said = cities("how many waterproof orders are there")
    assert said.count(": how many orders are there\n") == 1
    assert ": how many orders are there\n" in cities(".choose")


def test_a_question_with_two_readings_lists_them_and_a_number_chooses_one(cities: Callable[..., str]) -> None:
    assert cities("orders in Rome").endswith(
        "the question can be read in 2 ways; say which with .choose N, or ask more precisely:\n"
        "  1: SELECT id FROM orders WHERE ship_city = 'Rome' -- “Rome” read as orders.ship_city\n"
        "  2: SELECT id FROM orders WHERE bill_city = 'Rome' -- “Rome” read as orders.bill_city\n"
    )
    chosen = cities(".choose 2")
    assert "3 rows" in chosen
    assert "By this query, with a confidence of 0." in chosen
    assert "WHERE bill_city = 'Rome'\n" in chosen
    assert "1 row\n" in cities(".choose 1")
    assert "0 rows" in cities("SELECT * FROM ask_pins();")


def test_what_was_chosen_can_be_followed_and_pinned(cities: Callable[..., str]) -> None:
    cities("orders in Rome", ".choose 2")
    followed = cities("how many are there?")
    assert "After “orders in Rome”:" in followed
    assert "│     3 │" in followed
    assert cities(".pin") == "pinned 'how many are there?', which follows 'orders in Rome'\n"
    pinned = cities("SELECT sql, follows FROM ask_pins();")
    assert "bill_city = 'Rome'" in pinned
    assert '["orders in Rome"]' in pinned


def test_candidates_are_listed_with_their_numbers(cities: Callable[..., str]) -> None:
    cities(".mode csv", "orders in Rome")
    listed = list(csv.reader(io.StringIO(cities(".choose"))))
    assert listed[0] == ["rank", "confidence", "rows", "query"]
    assert [(rank, rows, query.split()[-3:]) for rank, _, rows, query in listed[1:]] == [
        ("1", "1", ["ship_city", "=", "'Rome'"]), ("2", "3", ["bill_city", "=", "'Rome'"])
    ]  # fmt: skip


def test_candidates_are_listed_whole_and_are_no_rows_to_draw(cities: Callable[..., str]) -> None:
    cities("orders in Rome")
    listed = cities(".choose").splitlines()
    assert [line.split(": confidence")[0] for line in listed[::2]] == ["1", "2"]
    assert listed[0].endswith(", 1 row")
    assert listed[3] == "   SELECT id FROM orders WHERE bill_city = 'Rome'"
    assert cities(".chart").startswith(".chart: expected rows before it, found none")


def test_what_cannot_be_chosen_says_why(cities: Callable[..., str]) -> None:
    assert cities(".choose 1") == "choose: no question has been asked yet; ask one first\n"
    for command in (".choose 1", ".choose"):
        none = ".choose: the last question has no candidates to choose from: ask it in other words first. The built-in"
        assert cities("zorb of flurb", command).count(none) == 1
    assert cities(".pin") == ".pin: no question has been answered yet; ask one first\n"
    cities("orders in Rome")
    assert cities(".pin") == ".pin: no question has been answered yet; ask one first\n"
    assert cities(".choose 3") == "choose: there are 2 candidates, and no rank 3; .choose lists them\n"
    wrong = ".choose: expected a number, or nothing to list the candidates, found 'both'\n"
    assert cities(".choose both") == wrong
    wrong = ".pin: expected nothing after it, as it pins the last answer, found 'it'; "
    assert cities(".pin it").startswith(wrong)


def test_a_script_chooses_too(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    database.made(CITIES, database.path).close()
    assert shell.run(Source((str(database.path),)), [".ask how many orders", ".choose 1", ".pin"], {}) == 0
    assert capsys.readouterr().out.count("SELECT COUNT(*)") == 2
    assert shell.run(Source((str(database.path),)), [".ask orders in Rome", ".choose 2"], {}) == 1
    assert "say which with .choose N" in capsys.readouterr().err


def test_a_script_in_sqlite_says_which_commands_are_the_prompts(capsys: pytest.CaptureFixture[str]) -> None:
    assert shell.run(Source((":memory:",)), [".chart"], {}) == 1
    assert ".chart is a command of the prompt, and no script in SQLite has it" in capsys.readouterr().err


@pytest.mark.parametrize("line", [".quit", "quit", "exit;", "EXIT"])
def test_quit_ends_the_prompt(database: Database, line: str) -> None:
    with pytest.raises(EOFError):
        typed(database, line)


def test_only_a_terminal_is_told_that_it_takes_long() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out, terminal = io.StringIO(), Terminal()
    with waiting(out):
        pass
    with waiting(terminal):
        while "0 s" not in terminal.getvalue() and "1 s" not in terminal.getvalue():
            time.sleep(0.01)
    assert out.getvalue() == ""
    assert terminal.getvalue().endswith("\r\x1b[K")
