"""Questions about a workshop: differences of dates and amounts, averages of a row's own group, shares of money, and
values that stand for things; each is compared with SQL in both engines.
"""

from __future__ import annotations

from typing import Any

import pytest

WORKSHOP = """
CREATE TABLE owners (id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);
CREATE TABLE sheds (id INTEGER PRIMARY KEY, shed_name VARCHAR, heating VARCHAR);
CREATE TABLE mechanics (id INTEGER PRIMARY KEY, name VARCHAR, trade VARCHAR, salary INTEGER, hired_on DATE,
  shed_id INTEGER REFERENCES sheds (id));
CREATE TABLE boats (id INTEGER PRIMARY KEY, make VARCHAR, model VARCHAR, owner_id INTEGER REFERENCES owners (id));
CREATE TABLE repairs (id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (id),
  mechanic_id INTEGER REFERENCES mechanics (id), started_on DATE, finished_on DATE, paid_on DATE);
CREATE TABLE kinds (id INTEGER PRIMARY KEY, kind_name VARCHAR);
CREATE TABLE parts (id INTEGER PRIMARY KEY, part_name VARCHAR, kind_id INTEGER REFERENCES kinds (id), price DOUBLE,
  cost DOUBLE, color VARCHAR);
CREATE TABLE sales (id INTEGER PRIMARY KEY, part_id INTEGER REFERENCES parts (id),
  owner_id INTEGER REFERENCES owners (id), sold_on DATE, quantity INTEGER, unit_price DOUBLE);
INSERT INTO owners VALUES (1, 'Ann', 'Oslo'), (2, 'Bob', 'Bergen'), (3, 'Cid', 'Oslo');
INSERT INTO sheds VALUES (1, 'North', 'gas'), (2, 'South', NULL);
INSERT INTO mechanics VALUES (1, 'Dag', 'welder', 30, '2019-03-01', 1), (2, 'Eva', 'welder', 50, '2021-05-01', 1),
  (3, 'Fay', 'painter', 40, '2022-07-01', 2);
INSERT INTO boats VALUES (1, 'Askel', 'Tern', 1), (2, 'Askel', 'Gull', 2), (3, 'Norn', 'Skua', 3);
INSERT INTO repairs VALUES (1, 1, 1, '2022-01-03', '2022-01-10', '2022-02-01'),
  (2, 1, 2, '2023-02-01', '2023-02-04', NULL),
  (3, 2, 3, '2022-05-01', '2022-05-02', '2022-05-03'), (4, 2, 3, '2023-06-01', NULL, NULL);
INSERT INTO kinds VALUES (1, 'Ropes'), (2, 'Lamps');
INSERT INTO parts VALUES (1, 'Thin rope', 1, 10, 4, 'red'), (2, 'Thick rope', 1, 30, 20, 'blue'),
  (3, 'Deck lamp', 2, 50, 45, 'red');
INSERT INTO sales VALUES (1, 1, 1, '2022-03-01', 5, 10), (2, 2, 2, '2022-04-01', 1, 30), (3, 3, 1, '2023-04-05', 2, 60);
"""


