"""Write the page of a trace, which shows how a question was answered, as a pure function of its facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from askwhere.pages import diff
from askwhere.pages.cells import short
from askwhere.pages.chart import bar
from askwhere.pages.colour import laid_out
from askwhere.pages.facts import Columns, Correction, Link, Query, Trace
from askwhere.pages.markup import Markup, join, tag
from askwhere.pages.page import page, section
from askwhere.pages.parts import (
    badge,
    count,
    folded,
    likely_kind,
    notes,
    preformatted,
    rows,
    scrolling,
    sql,
    sure,
    time,
)
from askwhere.pipeline.facts import Step
from askwhere.sql.dialects import named

_HOW = {"exact": "exact match", "near": "near match", "name": "name", "part": "shares a word"}
# Links and tables that are shown; the others are counted.
_LINKS, _TABLES = 60, 12
_OPEN = 3  # candidates whose rows are unfolded
HIDDEN = "Cell values are left out, or written as ?: the setting values is 'hide'."


def html(trace: Trace) -> str:
    """Return the page."""
    sections = [
        ("answer", "Answer", _answer(trace)),
        ("links", "Links", _links(trace)),
        ("candidates", f"Candidates ({len(trace.queries)})", _candidates(trace)),
        ("corrections", f"Corrections ({len(trace.corrections)})", _corrections(trace)),
        ("steps", f"Steps ({len(trace.steps)})", _steps(trace)),
    ]
    asked = f", asked {trace.asked_at}" if trace.asked_at else ""
    footer = tag(
        "p",
        f"Made by askwhere {trace.version} from {trace.database}{asked}. The page runs no script and loads nothing."
        + (f" {HIDDEN}" if trace.values == "hide" else " It holds values of the database and the prompts."),
    )
    return page(f"{trace.question} · askwhere trace", _header(trace), sections, footer)


def _header(trace: Trace) -> Markup:
    """Return the heading: the question, the state of its answer, and what was asked how and at which cost."""
    usage = trace.usage
    tokens = usage.prompt_tokens + usage.completion_tokens
    facts = [
        ("Database", trace.database),
        ("Engine", named(trace.dialect).title),
        ("Model", "none: the built-in reader" if trace.model == "reader" else trace.model),
        ("Method", trace.method or f"by effort, {trace.effort}"),
        ("Completions", f"{usage.calls:,} in {count(usage.requests, 'request')}"),
        ("Tokens", f"{tokens:,}"),
        ("Cost", f"${usage.cost:,.4f}" if usage.cost is not None else ""),
        ("Time", time(usage.seconds * 1000)),
        ("Hint", trace.hint),
    ]
    shown = (tag("div", tag("dt", name), tag("dd", value)) for name, value in facts if value)
    return join(
        [
            tag("p", "How this answer came about", class_="brow"),
            tag("h1", _question(trace.question, trace.links)),
            tag("p", _state(trace), class_="title"),
            tag("dl", *shown, class_="facts"),
        ]
    )


def _question(question: str, links: Sequence[Link]) -> Markup:
    """Return the question with its linked words marked; of several links of a word the surest counts."""
    taken: list[tuple[int, int, Link]] = []
    for link in (link for how in ("exact", "near", "name") for link in links if link.how == how):
        for start, end in link.spans:
            if 0 <= start < end <= len(question) and all(end <= a or b <= start for a, b, _ in taken):
                taken.append((start, end, link))
    parts, at = [], 0
    for start, end, link in sorted(taken, key=lambda one: one[:2]):
        parts += [question[at:start], tag("mark", question[start:end], class_=link.how, title=_target(link))]
        at = end
    return join([*parts, question[at:]])


def _state(trace: Trace) -> Markup:
    """Return badges for whether there is an answer, and with which confidence."""
    if trace.chosen:
        likely = trace.queries[trace.chosen - 1].confidence
        return join([badge("✓ Answered", "good"), badge(f"Confidence {likely:.0%}", likely_kind(likely))])
    if sum(1 for q in trace.queries if q.ran) > 1:
        return badge("? Several readings, none chosen", "fair")
    return badge("✗ No answer", "bad")


def _answer(trace: Trace) -> Markup:
    if not trace.chosen:
        return section("answer", "Answer", tag("div", tag("p", trace.error, class_="error"), class_="card"))
    query = trace.queries[trace.chosen - 1]
    body = [sure(query.confidence), sql(query.sql, trace.dialect), _result(trace, query), notes(query.notes)]
    return section("answer", "Answer", tag("div", *body, class_="card"))


def _result(trace: Trace, query: Query) -> Markup:
    """Return what a query gave: its first rows, or how many they are and their columns."""
    total = "more than 1,000 rows" if query.n_rows is None else count(query.n_rows, "row")
    sentence = f"It gave {total} of {', '.join(query.columns)}."
    if trace.values == "hide":
        return tag("p", f"{sentence} {HIDDEN}", class_="note")
    if not query.rows:
        return tag("p", sentence, class_="note")
    shown = len(query.rows)
    return rows(query.columns, query.rows, total if shown == query.n_rows else f"The first {shown} of {total}")


def _links(trace: Trace) -> Markup:
    """Return the section of links, with a card for each table that the question or the answer names."""
    certain = [link for link in trace.links if link.how != "part"]
    part = [link for link in trace.links if link.how == "part"]
    content: list[Markup] = [
        tag("p", "Which words of the question stand for which names and values.", class_="note"),
        _linked(certain) if certain else tag("p", "No word of the question was found in the database.", class_="card"),
    ]
    if trace.values == "hide":
        content.append(tag("p", HIDDEN, class_="note"))
    if part:
        content.append(folded(f"{count(len(part), 'value')} found by a shared word only", _linked(part)))
    content += [_table(one) for one in trace.tables[:_TABLES]]
    if len(trace.tables) > _TABLES:
        content.append(tag("p", f"And {count(len(trace.tables) - _TABLES, 'table')} more.", class_="note"))
    return section("links", "Linked names and values", *content)


def _linked(links: Sequence[Link]) -> Markup:
    """Return a table of links."""
    body = (
        tag(
            "tr",
            tag("th", link.words, scope="row"),
            tag("td", tag("span", _HOW[link.how], class_=f"how {link.how}")),
            tag("td", _target(link)),
            tag("td", "✓ yes" if link.used else "no"),
        )
        for link in links[:_LINKS]
    )
    names = ("Words", "How", "Stand for", "In the answer")
    more = f"; {len(links) - _LINKS} more are not shown" if len(links) > _LINKS else ""
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in names)))
    caption = tag("caption", count(len(links), "link") + more)
    return scrolling("Links", tag("table", caption, head, tag("tbody", *body)))


def _target(link: Link) -> str:
    """Return what a link refers to, as text."""
    name = f"{link.table}.{link.column}" if link.column else f"table {link.table}"
    return name if link.value is None else f"{name} = {short(link.value)}"


def _table(one: Columns) -> Markup:
    """Return a card with a table's columns, those of the answer marked."""
    used = set(one.used)
    columns = (
        tag("li", name, tag("span", " (used)", class_="unseen"), class_="used") if name in used else tag("li", name)
        for name in one.columns
    )
    state = badge("in the answer", "good") if one.in_answer else badge("named in the question")
    title = tag("div", tag("h3", f"Table {one.table}"), state, class_="title")
    return tag("div", title, tag("ul", *columns, class_="chips"), class_="card")


