"""The loadable extension in real hosts, on the contract's core: the sqlite3 shell, Debian's Python, APSW and Node.

A host and its worker take a second to start, so that each test asks much of one.
"""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import askwhere
import pytest
from askwhere.udfs import FUNCTIONS
from guard.attacks import ATTACKS
from native_hosts import HOSTS, Shell, error, extension, host, shop, worker
from support import PER_COUNTRY, rows

pytestmark = pytest.mark.slow  # compiles the extension

ANSWER = [("Canada", 2), ("Norway", 1)]
Make = Callable[..., Any]


@pytest.fixture(params=HOSTS)
def scripted(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Makes the shop in a host, with the replies of its model and settings; closes all at the end."""
    made = []

    def make(*replies: str, path: str | Path = ":memory:", **settings: Any) -> Any:
        monkeypatch.setenv("ASKWHERE_WORKER", str(worker(tmp_path, *replies, **settings)))
        made.append(shop(request.param, path))
        return made[-1]

    yield make
    for one in made:
        one.close()


def completions(connection: Any) -> int:
    return int(rows(connection, "SELECT sum(calls) AS calls FROM ask_log()")[0][0] or 0)


def test_the_entry_point_is_all_that_is_exported() -> None:
    shown = subprocess.run(["nm", "-D", "--defined-only", extension()], capture_output=True, text=True, check=True)
    assert [line.split()[-1] for line in shown.stdout.splitlines()] == ["sqlite3_askwhere_init"]


def test_the_rank_of_a_full_text_table_is_compared_with_nothing(scripted: Make) -> None:
    """Compared with a text it would call the function that the text names."""
    connection = scripted(*["SELECT body FROM docs WHERE docs MATCH 'moon' AND rank MATCH 'bm25(10.0)'"] * 9)
    connection.execute("CREATE VIRTUAL TABLE docs USING fts5(body)")
    connection.execute("INSERT INTO docs VALUES ('moon')")
    assert "may use the rank of a full-text table only as the first key" in error(connection, "SELECT ask_sql('q')")


# What works of an answer whose columns are known: the statement, and what it gives.
KNOWN = [
    ("SELECT n, country FROM ask('q') WHERE n > 1", [(2, "Canada")]),
    ("SELECT country FROM ask('q') ORDER BY n, country", [("Norway",), ("Canada",)]),
    ("SELECT b.n FROM ask('q') a JOIN ask('q') AS b ON a.country = b.country WHERE b.n = 1", [(1,)]),
    ("SELECT count(*) AS c FROM ask('q'), customers", [(6,)]),
    ("WITH c AS (SELECT * FROM ask('q')) SELECT sum(n) AS s FROM c", [(3,)]),
    ("WITH customers AS (SELECT 1 AS id) SELECT n FROM ask('q') WHERE country = 'Canada'", [(2,)]),
    ("SELECT name FROM customers WHERE country IN (SELECT country FROM ask('q') WHERE n = 1)", [("Cy",)]),
    ("SELECT n FROM ask('q', NULL, NULL, NULL, 1) WHERE n = 2", [(2,)]),
    ("SELECT n FROM ask('q') WHERE ask_choose = 1 AND n = 2", [(2,)]),
    ("SELECT n FROM ask WHERE ask_question = 'q' AND n = 2", [(2,)]),
    ("SELECT * FROM ask('q') UNION ALL SELECT * FROM ask('q') LIMIT 3", [*ANSWER, ANSWER[0]]),
]


def test_ask_is_a_table_with_the_answers_own_columns(scripted: Make) -> None:
    connection = scripted(PER_COUNTRY)
    found = connection.execute("SELECT * FROM ask(?)", ["q"])
    assert [name for name, *_ in found.description] == ["country", "n"]
    assert found.fetchall() == ANSWER
    for sql, expected in KNOWN:
        assert rows(connection, sql) == expected, sql
    assert rows(connection, "SELECT country FROM ask(?) WHERE n = ?", ["q", 2]) == [("Canada",)]
    connection.execute("CREATE VIEW kept AS SELECT * FROM ask('q')")
    assert "unsafe use of virtual table" in error(connection, "SELECT * FROM kept")
    assert completions(connection) == 1


def test_an_answer_becomes_a_table_in_the_statement_that_asks_it(scripted: Make) -> None:
    connection = scripted("SELECT a.name, b.NAME, a.id FROM customers a JOIN customers b ON a.id = b.id ORDER BY a.id")
    connection.execute("CREATE TABLE kept AS SELECT * FROM ask('q')")
    assert rows(connection, "SELECT * FROM kept WHERE id = 1") == [("Ann", "Ann", 1)]
    named = "SELECT group_concat(lower(name)) AS names FROM pragma_table_info('kept')"
    assert rows(connection, named) == [("name_1,name_2,id",)]


def test_one_statement_holds_one_question(scripted: Make) -> None:
    connection = scripted(PER_COUNTRY, *["SELECT name FROM customers"] * 2)
    text = error(connection, "SELECT * FROM ask('q') a, ask('r') b")
    assert "one statement can hold one question; for each of several use CREATE VIRTUAL TABLE" in text
    changing = "SELECT * FROM customers c, ask(CASE c.id WHEN 1 THEN 'q' ELSE 'r' END)"
    assert "one statement can hold one question" in error(connection, changing)
    assert rows(connection, "SELECT * FROM ask('r')") == [("Ann",), ("Bo",), ("Cy",)]
    assert rows(connection, "SELECT * FROM ask('q')") == ANSWER
    connection.execute("SELECT ask_set('dynamic_columns', 'off')")
    text = error(connection, "SELECT * FROM ask('r')")
    assert "this host wants to know the columns before the question is answered; use CREATE VIRTUAL TABLE" in text
    assert rows(connection, "SELECT ask_set('dynamic_columns') AS d") == [("dynamic_columns = off",)]
    connection.execute("CREATE VIRTUAL TABLE names USING ask('r')")
    assert rows(connection, "SELECT * FROM names") == [("Ann",), ("Bo",), ("Cy",)]


def test_an_answer_with_columns_that_ask_cannot_have_leaves_other_questions_answered(scripted: Make) -> None:
    wide = "SELECT " + ", ".join(f"{n} AS c{n}" for n in range(1_999))
    connection = scripted("SELECT 1 AS ask_question", wide, PER_COUNTRY)
    text = error(connection, "SELECT * FROM ask('q')")
    assert "(duplicate column name: ask_question); use CREATE VIRTUAL TABLE answer USING ask" in text
    assert "(too many columns on answer)" in error(connection, "SELECT * FROM ask('r')")
    assert rows(connection, "SELECT * FROM ask('s')") == ANSWER
    connection.execute("CREATE VIRTUAL TABLE named USING ask('q')")
    assert rows(connection, "SELECT ask_question FROM named") == [(1,)]


def test_a_columns_type_may_be_any_text(scripted: Make) -> None:
    connection = scripted("SELECT * FROM odd")
    odd = ["a, b, c, d, e, f, g, h, i", "it's", "x) --", "INT PRIMARY KEY, z HIDDEN", "DECIMAL(10, 2)"]
    columns = ", ".join(f'c{n} "{kind}"' for n, kind in enumerate(odd))
    connection.execute(f"CREATE TABLE odd ({columns})")
    connection.execute("INSERT INTO odd VALUES (1, 2, 3, 4, 5)")
    found = connection.execute("SELECT * FROM ask('q')")
    assert [name for name, *_ in found.description] == ["c0", "c1", "c2", "c3", "c4"]
    assert found.fetchall() == [(1, 2, 3, 4, 5)]
    connection.execute("CREATE VIRTUAL TABLE kept USING ask('q')")
    assert rows(connection, "SELECT * FROM kept") == [(1, 2, 3, 4, 5)]
    assert rows(connection, "SELECT group_concat(type) AS t FROM pragma_table_info('kept')") == [
        (",,,,DECIMAL(10, 2)",)
    ]


def test_values_of_every_type_arrive_as_they_are(scripted: Make) -> None:
    connection = scripted("SELECT 9007199254740993 AS i, -1.5 AS f, 'häß' AS t, NULL AS n, '' AS e, x'00ff' AS b")
    connection.execute("CREATE TABLE kept AS SELECT * FROM ask('q')")
    assert rows(connection, "SELECT quote(i) AS i, f, t, n, quote(e) AS e, quote(b) AS b FROM kept") == [
        ("9007199254740993", -1.5, "häß", None, "''", "X'00FF'")
    ]


def test_every_function_is_there_and_gives_what_it_gives_elsewhere(scripted: Make) -> None:
    connection = scripted(PER_COUNTRY, "SELECT count(*) FROM customers")
    listed = "SELECT name FROM pragma_function_list UNION SELECT name FROM pragma_module_list"
    assert {f.name for f in FUNCTIONS} <= {name for (name,) in rows(connection, listed)}
    assert rows(connection, "SELECT ask_version() AS v") == [(askwhere.__version__,)]
    found = connection.execute("SELECT * FROM ask_candidates('q')")
    columns = [name for name, *_ in found.description]
    assert columns == ["rank", "chosen", "confidence", "sql", "n_rows", "preview", "error", "ms", "origin", "notes"]
    row = dict(zip(columns, found.fetchall()[0], strict=True))
    assert (row["rank"], row["chosen"], row["sql"], row["n_rows"]) == (1, 1, PER_COUNTRY, 2)
    assert row["preview"] == '[["Canada", 2], ["Norway", 1]]'
    assert (row["error"], row["origin"]) == (None, "scripted")
    assert rows(connection, "SELECT ask_sql('how') AS s") == [("SELECT count(*) FROM customers",)]
    assert rows(connection, "SELECT id, ask_value('how') AS n FROM customers") == [(1, 3), (2, 3), (3, 3)]
    text = rows(connection, "SELECT ask_schema('orders of Ann in Norway') AS s")[0][0]
    assert "FOREIGN KEY (customer_id) REFERENCES customers (id)" in text
    assert "customers.country: 'Norway'" in text
    assert "CREATE TABLE customers (" in rows(connection, "SELECT ask_prompt('how') AS p")[0][0]
    assert rows(connection, "SELECT ask_fix('SELECT name FROM customers') AS f") == [("SELECT name FROM customers",)]
    assert rows(connection, "SELECT table_name, value, exact FROM ask_values('in Norway', 1)") == [
        ("customers", "Norway", 1)
    ]
    assert rows(connection, "SELECT count(*) > 0 AS any FROM ask_trace('q') WHERE step = 'generate'") == [(1,)]
    assert rows(connection, "SELECT question, n_rows FROM ask_log()") == [("q", 2), ("how", 1)]
    assert rows(connection, "SELECT ask_set('effort', 'fast') AS s") == [("effort = fast",)]
    sources = dict(rows(connection, "SELECT name, source FROM ask_settings()"))
    assert (sources["effort"], sources["query_timeout"]) == ("ask_set", "default")
    connection.execute("CREATE VIEW sly AS SELECT ask_set('effort', 'fast') AS done")
    assert "unsafe use of ask_set()" in error(connection, "SELECT * FROM sly")


def test_pins_keys_and_the_index_are_kept_in_the_database(scripted: Make) -> None:
    connection = scripted(PER_COUNTRY)
    pinned = "SELECT ask_pin('those of {country}', 'SELECT name FROM customers WHERE country = {country}') AS done"
    assert rows(connection, pinned) == [("pinned 'those of {country}', with {country} a text",)]
    assert rows(connection, "SELECT * FROM ask('those of Norway')") == [("Cy",)]
    assert rows(connection, "SELECT question, stale FROM ask_pins()") == [("those of {country}", 0)]
    assert rows(connection, "SELECT ask_unpin('those of {country}') AS u") == [("unpinned 'those of {country}'",)]
    declared = rows(connection, "SELECT ask_key('orders.id', 'customers.id') AS k")
    assert declared == [("orders.id refers to customers.id",)]
    assert ("orders.id", "customers.id", "declared") in rows(connection, "SELECT * FROM ask_keys()")
    assert rows(connection, "SELECT ask_key('orders.id', 'drop') AS k") != declared
    assert "indexed 5 values of 2 columns" in rows(connection, "SELECT ask_index() AS i")[0][0]
    assert rows(connection, "SELECT value FROM ask_values('Norway', 1)") == [("Norway",)]
    assert completions(connection) == 0


WRONG = [
    ("SELECT * FROM ask(NULL)", "question must be a text, found none or NULL"),
    ("SELECT * FROM ask('  ')", "question must be a text, found an empty text"),
    ("SELECT * FROM ask(42)", "question must be a text, found the number 42"),
    ("SELECT * FROM ask()", "question must be a text, found none or NULL"),
    ("SELECT * FROM ask(CAST('q' AS BLOB))", "question must be a text, found a blob"),
    ("SELECT * FROM ask('q') WHERE ask_choose = 'x'", "choose must be a whole number, found the text 'x'"),
    ("SELECT ask_set('efort', 'fast')", "there is no setting 'efort'; did you mean 'effort'?"),
    ("SELECT ask_sql(NULL)", "question must be a text, found none or NULL"),
    ("SELECT ask_sql(1, 2, 3, 4, 5, 6, 7)", "expected at most 6 arguments, found 7"),
    ("CREATE VIRTUAL TABLE x USING ask(revenue, by month)", "expected the question in quotes"),
    ("CREATE VIRTUAL TABLE x USING ask()", "question must be a text, found none or NULL"),
]


def test_a_wrong_argument_is_said(scripted: Make) -> None:
    connection = scripted(PER_COUNTRY)
    for sql, text in WRONG:
        assert text in error(connection, sql), sql
    assert completions(connection) == 0


def test_a_stored_answer_is_a_table_that_never_asks_again(scripted: Make, tmp_path: Path) -> None:
    connection = scripted(PER_COUNTRY, path=tmp_path / "shop.db")
    connection.execute("CREATE VIRTUAL TABLE pc USING ask('q', choose=1)")
    connection.execute("INSERT INTO customers VALUES (4, 'Di', 'Norway')")
    assert rows(connection, "SELECT * FROM pc") == [("Canada", 2), ("Norway", 2)]
    assert rows(connection, "SELECT n FROM pc WHERE country = 'Norway'") == [(2,)]
    assert rows(connection, "SELECT a.n FROM pc a JOIN pc b ON a.country = b.country WHERE b.n = 2") == [(2,), (2,)]
    assert rows(connection, "SELECT name FROM pragma_table_info('pc')") == [("country",), ("n",)]
    connection.execute("CREATE VIEW per AS SELECT country FROM pc")
    assert rows(connection, "SELECT * FROM per") == [("Canada",), ("Norway",)]
    assert completions(connection) == 1
    again = host(connection.kind, tmp_path / "shop.db")
    assert rows(again, "SELECT * FROM pc") == [("Canada", 2), ("Norway", 2)]
    assert completions(again) == 0
    for sql in ("DELETE FROM pc", "UPDATE pc SET n = 1", "INSERT INTO pc VALUES ('x', 1)"):
        assert "the table pc is read-only: it holds the answer to a question" in error(again, sql)
    again.execute("DROP VIEW per")
    again.execute("ALTER TABLE pc RENAME TO by_country")
    assert rows(again, "SELECT count(*) AS n FROM by_country") == [(2,)]
    again.execute("DROP TABLE by_country")
    assert rows(again, "SELECT count(*) AS n FROM askwhere_answers") == [(0,)]
    again.close()


def test_temporary_attached_and_uncommitted_data_are_seen(scripted: Make, tmp_path: Path) -> None:
    connection = scripted(
        "SELECT x FROM temp.scratch", "SELECT count(*) AS n FROM customers", "SELECT label FROM store.parts"
    )
    connection.execute("CREATE TEMP TABLE scratch AS SELECT 7 AS x")
    assert rows(connection, "SELECT * FROM ask('pad')") == [(7,)]
    connection.execute("BEGIN")
    connection.execute("INSERT INTO customers VALUES (9, 'Zed', 'Chad')")
    assert rows(connection, "SELECT * FROM ask('how many people buy')") == [(4,)]
    connection.execute("ROLLBACK")
    connection.execute(f"ATTACH '{tmp_path / 'store.db'}' AS store")
    connection.execute("CREATE TABLE store.parts AS SELECT 'bolt' AS label")
    assert rows(connection, "SELECT * FROM ask('parts')") == [("bolt",)]


# Queries that a model might write, and a word of why they are refused.
REFUSED = [
    ("DELETE FROM orders", "select"),
    ("SELECT 1; DROP TABLE orders", "one statement"),
    ("SELECT * FROM pragma_table_info('orders')", "pragma_table_info"),
    ("SELECT name FROM sqlite_schema", "sqlite_schema"),
    ("SELECT load_extension('x')", "may not"),
    ("SELECT * FROM ask('again')", "again"),
    ("SELECT ask_set('effort', 'fast')", "may not"),
    ("SELECT amount FROM orders", "amount"),
    ("SELECT count(*) FROM orders WHERE amount > 3", "amount"),
    ("SELECT id FROM customers WHERE id = ?", "parameters"),
    ("SELECT optimize(docs) FROM docs", "optimize"),
]


def test_the_guard_holds(scripted: Make) -> None:
    connection = scripted(
        *(reply for reply, _ in REFUSED), method="dac", leave_out="entities, skeleton, execution",
        hide_columns="orders.amount",
    )  # fmt: skip
    connection.execute("CREATE VIRTUAL TABLE docs USING fts4(body)")
    before = rows(connection, "SELECT count(*) AS n, sum(amount) AS s FROM orders")
    for number, (reply, text) in enumerate(REFUSED):
        assert text in error(connection, f"SELECT * FROM ask('flurb {number}')").lower(), reply
    assert rows(connection, "SELECT count(*) AS n, sum(amount) AS s FROM orders") == before


def test_hostile_replies_are_refused_and_the_next_question_is_answered(scripted: Make) -> None:
    hostile = [attack for attack in ATTACKS if attack.id in ("W01", "W05", "W06", "M03")]
    connection = scripted(
        *(attack.reply for attack in hostile), 'SELECT "amount" AS x', "SELECT x FROM shown", PER_COUNTRY,
        method="dac", leave_out="entities, skeleton, execution", effort="fast", hide_columns="orders.amount",
    )  # fmt: skip
    for attack in hostile:
        assert attack.error in error(connection, f"SELECT * FROM ask('flurb {attack.id}')"), attack.title
    connection.execute("CREATE VIEW shown AS SELECT amount AS x FROM orders")
    connection.execute("BEGIN")
    connection.execute("INSERT INTO customers VALUES (9, 'Zed', 'Chad')")
    around = "SELECT id, (SELECT * FROM ask('{}')) AS x FROM orders"
    assert "no such column" in error(connection, around.format("flurb of zorb"))
    assert "shown" in error(connection, around.format("zorb of flurb"))
    connection.execute("ROLLBACK")
    assert rows(connection, "SELECT * FROM ask('q')") == ANSWER


def test_hidden_columns_and_limits_hold(scripted: Make) -> None:
    endless = "WITH RECURSIVE k(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM k) SELECT count(*) FROM k"
    connection = scripted(
        "SELECT * FROM orders WHERE id = 1", "SELECT name FROM customers", endless,
        hide_columns="orders.amount", max_rows=2,
    )  # fmt: skip
    connection.execute("CREATE VIRTUAL TABLE o USING ask('one order')")
    assert rows(connection, "SELECT * FROM o") == [(1, 1)]
    connection.execute("CREATE VIRTUAL TABLE names USING ask('names')")
    for sql in ("SELECT * FROM ask('names')", "SELECT * FROM names", "SELECT count(*) FROM names"):
        assert "the answer has more than max_rows = 2 rows" in error(connection, sql)
    assert rows(connection, "SELECT * FROM names WHERE name = 'Bo'") == [("Bo",)]
    rows(connection, "SELECT ask_set('query_timeout', 0.4)")
    assert "the query was stopped" in error(connection, "SELECT * FROM ask('flurb')")
    # What a file stores is not to be trusted: it is checked again.
    connection.execute("UPDATE askwhere_answers SET sql = 'SELECT id, amount FROM orders' WHERE name = 'o'")
    assert "amount" in error(connection, "SELECT * FROM o")


@pytest.mark.slow
def test_a_query_of_many_counts_is_stopped_for_its_time(scripted: Make) -> None:
    """SQLite counts a table in one operation, and asks the progress handler after hundreds of them."""
    counts = ",".join(["((SELECT count(*) FROM many))"] * 1_200)
    connection = scripted(f"WITH v(x) AS (VALUES {counts}) SELECT sum(x) AS n FROM v", query_timeout=0.2)
    connection.execute("CREATE TABLE many (id INTEGER PRIMARY KEY)")
    numbers = "WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 3000000) SELECT i FROM k"
    connection.execute(f"INSERT INTO many {numbers}")
    assert "the query was stopped" in error(connection, "SELECT * FROM ask('flurb')")


def test_loading_twice_does_no_harm(scripted: Make) -> None:
    connection = scripted(PER_COUNTRY)
    assert rows(connection, "SELECT * FROM ask('q')") == ANSWER
    if isinstance(connection, Shell):
        assert connection.command(f".load {extension()}") == ""
    else:
        connection.execute("load")
    assert rows(connection, "SELECT * FROM ask('q')") == ANSWER
    assert completions(connection) == 1


@pytest.mark.parametrize(
    "name", ["main", "sqlite:x", "file:x?mode=memory", "~x", "back\\slash", "a'b\"c", "\x1b[31m\n"]
)
def test_files_databases_and_tables_of_any_name_are_asked(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("ASKWHERE_WORKER", str(worker(tmp_path)))
    monkeypatch.chdir(tmp_path)
    files, quoted = (f"{name}.db", f"{name}.other.db"), '"' + name.replace('"', '""') + '"'
    for file, table in zip(files, ("customers", "animals"), strict=True):
        with contextlib.closing(apsw.Connection(str(tmp_path / file))) as made:
            made.execute(
                f"CREATE TABLE {table} (name TEXT, {quoted} TEXT); INSERT INTO {table} VALUES ('Rome', 'Oslo')"
            )
            made.execute(f"CREATE TABLE {quoted} (name TEXT)")
    connection = host("python", tmp_path / files[0])
    connection.execute(f"ATTACH ? AS {quoted if name != 'main' else chr(34) * 2}", [str(tmp_path / files[1])])
    assert rows(connection, "SELECT * FROM ask('how many customers are there')") == [(1,)]
    assert rows(connection, "SELECT * FROM ask('how many animals are named Rome')") == [(1,)]
    rows(connection, "SELECT ask_index()")
    assert {column for _, column, *_ in rows(connection, "SELECT * FROM ask_values('Oslo')")} == {name}
    rows(connection, "SELECT ask_set('hide_columns', '*.name')")
    assert rows(connection, "SELECT * FROM ask_values('Rome')") == []
    connection.close()
    connection = host("python", tmp_path / files[0])
    rows(connection, "SELECT ask_set('isolation', 'process')")
    assert rows(connection, "SELECT * FROM ask('how many customers are there')") == [(1,)]
    connection.close()
    assert sorted(path.name for path in tmp_path.glob("*.db*")) == sorted(files)
