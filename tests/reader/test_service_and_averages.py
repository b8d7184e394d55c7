"""How long people have been there, how old things are today, who joined when, and averages of groups and kinds."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def stable(make: Any) -> Any:
    """Grooms with a licence that expires, members, and horses that were foaled, sold and are fed by grooms."""
    return make(
        "CREATE TABLE members (member_id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR, member_since DATE);"
        "CREATE TABLE grooms (groom_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, hire_date DATE,"
        " hourly_rate INTEGER, licence_expires DATE);"
        "CREATE TABLE breeds (breed_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE horses (horse_id INTEGER PRIMARY KEY, name VARCHAR, sex VARCHAR, foaled_on DATE, sold_on DATE,"
        " weight_kg INTEGER, breed_id INTEGER REFERENCES breeds (breed_id),"
        " groom_id INTEGER REFERENCES grooms (groom_id));"
        "INSERT INTO members VALUES (1, 'Olga', 'Rome', '2001-01-01'), (2, 'Pia', 'Oslo', '2099-01-01');"
        "INSERT INTO grooms VALUES (1, 'Ann', 'Lee', '2003-05-01', 20, '2004-01-01'),"
        " (2, 'Bo', 'Ray', '2097-05-01', 30, '2099-01-01');"
        "INSERT INTO breeds VALUES (1, 'Arab'), (2, 'Shire');"
        "INSERT INTO horses VALUES (1, 'Dot', 'F', '2001-01-01', NULL, 400, 1, 1),"
        " (2, 'Max', 'M', '2002-01-01', '2003-01-01', 500, 1, 1), (3, 'Tor', 'M', '2095-01-01', NULL, 1000, 2, 2),"
        " (4, 'Ada', 'F', '2096-01-01', NULL, 800, 2, 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("horses older than 10 years", [("Dot",), ("Max",)]),
        ("horses that are not sold yet and are older than 10 years", [("Dot",)]),
        ("grooms employed longer than 5 years", [("Ann", "Lee")]),
        ("grooms who have worked here for more than 5 years", [("Ann", "Lee")]),
        ("grooms who have been with us for less than 3 years", [("Bo", "Ray")]),
        ("who has worked here the longest?", [("Ann", "Lee")]),
        ("members who have been with us the longest", [("Olga",)]),
        ("grooms hired more than 5 years ago", [("Ann", "Lee")]),
        ("grooms hired less than 5 years ago", [("Bo", "Ray")]),
        ("members who joined more than two years ago", [("Olga",)]),
        ("how many members joined us before 2022?", [(1,)]),
        ("members who signed up in 2001", [("Olga",)]),
        ("highest paid groom", [("Bo", "Ray")]),
    ],
)
def test_length_of_service(stable: Any, question: str, rows: list[Any]) -> None:
    stable.answers(question, rows)


def test_nothing_joins_by_the_date_of_another(stable: Any) -> None:
    stable.refused("how many horses joined in 2003")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("horses heavier than the average Arab", [("Ada",), ("Max",), ("Tor",)]),
        ("Arabs heavier than the average Arab", [("Max",)]),
        ("horses whose weight is above their breed's average", [("Max",), ("Tor",)]),
        ("horses above their breed's average weight", [("Max",), ("Tor",)]),
        ("do Arabs or Shires weigh more on average", [("Shire",)]),
        ("do Arabs weigh more on average than Shires", [("Arab", 450.0), ("Shire", 900.0)]),
    ],
)
def test_averages_of_kinds_and_of_own_groups(stable: Any, question: str, rows: list[Any]) -> None:
    stable.answers(question, rows)


@pytest.fixture(scope="module")
def studio(make: Any) -> Any:
    """Bills with one total and lines, and films with actors and genres by link tables."""
    return make(
        "CREATE TABLE bill (bill_id INTEGER PRIMARY KEY, billed_on DATE, total INTEGER);"
        "CREATE TABLE bill_line (bill_id INTEGER REFERENCES bill (bill_id), price INTEGER);"
        "CREATE TABLE film (film_id INTEGER PRIMARY KEY, title VARCHAR);"
        "CREATE TABLE genre (genre_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE actor (actor_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE film_genre (film_id INTEGER REFERENCES film (film_id),"
        " genre_id INTEGER REFERENCES genre (genre_id), PRIMARY KEY (film_id, genre_id));"
        "CREATE TABLE film_actor (film_id INTEGER REFERENCES film (film_id),"
        " actor_id INTEGER REFERENCES actor (actor_id), PRIMARY KEY (film_id, actor_id));"
        "INSERT INTO bill VALUES (1, '2023-01-01', 20), (2, '2023-02-01', 30), (3, '2024-01-01', 10);"
        "INSERT INTO film VALUES (1, 'Up'), (2, 'It'), (3, 'Her');"
        "INSERT INTO genre VALUES (1, 'Comedy'), (2, 'Horror');"
        "INSERT INTO actor VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');"
        "INSERT INTO film_genre VALUES (1, 1), (2, 2), (3, 1);"
        "INSERT INTO film_actor VALUES (1, 1), (2, 2), (3, 1), (3, 3);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("actors in Comedy films", [("Ann",), ("Cy",)]),
        ("top 2 actors by number of Comedy films", [("Ann", 2), ("Cy", 1)]),
    ],
)
def test_actors_in_films_of_a_genre(studio: Any, question: str, rows: list[Any]) -> None:
    studio.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("bills above 15 from highest to lowest", [(2,), (1,)]),
        ("bills from 2023 from lowest to highest", [(1,), (2,)]),
    ],
)
def test_from_highest_to_lowest_is_by_the_amount(studio: Any, question: str, rows: list[Any]) -> None:
    (reading,) = studio.read(question)
    assert studio.rows(reading.sql) == rows


@pytest.fixture(scope="module")
def bindery(make: Any) -> Any:
    """Names of columns that begin with a letter of their table; materials in units, one of which is `book`."""
    return make(
        "CREATE TABLE cust (cid INTEGER PRIMARY KEY, cnm VARCHAR, ctyp VARCHAR);"
        "CREATE TABLE paper (pcd INTEGER PRIMARY KEY, pnm VARCHAR, uom VARCHAR, sup_nm VARCHAR);"
        "CREATE TABLE job (jno INTEGER PRIMARY KEY, cid INTEGER REFERENCES cust (cid), bk_ttl VARCHAR, bk_auth VARCHAR,"
        " pcd INTEGER REFERENCES paper (pcd));"
        "INSERT INTO cust VALUES (1, 'Olga', 'library'), (2, 'Pia', 'museum');"
        "INSERT INTO paper VALUES (1, 'vellum', 'book', 'Hewit'), (2, 'linen', 'metre', 'Hewit');"
        "INSERT INTO job VALUES (1, 1, 'Ethica', 'Spinoza', 1), (2, 2, 'Emma', 'Austen', 2), (3, 2, 'Ada', 'Amis', 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("list all customers", [("Olga",), ("Pia",)]),
        ("customers per customer type", [("library", 1), ("museum", 1)]),
        ("which customer has the most jobs", [("Pia",)]),
        ("books by Spinoza", [("Ethica",)]),
    ],
)
def test_names_with_one_letter_of_their_table(bindery: Any, question: str, rows: list[Any]) -> None:
    bindery.answers(question, rows)


@pytest.fixture(scope="module")
def trees(make: Any) -> Any:
    """Jobs that a climber leads, where climbers have a supervisor, too."""
    return make(
        "CREATE TABLE climbers (climber_id INTEGER PRIMARY KEY, name VARCHAR,"
        " supervisor_id INTEGER REFERENCES climbers (climber_id));"
        "CREATE TABLE jobs (job_id INTEGER PRIMARY KEY, lead_climber_id INTEGER REFERENCES climbers (climber_id));"
        "INSERT INTO climbers VALUES (1, 'Ann', NULL);"
        "INSERT INTO climbers VALUES (2, 'Bo', 1);"
        "INSERT INTO jobs VALUES (1, 2), (2, 2), (3, 1);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which climber led the most jobs", [("Bo",)]),
        ("who led the most jobs", [("Bo",)]),
        ("who leads job 3", [("Ann",)]),
        ("who supervises Bo", [("Ann",)]),
    ],
)
def test_leading_by_a_key(trees: Any, question: str, rows: list[Any]) -> None:
    trees.answers(question, rows)


@pytest.fixture(scope="module")
def harbour(make: Any) -> Any:
    """Bills with one amount, orders with a total and a deposit, catches in kilograms, and skippers with a licence."""
    return make(
        "CREATE TABLE skippers (skipper_id INTEGER PRIMARY KEY, name VARCHAR, day_wage INTEGER, licence_expires DATE);"
        "CREATE TABLE kinds (kind_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE catches (catch_id INTEGER PRIMARY KEY, kind_id INTEGER REFERENCES kinds (kind_id),"
        " landed_on DATE, weight_kg INTEGER);"
        "CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, billed_on DATE, amount INTEGER);"
        "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, total_amount INTEGER, deposit_amount INTEGER);"
        "INSERT INTO skippers VALUES (1, 'Ann', 200, '2020-05-01'), (2, 'Bo', 100, '2099-06-01');"
        "INSERT INTO kinds VALUES (1, 'Cod'), (2, 'Hake');"
        "INSERT INTO catches VALUES (1, 1, '2025-01-01', 1500), (2, 1, '2025-02-01', 500), (3, 2, '2025-03-01', 900);"
        "INSERT INTO bills VALUES (1, '2025-01-01', 400), (2, '2025-02-01', 700), (3, '2025-03-01', 2000);"
        "INSERT INTO orders VALUES (1, 900, 100), (2, 300, 600);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("bills over 500 pounds", [(2,), (3,)]),
        ("bills between 500 and 1000 pounds", [(2,)]),
        ("bills between 500 and 1000", [(2,)]),
        ("orders over 500 euros", [(1,)]),
        ("how many kilos of cod were landed in 2025?", [(2000,)]),
        ("how many tonnes of cod were landed in 2025?", [(2.0,)]),
        ("skippers whose day wage is over 100 pounds", [("Ann",)]),
    ],
)
def test_amounts_in_units_without_a_column(harbour: Any, question: str, rows: list[Any]) -> None:
    harbour.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("whose licence expires in 2099?", [("Bo",)]),
        ("whose day wage is above 150", [("Ann",)]),
        ("which skippers' licences expire in 2099?", [("Bo",)]),
        ("which skippers' licences have already expired?", [("Ann",)]),
        ("which skippers' wage is below 150", [("Bo",)]),
    ],
)
def test_whose_column_is_so(harbour: Any, question: str, rows: list[Any]) -> None:
    harbour.answers(question, rows)


def test_people_between_two_numbers_are_not_those_who_earn_so_much(harbour: Any) -> None:
    harbour.refused("skippers between 90 and 110")


@pytest.fixture(scope="module")
def market(make: Any) -> Any:
    """Sales of lots of fish to buyers of two kinds, which are billed and pay later."""
    return make(
        "CREATE TABLE species (species_id INTEGER PRIMARY KEY, common_name VARCHAR);"
        "CREATE TABLE lots (lot_id INTEGER PRIMARY KEY, species_id INTEGER REFERENCES species (species_id),"
        " landed_at TIMESTAMP, crates INTEGER);"
        "CREATE TABLE buyers (buyer_id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR);"
        "CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, lot_id INTEGER REFERENCES lots (lot_id),"
        " buyer_id INTEGER REFERENCES buyers (buyer_id), sold_at TIMESTAMP);"
        "CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, issued_on DATE, paid_on DATE);"
        "INSERT INTO species VALUES (1, 'Cod'), (2, 'Turbot');"
        "INSERT INTO lots VALUES (1, 1, '2024-01-01 05:00:00', 5), (2, 1, '2024-02-01 05:00:00', 7),"
        " (3, 2, '2024-03-01 05:00:00', 9);"
        "INSERT INTO buyers VALUES (1, 'Olga', 'restaurant'), (2, 'Pia', 'shop');"
        "INSERT INTO sales VALUES (3, 1, 1, '2024-01-02 09:00:00'), (2, 2, 2, '2024-02-02 09:00:00'),"
        " (1, 3, 1, '2024-03-02 09:00:00');"
        "INSERT INTO bills VALUES (1, '2024-01-01', '2024-01-11'), (2, '2024-01-01', '2024-01-21');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("do restaurants buy more lots than shops", [("restaurant", 2), ("shop", 1)]),
        ("do restaurants or shops buy more lots", [("restaurant",)]),
        ("do shops or restaurants buy fewer lots", [("shop",)]),
        ("do we land more crates of Cod than of Turbot", [("Cod", 12), ("Turbot", 9)]),
        ("how long does it take on average until a bill is paid", [(15.0,)]),
        ("how long does it take for a bill to be paid on average", [(15.0,)]),
        ("average days until bills are paid", [(15.0,)]),
        ("how long do bills take to be paid", [(10.0,), (20.0,)]),
    ],
)
def test_who_has_more_and_how_long_until(market: Any, question: str, rows: list[Any]) -> None:
    market.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("when was turbot last sold", "2024-03-02"),
        ("when was cod last landed", "2024-02-01"),
        ("when was the last time turbot was sold", "2024-03-02"),
        ("when was lot 1 last sold", "2024-01-02"),
        ("when was the last sale", "2024-03-02"),
    ],
)
def test_when_something_was_last_done(market: Any, question: str, day: str) -> None:
    (reading,) = market.read(question)
    ((time,),) = market.rows(reading.sql)
    assert str(time).startswith(day)


@pytest.fixture(scope="module")
def rental(make: Any) -> Any:
    """Boats with repairs, rentals with a planned and an actual end, shows with a premiere, and skippers who left."""
    return make(
        "CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR);"
        "CREATE TABLE skippers (skipper_id INTEGER PRIMARY KEY, name VARCHAR, email VARCHAR, phone VARCHAR,"
        " hired_on DATE, left_on DATE);"
        "CREATE TABLE rentals (rental_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (boat_id),"
        " skipper_id INTEGER REFERENCES skippers (skipper_id), start_date DATE, end_date DATE, returned_on DATE,"
        " status VARCHAR);"
        "CREATE TABLE repairs (repair_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (boat_id),"
        " reported_on DATE, finished_on DATE, cost INTEGER);"
        "CREATE TABLE shows (show_id INTEGER PRIMARY KEY, title VARCHAR, premiere_date DATE, closing_date DATE);"
        "INSERT INTO boats VALUES (1, 'Swan', 'yacht'), (2, 'Duck', 'barge');"
        "INSERT INTO skippers VALUES (1, 'Ann', NULL, NULL, '2001-01-01', '2005-01-01'),"
        " (2, 'Bo', 'bo@x.org', NULL, '2003-01-01', NULL), (3, 'Cy', NULL, NULL, '2010-01-01', NULL);"
        "INSERT INTO rentals VALUES (1, 1, 2, '2024-05-01', '2024-05-05', '2024-05-07', 'back'),"
        " (2, 1, NULL, '2024-06-01', '2024-06-05', '2024-06-05', 'back'),"
        " (3, 2, NULL, '2024-07-01', '2024-07-05', NULL, 'out'),"
        " (4, 1, NULL, '2099-07-01', '2099-07-05', NULL, 'booked');"
        "INSERT INTO repairs VALUES (1, 1, '2024-01-01', '2024-02-01', 100), (2, 2, '2024-03-01', NULL, 300);"
        "INSERT INTO shows VALUES (1, 'Old', '2001-01-01', '2002-01-01'), (2, 'Now', '2001-01-01', NULL),"
        " (3, 'Soon', '2099-01-01', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which shows are still running?", [("Now",)]),
        ("current shows", [("Now",)]),
        ("boats still in repair", [("Duck",)]),
        ("how many boats are in repair", [(1,)]),
        ("boats that are still being repaired", [("Duck",)]),
        ("boats rented out now", [("Duck",)]),
        ("current rentals", [(3,)]),
        ("who has been here longest", [("Bo",)]),
        ("longest serving skipper", [("Bo",)]),
        ("late rentals", [(1,)]),
        ("rentals a year ago", []),
        ("overdue rentals", [(3,)]),
    ],
)
def test_what_is_so_now(rental: Any, question: str, rows: list[Any]) -> None:
    rental.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("boats with status out", [("Duck",)]),
        ("how many rentals were booked with a skipper", [(1,)]),
        ("how many rentals are booked", [(1,)]),
        ("skippers without an email or phone number", [("Ann",), ("Cy",)]),
        ("rentals that have nobody as skipper", [(2,), (3,), (4,)]),
        ("how much did we spend on repairs in 2024", [(400,)]),
        ("how much did the repairs cost in total", [(400,)]),
    ],
)
def test_states_said_by_small_words_and_what_is_missing(rental: Any, question: str, rows: list[Any]) -> None:
    rental.answers(question, rows)


@pytest.fixture(scope="module")
def bakery(make: Any) -> Any:
    """Products with a description, what they sell for and what they cost; days on which pupils are absent."""
    return make(
        "CREATE TABLE prod (p_no INTEGER PRIMARY KEY, dsc VARCHAR, cat VARCHAR, unit_pr INTEGER, cost_pr INTEGER);"
        "CREATE TABLE pupils (pupil_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE attendance (attendance_id INTEGER PRIMARY KEY, pupil_id INTEGER REFERENCES pupils (pupil_id),"
        " day DATE, is_absent INTEGER, reason VARCHAR);"
        "INSERT INTO prod VALUES (1, 'rye', 'bread', 5, 2), (2, 'plait', 'bread', 3, 4), (3, 'scone', 'cake', 4, 1);"
        "INSERT INTO pupils VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO attendance VALUES (1, 1, '2025-01-01', 1, 'ill'), (2, 1, '2025-01-02', 1, NULL),"
        " (3, 2, '2025-01-01', 0, NULL), (4, 2, '2025-02-01', 1, 'ill');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which product is the cheapest", [("plait",)]),
        ("products that cost less than 4", [("plait",)]),
        ("margin of each product", [("plait", -1), ("rye", 3), ("scone", 3)]),
        ("how many absences in 2025", [(3,)]),
        ("how many attendances in 2025", [(4,)]),
        ("which pupil had the most absences", [("Ann",)]),
        ("pupils who were absent in February 2025", [("Bo",)]),
    ],
)
def test_descriptions_prices_and_absences(bakery: Any, question: str, rows: list[Any]) -> None:
    bakery.answers(question, rows)


@pytest.fixture(scope="module")
def fees(make: Any) -> Any:
    """Invoices of customers, with one amount and a date of payment."""
    return make(
        "CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (customer_id),"
        " issued_on DATE, amount INTEGER, paid_on DATE);"
        "INSERT INTO customers VALUES (1, 'Olga'), (2, 'Pia'), (3, 'Rui');"
        "INSERT INTO invoices VALUES (1, 1, '2024-01-01', 50, NULL), (2, 1, '2024-02-01', 60, NULL),"
        " (3, 2, '2024-01-01', 100, NULL), (4, 3, '2024-01-01', 900, '2024-02-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which customer owes us the most", [("Olga",)]),
        ("who owes us the most money", [("Olga",)]),
        ("unpaid amount per customer", [("Olga", 110), ("Pia", 100)]),
        ("total unpaid amount per customer", [("Olga", 110), ("Pia", 100)]),
    ],
)
def test_who_owes_most(fees: Any, question: str, rows: list[Any]) -> None:
    fees.answers(question, rows)


@pytest.fixture(scope="module")
def calibration(make: Any) -> Any:
    """Scales of clients that technicians calibrate by standards which are certified until a day."""
    return make(
        "CREATE TABLE clients (client_id INTEGER PRIMARY KEY, name VARCHAR, account_manager VARCHAR);"
        "CREATE TABLE scales (scale_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (client_id),"
        " kind VARCHAR, price INTEGER);"
        "CREATE TABLE technicians (technician_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE standards (standard_id INTEGER PRIMARY KEY, name VARCHAR, certified_until DATE);"
        "CREATE TABLE calibrations (calibration_id INTEGER PRIMARY KEY, scale_id INTEGER REFERENCES scales (scale_id),"
        " technician_id INTEGER REFERENCES technicians (technician_id), received_on DATE);"
        "CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (client_id),"
        " amount INTEGER, issued_on DATE, paid_on DATE);"
        "INSERT INTO clients VALUES (1, 'Apex', 'Rui'), (2, 'Bond', 'Uma');"
        "INSERT INTO scales VALUES (1, 1, 'floor', 5), (2, 1, 'bench', 9), (3, 2, 'bench', 7), (4, 2, 'bench', 8);"
        "INSERT INTO technicians VALUES (1, 'Tom'), (2, 'Ida');"
        "INSERT INTO standards VALUES (1, 'mass', '2001-01-01'), (2, 'length', '2099-01-01');"
        "INSERT INTO calibrations VALUES (1, 1, 1, '2024-01-01'), (2, 1, 1, '2024-02-01'), (3, 2, 2, '2024-01-01'),"
        " (4, 3, 2, '2024-01-01'), (5, 4, 2, '2024-01-01');"
        "INSERT INTO invoices VALUES (1, 1, 50, '2024-01-01', NULL), (2, 1, 60, '2024-01-01', '2024-02-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which standards have expired?", [("mass",)]),
        ("how many standards have expired?", [(1,)]),
        ("how much do we still have to collect from Apex?", [(50,)]),
        ("how much is still to be paid by Apex?", [(50,)]),
        ("which kind of scale has the most calibrations?", [("bench",)]),
        ("which scale kind has the most calibrations?", [("bench",)]),
        ("what kind of scale is the cheapest?", [("floor",)]),
    ],
)
def test_kinds_of_things_and_what_is_due(calibration: Any, question: str, rows: list[Any]) -> None:
    calibration.answers(question, rows)


def test_who_is_not_found_far_away_by_a_verb_without_a_name(calibration: Any) -> None:
    calibration.refused("who looks after Apex")
