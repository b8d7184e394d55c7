"""What has begun and not ended is current; what has ended is past."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def flats(make: Any) -> Any:
    return make(
        "CREATE TABLE tenants (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE leases (id INTEGER PRIMARY KEY, tenant_id INTEGER REFERENCES tenants(id), valid_from DATE,"
        " valid_until DATE, rent INTEGER);"
        "INSERT INTO tenants VALUES (1, 'Ida'), (2, 'Per'), (3, 'Siv');"
        "INSERT INTO leases VALUES (1, 1, '2015-01-01', '2018-12-31', 700), (2, 1, '2019-01-01', NULL, 800),"
        " (3, 2, '2020-01-01', '2999-01-01', 900), (4, 3, '2012-01-01', '2013-01-01', 500);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("current leases", [(2,), (3,)]),
        ("how many leases are still running", [(2,)]),
        ("leases that are no longer valid", [(1,), (4,)]),
        ("expired leases", [(1,), (4,)]),
        ("tenants with an open ended lease", [("Ida",), ("Per",)]),
        ("who has a lease at the moment", [("Ida",), ("Per",)]),
        ("average rent of current leases", [(850.0,)]),
    ],
)
def test_what_has_not_ended_is_current(flats: Any, question: str, rows: list[Any]) -> None:
    flats.answers(question, rows)


def test_a_flag_of_that_name_says_what_is_current(make: Any) -> None:
    cards = make(
        "CREATE TABLE cards (id INTEGER PRIMARY KEY, start_date DATE, end_date DATE, is_current BOOLEAN);"
        "INSERT INTO cards VALUES (1, '2020-01-01', NULL, FALSE), (2, '2020-01-01', '2021-01-01', TRUE);"
    )
    cards.answers("current cards", [(2,)])


def test_those_who_are_still_here_have_not_left(flats: Any) -> None:
    flats.answers("leases of Ida that are still around", [(2,)])


@pytest.fixture(scope="module")
def desk(make: Any) -> Any:
    return make(
        "CREATE TABLE clerks (id INTEGER PRIMARY KEY, name VARCHAR, joined DATE);"
        "CREATE TABLE cases (id INTEGER PRIMARY KEY, opened_by INTEGER REFERENCES clerks (id),"
        " settled_by INTEGER REFERENCES clerks (id), opened_on DATE, closed_on DATE, urgency VARCHAR);"
        "INSERT INTO clerks VALUES (1, 'Ida', '2010-01-01'), (2, 'Per', '2012-01-01');"
        "INSERT INTO cases VALUES (1, 1, 2, '2021-01-01', '2021-02-01', 'urgent'),"
        " (2, 2, 1, '2021-03-01', NULL, 'low'),"
        " (3, 1, 1, '2022-03-01', NULL, 'urgent'), (4, 2, 2, '2022-05-01', '2022-05-03', 'low');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("open cases", [(2,), (3,)]),
        ("cases that are still open", [(2,), (3,)]),
        ("how many cases are open", [(2,)]),
        ("open urgent cases", [(3,)]),
        ("number of open cases per urgency", [("low", 1), ("urgent", 1)]),
        ("percentage of open cases", [(50.0,)]),
        ("cases opened in 2022", [(3,), (4,)]),
    ],
)
def test_open_is_what_has_not_ended_and_nothing_that_was_opened(desk: Any, question: str, rows: list[Any]) -> None:
    desk.answers(question, rows)


def test_what_has_not_ended_has_no_length_yet(desk: Any) -> None:
    with pytest.raises(Unread):
        desk.read("longest open case")


@pytest.mark.parametrize("column", ["delivery_date", "delivered_on"])
@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("parcels delivered in 2023", [(2,)]),
        ("parcels delivered", [(1,), (2,)]),
        ("delivered parcels", [(1,), (2,)]),
        ("parcels that have not been delivered yet", [(3,)]),
        ("how many parcels were not delivered", [(1,)]),
    ],
)
def test_a_date_of_delivery_says_what_was_delivered(make: Any, column: str, question: str, rows: list[Any]) -> None:
    parcels = make(
        f"CREATE TABLE parcels (id INTEGER PRIMARY KEY, order_date DATE, {column} DATE, kg DOUBLE);"
        "INSERT INTO parcels VALUES (1, '2022-12-01', '2022-12-05', 1), (2, '2022-12-30', '2023-01-02', 2),"
        " (3, '2023-02-01', NULL, 3);"
    )
    parcels.answers(question, rows)


@pytest.fixture(scope="module")
def council(make: Any) -> Any:
    """Rows that a flag, two dates, or a status says to be done."""
    return make(
        "CREATE TABLE streets (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE petitions (id INTEGER PRIMARY KEY, street_id INTEGER REFERENCES streets (id), answered BOOLEAN,"
        " handed_in DATE);"
        "CREATE TABLE works (id INTEGER PRIMARY KEY, street_id INTEGER REFERENCES streets (id), ordered_on DATE,"
        " done_on DATE);"
        "CREATE TABLE bids (id INTEGER PRIMARY KEY, street_id INTEGER REFERENCES streets (id), status VARCHAR);"
        "CREATE TABLE stalls (id INTEGER PRIMARY KEY, street_id INTEGER REFERENCES streets (id), set_in_date DATE,"
        " set_out_date DATE);"
        "INSERT INTO streets VALUES (1, 'Elm Row'), (2, 'Mill Lane'), (3, 'Quay');"
        "INSERT INTO petitions VALUES (1, 1, TRUE, '2024-01-02'), (2, 1, FALSE, '2024-02-02'),"
        " (3, 2, TRUE, '2024-03-02');"
        "INSERT INTO works VALUES (1, 2, '2024-01-01', '2024-02-01'), (2, 3, '2024-01-05', NULL),"
        " (3, 3, '2024-03-01', NULL);"
        "INSERT INTO bids VALUES (1, 1, 'open'), (2, 2, 'won'), (3, 3, 'open'), (4, 3, 'open');"
        "INSERT INTO stalls VALUES (1, 1, '2024-05-01', '2024-05-03'), (2, 2, '2024-05-01', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("open petitions", [(2,)]),
        ("how many petitions are still open", [(1,)]),
        ("streets with open petitions", [("Elm Row",)]),
        ("open works", [(2,), (3,)]),
        ("open works per street", [("Quay", 2)]),
        ("streets with more than one open work", [("Quay",)]),
        ("streets with at least 2 open bids", [("Quay",)]),
        ("streets with two or more open works", [("Quay",)]),
        ("open bids per street", [("Elm Row", 1), ("Quay", 2)]),
        ("current stalls", [(2,)]),
        ("average length of stalls", [(2.0,)]),
    ],
)
def test_what_no_flag_date_or_status_ends_is_open(council: Any, question: str, rows: list[Any]) -> None:
    council.answers(question, rows)


@pytest.fixture(scope="module")
def hostel(make: Any) -> Any:
    return make(
        "CREATE TABLE guests (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE nights (id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guests (id), check_in_date DATE,"
        " check_out_date DATE);"
        "INSERT INTO guests VALUES (1, 'Ida'), (2, 'Per'), (3, 'Siv');"
        "INSERT INTO nights VALUES (1, 1, '2024-05-01', '2024-06-03'), (2, 2, '2024-05-01', '2025-01-02'),"
        " (3, 2, '2025-05-01', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many guests checked out in 2025", [(1,)]),
        ("who checked out in June 2024", [("Ida",)]),
        ("how many check-ins in 2024", [(2,)]),
        ("check-outs per month", [("2024-06", 1), ("2025-01", 1)]),
        ("nights that were checked out before 2025", [(1,)]),
    ],
)
def test_a_verb_with_its_particle_is_the_date_of_both(hostel: Any, question: str, rows: list[Any]) -> None:
    hostel.answers(question, rows)


def test_who_has_not_left_yet_is_nobody_that_never_came(hostel: Any) -> None:
    hostel.answers("who has not checked out yet", [("Per",)])


@pytest.fixture(scope="module")
def vans(make: Any) -> Any:
    return make(
        "CREATE TABLE vans (id INTEGER PRIMARY KEY, plate VARCHAR, permit_expiry DATE, bought_on DATE);"
        "INSERT INTO vans VALUES (1, 'A1', '2020-05-01', '2015-01-01'), (2, 'B2', '2999-01-01', '2016-01-01'),"
        " (3, 'C3', NULL, '2017-01-01'), (4, 'D4', '2021-05-01', '2018-01-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which vans have expired permits", [("A1",), ("D4",)]),
        ("vans with an expired permit", [("A1",), ("D4",)]),
        ("vans whose permit has expired", [("A1",), ("D4",)]),
        ("how many vans have an expired permit", [(2,)]),
        ("vans whose permit has not expired", [("B2",), ("C3",)]),
        ("vans whose permit expired in 2020", [("A1",)]),
        ("vans whose permit expires before 2021", [("A1",)]),
    ],
)
def test_what_has_expired_was_valid_until_a_day_that_is_past(vans: Any, question: str, rows: list[Any]) -> None:
    vans.answers(question, rows)


def test_who_still_does_something_has_not_ended_it(make: Any) -> None:
    pier = make(
        "CREATE TABLE members (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE boats (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE hires (id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members (id),"
        " boat_id INTEGER REFERENCES boats (id), begin_date DATE, end_date DATE);"
        "INSERT INTO members VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy'); INSERT INTO boats VALUES (1, 'Tern');"
        "INSERT INTO hires VALUES (1, 1, 1, '2020-01-01', '2020-01-02'), (2, 2, 1, '2020-01-03', NULL);"
    )
    pier.answers("who still hires a boat", [("Bo",)])


@pytest.mark.parametrize(
    "question",
    [
        "which sponsors have expired vouchers",
        "sponsors with expired vouchers",
        "how many sponsors have expired vouchers",
    ],
)
def test_what_has_expired_is_no_date_of_others(make: Any, question: str) -> None:
    club = make(
        "CREATE TABLE sponsors (id INTEGER PRIMARY KEY, name VARCHAR, joined_on DATE, blocked_until DATE);"
        "CREATE TABLE vouchers (id INTEGER PRIMARY KEY, sponsor_id INTEGER REFERENCES sponsors (id), status VARCHAR);"
        "INSERT INTO sponsors VALUES (1, 'Ann', '2019-01-01', '2020-01-01'), (2, 'Bo', '2019-01-01', NULL);"
        "INSERT INTO vouchers VALUES (1, 1, 'open'), (2, 2, 'expired');"
    )
    club.answers(question, [(1,)] if question.startswith("how") else [("Bo",)])


@pytest.fixture(scope="module")
def works(make: Any) -> Any:
    return make(
        "CREATE TABLE hall (hall_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE fault (fault_id INTEGER PRIMARY KEY, hall_id INTEGER REFERENCES hall(hall_id),"
        " reported_on DATE, repaired_on DATE);"
        "INSERT INTO hall VALUES (1, 'East'), (2, 'West');"
        "INSERT INTO fault VALUES (1, 1, '2024-01-02', '2024-01-05'), (2, 1, '2024-02-01', NULL),"
        " (3, 2, '2024-03-01', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("open faults", [(2,), (3,)]),
        ("how many open faults", [(2,)]),
        ("open faults per hall", [("East", 1), ("West", 1)]),
    ],
)
def test_what_is_not_repaired_is_open(works: Any, question: str, rows: list[Any]) -> None:
    works.answers(question, rows)


def test_what_is_called_after_an_end_begins_at_its_own_date(make: Any) -> None:
    shop = make(
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, state VARCHAR, price INTEGER);"
        "CREATE TABLE returns (id INTEGER PRIMARY KEY, sale_id INTEGER REFERENCES sales (id), return_date DATE,"
        " closed_on DATE);"
        "INSERT INTO sales VALUES (1, 'open', 5), (2, 'done', 7);"
        "INSERT INTO returns VALUES (1, 1, '2024-01-01', '2024-01-09'), (2, 2, '2024-01-01', NULL);"
    )
    shop.answers("open returns", [(2,)])
    shop.answers("how many sales are open", [(1,)])
    shop.answers("average days to close a return", [(8.0,)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("faults open for more than 30 days", [("F1",)]),
        ("how many faults have been open for over 2 weeks", [(1,)]),
        ("faults open for less than 30 days", []),
        ("orders open longer than 3 weeks", [("O2",)]),
    ],
)
def test_what_is_open_for_some_time_was_begun_before(make: Any, question: str, rows: list[Any]) -> None:
    depot = make(
        "CREATE TABLE faults (fault_no VARCHAR PRIMARY KEY, opened_on DATE, closed_on DATE);"
        "CREATE TABLE orders (order_no VARCHAR PRIMARY KEY, status VARCHAR, order_date DATE, delivery_date DATE);"
        "INSERT INTO faults VALUES ('F1', '2020-01-05', NULL), ('F2', '2020-01-05', '2021-02-01');"
        "INSERT INTO orders VALUES ('O1', 'closed', '2020-01-05', '2020-01-09'), ('O2', 'open', '2020-01-05', NULL);"
    )
    depot.answers(question, rows)
