"""What asking the pins as if they were not pinned has shown: how sure answers were, and whether they were right."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from askwhere.engine import Storage, quote
from askwhere.indexer.formats import Kind, prepare, readable, understood

KIND = Kind(
    "askwhere_calibration",
    (("CREATE TABLE {0}askwhere_calibration (asked TEXT NOT NULL, answers TEXT NOT NULL, made_at TEXT NOT NULL)",),),
)


@dataclass(frozen=True)
class Calibration:
    """The answers to a database's pins: of each its estimate (0 to 1), and whether its rows were the pin's.

    `asked` says who answered and how far it went: 'reader', or a model with its method or effort. `made_at` is UTC in
    ISO 8601.
    """

    asked: str
    answers: tuple[tuple[float, bool], ...]
    made_at: str


def save(storage: Storage, made: Iterable[Calibration]) -> None:
    """Keep each in place of what was known of the same; one without answers only takes that away.

    Part of a transaction.
    """
    made = tuple(made)
    if not any(one.answers for one in made) and not readable(storage, KIND):
        return
    table = prepare(storage, KIND)
    for one in made:
        storage.execute(f"DELETE FROM {table} WHERE asked = ?", (one.asked,))
        if one.answers:
            row = (one.asked, json.dumps(one.answers), one.made_at)
            storage.execute(f"INSERT INTO {table} VALUES (?, ?, ?)", row)


def drop(storage: Storage) -> bool:
    """Forget all; whether there was any. Part of a transaction."""
    if not readable(storage, KIND):
        return False
    table = prepare(storage, KIND)
    found = storage.execute(f"SELECT 1 FROM {table} LIMIT 1")
    storage.execute(f"DELETE FROM {table}")
    return bool(found)


def load(storages: Iterable[Storage], asked: str) -> Calibration | None:
    """What is known of who is asked, the newest; None where nothing is. Raises `DatabaseError`."""
    found = []
    for storage in storages:
        if readable(storage, KIND):
            with understood(KIND):
                sql = f"SELECT answers, made_at FROM {storage.prefix}{quote(KIND.table)} WHERE asked = ?"
                found += [_calibration(asked, *row) for row in storage.execute(sql, (asked,))]
    return max(found, default=None, key=lambda one: one.made_at)


def _calibration(asked: str, answers: str, made_at: str) -> Calibration:
    """A calibration as it is stored. Raises `ValueError` and others for what is none."""
    pairs = [(float(estimate), right) for estimate, right in json.loads(answers)]
    if not all(0 <= estimate <= 1 and isinstance(right, bool) for estimate, right in pairs):
        raise ValueError(f"what it holds for {asked!r} are no estimates")
    return Calibration(asked, tuple(pairs), str(made_at))
