"""Databases changed for training: what is asked of them still runs, and means the same."""

from __future__ import annotations

import contextlib
import lzma
import random
import sqlite3
from pathlib import Path

import pytest
from askwhere.errors import ArgumentError
from askwhere.training import corpus, infer, invent, source, vary, world
from askwhere.training.source import Question, Source
from askwhere.training.world import World
from hypothesis import given, settings
from hypothesis import strategies as st

SEEDS = st.integers(0, 10**9)


def rows(it: World, sql: str) -> list[tuple[object, ...]]:
    with contextlib.closing(world.opened(it)) as con:
        return con.execute(sql).fetchall()


@settings(max_examples=40)
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


@settings(max_examples=40)
@given(seed=SEEDS, invented=st.booleans())
def test_a_changed_world_is_a_database(seed: int, invented: bool) -> None:
    rng = random.Random(seed)
    it, _ = vary.varied(invent.invent(rng), rng, invented)
    assert any(entity.rows for entity in it.entities)
    for link in it.links:
        it.entity(link.child).field(link.column)
        it.entity(link.parent).field(link.key)
    with contextlib.closing(world.opened(it)) as con:
        for one in corpus.generated(it, "sqlite", 3, rng, con):
            con.execute(one.sql).fetchall()


BIRD = (
    "SELECT COUNT(*) FROM weather WHERE `date` = '2014-02-18' AND pressure < 30.5",
    "SELECT w.sealevel FROM weather AS w JOIN relation AS r ON w.station_nbr = r.station_nbr WHERE r.store_nbr = 3",
    "SELECT name FROM store WHERE city LIKE '%Bonn%' AND `order` IN (1, 2)",
    "SELECT SUM(sealevel) FROM weather WHERE station_nbr IN (SELECT station_nbr FROM relation)",
)


def test_a_world_is_inferred_from_its_queries() -> None:
    queries = [source.plain(sql) for sql in BIRD]
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
    sql = [source.plain(one) for one in BIRD]
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


def test_a_source_travels_in_one_file(tmp_path: Path) -> None:
    it = invent.invent(random.Random(1))
    told = Source([it, infer.infer("sales", BIRD)], {it.name: [Question("How many?", "SELECT 1", "so many")]})
    source.write(told, tmp_path / "source.xz")
    again = source.load(tmp_path / "source.xz")
    assert again.worlds == told.worlds
    assert {name: asked for name, asked in again.asked.items() if asked} == told.asked
    assert corpus.Corpus(again).group(3) == corpus.Corpus(told).group(3)
    assert [path.name for path in tmp_path.iterdir()] == ["source.xz"]


def test_another_file_is_no_source(tmp_path: Path) -> None:
    for number, content in enumerate(
        (b"", b"{}", lzma.compress(b"{}"), lzma.compress(b'"askwhere training source 1"\n{}\n[]'))
    ):
        path = tmp_path / f"{number}"
        path.write_bytes(content)
        with pytest.raises(ArgumentError, match="nor a file that `askwhere train read` wrote"):
            source.load(path)
    with pytest.raises(ArgumentError, match="is neither a folder of questions nor"):
        source.load(tmp_path / "missing")
