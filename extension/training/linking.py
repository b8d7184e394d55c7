"""Show a world as the product's prompts do: its catalog, its value index, and a question linked to both."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from askwhere.engine import Column, ForeignKey, Grant, Table
from askwhere.indexer import build
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import Match, ValueIndex
from askwhere.pipeline.facts import Linked
from askwhere.pipeline.link import enhance, examples_of
from askwhere.sql.dialects import named
from askwhere.training.world import DATE, Entity, World

# Tokens for a prompt's schema, so that it fits a small model's context with question and reply.
ROOM = 1_200


@dataclass(frozen=True)
class Shown:
    """A world as prompts of one dialect show it.

    `catalog` has tables and columns in the order shown; `best` is the number of values shown for a column.
    """

    catalog: Catalog
    values: ValueIndex
    dialect: str
    best: int = 2

    @cached_property
    def examples(self) -> tuple[Match, ...]:
        """Return the values that stand beside their columns."""
        return examples_of(self.values, self.best)

    def linked(self, question: str) -> Linked:
        """Return the question with its semantic-enhanced schema, as the product's prompts have it."""
        base = Linked(question, None, self.dialect, self.catalog, self.values, self.catalog)
        return enhance(base, "show", ROOM, self.examples, self.best)


def shown(world: World, dialect: str, best: int = 2) -> Shown:
    """Return a world as prompts of a dialect show it, with tables and columns in their own order."""
    tables = tuple(_table(world, entity, dialect) for entity in world.entities)
    index = build.MemorySink()
    build.write(_values(world, tables, dialect), index)
    return Shown(Catalog(tables, Grant(tables)), index.index(), dialect, best)


def shuffled(view: Shown, rng: random.Random) -> Shown:
    """Return it with its tables, sometimes also their columns, in another order, and sometimes without foreign keys."""
    tables = list(view.catalog.tables)
    rng.shuffle(tables)
    if rng.random() < 0.3:
        tables = [replace(t, columns=tuple(rng.sample(t.columns, len(t.columns)))) for t in tables]
    if rng.random() < 0.15:
        tables = [replace(t, foreign_keys=()) for t in tables]
    return replace(view, catalog=Catalog(tuple(tables), Grant(tuple(tables))))


def _table(world: World, entity: Entity, dialect: str) -> Table:
    """Return the catalog's table of an entity."""
    links = world.links_from(entity.name)
    keys = tuple(ForeignKey((link.column,), ("main", link.parent), (link.key,)) for link in links)
    columns = tuple(Column(f.name, entity.type_in(dialect, f)) for f in entity.fields)
    path = ("main", entity.name)
    return Table(
        path, columns, primary_key=(entity.key,) if entity.key else (), foreign_keys=keys, rows=len(entity.rows)
    )


def _values(world: World, tables: tuple[Table, ...], dialect: str) -> Iterator[build.ColumnValues]:
    for entity, table in zip(world.entities, tables, strict=True):
        for field, column in zip(entity.fields, table.columns, strict=True):
            texts = {v for v in entity.column(field.name) if isinstance(v, str) and v}
            if texts and not (named(dialect).static_types and field.kind == DATE):
                yield build.ColumnValues(table, column, sorted(texts))
