"""Read sets of questions with gold SQL from the files of Spider, BIRD and KaggleDBQA, and from JSON lines."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from askwhere.errors import ArgumentError
from askwhere.frozen import frozen
from askwhere.indexer.pins import Pin
from askwhere.sql.dialects import KNOWN
from askwhere.user_files import records, text_of

# Folders beside a file of questions that may hold its databases: ours, Spider's, BIRD's, and Spider's test set.
FOLDERS = ("databases", "database", "dev_databases", "train_databases", "test_databases", "test_database")
SUFFIXES = (".sqlite", ".db", ".duckdb")
QUESTIONS = (".jsonl", ".json")
# The dialect of gold queries.
DIALECT = "sqlite"
# Names of the gold query; the first one with a text counts, since Spider's `sql` is a parsed tree.
GOLD = ("sql", "SQL", "query")


@frozen
class Item:
    """One question of a set.

    `gold` is the gold query in the SQL of `DIALECT`; `golds` are those that the set has in other dialects, by name.
    `evidence` is the hint that BIRD gives with a question; `difficulty` is the level that the set states.
    """

    id: str
    db_id: str
    question: str
    gold: str
    evidence: str = ""
    difficulty: str = ""
    golds: Mapping[str, str] = field(default_factory=dict)


def named(path: Path) -> Path:
    """Return the path NAME or, if nothing is there, NAME.jsonl or NAME.json if that is a file."""
    return path if path.exists() else next((p for p in map(path.with_suffix, QUESTIONS) if p.is_file()), path)


def read(path: Path, split: str = "dev") -> tuple[Item, ...]:
    """Return the questions of a file, or those of a folder's files for `split`.

    A question without `db_id` is about the database that has the file's name, and is beside it.
    Raise `ArgumentError`, which names the place and what was expected there.
    """
    files = _files(path, split) if path.is_dir() else [path]
    items = tuple(item for file in files for item in _items(file))
    twice = [id_ for id_, count in Counter(item.id for item in items).items() if count > 1]
    if twice:
        raise ArgumentError(f"{path}: the id {twice[0]!r} stands for several questions")
    if not items:
        raise ArgumentError(f"{path} holds no questions")
    return items


def _files(folder: Path, split: str) -> list[Path]:
    """Return the files of a folder that hold the questions of a split."""
    for name in (f"{split}.jsonl", f"{split}.json"):
        if (folder / name).is_file():
            return [folder / name]
    files = sorted((folder / "examples").glob(f"*_{split}.json"))  # KaggleDBQA has a file for each database
    if files:
        return files
    present = sorted(p.name for p in folder.glob("*.json*"))
    listed = f"; there are {', '.join(present[:12])}" if present else ""
    raise ArgumentError(f"{folder} has no {split}.jsonl, {split}.json or examples/*_{split}.json{listed}")


def _items(file: Path) -> Iterator[Item]:
    """Yield the questions of a file. Raise `ArgumentError` where it cannot be read."""
    try:
        text = text_of(file, "a file of questions", "utf-8-sig")
    except FileNotFoundError:
        raise ArgumentError(f"there is no file {file}") from None
    except (OSError, UnicodeDecodeError) as exc:
        raise ArgumentError(f"{file} cannot be read as a file of questions: {exc}") from None
    own = {"db_id": file.stem} if database([file.parent], file.stem) else {}
    for number, (place, record) in enumerate(records(file, text)):
        yield _item(own | record if isinstance(record, dict) else record, place, f"{file.stem}-{number}")


def _item(record: Any, place: str, id_: str) -> Item:
    """Build the question of one record; `id_` is its id if the record has none."""
    if not isinstance(record, dict):
        raise ArgumentError(f"{place}: expected an object with question, db_id and sql, found {str(record)[:80]!r}")
    gold = next((record[name] for name in GOLD if isinstance(record.get(name), str) and record[name].strip()), None)
    missing = [name for name in ("question", "db_id") if not isinstance(record.get(name), str)]
    if missing or gold is None:
        absent = ", ".join((*missing, *(["its SQL as sql, SQL or query"] if gold is None else [])))
        raise ArgumentError(f"{place} lacks {absent}; it has {', '.join(map(str, record))}")
    given = record.get("id", record.get("question_id"))
    return Item(
        id=id_ if given is None else str(given),
        db_id=record["db_id"],
        question=record["question"].strip(),
        gold=gold.strip(),
        evidence=str(record.get("evidence") or "").strip(),
        difficulty=str(record.get("difficulty") or ""),
        golds={name: str(sql) for name in KNOWN if (sql := record.get(f"sql_{name}"))},
    )


def of_pins(pins: Iterable[Pin], db_id: str) -> tuple[Item, ...]:
    """Return the pins of a database as questions, without patterns and follow-ups."""
    plain = [pin for pin in pins if pin.whole]
    return tuple(Item(f"pin-{number}", db_id, pin.question, pin.sql) for number, pin in enumerate(plain))


def chosen(
    items: Sequence[Item], only: Sequence[str], without: Sequence[str], sample: int | None, seed: int
) -> tuple[Item, ...]:
    """Return the questions about some databases, or a sample of them in the set's order.

    Raise `ArgumentError` for an unknown database and where no question is left.
    """
    known = {item.db_id for item in items}
    if unknown := [name for name in (*only, *without) if name not in known]:
        raise ArgumentError(f"there are no questions about {', '.join(unknown)}; there are: {', '.join(sorted(known))}")
    left = [item for item in items if (not only or item.db_id in only) and item.db_id not in without]
    if not left:
        raise ArgumentError("no questions are left to be asked")
    if sample is None or sample >= len(left):
        return tuple(left)
    return tuple(left[place] for place in sorted(random.Random(seed).sample(range(len(left)), sample)))


def places(path: Path, given: Path | None) -> tuple[Path, ...]:
    """Return the folders that may hold a set's databases: the one given, or those of `FOLDERS` and the questions' own.

    Raise `ArgumentError` if the given folder does not exist.
    """
    if given is not None:
        if not given.is_dir():
            raise ArgumentError(f"there is no folder {given}")
        return (given,)
    own = path if path.is_dir() else path.parent
    folders = [folder / name for folder in (own, own.parent) for name in FOLDERS if (folder / name).is_dir()]
    return (*folders, own)


def database(folders: Iterable[Path], db_id: str) -> Path | None:
    """Return the file of a database, or None: FOLDER/NAME/NAME.sqlite, as the data sets have it, or FOLDER/NAME.sqlite.

    >>> database([], "world") is None
    True
    """
    if Path(db_id).name != db_id:
        return None  # a path could lead out of the folder
    for folder in folders:
        for suffix in SUFFIXES:
            for path in (folder / db_id / f"{db_id}{suffix}", folder / f"{db_id}{suffix}"):
                if path.is_file():
                    return path
    return None


def suite(path: Path) -> tuple[Path, ...]:
    """Return the databases that Spider's test suite runs a query on (rule 4).

    These are all files beside `path` with '.sqlite' in their names, if the folder has the database's name.
    """
    if path.parent.name != path.stem:
        return (path,)
    others = (p for p in sorted(path.parent.iterdir()) if ".sqlite" in p.name and p != path)
    return (path, *(p for p in others if not p.name.endswith(("-wal", "-shm", "-journal", ".askwhere"))))


def fingerprint(path: Path) -> str:
    """Return a digest of a file: of all its bytes, or, above 64 MB, of its size and 64 pieces of 1 MB."""
    piece = 1 << 20
    size = path.stat().st_size
    whole = size <= 64 * piece
    digest = hashlib.blake2b(str(size).encode(), digest_size=16)
    with path.open("rb") as file:
        for number in range(64 if not whole else size // piece + 1):
            file.seek(number * piece if whole else (size - piece) * number // 63)
            digest.update(file.read(piece))
    return digest.hexdigest()
