"""What is charged for is revenue, past forms have short forms."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def harbour(make: Any) -> Any:
    return make(
        "CREATE TABLE emp (emp_id INTEGER PRIMARY KEY, fnm VARCHAR, lnm VARCHAR,"
        " mgr_id INTEGER REFERENCES emp (emp_id));"
        "CREATE TABLE charters (id INTEGER PRIMARY KEY, emp_id INTEGER REFERENCES emp (emp_id), price INTEGER,"
        " qtd_amt INTEGER, start_date DATE);"
        "CREATE TABLE payments (id INTEGER PRIMARY KEY, charter_id INTEGER REFERENCES charters (id), method VARCHAR,"
        " amount INTEGER);"
        "INSERT INTO emp VALUES (1, 'Ann', 'Lee', NULL); INSERT INTO emp VALUES (2, 'Bo', 'Ray', 1);"
        "INSERT INTO charters VALUES (1, 2, 100, 90, '2024-01-01'), (2, 2, 50, 60, '2023-01-01');"
        "INSERT INTO payments VALUES (1, 1, 'card', 70), (2, 1, 'cash', 30), (3, 2, 'card', 50);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("charter revenue in 2024", [(100,)]),
        ("total card payments", [(120,)]),
        ("average quoted amount", [(75.0,)]),
        ("employees and their managers", [("Bo", "Ray", "Ann", "Lee")]),
        ("which employees have sailed more than 1 charter?", [("Bo", "Ray")]),
        ("employees with the name of their manager", [("Bo", "Ray", "Ann", "Lee")]),
        ("charters with the name of the employee", [(1, "Bo", "Ray"), (2, "Bo", "Ray")]),
    ],
)
def test_they_are_read(harbour: Any, question: str, rows: list[Any]) -> None:
    harbour.answers(question, rows)
