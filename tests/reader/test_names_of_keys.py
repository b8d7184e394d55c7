"""What a schema's keys and endings say: rows called after their key, pairs before roles, units, short plurals."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def orchestra(make: Any) -> Any:
    return make(
        "CREATE TABLE Players (playerId INTEGER PRIMARY KEY, firstName VARCHAR, lastName VARCHAR);"
        "CREATE TABLE PieceStock (pieceId INTEGER PRIMARY KEY, title VARCHAR, weight_kg REAL,"
        " soloistId INTEGER REFERENCES Players (playerId), orderedOn DATE);"
        "CREATE TABLE PlayerPieces (playerId INTEGER REFERENCES Players (playerId),"
        " pieceId INTEGER REFERENCES PieceStock (pieceId), barsPlayed INTEGER, PRIMARY KEY (playerId, pieceId));"
        "CREATE TABLE Harps (harpId INTEGER PRIMARY KEY, model VARCHAR, serial_no VARCHAR, height_cm INTEGER,"
        " playerId INTEGER REFERENCES Players (playerId));"
        "INSERT INTO Players VALUES (1, 'Amy', 'Low'), (2, 'Bea', 'Mid'), (3, 'Cleo', 'Top');"
        "INSERT INTO PieceStock VALUES (1, 'Requiem', 2.5, 3, '2020-01-01'), (2, 'Bolero', 0.5, 3, '2021-01-01');"
        "INSERT INTO PlayerPieces VALUES (1, 1, 100), (2, 1, 40), (2, 2, 10);"
        "INSERT INTO Harps VALUES (1, 'Lyon', 'H-1', 180, 1), (2, 'Lyon', 'H-2', 170, 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("bars played per piece", [("Bolero", 10), ("Requiem", 140)]),
        ("heaviest piece", [("Requiem",)]),
        ("players who have never been in a piece", [("Cleo", "Top")]),
        ("harps over 175 cm", [("H-1",)]),
    ],
)
def test_the_schema_says_it(orchestra: Any, question: str, rows: list[Any]) -> None:
    orchestra.answers(question, rows)


@pytest.fixture(scope="module")
def games(make: Any) -> Any:
    return make(
        "CREATE TABLE gms (gm_id INTEGER PRIMARY KEY, gm_nm VARCHAR, rds INTEGER, cur_rtg INTEGER);"
        "CREATE TABLE rsl (rsl_id INTEGER PRIMARY KEY, gm_id INTEGER, rd INTEGER);"
        "INSERT INTO gms VALUES (1, 'Go', 9, 2500), (2, 'Ludo', 3, 900);"
        "INSERT INTO rsl VALUES (1, 1, 2), (2, 2, 9);"
    )


def test_short_plurals_and_nouns_in_ing(games: Any) -> None:
    games.answers("names with a rating over 1000", [("Go",)])
    games.answers("name of the game with 9 rounds", [("Go",)])


@pytest.fixture(scope="module")
def billing(make: Any) -> Any:
    return make(
        "CREATE TABLE firms (firm_no INTEGER PRIMARY KEY, firm_nm VARCHAR);"
        "CREATE TABLE inv_top (inv_no INTEGER PRIMARY KEY, firm_no INTEGER REFERENCES firms(firm_no), inv_dt DATE,"
        " state VARCHAR);"
        "CREATE TABLE inv_pos (inv_no INTEGER REFERENCES inv_top(inv_no), pos INTEGER, price DECIMAL(8, 2),"
        " qty INTEGER, PRIMARY KEY (inv_no, pos));"
        "INSERT INTO firms VALUES (1, 'Acme'), (2, 'Bolt');"
        "INSERT INTO inv_top VALUES (7, 1, '2024-01-05', 'sent'), (8, 1, '2024-02-05', 'void'),"
        " (9, 2, '2024-02-06', 'void');"
        "INSERT INTO inv_pos VALUES (7, 1, 5, 2), (7, 2, 10, 1), (8, 1, 4, 10), (9, 1, 30, 1), (9, 2, 5, 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("invoices of Acme", [(7,), (8,)]),
        ("void invoices of Acme", [(8,)]),
        ("average invoice value", [(pytest.approx(33.33, abs=0.01),)]),
        ("how many invoices were there in February", [(2,)]),
    ],
)
def test_a_document_is_called_as_it_and_its_lines_begin(billing: Any, question: str, rows: list[Any]) -> None:
    billing.answers(question, rows)


def test_a_name_tells_nothing_apart(make: Any) -> None:
    judges = make(
        "CREATE TABLE judges (id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);"
        "INSERT INTO judges VALUES (1, 'Ann', 'Ulm'), (2, 'Bo', NULL);"
    )
    with pytest.raises(Unread):
        judges.read("share of judges with a title")


def test_things_without_a_declared_key_are_grouped_by_the_number_they_are_given(make: Any) -> None:
    yard = make(
        "CREATE TABLE lorries (vin VARCHAR, make VARCHAR, depot_id INTEGER);"
        "CREATE TABLE checks (check_id INTEGER, vin VARCHAR, cost INTEGER);"
        "INSERT INTO lorries VALUES ('V1', 'MAN', 1), ('V2', 'MAN', 1);"
        "INSERT INTO checks VALUES (1, 'V1', 10), (2, 'V2', 20), (3, 'V2', 30);"
    )
    assert sorted(row[-1] for row in yard.rows(yard.read("total cost per lorry")[0].sql)) == [10, 50]


def test_a_key_is_not_called_after_the_first_word_of_its_table(make: Any) -> None:
    shop = make(
        "CREATE TABLE clients (client_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE client_orders (order_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (client_id),"
        " shipping_charge DOUBLE);"
        "INSERT INTO clients VALUES (7, 'Ann'), (8, 'Bo');"
        "INSERT INTO client_orders VALUES (1, 8, 2.5), (2, 7, 3.5);"
    )
    shop.answers("shipping charge and client id of client orders", [(2.5, 8), (3.5, 7)])
