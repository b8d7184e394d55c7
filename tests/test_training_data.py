"""Questions are generated with queries that run, over invented databases and borrowed ones, in both engines."""

from __future__ import annotations

import contextlib
import json
import random
import sqlite3
from pathlib import Path

import apsw
import duckdb
import pytest
from askwhere.pipeline import prompts
from askwhere.training import corpus, forms, invent, linking, scene, source, tasks, world
from askwhere.training.borrow import borrow
from askwhere.training.world import Entity, Field, World
from hypothesis import example, given, settings
from hypothesis import strategies as st

SEEDS = st.integers(0, 10**9)


def filled(it: World, dialect: str) -> sqlite3.Connection | duckdb.DuckDBPyConnection:
    if dialect == "sqlite":
        return world.opened(it)
    con = duckdb.connect(":memory:", config={"threads": 1})
    world.fill(con, it, "duckdb")
    return con


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@settings(max_examples=25)
@given(seed=SEEDS)
def test_every_generated_query_runs_on_its_database(dialect: str, seed: int) -> None:
    rng = random.Random(seed)
    it = invent.invent(rng)
    with contextlib.closing(filled(it, dialect)) as con:
        for _ in range(20):
            if (pair := forms.question(scene.Scene(it, rng, dialect))) is not None:
                question, sql = pair
                con.execute(sql).fetchall()
                assert question.strip()
                assert "  " not in question


@pytest.mark.slow
@pytest.mark.parametrize("form", [form for form, _ in forms.FORMS], ids=lambda form: form.__name__)
def test_every_form_is_generated(form: forms.Form) -> None:
    made = 0
    for seed in range(300):
        rng = random.Random(seed)
        it = invent.invent(rng)
        with contextlib.closing(world.opened(it)) as con:
            if (pair := form(scene.Scene(it, rng, "sqlite"))) is not None:
                con.execute(pair[1]).fetchall()
                made += 1
    assert made >= 3


def test_what_is_learned_gives_rows() -> None:
    rng = random.Random(1)
    for _ in range(10):
        it = invent.invent(rng)
        with contextlib.closing(world.opened(it)) as con:
            for one in corpus.generated(it, "sqlite", 5, rng, con):
                assert con.execute(one.sql).fetchone() is not None


NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters='"\0', exclude_categories=("Cs", "Cc")), min_size=1, max_size=12
)


@settings(max_examples=50)
@example(names=["COLLATE", "check", "Current_Date", "summarize"], seed=0)
@given(names=st.lists(NAMES, min_size=4, max_size=4, unique_by=str.lower), seed=SEEDS)
def test_names_of_any_kind_are_written_so_that_they_run(names: list[str], seed: int) -> None:
    table, key, name, number = names
    fields = (Field(key, "id", world.KEY), Field(name, "name", world.NAME), Field(number, "size", world.COUNT))
    rows = ((1, "Ann", 5), (2, "Bob O'Hara", 7), (3, None, None))
    it = World("any", (Entity(table, "thing", "things", fields, key, rows),), ())
    with contextlib.closing(world.opened(it)) as con:
        for i in range(10):
            if (pair := forms.question(scene.Scene(it, random.Random(seed + i), "sqlite"))) is not None:
                con.execute(pair[1]).fetchall()


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_a_keyword_is_a_name_when_written_so(dialect: str) -> None:
    with contextlib.closing(filled(World("none", (), ()), dialect)) as con, duckdb.connect() as words:
        keywords = {word for (word,) in words.execute("SELECT keyword_name FROM duckdb_keywords()").fetchall()}
        for word in sorted(keywords | {word.lower() for word in apsw.keywords}):
            name = scene.named(word)
            table = Entity(word, "thing", "things", (Field(word, "id", world.KEY),), word, ((1,),))
            world.fill(con, World("any", (table,), ()), dialect)
            assert con.execute(f"SELECT {name}.{name} FROM {name} ORDER BY {name}").fetchall() == [(1,)]
            con.execute(f'DROP TABLE "{word}"')


def test_domains_say_what_refers_to_what() -> None:
    for domain in invent.DOMAINS:
        names = {thing.one for thing in domain.things}
        for thing in domain.things:
            assert {relation.to for relation in thing.relations} <= names
            assert thing.facts


def test_the_same_number_gives_the_same_texts() -> None:
    nothing = source.Source()
    assert corpus.Corpus(nothing, 3).group(7) == corpus.Corpus(nothing, 3).group(7)
    assert corpus.Corpus(nothing, 3).group(7) != corpus.Corpus(nothing, 4).group(7)


