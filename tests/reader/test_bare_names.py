"""A bare name beside things is of the one that has them: "has Queen recorded", "which Queen album"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def music(make: Any) -> Any:
    return make(
        "CREATE TABLE artists (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE albums (id INTEGER PRIMARY KEY, title VARCHAR, artist_id INTEGER REFERENCES artists (id));"
        "CREATE TABLE tracks (id INTEGER PRIMARY KEY, name VARCHAR, composer VARCHAR,"
        " album_id INTEGER REFERENCES albums (id));"
        "INSERT INTO artists VALUES (1, 'Iron Maiden'), (2, 'Queen');"
        "INSERT INTO albums VALUES (1, 'Iron Maiden', 1), (2, 'Powerslave', 1), (3, 'Jazz', 2), (4, 'Covers', 2);"
        "INSERT INTO tracks VALUES (1, 'Iron Maiden', 'Harris', 1), (2, 'Aces', 'Harris', 2), (3, 'Duel', 'Smith', 2),"
        " (4, 'Mustapha', 'Queen', 3), (5, 'Wreck', 'Berry', 4), (6, 'Stand', 'King', 4);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many albums has Iron Maiden recorded?", [(2,)]),
        ("How many albums did Iron Maiden release?", [(2,)]),
        ("Which albums has Queen released?", [("Covers",), ("Jazz",)]),
        ("How many Iron Maiden albums are there?", [(2,)]),
        ("Which Queen album has the most tracks?", [("Covers",)]),
        ("Which Iron Maiden album has the most tracks?", [("Powerslave",)]),
        ("the album Iron Maiden", [("Iron Maiden",)]),
    ],
)
def test_a_bare_name_is_of_who_has_the_things(music: Any, question: str, rows: list[Any]) -> None:
    music.answers(question, rows)


@pytest.fixture(scope="module")
def farm(make: Any) -> Any:
    """Tables whose names are short, and whose keys nobody declared."""
    return make(
        "CREATE TABLE fld (fl_cd VARCHAR, fl_nm VARCHAR, area INTEGER);"
        "CREATE TABLE wrkr (wr_no INTEGER, wr_nm VARCHAR, fl_cd VARCHAR, mgr_no INTEGER);"
        "CREATE TABLE hrvst (wr_no INTEGER, fl_cd VARCHAR, tons INTEGER);"
        "INSERT INTO fld VALUES ('N', 'North', 5), ('S', 'South', 9);"
        "INSERT INTO wrkr VALUES (1, 'Ada', 'N', NULL), (2, 'Ben', 'N', 1), (3, 'Cas', 'S', 1);"
        "INSERT INTO hrvst VALUES (1, 'S', 4), (2, 'S', 7);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many wrkr are there per fld?", [("North", 2), ("South", 1)]),
        ("total tons of hrvst per wrkr", [("Ada", 4), ("Ben", 7)]),
        ("wrkr who report to Ada", [("Ben",), ("Cas",)]),
    ],
)
def test_a_first_column_that_is_called_a_key_is_one(farm: Any, question: str, rows: list[Any]) -> None:
    farm.answers(question, rows)


def test_a_company_is_the_name_of_what_has_no_other(make: Any) -> None:
    mills = make(
        "CREATE TABLE towns (code VARCHAR PRIMARY KEY, town VARCHAR, region VARCHAR);"
        "CREATE TABLE mills (id INTEGER PRIMARY KEY, company VARCHAR, town_code VARCHAR REFERENCES towns (code));"
        "CREATE TABLE sacks (id INTEGER PRIMARY KEY, mill_id INTEGER REFERENCES mills (id), kilos DOUBLE);"
        "CREATE TABLE posts (id INTEGER PRIMARY KEY, company INTEGER REFERENCES mills (id), grade VARCHAR);"
        "INSERT INTO towns VALUES ('A', 'Aby', 'North'), ('B', 'Brim', 'South');"
        "INSERT INTO mills VALUES (1, 'Acme', 'A'), (2, 'Bolt', 'B'), (3, 'Core', 'A');"
        "INSERT INTO sacks VALUES (1, 1, 5), (2, 1, 6), (3, 3, 7), (4, 2, 8); INSERT INTO posts VALUES (7, 2, 'low');"
    )
    mills.answers("list the mills", [("Acme",), ("Bolt",), ("Core",)])
    mills.answers("which mill has the most sacks", [("Acme",)])
    mills.answers("list the posts", [(7,)])
    mills.answers("which regions do our sacks come from", [("North",), ("South",)])
    mills.answers("what regions are the sacks from", [("North",), ("South",)])
    mills.answers("kilos of sacks", [(5.0,), (6.0,), (7.0,), (8.0,)])
