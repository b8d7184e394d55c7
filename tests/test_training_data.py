"""What adapters learn from: databases borrowed and varied, and people's queries in the style of replies."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from pathlib import Path

import apsw
import duckdb
import pytest
from askwhere.bindings.opening import open_database
from askwhere.engine import Grant
from askwhere.evaluation import sets
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.binding.reading import bound
from askwhere.training import examples, linking, style, vary, world
from askwhere.training.borrow import borrow
from askwhere.training.source import Question, Source
from askwhere.training.world import Entity, Field, Link, World
from hypothesis import given, settings
from hypothesis import strategies as st

SEEDS = st.integers(0, 10**9)


def filled(it: World, dialect: str) -> sqlite3.Connection | duckdb.DuckDBPyConnection:
    con = sqlite3.connect(":memory:") if dialect == "sqlite" else duckdb.connect(":memory:", config={"threads": 1})
    world.fill(con, it, dialect)
    return con


def shop() -> World:
    """Customers and their orders."""
    customers = Entity(
        "Cust", "customer", "customers",
        (Field("cid", "id", type="INTEGER"), Field("nm", "name", world.NAME), Field("city", "city")),
        "cid", tuple((n, f"N{n}", ("Rome", "Oslo")[n % 2]) for n in range(1, 6)),
    )  # fmt: skip
    orders = Entity(
        "Ord", "order", "orders",
        (Field("oid", "id", type="INTEGER"), Field("cid", "customer id", type="INTEGER"), Field("amt", "amount")),
        "oid", tuple((n, n % 5 + 1, n + 0.5) for n in range(1, 10)),
    )  # fmt: skip
    return World("shop", (customers, orders), (Link("Ord", "cid", "Cust", "cid"),))


QUERIES = (
    'SELECT nm FROM cust WHERE city  =  "Rome"',
    "SELECT T1.nm ,  count(*) FROM cust AS T1 JOIN ord AS T2 ON T1.cid  =  T2.cid GROUP BY T1.cid",
    "SELECT avg(amt) FROM ord WHERE cid NOT IN (SELECT cid FROM cust WHERE nm = 'N1')",
    "SELECT nm FROM cust ORDER BY city",
)


# ----------------------------------------------------------------------------------------------------------- databases


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_a_keyword_is_a_name_when_written_so(dialect: str) -> None:
    with contextlib.closing(filled(World("none", (), ()), dialect)) as con, duckdb.connect() as words:
        keywords = {word for (word,) in words.execute("SELECT keyword_name FROM duckdb_keywords()").fetchall()}
        for word in sorted(keywords | {word.lower() for word in apsw.keywords}):
            name = style.written(word)
            table = Entity(word, "thing", "things", (Field(word, "id", type="INTEGER"),), word, ((1,),))
            world.fill(con, World("any", (table,), ()), dialect)
            assert con.execute(f"SELECT {name}.{name} FROM {name} ORDER BY {name}").fetchall() == [(1,)]
            con.execute(f'DROP TABLE "{word}"')


def test_a_database_is_borrowed_with_its_words_and_keys(tmp_path: Path) -> None:
    path = tmp_path / "shop.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as con:
        con.execute(
            "CREATE TABLE Customers (cid INTEGER PRIMARY KEY, custName TEXT, city TEXT, born DATE, up AS (upper(city)))"
        )
        con.execute(
            "CREATE TABLE Ord_addr (no INTEGER, cid INTEGER REFERENCES customers, amt REAL, PRIMARY KEY (no, cid))"
        )
        con.execute("CREATE TABLE notes (cid TEXT REFERENCES Customers (CID), other INTEGER REFERENCES nowhere (id))")
        con.executemany("INSERT INTO Customers VALUES (?, ?, 'Rome', '2001-02-03')", [(i, f"N{i}") for i in range(5)])
        con.executemany("INSERT INTO Ord_addr VALUES (?, ?, ?)", [(i, i % 5, i / 4) for i in range(9)])
        con.execute("INSERT INTO notes VALUES ('x', 1)")
        con.commit()
    it = borrow(path, "shop")
    customers, orders, notes = it.entities
    assert (customers.one, customers.many, customers.key) == ("customer", "customers", "cid")
    assert (orders.one, orders.key, len(orders.rows), notes.key) == ("order address", "", 9, "")
    assert [f.words for f in customers.fields] == ["cid", "customer name", "city", "born"]
    assert [f.kind for f in customers.fields] == [world.OTHER, world.NAME, world.OTHER, world.DATE]
    assert [f.type for f in orders.fields] == ["INTEGER", "INTEGER", "REAL"]
    assert it.links == (Link("Ord_addr", "cid", "Customers", "cid"),)


@pytest.mark.slow
def test_nothing_of_the_development_sets_is_in_the_training_sets(data: Path) -> None:
    kept, names = (
        {item.db_id for name in split for item in sets.read(data / "spider", name)}
        for split in (("dev", "realistic", "syn_dev", "dk"), ("train_spider", "syn_train", "archer_train"))
    )
    assert len(names) > 100
    assert not names & kept


def test_gold_of_the_dialect_comes_before_a_transpiled_one() -> None:
    catalog = linking.shown(shop(), "duckdb").catalog
    question = Question("Who?", "SELECT nm FROM cust WHERE cid = 1", {"duckdb": "SELECT c.nm FROM cust c LIMIT 1"})
    assert examples._gold(question, catalog, "duckdb") == "SELECT nm FROM Cust LIMIT 1"
    assert examples._gold(question, catalog, "sqlite") == "SELECT nm FROM Cust WHERE cid = 1"


# ---------------------------------------------------------------------------------------------------------- variations


@settings(max_examples=40)
@given(seed=SEEDS)
def test_a_query_gives_the_same_rows_under_other_names(seed: int) -> None:
    other, names = vary.renamed(shop(), random.Random(seed))
    with contextlib.closing(filled(shop(), "sqlite")) as old, contextlib.closing(filled(other, "sqlite")) as new:
        for sql in QUERIES[1:]:
            assert new.execute(names.query(sql) or "").fetchall() == old.execute(sql).fetchall()


def test_what_is_renamed_is_names_alone() -> None:
    names = vary.Names({"city": "towns"}, {"city": "townName", "name": "order"})
    assert names.query("SELECT city.city, name FROM city WHERE name = 'city' AND x = \"Rome\"") == (
        'SELECT towns.townName, "order" FROM towns WHERE "order" = \'city\' AND x = "Rome"'
    )
    assert names.query('SELECT city FROM city WHERE x = "name"') is None  # a column or a text
    assert names.query("SELECT FROM") is None


@settings(max_examples=40)
@given(seed=SEEDS)
def test_a_changed_world_is_a_database(seed: int) -> None:
    other = World("none", (Entity("a", "a", "as", (Field("b", "b"),), "", ((1,),)),), ())
    it, _ = vary.varied(shop(), [other], random.Random(seed))
    assert any(entity.rows for entity in it.entities)
    for link in it.links:
        columns = {(entity.name, field.name) for entity in it.entities for field in entity.fields}
        assert {(link.child, link.column), (link.parent, link.key)} <= columns
    filled(it, "sqlite").close()


# ------------------------------------------------------------------------------------------------------------- queries


@pytest.mark.parametrize(
    ("sql", "sqlite", "duckdb_"),
    [
        (QUERIES[0], "SELECT nm FROM Cust WHERE city = 'Rome'", "SELECT nm FROM Cust WHERE city = 'Rome'"),
        (
            QUERIES[1],
            "SELECT Cust.nm, COUNT(*) FROM Cust JOIN Ord ON Cust.cid = Ord.cid GROUP BY Cust.cid",
            "",  # the name is neither grouped by nor aggregated
        ),
        (
            "SELECT T1.nm FROM cust AS T1 INNER JOIN cust AS T2 ON T1.city = T2.city WHERE T2.nm IS NOT NULL",
            *["SELECT T1.nm FROM Cust AS T1 JOIN Cust AS T2 ON T1.city = T2.city WHERE T2.nm IS NOT NULL"] * 2,
        ),
        (QUERIES[3], *["SELECT nm FROM Cust ORDER BY city"] * 2),
        ("SELECT FROM WHERE", "", ""),
    ],
)
def test_queries_are_written_in_one_style(sql: str, sqlite: str, duckdb_: str) -> None:
    catalog = linking.shown(shop(), "sqlite").catalog
    assert style.styled(sql, catalog, "sqlite") == sqlite
    assert style.styled(sql, catalog, "duckdb") == duckdb_


def test_a_name_of_no_table_stays_as_it_is() -> None:
    assert style.styled("SELECT a FROM t", Catalog((), Grant(())), "sqlite") == "SELECT a FROM t"


@pytest.mark.parametrize("seed", range(3))
def test_examples_bind_and_stand_in_groups_that_begin_alike(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "shop.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as con:
        world.fill(con, shop(), "sqlite")
        con.commit()
    asked = [Question(f"Question {n}?", sql) for n, sql in enumerate(QUERIES)]
    groups = examples.groups(Source([shop()], {"shop": [*asked, *asked]}), seed)
    assert [len(group.questions) for group in groups] == [len(QUERIES)]
    made = list(examples.make(groups, {"shop": path}, open_database, frozenset({"shop"}), seed))
    assert made
    for pair in made:
        assert pair.held_back
        assert pair.prompt.partition("CREATE TABLE")[0] == made[0].prompt.partition("CREATE TABLE")[0]
        assert pair.reply.startswith("```sql\nSELECT ")


def test_what_replies_may_not_be_is_not_learned() -> None:
    view = linking.shown(shop(), "sqlite")
    linked = view.linked("How many?")
    assert bound(view.catalog, "sqlite")
    assert examples._binds(linked, "SELECT nm FROM Cust")
    assert not examples._binds(linked, "SELECT nm FROM Ord")
    assert not examples._binds(linked, "SELECT nm FROM")
