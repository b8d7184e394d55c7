"""An answer's own rows are delivered within the limits of its trial, also where the data have changed since."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb
import pytest
from askwhere import guard
from askwhere.engine import Grant, Table
from askwhere.models import Scripted
from native_hosts import HostError, shop, worker
from support import PER_COUNTRY, SHOP

LONG = "SELECT id, printf('%.*c', amount, 'x') AS x FROM orders ORDER BY id"
# SQLite 3.40 makes NULL of what is too long for printf; of replace it makes an error.
REPLACED = "SELECT id, replace(printf('%.*c', min(amount, 9e5), 'x'), 'x', printf('%.*c', min(amount, 900), 'y')) AS x"
REPLACED += " FROM orders ORDER BY id"
LARGE = "SELECT id, printf('%.*c', 400000 + id, 'x') AS x FROM orders ORDER BY x DESC"
HUGE = "INSERT INTO orders VALUES (9, 1, 900000000)"
MANY = (
    "INSERT INTO orders WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)"
    " SELECT i, 1, 1 FROM n"
)
GRANT = Grant((Table(("main", "docs"), (), "virtual"),))
TOO_LONG = r"the query makes a value that is too large; it may have \d+ (MB|kB)"
TOO_MUCH = r"the query was stopped: it needed more than 256 MB of memory"


def asked(*replies: str, **settings: Any) -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute(SHOP)
    connection.execute("PRAGMA temp_store = memory")  # what is written to temporary files is no memory
    askwhere.register(connection, model=Scripted(replies), method="sea", **settings)
    return connection


def test_a_statement_that_asks_makes_no_longer_values_than_a_trial_may() -> None:
    con = asked(LONG)
    sql = "SELECT * FROM ask('q')"
    assert len(con.execute(sql).fetchall()) == 4
    before = con.limit(apsw.SQLITE_LIMIT_LENGTH)
    con.execute(HUGE)
    cursor = con.cursor()
    assert len(cursor.execute(sql).fetchone()) == 2
    for read in (
        lambda: list(cursor.execute(sql)),
        lambda: cursor.execute(sql).fetchall(),
        lambda: cursor.execute(sql).get,
    ):
        with pytest.raises(askwhere.TooMuch, match=TOO_LONG):
            read()
    with pytest.raises(askwhere.TooMuch, match=TOO_LONG):
        con.execute("CREATE TABLE kept AS SELECT * FROM ask('q')")
    with pytest.raises(askwhere.TooMuch, match=TOO_LONG):
        con.execute("SELECT * FROM ask('q') ORDER BY id DESC")
    assert con.limit(apsw.SQLITE_LIMIT_LENGTH) == before
    assert len(con.execute("SELECT zeroblob(20000000)").fetchone()[0]) == 20_000_000


def test_between_its_rows_the_connection_is_as_it_was() -> None:
    con = asked(LONG)
    before = con.limit(apsw.SQLITE_LIMIT_LENGTH)
    found = con.execute("SELECT * FROM ask('q')")
    assert next(found) == (1, "x" * 10)
    assert con.limit(apsw.SQLITE_LIMIT_LENGTH) == before
    assert len(con.execute("SELECT zeroblob(20000000)").fetchone()[0]) == 20_000_000
    assert found.fetchone() == (2, "x" * 20)
    assert found.execute("SELECT zeroblob(20000000)").fetchone() == (bytes(20_000_000),)
    assert found.execute("SELECT * FROM ask('q')").fetchall()[3] == (4, "x")
    found.executemany("INSERT INTO customers (name) VALUES (?)", [("Di",), ("Ed",)])
    assert found.execute("SELECT count(*) FROM customers").fetchall() == [(5,)]


def test_a_statement_that_asks_takes_no_more_memory_than_a_trial_may() -> None:
    con = asked(LARGE)
    assert len(con.execute("SELECT * FROM ask('q')").fetchall()) == 4
    con.execute(MANY)
    with pytest.raises(askwhere.TooMuch, match=TOO_MUCH):
        con.execute("SELECT * FROM ask('q')")


@pytest.mark.parametrize(("query", "more", "said"), [(LONG, HUGE, TOO_LONG), (LARGE, MANY, TOO_MUCH)])
def test_so_is_a_virtual_table(query: str, more: str, said: str) -> None:
    con = asked(query)
    con.execute("CREATE VIRTUAL TABLE kept USING ask('q')")
    whole = len(con.execute("SELECT * FROM kept").fetchall())
    con.execute(more)
    with pytest.raises(askwhere.TooMuch, match=said):
        con.execute("SELECT * FROM kept").fetchall()
    assert whole == 4
    assert len(con.execute("SELECT zeroblob(20000000)").fetchone()[0]) == 20_000_000


def test_so_is_a_pinned_answer() -> None:
    con = asked()
    con.execute("SELECT ask_pin('lines', ?)", (LONG,)).fetchall()
    assert len(con.execute("SELECT * FROM ask('lines')").fetchall()) == 4
    con.execute(HUGE)
    with pytest.raises(askwhere.TooMuch, match=TOO_LONG):
        con.execute("SELECT * FROM ask('lines')").fetchall()


def test_what_makes_no_long_values_is_delivered_as_fast_as_any_query() -> None:
    con = asked(PER_COUNTRY)
    found = con.execute("SELECT * FROM ask('q')")
    assert type(found).__next__ is apsw.Cursor.__next__
    for query in ("SELECT a || b FROM t", 'SELECT "PRINTF"(a) FROM t', "SELECT json_array(a) FROM t"):
        assert guard.needs_limits(query)
    assert guard.needs_limits("SELECT mine(a) FROM t", ["Mine"])
    assert not guard.needs_limits("SELECT lower(a), count(*) FROM t WHERE b LIKE 'c%' GROUP BY 1")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT replace(a, ',', '') || b FROM t",
        "SELECT trim(a || b), trim(a || b, ' x') FROM t",
        "SELECT instr(a || b, 'c'), a LIKE '%c%' FROM t",
        "SELECT docs.body FROM t, docs WHERE docs MATCH 'one two'",
        'SELECT "trim" || b FROM t',
        "SELECT concat_ws(', ', a, b) FROM t",
        "SELECT a || b FROM docs WHERE docs MATCH 'one two' AND docs.a = c || 'd'",
        "SELECT a || snippet(docs, 0, '', '', '', 9) FROM t JOIN main.docs AS d ON a MATCH 'x'",
    ],
)
def test_values_that_are_compared_with_short_texts_may_be_long(query: str) -> None:
    assert guard.slowest(query, GRANT) is None


@pytest.mark.parametrize(
    "query",
    [
        "SELECT replace(a, b, '') FROM t",
        "SELECT instr(a, b) FROM t",  # what is stored may be long, too
        "SELECT * FROM docs, t WHERE docs MATCH b",
        "SELECT highlight(docs, 0, '<', '>') FROM docs WHERE docs MATCH 'a'",
        "SELECT geopoly_overlap(a, b) FROM t",
        "SELECT geopoly_within(a, '[[0,0],[1,0],[1,1],[0,0]]') FROM t",
        "SELECT trim(a || b, printf('%d', c)) FROM t",
        "SELECT instr(a || b, (SELECT c)) FROM t",
        'SELECT "instr"(a || b, c) FROM t',
        "SELECT a || b LIKE '%' || c || '%' FROM t",
        "SELECT like(c, a || b) FROM t",
        "SELECT json_patch(a, '{}') FROM t",
        "SELECT concat_ws(a, b, ', ') FROM t",
        "SELECT * FROM docs WHERE docs MATCH a || b",
        "SELECT * FROM docs WHERE docs MATCH 'a' || b",
        "SELECT * FROM docs WHERE docs MATCH 'a' COLLATE NOCASE || b",
        "SELECT a || b LIKE 'a' COLLATE NOCASE || c FROM t",
        "SELECT * FROM docs WHERE b MATCH replace('a', 'a', 'b')",
        "SELECT * FROM docs WHERE docs = replace('a', 'a', 'b')",
        "SELECT * FROM main.docs AS d WHERE replace('a', 'a', 'b') = d.docs",
        "SELECT * FROM docs WHERE replace('a', 'a', 'b') IS NOT DISTINCT FROM docs",
        "SELECT * FROM docs(replace('a', 'a', 'b'))",
        "SELECT * FROM main.docs(replace('a', 'a', 'b'))",
    ],
)
def test_values_that_are_compared_with_each_other_are_no_longer_than_takes_a_second(query: str) -> None:
    slow = guard.slowest(query, GRANT)
    assert slow is not None
    assert slow.bytes <= 2 << 20


ZIGZAG = (  # the sides of one polygon are all beside each other
    "WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 150000), p(g) AS (SELECT '[[0,0],' ||"
    " group_concat('[' || CASE WHEN i % 2 THEN 9999999 ELSE 0 END || ',' || i || ']') || ',[0,0]]' FROM k)"
    " SELECT geopoly_overlap(g, g) AS x FROM p"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "SELECT instr(body, sought) AS x FROM long",
        "SELECT highlight(texts, 0, '<', '>') AS x FROM texts WHERE texts MATCH 'a'",
        ZIGZAG,
    ],
)
def test_long_values_are_not_compared_for_minutes(query: str) -> None:
    con = asked(query, query, query_timeout=600)
    con.execute("CREATE TABLE long AS SELECT hex(zeroblob(2000000)) AS body, hex(zeroblob(1000000)) || 'b' AS sought")
    con.execute("CREATE VIRTUAL TABLE texts USING fts5(body)")
    con.execute("INSERT INTO texts SELECT replace(hex(zeroblob(500000)), '00', 'a ')")
    started = time.process_time()
    with pytest.raises(askwhere.TooMuch, match=TOO_LONG):
        askwhere.ask(con, "zz")
    assert time.process_time() - started < 10


def test_a_value_that_became_long_is_not_compared_for_minutes_either() -> None:
    con = asked("SELECT instr(body, sought) AS x FROM short")
    con.execute("CREATE TABLE short AS SELECT 'ab' AS body, 'b' AS sought")
    assert con.execute("SELECT x FROM ask('q')").fetchall() == [(2,)]
    con.execute("UPDATE short SET body = hex(zeroblob(2000000)), sought = hex(zeroblob(1000000)) || 'b'")
    with pytest.raises(askwhere.TooMuch, match=TOO_LONG):
        con.execute("SELECT x FROM ask('q')").fetchall()


def test_values_of_which_a_row_has_more_are_shorter() -> None:
    con = asked("SELECT printf('%.9000000c', 'x') AS x", "SELECT " + ", ".join(["printf('%.900000c', 'x')"] * 90))
    assert len(con.execute("SELECT x FROM ask('one')").fetchone()[0]) == 9_000_000
    with pytest.raises(askwhere.TooMuch, match=r"too large; it may have \d\d\d kB"):
        con.execute("SELECT * FROM ask('many')")


@pytest.mark.parametrize("query", ["SELECT x'ff00' AS b", "SELECT b FROM bytes"])
def test_bytes_that_are_no_text_stand_in_a_query_or_in_a_view(query: str, tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / "shop.db"))
    connection.execute(SHOP + "; CREATE VIEW bytes AS SELECT x'ff00' AS b")
    askwhere.register(connection, model=Scripted([query] * 2), effort="fast")
    assert connection.execute("SELECT b, x'fe' FROM ask('zz')").fetchall() == [(b"\xff\x00", b"\xfe")]
    with connection:
        assert connection.execute("SELECT hex(b) FROM ask('yy')").fetchall() == [("FF00",)]
    connection.close()


def test_a_long_value_of_the_data_is_shown() -> None:
    con = asked("SELECT note FROM long")
    con.execute("CREATE TABLE long(note, other); INSERT INTO long VALUES (printf('%.9000000c', 'x'), 1)")
    assert len(con.execute("SELECT * FROM ask('q')").fetchone()[0]) == 9_000_000


@pytest.fixture(params=["shell", "python"])
def host(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Any]]:
    made = []

    def make(*replies: str) -> Any:
        monkeypatch.setenv("ASKWHERE_WORKER", str(worker(tmp_path, *replies)))
        made.append(shop(request.param))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.mark.slow
def test_so_is_an_answer_in_a_program_that_loads_the_extension(host: Callable[..., Any]) -> None:
    connection = host(REPLACED, LARGE)
    connection.execute("PRAGMA temp_store = memory")
    whole = connection.execute("SELECT * FROM ask('q')").fetchall()
    connection.execute("CREATE VIRTUAL TABLE lines USING ask('q')")
    connection.execute("CREATE VIRTUAL TABLE large USING ask('r')")
    connection.execute(HUGE)
    for table in ("ask('q')", "lines"):
        with pytest.raises(HostError, match=TOO_LONG):
            connection.execute(f"SELECT * FROM {table} WHERE id = 9")
    connection.execute("DELETE FROM orders WHERE id = 9")
    connection.execute(MANY)
    for table in ("ask('r')", "large"):
        with pytest.raises(HostError, match=TOO_MUCH):
            connection.execute(f"SELECT * FROM {table}")
    connection.execute("DELETE FROM orders WHERE id > 9")
    for table in ("ask('q')", "lines"):
        assert connection.execute(f"SELECT * FROM {table}").fetchall() == whole
    assert connection.execute("SELECT length(zeroblob(20000000)) AS n").fetchall() == [(20_000_000,)]


def judged(sql: str) -> str:
    """What DuckDB's guard says against a query, '' where it lets it through."""
    connection = duckdb.connect()
    connection.execute(SHOP)
    askwhere.register(connection)
    try:
        return "" if connection.execute("SELECT ask_pin('q', ?)", [sql]).fetchall() else "nothing"
    except duckdb.Error as exc:
        return str(exc)
    finally:
        connection.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    [
        "printf('%900000000d', 1)",
        "printf('%*d', 900000000, 1)",
        "printf('%.900000000f', 1.5)",
        "printf('%' || amount || 'd', 1)",
        "format('{:>900000000}', 'x')",
        "format('{:>{}}', 'x', 900000000)",
        "format('{' || amount || '}', 'x')",
    ],
)
def test_duckdb_writes_no_value_as_wide_as_another_says(call: str) -> None:
    said = judged(f"SELECT {call} AS x FROM orders")
    assert f"{call.partition('(')[0]} needs a plain text for its format, with widths up to 10,000" in said


@pytest.mark.parametrize("call", ["printf('%d of 20000 (%5.2f %%)', 1, 2.5)", "format('{:,} of 20000 {:>8}', 3, 'x')"])
def test_duckdb_formats_as_people_do(call: str) -> None:
    assert judged(f"SELECT {call} AS x FROM orders") == ""
