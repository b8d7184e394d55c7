"""Generation: candidates from the reader and from a model."""

from __future__ import annotations

import time
from dataclasses import replace

from askwhere import guard, reader
from askwhere.errors import QueryError, Unread
from askwhere.models import Model
from askwhere.pipeline import prompts
from askwhere.pipeline.facts import Candidate, Drafted, Linked, Usage


def generate(linked: Linked, model: Model | None, effort: str) -> Drafted:
    """The candidates for a question. A model that is set is asked, except at `fast` where the reader can answer."""
    read = from_reader(linked)
    if model is None or (effort == "fast" and read.candidates):
        return read
    written = from_model(linked, model)
    return replace(written, candidates=written.candidates + read.candidates, refusal=read.refusal)


def from_reader(linked: Linked) -> Drafted:
    """The built-in reader's readings, none where it refuses."""
    try:
        readings = reader.read(linked.question, linked.catalog, linked.values, linked.dialect, linked.hint)
    except Unread as exc:
        return Drafted((), refusal=exc)
    # Readings that come back together fit equally well; together they weigh what one completion does.
    return Drafted(tuple(Candidate(r.sql, "reader", 1 / len(readings), r.notes) for r in readings))


def from_model(linked: Linked, model: Model) -> Drafted:
    """One greedy completion of the generation prompt. Raises `ModelError`."""
    started = time.monotonic()
    reply = model.complete(prompts.generation(linked))
    usage = Usage(1, len(reply.texts), reply.prompt_tokens, reply.completion_tokens, time.monotonic() - started)
    return Drafted(tuple(_candidate(text, model.name) for text in reply.texts), usage)


def _candidate(reply: str, origin: str) -> Candidate:
    try:
        return Candidate(guard.one_statement(reply), origin)
    except QueryError as exc:
        return Candidate(exc.sql or reply, origin, error=exc)
