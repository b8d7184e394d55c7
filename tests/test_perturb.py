"""Perturbed copies of a database: other rows under the same rules, the same each time, that show wrong queries."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest
from askwhere.bindings.copying import copy
from askwhere.evaluation.perturb import LEAST, perturbed

CINEMA = """
CREATE TABLE "film club" (id INTEGER PRIMARY KEY, "the name" TEXT NOT NULL, city TEXT, founded INTEGER, opened DATE);
CREATE TABLE films (code TEXT PRIMARY KEY, title TEXT UNIQUE, year INTEGER, price REAL, "order" TEXT);
CREATE TABLE shown (
  club INTEGER REFERENCES "film club", film TEXT REFERENCES FILMS(CODE), day TEXT, PRIMARY KEY (club, film)
) WITHOUT ROWID;
CREATE TABLE tickets (
  id INTEGER PRIMARY KEY, club INTEGER, film TEXT, seats INTEGER, twice AS (seats * 2),
  FOREIGN KEY (club, film) REFERENCES shown(club, film)
);
CREATE TABLE members (id INTEGER PRIMARY KEY, guest_of INTEGER REFERENCES members, age INTEGER CHECK (age < 120));
CREATE TABLE rooms (id INTEGER PRIMARY KEY, label VARCHAR(20), size INT, built DATE, price DECIMAL(8,2));
CREATE VIRTUAL TABLE found USING fts5(body);
CREATE VIEW young AS SELECT * FROM members WHERE age < 30;
CREATE TRIGGER counted AFTER INSERT ON films BEGIN DELETE FROM tickets; END;
INSERT INTO "film club" VALUES (1, 'Odeon', 'Paris', 1950, '2001-05-06'), (2, 'Rex', 'Paris', 1960, '2003-01-02'),
  (3, 'Lux', 'Rome', 1970, NULL), (4, 'Astra', 'Bonn', 1980, '2011-05-06'), (5, 'Eden', 'Rome', 1990, '2001-12-31');
INSERT INTO films VALUES ('A1', 'One Fine Day', 1999, 7.5, 'x'), ('B2', 'Two Moons', 2001, 8.25, 'y'),
  ('C3', 'Three Kings', 2001, 9.0, NULL);
