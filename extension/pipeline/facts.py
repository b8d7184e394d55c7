"""What passes between the steps."""

from __future__ import annotations

from dataclasses import dataclass, field

from askwhere.engine import Checked, Result
from askwhere.errors import AskError
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import Match, ValueIndex


@dataclass(frozen=True)
class Linked:
    """A question with the database it is about: `schema` is what a prompt shows of the catalog, `shown` the values."""

    question: str
    hint: str | None
    dialect: str
    catalog: Catalog
    values: ValueIndex
    schema: Catalog
    shown: tuple[Match, ...] = ()


@dataclass(frozen=True)
class Candidate:
    """One query that may answer the question; `checked`, `result` and `error` are known once it was tried.

    `origin` says who wrote it, `weight` how sure its origin is of it (0 to 1), `confidence` how likely it is the
    answer after all candidates were compared (0 to 1). `rank` counts from 1, as does `group`: candidates of one group
    gave equal rows.
    """

    sql: str
    origin: str
    weight: float = 1.0
    notes: tuple[str, ...] = ()
    checked: Checked | None = None
    result: Result | None = None
    error: AskError | None = None
    confidence: float = 0.0
    rank: int = 0
    group: int = 0


@dataclass(frozen=True)
class Usage:
    """What one question cost: requests to the model, completions, tokens, wall seconds."""

    requests: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Drafted:
    """The candidates as written, what writing them cost, and why the reader had none."""

    candidates: tuple[Candidate, ...]
    usage: Usage = field(default_factory=Usage)
    refusal: AskError | None = None
