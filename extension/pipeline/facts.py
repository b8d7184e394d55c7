"""Define what the steps of a method pass on: the linked question, candidates, usage and the trace."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from askwhere.engine import Checked, Result, Table
from askwhere.errors import AskError
from askwhere.frozen import frozen
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import Match, ValueIndex
from askwhere.pipeline.outcomes import Outcome


@frozen
class Earlier:
    """An earlier question that the question refines, with the query that answered it; `origin` wrote the query."""

    question: str
    sql: str
    origin: str


@frozen
class Linked:
    """A question with its database, and what a prompt shows of the database.

    `schema` is the part of the catalog that is shown. If it is cut to the question, it begins with the tables `common`,
    which all questions show. `examples` are the values beside its columns, the same for all questions; `shown`
    are the best values of each column for this question. `show` is the setting `values`: 'show', 'matched' or 'hide'.
    `earlier` are the questions that it refines, oldest first.
    """

    question: str
    hint: str | None
    dialect: str
    catalog: Catalog
    values: ValueIndex
    schema: Catalog
    common: tuple[Table, ...] = ()
    shown: tuple[Match, ...] = ()
    examples: tuple[Match, ...] = ()
    show: str = "show"
    earlier: tuple[Earlier, ...] = ()

    @property
    def whole_text(self) -> str:
        """Return the text of the earlier questions, the question and the hint."""
        return " ".join((*(earlier.question for earlier in self.earlier), self.question, self.hint or ""))


@frozen
class Alignment:
    """What a word of the question stands for: `table` or `table.column`, '' for nothing.

    `kind` is 'tbl', 'col', or 'val' for a value of the column (DAC, section 3.2).
    """

    token: str
    schema: str = ""
    kind: str = ""


@frozen
class Candidate:
    """One query that may answer the question; `checked`, `result` and `error` are known once it was tried.

    `origin` says what wrote it: 'reader', 'pin', or a model, with the number of its prompt and what corrected it, as in
    'tiny: prompt 2 + entities'. `weight` is how much it counts among the candidates, in completions, and `drawn` how
    many of these were samples. `likely` is how often a reading or a pin is right if nothing contradicts it (0 to 1),
    None for a model's query. `estimate` is how likely it is right after all candidates were compared (0 to 1),
    `confidence` the same after calibration. `rank` and `group` count from 1; candidates of one group gave equal rows.
    `n_rows` is None where the trial stopped before the last row. `before` is the query that this one corrects, '' for
    none. `outcome` is the digest that its result is compared by, once it was compared. `picked` says that the method
    has chosen it, `uncut` that `result` still has every row and value that was read.
    """

    sql: str
    origin: str
    weight: float = 1.0
    likely: float | None = None
    drawn: int = 0
    notes: tuple[str, ...] = ()
    checked: Checked | None = None
    result: Result | None = None
    n_rows: int | None = None
    error: AskError | None = None
    estimate: float = 0.0
    confidence: float = 0.0
    rank: int = 0
    group: int = 0
    before: str = ""
    outcome: Outcome | None = None
    picked: bool = False
    uncut: bool = False


LONGEST_CELL = 1_000  # characters or bytes that are kept of a value in a candidate's rows
# Ways to shorten a candidate's rows: the number of rows, and the length of a value. The first that fits is taken.
_PREVIEWS = ((5, LONGEST_CELL), (5, 100), (1, 100), (1, 10), (0, 0))


def preview(candidate: Candidate, most: int) -> Candidate:
    """Return the candidate with the first rows of its result, long values cut, in at most `most` bytes."""
    result = candidate.result
    if result is None:
        return candidate
    cuts = (tuple(tuple(cut(c, longest) for c in row) for row in result.rows[:rows]) for rows, longest in _PREVIEWS)
    return replace(
        candidate,
        result=replace(result, rows=next(rows for rows in cuts if size(rows) <= most or not rows)),
        uncut=False,
    )


def cut(cell: Any, longest: int) -> Any:
    """Return a value, or the beginning of a long one.

    A text that is cut says how long it was; a long list or record becomes such a text.
    """
    if isinstance(cell, list | tuple | dict):
        return cell if size((cell,)) <= longest else cut(str(cell), longest)
    if isinstance(cell, bytes):
        return cell[:longest]
    if isinstance(cell, str) and len(cell) > longest:
        return f"{cell[:longest]}… ({len(cell):,} characters)"
    return cell


def size(cells: Iterable[Any]) -> int:
    """Return the bytes that values take, with the values inside them."""
    total = 0
    for cell in cells:
        total += sys.getsizeof(cell)
        if isinstance(cell, dict):
            total += size(cell.values()) + size(cell)
        elif isinstance(cell, list | tuple):
            total += size(cell)
    return total


@frozen
class Usage:
    """The cost of one question: requests to models, completions, tokens, wall seconds, and dollars if prices are known.

    `calls` counts completions. A request may give several, and a retry is another request.
    """

    requests: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None

    def plus(self, requests: int, calls: int, prompt: int, completion: int, cost: float | None) -> Usage:
        """Return the usage with one more call added."""
        return replace(
            self,
            requests=self.requests + requests,
            calls=self.calls + calls,
            prompt_tokens=self.prompt_tokens + prompt,
            completion_tokens=self.completion_tokens + completion,
            cost=self.cost if cost is None else (self.cost or 0.0) + cost,
        )


@frozen
class Step:
    """One step of finding an answer, as `ask_trace` shows it; `model` is None where no model was asked.

    `sql` is the query that was run, and `before` the one that it corrects; '' for none. `ms` is in milliseconds.
    """

    step: str
    detail: str = ""
    model: str | None = None
    prompt: str | None = None
    reply: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    ms: float = 0.0
    sql: str = ""
    before: str = ""
