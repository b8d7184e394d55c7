"""Build the report of one or several runs: a self-contained HTML page of tables and charts.

The page is a pure function of the runs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from askwhere.errors import ArgumentError
from askwhere.evaluation import classes, compare, report_wrong, summary
from askwhere.evaluation.records import Record, Run
from askwhere.evaluation.report_style import REPORT
from askwhere.evaluation.statistics import calibration, percentile, wilson
from askwhere.pages.chart import bar
from askwhere.pages.markup import Markup, join, tag
from askwhere.pages.page import page, section
from askwhere.pages.parts import count, notes, scrolling, time
from askwhere.pages.plot import Axis, Point, plane, scale, span

# The class of questions without a query, in each scheme: in the papers' analyses every question had an answer.
_UNANSWERED = "unanswered"
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


def html(runs: Sequence[tuple[str, Run]], version: str, most: int) -> str:
    """Return the whole page for runs, each given with its name; at most `most` wrong questions are shown.

    Raises `ArgumentError` if the runs hold no question.
    """
    asked = [(name, run) for name, run in runs if run.records]
    if not asked:
        raise ArgumentError("there is no question in these runs to report on")
    several = len(asked) > 1
    shown = [Named(f"{n}: {name}" if several else name, run) for n, (name, run) in enumerate(asked, 1)]
    wrong, many = report_wrong.questions([(one.name, one.run) for one in shown], most)
    sections = [
        ("scores", "Scores", _scores(shown)),
        ("hardness", "Hardness", _hardness(shown)),
        ("cost", "Cost", _cost(shown)),
        ("calibration", "Calibration", _calibration(shown)),
        ("errors", "Errors", _errors(shown)),
        ("seconds", "Seconds", _seconds(shown)),
    ]
    if several:
        sections.insert(1, ("compared", "Compared", _compared(shown)))
    sections.append(("wrong", f"Wrong ({many:,})", wrong))
    footer = tag(
        "p",
        f"Made by askwhere {version}. The page runs no script and loads nothing. It holds questions, queries and"
        " errors, and with them values of the databases.",
    )
    title = "Evaluation of " + (count(len(shown), "run") if several else shown[0].name)
    return page(f"{title} · askwhere eval", _header(title, shown), sections, footer, REPORT)


def _header(title: str, runs: Sequence[Named]) -> Markup:
    return join([tag("p", "How well questions were answered", class_="brow"), tag("h1", title), *map(_about, runs)])


def _about(one: Named) -> Markup:
    """Return a list of what a reader must know to judge a run's figures: questions, model, method, settings."""
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
        "Left out": count(len(one.run.excluded), "question") if one.run.excluded else "",
        "Interrupted": "" if one.run.complete else "yes: not all questions were asked",
    }  # fmt: skip
    return tag("dl", *(tag("div", tag("dt", k), tag("dd", v)) for k, v in given.items() if v), class_="facts")


# --------------------------------------------------------------------------------------------------------------- scores


def _scores(runs: Sequence[Named]) -> Markup:
    note = (
        "Percent, with intervals of 95 %. What is right goes by the run's first score; an answer that was refused, or"
        " failed, has 0 of each. The recalls say how much of what gold names a prompt shows."
    )
    measures = [_measures(one) for one in runs]
    names = list(dict.fromkeys(name for found in measures for name in found))
    shown = [[name, *(found.get(name, "-") for found in measures)] for name in names]
    return section("scores", "Scores", tag("p", note, class_="note"), _table(("score", *_names(runs)), shown, "Scores"))


def _measures(one: Named) -> dict[str, str]:
    """Return the figures of a run by their labels, as percent with the interval."""
    found = {"questions": f"{len(one.records):,}"}
    for name, levels in summary.summary(one.run)["figures"].items():
        figure = levels["all"]
        if figure["percent"] is not None:
            room = "" if figure["low"] is None else f" ({figure['low']:.1f} to {figure['high']:.1f})"
            found[summary.LABELS.get(name, name.replace("_", " "))] = f"{figure['percent']:.1f}{room}"
    return found


def _compared(runs: Sequence[Named]) -> Markup:
    """Return the section that compares each run with the first."""
    note = f"Each run against the first, {runs[0].name}, by the questions that both were asked; p by McNemar's test."
    content: list[Markup] = [tag("p", note, class_="note")]
    for one in runs[1:]:
        content.append(tag("h3", one.name))
        try:
            found = compare.compare(runs[0].run, one.run)
        except ArgumentError as exc:
            content.append(tag("p", str(exc), class_="card"))
            continue
        content += [_table(compare.COLUMNS, compare.table(found), compare.sentence(found))]
        content.append(notes([note for note in (compare.left_out(found), *found.notes) if note]))
    return section("compared", "Compared", *content)


