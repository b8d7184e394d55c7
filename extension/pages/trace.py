"""Write the page of a trace, which shows how a question was answered, as a pure function of its facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from askwhere.cells import counted, short
from askwhere.pages import diff
from askwhere.pages.colour import laid_out
from askwhere.pages.facts import Link, Trace
from askwhere.pages.page import page, time
from askwhere.pipeline.facts import Step
from askwhere.sql.dialects import named
from markupsafe import Markup

_HOW = {"exact": "exact match", "near": "near match", "name": "name", "part": "shares a word"}
# Links and tables that are shown; the others are counted.
_LINKS, _TABLES = 60, 12
_OPEN = 3  # candidates whose rows are unfolded
HIDDEN = "Cell values are left out, or written as ?: the setting values is 'hide'."


def html(trace: Trace) -> str:
    """Return the page."""
    sections = [
        ("answer", "Answer"),
        ("links", "Links"),
        ("candidates", f"Candidates ({len(trace.queries)})"),
        ("corrections", f"Corrections ({len(trace.corrections)})"),
        ("steps", f"Steps ({len(trace.steps)})"),
    ]
    return page(
        "trace.html",
        sections,
        title=f"{trace.question} · askwhere trace",
        trace=trace,
        facts=_facts(trace),
        question=_question(trace.question, trace.links),
        steps=list(_steps(trace.steps)),
        asked=[(number, step) for number, step in enumerate(trace.steps, 1) if step.prompt or step.reply],
        took=took(trace),
        whole=sum(step.ms for step in trace.steps),
        most_tokens=max((step.prompt_tokens + step.completion_tokens for step in trace.steps), default=0),
        hidden=HIDDEN,
        how=_HOW,
        most_links=_LINKS,
        most_tables=_TABLES,
        most_open=_OPEN,
        target=_target,
        marked=_marked,
    )


def took(trace: Trace) -> str:
    """Return how long the steps took, and the whole answer with what no step is: mostly what a first question loads."""
    steps = f"{counted(len(trace.steps), 'step')}, which took {time(sum(step.ms for step in trace.steps))}"
    rest = "the rest is loading the program and reading the schema and the values"
    return f"{steps} of the {time(trace.usage.seconds * 1000)} in all; {rest}" if trace.usage.seconds else steps


def _facts(trace: Trace) -> list[tuple[str, str]]:
    """Return the facts above a trace, such as the model and the cost, as names and values; '' where not known."""
    usage = trace.usage
    tokens = usage.prompt_tokens + usage.completion_tokens
    return [
        ("Database", trace.database),
        ("Engine", named(trace.dialect).title),
        ("Model", "none: the built-in reader" if trace.model == "reader" else trace.model),
        ("Method", trace.method or f"by effort, {trace.effort}"),
        ("Completions", f"{usage.calls:,} in {counted(usage.requests, 'request')}"),
        ("Tokens", f"{tokens:,}"),
        ("Cost", f"${usage.cost:,.4f}" if usage.cost is not None else ""),
        ("Time", time(usage.seconds * 1000)),
        ("Hint", trace.hint),
        ("Follows", " · ".join(trace.follows)),
    ]


def _question(question: str, links: Sequence[Link]) -> list[tuple[str, Link | None]]:
    """Return the question in pieces, each with its link or None; where links overlap, the surest counts."""
    taken: list[tuple[int, int, Link]] = []
    for link in (link for how in ("exact", "near", "name") for link in links if link.how == how):
        for start, end in link.spans:
            if 0 <= start < end <= len(question) and all(end <= a or b <= start for a, b, _ in taken):
                taken.append((start, end, link))
    parts: list[tuple[str, Link | None]] = []
    at = 0
    for start, end, link in sorted(taken, key=lambda one: one[:2]):
        parts += [(question[at:start], None), (question[start:end], link)]
        at = end
    return [*parts, (question[at:], None)]


def _target(link: Link) -> str:
    """Return what a link refers to, as text."""
    name = f"{link.table}.{link.column}" if link.column else f"table {link.table}"
    return name if link.value is None else f"{name} = {short(link.value)}"


def _marked(before: str, after: str, dialect: str) -> tuple[Markup, Markup]:
    """Return the queries before and after a correction, in lines, with the words that differ marked."""
    return diff.marked(laid_out(before, dialect), laid_out(after, dialect))


def _steps(steps: Sequence[Step]) -> Iterator[tuple[Step, float, str]]:
    """Yield each step with the time at which it began, in milliseconds, and its detail in one line.

    The detail is without the step's query, and names the model.
    """
    began = 0.0
    for step in steps:
        detail = step.detail.removeprefix(step.sql).strip() if step.sql else step.detail
        yield step, began, short(" ".join(filter(None, (detail, f"by {step.model}" if step.model else ""))))
        began += step.ms
