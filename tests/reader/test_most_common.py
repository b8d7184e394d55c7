"""The value that most rows have is a value, and the day of most of them a day."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def rentals(make: Any) -> Any:
    return make(
        "CREATE TABLE tracks (id INTEGER PRIMARY KEY, name VARCHAR, composer VARCHAR);"
        "CREATE TABLE rentals (id INTEGER PRIMARY KEY, rental_date TIMESTAMP,"
        " track_id INTEGER REFERENCES tracks (id));"
        "INSERT INTO tracks VALUES (1, 'A', NULL), (2, 'B', NULL), (3, 'C', NULL), (4, 'D', 'Bach'), (5, 'E', 'Bach'),"
        " (6, 'F', 'Orff');"
        "INSERT INTO rentals VALUES (1, '2024-05-01 10:00:00', 1), (2, '2024-05-02 10:00:00', 1),"
        " (3, '2024-05-02 11:00:00', 2), (4, '2024-05-03 09:00:00', 4), (5, '2024-05-03 09:00:00', 4),"
        " (6, '2024-05-02 12:00:00', 5);"
    )


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which composer wrote the most tracks?", "Bach"),
        ("Which composer has the most tracks?", "Bach"),
        ("What is the most common composer of tracks?", "Bach"),
        ("Which composer has the fewest tracks?", "Orff"),
        ("Which day had the most rentals?", "2024-05-02"),
        ("Which date has the most rentals?", "2024-05-02"),
    ],
)
def test_the_most_common_value_is_a_value(rentals: Any, question: str, value: str) -> None:
    (reading,) = rentals.read(question)
    assert [str(row[0]) for row in rentals.rows(reading.sql)] == [value], reading.sql


def test_what_is_shown_of_a_thing_may_be_missing(rentals: Any) -> None:
    (reading,) = rentals.read("the name and composer of the track with the most rentals")
    assert rentals.rows(reading.sql)[0][0] in ("A", "D")
    assert "NOT NULL" not in reading.sql


def test_what_we_use_most_is_used_most(make: Any) -> None:
    kiln = make(
        "CREATE TABLE glazes (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE pots (id INTEGER PRIMARY KEY, glaze_id INTEGER REFERENCES glazes (id));"
        "INSERT INTO glazes VALUES (1, 'Ash'), (2, 'Celadon'); INSERT INTO pots VALUES (1, 2), (2, 2), (3, 1);"
    )
    kiln.answers("which glaze do we use most", [("Celadon",)])
    kiln.answers("which glaze do we use the most", [("Celadon",)])


@pytest.fixture(scope="module")
def depot(make: Any) -> Any:
    return make(
        "CREATE TABLE trams (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE breakdowns (id INTEGER PRIMARY KEY, tram_id INTEGER REFERENCES trams (id), happened DATE,"
        " cause VARCHAR, remark VARCHAR);"
        "INSERT INTO trams VALUES (1, 'Blue'), (2, 'Red');"
        "INSERT INTO breakdowns VALUES (1, 1, '2024-01-01', 'brakes', NULL), (2, 1, '2024-02-01', 'brakes', 'x'),"
        " (3, 2, '2023-02-01', 'doors', NULL), (4, 2, '2023-03-01', 'doors', NULL), (5, 2, '2023-04-01', 'mast', NULL);"
        "INSERT INTO breakdowns VALUES (6, 1, '2024-03-01', 'brakes', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("most common breakdown", [("brakes",)]),
        ("what is the most common breakdown in 2023", [("doors",)]),
        ("the most frequent breakdown of Red", [("doors",)]),
    ],
)
def test_the_most_common_of_events_is_by_their_cause(depot: Any, question: str, rows: list[Any]) -> None:
    depot.answers(question, rows)


@pytest.fixture(scope="module")
def alarms(make: Any) -> Any:
    return make(
        "CREATE TABLE sites (site_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE alarm_codes (alarm_code VARCHAR PRIMARY KEY, description VARCHAR);"
        "CREATE TABLE status_codes (status_code VARCHAR PRIMARY KEY, description VARCHAR);"
        "CREATE TABLE alarms (alarm_id INTEGER PRIMARY KEY, site_id INTEGER REFERENCES sites (site_id), raised DATE,"
        " alarm_code VARCHAR REFERENCES alarm_codes (alarm_code),"
        " status_code VARCHAR REFERENCES status_codes (status_code));"
        "INSERT INTO sites VALUES (1, 'Mill'), (2, 'Quay');"
        "INSERT INTO alarm_codes VALUES ('F', 'Smoke'), ('D', 'Door open'), ('P', 'Power cut');"
        "INSERT INTO status_codes VALUES ('O', 'Open'), ('C', 'Closed');"
        "INSERT INTO alarms VALUES (1, 1, '2023-01-01', 'F', 'C'), (2, 1, '2023-02-01', 'F', 'C'),"
        " (3, 2, '2024-01-01', 'F', 'O'), (4, 2, '2024-02-01', 'D', 'C'), (5, 2, '2024-03-01', 'D', 'C');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("most common alarm", [("Smoke",)]),
        ("what is the most frequent alarm in 2024", [("Door open",)]),
        ("most common alarm at Mill", [("Smoke",)]),
        ("2 most common alarms", [("Door open",), ("Smoke",)]),
        ("most common alarm of each site", [("Mill", "Smoke"), ("Quay", "Door open")]),
    ],
)
def test_the_most_common_of_events_is_by_the_code_of_their_kind(alarms: Any, question: str, rows: list[Any]) -> None:
    alarms.answers(question, rows)


def test_the_most_common_of_events_is_by_their_description(make: Any) -> None:
    farm = make(
        "CREATE TABLE barns (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE damages (id INTEGER PRIMARY KEY, barn_id INTEGER REFERENCES barns (id), seen_on DATE,"
        " description VARCHAR, grade VARCHAR);"
        "INSERT INTO barns VALUES (1, 'Old'); INSERT INTO damages VALUES (1, 1, '2024-01-01', 'broken door', 'big'),"
        " (2, 1, '2024-02-01', 'leak', 'small'), (3, 1, '2024-03-01', 'leak', 'big');"
    )
    farm.answers("most common damage", [("leak",)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average hours by repair", [("belt", 2.0), ("pump", 5.0)]),
        ("total hours by repair", [("belt", 4.0), ("pump", 5.0)]),
        ("average hours per repair", [(3.0,)]),
    ],
)
def test_an_amount_by_events_is_by_their_kind(make: Any, question: str, rows: list[Any]) -> None:
    mill = make(
        "CREATE TABLE repair_types (repair_type VARCHAR PRIMARY KEY, description VARCHAR);"
        "CREATE TABLE repairs (repair_id INTEGER PRIMARY KEY, done DATE, hours DOUBLE, repair_type VARCHAR);"
        "INSERT INTO repairs VALUES (1, '2024-01-01', 1, 'belt'), (2, '2024-01-02', 3, 'belt'),"
        " (3, '2024-02-01', 5, 'pump');"
    )
    mill.answers(question, rows)
