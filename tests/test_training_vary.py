"""Databases changed for training: what is asked of them still runs, and means the same."""

from __future__ import annotations

import contextlib
import random
import sqlite3

from askwhere.training import corpus, infer, invent, vary, world
from askwhere.training.corpus import Question, Source
from askwhere.training.world import World
from hypothesis import given, settings
from hypothesis import strategies as st

SEEDS = st.integers(0, 10**9)


def rows(it: World, sql: str) -> list[tuple[object, ...]]:
    with contextlib.closing(world.opened(it)) as con:
        return con.execute(sql).fetchall()


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_a_query_gives_the_same_rows_under_other_names(seed: int) -> None:
    rng = random.Random(seed)
    it = invent.invent(rng)
    with contextlib.closing(world.opened(it)) as con:
        asked = corpus.generated(it, "sqlite", 5, rng, con)
    other, names = vary.renamed(it, rng)
    assert [len(e.rows) for e in other.entities] == [len(e.rows) for e in it.entities]
    for one in asked:
        if (sql := names.query(one.sql)) is not None:
            assert sorted(rows(other, sql), key=str) == sorted(rows(it, one.sql), key=str), (one.sql, sql)


def test_what_is_renamed_is_names_alone() -> None:
    names = vary.Names({"city": "towns"}, {"city": "townName", "name": "order"})
    assert names.query("SELECT city.city, name FROM city WHERE name = 'city' AND x = \"Rome\"") == (
        'SELECT towns.townName, "order" FROM towns WHERE "order" = \'city\' AND x = "Rome"'
    )
    assert names.query('SELECT city FROM city WHERE x = "name"') is None  # a column or a text
    assert names.query("SELECT FROM") is None


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, invented=st.booleans())
def test_a_changed_world_is_a_database(seed: int, invented: bool) -> None:
    rng = random.Random(seed)
    it, _ = vary.varied(invent.invent(rng), rng, invented)
    assert any(entity.rows and entity.label for entity in it.entities)
    for link in it.links:
        it.entity(link.child).field(link.column)
        it.entity(link.parent).field(link.key)
    with contextlib.closing(world.opened(it)) as con:
        for one in corpus.generated(it, "sqlite", 3, rng, con):
            con.execute(one.sql).fetchall()


BIRD = (
    "SELECT COUNT(*) FROM weather WHERE `date` = '2014-02-18' AND pressure < 30.5",
    "SELECT T1.sealevel FROM weather AS T1 JOIN relation AS T2 ON T1.station_nbr = T2.station_nbr WHERE store_nbr = 3",
    "SELECT name FROM store WHERE city LIKE '%Bonn%' AND `order` IN (1, 2)",
    "SELECT SUM(sealevel) FROM weather WHERE station_nbr IN (SELECT station_nbr FROM relation)",
)


def test_a_world_is_inferred_from_its_queries() -> None:
    queries = [corpus.plain(sql) for sql in BIRD]
    it = infer.infer("sales", queries)
    assert {e.name: {f.name: f.kind for f in e.fields} for e in it.entities} == {
        "weather": {
            "date": world.DATE, "pressure": world.MEASURE, "sealevel": world.COUNT, "station_nbr": world.KEY,
        },
        "relation": {"station_nbr": world.KEY, "store_nbr": world.COUNT},
        "store": {"name": world.NAME, "city": world.PLACE, "order": world.COUNT},
    }  # fmt: skip
    assert {(k.child, k.parent) for k in it.links} in ({("weather", "relation")}, {("relation", "weather")})
    assert it == infer.infer("sales", queries)
    for sql in queries:
        rows(it, sql)
    assert rows(it, queries[2].replace("SELECT name", "SELECT COUNT(*)").partition(" AND ")[0]) != [(0,)]


def test_what_cannot_be_read_says_nothing() -> None:
    assert infer.infer("none", ["SELECT FROM", "", "DELETE"]).entities == ()


def test_questions_of_people_stand_in_the_texts_with_what_is_told_beside_them() -> None:
    sql = [corpus.plain(one) for one in BIRD]
    asked = [Question(f"What about case {n}?", one, f"case {n} is told") for n, one in enumerate(sql)]
    stream = corpus.Corpus(Source([infer.infer("sales", sql)], {"sales": asked}))
    prompts = [text.prompt for number in range(30) for text in stream.group(number).texts]
    assert any(f"What about case {n}?\n### Hint: case {n} is told" in prompt for prompt in prompts for n in range(4))


def test_a_query_of_people_that_the_database_no_longer_has_is_left_out() -> None:
    con = sqlite3.connect(":memory:")
    con.execute("CREATE TABLE a (x)")
    assert corpus._prepares(con, "SELECT x FROM a")
    assert not corpus._prepares(con, "SELECT y FROM a")
    con.close()
