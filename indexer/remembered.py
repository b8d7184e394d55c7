"""Answers already given, kept in the database file: nobody has verified them, so they are no demonstrations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from askwhere.engine import Storage, quote
from askwhere.indexer.formats import Kind, prepare, readable, understood
from askwhere.indexer.pins import now

KIND = Kind(
    "askwhere_remembered",
    (
        (
            "CREATE TABLE {0}askwhere_remembered (key TEXT NOT NULL, question TEXT NOT NULL, queries TEXT NOT NULL,"
            " answered_at TEXT NOT NULL)",
        ),
    ),
)
# The newest of these are kept.
MOST = 10_000


@dataclass(frozen=True)
class Query:
    """The best query of a group that gave equal rows, as it was ranked; `picked` if the method decided for it.

    `confidence` is the estimate, as it was before it was calibrated.
    """

    sql: str
    origin: str
    confidence: float
    notes: tuple[str, ...] = ()
    picked: bool = False


def save(storage: Storage, key: str, question: str, queries: Sequence[Query]) -> None:
    """Keep the queries that were found for a question, best first. Part of a transaction."""
    table = prepare(storage, KIND)
    storage.execute(f"DELETE FROM {table} WHERE key = ?", (key,))
    row = (key, question, json.dumps([asdict(query) for query in queries]), now())
    storage.execute(f"INSERT INTO {table} VALUES (?, ?, ?, ?)", row)
    ((count,),) = storage.execute(f"SELECT count(*) FROM {table}")
    if count > MOST + MOST // 10:
        oldest = f"SELECT answered_at FROM {table} ORDER BY answered_at DESC LIMIT 1 OFFSET {MOST}"
        storage.execute(f"DELETE FROM {table} WHERE answered_at <= ({oldest})")


def load(storages: Iterable[Storage], key: str) -> tuple[str, tuple[Query, ...]]:
    """When the question of that key was answered, and its queries, best first; none where it was not."""
    found = []
    columns = f"queries, answered_at FROM {{}}{quote(KIND.table)} WHERE key = ?"
    for storage in storages:
        if readable(storage, KIND):
            with understood(KIND):
                for queries, at in storage.execute(f"SELECT {columns.format(storage.prefix)}", (key,)):
                    found.append((str(at), tuple(_query(**query) for query in json.loads(queries))))
    return max(found, default=("", ()), key=lambda pair: pair[0])


def _query(sql: str, origin: str, confidence: float, notes: Sequence[str], picked: bool = False, **_: object) -> Query:
    """A query as it is stored. Raises `ValueError` for what is none."""
    texts = (sql, origin, *notes)
    if not all(isinstance(text, str) for text in texts) or not 0 <= confidence <= 1:
        raise ValueError(f"{sql!r:.80} is no query with a confidence")
    return Query(sql, origin, confidence, tuple(notes), bool(picked))
