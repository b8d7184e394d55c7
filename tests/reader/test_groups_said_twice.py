"""Groups that a question says by naming both: "for A and for B", "with and without", "per A and B"."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def salon(make: Any) -> Any:
    return make(
        "CREATE TABLE stylists (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, stylist_id INTEGER REFERENCES stylists (id), kind VARCHAR,"
        " status VARCHAR, has_voucher BOOLEAN, tip REAL, towels_used INTEGER, avg_noise_db REAL, visited_on DATE);"
        "INSERT INTO stylists VALUES (1, 'Kim'), (2, 'Lou');"
        "INSERT INTO visits VALUES (1, 1, 'haircut', 'done', TRUE, 2.0, 3, 40.0, '2022-01-05'),"
        " (2, 1, 'haircut', 'done', FALSE, 4.0, 1, 50.0, '2022-02-05'),"
        " (3, 2, 'colouring', 'done', TRUE, 6.0, 2, 60.0, '2023-01-05'),"
        " (4, 2, 'shave', 'waiting', FALSE, 0.0, 1, 60.0, '2023-03-05');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average tip for haircuts and for colourings", [("colouring", 6.0), ("haircut", 3.0)]),
        ("number of visits in 2022 and in 2023", [("2022", 2), ("2023", 2)]),
        ("average tip of visits with and without a voucher", [(False, 2.0), (True, 4.0)]),
        (
            "number of visits per stylist and kind",
            [("Kim", "haircut", 2), ("Lou", "colouring", 1), ("Lou", "shave", 1)],
        ),
        ("share of visits in waiting by stylist", [("Kim", 0.0), ("Lou", 0.5)]),
        ("total tip per stylist, top 1", [("Kim", 6.0)]),
        ("visits per kind, top 1", [("haircut", 2)]),
        ("kinds by number of visits, top 1", [("haircut", 2)]),
        ("stylists by towels used, lowest 1", [("Lou", 3)]),
        ("stylists sorted by name, top 1", [("Kim",)]),
        ("stylists by tip", [("Kim",), ("Lou",)]),
        ("towels used per stylist", [("Kim", 4), ("Lou", 3)]),
        ("average noise per stylist", [("Kim", 45.0), ("Lou", 60.0)]),
    ],
)
def test_each_is_a_group(salon: Any, question: str, rows: list[Any]) -> None:
    salon.answers(question, rows)


@pytest.mark.parametrize("question", ["stylists with and without visits", "stylists and their wages"])
def test_what_is_said_beside_is_never_passed_over(salon: Any, question: str) -> None:
    with pytest.raises(Unread):
        salon.read(question)
