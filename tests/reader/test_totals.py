"""A column named "total": one of each row, and the sum of all of them where that is asked."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread
from askwhere.reader.words.units import CURRENCIES


@pytest.fixture(scope="module")
def shop(make: Any) -> Any:
    return make(
        "CREATE TABLE invoices (id INTEGER PRIMARY KEY, country VARCHAR, total DOUBLE);"
        "INSERT INTO invoices VALUES (1, 'Spain', 5), (2, 'Spain', 7), (3, 'Chile', 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What is the total of all invoices?", [(13.0,)]),
        ("total amount of all invoices", [(13.0,)]),
        ("total of invoices in Spain", [(12.0,)]),
        ("sum of all invoice totals", [(13.0,)]),
        ("invoice totals", [(1.0,), (5.0,), (7.0,)]),
    ],
)
def test_all_of_them_are_added_up(shop: Any, question: str, rows: list[Any]) -> None:
    shop.answers(question, rows)


@pytest.mark.parametrize("question", ["total invoice amount", "total invoices per country", "total amount"])
def test_what_may_be_each_total_or_all_together_is_refused(shop: Any, question: str) -> None:
    with pytest.raises(Unread):
        shop.read(question)


@pytest.mark.parametrize(
    ("question", "columns"),
    [
        ("sum of the total eur of all sales", ["sum_total_eur"]),
        ("average total eur of sales", ["average_total_eur"]),
        ("average price of sales", ["average_price"]),
    ],
)
def test_the_name_of_a_computed_column_repeats_no_word(make: Any, question: str, columns: list[str]) -> None:
    sales = make("CREATE TABLE sales (id INTEGER PRIMARY KEY, total_eur DOUBLE, price DOUBLE);")
    assert sales.columns(sales.read(question)[0].sql) == columns


def test_amounts_are_added_up_for_each_thing_behind_by(make: Any) -> None:
    halls = make(
        "CREATE TABLE towns (town_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE halls (hall_id INTEGER PRIMARY KEY, town_id INTEGER REFERENCES towns (town_id), chairs INTEGER);"
        "INSERT INTO towns VALUES (1, 'Oslo'), (2, 'Rome');"
        "INSERT INTO halls VALUES (1, 1, 10), (2, 1, 20), (3, 2, 5);"
    )
    halls.answers("number of chairs by town", [("Oslo", 30), ("Rome", 5)])


@pytest.mark.parametrize("currency", CURRENCIES)
def test_a_total_in_any_currency_is_revenue(make: Any, currency: str) -> None:
    shop = make(f"CREATE TABLE sales (id INTEGER PRIMARY KEY, sold_on DATE, total_{currency} DOUBLE);")
    assert shop.read("revenue")[0].sql == f"SELECT SUM(total_{currency}) AS revenue FROM sales"


@pytest.fixture(scope="module")
def lorries(make: Any) -> Any:
    return make(
        "CREATE TABLE lry (lry_id INTEGER PRIMARY KEY, plate VARCHAR);"
        "CREATE TABLE toll (toll_id INTEGER PRIMARY KEY, lry_id INTEGER REFERENCES lry (lry_id), toll_dt DATE,"
        " cst INTEGER, gate VARCHAR);"
        "INSERT INTO lry VALUES (1, 'AB1'), (2, 'CD2');"
        "INSERT INTO toll VALUES (1, 1, '2024-01-02', 5, 'E'), (2, 1, '2024-02-03', 7, 'W'),"
        " (3, 2, '2024-02-04', 9, 'E');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("toll cost per lorry", [("AB1", 12), ("CD2", 9)]),
        ("toll costs by month", [("2024-01", 5), ("2024-02", 16)]),
        ("toll cost by gate", [("E", 14), ("W", 7)]),
    ],
)
def test_amounts_named_after_their_rows_are_added_up(lorries: Any, question: str, rows: list[Any]) -> None:
    lorries.answers(question, rows)


@pytest.fixture(scope="module")
def court(make: Any) -> Any:
    return make(
        "CREATE TABLE drivers (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE fines (id INTEGER PRIMARY KEY, driver_id INTEGER REFERENCES drivers (id), fined_on DATE,"
        " due_date DATE, settled_on DATE, amount INTEGER);"
        "INSERT INTO drivers VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO fines VALUES (1, 1, '2023-01-05', '2023-02-05', '2023-01-20', 90),"
        " (2, 1, '2023-01-06', '2023-02-06', NULL, 40), (3, 2, '2023-02-07', '2023-03-07', NULL, 60),"
        " (4, 2, '2023-03-08', '2099-01-01', NULL, 30), (5, 2, '2023-03-09', '2023-04-09', '2023-05-01', 10);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total of unsettled fines", [(130,)]),
        ("sum of the unsettled fines", [(130,)]),
        ("total settled fines", [(100,)]),
        ("average unsettled fine", [(130 / 3,)]),
        ("biggest unsettled fine", [(3,)]),  # and not the last one settled
        ("total overdue fines", [(100,)]),
        ("sum of overdue fines per driver", [("Ann", 40), ("Bo", 60)]),
    ],
)
def test_what_is_added_up_is_in_the_state_said_before_it(court: Any, question: str, rows: list[Any]) -> None:
    court.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("amount fined per month", [("2023-01", 130), ("2023-02", 60), ("2023-03", 40)]),
        ("what is the amount fined by driver", [("Ann", 130), ("Bo", 100)]),
        ("amount fined in january", [(130,)]),
        ("amount settled per driver", [("Ann", 90), ("Bo", 10)]),
        ("amount settled in may 2023", [(10,)]),
    ],
)
def test_the_amounts_of_what_was_done_are_added_up(court: Any, question: str, rows: list[Any]) -> None:
    court.answers(question, rows)


def test_amounts_per_month_of_one_of_two_dates_are_refused(court: Any) -> None:
    with pytest.raises(Unread):
        court.read("amount settled per month")


@pytest.mark.parametrize("question", ["biggest unpaid claim", "largest paid claim"])
def test_dates_of_other_rows_are_no_sizes(make: Any, question: str) -> None:
    insurer = make(
        "CREATE TABLE claims (claim_no INTEGER PRIMARY KEY, reported_on DATE, amount INTEGER, share INTEGER);"
        "CREATE TABLE transfers (id INTEGER PRIMARY KEY, claim_no INTEGER REFERENCES claims (claim_no), paid_on DATE);"
        "INSERT INTO claims VALUES (1, '2023-01-05', 90, 20), (2, '2023-01-06', 40, 30);"
        "INSERT INTO transfers VALUES (1, 1, '2023-02-05');"
    )
    with pytest.raises(Unread):
        insurer.read(question)


@pytest.mark.parametrize("question", ["biggest accident", "accidents over 5"])
def test_a_flag_is_no_size(make: Any, question: str) -> None:
    depot = make(
        "CREATE TABLE accidents (id INTEGER PRIMARY KEY, happened_on DATE, place VARCHAR, police_called INTEGER);"
        "INSERT INTO accidents VALUES (1, '2023-01-05', 'yard', 1), (2, '2023-01-06', 'road', 0);"
    )
    with pytest.raises(Unread):
        depot.read(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how much did we write off", [(30,)]),  # and not what was paid
        ("how much have we written off in 2023", [(10,)]),
        ("how much was written off per branch", [("East", 20), ("West", 10)]),
        ("how much was reimbursed this year", [(None,)]),
        ("how much did we reimburse in may 2023", [(4,)]),
        ("how much was paid", [(90,)]),
    ],
)
def test_how_much_was_done_is_the_amount_called_so(make: Any, question: str, rows: list[Any]) -> None:
    bank = make(
        "CREATE TABLE losses (id INTEGER PRIMARY KEY, branch VARCHAR, booked_on DATE, written_off INTEGER,"
        " reimbursed INTEGER);"
        "CREATE TABLE payments (id INTEGER PRIMARY KEY, loss_id INTEGER REFERENCES losses (id), paid_on DATE,"
        " amount INTEGER);"
        "INSERT INTO losses VALUES (1, 'West', '2023-05-05', 10, 4), (2, 'East', '2024-05-05', 20, 6);"
        "INSERT INTO payments VALUES (1, 1, '2023-05-06', 90);"
    )
    bank.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("highest pledge per donor", [("Ann", 40), ("Bo", 5)]),
        ("average pledge", [(25.0,)]),
        ("lowest pledge in 2023", [(30,)]),
    ],
)
def test_the_highest_of_things_is_by_their_amount(make: Any, question: str, rows: list[Any]) -> None:
    charity = make(
        "CREATE TABLE donors (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE pledges (id INTEGER PRIMARY KEY, donor_id INTEGER REFERENCES donors (id), made_on DATE,"
        " amount INTEGER, rank INTEGER);"
        "INSERT INTO donors VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO pledges VALUES (1, 1, '2023-01-01', 30, 1), (2, 1, '2023-02-01', 40, 2),"
        " (3, 2, '2024-01-01', 5, 1);"
    )
    charity.answers(question, rows)
