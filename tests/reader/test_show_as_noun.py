"""A "show" may be a thing; link tables are nobody; a prefix, a flag or the end of a name are not what words mean."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def theatre(make: Any) -> Any:
    return make(
        "CREATE TABLE ac_actor (ac_id INTEGER PRIMARY KEY, ac_name VARCHAR);"
        "CREATE TABLE sh_show (sh_id INTEGER PRIMARY KEY, sh_title VARCHAR, sh_order_date DATE, sh_ac_id INTEGER);"
        "CREATE TABLE wk_work (wk_id INTEGER PRIMARY KEY, wk_sh_id INTEGER, wk_overtime_flg INTEGER, wk_qty_oh INT);"
        "INSERT INTO ac_actor VALUES (1, 'Ann'), (2, 'Ben');"
        "INSERT INTO sh_show VALUES (1, 'Hamlet', '2023-01-02', 1), (2, 'Faust', '2023-02-02', 1),"
        " (3, 'Medea', '2023-03-02', 2);"
        "INSERT INTO wk_work VALUES (1, 1, 0, 5), (2, 1, 1, 7), (3, 2, 0, 9);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many works does each show have", [("Faust", 1), ("Hamlet", 2)]),
        ("actors with more than one show", [("Ann",)]),
        ("how many shows did each actor order", [("Ann", 2), ("Ben", 1)]),
    ],
)
def test_shows_are_things(theatre: Any, question: str, rows: list[Any]) -> None:
    theatre.answers(question, rows)


@pytest.mark.parametrize("question", ["total overtime hours", "shows on shore"])
def test_a_flag_is_not_added_up_nor_a_prefix_or_the_end_of_a_name_meant(theatre: Any, question: str) -> None:
    theatre.refused(question)
