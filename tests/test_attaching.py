"""What `attach` of `askwhere.connect` and `--attach` of the command line take: files, and addresses of servers."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.bindings import engine_errors
from askwhere.bindings.cli import main as cli
from askwhere.bindings.duckdb import addresses, attaching
from askwhere.errors import ArgumentError, DatabaseError
from askwhere.indexer import comments


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A database of orders."""
    with contextlib.closing(duckdb.connect(str(tmp_path / "shop.duckdb"))) as made:
        made.execute("CREATE TABLE orders (number INTEGER PRIMARY KEY, client_id INTEGER, amount DOUBLE)")
        made.execute("INSERT INTO orders VALUES (1, 1, 10), (2, 1, 20), (3, 2, 5)")
    return tmp_path / "shop.duckdb"


@pytest.fixture
def crm(tmp_path: Path) -> Path:
    """A database of clients."""
    with contextlib.closing(duckdb.connect(str(tmp_path / "crm.duckdb"))) as made:
        made.execute("CREATE TABLE client (id INTEGER PRIMARY KEY, name VARCHAR, country VARCHAR)")
        made.execute("INSERT INTO client VALUES (1, 'Ann', 'Canada'), (2, 'Bo', 'Norway')")
    return tmp_path / "crm.duckdb"


def test_an_attached_file_is_asked_with_the_database(shop: Path, crm: Path) -> None:
    with contextlib.closing(askwhere.connect(shop, attach={"crm": str(crm)})) as connection:
        assert connection.execute("SELECT * FROM ask('names of clients in Norway')").fetchall() == [("Bo",)]
        connection.execute("SELECT ask_key('orders.client_id', 'client.id')")
        found = connection.execute("SELECT * FROM ask('total amount per country')").fetchall()
        assert sorted(found) == [("Canada", 30.0), ("Norway", 5.0)]


@pytest.mark.parametrize("attach", [{"crm": None}, {1: "crm.db"}, ["crm"], "crm"])
def test_what_names_no_addresses_is_not_attached(attach: Any) -> None:
    with pytest.raises(ArgumentError, match="attach: expected a mapping of names to addresses, both texts"):
        askwhere.connect(attach=attach)


def test_what_is_attached_can_only_be_read(shop: Path, crm: Path) -> None:
    with contextlib.closing(askwhere.connect(shop, attach={"crm": str(crm)})) as connection:
        with pytest.raises(duckdb.Error, match="read-only"):
            connection.execute("DELETE FROM crm.client")
        connection.execute("DELETE FROM orders")


def test_the_command_line_attaches(shop: Path, crm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["ask", str(shop), "--attach", f"crm={crm}", "--csv", "names of clients in Norway"]) == 0
    assert capsys.readouterr().out == "name\nBo\n"
    assert cli.main(["shell", str(shop), "--attach", f"crm={crm}", "SELECT count(*) AS n FROM crm.client"]) == 0
    assert "2" in capsys.readouterr().out


