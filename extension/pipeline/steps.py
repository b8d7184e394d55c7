"""What a method is made of: steps, each a function from candidates to candidates, and the means they work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from askwhere.errors import ModelError, QueryError
from askwhere.models import Model
from askwhere.pipeline import replies
from askwhere.pipeline.asking import Asker
from askwhere.pipeline.demonstrations import Pool
from askwhere.pipeline.facts import Candidate, Linked
from askwhere.pipeline.skeleton import Oracle

Candidates = tuple[Candidate, ...]


@dataclass(frozen=True)
class Means:
    """What steps work with: models, the asker that pays for them, and the database.

    `tried` gives a candidate with its first rows or its error; `grammar` the grammar that replies are held to, None
    for none; `rounds` is how often a failing query may be corrected. `pool` holds the demonstrations, and `leave_out`
    names the steps that an ablation is without; `oracle` holds what of the right query is given.
    """

    model: Model
    eliminator: Model | None
    asker: Asker
    tried: Callable[[Candidate], Candidate]
    grammar: Callable[[], str | None]
    rounds: int
    pool: Callable[[], Pool]
    leave_out: frozenset[str] = frozenset()
    oracle: Oracle = field(default_factory=Oracle)


Step = Callable[[Linked, Candidates, Means], Candidates]


def candidate(reply: str, linked: Linked, origin: str, before: str = "") -> Candidate:
    """The query of a model's reply, or the error that it holds none; `before` is the query that it corrects."""
    try:
        return Candidate(replies.query(reply, linked.dialect), origin, before=before)
    except (ModelError, QueryError) as exc:
        return Candidate(reply.strip(), origin, error=exc, before=before)
