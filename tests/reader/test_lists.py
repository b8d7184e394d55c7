"""Lists of values of one column, "in Rome and Oslo": alternatives where each row has one value, else all of them."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def vineyard(make: Any) -> Any:
    return make(
        "CREATE TABLE growers (id INTEGER PRIMARY KEY, name VARCHAR, contact VARCHAR, region VARCHAR);"
        "CREATE TABLE wines (id INTEGER PRIMARY KEY, label VARCHAR, colour VARCHAR, bottled DATE, price INTEGER,"
        " grower_id INTEGER REFERENCES growers (id));"
        "INSERT INTO growers VALUES (1, 'Alm', 'Ida', 'Baden'), (2, 'Bor', 'Jan', 'Alsace'),"
        " (3, 'Cru', 'Kim', 'Rioja'), (4, 'Dom', 'Leo', 'Douro');"
        "INSERT INTO wines VALUES (1, 'A1', 'red', '2019-05-01', 10, 1), (2, 'A2', 'white', '2020-05-01', 20, 1),"
        " (3, 'B1', 'red', '2021-05-01', 30, 2), (4, 'C1', 'rose', '2021-06-01', 40, 3);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("contacts of growers in Baden and Rioja", [("Ida",), ("Kim",)]),
        ("names of growers in Baden and Alsace", [("Alm",), ("Bor",)]),
        ("growers in Baden, Alsace and Rioja", [("Alm",), ("Bor",), ("Cru",)]),
        ("how many growers are there in Baden, Alsace, and Rioja?", [(3,)]),
        ("growers not in Baden and Rioja", [("Bor",), ("Dom",)]),
        ("average price of wines by Alm and Bor", [(20.0,)]),
        ("wines bottled in 2019 and 2020", [("A1",), ("A2",)]),
        ("wines bottled in 2019, 2020 and 2021", [("A1",), ("A2",), ("B1",), ("C1",)]),
        ("wines bottled in May 2019 and June 2021", [("A1",), ("C1",)]),
    ],
)
def test_each_row_has_one_value_of_a_list(vineyard: Any, question: str, rows: list[Any]) -> None:
    vineyard.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("growers with red and white wines", [("Alm",)]),
        ("growers who bottled wines in 2019 and 2020", [("Alm",)]),
    ],
)
def test_a_thing_with_several_rows_has_all_values_of_a_list(vineyard: Any, question: str, rows: list[Any]) -> None:
    vineyard.answers(question, rows)


def test_numbers_of_both_are_of_one_column(make: Any) -> None:
    """The year of planting is no year of picking, nor is that of a treatment."""
    farm = make(
        "CREATE TABLE plots (id INTEGER PRIMARY KEY, name VARCHAR, planted_year INTEGER);"
        "CREATE TABLE treatments (id INTEGER PRIMARY KEY, plot_id INTEGER REFERENCES plots (id), applied_on DATE);"
        "CREATE TABLE harvests (id INTEGER PRIMARY KEY, plot_id INTEGER REFERENCES plots (id), picked_on DATE);"
        "INSERT INTO plots VALUES (1, 'North', 2022); INSERT INTO treatments VALUES (1, 1, '2024-05-01');"
        "INSERT INTO harvests VALUES (1, 1, '2022-09-01'); INSERT INTO plots VALUES (2, 'South', 2020);"
        "INSERT INTO harvests VALUES (2, 2, '2022-09-01'), (3, 2, '2024-09-01');"
    )
    farm.answers("plots picked in both 2022 and 2024", [("South",)])
