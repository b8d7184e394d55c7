"""What only SQLite has: virtual tables, the text of statements, cursors and tracers, private handles."""

from __future__ import annotations

import contextlib
import gc
import sqlite3
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import apsw
import askwhere
import pytest
from askwhere.bindings.sqlite import engine as sqlite_engine
from askwhere.bindings.sqlite import limits as sqlite_limits
from askwhere.bindings.sqlite import scanning
from askwhere.bindings.sqlite import text as sqlite_text
from askwhere.bindings.sqlite.arguments import tokens
from askwhere.bindings.sqlite.guard import authorized
from askwhere.bindings.sqlite.limits import stopping
from askwhere.engine import Grant, Limits
from askwhere.errors import AskError, DatabaseError
from askwhere.guard.functions import Slow
from askwhere.models import Scripted
from hypothesis import given
from hypothesis import strategies as st
from support import PER_COUNTRY, SHOP


def shop(path: str | Path = ":memory:", *replies: str, **settings: Any) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.execute(SHOP)
    askwhere.register(connection, model=Scripted(replies or (PER_COUNTRY,)), method="sea", **settings)
    return connection


def test_a_virtual_table_keeps_its_answer_and_never_asks_again(tmp_path: Path) -> None:
    first = shop(tmp_path / "shop.db")
    first.execute("CREATE VIRTUAL TABLE per_country USING ask('customers of each land')")
    first.close()
    again = askwhere.connect(tmp_path / "shop.db", model=Scripted([]), method="sea")
    assert again.execute("SELECT * FROM per_country ORDER BY country").fetchall() == [("Canada", 2), ("Norway", 1)]
    assert [d[0] for d in again.execute("SELECT * FROM per_country").description] == ["country", "n"]
    again.execute("INSERT INTO customers VALUES (7, 'New', 'Norway')")
    assert again.execute("SELECT n FROM per_country WHERE country = 'Norway'").fetchall() == [(2,)]
    again.close()


def test_columns_of_a_virtual_table_have_the_types_of_their_values() -> None:
    shown = "id, count(*), avg(id), upper(name), sum(id) * 1.5, NULL, iif(id = 1, 'x', id)"
    con = shop(":memory:", f"SELECT {shown} FROM customers GROUP BY id")
    con.execute("CREATE VIRTUAL TABLE typed USING ask('flurb ids')")
    found = [kind for _, _, kind, *_ in con.execute("PRAGMA table_info(typed)")]
    assert found == ["INTEGER", "INTEGER", "REAL", "TEXT", "REAL", "", ""]


def test_virtual_tables_join_and_filter() -> None:
    con = shop()
    con.execute("CREATE VIRTUAL TABLE pc USING ask('flurb')")
    sql = "SELECT c.name, pc.n FROM customers c JOIN pc ON pc.country = c.country WHERE pc.n = 2 ORDER BY 1"
    assert con.execute(sql).fetchall() == [("Ann", 2), ("Bo", 2)]
    assert con.execute("SELECT rowid, n FROM pc ORDER BY n").fetchall() == [(2, 1), (1, 2)]
    assert con.execute("SELECT n FROM pc WHERE country = 'canada' COLLATE NOCASE").fetchall() == [(2,)]


def test_a_virtual_table_is_renamed_and_dropped_without_a_trace() -> None:
    con = shop()
    con.execute("CREATE VIRTUAL TABLE pc USING ask('flurb', choose=1)")
    con.execute("ALTER TABLE pc RENAME TO by_country")
    assert con.execute("SELECT count(*) FROM by_country").fetchall() == [(2,)]
    con.execute("DROP TABLE by_country")
    assert con.execute("SELECT count(*) FROM askwhere_answers").fetchall() == [(0,)]
    assert "askwhere_answers" not in con.execute("SELECT ask_schema()").fetchall()[0][0]


def test_a_virtual_table_is_read_only() -> None:
    con = shop()
    con.execute("CREATE VIRTUAL TABLE pc USING ask('flurb')")
    for sql in ("DELETE FROM pc", "UPDATE pc SET n = 1", "INSERT INTO pc VALUES ('x', 1)"):
        with pytest.raises(askwhere.AskError, match="the table pc is read-only: it holds the answer to a question"):
            con.execute(sql)


