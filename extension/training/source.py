"""What there is to train on: databases with their schemas and first rows, and the questions of people over them.

It is read from the files of the data sets, or from one small file that `write` made of them.
"""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from askwhere import files
from askwhere.errors import ArgumentError
from askwhere.evaluation import sets
from askwhere.guard import parsing
from askwhere.pipeline.demonstrations import Demonstration
from askwhere.training.borrow import borrow, schemas
from askwhere.training.infer import infer
from askwhere.training.scene import named
from askwhere.training.world import Entity, Field, Link, World
from sqlglot import exp
from sqlglot.errors import SqlglotError


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
        tree = parsing.statement(sql, "sqlite")
        for select in tree.find_all(exp.Select):
            _by_name(select)
        text = tree.sql(dialect="sqlite")
    except (SqlglotError, RecursionError, KeyError):
        return ""
    return " ".join(text.split())


def _by_name(select: exp.Select) -> None:
    """Replace the aliases of a query's tables by the tables' names where no table stands there twice."""
    clause = select.args.get("from_") or select.args.get("from")
    if clause is None:
        return
    found = [clause.this, *(join.this for join in select.args.get("joins") or ())]
    if any(not isinstance(t, exp.Table) for t in found) or len({t.name.lower() for t in found}) < len(found):
        return
    names = {t.alias.lower(): t.name for t in found if t.alias}
    for column in select.find_all(exp.Column):
        if column.table.lower() in names and column.find_ancestor(exp.Select) is select:
            name = names[column.table.lower()]
            column.set("table", exp.to_identifier(name, quoted=named(name) != name))
    for table in found:
        table.set("alias", None)
    if len(found) == 1:
        for column in select.find_all(exp.Column):
            if column.find_ancestor(exp.Select) is select and column.table.lower() == found[0].name.lower():
                column.set("table", None)


# What the first line of a file that `write` made says.
_FORMAT = "askwhere training source 1"


def write(source: Source, path: Path) -> None:
    """Put all of a source into one compressed file, to travel; what was there stays until the file is whole."""
    with files.replacing(files.named(path)) as part, lzma.open(part, "wt", encoding="utf-8") as file:
        print(json.dumps(_FORMAT), file=file)
        for world in source.worlds:
            print(json.dumps(asdict(world)), file=file)
            print(json.dumps([asdict(question) for question in source.asked.get(world.name, ())]), file=file)


def load(path: Path) -> Source:
    """The source that `write` put into a file. Raises `ArgumentError` for any other file."""
    source = Source()
    try:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        if lines[:1] != [_FORMAT]:
            raise ValueError
        for world, asked in zip(lines[1::2], lines[2::2], strict=True):
            source.worlds.append(_world(world))
            source.asked[world["name"]] = [Question(**question) for question in asked]
    except (OSError, EOFError, ValueError, TypeError, KeyError, lzma.LZMAError) as exc:
        reason = f" ({exc})" if str(exc) else ""
        raise ArgumentError(
            f"{path} is neither a folder of questions nor a file that `askwhere train read` wrote{reason}"
        ) from None
    return source


def _world(told: dict[str, Any]) -> World:
    entities = tuple(
        Entity(
            **{
                **entity,
                "fields": tuple(Field(**column) for column in entity["fields"]),
                "rows": tuple(tuple(row) for row in entity["rows"]),
            }
        )
        for entity in told["entities"]
    )
    return World(told["name"], entities, tuple(Link(**link) for link in told["links"]))
