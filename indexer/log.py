"""Store the log: one row for each question that was answered or failed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple
from typing import Any, get_type_hints

from askwhere.frozen import frozen
from askwhere.indexer import formats
from askwhere.indexer.formats import Kind, keep_newest, prepare
from askwhere.storage import Storage

KIND = Kind(
    "askwhere_log",
    "time TEXT, question TEXT, sql TEXT, model TEXT, method TEXT, effort TEXT, requests BIGINT, calls BIGINT,"
    " tokens BIGINT, cost DOUBLE, seconds DOUBLE, confidence DOUBLE, n_rows BIGINT, outcome TEXT,"
    " max_calls BIGINT, follows TEXT",
)
# Entries that are kept, the newest ones, in the file and in memory.
MOST = 10_000


@frozen
class Entry:
    """The log's entry for one question.

    `time` is UTC in ISO 8601; `cost` is in dollars, None if no price is known. `calls` counts completions; `tokens`
    counts those of prompts and replies together. `outcome` is 'answered', 'pinned', 'remembered', or the error. `sql`,
    `confidence` and `n_rows` are None without an answer; `n_rows` also where the trial stopped before the last row.
    `max_calls` is the limit of completions. `follows` is a JSON array of the earlier questions that the question
    refines, None where there are none.
    """

    time: str
    question: str
    sql: str | None
    model: str
    method: str
    effort: str
    requests: int
    calls: int
    tokens: int
    cost: float | None
    seconds: float
    confidence: float | None
    n_rows: int | None
    outcome: str
    max_calls: int | None
    follows: str | None = None


def add(storage: Storage, entry: Entry) -> None:
    """Store an entry. The oldest entries beyond `MOST` are deleted, a tenth at a time. The caller commits."""
    table, row = prepare(storage, KIND), astuple(entry)
    storage.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    keep_newest(storage, table, "time", MOST)


def load(storages: Iterable[Storage]) -> list[Entry]:
    """Return all entries, oldest first. Raise `DatabaseError` where one is damaged."""
    return sorted(formats.load(storages, KIND, tuple(get_type_hints(Entry)), _entry), key=lambda entry: entry.time)


def _entry(*row: Any) -> Entry:
    """Return a stored entry. Raise `ValueError` where it is damaged."""
    for cell, (name, kind) in zip(row, get_type_hints(Entry).items(), strict=True):
        if not isinstance(cell, kind):
            raise ValueError(f"{cell!r:.80} is no {name}")
    return Entry(*row)
