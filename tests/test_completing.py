"""What Tab completes at the prompt: names by where they stand, dot commands and their arguments, in both engines."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from askwhere.bindings.cli import completing, shell
from askwhere.sql.identifiers import quote
from support import Database

MADE = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, schooling TEXT, "home town" TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, "group" TEXT, "a ""b"" c" TEXT);
CREATE TABLE "order details" (id INTEGER PRIMARY KEY, amount INTEGER);
"""
CUSTOMERS = ['"home town"', "id", "name", "schooling"]
ORDERS = ['"a ""b"" c"', '"group"', "customer", "id"]

Complete = Callable[..., list[str]]


@pytest.fixture(scope="module")
def complete(standing: Database) -> Complete:
    """Returns what a text may be completed to; `|` is the cursor, which is at the end where there is none."""
    opened = shell.shell_of(standing.made(MADE), io.StringIO())

    def complete_(text: str) -> list[str]:
        before, _, after = text.partition("|")
        typed, offered = completing.complete(opened, before, after)
        assert before.endswith(typed)
        return offered

    return complete_


@pytest.mark.any_engine
@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("SELECT * FROM customers AS c JOIN orders o ON c.", CUSTOMERS),
        ("SELECT * FROM customers AS c JOIN orders o ON c.id = o.", ORDERS),
        ("SELECT o.| FROM customers c, orders o", ORDERS),
        ("SELECT C.NA| FROM customers c", ["name"]),
        ("SELECT customers.na", ["name"]),
        ('SELECT d.| FROM "order details" d', ["amount", "id"]),
        ('SELECT "order details".am', ["amount"]),
        ("SELECT x.| FROM main.customers x", CUSTOMERS),
        ("SELECT main.", ['"order details"', "customers", "orders"]),
        ("SELECT c.| FROM orders c; SELECT * FROM customers c", ORDERS),
        ("SELECT 1 FROM orders c; SELECT c.| FROM customers c", CUSTOMERS),
        ("UPDATE orders SET cu", ["customer", "customers"]),
        ("SELECT nowhere.", []),
        ("SELECT 1.", []),
    ],
)
def test_after_a_dot_stand_the_names_in_what_is_before_it(complete: Complete, text: str, offered: list[str]) -> None:
    assert complete(text) == offered


def test_a_name_is_quoted_where_it_must_be(complete: Complete) -> None:
    assert complete("SELECT home") == ['"home town"']
    assert complete('SELECT "ho') == ['"home town"']
    assert complete('SELECT c."na| FROM customers c') == ['"name"']
    assert complete('SELECT "home to') == ['"home town"']
    assert complete("SELECT o.gr| FROM orders o") == ['"group"']
    assert complete("SELECT GRO") == ['"group"', "GROUP"]
    assert complete("SELECT * FROM ord") == ['"order details"', "orders"]
    assert complete("how many order d") == []
    assert complete("how many ord") == ["order details", "orders"]


def test_tables_stand_after_from_and_no_columns(complete: Complete) -> None:
    assert complete("SELECT * FROM sch") == []
    assert complete("SELECT * FROM cust") == ["customers"]
    assert complete("SELECT * FROM ask_va") == ["ask_value(", "ask_values("]
    assert complete("SEL") == ["SELECT"]
    assert {"SELECT", "ask(", "customers", "schooling"} <= set(complete(""))


@pytest.mark.any_engine
@pytest.mark.parametrize("text", ["SELECT 'cust", "SELECT 1 -- cust", "SELECT 1 /* cust", "SELECT * FROM zzz"])
def test_nothing_is_offered_in_a_text_or_a_comment(complete: Complete, text: str) -> None:
    assert complete(text) == []


def test_dot_commands_and_what_they_take(complete: Complete, tmp_path: Path) -> None:
    assert complete(".sch")[:1] == [".schema"]
    assert "schooling" not in complete(".sch")
    assert complete(".mode ") == ["csv", "json", "line", "table"]
    assert complete(".mode j") == ["json"]
    assert complete(".pager ") == ["auto", "off", "on"]
    assert complete(".schema ord") == ['"order details"', "orders"]
    assert complete(".ask how many cust") == ["customer", "customers"]
    assert complete(".tables ") == []
    (tmp_path / "charts").mkdir()
    (tmp_path / "chart.svg").touch()
    assert complete(f".chart {tmp_path}/ch") == [f"{tmp_path}/chart.svg", f"{tmp_path}/charts/"]


def test_the_prompt_of_sqlite_completes_the_commands_of_apsw(complete: Complete, standing: Database) -> None:
    assert (".dump" in complete(".du")) == (standing.kind == "sqlite")


def test_a_name_that_would_change_the_terminal_or_the_line_is_not_offered(database: Database) -> None:
    names = ("cust\x1b[31m", "cust\nDROP TABLE x", "cust\u202eeman", 'cust"om', "cust; DROP")
    made = "".join(f"CREATE TABLE {quote(name)} (id INTEGER, {quote(name)} TEXT);" for name in names)
    opened = shell.shell_of(database.made(made), io.StringIO())
    for text in ("SELECT * FROM cust", 'SELECT "cust', ".schema cust"):
        assert completing.complete(opened, text).offered == ['"cust""om"', '"cust; DROP"']
    assert completing.complete(opened, "how many cust").offered == ['cust"om', "cust; DROP"]
