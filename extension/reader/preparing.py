"""Prepare a question's marks before they are read: rewrite those that mean something only together with others.

`RULES` are applied in turn, each a function of the state of reading; `settling` does the same once all marks are read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from askwhere.reader.contrasting import compare_columns, contrast, note_change
from askwhere.reader.cursor import Cursor
from askwhere.reader.directing import direct
from askwhere.reader.marks import Mark
from askwhere.reader.phrases import WAYS
from askwhere.reader.presently import behind
from askwhere.reader.tokens import stem

_OFFERING = frozenset(map(stem, "sell offer have stock carry make produce provide serve".split()))


def prepare(state: Cursor) -> None:
    """Apply all rules to the marks of `state`. Raises `Stuck`."""
    for rule in RULES:
        rule(state)


def _note_words(state: Cursor) -> None:
    """Keep the question's words in the draft, and its verbs, with the end of a way that they mean."""
    out, marks = state.out, state.marks
    out.toward = frozenset(way for way, verbs in WAYS.items() for m in marks if stem(m.text) in verbs)
    links = (place for place, m in enumerate(marks) if m.kind == "link" and not _offers(marks, place))
    out.verbs = tuple(stem(marks[place].text) for place in links)
    out.words = frozenset(stem(word) for m in marks for word in m.text.split())


def _offers(marks: tuple[Mark, ...], place: int) -> bool:
    """Return whether a verb says of things only that they are ours: "what products do we sell?"."""
    said = {word for m in marks[:place] for word in m.text.split()}
    rest = {m.kind for m in marks[place + 1 :]} <= {"stop"}
    return (
        "we" in said
        and not said & {"did", "have"}
        and rest
        and stem(marks[place].text) in _OFFERING
        and marks[0].kind == "open"
    )


def _list_values(state: Cursor) -> None:
    """Write "in these towns: Rome, Oslo" as "in Rome or Oslo"; what else follows a colon is left as it is."""
    marks = state.marks
    colon = next((i for i, m in enumerate(marks) if m.text == ":" and m.kind == "comma"), 0)
    listed = [m for m in marks[colon + 1 :] if m.kind not in ("comma", "and", "or", "fill", "stop")]
    if colon < 3 or not listed or marks[colon - 1].kind not in ("table", "column"):
        return
    said = marks[colon - 1]
    start = colon - 1 - (marks[colon - 2].kind == "fill")
    if marks[start - 1].kind != "prep":
        return
    own = {c for s in said.senses for c in s.columns}
    things = {s.table.path for s in said.senses if not s.columns}
    values = [
        replace(m, senses=tuple(s for s in m.senses if set(s.columns) & own or s.table.path in things)) for m in listed
    ]
    if not all(m.kind == "value" and m.senses for m in values):
        return
    joined = [one for m in values for one in (Mark("or", m.start, m.start, 0.0, "or"), m)][1:]
    state.marks = (*marks[:start], *joined)


RULES: tuple[Callable[[Cursor], None], ...] = (
    _list_values,
    direct,
    compare_columns,
    note_change,
    _note_words,
    contrast,
    behind,
)
