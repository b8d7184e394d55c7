"""People whose first and last name stand in two columns: both are of one row, or nobody is meant."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def shop(make: Any) -> Any:
    return make(
        "CREATE TABLE staff (id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, email VARCHAR);"
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, email VARCHAR,"
        " staff_id INTEGER REFERENCES staff (id));"
        "CREATE TABLE payments (id INTEGER PRIMARY KEY, amount INTEGER, customer_id INTEGER REFERENCES customers (id));"
        "INSERT INTO staff VALUES (1, 'Mary', 'Jones', 'm@x.org'), (2, 'Jane', 'Peacock', 'j@x.org');"
        "INSERT INTO customers VALUES (1, 'Mary', 'Smith', 's@x.org', 2), (2, 'Adam', 'Jones', 'a@x.org', 1),"
        " (3, 'Eva', 'Smith', 'e@x.org', 2);"
        "INSERT INTO payments VALUES (1, 5, 1), (2, 7, 1), (3, 9, 3);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("payments by Mary Smith", [(1,), (2,)]),
        ("payments of mary smith and EVA SMITH", [(1,), (2,), (3,)]),
        ("What is the email of Jane Peacock?", [("j@x.org",)]),
        ("customers of Jane Peacock", [("Eva", "Smith"), ("Mary", "Smith")]),
        ("email of the customer Adam Jones", [("a@x.org",)]),
        ("How many customers are not of Jane Peacock?", [(1,)]),
        ('What is the email of the customer named "Eva Smith"?', [("e@x.org",)]),
    ],
)
def test_both_names_are_of_one_row(shop: Any, question: str, rows: list[Any]) -> None:
    shop.answers(question, rows)


@pytest.mark.parametrize(
    "question",
    [
        "payments by Jane Smith",  # a first name of the staff and a last name of a customer
        "customers named Jane Peacock",  # who is of the staff
        "email of Adam Peacock",
    ],
)
def test_nobody_has_names_of_two_tables(shop: Any, question: str) -> None:
    with pytest.raises(Unread):
        shop.read(question)


def test_a_name_that_two_tables_may_hold_is_of_either(shop: Any) -> None:
    readings = shop.read("What is the email of Mary Jones?")  # of the staff; customers are called Mary, and Jones
    assert sorted(shop.rows(r.sql) for r in readings) == [[], [("m@x.org",)]]


@pytest.fixture(scope="module")
def clinic(make: Any) -> Any:
    return make(
        "CREATE TABLE nurses (id INTEGER PRIMARY KEY, full_name VARCHAR, hire_date DATE, birth_date DATE);"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, nurse_id INTEGER REFERENCES nurses (id), visit_date DATE);"
        "INSERT INTO nurses VALUES (1, 'Ida', '2019-03-01', '1980-05-05'), (2, 'Ole', '2021-07-15', '1992-01-30');"
        "INSERT INTO visits VALUES (1, 1, '2021-02-02'), (2, 2, '2022-02-02');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who was hired in 2021", [("Ole",)]),
        ("who was hired before 2020?", [("Ida",)]),
        ("Who was born after 1990?", [("Ole",)]),
        ("who were hired after 2020", [("Ole",)]),
    ],
)
def test_who_was_hired_means_those_with_that_date(clinic: Any, question: str, rows: list[Any]) -> None:
    clinic.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many singers signed up in 2023", [(1,)]),
        ("singers since 2023", [("Bo",)]),
        ("who has the most songs", [("Ann",)]),
    ],
)
def test_things_and_what_is_said_of_them_are_no_column(make: Any, question: str, rows: list[Any]) -> None:
    choir = make(
        "CREATE TABLE singers (singer_id INTEGER PRIMARY KEY, name VARCHAR, signed_up DATE, singer_since DATE,"
        " email VARCHAR, left_on DATE);"
        "CREATE TABLE songs (song_id INTEGER PRIMARY KEY, title VARCHAR, first_singer_id INTEGER);"
        "INSERT INTO singers VALUES (1, 'Ann', '2022-01-01', '2022-02-01', NULL, '2023-05-05'),"
        " (2, 'Bo', '2023-01-01', '2023-02-01', NULL, NULL);"
        "INSERT INTO songs VALUES (1, 'Dawn', 1), (2, 'Dusk', 1), (3, 'Noon', 2);"
    )
    choir.answers(question, rows)


def test_rows_of_what_people_do_are_no_people(make: Any) -> None:
    agency = make(
        "CREATE TABLE applicants (id INTEGER PRIMARY KEY, full_name TEXT, enrolled_on DATE);"
        "CREATE TABLE applications (id INTEGER PRIMARY KEY, applicant_id INTEGER REFERENCES applicants(id));"
        "INSERT INTO applicants VALUES (1, 'Ann Lee', '2024-02-03'); INSERT INTO applications VALUES (7, 1);"
    )
    agency.answers("who enrolled in 2024?", [("Ann Lee",)])


def test_members_of_a_crew_are_the_crew(make: Any) -> None:
    airline = make(
        "CREATE TABLE CrewMember (CrewId INTEGER PRIMARY KEY, FullName VARCHAR,"
        " MentorId INTEGER REFERENCES CrewMember (CrewId));"
        "CREATE TABLE Flight (FlightId INTEGER PRIMARY KEY, FlightNo VARCHAR);"
        "CREATE TABLE FlightCrew (FlightId INTEGER REFERENCES Flight (FlightId),"
        " CrewId INTEGER REFERENCES CrewMember (CrewId), PRIMARY KEY (FlightId, CrewId));"
        "INSERT INTO CrewMember VALUES (1, 'Ann Low', NULL); INSERT INTO CrewMember VALUES (2, 'Bo Mid', 1);"
        "INSERT INTO Flight VALUES (1, 'NF1');"
        "INSERT INTO FlightCrew VALUES (1, 1), (1, 2);"
    )
    airline.answers("how many crew do we have", [(2,)])
    airline.answers("crew and who mentors them", [("Bo Mid", "Ann Low")])
