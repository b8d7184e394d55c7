"""Codes are asked for by what they stand for, units mean what is in them, and a price per kilo is no weight."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def mill(make: Any) -> Any:
    return make(
        "CREATE TABLE knd (knd_cd VARCHAR PRIMARY KEY, knd_desc VARCHAR);"
        "CREATE TABLE farm (frm_id INTEGER PRIMARY KEY, frm_nm VARCHAR, knd_cd VARCHAR, blcklst INTEGER);"
        "CREATE TABLE loads (load_id INTEGER PRIMARY KEY, frm_id INTEGER, grain VARCHAR, load_dt DATE, wt_kg INTEGER,"
        " prc_kg DECIMAL(6,2));"
        "CREATE TABLE deal (deal_no INTEGER PRIMARY KEY, frm_id INTEGER, strt_dt DATE, end_dt DATE);"
        "INSERT INTO knd VALUES ('O', 'orchard'), ('C', 'ranch');"
        "INSERT INTO farm VALUES (1, 'Holm', 'O', 0), (2, 'Vik', 'C', 1), (3, 'Dal', 'C', 0);"
        "INSERT INTO loads VALUES (1, 1, 'rye', '2023-02-01', 900, 0.3), (2, 1, 'oats', '2023-03-01', 4200, 0.2),"
        " (3, 2, 'rye', '2024-03-01', 5100, 0.4);"
        "INSERT INTO deal VALUES (1, 1, '2020-01-01', '2021-01-01'), (2, 1, '2021-01-01', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many ranches are there", [(2,)]),
        ("blacklisted farms", [("Vik",)]),
        ("kilos per farm", [("Holm", 5100), ("Vik", 5100)]),
        ("loads over 4 tonnes", [(2,), (3,)]),
        ("current deals", [(2,)]),
    ],
)
def test_codes_and_units(mill: Any, question: str, rows: list[Any]) -> None:
    mill.answers(question, rows)


def test_what_failed_is_refused_where_nothing_says_so(mill: Any) -> None:
    with pytest.raises(Unread):
        mill.read("which farms failed a load")
