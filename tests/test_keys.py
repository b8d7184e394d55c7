"""Foreign keys that users declare in `askwhere_keys`, in both engines."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.bindings import connections
from askwhere.bindings.cli import main as cli
from askwhere.engine import Column, Table
from askwhere.errors import Ambiguous, ArgumentError
from askwhere.indexer import catalog, keys, role_keys
from askwhere.indexer.guessing import guessed
from askwhere.indexer.key_names import names_table
from askwhere.models import Scripted
from support import Database, error, rows

# No name tells what `party` refers to.
DEALS = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
CREATE TABLE orders (no INTEGER, party INTEGER, amount DOUBLE);
INSERT INTO customer VALUES (1, 'Ann', 'Canada'), (2, 'Bo', 'Norway');
INSERT INTO orders VALUES (1, 1, 10.0), (2, 1, 20.0), (3, 2, 5.0);
"""
QUESTION = "total amount per country"
ANSWER = [("Canada", 30.0), ("Norway", 5.0)]


def deals(database: Database, path: str | Path | None = None, script: str = DEALS, **settings: Any) -> Any:
    return database.made(script, path, **settings)


def answer(connection: Any) -> list[tuple[Any, ...]]:
    return sorted(askwhere.ask(connection, QUESTION).rows)


def value(connection: Any, call: str) -> str:
    return str(rows(connection, f"SELECT {call}")[0][0])


def test_a_declared_key_joins_what_no_name_tells(database: Database) -> None:
    connection = deals(database)
    with pytest.raises(askwhere.AskError):
        answer(connection)
    assert value(connection, "ask_key('Orders.PARTY', 'customer.id')") == "orders.party refers to customer.id"
    assert answer(connection) == ANSWER
    assert rows(connection, f"SELECT * FROM ask('{QUESTION}') ORDER BY 1") == ANSWER
    assert rows(connection, "SELECT * FROM ask_keys()") == [("orders.party", "customer.id", "declared")]
    assert "FOREIGN KEY (party) REFERENCES customer (id)\n" in value(connection, "ask_schema()")


@pytest.mark.any_engine
def test_a_key_that_is_removed_joins_no_more(database: Database) -> None:
    connection = deals(database)
    value(connection, "ask_key('orders.party', 'customer.id')")
    assert answer(connection) == ANSWER
    removed = value(connection, "ask_key('orders.party', 'DROP')")
    assert removed == "orders.party refers to nothing that was declared"
    assert value(connection, "ask_key('orders.party', 'drop')") == "orders.party had no declared key"
    assert rows(connection, "SELECT * FROM ask_keys()") == []
    with pytest.raises(askwhere.AskError):
        answer(connection)


@pytest.mark.any_engine
def test_a_key_that_is_declared_twice_is_one(database: Database) -> None:
    connection = deals(database)
    for name in ("orders.party", "main.orders.party"):
        value(connection, f"ask_key('{name}', 'customer.id')")
    assert rows(connection, "SELECT key, refers_to FROM askwhere_keys") == [("orders.party", "customer.id")]


def test_rows_may_be_written_with_sql(database: Database) -> None:
    connection = deals(database)
    connection.execute("CREATE TABLE askwhere_keys (key TEXT, refers_to TEXT, who TEXT)")
    connection.execute("INSERT INTO askwhere_keys VALUES ('orders.party', 'customer.id', 'me')")
    assert answer(connection) == ANSWER
    connection.execute("DELETE FROM askwhere_keys")
    with pytest.raises(askwhere.AskError):
        answer(connection)


def test_another_connection_notices_a_new_key(database: Database) -> None:
    deals(database, database.path).close()
    first = askwhere.connect(database.path)
    second = askwhere.connect(database.path)
    with pytest.raises(askwhere.AskError):
        answer(second)
    value(first, "ask_key('orders.party', 'customer.id')")
    assert answer(second) == ANSWER
    first.close()
    second.close()


@pytest.mark.any_engine
def test_an_answer_that_is_kept_in_the_file_goes_with_the_keys(database: Database) -> None:
    connection = deals(database, database.path, remember="database")
    connection.execute("CREATE TABLE visits (no INTEGER, by_whom INTEGER, country TEXT)")
    before = askwhere.ask(connection, "number of visits per country").sql
    value(connection, "ask_key('visits.by_whom', 'customer.id')")
    assert value(connection, "ask_key('orders.party', 'customer.id')")
    assert askwhere.ask(connection, "number of visits per country").sql == before
    assert answer(connection) == ANSWER


