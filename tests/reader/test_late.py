"""What was done after the date at which it was due is late; what is not done by then is overdue."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def works(make: Any) -> Any:
    return make(
        "CREATE TABLE site (site_id INTEGER PRIMARY KEY, town VARCHAR);"
        "CREATE TABLE task (task_no INTEGER PRIMARY KEY, site_id INTEGER REFERENCES site (site_id),"
        " start_dt DATE, expected_cmpl_dt DATE, cmpl_dt DATE);"
        "CREATE TABLE fee (fee_no INTEGER PRIMARY KEY, due_on DATE);"
        "INSERT INTO site VALUES (1, 'Aby'), (2, 'Bro');"
        "INSERT INTO task VALUES (1, 1, '2020-01-01', '2020-02-01', '2020-02-03'),"
        " (4, 2, '2020-01-01', '2090-02-01', NULL),"
        " (2, 1, '2020-01-01', '2020-03-01', '2020-02-03'), (3, 2, '2020-01-01', '2020-04-01', NULL),"
        " (5, 2, '2020-01-01', '2020-05-01', '2020-05-09');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("tasks that were completed late", [(1,), (5,)]),
        ("how many tasks were too late", [(2,)]),
        ("late tasks in Bro", [(5,)]),
        ("which tasks are overdue", [(3,)]),
        ("late tasks with the days late", [(1, 2), (5, 8)]),
        ("tasks completed late and by how many days", [(1, 2), (5, 8)]),
        ("late tasks: task number, town and days late", [(1, "Aby", 2), (5, "Bro", 8)]),
    ],
)
def test_late_is_after_what_was_expected(works: Any, question: str, rows: list[Any]) -> None:
    works.answers(question, rows)


@pytest.mark.parametrize("question", ["late fees", "tasks that were not late"])
def test_late_is_refused_without_both_dates_and_where_it_is_denied(works: Any, question: str) -> None:
    works.refused(question)


def test_what_is_still_out_has_not_come_back_or_is_refused(make: Any) -> None:
    store = make(
        "CREATE TABLE tool (tool_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, tool_id INTEGER REFERENCES tool (tool_id), lent_on DATE,"
        " returned_on DATE);"
        "INSERT INTO tool VALUES (1, 'saw'), (2, 'axe');"
        "INSERT INTO loan VALUES (1, 1, '2020-01-01', '2020-01-03'), (2, 2, '2020-01-01', NULL);"
    )
    store.answers("loans that are still out", [(2,)])
    store.refused("which tools are out")


def test_a_verb_says_which_of_several_dates_was_late(make: Any) -> None:
    trains = make(
        "CREATE TABLE run (run_no INTEGER PRIMARY KEY, dep_planned TIMESTAMP, dep_actual TIMESTAMP,"
        " arr_planned TIMESTAMP, arr_actual TIMESTAMP);"
        "CREATE TABLE bill (bill_no INTEGER PRIMARY KEY, due_on DATE, sent_on DATE, paid_on DATE);"
        "INSERT INTO bill VALUES (1, '2020-02-01', '2020-01-01', '2020-02-09'), (2, '2020-02-01', '2020-02-03', NULL);"
    )
    trains.answers("bills that were paid late", [(1,)])
    trains.answers("bills sent late", [(2,)])
    trains.refused("late runs")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("offers over the budget of the project", [(2,)]),
        ("how many offers are over the budget", [(1,)]),
        ("sales below the list price of the article", [(1,)]),
    ],
)
def test_an_amount_is_compared_with_a_column_of_another_table(make: Any, question: str, rows: list[Any]) -> None:
    shop = make(
        "CREATE TABLE project (project_id INTEGER PRIMARY KEY, title VARCHAR, budget INTEGER);"
        "CREATE TABLE offer (offer_id INTEGER PRIMARY KEY, project_id INTEGER REFERENCES project (project_id),"
        " amount INTEGER, accepted INTEGER);"
        "CREATE TABLE article (article_id INTEGER PRIMARY KEY, title VARCHAR, list_price INTEGER);"
        "CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, article_id INTEGER REFERENCES article (article_id),"
        " pieces INTEGER, price INTEGER);"
        "INSERT INTO project VALUES (1, 'roof', 100), (2, 'wall', 50);"
        "INSERT INTO offer VALUES (1, 1, 90, 1), (2, 2, 60, 0), (3, 2, 40, 1);"
        "INSERT INTO article VALUES (1, 'cup', 7), (2, 'pot', 9);"
        "INSERT INTO sale VALUES (1, 1, 3, 6), (2, 2, 1, 9);"
    )
    shop.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("tasks completed more than 3 days late", [(5,)]),
        ("tasks completed more than a week late", [(5,)]),
        ("how many tasks were at least 2 days late", [(2,)]),
        ("tasks more than 2 weeks overdue", [(3,)]),
    ],
)
def test_days_and_weeks_late_are_compared(works: Any, question: str, rows: list[Any]) -> None:
    works.answers(question, rows)


def test_weeks_between_two_dates_are_compared_in_days(make: Any) -> None:
    post = make(
        "CREATE TABLE parcel (parcel_no INTEGER PRIMARY KEY, max_days INTEGER, sent_on DATE, arrived_on DATE);"
        "INSERT INTO parcel VALUES (1, 30, '2024-01-01', '2024-01-12'), (2, 30, '2024-01-01', '2024-01-18');"
    )
    post.answers("parcels that arrived more than 2 weeks after they were sent", [(2,)])
    post.answers("parcels that took more than a week to arrive", [(1,), (2,)])


@pytest.fixture(scope="module")
def lines(make: Any) -> Any:
    return make(
        "CREATE TABLE captain (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE cause (cause_id INTEGER PRIMARY KEY, cancelled_for VARCHAR);"
        "CREATE TABLE crossing (id INTEGER PRIMARY KEY, captain_id INTEGER REFERENCES captain (id), day DATE,"
        " minutes_late INTEGER);"
        "CREATE TABLE hamper (hamper_no INTEGER PRIMARY KEY, packed_on DATE, eta DATE, delivery_date DATE);"
        "CREATE TABLE tent_loan (loan_no INTEGER PRIMARY KEY, agreed_on DATE, sent_on DATE, due_back DATE,"
        " returned_on DATE);"
        "CREATE TABLE stop_reason (reason_id INTEGER PRIMARY KEY, description VARCHAR);"
        "CREATE TABLE press (id INTEGER PRIMARY KEY, reason_id INTEGER REFERENCES stop_reason (reason_id));"
        "INSERT INTO captain VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO crossing VALUES (1, 1, '2024-01-02', 0), (2, 1, '2024-01-03', 12), (3, 2, '2024-01-03', 3);"
        "INSERT INTO hamper VALUES (1, '2024-01-01', '2024-01-05', '2024-01-06'),"
        " (2, '2024-01-06', '2024-01-08', '2024-01-08');"
        "INSERT INTO tent_loan VALUES (1, '2024-01-01', '2024-01-02', '2024-01-09', NULL),"
        " (2, '2024-01-01', '2024-01-02', '2024-01-09', '2024-01-08');"
        "INSERT INTO stop_reason VALUES (1, 'jam'); INSERT INTO press VALUES (1, 1), (2, NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("late crossings", [(2,), (3,)]),
        ("how many crossings were delayed", [(2,)]),
        ("late crossings per captain", [("Ann", 1), ("Bo", 1)]),
        ("late hampers", [(1,)]),
        ("late deliveries", [(1,)]),
        ("how many late deliveries in 2024", [(1,)]),
        ("overdue tent loans", [(1,)]),
        ("how many presses were stopped", [(1,)]),
    ],
)
def test_late_is_said_by_minutes_or_by_what_the_date_is_of(lines: Any, question: str, rows: list[Any]) -> None:
    lines.answers(question, rows)