INSERT INTO shown VALUES (1, 'A1', 'Monday'), (1, 'B2', 'Monday'), (2, 'A1', 'Friday'), (3, 'C3', 'Friday');
INSERT INTO tickets VALUES (1, 1, 'A1', 2), (2, 1, 'A1', 3), (3, 3, 'C3', 1), (4, NULL, NULL, 4);
INSERT INTO members VALUES (1, NULL, 20), (2, 1, 40), (3, 1, 60), (4, 2, 80);
INSERT INTO found VALUES ('something'), ('else');
"""
TABLES = ("film club", "films", "shown", "tickets", "members", "rooms")


@pytest.fixture
def cinema(tmp_path: Path) -> Path:
    path = tmp_path / "cinema.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(CINEMA)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "copies"


def rows(path: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def everything(path: Path) -> list[Any]:
    return [rows(path, f'SELECT * FROM "{table}" ORDER BY 1, 2') for table in TABLES]


def test_a_copy_is_made_once_and_is_the_same_for_the_same_seed(cinema: Path, folder: Path) -> None:
    one = perturbed(cinema, 1, folder)
    made = one.stat().st_mtime_ns
    assert perturbed(cinema, 1, folder) == one
    assert one.stat().st_mtime_ns == made
    again = perturbed(cinema, 1, folder / "elsewhere")
    assert everything(again) == everything(one) != everything(perturbed(cinema, 2, folder))


def test_a_copy_of_other_rows_is_another(cinema: Path, folder: Path) -> None:
    one = perturbed(cinema, 1, folder)
    with closing(sqlite3.connect(cinema)) as connection, connection:
        connection.execute("INSERT INTO members VALUES (9, NULL, 30)")
    assert perturbed(cinema, 1, folder) != one


def test_the_file_itself_stays_as_it_is(cinema: Path, folder: Path) -> None:
    before = cinema.read_bytes()
    perturbed(cinema, 1, folder)
    assert cinema.read_bytes() == before
    assert [path.suffix for path in folder.iterdir()] == [".sqlite"]


@pytest.mark.parametrize("seed", range(5))
def test_every_table_has_more_rows_under_the_same_schema_and_keys(cinema: Path, folder: Path, seed: int) -> None:
    made = perturbed(cinema, seed, folder)
    schema = "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2"
    assert rows(made, schema) == rows(cinema, schema)
    assert rows(made, "PRAGMA foreign_key_check") == []
    assert rows(made, "PRAGMA integrity_check") == [("ok",)]
    for table in ("film club", "films", "members", "rooms"):
        count = f'SELECT count(*) FROM "{table}"'
        assert rows(made, count)[0][0] == rows(cinema, count)[0][0] + LEAST
    assert rows(made, "SELECT count(*) FROM shown")[0][0] > 4
    assert rows(made, "SELECT count(*) FROM tickets")[0][0] > 4
    assert rows(made, "SELECT * FROM found") == [("something",), ("else",)]


def test_values_keep_their_types_and_what_holds_for_all_of_them(cinema: Path, folder: Path) -> None:
    made = perturbed(cinema, 3, folder)
    for table in TABLES[:-1]:
        for column in [row[1] for row in rows(cinema, f'PRAGMA table_info("{table}")')]:
            types = f'SELECT DISTINCT typeof("{column}") FROM "{table}" ORDER BY 1'
            assert rows(made, types) == rows(cinema, types), (table, column)
    assert rows(made, 'SELECT count(*) - count(DISTINCT "the name") FROM "film club"') == [(0,)]
    assert rows(made, 'SELECT count(*) > count(DISTINCT city) FROM "film club"') == [(1,)]
    assert {kind for row in rows(made, "SELECT typeof(size), typeof(label) FROM rooms") for kind in row} == {
        "integer",
        "text",
    }
    assert rows(made, "SELECT count(*) FROM members WHERE age >= 120 OR age < 0") == [(0,)]


def test_rows_that_were_there_change_but_for_their_keys(cinema: Path, folder: Path) -> None:
    made = perturbed(cinema, 0, folder)
    keys = "SELECT code, title FROM films WHERE code IN ('A1', 'B2', 'C3') ORDER BY 1"
    assert rows(made, keys) == rows(cinema, keys)
    old = 'SELECT id, city, founded FROM "film club" WHERE id <= 5 ORDER BY 1'
    assert rows(made, old) != rows(cinema, old)


def test_what_queries_compare_with_is_among_the_new_values(cinema: Path, folder: Path) -> None:
    asked = (
        'SELECT "the name" FROM "film club" WHERE city = "Oslo" AND founded > 1975',
        "SELECT title FROM films WHERE title LIKE '%Sun%' AND price BETWEEN 3 AND 4.5",
        "no query",
    )
    made = perturbed(cinema, 0, folder, asked)
    assert made != perturbed(cinema, 0, folder)
    assert rows(made, "SELECT count(*) > 0 FROM \"film club\" WHERE city = 'Oslo'") == [(1,)]
    assert rows(made, 'SELECT count(*) > 0 FROM "film club" WHERE founded IN (1974, 1975, 1976)') == [(1,)]
    assert rows(made, "SELECT count(*) > 0 FROM films WHERE title LIKE '%Sun%'") == [(1,)]
    assert rows(made, "SELECT count(*) > 0 FROM films WHERE price IN (2, 3, 4, 3.5, 4.5, 5.5)") == [(1,)]


@pytest.mark.parametrize(
    ("gold", "wrong"),
    [
        ("SELECT count(*) FROM members WHERE age > 50", "SELECT count(*) FROM members WHERE age > 59"),
        ('SELECT city FROM "film club" WHERE founded < 1960', 'SELECT city FROM "film club" WHERE id < 2'),
        ("SELECT f.code FROM films f", "SELECT DISTINCT f.code FROM films f JOIN shown s ON s.film = f.code"),
        ("SELECT max(year) FROM films", "SELECT year FROM films WHERE price = (SELECT max(price) FROM films)"),
        ("SELECT count(*) FROM rooms WHERE size > 30", "SELECT count(*) FROM rooms WHERE size > 10"),  # has no rows
    ],
)
def test_wrong_queries_that_pass_on_the_database_fail_on_some_copy(
    cinema: Path, folder: Path, gold: str, wrong: str
) -> None:
    assert sorted(rows(cinema, gold)) == sorted(rows(cinema, wrong))
    copies = [perturbed(cinema, seed, folder, [gold]) for seed in range(3)]
    assert any(sorted(rows(made, gold)) != sorted(rows(made, wrong)) for made in copies)


def test_a_copy_can_be_taken_into_duckdb(cinema: Path, folder: Path) -> None:
    made = perturbed(cinema, 0, folder)
    with closing(sqlite3.connect(made)) as source, closing(duckdb.connect()) as target:
        source.executescript("DROP TABLE found; DROP TABLE tickets")
        copy(source, target)
        for table in set(TABLES) - {"tickets"}:
            count = f'SELECT count(*) FROM "{table}"'
            assert target.execute(count).fetchall() == source.execute(count).fetchall()


def test_text_that_is_not_utf_8_stops_no_copy(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "odd.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (a, b BLOB)")
        connection.execute("INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT), x'00ff'), (1.5, NULL), (9e99, x'01')")
    assert len(rows(perturbed(path, 0, folder), "SELECT * FROM t")) == 3 + LEAST


def test_a_file_that_is_no_database_is_an_error(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "notes.sqlite"
    path.write_text("these are notes, and no database at all")
    with pytest.raises(sqlite3.DatabaseError, match="file is not a database"):
        perturbed(path, 0, folder)
    assert list(folder.iterdir()) == []


def databases(data: Path) -> Iterator[Path]:
    yield from sorted((data / "spider" / "databases").glob("*/*.sqlite"))


@pytest.mark.slow
def test_copies_of_all_spider_databases_keep_foreign_keys(data: Path, folder: Path) -> None:
    for path in databases(data):
        made = perturbed(path, 1, folder)
        try:
            broken = len(rows(path, "PRAGMA foreign_key_check"))
        except sqlite3.OperationalError:
            continue  # some keys refer to what is no key, which SQLite refuses to check
        assert len(rows(made, "PRAGMA foreign_key_check")) <= broken, path.stem