@pytest.mark.any_engine
def test_several_columns_refer_together(database: Database) -> None:
    script = """
        CREATE TABLE lines (day TEXT, "line no" INTEGER, item TEXT);
        CREATE TABLE claims (number INTEGER, "of day" TEXT, line INTEGER, "lost, in all" DOUBLE);
        INSERT INTO lines VALUES ('mon', 1, 'tea'), ('mon', 2, 'salt'), ('tue', 1, 'jam');
        INSERT INTO claims VALUES (1, 'mon', 1, 5.0), (2, 'tue', 1, 7.0), (3, 'tue', 1, 1.0);
    """
    connection = deals(database, script=script)
    said = value(connection, """ask_key('claims("of day", line)', 'lines(day, "line no")')""")
    assert said == """claims("of day", line) refers to lines(day, "line no")"""
    assert rows(connection, "SELECT * FROM ask_keys()") == [
        ('claims("of day", line)', 'lines(day, "line no")', "declared")
    ]
    found = askwhere.ask(connection, "number of claims per item")
    assert sorted(found.rows) == [("jam", 2), ("tea", 1)]


@pytest.fixture(scope="module")
def undeclared(standing: Database) -> Any:
    """A connection on which nobody declares a key."""
    return deals(standing)


@pytest.mark.any_engine
@pytest.mark.parametrize(
    ("key", "refers_to", "said"),
    [
        ("order.party", "customer.id", "did you mean 'orders.party'?"),
        ("orders.boughtby", "customer.id", "'orders.boughtby' names no column of this database; expected a table and"),
        ("orders", "customer.id", "expected a table and its column, as in 'orders.cust', or its columns"),
        ("orders(no, party)", "customer.id", "has 2 columns and 'customer.id' has 1: a key refers to as many"),
        ("customer.id", "customer.id", "'customer.id' cannot refer to itself"),
        ("orders(", "customer.id", "names no column"),
        ("orders(no, NO)", "customer(id, name)", "'orders(no, NO)' names a column twice: a key has each of its"),
        ("orders(no, party)", "customer(id, id)", "'customer(id, id)' names a column twice"),
        ("", "customer.id", "key must be a text, found an empty text"),
    ],
)
def test_what_is_no_key_is_said(undeclared: Any, key: str, refers_to: str, said: str) -> None:
    assert said in error(undeclared, f"SELECT ask_key('{key}', '{refers_to}')")
    assert not [t for t in rows(undeclared, "SELECT * FROM ask_keys()") if t[2] == "declared"]


@pytest.mark.any_engine
def test_a_row_that_names_a_column_twice_declares_nothing(database: Database) -> None:
    connection = deals(
        database,
        script=f"""{DEALS}
    CREATE TABLE askwhere_keys (key TEXT NOT NULL, refers_to TEXT NOT NULL);
    INSERT INTO askwhere_keys VALUES ('orders(party, no)', 'customer(id, id)');
    """,
    )
    assert not [t for t in rows(connection, "SELECT * FROM ask_keys()") if t[2] == "declared"]


def test_a_hidden_column_has_no_key_and_is_not_told(database: Database) -> None:
    connection = deals(database)
    value(connection, "ask_key('orders.party', 'customer.id')")
    askwhere.register(connection, hide_columns="orders.party")
    assert rows(connection, "SELECT * FROM ask_keys()") == []
    assert "names no column" in error(connection, "SELECT ask_key('orders.party', 'customer.id')")


