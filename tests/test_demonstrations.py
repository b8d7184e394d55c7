"""Skeletons, entities, and the demonstrations that are chosen by them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sqlglot
from askwhere.engine import Column, Table
from askwhere.errors import SettingError
from askwhere.indexer.pins import Pin
from askwhere.pipeline.demonstrations import Demonstration, Pool, masked, masked_by_sql, of_pins, read
from askwhere.pipeline.skeleton import entities, skeleton
from sqlglot import exp

SHOP = (
    Table(("main", "customers"), (Column("id"), Column("name"), Column("country"))),
    Table(("main", "orders"), (Column("id"), Column("customer_id"), Column("amount"))),
)

SKELETONS = [
    ("SELECT name FROM customers", "SELECT _ FROM _"),
    ("select c.name AS n, count(*) from customers c group by c.name", "SELECT _, COUNT(*) FROM _ GROUP BY _"),
    ("SELECT * FROM orders WHERE amount > 5 AND id <> -1", "SELECT * FROM _ WHERE _ > _ AND _ <> _"),
    ("SELECT c.* FROM a JOIN b c ON a.x = c.y LIMIT 3", "SELECT * FROM _ JOIN _ ON _ = _ LIMIT _"),
    ("SELECT x FROM t WHERE y IN (SELECT z FROM u)", "SELECT _ FROM _ WHERE _ IN (SELECT _ FROM _)"),
    ("WITH w AS (SELECT 1) SELECT * FROM w", "WITH _ AS (SELECT _) SELECT * FROM _"),
    ("SELECT a FROM t EXCEPT SELECT b FROM u", "SELECT _ FROM _ EXCEPT SELECT _ FROM _"),
    ("SELECT count(DISTINCT a) FROM t ORDER BY b DESC", "SELECT COUNT(DISTINCT _) FROM _ ORDER BY _ DESC"),
    ("SELECT s.n FROM (SELECT n FROM t) AS s", "SELECT _ FROM (SELECT _ FROM _)"),
    ("this is no query at all (", ""),
]


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(("sql", "expected"), SKELETONS)
def test_a_skeleton_has_no_names_and_no_values(sql: str, expected: str, dialect: str) -> None:
    assert skeleton(sql, dialect) == expected
    assert skeleton(expected, "") == expected


ENTITIES = [
    ("SELECT name FROM customers", {"customers", "customers.name"}),
    ("SELECT c.NAME FROM Customers c", {"customers", "customers.name"}),
    (
        "SELECT c.name, sum(amount) FROM customers c JOIN orders o ON c.id = o.customer_id GROUP BY c.id",
        {"customers", "orders", "customers.name", "customers.id", "orders.customer_id", "orders.amount"},
    ),
    ("SELECT s.n FROM (SELECT name AS n FROM customers) s", {"customers", "customers.name"}),
    ("WITH w AS (SELECT amount FROM orders) SELECT amount FROM w", {"orders", "orders.amount"}),
    ("SELECT nothing FROM nowhere", set()),
    ("no query (", set()),
]


@pytest.mark.parametrize(("sql", "expected"), ENTITIES)
def test_entities_are_tables_and_columns_with_aliases_resolved(sql: str, expected: set[str]) -> None:
    assert entities(sql, "sqlite", SHOP) == expected


@pytest.mark.slow
def test_queries_of_spiders_training_set_have_their_skeleton_and_entities(data: Path) -> None:
    schemas = json.loads((data / "spider" / "tables.json").read_text())
    tables = {
        schema["db_id"]: [
            Table((name,), tuple(Column(c) for place, c in schema["column_names_original"] if place == number))
            for number, name in enumerate(schema["table_names_original"])
        ]
        for schema in schemas
    }
    lines = (data / "spider" / "train_spider.jsonl").read_text().splitlines()
    assert len(lines) == 7_000
    for line in lines[::4]:
        record = json.loads(line)
        found = skeleton(record["sql"], "sqlite")
        assert found, record["sql"]
        assert skeleton(found, "") == found
        assert skeleton(_renamed(record["sql"]), "") == found, record["sql"]
        if record["db_id"] in tables:
            assert entities(record["sql"], "sqlite", tables[record["db_id"]]), record["sql"]


def _renamed(sql: str) -> str:
    """The query with other names and other values."""
    tree = sqlglot.parse_one(sql, dialect="sqlite")
    for number, node in enumerate(tree.find_all(exp.Identifier)):
        node.replace(exp.to_identifier(f"name{number}"))
    for number, node in enumerate(tree.find_all(exp.Literal)):
        node.replace(exp.Literal.string(f"x{number}") if node.is_string else exp.Literal.number(number + 7))
    return tree.sql()


# ------------------------------------------------------------------------------------------------------ choosing them

POOL = Pool(
    [
        Demonstration("How many singers are there?", "SELECT count(*) FROM singer"),
        Demonstration("Count the concerts.", "SELECT count(*) FROM concert"),
        Demonstration("List the names of singers from France", "SELECT name FROM singer WHERE country = 'France'"),
        Demonstration("Names of singers by age", "SELECT name FROM singer ORDER BY age"),
    ],
    "sqlite",
)


def nearest(pool: Pool, question: str, k: int) -> tuple[Demonstration, ...]:
    return pool.first(pool.by_question(question), k, question)


def test_the_nearest_come_first_and_no_two_have_one_skeleton() -> None:
    found = nearest(POOL, "list singers from France", 3)
    assert found[0].question == "List the names of singers from France"
    assert "Count the concerts." not in {one.question for one in nearest(POOL, "how many singers", 4)}


def test_masked_questions_are_alike_whatever_they_are_about() -> None:
    question = masked("List the names of customers from Norway", ["customers", "names"], ["Norway"])
    assert question == "list the maskedname of maskedname from maskedvalue"
    assert POOL.first(POOL.by_mask(question), 1)[0].question == "List the names of singers from France"


def test_a_demonstration_is_masked_by_its_own_query() -> None:
    one = Demonstration("Which schools in Alameda have 5 teachers?", "SELECT s FROM schools WHERE county = 'Alameda'")
    assert masked_by_sql(one, "sqlite") == "which maskedname in maskedvalue have maskedvalue teachers"


def test_queries_of_another_dialect_are_written_in_the_databases_own() -> None:
    pool = Pool([Demonstration("years", "SELECT strftime('%Y', d) FROM t", "sqlite")], "duckdb")
    (one,) = nearest(pool, "years", 5)
    assert one.sql.startswith("SELECT STRFTIME(")
    assert "CAST(d AS TIMESTAMP)" in one.sql


def test_an_empty_pool_gives_none() -> None:
    assert nearest(Pool([], "sqlite"), "anything", 5) == ()
    one = Demonstration("?", "SELECT 1")
    assert nearest(Pool([one], "sqlite"), "anything", 5) == (one,)


def test_pins_are_demonstrations_but_for_those_with_parameters() -> None:
    pins = [Pin("how many", "SELECT 1"), Pin("sales of {x}", "SELECT {x}", {"x": "text"})]
    assert of_pins(pins, "sqlite") == (Demonstration("how many", "SELECT 1"),)


def test_the_values_of_pins_can_be_hidden() -> None:
    pins = [Pin("customers of Canada over 30", "SELECT name FROM c WHERE country = 'Canada' AND age > 30 -- Canada")]
    (one,) = of_pins(pins, "sqlite", lambda text: [])
    assert one == Demonstration("customers of ? over ?", "SELECT name FROM c WHERE country = ? AND age > ? ")


# -------------------------------------------------------------------------------------------------------------- files


def test_spiders_and_birds_files_are_read_as_they_are(tmp_path: Path) -> None:
    spider, bird, lines = tmp_path / "train.json", tmp_path / "bird.json", tmp_path / "own.jsonl"
    spider.write_text('[{"db_id": "x", "query": "SELECT 1", "question": "one", "query_toks": []}]')
    bird.write_text('[{"db_id": "x", "SQL": "SELECT 2", "question": "two", "evidence": "two is 2"}]')
    lines.write_text('{"question": "three", "sql": "SELECT 3", "dialect": "duckdb"}\n')
    assert read(str(spider)) == (Demonstration("one", "SELECT 1", "sqlite"),)
    assert read(str(bird)) == (Demonstration("two (two is 2)", "SELECT 2", "sqlite"),)
    assert read(str(lines)) == (Demonstration("three", "SELECT 3", "duckdb"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "expected a JSON array of questions, or one JSON object a line"),
        ('{"question": "x"}', r'line 1: expected {"question": "…", "sql": "…"}, found {"question": "x"}'),
        ("[1]", "element 0: expected"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    with pytest.raises(SettingError, match=message):
        read(str(file))
    with pytest.raises(SettingError, match=r"none\.json cannot be read"):
        read(str(tmp_path / "none.json"))