def _hardness(runs: Sequence[Named]) -> Markup:
    """Return the section with the share right by level of hardness."""
    levels = [level for level, _ in compare.by_hardness(r for one in runs for r in one.records)]
    body = []
    for level in levels:
        for one in runs:
            records = [r for r in one.records if compare.hardness(r) == level]
            if records:
                right = sum(map(one.run.right, records))
                body.append(_row(level or "not known", one.name if len(runs) > 1 else "", *_share(right, len(records))))
    note = "Percent right, with its interval of 95 %. Levels are the data set's own, else by Spider's rule."
    return section("hardness", "Score by hardness", _chart(note, ("Level", "Right"), body))


def _share(right: int, asked: int) -> tuple[Markup, str]:
    low, high = wilson(right, asked)
    text = f"{_percent(right / asked)} % ({_percent(low)} to {_percent(high)}) of {asked:,}"
    return span(low, high, right / asked), text


# ----------------------------------------------------------------------------------------------------------------- cost


def _cost(runs: Sequence[Named]) -> Markup:
    """Return the section that plots accuracy against cost, in dollars where all prices are known, else in tokens."""
    priced = all(r.cost is not None for one in runs for r in one.records if r.calls)
    name = "dollars a question" if priced and any(r.cost for one in runs for r in one.records) else "tokens a question"
    points = []
    for number, one in enumerate(runs, 1):
        low, high = wilson(one.right, len(one.records))
        x = _mean(_dollars(r) if name.startswith("dollars") else _tokens(r) for r in one.records)
        label = str(number) if len(runs) > 1 else ""
        points.append(Point(x, one.right / len(one.records), label, low, high))
    most, ticks = scale(max(point.x for point in points))
    drawn = [plane(points, Axis(name, most, ticks), Axis("percent right", 1.0, _FIFTHS))]
    if not any(point.x for point in points):
        drawn = [tag("p", "No model was asked: the runs cost nothing.")]
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
    table = _table(columns, shown, "What the runs cost")
    return section("cost", "Accuracy against cost", tag("figure", *drawn, class_="card figure"), table)


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


def _calibration(runs: Sequence[Named]) -> Markup:
    note = (
        "Answers by their confidence, and how many of these are right; on the dashed line confidence is what it says."
        " ECE is the mean distance from it, Brier the mean squared error, both from 0 (best) to 1."
    )
    cards = (_reliability(one, len(runs) > 1) for one in runs)
    return section("calibration", "Calibration", tag("p", note, class_="note"), *cards)


def _reliability(one: Named, named: bool) -> Markup:
    """Return the reliability diagram of a run and its table."""
    answers = [
        (r.confidence, one.run.right(r)) for r in one.records if r.outcome == "answered" and r.confidence is not None
    ]
    heading = [tag("h3", one.name)] if named else []
    if not answers:
        return tag("div", *heading, tag("p", "No answer has a confidence."), class_="card")
    found = calibration(answers)
    points = [Point(b.confidence, b.right, "", *wilson(round(b.right * b.count), b.count)) for b in found.bins]
    axes = Axis("confidence, percent", 1.0, _FIFTHS), Axis("percent right", 1.0, _FIFTHS)
    shown = [
        [f"{_percent(b.low, 0)} to {_percent(b.high, 0)}", f"{b.count:,}", _percent(b.confidence), _percent(b.right)]
        for b in found.bins
    ]
    caption = f"{count(len(answers), 'answer')}, ECE {found.ece:.3f}, Brier {found.brier:.3f}"
    columns = ("Confidence", "Answers", "Mean confidence", "Percent right")
    return tag(
        "div", *heading, tag("figure", plane(points, *axes, diagonal=True)), _table(columns, shown, caption),
        class_="card",
    )  # fmt: skip


# --------------------------------------------------------------------------------------------------- errors and seconds


