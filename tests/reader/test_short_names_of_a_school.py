"""A school of music in short names: two words for one short name, doers in short, prices of named things, pieces."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

SCHOOL = (
    "CREATE TABLE tchr (tchr_no INTEGER PRIMARY KEY, tchr_nm VARCHAR);"
    "CREATE TABLE pup (pup_no INTEGER PRIMARY KEY, pup_nm VARCHAR, cls_no INTEGER, lk_dep INTEGER);"
    "CREATE TABLE cls (cls_no INTEGER PRIMARY KEY, cls_nm VARCHAR, tchr_no INTEGER);"
    "CREATE TABLE insm (insm_cd VARCHAR PRIMARY KEY, insm_nm VARCHAR, knd_cd VARCHAR, unt_price INTEGER,"
    " scratch_qty INTEGER);"
    "CREATE TABLE knd (knd_cd VARCHAR PRIMARY KEY, knd_nm VARCHAR);"
    "INSERT INTO knd VALUES ('1', 'flutes'), ('2', 'guitars');"
    "CREATE TABLE sale_ln (sale_no INTEGER, pos INTEGER, insm_cd VARCHAR, price INTEGER, PRIMARY KEY (sale_no, pos));"
    "CREATE TABLE build (bld_no INTEGER PRIMARY KEY, insm_cd VARCHAR, bld_dt DATE, plan_qty INTEGER, good_qty INTEGER);"
    "CREATE TABLE stnd_mv (mv_no INTEGER PRIMARY KEY, pup_no INTEGER, mv_dt DATE, stnd_out INTEGER, stnd_in INTEGER);"
    "CREATE TABLE lckr (lckr_no INTEGER PRIMARY KEY, pup_no INTEGER, flr INTEGER);"
    "INSERT INTO tchr VALUES (1, 'Ann'), (2, 'Bo'); INSERT INTO pup VALUES (1, 'Cy', 1, 20), (2, 'Di', 2, NULL);"
    "INSERT INTO cls VALUES (1, 'Advanced Choir', 2), (2, 'Junior Band', 1);"
    "INSERT INTO insm VALUES ('F', 'Silver Flute', '1', 90, 0), ('G', 'Oak Guitar', '2', 70, 3),"
    " ('H', 'Pine Guitar', '2', 50, NULL);"
    "INSERT INTO sale_ln VALUES (1, 1, 'F', 85), (1, 2, 'G', 70), (2, 1, 'F', 80);"
    "INSERT INTO build VALUES (1, 'G', '2024-01-02', 10, 9), (2, 'H', '2024-01-03', 5, 5);"
    "INSERT INTO stnd_mv VALUES (1, 1, '2024-01-02', 5, 0), (2, 1, '2024-02-02', 0, 3);"
)


@pytest.fixture(scope="module")
def school(make: Any) -> Any:
    return make(SCHOOL)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who teaches the junior band", [("Ann",)]),
        ("price of the silver flute", [(90,)]),
        ("what is the price of the oak guitar", [(70,)]),
        ("instruments with scratches", [("Oak Guitar",)]),
        ("pupils without a locker deposit", [("Di",)]),
    ],
)
def test_short_names_are_read(school: Any, question: str, rows: list[Any]) -> None:
    school.answers(question, rows)


@pytest.mark.parametrize("question", ["how many guitars did we build in 2024", "how many stands does each pupil have"])
def test_rows_are_not_counted_for_the_pieces_that_they_tell(school: Any, question: str) -> None:
    with pytest.raises(Unread):
        school.read(question)


def test_rows_are_counted_where_they_are_asked_for(school: Any) -> None:
    school.answers("how many builds of guitars were there in 2024", [(2,)])