def test_a_database_in_memory_asks_only_what_is_attached(crm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["ask", ":memory:", "--attach", f"crm={crm}", "--csv", "How many clients are there in crm?"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["2"]


def test_data_files_and_an_attached_database_are_asked_together(
    tmp_path: Path, crm: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "visits.csv").write_text("client_id,day\n1,2024-01-05\n")
    with contextlib.closing(askwhere.connect(tmp_path / "visits.csv", attach={"crm": str(crm)})) as connection:
        assert connection.execute("SELECT * FROM ask('How many visits are there?')").fetchall() == [(1,)]
        assert connection.execute("SELECT * FROM ask('names of clients in Canada')").fetchall() == [("Ann",)]
        with pytest.raises(duckdb.PermissionException):
            connection.execute(f"ATTACH '{tmp_path}/other.duckdb' AS other")


def test_statements_of_a_file_are_run_first(shop: Path, crm: Path, tmp_path: Path) -> None:
    (tmp_path / "first.sql").write_text(f"ATTACH '{crm}' AS crm; CREATE TEMP MACRO two() AS 2;")
    with contextlib.closing(askwhere.connect(shop, init=tmp_path / "first.sql")) as connection:
        assert connection.execute("SELECT two()").fetchall() == [(2,)]
        connection.execute("DELETE FROM crm.client WHERE id = 2")  # attached so that it can be written
        assert connection.execute("SELECT * FROM ask('How many clients are there?')").fetchall() == [(1,)]


def test_a_wrong_file_of_statements_is_an_error_without_passwords(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "first.sql").write_text("ATTACH 'host=db password=geheim' AS crm (TYPE nothing)")
    with pytest.raises(DatabaseError, match=r"--init: .*nothing") as caught:
        askwhere.connect(shop, init=tmp_path / "first.sql")
    assert "geheim" not in str(caught.value)
    with pytest.raises(DatabaseError, match=r"--init: .*none\.sql cannot be read: .*No such file"):
        askwhere.connect(shop, init=tmp_path / "none.sql")


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        ("TYPE s3, SECRET = 'geheim'", 'syntax error at or near "=", in line 2'),
        ("TYPE s3, SECRET 'geheim', NOTHING AT 'db'", "AT.*, in line 2"),
        ("TYPE s3, KEY_ID 'one', SECRET 'geheim', URL STYLE 'path'", "STYLE does not exist.*, in line 2"),
        ("TYPE s3, 'geheim'", "syntax error, in line 2"),
        ("TYPE s3, KEY_ID ge geheim", "in line 2"),
        ("TYPE s3, SECRET 'geheim", "unterminated .*, in line 2"),
        ("TYPE http, BEARER_TOKEN 'geheim'::INT", "Could not convert string … to INT32"),
        ("TYPE http, BEARER_TOKEN 'it''s geheim'::INT", "Could not convert string … to INT32"),
        ("TYPE http, BEARER_TOKEN $a$geheim$a$::DATE", "invalid date field format: …"),
        ("TYPE http, PROVIDER 'Geheim'", 'Secret provider … not found for type "http"'),
    ],
)
def test_an_error_in_a_file_of_statements_names_the_line_and_repeats_none_of_it(
    shop: Path, tmp_path: Path, secret: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "first.sql").write_text(f"SELECT 1;\nCREATE SECRET crm ({secret});\n")
    assert cli.main(["ask", str(shop), "--init", str(tmp_path / "first.sql"), "how many orders"]) == 1
    found = "".join(capsys.readouterr())
    assert re.search(f"--init: .*{said}", found), found
    assert "geheim" not in found


@pytest.mark.parametrize(
    ("address", "kind", "conninfo", "password"),
    [
        (
            "postgres:host=db dbname=crm password='s 3\\'x' user=ann",
            "postgres",
            "host=db dbname=crm user=ann connect_timeout=10",
            "s 3'x",
        ),
        (
            "postgresql://ann:s%203@db.example.com:5433/crm?sslmode=require&connect_timeout=3",
            "postgres",
            "host=db.example.com port=5433 user=ann dbname=crm sslmode=require connect_timeout=3",
            "s 3",
        ),
        ("postgres://db/crm?PASSWORD=s3", "postgres", "host=db dbname=crm connect_timeout=10", "s3"),
        ("mysql://ann@db/crm", "mysql", "host=db user=ann database=crm", ""),
        ('mariadb:host=db database="my crm" passwd=s3', "mysql", 'host=db database="my crm"', "s3"),
        ("postgres:", "postgres", "connect_timeout=10", ""),
    ],
)
def test_addresses_of_servers_are_read(
    address: str, kind: str, conninfo: str, password: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PGCONNECT_TIMEOUT", raising=False)
    found = addresses.parse("crm", address)
    assert (found.kind, found.address, found.password) == (kind, conninfo, password)
    assert not password or password not in repr(found)


@pytest.mark.parametrize("address", ["postgres:geheim", "postgres:host=db password='geheim", "mysql://db:geheim/crm"])
def test_a_wrong_address_is_an_error_that_shows_none_of_it(address: str) -> None:
    with pytest.raises(ArgumentError, match=r"attach crm: expected (postgres|mysql):host=… user=… ") as caught:
        addresses.parse("crm", address)
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    ("catalog", "address", "extensions"),
    [
        ("postgres:dbname=catalog", "postgres:dbname=catalog", {"ducklake", "postgres_scanner"}),
        ("/lakes/catalog.ducklake", "/lakes/catalog.ducklake", {"ducklake"}),
    ],
)
def test_addresses_of_lakes_are_read(catalog: str, address: str, extensions: set[str]) -> None:
    found = addresses.parse("lake", f"ducklake:{catalog}")
    assert (found.kind, found.address, found.extensions) == ("ducklake", address, extensions)


