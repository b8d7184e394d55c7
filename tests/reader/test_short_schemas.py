"""Schemas in short forms: roles such as `lead_id`, `supv_id`, and names such as `cmdty`; groups by two things."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def agency(make: Any) -> Any:
    return make(
        "CREATE TABLE agents (agent_no INTEGER PRIMARY KEY, agent_nm VARCHAR, lead_id INTEGER, town VARCHAR);"
        "CREATE TABLE prov (prov_id INTEGER PRIMARY KEY, last_nm VARCHAR, first_nm VARCHAR, supv_id INTEGER);"
        "CREATE TABLE ins_grp (grp_cd VARCHAR PRIMARY KEY, grp_nm VARCHAR);"
        "CREATE TABLE cmdty (cmdty_cd VARCHAR PRIMARY KEY, cmdty_nm VARCHAR);"
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, agent_no INTEGER REFERENCES agents (agent_no),"
        " cmdty_cd VARCHAR REFERENCES cmdty (cmdty_cd), sold_on DATE, quantity INTEGER, unit_price INTEGER,"
        " channel VARCHAR);"
        "INSERT INTO agents VALUES (1, 'Ann', NULL, 'Oslo'), (2, 'Bo', 1, 'Bergen'), (3, 'Cy', 1, 'Oslo');"
        "INSERT INTO prov VALUES (1, 'Lee', 'Kim', NULL), (2, 'Orr', 'Pat', 1);"
        "INSERT INTO ins_grp VALUES ('A', 'Alpha');"
        "INSERT INTO cmdty VALUES ('G', 'gas'), ('C', 'coal');"
        "INSERT INTO sales VALUES (1, 2, 'G', '2023-01-05', 3, 100, 'web'), (2, 2, 'C', '2023-02-05', 5, 10, 'web'),"
        " (3, 3, 'G', '2023-02-09', 1, 120, 'shop');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("agents and their leads", [("Bo", "Ann"), ("Cy", "Ann")]),
        ("who works for Ann", [("Bo",), ("Cy",)]),
        ("providers and their supervisors", [("Pat", "Orr", "Kim", "Lee")]),
        ("insurance groups", [("Alpha",)]),
        ("commodities", [("coal",), ("gas",)]),
        ("units sold by commodity", [("coal", 5), ("gas", 4)]),
        ("top 1 agent by units sold", [("Bo", 8)]),
        ("sales by agent and channel", [("Bo", "web", 2), ("Cy", "shop", 1)]),
        ("sales by type of commodity", [("coal", 1), ("gas", 2)]),
        ("number of sales per commodity type", [("coal", 1), ("gas", 2)]),
        ("sales by agent and month", [("Bo", "2023-01", 1), ("Bo", "2023-02", 1), ("Cy", "2023-02", 1)]),
        ("agent with the best average quantity", [("Bo",)]),
        ("agent names in capitals", [("ANN",), ("BO",), ("CY",)]),
    ],
)
def test_a_short_schema_is_read(agency: Any, question: str, rows: list[Any]) -> None:
    agency.answers(question, rows)


@pytest.fixture(scope="module")
def lifts(make: Any) -> Any:
    return make(
        "CREATE TABLE lift (lf_id INTEGER PRIMARY KEY, lf_nm VARCHAR, stat_cd VARCHAR);"
        "CREATE TABLE insp_rpt (rpt_id INTEGER PRIMARY KEY, lf_id INTEGER, rpt_dt DATE, cost INTEGER);"
        "INSERT INTO lift VALUES (1, 'North', 'OP'), (2, 'South', 'INSP'), (3, 'East', 'OP');"
        "INSERT INTO insp_rpt VALUES (1, 1, '2024-01-05', 30), (2, 2, '2024-02-05', 50), (3, 1, '2023-02-09', 20);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many inspection reports are there", [(3,)]),  # and not those of lifts whose status is INSP
        ("how many inspection reports in 2024", [(2,)]),
        ("which lifts never had an inspection report", [("East",)]),
        ("lifts in inspection", [("South",)]),
    ],
)
def test_words_that_are_short_for_a_table_are_no_code_of_another(lifts: Any, question: str, rows: list[Any]) -> None:
    lifts.answers(question, rows)


@pytest.fixture(scope="module")
def garage(make: Any) -> Any:
    return make(
        "CREATE TABLE cust (cust_no INTEGER PRIMARY KEY, cust_nm VARCHAR, cust_typ VARCHAR);"
        "CREATE TABLE jobtyp (jt_cd VARCHAR PRIMARY KEY, jt_desc VARCHAR);"
        "CREATE TABLE job (job_no INTEGER PRIMARY KEY, cust_no INTEGER REFERENCES cust (cust_no),"
        " jt_cd VARCHAR REFERENCES jobtyp (jt_cd), hrs INTEGER);"
        "INSERT INTO cust VALUES (1, 'Ann', 'firm'), (2, 'Bo', 'private'), (3, 'Cy', 'private');"
        "INSERT INTO jobtyp VALUES ('BR', 'Brakes'), ('OI', 'Oil');"
        "INSERT INTO job VALUES (1, 1, 'BR', 4), (2, 1, 'OI', 1), (3, 2, 'BR', 5);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("jobs per type", [("Brakes", 2), ("Oil", 1)]),
        ("jobs by type", [("Brakes", 2), ("Oil", 1)]),
        ("average hours per job type", [("Brakes", 4.5), ("Oil", 1.0)]),
        ("customers per type", [("firm", 1), ("private", 2)]),
        ("jobs per customer type", [("firm", 2), ("private", 1)]),
    ],
)
def test_a_type_is_that_of_what_is_counted(garage: Any, question: str, rows: list[Any]) -> None:
    garage.answers(question, rows)


def test_a_role_in_short_is_no_other_key(make: Any) -> None:
    office = make(
        "CREATE TABLE emp (emp_id INTEGER, emp_nm VARCHAR);"
        "CREATE TABLE claim (claim_no INTEGER, emp_id INTEGER, claim_dt DATE, appr_by INTEGER);"
        "INSERT INTO emp VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');"
        "INSERT INTO claim VALUES (1, 1, '2023-01-01', 3), (2, 1, '2023-01-02', 3), (3, 2, '2023-01-03', 2);"
    )
    office.answers("how many claims did each employee approve", [("Bo", 1), ("Cy", 2)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("high severity defects", [(1,), (3,)]),
        ("number of defects per severity", [("high", 2), ("low", 1)]),
        ("defects of low severity", [(2,)]),
    ],
)
def test_what_only_looks_like_a_doer_is_spelt_short(make: Any, question: str, rows: list[Any]) -> None:
    plant = make(
        "CREATE TABLE dfct_cd (dfct_cd VARCHAR PRIMARY KEY, dfct_desc VARCHAR, sev VARCHAR);"
        "CREATE TABLE defects (id INTEGER PRIMARY KEY, dfct_cd VARCHAR, rpt_dt DATE);"
        "INSERT INTO dfct_cd VALUES ('D1', 'Crack', 'high'), ('D2', 'Scratch', 'low');"
        "INSERT INTO defects VALUES (1, 'D1', '2024-01-01'), (2, 'D2', '2024-01-02'),"
        " (3, 'D1', '2024-01-03');"
    )
    plant.answers(question, rows)


def test_a_first_and_a_last_name_in_two_letters_are_shown(make: Any) -> None:
    firm = make(
        "CREATE TABLE adj (adj_id INTEGER, fn VARCHAR, ln VARCHAR, rgn VARCHAR, day_fee DOUBLE);"
        "INSERT INTO adj VALUES (1, 'Ann', 'Lee', 'North', 300), (2, 'Bo', 'Orr', 'South', 200);"
    )
    firm.answers("adj in the North", [("Ann", "Lee")])
    firm.answers("daily fee of Bo Orr", [(200.0,)])
