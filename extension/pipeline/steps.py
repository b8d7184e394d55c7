"""What a method is made of: steps, each a function from candidates to candidates, and the means they work with."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from askwhere.engine import Result
from askwhere.errors import ModelError, QueryError
from askwhere.models import Model
from askwhere.pipeline import replies
from askwhere.pipeline.asking import Asker
from askwhere.pipeline.demonstrations import Pool
from askwhere.pipeline.facts import Candidate, Linked
from askwhere.pipeline.skeleton import Oracle
from askwhere.settings import Mcs

Candidates = tuple[Candidate, ...]


@dataclass(frozen=True)
class Known:
    """What a connection remembers of questions, its own and those of the pool: their vectors, and their masks.

    A vector has length one; it is known by its model's name and its text.
    """

    vectors: dict[tuple[str, str], Any] = field(default_factory=dict)
    masks: dict[Hashable, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Retrieval:
    """How demonstrations are chosen: the settings `examples_by` and `masked_by`, and whose vectors are compared."""

    by: str = "bm25"
    masked_by: str = "linking"
    embedder: Model | None = None
    known: Known = field(default_factory=Known)


@dataclass(frozen=True)
class Means:
    """What steps work with: models, the asker that pays for them, and the database.

    `tried` gives a candidate with its first rows or its error; `grammar` the grammar that replies are held to, None
    for none; `rounds` is how often a failing query may be corrected. `pool` holds the demonstrations, and `leave_out`
    names the steps that an ablation is without; `oracle` holds what of the right query is given. `run` gives the first
    rows of a query, with None all up to `max_rows`; `planned` says how many rows the engine's plan of one handles,
    about, None where that is not known. `mcs` holds MCS-SQL's parameters; `retrieval` says how demonstrations are
    chosen from the pool.
    """

    model: Model
    eliminator: Model | None
    asker: Asker
    tried: Callable[[Candidate], Candidate]
    grammar: Callable[[], str | None]
    rounds: int
    pool: Callable[[], Pool]
    run: Callable[[str, int | None], Result]
    planned: Callable[[Candidate], float | None] = lambda _: None
    leave_out: frozenset[str] = frozenset()
    oracle: Oracle = field(default_factory=Oracle)
    mcs: Mcs = field(default_factory=Mcs)
    retrieval: Retrieval = field(default_factory=Retrieval)


Step = Callable[[Linked, Candidates, Means], Candidates]


def candidate(
    reply: str, linked: Linked, origin: str, before: str = "", read: Callable[[str, str], str] = replies.query
) -> Candidate:
    """The query that `read` finds in a model's reply, or the error that it holds none.

    `before` is the query that it corrects.
    """
    try:
        return Candidate(read(reply, linked.dialect), origin, before=before)
    except (ModelError, QueryError) as exc:
        return Candidate(reply.strip(), origin, error=exc, before=before)