def test_max_rows_holds_in_virtual_tables_and_in_statements() -> None:
    con = shop(":memory:", *["SELECT name FROM customers"] * 3, max_rows=2)
    con.execute("CREATE VIRTUAL TABLE names USING ask('flurb')")
    for sql in ("SELECT * FROM names", "SELECT count(*) FROM names", "SELECT * FROM ask('flurb')"):
        with pytest.raises(askwhere.TooMuch, match="the answer has more than max_rows = 2 rows"):
            con.execute(sql).fetchall()
    assert con.execute("SELECT * FROM names WHERE name = 'Bo'").fetchall() == [("Bo",)]
    con.execute("SELECT ask_set('max_rows', 3)")
    assert len(con.execute("SELECT * FROM names").fetchall()) == 3
    assert len(con.execute("SELECT * FROM ask('flurb')").fetchall()) == 3


def test_an_unquoted_question_in_using_is_refused() -> None:
    con = shop()
    for arguments in ("revenue, by month", "revenue by month", "'a' || 'b'"):
        with pytest.raises(askwhere.AskError, match="expected the question in quotes"):
            con.execute(f"CREATE VIRTUAL TABLE pc USING ask({arguments})")
    with pytest.raises(askwhere.ArgumentError, match="question must be a text, found none or NULL"):
        con.execute("CREATE VIRTUAL TABLE pc USING ask()")


def test_a_stored_answer_that_was_tampered_with_is_checked_again() -> None:
    con = shop()
    con.execute("CREATE VIRTUAL TABLE pc USING ask('flurb')")
    con.execute("UPDATE askwhere_answers SET sql = 'SELECT name, sql FROM sqlite_schema'")
    con.execute("SELECT 1").fetchall()
    name = con.execute("SELECT name FROM askwhere_answers").fetchall()[0][0]
    con.execute(f"ALTER TABLE {name} RENAME TO other")  # the module connects again, and reads what is stored
    with pytest.raises((askwhere.AskError, apsw.Error)):
        con.execute("SELECT * FROM other").fetchall()


def test_a_stored_answer_that_was_tampered_with_does_not_compare_hidden_columns() -> None:
    con = shop(":memory:", "SELECT name, id AS n FROM customers", hide_columns="customers.country")
    con.execute("CREATE VIRTUAL TABLE pc USING ask('flurb')")
    guess = "SELECT name, id AS n FROM customers NATURAL JOIN (SELECT ''Norway'' AS country)"
    con.execute(f"UPDATE askwhere_answers SET sql = '{guess}'")
    con.execute("ALTER TABLE pc RENAME TO other")
    assert con.execute("SELECT n FROM other ORDER BY n").fetchall() == [(1,), (2,), (3,)]


def test_a_refusal_says_what_was_refused() -> None:
    con = shop()
    con.execute("CREATE VIRTUAL TABLE docs USING fts4(body)")
    askwhere.register(con, model=Scripted(["SELECT optimize(docs) FROM docs"]), method="sea")
    with pytest.raises(askwhere.Refused, match="the query calls the function 'optimize', which it may not"):
        askwhere.ask(con, "tidy up")


def test_a_view_of_an_answer_is_plain_sql_that_any_host_reads(tmp_path: Path) -> None:
    con = shop(tmp_path / "shop.db")
    con.execute("CREATE VIEW pc AS SELECT * FROM ask('flurb') WHERE n = 2")
    con.close()
    plain = sqlite3.connect(tmp_path / "shop.db")
    assert plain.execute("SELECT * FROM pc").fetchall() == [("Canada", 2)]
    plain.close()


