"""Hostile replies of a model about attached SQLite, PostgreSQL and MariaDB databases: none reads what it may not.

`make serving` and `make servers` install what these tests need.
"""

from __future__ import annotations

import pytest
from asker import Asker, Source

pytestmark = pytest.mark.slow

CANARY = "CANARY"
MADE = (
    "CREATE TABLE staff (id INTEGER, name VARCHAR(20), token VARCHAR(20))",
    "INSERT INTO staff VALUES (1, 'Di', 'CANARY-1')",
    "CREATE TABLE secret (s VARCHAR(20))",
    "INSERT INTO secret VALUES ('CANARY-2')",
    "CREATE TABLE askwhere_pins (question VARCHAR(20))",
    "INSERT INTO askwhere_pins VALUES ('CANARY-3')",
    "CREATE VIEW tokens AS SELECT id, token AS t FROM staff",
    "CREATE VIEW tokens_again AS SELECT t FROM tokens",
)
# Views of the user's own over what may not be read.
OWN = ("CREATE VIEW own AS SELECT t AS x FROM crm.tokens", "CREATE TABLE kept AS SELECT 1 AS a")
SETTINGS = {"hide_columns": "staff.token", "exclude_tables": "secret, kept"}
ATTACKS = {
    "a hidden column": "SELECT token FROM crm.staff",
    "a hidden column in a whole row": "SELECT (s)::VARCHAR FROM crm.staff s",
    "a hidden column by a star": "SELECT * FROM crm.staff",
    "a hidden column by its full path": "SELECT crm.staff.token FROM crm.staff",
    "a view of the source over a hidden column": "SELECT * FROM crm.tokens",
    "a view over that view": "SELECT * FROM crm.tokens_again",
    "a view of the user's over that view": "SELECT * FROM own",
    "an excluded table": "SELECT * FROM crm.secret",
    "an excluded table, written otherwise": 'SELECT s FROM CRM."SECRET"',
    "an excluded table beside the source": "SELECT * FROM memory.main.kept",
    "an excluded table by a function": "SELECT * FROM query_table('crm.secret')",
    "an excluded table by SQL in a text": "SELECT * FROM query('SELECT s FROM crm.secret')",
    "an excluded table in a subquery": "SELECT (SELECT max(s) FROM crm.secret) FROM crm.client",
    "an excluded table, described": "SUMMARIZE crm.secret",
    "askwhere's own tables": "SELECT * FROM crm.askwhere_pins",
    "the source's own SQL, SQLite": "SELECT * FROM sqlite_query('crm', 'SELECT s FROM secret')",
    "the source's own SQL, PostgreSQL": "SELECT * FROM postgres_query('crm', 'SELECT s FROM secret')",
    "the source's own SQL, MySQL": "SELECT * FROM mysql_query('crm', 'SELECT s FROM secret')",
    "a command to the source": "CALL postgres_execute('crm', 'DROP TABLE client')",
    "a command to the source in a query": "SELECT * FROM mysql_execute('crm', 'DROP TABLE client')",
    "a table by its file": "SELECT * FROM sqlite_scan('shop.db', 'secret')",
    "a table by its server": "SELECT * FROM postgres_scan('host=127.0.0.1', 'public', 'secret')",
    "the source's passwords": "SELECT * FROM crm.pg_catalog.pg_authid",
    "the source's users": "SELECT * FROM crm.mysql.user",
    "the source's catalog": "SELECT * FROM crm.information_schema.tables",
    "SQLite's catalog": "SELECT * FROM crm.main.sqlite_master",
    "DuckDB's list of databases": "SELECT * FROM duckdb_databases()",
    "DuckDB's secrets": "SELECT * FROM duckdb_secrets()",
    "rows added": "INSERT INTO crm.client VALUES (9, 'x', 'y')",
    "rows removed": "DELETE FROM crm.client",
    "a table dropped": "DROP TABLE crm.client",
    "a table made": "CREATE TABLE crm.more AS SELECT 1 AS a",
    "the source detached": "DETACH crm",
    "the source attached to be written": "ATTACH 'shop.db' AS again (TYPE sqlite)",
    "another database made the current one": "USE crm",
    "a second statement": "SELECT 1; DROP TABLE crm.client",
}
IN_SQL = ("a hidden column", "a view of the source over a hidden column", "an excluded table", "a second statement")
HONEST = {
    "SELECT name FROM crm.client ORDER BY id": [["Ann"], ["Bo"]],
    "SELECT id, name FROM staff": [[1, "Di"]],
    "SELECT crm.client.name FROM crm.client JOIN crm.deal ON bought_by = id WHERE amount > 15": [["Ann"]],
}
STATE = (
    "SELECT * FROM crm.client ORDER BY ALL",
    "SELECT * FROM crm.deal ORDER BY ALL",
    "SELECT database_name, type, readonly FROM duckdb_databases() ORDER BY ALL",
    "SELECT table_name, sql FROM duckdb_tables() WHERE database_name IN ('crm', 'memory') ORDER BY ALL",
    "SELECT current_database()",
)