@pytest.mark.parametrize(
    "catalog",
    ["postgres:dbname=a password=geheim", "postgres://ann:geheim@db/a", "postgres:dbname=a sslpassword=geheim"],
)
def test_the_address_of_a_lake_holds_no_password(catalog: str) -> None:
    with pytest.raises(ArgumentError, match="the address of a lake cannot hold a password; set PGPASSWORD") as caught:
        addresses.parse("lake", f"ducklake:{catalog}")
    assert "geheim" not in str(caught.value)


def test_a_served_database_cannot_be_attached() -> None:
    with pytest.raises(ArgumentError, match="attach q: a database that another DuckDB serves cannot be attached, as"):
        addresses.parse("q", "quack:localhost:9494")


def test_a_file_of_statements_without_end_is_not_read(shop: Path) -> None:
    with pytest.raises(DatabaseError, match="/dev/zero has more than 1,000,000 bytes; expected a few statements"):
        askwhere.connect(shop, init="/dev/zero")


def test_an_error_does_not_repeat_a_long_argument(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["ask", str(shop), "how many", "--attach", f"old={'0' * 100_000}"]) == 1
    assert len(capsys.readouterr().err) < 30_000


def test_a_wrong_name_or_file_is_an_error(shop: Path, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="name for the database, which DuckDB does not use, found 'temp'"):
        askwhere.connect(shop, attach={"temp": str(shop)})
    with pytest.raises(DatabaseError, match=r"there is no file .*none\.db"):
        askwhere.connect(shop, attach={"crm": str(tmp_path / "none.db")})


