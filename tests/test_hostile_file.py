"""Pins, answers and logs that somebody changed in the file, and values that try to leave their place in a query."""

from __future__ import annotations

import contextlib
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

import apsw
import askwhere
import duckdb
import pytest
from askwhere.bindings import bounded_texts, connections
from askwhere.bindings.cli.main import main
from askwhere.errors import ArgumentError, AskError, DatabaseError, Stale, TooMuch
from askwhere.indexer import catalog, forms, keys, log, pins
from askwhere.indexer.log import Entry
from askwhere.pipeline import pinned
from askwhere.rewrite.fix import Bounds, fix
from support import ERRORS, Database, rows

pytestmark = pytest.mark.slow


def test_a_negative_value_begins_no_comment(database: Database) -> None:
    con = database.shop()
    rows(con, "SELECT ask_pin(?, ?)", ("first over {n}", "SELECT id FROM orders WHERE amount > 0 -{n} AND id < 3"))
    assert askwhere.ask(con, "first over -7").rows == ((1,), (2,))


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT E{x}", "SELECT E 'a'"),
        ("SELECT 'b'{x}", "SELECT 'b' 'a'"),
        ("SELECT {x}'b'", "SELECT 'a' 'b'"),
        ("SELECT 1{n}e5", "SELECT 1 (-2) e5"),
        ("SELECT {x}||{n}", "SELECT 'a'||(-2)"),
        ("SELECT {other}", "SELECT {other}"),
    ],
)
def test_a_literal_joins_nothing_beside_it(dialect: str, sql: str, expected: str) -> None:
    assert pinned.filled(sql, {"x": "a", "n": -2}, dialect) == expected


def test_a_number_of_many_digits_is_none() -> None:
    for digits in ("9" * 5_000, "9" * 400 + ".5"):
        assert forms.fits("over {n}", f"over {digits}", {"n": "number"}) == []


@pytest.mark.parametrize("last", ["text", "number"])
def test_a_pattern_of_many_parameters_takes_no_time(last: str) -> None:
    names = "abcdefghij"
    pattern = "orders of " + " ".join(f"{{{name}}}" for name in names)
    question = "orders of " + " ".join(f"w{number}" for number in range(190))
    started = time.thread_time()
    ways = forms.fits(pattern, question, dict.fromkeys(names, "text") | {"j": last})
    assert time.thread_time() - started < 5
    assert len(ways) == (forms.MOST_WAYS if last == "text" else 0)


def test_a_pattern_has_at_most_ten_parameters() -> None:
    with pytest.raises(ArgumentError, match="may have 10 parameters, found 11"):
        forms.parameters("orders of " + " ".join(f"{{p{number}}}" for number in range(11)))


PINS = (
    "CREATE TABLE askwhere_pins (form TEXT, question TEXT, sql TEXT, kinds TEXT, columns TEXT, tables TEXT,"
    " pinned_at TEXT, model TEXT, follows TEXT)"
)


def a_pin(question: str = "'q'", sql: str = "'SELECT 1'", kinds: str = "'{}'", columns: str = "'[]'") -> str:
    return f"{PINS}; INSERT INTO askwhere_pins VALUES ('q', {question}, {sql}, {kinds}, {columns}, '', '', '', NULL)"