def prepare(asker: Asker, source: Source) -> None:
    """Make what must not be read in a source, and views of the user's over it."""
    source.run(*MADE)
    if not source.address.startswith("sqlite"):  # DuckDB does not list such columns of SQLite's
        source.run(
            "CREATE TABLE copied (id INTEGER, token VARCHAR(20), "
            "twice VARCHAR(40) GENERATED ALWAYS AS (upper(token)) STORED)"
        )
        source.run("INSERT INTO copied (id, token) VALUES (1, 'canary-4')")
    for extension in ("pg_clear_cache", "mysql_clear_cache"):
        assert asker.run(f"CALL {extension}()") == []
    for statement in OWN:
        assert not isinstance(said := asker.run(statement), str) or "Table with name tokens" in said, said


def test_a_model_reads_of_a_source_only_what_it_may(asker: Asker, source: Source) -> None:
    prepare(asker, source)
    before = [asker.run(sql) for sql in STATE]
    for title, sql in ATTACKS.items():
        in_sql = ["SELECT * FROM ask('any question')"] if title in IN_SQL else []
        for found in (asker.replied(sql, **SETTINGS), *map(asker.run, in_sql)):
            assert CANARY not in str(found).replace(sql, ""), title
            allowed = title.startswith("a hidden column in a whole row") or title == "a hidden column by a star"
            assert allowed or isinstance(found, str), (title, found)
    assert [asker.run(sql) for sql in STATE] == before
    for sql, rows in HONEST.items():
        assert asker.replied(sql, **SETTINGS) == rows


def test_a_column_that_a_server_computes_from_a_hidden_one_is_hidden(asker: Asker, source: Source) -> None:
    prepare(asker, source)
    found = asker.replied("SELECT twice FROM crm.copied", hide_columns="*.token")
    assert isinstance(found, str)
    assert "copied" in found
    assert CANARY not in found


INDEXED = (
    "CREATE VIRTUAL TABLE found USING fts5(name, token, content='staff', content_rowid='id')",
    "INSERT INTO found(found) VALUES ('rebuild')",
    "CREATE VIRTUAL TABLE words USING fts5vocab('found', 'row')",
    "CREATE INDEX by_token ON staff(token)",
    "ANALYZE",
)


@pytest.mark.parametrize(
    "table", ["found", "found_data", "found_idx", "words", "sqlite_stat1", "sqlite_stat4", "tokens"]
)
def test_what_sqlite_keeps_of_a_hidden_column_is_not_read_in_duckdb(asker: Asker, source: Source, table: str) -> None:
    if not source.address.startswith("sqlite"):
        pytest.skip("only SQLite has such tables")
    prepare(asker, source)
    for statement in INDEXED:
        source.run(statement)
    found = asker.replied(f"SELECT * FROM crm.{table}", **SETTINGS)
    assert isinstance(found, str), found
    assert "may read" in found or "are not listed" in found


def test_only_the_tables_that_are_included_are_read(asker: Asker, source: Source) -> None:
    prepare(asker, source)
    settings = {"include_tables": "client"}
    assert asker.replied("SELECT name FROM crm.client ORDER BY id", **settings) == [["Ann"], ["Bo"]]
    for name in ("crm.deal", "crm.tokens", "own"):
        assert "which is not one of the tables it may read" in asker.replied(f"SELECT * FROM {name}", **settings)


def test_a_view_of_a_source_is_asked_until_it_reads_a_hidden_column(asker: Asker, source: Source) -> None:
    if source.address.startswith("sqlite"):
        pytest.skip("DuckDB lists views of SQLite without columns: none is asked")
    prepare(asker, source)
    source.run("CREATE VIEW names AS SELECT id, name FROM staff")
    settings = {"hide_columns": "deal.amount"}
    assert asker.replied("SELECT name AS n FROM crm.names", **settings) == [["Di"]]
    source.run(
        "CREATE OR REPLACE VIEW names AS SELECT id, CAST(amount AS CHAR(20)) AS name FROM client, deal"
        if "postgres" not in source.address
        else "CREATE OR REPLACE VIEW names AS SELECT id, CAST(amount AS VARCHAR(20)) AS name FROM client, deal"
    )
    assert "which is not one of the tables it may read" in asker.replied("SELECT name AS m FROM crm.names", **settings)
