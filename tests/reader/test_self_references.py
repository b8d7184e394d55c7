"""Tables that refer to themselves: employees and their managers, posts and what they answer."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def works(make: Any) -> Any:
    return make(
        "CREATE TABLE staff (id INTEGER PRIMARY KEY, name VARCHAR, post VARCHAR, wage INTEGER,"
        " supervisor_id INTEGER REFERENCES staff (id));"
        "CREATE TABLE tasks (id INTEGER PRIMARY KEY, title VARCHAR, staff_id INTEGER REFERENCES staff (id));"
        "CREATE TABLE sections (id INTEGER PRIMARY KEY, name VARCHAR,"
        " parent_section_id INTEGER REFERENCES sections (id));"
        "INSERT INTO staff VALUES (1, 'Ora', 'chief', 90, NULL);"
        "INSERT INTO staff VALUES (2, 'Pim', 'smith', 50, 1), (3, 'Rex', 'smith', 95, 1);"
        "INSERT INTO staff VALUES (4, 'Sol', 'clerk', 40, 2);"
        "INSERT INTO tasks VALUES (1, 'weld', 2), (2, 'file', 4), (3, 'plan', 4);"
        "INSERT INTO sections VALUES (1, 'Yard', NULL); INSERT INTO sections VALUES (2, 'Forge', 1), (3, 'Dock', 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("staff who report to Ora", [("Pim",), ("Rex",)]),
        ("Who reports to Pim?", [("Sol",)]),
        ("How many staff report to Ora?", [(2,)]),
        ("staff supervised by Pim", [("Sol",)]),
        ("staff and their supervisors", [("Pim", "Ora"), ("Rex", "Ora"), ("Sol", "Pim")]),
        ("Who is the supervisor of Sol?", [("Pim",)]),
        ("What is the wage of the supervisor of Sol?", [(50,)]),
        ("Which supervisor has the most direct reports?", [("Ora",)]),
        ("How many staff are there per supervisor?", [("Ora", 2), ("Pim", 1)]),
        ("How many supervisors are there?", [(2,)]),
        ("staff without a supervisor", [("Ora",)]),
        ("sections and their parent sections", [("Dock", "Yard"), ("Forge", "Yard")]),
        ("who earns more than their supervisor", [("Rex",)]),
        ("What is the highest wage?", [(95,)]),
        ("What is the wage of Ora?", [(90,)]),
    ],
)
def test_rows_that_refer_to_others_of_their_table(works: Any, question: str, rows: list[Any]) -> None:
    works.answers(question, rows)


def test_who_does_something_is_over_those_it_is_done_to(works: Any) -> None:
    works.answers("Who supervises Sol?", [("Pim",)])
    works.answers("Who manages Pim?", [("Ora",)])
    works.answers("Which staff does Ora supervise?", [("Pim",), ("Rex",)])
    works.answers("staff managed by Ora", [("Pim",), ("Rex",)])