def _candidates(trace: Trace) -> Markup:
    if not trace.queries:
        return section("candidates", "Candidates", tag("p", "None was found.", class_="card"))
    groups = len({query.group for query in trace.queries if query.group})
    intro = (
        f"{count(len(trace.queries), 'query', 'queries')} considered, best first; those of one group gave equal rows."
    )
    return section(
        "candidates",
        "Candidates",
        tag("p", intro + (f" {count(groups, 'group')}." if groups else ""), class_="note"),
        *(_candidate(trace, query) for query in trace.queries),
    )


def _candidate(trace: Trace, query: Query) -> Markup:
    """Return a card with a candidate, its confidence and its rows or error."""
    identifier = f"candidate-{query.rank}"
    chosen = query.rank == trace.chosen
    badges = [
        badge("✓ chosen", "good") if chosen else None,
        badge("✗ failed", "bad") if not query.ran else badge(f"Group {query.group}", ""),
        badge(f"from {query.origin}", ""),
    ]
    title = tag("div", tag("h3", f"Candidate {query.rank}", id=identifier), *filter(None, badges), class_="title")
    body = [title]
    if query.ran:
        body.append(sure(query.confidence))
    body.append(sql(query.sql, trace.dialect))
    if query.ran:
        ms = f", {time(query.ms)}" if query.ms is not None else ""
        preview = _result(trace, query)
        body.append(folded(f"What it gave{ms}", preview, query.rank <= _OPEN and not chosen))
    else:
        body.append(tag("p", query.error, class_="error"))
    body.append(notes(query.notes))
    kind = "card chosen" if chosen else "card" if query.ran else "card failed"
    return tag("article", *body, class_=kind, aria_labelledby=identifier)


