"""What two lists have in common, what only the first one has, and both together."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread
from askwhere.reader.two_lists import TwoLists, two_lists


@pytest.fixture(scope="module")
def alps(make: Any) -> Any:
    return make(
        "CREATE TABLE hut (hut_id INTEGER PRIMARY KEY, name VARCHAR, valley VARCHAR, beds INTEGER);"
        "CREATE TABLE guide (guide_id INTEGER PRIMARY KEY, name VARCHAR, home_valley VARCHAR);"
        "CREATE TABLE stay (stay_id INTEGER PRIMARY KEY, hut_id INTEGER REFERENCES hut (hut_id), began DATE);"
        "INSERT INTO hut VALUES (1, 'Edelweiss', 'Inn', 20), (2, 'Gentian', 'Inn', 8), (3, 'Edelweiss', 'Ziller', 30),"
        " (4, 'Arnica', NULL, 5);"
        "INSERT INTO guide VALUES (1, 'Resi', 'Inn'), (2, 'Toni', 'Pitz'), (3, 'Vroni', NULL);"
        "INSERT INTO stay VALUES (1, 1, '2023-07-01'), (2, 3, '2023-07-02'), (3, 3, '2024-07-01'),"
        " (4, 2, '2024-08-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("valleys with both a hut and a guide", [("Inn",)]),
        ("which valleys are home to both huts and guides?", [("Inn",)]),
        ("valleys where we have a hut as well as a guide", [("Inn",)]),
        ("valleys with huts but no guide", [("Ziller",)]),
        ("valleys where we have a hut but no guide lives", [("Ziller",)]),
        ("one list of all valleys where we have a hut or a guide, no doubles", [("Inn",), ("Pitz",), ("Ziller",)]),
        ("every valley where there is a hut or a guide", [("Inn",), ("Pitz",), ("Ziller",)]),
    ],
)
def test_values_of_two_tables(alps: Any, question: str, rows: list[Any]) -> None:
    alps.answers(question, rows)


def test_things_of_one_name_are_told_apart_by_their_keys(alps: Any) -> None:
    alps.answers("huts with stays in both 2023 and 2024", [("Edelweiss",)])
    (reading,) = alps.read("names of huts with stays in 2023 but none in 2024")
    assert alps.rows(reading.sql) == [("Edelweiss",)]  # the one in the Inn valley
    assert "hut_id IN (" in reading.sql


def test_it_is_less_certain_than_either_list(alps: Any) -> None:
    (both,), (one,), (other,) = map(
        alps.read, ("valleys with both a hut and a guide", "valleys of huts", "valleys of guides")
    )
    assert both.confidence < min(one.confidence, other.confidence)


@pytest.mark.parametrize(
    "question",
    ["valleys with both a hut and a zorb", "beds with both a hut and a guide", "huts with no", "one list of"],
)
def test_what_has_no_two_lists_is_refused_as_before(alps: Any, question: str) -> None:
    with pytest.raises(Unread):
        alps.read(question)


@pytest.mark.parametrize(
    ("question", "lists"),
    [
        ("Towns with a depot but no donor?", TwoLists("not", "Towns of depot", "Towns of donor")),
        ("boats sold in May but not in June", TwoLists("not", "boats sold in May", "boats sold in June", True)),
        ("surnames shared by a pupil and a teacher", TwoLists("and", "surnames of pupil", "surnames of teacher")),
        ("farms and mills in one list without doubles", TwoLists("or", "farms", "mills")),
        ("which towns are there", None),
    ],
)
def test_how_a_question_is_split(question: str, lists: TwoLists | None) -> None:
    assert next(two_lists(question), None) == lists


def test_a_long_question_is_not_split() -> None:
    assert not list(two_lists(f"towns with both a depot and a donor {'and a mill ' * 40}"))


def test_places_of_two_tables_are_compared_also_where_another_joins_them(make: Any) -> None:
    trade = make(
        "CREATE TABLE buyers (id INTEGER PRIMARY KEY, name VARCHAR, country VARCHAR);"
        "CREATE TABLE makers (id INTEGER PRIMARY KEY, name VARCHAR, country VARCHAR);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers (id),"
        " maker_id INTEGER REFERENCES makers (id));"
        "INSERT INTO buyers VALUES (1, 'Ann', 'Spain'), (2, 'Bo', 'Peru'), (3, 'Cy', 'Chile');"
        "INSERT INTO makers VALUES (1, 'Dee', 'Spain'), (2, 'Eve', 'Chile'); INSERT INTO orders VALUES (1, 1, 1);"
    )
    trade.answers("countries with buyers but no maker", [("Peru",)])
