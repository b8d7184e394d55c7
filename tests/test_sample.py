"""The sample database: its facts hang together, and building it harms nothing."""

import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import apsw
import duckdb
import pytest
from askwhere.bindings import sample
from askwhere.bindings.engine_errors import unopened
from askwhere.bindings.sample import build
from askwhere.errors import DatabaseError

BUILDERS = {"sqlite": sample.build_sqlite, "duckdb": sample.build_duckdb}


def _rows():
    with closing(apsw.Connection("")) as connection:
        connection.execute(build.script())
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}


ROWS = _rows()


def read_all(engine: str, path: Path) -> dict[str, list[tuple]]:
    if engine == "duckdb":
        with duckdb.connect(str(path), read_only=True) as connection:
            return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in ROWS}
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in ROWS}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    path = tmp_path_factory.mktemp("world") / "world.db"
    sample.build_sqlite(path)
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        yield lambda query: connection.execute(query).fetchall()


def test_both_engines_hold_exactly_the_rows_of_the_tables(tmp_path):
    for engine, builder in BUILDERS.items():
        path = tmp_path / f"it's {engine}"
        builder(path)
        for name, rows in read_all(engine, path).items():
            assert Counter(rows) == Counter(ROWS[name]), (engine, name)
        assert len(list(tmp_path.iterdir())) == list(BUILDERS).index(engine) + 1


def test_duckdb_1_5_can_read_the_file(tmp_path):
    sample.build_duckdb(tmp_path / "world.duckdb")
    with duckdb.connect(str(tmp_path / "world.duckdb"), read_only=True) as connection:
        ((tags,),) = connection.execute("SELECT tags FROM duckdb_databases() WHERE database_name = 'world'").fetchall()
    assert tags["storage_version"].startswith("v1.")


def test_a_file_of_a_newer_duckdb_is_refused_with_what_to_do():
    exc = duckdb.IOException(  # as DuckDB 1.5 says it
        "IO Error: Trying to read a database file with version number 999, but we can only read versions between 64"
        " and 68. \nThe database file was created with an newer version of DuckDB.\n\nNewer DuckDB version might"
    )
    assert str(unopened("world.duckdb", exc)) == (
        f"world.duckdb was written by a newer version of DuckDB than the {duckdb.__version__} here, which cannot read"
        " it; install that version, or copy the database there into a file for older ones: ATTACH 'older.duckdb'"
        f" AS older (STORAGE_VERSION 'v{duckdb.__version__}'); COPY FROM DATABASE … TO older;"
    )


def test_there_are_at_least_six_tables_and_a_thousand_rows():
    assert len(ROWS) >= 6
    assert sum(map(len, ROWS.values())) > 1000
    assert len(ROWS["countries"]) == 195


def test_foreign_keys_hold_and_are_declared(world):
    assert world("PRAGMA foreign_key_check") == []
    assert sum(len(world(f"PRAGMA foreign_key_list({name})")) for name in ROWS) >= 12


def test_importing_the_sample_loads_no_engine():
    code = "import sys, askwhere.bindings.sample.build as b; sys.exit('apsw' in sys.modules or 'duckdb' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_borders_are_mutual_and_no_country_borders_itself():
    borders = set(ROWS["borders"])
    assert all((there, here) in borders for here, there in borders)
    assert all(here != there for here, there in borders)


def test_every_country_has_a_capital_and_no_city_outgrows_its_country(world):
    capitals = Counter(code for _, _, code, _, capital in ROWS["cities"] if capital)
    assert set(capitals) == {row[0] for row in ROWS["countries"]}
    assert {code: n for code, n in capitals.items() if n > 1} == {"ZAF": 3, "BOL": 2}
    assert (
        world(
            "SELECT y.name FROM cities y JOIN countries c ON c.code = y.country_code WHERE y.population > c.population"
        )
        == []
    )


def test_every_country_and_language_takes_part_in_country_languages():
    assert {code for code, _, _ in ROWS["country_languages"]} == {row[0] for row in ROWS["countries"]}
    assert {number for _, number, _ in ROWS["country_languages"]} == {row[0] for row in ROWS["languages"]}
    official = {code for code, _, official in ROWS["country_languages"] if official}
    assert official == {row[0] for row in ROWS["countries"]}


def test_every_currency_is_used():
    assert {row[5] for row in ROWS["countries"]} == {row[0] for row in ROWS["currencies"]}


def test_figures_lie_in_plausible_ranges():
    assert all(500 <= population <= 1_500_000_000 for *_, population, _, _ in ROWS["countries"])
    assert all(0.4 <= area <= 17_200_000 for *_, area, _ in ROWS["countries"])
    assert 7.7e9 < sum(row[3] for row in ROWS["countries"]) < 8.2e9
    assert 130e6 < sum(row[4] for row in ROWS["countries"]) < 136e6
    # People per km2: Mongolia and Monaco are the ends.
    assert all(2 <= population / area <= 20_000 for *_, population, area, _ in ROWS["countries"])
    assert all(city[3] is None or 300 <= city[3] <= 33_000_000 for city in ROWS["cities"])
    assert all(200 <= length <= 6_700 for _, _, length in ROWS["rivers"])
    assert all(1_000 <= height <= 8_849 for _, _, height, _ in ROWS["mountains"])
    assert all(50 <= area <= 371_000 and 10 <= depth <= 1_642 for _, _, area, depth in ROWS["lakes"])


