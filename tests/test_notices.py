"""What an answer's notes say of its rows: a tie that LIMIT cuts through, a condition that no value meets."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

import askwhere
import pytest
from askwhere.engine import Result
from askwhere.errors import TooMuch
from askwhere.session import session, trials
from askwhere.session.notices import may_be_noticed, notices
from support import Database, Told, connected

pytestmark = pytest.mark.any_engine

SALES = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, country TEXT);
CREATE TABLE invoices (
    id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), invoice_date DATE, total DOUBLE
);
INSERT INTO customers VALUES (1, 'Ann', 'Lee', 'Peru'), (2, 'Bo', 'Ek', 'Peru'), (3, 'Cy', 'Orr', 'Peru'),
    (4, 'Di', 'Ross', 'Chad'), (5, 'Ed', 'Moe', 'Oman'), (6, 'Flo', 'Ash', 'Chad'), (7, 'Gus', 'Hay', 'Oman'),
    (8, 'Hal', 'Fry', 'Mali');
INSERT INTO invoices VALUES (1, 1, '2021-03-01', 10.5), (2, 2, '2022-07-09', 99), (3, 3, '2023-01-31', 5);
"""
PER_COUNTRY = "SELECT country, count(*) AS n FROM customers GROUP BY country"
DATES = "nothing meets the condition on invoices.invoice_date, which runs from 2021-03-01 to 2023-01-31"


def noted(database: Database, question: str, sql: str = "", **settings: Any) -> tuple[str, ...]:
    """The notes of an answer: of the reader's, or of a model's whose query is given."""
    if sql:
        settings["model"] = Told({question: sql})
    return askwhere.ask(database.made(SALES, **settings), question).notes


def test_who_is_left_out_by_a_limit_within_a_tie_is_said(database: Database) -> None:
    answer = askwhere.ask(database.made(SALES), "which 2 countries have the most customers")
    (first,), (last,) = answer.rows
    other = {"Chad": "Oman", "Oman": "Chad"}[last]
    assert (first, answer.notes) == ("Peru", (f"{other} ties with {last} at place 2, and is left out",))


@pytest.mark.parametrize("key", ["n", "2", "count(*)"])
def test_a_tie_is_known_by_what_the_rows_are_ordered_by(database: Database, key: str) -> None:
    (said,) = noted(database, "some countries", f"{PER_COUNTRY} ORDER BY {key} DESC LIMIT 1 OFFSET 1")
    assert said.endswith(" at place 2, and is left out")


def test_people_in_a_tie_are_named_in_full(database: Database) -> None:
    sql = "SELECT first_name, last_name FROM customers WHERE id > 6 ORDER BY length(first_name) LIMIT 1"
    said = noted(database, "short names", sql)
    assert set(said) <= {
        "Hal Fry ties with Gus Hay at place 1, and is left out",
        "Gus Hay ties with Hal Fry at place 1, and is left out",
    }
    assert said


def test_of_a_long_tie_the_first_are_named(database: Database) -> None:
    made = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < {}) SELECT n FROM r "
    for rows, more in (9, "5 more"), (90, "at least 17 more"):
        (said,) = noted(database, "numbers", f"{made.format(rows)} ORDER BY n * 0 LIMIT 1")
        assert f" and {more} tie with " in said
        assert said.endswith(" at place 1, and are left out")


def test_totals_that_differ_in_the_last_digits_tie(database: Database) -> None:
    sums = "SELECT 'a' AS name, 0.1 + 0.2 AS total UNION ALL SELECT 'b', 0.3"
    sums = sums.replace("0.1 + 0.2", "CAST(0.1 AS DOUBLE) + CAST(0.2 AS DOUBLE)")
    sql = f"SELECT name FROM ({sums}) ORDER BY total DESC LIMIT 1"
    assert noted(database, "the most", sql) == ("b ties with a at place 1, and is left out",)


@pytest.mark.parametrize(
    "sql",
    [
        f"{PER_COUNTRY} ORDER BY n DESC, country LIMIT 2",
        f"{PER_COUNTRY} ORDER BY n DESC LIMIT 1",
        f"{PER_COUNTRY} ORDER BY n DESC LIMIT 3",
        f"{PER_COUNTRY} ORDER BY n DESC LIMIT 4",
        f"{PER_COUNTRY} ORDER BY n DESC LIMIT 9",
        f"{PER_COUNTRY} ORDER BY n DESC LIMIT 1 + 1",
        "SELECT country FROM customers LIMIT 2",
        "SELECT country FROM customers ORDER BY country LIMIT 1",  # Chad is shown, by whichever row
        "SELECT DISTINCT country FROM customers ORDER BY country LIMIT 1",
        "SELECT DISTINCT * FROM customers ORDER BY 4 LIMIT 1",
        "SELECT first_name FROM customers ORDER BY nullif(1, 1) LIMIT 1",
        "SELECT country FROM customers UNION ALL SELECT country FROM customers ORDER BY country LIMIT 1",
    ],
)
def test_nothing_is_said_where_no_tie_is_cut_or_none_is_known(database: Database, sql: str) -> None:
    assert noted(database, "some countries", sql) == ()


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT s.name FROM staff s JOIN stores ON s.id = stores.id", "staff and stores have no rows"),
        ("SELECT c.first_name FROM customers c JOIN staff s ON s.id = c.id", "staff has no rows"),
        ("WITH stores AS (SELECT 1 AS id) SELECT name FROM staff JOIN stores ON 1 = 1", "staff has no rows"),
        ("SELECT count(*) FROM staff", "staff has no rows"),
    ],
)
def test_tables_without_rows_are_named(database: Database, sql: str, said: str) -> None:
    empty = "CREATE TABLE staff (id INTEGER, name TEXT); CREATE TABLE stores (id INTEGER);"
    assert askwhere.ask(database.made(SALES + empty, model=Told({"some rows": sql})), "some rows").notes == (said,)


