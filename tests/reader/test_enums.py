"""Columns of an ENUM are text, though the word has NUM in it, and whatever types their labels contain."""

from __future__ import annotations

import askwhere
import duckdb
import pytest

SALES = """
CREATE TYPE city AS ENUM ('Paris', 'Rome');
CREATE TYPE terms AS ENUM ('internal', 'part-time', 'real');
CREATE TABLE shops (shop_id INTEGER PRIMARY KEY, city city);
CREATE TABLE sales (id INTEGER PRIMARY KEY, shop_id INTEGER REFERENCES shops (shop_id), terms terms, amount INTEGER);
INSERT INTO shops VALUES (1, 'Paris'), (2, 'Rome');
INSERT INTO sales VALUES (1, 1, 'internal', 10), (2, 1, 'part-time', 20), (3, 2, 'real', 5);
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how many shops in Paris", [(1,)]),
        ("total amount of sales per city", [("Paris", 30), ("Rome", 5)]),
        ("how many sales with part-time terms", [(1,)]),
        ("amount of internal sales", [(10,)]),
    ],
)
def test_columns_of_an_enum_are_asked_like_text(question: str, expected: list[tuple[object, ...]]) -> None:
    with duckdb.connect() as connection:
        connection.execute(SALES)
        askwhere.register(connection)
        assert sorted(askwhere.ask(connection, question).rows) == expected
