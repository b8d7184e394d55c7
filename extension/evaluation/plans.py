"""Plan a run: turn what a user asks for into a header, the questions, and the files of their databases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import field
from pathlib import Path
from typing import Any

import askwhere
from askwhere import settings as settings_
from askwhere.errors import ArgumentError
from askwhere.evaluation import identity, sets
from askwhere.evaluation.databases import Opener
from askwhere.evaluation.judge import OF_SQLITE, SCORES, SLOW
from askwhere.evaluation.records import Excluded, Header
from askwhere.evaluation.sets import Item
from askwhere.frozen import frozen
from askwhere.sql.dialects import HEAD, dialect_of

# The default limit for a question, in seconds.
SECONDS = 300.0
# Settings that keep an evaluation from writing into the databases that it asks.
READ_ONLY = {"log": "connection", "remember": "connection"}


@frozen
class Request:
    """A run as a user asks for it; fields that `Header` has too mean the same here.

    `set` is a file of questions, a folder with the file of a `split`, or a database whose pins are the questions.
    `databases` is the folder of the databases, None for one beside the questions. `engine` is None for the engine of
    the files. `settings` are given by name, with model, method and effort. `seconds` is None for `SECONDS`, or a minute
    more than the setting `max_seconds` if that is longer. `score` decides what is right; None is BIRD's rule where all
    questions have a difficulty, as BIRD's do, else Spider's. `more` names slow scores to compute.
    """

    set: Path
    split: str = "dev"
    databases: Path | None = None
    engine: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    sample: int | None = None
    seed: int = 0
    seconds: float | None = None
    query_seconds: float = 30.0
    score: str | None = None
    more: tuple[str, ...] = ()
    evidence: str = "hint"
    prices: tuple[float, ...] = ()


@frozen
class Plan:
    """A run to be made: its header and questions, and the settings as given.

    `paths` and `prints` are the file and fingerprint of each database by name; `missing` are questions whose database
    was not found.
    """

    header: Header
    items: tuple[Item, ...]
    paths: Mapping[str, Path]
    prints: Mapping[str, str]
    settings: Mapping[str, Any] = field(default_factory=dict)
    missing: tuple[Excluded, ...] = ()


def plan(request: Request, opener: Opener) -> Plan:
    """Return the plan of a run.

    Raise `ArgumentError` and other `AskError`s, with the reason.
    """
    settings = {**request.settings, **READ_ONLY}
    resolved = settings_.load(settings)
    resolved.check_method()
    items, paths = _pins(request.set, opener) if _kind(request.set) else _questions(request)
    items = sets.chosen(items, request.only, request.without, request.sample, request.seed)
    asked = tuple(item for item in items if item.db_id in paths)
    if not asked:
        raise ArgumentError(
            f"found none of the databases {', '.join(sorted({item.db_id for item in items}))}, which may be"
            f" {', '.join(f'NAME{suffix}' for suffix in sets.SUFFIXES)} beside the questions; name another folder with"
            " --databases"
        )
    used = {name: paths[name] for name in sorted({item.db_id for item in asked})}
    prints = {name: sets.fingerprint(path) for name, path in used.items()}
    engine = request.engine or _kind(next(iter(used.values()))) or sets.DIALECT
    header = Header(
        set=str(request.set),
        split=request.split if request.set.is_dir() else "",
        databases=str(request.databases or ""),
        only=request.only,
        without=request.without,
        engine=engine,
        method=resolved["method"],
        effort=resolved["effort"],
        model=identity.model(resolved),
        settings=identity.changed_settings(resolved),
        evidence=request.evidence,
        sample=request.sample,
        seed=request.seed,
        seconds=request.seconds or max(SECONDS, resolved["max_seconds"] + 60.0),
        query_seconds=request.query_seconds,
        scores=_scores(request, asked, engine),
        prices=request.prices,
        version=askwhere.__version__,
        source=identity.source(asking=False),
        parts=identity.parts(),
        data=identity.data(asked, prints),
    )
    missing = (Excluded(i.id, i.db_id, "its database is not there") for i in items if i.db_id not in paths)
    return Plan(header, asked, used, prints, settings, tuple(missing))


def _kind(path: Path) -> str:
    """Return the name of the engine that a file is for, '' for one that is no database."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        dialect = dialect_of(file.read(HEAD))
    return dialect.name if dialect else ""


def _pins(path: Path, opener: Opener) -> tuple[tuple[Item, ...], dict[str, Path]]:
    """Return the pins of a database as questions, and the database's path by its name."""
    with closing(opener(path, _kind(path), READ_ONLY)) as database:
        items = sets.of_pins((pin for pin, _ in database.session.pins(database.engine)), path.stem)
    if not items:
        raise ArgumentError(
            f"{path} has no pins to measure by: pin some questions, or name a file of questions with gold SQL"
        )
    return items, {path.stem: path}


def _questions(request: Request) -> tuple[tuple[Item, ...], dict[str, Path]]:
    """Return the questions of a set, and the paths of the databases that were found by name."""
    items = sets.read(request.set, request.split)
    folders = sets.places(request.set, request.databases)
    databases = {name: sets.database(folders, name) for name in {item.db_id for item in items}}
    return items, {name: path for name, path in databases.items() if path}


def _scores(request: Request, items: Sequence[Item], engine: str) -> tuple[str, ...]:
    """Return the names of the scores to compute; the first one decides what is right."""
    known = (*SCORES, *SLOW)
    if unknown := [name for name in (request.score, *request.more) if name and name not in known]:
        raise ArgumentError(f"there is no score {unknown[0]!r}; expected one of {', '.join(known)}")
    first = request.score or ("bird_ex" if all(item.difficulty for item in items) else "spider_ex")
    names = tuple(dict.fromkeys((first, *SCORES, *request.more)))
    if engine != sets.DIALECT and (only := OF_SQLITE.intersection(names)):
        raise ArgumentError(f"the score {min(only)} is made on SQLite alone; leave it out, or --engine duckdb")
    return names