DAMAGED = {
    "other columns": "CREATE TABLE askwhere_pins (x INTEGER)",
    "no text": a_pin(question="NULL"),
    "no JSON": a_pin(kinds="'{'"),
    "nested JSON": a_pin(kinds=f"'{'[' * 100_000}'"),
    "other JSON": a_pin(kinds="'[1]'"),
    "other kinds": a_pin(question="'q {x}'", kinds="""'{"y": "text"}'"""),
    "an odd kind": a_pin(question="'q {x}'", kinds="""'{"x": 5}'"""),
    "other names": a_pin(columns="'[1]'"),
    "no list": a_pin(columns="'5'"),
    "another formats table": "CREATE TABLE askwhere_formats (x INTEGER); CREATE TABLE askwhere_pins (x INTEGER)",
    "no format": f"{PINS}; CREATE TABLE askwhere_formats (name TEXT, format BIGINT);"
    " INSERT INTO askwhere_formats VALUES ('askwhere_pins', NULL)",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", DAMAGED)
def test_damaged_pins_are_an_error_that_says_what_to_do(database: Database, what: str) -> None:
    con = database.shop(database.path)
    con.execute(DAMAGED[what])
    with pytest.raises(ERRORS, match="askwhere_"):
        rows(con, "SELECT * FROM ask_pins()")
    con.execute("DROP TABLE askwhere_pins; DROP TABLE IF EXISTS askwhere_formats")
    assert askwhere.ask(con, "how many orders are there").rows == ((4,),)


def test_a_pin_whose_query_has_other_parameters_is_stale(database: Database) -> None:
    con = database.shop()
    con.execute(a_pin(question="'q {x}'", sql="'SELECT {x}, {z}'", kinds="""'{"x": "text"}'"""))
    with pytest.raises(Stale, match="it no longer runs"):
        askwhere.ask(con, "q me")


def test_a_pin_that_is_no_text_is_an_error_in_sqlite(tmp_path: Path) -> None:
    database = Database("sqlite", tmp_path)
    for question in ("CAST(x'ff80' AS TEXT)", "x'ff'"):
        con = database.shop()
        con.execute(a_pin(question=question))
        with pytest.raises(DatabaseError, match="askwhere_pins cannot be read"):
            rows(con, "SELECT * FROM ask_pins()")
    database.close()


LOG = ", ".join(f"{name} TEXT" for name in get_type_hints(Entry))


@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["CREATE TABLE askwhere_log (x INTEGER)", f"CREATE TABLE askwhere_log ({LOG})"])
def test_a_damaged_log_is_an_error_that_says_what_to_do(database: Database, recipe: str) -> None:
    con = database.shop(log="database")
    con.execute(recipe)
    con.execute("CREATE TABLE askwhere_formats (name TEXT, format BIGINT)")
    con.execute("INSERT INTO askwhere_formats VALUES ('askwhere_log', ?)", (log.KIND.format,))
    if "time" in recipe:
        con.execute("INSERT INTO askwhere_log (time, requests) VALUES (NULL, 'x'), ('2026', 'y')")
    assert askwhere.ask(con, "how many orders are there").rows == ((4,),)
    with pytest.raises(ERRORS, match="askwhere_log cannot be read"):
        rows(con, "SELECT * FROM ask_log()")


REMEMBERED = ["'{'", "'[1]'", "'[{}]'", """'[{"sql": 1, "origin": "x", "confidence": "high", "notes": []}]'""", "NULL"]


@pytest.mark.slow
@pytest.mark.parametrize("queries", REMEMBERED)
def test_damaged_answers_are_an_error_that_says_what_to_do(database: Database, queries: str) -> None:
    con = database.shop(database.path, remember="database")
    assert askwhere.ask(con, "how many orders are there").rows == ((4,),)
    con.execute("CREATE TABLE kept AS SELECT * FROM askwhere_remembered; DROP TABLE askwhere_remembered")
    con.execute(
        f"CREATE TABLE askwhere_remembered AS SELECT key, question, {queries} AS queries, answered_at FROM kept"
    )
    con.execute("DROP TABLE kept")
    other = database.raw(database.path) if database.kind == "sqlite" else con.cursor()
    askwhere.register(other, remember="database")
    with pytest.raises(DatabaseError, match="askwhere_remembered cannot be read"):
        askwhere.ask(other, "how many orders are there")


def test_a_trigger_on_askwheres_tables_never_runs(database: Database) -> None:
    if database.kind == "duckdb" and not duckdb.__version__.startswith("2"):
        pytest.skip("DuckDB has triggers since version 2")
    con = database.shop(log="database")
    assert askwhere.ask(con, "how many orders are there").rows == ((4,),)
    sql = "CREATE TRIGGER watching AFTER INSERT ON askwhere_log "
    body = "DELETE FROM orders"
    con.execute(sql + (f"BEGIN {body}; END" if database.kind == "sqlite" else f"FOR EACH STATEMENT {body}"))
    assert askwhere.ask(con, "how many customers are there").rows == ((3,),)
    with pytest.raises(ERRORS, match="the trigger watching on askwhere_log is not askwhere's"):
        rows(con, "SELECT ask_pin('how many', 'SELECT 1 AS n')")
    assert rows(con, "SELECT count(*) FROM orders") == [(4,)]


