"""Names, keys and values in short: a listed form of another word, `min_…`, keys of lookup tables, states by codes."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def clinic(make: Any) -> Any:
    """Nobody declared a key; `brth` is a berth here, which else is short for a birth."""
    return make(
        "CREATE TABLE bt (bt_id INTEGER, bt_nm VARCHAR, bt_typ_cd VARCHAR, brth_id INTEGER, lgth_m DOUBLE);"
        "CREATE TABLE bt_typ (bt_typ_cd VARCHAR, typ_desc VARCHAR);"
        "CREATE TABLE brth (brth_id INTEGER, brth_no VARCHAR, max_len INTEGER);"
        "CREATE TABLE lse (lse_no INTEGER, bt_id INTEGER, st_dt DATE, stat_cd VARCHAR, fee_amt INTEGER);"
        "CREATE TABLE prt (prt_id INTEGER, prt_nm VARCHAR, min_qty INTEGER, qty_oh INTEGER);"
        "INSERT INTO bt_typ VALUES ('SB', 'sloop'), ('MB', 'motor boat');"
        "INSERT INTO brth VALUES (1, 'N1', 8), (2, 'N2', 12), (3, 'S1', 15);"
        "INSERT INTO bt VALUES (1, 'Gull', 'SB', 1, 7.0), (2, 'Tern', 'SB', 2, 11.5), (3, 'Orca', 'MB', 2, 9.0);"
        "INSERT INTO lse VALUES (1, 1, '2023-01-05', 'ACT', 100), (2, 2, '2023-01-20', 'ENDD', 200),"
        " (3, 2, '2023-02-03', 'ACT', 150), (4, 3, '2023-02-04', 'ACT', 50);"
        "INSERT INTO prt VALUES (1, 'rope', 5, 3), (2, 'cleat', 2, 9), (3, 'buoy', 6, 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("berths longer than 10 metres", [("N2",), ("S1",)]),
        ("boats per type", [("motor boat", 1), ("sloop", 2)]),
        ("list the sloops", [("Gull",), ("Tern",)]),
        ("how many active leases are there", [(3,)]),
        ("which parts are below the minimum quantity", [("buoy",), ("rope",)]),
        ("leases that started in January 2023", [(1,), (2,)]),
        ("lease income per boat", [("Gull", 100), ("Orca", 50), ("Tern", 350)]),
    ],
)
def test_short_names_are_read(clinic: Any, question: str, rows: list[Any]) -> None:
    clinic.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [("list the lamps", [("Alto",), ("Brio",)]), ("what is the average length of a loan", [(6.0,)])],
)
def test_a_model_is_a_name_before_a_key_and_a_loan_has_a_length(make: Any, question: str, rows: list[Any]) -> None:
    shop = make(
        "CREATE TABLE lamp (LampNo INTEGER PRIMARY KEY, Model VARCHAR, Watt INTEGER, Size INTEGER);"
        "CREATE TABLE loan (LoanNo INTEGER PRIMARY KEY, LampNo INTEGER REFERENCES lamp (LampNo),"
        " StartDate DATE, EndDate DATE);"
        "INSERT INTO lamp VALUES (1, 'Alto', 5, 30), (2, 'Brio', 7, 40);"
        "INSERT INTO loan VALUES (1, 1, '2023-01-01', '2023-01-05'), (2, 1, '2023-01-01', '2023-01-09');"
    )
    shop.answers(question, rows)


@pytest.fixture(scope="module")
def plant(make: Any) -> Any:
    return make(
        "CREATE TABLE unit_chk (chk_no INTEGER, unit_no INTEGER, chk_dt DATE, nxt_chk_dt DATE, rslt VARCHAR,"
        " repair_min INT);"
        "CREATE TABLE unit (unit_no INTEGER, unit_nm VARCHAR, grd_cd VARCHAR, full_tm INTEGER, amt INTEGER);"
        "CREATE TABLE grd (grd_cd VARCHAR, grd_txt VARCHAR);"
        "INSERT INTO grd VALUES ('A', 'prime'), ('B', 'plain');"
        "INSERT INTO unit VALUES (1, 'Press', 'A', 1, 5), (2, 'Lathe', 'B', 0, 7), (3, 'Drill', 'B', 1, 9);"
        "INSERT INTO unit_chk VALUES (1, 1, '2023-01-01', '2024-01-01', 'leak', 20),"
        " (2, 2, '2022-01-01', '2023-01-01', 'fine', 40), (3, 2, '2023-03-01', '2024-03-01', 'leak', 60);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many checks were there in 2023", [(2,)]),
        ("checks with a leak in 2023", [(1,), (3,)]),
        ("average repair time per unit", [("Lathe", 50.0), ("Press", 20.0)]),
        ("number of units by grade", [("plain", 2), ("prime", 1)]),
    ],
)
def test_a_part_of_a_short_name_and_a_unit_of_time_are_read(plant: Any, question: str, rows: list[Any]) -> None:
    plant.answers(question, rows)


def test_a_percentage_is_of_the_rows_in_a_state_and_never_guessed_to_be_a_column(plant: Any) -> None:
    plant.answers("percentage of leaks", [(200 / 3,)])
    plant.refused("percentage of cracks")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("packages that were booked exactly once", [("Wedding",)]),
        ("bookings per package", [("Passport", 2), ("Wedding", 1)]),
        ("how many bookings were cancelled, by reason", [("rain", 1)]),
    ],
)
def test_keys_and_columns_in_short_are_found_by_their_own_words(make: Any, question: str, rows: list[Any]) -> None:
    """`RTN_OF` shortens "rationale", which is another word for a reason; `CANC_RSN` shortens the word itself."""
    studio = make(
        "CREATE TABLE tbl_package (pkg_code VARCHAR, pkg_name VARCHAR, price INTEGER);"
        "CREATE TABLE tbl_booking (booking_id INTEGER, pkg_code VARCHAR, stat VARCHAR, canc_rsn VARCHAR,"
        " rtn_of VARCHAR);"
        "INSERT INTO tbl_package VALUES ('P', 'Passport', 10), ('W', 'Wedding', 900);"
        "INSERT INTO tbl_booking VALUES (1, 'P', 'done', NULL, 'a'), (2, 'P', 'cancelled', 'rain', 'b'),"
        " (3, 'W', 'done', NULL, 'c');"
    )
    studio.answers(question, rows)


@pytest.fixture(scope="module")
def fund(make: Any) -> Any:
    """`inv` and `doc` are listed as short for an invoice and a document."""
    return make(
        "CREATE TABLE inv (inv_id INTEGER, inv_nm VARCHAR, twn VARCHAR, lic_no VARCHAR, lic_exp_dt DATE);"
        "CREATE TABLE doc (doc_id INTEGER, doc_nm VARCHAR, ward VARCHAR);"
        "CREATE TABLE dep (dep_no INTEGER, inv_id INTEGER, dep_dt DATE);"
        "CREATE TABLE dep_ln (dep_no INTEGER, ln_no INTEGER, amt INTEGER);"
        "INSERT INTO inv VALUES (1, 'Ann', 'Oslo', 'A1', '2020-01-05'), (2, 'Bo', 'Bergen', 'B1', '2099-01-05');"
        "INSERT INTO doc VALUES (1, 'Kim', 'A'), (2, 'Lee', 'B'), (3, 'Orr', 'B');"
        "INSERT INTO dep VALUES (1, 1, '2023-02-03'), (2, 1, '2023-03-03'), (3, 2, '2023-03-04');"
        "INSERT INTO dep_ln VALUES (1, 1, 40), (2, 1, 30), (3, 1, 50), (3, 2, 5);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("investors from oslo", [("Ann",)]),
        ("how many doctors per ward", [("A", 1), ("B", 2)]),
        ("investors with more than one deposit", [("Ann",)]),
        ("investors whose licence expires after 2030", [("Bo",)]),
        ("investors with an expired licence", [("Ann",)]),  # of which the "line" of `ln_no` is no short form
    ],
)
def test_a_table_with_a_listed_short_name_may_be_of_other_things(fund: Any, question: str, rows: list[Any]) -> None:
    fund.answers(question, rows)


def test_what_ranks_things_is_no_initial_of_a_name(make: Any) -> None:
    works = make(
        "CREATE TABLE tbl_workshop (ws_id INTEGER PRIMARY KEY, ws_name VARCHAR);"
        "CREATE TABLE tbl_smith (sm_id INTEGER PRIMARY KEY, sm_name VARCHAR, ws_id INTEGER);"
        "INSERT INTO tbl_workshop VALUES (1, 'North');"
    )
    works.refused("who works slowest")
