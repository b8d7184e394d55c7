"""Groups of joined rows: what is tested of a group, listed by a group, and kept without rows."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def clinic(make: Any) -> Any:
    """Vets with visits and fees; a vet without any, and visits without a vet."""
    return make(
        "CREATE TABLE vets (id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);"
        "CREATE TABLE pets (id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR);"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, vet_id INTEGER REFERENCES vets (id),"
        " pet_id INTEGER REFERENCES pets (id), visited_on DATE, total DOUBLE, minutes INTEGER);"
        "CREATE TABLE fees (id INTEGER PRIMARY KEY, vet_id INTEGER REFERENCES vets (id),"
        " visit_id INTEGER REFERENCES visits (id), amount DOUBLE);"
        "INSERT INTO vets VALUES (1, 'Ann', 'Rome'), (2, 'Bob', 'Oslo'), (3, 'Cem', 'Rome');"
        "INSERT INTO pets VALUES (1, 'Rex', 'dog'), (2, 'Tom', 'cat'), (3, 'Kit', 'cat');"
        "INSERT INTO visits VALUES (1, 1, 1, '2024-01-05', 30, 10), (2, 1, 2, '2024-02-05', 25, 50),"
        " (3, 2, 2, '2024-02-07', 45, 20), (4, NULL, 1, '2024-03-01', 5, 5);"
        "INSERT INTO fees VALUES (1, 1, 1, 8), (2, 1, 2, 7), (3, 2, 3, 30);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("vets with more than 1 visit and a total over 40", [("Ann",)]),
        ("vets with at least 1 visit and total minutes over 55", [("Ann",)]),
        ("vets with more than 1 visit and average minutes over 25", [("Ann",)]),
        ("vets with at least 1 visit and total fees over 14", [("Ann",), ("Bob",)]),
    ],
)
def test_a_total_beside_a_count_is_that_of_the_group(clinic: Any, question: str, rows: list[Any]) -> None:
    clinic.answers(question, rows)


def test_an_amount_that_is_no_total_is_that_of_a_row(clinic: Any) -> None:
    clinic.answers("vets with at least 1 visit and minutes over 15", [("Ann",), ("Bob",)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("visits by vet", [("Ann", 2), ("Bob", 1)]),
        ("list the visits longer than 15 minutes by pet", [("Tom", 2), ("Tom", 3)]),
        ("visits with vet and pet", [(1, "Ann", "Rex"), (2, "Ann", "Tom"), (3, "Bob", "Tom")]),
    ],
)
def test_what_things_are_listed_by_or_with_is_shown(clinic: Any, question: str, rows: list[Any]) -> None:
    clinic.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many visits did the vets make", [(4,)]),
        ("how many visits have a vet", [(3,)]),
    ],
)
def test_a_thing_that_is_only_mentioned_loses_no_rows(clinic: Any, question: str, rows: list[Any]) -> None:
    clinic.answers(question, rows)


@pytest.fixture(scope="module")
def tools(make: Any) -> Any:
    """Tools that are lent, of which each loan is of one copy; and what a shop sold of them."""
    return make(
        "CREATE TABLE makers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE tools (id INTEGER PRIMARY KEY, name VARCHAR, maker_id INTEGER REFERENCES makers (id));"
        "CREATE TABLE neighbours (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE loans (id INTEGER PRIMARY KEY, tool_id INTEGER REFERENCES tools (id),"
        " neighbour_id INTEGER REFERENCES neighbours (id), lent_on DATE);"
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, sold_on DATE);"
        "CREATE TABLE sale_lines (id INTEGER PRIMARY KEY, sale_id INTEGER REFERENCES sales (id),"
        " tool_id INTEGER REFERENCES tools (id), quantity INTEGER, unit_price DOUBLE);"
        "INSERT INTO makers VALUES (1, 'Acme'), (2, 'Bolt');"
        "INSERT INTO tools VALUES (1, 'Drill', 1), (2, 'Ladder', 1), (3, 'Plane', 2);"
        "INSERT INTO neighbours VALUES (1, 'Ida'), (2, 'Jon'), (3, 'Kai');"
        "INSERT INTO loans VALUES (1, 1, 1, '2024-01-01'), (2, 1, 1, '2024-02-01'), (3, 1, 1, '2024-02-02'),"
        " (4, 2, 2, '2024-03-01'), (5, 3, 2, '2024-03-02');"
        "INSERT INTO sales VALUES (1, '2024-01-01');"
        "INSERT INTO sale_lines VALUES (1, 1, 1, 1, 5), (2, 1, 2, 1, 5), (3, 1, 3, 9, 5);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which neighbour borrowed the most tools", [("Ida",)]),  # by loans: Jon borrowed more different tools
        ("which tool was borrowed the most", [("Drill",)]),
        ("how many times was each tool borrowed", [("Drill", 3), ("Ladder", 1), ("Plane", 1)]),
        ("how often did Jon borrow tools", [(2,)]),
        ("which maker sold the most tools", [("Bolt",)]),  # by pieces
        ("the 2 most sold tools", [("Drill",), ("Plane",)]),
    ],
)
def test_what_was_done_most_is_counted_by_its_rows(tools: Any, question: str, rows: list[Any]) -> None:
    if question.startswith("the 2"):
        (reading,) = tools.read(question)
        assert tools.rows(reading.sql)[0] == ("Plane",)
        return
    tools.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("are there any vets in Rome", "yes"),
        ("is there a visit after March 2024", "no"),
        ("do we have any cats", "yes"),
        ("does Cem have any visits", "no"),
        ("does Ann have any visits", "yes"),
        ("is Ann a vet", "yes"),
        ("is Tom a dog", "no"),
        ("is Tom a cat", "yes"),
    ],
)
def test_yes_or_no_is_answered_so(clinic: Any, question: str, answer: str) -> None:
    clinic.answers(question, [(answer,)])


def test_yes_or_no_of_what_was_done(tools: Any) -> None:
    tools.answers("has Kai ever borrowed a tool", [("no",)])
    tools.answers("was the Drill ever borrowed", [("yes",)])
    tools.answers("did Jon borrow the Ladder", [("yes",)])


@pytest.mark.parametrize("question", ["are all visits long", "is every vet busy", "are vets in Rome or in Oslo"])
def test_what_is_asked_of_all_is_refused(clinic: Any, question: str) -> None:
    with pytest.raises(Unread):
        clinic.read(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("number of visits for each vet", [("Ann", 2), ("Bob", 1)]),
        ("number of visits for each vet, including those with none", [("Ann", 2), ("Bob", 1), ("Cem", 0)]),
        ("how many visits does each vet have, even those without", [("Ann", 2), ("Bob", 1), ("Cem", 0)]),
        ("number of visits by vet including vets without any visits", [("Ann", 2), ("Bob", 1), ("Cem", 0)]),
        ("vets and the number of their visits, even if they have none", [("Ann", 2), ("Bob", 1), ("Cem", 0)]),
        ("total fees for each vet, including those with none", [("Ann", 15.0), ("Bob", 30.0), ("Cem", 0.0)]),
        (
            "number of visits longer than 15 minutes for each vet including those with none",
            [("Ann", 1), ("Bob", 1), ("Cem", 0)],
        ),
        ("number of visits for each vet in Rome including those with none", [("Ann", 2), ("Cem", 0)]),
    ],
)
def test_groups_without_rows_are_shown_where_the_question_says_so(clinic: Any, question: str, rows: list[Any]) -> None:
    clinic.answers(question, rows)


def test_what_cannot_be_kept_is_refused(clinic: Any) -> None:
    with pytest.raises(Unread):
        clinic.read("vets in Rome including those with none")


def test_a_share_is_of_all_rows(clinic: Any) -> None:
    clinic.answers("what percentage of visits are by Ann", [(50.0,)])  # one of four has no vet


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("median minutes of visits", [(15.0,)]),  # of 5, 10, 20, 50
        ("what is the median minutes of visits by Ann", [(30.0,)]),
        ("median minutes by vet", [("Ann", 30.0), ("Bob", 20.0)]),
    ],
)
def test_a_median_is_the_middle_of_the_rows(clinic: Any, question: str, rows: list[Any]) -> None:
    clinic.answers(question, rows)


def test_a_missing_value_is_no_group_that_has_enough_rows(make: Any) -> None:
    guests = make(
        "CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, name VARCHAR, employer VARCHAR);"
        "INSERT INTO guests VALUES (1, 'Ann', NULL), (2, 'Bo', NULL), (3, 'Cy', 'Ink'), (4, 'Di', 'Ink');"
    )
    guests.answers("employers with more than 1 guest", [("Ink",)])