def test_the_command_line_refuses_a_password(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    uris = ("postgres://ann:geheim@db/crm", "postgres://db/crm?sslpassword=geheim", "postgres://db/?p%61ssword=geheim")
    for address in ("postgres:host=db password=geheim", *uris):
        assert cli.main(["ask", str(shop), "--attach", f"crm={address}", "How many orders?"]) == 1
        said = capsys.readouterr().err
        assert "--attach crm: other users of this machine see a password on the command line" in said
        assert "geheim" not in said
    assert cli.main(["ask", str(shop), "--attach", "postgres:password=geheim", "How many orders?"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("askwhere: --attach: expected NAME=ADDRESS, such as crm=postgres:host=db.example.com")
    assert said.endswith("found postgres…\n")


def test_an_index_goes_into_the_duckdb_file_or_where_keep_says(
    shop: Path, crm: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["index", str(shop), "--attach", f"crm={crm}"]) == 0
    assert "indexed " in capsys.readouterr().out
    assert cli.main(["index", ":memory:", "--attach", f"crm={crm}"]) == 1
    assert "cannot store this: add --keep FILE, a DuckDB file" in capsys.readouterr().err
    kept = tmp_path / "kept.duckdb"
    assert cli.main(["index", ":memory:", "--attach", f"crm={crm}", "--keep", str(kept)]) == 0
    with contextlib.closing(duckdb.connect(str(kept))) as connection:
        assert ("askwhere_index",) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('Postgres at "host=db password=geheim": no', 'Postgres at "host=db password=…": no'),
        ("host=db passwd='ge heim geheim' port=3", "host=db passwd=… port=3"),
        ("password=ge,he;im'geheim\"geheim user=x", "password=… user=x"),
        ("sslpassword=geheim oauth_client_secret=geheim user=x", "sslpassword=… oauth_client_secret=… user=x"),
        ("scram_client_key=geheim, scram_server_key=geheim.", "scram_client_key=…, scram_server_key=…."),
        ("CREATE SECRET (TYPE s3, SECRET 'ge''heim', SCOPE 'x')", "CREATE SECRET (TYPE s3, SECRET …, SCOPE 'x')"),
        ("to postgres://a:geheim@b/c and b", "to postgres://a:…@b/c and b"),
        ("postgres://a@corp:ge@he/im@db/crm", "postgres://a@corp:…@db/crm"),
        ("postgres://db/crm?sslpassword=geheim&sslmode=require", "postgres://db/crm?sslpassword=…"),
        ("https://h/x.parquet?X-Amz-Signature=geheim: 403", "https://h/x.parquet?X-Amz-Signature=…: 403"),
        ("az://x?sv=1&sig=geheim", "az://x?sv=1&sig=…"),
        ("AccountName=x;AccountKey=geheim==", "AccountName=x;AccountKey=…"),
        ("md:x?motherduck_token=geheim", "md:x?motherduck_token=…"),
        ('column "token" must appear in design=4', 'column "token" must appear in design=4'),
    ],
)
def test_errors_show_no_secret_of_an_address(text: str, shown: str) -> None:
    assert engine_errors.hidden(text) == shown


@pytest.mark.parametrize("part", ["a-", "a://b:", "x@", "password", "token='", 'sig="\\', "token-", "a.", " ", ";"])
def test_secrets_are_looked_for_in_a_time_that_grows_with_the_text(part: str) -> None:
    begun = time.process_time()
    engine_errors.hidden(f"password={part * 50_000}")
    engine_errors.hidden(part * 50_000)
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("name", ["sslpassword", "oauth_client_secret", "scram_client_key", "SSLPassword"])
@pytest.mark.parametrize("address", ["postgres:host=db {}=geheim", "postgres://db/crm?{}=geheim"])
def test_a_secret_that_duckdb_would_show_is_refused_in_an_address(name: str, address: str) -> None:
    with pytest.raises(ArgumentError, match=f"DuckDB would show {name.lower()} in its list of databases") as caught:
        addresses.parse("crm", address.format(name))
    assert "geheim" not in str(caught.value)


@pytest.mark.slow
def test_another_process_has_the_same_databases_and_files(shop: Path, crm: Path, tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text("client_id,day\n1,2024-01-05\n")
    for path in (shop, ":memory:", tmp_path / "visits.csv"):
        chosen = {"isolation": "process", "read_only": True}
        with contextlib.closing(askwhere.connect(path, attach={"crm": str(crm)}, **chosen)) as connection:
            assert askwhere.ask(connection, "names of clients in Norway").rows == (("Bo",),)
            if path == tmp_path / "visits.csv":
                assert connection.execute("SELECT * FROM ask('How many visits are there?')").fetchall() == [(1,)]


@contextlib.contextmanager
def attached_two(tmp_path: Path) -> Iterator[Any]:
    """Two databases with a table of the same name, and one table that only one of them has."""
    for name, countries in (("crm", ("Canada", "Norway")), ("old", ("Peru",))):
        with contextlib.closing(duckdb.connect(str(tmp_path / f"{name}.duckdb"))) as made:
            made.execute("CREATE TABLE client (id INTEGER PRIMARY KEY, name VARCHAR, country VARCHAR)")
            for number, country in enumerate(countries):
                made.execute("INSERT INTO client VALUES (?, ?, ?)", [number, f"{name}{number}", country])
            if name == "crm":
                made.execute("CREATE TABLE visit (id INTEGER, client_id INTEGER)")
    attach = {name: str(tmp_path / f"{name}.duckdb") for name in ("crm", "old")}
    with contextlib.closing(askwhere.connect(":memory:", attach=attach)) as connection:
        yield connection


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Any]:
    with attached_two(tmp_path) as connection:
        yield connection


@pytest.fixture(scope="module")
def unchanged_two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with attached_two(tmp_path_factory.mktemp("two")) as connection:
        yield connection


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many clients are there in crm?", [(2,)]),
        ("How many clients are there in the old database?", [(1,)]),
        ("number of crm clients", [(2,)]),
        ("names of clients in Norway in crm", [("crm1",)]),
        ("names of old's clients", [("old0",)]),
        ("How many visits are there?", [(0,)]),
    ],
)
def test_a_databases_name_says_whose_tables_are_meant(unchanged_two: Any, question: str, rows: list[Any]) -> None:
    assert list(askwhere.ask(unchanged_two, question).rows) == rows