def test_olympic_games_follow_the_calendar_but_for_the_wars():
    summers = [year for _, year, season, _ in ROWS["olympic_games"] if season == "summer"]
    winters = [year for _, year, season, _ in ROWS["olympic_games"] if season == "winter"]
    assert summers == [year for year in range(1896, 2025, 4) if year not in (1916, 1940, 1944)]
    assert winters == [*range(1924, 1937, 4), *range(1948, 1993, 4), *range(1994, 2023, 4)]


def test_well_known_facts_are_there(world):
    assert world("SELECT name FROM mountains ORDER BY height_m DESC LIMIT 1") == [("Mount Everest",)]
    assert world("SELECT name FROM rivers ORDER BY length_km DESC LIMIT 1") == [("Nile",)]
    assert world("SELECT name FROM countries ORDER BY population DESC LIMIT 1") == [("India",)]
    assert world("SELECT count(*) FROM borders WHERE country_code = 'DEU'") == [(9,)]
    assert world(
        "SELECT count(*) FROM river_countries r JOIN rivers v ON v.id = r.river_id WHERE v.name = 'Danube'"
    ) == [(10,)]


@pytest.mark.parametrize("engine", BUILDERS)
def test_an_older_sample_is_replaced(engine, tmp_path):
    path = tmp_path / "world"
    BUILDERS[engine](path)
    first = read_all(engine, path)
    BUILDERS[engine](path)
    assert read_all(engine, path) == first
    assert list(tmp_path.iterdir()) == [path]


def foreign_files(folder: Path) -> list[Path]:
    """Files that are no sample: empty, text, other databases, and samples with a table more or less."""
    texts = [folder / "empty", folder / "text"]
    texts[0].write_bytes(b"")
    texts[1].write_text("my only copy")
    for name, statement in {
        "own": "CREATE TABLE own (n INTEGER)",
        "lookalike": "CREATE TABLE continents (id INT)",
    }.items():
        with closing(apsw.Connection(str(folder / f"{name}.sqlite"))) as connection:
            connection.execute(statement)
        with duckdb.connect(str(folder / f"{name}.duckdb")) as connection:
            connection.execute(statement)
    for statement in ("CREATE TABLE mine (n INTEGER)", "CREATE VIEW mine AS SELECT 1", "DROP TABLE lake_countries"):
        name = statement.replace(" ", "_")
        sample.build_sqlite(folder / f"{name}.sqlite")
        sample.build_duckdb(folder / f"{name}.duckdb")
        with closing(apsw.Connection(str(folder / f"{name}.sqlite"))) as connection:
            connection.execute(statement)
        with duckdb.connect(str(folder / f"{name}.duckdb")) as connection:
            connection.execute(statement)
    return sorted(folder.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("engine", BUILDERS)
def test_a_file_that_is_no_sample_is_refused_and_left_as_it_was(engine, tmp_path):
    files = foreign_files(tmp_path)
    assert len(files) == 12
    before = {path: path.read_bytes() for path in files}
    for path in files:
        with pytest.raises(DatabaseError, match="not replaced"):
            BUILDERS[engine](path)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("engine", BUILDERS)
def test_the_sample_of_the_other_engine_is_refused(engine, tmp_path):
    other = BUILDERS["sqlite" if engine == "duckdb" else "duckdb"]
    other(tmp_path / "world")
    with pytest.raises(DatabaseError, match="not the sample database"):
        BUILDERS[engine](tmp_path / "world")


@pytest.mark.parametrize("engine", BUILDERS)
def test_a_folder_is_refused(engine, tmp_path):
    with pytest.raises(DatabaseError, match="not the sample database"):
        BUILDERS[engine](tmp_path)


@pytest.mark.parametrize(("engine", "companion"), [("sqlite", "-wal"), ("sqlite", "-journal"), ("duckdb", ".wal")])
def test_a_sample_with_unfinished_changes_beside_it_is_refused(engine, companion, tmp_path):
    path = tmp_path / "world"
    BUILDERS[engine](path)
    (tmp_path / f"world{companion}").write_bytes(b"")
    with pytest.raises(DatabaseError, match="in use"):
        BUILDERS[engine](path)


def test_a_sample_that_duckdb_has_open_is_refused(tmp_path):
    path = tmp_path / "world"
    sample.build_duckdb(path)
    with duckdb.connect(str(path)), pytest.raises(DatabaseError, match="not replaced"):
        sample.build_duckdb(path)


@pytest.mark.slow
@pytest.mark.parametrize("engine", BUILDERS)
@pytest.mark.parametrize("there_before", [False, True])
def test_a_build_that_fails_leaves_things_as_they_were(engine, there_before, tmp_path, monkeypatch):
    path = tmp_path / "world"
    if there_before:
        BUILDERS[engine](path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    fails = {  # in the new file alone, not where the script is run to see whether the file is a sample
        "sqlite": f"INSERT INTO {list(ROWS)[-1]} VALUES (1, 'no such country');",
        "duckdb": "SELECT CASE WHEN current_database() = 'sample' THEN error('no') END;",
    }
    broken = build.script() + fails[engine]
    monkeypatch.setattr(build, "script", lambda: broken)
    with pytest.raises(DatabaseError, match="could not be written"):
        BUILDERS[engine](path)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("engine", BUILDERS)
def test_a_folder_that_is_not_there_is_an_error_that_says_so(engine, tmp_path):
    with pytest.raises(DatabaseError, match="could not be written"):
        BUILDERS[engine](tmp_path / "missing" / "world")
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_followed(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "world")
    sample.build_sqlite(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "world").is_file()
