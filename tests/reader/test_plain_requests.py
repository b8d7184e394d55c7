"""Short requests in everyday words, over names that share a verb, an amount in other rows, or a code."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def market(make: Any) -> Any:
    return make(
        "CREATE TABLE stalls (id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR, roof INTEGER, row_no INTEGER);"
        "CREATE TABLE sellers (id INTEGER PRIMARY KEY, name VARCHAR, trade VARCHAR, gndr VARCHAR, pay INTEGER,"
        " boss_id INTEGER REFERENCES sellers (id), stall_id INTEGER REFERENCES stalls (id));"
        "CREATE TABLE goods (id INTEGER PRIMARY KEY, name VARCHAR, brand VARCHAR, wait_days INTEGER, stock INTEGER,"
        " orgn_fl VARCHAR);"
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, goods_id INTEGER REFERENCES goods (id),"
        " seller_id INTEGER REFERENCES sellers (id), sold_on DATE, quantity INTEGER, pay_mthd VARCHAR);"
        "INSERT INTO stalls VALUES (1, 'North', 'Leeds', 1, 1), (2, 'South', 'Bath', 0, 1), (3, 'East', 'Bath', 0, 2);"
        "INSERT INTO sellers VALUES (1, 'Ann', 'grocer', 'F', 90, NULL, 1);"
        "INSERT INTO sellers VALUES (2, 'Bo', 'baker', 'M', 80, 1, 2),"
        " (3, 'Cy', 'baker', 'M', 70, 1, 3);"
        "INSERT INTO goods VALUES (1, 'jam', 'Zing', 9, 3, 'Y'), (2, 'bread', 'Oaty', 1, 30, 'N'),"
        " (3, 'tea', 'Zing', 5, 12, 'N');"
        "INSERT INTO sales VALUES (1, 1, 1, '2024-01-01', 5, 'VCH'), (2, 2, 2, '2024-01-02', 4, 'CSH'),"
        " (3, 2, 3, '2024-02-01', 7, 'CSH'), (4, 3, 1, '2024-02-02', 1, 'VCH');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who is the manager of Bo", [("Ann",)]),
        ("who is the boss of Cy", [("Ann",)]),
        ("how many people work in Bath", [(2,)]),
        ("how many people are there", [(3,)]),
        ("female sellers", [("Ann",)]),
        ("how many sellers are male", [(2,)]),
        ("how many sales did Bo make", [(1,)]),
        ("goods with fewer than 10 in stock", [("jam",)]),
        ("goods with more than 20 in stock", [("bread",)]),
        ("which goods have the longest wait", [("jam",)]),
        ("stalls without a roof in row 2", [("East",)]),
        ("stalls without roof in Bath", [("East",), ("South",)]),
        ("sales per baker", [("Bo", 1), ("Cy", 1)]),
        ("how many sales did each baker make", [("Bo", 1), ("Cy", 1)]),
        ("top 2 goods by quantity", [("bread", 11), ("jam", 5)]),
        ("top 2 biggest sellers by quantity sold", [("Ann", 6), ("Cy", 7)]),
        ("sales paid by voucher", [(1,), (4,)]),
        ("sales paid in cash", [(2,), (3,)]),
        ("the bakers and their pay, best paid first", [("Bo", 80), ("Cy", 70)]),
    ],
)
def test_a_plain_request_is_read(market: Any, question: str, rows: list[Any]) -> None:
    market.answers(question, rows)


@pytest.fixture(scope="module")
def ferry(make: Any) -> Any:
    return make(
        "CREATE TABLE piers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE ticket_sales (id INTEGER PRIMARY KEY, pier_id INTEGER REFERENCES piers (id), kind VARCHAR,"
        " sold_on DATE, quantity INTEGER, price INTEGER, channel VARCHAR);"
        "INSERT INTO piers VALUES (1, 'East'), (2, 'West');"
        "INSERT INTO ticket_sales VALUES (1, 1, 'single', '2024-01-02', 2, 5, 'app'),"
        " (2, 1, 'return', '2024-01-03', 3, 8, 'desk'), (3, 2, 'single', '2024-02-04', 4, 5, 'app');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("tickets sold per kind", [("return", 3), ("single", 6)]),
        ("tickets sold by channel", [("app", 6), ("desk", 3)]),
        ("tickets sold by pier", [("East", 5), ("West", 4)]),
        ("tickets sold per month", [("2024-01", 5), ("2024-02", 4)]),
        ("total tickets sold through the app", [(6,)]),
        ("total tickets sold for West", [(4,)]),
    ],
)
def test_what_is_sold_is_counted_by_the_piece(ferry: Any, question: str, rows: list[Any]) -> None:
    ferry.answers(question, rows)


@pytest.fixture(scope="module")
def workshop(make: Any) -> Any:
    return make(
        "CREATE TABLE halls (id INTEGER PRIMARY KEY, name VARCHAR, floor INTEGER);"
        "CREATE TABLE smiths (id INTEGER PRIMARY KEY, name VARCHAR, born DATE, hall_id INTEGER REFERENCES halls (id));"
        "CREATE TABLE exams (id INTEGER PRIMARY KEY, title VARCHAR);"
        "CREATE TABLE sittings (smith_id INTEGER REFERENCES smiths (id), exam_id INTEGER REFERENCES exams (id),"
        " passed_yn VARCHAR);"
        "CREATE TABLE jobs (id INTEGER PRIMARY KEY, smith_id INTEGER REFERENCES smiths (id), hours INTEGER,"
        " received DATE, status VARCHAR, urgent INTEGER);"
        "INSERT INTO halls VALUES (1, 'Forge', 1), (2, 'Loft', 2), (3, 'Attic', 3);"
        "INSERT INTO smiths VALUES (1, 'Ann', '1970-01-01', 1), (2, 'Bo', '1960-01-01', 2), (3, 'Cy', '1990-01-01', 3);"
        "INSERT INTO exams VALUES (1, 'First Aid'), (2, 'Welding Basics');"
        "INSERT INTO sittings VALUES (1, 1, 'Y'), (2, 1, 'N'), (3, 2, 'Y');"
        "INSERT INTO jobs VALUES (1, 1, 30, '2024-01-01', 'open', 1), (2, 1, 20, '2024-01-05', 'lapsed', 0),"
        " (3, 2, 40, '2024-02-01', 'open', 1), (4, 3, 10, '2024-03-01', 'done', 0);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("smiths on the 2nd or 3rd floor", [("Bo",), ("Cy",)]),
        ("halls on the third floor", [("Attic",)]),
        ("jobs received in January 2024, how many?", [(2,)]),
        ("urgent jobs, how many?", [(2,)]),
        ("jobs with the status lapsed (run out)", [(2,)]),
        ("lapsed jobs", [(2,)]),
        ("how many jobs are still open", [(2,)]),
        ("smiths who passed First Aid", [("Ann",)]),
        ("how many smiths passed Welding Basics", [(1,)]),
        ("smiths who worked more than 40 hours in total", [("Ann",)]),
        ("smiths who worked more than 35 hours altogether, with their hours", [("Ann", 50), ("Bo", 40)]),
        ("hours for each urgent job", [(1, 30), (3, 40)]),
        ("smiths born before 1980, oldest first, with floor", [("Ann", 1), ("Bo", 2)]),
        ("Which smiths are on floor 1? Name and floor", [("Ann", 1)]),
    ],
)
def test_what_is_said_in_passing_counts(workshop: Any, question: str, rows: list[Any]) -> None:
    workshop.answers(question, rows)


def test_oldest_first_is_by_birth(workshop: Any) -> None:
    (reading,) = workshop.read("smiths, oldest first, with floor")
    assert workshop.rows(reading.sql) == [("Bo", 2), ("Ann", 1), ("Cy", 3)]
