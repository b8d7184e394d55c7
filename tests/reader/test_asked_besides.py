"""What is asked besides, of the things that a question names: "and what they earn", "- name and age"."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def kennels(make: Any) -> Any:
    return make(
        "CREATE TABLE kennels (id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);"
        "CREATE TABLE keepers (id INTEGER PRIMARY KEY, name VARCHAR, wage INTEGER, hired DATE,"
        " kennel_id INTEGER REFERENCES kennels (id));"
        "CREATE TABLE dogs (id INTEGER PRIMARY KEY, name VARCHAR, breed VARCHAR, weight INTEGER, price INTEGER,"
        " born DATE, kennel_id INTEGER REFERENCES kennels (id));"
        "INSERT INTO kennels VALUES (1, 'North', 'Leeds'), (2, 'South', 'Bath');"
        "INSERT INTO keepers VALUES (1, 'Ann', 900, '2019-02-01', 1), (2, 'Bo', 800, '2021-03-01', 2),"
        " (3, 'Cy', 700, '2020-04-01', 2);"
        "INSERT INTO dogs VALUES (1, 'Rex', 'collie', 30, 400, '2020-01-01', 1),"
        " (2, 'Fido', 'boxer', 40, 300, '2021-01-01', 2), (3, 'Pip', 'pug', 10, 500, '2022-01-01', 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("top 2 keepers by wage and what they earn", [("Ann", 900), ("Bo", 800)]),
        ("What is the youngest dog, and when was it born?", [("Pip", "2022-01-01")]),
        ("which dogs weigh more than 20 and which kennel are they in?", [("Fido", "South"), ("Rex", "North")]),
        ("the most expensive dog and what does it cost", [("Pip", 500)]),
        ("Who was hired in 2020 and what does he or she earn?", [("Cy", 700)]),
        ("dogs with a price below 450 and what that price is", [("Fido", 300), ("Rex", 400)]),
        ("the heaviest dog - what breed is it", [("boxer",)]),
        ("Who is the best paid keeper? Name and wage please", [("Ann", 900)]),
        ("dogs heavier than 20 and the kennel's name", [("Fido", "South"), ("Rex", "North")]),
        ("keepers hired in 2020 and the kennel's town", [("Cy", "Bath")]),
        ("keepers hired before 2021, name and wage", [("Ann", 900), ("Cy", 700)]),
    ],
)
def test_what_is_asked_besides_is_shown(kennels: Any, question: str, rows: list[Any]) -> None:
    (reading,) = kennels.read(question)
    found = [tuple(str(c) if not isinstance(c, int) else c for c in row) for row in kennels.rows(reading.sql)]
    assert sorted(found) == rows, reading.sql


@pytest.fixture(scope="module")
def depots(make: Any) -> Any:
    return make(
        "CREATE TABLE rangers (id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR,"
        " mentor_id INTEGER REFERENCES rangers (id));"
        "CREATE TABLE huts (code VARCHAR PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE patrols (patrol_id INTEGER PRIMARY KEY, walked_on DATE, km INTEGER, state VARCHAR,"
        " hut_code VARCHAR REFERENCES huts (code), lead_ranger_id INTEGER REFERENCES rangers (id));"
        "CREATE TABLE fines (fine_no INTEGER PRIMARY KEY, issued_on DATE, paid_on DATE, amount INTEGER,"
        " ranger_id INTEGER REFERENCES rangers (id));"
        "INSERT INTO rangers VALUES (1, 'Ann', 'Rye', NULL); INSERT INTO rangers VALUES (2, 'Bo', 'Hove', 1);"
        "INSERT INTO huts VALUES ('OAK', 'Oak hut'), ('ELM', 'Elm hut');"
        "INSERT INTO patrols VALUES (51, '2024-01-03', 12, 'done', 'OAK', 1);"
        "INSERT INTO patrols VALUES (52, '2024-02-03', 7, 'cancelled', 'ELM', 2);"
        "INSERT INTO patrols VALUES (53, '2023-02-03', 9, 'done', 'ELM', 2);"
        "INSERT INTO fines VALUES (901, '2024-01-01', NULL, 50, 1), (902, '2024-02-01', '2024-02-05', 80, 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("patrols that were cancelled: number, date and hut", [(52, "2024-02-03", "Elm hut")]),
        ("unpaid fines - numbers please", [(901,)]),
        ("fines over 60, number and amount", [(902, 80)]),
        ("which patrols were over 10 km? number, date and hut", [(51, "2024-01-03", "Oak hut")]),
        ("patrols led by Bo, number and hut", [(52, "Elm hut"), (53, "Elm hut")]),
        ("which patrols does Ann lead? just the dates", [("2024-01-03",)]),
        ("dates of the cancelled patrols", [("2024-02-03",)]),
    ],
)  # fmt: skip
def test_a_plain_number_or_date_is_that_of_the_thing(depots: Any, question: str, rows: list[Any]) -> None:
    (reading,) = depots.read(question)
    assert [tuple(map(_plain, row)) for row in sorted(depots.rows(reading.sql))] == rows, reading.sql


def _plain(cell: Any) -> Any:
    return cell if isinstance(cell, int | str) else str(cell)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("yachts and who owns them", [("Gull", "Ann"), ("Tern", "Bo"), ("Wren", "Bo")]),
        ("list the ketches and who owns them", [("Tern", "Bo"), ("Wren", "Bo")]),
        ("yachts longer than 12 metres and who owns them", [("Wren", "Bo")]),
        ("the longest yacht and who owns it", [("Wren", "Bo")]),
    ],
)
def test_who_does_it_is_in_the_table_of_doers(make: Any, question: str, rows: list[Any]) -> None:
    harbour = make(
        "CREATE TABLE owners (id INTEGER PRIMARY KEY, full_name VARCHAR);"
        "CREATE TABLE yachts (id INTEGER PRIMARY KEY, name VARCHAR, rig VARCHAR, length_m INTEGER,"
        " owner_id INTEGER REFERENCES owners (id));"
        "INSERT INTO owners VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO yachts VALUES (1, 'Gull', 'sloop', 9, 1), (2, 'Tern', 'ketch', 12, 2),"
        " (3, 'Wren', 'ketch', 14, 2);"
    )
    harbour.answers(question, rows)


@pytest.fixture(scope="module")
def lifts(make: Any) -> Any:
    """Lifts that refer to a table of locations, and vans with a town of their own; tickets have no place."""
    return make(
        "CREATE TABLE locations (location_id INTEGER PRIMARY KEY, name VARCHAR, address VARCHAR);"
        "CREATE TABLE lifts (lift_no VARCHAR PRIMARY KEY, kind VARCHAR, state VARCHAR,"
        " location_id INTEGER REFERENCES locations (location_id));"
        "CREATE TABLE vans (id INTEGER PRIMARY KEY, name VARCHAR, colour VARCHAR, town VARCHAR);"
        "CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, title VARCHAR,"
        " lift_no VARCHAR REFERENCES lifts (lift_no));"
        "INSERT INTO locations VALUES (1, 'Mill Court', '3 High St'), (2, 'Old Exchange', '9 Quay');"
        "INSERT INTO lifts VALUES ('L-1', 'goods', 'stuck', 1), ('L-2', 'goods', 'running', 2),"
        " ('L-3', 'passenger', 'stuck', 2);"
        "INSERT INTO vans VALUES (1, 'Ida', 'blue', 'Leeds'), (2, 'Max', 'white', 'York');"
        "INSERT INTO tickets VALUES (1, 'Door jammed', 'L-1'), (2, 'Light out', 'L-3');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("where are the goods lifts", [("L-1", "Mill Court"), ("L-2", "Old Exchange")]),
        ("stuck lifts and where they are", [("L-1", "Mill Court"), ("L-3", "Old Exchange")]),
        ("which lifts are stuck, and where are they?", [("L-1", "Mill Court"), ("L-3", "Old Exchange")]),
        ("where is lift L-2", [("Old Exchange",)]),
        ("where is Mill Court", [("3 High St",)]),
        ("where is the van Ida", [("Leeds",)]),
        ("where are the white vans", [("Max", "York")]),
    ],
)
def test_where_things_are_is_their_place(lifts: Any, question: str, rows: list[Any]) -> None:
    lifts.answers(question, rows)


def test_what_has_no_place_is_nowhere(lifts: Any) -> None:
    with pytest.raises(Unread):
        lifts.read("where are the tickets")


@pytest.fixture(scope="module")
def moorings(make: Any) -> Any:
    return make(
        "CREATE TABLE members (id INTEGER PRIMARY KEY, name VARCHAR, phone VARCHAR);"
        "CREATE TABLE boats (id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR, state VARCHAR, built INTEGER,"
        " member_id INTEGER REFERENCES members (id));"
        "INSERT INTO members VALUES (1, 'Ann', '12'), (2, 'Bo', '34');"
        "INSERT INTO boats VALUES (1, 'Ida', 'sloop', 'leaking', 1960, 1), (2, 'Max', 'ketch', 'leaking', 1990, 2),"
        " (3, 'Una', 'sloop', 'sound', 2010, 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("leaking boats and who owns them", [("Ida", "Ann"), ("Max", "Bo")]),
        ("oldest boat and who owns it", [("Ida", "Ann")]),
        ("sloops and who they belong to", [("Ida", "Ann"), ("Una", "Bo")]),
        ("boats built after 2000 and who has them", [("Una", "Bo")]),
    ],
)
def test_who_things_belong_to_is_who_they_refer_to(moorings: Any, question: str, rows: list[Any]) -> None:
    moorings.answers(question, rows)


@pytest.mark.parametrize("question", ["leaking boats and who repaired them", "leaking boats and who does them"])
def test_who_did_something_with_things_is_not_passed_over(moorings: Any, question: str) -> None:
    with pytest.raises(Unread):
        moorings.read(question)


@pytest.fixture(scope="module")
def survey(make: Any) -> Any:
    """Measurements by inspectors, and bills of firms with what was paid on them."""
    return make(
        "CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE surveys (survey_id INTEGER PRIMARY KEY, title VARCHAR,"
        " inspector_id INTEGER REFERENCES staff (staff_id),"
        " customer_id INTEGER REFERENCES customers (customer_id));"
        "CREATE TABLE payments (title VARCHAR PRIMARY KEY, survey_id INTEGER REFERENCES surveys (survey_id));"
        "INSERT INTO staff VALUES (1, 'Ann'), (2, 'Bo'); INSERT INTO customers VALUES (1, 'Cy'), (2, 'Di');"
        "INSERT INTO surveys VALUES (1, 'North', 1, 2), (2, 'South', 2, 1);"
        "INSERT INTO payments VALUES ('first', 1), ('second', 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("surveys and who did them", [("North", "Ann"), ("South", "Bo")]),
        ("surveys and who carried them out", None),
        ("surveys and who ordered them", [("North", "Di"), ("South", "Cy")]),
        ("surveys and who inspected them", [("North", "Ann"), ("South", "Bo")]),
        ("payments and who made them", None),
        ("surveys and who paid them", [("North", "Di"), ("South", "Cy")]),
    ],
)
def test_who_did_or_paid_it_is_shown_beside_it(survey: Any, question: str, rows: list[Any] | None) -> None:
    survey.answers(question, rows) if rows else survey.refused(question)
