"""Make the stream of texts to train on: worlds invented and borrowed, questions generated and asked by people.

Every group of the stream follows from the seed and its number, so that training can continue anywhere.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from askwhere.sql.duckdb import DUCKDB
from askwhere.training import forms, tasks, vary
from askwhere.training.invent import invent
from askwhere.training.linking import Shown, shown, shuffled
from askwhere.training.scene import Scene
from askwhere.training.source import Question, Source
from askwhere.training.tasks import Known, Text
from askwhere.training.world import OPENED, World, opened

# The share of worlds that are invented.
INVENTED = 0.5
# The number of questions in a group; all are about one schema, shown in one way.
GROUP = 10
_TRIES = 40


@dataclass(frozen=True)
class Group:
    """Texts over one database in one dialect; their prompts begin with the same schema."""

    texts: tuple[Text, ...]


class Corpus:
    """The stream: `group(i)` is its i-th part, the same each time."""

    def __init__(self, source: Source, seed: int = 0) -> None:
        self._source, self._seed = source, seed

    def group(self, number: int) -> Group:
        """Return texts over one database, at least one."""
        rng = random.Random(f"{self._seed}/{number}")
        while True:
            texts = self._texts(rng)
            if texts:
                return Group(tuple(texts))

    def _texts(self, rng: random.Random) -> list[Text]:
        """Return the texts of one group, which may be none; draws the world, its variation and the dialect."""
        dialect = DUCKDB.name if rng.random() < 0.3 else OPENED
        questions: list[Question] = []
        if rng.random() < INVENTED or not self._source.worlds:
            world, _ = vary.varied(invent(rng), rng, invented=True)
        else:
            (drawn,) = rng.choices(self._source.worlds, self._source.weights)
            world, names = vary.varied(drawn, rng, invented=False)
            if dialect == OPENED:
                questions = list(_called(self._source.asked.get(drawn.name, []), names, rng))
        view = shuffled(shown(world, dialect, rng.choice((0, 1, 2, 2, 2, 3))), rng)
        con = opened(world)
        try:
            return list(self._of(world, view, questions, con, rng))
        finally:
            con.close()

    def _of(
        self, world: World, view: Shown, questions: list[Question], con: sqlite3.Connection, rng: random.Random
    ) -> Iterator[Text]:
        """Yield a text for each question drawn.

        The task is drawn too; a task that cannot be made of the question is replaced by generation.
        """
        questions = [question for question in questions if _prepares(con, question.sql)][: GROUP // 2]
        found = [*questions, *generated(world, view.dialect, GROUP, rng, con)]
        found = rng.sample(found, min(len(found), GROUP))
        for one in found:
            others = tuple(other.demonstration for other in found if other is not one)
            known = Known(view.linked(one.text, one.hint or None), one.sql, others)
            (task,) = rng.choices([task for task, _ in tasks.TASKS], [weight for _, weight in tasks.TASKS])
            text = task(known, rng, con if view.dialect == OPENED else None) or tasks.generation(known, rng, con)
            assert text is not None
            yield text


def _called(questions: Sequence[Question], names: vary.Names, rng: random.Random) -> Iterator[Question]:
    """Yield some of people's questions, with their queries in the database's new names."""
    for one in rng.sample(questions, min(len(questions), GROUP)):
        if (sql := names.query(one.sql)) is not None:
            yield Question(one.text, sql, one.hint)


def _prepares(con: sqlite3.Connection, sql: str) -> bool:
    """Return whether SQLite can prepare a query: the world may have lost tables or columns that it names."""
    try:
        con.execute(f"EXPLAIN {sql}").close()
    except sqlite3.Error:
        return False
    return True


def generated(world: World, dialect: str, count: int, rng: random.Random, con: sqlite3.Connection) -> list[Question]:
    """Return generated questions with their queries, none twice.

    Queries in SQLite are run on the world's database and kept only if they give rows.
    """
    scene = Scene(world, rng, dialect)
    found: dict[str, Question] = {}
    for _ in range(_TRIES):
        if len(found) == count:
            break
        pair = forms.question(scene)
        if pair is not None and pair[1] not in found and (dialect != OPENED or _gives_rows(con, pair[1])):
            found[pair[1]] = Question(*pair)
    return list(found.values())


def _gives_rows(con: sqlite3.Connection, sql: str) -> bool:
    """Return whether a query gives a first row that is not all NULL."""
    row = con.execute(sql).fetchone()
    return row is not None and any(cell is not None for cell in row)
