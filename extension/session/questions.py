"""Define a question, its ranked candidates, and the answer that the caller gets."""

from __future__ import annotations

import importlib
import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from askwhere.cells import SURROGATE, in_decimals, visible
from askwhere.display import html, table
from askwhere.engine import Engine, Result
from askwhere.errors import ArgumentError, AskError
from askwhere.frozen import frozen
from askwhere.models import Model
from askwhere.pipeline.asking import Asker, Budget
from askwhere.pipeline.facts import Candidate, Earlier, Usage
from askwhere.settings import Settings

LONGEST = 10_000  # characters of a question, and of a hint: about 2,500 tokens
MOST_FOLLOWED = 20  # earlier questions that a question follows

Rows: TypeAlias = tuple[tuple[Any, ...], ...]
# The dollars that some prompt and completion tokens of a model cost; None if its price is not known.
Cost = Callable[[str, int, int], float | None]


@frozen
class Question:
    """A question: its text and the optional arguments of `ask`.

    `follows` are the earlier questions that it refines, oldest first. If `unpinned` is true, a pin of the question is
    ignored, its confidence is not calibrated, and its answer is not remembered.
    """

    text: str
    model: str | Model | None = None
    effort: str | None = None
    hint: str | None = None
    choose: int | None = None
    follows: tuple[str, ...] = ()
    unpinned: bool = False

    @property
    def chain(self) -> tuple[str, ...]:
        """Return the earlier questions and this one, oldest first."""
        return (*self.follows, self.text)


@frozen
class Turn:
    """A question while it is answered: the engine, the settings, and the asker that counts calls of models.

    `settings` are those of the session with the question's own arguments in place; `earlier` are the questions that it
    refines, with their queries.
    """

    engine: Engine
    question: Question
    settings: Settings
    asker: Asker
    earlier: tuple[Earlier, ...] = ()


def chain(follows: Any) -> tuple[str, ...]:
    """Return the earlier questions of the argument `follows`: one text, or several as a JSON array or a sequence.

    A text that begins with `[` is such an array. Raise `ArgumentError` for anything else, and for too long a chain.
    """
    given = _array(follows) if isinstance(follows, str) and follows.lstrip().startswith("[") else follows
    listed = [given] if isinstance(given, str) else [] if given is None else given
    if not isinstance(listed, list | tuple) or not all(isinstance(text, str) and text.strip() for text in listed):
        raise ArgumentError(f"{_EXPECTED}, found {str(follows)[:80]!r}")
    if len(listed) > MOST_FOLLOWED:
        raise ArgumentError(
            f"a question may follow {MOST_FOLLOWED} earlier ones, found {len(listed)}: ask one that needs fewer of them"
        )
    return tuple(listed)


_EXPECTED = "follows: expected an earlier question, or a JSON array of earlier questions, oldest first"


