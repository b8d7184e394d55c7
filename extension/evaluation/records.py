"""Run files: what was asked and how, and what came of each question, as JSON lines; the summary stands beside them.

The first line is the run's header. After it come a line for each question that was asked, and one for each that could
not be used; their `kind` is 'run', 'question' or 'excluded'.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from askwhere import files
from askwhere.errors import ArgumentError
from askwhere.evaluation import kept
from askwhere.evaluation.files import text_of

FORMAT = 1

# What can come of a question: the reader could not place its words, or the guard refused the query ('refused');
# several readings were about equally likely ('ambiguous'); there was an error, or no time was left ('failed').
OUTCOMES = ("answered", "refused", "ambiguous", "failed")
LEVELS = ("easy", "medium", "hard", "extra", "simple", "moderate", "challenging")


@dataclass(frozen=True)
class Header:
    """All that a run depends on: two runs of equal headers ask the same things in the same way.

    `set` is the file of questions, or the database whose pins they are, `split` a part of it; `only` and `without` name
    databases whose questions alone were asked, or were not. `method`, `effort` and `model` are the settings as text,
    and `settings` are those beside them that were given. `preset` names an ablation and its row, and `oracle` what of
    gold is given to the method: 'entities', 'skeleton' (DAC, Table 7). `sample` is how many questions were drawn with
    `seed`, None for all. `seconds` cuts a question, `query_seconds` a query that scores it. `scores` are the names of
    the scores in `Record.scores`; the first says what is right. `prices` are the model's, where they were given:
    dollars for a million tokens of prompts and of completions. `version` is the package's, `source` a digest of its
    files and of what it depends on, `parts` what that is made of, by name, `data` a digest of the questions, their gold
    and the databases.
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
    preset: str = ""
    oracle: tuple[str, ...] = ()
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


@dataclass(frozen=True)
class Record:
    """What came of one question.

    `predicted` is the SQL that answered it, None where nothing did; `error` says why. `scores` holds 0 to 1 by the
    names of the header, of 'ves' and 'r_ves' the ratio of times tau; a question without an answer has 0 of each. The
    recalls are shares of what gold names that a prompt shows, None where gold names nothing of the kind; `skeleton`
    says that gold's is the same, `parsed_skeleton` that the one which DAC parsed from the question is, None where none
    was parsed. `level` is Spider's hardness, `difficulty` the data set's own word. `error_classes` say in what a wrong
    answer differs from gold, the main one first (`classes.classify`); a right one has none.
    `cost` is in dollars, None without a known price; `seconds` is wall time from the question to its SQL. `cached` says
    that it was asked in an earlier run.
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
    parsed_skeleton: bool | None = None
    error_classes: tuple[str, ...] = ()
    requests: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    candidates: int = 0
    cached: bool = False


@dataclass(frozen=True)
class Excluded:
    """A question that was not asked, since its gold query fails or does not give the same in the other engine."""

    id: str
    db_id: str
    reason: str


@dataclass(frozen=True)
class Run:
    """A run file. `complete` says that its summary was written, after the last question."""

    header: Header
    records: tuple[Record, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    complete: bool = True

    def right(self, record: Record) -> bool:
        """Whether the question was answered rightly, by the run's first score."""
        return record.outcome == "answered" and record.scores.get(self.header.scores[0], 0.0) >= 1.0


def line(thing: Header | Record | Excluded) -> str:
    """One line of a run file, with its end."""
    kind = {Header: "run", Record: "question", Excluded: "excluded"}[type(thing)]
    return kept.text({"kind": kind, **asdict(thing)}) + "\n"


def write(path: Path, run: Run) -> None:
    """Write a run file whole, in place of one that is there; it is never seen half written."""
    lines: Iterable[Header | Record | Excluded] = (run.header, *run.excluded, *run.records)
    files.write(path, "".join(map(line, lines)))


def read(path: Path) -> Run:
    """The run of a file. A last line that was cut off, as by a killed process, is left out.

    Raises `ArgumentError` for a file that is none.
    """
    try:
        text = text_of(path, "a run file of askwhere eval")
    except FileNotFoundError:
        raise ArgumentError(f"there is no run file {path}; `askwhere eval` writes one") from None
    except UnicodeDecodeError as exc:
        raise ArgumentError(f"{path} is no run file of askwhere eval: {exc}") from None
    whole = [part for part in text.split("\n")[:-1] if part]  # what no newline ends was not written to its end
    found = [_parsed(part, f"{path}, line {number}") for number, part in enumerate(whole, 1)]
    if not found or not isinstance(found[0], Header):
        raise ArgumentError(f"{path} is no run file of askwhere eval: its first line is not a run's header")
    records = tuple(thing for thing in found if isinstance(thing, Record))
    excluded = tuple(thing for thing in found if isinstance(thing, Excluded))
    return Run(found[0], records, excluded, summary_path(path).exists())


def summary_path(path: Path) -> Path:
    """Where the summary of a run file stands: `run.jsonl` has `run.summary.json`."""
    return path.with_name(path.name.removesuffix(".jsonl") + ".summary.json")


def _parsed(text: str, place: str) -> Header | Record | Excluded:
    try:
        found = json.loads(text)
        kinds: dict[str, type[Header | Record | Excluded]] = {"run": Header, "question": Record, "excluded": Excluded}
        kind = kinds[found.pop("kind")]
        if kind is Header and found.get("format") != FORMAT:
            raise ArgumentError(f"{place}: the file has format {found.get('format')!r}, this askwhere reads {FORMAT}")
        return kept.of(kind, found)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as exc:
        raise ArgumentError(f"{place} is no line of a run file of askwhere eval: {text[:80]!r} ({exc})") from None