@pytest.mark.parametrize(
    ("statement", "query", "expected"),
    [
        ("CREATE VIEW v AS SELECT * FROM ask('flurb')", PER_COUNTRY, [("Canada", 2), ("Norway", 1)]),
        ("CREATE VIEW IF NOT EXISTS main.v AS SELECT * FROM ask('flurb')", "SELECT max(id) FROM CUSTOMERS", [(3,)]),
        ("CREATE VIEW [Main].v AS SELECT * FROM ask('ids')", "SELECT c.id, c.ID FROM customers c WHERE id = 3",
         [(3, 3)]),
        ("CREATE VIEW v AS SELECT * FROM ask('flurb')", "SELECT 3 IN customers_of_norway AS b", [(1,)]),
        ("CREATE VIEW v AS SELECT * FROM ask('flurb')", "WITH c AS (SELECT id FROM orders) SELECT max(id) FROM c",
         [(4,)]),
        ("CREATE VIEW v AS SELECT * FROM ask('flurb')", "SELECT '\"main\".\"orders\"' AS x FROM orders WHERE id = 1",
         [('"main"."orders"',)]),
    ],
)  # fmt: skip
def test_a_file_with_a_view_of_an_answer_can_be_attached(
    tmp_path: Path, statement: str, query: str, expected: list[Any]
) -> None:
    con = apsw.Connection(str(tmp_path / "shop.db"))
    con.execute(SHOP + "CREATE VIEW customers_of_norway AS SELECT id FROM customers WHERE country = 'Norway'")
    askwhere.register(con, model=Scripted([query]), method="sea")
    con.execute(statement)
    con.execute(
        "CREATE TEMP TABLE customers AS SELECT 9 AS id, 'X' AS country; CREATE TEMP TABLE orders AS SELECT 9 AS id"
    )
    assert con.execute("SELECT * FROM v").fetchall() == expected
    con.close()
    plain = sqlite3.connect(":memory:")
    plain.execute("CREATE TABLE customers (id, country)")
    plain.execute("ATTACH ? AS elsewhere", (str(tmp_path / "shop.db"),))
    assert plain.execute("SELECT * FROM elsewhere.v").fetchall() == expected
    plain.close()


@pytest.mark.parametrize(
    ("statement", "query"),
    [
        ("CREATE VIEW v AS SELECT * FROM ask('flurb')",
         "WITH c AS (SELECT 1), orders AS (SELECT id FROM main.orders) SELECT max(o.id) FROM orders, main.orders o"),
        ("CREATE VIEW v AS WITH orders AS (SELECT 7 AS id) SELECT a.* FROM ask('flurb') a, orders",
         "SELECT max(id) FROM orders"),
        ("CREATE TEMP VIEW v AS SELECT * FROM ask('flurb')", "SELECT max(id) FROM orders"),
    ],
)  # fmt: skip
def test_names_in_a_view_stay_qualified_where_they_could_mean_something_else(statement: str, query: str) -> None:
    con = shop(":memory:", query)
    con.execute(statement)
    con.execute("CREATE TEMP TABLE orders AS SELECT 9 AS id")
    stored = con.execute("SELECT sql FROM sqlite_schema WHERE name = 'v' UNION SELECT sql FROM temp.sqlite_schema")
    assert '"main"."orders"' in str(stored.fetchall())
    assert con.execute("SELECT * FROM v").fetchall() == [(4,)]


def test_a_view_of_an_answer_hides_what_is_hidden() -> None:
    con = shop(":memory:", "SELECT * FROM orders WHERE id = 1", hide_columns="orders.amount")
    con.execute("CREATE VIEW v AS SELECT * FROM ask('flurb')")
    assert con.execute("SELECT * FROM v").fetchall() == [(1, 1)]


def test_hidden_columns_name_the_arguments() -> None:
    con = shop()
    assert con.execute("SELECT n FROM ask('flurb') WHERE ask_choose = 1 AND n = 2").fetchall() == [(2,)]
    assert con.execute("SELECT n FROM ask WHERE ask_question = 'flurb' AND n = 2").fetchall() == [(2,)]
    assert con.execute("SELECT n FROM ask(?) a WHERE a.ask_choose = ? AND n = ?", ("flurb", 1, 2)).fetchall() == [(2,)]
    assert con.execute("SELECT rank FROM ask_candidates('flurb') WHERE ask_effort = 'balanced'").fetchall() == [(1,)]
    with pytest.raises(askwhere.AskError, match="there are several ask"):
        con.execute("SELECT * FROM ask('a') x, ask('b') y WHERE ask_choose = 1")