@pytest.mark.parametrize("name", ["ASKWHERE_FORMATS", "Askwhere_Log", "ASKWHERE_INDEX"])
def test_a_table_of_askwheres_in_capitals_calls_no_function(database: Database, name: str) -> None:
    con, calls = database.shop(log="database"), list[Any]()
    if database.kind == "sqlite":
        con.create_scalar_function("send", calls.append, 1, deterministic=True)
    else:
        con.create_function("send", calls.append, ["VARCHAR"], "VARCHAR")
    con.execute(f"CREATE TABLE {name} (name TEXT, format BIGINT, sent TEXT AS (send(name)))")
    for sql in ("SELECT ask_pin('how many', 'SELECT 1 AS n')", "SELECT ask_index()", "SELECT * FROM ask_log()"):
        with pytest.raises(ERRORS, match=f"{name} is not as askwhere made it: its definition has AS"):
            rows(con, sql)
    assert calls == []


DELETING = {
    "the foreign key of notes": "CREATE TABLE notes (x TEXT REFERENCES askwhere_index (name) ON DELETE CASCADE);"
    " INSERT INTO notes VALUES ('format'); PRAGMA foreign_keys = 1",
    "the temporary trigger mine": "CREATE TEMP TRIGGER mine AFTER DELETE ON main.askwhere_index"
    " BEGIN DELETE FROM notes; END; CREATE TABLE notes (x TEXT); INSERT INTO notes VALUES ('y')",
}


@pytest.mark.parametrize("what", DELETING)
def test_a_write_of_askwhere_deletes_no_rows_of_others(tmp_path: Path, what: str) -> None:
    con = Database("sqlite", tmp_path).shop()
    con.execute("CREATE TABLE askwhere_index (name TEXT PRIMARY KEY, value TEXT)")
    con.execute("INSERT INTO askwhere_index VALUES ('format', '1')")
    con.execute(DELETING[what])
    for sql in ("SELECT ask_index('drop')", "SELECT ask_index()", "SELECT ask_pin('how many', 'SELECT 1 AS n')"):
        with pytest.raises(DatabaseError, match=f"{what} on askwhere_index is not askwhere's, so nothing is written"):
            rows(con, sql)
    assert rows(con, "SELECT count(*) FROM notes") == [(1,)]
    con.close()


CALLING = {
    "a check": (
        "CREATE TABLE askwhere_log (time TEXT CHECK (send(time) <> ''), {})",
        "definition has CHECK",
    ),
    "a computed column": ("CREATE TABLE askwhere_log (time TEXT, {}, x TEXT AS (send(time)))", "definition has AS"),
    "an index": (
        "CREATE INDEX sending ON askwhere_log (send(time))",
        "the index( sending)? on askwhere_log is not ask",
    ),
}


@pytest.mark.parametrize("case", CALLING)
def test_the_definition_of_askwheres_tables_calls_no_function(database: Database, case: str) -> None:
    con, calls = database.shop(log="database"), list[Any]()

    def send(value: Any) -> Any:
        calls.append(value)
        return value

    if database.kind == "sqlite":
        con.create_scalar_function("send", send, 1, deterministic=True)
    else:
        con.create_function("send", send, ["VARCHAR"], "VARCHAR")
    assert askwhere.ask(con, "how many orders are there").rows == ((4,),)
    sql, said = CALLING[case]
    if "TABLE" in sql:
        names = [name for (name,) in rows(con, "SELECT name FROM pragma_table_info('askwhere_log')")][1:]
        con.execute("DROP TABLE askwhere_log")
        sql = sql.format(", ".join(f"{name} TEXT" for name in names))
    con.execute(sql)
    calls.clear()  # the index was made from rows
    with pytest.raises(ERRORS, match=said):
        rows(con, "SELECT ask_pin('how many', 'SELECT 1 AS n')")
    if case == "an index":  # the log then says that nothing is kept
        assert askwhere.ask(con, "how many customers are there").rows == ((3,),)
    assert calls == []


