"""A number that is called after its table, `job_no`, is what shows a row, and no name of somebody in it."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def garage(make: Any) -> Any:
    return make(
        "CREATE TABLE jobs (job_no INTEGER PRIMARY KEY, mechanic_name VARCHAR, started DATE, cost INTEGER);"
        "CREATE TABLE tkt (tkt_no VARCHAR PRIMARY KEY, agent_nm VARCHAR, price INTEGER);"
        "CREATE TABLE dogs (dog_no INTEGER PRIMARY KEY, dog_name VARCHAR, weight INTEGER);"
        "INSERT INTO jobs VALUES (501, 'Ann Lee', '2024-01-08', 90), (502, 'Bo Ek', '2024-02-08', 20);"
        "INSERT INTO tkt VALUES ('T1', 'Cy Roe', 5), ('T2', 'Di Fox', 50);"
        "INSERT INTO dogs VALUES (7, 'Rex', 12), (8, 'Ida', 9);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which jobs cost more than 50", [(501,)]),
        ("jobs by Bo Ek", [(502,)]),
        ("the most expensive job", [(501,)]),
        ("tickets with a price over 10", [("T2",)]),
        ("cost of job 502", [(20,)]),
        ("job 502", [(502, "Bo Ek", "2024-02-08", 20)]),
        ("show job 501", [(501, "Ann Lee", "2024-01-08", 90)]),
        ("dogs over 10", [("Rex",)]),  # the name of the row itself is shown all the same
        ("dog 8", [("Ida",)]),
    ],
)
def test_rows_are_shown_by_their_number(garage: Any, question: str, rows: list[Any]) -> None:
    (reading,) = garage.read(question)
    assert [tuple(str(v) if hasattr(v, "year") else v for v in row) for row in garage.rows(reading.sql)] == rows


def test_who_did_one_is_not_answered_with_its_number(garage: Any) -> None:
    with pytest.raises(Unread):
        garage.read("who did job 502")
