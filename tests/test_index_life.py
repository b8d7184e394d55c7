"""The index in the file, in both engines: built, refreshed, found stale, dropped without a trace."""

from __future__ import annotations

import contextlib
import io
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb
import pytest
from askwhere.bindings import connections
from askwhere.bindings.cli import main as cli
from askwhere.indexer import build, index, progress, tables
from support import Database, connected, rows

PEOPLE = """
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, city TEXT, note TEXT);
INSERT INTO people VALUES (1, 'Ann Lee', 'Oslo', 'x'), (2, 'Bo Ek', 'São Paulo', NULL), (3, 'Cy Ek', 'Oslo', '');
CREATE TABLE ships (name TEXT, home TEXT);
INSERT INTO ships VALUES ('Aurora', 'Oslo'), ('Vega', 'Bergen');
"""


def people(database: Database, path: str | Path | None = None, **settings: Any) -> Any:
    return database.made(PEOPLE, path, **settings)


def numbers(most: int) -> str:
    """A table of the numbers from 1, in the SQL of both engines."""
    counted = "SELECT 1 UNION ALL SELECT value + 1 FROM c WHERE value <"
    return f"(WITH RECURSIVE c(value) AS ({counted} {most}) SELECT * FROM c)"


def names(connection: Any) -> list[str]:
    """The tables of the index that the database has."""
    return connections.engine(connection).storage().tables()


def values(connection: Any, text: str) -> list[tuple[Any, ...]]:
    return rows(connection, f"SELECT table_name, column_name, value, exact FROM ask_values('{text}', 1)")


@pytest.mark.slow
@pytest.mark.parametrize("in_file", [True, False])
def test_values_are_the_same_with_and_without_an_index(database: Database, in_file: bool) -> None:
    connection = people(database, database.path if in_file else None)
    before = {
        text: sorted(rows(connection, f"SELECT * FROM ask_values('{text}')")) for text in ("ek in oslo", "sao paulo")
    }
    assert rows(connection, "SELECT ask_index()")[0][0].startswith("indexed 10 values of 5 columns in ")
    assert {t: sorted(rows(connection, f"SELECT * FROM ask_values('{t}')")) for t in before} == before
    assert ("people", "city", "Oslo") in [row[:3] for row in before["ek in oslo"]]


def test_the_index_is_found_by_another_connection(database: Database) -> None:
    connection = people(database, database.path)
    rows(connection, "SELECT ask_index()")
    connection.close()
    again = database.raw(database.path)
    askwhere.register(again)
    opened = index.open_(connections.engine(again), connections.session(again).catalog(connections.engine(again)))
    assert opened.statistics is not None
    assert opened.memory is None
    assert ("ships", "home", "Bergen", True) in values(again, "who lives in bergen")


@pytest.mark.any_engine
def test_one_table_is_refreshed_and_the_others_stay(database: Database) -> None:
    connection = people(database)
    rows(connection, "SELECT ask_index()")
    connection.execute("INSERT INTO ships VALUES ('Bergensfjord', 'Molde')")
    assert rows(connection, "SELECT ask_index('SHIPS')")[0][0].startswith("indexed 6 values of 2 columns")
    assert ("ships", "home", "Molde", True) in values(connection, "ships of molde")
    assert ("people", "city", "Oslo", True) in values(connection, "people of oslo")
    contents = tables.contents(connections.engine(connection).storage())
    assert [segment.number for segment in contents.segments] == [0, 1]
    assert len(contents.columns) == len({(column.path, column.name) for column in contents.columns})
    rows(connection, "SELECT ask_index('people')")
    contents = tables.contents(connections.engine(connection).storage())
    assert [segment.number for segment in contents.segments] == [1, 2]  # nothing of the first is used any more


@pytest.mark.slow
def test_many_refreshes_end_in_a_fresh_index(database: Database) -> None:
    connection = people(database)
    for _ in range(index.MOST_SEGMENTS + 2):
        rows(connection, "SELECT ask_index('ships')")
        rows(connection, "SELECT ask_index('people')")
    assert len(tables.contents(connections.engine(connection).storage()).segments) <= index.MOST_SEGMENTS
    assert ("ships", "home", "Bergen", True) in values(connection, "bergen")