def test_a_pin_of_a_query_that_none_has_is_damaged(database: Database) -> None:
    con = database.shop()
    rows(con, "SELECT ask_pin('flurb', 'SELECT 1 AS n')")
    con.execute("UPDATE askwhere_pins SET sql = ?", ["SELECT 1" + " + 1" * 20_000])
    with pytest.raises(ERRORS, match=r"askwhere_pins cannot be read \(the query of 'flurb' has 80,008 characters"):
        rows(con, "SELECT * FROM ask('flurb')")


@pytest.mark.any_engine
def test_more_patterns_than_a_question_can_be_compared_with_are_an_error(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pins, "MOST_PATTERNS", 2)
    con = database.shop()
    for word in ("flurb", "grix", "snark"):
        rows(con, f"SELECT ask_pin('{word} {{n}}', 'SELECT {{n}} AS n')")
    with pytest.raises(ERRORS, match="askwhere_pins has more than 2 rows to read; delete those of least use"):
        rows(con, "SELECT * FROM ask('snark 5')")


def test_a_file_beside_a_database_that_is_none_is_an_error(database: Database) -> None:
    database.shop(database.path).close()
    Path(f"{database.path}.askwhere").write_text("no database" * 1_000)
    with askwhere.connect(database.path) as con, pytest.raises(DatabaseError, match="cannot be read"):
        askwhere.ask(con, "how many orders are there")


def test_a_folder_beside_a_database_is_nothing(database: Database) -> None:
    database.shop(database.path).close()
    Path(f"{database.path}.askwhere").mkdir()
    with askwhere.connect(database.path) as con:
        assert askwhere.ask(con, "how many orders are there").rows == ((4,),)


TOO_LARGE = {
    "askwhere_comments (table_name TEXT, comment TEXT)": ("'orders'", "'total'"),
    "askwhere_keys (key TEXT, refers_to TEXT)": ("'orders.id'", "'customers.id'"),
}


@pytest.mark.parametrize("recipe", TOO_LARGE)
def test_what_users_declare_is_read_within_bounds(
    database: Database, monkeypatch: pytest.MonkeyPatch, recipe: str
) -> None:
    con, name = database.shop(), recipe.partition(" ")[0]
    con.execute(f"CREATE TABLE {recipe}; INSERT INTO {name} VALUES ({', '.join(TOO_LARGE[recipe])})")
    for bound, most in (("MOST_ROWS", 0), ("MOST_BYTES", 10)):
        with monkeypatch.context() as patched:
            patched.setattr(bounded_texts, bound, most)
            found = catalog.read(connections.engine(con))
            assert [note for note in found.notes if f"{name} is not read: it has more than" in note], found.notes
    assert not [note for note in catalog.read(connections.engine(con)).notes if name in note]


@pytest.mark.any_engine
def test_only_the_first_thousands_of_synonyms_are_read(database: Database) -> None:
    con = database.shop()
    con.execute("CREATE TABLE askwhere_comments (table_name TEXT, column_name TEXT, comment TEXT, synonyms TEXT)")
    buyers, prices = (", ".join(f"{word} {n}" for n in range(3_000)) for word in ("buyer", "price"))
    con.execute(
        f"INSERT INTO askwhere_comments VALUES ('customers', '', '', '{buyers}'), ('orders', '', '', '{prices}')"
    )
    found = catalog.read(connections.engine(con))
    assert [len(table.synonyms) for name in ("customers", "orders") if (table := found.table(name))] == [3_000, 2_000]
    assert "askwhere_comments has 6,000 synonyms; the first 5,000" in str(found.notes)


