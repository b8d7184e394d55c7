"""Build the report of one or several runs: a self-contained HTML page of tables and charts.

The page is a pure function of the runs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from askwhere.cells import counted
from askwhere.errors import ArgumentError
from askwhere.evaluation import classes, compare, report_wrong, summary
from askwhere.evaluation.records import Record, Run
from askwhere.evaluation.statistics import calibration, percentile, wilson
from askwhere.pages.page import page
from askwhere.pages.plot import Axis, Point, scale

# The columns and the rows of a table, and its caption.
Table = tuple[Sequence[str], Sequence[Sequence[object]], str]

_FIFTHS = tuple((n / 5, f"{20 * n}") for n in range(6))


@dataclass(frozen=True)
class Named:
    """A run with its name on the page."""

    name: str
    run: Run

    @property
    def records(self) -> tuple[Record, ...]:
        """Return the run's questions that were asked."""
        return self.run.records

    @property
    def right(self) -> int:
        """Return how many of the questions were answered rightly."""
        return sum(map(self.run.right, self.records))


@dataclass(frozen=True)
class Compared:
    """A run compared with the first, or the error that says why the two cannot be compared."""

    name: str
    table: Table | None = None
    notes: Sequence[str] = ()
    error: str = ""


@dataclass(frozen=True)
class Plot:
    """Points with their axes, and a table of the same figures."""

    points: Sequence[Point]
    axes: tuple[Axis, Axis]
    table: Table


def html(runs: Sequence[tuple[str, Run]], version: str, most: int) -> str:
    """Return the whole page for runs, each given with its name; at most `most` wrong questions are shown.

    Raises `ArgumentError` if the runs hold no question.
    """
    asked = [(name, run) for name, run in runs if run.records]
    if not asked:
        raise ArgumentError("there is no question in these runs to report on")
    several = len(asked) > 1
    shown = [Named(f"{n}: {name}" if several else name, run) for n, (name, run) in enumerate(asked, 1)]
    names = [one.name for one in shown]
    wrong = report_wrong.questions([(one.name, one.run) for one in shown], most)
    sections = [
        ("scores", "Scores"),
        *([("compared", "Compared")] if several else []),
        ("hardness", "Hardness"),
        ("cost", "Cost"),
        ("calibration", "Calibration"),
        ("errors", "Errors"),
        ("seconds", "Seconds"),
        ("wrong", f"Wrong ({wrong.count:,})"),
    ]
    heading = "Evaluation of " + (counted(len(shown), "run") if several else names[0])
    seconds = [(one.name, *_percentiles(one)) for one in shown]
    return page(
        "report.html",
        sections,
        title=f"{heading} · askwhere eval",
        heading=heading,
        names=names,
        about=[_about(one) for one in shown],
        scores=_scores(shown),
        compared=[_compared(shown[0], one) for one in shown[1:]],
        hardness=_hardness(shown),
        cost=_cost(shown),
        reliability=[(one.name, _reliability(one)) for one in shown],
        errors=_classes(shown),
        seconds=seconds,
        slowest=max(late for _, _, late in seconds) or 1.0,
        wrong=wrong,
        classes_of=report_wrong.classes_of,
        version=version,
    )


def _about(one: Named) -> list[tuple[str, str]]:
    """Return what a reader must know to judge a run's figures: questions, model, method, settings."""
    header = one.run.header
    given = {
        "Run": one.name,
        "Questions": f"{len(one.records):,} of {header.set}" + (f" {header.split}" if header.split else "")
        + (f", a sample with seed {header.seed}" if header.sample is not None else ""),
        "Right by": summary.LABELS.get(header.scores[0], header.scores[0]),
        "Ablation": header.preset,
        "Model": "none: the built-in reader" if header.model == "reader" else header.model,
        "Method": header.method or f"by effort, {header.effort}",
        "Settings": ", ".join(f"{name} = {value}" for name, value in sorted(header.settings.items())),
        "Given of gold": ", ".join(header.oracle),
        "Engine": header.engine,
        "Left out": counted(len(one.run.excluded), "question") if one.run.excluded else "",
        "Interrupted": "" if one.run.complete else "yes: not all questions were asked",
    }  # fmt: skip
    return list(given.items())


# --------------------------------------------------------------------------------------------------------------- scores


def _scores(runs: Sequence[Named]) -> Table:
    """Return the table of scores."""
    measures = [_measures(one) for one in runs]
    names = list(dict.fromkeys(name for found in measures for name in found))
    shown = [[name, *(found.get(name, "-") for found in measures)] for name in names]
    return ("score", *(one.name for one in runs)), shown, "Scores"


def _measures(one: Named) -> dict[str, str]:
    """Return the figures of a run by their labels, as percent with the interval."""
    found = {"questions": f"{len(one.records):,}"}
    for name, levels in summary.summary(one.run)["figures"].items():
        figure = levels["all"]
        if figure["percent"] is not None:
            room = "" if figure["low"] is None else f" ({figure['low']:.1f} to {figure['high']:.1f})"
            found[summary.LABELS.get(name, name.replace("_", " "))] = f"{figure['percent']:.1f}{room}"
    return found