def _array(text: str) -> Any:
    """Return what a text in JSON holds. Raise `ArgumentError` where it is not well-formed."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise ArgumentError(f"{_EXPECTED}, found {text[:80]!r} ({exc})") from None


def check_texts(question: Question) -> None:
    """Raise `ArgumentError` for a question or hint of more than `LONGEST` characters, or with a lone surrogate.

    A model's reading of a long text costs money. JSON can write half of a surrogate pair, but no engine stores one.
    """
    earlier = (("earlier question", text) for text in question.follows)
    for name, text in (("question", question.text), ("hint", question.hint or ""), *earlier):
        if half := SURROGATE.search(text):
            raise ArgumentError(f"the {name} has half of a character, {half[0]!a}: write it in UTF-8")
        if len(text) > LONGEST:
            raise ArgumentError(
                f"the {name} has {len(text):,} characters; it may have {LONGEST:,}: what is true of the data for every"
                " question belongs in comments on its tables (docs/comments.md)"
            )


def turn_of(engine: Engine, question: Question, settings: Settings, cost: Cost) -> Turn:
    """Return the turn of a question: its own arguments override the settings, and these give the budget."""
    own = settings.for_question(model=question.model, effort=question.effort)
    budget = Budget(own["max_calls"], own["max_tokens"], own["max_seconds"])
    return Turn(engine, question, own, Asker(budget, cost))


@frozen
class Ranking:
    """The candidates for a question, best first, and what it cost to find them.

    `trials` has the result of each query that was tried just now, with every row that was read; it is empty in a cached
    ranking. `expires` is when the cache drops the ranking, in seconds of `time.monotonic`.
    """

    candidates: tuple[Candidate, ...]
    usage: Usage
    trials: Mapping[str, Result] = field(default_factory=dict)
    expires: float = math.inf


@dataclass
class Answer:
    """The answer to a question: its SQL, columns, confidence (0 to 1) and rows.

    `notes` say what was guessed, who ties with the last row and is left out by LIMIT, and of an answer without rows
    which tables have none, and which condition no value of its column meets, with the least and the greatest value.
    `candidates` are all queries that were considered, best first; `usage` is what finding them cost. `types` are the
    columns' types, '' for a column that may hold values of any type. `rows` are read when they are first used; they
    raise `TooMuch` if there are more than the setting `max_rows`. `print(answer)` prints them as a table. A notebook
    also shows a table, with the SQL and the confidence folded below it. `answer.ask('…')` asks a question that refines
    this one.
    """

    sql: str
    columns: tuple[str, ...]
    confidence: float
    notes: tuple[str, ...]
    candidates: tuple[Candidate, ...] = field(repr=False)  # each with its rows and its checked query
    usage: Usage = field(repr=False)
    types: tuple[str, ...] = field(repr=False)
    _read: Any = field(repr=False)
    _rows: Rows | None = field(default=None, repr=False)
    _next: Callable[[str], Answer] | None = field(default=None, repr=False)

    def ask(self, question: str) -> Answer:
        """Return the answer to a question that follows this one: "only those in Germany", "and by month?"."""
        assert self._next is not None  # a session that answers gives it
        return self._next(question)

    @property
    def rows(self) -> Rows:
        """Return the rows as tuples, in the query's order."""
        if self._rows is None:
            self._rows = self._read().rows
        return self._rows

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def __str__(self) -> str:
        return table(self.columns, in_decimals(self.rows, self.types))

    def reasons(self, with_query: bool = True) -> str:
        """Return what the answer rests on, for people: the query, with the confidence, and what was guessed."""
        query = [f"By this query, with a confidence of {self.confidence:.2f}:", self.sql] if with_query else []
        return "\n".join([*query, *(f"Note: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        """Return the answer as a notebook shows it."""
        folded = f"SQL, with a confidence of {self.confidence:.2f}"
        details = "\n".join([self.sql, *(f"Note: {note}" for note in self.notes)])
        return html(self.columns, in_decimals(self.rows, self.types), folded, details)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the answer as IPython shows it in a terminal."""
        printer.text(visible(f"{self}\n{self.reasons()}"))

    def df(self) -> Any:
        """Return the rows as a pandas DataFrame. Raise `AskError` if pandas is not installed."""
        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError:
            raise AskError("Answer.df() needs pandas: pip install pandas") from None
        return pandas.DataFrame.from_records(list(self.rows), columns=list(self.columns))

    def chart(self) -> Any:
        """Return a chart of the rows as altair draws it (docs/charts.md says which).

        Raise `AskError` where none fits, which says why, and if altair is not installed.
        """
        from askwhere.charts import chart_of, vega_lite  # few answers are drawn

        drawn = vega_lite(chart_of(self.columns, self.rows))
        try:
            altair: Any = importlib.import_module("altair")
        except ImportError:
            raise AskError("Answer.chart() needs altair: pip install altair") from None
        return altair.Chart.from_dict(drawn)
