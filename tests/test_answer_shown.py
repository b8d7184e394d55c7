"""What an answer looks like: printed, as a table; in a notebook, as HTML in which nothing of the database is markup."""

from __future__ import annotations

import struct
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path

import apsw
import askwhere
import duckdb
import pytest
from askwhere.cells import in_decimals
from askwhere.display import html, table
from hypothesis import given
from hypothesis import strategies as st
from support import Database, in_process

HOSTILE = "</td></pre><script>alert(1)</script>&amp;\"'\x1b[2J\u202e"
TAGS = {"table", "thead", "tbody", "tr", "th", "td", "p", "details", "summary", "pre"}


class Page(HTMLParser):
    """The tags of a page with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[tuple[str, str | None]] = set()
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= set(attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_an_answer_prints_as_the_command_line_draws_it(database: Database) -> None:
    answer = askwhere.ask(database.shop(), "how many customers are there")
    assert str(answer) == table(answer.columns, answer.rows)
    assert str(answer).startswith("╭")
    assert str(answer).endswith("\n1 row")
    shown = f"Answer(sql={answer.sql!r}, columns=('count',), confidence={answer.confidence}, notes=())"
    assert repr(answer) == shown  # short, for a prompt of Python


@pytest.mark.any_engine
def test_a_notebook_shows_the_rows_and_folds_the_query(database: Database) -> None:
    answer = askwhere.ask(database.shop(), "how many customers are there")
    page = Page(answer._repr_html_())
    assert "3" in page.text
    assert "1 row" in page.text
    assert page.text.endswith(f"SQL, with a confidence of {answer.confidence:.2f}{answer.sql}")
    assert page.tags[-3:] == ["details", "summary", "pre"]


@pytest.mark.any_engine
def test_a_notebook_folds_what_was_guessed_with_the_query(database: Database) -> None:
    connection = database.shop()
    answer = askwhere.ask(connection, "how many orders are there", follows="customers in Canada")
    assert Page(answer._repr_html_()).text.endswith(f"{answer.sql}\nNote: {answer.notes[0]}")
    assert answer.reasons().splitlines()[1:] == [answer.sql, f"Note: {answer.notes[0]}"]


def test_the_query_of_an_answer_is_the_one_that_sql_gives(database: Database) -> None:
    connection = database.shop()
    given = connection.execute("SELECT ask_sql('how many customers are there')").fetchall()
    assert given == [(askwhere.ask(connection, "how many customers are there").sql,)]


@pytest.mark.parametrize("rows", [[(HOSTILE, 1, None, HOSTILE.encode())], []])
def test_nothing_of_the_database_is_markup_in_a_notebook(rows: list[tuple[object, ...]]) -> None:
    shown = html((HOSTILE, "n", "none", "blob"), rows, HOSTILE, f"SELECT '{HOSTILE}'")
    page = Page(shown)
    assert set(page.tags) <= TAGS
    assert page.attributes <= {("style", "text-align: left"), ("style", "text-align: right")}
    visible = HOSTILE.replace("\x1b", "⟨U+001B⟩").replace("\u202e", "⟨U+202E⟩")
    assert page.text.count(visible) == 3 + len(rows)
    assert not {"\x1b", "\u202e"} & set(shown)


def test_a_notebook_shows_at_most_so_many_rows() -> None:
    page = Page(html(("n",), [(n,) for n in range(5)], "", "", 2))
    assert page.tags.count("td") == 2
    assert "5 rows, the first 2 shown" in page.text


def test_decimals_stand_to_the_right_like_other_numbers() -> None:
    shown = table(("amount",), [(Decimal("84.90"),), (None,), (Decimal("135.00"),)])
    assert "│  84.90 │" in shown


def test_a_float_of_32_bits_is_shown_as_it_was_written() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE item (name VARCHAR, price FLOAT); INSERT INTO item VALUES ('a', 219.71), ('b', 1e9)"
    )
    answer = askwhere.ask(connection, "the price of each item")
    for shown in (str(answer), Page(answer._repr_html_()).text):
        assert "219.71" in shown
        assert "219.7100" not in shown
        assert "1000000000.0" in shown
    assert answer.types == ("FLOAT",)


def test_the_command_line_prints_a_float_of_32_bits_as_it_was_written(tmp_path: Path) -> None:
    file = str(tmp_path / "shop.duckdb")
    with duckdb.connect(file) as connection:
        connection.execute("CREATE TABLE item AS SELECT 219.71::FLOAT AS price, 16777.0625::DOUBLE AS cost")
    assert "│ 219.71 │ 16777.0625 │" in in_process("shell", file, "SELECT price, cost FROM item").stdout
    assert in_process("ask", file, "--csv", "the price of each item").stdout == "price\n219.71\n"


def test_a_float_of_64_bits_keeps_its_digits_also_where_32_bits_could_hold_it(database: Database) -> None:
    connection = database.made(
        "CREATE TABLE item (name TEXT, price DOUBLE PRECISION); INSERT INTO item VALUES ('a', 16777.0625)"
    )
    assert "16777.0625 │" in str(askwhere.ask(connection, "the price of each item"))


def test_a_float_of_sqlite_has_64_bits_whatever_its_column_is_called() -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE item (name TEXT, price FLOAT); INSERT INTO item VALUES ('a', 16777.0625)")
    assert "16777.0625 │" in str(askwhere.ask(connection, "the price of each item"))


@given(st.floats(width=32))
def test_a_float_of_32_bits_is_shown_as_no_other(number: float) -> None:
    ((shown,),) = in_decimals([(number,)], ["FLOAT"])
    assert struct.pack("f", shown) == struct.pack("f", number)
