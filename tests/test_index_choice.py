"""Which columns are indexed: those that are named, and none of too many values; and what `ask_index` says of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.bindings import connections
from askwhere.bindings.cli import main as cli
from askwhere.bindings.duckdb import scanning
from askwhere.errors import AskError
from askwhere.indexer import indexed
from support import Database, error, rows

pytestmark = pytest.mark.slow

PEOPLE = """
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
INSERT INTO people VALUES (1, 'Ann Lee', 'Oslo'), (2, 'Bo Ek', 'Bergen'), (3, 'Cy Ek', 'Oslo');
CREATE TABLE ships (name TEXT, home TEXT);
INSERT INTO ships VALUES ('Aurora', 'Oslo'), ('Vega', 'Bergen');
"""


def done(connection: Any, name: str = "") -> tuple[str, str]:
    """What `ask_index` says: the columns that were taken, and those that were left out."""
    said = rows(connection, f"SELECT ask_index('{name}')" if name else "SELECT ask_index()")[0][0]
    taken, _, left_out = said.partition("\nleft out: ")
    return taken.partition(" s: ")[2], left_out


def found(connection: Any, text: str) -> set[tuple[str, str]]:
    """The columns of which the index has a value that is in the text."""
    return {row[:2] for row in rows(connection, f"SELECT table_name, column_name FROM ask_values('{text}', 1)")}


def test_the_columns_that_are_named_are_indexed_alone(database: Database) -> None:
    connection = database.made(PEOPLE, index_columns="people.name, *.home")
    assert done(connection) == ("people.name, ships.home", "people.id, people.city, ships.name (not in index_columns)")
    assert found(connection, "oslo") == {("ships", "home")}
    assert found(connection, "ann lee") == {("people", "name")}


def test_one_table_is_indexed_again_by_the_same_choice(database: Database) -> None:
    connection = database.made(PEOPLE)
    assert done(connection) == ("people.name, people.city, ships.name, ships.home", "people.id (no text)")
    rows(connection, "SELECT ask_set('index_columns', 'ships.home')")
    assert done(connection, "ships") == ("ships.home", "ships.name (not in index_columns)")
    assert found(connection, "vega of oslo") == {("people", "city"), ("ships", "home")}


def test_a_name_that_is_no_column_is_refused_with_the_nearest(database: Database) -> None:
    connection = database.made(PEOPLE)
    said = error(connection, "SELECT ask_set('index_columns', 'ships.hme')")
    assert "setting index_columns: 'ships.hme' matches no column of this database; did you mean 'ships.home'" in said
    assert "the setting index_columns says which" in error(connection, "SELECT ask_index('ships.home')")
    with pytest.raises(AskError, match=r"'crew\.rank' matches no column"):
        connections.session(database.made(PEOPLE, index_columns="crew.rank")).index(connections.engine(connection))


def test_columns_that_went_away_stop_no_question(database: Database) -> None:
    connection = database.made(PEOPLE, index_columns="ships.home")
    connection.execute("DROP TABLE ships")
    assert rows(connection, "SELECT * FROM ask('how many people are there')") == [(3,)]
    assert "write 'ships.home?' where it need not be there" in error(connection, "SELECT ask_index()")


def test_long_lists_end(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexed, "NAMED", 2)
    connection = database.made(PEOPLE, index_columns="people.*")
    assert done(connection)[0] == "people.name, people.city"
    rows(connection, "SELECT ask_set('index_columns', '*.home')")
    assert done(connection)[1] == "people.id, people.name and 2 more (not in index_columns)"


def test_the_command_line_names_columns(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    database.made(PEOPLE, database.path).close()
    assert cli.main(["index", str(database.path), "--set", "index_columns=*.city"]) == 0
    taken, _, left_out = capsys.readouterr().out.partition(" s: ")[2].partition("\nleft out: ")
    assert taken == "people.city"
    assert left_out == "people.id, people.name, ships.name, ships.home (not in index_columns)\n"
    assert cli.main(["index", str(database.path), "--set", "index_columns=*.town"]) == 1
    assert "'*.town' matches no column of this database" in capsys.readouterr().err


def test_columns_of_attached_databases_are_named_with_theirs(database: Database) -> None:
    other = database.raw(database.path)
    other.execute("CREATE TABLE ships (name TEXT, home TEXT)")
    other.execute("INSERT INTO ships VALUES ('Maud', 'Molde')")
    other.close()
    connection = database.made(PEOPLE)
    connection.execute(f"ATTACH '{database.path}' AS north")
    rows(connection, "SELECT ask_set('index_columns', 'north.ships.home')")
    taken, left_out = done(connection)
    assert taken == "north.ships.home"
    assert "north.ships.name" in left_out


def test_a_view_over_files_with_too_many_values_is_not_held_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables of DuckDB are read in ranges of rows, and reading stops at the limit."""
    duckdb.execute(
        "COPY (SELECT 'code ' || i AS code, 'city ' || i % 10 AS city FROM range(20000) AS r(i))"
        f" TO '{tmp_path}/sales.parquet'"
    )
    streamed, joined = [], []
    monkeypatch.setattr(scanning, "_streamed", _counted(scanning._streamed, streamed))
    monkeypatch.setattr(scanning, "_joined", _counted(scanning._joined, joined))
    with askwhere.connect(tmp_path / "sales.parquet", index_values=1_000) as connection:
        assert done(connection) == ("sales.city", "sales.code (more than 1,000 different values)")
        assert (len(streamed), len(joined)) == (1, 1)
        rows(connection, "SELECT ask_set('index_values', '30000')")
        assert done(connection) == ("sales.code, sales.city", "")
        assert found(connection, "code 19999") == {("sales", "code")}


def _counted(function: Any, calls: list[None]) -> Any:
    def counted(*arguments: Any) -> Any:
        calls.append(None)
        return function(*arguments)

    return counted


@pytest.mark.slow
@pytest.mark.parametrize("numbers", ["off", "on"])
def test_the_index_says_which_numbers_are_0_and_1_alone(database: Database, numbers: str) -> None:
    connection = database.made(
        "CREATE TABLE barns (id INTEGER PRIMARY KEY, name TEXT, heated INTEGER, doors INTEGER, floors INTEGER);"
        " INSERT INTO barns VALUES (0, 'Low', 1, 0, 1), (1, 'High', NULL, 1, 1), (2, 'Old', 0, 2, 1);",
        index_numbers=numbers,
    )
    assert "barns.heated (0 and 1 alone)" in done(connection)[1]
    assert rows(connection, "SELECT * FROM ask('heated barns')") == [("Low",)]
    assert rows(connection, "SELECT name FROM ask('which barns are not heated')") == [("Old",)]
    rows(connection, "UPDATE barns SET heated = 2 WHERE name = 'Low'")
    rows(connection, "SELECT ask_index('barns')")
    assert "knows the words" in error(connection, "SELECT * FROM ask('how many barns are heated')")


@pytest.mark.slow
def test_a_table_of_many_rows_has_flags_where_it_is_indexed(database: Database) -> None:
    many = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 20001)"
    connection = database.made(
        f"CREATE TABLE barns AS {many} SELECT i AS id, 'B' || i AS name, CAST(i % 2 AS INTEGER) AS heated FROM n"
    )
    assert "knows the words" in error(connection, "SELECT * FROM ask('how many barns are not heated')")
    rows(connection, "SELECT ask_index()")
    assert rows(connection, "SELECT * FROM ask('how many barns are heated')") == [(10001,)]
