"""What a question says of some rows is read or refused, and never passed over."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def rental(make: Any) -> Any:
    return make(
        "CREATE TABLE members (id INTEGER PRIMARY KEY, name VARCHAR, left_on DATE);"
        "CREATE TABLE canoes (id INTEGER PRIMARY KEY, name VARCHAR, length_m INTEGER);"
        "CREATE TABLE hires (id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members(id),"
        " canoe_id INTEGER REFERENCES canoes(id), opened_by INTEGER REFERENCES members(id), channel VARCHAR,"
        " returned_on DATE, discount_pct INTEGER, fee INTEGER);"
        "INSERT INTO members VALUES (1, 'Ida', NULL), (2, 'Per', '2023-05-01'), (3, 'Siv', NULL);"
        "INSERT INTO canoes VALUES (1, 'Otter', 4), (2, 'Heron', 6);"
        "INSERT INTO hires VALUES (1, 1, 1, 2, 'web', '2024-02-03', 0, 20), (2, 1, 2, 2, 'shop', NULL, 10, 30),"
        " (3, 2, 1, 3, 'web', '2024-03-01', NULL, 25);"
    )


@pytest.mark.parametrize(
    "question",
    [
        "members who hired every canoe",
        "canoes where every hire was through the shop",
        "who hired for every canoe",
        "how many hires are still open",
        "how many hires have already finished on the web",
        "canoes that we still sell",
        "most heavily hired canoe",
        "what share of hires came through the web shop",
        "members who are themselves canoes",
        "total fee in 2024 (return date)",
    ],
)
def test_what_tells_rows_apart_is_not_passed_over(rental: Any, question: str) -> None:
    rental.refused(question)


def test_what_is_so_now_of_rows_between_is_not_passed_over(make: Any) -> None:
    papers = make(
        "CREATE TABLE readers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE papers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE contracts (reader_id INTEGER REFERENCES readers(id), paper_id INTEGER REFERENCES papers(id),"
        " start_date DATE, end_date DATE);"
        "INSERT INTO readers VALUES (1, 'Ida'); INSERT INTO papers VALUES (1, 'Sun');"
        "INSERT INTO contracts VALUES (1, 1, '2020-01-01', NULL);"
    )
    papers.refused("readers who take more than one paper right now")


def test_rows_without_a_value_are_left_out_where_it_is_said(rental: Any) -> None:
    rental.answers("number of hires per discount, leave out the ones with no discount", [(10, 1)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("hires by channel", [("shop", 1), ("web", 2)]),
        ("how many hires have already returned", [(2,)]),
        ("canoes, name and length", [("Heron", 6), ("Otter", 4)]),
        ("canoes longer than 3 m, longest first", [("Heron",), ("Otter",)]),
    ],
)
def test_titles_and_lists_are_read(rental: Any, question: str, rows: list[Any]) -> None:
    rental.answers(question, rows)


@pytest.mark.parametrize("question", ["cheapest first", "newest first, please", "cheapest first canoes"])
def test_an_order_of_nothing_is_refused_and_does_not_fail(rental: Any, question: str) -> None:
    rental.refused(question)


def test_shares_of_all_rows_and_of_sums_are_read(rental: Any) -> None:
    rental.answers("what percentage of fees came from hires through the web", [(60.0,)])
    (reading,) = rental.read("channels as a percentage of all hires")
    assert sorted(rental.rows(reading.sql)) == [("shop", pytest.approx(100 / 3)), ("web", pytest.approx(200 / 3))]


@pytest.mark.parametrize("question", ["which members do slaloms", "which members did a slalom", "who does slaloms"])
def test_what_is_done_is_not_passed_over(rental: Any, question: str) -> None:
    rental.refused(question)


@pytest.fixture(scope="module")
def regatta(make: Any) -> Any:
    return make(
        "CREATE TABLE rowers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE heats (id INTEGER PRIMARY KEY, rower_id INTEGER REFERENCES rowers(id), heat_date DATE,"
        " abandoned INTEGER, place INTEGER);"
        "CREATE TABLE medals (id INTEGER PRIMARY KEY, rower_id INTEGER REFERENCES rowers(id), metal VARCHAR);"
        "INSERT INTO rowers VALUES (1, 'Ida'), (2, 'Per');"
        "INSERT INTO heats VALUES (1, 1, '2024-02-03', 0, 1), (2, 1, '2024-02-04', 1, 2), (3, 2, '2024-02-03', 0, 2);"
        "INSERT INTO medals VALUES (1, 1, 'gold'), (2, 1, 'silver');"
    )


@pytest.mark.parametrize(
    "question",
    ["how many heats did each rower win", "heats that Ida won", "how many heats did each rower lose", "who failed"],
)
def test_a_verb_for_how_things_ended_is_not_passed_over(regatta: Any, question: str) -> None:
    regatta.refused(question)


def test_a_verb_that_a_flag_says_is_a_condition(regatta: Any) -> None:
    regatta.answers("how many heats did each rower abandon", [("Ida", 1)])
    regatta.answers("how many medals did each rower win", [("Ida", 2)])
