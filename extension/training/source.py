"""Read what there is to train on: databases with their schemas and first rows, and people's questions about them.

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
from askwhere.pipeline.demonstrations import Demonstration
from askwhere.sql import parsing
from askwhere.training.borrow import borrow, schemas
from askwhere.training.infer import infer
from askwhere.training.scene import named
from askwhere.training.world import Entity, Field, Link, World
from sqlglot import exp
from sqlglot.errors import SqlglotError


@dataclass(frozen=True)
class Question:
    """A question with its query and the hint given with it (BIRD's evidence)."""

    text: str
    sql: str
    hint: str = ""

    @property
    def demonstration(self) -> Demonstration:
        """Return it as a demonstration for another question; the hint follows the question in parentheses."""
        return Demonstration(f"{self.text} ({self.hint})" if self.hint else self.text, self.sql)


@dataclass
class Source:
    """The databases with their schemas, and people's questions by database; other databases are invented."""

    worlds: list[World] = field(default_factory=list)
    asked: dict[str, list[Question]] = field(default_factory=dict)

    @cached_property
    def weights(self) -> list[float]:
        """Return the weights that worlds are drawn with: those with more questions of people are drawn more often."""
        return [1.0 + min(len(self.asked.get(world.name, ())), 100) / 20 for world in self.worlds]


# The names of the files with training questions, without their endings.
ASKED = ("train_spider", "syn_train", "archer_train")


def read(data: Path, also: Sequence[Path] = ()) -> Source:
    """Return the training questions in Spider's folder, with those of Spider-Syn and Archer if they are beside them.

    The files `also` hold questions without databases, which are inferred from the questions' SQL. Databases of the
    development set are left out with all their questions, so that it stays unseen. Raises `ArgumentError` without a
    development set.
    """
    asked: dict[str, list[Question]] = {}
    for item in (item for name in ASKED if _there(data, name) for item in sets.read(data, name)):
        if sql := plain(item.gold):
            asked.setdefault(item.db_id, []).append(Question(item.question, sql))
    unseen = {item.db_id for item in sets.read(data, "dev")}
    known = schemas(data / "tables.json")
    worlds = [
        borrow(path, known[name])
        for name in sorted(asked)
        if name not in unseen and name in known and (path := data / "databases" / name / f"{name}.sqlite").exists()
    ]
    for file in also:
        for name, questions in _without_databases(file).items():
            asked[name] = questions
            worlds.append(infer(name, [question.sql for question in questions]))
    return Source([world for world in worlds if any(e.rows for e in world.entities)], asked)


def _without_databases(file: Path) -> dict[str, list[Question]]:
    """Return the questions of a file by database.

    Names of databases begin with the file's, since another set may use the same names.
    """
    found: dict[str, list[Question]] = {}
    for item in sets.read(file):
        if sql := plain(item.gold):
            found.setdefault(f"{file.stem}/{item.db_id}", []).append(Question(item.question, sql, item.evidence))
    return found


def _there(data: Path, name: str) -> bool:
    return any((data / f"{name}.{kind}").exists() for kind in ("jsonl", "json"))


# The number of worlds held back, so that the loss on them shows what is learned about unseen databases.
KEPT = 8


def parted(source: Source, seed: int = 0) -> tuple[Source, Source]:
    """Return the source without the worlds held back, and a source with only those."""
    kept = set(random.Random(seed).sample(range(len(source.worlds)), min(KEPT, len(source.worlds) // 2)))
    learned = [world for at, world in enumerate(source.worlds) if at not in kept]
    return Source(learned, source.asked), Source([source.worlds[at] for at in sorted(kept)], source.asked)


def plain(sql: str) -> str:
    """Return a query in the form of generated ones: tables by name instead of alias, keywords in capitals.

    Returns '' for a query that cannot be parsed or written so.
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
    """Replace the aliases of a query's tables by the tables' names, if no table is named twice."""
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


# The first line of a file that `write` made.
_FORMAT = "askwhere training source 1"


def write(source: Source, path: Path) -> None:
    """Write a whole source into one compressed file; a file before it stays until the new one is whole."""
    with files.replacing(files.named(path)) as part, lzma.open(part, "wt", encoding="utf-8") as file:
        print(json.dumps(_FORMAT), file=file)
        for world in source.worlds:
            print(json.dumps(asdict(world)), file=file)
            print(json.dumps([asdict(question) for question in source.asked.get(world.name, ())]), file=file)


def load(path: Path) -> Source:
    """Return the source that `write` put into a file. Raises `ArgumentError` for any other file."""
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


def _world(record: dict[str, Any]) -> World:
    """Build a world from what JSON holds."""
    entities = tuple(
        Entity(
            **{
                **entity,
                "fields": tuple(Field(**column) for column in entity["fields"]),
                "rows": tuple(tuple(row) for row in entity["rows"]),
            }
        )
        for entity in record["entities"]
    )
    return World(record["name"], entities, tuple(Link(**link) for link in record["links"]))