def test_prompts_are_the_products_own() -> None:
    rng = random.Random(5)
    it = invent.invent(rng)
    view = linking.shown(it, "sqlite")
    linked = view.linked("How many are there?")
    text = tasks.generation(tasks.Known(linked, "SELECT COUNT(*) FROM x"), rng, None)
    assert text == tasks.Text(prompts.generation(linked), "```sql\nSELECT COUNT(*) FROM x\n```")
    for entity in it.entities:
        assert f"CREATE TABLE {entity.name} (" in text.prompt


@pytest.mark.slow
@pytest.mark.parametrize("task", [task for task, _ in tasks.TASKS], ids=lambda task: task.__name__)
def test_every_task_is_made(task: tasks.Task) -> None:
    rng, found = random.Random(2), []
    for _ in range(20):
        it = invent.invent(rng)
        view = linking.shown(it, "sqlite")
        with contextlib.closing(world.opened(it)) as con:
            pairs = corpus.generated(it, "sqlite", 5, rng, con)
            for pair in pairs:
                known = tasks.Known(
                    view.linked(pair.text), pair.sql, tuple(p.demonstration for p in pairs if p is not pair)
                )
                found.append(task(known, rng, con))
    made = [text for text in found if text is not None]
    assert len(made) > 5
    assert all(text.prompt and text.reply.startswith((" ", "```sql\n")) for text in made)


def test_queries_of_people_are_written_like_generated_ones() -> None:
    sql = "SELECT T1.name ,  count(*) FROM singer AS T1 JOIN song AS T2 ON T1.id  =  T2.singer_id GROUP BY T1.name"
    assert source.plain(sql) == (
        "SELECT singer.name, COUNT(*) FROM singer JOIN song ON singer.id = song.singer_id GROUP BY singer.name"
    )
    assert source.plain("SELECT T1.a FROM t AS T1 JOIN t AS T2 ON T1.a = T2.b") == (
        "SELECT T1.a FROM t AS T1 JOIN t AS T2 ON T1.a = T2.b"
    )
    assert source.plain("SELECT FROM WHERE") == ""


def test_a_database_is_borrowed_with_its_words(tmp_path: Path) -> None:
    path = tmp_path / "shop.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as con:
        con.execute("CREATE TABLE Cust (cid INTEGER PRIMARY KEY, nm TEXT, city TEXT, born DATE)")
        con.execute("CREATE TABLE Ord (oid INTEGER PRIMARY KEY, cid INTEGER, amt REAL)")
        con.executemany("INSERT INTO Cust VALUES (?, ?, ?, ?)", [(i, f"N{i}", "Rome", "2001-02-03") for i in range(5)])
        con.executemany("INSERT INTO Ord VALUES (?, ?, ?)", [(i, i % 5, i / 4) for i in range(9)])
        con.commit()
    schema = {
        "db_id": "shop", "table_names_original": ["Cust", "Ord"], "table_names": ["customers", "order"],
        "column_names_original": [[-1, "*"], [0, "cid"], [0, "nm"], [0, "city"], [0, "born"],
            [1, "oid"], [1, "cid"], [1, "amt"]],
        "column_names": [[-1, "*"], [0, "id"], [0, "name"], [0, "city"], [0, "birth date"],
            [1, "id"], [1, "customer id"], [1, "amount"]],
        "primary_keys": [1, 5], "foreign_keys": [[6, 1]],
    }  # fmt: skip
    it = borrow(path, schema)
    customers, orders = it.entities
    assert (customers.one, customers.many, customers.key) == ("customer", "customers", "cid")
    assert [f.kind for f in customers.fields] == [world.KEY, world.NAME, world.PLACE, world.DATE]
    assert [f.kind for f in orders.fields] == [world.KEY, world.KEY, world.MEASURE]
    assert [(k.child, k.parent) for k in it.links] == [("Ord", "Cust")]


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_queries_over_the_training_databases_run(dialect: str, data: Path) -> None:
    rng = random.Random(0)
    for it in source.read(data / "spider").worlds[::4]:
        with contextlib.closing(filled(it, dialect)) as con:
            for _ in range(10):
                if (pair := forms.question(scene.Scene(it, rng, dialect))) is not None:
                    con.execute(pair[1]).fetchall()


@pytest.mark.slow
def test_nothing_of_the_development_sets_is_learned(data: Path) -> None:
    folder = data / "spider"
    files = (folder / f"{name}.jsonl" for name in ("dev", "realistic", "syn_dev", "dk"))
    kept = {json.loads(line)["db_id"] for file in files for line in file.read_text().splitlines()}
    names = {it.name for it in source.read(folder).worlds}
    assert len(names) > 100
    assert not names & kept
