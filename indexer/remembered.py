"""Store given answers in the database file. They are not verified, so prompts do not show them as examples."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from askwhere.frozen import frozen
from askwhere.indexer import formats
from askwhere.indexer.formats import Kind, keep_newest, prepare
from askwhere.indexer.pins import now
from askwhere.storage import Storage

KIND = Kind(
    "askwhere_remembered", "key TEXT NOT NULL, question TEXT NOT NULL, queries TEXT NOT NULL, answered_at TEXT NOT NULL"
)
# Questions that are kept, the newest ones.
MOST = 10_000


@frozen
class Query:
    """The best query of a group with equal rows. With `picked` the method chose it over higher ranks.

    `confidence` is the estimate before calibration.
    """

    sql: str
    origin: str
    confidence: float
    notes: tuple[str, ...] = ()
    picked: bool = False


def save(storage: Storage, key: str, question: str, queries: Sequence[Query]) -> None:
    """Store the queries that were found for a question, best first. The caller commits."""
    table = prepare(storage, KIND)
    storage.execute(f"DELETE FROM {table} WHERE key = ?", (key,))
    row = (key, question, json.dumps([asdict(query) for query in queries]), now())
    storage.execute(f"INSERT INTO {table} VALUES (?, ?, ?, ?)", row)
    keep_newest(storage, table, "answered_at", MOST)


def load(storages: Iterable[Storage], key: str) -> tuple[str, tuple[Query, ...]]:
    """Return the time when the question of a key was answered, and its queries, best first; ('', ()) if it was not."""
    answers = formats.load(storages, KIND, ("answered_at", "queries"), _answered, "WHERE key = ?", (key,))
    return max(answers, default=("", ()), key=lambda pair: pair[0])


def _answered(at: str, queries: str) -> tuple[str, tuple[Query, ...]]:
    """Return a stored answer's time and queries. Raise `ValueError` or another error where it is damaged."""
    return str(at), tuple(_query(**query) for query in json.loads(queries))


def _query(sql: str, origin: str, confidence: float, notes: Sequence[str], picked: bool) -> Query:
    """Return a stored query. Raise `ValueError` where it is damaged."""
    texts = (sql, origin, *notes)
    if not all(isinstance(text, str) for text in texts) or not 0 <= confidence <= 1:
        raise ValueError(f"{sql!r:.80} is no query with a confidence")
    return Query(sql, origin, confidence, tuple(notes), bool(picked))
