"""A rate of what is done is the share of the rows of which a flag or a state says that it was."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread
from askwhere.reader.marking.rates import states_of

CALLS = """
CREATE TABLE agents (agent_id INTEGER PRIMARY KEY, agent_name VARCHAR);
CREATE TABLE tickets (
  ticket_id INTEGER PRIMARY KEY, agent_id INTEGER REFERENCES agents, state VARCHAR,
  escalated INTEGER, hours DOUBLE, discount_rate DOUBLE);
INSERT INTO agents VALUES (1, 'Ann Lee'), (2, 'Bo Ray');
INSERT INTO tickets VALUES (1, 1, 'resolved', 1, 2, 0.1), (2, 1, 'cancelled', 0, 3, 0.1), (3, 1, 'resolved', 0, 1, 0.2),
  (4, 2, 'rejected', 1, 5, 0.2), (5, 2, 'resolved', 1, 4, 0.3);
"""


@pytest.fixture(scope="module")
def calls(make: Any) -> Any:
    return make(CALLS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("escalation rate", [(0.6,)]),
        ("what is the escalation rate in percent", [(60.0,)]),
        ("cancellation rate in %", [(20.0,)]),
        ("rejection rate per agent, percent", [("Ann Lee", 0.0), ("Bo Ray", 50.0)]),
        ("escalation rate of each agent in percent", [("Ann Lee", 100 / 3), ("Bo Ray", 100.0)]),
        ("share of resolved tickets, in percent", [(60.0,)]),
        ("% of tickets that are rejected", [(20.0,)]),
        ("share of escalated tickets by agent in percent", [("Ann Lee", 100 / 3), ("Bo Ray", 100.0)]),
        ("average discount rate", [(0.18,)]),
    ],
)
def test_a_rate_is_a_share(calls: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    (reading,) = calls.read(question)
    found = sorted(calls.rows(reading.sql))
    assert [cell for row in found for cell in row] == [
        pytest.approx(cell) if isinstance(cell, float) else cell for row in rows for cell in row
    ], reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("no show rate", [(0.25,)]),
        ("no-show rate in percent", [(25.0,)]),
        ("on time rate", [(0.75,)]),
        ("failure rate", [(0.25,)]),
        ("failure rate per outcome", [("left", 1.0), ("no show", 0.0), ("seen", 0.0)]),
        ("vacancy rate in percent", [(50.0,)]),
    ],
)
def test_a_state_of_several_words_has_a_rate(make: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    visits = make(
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, outcome VARCHAR, on_time BOOLEAN, hourly_rate INTEGER,"
        " failed BOOLEAN, room VARCHAR);"
        "INSERT INTO visits VALUES (1, 'no show', FALSE, 40, FALSE, 'vacant'), (2, 'seen', TRUE, 40, FALSE, 'taken'),"
        " (3, 'seen', TRUE, 50, FALSE, 'taken'), (4, 'left', TRUE, 50, TRUE, 'vacant');"
    )
    visits.answers(question, rows)


@pytest.mark.parametrize("question", ["hours in percent", "agents with the best escalation rate", "churn rate"])
def test_what_is_no_rate_is_refused(calls: Any, question: str) -> None:
    with pytest.raises(Unread):
        calls.read(question)


@pytest.mark.parametrize(
    ("noun", "state"),
    [
        ("cancellation", "cancelled"),
        ("conversion", "converted"),
        ("approval", "approved"),
        ("acceptance", "accepted"),
        ("delivery", "delivered"),
        ("drop", "dropped"),
        ("failure", "failed"),
        ("vacancy", "vacant"),
        ("absence", "absent"),
        ("occupancy", "occupied"),
    ],
)
def test_the_state_that_a_noun_speaks_of(noun: str, state: str) -> None:
    assert state in set(states_of(noun))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which agent has the highest escalation rate", [("Bo Ray",)]),
        ("agent with the lowest escalation rate", [("Ann Lee",)]),
        ("top 1 agents by rejection rate", [("Bo Ray",)]),
        ("state with the highest escalation rate", [("rejected",)]),
    ],
)
def test_things_are_ranked_by_a_rate(calls: Any, question: str, rows: list[Any]) -> None:
    (reading,) = calls.read(question)
    assert [row[:1] for row in calls.rows(reading.sql)] == rows, reading.sql


@pytest.fixture(scope="module")
def ferries(make: Any) -> Any:
    """What became of a trip is a code, and another table says what the codes mean."""
    return make(
        "CREATE TABLE outc (oc_cd VARCHAR PRIMARY KEY, oc_dsc VARCHAR);"
        "CREATE TABLE skpr (sk_id INTEGER PRIMARY KEY, sk_nm VARCHAR);"
        "CREATE TABLE trip (tr_id INTEGER PRIMARY KEY, sk_id INTEGER REFERENCES skpr (sk_id), oc_cd VARCHAR,"
        " tr_dt DATE);"
        "INSERT INTO outc VALUES ('S', 'sailed'), ('C', 'cancelled'), ('P', 'postponed');"
        "INSERT INTO skpr VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO trip VALUES (1, 1, 'S', '2024-01-01'), (2, 1, 'C', '2024-01-02'), (3, 2, 'S', '2024-02-01'),"
        " (4, 2, 'P', '2024-02-02');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("cancellation rate", [(0.25,)]),
        ("cancellation rate per skipper", [("Ann", 0.5), ("Bo", 0.0)]),
        ("cancellation rate by month", [("2024-01", 0.5), ("2024-02", 0.0)]),
        ("which skipper has the highest cancellation rate", [("Ann",)]),
    ],
)
def test_a_rate_of_what_a_code_means_is_of_the_rows_with_the_code(ferries: Any, question: str, rows: list[Any]) -> None:
    ferries.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [("approval rate", [(0.5,)]), ("approval rate per shire", [("Kent", 0.5)]), ("pending rate", [(0.25,)])],
)
def test_a_rate_of_outcomes_is_of_what_has_one(make: Any, question: str, rows: list[Any]) -> None:
    claims = make(
        "CREATE TABLE claims (claim_id INTEGER PRIMARY KEY, shire VARCHAR, status VARCHAR, verdict VARCHAR);"
        "INSERT INTO claims VALUES (1, 'Kent', 'done', 'approved'), (2, 'Kent', 'done', 'rejected'),"
        " (3, 'Kent', 'pending', NULL), (4, 'York', NULL, NULL);"
    )
    claims.answers(question, rows)


def test_the_best_rate_is_the_highest_of_what_is_good(make: Any) -> None:
    exams = make(
        "CREATE TABLE tutors (tutor_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE exams (exam_id INTEGER PRIMARY KEY, tutor_id INTEGER REFERENCES tutors (tutor_id),"
        " result VARCHAR);"
        "INSERT INTO tutors VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO exams VALUES (1, 1, 'pass'), (2, 1, 'fail'), (3, 2, 'pass'), (4, 2, 'pass');"
    )
    exams.answers("which tutor has the best pass rate", [("Bo",)])
    with pytest.raises(Unread):
        exams.read("which tutor has the best fail rate")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which agent has the highest percentage of rejected tickets", [("Bo Ray",)]),
        ("agent with the highest share of cancelled tickets under 4 hours", [("Ann Lee",)]),
        ("agents sorted by rejection rate", [("Ann Lee",), ("Bo Ray",)]),
    ],
)
def test_things_are_ranked_by_a_share(calls: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    (reading,) = calls.read(question)
    assert [row[:1] for row in calls.rows(reading.sql)] == rows


BIDS = """
CREATE TABLE phases (phase_code VARCHAR PRIMARY KEY, phase_label VARCHAR, odds INTEGER);
CREATE TABLE bids (
  bid_id INTEGER PRIMARY KEY, trade VARCHAR, phase_code VARCHAR REFERENCES phases, resolved_on DATE, due_on DATE);
INSERT INTO phases VALUES ('won', 'Won it', 100), ('lost', 'Lost it', 0), ('out', 'Sent out', 50);
INSERT INTO bids VALUES (1, 'roof', 'won', '2024-01-03', '2024-01-09'), (2, 'roof', 'lost', NULL, '2024-01-09'),
  (3, 'wall', 'out', NULL, '2024-02-09'), (4, 'wall', 'out', '2024-02-03', '2024-02-09');
"""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("resolution rate", [(0.5,)]),
        ("resolution rate per trade in percent", [("roof", 50.0), ("wall", 50.0)]),
        ("win rate", [(0.25,)]),
        ("win rate per trade", [("roof", 0.5), ("wall", 0.0)]),
    ],
)
def test_a_date_or_a_listed_state_has_a_rate(make: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    make(BIDS).answers(question, rows)
