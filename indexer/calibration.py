"""Store calibrations: the estimates for answers to pinned questions, and whether the answers were right.

They are made by asking each pin as if it were not pinned (`askwhere calibrate`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from askwhere.frozen import frozen
from askwhere.indexer import formats
from askwhere.indexer.formats import Kind, exists, prepare
from askwhere.storage import Storage

KIND = Kind("askwhere_calibration", "asked TEXT NOT NULL, answers TEXT NOT NULL, made_at TEXT NOT NULL")


@frozen
class Calibration:
    """The answers to a database's pins: the estimate of each (0 to 1), and whether its rows were those of the pin.

    `asked` is who answered: 'reader', or a model with its method or effort. `made_at` is UTC in ISO 8601.
    """

    asked: str
    answers: tuple[tuple[float, bool], ...]
    made_at: str


def save(storage: Storage, made: Iterable[Calibration]) -> None:
    """Store calibrations, each in place of the one with the same `asked`; one without answers only deletes that.

    The caller commits.
    """
    made = tuple(made)
    if not any(calibration.answers for calibration in made) and not exists(storage, KIND):
        return
    table = prepare(storage, KIND)
    for calibration in made:
        storage.execute(f"DELETE FROM {table} WHERE asked = ?", (calibration.asked,))
        if calibration.answers:
            row = (calibration.asked, json.dumps(calibration.answers), calibration.made_at)
            storage.execute(f"INSERT INTO {table} VALUES (?, ?, ?)", row)


def drop(storage: Storage) -> bool:
    """Delete all calibrations, and return whether there was one. The caller commits."""
    if not exists(storage, KIND):
        return False
    table = prepare(storage, KIND)
    rows = storage.execute(f"SELECT 1 FROM {table} LIMIT 1")
    storage.execute(f"DELETE FROM {table}")
    return bool(rows)


def load(storages: Iterable[Storage], asked: str) -> Calibration | None:
    """Return the newest calibration of `asked`, or None. Raise `DatabaseError` where it is damaged."""
    columns = ("asked", "answers", "made_at")
    calibrations = formats.load(storages, KIND, columns, _calibration, "WHERE asked = ?", (asked,))
    return max(calibrations, default=None, key=lambda calibration: calibration.made_at)


def _calibration(asked: str, answers: str, made_at: str) -> Calibration:
    """Return a stored calibration. Raise `ValueError` or another error where it is damaged."""
    pairs = [(float(estimate), right) for estimate, right in json.loads(answers)]
    if not all(0 <= estimate <= 1 and isinstance(right, bool) for estimate, right in pairs):
        raise ValueError(f"what it holds for {asked!r} are no estimates")
    return Calibration(asked, tuple(pairs), str(made_at))
