"""Rows that start some time after they are asked for, kinds that name no row, ways in which things are done."""

from __future__ import annotations

from typing import Any

import pytest

_SUBJECTS = ("review", "intake", "check")


@pytest.fixture(scope="module")
def clinic(make: Any) -> Any:
    """Therapists with tongues, the sessions that clients asked for, and refunds; each subject is that of many."""
    sessions = "".join(
        f"({n}, {1 + (n % 5 == 0)}, '2024-11-0{1 + n % 9}', '2024-12-0{1 + n % 9} 09:00',"
        f" '2024-12-0{1 + n % 9} {10 + n % 2}:00',"
        f" '{('video', 'office')[n % 2]}', '{('planned', 'completed')[n % 3 == 0]}', '{_SUBJECTS[n % 3]}', {n % 4}),"
        for n in range(1, 19)
    )
    return make(
        "CREATE TABLE therapists (therapist_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR,"
        " job_title VARCHAR, phn VARCHAR, term_dt DATE);"
        "CREATE TABLE tongues (tongue_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE therapist_tongues (therapist_id INTEGER REFERENCES therapists (therapist_id),"
        " tongue_id INTEGER REFERENCES tongues (tongue_id), level VARCHAR, PRIMARY KEY (therapist_id, tongue_id));"
        "CREATE TABLE sessions (session_id INTEGER PRIMARY KEY,"
        " therapist_id INTEGER REFERENCES therapists (therapist_id), requested_on DATE, starts_at TIMESTAMP,"
        " ends_at TIMESTAMP, channel VARCHAR, status VARCHAR, subject VARCHAR, guests_waiting INTEGER);"
        "CREATE TABLE refunds (refund_id INTEGER PRIMARY KEY, session_id INTEGER REFERENCES sessions (session_id),"
        " amount INTEGER);"
        "CREATE TABLE samples (sample_id INTEGER PRIMARY KEY, session_id INTEGER REFERENCES sessions (session_id),"
        " ph DOUBLE, state VARCHAR);"
        "CREATE TABLE goods (good_id INTEGER PRIMARY KEY, name VARCHAR, stock INTEGER, unit_price INTEGER);"
        "INSERT INTO therapists VALUES (1, 'Ann', 'Lee', 'senior', '555-1', NULL),"
        " (2, 'Bo', 'Ray', 'senior', '555-2', '2024-03-01');"
        "INSERT INTO tongues VALUES (1, 'Thai'), (2, 'Urdu');"
        "INSERT INTO therapist_tongues VALUES (1, 1, 'B2'), (2, 1, 'C1');"
        f"INSERT INTO sessions VALUES {sessions.rstrip(',')};"
        "INSERT INTO refunds VALUES (1, 2, 5), (2, 3, 6);"
        "INSERT INTO samples VALUES (1, 1, 7.5, 'HOLD'), (2, 2, 6.5, 'DONE'), (3, 3, 6.0, 'HOLD');"
        "INSERT INTO goods VALUES (1, 'mat', 2, 10), (2, 'ball', 3, 4);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many sessions were there in December 2024?", [(18,)]),
        ("how many sessions were there in November 2024?", [(0,)]),
        ("how many sessions were requested in November 2024?", [(18,)]),
        ("number of intakes", [(6,)]),
        ("intake sessions of Ann Lee", [(1,), (4,), (7,), (13,), (16,)]),
        ("what share of the sessions was done by video?", [(0.5,)]),
        ("share of sessions done via office", [(0.5,)]),
        ("sessions done by Bo Ray", [(15,)]),
        ("how long is an average video session?", [(1.0,)]),
        ("average length of office sessions", [(2.0,)]),
        ("how long do sessions take on average?", [(1.5,)]),
        ("sessions with guests waiting", [(n,) for n in range(1, 19) if n % 4]),
        ("how many samples are on hold?", [(2,)]),
        ("therapists with their phone", [("Ann", "Lee", "555-1"), ("Bo", "Ray", "555-2")]),
        ("therapists who left in 2024", [("Bo", "Ray")]),
        ("tongues that nobody speaks", [("Urdu",)]),
        ("tongues nobody speaks", [("Urdu",)]),
        ("which senior did the most intakes?", [("Ann", "Lee")]),
        ("what are the goods in stock worth in total?", [(32,)]),
    ],
)
def test_when_of_what_kind_and_how(clinic: Any, question: str, rows: list[Any]) -> None:
    clinic.answers(question, rows)


def test_most_of_something_is_no_text(clinic: Any) -> None:
    clinic.refused("senior with the most jobs")
