"""What a thing is shown by: its name, or a description that is named after it; never the key of another thing."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def sales(make: Any) -> Any:
    return make(
        "CREATE TABLE Regions (RegionID INTEGER PRIMARY KEY, RegionDescription VARCHAR);"
        "CREATE TABLE Territories (TerritoryID INTEGER PRIMARY KEY, TerritoryDescription VARCHAR,"
        " RegionID INTEGER REFERENCES Regions (RegionID));"
        "CREATE TABLE Sizes (size_code VARCHAR PRIMARY KEY, size_description VARCHAR);"
        "CREATE TABLE Shirts (shirt_id INTEGER PRIMARY KEY, description VARCHAR,"
        " size_code VARCHAR REFERENCES Sizes (size_code));"
        "CREATE TABLE Customers (customer_id INTEGER PRIMARY KEY, customer_name VARCHAR);"
        "CREATE TABLE Contact_Channels (customer_id INTEGER REFERENCES Customers (customer_id), since INTEGER);"
        "INSERT INTO Regions VALUES (1, 'North'), (2, 'South');"
        "INSERT INTO Territories VALUES (10, 'Hull', 1), (20, 'York', 1), (30, 'Dover', 2);"
        "INSERT INTO Sizes VALUES ('L', 'large'), ('S', 'small');"
        "INSERT INTO Shirts VALUES (1, 'blue', 'L'), (2, 'red', 'S'), (3, 'red', 'L');"
        "INSERT INTO Customers VALUES (1, 'Ann'); INSERT INTO Contact_Channels VALUES (1, 2001);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many territories are in each region?", [("North", 2), ("South", 1)]),
        ("Which region has the most territories?", [("North",)]),
        ("territories of region 2", [("Dover",)]),
        ("How many shirts does each size have?", [("large", 2), ("small", 1)]),
        ("list the shirts", [(1,), (2,), (3,)]),  # a description that may be any text is no name
    ],
)
def test_a_thing_is_shown_by_what_it_is_known_by(sales: Any, question: str, rows: list[Any]) -> None:
    sales.answers(question, rows)


def test_a_thing_is_not_shown_by_the_key_of_another_alone(sales: Any) -> None:
    sales.answers("Which contact channels are used by the customer Ann?", [(1, 2001)])
    with pytest.raises(Unread):
        sales.read("names of the customers and their contact channels")


def test_a_label_is_shown_and_not_its_code_and_a_number_of_text_behind_a_key(make: Any) -> None:
    garage = make(
        "CREATE TABLE fuels (fuel_cd VARCHAR PRIMARY KEY, caption VARCHAR);"
        "CREATE TABLE tractors (tractor_id INTEGER PRIMARY KEY, plate_no VARCHAR, fuel_cd VARCHAR, power INTEGER);"
        "INSERT INTO fuels VALUES ('D', 'Diesel'), ('P', 'Petrol');"
        "INSERT INTO tractors VALUES (1, 'AB 12', 'D', 90), (2, 'CD 34', 'D', 120), (3, 'EF 56', 'P', 60);"
    )
    garage.answers("number of tractors per fuel", [("Diesel", 2), ("Petrol", 1)])
    garage.answers("tractors with more than 80 power", [("AB 12",), ("CD 34",)])


def test_names_that_shorten_words_with_their_endings_are_found(make: Any) -> None:
    hotel = make(
        "CREATE TABLE accdt_typ (typ_cd VARCHAR PRIMARY KEY, typ_desc VARCHAR);"
        "CREATE TABLE accdnt (accdnt_id INTEGER PRIMARY KEY, town VARCHAR);"
        "CREATE TABLE trnr (trnr_id INTEGER PRIMARY KEY, fst_nm VARCHAR, lst_nm VARCHAR, brth_dt DATE, rel_dt DATE);"
        "INSERT INTO accdnt VALUES (1, 'Hull'), (2, 'York');"
        "INSERT INTO trnr VALUES (1, 'Ann', 'Lee', '1990-01-01', NULL), (2, 'Bo', 'Orr', '1970-01-01', NULL);"
    )
    hotel.answers("how many accidents were in Hull?", [(1,)])
    hotel.answers("number of accidents per town", [("Hull", 1), ("York", 1)])  # and no `accdt_typ`
    with pytest.raises(Unread):
        hotel.read("revenue per trainer")  # `rel_dt` is not short for it
    hotel.answers("the youngest trainer", [("Ann", "Lee")])


def test_a_firm_is_shown_before_its_contact_and_no_number_is_a_name(make: Any) -> None:
    yard = make(
        "CREATE TABLE dealers (dealer_id INTEGER PRIMARY KEY, firm VARCHAR, contact_name VARCHAR, town VARCHAR);"
        "CREATE TABLE legs (leg_id INTEGER PRIMARY KEY, length_nm INTEGER, harbour VARCHAR);"
        "INSERT INTO dealers VALUES (1, 'Sails Ltd', 'Ann', 'Hull');"
        "INSERT INTO legs VALUES (7, 40, 'Hull');"
    )
    yard.answers("which dealers are in the town of Hull?", [("Sails Ltd",)])
    yard.answers("legs whose harbour is Hull", [(7,)])


def test_given_and_family_names_are_shown_together(make: Any) -> None:
    clubs = make(
        "CREATE TABLE Member (MemberId INTEGER PRIMARY KEY, GivenName VARCHAR, FamilyName VARCHAR, JoinedOn DATE);"
        "INSERT INTO Member VALUES (1, 'Ida', 'Berg', '2020-01-01'), (2, 'Per', 'Dal', '2022-01-01');"
    )
    clubs.answers(
        "newest member's full name and join date",
        [("Per", "Dal", clubs.rows("SELECT MAX(JoinedOn) FROM Member")[0][0])],
    )


def test_a_name_after_a_short_form_of_the_table_is_its_name(make: Any) -> None:
    shop = make(
        "CREATE TABLE dim_promotion (promo_key INTEGER PRIMARY KEY, promo_name VARCHAR, promo_code VARCHAR);"
        "INSERT INTO dim_promotion VALUES (1, 'Summer', 'S1');"
    )
    shop.answers("all promotions", [("Summer",)])


def test_words_that_find_no_column_are_refused_and_do_not_fail(make: Any) -> None:
    firm = make(
        "CREATE TABLE officers (id INTEGER PRIMARY KEY, name VARCHAR, supervisor_id INTEGER REFERENCES officers(id),"
        " active VARCHAR, hazmat_un INTEGER);"
        "INSERT INTO officers VALUES (1, 'Ida', NULL, 'Y', 3);"
    )
    firm.refused("officers and their supervisors, active officers only")
    firm.refused("how many different dangerous goods (UN numbers) do we move")


def test_a_tag_names_a_thing_and_the_name_of_its_class_does_not(make: Any) -> None:
    yard = make(
        "CREATE TABLE locos (loco_key INTEGER PRIMARY KEY, loco_no VARCHAR, class_name VARCHAR, km INTEGER);"
        "CREATE TABLE assets (assetTag VARCHAR PRIMARY KEY, model VARCHAR, price INTEGER);"
        "INSERT INTO locos VALUES (1, 'L-1', 'Vectron', 10), (2, 'L-2', 'Vectron', 20);"
        "INSERT INTO assets VALUES ('A-1', 'X1', 5), ('A-2', 'X1', 9);"
    )
    yard.answers("locos with more than 15 km", [("L-2",)])
    yard.answers("assets dearer than 6", [("A-2",)])


def test_cars_of_one_model_are_told_apart_by_their_plates(make: Any) -> None:
    cars = make(
        "CREATE TABLE vehicles (id INTEGER PRIMARY KEY, plate VARCHAR, make VARCHAR, model VARCHAR, km INTEGER);"
        "INSERT INTO vehicles VALUES (1, 'AB 1', 'Seat', 'Leon', 5), (2, 'CD 2', 'Seat', 'Leon', 9);"
    )
    cars.answers("vehicles with more than 4 km", [("AB 1",), ("CD 2",)])
    cars.answers("make and model of vehicles", [("Seat", "Leon"), ("Seat", "Leon")])


def test_boats_are_told_apart_by_their_registration_and_not_by_its_date(make: Any) -> None:
    boats = make(
        "CREATE TABLE boats (id INTEGER PRIMARY KEY, model VARCHAR, registration VARCHAR, berths INTEGER);"
        "CREATE TABLE crew (id INTEGER PRIMARY KEY, registration DATE, email VARCHAR, age INTEGER);"
        "INSERT INTO boats VALUES (1, 'Hallberg 31', 'GB 7', 4), (2, 'Hallberg 31', 'GB 9', 6);"
        "INSERT INTO crew VALUES (1, '2024-01-01', 'a@b.example', 40);"
    )
    boats.answers("boats with more than 5 berths", [("GB 9",)])
    boats.answers("crew older than 30", [(1,)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("open refunds", [(1,)]),
        ("list all refunds", [(1,), (2,)]),
        ("refunds in February 2024", [(2,)]),
        ("pledges over 50", [(2,)]),
        ("latest pledge", [(2,)]),
        ("total pledged", [(120,)]),
        ("average pledge", [(60.0,)]),
        ("paid requests", [(1,)]),  # of `parts_requests`
        ("average paid request", [(30.0,)]),
        ("total requests", [(75,)]),
        ("list all runs", [("Hill",)]),  # a run is a noun as well
    ],
)
def test_things_are_not_shown_by_what_was_done_with_them(make: Any, question: str, rows: list[Any]) -> None:
    charity = make(
        "CREATE TABLE refunds (id INTEGER PRIMARY KEY, refunded DATE, amount INTEGER, state VARCHAR);"
        "CREATE TABLE pledges (id INTEGER PRIMARY KEY, made_on DATE, pledged INTEGER);"
        "CREATE TABLE runs (id INTEGER PRIMARY KEY, run VARCHAR, km INTEGER);"
        "CREATE TABLE parts_requests (id INTEGER PRIMARY KEY, made_on DATE, requested INTEGER, status VARCHAR);"
        "INSERT INTO parts_requests VALUES (1, '2024-01-02', 30, 'paid'), (2, '2024-02-02', 45, 'due');"
        "INSERT INTO refunds VALUES (1, '2024-01-02', 50, 'open'), (2, '2024-02-02', 70, 'settled');"
        "INSERT INTO pledges VALUES (1, '2024-01-02', 40), (2, '2024-03-02', 80);"
        "INSERT INTO runs VALUES (1, 'Hill', 5);"
    )
    charity.answers(question, rows)


def test_a_listing_is_not_the_day_on_which_it_was_listed(make: Any) -> None:
    agency = make(
        "CREATE TABLE posting (postingId INTEGER PRIMARY KEY, postedOn DATE, town VARCHAR);"
        "CREATE TABLE bid (bidId INTEGER PRIMARY KEY, postingId INTEGER REFERENCES posting (postingId));"
        "INSERT INTO posting VALUES (1, '2023-01-01', 'Oslo'), (2, '2023-01-01', 'Bergen');"
        "INSERT INTO bid VALUES (1, 1), (2, 1), (3, 2);"
    )
    agency.answers("bids per posting", [(1, 2), (2, 1)])


@pytest.fixture(scope="module")
def recipes(make: Any) -> Any:
    return make(
        "CREATE TABLE dish (dish_id INTEGER PRIMARY KEY, title VARCHAR, minutes INTEGER);"
        "CREATE TABLE cuisine (cuisine_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE dish_cuisine (dish_id INTEGER REFERENCES dish (dish_id),"
        " cuisine_id INTEGER REFERENCES cuisine (cuisine_id), last_update TIMESTAMP,"
        " PRIMARY KEY (dish_id, cuisine_id));"
        "INSERT INTO dish VALUES (1, 'Pho', 40), (2, 'Ramen', 60), (3, 'Tacos', 20);"
        "INSERT INTO cuisine VALUES (1, 'Asian'), (2, 'Mexican'), (3, 'Nordic');"
        "INSERT INTO dish_cuisine VALUES (1, 1, '2024-01-01'), (2, 1, '2024-01-01'), (3, 2, '2024-01-01'),"
        " (3, 1, '2024-01-01');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average minutes per dish cuisine", [("Asian", 40.0), ("Mexican", 20.0)]),
        ("how many dish cuisines are there", [(3,)]),
        ("list the dish cuisines", [("Asian",), ("Mexican",), ("Nordic",)]),
    ],
)
def test_a_link_table_named_after_what_it_links_names_the_last_of_them(
    recipes: Any, question: str, rows: list[Any]
) -> None:
    recipes.answers(question, rows)
