"""Read what there is to train on: databases with their schemas and first rows, and people's questions about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from askwhere.evaluation import sets
from askwhere.training.borrow import borrow, schemas
from askwhere.training.world import World


@dataclass(frozen=True)
class Question:
    """A question with its query."""

    text: str
    sql: str


@dataclass
class Source:
    """The databases with their schemas, and people's questions by database."""

    worlds: list[World] = field(default_factory=list)
    asked: dict[str, list[Question]] = field(default_factory=dict)


# The names of the files with training questions, without their endings.
ASKED = ("train_spider", "syn_train", "archer_train")


def read(data: Path) -> Source:
    """Return the training questions in Spider's folder, with those of Spider-Syn and Archer if they are beside them.

    Databases of the development set are left out with all their questions, so that it stays unseen. Raises
    `ArgumentError` without a development set.
    """
    asked: dict[str, list[Question]] = {}
    for item in (item for name in ASKED if _there(data, name) for item in sets.read(data, name)):
        asked.setdefault(item.db_id, []).append(Question(item.question, item.gold))
    unseen = {item.db_id for item in sets.read(data, "dev")}
    known = schemas(data / "tables.json")
    worlds = [
        borrow(path, known[name])
        for name in sorted(asked)
        if name not in unseen and name in known and (path := data / "databases" / name / f"{name}.sqlite").exists()
    ]
    return Source([world for world in worlds if any(e.rows for e in world.entities)], asked)


def _there(data: Path, name: str) -> bool:
    return any((data / f"{name}.{kind}").exists() for kind in ("jsonl", "json"))
