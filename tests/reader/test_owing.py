"""What is owed, "how much does Ann owe us", and conditions beside what was not done: "unpaid bills in 2024"."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def plumber(make: Any) -> Any:
    return make(
        "CREATE TABLE households (id INTEGER PRIMARY KEY, name VARCHAR, area VARCHAR);"
        "CREATE TABLE bills (bill_no VARCHAR PRIMARY KEY, household_id INTEGER REFERENCES households (id),"
        " billed_on DATE, paid_on DATE, amount INTEGER);"
        "INSERT INTO households VALUES (1, 'Ames', 'harbour'), (2, 'Bell', 'harbour'), (3, 'Cole', 'hill');"
        "INSERT INTO bills VALUES ('B1', 1, '2024-02-01', NULL, 300), ('B2', 1, '2023-02-01', NULL, 40),"
        " ('B3', 2, '2023-05-01', '2024-03-01', 500), ('B4', 3, '2024-05-01', NULL, 20);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how much are we owed", [(360,)]),
        ("how much is outstanding", [(360,)]),
        ("how much is still unpaid", [(360,)]),
        ("how much are we still owed by Ames", [(340,)]),
        ("how much does Ames owe us", [(340,)]),
        ("what does Cole owe us", [(20,)]),
        ("how much is outstanding by household", [("Ames", 340), ("Cole", 20)]),
        ("how much does each household owe us", [("Ames", 340), ("Cole", 20)]),
        ("who still owes us money", [("Ames",), ("Cole",)]),
        ("which households owe us money", [("Ames",), ("Cole",)]),
        ("how many households owe us", [(2,)]),
        ("households that owe us more than 320", [("Ames",)]),
        ("who owes less than 50", [("Cole",)]),
    ],
)
def test_what_is_owed_is_unpaid(plumber: Any, question: str, rows: list[Any]) -> None:
    plumber.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how much did we refund", [(70,)]),
        ("total refunded", [(70,)]),
        ("how much was refunded in 2024", [(30,)]),
        ("how many fees were refunded", [(2,)]),
        ("how much money is overdue", [(25,)]),
        ("total overdue by zone", [("north", 25)]),
        ("how many fees are overdue", [(1,)]),
    ],
)
def test_amounts_of_what_is_refunded_or_overdue_are_added_up(make: Any, question: str, rows: list[Any]) -> None:
    parking = make(
        "CREATE TABLE fees (id INTEGER PRIMARY KEY, zone VARCHAR, charged_on DATE, due_on DATE, settled_on DATE,"
        " amount INTEGER, refunded BOOLEAN);"
        "INSERT INTO fees VALUES (1, 'north', '2024-01-01', '2024-02-01', '2024-01-09', 30, TRUE),"
        " (2, 'south', '2023-01-01', '2023-02-01', '2023-01-09', 40, TRUE), (3, 'south', '2024-01-01', '2024-02-01',"
        " '2024-02-01', 5, FALSE), (4, 'north', '2024-03-01', '2024-04-01', NULL, 25, FALSE);"
    )
    parking.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("households with unpaid bills in 2024", [("Ames",), ("Cole",)]),
        ("bills that are unpaid in 2023", [("B2",)]),
        ("households with unpaid bills over 200", [("Ames",)]),
    ],
)
def test_what_was_not_done_stays_so_beside_a_time_or_amount(plumber: Any, question: str, rows: list[Any]) -> None:
    plumber.answers(question, rows)


@pytest.fixture(scope="module")
def archive(make: Any) -> Any:
    return make(
        "CREATE TABLE readers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE accounts (id INTEGER PRIMARY KEY, reader_id INTEGER REFERENCES readers (id));"
        "CREATE TABLE fines (id INTEGER PRIMARY KEY, account_id INTEGER REFERENCES accounts (id), raised_on DATE,"
        " settled_on DATE, amount INTEGER);"
        "CREATE TABLE forms (id INTEGER PRIMARY KEY, reader_id INTEGER REFERENCES readers (id), signed INTEGER);"
        "CREATE TABLE requests (id INTEGER PRIMARY KEY, reader_id INTEGER REFERENCES readers (id), requested_on DATE);"
        "INSERT INTO readers VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');"
        "INSERT INTO accounts VALUES (1, 1), (2, 2), (3, 3);"
        "INSERT INTO fines VALUES (1, 1, '2023-01-05', NULL, 5), (2, 1, '2023-02-05', '2023-02-09', 7),"
        " (3, 2, '2023-03-05', '2023-03-09', 9);"
        "INSERT INTO forms VALUES (1, 1, 1), (2, 2, 0); INSERT INTO requests VALUES (1, 1, '2023-01-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("readers who haven't settled yet", [("Ann",)]),  # a fine, and not those without fines
        ("how many readers have not settled", [(1,)]),
        ("readers who haven't signed", [("Bo",)]),
        ("fines that haven't been settled", [(1,)]),
        ("readers who haven't requested anything", [("Bo",), ("Cy",)]),  # a request begins with its date
    ],
)
def test_who_has_not_done_it_yet_has_something_to_do(archive: Any, question: str, rows: list[Any]) -> None:
    archive.answers(question, rows)


def test_who_never_paid_has_no_bill_that_is_paid(make: Any) -> None:
    club = make(
        "CREATE TABLE members (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE bills (id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members (id), billed_on DATE,"
        " paid_on DATE);"
        "INSERT INTO members VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');"
        "INSERT INTO bills VALUES (1, 1, '2023-01-01', NULL), (2, 2, '2023-01-01', '2023-02-01');"
    )
    club.answers("members who never paid", [("Ann",), ("Cy",)])
    club.answers("members who have not paid", [("Ann",)])
    with pytest.raises(Unread):
        club.read("members who did not pay")


def test_what_is_not_paid_in_full_may_be_paid_in_part(make: Any) -> None:
    club = make(
        "CREATE TABLE bills (id INTEGER PRIMARY KEY, billed_on DATE, paid_on DATE);"
        "INSERT INTO bills VALUES (1, '2023-01-01', NULL);"
    )
    club.answers("bills not paid", [(1,)])
    with pytest.raises(Unread):
        club.read("bills not paid in full")


def test_what_was_not_earned_is_not_owed(make: Any) -> None:
    app = make(
        "CREATE TABLE learners (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE badges (id INTEGER PRIMARY KEY, learner_id INTEGER REFERENCES learners (id), earned_on DATE);"
    )
    app.refused("who owes us money")
