"""Which amounts are meant, and of which rows: what was paid beside a fee, hours that are added up, prices that vary."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def press(make: Any) -> Any:
    return make(
        "CREATE TABLE papers (paper_id INTEGER PRIMARY KEY, name VARCHAR, price_per_ream INTEGER);"
        "CREATE TABLE printers (printer_id INTEGER PRIMARY KEY, name VARCHAR, built INTEGER, leased_until DATE);"
        "CREATE TABLE stays (stay_id INTEGER PRIMARY KEY, guest VARCHAR, fee INTEGER, paid INTEGER, came_on DATE);"
        "CREATE TABLE runs (run_id INTEGER PRIMARY KEY, printer_id INTEGER REFERENCES printers (printer_id),"
        " paper_id INTEGER REFERENCES papers (paper_id), run_on DATE, shift VARCHAR, hours INTEGER, sheets INTEGER,"
        " price_per_ream INTEGER);"
        "INSERT INTO papers VALUES (1, 'Vellum', 9), (2, 'Kraft', 4);"
        "INSERT INTO printers VALUES (1, 'Big Bertha', 2011, '2030-01-01'), (2, 'Mini', 1999, '2031-01-01');"
        "INSERT INTO runs VALUES (1, 1, 1, '2024-01-05', 'day', 2, 100, 10),"
        " (2, 1, 2, '2024-02-01', 'night', 3, 50, 5),"
        " (3, 2, 1, '2023-02-01', 'day', 4, 300, 12), (4, 2, 1, '2024-02-02', 'night', 1, 200, 12);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("hours worked in 2024", [(6,)]),
        ("average sheets per run by shift", [("day", 200.0), ("night", 125.0)]),
        ("the oldest printer", [("Mini",)]),
        ("printers built before 2000", [("Mini",)]),
        ("average price per ream of Vellum", [(pytest.approx(34 / 3),)]),
    ],
)
def test_amounts_are_of_the_rows_that_are_spoken_of(press: Any, question: str, rows: list[Any]) -> None:
    press.answers(question, rows)


def test_what_was_paid_is_no_fee(make: Any) -> None:
    moorings = make(
        "CREATE TABLE skippers (skipper_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE bookings (booking_id INTEGER PRIMARY KEY, skipper_id INTEGER REFERENCES skippers (skipper_id),"
        " booked_on DATE, fee INTEGER, paid INTEGER);"
        "INSERT INTO skippers VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO bookings VALUES (1, 1, '2024-01-01', 90, 0), (2, 2, '2024-01-01', 50, 50);"
    )
    moorings.answers("how much did each skipper pay for bookings", [("Ann", 0), ("Bo", 50)])
    moorings.answers("which skipper paid the most", [("Bo",)])


def test_one_date_is_not_in_a_year_and_out_of_another(make: Any) -> None:
    shop = make(
        "CREATE TABLE buyers (buyer_id INTEGER PRIMARY KEY, name VARCHAR, first_order DATE);"
        "CREATE TABLE carts (cart_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers (buyer_id),"
        " ordered_on DATE);"
        "INSERT INTO buyers VALUES (1, 'Ann', '2022-01-01'), (2, 'Bo', '2020-01-01');"
        "INSERT INTO carts VALUES (1, 1, '2022-01-01'), (2, 1, '2023-01-01'), (3, 2, '2022-05-05');"
    )
    shop.answers("buyers who ordered in 2022 but not in 2023", [("Bo",)])  # and no first order of 2022


def test_most_of_a_mass_is_no_number_of_rows(make: Any) -> None:
    boats = make(
        "CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE fuel_sales (sale_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (boat_id),"
        " litres INTEGER);"
    )
    with pytest.raises(Unread):
        boats.read("which boat bought the most fuel")


def test_a_participle_names_no_table_of_those_who_do_it(make: Any) -> None:
    agency = make(
        "CREATE TABLE painters (painter_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE jobs (job_id INTEGER PRIMARY KEY, painter_id INTEGER REFERENCES painters (painter_id),"
        " walls INTEGER);"
        "INSERT INTO painters VALUES (1, 'Ann'); INSERT INTO jobs VALUES (1, 1, 3), (2, 1, 4);"
    )
    with pytest.raises(Unread):
        agency.read("walls painted per painter")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total stock", [(12,)]),
        ("which colour has the most stock", [("green",)]),
        ("who has no manager", [("Di",)]),
        ("hours per breeder in 2024", [("Ann", 3), ("Bo", 4)]),
        ("breeders since 2021", [("Bo",)]),
        ("helpers since 2021", [("Cy",)]),
    ],
)
def test_a_stock_is_no_least_stock_and_since_is_said_of_the_things_themselves(
    make: Any, question: str, rows: list[Any]
) -> None:
    farm = make(
        "CREATE TABLE breeders (breeder_id INTEGER PRIMARY KEY, name VARCHAR, breeder_since DATE);"
        "CREATE TABLE helpers (helper_id INTEGER PRIMARY KEY, name VARCHAR, hired_on DATE, breeder_id INTEGER,"
        " manager_id INTEGER);"
        "CREATE TABLE feedings (feeding_id INTEGER PRIMARY KEY, breeder_id INTEGER, fed_on DATE, hours INTEGER);"
        "INSERT INTO feedings VALUES (1, 1, '2024-01-01', 3), (2, 1, '2023-01-01', 9), (3, 2, '2024-01-01', 4);"
        "CREATE TABLE feeds (feed_id INTEGER PRIMARY KEY, name VARCHAR, colour VARCHAR, min_stock INTEGER,"
        " stock_qty INTEGER);"
        "INSERT INTO breeders VALUES (1, 'Ann', '2019-01-01'), (2, 'Bo', '2022-05-05');"
        "INSERT INTO helpers VALUES (1, 'Cy', '2023-01-01', 1, 2), (2, 'Di', '2018-01-01', 2, NULL);"
        "INSERT INTO feeds VALUES (1, 'hay', 'green', 90, 4), (2, 'oats', 'white', 99, 5),"
        " (3, 'clover', 'green', 1, 3);"
    )
    farm.answers(question, rows)


def test_amounts_are_shown_of_each_row_though_several_are_the_same(make: Any) -> None:
    clinic = make(
        "CREATE TABLE owners (id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners (id), fee INTEGER);"
        "INSERT INTO owners VALUES (1, 'Ann', 'Oslo'), (2, 'Bo', 'Rome');"
        "INSERT INTO visits VALUES (1, 1, 40), (2, 1, 40), (3, 2, 30);"
    )
    clinic.answers("fees in Oslo", [(40,), (40,)])