@pytest.fixture(scope="module")
def workshop(make: Any) -> Any:
    return make(WORKSHOP)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many days did each repair take", [(1, 7), (2, 3), (3, 1), (4, None)]),
        ("average number of days between start and finish of repairs", [(11 / 3,)]),
        ("how long do repairs take on average?", [(11 / 3,)]),
        ("On average, how many days pass between the finish and payment of a repair?", [(11.5,)]),
        ("repairs that took more than 2 days", [(1,), (2,)]),
        ("repairs that were paid more than 5 days after they were finished", [(1,)]),
        ("repairs not finished yet", [(4,)]),
        ("repairs that have not been paid yet", [(2,), (4,)]),
    ],
)
def test_days_between_two_dates_are_counted(workshop: Any, question: str, rows: list[tuple[object, ...]]) -> None:
    (reading,) = workshop.read(question)
    assert sorted(workshop.rows(reading.sql)) == [pytest.approx(row) for row in rows], reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("margin of each part", [("Deck lamp", 5.0), ("Thick rope", 10.0), ("Thin rope", 6.0)]),
        ("which part has the highest margin?", [("Thick rope",)]),
        ("parts with a margin above 5", [("Thick rope",), ("Thin rope",)]),
        ("average margin per kind", [("Lamps", 5.0), ("Ropes", 8.0)]),
        ("difference between price and cost for each red part", [("Deck lamp", 5.0), ("Thin rope", 6.0)]),
        ("parts under 40", [("Thick rope",), ("Thin rope",)]),
        ("red parts under 40", [("Thin rope",)]),
    ],
)
def test_one_amount_less_another_is_read(workshop: Any, question: str, rows: list[tuple[object, ...]]) -> None:
    workshop.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("mechanics who earn more than the average of their own trade", [("Eva",)]),
        ("mechanics with a salary above the average salary of their shed", [("Eva",)]),
        ("parts with a price above the average price of their kind", [("Thick rope",)]),
        ("parts above the average price of their kind", [("Thick rope",)]),
    ],
)
def test_a_row_is_compared_with_the_average_of_its_own_group(
    workshop: Any, question: str, rows: list[tuple[object, ...]]
) -> None:
    workshop.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("what percentage of revenue comes from the Ropes kind?", [(40.0,)]),
        ("share of the revenue that comes from red parts", [(0.85,)]),
        ("how many parts were sold?", [(8,)]),
        ("number of parts sold per year", [("2022", 6), ("2023", 2)]),
        ("how much did we sell in 2022?", [(80.0,)]),
        ("owners who bought in both 2022 and 2023", [("Ann",)]),
        ("owners who bought in 2022 but not in 2023", [("Bob",)]),
    ],
)
def test_what_was_sold_is_counted_by_the_piece_and_in_money(
    workshop: Any, question: str, rows: list[tuple[object, ...]]
) -> None:
    (reading,) = workshop.read(question)
    assert sorted(workshop.rows(reading.sql)) == [pytest.approx(row) for row in rows], reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("list the welders", [("Dag",), ("Eva",)]),
        ("how many welders are there?", [(2,)]),
        ("welders hired after 2020", [("Eva",)]),
        ("red lamps", [("Deck lamp",)]),
        ("who is the best paid mechanic?", [("Eva",)]),
        ("which mechanics were hired since 2021", [("Eva",), ("Fay",)]),
        ("sheds without heating on record", [("South",)]),
        ("boats of Ann", [("Askel", "Tern")]),
        ("Boats of owners from Oslo - model and owner", [("Skua", "Cid"), ("Tern", "Ann")]),
    ],
)
def test_a_value_stands_for_the_things_that_have_it(
    workshop: Any, question: str, rows: list[tuple[object, ...]]
) -> None:
    workshop.answers(question, rows)


def test_a_verb_is_no_short_form_of_a_column(make: Any) -> None:
    staff = make(
        "CREATE TABLE staff (id INTEGER PRIMARY KEY, nm VARCHAR, stat VARCHAR, strt_dt DATE);"
        "INSERT INTO staff VALUES (1, 'Ann', 'A', '2023-02-01'), (2, 'Bob', 'B', '2022-02-01');"
    )
    staff.answers("how many staff started in 2023", [(1,)])


def test_a_thing_without_a_name_is_shown_by_the_number_that_it_was_given(make: Any) -> None:
    shop = make(
        "CREATE TABLE bills (id INTEGER PRIMARY KEY, bill_no VARCHAR, town VARCHAR);"
        "INSERT INTO bills VALUES (1, 'B-7', 'Rome'), (2, 'B-8', 'Oslo');"
    )
    shop.answers("bills from Rome", [("B-7",)])


@pytest.mark.parametrize(
    ("price", "cost"), [("sell_prc", "cost_prc"), ("unit_pr", "cost_pr"), ("list_price", "buy_price")]
)
def test_a_margin_is_also_found_by_short_names(make: Any, price: str, cost: str) -> None:
    stall = make(
        f"CREATE TABLE ware (ware_no INTEGER PRIMARY KEY, ware_nm VARCHAR, {price} REAL, {cost} REAL);"
        "INSERT INTO ware VALUES (1, 'Jug', 9, 4), (2, 'Mug', 6, 5);"
    )
    stall.answers("margin on each ware", [("Jug", 5.0), ("Mug", 1.0)])
    stall.answers("wares with a margin under 2", [("Mug",)])
