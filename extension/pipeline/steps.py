"""Define what a method is made of: steps, which are functions from candidates to candidates, and what they use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import Any

from askwhere.engine import Result
from askwhere.errors import ModelError, QueryError
from askwhere.frozen import frozen
from askwhere.models import Model
from askwhere.pipeline import replies
from askwhere.pipeline.asking import Asker
from askwhere.pipeline.confidence import likely, odds
from askwhere.pipeline.demonstrations import Pool
from askwhere.pipeline.facts import Candidate, Linked
from askwhere.reader import Reading
from askwhere.setting_values import Mcs

Candidates = tuple[Candidate, ...]


@frozen
class Retrieval:
    """How demonstrations are chosen: the setting `examples_by`, and the model that makes vectors.

    `vectors` caches the vectors of questions, those asked and those of the pool, by the model's name and the text. Each
    has length one.
    """

    by: str = "bm25"
    embedder: Model | None = None
    vectors: dict[tuple[str, str], Any] = field(default_factory=dict)


@frozen
class StepContext:
    """What the steps of a method use: models, the asker that counts their cost, and the database.

    `tried` runs a candidate and returns it with its first rows or its error. `run` returns the first rows of a query,
    given their number, or None for up to `max_rows`. `grammar` returns the grammar that constrains replies, or None.
    `rounds` is how often a failing query may be corrected. `pool` returns the demonstrations, and `retrieval` says how
    they are chosen from it. `readings` returns the reader's readings, none where it refuses. `leave_out` names the
    steps that an ablation leaves out. `mcs` has MCS-SQL's parameters.
    """

    model: Model
    eliminator: Model | None
    asker: Asker
    tried: Callable[[Candidate], Candidate]
    grammar: Callable[[], str | None]
    rounds: int
    pool: Callable[[], Pool]
    run: Callable[[str, int | None], Result]
    leave_out: frozenset[str] = frozenset()
    mcs: Mcs = field(default_factory=Mcs)
    readings: Callable[[], tuple[Reading, ...]] = lambda: ()
    retrieval: Retrieval = field(default_factory=Retrieval)


Step = Callable[[Linked, Candidates, StepContext], Candidates]


def each(name: str, corrected: Callable[[Linked, Candidate, StepContext], Candidate]) -> Step:
    """Return the step that corrects each candidate by itself, unless an ablation leaves out the step of this name."""

    def step(linked: Linked, candidates: Candidates, context: StepContext) -> Candidates:
        return candidates if name in context.leave_out else tuple(corrected(linked, c, context) for c in candidates)

    return step


def candidate(
    reply: str, linked: Linked, origin: str, before: str = "", read: Callable[[str, str], str] = replies.query
) -> Candidate:
    """Return the query that `read` finds in a model's reply as a candidate; if there is none, one with an error.

    `before` is the query that it corrects, '' for none.
    """
    try:
        return Candidate(read(reply, linked.dialect), origin, before=before)
    except (ModelError, QueryError) as exc:
        return Candidate(reply.strip(), origin, error=exc, before=before)


def greedy(linked: Linked, prompt: str, context: StepContext, grammar: str | None = None) -> Candidate:
    """Return the query of one greedy completion as a candidate. Raise `ModelError`.

    Its weight is the odds that it is right, by the log-probabilities of its tokens; where the model gives none, it
    counts as a sample.
    """
    reply = context.asker.ask(context.model, "generate", prompt, grammar=grammar)
    written = candidate(reply.texts[0], linked, context.model.name)
    if not reply.logprobs:
        return replace(written, drawn=1)
    return replace(written, weight=odds(likely(reply.logprobs[0])))