def test_dropping_leaves_no_trace(database: Database) -> None:
    connection = people(database, database.path)
    listed = "sqlite_schema" if database.kind == "sqlite" else "duckdb_tables() WHERE NOT internal"
    before = rows(connection, f"SELECT * FROM {listed}")
    rows(connection, "SELECT ask_index()")
    assert rows(connection, "SELECT ask_index('drop')") == [("the value index was dropped",)]
    assert len(rows(connection, f"SELECT * FROM {listed}")) == len(before)
    assert rows(connection, "SELECT ask_index('drop')") == [("there was no value index",)]
    assert ("people", "city", "Oslo", True) in values(connection, "oslo")


def test_index_tables_are_never_shown_or_asked(database: Database) -> None:
    connection = people(database)
    rows(connection, "SELECT ask_index()")
    assert "askwhere" not in rows(connection, "SELECT ask_schema()")[0][0]
    with pytest.raises((askwhere.AskError, apsw.Error, duckdb.Error)):
        rows(connection, "SELECT * FROM ask('how many rows has askwhere_index_postings')")


def test_the_table_may_be_named_in_duckdb(tmp_path: Path) -> None:
    connection = people(Database("duckdb", tmp_path))
    assert rows(connection, "SELECT ask_index(name := 'ships')")[0][0].startswith("indexed ")


@pytest.mark.any_engine
def test_a_table_that_does_not_exist_is_said(database: Database) -> None:
    connection = people(database)
    with pytest.raises(
        (askwhere.AskError, duckdb.Error),
        match="expected 'drop' or the name of a table that can be asked, found 'nope'",
    ):
        rows(connection, "SELECT ask_index('nope')")
    with pytest.raises((askwhere.AskError, duckdb.Error), match="found 'shipss'; did you mean 'ships'"):
        rows(connection, "SELECT ask_index('shipss')")
    assert names(connection) == []


@pytest.mark.any_engine
def test_indexing_from_a_view_is_refused(database: Database) -> None:
    connection = people(database)
    connection.execute("CREATE VIEW sly AS SELECT ask_index() AS done")
    with pytest.raises((askwhere.AskError, apsw.Error, duckdb.Error), match="ask_index"):
        rows(connection, "SELECT * FROM sly")
    assert names(connection) == []


def test_rows_added_later_are_found(database: Database) -> None:
    connection = people(database)
    rows(connection, "SELECT ask_index()")
    connection.execute("INSERT INTO ships VALUES ('Nordlys', 'Tromsø')")
    assert ("ships", "home", "Tromsø", True) in values(connection, "ships of tromso")
    connection.execute("DELETE FROM ships")
    if database.kind == "duckdb":
        return  # its row counts still have what was deleted, until a checkpoint
    assert not [row for row in values(connection, "ships of bergen") if row[0] == "ships"]


def test_a_new_table_and_a_new_column_are_found(database: Database) -> None:
    connection = people(database)
    rows(connection, "SELECT ask_index()")
    connection.execute("CREATE TABLE lakes (name TEXT)")
    connection.execute("INSERT INTO lakes VALUES ('Mjøsa')")
    assert ("lakes", "name", "Mjøsa", True) in values(connection, "mjosa")
    connection.execute("DROP TABLE lakes")
    assert not values(connection, "mjosa")


