"""Define a question, the candidates found for it, and the answer that the caller gets."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from askwhere.engine import Engine, Result
from askwhere.errors import ArgumentError, AskError
from askwhere.models import Model
from askwhere.pipeline.asking import Asker, Budget
from askwhere.pipeline.facts import Candidate, Usage
from askwhere.pipeline.skeleton import Oracle
from askwhere.settings import Settings
from askwhere.tables import html, table

LONGEST = 10_000  # characters of a question, and of a hint: about 2,500 tokens

# The dollars that some prompt and completion tokens of a model cost; None if its price is not known.
Cost = Callable[[str, int, int], float | None]


@dataclass(frozen=True)
class Question:
    """A question: its text and the optional arguments of `ask`.

    `oracle` is the part of the gold query that an ablation study gives to the method. With `unpinned` pins of the
    question do not count: its confidence is not calibrated, and the answer is not remembered.
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
    """A question while it is answered: the engine, the settings, and the asker that counts calls of models."""

    engine: Engine
    question: Question
    chosen: Settings
    asker: Asker


def check_length(question: Question) -> None:
    """Raise `ArgumentError` for a question or hint of more than `LONGEST` characters: reading it costs money."""
    for name, text in (("question", question.text), ("hint", question.hint or "")):
        if len(text) > LONGEST:
            raise ArgumentError(
                f"the {name} has {len(text):,} characters; it may have {LONGEST:,}: what is true of the data for every"
                " question belongs into comments on its tables (docs/comments.md)"
            )


def begun(engine: Engine, question: Question, settings: Settings, cost: Cost) -> Turn:
    """Return the turn of a question: its own arguments override the settings, and these give the budget."""
    chosen = settings.for_question(model=question.model, effort=question.effort)
    budget = Budget(chosen["max_calls"], chosen["max_tokens"], chosen["max_seconds"])
    return Turn(engine, question, chosen, Asker(budget, cost))


@dataclass(frozen=True)
class Found:
    """The candidates for a question, best first, and what it cost to find them.

    `trials` are the rows of the trials by query, uncut; there are none where the candidates were found before.
    """

    candidates: tuple[Candidate, ...]
    usage: Usage
    trials: Mapping[str, Result] = field(default_factory=dict)


@dataclass
class Answer:
    """The answer to a question: its SQL, columns, confidence (0 to 1) and rows.

    `rows` is read once, and raises `TooMuch` above the setting `max_rows`: where the question was answered just now and
    its trial had all rows, these are they; else they are read on first use. `candidates` are all queries
    that were considered, best first; `usage` is what finding them cost. `print(answer)` draws the rows as a table, as
    a notebook does, with the SQL and the confidence folded below.
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
        """Return the rows as tuples, in the query's order."""
        if self._rows is None:
            self._rows = self._read().rows
        return self._rows

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def __str__(self) -> str:
        return table(self.columns, self.rows)

    def _repr_html_(self) -> str:
        """Return the answer as a notebook shows it."""
        return html(self.columns, self.rows, f"SQL, with a confidence of {self.confidence:.2f}", self.sql)

    def df(self) -> Any:
        """Return the rows as a pandas DataFrame. Raise `AskError` if pandas is not installed."""
        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError:
            raise AskError("Answer.df() needs pandas: pip install pandas") from None
        return pandas.DataFrame.from_records(list(self.rows), columns=list(self.columns))
