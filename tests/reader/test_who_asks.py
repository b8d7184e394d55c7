"""Whom "who" asks for: the doer that a key is named after, the other side of a link table, and pairs."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def coast(make: Any) -> Any:
    return make(
        "CREATE TABLE crew (id INTEGER PRIMARY KEY, call_name VARCHAR, points INTEGER);"
        "CREATE TABLE lamps (code VARCHAR PRIMARY KEY, lamp VARCHAR, keeper_id INTEGER REFERENCES crew (id),"
        " inspector_id INTEGER REFERENCES crew (id));"
        "CREATE TABLE farms (id INTEGER PRIMARY KEY, farm VARCHAR);"
        "CREATE TABLE crops (id INTEGER PRIMARY KEY, crop VARCHAR);"
        "CREATE TABLE grows (farm_id INTEGER REFERENCES farms (id), crop_id INTEGER REFERENCES crops (id));"
        "INSERT INTO crew VALUES (1, 'Ann', 30), (2, 'Bo', 50);"
        "INSERT INTO lamps VALUES ('A', 'Cape Mercy', 1, 2), ('B', 'Low Point', 2, 1);"
        "INSERT INTO farms VALUES (1, 'Hill'), (2, 'Dale'); INSERT INTO crops VALUES (1, 'wheat'), (2, 'maize');"
        "INSERT INTO grows VALUES (1, 1), (2, 2), (2, 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Who keeps Cape Mercy?", [("Ann",)]),
        ("who inspected Cape Mercy", [("Bo",)]),
        ("who grows maize?", [("Dale",)]),
        ("who has the most points", [("Bo",)]),
        ("who has the most points? call name and points", [("Bo", 50)]),
        ("who keeps which lamp?", [("Ann", "Cape Mercy"), ("Bo", "Low Point")]),
        ("which farms grow which crops", [("Dale", "maize"), ("Dale", "wheat"), ("Hill", "wheat")]),
    ],
)
def test_who_asks_for_those_who_do_it(coast: Any, question: str, rows: list[Any]) -> None:
    (reading,) = coast.read(question)
    assert sorted(coast.rows(reading.sql)) == rows, reading.sql


@pytest.fixture(scope="module")
def boatyard(make: Any) -> Any:
    return make(
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE riggers (id INTEGER PRIMARY KEY, name VARCHAR, hired DATE);"
        "CREATE TABLE refits (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id),"
        " rigger_id INTEGER REFERENCES riggers (id), hours INTEGER);"
        "INSERT INTO customers VALUES (1, 'Sea Line'), (2, 'Tess'); INSERT INTO riggers VALUES (1, 'Ann', NULL),"
        " (2, 'Bo', NULL);"
        "INSERT INTO refits VALUES (1, 1, 1, 5), (2, 1, 1, 6), (3, 1, 2, 20), (4, 2, 1, 3);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who did the most refits", [("Ann",)]),
        ("who does the fewest refits", [("Bo",)]),
        ("who did the most refit hours", [("Bo",)]),
        ("who did the most hours", [("Bo",)]),
    ],
)
def test_who_did_the_most_is_one_of_the_staff(boatyard: Any, question: str, rows: list[Any]) -> None:
    (reading,) = boatyard.read(question)
    assert boatyard.rows(reading.sql) == rows, reading.sql


def test_who_is_no_number(boatyard: Any) -> None:
    boatyard.refused("who clocked the most hours")


@pytest.fixture(scope="module")
def school(make: Any) -> Any:
    return make(
        "CREATE TABLE sites (id INTEGER PRIMARY KEY, name VARCHAR, caretaker_id INTEGER);"
        "CREATE TABLE tutors (id INTEGER PRIMARY KEY, name VARCHAR, salary INTEGER,"
        " site_id INTEGER REFERENCES sites (id));"
        "CREATE TABLE pupils (id INTEGER PRIMARY KEY, name VARCHAR, site_id INTEGER REFERENCES sites (id));"
        "CREATE TABLE coachings (id INTEGER PRIMARY KEY, tutor_id INTEGER REFERENCES tutors (id),"
        " pupil_id INTEGER REFERENCES pupils (id), held_on DATE);"
        "INSERT INTO sites VALUES (1, 'Parkside', 2), (2, 'Hilltop', 7);"
        "INSERT INTO tutors VALUES (1, 'Ann', 10, 1), (2, 'Bo', 20, 1), (3, 'Cy', 30, 2);"
        "INSERT INTO pupils VALUES (1, 'Dee', 1), (2, 'Eli', 2), (3, 'Fay', 2);"
        "INSERT INTO coachings VALUES (1, 1, 1, '2023-01-01'), (2, 3, 1, '2023-01-02'), (3, 2, 2, '2023-01-03');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who works at parkside", [("Ann",), ("Bo",)]),
        ("who is employed at hilltop", [("Cy",)]),
        ("how many people work at parkside", [(2,)]),
    ],
)
def test_who_works_somewhere_is_none_of_those_who_are_served(school: Any, question: str, rows: list[Any]) -> None:
    school.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who coached Dee", [("Ann",), ("Cy",)]),
        ("who has coached the pupil Dee", [("Ann",), ("Cy",)]),
        ("who never coached Dee", [("Bo",)]),
    ],
)
def test_who_does_something_to_somebody_is_another(school: Any, question: str, rows: list[Any]) -> None:
    school.answers(question, rows)


@pytest.mark.parametrize("question", ["who manages parkside", "who runs the hilltop site", "tutors who lead parkside"])
def test_who_manages_a_place_is_not_whoever_is_there(school: Any, question: str) -> None:
    with pytest.raises(Unread):
        school.read(question)


def test_who_somebody_is_is_not_answered_by_a_number(make: Any) -> None:
    port = make(
        "CREATE TABLE crews (id INTEGER PRIMARY KEY, name VARCHAR, cook_no INTEGER);"
        "INSERT INTO crews VALUES (1, 'Tern', 12), (2, 'Gull', 14);"
    )
    with pytest.raises(Unread):
        port.read("who is the cook of the tern crew")


def test_who_does_something_is_no_thing_of_that_kind(make: Any) -> None:
    shop = make(
        "CREATE TABLE employees (id INTEGER PRIMARY KEY, name VARCHAR, manager_id INTEGER, town VARCHAR);"
        "CREATE TABLE goods (id INTEGER PRIMARY KEY, name VARCHAR, category VARCHAR);"
        "INSERT INTO employees VALUES (1, 'Ann', NULL, 'Oslo'), (2, 'Bo', 1, 'Oslo');"
        "INSERT INTO goods VALUES (1, 'Assam', 'Tea'), (2, 'Jam', 'Spread');"
    )
    shop.answers("who manages Bo", [("Ann",)])
    with pytest.raises(Unread):
        shop.read("who manages tea")


@pytest.fixture(scope="module")
def surveying(make: Any) -> Any:
    """Surveys of plots by surveyors, in short names; a plot also has an owner and somebody in charge of it."""
    return make(
        "CREATE TABLE owners (owner_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE masons (mason_id INTEGER PRIMARY KEY, name VARCHAR, hired_on DATE);"
        "CREATE TABLE plots (plot_id INTEGER PRIMARY KEY, code VARCHAR, owner_id INTEGER REFERENCES owners (owner_id),"
        " lead_mason_id INTEGER REFERENCES masons (mason_id));"
        "CREATE TABLE surv (surv_id INTEGER PRIMARY KEY, plot_id INTEGER REFERENCES plots (plot_id),"
        " mason_id INTEGER REFERENCES masons (mason_id), surv_dt DATE);"
        "CREATE TABLE site_visits (visit_id INTEGER PRIMARY KEY, plot_id INTEGER REFERENCES plots (plot_id),"
        " mason_id INTEGER REFERENCES masons (mason_id), visited_on DATE);"
        "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners (owner_id),"
        " ordered_on DATE, remarks VARCHAR, order_details VARCHAR);"
        "INSERT INTO owners VALUES (1, 'Olga'), (2, 'Otto');"
        "INSERT INTO masons VALUES (1, 'Mia', '2019-01-01'), (2, 'Max', '2020-01-01'), (3, 'Meg', '2021-01-01');"
        "INSERT INTO plots VALUES (1, 'QX-17', 1, 1), (2, 'QX-18', 2, 1);"
        "INSERT INTO surv VALUES (1, 1, 2, '2024-01-05'), (2, 2, 3, '2024-02-05');"
        "INSERT INTO site_visits VALUES (1, 1, 3, '2024-01-07'), (2, 2, 2, '2024-02-07');"
        "INSERT INTO orders VALUES (1, 1, '2024-01-01', 'fragile', 'x'), (2, 2, '2024-03-01', NULL, NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who visited QX-17?", [("Meg",)]),
        ("who visited plot QX-17?", [("Meg",)]),
        ("who visits the plot QX-17", [("Meg",)]),
        ("who made the latest order?", [("Otto",)]),
    ],
)
def test_who_did_something_is_whom_its_table_refers_to(surveying: Any, question: str, rows: list[Any]) -> None:
    surveying.answers(question, rows)


def test_a_participle_that_names_the_date_of_an_act_names_the_act(make: Any) -> None:
    """The short form `insp` may be for "inspected", so that the word names the date alone."""
    claims = make(
        "CREATE TABLE adj (adj_id INTEGER, fn VARCHAR, ln VARCHAR);"
        "CREATE TABLE clm (clm_no VARCHAR, est_loss DOUBLE);"
        "CREATE TABLE insp (insp_id INTEGER, clm_no VARCHAR, adj_id INTEGER, insp_dt DATE);"
        "CREATE TABLE pmt (pmt_id INTEGER, clm_no VARCHAR, amt DOUBLE);"
        "INSERT INTO adj VALUES (1, 'Ann', 'Lee'), (2, 'Bo', 'Orr');"
        "INSERT INTO clm VALUES ('K1001', 50), ('K1002', 70);"
        "INSERT INTO insp VALUES (1, 'K1001', 2, '2024-05-05'), (2, 'K1002', 1, '2024-05-06');"
        "INSERT INTO pmt VALUES (1, 'K1001', 20), (2, 'K1002', 30);"
    )
    claims.answers("who inspected claim K1001?", [("Bo", "Orr")])
    claims.answers("who inspected K1002?", [("Ann", "Lee")])
