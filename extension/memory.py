"""What is kept of questions, in the database file or for one connection: pins, answers already given, the log."""

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
from askwhere.guard.scan import without_literals, words
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

# Seconds that a change waits for other connections' changes of the same tables; those made by the way wait less.
PATIENCE, BY_THE_WAY = 10.0, 1.0

# Errors whose text is ours alone.
_SAYS_NO_VALUES = {"SettingError", "TooMuch", "Unread"}

_log = logging.getLogger("askwhere")
_T = TypeVar("_T")


class Memory:
    """One connection's memory of questions. Its methods take the engine to work on."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=log_.MOST)
        self._stale: dict[Hashable, str] = {}

    # ---------------------------------------------------------------------------------------------------------- pins

    def pins(self, engine: Engine, catalog: Catalog) -> list[tuple[Pin, str]]:
        """All pins, oldest first, each with how it fares where its tables have changed, `''` where they have not."""
        return [(pin, self._fares(engine, catalog, pin)) for pin in pins_.load(engine.storages())]

    def pin(self, engine: Engine, pins: Sequence[Pin]) -> int:
        """Store pins; gives how many took the place of others."""
        return changed(engine, lambda storage: pins_.add(storage, pins))

    def unpin(self, engine: Engine, question: str) -> None:
        """Forget the pin of a question. Raises `ArgumentError` where it has none."""
        if not any(pin.form == Pin(question, "").form for pin in pins_.load(engine.storages(), question)):
            raise ArgumentError(f"there is no pin for {question!r}; ask_pins() lists them")
        if not changed(engine, lambda storage: pins_.remove(storage, question)):
            raise AskError(f"the pin for {question!r} is in a database that is open read-only; open it to be written")

    def pinned(
        self, engine: Engine, catalog: Catalog, question: str, stale: str, index: Callable[[], ValueIndex]
    ) -> str | None:
        """The SQL that a question is pinned to; None where it is to be asked.

        `index` gives the value index, for the spelling of a pattern's values. Raises `Stale`, and `ArgumentError` where
        the question fits several pins.
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
        """What the pins have shown of answers by who is asked; None where they were not asked."""
        return calibration.load(engine.storages(), asked)

    def calibrate(self, engine: Engine, made: Iterable[Calibration]) -> None:
        """Keep what the pins have shown."""
        changed(engine, lambda storage: calibration.save(storage, made))

    def uncalibrate(self, engine: Engine) -> bool:
        """Forget what the pins have shown; whether they had been asked."""
        return changed(engine, calibration.drop)

    # ------------------------------------------------------------------------------------------ answers already given

    def answered(self, engine: Engine, key: str) -> tuple[Candidate, ...]:
        """The queries that once answered a question, best of each group, as they were ranked; none where none did."""
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
        """Keep the best query of each group; where that cannot be written, a warning says so."""
        best = {c.group: c for c in reversed(list(candidates)) if c.result is not None}
        ranked = sorted(best.values(), key=lambda c: c.rank)
        queries = [remembered.Query(c.sql, c.origin, c.estimate, c.notes, c.picked) for c in ranked]
        if queries:
            _by_the_way(engine, lambda storage: remembered.save(storage, key, question, queries))

    # ----------------------------------------------------------------------------------------------------------- log

    def note(self, engine: Engine | None, entry: Entry) -> None:
        """Log a question here, and with an engine in its database."""
        self._entries.append(entry)
        if engine is not None:
            _by_the_way(engine, lambda storage: log_.add(storage, entry))

    def log(self, engine: Engine, in_database: bool) -> list[Entry]:
        """What was logged, oldest first."""
        return log_.load(engine.storages()) if in_database else list(self._entries)


def key(catalog: Catalog, question: str, hint: str | None, chosen: Settings) -> str:
    """What an answer is kept by: the question, the settings that may change its query, and the tables as they are."""
    tables = [
        (t.path[1:], t.definition, t.comment, t.synonyms, [(c.name, c.type, c.comment, c.synonyms) for c in t.columns])
        for t in catalog.tables
    ]
    # Only what is not as it is by default: a later version with more settings finds what this one kept.
    plain = Settings((("argument", {"effort": chosen["effort"]}),))
    said = [(name, settings_.as_text(chosen[name])) for name in sorted(_DECIDING) if chosen[name] != plain[name]]
    facts = (question, hint, chosen["effort"], said, tables)
    return hashlib.blake2b(repr(facts).encode("utf-8", "replace"), digest_size=16).hexdigest()


_DECIDING = {s.name for s in settings_.SETTINGS} - {
    "allowed_hosts", "dynamic_columns", "isolation", "log", "max_rows", "min_confidence", "query_timeout", "remember",
    "prompt_cache", "server", "stale_pins", "threads",
}  # fmt: skip


def masked(entry: Entry, dialect: str, values: ValueIndex | None) -> Entry:
    """The entry without values: no literals in its SQL, no numbers, quoted texts or known values in its question."""
    sql = None if entry.sql is None else without_literals(entry.sql, dialect)
    known = [match.value for match in values.search(entry.question, 10)] if values else []
    return replace(entry, sql=sql, question=forms.masked(entry.question, known), outcome=entry.outcome.split(":", 1)[0])


def without_hidden(entry: Entry, hidden: Collection[str]) -> Entry:
    """The entry without what it may tell of columns of these names, which may have been seen when it was made.

    Nothing is said of a question whose query speaks of one; an error of the engine's is named, not quoted.
    """
    if entry.sql is not None and not words(entry.sql).isdisjoint(hidden):
        entry = replace(entry, question="?", sql=None)
    kind, quoted, _ = entry.outcome.partition(":")
    return replace(entry, outcome=kind) if quoted and kind not in _SAYS_NO_VALUES else entry


def plain(text: str) -> str:
    """A text for the log: without what looks like a key."""
    return api_keys.redact(text)


def changed(engine: Engine, change: Callable[[Storage], _T], patience: float = PATIENCE) -> _T:
    """What `change` gives, in a transaction; tried again while others change the same. Raises `DatabaseError`."""

    def work() -> _T:
        with engine.writing() as storage:
            return change(storage)

    return patiently(work, patience)


def patiently(work: Callable[[], _T], patience: float = PATIENCE) -> _T:
    """What `work` gives; it is tried again for so many seconds while it raises `Busy`."""
    until = time.monotonic() + patience
    while True:
        try:
            return work()
        except Busy:
            if time.monotonic() > until:
                raise
            time.sleep(random.uniform(0.005, 0.05))


def _by_the_way(engine: Engine, change: Callable[[Storage], object]) -> None:
    """Change what no answer depends on: a database that cannot be written now only loses it."""
    try:
        changed(engine, change, BY_THE_WAY)
    except AskError as exc:
        _log.warning("not kept in the database: %s", exc)
