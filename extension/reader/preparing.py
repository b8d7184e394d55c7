"""Prepare a question's marks before they are read: rewrite those that mean something only together with others.

`RULES` are applied in turn, each a function of the state of reading; `settling` does the same once all marks are read.
"""

from __future__ import annotations

from collections.abc import Callable

from askwhere.reader.contrasting import compare_columns, contrast, note_change
from askwhere.reader.cursor import Cursor
from askwhere.reader.directing import direct
from askwhere.reader.marks import Mark
from askwhere.reader.phrases import WAYS
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


RULES: tuple[Callable[[Cursor], None], ...] = (direct, compare_columns, note_change, _note_words, contrast)