@pytest.mark.any_engine
def test_rows_about_nothing_are_said(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    connection = deals(database)
    value(connection, "ask_key('orders.party', 'customer.id')")
    connection.execute("INSERT INTO askwhere_keys VALUES ('gone.x', 'customer.id')")
    with caplog.at_level(logging.WARNING):
        assert answer(connection) == ANSWER
    assert "askwhere_keys names tables or columns that are not there: gone.x refers to customer.id" in caplog.messages


def test_a_table_that_cannot_be_read_is_said(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    connection = deals(database)
    connection.execute("CREATE TABLE askwhere_keys (key TEXT)")
    with caplog.at_level(logging.WARNING):
        rows(connection, "SELECT * FROM ask_keys()")
    assert "askwhere_keys is not read: it has no column refers_to; expected key, refers_to" in caplog.text


def test_what_views_hold_is_joined(database: Database) -> None:
    connection = deals(database)
    connection.execute("""
        CREATE TABLE kept (a INTEGER, b TEXT, c DOUBLE);
        INSERT INTO kept VALUES (1, 'Ann', 0), (2, 'Bo', 3.5);
        CREATE VIEW buyers AS SELECT a AS id, b AS nick FROM kept;
        CREATE VIEW gifts AS SELECT a AS to_whom, c AS worth FROM kept;
    """)
    value(connection, "ask_key('gifts.to_whom', 'buyers.id')")
    assert sorted(askwhere.ask(connection, "total worth of gifts per nick").rows) == [("Ann", 0.0), ("Bo", 3.5)]


@pytest.mark.any_engine
def test_keys_of_a_file_that_is_read_only_are_kept_beside_it(database: Database) -> None:
    deals(database, database.path).close()
    before = database.path.read_bytes()
    connection = askwhere.connect(database.path, read_only=True)
    with pytest.raises(askwhere.AskError):
        answer(connection)
    value(connection, "ask_key('orders.party', 'customer.id')")
    assert answer(connection) == ANSWER
    connection.close()
    again = askwhere.connect(database.path, read_only=True)
    assert answer(again) == ANSWER
    again.close()
    assert database.path.read_bytes() == before


def test_each_database_has_keys_of_its_own(database: Database, tmp_path: Path) -> None:
    connection = deals(database)
    connection.execute(f"ATTACH '{tmp_path / f'other.{database.kind}'}' AS other")
    schema = "other." if database.kind == "sqlite" else "other.main."
    connection.execute(f"CREATE TABLE {schema}customer (id INTEGER)")
    connection.execute(f"CREATE TABLE {schema}orders (party INTEGER)")
    connection.execute(f"CREATE TABLE {schema}askwhere_keys (key TEXT, refers_to TEXT)")
    connection.execute(f"INSERT INTO {schema}askwhere_keys VALUES ('main.orders.party', 'customer.id')")
    found = catalog.read(connections.engine(connection))
    declared = {t.path: [k.target for k in t.foreign_keys] for t in found.tables if t.name == "orders"}
    assert {path[0]: [t[0] for t in targets] for path, targets in declared.items()}["other"] == ["other"]
    assert sum(map(len, declared.values())) == 1


def test_a_row_at_home_may_join_two_databases(database: Database, tmp_path: Path) -> None:
    connection = deals(database)
    connection.execute(f"ATTACH '{tmp_path / f'other.{database.kind}'}' AS other")
    schema = "other." if database.kind == "sqlite" else "other.main."
    connection.execute(f"CREATE TABLE {schema}visits (number INTEGER, guest INTEGER)")
    connection.execute(f"CREATE TABLE {schema}orders (no INTEGER, amount DOUBLE)")
    home = ".".join(connections.engine(connection).home())
    assert value(connection, "ask_key('visits.guest', 'customer.id')") == "visits.guest refers to customer.id"
    assert rows(connection, "SELECT * FROM ask_keys()") == [("visits.guest", "customer.id", "declared")]
    for name in ("orders.no", "main.orders.no") if database.kind == "duckdb" else ("orders.no",):
        said = error(connection, f"SELECT ask_key('visits.guest', '{name}')")
        assert f"{name!r} may be {home}.orders.no or other.orders.no; say which" in said
    done = value(connection, f"ask_key('visits.guest', '{home}.orders.no')")
    assert done == f"visits.guest refers to {home}.orders.no"
    assert ("visits.guest", f"{home}.orders.no", "declared") in rows(connection, "SELECT * FROM ask_keys()")


@pytest.mark.any_engine
def test_guesses_stay_within_one_schema(database: Database, tmp_path: Path) -> None:
    connection = deals(database, script="CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT)")
    connection.execute(f"ATTACH '{tmp_path / f'other.{database.kind}'}' AS other")
    schema = "other." if database.kind == "sqlite" else "other.main."
    connection.execute(f"CREATE TABLE {schema}visits (number INTEGER, guest_id INTEGER)")
    assert rows(connection, "SELECT * FROM ask_keys()") == []
    connection.execute("CREATE TABLE stays (number INTEGER, guest_id INTEGER)")
    assert rows(connection, "SELECT * FROM ask_keys()") == [("stays.guest_id", "guests.id", "guessed")]


@pytest.mark.any_engine
def test_a_key_may_be_named_behind_a_role(database: Database) -> None:
    script = (
        "CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE tabs (no INTEGER, lead_guest_id INTEGER)"
    )
    connection = deals(database, script=script)
    assert rows(connection, "SELECT * FROM ask_keys()") == [("tabs.lead_guest_id", "guests.id", "guessed")]


def guesses(database: Database, script: str) -> dict[str, str]:
    connection = database.made(script)
    return {key: to for key, to, origin in rows(connection, "SELECT * FROM ask_keys()") if origin == "guessed"}


CREW = "CREATE TABLE crew (crew_no INTEGER PRIMARY KEY, crew_name TEXT, lead_no INTEGER);"
CLIENTS = "CREATE TABLE clients (client_no INTEGER PRIMARY KEY, name TEXT, account_mgr INTEGER);"


@pytest.mark.any_engine
def test_somebody_who_acts_is_in_the_only_table_of_people(database: Database) -> None:
    script = "CREATE TABLE dives (dive_no INTEGER PRIMARY KEY, diver_no INTEGER, spotterid INTEGER, logged_by INTEGER)"
    assert guesses(database, CREW + script) == {
        "dives.diver_no": "crew.crew_no",
        "dives.spotterid": "crew.crew_no",
        "dives.logged_by": "crew.crew_no",
    }


@pytest.mark.any_engine
def test_who_works_and_who_is_served_are_told_apart(database: Database) -> None:
    script = "CREATE TABLE dives (no INTEGER, buyer_no INTEGER, approvedby INTEGER, sold_to INTEGER, booked_by INTEGER)"
    assert guesses(database, CREW + CLIENTS + script) == {
        "clients.account_mgr": "crew.crew_no",
        "dives.buyer_no": "clients.client_no",
        "dives.approvedby": "crew.crew_no",
        "dives.sold_to": "clients.client_no",
    }  # either may have booked, and the `lead_no` of a crew is one of its own


@pytest.mark.any_engine
@pytest.mark.parametrize(
    "columns",
    [
        "divers INTEGER, depth_meter INTEGER, best_by INTEGER, order_no INTEGER, is_leader INTEGER",  # no people
        "member INTEGER, paid_by TEXT, leader TEXT",  # flags, and texts that may be anything
        "diver_no TEXT",  # no crew has such a number
        "staff INTEGER",  # how many
    ],
)
def test_other_columns_are_named_after_nobody(database: Database, columns: str) -> None:
    assert guesses(database, f"{CREW} CREATE TABLE dives (no INTEGER PRIMARY KEY, {columns})") == {}


@pytest.mark.any_engine
def test_a_number_in_the_plural_is_a_count_and_no_key(database: Database) -> None:
    script = (
        "CREATE TABLE listener_requests (request_id INTEGER PRIMARY KEY, song TEXT);"
        "CREATE TABLE bunks (id INTEGER PRIMARY KEY, name TEXT);"
        "CREATE TABLE shows (no INTEGER, listeners INTEGER, bunk INTEGER)"
    )
    assert guesses(database, script) == {"shows.bunk": "bunks.id"}


@pytest.mark.any_engine
def test_a_text_with_the_name_of_a_list_of_codes_is_one_of_them(database: Database) -> None:
    script = (
        "CREATE TABLE growertyp (typ_cd TEXT PRIMARY KEY, descr TEXT);"
        "CREATE TABLE regions (region_code TEXT PRIMARY KEY, name TEXT, country TEXT);"
        "CREATE TABLE growers (no INTEGER PRIMARY KEY, grower_typ TEXT, region TEXT)"
    )
    assert guesses(database, script) == {"growers.grower_typ": "growertyp.typ_cd"}  # a region may be its name


@pytest.mark.any_engine
def test_of_several_tables_of_people_none_is_meant(database: Database) -> None:
    script = (
        "CREATE TABLE cooks (cook_no INTEGER PRIMARY KEY, name TEXT); CREATE TABLE meals (no INTEGER, made_by INTEGER)"
    )
    assert guesses(database, CREW + script) == {}
    script += "; CREATE TABLE tastings (no INTEGER, taster_id INTEGER); CREATE TABLE tasters (name TEXT)"
    assert guesses(database, script) == {"meals.made_by": "cooks.cook_no"}  # a table has the name of the taster


@pytest.mark.any_engine
def test_a_first_column_may_be_a_key_without_being_declared(database: Database) -> None:
    script = (
        "CREATE TABLE lorries (vin TEXT, make TEXT); CREATE TABLE checks (no INTEGER, vin TEXT, done_on DATE);"
        "CREATE TABLE fitters (emp_no INTEGER, name TEXT);"
        "CREATE TABLE users (id INTEGER, name TEXT);"
        "CREATE TABLE jobs (id INTEGER, assignee INTEGER, requester INTEGER)"
    )
    assert guesses(database, script) == {
        "checks.vin": "lorries.vin",
        "jobs.assignee": "fitters.emp_no",
        "jobs.requester": "users.id",
    }


DEPOTS = "CREATE TABLE depots (dpt_cd VARCHAR(4) PRIMARY KEY, name TEXT);"


@pytest.mark.any_engine
@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ("from_dpt VARCHAR(4), todpt VARCHAR(4)", ["from_dpt", "todpt"]),
        ("dpt_from TEXT, next_dpt_cd TEXT", ["dpt_from", "next_dpt_cd"]),
        ("dpt_a TEXT, dpt_b TEXT", ["dpt_a", "dpt_b"]),
        ("from_cd TEXT, to_cd TEXT", ["from_cd", "to_cd"]),
        ("origin TEXT, destination TEXT", ["origin", "destination"]),
        ("from_cd TEXT", []),
        ("origin TEXT, from_name TEXT, to_name TEXT, from_date TEXT, dpt_a TEXT, home_cd INTEGER", []),
    ],
)
def test_an_end_of_a_way_is_a_row_of_the_table_that_it_names(
    database: Database, columns: str, found: list[str]
) -> None:
    script = f"{DEPOTS} CREATE TABLE runs (no INTEGER, {columns})"
    assert guesses(database, script) == {f"runs.{name}": "depots.dpt_cd" for name in found}