def test_ask_as_a_value_says_what_to_use() -> None:
    with pytest.raises(askwhere.AskError, match=r"ask\(\) is a table: SELECT \* FROM ask\('…'\)"):
        shop().execute("SELECT ask('flurb')")


def test_an_argument_that_is_a_column_is_refused() -> None:
    with pytest.raises(askwhere.AskError, match="expected literals or parameters"):
        shop().execute("SELECT * FROM customers c, ask(c.name)")


def test_named_bindings_and_expressions_make_a_question() -> None:
    con = shop()
    assert con.execute("SELECT n FROM ask('fl' || :rest) WHERE n = :n", {"rest": "urb", "n": 2}).fetchall() == [(2,)]
    assert con.execute("SELECT ?2, n FROM ask(?1) WHERE n = ?3", ("flurb", "x", 1)).fetchall() == [("x", 1)]


def test_a_script_asks_after_the_statements_before_have_run() -> None:
    con = apsw.Connection(":memory:")
    askwhere.register(con, model=Scripted(["SELECT x FROM made"]), method="sea")
    found = con.execute("CREATE TABLE made (x); INSERT INTO made VALUES (5); SELECT * FROM ask('flurb')").fetchall()
    assert found == [(5,)]
    with pytest.raises(askwhere.AskError, match="several statements with ask"):
        con.execute("SELECT 1; SELECT * FROM ask(?)", ("flurb",))


def test_somebodys_own_table_named_ask_is_left_alone() -> None:
    con = shop()
    con.execute("CREATE TABLE main.ask (id INTEGER, question TEXT)")
    con.execute("INSERT INTO ask(id, question) VALUES (1, 'why')")
    assert con.execute("SELECT question FROM ask").fetchall() == [("why",)]


def test_the_users_cursor_class_and_tracers_stay() -> None:
    class Mine(apsw.Cursor):
        def mine(self) -> int:
            return 7

    con = apsw.Connection(":memory:")
    con.cursor_factory = Mine
    con.execute(SHOP)
    askwhere.register(con, model=Scripted([PER_COUNTRY]), method="sea")
    assert con.cursor().mine() == 7
    con.row_trace = lambda cursor, row: {"n": row[-1]}
    assert con.execute("SELECT * FROM ask('flurb')").fetchall() == [{"n": 2}, {"n": 1}]


def test_a_database_that_is_attached_without_a_name_is_asked_and_guarded(tmp_path: Path) -> None:
    """What was read of it was taken for columns of the main database."""
    with contextlib.closing(apsw.Connection(str(tmp_path / "other.db"))) as other:
        other.execute("CREATE TABLE people (name TEXT, town TEXT); INSERT INTO people VALUES ('Al', 'Rome')")
    con = apsw.Connection(str(tmp_path / "main.db"))
    con.execute("CREATE TABLE towns (town TEXT); ATTACH ? AS ''", (str(tmp_path / "other.db"),))
    askwhere.register(con, model=Scripted(["SELECT name, town FROM people"] * 9), effort="fast")
    assert list(con.execute("SELECT * FROM ask('who is where')")) == [("Al", "Rome")]
    con.execute("SELECT ask_set('hide_columns', 'people.town')")
    with pytest.raises(AskError, match="no such column: town"):
        con.execute("SELECT * FROM ask('who is where')")
    con.close()


def test_text_that_is_not_utf8_is_decoded_with_replacement() -> None:
    con = shop(":memory:", "SELECT name, id FROM customers WHERE id > 3", "SELECT name FROM customers WHERE id > 3")
    con.execute("INSERT INTO customers VALUES (4, CAST(x'ff41' AS TEXT), NULL), (5, x'ff41', NULL)")
    assert con.execute("SELECT * FROM ask('flurb')").fetchall() == [("�A", 4), (b"\xffA", 5)]
    assert askwhere.ask(con, "flurb").rows == (("�A", 4), (b"\xffA", 5))


