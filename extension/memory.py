"""Remember questions in the database file or for one connection: pins, answers already given, the log."""

from __future__ import annotations

import hashlib
import logging
import random
import time
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from askwhere import api_keys
from askwhere import settings as settings_
from askwhere.engine import Engine, Storage
from askwhere.errors import ArgumentError, AskError, Busy
from askwhere.indexer import calibration, forms, remembered
from askwhere.indexer import log as log_
from askwhere.indexer import pins as pins_
from askwhere.indexer.calibration import Calibration
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.log import Entry
from askwhere.indexer.pins import Pin
from askwhere.indexer.values import ValueIndex
from askwhere.pipeline import pinned
from askwhere.pipeline.facts import Candidate
from askwhere.settings import Settings
from askwhere.sql.lexer import without_literals, words

# Seconds that a change waits for other connections' changes of the same tables; `BY_THE_WAY` for what may be lost.
PATIENCE, BY_THE_WAY = 10.0, 1.0

# Errors whose text holds no values of the database.
_SAYS_NO_VALUES = {"SettingError", "TooMuch", "Unread"}

_log = logging.getLogger("askwhere")
_T = TypeVar("_T")


class Memory:
    """The memory of one connection. Its methods take the engine to work on."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=log_.MOST)
        self._stale: dict[Hashable, str] = {}

    # ---------------------------------------------------------------------------------------------------------- pins

    def pins(self, engine: Engine, catalog: Catalog) -> list[tuple[Pin, str]]:
        """Return all pins, oldest first, each with how changes of its tables affect it, '' where there are none."""
        return [(pin, self._fares(engine, catalog, pin)) for pin in pins_.load(engine.storages())]

    def pin(self, engine: Engine, pins: Sequence[Pin]) -> int:
        """Store pins and return how many replaced others."""
        return changed(engine, lambda storage: pins_.add(storage, pins))

    def unpin(self, engine: Engine, question: str) -> None:
        """Remove the pin of a question. Raises `ArgumentError` where it has none."""
        if not any(pin.form == Pin(question, "").form for pin in pins_.load(engine.storages(), question)):
            raise ArgumentError(f"there is no pin for {question!r}; ask_pins() lists them")
        if not changed(engine, lambda storage: pins_.remove(storage, question)):
            raise AskError(f"the pin for {question!r} is in a database that is open read-only; open it to be written")

    def pinned(
        self, engine: Engine, catalog: Catalog, question: str, stale: str, index: Callable[[], ValueIndex]
    ) -> str | None:
        """Return the SQL that a question is pinned to; None where it is to be asked.

        `index` returns the value index, for the spelling of a pattern's values. Raises `Stale`, and `ArgumentError`
        where the question fits several pins.
        """
        found = pins_.find(pins_.load(engine.storages(), question), question)
        if found is None:
            return None
        pin, values = found
        if "text" in pin.kinds.values():
            values = pinned.spelled(values, pin, index())
        return pinned.query(pin, values, engine.dialect, self._fares(engine, catalog, pin), stale)

    def _fares(self, engine: Engine, catalog: Catalog, pin: Pin) -> str:
        key = (pin.form, pin.pinned_at, pin.sql, catalog.version, catalog.grant.hidden)
        if key not in self._stale:
            self._stale[key] = pinned.fares(engine, catalog.grant, pin)
        return self._stale[key]

    def calibration(self, engine: Engine, asked: str) -> Calibration | None:
        """Return the calibration of answers by who is asked; None where the pins were not asked."""
        return calibration.load(engine.storages(), asked)

    def calibrate(self, engine: Engine, made: Iterable[Calibration]) -> None:
        """Store calibrations."""
        changed(engine, lambda storage: calibration.save(storage, made))

    def uncalibrate(self, engine: Engine) -> bool:
        """Remove all calibrations, and return whether there were any."""
        return changed(engine, calibration.drop)

    # ------------------------------------------------------------------------------------------ answers already given

    def answered(self, engine: Engine, key: str) -> tuple[Candidate, ...]:
        """Return the queries that once answered a question, the best of each group, as they were ranked; or none."""
        at, queries = remembered.load(engine.storages(), key)
        note = f"remembered since {at}; nobody has verified it"
        return tuple(
            Candidate(
                q.sql,
                q.origin,
                notes=(*q.notes, note),
                estimate=q.confidence,
                confidence=q.confidence,
                picked=q.picked,
            )
            for q in queries
        )

    def remember(self, engine: Engine, key: str, question: str, candidates: Iterable[Candidate]) -> None:
        """Store the best query of each group; where the database cannot be written, a warning is logged."""
        best = {c.group: c for c in reversed(list(candidates)) if c.result is not None}
        ranked = sorted(best.values(), key=lambda c: c.rank)
        queries = [remembered.Query(c.sql, c.origin, c.estimate, c.notes, c.picked) for c in ranked]
        if queries:
            _by_the_way(engine, lambda storage: remembered.save(storage, key, question, queries))

    # ----------------------------------------------------------------------------------------------------------- log

    def note(self, engine: Engine | None, entry: Entry) -> None:
        """Log a question for the connection and, with an engine, in its database."""
        self._entries.append(entry)
        if engine is not None:
            _by_the_way(engine, lambda storage: log_.add(storage, entry))

    def log(self, engine: Engine, in_database: bool) -> list[Entry]:
        """Return the log, oldest entry first."""
        return log_.load(engine.storages()) if in_database else list(self._entries)


def key(catalog: Catalog, question: str, hint: str | None, chosen: Settings) -> str:
    """Return the key of an answer: a digest of the question, the settings that may change its query, and the tables."""
    tables = [
        (t.path[1:], t.definition, t.comment, t.synonyms, [(c.name, c.type, c.comment, c.synonyms) for c in t.columns])
        for t in catalog.tables
    ]
    # Settings at their defaults are left out, so that a version with more settings finds what this one stored.
    plain = Settings((("argument", {"effort": chosen["effort"]}),))
    differing = [(name, settings_.as_text(chosen[name])) for name in sorted(_DECIDING) if chosen[name] != plain[name]]
    facts = (question, hint, chosen["effort"], differing, tables)
    return hashlib.blake2b(repr(facts).encode("utf-8", "replace"), digest_size=16).hexdigest()


_DECIDING = {s.name for s in settings_.SETTINGS} - {
    "allowed_hosts", "dynamic_columns", "isolation", "log", "max_rows", "min_confidence", "query_timeout", "remember",
    "prompt_cache", "server", "stale_pins", "threads",
}  # fmt: skip


def masked(entry: Entry, dialect: str, values: ValueIndex | None) -> Entry:
    """Return the entry without values.

    Its SQL has no literals, its question no numbers, quoted texts or known values.
    """
    sql = None if entry.sql is None else without_literals(entry.sql, dialect)
    known = [match.value for match in values.search(entry.question, 10)] if values else []
    return replace(entry, sql=sql, question=forms.masked(entry.question, known), outcome=entry.outcome.split(":", 1)[0])


def without_hidden(entry: Entry, hidden: Collection[str]) -> Entry:
    """Return the entry without what it may tell about hidden columns, which may have been visible when it was made.

    If the query names one, question and query are left out; of an engine's error only its kind stays.
    """
    if entry.sql is not None and not words(entry.sql).isdisjoint(hidden):
        entry = replace(entry, question="?", sql=None)
    kind, quoted, _ = entry.outcome.partition(":")
    return replace(entry, outcome=kind) if quoted and kind not in _SAYS_NO_VALUES else entry


def plain(text: str) -> str:
    """Return a text for the log, without what looks like a key."""
    return api_keys.redact(text)


def changed(engine: Engine, change: Callable[[Storage], _T], patience: float = PATIENCE) -> _T:
    """Return the result of `change` in a transaction, tried again while others change the same.

    Raises `DatabaseError`.
    """

    def work() -> _T:
        with engine.writing() as storage:
            return change(storage)

    return patiently(work, patience)


def patiently(work: Callable[[], _T], patience: float = PATIENCE) -> _T:
    """Return the result of `work`, tried again for `patience` seconds while it raises `Busy`."""
    until = time.monotonic() + patience
    while True:
        try:
            return work()
        except Busy:
            if time.monotonic() > until:
                raise
            time.sleep(random.uniform(0.005, 0.05))


def _by_the_way(engine: Engine, change: Callable[[Storage], object]) -> None:
    """Change what no answer depends on; where the database cannot be written now, log a warning."""
    try:
        changed(engine, change, BY_THE_WAY)
    except AskError as exc:
        _log.warning("not kept in the database: %s", exc)
