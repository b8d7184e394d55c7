"""Remember questions in the database file or for one connection: pins, answers already given, the log."""

from __future__ import annotations

import hashlib
import json
import logging
import random
import time
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from askwhere import settings as settings_
from askwhere.engine import Engine
from askwhere.errors import ArgumentError, AskError, Busy
from askwhere.indexer import forms, remembered
from askwhere.indexer import log as log_
from askwhere.indexer import pins as pins_
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.log import Entry
from askwhere.indexer.pins import Pin
from askwhere.indexer.values import ValueIndex
from askwhere.known_settings import SETTINGS
from askwhere.pipeline.facts import Candidate, Earlier
from askwhere.settings import Settings
from askwhere.sql.lexer import without_literals, words
from askwhere.storage import Storage

# Seconds that a change waits while other connections change the same tables; `BY_THE_WAY` for one that may be lost.
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
        return [(pin, self._change(engine, catalog, pin)) for pin in pins_.load(engine.storages())]

    def pin(self, engine: Engine, pins: Sequence[Pin]) -> int:
        """Store pins and return how many replaced others."""
        return changed(engine, lambda storage: pins_.add(storage, pins))

    def unpin(self, engine: Engine, chain: Sequence[str]) -> None:
        """Remove the pin of the last question of a chain. Raise `ArgumentError` where it has none."""
        *follows, question = chain
        form = Pin(question, "", follows=tuple(follows)).form
        if not any(pin.form == form for pin in pins_.load(engine.storages(), chain)):
            after = f" that follows {follows[-1]!r}" if follows else ""
            raise ArgumentError(f"there is no pin for {question!r}{after}; ask_pins() lists them")
        if not changed(engine, lambda storage: pins_.remove(storage, form)):
            raise AskError(f"the pin for {question!r} is in a database that is open read-only; open it to be written")

    def pinned(
        self, engine: Engine, catalog: Catalog, chain: Sequence[str], stale: str, index: Callable[[], ValueIndex]
    ) -> str | None:
        """Return the SQL that the last question of a chain is pinned to; None where it is to be asked.

        `index` returns the value index, for the spelling of a pattern's values. Raise `Stale`, and `ArgumentError`
        where the question fits several pins.
        """
        found = pins_.find(pins_.load(engine.storages(), chain), chain)
        if found is None:
            return None
        from askwhere.pipeline import pinned  # takes time to load, and most questions have no pin

        pin, values = found
        if "text" in pin.kinds.values():
            values = pinned.spelled(values, pin, index())
        return pinned.query(pin, values, engine.dialect, self._change(engine, catalog, pin), stale)

    def _change(self, engine: Engine, catalog: Catalog, pin: Pin) -> str:
        """Return how changes of its tables affect a pin, cached by the versions that this depends on."""
        key = (pin.form, pin.pinned_at, pin.sql, catalog.version, catalog.grant.hidden)
        if key not in self._stale:
            from askwhere.pipeline import pinned

            self._stale[key] = pinned.change_of(engine, catalog.grant, pin)
        return self._stale[key]

    # ------------------------------------------------------------------------------------------ answers already given

    def answered(self, engine: Engine, key: str) -> tuple[Candidate, ...]:
        """Return the queries that once answered a question, the best of each group, as they were ranked; or none."""
        at, queries = remembered.load(engine.storages(), key)
        note = f"remembered since {at}; nobody has verified it"
        return tuple(
            Candidate(
                q.sql, q.origin, notes=(*q.notes, note), estimate=q.confidence, confidence=q.confidence, picked=q.picked
            )
            for q in queries
        )

    def remember(self, engine: Engine, key: str, question: str, candidates: Iterable[Candidate]) -> None:
        """Store the best query of each group; where the database cannot be written, a warning is logged."""
        best = {c.group: c for c in reversed(list(candidates)) if c.result is not None}
        ranked = sorted(best.values(), key=lambda c: c.rank)
        queries = [remembered.Query(c.sql, c.origin, c.estimate, c.notes, c.picked) for c in ranked]
        if queries:
            _change_if_possible(engine, lambda storage: remembered.save(storage, key, question, queries))

    # ----------------------------------------------------------------------------------------------------------- log

    def note(self, engine: Engine | None, entry: Entry) -> None:
        """Log a question for the connection and, with an engine, in its database."""
        self._entries.append(entry)
        if engine is not None:
            _change_if_possible(engine, lambda storage: log_.add(storage, entry))

    def log(self, engine: Engine, in_database: bool) -> list[Entry]:
        """Return the log, oldest entry first."""
        return log_.load(engine.storages()) if in_database else list(self._entries)


