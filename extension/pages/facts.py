"""What the page of a trace shows, as facts: everything that is needed, and nothing that may not be seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from askwhere.pipeline.facts import Step, Usage


@dataclass(frozen=True)
class Link:
    """What words of the question stand for: a name of the schema, or a value.

    `how` is 'name', or of a value 'exact', 'near', or 'part' for one that only shares a word. `spans` are the places of
    the words in the question. `column` is '' for a table's own name, `value` None for a name.
    """

    words: str
    how: str
    table: str
    column: str = ""
    value: str | None = None
    spans: tuple[tuple[int, int], ...] = ()
    used: bool = False


@dataclass(frozen=True)
class Columns:
    """A table with its columns; `used` are those that the answer's query names, if it reads the table at all."""

    table: str
    columns: tuple[str, ...]
    used: tuple[str, ...] = ()
    in_answer: bool = False


@dataclass(frozen=True)
class Query:
    """A candidate as it is shown. `n_rows` is None where it failed, or where the trial stopped before the last row."""

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
        """Whether it gave rows, or a result without any."""
        return not self.error


@dataclass(frozen=True)
class Correction:
    """A query that was replaced: by which step, its error, the reason for the change, what came of it."""

    step: str
    before: str
    after: str
    error: str = ""
    reason: str = ""
    gave: str = ""


@dataclass(frozen=True)
class Trace:
    """How a question was answered. `chosen` is the rank of the answer's candidate, 0 for none; `error` then says why.

    `values` is the setting of that name, '' where it was left alone; with 'hide' no text here holds a cell value.
    """

    question: str
    database: str
    dialect: str
    model: str = "reader"
    effort: str = "balanced"
    method: str = ""
    hint: str = ""
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
