"""What is asked, what is found, and what the caller gets."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from askwhere.engine import Engine
from askwhere.errors import ArgumentError, AskError
from askwhere.models import Model
from askwhere.pipeline.asking import Asker, Budget
from askwhere.pipeline.facts import Candidate, Usage
from askwhere.pipeline.skeleton import Oracle
from askwhere.settings import Settings

LONGEST = 10_000  # characters of a question, and of a hint: about 2,500 tokens

# Dollars that a model's prompt and completion tokens cost, None where its price is not known.
Cost = Callable[[str, int, int], float | None]


@dataclass(frozen=True)
class Question:
    """What was asked: the text, the optional arguments of `ask`, and for a study what of the right query is given.

    `unpinned` asks as if there were no pin for it: the answer's confidence is the estimate, and it is not remembered.
    """

    text: str
    model: str | Model | None = None
    effort: str | None = None
    hint: str | None = None
    choose: int | None = None
    oracle: Oracle = field(default_factory=Oracle)
    unpinned: bool = False


@dataclass(frozen=True)
class Turn:
    """A question while it is answered: on which engine, with which settings, and who asks models for it."""

    engine: Engine
    question: Question
    chosen: Settings
    asker: Asker


def check_length(question: Question) -> None:
    """Raises `ArgumentError` for a question or a hint that no person writes: a model would be paid for reading it."""
    for name, text in (("question", question.text), ("hint", question.hint or "")):
        if len(text) > LONGEST:
            raise ArgumentError(
                f"the {name} has {len(text):,} characters; it may have {LONGEST:,}: what is true of the data for every"
                " question belongs into comments on its tables (docs/comments.md)"
            )


def begun(engine: Engine, question: Question, settings: Settings, cost: Cost) -> Turn:
    """A question's turn, with what its own arguments say of the settings, and with the budget that they give."""
    chosen = settings.for_question(model=question.model, effort=question.effort)
    budget = Budget(chosen["max_calls"], chosen["max_tokens"], chosen["max_seconds"])
    return Turn(engine, question, chosen, Asker(budget, cost))


@dataclass(frozen=True)
class Found:
    """The candidates for a question, best first, and what finding them cost."""

    candidates: tuple[Candidate, ...]
    usage: Usage


@dataclass
class Answer:
    """The answer to a question: its SQL, its columns, how sure we are, and the rows when they are looked at.

    `rows` is read once, on first use, and raises `TooMuch` above the setting `max_rows`. `candidates` are all that were
    considered, best first.
    """

    sql: str
    columns: tuple[str, ...]
    confidence: float
    candidates: tuple[Candidate, ...]
    usage: Usage
    _read: Any = field(repr=False)
    _rows: tuple[tuple[Any, ...], ...] | None = field(default=None, repr=False)

    @property
    def rows(self) -> tuple[tuple[Any, ...], ...]:
        """The answer's rows as tuples, in the query's order."""
        if self._rows is None:
            self._rows = self._read().rows
        return self._rows

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def df(self) -> Any:
        """The rows as a pandas DataFrame; needs pandas."""
        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError:
            raise AskError("Answer.df() needs pandas: pip install pandas") from None
        return pandas.DataFrame.from_records(list(self.rows), columns=list(self.columns))