@pytest.mark.any_engine
@pytest.mark.parametrize("recipe", TOO_LARGE)
def test_a_note_shows_the_beginning_of_a_long_name(database: Database, recipe: str) -> None:
    con, name = database.shop(), recipe.partition(" ")[0]
    con.execute(f"CREATE TABLE {recipe}; INSERT INTO {name} VALUES ('{'x' * 500}', 'y')")
    (note,) = (note for note in catalog.read(connections.engine(con)).notes if name in note)
    assert "x" * 99 + "…" in note
    assert len(note) < 300


@pytest.mark.any_engine
def test_a_repair_is_not_looked_for_without_end(database: Database) -> None:
    engine = connections.engine(database.shop())
    sql = f"SELECT {', '.join(['amuont'] * 1_200)} FROM orders"
    started = time.thread_time()
    with pytest.raises(TooMuch, match="no repair was found within"):
        fix(sql, engine, catalog.read(engine), bounds=Bounds(seconds=0.01))
    assert time.thread_time() - started < 20


LOST = ("DELETE FROM askwhere_answers", "DROP TABLE askwhere_answers", "UPDATE askwhere_answers SET columns = '1'")


@pytest.mark.parametrize("lost", LOST)
def test_an_answer_that_is_not_stored_any_more_can_be_dropped_and_hinders_no_question(
    tmp_path: Path, lost: str
) -> None:
    con = Database("sqlite", tmp_path).shop(tmp_path / "shop.db")
    con.execute("CREATE VIRTUAL TABLE kept USING ask('how many orders are there')")
    con.close()
    with contextlib.closing(apsw.Connection(str(tmp_path / "shop.db"))) as plain:
        plain.execute(lost)
    con = askwhere.connect(tmp_path / "shop.db")
    assert rows(con, "SELECT * FROM ask('how many orders are there')") == [(4,)]
    with pytest.raises(AskError, match=r"'kept'.* drop .*and make it again"):
        rows(con, "SELECT * FROM kept")
    con.execute("ALTER TABLE kept RENAME TO other")
    con.execute("DROP TABLE other")
    con.execute("CREATE VIRTUAL TABLE kept USING ask('how many orders are there')")
    assert rows(con, "SELECT * FROM kept") == [(4,)]
    con.close()


# Where a byte of the header is changed (https://sqlite.org/fileformat.html), to what, and what is said.
HEADERS = {
    "schema format": (47, 5, "a format that this SQLite does not know, which reads 1 to 4: .*; update SQLite"),
    "read version": (19, 3, "or a newer SQLite wrote it; decrypt it, or restore it from a copy"),
    "page size": (17, 3, "or a newer SQLite wrote it; decrypt it, or restore it from a copy"),
    "encoding": (59, 7, "the database is damaged; restore it from a copy"),
}


