"""Read what there is to train on: databases with their schemas and first rows, and people's questions about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from askwhere.evaluation.sets import Item
from askwhere.grouping import grouped
from askwhere.training.borrow import borrow
from askwhere.training.world import World


@dataclass(frozen=True)
class Question:
    """A question with its gold query in SQLite, and those that its set has in other dialects, by name."""

    text: str
    sql: str
    golds: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Source:
    """The databases with their schemas, and people's questions by database."""

    worlds: list[World] = field(default_factory=list)
    asked: dict[str, list[Question]] = field(default_factory=dict)


def of(items: Iterable[Item], path_of: Callable[[str], Path | None]) -> Source:
    """Return the questions with their databases, of those whose file is a SQLite database that holds rows."""
    asked = grouped((item.db_id, Question(item.question, item.gold, item.golds)) for item in items)
    paths = {name: path_of(name) for name in sorted(asked)}
    worlds = [borrow(path, name) for name, path in paths.items() if path and path.suffix != ".duckdb"]
    return Source([world for world in worlds if any(e.rows for e in world.entities)], asked)
