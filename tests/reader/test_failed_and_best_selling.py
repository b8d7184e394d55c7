"""Words that deny a flag, said of what somebody did: "who failed the test"; and what sold best by its sales alone."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def school(make: Any) -> Any:
    return make(
        "CREATE TABLE learners (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE exams (id INTEGER PRIMARY KEY, learner_id INTEGER REFERENCES learners (id), kind VARCHAR,"
        " passed INTEGER, held DATE);"
        "CREATE TABLE packages (id INTEGER PRIMARY KEY, title VARCHAR);"
        "CREATE TABLE purchases (id INTEGER PRIMARY KEY, package_id INTEGER REFERENCES packages (id), bought DATE);"
        "INSERT INTO learners VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');"
        "INSERT INTO exams VALUES (1, 1, 'theory', 1, '2024-01-01'), (2, 2, 'theory', 0, '2024-01-02'),"
        " (3, 2, 'theory', 0, '2024-02-02'), (4, 1, 'practical', 0, '2024-03-01'), (5, 2, 'theory', 1, '2024-04-01');"
        "INSERT INTO packages VALUES (1, 'Basic'), (2, 'Full'); INSERT INTO purchases VALUES (1, 2, '2024-01-01'),"
        " (2, 2, '2024-01-02'), (3, 1, '2024-01-03');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("failed theory exams", [(2,), (3,)]),
        ("how many exams were failed?", [(3,)]),
        ("learners with failed exams", [("Ann",), ("Bo",)]),
        ("which learners failed the theory exam?", [("Bo",)]),
        ("learners who failed the theory exam more than once", [("Bo",)]),
        ("how many learners failed an exam in 2024?", [(2,)]),
        ("best selling package", [("Full",)]),
        ("top 1 best selling package", [("Full",)]),
    ],
)
def test_they_are_read(school: Any, question: str, rows: list[Any]) -> None:
    school.answers(question, rows)


@pytest.fixture(scope="module")
def fitter(make: Any) -> Any:
    return make(
        "CREATE TABLE part (part_no INTEGER PRIMARY KEY, part_nm VARCHAR);"
        "CREATE TABLE supplier (sup_no INTEGER PRIMARY KEY, sup_nm VARCHAR);"
        "CREATE TABLE ord (ord_no INTEGER PRIMARY KEY, sup_no INTEGER REFERENCES supplier (sup_no), ord_dt DATE);"
        "CREATE TABLE ord_line (ord_no INTEGER REFERENCES ord (ord_no), part_no INTEGER REFERENCES part (part_no),"
        " qty INTEGER, unit_price INTEGER);"
        "CREATE TABLE job (job_no INTEGER PRIMARY KEY, job_dt DATE);"
        "CREATE TABLE job_part (job_no INTEGER REFERENCES job (job_no), part_no INTEGER REFERENCES part (part_no),"
        " qty INTEGER, unit_price INTEGER);"
        "CREATE TABLE bill (bill_no INTEGER PRIMARY KEY, job_no INTEGER REFERENCES job (job_no), net_amount INTEGER);"
        "INSERT INTO part VALUES (1, 'Bolt'), (2, 'Hinge'); INSERT INTO supplier VALUES (1, 'Ann');"
        "INSERT INTO ord VALUES (1, 1, '2024-01-01'); INSERT INTO ord_line VALUES (1, 1, 500, 1);"
        "INSERT INTO job VALUES (1, '2024-01-01'), (2, '2024-02-01');"
        "INSERT INTO job_part VALUES (1, 1, 2, 3), (2, 1, 1, 3), (2, 2, 9, 5);"
    )


@pytest.mark.parametrize(
    ("question", "rows"), [("best selling part", [("Hinge",)]), ("worst selling part", [("Bolt",)])]
)
def test_what_sells_best_is_by_lines_with_a_price_where_bills_have_only_amounts(
    fitter: Any, question: str, rows: list[Any]
) -> None:
    fitter.answers(question, rows)


@pytest.fixture(scope="module")
def dairy(make: Any) -> Any:
    return make(
        "CREATE TABLE shops (id INTEGER PRIMARY KEY, name VARCHAR, shop_kind VARCHAR);"
        "CREATE TABLE kinds (code VARCHAR PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE goods (id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR REFERENCES kinds (code), price DOUBLE);"
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, good_id INTEGER REFERENCES goods (id),"
        " shop_id INTEGER REFERENCES shops (id), sold_on DATE, quantity INTEGER, amount DOUBLE);"
        "INSERT INTO shops VALUES (1, 'North', 'kiosk'), (2, 'South', 'stall');"
        "INSERT INTO kinds VALUES ('CH', 'Cheese'), ('YO', 'Yoghurts');"
        "INSERT INTO goods VALUES (1, 'Brie', 'CH', 5), (2, 'Gouda', 'CH', 4), (3, 'Plain', 'YO', 1),"
        " (4, 'Cherry', 'YO', 2);"
        "INSERT INTO sales VALUES (1, 1, 1, '2024-01-01', 2, 10), (2, 2, 1, '2024-01-01', 3, 12),"
        " (3, 3, 2, '2024-01-01', 9, 9), (4, 4, 2, '2024-02-01', 7, 14), (5, 1, 2, '2024-02-01', 4, 20);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("best selling cheese", [("Brie",)]),
        ("top 2 best selling yoghurts", [("Cherry",), ("Plain",)]),
        ("best selling yoghurt by revenue", [("Cherry",)]),
        ("worst selling yoghurt", [("Cherry",)]),
    ],
)
def test_what_sells_best_may_be_of_a_kind(dairy: Any, question: str, rows: list[Any]) -> None:
    dairy.answers(question, rows)


def test_a_kind_of_what_sells_is_no_kind_of_what_is_sold(dairy: Any) -> None:
    with pytest.raises(Unread):
        dairy.read("best selling kiosk in 2024")
