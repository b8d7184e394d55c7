"""Make the examples of the generation adapter: our own prompts for people's questions, with the queries to reply.

Questions about one database stand in groups whose prompts begin with the same schema. Half of the groups show it as the
product does; the others in another order, without some parts, with other names, or beside tables of another database.
"""

from __future__ import annotations

import contextlib
import random
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from askwhere.engine import Limits
from askwhere.errors import AskError
from askwhere.evaluation.databases import Database, Opener
from askwhere.grouping import grouped
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline import prompts
from askwhere.pipeline.binding.reading import bound
from askwhere.pipeline.facts import Linked
from askwhere.session import Question as Asked
from askwhere.sql.duckdb import DUCKDB
from askwhere.training import vary
from askwhere.training.linking import shown, shuffled
from askwhere.training.pairs import Pair, reply
from askwhere.training.source import Question, Source
from askwhere.training.style import GOLD, styled
from askwhere.training.world import World, fill

# The share of groups in DuckDB, and of groups whose schema is not shown as the product does.
IN_DUCKDB, VARIED = 0.3, 0.5
# The most questions of a group.
GROUP = 10
# Seconds for a query that is run to see whether it gives rows.
_SECONDS = 10.0
# The values shown beside a column of a varied schema; the product's default comes most often.
_BEST = (0, 1, 2, 2, 2, 3)


@dataclass(frozen=True)
class Group:
    """Questions about one database that are shown together, and the dialect to answer in."""

    world: World
    dialect: str
    varied: bool
    questions: tuple[Question, ...]


def groups(source: Source, seed: int) -> list[Group]:
    """Return all questions in groups, in random order; of questions with the same query one is drawn."""
    rng = random.Random(seed)
    found = [group for world in source.worlds for group in _of(world, source.asked.get(world.name, ()), rng)]
    rng.shuffle(found)
    return found


def _of(world: World, asked: Iterable[Question], rng: random.Random) -> Iterator[Group]:
    by_query = grouped((" ".join(question.sql.lower().split()), question) for question in asked)
    drawn = [rng.choice(alike) for alike in by_query.values()]
    rng.shuffle(drawn)
    for at in range(0, len(drawn), GROUP):
        dialect = DUCKDB.name if rng.random() < IN_DUCKDB else GOLD
        yield Group(world, dialect, rng.random() < VARIED, tuple(drawn[at : at + GROUP]))


def make(
    found: Sequence[Group], paths: Mapping[str, Path], opener: Opener, kept: frozenset[str], seed: int
) -> Iterator[Pair]:
    """Yield the examples of all groups; every other one is varied."""
    others = list({group.world.name: group.world for group in found}.values())
    for number, group in enumerate(found):
        rng, path = random.Random(f"{seed}/{number}"), paths[group.world.name]
        about = _varied(group, others, opener, rng) if group.varied else _as_sent(group, path, opener)
        for at, (linked, sql) in enumerate(about):
            if _binds(linked, sql):
                name = group.world.name
                yield Pair(f"{name}/{number}/{at}", name, prompts.generation(linked), reply(sql), True, name in kept)


def _binds(linked: Linked, sql: str) -> bool:
    """Return whether replies may be this query at all, where they are held to what binds."""
    reading = bound(linked.schema, linked.dialect).reading.after(sql.encode())
    return reading is not None and reading.ends


def _as_sent(group: Group, path: Path, opener: Opener) -> Iterator[tuple[Linked, str]]:
    """Yield questions as the product shows them, with their queries; queries without rows are left out."""
    with contextlib.closing(opener(path, group.dialect, {})) as database:
        session, engine = database.session, database.engine
        for one in group.questions:
            sql = _gold(one, session.catalog(engine), group.dialect)
            if sql and _rows(database, sql):
                yield session.shown(engine, Asked(one.text)), sql


def _gold(question: Question, catalog: Catalog, dialect: str) -> str:
    """Return the gold query in a dialect, its own where the set has one; '' where there is none."""
    own = question.golds.get(dialect)
    return styled(own or question.sql, catalog, dialect, dialect if own else GOLD)


def _varied(group: Group, others: Sequence[World], opener: Opener, rng: random.Random) -> Iterator[tuple[Linked, str]]:
    """Yield questions about the varied database with their queries, where these still run."""
    world, names = vary.varied(group.world, others, rng)
    view = shuffled(shown(world, group.dialect, rng.choice(_BEST)), rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "varied.sqlite"
        with contextlib.closing(sqlite3.connect(path)) as con:
            fill(con, world, GOLD)
            con.commit()
        with contextlib.closing(opener(path, group.dialect, {})) as database:
            for one in group.questions:
                sql = styled(names.query(one.sql) or "", view.catalog, group.dialect)
                if sql and _rows(database, sql) is not None:
                    yield view.linked(one.text), sql


def _rows(database: Database, sql: str) -> Sequence[object] | None:
    """Return the first rows of a query; None where it does not run."""
    engine = database.engine
    grant = database.session.catalog(engine).grant
    try:
        return engine.run(engine.check(sql, grant), grant, Limits(_SECONDS, 1)).rows
    except AskError:
        return None
