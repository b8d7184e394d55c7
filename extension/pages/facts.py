"""Define the facts that the page of a trace shows. What must be hidden is removed before they are made."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from askwhere.frozen import frozen
from askwhere.pipeline.facts import Step, Usage


@frozen
class Link:
    """A link from words of the question to a name of the schema, or to a value.

    `how` is 'name' for a name; for a value 'exact', 'near', or 'part' if it only shares a word with the question.
    `spans` are the places of the words in the question. `column` is '' for a table's name; `value` is None for a name.
    `used` is true if the answer's query uses it.
    """

    words: str
    how: str
    table: str
    column: str = ""
    value: str | None = None
    spans: tuple[tuple[int, int], ...] = ()
    used: bool = False


@frozen
class Columns:
    """A table with its columns. `used` are the columns, and `in_answer` whether the table, in the answer's query."""

    table: str
    columns: tuple[str, ...]
    used: tuple[str, ...] = ()
    in_answer: bool = False


@frozen
class Query:
    """A candidate. `n_rows` is None where it failed, or where the trial stopped before the last row."""

    rank: int
    sql: str
    origin: str
    confidence: float = 0.0
    group: int = 0
    n_rows: int | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    ms: float | None = None
    error: str = ""
    notes: tuple[str, ...] = ()

    @property
    def ran(self) -> bool:
        """Return whether the query ran without an error."""
        return not self.error


@frozen
class Correction:
    """A query that a step replaced: its error, the reason for the change, and what the new query `gave`."""

    step: str
    before: str
    after: str
    error: str = ""
    reason: str = ""
    gave: str = ""


@frozen
class Trace:
    """How a question was answered. `chosen` is the rank of the answer's candidate; 0 for none, and `error` says why.

    `follows` are the earlier questions that it refines. `values` is the setting of that name, '' if it is not set; with
    'hide' no text in a trace contains a cell value.
    """

    question: str
    database: str
    dialect: str
    model: str = "reader"
    effort: str = "balanced"
    method: str = ""
    hint: str = ""
    follows: tuple[str, ...] = ()
    values: str = ""
    asked_at: str = ""
    version: str = ""
    chosen: int = 0
    error: str = ""
    queries: tuple[Query, ...] = ()
    links: tuple[Link, ...] = ()
    tables: tuple[Columns, ...] = ()
    corrections: tuple[Correction, ...] = ()
    steps: tuple[Step, ...] = ()
    usage: Usage = field(default_factory=Usage)
