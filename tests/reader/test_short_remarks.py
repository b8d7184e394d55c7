"""Short remarks on things: out of service, 4 bed rooms, saws and drills, planned and spent hours, the outstanding."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

HIRE = """
CREATE TABLE firm (firm_no INTEGER, firm_name VARCHAR, town VARCHAR);
CREATE TABLE machine (machine_no INTEGER, nm VARCHAR, sort VARCHAR, cond VARCHAR, in_use BOOLEAN, day_rate INTEGER,
  on_hand INTEGER);
CREATE TABLE driver (driver_id INTEGER PRIMARY KEY, name VARCHAR, permit_code VARCHAR, permit_expires DATE);
CREATE TABLE bill (bill_no INTEGER, firm_no INTEGER, amt INTEGER, disc_pct INTEGER, paid_on DATE, issued_on DATE);
CREATE TABLE hut (hut_id INTEGER PRIMARY KEY, address VARCHAR, beds INTEGER);
CREATE TABLE stay (stay_id INTEGER PRIMARY KEY, hut_id INTEGER REFERENCES hut (hut_id), planned_hours INTEGER,
  spent_hours INTEGER, began_on DATE);
CREATE TABLE work_order (order_id INTEGER PRIMARY KEY, hut_id INTEGER REFERENCES hut (hut_id));
CREATE TABLE lamp (lamp_id INTEGER PRIMARY KEY, hut_id INTEGER REFERENCES hut (hut_id));
INSERT INTO firm VALUES (1, 'Ash', 'Bath'), (2, 'Birch', 'York'), (3, 'Cedar', 'Bath');
INSERT INTO machine VALUES (1, 'chain saw', 'saw', 'fair', TRUE, 9, 0),
  (2, 'hammer drill', 'drill', 'poor', FALSE, 7, 4),
  (3, 'band saw', 'saw', 'fair', FALSE, 12, 2),
  (4, 'grinder', 'other', 'poor', TRUE, 5, 1);
INSERT INTO driver VALUES (1, 'Ann', 'P1', '2025-02-01'), (2, 'Bo', 'P2', '2024-02-01');
INSERT INTO bill VALUES (1, 1, 100, 5, '2024-02-01', '2024-01-01'), (2, 1, 300, 0, NULL, '2024-01-05'),
  (3, 2, 50, 10, NULL, '2024-02-05');
INSERT INTO hut VALUES (1, '3 Hill Lane', 4), (2, '8 Lake Road', 2), (3, '1 Pine Way', 4);
INSERT INTO stay VALUES (1, 1, 10, 14, '2024-01-01'), (2, 1, 8, 8, '2024-02-01'), (3, 2, 5, 4, '2024-03-01');
INSERT INTO work_order VALUES (1, 1), (2, 1);
INSERT INTO lamp VALUES (1, 1), (2, 2), (3, 2);
"""


@pytest.fixture(scope="module")
def hire(make: Any) -> Any:
    return make(HIRE)


def test_a_day_is_compared_with_no_code(hire: Any) -> None:
    hire.answers("drivers whose permit runs out before 2025-01-01", [("Bo",)])
    with pytest.raises(Unread):
        hire.read("drivers with a permit code before 2025-01-01")


def test_what_is_known_by_its_address(hire: Any) -> None:
    hire.answers("huts without a stay", [("1 Pine Way",)])


@pytest.mark.parametrize(
    "question", ["machines out of use", "which machines are out of use", "machines that are not in use"]
)
def test_what_is_out_of_use_denies_a_flag(hire: Any, question: str) -> None:
    hire.answers(question, [("band saw",), ("hammer drill",)])


def test_what_is_out_of_stock_has_none_on_hand(hire: Any) -> None:
    hire.answers("which machines are out of stock", [("chain saw",)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("saws and drills", [("chain saw",), ("hammer drill",), ("band saw",)]),
        ("saws and drills with a day rate over 8", [("chain saw",), ("band saw",)]),
        ("machines that are fair or poor", [("chain saw",), ("hammer drill",), ("band saw",), ("grinder",)]),
        ("saws in fair condition", [("chain saw",), ("band saw",)]),
        ("how many jobs", [(2,)]),
    ],
)
def test_kinds_of_things_may_be_joined_and_described(hire: Any, question: str, rows: list[Any]) -> None:
    hire.answers(question, sorted(rows))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("4 bed huts", [("3 Hill Lane",), ("1 Pine Way",)]),
        ("how many 4 bed huts do we have", [(2,)]),
        ("stays in 2 bed huts", [(3,)]),
    ],
)
def test_a_number_and_a_noun_describe_things(hire: Any, question: str, rows: list[Any]) -> None:
    hire.answers(question, sorted(rows))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("planned and spent hours of stay 1", [(10, 14)]),
        ("difference between spent and planned hours per stay", [(1, 4), (2, 0), (3, -1)]),
    ],
)
def test_two_columns_share_a_noun(hire: Any, question: str, rows: list[Any]) -> None:
    hire.answers(question, sorted(rows))


def test_things_without_a_size_are_as_big_as_their_amount(hire: Any) -> None:
    hire.answers("bills larger than the average bill", [(2,)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("firms with more than 1 bill, with the number", [("Ash", 2)]),
        ("number of stays and lamps per hut", [("1 Pine Way", 0, 0), ("3 Hill Lane", 2, 1), ("8 Lake Road", 1, 2)]),
    ],
)
def test_numbers_of_rows_are_shown_and_counted_apart(hire: Any, question: str, rows: list[Any]) -> None:
    hire.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("outstanding bills", [(2,), (3,)]),
        ("outstanding bills and how much", [(2, 300), (3, 50)]),
        ("total outstanding by firm", [("Ash", 300), ("Birch", 50)]),
        ("spent hours per month", [("2024-01", 14), ("2024-02", 8), ("2024-03", 4)]),
    ],
)
def test_what_is_outstanding_and_how_much(hire: Any, question: str, rows: list[Any]) -> None:
    hire.answers(question, rows)


def test_a_balance_is_what_is_outstanding_and_no_payment_is(make: Any) -> None:
    desk = make(
        "CREATE TABLE firms (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE loans (id INTEGER PRIMARY KEY, firm_id INTEGER REFERENCES firms (id), balance INTEGER);"
        "CREATE TABLE payments (id INTEGER PRIMARY KEY, loan_id INTEGER REFERENCES loans (id), paid_on DATE,"
        " amount INTEGER);"
        "INSERT INTO firms VALUES (1, 'Ash'), (2, 'Birch'); INSERT INTO loans VALUES (1, 1, 40), (2, 1, 5), (3, 2, 7);"
        "INSERT INTO payments VALUES (1, 1, '2024-01-01', 9);"
    )
    desk.answers("total outstanding by firm", [("Ash", 45), ("Birch", 7)])
    desk.answers("total outstanding", [(52,)])
    desk.refused("total unpaid")
