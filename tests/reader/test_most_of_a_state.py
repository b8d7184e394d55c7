"""Who has most of what is in some state: "the most cancelled bookings", "top 3 members by open loans"."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def nursery(make: Any) -> Any:
    return make(
        "CREATE TABLE growers (id INTEGER PRIMARY KEY, name VARCHAR, contract_start DATE, contract_end DATE);"
        "CREATE TABLE batches (id INTEGER PRIMARY KEY, grower_id INTEGER REFERENCES growers (id), state VARCHAR,"
        " organic INTEGER, sown_on DATE, sold_on DATE);"
        "CREATE TABLE fines (id INTEGER PRIMARY KEY, grower_id INTEGER REFERENCES growers (id), amount INTEGER);"
        "INSERT INTO growers VALUES (1, 'Ida', '2020-01-01', NULL), (2, 'Per', '2020-01-01', '2021-01-01'),"
        " (3, 'Siv', '2020-01-01', NULL);"
        "INSERT INTO batches VALUES (1, 1, 'wilted', 0, '2024-01-01', NULL), (2, 1, 'wilted', 1, '2024-01-02', NULL),"
        " (3, 1, 'healthy', 0, '2024-02-01', '2024-03-01'), (4, 2, 'open', 0, '2024-02-01', NULL),"
        " (5, 2, 'open', 1, '2024-02-01', NULL), (6, 2, 'wilted', 1, '2024-02-01', '2024-04-01'),"
        " (7, 2, 'open', 1, '2024-02-01', '2024-04-01'), (8, 3, 'open', 0, '2024-02-01', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which grower has the most wilted batches", [("Ida",)]),
        ("grower with the most organic batches", [("Per",)]),
        ("grower with most healthy batches in 2024", [("Ida",)]),
        ("top 1 growers by number of sold batches", [("Per", 2)]),
        ("top 2 growers by wilted batches", [("Ida", 2), ("Per", 1)]),
        ("top 2 growers by batches", [("Ida", 3), ("Per", 4)]),
    ],
)
def test_only_rows_in_that_state_are_counted(nursery: Any, question: str, rows: list[Any]) -> None:
    nursery.answers(question, rows)


@pytest.mark.parametrize(
    "question", ["which grower has the most open batches", "grower with the most open organic batches"]
)
def test_what_is_counted_is_open_and_not_who_has_it(nursery: Any, question: str) -> None:
    nursery.answers(question, [("Per",)])


@pytest.mark.parametrize("question", ["which grower has the fewest wilted batches", "top 2 growers by fines"])
def test_who_has_none_and_sums_of_money_are_not_guessed(nursery: Any, question: str) -> None:
    with pytest.raises(Unread):
        nursery.read(question)
