"""Attached PostgreSQL, MariaDB and SQLite databases: real ones, with the DuckDB that PyPI has extensions for.

`make serving` installs that DuckDB into build/serving, and `make servers` the servers, which the tests start.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
import subprocess
import time
from pathlib import Path

import duckdb
import pytest
from asker import SHOP, Asker, Source, executing
from servers import BIN, SECONDS, Gate, free_port, mariadb, postgres, running_mariadb, running_postgres

pytestmark = pytest.mark.slow

QUESTION = "total amount per country"
ANSWER = [["Canada", 30.0], ["Norway", 5.0]]


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    """A SQLite database of visits, of which there are none."""
    with contextlib.closing(sqlite3.connect(tmp_path / "visits.db", isolation_level=None)) as made:
        made.execute("CREATE TABLE visits (number INTEGER PRIMARY KEY, guest INTEGER)")
    return tmp_path / "visits.db"


def test_the_sources_keys_are_read(asker: Asker, source: Source) -> None:
    assert ["deal.bought_by", "client.id", "database"] in asker.run("SELECT * FROM ask_keys()")
    assert sorted(asker.run(f"SELECT * FROM ask('{QUESTION}')")) == ANSWER
    assert sorted(asker.run(f"?{QUESTION}")) == ANSWER


def test_new_tables_keys_and_rows_are_noticed(asker: Asker, source: Source) -> None:
    assert asker.run("?How many clients are there?") == [[2]]
    assert "could not place" in asker.run("?total tonnage per client")
    source.run(
        "CREATE TABLE gift (number INTEGER PRIMARY KEY, of_deal INTEGER, tonnage DOUBLE PRECISION,"
        " FOREIGN KEY (of_deal) REFERENCES deal (number))"
    )
    source.run("INSERT INTO gift VALUES (1, 3, 4.5)")
    source.run("INSERT INTO client VALUES (3, 'Cy', 'Peru')")
    assert asker.run("?total tonnage per client") == [["Bo", 4.5]]
    assert ["gift.of_deal", "deal.number", "database"] in asker.run("SELECT * FROM ask_keys()")
    assert asker.run("?How many clients are there?") == [[3]]


def test_keys_are_declared_between_databases(asker: Asker, source: Source) -> None:
    asker.run("CREATE TABLE visits (number INTEGER, guest INTEGER)")
    asker.run("INSERT INTO visits VALUES (1, 2), (2, 2)")
    assert "refers to" in asker.run("SELECT ask_key('visits.guest', 'client.id')")[0][0]
    assert asker.run("?How many visits does each country have?") == [["Norway", 2]]
    assert ["visits.guest", "client.id", "declared"] in asker.run("SELECT * FROM ask_keys()")


def test_keys_of_several_columns_and_of_other_schemas(asker: Asker, postgres_at: str) -> None:
    run = executing(asker, "postgres", postgres_at)
    run("DROP SCHEMA IF EXISTS sales CASCADE; CREATE SCHEMA sales")
    run("CREATE TABLE sales.lines (day INTEGER, no INTEGER, PRIMARY KEY (day, no))")
    run(
        "CREATE TABLE sales.claims (of_no INTEGER, of_day INTEGER,"
        " FOREIGN KEY (of_day, of_no) REFERENCES sales.lines (day, no))"
    )
    asker.run(f"ATTACH '{postgres_at}' AS crm (TYPE postgres, READ_ONLY)")
    assert ["claims(of_day, of_no)", "lines(day, no)", "database"] in asker.run("SELECT * FROM ask_keys()")
    run("DROP SCHEMA sales CASCADE")


def test_the_parts_of_a_table_are_one_table(asker: Asker, postgres_at: str) -> None:
    run = executing(asker, "postgres", postgres_at)
    run("CREATE SCHEMA IF NOT EXISTS logs; CREATE TABLE logs.events (id INTEGER, day DATE) PARTITION BY RANGE (day)")
    run("CREATE TABLE logs.events_old PARTITION OF logs.events FOR VALUES FROM ('2020-01-01') TO ('2021-01-01')")
    asker.run(f"ATTACH '{postgres_at}' AS crm (TYPE postgres, READ_ONLY)")
    schema = asker.run("SELECT ask_schema()")[0][0]
    assert "events (" in schema
    assert "events_old" not in schema
    run("DROP SCHEMA logs CASCADE")


def test_views_that_cannot_be_read_are_left_out_and_said(asker: Asker, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "north.db") as connection:
        for statement in SHOP:
            connection.execute(statement)
        connection.execute("CREATE VIEW [deals by client] AS SELECT [name] FROM [client]")
    connection.close()
    asker.run(f"ATTACH '{tmp_path / 'north.db'}' AS north (TYPE sqlite, READ_ONLY)")
    assert sorted(asker.run(f"SELECT * FROM ask('{QUESTION}')")) == ANSWER
    assert asker.run("SELECT ask_index()")[0][0].startswith("indexed ")
    assert [text for text in asker.run("said") if "views" in text] == [
        "no views are asked: an attached SQLite database has one that DuckDB cannot read, and it then lists none"
    ]


def test_columns_with_a_value_that_duckdb_cannot_read_are_left_out_and_said(asker: Asker, tmp_path: Path) -> None:
    bad = {
        "made": ("YEAR", 2006),
        "seen": ("DATE", "soon"),
        "at": ("TIMESTAMP", "soon"),
        "pages": ("INTEGER", "many"),
        "price": ("REAL", "dear"),
        "lent": ("BOOLEAN", "maybe"),
        "cover": ("TEXT", b"\xc3\x28"),
    }
    with contextlib.closing(sqlite3.connect(tmp_path / "books.db", isolation_level=None)) as made:
        columns = ", ".join(f"{name} {kind}" for name, (kind, _) in bad.items())
        made.execute(f"CREATE TABLE books (title TEXT, {columns}, note TEXT)")
        made.execute("INSERT INTO books (title, made) VALUES ('Emma', NULL)")
        values = [value for _, value in bad.values()]
        made.execute("INSERT INTO books VALUES ('Iliad', ?, ?, ?, ?, ?, ?, ?, CAST(x'c328' AS TEXT))", values)
        made.execute("CREATE TABLE shops (name TEXT, opened DATE)")
        made.execute("INSERT INTO shops VALUES ('Iliad Books', '2020-01-02')")
    assert asker.run(f"ATTACH '{tmp_path / 'books.db'}' AS crm (TYPE sqlite, READ_ONLY)") == []
    assert asker.run("?how many books are there") == [[2]]
    assert asker.run("?books called Iliad") == [["Iliad"]]
    assert asker.run("?name of shops opened in 2020") == [["Iliad Books"]]
    shown = asker.run("SELECT ask_schema()")[0][0]
    assert "title VARCHAR\n" in shown
    kinds = {"made": "VARCHAR", "pages": "BIGINT", "price": "DOUBLE", "cover": "VARCHAR", "note": "VARCHAR"}
    for name in (*bad, "note"):
        kind = kinds.get(name) or bad[name][0]
        assert f"-- crm.main.books.{name} is left out: it has a value that cannot be read as {kind}\n" in f"{shown}\n"
    assert "of 2 columns in " in asker.run("SELECT ask_index()")[0][0]
    with contextlib.closing(sqlite3.connect(tmp_path / "books.db", isolation_level=None)) as made:
        made.execute("DELETE FROM books WHERE title = 'Iliad'")
    assert "made VARCHAR" in asker.run("SELECT ask_schema()")[0][0]


def test_a_view_of_sqlites_that_fails_breaks_nothing_else(asker: Asker, visits: Path) -> None:
    with contextlib.closing(sqlite3.connect(visits, isolation_level=None)) as made:
        made.execute("CREATE TABLE gone (a TEXT)")
        made.execute("CREATE VIEW failing AS SELECT a FROM gone")
        made.execute("DROP TABLE gone")
    assert asker.run(f"ATTACH '{visits}' AS own (TYPE sqlite, READ_ONLY)") == []
    assert asker.run("?how many visits are there") == [[0]]
    assert "no views are asked" in asker.run("SELECT ask_schema()")[0][0]


@pytest.mark.parametrize("isolation", ["", "process"])
def test_a_sqlite_file_with_a_view_that_cannot_be_read_is_asked_with_each_kind(
    source: Source, visits: Path, isolation: str
) -> None:
    with contextlib.closing(sqlite3.connect(visits, isolation_level=None)) as connection:
        connection.execute("CREATE VIEW [all visits] AS SELECT [number] FROM [visits]")
    asker = Asker(path=str(visits), attach={"crm": source.address}, isolation=isolation)
    assert sorted(asker.run(f"SELECT * FROM ask('{QUESTION}')")) == ANSWER
    assert asker.run("?How many visits are there?") == [[0]]
    asker.close()


@pytest.mark.parametrize(
    ("source", "name"), [("sqlite", "main"), ("sqlite", "memory"), ("mysql", "crm")], indirect=["source"]
)
def test_a_sqlite_file_may_have_a_name_that_is_taken(source: Source, visits: Path, name: str) -> None:
    asker = Asker(path=str(visits.rename(visits.with_stem(name))), attach={"CRM": source.address})
    assert asker.run("?How many visits are there?") == [[0]]
    assert sorted(asker.run(f"?{QUESTION}")) == ANSWER
    asker.close()


def test_names_are_as_short_as_they_can_be_and_run(asker: Asker, source: Source) -> None:
    assert asker.run("SELECT ask_sql('How many clients are there?')") == [["SELECT COUNT(*) AS count FROM crm.client"]]
    assert asker.run("SELECT COUNT(*) AS count FROM crm.client") == [[2]]
    assert "CREATE TABLE client (" in asker.run("SELECT ask_schema()")[0][0]
    asker.run("CREATE TABLE client (id INTEGER PRIMARY KEY, name VARCHAR, hobby VARCHAR)")
    asker.run("INSERT INTO client VALUES (7, 'Di', 'chess')")
    schema = asker.run("SELECT ask_schema()")[0][0]
    assert schema.count("client (") - schema.count("client (id)") == 2
    assert "CREATE TABLE client (" not in schema
    sql = asker.run("SELECT ask_sql('hobby of Di')")[0][0]
    assert asker.run(sql) == [["chess"]]
    names = {row[0] for row in asker.run("SELECT table_name FROM ask_values('Ann and Di')")}
    assert len(names) == 2
    assert all(name.endswith(".client") for name in names)
    assert sorted(asker.run(f"?{QUESTION}")) == ANSWER


def test_a_server_names_tables_without_their_schema(asker: Asker, source: Source) -> None:
    for name in ("client", "crm.client", "CRM.Client"):
        assert asker.run(f"SELECT ask_pin('all', 'SELECT count(*) AS n FROM {name}')") != []
        assert asker.run("SELECT * FROM ask('all')") == [[2]]


def test_an_attached_database_may_be_the_current_one(asker: Asker, source: Source) -> None:
    assert asker.run("USE crm") == []
    assert sorted(asker.run(f"?{QUESTION}")) == ANSWER


@pytest.mark.parametrize("isolation", ["", "process"])
def test_the_command_line_attaches_each_kind(source: Source, isolation: str) -> None:
    words = [
        "ask",
        ":memory:",
        "--attach",
        f"crm={source.address}",
        "--csv",
        "--quiet",
        "--set",
        f"isolation={isolation}",
        QUESTION,
    ]
    ran = subprocess.run([BIN / "askwhere", *words], capture_output=True, text=True, check=False)
    assert (sorted(ran.stdout.splitlines()[1:]), ran.stderr) == (["Canada,30.0", "Norway,5.0"], "")


def test_a_file_of_a_newer_duckdb_is_refused_with_what_to_do(visits: Path, tmp_path: Path) -> None:
    newer = tmp_path / "newer.duckdb"
    duckdb.connect(str(newer), config={"storage_compatibility_version": "latest"}).close()
    for options in (["--attach", f"crm={newer}"], ["--attach", f"crm={visits}", "--keep", newer]):
        command = [BIN / "askwhere", "ask", ":memory:", *options, "How many visits are there?"]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
        assert (
            "was written by a newer version of DuckDB than the 1.5.5 here, which cannot read it; install that" in said
        )
        assert "storage page" not in said


def test_a_sqlite_file_with_something_attached_is_opened_in_duckdb(source: Source, tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "visits.db", isolation_level=None)) as made:
        made.execute("CREATE TABLE visits (number INTEGER PRIMARY KEY, guest INTEGER)")
        made.execute("INSERT INTO visits VALUES (1, 2), (2, 2)")
    asker = Asker(path=str(tmp_path / "visits.db"), attach={"crm": source.address}, keep=str(tmp_path / "kept.duckdb"))
    assert asker.run("SELECT count(*) FROM visits") == [[2]]
    assert asker.run("SELECT * FROM ask('How many visits are there?')") == [[2]]
    assert "refers to" in asker.run("SELECT ask_key('visits.guest', 'client.id')")[0][0]
    assert asker.run("?How many visits does each country have?") == [["Norway", 2]]
    assert "attached in read-only mode" in asker.run("DELETE FROM crm.deal")
    asker.close()
    asker = Asker(path=str(tmp_path / "visits.db"), attach={"crm": source.address}, keep=str(tmp_path / "kept.duckdb"))
    assert ["visits.guest", "client.id", "declared"] in asker.run("SELECT * FROM ask_keys()")
    asker.close()


def test_a_password_is_shown_nowhere(postgres_at: str, tmp_path: Path) -> None:
    asker = Asker(path=":memory:", attach={"crm": f"postgres:{postgres_at} password='ge heim'"})
    shown = [
        asker.run(sql)
        for sql in (
            "FROM duckdb_databases()",
            "FROM duckdb_secrets()",
            "SELECT ask_index()",
            "?total of nothing",
            "FROM ask_trace('total of nothing')",
            "FROM ask_log()",
            "FROM ask_settings()",
            "SELECT * FROM postgres_query('crm', 'SELECT nothing')",
            "said",
        )
    ]
    asker.close()
    assert "crm" in str(shown[0])
    assert "heim" not in str(shown)


def test_a_secret_of_the_same_name_is_used(postgres_at: str, tmp_path: Path) -> None:
    pairs = dict(pair.split("=") for pair in postgres_at.split())
    options = f"HOST '{pairs['host']}', PORT {pairs['port']}, USER 'asker', DATABASE 'postgres', PASSWORD 'ge heim'"
    (tmp_path / "first.sql").write_text(f"CREATE SECRET crm (TYPE postgres, {options});")
    made = {"path": ":memory:", "attach": {"crm": "postgres:"}, "init": str(tmp_path / "first.sql")}
    for isolation in ({}, {"isolation": "process"}):
        asker = Asker(**made, **isolation)
        assert asker.run("SELECT count(*) > 0 FROM postgres_query('crm', 'SELECT 1')") == [[True]]
        assert asker.run("?How many widgets?") != []
        assert "heim" not in str([asker.run("FROM duckdb_databases()"), asker.run("said")])
        asker.close()


def test_a_server_that_cannot_be_reached_is_left_out_until_it_can(tmp_path: Path) -> None:
    if not postgres():
        pytest.skip("needs PostgreSQL; `make servers` installs it")
    with contextlib.closing(sqlite3.connect(tmp_path / "visits.db", isolation_level=None)) as made:
        made.execute("CREATE TABLE visits (number INTEGER PRIMARY KEY, guest INTEGER)")
    port = free_port()
    at = f"postgres:host=127.0.0.1 port={port} user=asker dbname=postgres password=geheim"
    asker = Asker(path=str(tmp_path / "visits.db"), attach={"crm": at})
    question, tables = "SELECT * FROM ask('How many visits are there?')", "SELECT count(*) FROM duckdb_databases()"
    for _ in range(2):
        assert asker.run(question) == [[0]]
    with running_postgres(tmp_path / "first", port):
        assert asker.run(question) == [[0]]
        assert asker.run(tables) == [[5]]
    for _ in range(2):
        assert asker.run(question) == [[0]]
    assert asker.run(tables) == [[4]]
    said = asker.run("said")
    assert [text.partition(":")[0] for text in said] == [
        "crm is left out, as it cannot be reached",
        "crm can be reached again",
        "crm is left out, as it cannot be reached",
    ]
    assert "Connection refused" in said[0]
    assert "geheim" not in str(said)
    asker.close()


@pytest.mark.parametrize("kind", ["postgres", "mysql"])
def test_a_server_that_takes_connections_and_says_nothing_is_left_out(kind: str, visits: Path) -> None:
    with Gate(free_port()) as gate:
        gate.shut()
        address = f"{kind}://asker@127.0.0.1:{gate.port}/shop"
        asker = Asker(0.2, path=str(visits), attach={"crm": address})
        for _ in range(3):
            assert asker.run("SELECT * FROM ask('How many visits are there?')") == [[0]]
            assert asker.run("?How many visits are there?") == [[0]]
        assert asker.run("said") == ["crm is left out, as it cannot be reached: no answer within 0.2 seconds"]
        asker.close()


@pytest.mark.parametrize("kind", ["postgres", "mysql"])
def test_a_server_that_hangs_is_left_out_until_it_answers(
    kind: str, visits: Path, asker: Asker, request: pytest.FixtureRequest
) -> None:
    at = request.getfixturevalue("postgres_at" if kind == "postgres" else "mariadb_at")
    own = dict(pair.split("=") for pair in at.split())
    database = own.get("dbname") or "hanging"
    if kind == "mysql":
        executing(asker, kind, at)("CREATE OR REPLACE DATABASE hanging")
        at = at.replace("database=mysql", "database=hanging")
    executing(asker, kind, at)("CREATE TABLE parcel (id INTEGER PRIMARY KEY)")
    with Gate(int(own["port"])) as gate:
        found = Asker(path=str(visits), attach={"crm": f"{kind}://{own['user']}@127.0.0.1:{gate.port}/{database}"})
        assert found.run("?How many parcels are there?") == [[0]]
        gate.shut()
        found.run("!0.2")
        assert found.run("SELECT * FROM ask('How many visits are there?')") == [[0]]
        assert found.run("?How many visits are there?") == [[0]]
        gate.open()
        found.run("!600")
        until = time.monotonic() + SECONDS
        while (said := found.run("?How many parcels are there?")) != [[0]]:
            assert time.monotonic() < until, said
        assert found.run("said") == [
            "crm is left out, as it cannot be reached: no answer within 0.2 seconds",
            "crm can be reached again",
        ]
        found.close()
    executing(asker, kind, at)("DROP TABLE parcel")


def ask_all(address: str) -> None:
    """Ask a shop that is attached, index it, declare a key of it, and pin a question about it."""
    asker = Asker(path=":memory:", attach={"crm": address})
    assert sorted(asker.run(f"?{QUESTION}")) == ANSWER
    assert asker.run("SELECT ask_index()")[0][0].startswith("indexed ")
    assert "refers to" in asker.run("SELECT ask_key('deal.bought_by', 'client.id')")[0][0]
    assert asker.run(f"SELECT ask_pin('{QUESTION}')") != []
    asker.close()


def test_nothing_is_written_to_a_server_that_is_attached(tmp_path: Path) -> None:
    if not postgres():
        pytest.skip("needs PostgreSQL; `make servers` installs it")
    with running_postgres(tmp_path / "server", free_port()) as port:
        at = f"host=127.0.0.1 port={port} user=asker dbname=postgres"
        maker = Asker(path=":memory:", init=_written(tmp_path / "make.sql", f"ATTACH '{at}' AS crm (TYPE postgres)"))
        for statement in SHOP:
            maker.run("CALL postgres_execute('crm', '" + statement.replace("'", "''") + "')")
        maker.close()
        before = len((tmp_path / "server" / "log").read_text())
        ask_all(f"postgres:{at}")
        log = (tmp_path / "server" / "log").read_text()
        assert "INSERT INTO client" in log[:before]  # the server logs what changes something
        assert "statement:" not in log[before:]


# How the statements begin that MariaDB gets: those of its client, and those of DuckDB, which reads in transactions.
READING = "SELECT|SHOW|SET|START TRANSACTION READ ONLY|COMMIT|ROLLBACK"


def test_mariadb_gets_only_statements_that_read(asker: Asker, tmp_path: Path) -> None:
    if not mariadb():
        pytest.skip("needs MariaDB; `make servers` installs it")
    with running_mariadb(tmp_path / "server") as port:
        at = f"host=127.0.0.1 port={port} user=root database=mysql"
        executing(asker, "mysql", at)("CREATE DATABASE shop")
        for statement in SHOP:
            executing(asker, "mysql", at.replace("database=mysql", "database=shop"))(statement)
        log = tmp_path / "server" / "statements"
        before = log.stat().st_size
        assert b"INSERT INTO client" in log.read_bytes()
        ask_all(f"mariadb:{at.replace('database=mysql', 'database=shop')}")
        asked = re.findall(r"\d (?:Query|Execute|Prepare)\t\s*(.*)", log.read_bytes()[before:].decode())
        assert len(asked) > 10
        assert [sql for sql in asked if not re.match(rf"({READING})\b", sql, re.IGNORECASE)] == []


def test_an_attached_sqlite_file_stays_as_it_is(visits: Path) -> None:
    with contextlib.closing(sqlite3.connect(visits, isolation_level=None)) as made:
        for statement in SHOP:
            made.execute(statement)
    before = (visits.read_bytes(), visits.stat().st_mtime_ns, sorted(visits.parent.iterdir()))
    ask_all(str(visits))
    assert (visits.read_bytes(), visits.stat().st_mtime_ns, sorted(visits.parent.iterdir())) == before


def _written(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


# Two texts of a query, or a value that is compared, a part of which MariaDB would run: a secret, or an error.
HOSTILE = {
    "as texts": ("a <> chr(92) AND a <> ') UNION SELECT s FROM secret -- '", [["x"], ["y\\z"]]),
    "as a value": ("a = (SELECT max(k) FROM memory.main.texts)", []),
}
ONE = "SELECT a FROM crm.shop.t WHERE a = 'y\\z'"


@pytest.mark.parametrize("reached", HOSTILE)
def test_no_text_becomes_sql_of_mariadb(asker: Asker, mariadb_at: str, reached: str) -> None:
    run = executing(asker, "mysql", mariadb_at)
    for statement in (
        "DROP DATABASE IF EXISTS shop",
        "CREATE DATABASE shop",
        "CREATE TABLE shop.t (a VARCHAR(90))",
        "INSERT INTO shop.t VALUES ('x'), (CONCAT('y', CHAR(92), 'z'))",
        "CREATE TABLE shop.secret (s VARCHAR(20))",
        "INSERT INTO shop.secret VALUES ('CANARY')",
    ):
        run(statement)
    asker.run(f"ATTACH '{mariadb_at.replace('database=mysql', 'database=shop')}' AS crm (TYPE mysql, READ_ONLY)")
    asker.run("SELECT ask_set('exclude_tables', '*.secret')")
    asker.run("CREATE TABLE texts AS SELECT chr(92) || chr(39) || ' UNION SELECT s FROM there_is_none -- ' AS k")
    where, expected = HOSTILE[reached]
    for sql, question in ((f"SELECT a FROM crm.shop.t WHERE {where}", "all of it"), (ONE, "one")):
        assert "pinned" in str(asker.run(f"SELECT ask_pin('{question}', $q${sql}$q$)"))
    for asked in ("SELECT * FROM ask('all of it')", "?all of it"):
        assert sorted(asker.run(asked)) == expected
    assert asker.run("SELECT * FROM ask('one')") == [["y\\z"]]
    asker.run("SET GLOBAL mysql_experimental_filter_pushdown = true")
    for asked in ("?how many t are there", f"SELECT ask_pin('other', $q${ONE}$q$)"):
        assert "run SET GLOBAL mysql_experimental_filter_pushdown = false first" in asker.run(asked)
    # A view over it would run them as well, however it reads the table, and so would a macro that may be called.
    asker.run("CREATE VIEW seen AS SELECT a FROM crm.shop.t")
    asker.run('CREATE VIEW "seen ""twice""" AS FROM seen')
    asker.run("CREATE MACRO first_of(b) AS (SELECT min(a) FROM crm.shop.t WHERE a <> chr(92) AND a <> b)")
    asker.run("SELECT ask_set('allow_functions', 'first_of')")
    for hostile in (
        f"SELECT a FROM memory.main.seen WHERE {where}",
        f'SELECT a FROM "seen ""twice""" WHERE {where}',
        "SELECT first_of(k) AS a FROM texts",
    ):
        said = asker.run(f"SELECT ask_pin('other', $q${hostile}$q$)")
        assert "run SET GLOBAL mysql_experimental_filter_pushdown = false first" in said
    asker.run("SELECT ask_set('allow_functions', '')")
    assert "pinned" in str(asker.run("SELECT ask_pin('own', 'SELECT k AS seen FROM memory.main.texts')"))


def test_postgres_that_reads_escapes_in_texts_is_not_asked(asker: Asker, postgres_at: str) -> None:
    run = executing(asker, "postgres", postgres_at)
    run("DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x')")
    database = "postgres"
    run(f"ALTER DATABASE {database} SET standard_conforming_strings = off")
    try:
        asker.run(f"ATTACH '{postgres_at}' AS crm (TYPE postgres, READ_ONLY)")
        for asked in ("SELECT * FROM ask('how many t are there')", "?how many t are there"):
            assert "crm is not asked: its server may read a text of a query as SQL; set standard" in asker.run(asked)
    finally:
        run(f"ALTER DATABASE {database} RESET standard_conforming_strings")
    asker.run("DETACH crm")
