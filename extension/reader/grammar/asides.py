"""Rewrite clauses that ask for one more column of the things already named: "and when was it built"."""

from __future__ import annotations

from askwhere.reader.grammar.cursor import Cursor
from askwhere.reader.marking.marks import Mark

_ASKING = frozenset({"what", "which", "when", "where", "how"})
_THEM = frozenset("they it he she them this that those these".split())
_BESIDE = ("open", "rel", "be", "fill", "or", "prep", "have")
_PARTING = ("and", "comma", "stop")
_NAMES = ("column", "table")


def ask_besides(state: Cursor) -> None:
    """Write "and what do they earn" as "and their earnings", where the clause is just one name and a pronoun."""
    marks, at = state.marks, 2
    while at < len(marks):
        end = next((i for i in range(at, len(marks)) if marks[i].kind in _PARTING), len(marks))
        besides = _besides(marks[at:end]) if marks[at - 1].kind in _PARTING[:2] else ()
        if besides:
            start = at - 2 if marks[at - 2].kind == "comma" else at - 1
            marks = (*marks[:start], marks[at - 1], *besides, *marks[end:])
        at = end + 1
    state.marks = marks


def _besides(said: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """Return the marks "their" and NAME for a clause such as "what do they NAME", nothing for any other clause."""
    words = [word for m in said for word in m.text.split()]
    place = next((i for i, m in enumerate(said) if m.kind in _NAMES), None)
    if place is None or words[0] not in _ASKING or not _THEM & {*words}:
        return ()
    name, before, behind = said[place], said[:place], said[place + 1 :]
    tells = any(m.kind == "have" for m in before) or any(m.kind in ("or", "rel", "open") for m in behind)
    if tells or not all(m.kind in _BESIDE for m in (*before, *behind)):
        return ()  # "which has it" tells the thing
    return Mark("their", name.start, name.start, 0.0, words[0]), name
