"""A column that is shown and compared at once, roles of two words, and what is said to be "out"."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest
from support import Database

ORCHESTRA = """
CREATE TABLE Musician ("Musician ID" INTEGER PRIMARY KEY, "Full Name" TEXT, "Section" TEXT, "Section Leader ID" INTEGER,
  FOREIGN KEY ("Section Leader ID") REFERENCES Musician ("Musician ID"));
INSERT INTO Musician VALUES (1, 'Ada Berg', 'Strings', NULL);
INSERT INTO Musician VALUES (2, 'Bo Clay', 'Strings', 1), (3, 'Cy Dahl', 'Strings', 1);
CREATE TABLE Campaign ("Campaign ID" INTEGER PRIMARY KEY, "Slogan" TEXT, "Budget" INTEGER);
INSERT INTO Campaign VALUES (1, 'Hear it live', 400), (2, 'Music for all of us', 900), (3, 'Bow', 1200);
CREATE TABLE Concert ("Concert ID" INTEGER PRIMARY KEY, "Held On" DATE, "Status" TEXT);
INSERT INTO Concert VALUES (1, '2023-05-01', 'played'), (2, '2023-06-01', 'cancelled'), (3, '2024-02-01', 'played');
"""


@pytest.fixture(scope="module")
def orchestra(standing: Database) -> Any:
    return standing.made(ORCHESTRA)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("budgets above 500", [(900,), (1200,)]),
        ("campaign budgets above 1000", [(1200,)]),
        ("slogans longer than 12 characters", [("Music for all of us",)]),
        ("campaigns with three-letter slogans", [(3,)]),
        ("musicians and their section leader", [("Bo Clay", "Ada Berg"), ("Cy Dahl", "Ada Berg")]),
        ("how many musicians has each section leader", [("Ada Berg", 2)]),
        ("number of concerts per year, cancelled concerts out", [("2023", 1), ("2024", 1)]),
        ("number of concerts per year, cancelled ones out", [("2023", 1), ("2024", 1)]),
    ],
)
def test_they_are_read(orchestra: Any, question: str, rows: list[Any]) -> None:
    answer = askwhere.ask(orchestra, question)
    assert sorted(answer.rows) == sorted(rows), answer.sql