def _compared(first: Named, one: Named) -> Compared:
    """Return how a run compares with the first."""
    try:
        found = compare.compare(first.run, one.run)
    except ArgumentError as exc:
        return Compared(one.name, error=str(exc))
    notes = [note for note in (compare.left_out(found), *found.notes) if note]
    return Compared(one.name, (compare.COLUMNS, compare.table(found), compare.sentence(found)), notes)


def _hardness(runs: Sequence[Named]) -> list[tuple[str, str, tuple[float, float, float], str]]:
    """Return for each level and run: level, name of the run, and what is right as `_share` returns it."""
    levels = [level for level, _ in compare.by_hardness(r for one in runs for r in one.records)]
    found = []
    for level in levels:
        for one in runs:
            records = [r for r in one.records if compare.hardness(r) == level]
            if records:
                share, words = _share(sum(map(one.run.right, records)), len(records))
                found.append((level or "not known", one.name if len(runs) > 1 else "", share, words))
    return found


def _share(right: int, asked: int) -> tuple[tuple[float, float, float], str]:
    """Return the interval of a share and the share itself, and both in words."""
    low, high = wilson(right, asked)
    return (low, high, right / asked), f"{_percent(right / asked)} % ({_percent(low)} to {_percent(high)}) of {asked:,}"


# ----------------------------------------------------------------------------------------------------------------- cost


def _cost(runs: Sequence[Named]) -> Plot:
    """Return accuracy against cost, in dollars where all prices are known, else in tokens; no points without a cost."""
    priced = all(r.cost is not None for one in runs for r in one.records if r.calls)
    name = "dollars a question" if priced and any(r.cost for one in runs for r in one.records) else "tokens a question"
    points = []
    for number, one in enumerate(runs, 1):
        low, high = wilson(one.right, len(one.records))
        x = _mean(_dollars(r) if name.startswith("dollars") else _tokens(r) for r in one.records)
        label = str(number) if len(runs) > 1 else ""
        points.append(Point(x, one.right / len(one.records), label, low, high))
    most, ticks = scale(max(point.x for point in points))
    columns = ("Run", "Percent right", "Completions a question", "Tokens a question", "Dollars a question", "Dollars")
    shown = [
        [
            one.name,
            _percent(one.right / len(one.records)),
            f"{_mean(r.calls for r in one.records):,.2f}",
            f"{_mean(map(_tokens, one.records)):,.0f}",
            *_priced(one.records),
        ]
        for one in runs
    ]
    axes = Axis(name, most, ticks), Axis("percent right", 1.0, _FIFTHS)
    return Plot(points if any(point.x for point in points) else [], axes, (columns, shown, "What the runs cost"))


def _priced(records: Sequence[Record]) -> tuple[str, str]:
    """Return the dollars for a question and for the whole run, as text; '-' where a price is not known."""
    if any(r.cost is None for r in records if r.calls):
        return "-", "-"
    whole = sum(map(_dollars, records))
    return f"{whole / len(records):,.5f}", f"{whole:,.2f}"


def _tokens(record: Record) -> int:
    return record.prompt_tokens + record.completion_tokens


def _dollars(record: Record) -> float:
    return record.cost or 0.0


# ---------------------------------------------------------------------------------------------------------- calibration


def _reliability(one: Named) -> Plot | None:
    """Return the reliability diagram of a run and its table; None where no answer has a confidence."""
    answers = [
        (r.confidence, one.run.right(r)) for r in one.records if r.outcome == "answered" and r.confidence is not None
    ]
    if not answers:
        return None
    found = calibration(answers)
    points = [Point(b.confidence, b.right, "", *wilson(round(b.right * b.count), b.count)) for b in found.bins]
    axes = Axis("confidence, percent", 1.0, _FIFTHS), Axis("percent right", 1.0, _FIFTHS)
    shown = [
        [f"{_percent(b.low, 0)} to {_percent(b.high, 0)}", f"{b.count:,}", _percent(b.confidence), _percent(b.right)]
        for b in found.bins
    ]
    caption = f"{counted(len(answers), 'answer')}, ECE {found.ece:.3f}, Brier {found.brier:.3f}"
    return Plot(points, axes, (("Confidence", "Answers", "Mean confidence", "Percent right"), shown, caption))


# --------------------------------------------------------------------------------------------------- errors and seconds


def _classes(runs: Sequence[Named]) -> list[tuple[str, str, int, int, str]]:
    """Return for each class and run: class, name of the run, wrong ones of the class, all wrong ones, and words.

    A question's class is the main one of those found.
    """
    shown = []
    tallies = [Counter(report_wrong.classes_of(r)[0] for r in one.records if not one.run.right(r)) for one in runs]
    for name in classes.CLASSES:
        for one, found in zip(runs, tallies, strict=True):
            wrong = sum(found.values())
            if any(other[name] for other in tallies):
                share = f" ({_percent(found[name] / wrong)} %)" if wrong else ""
                words = f"{found[name]:,}{share}"
                shown.append((name, one.name if len(runs) > 1 else "", found[name], max(wrong, 1), words))
    return shown


def _percentiles(one: Named) -> tuple[float, float]:
    seconds = [r.seconds for r in one.records]
    return percentile(seconds, 0.5), percentile(seconds, 0.95)


def _percent(share: float, digits: int = 1) -> str:
    return "-" if math.isnan(share) else f"{100 * share:.{digits}f}"


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else math.nan