def test_a_large_table_that_has_changed_is_said(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(index, "READ_AGAIN", 1)
    connection = people(database)
    rows(connection, "SELECT ask_index()")
    connection.execute("INSERT INTO ships VALUES ('Nordlys', 'Alta')")
    with caplog.at_level(logging.WARNING, "askwhere"):
        values(connection, "oslo")
        values(connection, "bergen")
    assert caplog.messages == ["changed since they were indexed: ships; SELECT ask_index() brings the index up to date"]


@pytest.mark.slow
def test_without_an_index_a_large_column_is_sampled_and_that_is_said(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    connection = database.raw()
    connection.execute("CREATE TABLE t (name TEXT)")
    series = numbers(20500)
    connection.execute(f"INSERT INTO t SELECT 'value ' || value FROM {series}")
    askwhere.register(connection)
    with caplog.at_level(logging.WARNING, "askwhere"):
        values(connection, "value 7")
    assert caplog.messages == [
        "not all values were read of t.name; SELECT ask_index() reads them whole, and says which it leaves out and why"
    ]
    rows(connection, "SELECT ask_index()")
    assert values(connection, "value 20499") == [("t", "name", "value 20499", True)]


def test_hidden_columns_are_never_indexed_nor_shown(database: Database) -> None:
    connection = people(database, database.path, hide_columns="people.name, ships.home")
    rows(connection, "SELECT ask_index()")
    stored = {(c.path[-1], c.name) for c in tables.contents(connections.engine(connection).storage()).columns}
    assert ("people", "name") not in stored
    assert ("ships", "home") not in stored
    content = b"".join(b for (b,) in rows(connection, "SELECT b FROM askwhere_index_values"))
    assert b"Ann Lee" not in content
    rows(connection, "SELECT ask_set('hide_columns', 'people.city')")
    assert not [row for row in values(connection, "oslo") if row[1] == "city"]
    assert ("ships", "home", "Oslo", True) in values(connection, "oslo")


def test_a_read_only_database_has_its_index_in_a_file_beside_it(database: Database) -> None:
    people(database, database.path).close()
    before = database.path.read_bytes()
    readonly = connected(database.kind, database.path, read_only=True)
    askwhere.register(readonly)
    rows(readonly, "SELECT ask_index()")
    beside = Path(f"{database.path}.askwhere")
    assert beside.exists()
    opened = index.open_(
        connections.engine(readonly), connections.session(readonly).catalog(connections.engine(readonly))
    )
    assert opened.statistics is not None
    assert ("ships", "home", "Bergen", True) in values(readonly, "bergen")
    rows(readonly, "SELECT ask_index('ships')")
    assert ("ships", "home", "Bergen", True) in values(readonly, "bergen")
    rows(readonly, "SELECT ask_index('drop')")
    assert not beside.exists()
    assert ("ships", "home", "Bergen", True) in values(readonly, "bergen")
    readonly.close()
    assert database.path.read_bytes() == before


def test_a_folder_that_cannot_be_written_is_said(database: Database) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    people(database, database.path).close()
    folder = database.path.parent
    os.chmod(database.path, 0o444)
    os.chmod(folder, 0o555)
    try:
        readonly = connected(database.kind, database.path, read_only=True)
        askwhere.register(readonly)
        with pytest.raises(
            (askwhere.AskError, duckdb.Error), match=r"the database is read-only, and .* beside it cannot"
        ):
            rows(readonly, "SELECT ask_index()")
    finally:
        os.chmod(folder, 0o755)


def test_an_open_transaction_keeps_or_loses_the_index_as_a_whole(tmp_path: Path) -> None:
    """SQLite: DuckDB's function works in a transaction of its own."""
    database = Database("sqlite", tmp_path)
    connection = people(database)
    connection.execute("BEGIN; INSERT INTO ships VALUES ('Nordlys', 'Alta')")
    rows(connection, "SELECT ask_index()")
    assert ("ships", "home", "Alta", True) in values(connection, "alta")
    connection.execute("ROLLBACK")
    assert names(connection) == []
    assert not [row for row in values(connection, "alta") if row[0] == "ships"]


def test_an_error_in_the_middle_leaves_the_old_index_and_the_transaction(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = people(database)
    rows(connection, "SELECT ask_index()")
    engine = connections.engine(connection)
    before = _content(engine)
    real = build.read

    def broken(*arguments: Any) -> Any:
        if arguments[1].name == "ships":
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(build, "read", broken)
    with pytest.raises(KeyboardInterrupt):
        askwhere_index(connection)
    assert _content(engine) == before
    assert database.kind == "duckdb" or not connection.in_transaction


@pytest.mark.slow
def test_duckdb_commits_a_new_index_piece_by_piece_where_nobody_sees_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB keeps in memory what is not committed."""
    connection = people(Database("duckdb", tmp_path))
    rows(connection, "SELECT ask_index()")
    other = connection.cursor()
    connection.execute("INSERT INTO ships VALUES ('Nordlys', 'Alta')")
    monkeypatch.setattr(build, "BYTES_PER_SEGMENT", 1)
    engine, real, staged = connections.engine(connection), build.read, []

    def watched(*arguments: Any) -> Any:
        staged.append(rows(other, f"SELECT count(*) FROM {tables.POSTINGS}_next")[0][0])
        assert len(tables.contents(engine.storage()).segments) == 1
        return real(*arguments)

    monkeypatch.setattr(build, "read", watched)
    askwhere_index(connection)
    assert staged == sorted(staged)
    assert 0 < staged[-2] < staged[-1]
    assert len(tables.contents(engine.storage()).segments) == 5
    assert names(connection) == [name for name in names(connection) if not name.endswith("_next")]
    assert ("ships", "home", "Alta", True) in values(connection, "alta")


@pytest.mark.slow
def test_what_a_killed_build_has_staged_is_not_seen_and_goes_with_the_next_change(tmp_path: Path) -> None:
    connection = people(Database("duckdb", tmp_path))
    before = names(connection)
    for change in ("", "ships", "drop"):
        connection.execute(f"CREATE TABLE {tables.VALUES}_next (k BIGINT, b BLOB)")
        assert "askwhere" not in rows(connection, "SELECT ask_schema()")[0][0]
        assert ("people", "city", "Oslo", True) in values(connection, "oslo")
        rows(connection, f"SELECT ask_index('{change}')" if change else "SELECT ask_index()")
        assert not [name for name in names(connection) if name.endswith("_next")]
    assert names(connection) == before


def test_large_duckdb_tables_are_read_in_parts(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also what was deleted between, what is not committed, views, and tables with a column named rowid."""
    if database.kind == "duckdb":
        monkeypatch.setattr("askwhere.bindings.duckdb.scanning._ROWS", 1_000)
        monkeypatch.setattr("askwhere.bindings.duckdb.scanning._VALUES", 300)
    connection = people(database)
    connection.execute(f"CREATE TABLE many AS SELECT 'v' || value AS v FROM {numbers(5000)}")
    connection.execute("DELETE FROM many WHERE v LIKE 'v1%' OR v LIKE 'v3%'")
    connection.execute("CREATE VIEW seen AS SELECT v FROM many")
    connection.execute('CREATE TABLE named AS SELECT v, v AS "RowId" FROM many')
    connection.execute("BEGIN")
    connection.execute(f"INSERT INTO many SELECT 'w' || (value % 1500) FROM {numbers(3000)}")
    engine = connections.engine(connection)
    found = {
        (table.name, column.name): build.read(engine, table, column, build.Limits()).values
        for table in connections.session(connection).catalog(engine).tables
        for column in table.columns
    }
    for table, column in (("many", "v"), ("seen", "v"), ("named", "v"), ("named", "RowId")):
        expected = {value for (value,) in rows(connection, f'SELECT "{column}" FROM {table}')}
        assert found[table, column] == sorted(expected)
    connection.execute("ROLLBACK")


def askwhere_index(connection: Any) -> str:
    return connections.session(connection).index(connections.engine(connection))


def _content(engine: Any) -> dict[str, list[tuple[Any, ...]]]:
    storage = engine.storage()
    return {
        name: storage.execute(
            f"SELECT * FROM {storage.prefix}{name} ORDER BY ALL"
            if engine.dialect == "duckdb"
            else f"SELECT * FROM {storage.prefix}{name}"
        )
        for name in sorted(storage.tables())
    }


def test_both_engines_store_the_same_bytes(tmp_path: Path) -> None:
    found = []
    for kind in ("sqlite", "duckdb"):
        database = Database(kind, tmp_path)
        connection = people(database)
        series = numbers(3000)
        connection.execute("CREATE TABLE many (label TEXT, kind TEXT)")
        connection.execute(
            f"INSERT INTO many SELECT 'Élan ' || (value % 977) || ' of ' || value, 'kind ' || (value % 7) FROM {series}"
        )
        rows(connection, "SELECT ask_index()")
        storage = connections.engine(connection).storage()
        content = {
            name: storage.execute(f"SELECT k, b FROM {storage.prefix}{name} ORDER BY k")
            for name in (tables.POSTINGS, tables.VALUES, tables.NEAR)
        }
        content["columns"] = storage.execute(
            "SELECT segment, place, name, first, n_values, n_words, n_distinct, sum_idf"
            f" FROM {storage.prefix}{tables.COLUMNS} WHERE left_out = '' ORDER BY 1, 2"
        )
        content["segments"] = storage.execute(f"SELECT * FROM {storage.prefix}{tables.SEGMENTS} ORDER BY 1")
        found.append({name: [tuple(cells) for cells in part] for name, part in content.items()})
        database.close()
    assert found[0] == found[1]


def test_an_index_of_another_format_is_refused_and_can_be_dropped(database: Database) -> None:
    connection = people(database)
    rows(connection, "SELECT ask_index()")
    connection.execute(f"UPDATE {tables.FORMAT} SET value = '99' WHERE name = 'format'")
    with pytest.raises((askwhere.AskError, duckdb.Error), match="the value index is of format '99'"):
        values(connection, "oslo")
    rows(connection, "SELECT ask_index('drop')")
    assert ("people", "city", "Oslo", True) in values(connection, "oslo")


@pytest.mark.slow
def test_odd_names_and_values_are_indexed(database: Database) -> None:
    connection = database.raw()
    table = '"my ""odd"" tàble"'
    connection.execute(f'CREATE TABLE {table} ("select" TEXT, "näme; DROP" TEXT, "rowid" TEXT, "oid" TEXT)')
    insert = f"INSERT INTO {table} VALUES (?, ?, ?, ?)"
    connection.execute(insert, ("it's", "a\x1fb", "👍 thumbs", None))
    connection.execute(insert, ("", "日本", "anchor", "o"))
    connection.execute(insert, ("x" * 10_000_000, "word " * 30, "chain", "the big one"))
    askwhere.register(connection)
    for _ in ("in memory", "indexed"):
        found = values(connection, "thumbs of 日本 on the big one")
        assert {value for *_, value, exact in found if exact} == {"日本", "the big one", "👍 thumbs"}
        assert ('my "odd" tàble', "näme; DROP", "a\x1fb", True) in values(connection, "a b")
        assert rows(connection, "SELECT ask_index()")[0][0].startswith("indexed 9 values of 4 columns")


def test_blobs_numbers_and_broken_text_in_one_column(tmp_path: Path) -> None:
    """SQLite: a column holds what it is given."""
    connection = Database("sqlite", tmp_path).raw()
    connection.execute("CREATE TABLE t (x, y INTEGER)")
    connection.execute("INSERT INTO t VALUES ('oak tree', 'elm'), (x'00ff', 5), (42, 6), (1.5, 7), (NULL, 8)")
    connection.execute("INSERT INTO t VALUES (CAST(x'626164ff20656e64' AS TEXT), 9), ('nul' || char(0) || 'byte', 10)")
    askwhere.register(connection)
    assert rows(connection, "SELECT ask_index()")[0][0].startswith("indexed 4 values of 2 columns")
    assert ("t", "x", "bad\ufffd end", True) in values(connection, "the bad end")
    assert ("t", "x", "nul\0byte", True) in values(connection, "a nul byte")
    assert ("t", "y", "elm", True) in values(connection, "an elm")
    rows(connection, "SELECT ask_set('index_numbers', 'on')")
    rows(connection, "SELECT ask_index()")
    assert ("t", "x", "42", True) in values(connection, "answer 42")


def test_a_utf16_database_is_indexed_alike(tmp_path: Path) -> None:
    connection = Database("sqlite", tmp_path).raw()
    connection.execute("PRAGMA encoding = 'UTF-16le'")
    connection.execute(PEOPLE)
    askwhere.register(connection)
    assert ("people", "city", "São Paulo", True) in values(connection, "sao paulo")  # read in memory
    rows(connection, "SELECT ask_index()")
    assert ("people", "city", "São Paulo", True) in values(connection, "sao paulo")


def test_rowids_far_apart_and_tables_without_them(tmp_path: Path) -> None:
    connection = Database("sqlite", tmp_path).raw()
    connection.execute(
        "CREATE TABLE far (id INTEGER PRIMARY KEY, v TEXT); CREATE TABLE none (v TEXT PRIMARY KEY) WITHOUT ROWID"
    )
    connection.execute("INSERT INTO far VALUES (-9223372036854775808, 'low'), (0, 'mid'), (9223372036854775807, 'top')")
    connection.execute("INSERT INTO none VALUES ('lone')")
    connection.execute("CREATE VIEW seen AS SELECT v AS w FROM far")
    askwhere.register(connection)
    rows(connection, "SELECT ask_index()")
    found = {
        value
        for *_, value, _ in rows(
            connection, "SELECT table_name, column_name, value, exact FROM ask_values('low mid top lone', 5)"
        )
    }
    assert found == {"low", "mid", "top", "lone"}


@pytest.mark.any_engine
def test_what_is_no_name_is_left_out_and_that_is_told(database: Database) -> None:
    connection = database.raw()
    connection.execute("CREATE TABLE t (code TEXT, story TEXT, many TEXT)")
    series = numbers(2000)
    words = " || ' '|| ".join(["'word'"] * 15)
    connection.execute(f"INSERT INTO t SELECT 'code ' || (value % 5), {words} || value, 'v' || value FROM {series}")
    askwhere.register(connection, index_values=1500)
    done = rows(connection, "SELECT ask_index()")[0][0]
    assert done.endswith(" s: t.code\nleft out: t.story, t.many (more than 1,500 different values)")
    assert values(connection, "v17") == []
    rows(connection, "SELECT ask_set('index_values', 5000)")
    done = rows(connection, "SELECT ask_index()")[0][0]
    assert "left out: t.story (prose: 15 words a value, nearly all different)" in done
    assert values(connection, "v17") == [("t", "many", "v17", True)]


def test_attached_databases_are_indexed(database: Database) -> None:
    other = database.raw(database.path)
    other.execute("CREATE TABLE parts (label TEXT)")
    other.execute("INSERT INTO parts VALUES ('hex bolt')")
    other.close()
    connection = people(database)
    connection.execute(f"ATTACH '{database.path}' AS store")
    rows(connection, "SELECT ask_index()")
    assert ("parts", "label", "hex bolt", True) in values(connection, "hex bolt")
    assert not [name for name in names(connection) if not name.startswith("askwhere_index")]
    connection.execute("DETACH store")
    assert values(connection, "hex bolt") == []


@pytest.mark.any_engine
def test_the_lookup_of_phrases_gives_every_column(database: Database) -> None:
    connection = people(database)
    rows(connection, "SELECT ask_index()")
    engine = connections.engine(connection)
    found = connections.session(connection).values(engine).exact(["oslo", "SAO PAULO", "nowhere", "Ann Lee", ""])
    assert {phrase: sorted((m.table[-1], m.column, m.value) for m in matches) for phrase, matches in found.items()} == {
        "oslo": [("people", "city", "Oslo"), ("ships", "home", "Oslo")],
        "SAO PAULO": [("people", "city", "São Paulo")],
        "Ann Lee": [("people", "name", "Ann Lee")],
    }


@pytest.mark.any_engine
@pytest.mark.parametrize(("k", "text"), [("0", "k must be at least 1, found 0"), ("'x'", "k must be a whole number")])
def test_a_wrong_k_is_said(database: Database, k: str, text: str) -> None:
    with pytest.raises((askwhere.AskError, duckdb.Error), match=text):
        rows(people(database), f"SELECT * FROM ask_values('oslo', {k})")


@pytest.mark.parametrize("value", ["many", None, b"x"])
def test_a_statistic_that_is_no_number_is_damage(value: object, tmp_path: Path) -> None:
    with contextlib.closing(people(Database("sqlite", tmp_path))) as connection:
        rows(connection, "SELECT ask_index()")
        connection.execute("UPDATE askwhere_index_columns SET n_words = ?", (value,))
        with pytest.raises(askwhere.AskError, match=r"the value index cannot be read .*; SELECT ask_index"):
            rows(connection, "SELECT ask_index('people')")


@pytest.mark.slow
def test_of_a_large_schema_only_what_a_question_needs_is_shown(database: Database) -> None:
    connection = people(database, schema_tokens=200)
    for n in range(60):
        connection.execute(f"CREATE TABLE log_{n} (level TEXT, content TEXT, origin TEXT)")
    rows(connection, "SELECT ask_index()")  # without it, values are read for two seconds
    text = rows(connection, "SELECT ask_schema('Which ships are at home in Bergen?')")[0][0]
    assert "CREATE TABLE ships (\n" in text
    assert "'Bergen'" in text
    assert len(text) <= 700
    assert text.count("CREATE TABLE") < 20
    assert rows(connection, "SELECT ask_schema()")[0][0].count("CREATE TABLE") == 62


@pytest.mark.slow
def test_the_command_line_indexes_refreshes_and_drops(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    connection = database.raw(database.path)
    connection.execute(PEOPLE)
    connection.close()
    path = str(database.path)
    assert [cli.main(["index", path]), cli.main(["index", path, "ships"]), cli.main(["index", path, "--drop"])] == [
        0,
        0,
        0,
    ]
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" in ")[0] for line in lines] == [
        "indexed 10 values of 5 columns",
        "left out: people.id (no text)",
        "indexed 4 values of 2 columns",
        "the value index was dropped",
    ]
    assert cli.main(["index", path, "nope"]) == 1


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_shows_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert progress.on_terminal("indexing", io.StringIO()) is progress.silent
    monkeypatch.setattr(progress, "QUIET", 0.0)
    out = Terminal()
    tell = progress.on_terminal("indexing", out)
    tell("people.name", 0, 2)
    tell("people.city", 1, 2)
    tell("", 2, 2)
    assert "indexing people.name: 0 of 2" in out.getvalue()
    assert " a second, " in out.getvalue()
    assert out.getvalue().endswith("\r\x1b[K")
    assert progress.line("indexing", "t.c", 30, 120, 10.0) == "indexing t.c: 30 of 120, 3.0 a second, 30 s left"


# ------------------------------------------------------------------------------- changed by others while it is read


@dataclass(frozen=True)
class Watched:
    """An engine's storage that tells `reads` before it fetches something."""

    storage: Any
    reads: Callable[[], None]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.storage, name)

    def fetch(self, *given: Any) -> Any:
        self.reads()
        return self.storage.fetch(*given)


@dataclass(frozen=True)
class Watching:
    """An engine with such a storage."""

    engine: Any
    reads: Callable[[], None]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    def storage(self) -> Any:
        return Watched(self.engine.storage(), self.reads)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "times"),
    [
        ("ask_index('drop')", 1),
        ("ask_index()", 1),
        ("ask_index('people')", 1),
        ("ask_index('drop')", 100),
        ("ask_index()", 100),
    ],
)
def test_an_index_that_another_connection_changes_while_it_is_read(database: Database, change: str, times: int) -> None:
    connection = people(database, database.path)
    rows(connection, "SELECT ask_index()")
    other = connection.cursor() if database.kind == "duckdb" else database.raw(database.path)
    askwhere.register(other)
    engine = connections.engine(connection)
    catalog = connections.session(connection).catalog(engine)
    changes = iter(range(times))

    def changed() -> None:
        if next(changes, None) is not None:
            other.execute("INSERT INTO people (id, name, city) SELECT max(id) + 1, 'Al Ek', 'Vardø' FROM people")
            rows(other, f"SELECT {change}")

    read = index.Values(index.open_(engine, catalog), Watching(engine, changed), catalog)
    found = read.exact(["vardø", "bergen"])
    assert {phrase: [m.value for m in matches] for phrase, matches in found.items()} == {
        "vardø": ["Vardø"],
        "bergen": ["Bergen"],
    }
    assert "Cy Ek" in [match.value for match in read.search("who is cy ek", 3)]


def test_a_view_that_fails_is_left_out_and_said(database: Database) -> None:
    connection = people(database)
    unread = {"sqlite": "json_extract(note, '$')", "duckdb": "CAST(CAST(note AS INTEGER) AS VARCHAR)"}[database.kind]
    connection.execute(f"CREATE VIEW failing AS SELECT name, {unread} AS amount FROM people")
    report = rows(connection, "SELECT ask_index()")[0][0]
    assert "failing.amount (cannot be read)" in report
    assert "failing.name" in report.partition("; left out")[0]
    assert values(connection, "oslo")
