"""Sum up a run: every score by hardness with its 95 % interval, and what asking cost."""

from __future__ import annotations

import math
import statistics as python
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from askwhere import files
from askwhere.evaluation import records, typed_json
from askwhere.evaluation.compare import by_hardness
from askwhere.evaluation.records import Record, Run
from askwhere.evaluation.statistics import Z, calibration, percentile, wilson
from askwhere.frozen import frozen

# Scores that are 0 or 1 for each question, with Wilson's interval; others have the normal interval of a mean.
OF_RIGHT_AND_WRONG = frozenset({"spider_ex", "bird_ex", "own_ex"})
# The names of figures in tables.
LABELS = {
    "spider_ex": "Spider EX",
    "bird_ex": "BIRD EX",
    "own_ex": "our EX",
    "soft_f1": "Soft-F1",
    "ves": "VES",
    "skeleton": "skeleton",
}


@frozen
class Figure:
    """A figure in percent with its 95 % interval, over a number of questions; None where there are too few of them."""

    percent: float | None
    low: float | None
    high: float | None
    questions: int


NOTHING = Figure(None, None, None, 0)
Of = Callable[[Sequence[Record]], Figure]


def summary(run: Run, warnings: Iterable[str] = ()) -> dict[str, Any]:
    """Return the figures of a run as its summary file holds them, each by hardness and last for 'all'."""
    measures: dict[str, Of] = {name: score(name) for name in run.header.scores}
    measures["answered"] = _share(lambda r: r.outcome == "answered")
    measures["right_of_answered"] = lambda group: _share(run.right)([r for r in group if r.outcome == "answered"])
    measures["skeleton"] = _share(lambda r: r.skeleton)
    for name in ("table_recall", "column_recall", "value_recall"):
        measures[name] = _recall(name)
    levels = [*by_hardness(run.records), ("all", list(run.records))]
    answers = [(r.confidence or 0.0, run.right(r)) for r in run.records if r.outcome == "answered"]
    return {
        "header": asdict(run.header),
        "questions": len(run.records),
        "excluded": dict(Counter(_reason(e.reason) for e in run.excluded)),
        "outcomes": {name: sum(r.outcome == name for r in run.records) for name in records.OUTCOMES},
        "figures": {name: {level: asdict(of(group)) for level, group in levels} for name, of in measures.items()},
        "calibration": asdict(calibration(answers)),
        "usage": usage(run.records),
        "warnings": list(warnings),
    }


def usage(asked: Sequence[Record]) -> dict[str, Any]:
    """Return what asking cost: sums, and the seconds for a question; `cost` is None where no price is known."""
    costs = [r.cost for r in asked if r.cost is not None]
    return {
        **{name: sum(getattr(r, name) for r in asked) for name in ("requests", "calls")},
        **{name: sum(getattr(r, name) for r in asked) for name in ("prompt_tokens", "completion_tokens")},
        "cost": math.fsum(costs) if costs else None,
        "seconds": math.fsum(r.seconds for r in asked),
        "seconds_median": percentile((r.seconds for r in asked), 0.5) if asked else None,
        "seconds_p95": percentile((r.seconds for r in asked), 0.95) if asked else None,
        "cached": sum(r.cached for r in asked),
    }


def write(path: Path, run: Run, warnings: Iterable[str]) -> dict[str, Any]:
    """Write a run's summary beside its file, and return it."""
    summed = summary(run, warnings)
    files.write(records.summary_path(path), typed_json.dumps(summed, indent=1) + "\n")
    return summed


def _reason(text: str) -> str:
    """Return why a question was left out, without the part that is different for each question."""
    return text.split(":", 1)[0]


def _share(holds: Callable[[Record], bool]) -> Of:
    """Return a function that gives the percentage of the records for which `holds` is true."""

    def of(group: Sequence[Record]) -> Figure:
        count = sum(map(holds, group))
        low, high = wilson(count, len(group))
        return Figure(100 * count / len(group), 100 * low, 100 * high, len(group)) if group else NOTHING

    return of


def score(name: str) -> Of:
    """Return a function that computes the score of a name over some records, by the score's own formula.

    VES is the mean of the square roots of tau; in percent it may exceed 100.
    """
    if name in OF_RIGHT_AND_WRONG:
        return _share(lambda r: r.scores.get(name, 0.0) >= 1.0)
    part: Callable[[float], float] = math.sqrt if name == "ves" else float
    most = math.inf if name == "ves" else 100.0
    return lambda group: _mean([part(r.scores.get(name, 0.0)) for r in group], most)


def _recall(name: str) -> Of:
    """Return a function that gives the mean recall over the records whose gold names anything of the kind."""
    return lambda group: _mean([share for r in group if (share := getattr(r, name)) is not None], 100.0)


def _mean(parts: Sequence[float], most: float) -> Figure:
    """Return the mean of parts in percent with the normal 95 % interval; `most` bounds the interval."""
    if len(parts) < 2:
        return Figure(100 * parts[0], None, None, 1) if parts else NOTHING
    mean = python.fmean(parts)
    room = Z * python.stdev(parts) / math.sqrt(len(parts))
    return Figure(100 * mean, max(0.0, 100 * (mean - room)), min(most, 100 * (mean + room)), len(parts))