def _errors(runs: Sequence[Named]) -> Markup:
    """Return the section with wrong questions by class of error, in three schemes."""
    note = (
        "What code can tell of a wrong answer, by comparing its query with gold's. The papers' classes were given by"
        " people; that a gold query is itself wrong, which MCS-SQL found often, code does not see. Semantically correct"
        " are rows that are gold's but for the columns, too many or too few of them or in another order."
    )
    schemes: tuple[tuple[str, Sequence[str], Callable[[Sequence[str]], str]], ...] = (
        ("As in SEA-SQL's error analysis", classes.SEA, classes.sea),
        ("As in MCS-SQL's error analysis", classes.MCS, classes.mcs),
        ("The first difference", classes.CLASSES, lambda found: found[0]),
    )
    charts = (_classes(runs, *scheme) for scheme in schemes)
    return section("errors", "Error classes", tag("p", note, class_="note"), *charts)


def _classes(runs: Sequence[Named], title: str, names: Sequence[str], of: Callable[[Sequence[str]], str]) -> Markup:
    """Return the chart of one scheme; `of` picks a question's class among those found."""
    body = []
    counted = [_counted(one, of) for one in runs]
    for name in dict.fromkeys((*names, _UNANSWERED)):
        for one, found in zip(runs, counted, strict=True):
            wrong = sum(found.values())
            if any(other[name] for other in counted):
                drawn = bar([("wrong", 0, found[name])], max(wrong, 1))
                share = f" ({_percent(found[name] / wrong)} %)" if wrong else ""
                body.append(_row(name, one.name if len(runs) > 1 else "", drawn, f"{found[name]:,}{share}"))
    return _chart(f"{title}: number and percent of the wrong", ("Class", "Wrong"), body)


def _counted(one: Named, of: Callable[[Sequence[str]], str]) -> Counter[str]:
    """Count the wrong questions by class. `of` picks one class from those of a question."""
    found: Counter[str] = Counter()
    for record in one.records:
        if not one.run.right(record):
            found_classes = report_wrong.classes_of(record)
            found[_UNANSWERED if found_classes == (_UNANSWERED,) else of(found_classes)] += 1
    return found


def _seconds(runs: Sequence[Named]) -> Markup:
    """Return the section with the seconds a question took."""
    note = "Wall seconds from a question to its SQL: the median, and within which 95 % were answered."
    most = max(_percentiles(one)[1] for one in runs) or 1.0
    body = []
    for one in runs:
        median, late = _percentiles(one)
        drawn = bar([("time", 0, late), ("prompt", 0, median)], most)
        text = f"{time(1000 * median)}, 95 % within {time(1000 * late)}"
        body.append(_row(one.name, "", drawn, text))
    legend = tag("p", tag("span", "the median", class_="prompt"), tag("span", "95 %", class_="time"), class_="legend")
    return section("seconds", "Seconds a question", _chart(note, ("Run", "Median, and 95 %"), body), legend)


def _percentiles(one: Named) -> tuple[float, float]:
    seconds = [r.seconds for r in one.records]
    return percentile(seconds, 0.5), percentile(seconds, 0.95)


# ---------------------------------------------------------------------------------------------------------------- parts


def _names(runs: Sequence[Named]) -> list[str]:
    return [one.name for one in runs]


def _row(first: str, second: str, drawn: Markup, text: str) -> Markup:
    """Return one row of a chart; `second` names the run, '' on a page with one run."""
    name = tag("th", first, tag("small", second) if second else "", scope="row")
    return tag("tr", name, tag("td", drawn, text))


def _chart(caption: str, columns: Sequence[str], body: Iterable[Markup]) -> Markup:
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in columns)))
    table = tag("table", tag("caption", caption), head, tag("tbody", *body), class_="chart")
    return tag("figure", scrolling(caption, table), class_="figure")


def _table(columns: Sequence[str], shown: Sequence[Sequence[object]], caption: str) -> Markup:
    """Return a table whose first column names its rows; the other columns hold figures and are aligned right."""
    sides = [None, *["right"] * (len(columns) - 1)]
    head = (tag("th", name, scope="col", class_=side) for name, side in zip(columns, sides, strict=True))
    body = (
        tag("tr", tag("th", str(first), scope="row"), *(tag("td", str(cell), class_="right") for cell in others))
        for first, *others in shown
    )
    parts = (tag("caption", caption), tag("thead", tag("tr", *head)), tag("tbody", *body))
    return scrolling(caption, tag("table", *parts, class_="rows"))


def _percent(share: float, digits: int = 1) -> str:
    return "-" if math.isnan(share) else f"{100 * share:.{digits}f}"


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else math.nan