def test_a_users_function_named_like_a_built_in_is_not_called() -> None:
    calls: list[Any] = []
    con = shop(":memory:", *["SELECT upper(name) AS u FROM customers"] * 4)
    con.create_scalar_function("upper", calls.append, 1)
    with pytest.raises(askwhere.Refused):
        con.execute("SELECT * FROM ask('flurb')")
    assert calls == []
    con.execute("SELECT ask_set('allow_functions', 'upper')")
    con.execute("SELECT * FROM ask('flurb')").fetchall()
    assert calls


def test_the_users_collations_work() -> None:
    con = apsw.Connection(":memory:")
    con.create_collation("backwards", lambda a, b: (a < b) - (a > b))
    con.execute("CREATE TABLE t (x TEXT COLLATE backwards); INSERT INTO t VALUES ('a'), ('b')")
    askwhere.register(con, model=Scripted(["SELECT x FROM t ORDER BY x"]), method="sea")
    assert con.execute("SELECT * FROM ask('flurb')").fetchall() == [("b",), ("a",)]


def test_a_file_locked_by_another_is_a_clear_error_and_unlocked_works(tmp_path: Path) -> None:
    con = shop(tmp_path / "shop.db")
    other = apsw.Connection(str(tmp_path / "shop.db"))
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises((askwhere.AskError, apsw.BusyError)):
        con.execute("SELECT * FROM ask('flurb')").fetchall()
    other.execute("ROLLBACK")
    assert len(con.execute("SELECT * FROM ask('flurb')").fetchall()) == 2
    other.close()
    con.close()


CALLS = [
    "SELECT * FROM ask('flurb')",
    "SELECT ask_value('flurb')",
    "SELECT ask_pin('flurb', 'SELECT 1 AS n')",
    "SELECT ask_index()",
    "SELECT * FROM ask_pins()",
]


@pytest.mark.parametrize("call", CALLS)
def test_every_function_says_that_the_file_is_locked_and_what_to_do(call: str, tmp_path: Path) -> None:
    shop(tmp_path / "shop.db").close()
    other = apsw.Connection(str(tmp_path / "shop.db"))
    other.execute("BEGIN EXCLUSIVE")
    con = askwhere.connect(tmp_path / "shop.db", model=Scripted([PER_COUNTRY]), method="sea")
    con.set_busy_timeout(0)
    with pytest.raises(DatabaseError, match=r"^the database is locked by another connection; try again when"):
        con.execute(call).fetchall()
    with pytest.raises(apsw.BusyError):  # a statement without a function of ours stays APSW's
        con.execute("SELECT name AS asked FROM customers").fetchall()
    other.close()
    con.close()


