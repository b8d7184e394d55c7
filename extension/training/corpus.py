"""A stream of texts to train on: worlds invented and borrowed, questions generated and asked by people.

Every part of the stream follows from a seed and its number, so that it goes on where it was left.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import sqlglot
import sqlglot.errors
from askwhere.evaluation import sets
from askwhere.pipeline.demonstrations import Demonstration
from askwhere.training import forms, tasks, vary
from askwhere.training.borrow import borrow, schemas
from askwhere.training.infer import infer
from askwhere.training.invent import invent
from askwhere.training.linking import Shown, shown, shuffled
from askwhere.training.scene import Scene, named
from askwhere.training.tasks import Known, Text
from askwhere.training.world import World, opened

# Worlds that are invented, among all.
INVENTED = 0.5
# Questions of a group, which are about one schema as it is shown.
GROUP = 10
_TRIES = 40


@dataclass(frozen=True)
class Question:
    """A question with its query, and what is told beside it (BIRD's evidence)."""

    text: str
    sql: str
    hint: str = ""

    @property
    def demonstration(self) -> Demonstration:
        """The same as an example for another question."""
        return Demonstration(f"{self.text} ({self.hint})" if self.hint else self.text, self.sql)


@dataclass(frozen=True)
class Group:
    """Texts over one database in one dialect, whose prompts begin alike."""

    texts: tuple[Text, ...]


@dataclass
class Source:
    """What there is to train on beside what is invented: databases with their schemas, and questions over them."""

    worlds: list[World] = field(default_factory=list)
    asked: dict[str, list[Question]] = field(default_factory=dict)

    @cached_property
    def weights(self) -> list[float]:
        """How often each world is drawn: those with questions of people more often."""
        return [1.0 + min(len(self.asked.get(world.name, ())), 100) / 20 for world in self.worlds]


# The files that training questions are in.
ASKED = ("train_spider", "syn_train", "archer_train")


def read(data: Path, also: Sequence[Path] = ()) -> Source:
    """The training questions in a folder of Spider's, with those of Spider-Syn and Archer where they are beside them.

    Questions in the files `also` have no databases: these are inferred from their SQL. Databases that the development
    set asks about are left out with all their questions. Raises `ArgumentError` where there is no development set.
    """
    asked: dict[str, list[Question]] = {}
    for item in (item for name in ASKED if _there(data, name) for item in sets.read(data, name)):
        if sql := plain(item.gold):
            asked.setdefault(item.db_id, []).append(Question(item.question, sql))
    kept_back = {item.db_id for item in sets.read(data, "dev")}
    known = schemas(data / "tables.json")
    worlds = [
        borrow(path, known[name])
        for name in sorted(asked)
        if name not in kept_back and name in known and (path := data / "databases" / name / f"{name}.sqlite").exists()
    ]
    for file in also:
        for name, questions in _without_databases(file).items():
            asked[name] = questions
            worlds.append(infer(name, [question.sql for question in questions]))
    return Source([world for world in worlds if any(e.rows for e in world.entities)], asked)


def _without_databases(file: Path) -> dict[str, list[Question]]:
    """The questions of a file by database, which is called by the file's name as well: another may have its name."""
    found: dict[str, list[Question]] = {}
    for item in sets.read(file):
        if sql := plain(item.gold):
            found.setdefault(f"{file.stem}/{item.db_id}", []).append(Question(item.question, sql, item.evidence))
    return found


def _there(data: Path, name: str) -> bool:
    return any((data / f"{name}.{kind}").exists() for kind in ("jsonl", "json"))


# Worlds that are held back, so that the loss on them tells what is learned of databases never seen.
KEPT = 8


def parted(source: Source, seed: int = 0) -> tuple[Source, Source]:
    """What is learned, and some databases with their questions that are not."""
    kept = set(random.Random(seed).sample(range(len(source.worlds)), min(KEPT, len(source.worlds) // 2)))
    learned = [world for at, world in enumerate(source.worlds) if at not in kept]
    return Source(learned, source.asked), Source([source.worlds[at] for at in sorted(kept)], source.asked)


def plain(sql: str) -> str:
    """A query in the one way that generated ones are written in: tables by their names, keywords in capitals.

    `''` where it cannot be read or has what cannot be written so.
    """
    try:
        tree = sqlglot.parse_one(sql, dialect="sqlite")
        for select in tree.find_all(sqlglot.exp.Select):
            _by_name(select)
        text = tree.sql(dialect="sqlite")
    except (sqlglot.errors.SqlglotError, RecursionError, KeyError):
        return ""
    return " ".join(text.split())


def _by_name(select: sqlglot.exp.Select) -> None:
    """Replace the aliases of a query's tables by the tables' names where no table stands there twice."""
    clause = select.args.get("from_") or select.args.get("from")
    if clause is None:
        return
    found = [clause.this, *(join.this for join in select.args.get("joins") or ())]
    if any(not isinstance(t, sqlglot.exp.Table) for t in found) or len({t.name.lower() for t in found}) < len(found):
        return
    names = {t.alias.lower(): t.name for t in found if t.alias}
    for column in select.find_all(sqlglot.exp.Column):
        if column.table.lower() in names and column.find_ancestor(sqlglot.exp.Select) is select:
            name = names[column.table.lower()]
            column.set("table", sqlglot.exp.to_identifier(name, quoted=named(name) != name))
    for table in found:
        table.set("alias", None)
    if len(found) == 1:
        for column in select.find_all(sqlglot.exp.Column):
            if column.find_ancestor(sqlglot.exp.Select) is select and column.table.lower() == found[0].name.lower():
                column.set("table", None)


class Corpus:
    """The stream. `group(i)` is its i-th part, the same whenever it is asked for."""

    def __init__(self, source: Source, seed: int = 0) -> None:
        self._source, self._seed = source, seed

    def group(self, number: int) -> Group:
        """Texts over one database, at least one."""
        rng = random.Random(f"{self._seed}/{number}")
        while True:
            texts = self._texts(rng)
            if texts:
                return Group(tuple(texts))

    def _texts(self, rng: random.Random) -> list[Text]:
        dialect = "duckdb" if rng.random() < 0.3 else "sqlite"
        asked: list[Question] = []
        if rng.random() < INVENTED or not self._source.worlds:
            world, _ = vary.varied(invent(rng), rng, invented=True)
        else:
            (drawn,) = rng.choices(self._source.worlds, self._source.weights)
            world, names = vary.varied(drawn, rng, invented=False)
            if dialect == "sqlite":
                asked = list(_called(self._source.asked.get(drawn.name, []), names, rng))
        view = shuffled(shown(world, dialect, rng.choice((0, 1, 2, 2, 2, 3))), rng)
        con = opened(world)
        try:
            return list(self._of(world, view, asked, con, rng))
        finally:
            con.close()

    def _of(
        self, world: World, view: Shown, asked: list[Question], con: sqlite3.Connection, rng: random.Random
    ) -> Iterator[Text]:
        asked = [question for question in asked if _prepares(con, question.sql)][: GROUP // 2]
        found = [*asked, *generated(world, view.dialect, GROUP, rng, con)]
        found = rng.sample(found, min(len(found), GROUP))
        for one in found:
            others = tuple(other.demonstration for other in found if other is not one)
            known = Known(view.linked(one.text, one.hint or None), one.sql, others)
            (task,) = rng.choices([task for task, _ in tasks.TASKS], [weight for _, weight in tasks.TASKS])
            text = task(known, rng, con if view.dialect == "sqlite" else None) or tasks.generation(known, rng, con)
            assert text is not None
            yield text


def _called(asked: Sequence[Question], names: vary.Names, rng: random.Random) -> Iterator[Question]:
    """Some questions of people, their queries with a database's new names."""
    for one in rng.sample(asked, min(len(asked), GROUP)):
        if (sql := names.query(one.sql)) is not None:
            yield Question(one.text, sql, one.hint)


def _prepares(con: sqlite3.Connection, sql: str) -> bool:
    """Whether the database has what the query names: it may have lost parts, or never had any rows."""
    try:
        con.execute(f"EXPLAIN {sql}").close()
    except sqlite3.Error:
        return False
    return True


def generated(world: World, dialect: str, many: int, rng: random.Random, con: sqlite3.Connection) -> list[Question]:
    """Questions over a world with their queries, none twice; those in SQLite give rows on the world's database."""
    scene = Scene(world, rng, dialect)
    found: dict[str, Question] = {}
    for _ in range(_TRIES):
        if len(found) == many:
            break
        pair = forms.question(scene)
        if pair is not None and pair[1] not in found and (dialect != "sqlite" or _gives_rows(con, pair[1])):
            found[pair[1]] = Question(*pair)
    return list(found.values())


def _gives_rows(con: sqlite3.Connection, sql: str) -> bool:
    row = con.execute(sql).fetchone()
    return row is not None and any(cell is not None for cell in row)