@pytest.mark.any_engine
def test_the_sides_of_a_contest_are_teams(database: Database) -> None:
    script = (
        "CREATE TABLE teams (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE grounds (id INTEGER PRIMARY KEY);"
        "CREATE TABLE bouts (no INTEGER, home_id INTEGER, away_id INTEGER, winner_id INTEGER, home_goals INTEGER)"
    )
    assert guesses(database, script) == {f"bouts.{side}_id": "teams.id" for side in ("home", "away", "winner")}


def calls_to_guess(columns: int) -> int:
    """Return how many functions are called to guess the keys of a table of many columns."""
    wide = Table(("main", "wide"), tuple(Column(f"from_place{n}_id", "INTEGER") for n in range(columns)))
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        guessed([wide])
    finally:
        sys.setprofile(before)
    return calls


def test_the_work_grows_with_the_columns_of_a_table_and_not_with_their_square() -> None:
    assert calls_to_guess(800) < 2.2 * calls_to_guess(400)


@pytest.mark.any_engine
def test_a_declared_key_leaves_room_for_another_role(database: Database) -> None:
    script = (
        "CREATE TABLE permits (no INTEGER, issued_by INTEGER REFERENCES crew (crew_no), checked_by INTEGER,"
        " crew_no INTEGER)"
    )
    assert guesses(database, CREW + script) == {"permits.checked_by": "crew.crew_no"}


