"""What adapters learn from: people's queries in the style of replies, and prompts of the product for them."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from pathlib import Path

import pytest
from askwhere.bindings.opening import open_database
from askwhere.engine import Column, Grant, Table
from askwhere.evaluation import sets
from askwhere.evaluation.sets import Item
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.facts import Linked
from askwhere.session import Question
from askwhere.training import examples, style, vary
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.slow

SHOP = """
CREATE TABLE Cust (cid INTEGER PRIMARY KEY, nm TEXT, city TEXT);
CREATE TABLE Ord (oid INTEGER PRIMARY KEY, cid INTEGER REFERENCES Cust (cid), amt REAL);
INSERT INTO Cust VALUES (1, 'N1', 'Oslo'), (2, 'N2', 'Rome'), (3, 'N3', 'Oslo');
INSERT INTO Ord VALUES (1, 1, 1.5), (2, 2, 2.5), (3, 3, 3.5), (4, 1, 4.5);
"""
QUERIES = (
    'SELECT nm FROM cust WHERE city  =  "Rome"',
    "SELECT T1.nm ,  count(*) FROM cust AS T1 JOIN ord AS T2 ON T1.cid  =  T2.cid GROUP BY T1.cid",
    "SELECT avg(amt) FROM ord WHERE cid NOT IN (SELECT cid FROM cust WHERE nm = 'N1')",
    "SELECT nm FROM cust ORDER BY city",
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A database of customers and their orders."""
    path = tmp_path / "shop.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as con:
        con.executescript(SHOP)
    return path


def catalog(path: Path, engine: str = "sqlite") -> Catalog:
    with contextlib.closing(open_database(path, engine, {})) as database:
        return database.session.catalog(database.engine)


@pytest.fixture
def linked(shop: Path) -> Linked:
    """A question about the shop, as its prompt would show it."""
    with contextlib.closing(open_database(shop, "sqlite", {})) as database:
        return database.session.shown(database.engine, Question("How many?"))


@pytest.mark.slow
def test_nothing_of_the_development_sets_is_in_the_training_sets(data: Path) -> None:
    kept, names = (
        {item.db_id for name in split for item in sets.read(data / "spider", name)}
        for split in (("dev", "realistic", "syn_dev", "dk"), ("train_spider", "syn_train", "archer_train"))
    )
    assert len(names) > 100
    assert not names & kept


def test_gold_of_the_dialect_comes_before_a_transpiled_one(shop: Path) -> None:
    found, golds = catalog(shop), {"duckdb": "SELECT c.nm FROM cust c LIMIT 1"}
    item = Item("1", "shop", "Who?", "SELECT nm FROM cust WHERE cid = 1", golds=golds)
    assert examples._gold(item, found, "duckdb") == "SELECT nm FROM Cust LIMIT 1"
    assert examples._gold(item, found, "sqlite") == "SELECT nm FROM Cust WHERE cid = 1"


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**9))
def test_a_varied_schema_has_keys_between_its_own_tables_and_distinct_names(linked: Linked, seed: int) -> None:
    stranger = Table(("main", "Alien"), (Column("a", "TEXT"),))
    found, _ = vary.varied(linked, [stranger], random.Random(seed))
    for table in found.schema.tables:
        columns = [column.name.lower() for column in table.columns]
        assert len(set(columns)) == len(columns)
        for key in table.foreign_keys:
            target = found.schema.by_path[key.target]
            assert {name.lower() for name in key.columns} <= set(columns)
            assert {*key.target_columns} <= {column.name for column in target.columns}
    assert len({table.name.lower() for table in found.schema.tables}) == len(found.schema.tables)


@pytest.mark.parametrize("seed", range(20))
def test_a_query_gives_the_same_rows_under_other_names(shop: Path, linked: Linked, seed: int) -> None:
    _, names = vary.varied(linked, (), random.Random(seed))
    with contextlib.closing(sqlite3.connect(shop)) as con:
        before = [con.execute(sql).fetchall() for sql in QUERIES[1:]]
        for table, columns in (("Cust", ("cid", "nm", "city")), ("Ord", ("oid", "cid", "amt"))):
            for column in columns:
                con.execute(f'ALTER TABLE {table} RENAME COLUMN {column} TO "{names.column(column)}"')
            con.execute(f"ALTER TABLE {table} RENAME TO other")  # SQLite refuses a name in other capitals alone
            con.execute(f'ALTER TABLE other RENAME TO "{names.path((table,))[0]}"')
        assert [con.execute(names.query(sql, "sqlite")).fetchall() for sql in QUERIES[1:]] == before


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
def test_queries_are_written_in_one_style(shop: Path, sql: str, sqlite: str, duckdb_: str) -> None:
    assert style.styled(sql, catalog(shop), "sqlite") == sqlite
    assert style.styled(sql, catalog(shop), "duckdb") == duckdb_


def test_a_name_of_no_table_stays_as_it_is() -> None:
    assert style.styled("SELECT a FROM t", Catalog((), Grant(())), "sqlite") == "SELECT a FROM t"


@pytest.mark.parametrize("seed", range(3))
def test_examples_bind_and_stand_in_groups_that_begin_alike(shop: Path, seed: int) -> None:
    items = [Item(str(n), "shop", f"Question {n}?", sql) for n, sql in enumerate((*QUERIES, *QUERIES))]
    groups = examples.groups(items, seed)
    assert [len(group.items) for group in groups] == [len(QUERIES)]
    made = list(examples.make_examples(groups, {"shop": shop}, open_database, frozenset({"shop"}), seed))
    assert made
    for pair in made:
        assert pair.held_out
        assert pair.prompt.partition("### Question")[0] == made[0].prompt.partition("### Question")[0]
        assert pair.reply.startswith("```sql\nSELECT ")


def test_what_replies_may_not_be_is_not_learned(linked: Linked) -> None:
    assert examples._binds(linked, "SELECT nm FROM Cust")
    assert not examples._binds(linked, "SELECT nm FROM Ord")
    assert not examples._binds(linked, "SELECT nm FROM")