@pytest.mark.parametrize(
    "question",
    [
        "total of invoices by month in 2010",
        "how many invoices in 2010",
        "total of invoices in 2010",
        "invoices in 2030",
    ],
)
def test_a_date_outside_of_the_data_is_answered_by_what_dates_there_are(database: Database, question: str) -> None:
    assert noted(database, question) == (DATES,)


@pytest.mark.parametrize(
    ("sql", "column", "values"),
    [
        ("SELECT total FROM invoices i WHERE i.total > 100 AND total < 200", "invoices.total", "runs from 5.0 to 99.0"),
        ("SELECT first_name FROM customers c JOIN invoices i ON c.id = i.customer_id WHERE i.total > 100 AND c.id > 0",
         "invoices.total", "runs from 5.0 to 99.0"),
        ("SELECT at FROM (SELECT '2021-03-01 00:00:00.0' AS at) t WHERE at < '2020'", "t.at", "is always 2021-03-01"),
        ("WITH i AS (SELECT * FROM invoices) SELECT total FROM i WHERE total < 5", "i.total", "runs from 5.0 to 99.0"),
        ("SELECT total FROM (SELECT total, 1 AS one FROM invoices) AS t WHERE one = 2", "t.one", "is always 1"),
    ],
)  # fmt: skip
def test_a_condition_that_no_value_meets_is_named_with_the_values(
    database: Database, sql: str, column: str, values: str
) -> None:
    assert noted(database, "some rows", sql)[-1:] == (f"nothing meets the condition on {column}, which {values}",)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT total FROM invoices WHERE total > 50 AND invoice_date < '2022-01-01'",  # each is met by some
        "SELECT total FROM invoices WHERE total > 50 AND (total > 900 OR invoice_date < '2020-01-01')",
        "SELECT first_name FROM customers WHERE country = 'France'",
        "SELECT total FROM invoices WHERE total > (SELECT max(total) FROM invoices)",
        "SELECT total FROM invoices WHERE 1 = 0",
    ],
)
def test_nothing_is_said_of_conditions_that_some_value_meets_or_that_have_no_range(
    database: Database, sql: str
) -> None:
    assert noted(database, "some rows", sql) == ()


def test_nothing_is_said_where_the_other_query_takes_too_long() -> None:
    def run(sql: str, most: int | None) -> Result:
        raise TooMuch("it takes too long", sql)

    assert notices("SELECT a FROM t ORDER BY b LIMIT 1", "sqlite", ((1,),), run) == ()
    assert notices("SELECT a FROM t WHERE b > 1", "sqlite", (), run) == ()


def test_an_answer_without_limit_or_with_many_rows_costs_nothing_more() -> None:
    assert not may_be_noticed("SELECT a FROM t ORDER BY b", ((1,),), 1)
    assert not may_be_noticed("SELECT a FROM t ORDER BY b LIMIT 2000", ((1,),), 2000)
    assert not may_be_noticed("SELECT a FROM t ORDER BY b LIMIT 2000", ((1,),), None)


def test_notices_are_of_the_rows_that_are_there_now(database: Database) -> None:
    connection = database.made(SALES)
    assert askwhere.ask(connection, "invoices in 2030").notes == (DATES,)
    connection.execute("INSERT INTO invoices VALUES (4, 1, '2030-01-01', 1)")
    answer = askwhere.ask(connection, "invoices in 2030")
    assert (answer.rows, answer.notes) == (((4,),), ())
    connection.execute("DELETE FROM invoices WHERE id > 2")
    assert askwhere.ask(connection, "invoices in 2030").notes == (DATES.replace("2023-01-31", "2022-07-09"),)


@pytest.mark.slow
def test_an_isolated_process_notices_too(database: Database) -> None:
    database.raw(database.path).execute(SALES)
    database.close()
    connection = connected(database.kind, database.path, read_only=True)
    with contextlib.closing(connection):
        askwhere.register(connection, isolation="process")
        assert askwhere.ask(connection, "invoices in 2030").notes == (DATES,)


def test_all_that_is_run_to_notice_something_takes_a_second_together(monkeypatch: pytest.MonkeyPatch) -> None:
    given, real = list[float](), trials.runner

    def runner(turn: Any, known: Any, seconds: float | None = None) -> Any:
        if seconds is not None:  # None where candidates are compared
            given.append(seconds)
            clock.append(clock[-1] + 0.3)
        return real(turn, known, seconds)

    clock = [100.0]
    with contextlib.closing(connected("sqlite")) as con:
        con.execute(SALES)
        sql = "SELECT id FROM invoices WHERE id > 9 AND total > 100 AND customer_id > 99"
        askwhere.register(con, model=Told({"which": sql}))
        monkeypatch.setattr(trials, "runner", runner)
        monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=lambda: clock[-1]))
        assert len(askwhere.ask(con, "which").notes) >= 2
    assert given[-4:] == pytest.approx([1.0, 0.7, 0.4, 0.1])