@pytest.mark.any_engine
def test_of_two_people_who_act_neither_is_meant_unless_it_is_said(database: Database) -> None:
    script = (
        "CREATE TABLE officers (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO officers VALUES (1, 'Ann'), (2, 'Bo');"
        "CREATE TABLE permits (no INTEGER, issued_by INTEGER, approved_by INTEGER);"
        "INSERT INTO permits VALUES (1, 1, 2), (2, 1, 2), (3, 2, 1)"
    )
    connection = database.made(script)
    with pytest.raises(Ambiguous):
        askwhere.ask(connection, "number of permits per officer")
    assert askwhere.ask(connection, "who issued permit 3").rows == (("Bo",),)
    assert askwhere.ask(connection, "how many permits did Ann approve").rows == ((1,),)


# The same numbers are texts in one table, some of them no numbers, and numbers in the other.
POTTERY = """
CREATE TABLE potters (potter_id BIGINT PRIMARY KEY, name VARCHAR, town VARCHAR);
CREATE TABLE bowls (no INTEGER, title VARCHAR, potter_id VARCHAR, price DOUBLE);
INSERT INTO potters VALUES (1, 'Ann', 'Rome'), (2, 'Bo', 'Oslo'), (3, 'Cy', 'Rome');
INSERT INTO bowls VALUES (1, 'blue', '1', 5), (2, 'red', '2', 7), (3, 'grey', 'x', 1), (4, 'wide', '01', 2),
  (5, 'low', NULL, 4);
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("title and potter name of each bowl", [("blue", "Ann"), ("red", "Bo"), ("wide", "Ann")]),
        ("number of bowls per potter", [("Ann", 2), ("Bo", 1)]),
        ("total price per town", [("Oslo", 7.0), ("Rome", 7.0)]),
        ("potters without bowls", [("Cy",)]),
        ("bowls without a potter", [("grey",), ("low",)]),
    ],
)
def test_numbers_are_joined_with_texts_that_write_them(
    database: Database, question: str, expected: list[tuple[Any, ...]]
) -> None:
    connection = database.made(POTTERY)
    assert rows(connection, "SELECT * FROM ask_keys()") == [("bowls.potter_id", "potters.potter_id", "guessed")]
    assert sorted(askwhere.ask(connection, question).rows) == expected


def test_a_declared_key_may_join_numbers_with_texts(database: Database) -> None:
    connection = database.made(POTTERY.replace("potter_id VARCHAR", "maker VARCHAR"))
    value(connection, "ask_key('bowls.maker', 'potters.potter_id')")
    assert sorted(askwhere.ask(connection, "total price per town").rows) == [("Oslo", 7.0), ("Rome", 7.0)]


@pytest.mark.any_engine
@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (  # a join of keys of different things
            "SELECT p.name FROM potters AS p JOIN marks AS m ON p.potter_id = m.bowl_no WHERE m.mark = 'oak'",
            [("Bo",)],
        ),
        ("SELECT potter_id FROM bowls WHERE price < 6 AND price > 4", [("Ann",)]),  # names instead of keys
        ("SELECT title FROM bowls WHERE potter_id = 'Bo'", [("red",)]),  # a key that is compared with a name
    ],
)
def test_queries_of_models_are_mended_with_such_keys(
    database: Database, written: str, expected: list[tuple[Any, ...]]
) -> None:
    script = POTTERY.replace("no INTEGER,", "bowl_no INTEGER PRIMARY KEY,") + (
        "CREATE TABLE marks (mark VARCHAR, bowl_no VARCHAR); INSERT INTO marks VALUES ('elm', '1'), ('oak', '2');"
    )
    connection = database.made(script, model=Scripted([written]), method="sea")
    assert sorted(askwhere.ask(connection, "flurb").rows) == expected


def test_a_column_that_is_missing_is_found_over_such_a_key(database: Database) -> None:
    connection = database.made(POTTERY)
    value(connection, "ask_key('bowls.potter_id', 'potters.potter_id')")
    fixed = value(connection, "ask_fix('SELECT title, town FROM bowls')")
    assert rows(connection, f"{fixed} ORDER BY title") == [("blue", "Rome"), ("red", "Oslo"), ("wide", "Rome")]


@pytest.mark.any_engine
def test_dates_and_names_are_no_numbers(database: Database) -> None:
    script = (
        "CREATE TABLE potters (potter_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE bowls (no INTEGER, potter_id DATE, potters VARCHAR, potter VARCHAR)"
    )
    assert guesses(database, script) == {}


SUGGESTED = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
CREATE TABLE orders (no INTEGER, cust INTEGER, party_id INTEGER, quantity INTEGER, land TEXT, seller_id INTEGER);
CREATE TABLE lands (code TEXT, title TEXT);
INSERT INTO customer VALUES (1, 'Ann', 'ca'), (2, 'Bo', 'no'), (3, 'Cy', 'no');
INSERT INTO orders VALUES (1, 1, 2, 1, 'ca', 8), (2, 1, 2, 1, 'no', 9), (3, 4, 3, 2, 'no', 9);
INSERT INTO lands VALUES ('ca', 'Canada'), ('no', 'Norway'), ('de', 'Germany');
"""


