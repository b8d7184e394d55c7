"""SQLAlchemy over both engines: questions, parameters, the schema, transactions, pools and threads; and pandas."""

from __future__ import annotations

import datetime
import decimal
import importlib.metadata
import os
import re
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import duckdb
import pytest
import reference
import sqlalchemy as sa
from askwhere.errors import AskError
from faulty import Faulty, answer, reply
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.automap import automap_base
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.pool import QueuePool
from support import PER_COUNTRY, SHOP, in_threads

ROOT = Path(__file__).resolve().parent.parent
SCHEMES = {"sqlite": "askwhere", "duckdb": "askwhere+duckdb"}
ASK = "SELECT * FROM ask('number of customers per country') ORDER BY 1"
ANSWER = [("Canada", 2), ("Norway", 1)]

Opens = Callable[..., sa.Engine]


@pytest.fixture(params=["sqlite", "duckdb"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def shop(kind: str, tmp_path: Path) -> Iterator[Opens]:
    """Opens engines over a file with a small shop; `query` is that of the URL."""
    path = tmp_path / f"shop.{kind}"
    with (apsw.Connection if kind == "sqlite" else duckdb.connect)(str(path)) as connection:
        connection.execute(SHOP)
    connection.close()
    engines: list[sa.Engine] = []

    def open_(query: str = "", **options: Any) -> sa.Engine:
        engines.append(sa.create_engine(f"{SCHEMES[kind]}:///{path}{query}", **options))
        return engines[-1]

    yield open_
    for engine in engines:
        engine.dispose()


def test_a_question_is_rows(shop: Opens) -> None:
    with shop().connect() as connection:
        found = connection.execute(sa.text(ASK))
        assert next(iter(found.keys())) == "country"
        assert found.fetchall() == ANSWER
        joined = f"SELECT name FROM customers JOIN ({ASK}) AS a USING (country) WHERE a.country = :where"
        assert connection.execute(sa.text(joined), {"where": "Norway"}).scalars().all() == ["Cy"]
        assert (
            connection.execute(sa.text("SELECT * FROM ask('names of customers') WHERE name = 'Zoe'")).fetchall() == []
        )


def test_a_question_may_be_a_parameter(shop: Opens) -> None:
    with shop().connect() as connection:
        asked = sa.text("SELECT * FROM ask(:question) ORDER BY 1 LIMIT :n")
        assert (
            connection.execute(asked, {"question": "number of customers per country", "n": 1}).fetchall() == ANSWER[:1]
        )
        # The question may also be part of an expression of SQLAlchemy's own.
        table = sa.func.ask("number of customers per country").table_valued("country")
        assert connection.execute(sa.select(table.c.country).order_by(table.c.country)).scalars().all() == [
            "Canada",
            "Norway",
        ]


def test_an_error_says_what_the_question_lacks(shop: Opens, kind: str) -> None:
    with shop().connect() as connection:
        with pytest.raises(sa.exc.DBAPIError, match="could not place “xyzzy”") as caught:
            connection.execute(sa.text("SELECT * FROM ask('xyzzy customers')"))
        if kind == "sqlite":
            assert isinstance(caught.value, sa.exc.OperationalError)
            assert isinstance(caught.value.orig.__cause__, AskError)
    with shop().connect() as connection:
        assert connection.execute(sa.text(ASK)).fetchall() == ANSWER


def test_settings_are_in_the_url(shop: Opens) -> None:
    with Faulty((answer(reply(PER_COUNTRY)),)) as server:
        engine = shop(f"?model=openai:house&base_url={server.url}&method=sea&effort=fast")
        with engine.connect() as connection:
            assert connection.execute(sa.text("SELECT * FROM ask('flurb')")).fetchall() == ANSWER
            shown = "SELECT value, source FROM ask_settings() WHERE name = 'effort'"
            assert connection.execute(sa.text(shown)).fetchall() == [("fast", "register")]
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("query", "said"), [("?effort=heroic", "setting effort: "), ("?efort=fast", "efort"), ("?max_rows=-1", "max_rows")]
)
def test_a_wrong_setting_is_said(shop: Opens, query: str, said: str) -> None:
    with pytest.raises((AskError, sa.exc.DBAPIError, duckdb.Error), match=said), shop(query).connect():
        pass


def test_a_file_is_opened_to_be_read_only(shop: Opens) -> None:
    with shop("?read_only=1").connect() as connection:
        assert connection.execute(sa.text(ASK)).fetchall() == ANSWER
        with pytest.raises(sa.exc.DBAPIError, match=r"read-?only"):
            connection.execute(sa.text("DELETE FROM orders"))


def test_the_schema_is_reflected(shop: Opens, kind: str) -> None:
    engine = shop()
    found = sa.inspect(engine)
    assert found.get_table_names() == ["customers", "orders"]
    assert [(c["name"], type(c["type"]).__name__) for c in found.get_columns("orders")] == [
        ("id", "INTEGER"),
        ("customer_id", "INTEGER"),
        ("amount", "DOUBLE" if kind == "sqlite" else "FLOAT"),
    ]
    assert found.get_pk_constraint("orders")["constrained_columns"] == ["id"]
    (key,) = found.get_foreign_keys("orders")
    assert (key["constrained_columns"], key["referred_table"], key["referred_columns"]) == (
        ["customer_id"],
        "customers",
        ["id"],
    )
    assert found.has_table("orders")
    assert not found.has_table("missing")
    with pytest.raises(sa.exc.NoSuchTableError):
        found.get_columns("missing")
    metadata = sa.MetaData()
    metadata.reflect(engine)
    orders = metadata.tables["orders"]
    with engine.connect() as connection:
        total = sa.select(sa.func.sum(orders.c.amount)).join(metadata.tables["customers"])
        assert connection.execute(total).scalar() == 36.5


def test_tables_of_askwhere_are_not_reflected(shop: Opens) -> None:
    engine = shop()
    with engine.begin() as connection:
        connection.execute(sa.text("SELECT ask_pin('how many orders', 'SELECT count(*) FROM orders')")).fetchall()
    found = sa.inspect(engine)
    assert found.get_table_names() == ["customers", "orders"]
    assert found.has_table("askwhere_pins")
    base = automap_base()
    base.prepare(autoload_with=engine)
    assert sorted(base.classes.keys()) == ["customers", "orders"]
    assert sorted(base.metadata.tables) == ["customers", "orders"]


def test_the_types_of_duckdb_are_reflected(tmp_path: Path) -> None:
    engine = sa.create_engine("askwhere+duckdb:///:memory:")
    columns = {
        "n": ("DECIMAL(10, 2)", sa.DECIMAL),
        "seen": ("TIMESTAMPTZ", sa.TIMESTAMP),
        "l": ("INTEGER[]", sa.types.NullType),
        "s": ("STRUCT(a INTEGER)", sa.types.NullType),
        "e": ("ENUM ('a b', 'c')", sa.VARCHAR),
        "u": ("UUID", postgresql.UUID),
    }
    with engine.begin() as connection:
        listed = ", ".join(f"{name} {kind}" for name, (kind, _) in columns.items())
        connection.execute(
            sa.text(f"CREATE TABLE t ({listed}, x TEXT NOT NULL DEFAULT 'y', UNIQUE (n, u), CHECK (n > 0))")
        )
        connection.execute(sa.text("COMMENT ON COLUMN t.x IS 'said'"))
        connection.execute(sa.text("COMMENT ON TABLE t IS 'of t'"))
        connection.execute(sa.text("CREATE VIEW v AS SELECT n FROM t"))
    found = sa.inspect(engine)
    by_name = {column["name"]: column for column in found.get_columns("t")}
    assert {name: type(by_name[name]["type"]) for name in columns} == {
        name: kind for name, (_, kind) in columns.items()
    }
    assert (by_name["n"]["type"].precision, by_name["n"]["type"].scale) == (10, 2)
    assert by_name["seen"]["type"].timezone
    assert (by_name["x"]["nullable"], by_name["x"]["default"], by_name["x"]["comment"]) == (False, "'y'", "said")
    assert found.get_unique_constraints("t") == [{"name": None, "column_names": ["n", "u"]}]
    assert found.get_table_comment("t") == {"text": "of t"}
    assert found.get_view_names() == ["v"]
    assert [column["name"] for column in found.get_columns("v", schema="main")] == ["n"]
    assert found.get_indexes("t") == found.get_check_constraints("t") == []
    engine.dispose()


def count(engine: sa.Engine) -> int:
    with engine.connect() as connection:
        return int(connection.execute(sa.text("SELECT count(*) FROM customers")).scalar_one())


def test_a_transaction_is_kept_or_forgotten_as_a_whole(shop: Opens) -> None:
    engine = shop()
    insert = sa.text("INSERT INTO customers VALUES (:id, 'Di', 'Peru')")
    with engine.begin() as connection:
        connection.execute(insert, [{"id": 4}, {"id": 5}])
    assert count(engine) == 5
    with engine.connect() as connection:
        connection.execute(insert, {"id": 6})
        connection.execute(sa.text("CREATE TABLE made (id INTEGER)"))
    assert count(engine) == 5
    assert not sa.inspect(engine).has_table("made")
    with engine.connect() as connection:
        connection.execute(insert, {"id": 6})
        connection.rollback()
        with pytest.raises(sa.exc.DBAPIError):
            connection.execute(insert, {"id": 1})
        connection.rollback()
        assert connection.execute(sa.text("SELECT ask_value('number of customers')")).scalar() in (5, "5")
    assert count(engine) == 5


def test_the_orm_writes_and_asks(shop: Opens) -> None:
    class Base(DeclarativeBase):
        pass

    class Customer(Base):
        __tablename__ = "customers"
        id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
        name: Mapped[str]
        country: Mapped[str]

    engine = shop()
    with Session(engine) as session:
        session.add(Customer(id=4, name="Di", country="Peru"))
        session.commit()
        session.get_one(Customer, 4).country = "Chile"
        session.commit()
        asked = sa.select(Customer).from_statement(sa.text("SELECT * FROM customers WHERE country = 'Chile'"))
        assert [c.name for c in session.scalars(asked)] == ["Di"]
        assert ("Chile", 1) in session.execute(sa.text(ASK)).fetchall()


@pytest.mark.slow
def test_each_connection_of_a_pool_asks_also_in_threads(shop: Opens) -> None:
    engine = shop(pool_size=4, max_overflow=0)
    assert isinstance(engine.pool, QueuePool)

    def work(_: int) -> list[Any]:
        found = []
        for _ in range(3):
            with engine.connect() as connection:
                found.append(connection.execute(sa.text(ASK)).fetchall())
        return found

    assert in_threads(work, range(6)) == [[ANSWER] * 3] * 6


@pytest.mark.slow
def test_a_question_on_one_connection_costs_a_model_one_answer(shop: Opens) -> None:
    import pandas as pd  # comes with `make test-all`; `make test` does without

    with Faulty((answer(reply(PER_COUNTRY)),)) as server:
        engine = shop(f"?model=openai:house&base_url={server.url}&method=sea", pool_size=1, max_overflow=0)
        for _ in range(3):
            assert pd.read_sql("SELECT * FROM ask('flurb')", engine).shape == (2, 2)
    assert len(server.requests) == 1


@pytest.mark.slow
def test_pandas_reads_and_writes(shop: Opens) -> None:
    import pandas as pd

    engine = shop()
    assert pd.read_sql(ASK, engine).to_dict("list")["country"] == ["Canada", "Norway"]
    asked = pd.read_sql(sa.text("SELECT * FROM ask(:q) ORDER BY 1"), engine, params={"q": "names of customers"})
    assert list(asked["name"]) == ["Ann", "Bo", "Cy"]
    days = pd.DataFrame({"day": pd.to_datetime(["2020-01-01", "2021-02-03"]), "n": [1, 2]})
    for _ in range(2):
        days.to_sql("days", engine, if_exists="replace", index=False)
    assert list(pd.read_sql_table("days", engine)["day"].dt.year) == [2020, 2021]
    assert list(pd.read_sql("SELECT * FROM ask('sum of n of days')", engine).iloc[0]) == [3]


def test_the_urls_are_known_wherever_it_is_installed() -> None:
    found = {
        point.name: point.load().__name__ for point in importlib.metadata.entry_points(group="sqlalchemy.dialects")
    }
    assert {"askwhere": "AskwhereSQLite", "askwhere.duckdb": "AskwhereDuckDB"}.items() <= found.items()


def test_a_file_of_the_other_engine_is_said(tmp_path: Path) -> None:
    duckdb.connect(str(tmp_path / "x.duckdb")).close()
    with pytest.raises(sa.exc.OperationalError, match=r"is a DuckDB database; its URL is askwhere\+duckdb:///"):
        sa.create_engine(f"askwhere:///{tmp_path}/x.duckdb").connect()
    with pytest.raises(sa.exc.OperationalError, match="there is no file"):
        sa.create_engine(f"askwhere:///{tmp_path}/missing.db").connect()
    with pytest.raises(AskError, match="there is no file"):
        sa.create_engine(f"askwhere+duckdb:///{tmp_path}/missing.duckdb").connect()
    assert not (tmp_path / "missing.duckdb").exists()
    with pytest.raises(sa.exc.ArgumentError, match="expected askwhere:///FILE"):
        sa.create_engine("askwhere://host/x.db").connect()


def test_a_savepoint_is_inside_a_transaction(shop: Opens, kind: str) -> None:
    if kind == "duckdb":
        return  # which has no savepoints
    engine = shop()
    with engine.connect() as connection:
        with connection.begin_nested():
            connection.execute(sa.text("DELETE FROM customers"))
        connection.rollback()
    assert count(engine) == 3


@pytest.mark.slow  # the page shows pandas too
def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reference.build(tmp_path)
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```py\n(.*?)```", (ROOT / "docs" / "sqlalchemy.md").read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(block, names)
    assert ("K2",) in names["rows"]
    names["engine"].dispose()


NOTEBOOK = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in json.load(open(sys.argv[1]))["cells"]:
    if cell["cell_type"] == "code":
        done = shell.run_cell("".join(cell["source"]))
        done.raise_error()
        if done.result is not None:
            print(done.result)
"""


@pytest.mark.slow
def test_the_notebook_runs(tmp_path: Path) -> None:
    reference.build(tmp_path)
    ran = subprocess.run(
        [sys.executable, "-c", NOTEBOOK, ROOT / "docs" / "examples" / "world.ipynb"],
        cwd=tmp_path,
        env=os.environ | {"PLOOMBER_STATS_ENABLED": "false", "IPYTHONDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert ran.returncode == 0, ran.stderr
    for found in ("Chongqing", "Africa", "8000", "United States"):
        assert found in ran.stdout


@pytest.mark.parametrize(
    ("sql", "value", "said"),
    [
        (
            "SELECT * FROM ask(:x)",
            "how many \ud800 customers",
            "half of a character ('\\ud800' at place 9), which no",
        ),
        ("SELECT :x", "\udfff", "a parameter has half of a character"),
        ("SELECT :x, '\ud800'", 1, "the statement has half of a character"),
        ("SELECT ask_sql(:x)", 10**30, "SQLite's integers have 64 bits, found one of 100: give it as a text"),
        ("SELECT :x", -(2**63) - 1, "SQLite's integers have 64 bits, found one of 64"),
    ],
)
def test_values_that_no_database_holds_are_errors_of_data(
    shop: Opens, kind: str, sql: str, value: Any, said: str
) -> None:
    with shop().connect() as connection:
        if kind == "sqlite":
            with pytest.raises(sa.exc.DataError) as raised:
                connection.execute(sa.text(sql), {"x": value})
            assert said in str(raised.value)
        elif isinstance(value, str) or "\ud800" in sql:
            with pytest.raises(sa.exc.ProgrammingError, match="cannot encode str as UTF-8, surrogate"):
                connection.execute(sa.text(sql), {"x": value})
        elif "ask" not in sql:
            assert connection.execute(sa.text(sql), {"x": value}).scalar() == value  # DuckDB's integers have 128 bits
        assert connection.execute(sa.text("SELECT :x"), {"x": 2**63 - 1}).scalar() == 2**63 - 1


@pytest.mark.parametrize(
    "value", [decimal.Decimal("1.50"), decimal.Decimal("NaN"), uuid.UUID(int=7), datetime.timedelta(1), {"a": 1}]
)
def test_values_of_other_types_are_errors_that_say_how_to_give_them(shop: Opens, kind: str, value: Any) -> None:
    """In SQLite they were APSW's own error, which SQLAlchemy does not translate."""
    with shop().connect() as connection:
        if kind == "sqlite":
            with pytest.raises(sa.exc.ProgrammingError, match=f"a parameter is a {type(value).__name__}, found "):
                connection.execute(sa.text("SELECT :x"), {"x": value})
        for given, type_ in ((decimal.Decimal("1.50"), sa.Numeric(10, 2)), (uuid.UUID(int=7), sa.Uuid())):
            asked = sa.text("SELECT :x AS x").bindparams(sa.bindparam("x", given, type_=type_)).columns(x=type_)
            assert connection.execute(asked).scalar() == given
        assert connection.execute(sa.text("SELECT :x"), {"x": bytearray(b"a")}).scalar() == b"a"
