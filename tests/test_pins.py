"""Pins, answers already given, and the log: what is kept of questions, in both engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.bindings.cli import main as cli
from askwhere.models import Scripted
from askwhere.pipeline import pinned
from askwhere.sql.lexer import scan
from hypothesis import given
from hypothesis import strategies as st
from support import PER_COUNTRY, Database, Make, rows

# All that `str.isprintable` allows.
PRINTABLE = st.characters(exclude_categories=["C", "Z"], include_characters=" ")
OVER = "SELECT id FROM orders WHERE amount > {least} ORDER BY id"


@pytest.fixture
def scripted(scripted: Make) -> Make:
    """A shop whose questions the model alone answers, in one call each."""
    return lambda *replies, **settings: scripted(*replies, **{"method": "sea", **settings})


def pin(connection: Any, question: str, sql: str | None) -> str:
    """What `ask_pin` says."""
    (said,) = rows(connection, "SELECT ask_pin(?, ?)", (question, sql))
    return str(said[0])


@pytest.mark.any_engine
def test_a_pinned_question_needs_no_model(scripted: Make) -> None:
    con, model = scripted()
    assert pin(con, "Customers, per country?", f"{PER_COUNTRY};") == "pinned 'Customers, per country?'"
    for question in ("customers per country", "CUSTOMERS per  country.", "Customers, per country?"):
        assert rows(con, "SELECT * FROM ask(?)", (question,)) == [("Canada", 2), ("Norway", 1)]
    assert model.prompts == []
    ((origin, confidence),) = rows(con, "SELECT origin, confidence FROM ask_candidates('customers per country')")
    assert (origin, confidence) == ("pin", 1.0)


def test_a_pin_counts_on_every_connection_and_after_reopening(database: Database) -> None:
    con = database.shop(database.path)
    pin(con, "how many orders", "SELECT count(*) AS n FROM orders")
    other = con.cursor() if database.kind == "duckdb" else database.raw(database.path)
    askwhere.register(other, model=Scripted(()))
    assert rows(other, "SELECT n FROM ask('How many orders?')") == [(4,)]
    database.close()
    again = askwhere.connect(database.path, model=Scripted(()))
    assert rows(again, "SELECT n FROM ask('how many orders')") == [(4,)]
    again.close()


@pytest.mark.any_engine
def test_a_pin_made_elsewhere_comes_before_an_answer_given_here(scripted: Make) -> None:
    con, _ = scripted("SELECT 1 AS n")
    assert rows(con, "SELECT * FROM ask('how many orders')") == [(1,)]
    pin(con, "how many orders", "SELECT count(*) AS n FROM orders")
    assert rows(con, "SELECT * FROM ask('how many orders')") == [(4,)]


@pytest.mark.any_engine
def test_the_answer_that_is_there_is_pinned_without_sql(scripted: Make) -> None:
    con, model = scripted(PER_COUNTRY)
    rows(con, "SELECT * FROM ask('customers per country')")
    assert rows(con, "SELECT ask_pin('customers per country')") == [("pinned 'customers per country'",)]
    ((sql, by),) = rows(con, "SELECT sql, model FROM ask_pins()")
    assert (sql, by, len(model.prompts)) == (PER_COUNTRY, "scripted", 1)


@pytest.mark.any_engine
def test_a_pin_is_replaced_and_removed(scripted: Make) -> None:
    con, _ = scripted(PER_COUNTRY)
    pin(con, "how many", "SELECT 1 AS n")
    assert pin(con, "How many?", "SELECT 2 AS n") == "pinned 'How many?', in place of its former query"
    assert rows(con, "SELECT question, sql, stale FROM ask_pins()") == [("How many?", "SELECT 2 AS n", False)]
    assert rows(con, "SELECT ask_unpin('HOW MANY')") == [("unpinned 'HOW MANY'",)]
    assert rows(con, "SELECT * FROM ask_pins()") == []
    with pytest.raises(Exception, match="there is no pin for 'how many'; ask_pins\\(\\) lists them"):
        rows(con, "SELECT ask_unpin('how many')")


@pytest.mark.any_engine
def test_parameters_are_literals_in_the_query(scripted: Make) -> None:
    con, model = scripted()
    sql = (
        "SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.name = {name} AND amount > {least}"
    )
    said = pin(con, "orders of {name} over {least}", sql)
    assert said == "pinned 'orders of {name} over {least}', with {name} a text, {least} a number"
    assert rows(con, "SELECT * FROM ask('Orders of Ann over 15?')") == [(2,)]
    assert rows(con, "SELECT * FROM ask('orders of \"Ann'' OR 1=1 --\" over 0')") == []
    assert rows(con, "SELECT ask_sql('orders of Bo over 1')")[0][0].count("'Bo'") == 1
    assert model.prompts == []


@pytest.mark.any_engine
@given(value=st.text(PRINTABLE, min_size=1, max_size=30))
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_whatever_a_value_is_the_query_has_it_as_one_text(dialect: str, value: str) -> None:
    sql = pinned.filled("SELECT '{a}' AS \"{a}\", {a} -- {a}", {"a": value}, dialect)
    tokens = list(scan(sql, dialect))
    texts = [text for kind, text in tokens if kind == "text"]
    assert texts == ["'{a}'", "'" + value.replace("'", "''") + "'"]
    assert [kind for kind, _ in tokens].count("comment") == 1


@pytest.mark.any_engine
def test_a_limit_is_a_number_and_a_count_is_compared_as_one(scripted: Make) -> None:
    con, _ = scripted()
    pin(con, "top {n} orders", "SELECT id FROM orders ORDER BY amount DESC LIMIT {n}")
    assert rows(con, "SELECT * FROM ask('top 2 orders')") == [(2,), (1,)]
    sql = "SELECT country FROM customers GROUP BY country HAVING count(*) > {n}"
    pin(con, "countries with more than {n} customers", sql)
    assert rows(con, "SELECT * FROM ask('countries with more than 1 customers')") == [("Canada",)]


def test_sqlite_wants_to_know_what_a_parameter_is_compared_with(tmp_path: Path) -> None:
    con = Database("sqlite", tmp_path).shop()
    con.execute("CREATE VIEW odd AS SELECT amount + 0 AS a FROM orders")
    with pytest.raises(askwhere.ArgumentError, match=r"write CAST\(\{x\} AS INTEGER\), REAL or TEXT"):
        pin(con, "odd {x}", "SELECT a FROM odd WHERE a = {x}")
    assert "with {x} a number" in pin(con, "odd {x}", "SELECT a FROM odd WHERE a = CAST({x} AS REAL)")
    assert rows(con, "SELECT * FROM ask('odd 20')") == [(20.0,)]


BAD_PINS = [
    ("orders of {a}", "SELECT 1", r"the same parameters: the question has \{a\}, the SQL none"),
    ("orders", "SELECT {a}", r"the same parameters: the question has none, the SQL \{a\}"),
    ("orders of {a}", "SELECT id FROM orders WHERE 'x{a}' = {a}", "stands inside quotes"),
    ("{a}", "SELECT {a}", "nothing but parameters"),
    ("{a} and {a}", "SELECT {a}", "once"),
    ("?!", "SELECT 1", "expected a question"),
    ("orders", "DELETE FROM orders", "may only read"),
    ("orders", "SELECT nothing FROM orders", "nothing"),
    ("orders", "SELECT 1; SELECT 2", "several"),
    ("orders", "SELECT * FROM ask('x')", "may not call ask"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("question", "sql", "message"), BAD_PINS)
def test_what_cannot_be_pinned_is_said(scripted: Make, question: str, sql: str, message: str) -> None:
    con, _ = scripted()
    with pytest.raises(Exception, match=message):
        pin(con, question, sql)
    assert rows(con, "SELECT * FROM ask_pins()") == []


@pytest.mark.any_engine
def test_a_question_that_fits_in_several_ways_is_refused(scripted: Make) -> None:
    con, _ = scripted()
    pin(con, "orders of {a} in {b}", "SELECT id FROM customers WHERE name = {a} AND country = {b}")
    with pytest.raises(Exception, match=r"in several ways: \{a\} = 'Men', .*put the values in quotes"):
        rows(con, "SELECT * FROM ask('orders of Men in Black in Canada')")
    assert rows(con, "SELECT * FROM ask('orders of \"Men in Black\" in Canada')") == []


@pytest.mark.slow
def test_the_pin_that_says_more_comes_first(scripted: Make) -> None:
    con, _ = scripted()
    pin(con, "orders of {a}", "SELECT 'any' AS w, {a} AS a")
    pin(con, "orders of {a} today", "SELECT 'today' AS w, {a} AS a")
    pin(con, "orders of Ann", "SELECT 'Ann' AS w")
    assert rows(con, "SELECT w, a FROM ask('orders of Bo')") == [("any", "Bo")]
    assert rows(con, "SELECT w, a FROM ask('orders of Bo today')") == [("today", "Bo")]
    assert rows(con, "SELECT w FROM ask('orders of Ann')") == [("Ann",)]
    pin(con, "orders of {b}!", "SELECT {b} AS w")
    with pytest.raises(Exception, match=r"fits the pins .* equally well"):
        rows(con, "SELECT * FROM ask('orders of Bo')")


@pytest.mark.any_engine
def test_a_hint_asks_again(scripted: Make) -> None:
    con, model = scripted("SELECT 7 AS n")
    pin(con, "how many orders", "SELECT count(*) AS n FROM orders")
    hinted = "ask('how many orders', hint := 'of luck')"
    assert rows(con, f"SELECT n FROM {hinted}") == [(7,)]
    assert len(model.prompts) == 1


# ------------------------------------------------------------------------------------------------------------- stale


def stale_shop(scripted: Make, *replies: str) -> tuple[Any, Scripted]:
    con, model = scripted(*replies)
    pin(con, "how many orders", "SELECT count(*) AS n FROM orders")
    pin(con, "how many customers", "SELECT count(*) AS n FROM customers")
    con.execute("ALTER TABLE orders ADD COLUMN note TEXT")
    return con, model


def test_a_pin_whose_tables_have_changed_is_stale(scripted: Make) -> None:
    con, _ = stale_shop(scripted)
    assert rows(con, "SELECT question, stale FROM ask_pins()") == [
        ("how many orders", True),
        ("how many customers", False),
    ]
    with pytest.raises(Exception, match=r"is stale: the tables that it reads have changed since .*; it still runs"):
        rows(con, "SELECT * FROM ask('how many orders')")
    assert rows(con, "SELECT * FROM ask('how many customers')") == [(3,)]
    pin(con, "how many orders", "SELECT count(*) AS n FROM orders")
    assert rows(con, "SELECT * FROM ask('how many orders')") == [(4,)]


def test_more_rows_make_no_pin_stale(scripted: Make) -> None:
    con, _ = scripted()
    pin(con, "how many orders", "SELECT count(*) AS n FROM orders")
    con.execute("INSERT INTO orders VALUES (5, 1, 2.0)")
    assert rows(con, "SELECT * FROM ask('how many orders')") == [(5,)]


@pytest.mark.slow
@pytest.mark.parametrize(("stale_pins", "found", "asked"), [("run", 4, 0), ("ask", 99, 1)])
def test_a_stale_pin_is_run_or_asked_again(scripted: Make, stale_pins: str, found: int, asked: int) -> None:
    con, model = stale_shop(scripted, "SELECT 99 AS n")
    con.execute(f"SELECT ask_set('stale_pins', '{stale_pins}')").fetchall()
    assert rows(con, "SELECT n FROM ask('how many orders')") == [(found,)]
    assert len(model.prompts) == asked


def test_a_stale_pin_that_gives_other_columns_is_not_run(scripted: Make) -> None:
    con, _ = scripted(stale_pins="run")
    pin(con, "all orders", "SELECT * FROM orders")
    con.execute("ALTER TABLE orders ADD COLUMN note TEXT")
    with pytest.raises(Exception, match=r"its columns were id, customer_id, amount and are now id, .*, note"):
        rows(con, "SELECT * FROM ask('all orders')")
    con.execute("DROP TABLE orders")
    with pytest.raises(Exception, match="it no longer runs: "):
        rows(con, "SELECT * FROM ask('all orders')")


@pytest.mark.any_engine
def test_what_is_hidden_now_is_not_shown_by_an_old_pin(scripted: Make) -> None:
    con, _ = scripted()
    pin(con, "names", "SELECT name FROM customers")
    con.execute("SELECT ask_set('hide_columns', 'customers.name')").fetchall()
    with pytest.raises(Exception, match=r"is stale|no such column|not found"):
        rows(con, "SELECT * FROM ask('names')")


# ------------------------------------------------------------------------------------------------- a file that is read


def test_a_database_that_is_read_only_has_its_pins_beside_it(database: Database) -> None:
    con = database.shop(database.path)
    pin(con, "how many orders", "SELECT count(*) AS n FROM orders")
    database.close()
    con = askwhere.connect(database.path, read_only=True)
    pin(con, "how many customers", "SELECT count(*) AS n FROM customers")
    assert len(rows(con, "SELECT * FROM ask_pins()")) == 2
    assert rows(con, "SELECT * FROM ask('how many customers')") == [(3,)]
    with pytest.raises(Exception, match="is in a database that is open read-only"):
        rows(con, "SELECT ask_unpin('how many orders')")
    rows(con, "SELECT ask_unpin('how many customers')")
    con.close()


@pytest.mark.any_engine
def test_another_format_is_refused_and_kept(scripted: Make) -> None:
    con, _ = scripted()
    pin(con, "how many orders", "SELECT count(*) AS n FROM orders")
    con.execute("UPDATE askwhere_formats SET format = 99 WHERE name = 'askwhere_pins'")
    with pytest.raises(Exception, match="askwhere_pins was written by another version of askwhere"):
        pin(con, "how many customers", "SELECT count(*) AS n FROM customers")
    assert rows(con, "SELECT count(*) FROM askwhere_pins") == [(1,)]


# ------------------------------------------------------------------------------------------------------------- files


def exported(connection: Any, kind: str, path: Path) -> None:
    connection.close()
    assert cli.main(["pins", str(path), "--export", str(path.parent / "pins.jsonl")]) == 0


@pytest.mark.slow
def test_pins_are_exported_and_imported_as_json_lines(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    con = database.shop(database.path)
    pin(con, "how many ünits", "SELECT count(*) AS n FROM orders")
    pin(con, "orders over {least}", OVER)
    pin(con, "odd\u2028names", "SELECT 1 AS n")
    exported(con, database.kind, database.path)
    lines = [json.loads(line) for line in (tmp_path / "pins.jsonl").read_text("utf-8").split("\n") if line]
    assert [line["question"] for line in lines] == ["how many ünits", "orders over {least}", "odd\u2028names"]
    assert "3 pins written to" in capsys.readouterr().err
    other = Database(database.kind, tmp_path / "other")
    other.path.parent.mkdir()
    other.shop(other.path)
    other.close()
    assert cli.main(["pins", str(other.path), "--import", str(tmp_path / "pins.jsonl")]) == 0
    assert "3 pins read from" in capsys.readouterr().err
    assert cli.main(["ask", str(other.path), "orders over 15", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"id": 2}]
    assert cli.main(["pins", str(other.path)]) == 0
    assert "orders over {least}" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: expected a JSON object"),
        ("[" * 200_000, "line 2: expected a JSON object"),
        ('{"question": "\\ud800", "sql": "SELECT 1 AS n"}', "line 2: half of a surrogate pair is no character"),
        ("[1]", 'line 2: expected {"question": "…", "sql": "…"}'),
        ('{"question": "x"}', 'line 2: expected {"question": "…", "sql": "…"}'),
        ('{"question": "x", "sql": "SELECT nothing FROM orders"}', "the pin 'x' cannot be imported"),
    ],
)
def test_all_pins_of_a_file_are_imported_or_none(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    database.shop(database.path)
    database.close()
    file = tmp_path / "pins.jsonl"
    file.write_text('{"question": "good", "sql": "SELECT 1 AS n"}\n' + line + "\n")
    assert cli.main(["pins", str(database.path), "--import", str(file)]) == 1
    assert message in capsys.readouterr().err
    assert cli.main(["pins", str(database.path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


# ------------------------------------------------------------------------------------------- answers already given


def test_answers_are_kept_in_the_file_for_other_connections(database: Database) -> None:
    model = Scripted([PER_COUNTRY])
    con = database.shop(database.path, model=model, method="sea", remember="database")
    expected = rows(con, "SELECT * FROM ask('customers per country')")
    database.close()
    again = askwhere.connect(database.path, model=Scripted([]), method="sea", remember="database")
    assert rows(again, "SELECT * FROM ask('customers per country')") == expected
    ((origin, confidence, n),) = rows(
        again, "SELECT origin, confidence, n_rows FROM ask_candidates('customers per country')"
    )
    assert (origin, confidence, n) == ("scripted", 0.5, 2)
    assert rows(again, "SELECT outcome, calls FROM ask_log()") == [("remembered", 0)]
    assert "nobody has verified it" in askwhere.ask(again, "customers per country").candidates[0].notes[-1]
    again.close()


def test_by_default_a_question_writes_nothing(database: Database) -> None:
    con = database.shop(database.path, model=Scripted([PER_COUNTRY]), method="sea")
    rows(con, "SELECT * FROM ask('customers per country')")
    assert rows(con, "SELECT * FROM ask_log()")
    engine = askwhere.bindings.connections.engine(con)
    assert engine.storages()[0].tables() == []


def test_a_changed_table_or_setting_asks_again(scripted: Make) -> None:
    con, model = scripted("SELECT 1 AS n", "SELECT 2 AS n", "SELECT 3 AS n", remember="database")
    assert rows(con, "SELECT n FROM ask('how many')") == [(1,)]
    con.execute("SELECT ask_set('values', 'hide')").fetchall()
    assert rows(con, "SELECT n FROM ask('how many')") == [(2,)]
    con.execute("CREATE TABLE more (a TEXT)")
    assert rows(con, "SELECT n FROM ask('how many')") == [(3,)]
    assert len(model.prompts) == 3


# --------------------------------------------------------------------------------------------------------------- log


@pytest.mark.any_engine
def test_the_log_has_one_row_a_question(scripted: Make) -> None:
    con, _ = scripted(PER_COUNTRY, "SELECT nothing FROM nowhere")
    for _ in range(3):
        rows(con, "SELECT * FROM ask('customers per country')")
    with pytest.raises(Exception, match="nowhere"):
        rows(con, "SELECT * FROM ask('something else')")
    found = rows(con, "SELECT question, sql, model, effort, calls, confidence, n_rows, outcome FROM ask_log()")
    assert found[0] == ("customers per country", PER_COUNTRY, "scripted", "balanced", 1, 0.5, 2, "answered")
    assert found[1][:5] == ("something else", None, "scripted", "balanced", found[1][4])
    assert found[1][-1].startswith(("AskError", "QueryError", "Refused", "ModelError"))
    assert len(found) == 2


def test_the_log_is_kept_in_the_file_where_a_setting_says_so(database: Database) -> None:
    con = database.shop(database.path, model=Scripted([PER_COUNTRY]), method="sea", log="database")
    rows(con, "SELECT * FROM ask('customers per country')")
    database.close()
    again = askwhere.connect(database.path, log="database")
    assert [row[0] for row in rows(again, "SELECT question FROM ask_log()")] == ["customers per country"]
    rows(again, "SELECT ask_set('log', 'connection')")
    assert rows(again, "SELECT * FROM ask_log()") == []
    again.close()


@pytest.mark.any_engine
def test_the_log_holds_no_values_where_they_are_hidden_and_never_a_key(scripted: Make) -> None:
    secret = "SELECT id FROM customers WHERE name = 'Ann' AND id < 1234567"
    con, _ = scripted(secret, values="hide")
    rows(con, "SELECT * FROM ask('the id of Ann below 1234567')")
    ((question, sql),) = rows(con, "SELECT question, sql FROM ask_log()")
    assert (question, sql) == ("the id of ? below ?", "SELECT id FROM customers WHERE name = ? AND id < ?")
    con, _ = scripted("SELECT 1 AS n")
    rows(con, "SELECT * FROM ask('what is sk-abcdefghijklmnop1234567890 for')")
    ((question,),) = rows(con, "SELECT question FROM ask_log()")
    assert "abcdefghijklmnop" not in question


def test_a_log_that_cannot_be_written_stops_no_answer(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    con = database.shop(database.path, model=Scripted([PER_COUNTRY]), method="sea", log="database")
    con.execute("CREATE TABLE askwhere_log (other TEXT)")
    assert rows(con, "SELECT * FROM ask('customers per country')") == [("Canada", 2), ("Norway", 1)]
    assert "not kept in the database" in caplog.text


def test_a_statement_that_writes_keeps_the_log_too(tmp_path: Path) -> None:
    con = Database("sqlite", tmp_path).shop(model=Scripted([PER_COUNTRY]), method="sea", log="database")
    con.execute("CREATE VIRTUAL TABLE per_country USING ask('customers per country')")
    assert rows(con, "SELECT n FROM per_country") == [(2,), (1,)]
    con.execute("CREATE TABLE done AS SELECT ask_pin('how many orders', 'SELECT count(*) AS n FROM orders') AS said")
    con.execute("BEGIN")
    pin(con, "how many customers", "SELECT count(*) AS n FROM customers")
    con.execute("ROLLBACK")
    assert rows(con, "SELECT question FROM ask_pins()") == [("how many orders",)]
    assert rows(con, "SELECT outcome FROM ask_log()") == [("answered",)]


def test_askwheres_own_tables_do_not_make_questions_be_asked_again(scripted: Make) -> None:
    con, model = scripted(PER_COUNTRY)
    rows(con, "SELECT * FROM ask('customers per country')")
    pin(con, "how many orders", "SELECT count(*) AS n FROM orders")
    rows(con, "SELECT ask_index()")
    rows(con, "SELECT * FROM ask('customers per country')")
    assert len(model.prompts) == 1
    assert "askwhere" not in rows(con, "SELECT ask_schema()")[0][0]


# ---------------------------------------------------------------------------------------------------------- BI tools

REFRESH = {
    "sqlite": (
        "EXPLAIN SELECT * FROM {ask}",
        "SELECT * FROM {ask} LIMIT 0",
        "SELECT * FROM {ask}",
        "SELECT n FROM {ask}",
    ),
    "duckdb": ("DESCRIBE SELECT * FROM {ask}", "PREPARE p AS SELECT * FROM {ask}", "EXECUTE p", "SELECT n FROM {ask}"),
}


def refreshed(connection: Any, kind: str, question: str) -> None:
    """What a BI tool does to show a table once more: prepare, describe, execute, fetch."""
    for sql in REFRESH[kind]:
        found = rows(connection, sql.format(ask=f"ask('{question}')"))
    assert found == [(2,), (1,)]


MANY = 12


@pytest.mark.slow
def test_a_tool_that_refreshes_often_costs_one_call(database: Database, scripted: Make) -> None:
    con, model = scripted(PER_COUNTRY)
    for _ in range(MANY):
        refreshed(con, database.kind, "customers per country")
    assert len(model.prompts) == 1
    assert len(rows(con, "SELECT * FROM ask_log()")) == 1


@pytest.mark.slow
def test_a_pin_that_many_connections_refresh_costs_one_call(database: Database) -> None:
    model = Scripted([PER_COUNTRY])
    con = database.shop(database.path, model=model, method="sea")
    refreshed(con, database.kind, "customers per country")
    rows(con, "SELECT ask_pin('customers per country')")
    for number in range(MANY):
        other = con.cursor() if database.kind == "duckdb" else database.raw(database.path)
        askwhere.register(other, model=model, method="sea")
        refreshed(other, database.kind, f"Customers {' ' * (number % 3)}per country?")
        other.close()
    assert len(model.prompts) == 1


# ----------------------------------------------------------------------------------------------------------- spelling


@pytest.mark.slow
def test_a_patterns_value_is_written_as_the_database_writes_it(scripted: Make) -> None:
    con, _ = scripted()
    con.execute("INSERT INTO customers VALUES (4, 'Di', 'São Tomé'), (5, 'ED', 'x'), (6, 'ed', 'x')")
    pin(con, "customers in {place}", "SELECT name FROM customers WHERE country = {place} ORDER BY id")
    assert rows(con, "SELECT * FROM ask('Customers in canada?')") == [("Ann",), ("Bo",)]
    assert rows(con, "SELECT * FROM ask('customers in sao tome')") == [("Di",)]
    assert rows(con, "SELECT * FROM ask('customers in Atlantis')") == []
    pin(con, "who is {who}", "SELECT id FROM customers WHERE name = {who}")
    assert rows(con, "SELECT * FROM ask('who is ed')") == [(6,)]
    assert rows(con, "SELECT * FROM ask('who is Ed')") == []


@pytest.mark.any_engine
def test_of_many_pins_only_those_that_may_fit_are_read(scripted: Make) -> None:
    con, _ = scripted()
    pin(con, "how many orders", "SELECT count(*) AS n FROM orders")
    pin(con, "orders over {least}", OVER)
    con.execute(
        "INSERT INTO askwhere_pins (form, question, sql, kinds, columns, tables, pinned_at, model)"
        " SELECT 'x' || id, 'no pin', 'at all', '{}', 'broken', '', '', '' FROM customers"
    )
    assert rows(con, "SELECT * FROM ask('how many orders')") == [(4,)]
    assert rows(con, "SELECT * FROM ask('orders over 15')") == [(2,)]