@pytest.mark.parametrize("call", CALLS)
def test_every_function_says_that_the_file_is_damaged_and_what_to_do(call: str, tmp_path: Path) -> None:
    con = shop(tmp_path / "shop.db")
    size = (tmp_path / "shop.db").stat().st_size
    (tmp_path / "shop.db").write_bytes(b"garbage." * (size // 8))
    with pytest.raises(DatabaseError, match=r"^the file is no SQLite database that can be read: it is encrypted, dam"):
        con.execute(call).fetchall()
    con.close()


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_asking_leaves_no_file_behind(tmp_path: Path, mode: str) -> None:
    con = shop(tmp_path / "shop.db")
    con.execute(f"PRAGMA journal_mode = {mode}")
    con.execute("INSERT INTO customers VALUES (8, 'Eve', 'Norway')")
    before = {p.name for p in tmp_path.iterdir()}
    con.execute("SELECT * FROM ask('flurb')").fetchall()
    assert {p.name for p in tmp_path.iterdir()} == before
    con.close()
    assert {p.name for p in tmp_path.iterdir()} == {"shop.db"}


def test_a_read_only_file_can_be_asked(tmp_path: Path) -> None:
    shop(tmp_path / "shop.db").close()
    con = apsw.Connection(str(tmp_path / "shop.db"), flags=apsw.SQLITE_OPEN_READONLY)
    askwhere.register(con, model=Scripted([PER_COUNTRY]), method="sea")
    assert len(con.execute("SELECT * FROM ask('flurb')").fetchall()) == 2
    con.close()


def test_a_connection_nobody_holds_is_let_go() -> None:
    con = shop()
    con.execute("SELECT * FROM ask('flurb')").fetchall()
    gone = weakref.ref(con)
    del con
    gc.collect()
    assert gone() is None


def test_the_users_authorizer_and_limits_are_as_before() -> None:
    con = shop()
    con.execute("CREATE TEMP TABLE x (y)")  # so that the question is tried on this very connection
    mine = lambda *action: apsw.SQLITE_OK  # noqa: E731
    con.authorizer = mine
    limits = [con.limit(number) for number in range(12)]
    con.execute("SELECT * FROM ask('flurb')").fetchall()
    assert con.authorizer is mine
    assert [con.limit(number) for number in range(12)] == limits


@pytest.mark.slow
def test_a_value_that_never_ends_is_found_also_after_the_rows_of_the_trial() -> None:
    endless = "(WITH RECURSIVE c(x) AS (SELECT i UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c)"
    rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)"
    late = f"{rows} SELECT i, CASE WHEN i > 1400 THEN {endless} END AS v FROM n"
    con = shop(":memory:", late, query_timeout=1.5)
    with pytest.raises(askwhere.TooMuch, match=r"^the query was stopped after 1\.5 seconds"):
        con.execute("SELECT * FROM ask('late')")


@pytest.mark.parametrize(
    "reply", ["SELECT count(*) FROM n a, n b WHERE instr(a.x || b.x, b.x || 'b') > 0", PER_COUNTRY]
)
def test_a_query_that_is_stopped_for_its_time_leaves_the_users_own_statement_running(
    reply: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_limits, "LATE_ON_USERS", 600)  # an interrupt would end both statements
    monkeypatch.setattr(sqlite_engine, "VALUES_SECONDS", 0.1)
    endless = "WITH RECURSIVE c(x) AS (SELECT 'a' UNION ALL SELECT printf('%.10000c', 'a') FROM c) SELECT x FROM c"
    con = shop(":memory:", reply, query_timeout=0.5)
    con.execute(f"CREATE VIEW n AS {endless}")  # looking up its values is stopped, too
    con.execute("CREATE TEMP TABLE here (y)")  # so that the question is tried on this very connection
    customers = con.execute("SELECT id FROM customers")
    next(customers)
    with contextlib.nullcontext() if reply == PER_COUNTRY else pytest.raises(askwhere.TooMuch):
        askwhere.ask(con, "flurb the n")
    assert customers.fetchall() == [(2,), (3,)]


def test_an_operation_that_runs_late_leaves_the_users_own_statement_running(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_limits, "LATE_ON_USERS", 0)
    con = shop(":memory:", "SELECT max(lag) AS n FROM late", query_timeout=0.1, allow_functions="linger?")
    con.create_scalar_function("linger", lambda _: time.sleep(0.5))  # stands for any operation that takes long
    con.execute("CREATE TEMP VIEW late AS SELECT Linger(id) AS lag FROM customers")  # tried on this very connection
    customers = con.execute("SELECT id FROM customers")
    next(customers)
    with pytest.raises(askwhere.TooMuch, match=r"the query was stopped after 0\.1 seconds"):
        askwhere.ask(con, "flurb")
    assert customers.fetchall() == [(2,), (3,)]


def test_calls_that_compare_texts_share_their_second() -> None:
    """SQLite looks for an interrupt only where a program jumps back: not between the calls of one row."""
    lengths = []
    for calls in (1, 4, 100):
        program = shop().execute(f"EXPLAIN SELECT {', '.join(['instr(name, country)'] * calls)} FROM customers")
        lengths.append(sqlite_limits.bounds(program, Slow(256 << 10))[-1].length)
    assert lengths[0] == 256 << 10
    assert lengths[0] // 3 < lengths[1] <= lengths[0] // 2
    assert lengths[2] <= lengths[0] // 10


@pytest.mark.parametrize(("condition", "counts"), [("", True), (" WHERE id > 1", False)])
def test_only_what_counts_a_table_in_one_operation_needs_an_interrupt(condition: str, counts: bool) -> None:
    program = shop().execute(f"EXPLAIN SELECT count(*) FROM customers{condition}")
    assert {found.counts for found in sqlite_limits.bounds(program, None)} == {counts}


@pytest.mark.parametrize(
    ("encoding", "invalid", "read"),
    [("UTF-8", "ff41", "\ufffdA"), ("UTF-16le", "4100ffdb", "A\ufffd"), ("UTF-16be", "0041dbff", "A\ufffd")],
)
def test_a_text_that_is_not_valid_leaves_the_others_as_they_are(encoding: str, invalid: str, read: str) -> None:
    con = apsw.Connection(":memory:")
    con.execute(f"PRAGMA encoding = '{encoding}'; {SHOP}")
    con.execute("CREATE TABLE odd (word TEXT, number INTEGER)")  # either may hold any text
    con.execute(
        f"INSERT INTO odd VALUES ('Ånn\N{GRINNING FACE}', 1), (CAST(x'{invalid}' AS TEXT), CAST(x'{invalid}' AS TEXT))"
    )
    askwhere.register(con, model=Scripted(["SELECT word, number FROM odd"] * 2), method="sea")
    rows = [("Ånn\N{GRINNING FACE}", 1), (read, read)]
    assert list(askwhere.ask(con, "flurb").rows) == rows
    assert con.execute("SELECT * FROM ask('flurb')").fetchall() == rows
    assert con.execute("SELECT * FROM ask('flurb') WHERE number = 1").fetchall() == rows[:1]


def test_a_file_that_takes_the_place_of_the_open_one_is_not_read(tmp_path: Path) -> None:
    con, other = (shop(tmp_path / name, "SELECT count(*) AS n FROM customers") for name in ("shop.db", "other.db"))
    other.execute("INSERT INTO customers VALUES (7, 'New', 'Norway')")
    other.close()
    (tmp_path / "other.db").replace(tmp_path / "shop.db")
    assert askwhere.ask(con, "flurb").rows == ((3,),)
    assert con.execute("SELECT * FROM ask('flurb')").fetchall() == [(3,)]


def test_a_connection_that_is_busy_in_another_thread_is_as_before_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_limits, "UNDO_TRIES", 60_000)
    con = shop()
    counted: list[Any] = []
    running = threading.Event()
    con.set_progress_handler(lambda: bool(running.set()), 100, id=running)
    long = "WITH RECURSIVE k(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM k LIMIT 100000) SELECT count(*) FROM k"
    busy = threading.Thread(target=lambda: counted.extend(con.execute(long)))
    with authorized(con, Grant(()), None), stopping(con, Limits(seconds=600)):
        con.authorizer.running = True
        busy.start()
        while not running.wait(0.01) and busy.is_alive():
            pass
    busy.join(600)
    assert counted == [(100_000,)]
    assert con.authorizer is None
    assert con.limit(apsw.SQLITE_LIMIT_COMPOUND_SELECT) == 500
    assert con.execute(long).fetchall() == [(100_000,)]


