"""Pins, answers and logs that somebody changed in the file, and values that try to leave their place in a query."""

from __future__ import annotations

import time
from typing import Any

import askwhere
import pytest
from askwhere.errors import ArgumentError
from askwhere.indexer import forms
from askwhere.pipeline import pinned
from support import Database


def rows(connection: Any, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = connection.execute(sql, *parameters).fetchall()
    return found


def test_a_negative_value_begins_no_comment(database: Database) -> None:
    con = database.shop()
    rows(con, "SELECT ask_pin(?, ?)", ("first over {n}", "SELECT id FROM orders WHERE amount > 0 -{n} AND id < 3"))
    assert askwhere.ask(con, "first over -7").rows == ((1,), (2,))


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT E{x}", "SELECT E 'a'"),
        ("SELECT 'b'{x}", "SELECT 'b' 'a'"),
        ("SELECT {x}'b'", "SELECT 'a' 'b'"),
        ("SELECT 1{n}e5", "SELECT 1 (-2) e5"),
        ("SELECT {x}||{n}", "SELECT 'a'||(-2)"),
        ("SELECT {other}", "SELECT {other}"),
    ],
)
def test_a_literal_joins_nothing_beside_it(dialect: str, sql: str, expected: str) -> None:
    assert pinned.filled(sql, {"x": "a", "n": -2}, dialect) == expected


def test_a_number_of_many_digits_is_none() -> None:
    for digits in ("9" * 5_000, "9" * 400 + ".5"):
        assert forms.fits("over {n}", f"over {digits}", {"n": "number"}) == []


@pytest.mark.parametrize("last", ["text", "number"])
def test_a_pattern_of_many_parameters_takes_no_time(last: str) -> None:
    names = "abcdefghij"
    pattern = "orders of " + " ".join(f"{{{name}}}" for name in names)
    question = "orders of " + " ".join(f"w{number}" for number in range(190))
    started = time.monotonic()
    ways = forms.fits(pattern, question, dict.fromkeys(names, "text") | {"j": last})
    assert time.monotonic() - started < 5
    assert len(ways) == (forms.MOST_WAYS if last == "text" else 0)


def test_a_pattern_has_at_most_ten_parameters() -> None:
    with pytest.raises(ArgumentError, match="may have 10 parameters, found 11"):
        forms.parameters("orders of " + " ".join(f"{{p{number}}}" for number in range(11)))
