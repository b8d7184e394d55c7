"""A stream of texts to train on: worlds invented and borrowed, questions generated and asked by people.

Every part of the stream follows from a seed and its number, so that it goes on where it was left.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from askwhere.training import forms, tasks, vary
from askwhere.training.invent import invent
from askwhere.training.linking import Shown, shown, shuffled
from askwhere.training.scene import Scene
from askwhere.training.source import Question, Source
from askwhere.training.tasks import Known, Text
from askwhere.training.world import World, opened

# Worlds that are invented, among all.
INVENTED = 0.5
# Questions of a group, which are about one schema as it is shown.
GROUP = 10
_TRIES = 40


@dataclass(frozen=True)
class Group:
    """Texts over one database in one dialect, whose prompts begin alike."""

    texts: tuple[Text, ...]


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
