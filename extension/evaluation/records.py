"""Read and write run files: how questions were asked, and the outcome of each, as JSON lines.

The first line is the run's header. Then comes a line for each question that was asked, and one for each that could not
be used. The `kind` of a line is 'run', 'question' or 'excluded'. The summary is a file of its own beside the run file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, field
from pathlib import Path

from askwhere import files
from askwhere.errors import ArgumentError
from askwhere.evaluation import typed_json
from askwhere.frozen import frozen
from askwhere.user_files import text_of

FORMAT = 1

# The outcomes of a question: an answer; none since the reader could not place its words or the guard refused the query
# ('refused'); several readings about equally likely ('ambiguous'); an error, or the time limit ('failed').
OUTCOMES = ("answered", "refused", "ambiguous", "failed")
LEVELS = ("easy", "medium", "hard", "extra", "simple", "moderate", "challenging")


@frozen
class Header:
    """Everything that a run depends on: two runs with equal headers ask the same questions in the same way.

    `set` is the file of questions, or the database whose pins are the questions; `split` is a part of the set. `only`
    and `without` name databases whose questions alone were asked, or were left out. `method`, `effort` and `model` are
    these settings as text; `settings` are the other settings that differ from their defaults.
    `sample` is the number of questions drawn with `seed`, None for all.

    `seconds` limits a question, `query_seconds` a query that is run to judge it. `scores` are the names of the scores
    in `Record.scores`; the first decides what is right. `prices` are the model's prices, where they were given, in
    dollars for a million tokens of prompts and of completions. `version` is the version of askwhere. `source` is a
    digest of its code and its dependencies, `parts` are the digests and versions that it is made of, by name; `data` is
    a digest of the questions, the gold queries and the databases.
    """

    set: str
    split: str = ""
    databases: str = ""
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    engine: str = "sqlite"
    method: str = ""
    effort: str = "balanced"
    model: str = "reader"
    settings: Mapping[str, str] = field(default_factory=dict)
    evidence: str = "hint"
    sample: int | None = None
    seed: int = 0
    seconds: float = 300.0
    query_seconds: float = 30.0
    scores: tuple[str, ...] = ("spider_ex",)
    prices: tuple[float, ...] = ()
    version: str = ""
    source: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    data: str = ""
    format: int = FORMAT


@frozen
class Record:
    """The outcome of one question.

    `predicted` is the SQL that answered it, None without an answer; `error` then says why. `scores` has 0 to 1 for each
    name of the header; 'ves' has tau, the ratio of gold's time to the prediction's. Without an answer each
    is 0. The recalls are the shares of the tables, columns and values of gold that a prompt shows, None where gold has
    none. `skeleton` says whether the prediction has gold's skeleton. `level` is Spider's hardness, `difficulty` the
    level that the data set states.

    `cost` is in dollars, None if no price is known; `seconds` is wall time from the question to its SQL. `cached` says
    whether the reply came from an earlier run.
    """

    id: str
    db_id: str
    question: str
    gold: str
    predicted: str | None = None
    outcome: str = "failed"
    error: str = ""
    confidence: float | None = None
    level: str = ""
    difficulty: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    table_recall: float | None = None
    column_recall: float | None = None
    value_recall: float | None = None
    skeleton: bool = False
    requests: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    candidates: int = 0
    cached: bool = False


@frozen
class Excluded:
    """A question that was not asked: its gold query fails, or gives other rows in the engine that is evaluated."""

    id: str
    db_id: str
    reason: str


@frozen
class Run:
    """A run as its file holds it.

    `complete` says whether its summary was written, which happens after the last question.
    """

    header: Header
    records: tuple[Record, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    complete: bool = True

    def right(self, record: Record) -> bool:
        """Return whether the question was answered rightly, by the run's first score."""
        return record.outcome == "answered" and record.scores.get(self.header.scores[0], 0.0) >= 1.0


_KINDS: dict[str, type[Header | Record | Excluded]] = {"run": Header, "question": Record, "excluded": Excluded}


def line(entry: Header | Record | Excluded) -> str:
    """Return one line of a run file, with its newline."""
    kind = next(name for name, class_ in _KINDS.items() if isinstance(entry, class_))
    return typed_json.dumps({"kind": kind, **asdict(entry)}) + "\n"


def write(path: Path, run: Run) -> None:
    """Write a whole run file, in place of one that is there; other processes see the old file or the new one."""
    lines: Iterable[Header | Record | Excluded] = (run.header, *run.excluded, *run.records)
    files.write(path, "".join(map(line, lines)))


def read(path: Path) -> Run:
    """Read a run file. A last line without a newline, as a killed process leaves it, is ignored.

    Raise `ArgumentError` for a file that is missing or is no run file.
    """
    try:
        text = text_of(path, "a run file of askwhere eval")
    except FileNotFoundError:
        raise ArgumentError(f"there is no run file {path}; `askwhere eval` writes one") from None
    except UnicodeDecodeError as exc:
        raise ArgumentError(f"{path} is no run file of askwhere eval: {exc}") from None
    whole = [part for part in text.split("\n")[:-1] if part]  # what no newline ends was not written to its end
    lines_read = [_parsed(part, f"{path}, line {number}") for number, part in enumerate(whole, 1)]
    if not lines_read or not isinstance(lines_read[0], Header):
        raise ArgumentError(f"{path} is no run file of askwhere eval: its first line is not a run's header")
    records = tuple(entry for entry in lines_read if isinstance(entry, Record))
    excluded = tuple(entry for entry in lines_read if isinstance(entry, Excluded))
    return Run(lines_read[0], records, excluded, summary_path(path).exists())


def summary_path(path: Path) -> Path:
    """Return the path of a run file's summary: `run.summary.json` beside `run.jsonl`."""
    return path.with_name(path.name.removesuffix(".jsonl") + ".summary.json")


def _parsed(text: str, place: str) -> Header | Record | Excluded:
    """Parse one line of a run file. `place` names the file and line in errors."""
    try:
        fields = json.loads(text)
        kind = _KINDS[fields.pop("kind")]
        if kind is Header and fields.get("format") != FORMAT:
            raise ArgumentError(f"{place}: the file has format {fields.get('format')!r}, this askwhere reads {FORMAT}")
        return typed_json.build(kind, fields)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as exc:
        raise ArgumentError(f"{place} is no line of a run file of askwhere eval: {text[:80]!r} ({exc})") from None