@pytest.mark.parametrize("changed", HEADERS)
def test_a_sqlite_file_that_the_library_cannot_read_is_an_error_that_says_what_to_do(
    tmp_path: Path, changed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "shop.db"
    Database("sqlite", tmp_path).shop(path).close()
    place, value, said = HEADERS[changed]
    content = bytearray(path.read_bytes())
    content[place] = value
    path.write_bytes(content)
    with contextlib.closing(askwhere.connect(path)) as con:
        for act in (lambda: askwhere.ask(con, "how many orders"), lambda: con.execute("SELECT * FROM ask('orders')")):
            with pytest.raises(DatabaseError, match=said):
                act()
    assert main(["ask", str(path), "how many orders"]) == 1
    assert re.fullmatch(rf"askwhere: .*{said}.*\n", capsys.readouterr().err)


@pytest.mark.parametrize("table", ["askwhere_index_segments", "askwhere_index_columns", "askwhere_index_postings"])
def test_a_view_in_place_of_a_table_of_the_index_is_not_read(database: Database, table: str) -> None:
    con, calls = database.shop(), list[Any]()

    def send(value: Any) -> Any:
        calls.append(value)
        return value

    if database.kind == "sqlite":
        con.create_scalar_function("send", send, 1)
    else:
        con.create_function("send", send, ["BIGINT"], "BIGINT", side_effects=True)
    rows(con, "SELECT ask_index()")
    con.execute(f"ALTER TABLE {table} RENAME TO kept; CREATE VIEW {table} AS SELECT * FROM kept WHERE send(1) = 1")
    for sql in ("SELECT * FROM ask('orders of Ada')", "SELECT * FROM ask_values('Ada')", "SELECT ask_index()"):
        with pytest.raises(ERRORS, match=table):
            rows(con, sql)
    rows(con, "SELECT ask_index('drop')")
    con.execute(f"DROP VIEW {table}")
    rows(con, "SELECT ask_index()")
    assert rows(con, "SELECT value FROM ask_values('Canada')")
    assert calls == []


def test_a_virtual_table_is_none_of_askwheres(tmp_path: Path) -> None:
    con = Database("sqlite", tmp_path).shop()
    con.execute(f"CREATE VIRTUAL TABLE askwhere_pins USING fts5({', '.join(pins.Pin.__annotations__)}, form)")
    with pytest.raises(DatabaseError, match="its definition has VIRTUAL"):
        rows(con, "SELECT * FROM ask_pins()")


def test_a_collation_of_a_column_of_askwheres_tables_is_not_called(tmp_path: Path) -> None:
    con, calls = Database("sqlite", tmp_path).shop(), list[Any]()
    con.create_collation("mine", lambda one, other: calls.append(one) or (one > other) - (one < other))  # type: ignore[func-returns-value]
    names = [*pins.Pin.__annotations__, "form"]
    con.execute(f"CREATE TABLE askwhere_pins ({', '.join(f'{name} TEXT COLLATE mine' for name in names)})")
    con.execute("INSERT INTO askwhere_pins (form, question) VALUES ('a', 'a'), ('b', 'b')")
    for sql in ("SELECT * FROM ask_pins()", "SELECT ask_pin('b', 'SELECT 1 AS n')", "SELECT ask_unpin('b')"):
        with pytest.raises(DatabaseError, match="its definition has COLLATE; begin anew with DROP TABLE askwhere_pins"):
            rows(con, sql)
    assert calls == []
    con.close()


@pytest.mark.any_engine
def test_many_declared_keys_are_not_compared_with_each_other(database: Database) -> None:
    con = database.shop()
    for table in ("one", "two"):
        con.execute(f"CREATE TABLE {table} ({', '.join(f'c{number} INTEGER' for number in range(150))})")
    con.execute("CREATE TABLE askwhere_keys (key TEXT, refers_to TEXT)")
    con.execute("INSERT INTO askwhere_keys VALUES ('one.c0', 'two.c0')")
    engine = connections.engine(con)
    found = keys.read(engine)
    both = [f"(c{one}, c{two})" for one in range(150) for two in range(one)]
    many = replace(found, rows=tuple(replace(found.rows[0], key=f"one{c}", refers_to=f"two{c}") for c in both))
    started = time.thread_time()
    tables, notes = keys.declared(list(engine.tables()), many)
    assert time.thread_time() - started < 20
    assert not notes
    assert sum(len(table.foreign_keys) for table in tables if table.name == "one") == len(both)


def test_what_has_a_name_that_cannot_be_used_is_left_out_and_the_rest_is_asked(database: Database) -> None:
    long = "x" * 65_536
    connection = database.shop()
    names = [long, "nul\0"] if database.kind == "duckdb" else [long]  # SQLite's names end at a NUL
    for name in names:
        connection.execute(f'CREATE TABLE "{name}" (id INTEGER, name VARCHAR)')
        connection.execute(f'ALTER TABLE customers ADD COLUMN "{name}" VARCHAR')
    began = time.process_time()
    assert askwhere.ask(connection, "number of customers").rows == ((3,),)
    assert askwhere.ask(connection, "customers in Canada").rows == (("Ann",), ("Bo",))
    assert rows(connection, "SELECT ask_index()")
    assert time.process_time() - began < 20  # comparing the long name with others took 34
    text = rows(connection, "SELECT ask_schema()")[0][0]
    assert len(text) < 5_000
    assert text.count("is left out: its name has more than 1,000 characters") == 2
    assert text.count("is left out: its name holds a NUL character") == 2 * (len(names) - 1)
