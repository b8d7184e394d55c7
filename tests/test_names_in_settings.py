"""A setting that names a table, a column or a function which is not there is an error wherever it is set."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.patterns import pattern, split, written
from support import SHOP, Database, error, rows

pytestmark = pytest.mark.slow

NONE = "matches no {} of this database; "
COLUMN = NONE.format("column") + "did you mean 'orders.amount'?"
WRONG = [
    ("hide_columns", "order.amount", f"'order.amount' {COLUMN}"),
    ("hide_columns", "orders.amount;", f"'orders.amount;' {COLUMN}"),
    ("hide_columns", "'orders.amount'", COLUMN),
    ("hide_columns", '"orders.amount"', COLUMN),
    ("hide_columns", "customers.name, orders.*mount*x", "'orders.*mount*x' matches no column"),
    ("include_tables", "order", f"'order' {NONE.format('table')}did you mean 'orders'?"),
    ("exclude_tables", "ord*, zz_*", f"'zz_*' {NONE.format('table')}write 'zz_*?' where it need not be there"),
    ("allow_functions", "uper", f"'uper' {NONE.format('function')}did you mean 'upper'?"),
]
RIGHT = [
    ("hide_columns", "orders.amount"),
    ("hide_columns", "*amount*, ORDERS.Customer_ID"),
    ("hide_columns", '"orders"."amount", main.orders.id'),
    ("hide_columns", "order.amount?, *.token?"),
    ("include_tables", "Orders, zz_*?"),
    ("exclude_tables", '"orders"'),
    ("allow_functions", "upper, mine?"),
]


@pytest.fixture(scope="module")
def made(standing: Database) -> Database:
    """A shop in a file, which stays open: opening it again takes little."""
    standing.shop(standing.path)
    return standing


@pytest.mark.parametrize(("name", "value", "said"), WRONG)
def test_a_name_that_is_not_there_is_an_error(
    made: Database, name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(askwhere.SettingError) as caught:
        askwhere.connect(made.path, **{name: value})
    assert f"setting {name}: " in str(caught.value)
    assert said in str(caught.value)
    connection = made.raw(made.path)
    with pytest.raises(askwhere.SettingError):
        askwhere.register(connection, **{name: value})
    askwhere.register(connection)  # what was refused is not kept
    assert said in error(connection, "SELECT ask_set('{}', '{}')".format(name, value.replace("'", "''")))
    assert rows(connection, f"SELECT value, source FROM ask_settings() WHERE name = '{name}'") == [("", "default")]
    connection.close()
    monkeypatch.setenv(f"ASKWHERE_{name.upper()}", value)
    with pytest.raises(askwhere.SettingError):
        askwhere.connect(made.path)


@pytest.mark.slow
def test_the_command_line_says_it(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    database.shop(database.path).close()
    monkeypatch.setenv("ASKWHERE_HIDE_COLUMNS", "order.amount")
    command = [
        sys.executable,
        "-m",
        "askwhere",
        "ask",
        str(database.path),
        "how many orders are there?",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"'order.amount' {COLUMN}" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), RIGHT)
def test_a_name_that_is_there_or_need_not_be_is_taken(database: Database, name: str, value: str) -> None:
    connection = database.shop(**{name: value})
    assert rows(connection, f"SELECT ask_set('{name}', NULL)")
    assert rows(connection, f"SELECT ask_set('{name}', '{value}')")
    assert rows(connection, "SELECT ask_schema()")


def test_the_file_is_as_the_environment(database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    (tmp_path / "config" / "askwhere").mkdir(parents=True)
    (tmp_path / "config" / "askwhere" / "config.toml").write_text("hide_columns = ['order.amount']\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with pytest.raises(askwhere.SettingError, match=r"did you mean 'orders\.amount'"):
        database.shop()


@pytest.mark.slow
def test_a_column_that_is_renamed_later_is_an_error_until_it_is_named_anew(database: Database) -> None:
    connection = database.shop(hide_columns="orders.amount")
    assert "amount" not in rows(connection, "SELECT ask_schema()")[0][0]
    connection.execute("ALTER TABLE orders RENAME COLUMN amount TO price")
    for asked in (
        "SELECT * FROM ask('how many customers are there?')",
        "SELECT ask_schema()",
        "SELECT ask_prompt('x')",
    ):
        assert "'orders.amount' matches no column of this database" in error(connection, asked)
    rows(connection, "SELECT ask_set('hide_columns', 'orders.price')")
    assert "price" not in rows(connection, "SELECT ask_schema()")[0][0]


def test_what_need_not_be_there_is_hidden_once_it_is(database: Database) -> None:
    connection = database.shop(hide_columns="*.token?")
    assert "name" in rows(connection, "SELECT ask_schema()")[0][0]
    connection.execute("CREATE TABLE later (id INTEGER, token TEXT)")
    text = rows(connection, "SELECT ask_schema()")[0][0]
    assert "later" in text
    assert "token" not in text


def test_odd_names_are_written_in_double_quotes(database: Database) -> None:
    connection = database.raw()
    connection.execute(SHOP)
    connection.execute('CREATE TABLE "odd.name" (id INTEGER, "co""l" TEXT, "a,b" TEXT, "st*r" TEXT, star TEXT)')
    askwhere.register(connection, hide_columns='"odd.name"."co""l", "ODD.name"."a,b", "odd.name"."st*r"')
    text = rows(connection, "SELECT ask_schema()")[0][0]
    assert [name for name in ('co"l', 'co""l', "a,b", "st*r") if name in text] == []
    assert "star" in text


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("a.b, c.*", ("a.b", "c.*")),
        (' "a,b"."c" ,, d;', ('"a,b"."c"', "d;")),
        ('"a""b,".c,d', ('"a""b,".c', "d")),
        ('"open, x', ('"open', "x")),
        ("", ()),
    ],
)
def test_commas_in_quotes_end_no_entry(text: str, entries: tuple[str, ...]) -> None:
    assert split(text) == entries


@pytest.mark.parametrize(
    ("entry", "path", "fits"),
    [
        ("orders.amount", ("shop", "main", "Orders", "AMOUNT"), True),
        ("main.orders.amount", ("shop", "main", "orders", "amount"), True),
        ("shop.main.orders.amount", ("shop", "main", "orders", "amount"), True),
        ("amount", ("main", "orders", "amount"), False),
        ("*.amount", ("main", "orders", "amount"), True),
        ("or*nt", ("main", "orders", "amount"), True),
        ('"or*"."amount"', ("main", "orders", "amount"), False),
        ('"or*"."amount"', ("main", "or*", "amount"), True),
        ("a[b].c", ("main", "a[b]", "c"), True),
        ("a.b.c", ("main", "a.b", "c"), True),
        ('"a.b".c', ("main", "a.b", "c"), True),
        ('"a.b".c', ("main", "a", "b", "c"), False),
        ("ÄB.c", ("main", "äb", "c"), False),
        ("Äb.c", ("main", "ÄB", "c"), True),
    ],
)
def test_a_pattern_fits_a_name(entry: str, path: tuple[str, ...], fits: bool) -> None:
    assert pattern(entry).fits(path, 2) is fits


def test_a_name_is_written_as_what_fits_it() -> None:
    for path in (("a", "b"), ("odd.name", 'co"l'), ("*", "x y"), ("ä", "1")):
        assert pattern(written(path)).fits(path, 2)
        assert pattern(written(path)).plain


@pytest.mark.parametrize("path", ["north.ships", "north.main.ships"])
def test_tables_of_attached_databases_have_a_short_and_a_full_path(tmp_path: Any, path: str) -> None:
    with duckdb.connect(str(tmp_path / "north.duckdb")) as other:
        other.execute("CREATE TABLE ships (name VARCHAR, home VARCHAR)")
        other.execute("CREATE TABLE ports (name VARCHAR)")
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{tmp_path / 'north.duckdb'}' AS north")
        askwhere.register(connection, hide_columns=f"{path}.home")
        assert "home" not in rows(connection, "SELECT ask_schema()")[0][0]
        rows(connection, f"SELECT ask_set('include_tables', '{path}')")
        assert "ports" not in rows(connection, "SELECT ask_schema()")[0][0]
        rows(connection, f"SELECT ask_set('include_tables', ''), ask_set('exclude_tables', '{path}')")
        assert "ships" not in rows(connection, "SELECT ask_schema()")[0][0]
