"""Make training pairs for the generation adapter: the product's own prompts for people's questions, with gold queries.

Questions about one database form groups whose prompts begin with the same schema. Half of the groups show it as the
product does; the others show it in another order, with parts missing, with other names, or with tables of another
database added.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from askwhere.engine import Limits, Table
from askwhere.errors import AskError
from askwhere.evaluation.databases import Database, Opener
from askwhere.evaluation.sets import Item
from askwhere.frozen import frozen
from askwhere.grouping import grouped
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline import prompts
from askwhere.pipeline.binding.reading import bound
from askwhere.pipeline.facts import Linked
from askwhere.session import Question
from askwhere.sql.duckdb import DUCKDB
from askwhere.training import vary
from askwhere.training.pairs import Pair, reply
from askwhere.training.style import GOLD, styled

# The share of groups in DuckDB, and of groups whose schema is varied.
IN_DUCKDB, VARIED = 0.3, 0.5
# The most questions of a group.
GROUP = 10
# Seconds for a query that is run to see whether it gives rows.
_SECONDS = 10.0


@frozen
class Group:
    """Questions about the database `db_id` whose prompts begin with the same schema, and the dialect of the replies."""

    db_id: str
    dialect: str
    is_varied: bool
    items: tuple[Item, ...]


def groups(items: Iterable[Item], seed: int) -> list[Group]:
    """Return the questions in groups, in random order; of questions with the same query, one is drawn."""
    rng = random.Random(seed)
    by_database = grouped((item.db_id, item) for item in items)
    listed = [group for name in sorted(by_database) for group in _groups_of(name, by_database[name], rng)]
    rng.shuffle(listed)
    return listed


def _groups_of(db_id: str, items: Iterable[Item], rng: random.Random) -> Iterator[Group]:
    """Yield the questions about one database in groups, one question for each query."""
    by_query = grouped((" ".join(item.gold.lower().split()), item) for item in items)
    drawn = [rng.choice(group) for group in by_query.values()]
    rng.shuffle(drawn)
    for at in range(0, len(drawn), GROUP):
        dialect = DUCKDB.name if rng.random() < IN_DUCKDB else GOLD
        yield Group(db_id, dialect, rng.random() < VARIED, tuple(drawn[at : at + GROUP]))


def make_examples(
    listed: Sequence[Group], paths: Mapping[str, Path], opener: Opener, held_out: frozenset[str], seed: int
) -> Iterator[Pair]:
    """Yield a pair for each question of the groups, whose databases are in `paths`.

    Pairs of the databases `held_out` are not trained on. Tables added to a varied schema come from the database of
    an earlier group.
    """
    before: dict[str, tuple[Table, ...]] = {}
    for number, group in enumerate(listed):
        with contextlib.closing(opener(paths[group.db_id], group.dialect, {})) as database:
            strangers = before.get(group.dialect, ())
            before[group.dialect] = database.session.catalog(database.engine).tables
            for at, (linked, sql) in enumerate(_shown(database, group)):
                if group.is_varied:  # in the same way for all questions of the group
                    linked, names = vary.varied(linked, strangers, random.Random(f"{seed}/{number}"))
                    sql = styled(names.query(sql, group.dialect), linked.schema, group.dialect, group.dialect)
                if sql and _binds(linked, sql):
                    name = f"{group.db_id}/{number}/{at}"
                    yield Pair(name, group.db_id, prompts.generation(linked), reply(sql), True, group.db_id in held_out)


def _shown(database: Database, group: Group) -> Iterator[tuple[Linked, str]]:
    """Yield questions with what the product's prompt shows, and their queries; queries without rows are left out."""
    session, engine = database.session, database.engine
    for item in group.items:
        sql = _gold(item, session.catalog(engine), group.dialect)
        if sql and _has_rows(database, sql):
            yield session.shown(engine, Question(item.question)), sql


def _binds(linked: Linked, sql: str) -> bool:
    """Return whether a constrained reply could be this query (`pipeline.binding`)."""
    reading = bound(linked.schema, linked.dialect).reading.after(sql.encode())
    return reading is not None and reading.ends


def _gold(item: Item, catalog: Catalog, dialect: str) -> str:
    """Return the gold query in a dialect: the set's own, else a transpiled one; '' where that is not possible."""
    own = item.golds.get(dialect)
    return styled(own or item.gold, catalog, dialect, dialect if own else GOLD)


def _has_rows(database: Database, sql: str) -> bool:
    """Return whether a query runs and gives rows."""
    engine = database.engine
    grant = database.session.catalog(engine).grant
    try:
        return bool(engine.run(engine.check(sql, grant), grant, Limits(_SECONDS, 1)).rows)
    except AskError:
        return False