def test_tables_of_one_name_in_two_databases_are_two_readings(unchanged_two: Any) -> None:
    with pytest.raises(askwhere.Ambiguous) as caught:
        askwhere.ask(unchanged_two, "How many clients are there?")
    assert "crm.client" in str(caught.value)
    assert "old.client" in str(caught.value)
    with pytest.raises(askwhere.Unread, match="visits"):
        askwhere.ask(unchanged_two, "How many visits are there in old?")


def test_tables_are_shown_by_the_shortest_name_that_no_other_has(unchanged_two: Any) -> None:
    connection = unchanged_two
    names = {row[0] for row in connection.execute("SELECT table_name FROM ask_values('Ann and Bo')").fetchall()}
    assert all(name.count(".") == 1 for name in names), names
    schema = connection.execute("SELECT ask_schema()").fetchone()[0]
    assert ".main." not in schema


def test_a_databases_name_that_is_a_value_or_a_column_is_that(two: Any) -> None:
    two.execute("CREATE TABLE ticket (id INTEGER, topic VARCHAR, old BOOLEAN)")
    two.execute("INSERT INTO ticket VALUES (1, 'crm', true), (2, 'billing', false)")
    assert "topic" in askwhere.ask(two, "number of tickets about crm").sql


def test_synonyms_and_keys_name_tables_by_full_paths(two: Any) -> None:
    two.execute(comments.create())
    rows = "('crm.client', NULL, NULL, 'patron'), ('old.main.client', NULL, NULL, 'member')"
    two.execute(f"INSERT INTO {comments.TABLE} (table_name, column_name, comment, synonyms) VALUES {rows}")
    assert askwhere.ask(two, "How many patrons are there?").rows == ((2,),)
    assert askwhere.ask(two, "How many members are there?").rows == ((1,),)
    assert two.execute("SELECT ask_key('crm.visit.client_id', 'crm.client.id')").fetchall() == [
        ("visit.client_id refers to crm.client.id",)
    ]


def test_a_server_that_has_answered_is_asked_again_at_once() -> None:
    found, server = attaching.Attachments(), addresses.parse("crm", "postgres:host=db")
    with duckdb.connect() as connection:
        assert {found._in_time(connection, server, lambda own: "") for _ in range(50)} == {""}


def test_a_server_for_which_a_thread_waits_is_not_asked_by_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    found, server = attaching.Attachments(), addresses.parse("crm", "postgres:host=db")
    answer, asked = threading.Event(), list[int]()

    def work(own: Any) -> str:
        asked.append(1)
        answer.wait()
        return ""

    with duckdb.connect() as connection:
        monkeypatch.setattr(attaching, "ANSWER_SECONDS", 0.01)
        for _ in range(2):
            assert found._in_time(connection, server, work) == "no answer within 0.01 seconds"
        monkeypatch.setattr(attaching, "WAIT_SECONDS", 0)
        monkeypatch.setattr(attaching, "ANSWER_SECONDS", 600)
        answer.set()
        assert found._in_time(connection, server, work) == ""
        assert 1 <= len(asked) <= 2
