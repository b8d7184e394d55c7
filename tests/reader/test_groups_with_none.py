"""Groups without rows: "centres with none should show too", "zeros too", "leave out those without any"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def rink(make: Any) -> Any:
    return make(
        "CREATE TABLE coaches (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE halls (code VARCHAR PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE lessons (id INTEGER PRIMARY KEY, coach_id INTEGER REFERENCES coaches (id),"
        " hall VARCHAR REFERENCES halls (code), held_on DATE, minutes INTEGER);"
        "INSERT INTO coaches VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');"
        "INSERT INTO halls VALUES ('N', 'North'), ('S', 'South');"
        "INSERT INTO lessons VALUES (1, 1, 'N', '2024-01-01', 30), (2, 1, 'N', '2024-02-01', 60),"
        " (3, 2, 'N', '2023-01-01', 45);"
    )


@pytest.mark.parametrize(
    "question",
    [
        "lessons per coach, coaches with none should show too",
        "number of lessons for each coach, zeros too",
        "how many lessons has each coach given? show 0 for those without any",
        "number of lessons for every coach, also the ones with nothing",
        "lessons per coach, coaches without lessons too",
        "lessons per coach, including coaches nobody hired",
        "lessons per coach, unused coaches as well",
        "number of lessons per coach; coaches without lessons as 0",
        "lessons per coach, also coaches who have not taught and have none",
    ],
)
def test_groups_without_rows_are_shown_if_asked_for(rink: Any, question: str) -> None:
    rink.answers(question, [("Ann", 2), ("Bo", 1), ("Cy", 0)])


@pytest.mark.parametrize(
    "question",
    [
        "number of lessons per coach, leave out coaches without lessons",
        "lessons per coach (ignore coaches with none)",
        "how many lessons did each coach give? coaches without any can be skipped",
        "number of lessons by coach, skip those with none",
    ],
)
def test_groups_without_rows_are_left_out_if_that_is_said(rink: Any, question: str) -> None:
    rink.answers(question, [("Ann", 2), ("Bo", 1)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("coaches with more than 80 minutes in total, with their minutes", [("Ann", 90)]),
        ("coaches who taught more than 50 minutes altogether", [("Ann",)]),
        ("coaches who taught under 50 minutes in total", [("Bo",)]),
        ("lessons longer than 40 minutes: date and minutes", [("2023-01-01", 45), ("2024-02-01", 60)]),
        ("how many lessons are there in total", [(3,)]),
        ("number of lessons by hall please", [("North", 3)]),
        ("number of lessons by coach pls", [("Ann", 2), ("Bo", 1)]),
        ("names of the coaches please", [("Ann",), ("Bo",), ("Cy",)]),
        ("coaches without lessons please", [("Cy",)]),
    ],
)
def test_what_is_compared_in_total_is_added_up(rink: Any, question: str, rows: list[Any]) -> None:
    (reading,) = rink.read(question)
    assert [
        tuple(c if isinstance(c, int | str) else str(c) for c in row) for row in sorted(rink.rows(reading.sql))
    ] == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("coaches with at most one lesson, those with none included", [("Bo",), ("Cy",)]),
        ("coaches with fewer than 2 lessons, zero counts too", [("Bo",), ("Cy",)]),
        ("coaches with at most one lesson", [("Bo",)]),
    ],
)
def test_few_rows_may_be_none_if_that_is_said(rink: Any, question: str, rows: list[Any]) -> None:
    rink.answers(question, rows)


def test_a_note_says_that_what_has_no_rows_is_left_out(rink: Any) -> None:
    (reading,) = rink.read("coaches with at most one lesson")
    assert reading.notes == ('coaches without any lessons are left out; "including those with none" asks for them too',)


def test_where_no_rows_are_counted_it_is_no_clause_about_groups(rink: Any) -> None:
    rink.refused("coaches, including those with none")
    rink.answers("coaches, skip those without lessons", [("Ann",), ("Bo",)])


def test_rows_without_a_key_of_their_own_are_counted_too(make: Any) -> None:
    choir = make(
        "CREATE TABLE songs (song_id INTEGER PRIMARY KEY, title VARCHAR);"
        "CREATE TABLE song_parts (song_id INTEGER REFERENCES songs (song_id), voice VARCHAR, fee_eur DOUBLE,"
        " PRIMARY KEY (song_id, voice));"
        "INSERT INTO songs VALUES (1, 'Ave'), (2, 'Kyrie'), (3, 'Requiem');"
        "INSERT INTO song_parts VALUES (1, 'alto', 30), (1, 'bass', 30), (2, 'alto', 40);"
    )
    choir.answers("number of song parts per song including those with none", [("Ave", 2), ("Kyrie", 1), ("Requiem", 0)])
    choir.answers("percentage of total fee per song", [("Ave", 60.0), ("Kyrie", 40.0)])


@pytest.fixture(scope="module")
def bands(make: Any) -> Any:
    return make(
        "CREATE TABLE drummer (drummer_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE band (band_id INTEGER PRIMARY KEY, name VARCHAR,"
        " drummer_id INTEGER REFERENCES drummer (drummer_id));"
        "INSERT INTO drummer VALUES (1, 'Kit'), (2, 'Tom');"
        "INSERT INTO band VALUES (1, 'Owls', 1), (2, 'Rooks', NULL), (3, 'Wrens', 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("bands and their drummers", [("Owls", "Kit"), ("Wrens", "Tom")]),
        ("bands and their drummers; keep bands without one", [("Owls", "Kit"), ("Rooks", None), ("Wrens", "Tom")]),
        ("bands and their drummers, including those with none", [("Owls", "Kit"), ("Rooks", None), ("Wrens", "Tom")]),
        ("bands and their drummers; leave out bands that have none", [("Owls", "Kit"), ("Wrens", "Tom")]),
    ],
)
def test_things_without_the_other_are_kept_in_a_list_of_two(bands: Any, question: str, rows: list[Any]) -> None:
    bands.answers(question, rows)


def test_things_that_are_not_shown_first_are_not_kept(bands: Any) -> None:
    bands.refused("bands and their drummers, drummers without bands too")
