"""Pin queries to questions: each query is checked and, if it has no parameters, run once before it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from askwhere.engine import Engine, Grant
from askwhere.errors import AskError
from askwhere.indexer.pins import Pin
from askwhere.models import named
from askwhere.pipeline import pinned
from askwhere.pipeline.facts import Candidate
from askwhere.pipeline.select import try_out
from askwhere.session import trials
from askwhere.settings import Settings


def described(made: Pin, replaced: bool) -> str:
    """Return what was done: a pin was kept, in place of another where one was `replaced`."""
    parameters = ", ".join(f"{{{name}}} a {kind}" for name, kind in made.kinds.items())
    after = f", which follows {made.follows[-1]!r}" if made.follows else ""
    done = f"pinned {made.question!r}{after}" + (f", with {parameters}" if parameters else "")
    return done + (", in place of its former query" if replaced else "")


def imported(engine: Engine, grant: Grant, settings: Settings, pin: Pin) -> Pin:
    """Return a pin that was exported, verified in this database. Raise `AskError`, naming the question."""
    try:
        fresh = verified(engine, grant, settings, (*pin.follows, pin.question), pin.sql, pin.model)
    except AskError as exc:
        raise AskError(f"the pin {pin.question!r} cannot be imported: {exc}") from exc
    return replace(fresh, pinned_at=pin.pinned_at or fresh.pinned_at)


def verified(engine: Engine, grant: Grant, settings: Settings, chain: Sequence[str], sql: str, model: str) -> Pin:
    """Return a pin of the last question of a chain; `model` wrote its query. Raise the query's error where it fails.

    The query is checked, and run if it has no parameters.
    """
    *follows, question = chain
    made = replace(pinned.pin(engine, grant, question, sql.strip().rstrip("; \n\t"), model), follows=tuple(follows))
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
