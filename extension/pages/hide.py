"""Remove API keys and cell values from traces, wherever they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from askwhere.indexer import forms
from askwhere.pages.facts import Correction, Query, Trace
from askwhere.pipeline.facts import Step
from askwhere.sql.lexer import literal_texts, scan, without_literals

# Shorter numbers are not hidden: a trace has many that are counts and places.
_LONG_NUMBER = re.compile(r"\d{3,}[\d.]*")
T = TypeVar("T")


def everywhere(value: T, change: Callable[[str], str]) -> T:
    """Return the facts with `change` applied to every text in them, in dataclasses, tuples and lists at any depth."""
    return _changed(value, change)  # type: ignore[no-any-return]


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple | list):
        return type(value)(_changed(part, change) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _changed(getattr(value, f.name), change) for f in fields(value)})
    return value


def values(trace: Trace, known: Iterable[str], question: str) -> Trace:
    """Return the trace without cell values: `?` replaces the literals of its queries and the values `known`.

    `question` is the question without values; it replaces the original one, in prompts too. The caller must have left
    out rows and linked values.
    """
    sqls = {q.sql for q in trace.queries} | {sql for s in trace.steps for sql in (s.sql, s.before)} - {""}
    hidden = without({*known, *(text for sql in sqls for text in literals(sql, trace.dialect))})
    queries = {sql: hidden(without_literals(sql, trace.dialect)) for sql in sqls}
    whole = {trace.question: question, **queries}
    longest_first = sorted(whole, key=len, reverse=True)

    def text(shown: str) -> str:
        for value in longest_first:
            shown = shown.replace(value, whole[value])
        return hidden(shown)

    def query(q: Query) -> Query:
        columns = tuple(hidden(without_literals(name, trace.dialect)) for name in q.columns)
        shown = replace(q, sql=queries[q.sql], columns=columns)
        return replace(shown, error=text(q.error), notes=tuple(map(text, q.notes)))

    def correction(c: Correction) -> Correction:
        shown = replace(c, before=queries[c.before], after=queries[c.after])
        return replace(shown, error=text(c.error), reason=text(c.reason), gave=text(c.gave))

    def step(s: Step) -> Step:
        shown = replace(
            s,
            sql=queries.get(s.sql, ""),
            before=queries.get(s.before, ""),
            detail=text(s.detail),
        )
        return replace(
            shown,
            prompt=s.prompt and text(s.prompt),
            reply=s.reply and text(s.reply),
        )

    return replace(
        trace,
        question=question,
        hint=forms.masked(trace.hint, known),
        follows=tuple(forms.masked(question, known) for question in trace.follows),
        error=text(trace.error),
        queries=tuple(map(query, trace.queries)),
        corrections=tuple(map(correction, trace.corrections)),
        steps=tuple(map(step, trace.steps)),
    )


def literals(sql: str, dialect: str) -> set[str]:
    """Return the text literals and long numbers of a query, as `literal_texts` returns them."""
    numbers = {text for kind, text in scan(sql, dialect) if kind == "number" and _LONG_NUMBER.fullmatch(text)}
    return literal_texts(sql, dialect) | numbers


def without(hidden: Iterable[str]) -> Callable[[str], str]:
    """Return a function that replaces the texts `hidden` by `?` where they are whole words, in upper or lower case."""
    forms_ = {form for text in hidden for form in (text, text.replace("'", "''")) if re.search(r"\w", form)}
    if not forms_:
        return lambda text: text
    alike = "|".join(re.escape(form) for form in sorted(forms_, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{alike})(?!\w)", re.IGNORECASE)
    return lambda text: pattern.sub("?", text)
