"""Pin queries to questions: each query is checked and, if it has no parameters, run once before it is kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
from askwhere.session.questions import Question
from askwhere.settings import Settings


class Pinning:
    """Pinning on one connection."""

    def __init__(self, database: Database, memory: Memory) -> None:
        self._database = database
        self._memory = memory

    def pin(self, engine: Engine, settings: Settings, question: Question, sql: str, model: str) -> str:
        """Keep a query for a question; `model` wrote it. Return what was done. Raise as `Session.pin` does."""
        made = self._verified(engine, settings, question.chain, sql, model)
        replaced = self._memory.pin(engine, (made,))
        parameters = ", ".join(f"{{{name}}} a {kind}" for name, kind in made.kinds.items())
        after = f", which follows {question.follows[-1]!r}" if question.follows else ""
        done = f"pinned {question.text!r}{after}" + (f", with {parameters}" if parameters else "")
        return done + (", in place of its former query" if replaced else "")

    def pin_all(self, engine: Engine, settings: Settings, pins: Iterable[Pin]) -> int:
        """Keep pins that were exported, all or none, and return their number. Raise `AskError`, naming the question."""
        made = []
        for pin in pins:
            try:
                fresh = self._verified(engine, settings, (*pin.follows, pin.question), pin.sql, pin.model)
            except AskError as exc:
                raise AskError(f"the pin {pin.question!r} cannot be imported: {exc}") from exc
            made.append(replace(fresh, pinned_at=pin.pinned_at or fresh.pinned_at))
        self._memory.pin(engine, made)
        return len(made)

    def _verified(self, engine: Engine, settings: Settings, chain: Sequence[str], sql: str, model: str) -> Pin:
        """Return a pin of the last question of a chain. Raise the error of its query, where that fails.

        The query is checked, and run if it has no parameters.
        """
        grant = self._database.catalog(engine, settings).grant
        made = replace(
            pinned.pin(engine, grant, chain[-1], sql.strip().rstrip("; \n\t"), model), follows=tuple(chain[:-1])
        )
        if not made.kinds:
            tried = Candidate(made.sql, "pin")
            done = try_out(tried, trials.running(engine, settings), grant, trials.limits(settings))
            if done.error is not None:
                raise done.error
        return made


def writer(origin: str, settings: Settings) -> str:
    """Return who wrote a query: the model's name, or `origin` if that is the reader or a pin, or no model is set."""
    model = None if origin in ("reader", "pin") else named.open_model(settings, "model")
    return model.name if model else origin
