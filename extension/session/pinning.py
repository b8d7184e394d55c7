"""Pinning: queries that are kept for their questions, each checked and, without parameters, run once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from askwhere.engine import Engine
from askwhere.errors import AskError
from askwhere.indexer.pins import Pin
from askwhere.memory import Memory
from askwhere.models import named
from askwhere.pipeline import pinned
from askwhere.pipeline.facts import Candidate
from askwhere.pipeline.select import try_out
from askwhere.session import trials
from askwhere.session.database import Database
from askwhere.settings import Settings


class Pinning:
    """The pins of one connection's database, made and listed."""

    def __init__(self, database: Database, memory: Memory) -> None:
        self._database = database
        self._memory = memory

    def pin(self, engine: Engine, settings: Settings, question: str, sql: str, model: str) -> str:
        """Keep the query for a question, and who wrote it; says what was done. Raises as `Session.pin`."""
        made = self._verified(engine, settings, question, sql, model)
        replaced = self._memory.pin(engine, (made,))
        of = ", ".join(f"{{{name}}} a {kind}" for name, kind in made.kinds.items())
        done = f"pinned {question!r}" + (f", with {of}" if of else "")
        return done + (", in place of its former query" if replaced else "")

    def pin_all(self, engine: Engine, settings: Settings, pins: Iterable[Pin]) -> int:
        """Keep pins that were exported, all of them or none; gives how many. Raises as `pin`, naming the question."""
        made = []
        for pin in pins:
            try:
                fresh = self._verified(engine, settings, pin.question, pin.sql, pin.model)
            except AskError as exc:
                raise AskError(f"the pin {pin.question!r} cannot be imported: {exc}") from exc
            made.append(replace(fresh, pinned_at=pin.pinned_at or fresh.pinned_at))
        self._memory.pin(engine, made)
        return len(made)

    def _verified(self, engine: Engine, settings: Settings, question: str, sql: str, model: str) -> Pin:
        grant = self._database.catalog(engine, settings).grant
        made = pinned.pin(engine, grant, question, sql.strip().rstrip("; \n\t"), model)
        if not made.kinds:
            tried = Candidate(made.sql, "pin")
            done = try_out(tried, trials.running(engine, settings), grant, trials.limits(settings))
            if done.error is not None:
                raise done.error
        return made


def writer(origin: str, settings: Settings) -> str:
    """Who wrote a query of that origin, which may be a prompt of the model's."""
    model = None if origin in ("reader", "pin") else named.open_model(settings, "model")
    return model.name if model else origin