def _corrections(trace: Trace) -> Markup:
    if not trace.corrections:
        return section("corrections", "Corrections", tag("p", "No query was corrected.", class_="card"))
    cards = (_correction(one, number, trace.dialect) for number, one in enumerate(trace.corrections, 1))
    return section("corrections", "Corrections", *cards)


def _correction(one: Correction, number: int, dialect: str) -> Markup:
    """Return a card with the queries before and after a correction, and the reason."""
    before, after = diff.marked(laid_out(one.before, dialect), laid_out(one.after, dialect))
    gave = badge(one.gave.splitlines()[0][:80], "bad" if one.gave.startswith("failed") else "good") if one.gave else ""
    panes = (("Before", before), ("After", after))
    return tag(
        "article",
        tag("div", tag("h3", f"Correction {number}: {one.step}"), class_="title"),
        tag("p", tag("strong", "What was wrong: "), one.error) if one.error else "",
        tag("p", tag("strong", "Why: "), one.reason) if one.reason else "",
        tag(
            "div",
            *(tag("div", tag("h4", name), preformatted(name, tag("code", text))) for name, text in panes),
            class_="two",
        ),
        tag("p", "It gave: ", gave) if gave else "",
        class_="card",
    )


def _steps(trace: Trace) -> Markup:
    if not trace.steps:
        return section("steps", "Steps", tag("p", "No step was recorded.", class_="card"))
    asked = [(number, step) for number, step in enumerate(trace.steps, 1) if step.prompt or step.reply]
    prompts = (_asked(number, step) for number, step in asked)
    heading = [tag("h3", "Prompts and replies")] if asked else []
    return section("steps", "Steps", _chart(trace), *heading, *prompts)


def _chart(trace: Trace) -> Markup:
    """Return a table of the steps with bars for time and tokens."""
    whole = sum(step.ms for step in trace.steps)
    most = max(step.prompt_tokens + step.completion_tokens for step in trace.steps)
    head = (tag("th", name, scope="col") for name in ("Step", "Time", "Tokens"))
    legend = tag(
        "p",
        tag("span", "time, one step after the other", class_="time"),
        tag("span", "tokens of prompts", class_="prompt"),
        tag("span", "tokens of replies", class_="completion"),
        class_="legend",
    )
    in_all = f" of the {time(trace.usage.seconds * 1000)} in all" if trace.usage.seconds else ""
    caption = tag("caption", f"{count(len(trace.steps), 'step')}, which took {time(whole)}{in_all}")
    body = tag("tbody", *_bars(trace.steps, whole, most))
    chart = tag("table", caption, tag("thead", tag("tr", *head)), body, class_="chart")
    return tag("figure", scrolling("Steps", chart), legend, class_="figure")


def _bars(steps: Sequence[Step], whole: float, most: int) -> Iterator[Markup]:
    """Yield a row with bars for each step: of its time within `whole`, and of its tokens within `most`."""
    began = 0.0
    for number, step in enumerate(steps, 1):
        tokens = step.prompt_tokens + step.completion_tokens
        parts = [("prompt", 0, step.prompt_tokens), ("completion", step.prompt_tokens, step.completion_tokens)]
        yield tag(
            "tr",
            tag("th", f"{number}. {step.step}", tag("small", _detail(step)), scope="row"),
            tag("td", bar([("time", began, step.ms)], whole), time(step.ms)),
            tag("td", bar(parts, most), f"{step.prompt_tokens:,} + {step.completion_tokens:,}")
            if tokens
            else tag("td", "none"),
        )
        began += step.ms


def _detail(step: Step) -> str:
    """Return the detail of a step without its query, with the model, in one line."""
    detail = step.detail.removeprefix(step.sql).strip() if step.sql else step.detail
    words = " ".join(part for part in (detail, f"by {step.model}" if step.model else "") if part)
    return short(words)


def _asked(number: int, step: Step) -> Markup:
    """Return the prompt and the reply of a step, folded."""
    parts = [("Prompt", step.prompt), ("Reply", step.reply)]
    shown = (
        join([tag("p", tag("strong", name)), preformatted(name, text)]) for name, text in parts if text is not None
    )
    title = f"{number}. {step.step}" + (f", {step.detail}" if step.detail else "")
    return tag("details", tag("summary", title), *shown, class_="step")
