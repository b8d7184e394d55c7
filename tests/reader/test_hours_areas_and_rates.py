"""Times in hours and minutes, areas, what expires, rates of some rows, and values before the things they are of."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def garage(make: Any) -> Any:
    return make(
        "CREATE TABLE bays (id INTEGER PRIMARY KEY, name VARCHAR, sqm INTEGER, state VARCHAR);"
        "CREATE TABLE clients (id INTEGER PRIMARY KEY, name VARCHAR, company VARCHAR);"
        "CREATE TABLE stays (id INTEGER PRIMARY KEY, ticket_no VARCHAR, bay_id INTEGER REFERENCES bays (id),"
        " entered_at TIMESTAMP, left_at TIMESTAMP);"
        "CREATE TABLE passes (id INTEGER PRIMARY KEY, pass_no VARCHAR, client_id INTEGER REFERENCES clients (id),"
        " kind VARCHAR, valid_from DATE, valid_to DATE);"
        "CREATE TABLE checks (id INTEGER PRIMARY KEY, kind VARCHAR, passed INTEGER, checked DATE);"
        "INSERT INTO bays VALUES (1, 'A1', 12, 'vacant'), (2, 'A2', 30, 'occupied'), (3, 'A3', 20, 'vacant');"
        "INSERT INTO clients VALUES (1, 'Ann', 'Acme'), (2, 'Bo', NULL);"
        "INSERT INTO stays VALUES (1, 'T1', 1, '2024-01-01 08:00:00', '2024-01-01 20:00:00'),"
        " (2, 'T2', 2, '2024-01-01 08:00:00', '2024-01-01 09:00:00'),"
        " (3, 'T3', 2, '2024-01-02 08:00:00', '2024-01-02 08:30:00');"
        "INSERT INTO passes VALUES (1, 'P1', 1, 'business', '2023-01-01', '2024-12-31'),"
        " (2, 'P2', 2, 'private', '2024-01-01', '2025-06-30'), (3, 'P3', 2, 'business', '2024-01-01', '2025-01-31');"
        "INSERT INTO checks VALUES (1, 'brakes', 1, '2024-01-01'), (2, 'brakes', 0, '2024-02-01'),"
        " (3, 'lights', 1, '2024-03-01'), (4, 'lights', 1, '2024-04-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("stays over 10 hours", [("T1",)]),
        ("how many stays lasted less than 90 minutes?", [(2,)]),
        ("average length of stay in hours", [(4.5,)]),
        ("average length of stay in minutes", [(270.0,)]),
        ("passes that expire in 2025", [("P2",), ("P3",)]),
        ("passes expiring before 2025", [("P1",)]),
        ("business passes", [("P1",), ("P3",)]),
        ("how many business passes does Bo have?", [(1,)]),
        ("the largest bay", [("A2",)]),
        ("largest vacant bay", [("A3",)]),
        ("bays larger than 15 square metres", [("A2",), ("A3",)]),
        ("bays over 250 sq ft", [("A2",)]),
        ("pass rate of brakes checks", [(0.5,)]),
        ("pass rate per kind of check", [("brakes", 0.5), ("lights", 1.0)]),
    ],
)
def test_they_are_read(garage: Any, question: str, rows: list[Any]) -> None:
    ((reading),) = garage.read(question)
    shown = [tuple(round(v, 6) if isinstance(v, float) else v for v in row) for row in garage.rows(reading.sql)]
    assert sorted(shown) == rows, reading.sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average stay in hours", [(4.5,)]),
        ("longest stay in minutes", [(720.0,)]),
        ("average stay per bay in hours", [("A1", 12.0), ("A2", 0.75)]),
        ("unoccupied bays", [("A1",), ("A3",)]),
        ("how many bays are unoccupied?", [(2,)]),
    ],
)
def test_durations_are_averaged_and_states_denied(garage: Any, question: str, rows: list[Any]) -> None:
    garage.answers(question, rows)


def test_an_unknown_adjective_is_not_left_out(garage: Any) -> None:
    assert "draughty" in str(garage.refused("how many bays are draughty?"))


def test_a_price_per_square_metre_is_no_group(garage: Any) -> None:
    garage.refused("the dearest bay per square metre")


def test_areas_are_compared_in_the_unit_of_the_column(make: Any) -> None:
    moors = make(
        "CREATE TABLE moors (id INTEGER PRIMARY KEY, name VARCHAR, area_sqkm REAL);"
        "INSERT INTO moors VALUES (1, 'Elm', 3.5), (2, 'Oak', 1.5);"
    )
    moors.answers("moors over 2 square kilometres", [("Elm",)])
    moors.answers("moors over 2000000 square metres", [("Elm",)])
    moors.answers("total square kilometres of moors", [(5.0,)])


def test_a_known_short_form_stands_for_no_other_word(make: Any) -> None:
    rentals = make(
        "CREATE TABLE rentals (rental_id INTEGER PRIMARY KEY, start_dt DATE, end_dt DATE, disc_pct INTEGER);"
        "INSERT INTO rentals VALUES (1, '2024-01-01', '2024-01-09', 5), (2, '2024-01-01', '2024-01-03', 50);"
    )
    rentals.answers("longest rental", [(1,)])
    rentals.answers("average discount", [(27.5,)])


@pytest.fixture(scope="module")
def dance(make: Any) -> Any:
    """The only hours that a name says are those of a rate; lessons are in minutes."""
    return make(
        "CREATE TABLE tchr (tch_id INTEGER PRIMARY KEY, tch_nm VARCHAR, hr_rt DOUBLE);"
        "CREATE TABLE cls (cls_id INTEGER PRIMARY KEY, tch_id INTEGER REFERENCES tchr (tch_id), cls_dt DATE,"
        " dur_min INTEGER);"
        "INSERT INTO tchr VALUES (1, 'Ann', 30), (2, 'Bo', 40);"
        "INSERT INTO cls VALUES (1, 1, '2024-01-01', 90), (2, 1, '2024-02-01', 60), (3, 2, '2024-02-02', 45);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("hours per teacher", [("Ann", 2.5), ("Bo", 0.75)]),
        ("total hours in 2024", [(3.25,)]),
        ("hours taught by Ann in February 2024", [(1.0,)]),
        ("minutes per teacher", [("Ann", 150), ("Bo", 45)]),
        ("average hourly rate", [(35.0,)]),
    ],
)
def test_hours_are_of_what_lasts_and_no_rate(dance: Any, question: str, rows: list[Any]) -> None:
    dance.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many hours did we work in 2024", [(9,)]),
        ("how many hours were worked in 2024", [(9,)]),
        ("how many hours did each fitter work", [("Ann", 7), ("Bo", 5)]),
        ("average hours between report and completion of faults", [(2,)]),
        ("fitters who earn more than 20 an hour", [("Bo",)]),
        ("average hourly rate", [(20,)]),
    ],
)
def test_hours_that_are_kept_are_no_time_between_others(make: Any, question: str, rows: list[Any]) -> None:
    works = make(
        "CREATE TABLE fitter (fitter_no INTEGER PRIMARY KEY, fitter_nm VARCHAR, hrly_rt INTEGER);"
        "CREATE TABLE faults (fault_no INTEGER PRIMARY KEY, report_ts TIMESTAMP, completion_ts TIMESTAMP);"
        "CREATE TABLE labour (labour_no INTEGER PRIMARY KEY, fault_no INTEGER REFERENCES faults (fault_no),"
        " fitter_no INTEGER REFERENCES fitter (fitter_no), wrk_dt DATE, hrs INTEGER);"
        "INSERT INTO fitter VALUES (1, 'Ann', 18), (2, 'Bo', 22);"
        "INSERT INTO faults VALUES (1, '2024-01-01 08:00:00', '2024-01-01 10:00:00');"
        "INSERT INTO labour VALUES (1, 1, 1, '2024-01-01', 4), (2, 1, 2, '2024-01-01', 5), (3, 1, 1, '2023-01-01', 3);"
    )
    works.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many hours did Ann work", [(7,)]),
        ("how many hours did we work in 2024", [(9,)]),
        ("how many hours did we plan in 2024", [(8,)]),
    ],
)
def test_hours_are_those_that_the_verb_says(make: Any, question: str, rows: list[Any]) -> None:
    rota = make(
        "CREATE TABLE cleaners (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE shifts (id INTEGER PRIMARY KEY, cleaner_id INTEGER REFERENCES cleaners (id), shift_date DATE,"
        " planned_hours INTEGER, worked_hours INTEGER);"
        "INSERT INTO cleaners VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO shifts VALUES (1, 1, '2024-01-01', 4, 5), (2, 2, '2024-01-01', 4, 4), (3, 1, '2023-01-01', 3, 2);"
    )
    rota.answers(question, rows)


def test_a_square_unit_is_one_word_of_a_name(make: Any) -> None:
    halls = make(
        "CREATE TABLE halls (name VARCHAR, floor_m2 INTEGER, park_km2 DOUBLE);"
        "INSERT INTO halls VALUES ('Elm', 90, 400.0), ('Oak', 150, 1.0);"
    )
    halls.answers("halls over 100 square metres", [("Oak",)])
    halls.answers("halls with a floor of more than 100 m2", [("Oak",)])