def command(capsys: pytest.CaptureFixture[str], *arguments: Any) -> tuple[int, str, str]:
    code = cli.main(["keys", *map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_keys_are_suggested_from_names_and_data(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    deals(database, database.path, SUGGESTED)
    database.close()
    found = json.loads(command(capsys, database.path, "--suggest", "--json")[1])
    assert [tuple(row.values()) for row in found] == [
        ("customer.country", "lands.code", 2, 2, "data"),
        ("orders.cust", "customer.id", 1, 2, "names"),  # one value is astray
        ("orders.party_id", "customer.id", 2, 2, "data"),
        ("orders.land", "lands.code", 2, 2, "names"),
    ]
    said = "`--accept` declares those that names suggest, and `--accept KEY …` those of these columns\n"
    assert command(capsys, database.path, "--suggest")[2].endswith(said)
    assert command(capsys, database.path, "--json")[1].count("guessed") == 2  # and not what the data alone says


@pytest.mark.any_engine
def test_of_tables_that_a_name_is_short_for_the_one_with_its_values_is_suggested(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    script = """CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO customer VALUES (1, 'Ann'), (2, 'Bo');
    CREATE TABLE custodian (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO custodian VALUES (10, 'Cy');
    CREATE TABLE orders (id INTEGER PRIMARY KEY, cust INTEGER); INSERT INTO orders VALUES (1, 1), (2, 2), (3, 1)"""
    deals(database, database.path, script)
    database.close()
    found = json.loads(command(capsys, database.path, "--suggest", "--json")[1])
    assert [tuple(row.values()) for row in found] == [("orders.cust", "customer.id", 2, 2, "names")]


@pytest.mark.any_engine
def test_what_names_suggest_is_accepted_and_the_rest_by_name(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    deals(database, database.path, SUGGESTED)
    database.close()
    assert command(capsys, database.path, "--accept", "orders.land")[:2] == (0, "orders.land refers to lands.code\n")
    code, _, said = command(capsys, database.path, "--accept", "orders.quantity")
    assert (code, said) == (
        1,
        "askwhere: no key is suggested for 'orders.quantity'; there is one for customer.country, orders.cust,"
        " orders.party_id\n",
    )
    by_data = "".join(
        f"left: {key} refers to {other}, by the data alone; --accept {key} declares it\n"
        for key, other in (("customer.country", "lands.code"), ("orders.party_id", "customer.id"))
    )
    assert command(capsys, database.path, "--accept")[:2] == (0, by_data + "orders.cust refers to customer.id\n")
    assert command(capsys, database.path, "--accept")[:2] == (1, by_data + "no keys are suggested by names\n")
    found = command(capsys, database.path, "--accept", "customer.country", "orders.party_id")[1]
    assert found.count(" refers to ") == 2
    origins = {row["origin"] for row in json.loads(command(capsys, database.path, "--json")[1])}
    assert origins == {"declared"}


@pytest.mark.any_engine
def test_keys_are_added_and_dropped_on_the_command_line(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    deals(database, database.path)
    database.close()
    added = command(capsys, database.path, "--add", "orders.party", "customer.id")
    assert added == (0, "orders.party refers to customer.id\n", "")
    assert "declared" in command(capsys, database.path)[1]
    dropped = command(capsys, database.path, "--drop", "orders.party")[1]
    assert dropped == "orders.party refers to nothing that was declared\n"


def test_a_side_of_a_key_may_be_quoted() -> None:
    assert keys.side('crm."my.table".id') == (("crm", "my.table"), ("id",))
    assert keys.side('t("a, b", c)') == (("t",), ("a, b", "c"))
    assert keys.text(("my.table",), ("a", 'b"c')) == '"my.table"(a, "b""c")'
    with pytest.raises(ArgumentError, match="names no column"):
        keys.resolved((), "a.b")


def test_each_of_many_tables_is_compared_with_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    monkeypatch.setattr(role_keys, "names_table", lambda word, table: compared.append(word) or names_table(word, table))
    columns = [Column(name, "INTEGER") for name in ("id", "cust_no", "pages")]
    names = [f"{letter}{number}" for letter in "abdefghijk" for number in range(30)]
    tables = [Table(("main", name), tuple(columns), primary_key=("id",)) for name in names]
    customers = Table(("main", "customers"), (Column("id", "INTEGER"),), primary_key=("id",))
    found = guessed([*tables, customers])
    assert {key.target for keys in found.values() for key in keys} == {customers.path}
    assert len(compared) <= 2 * len(tables)