def key(catalog: Catalog, question: str, hint: str | None, settings: Settings, earlier: Sequence[Earlier] = ()) -> str:
    """Return the key of an answer: a digest of the question, the settings that may change its query, and the tables.

    `earlier` are the questions that this one refines, with their queries.
    """
    tables = [
        (t.path[1:], t.definition, t.comment, t.synonyms, [(c.name, c.type, c.comment, c.synonyms) for c in t.columns])
        for t in catalog.tables
    ]
    # Settings with their default values are left out, so that a later version with more settings finds these answers.
    plain = Settings((("argument", {"effort": settings["effort"]}),))
    deciding = sorted(name for name in _DECIDING if settings[name] != plain[name])
    differing = [(name, settings_.as_text(settings[name])) for name in deciding]
    facts: tuple[object, ...] = (question, hint, settings["effort"], differing, tables)
    # Foreign keys count only if a user declared them.
    declared = [(t.path[1:], k.columns, k.target[1:]) for t in catalog.tables for k in t.foreign_keys if k.declared]
    facts += (declared,) if declared else ()
    facts += tuple((e.question, e.sql) for e in earlier)
    return hashlib.blake2b(repr(facts).encode("utf-8", "replace"), digest_size=16).hexdigest()


_DECIDING = {s.name for s in SETTINGS} - {
    "allowed_hosts", "dynamic_columns", "isolation", "log", "max_rows", "min_confidence", "query_timeout", "remember",
    "prompt_cache", "server", "stale_pins", "threads",
}  # fmt: skip


def masked(entry: Entry, dialect: str, values: ValueIndex | None) -> Entry:
    """Return the entry without values.

    Its SQL has no literals, its questions no numbers, quoted texts or known values.
    """
    sql = None if entry.sql is None else without_literals(entry.sql, dialect)

    def hidden(text: str) -> str:
        return forms.masked(text, [match.value for match in values.search(text, 10)] if values else [])

    follows = pins_.as_text([hidden(text) for text in json.loads(entry.follows or "[]")])
    outcome = entry.outcome.split(":", 1)[0]
    return replace(entry, sql=sql, question=hidden(entry.question), outcome=outcome, follows=follows)


def without_hidden(entries: Sequence[Entry], hidden: Collection[str]) -> list[Entry]:
    """Return entries without anything that may reveal hidden columns, which may have been visible earlier.

    If a query names a hidden column, its question and SQL are left out. Of an engine's error only the kind stays. An
    earlier question stays only if its own query is in the log and names no hidden column.
    """
    named_hidden = [e for e in entries if e.sql is not None and not words(e.sql).isdisjoint(hidden)]
    known = {_chain(e) for e in entries if e.sql is not None} - {_chain(e) for e in named_hidden}
    ids = {id(e) for e in named_hidden}
    return [_without(e, known, id(e) in ids) for e in entries]


def _without(entry: Entry, known: Collection[tuple[str, ...]], named_hidden: bool) -> Entry:
    """Return an entry for `without_hidden`; `known` are the questions that may be shown, each with those before it."""
    if named_hidden:
        entry = replace(entry, question="?", sql=None, follows=None)
    *earlier, _ = _chain(entry)
    shown = [text if tuple(earlier[: n + 1]) in known else "?" for n, text in enumerate(earlier)]
    kind, quoted, _ = entry.outcome.partition(":")
    outcome = kind if quoted and kind not in _SAYS_NO_VALUES else entry.outcome
    return replace(entry, outcome=outcome, follows=pins_.as_text(shown))


def _chain(entry: Entry) -> tuple[str, ...]:
    return (*json.loads(entry.follows or "[]"), entry.question)


def changed(engine: Engine, change: Callable[[Storage], _T], patience: float = PATIENCE) -> _T:
    """Return the result of `change` in a transaction, retried while others change the same. Raise `DatabaseError`."""

    def work() -> _T:
        with engine.writing() as storage:
            return change(storage)

    return patiently(work, patience)


def patiently(work: Callable[[], _T], patience: float = PATIENCE) -> _T:
    """Return the result of `work`, retried for `patience` seconds while it raises `Busy`."""
    until = time.monotonic() + patience
    while True:
        try:
            return work()
        except Busy:
            if time.monotonic() > until:
                raise
            time.sleep(random.uniform(0.005, 0.05))


def _change_if_possible(engine: Engine, change: Callable[[Storage], object]) -> None:
    """Make an optional change; log a warning if the database cannot be written now."""
    try:
        changed(engine, change, BY_THE_WAY)
    except AskError as exc:
        _log.warning("not kept in the database: %s", exc)
