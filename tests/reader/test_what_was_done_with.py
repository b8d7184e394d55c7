"""What somebody ordered or hired are the things that the orders or hires are of, and not their numbers."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def florist(make: Any) -> Any:
    return make(
        "CREATE TABLE clients (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE flowers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE vases (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE shelves (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id), ordered_on DATE);"
        "CREATE TABLE order_lines (order_id INTEGER REFERENCES orders (id), pos INTEGER,"
        " flower_id INTEGER REFERENCES flowers (id), quantity INTEGER, PRIMARY KEY (order_id, pos));"
        "CREATE TABLE rentals (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id),"
        " vase_id INTEGER REFERENCES vases (id), rented_on DATE);"
        "CREATE TABLE bookings (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id),"
        " vase_id INTEGER REFERENCES vases (id), shelf_id INTEGER REFERENCES shelves (id), booked_on DATE);"
        "INSERT INTO clients VALUES (1, 'Amara Finch'), (2, 'Bo Lund');"
        "INSERT INTO vases VALUES (1, 'Urn'), (2, 'Jar');"
        "INSERT INTO flowers VALUES (1, 'Rose'), (2, 'Iris'), (3, 'Aster'); INSERT INTO shelves VALUES (1, 'Top');"
        "INSERT INTO orders VALUES (7, 1, '2023-05-01'), (8, 1, '2024-05-02'), (9, 2, '2024-05-03');"
        "INSERT INTO order_lines VALUES (7, 1, 1, 5), (8, 1, 2, 5), (8, 2, 1, 2), (9, 1, 3, 1);"
        "INSERT INTO rentals VALUES (1, 1, 2, '2024-01-01'); INSERT INTO bookings VALUES (1, 1, 2, 1, '2024-01-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("what did Amara Finch order", [("Iris",), ("Rose",)]),
        ("what has Bo Lund ordered", [("Aster",)]),
        ("what did Amara Finch order in 2023", [("Rose",)]),
        ("what did Amara Finch order in May 2024", [("Iris",), ("Rose",)]),
        ("what did Amara Finch rent", [("Jar",)]),
    ],
)
def test_what_was_ordered_is_no_order(florist: Any, question: str, rows: list[Any]) -> None:
    florist.answers(question, rows)


def test_what_was_booked_may_be_several_things(florist: Any) -> None:
    with pytest.raises(Unread):
        florist.read("what did Amara Finch book")
