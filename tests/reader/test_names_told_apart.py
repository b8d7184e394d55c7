"""Names that are told apart though they have one stem, or letters, or words in common."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def visas(make: Any) -> Any:
    return make(
        "CREATE TABLE dim_applicant (applicant_id INTEGER PRIMARY KEY, full_name VARCHAR);"
        "CREATE TABLE dim_officer (officer_id INTEGER PRIMARY KEY, officer_name VARCHAR);"
        "CREATE TABLE fact_application (application_no INTEGER PRIMARY KEY, applicant_id INTEGER REFERENCES"
        " dim_applicant (applicant_id), officer_id INTEGER REFERENCES dim_officer (officer_id), express VARCHAR);"
        "INSERT INTO dim_applicant VALUES (1, 'Ann'), (2, 'Bo'); INSERT INTO dim_officer VALUES (1, 'Cy');"
        "INSERT INTO fact_application VALUES (10, 1, 1, 'Y'), (11, 1, 1, 'N'), (12, 2, 1, 'Y');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("applications per officer", [("Cy", 3)]),
        ("express applications", [(10,), (12,)]),
        ("how many applications", [(3,)]),
        ("how many applicants", [(2,)]),
    ],
)
def test_of_two_names_with_one_stem_the_one_that_is_said_is_meant(visas: Any, question: str, rows: list[Any]) -> None:
    visas.answers(question, rows)


@pytest.fixture(scope="module")
def hangar(make: Any) -> Any:
    return make(
        "CREATE TABLE oprtr (oprtr_id INTEGER PRIMARY KEY, oprtr_nm VARCHAR, cr_lim INTEGER, prnt_oprtr_id INTEGER"
        " REFERENCES oprtr (oprtr_id));"
        "CREATE TABLE wo (wo_no INTEGER PRIMARY KEY, tail VARCHAR, opn_dt DATE, quote_eur DOUBLE);"
        "CREATE TABLE race (race_id INTEGER PRIMARY KEY, race_name VARCHAR, held_on DATE, fee_eur DOUBLE);"
        "INSERT INTO oprtr VALUES (1, 'Aer', 5, NULL); INSERT INTO oprtr VALUES (2, 'Fly', 3, 1);"
        "INSERT INTO wo VALUES (1, 'X', '2024-01-01', 9);"
        "INSERT INTO race VALUES (1, 'Mile', '2024-01-01', 5);"
    )


def test_a_table_is_short_for_a_doer_and_a_date_is_not(hangar: Any) -> None:
    hangar.answers("operators", [("Aer",), ("Fly",)])
    hangar.refused("total quoted per operator")  # and not per `opn_dt`: nothing joins them


def test_what_things_are_limited_by_is_not_that_of_those_over_them(hangar: Any) -> None:
    hangar.refused("operators over their credit limit")


def test_what_all_pay_is_not_what_one_thing_costs(hangar: Any) -> None:
    hangar.refused("fee income per race")
    hangar.answers("fee per race", [("Mile", 5.0)])


def test_a_state_is_not_shown_for_the_things_that_are_in_it(make: Any) -> None:
    bank = make(
        "CREATE TABLE holders (id INTEGER PRIMARY KEY, name VARCHAR, frozen INTEGER, overdraft_limit_cents INTEGER);"
        "INSERT INTO holders VALUES (1, 'Ann', 0, 5), (2, 'Bo', 1, 6);"
    )
    bank.refused("frozen wallets")
    bank.refused("overdrawn holders")
    bank.answers("frozen holders", [("Bo",)])


def test_an_amount_per_word_is_not_for_each_number_of_words(make: Any) -> None:
    bureau = make(
        "CREATE TABLE jobs (id INTEGER PRIMARY KEY, title VARCHAR, word_count INTEGER, price_cents INTEGER,"
        " rain_mm INTEGER, done_on DATE);"
        "INSERT INTO jobs VALUES (1, 'A', 100, 500, 1, '2024-01-01'), (2, 'B', 200, 900, 2, '2024-01-01');"
    )
    bureau.refused("average price per word")
    bureau.refused("storms per year")
    bureau.refused("jobs in the yard")