@given(st.text())
def test_tokens_never_lose_text(sql: str) -> None:
    found = tokens(sql)
    assert all(sql[t.start : t.end] == t.text for t in found)
    assert "".join(statement.sql for statement in sqlite_text.statements(sql)).strip() in sql


@given(st.lists(st.sampled_from("SELECT FROM ask ( ) 'q' , ? ; \"ask\" WHERE ask_choose = 2 := IN /* */ --".split())))
def test_any_words_are_calls_or_an_error_of_ours(words: list[str]) -> None:
    sql = " ".join(words)
    try:
        found = [call for statement in sqlite_text.statements(sql) for call in statement.calls]
    except askwhere.AskError:
        return
    assert all(call.start < call.end for call in found)


@pytest.mark.parametrize("version", ["3.42.9", "3.43.0"])
def test_the_bytes_of_values_are_known_in_each_version_of_sqlite(version: str) -> None:
    connection = apsw.Connection(":memory:")
    connection.create_scalar_function("sqlite_version", lambda: version, 0)
    connection.execute("CREATE TABLE t (v); INSERT INTO t VALUES ('Zoë'), (NULL), (x'0001')")
    found = scanning.size_of(connection, "v")
    assert found.startswith("octet_length") == (version == "3.43.0")
    assert connection.execute(f"SELECT {found} FROM t").fetchall() == [(4,), (None,), (2,)]
