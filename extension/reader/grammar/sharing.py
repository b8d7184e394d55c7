"""Rewrite questions for shares of what each thing has: "percentage of each customer's orders" is one per customer."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import PARTING, SENTENCE_ENDS, Cursor, Stuck, mark_at
from askwhere.reader.marking.marks import Mark, is_amount
from askwhere.reader.words.english import PERCENT

_THINGS = ("table", "column")
_WHOLES = ("table", "money", "column")
_ENDS = ("comma", "stop", "order", "direction", "except", "without", "sup")
_SMALL = ("fill", "all", "their")
_IN_PERCENT = ("in percent", "in per cent", "as a percentage")


def share_by_groups(state: Cursor) -> None:
    """Put what a share is asked for by behind it, with "per" or "from" before it.

    "Percentage of each customer's orders that were late", "Oslo's share of revenue", "share of each kind in all sales",
    "payment methods as a percentage of all sales". Raise `Stuck` for other things "as a percentage".
    """
    place = next((i for i, m in enumerate(state.marks) if m.kind == "percent" or _says_percent(state.marks, i)), None)
    if place is not None:
        if state.marks[place].kind == "unit":
            said = replace(state.marks[place], kind="percent", text="percentage of")
            state.marks = (*state.marks[:place], said, *state.marks[place + 1 :])
        marks, said = state.marks, state.marks[place]
        found = _of_each_owner(marks, place) or _of_each_in(marks, place) or _of_owner(marks, place)
        found = found or _as_share(marks, place)
        words = " ".join(m.text for m in marks[max(place - 2, 0) : place + 1]).split()
        if found is None and "as" in words:
            raise Stuck(said)  # "deposit as a share of the order value" is no share of the rows
        state.marks = found or marks


def note_percent(state: Cursor) -> None:
    """Note that shares are asked for in percent, and take it out: "…, percent", "in %", "as a percentage"."""
    marks = state.marks
    for place, mark in enumerate(marks[1:], 1):
        before, after = marks[place - 1], mark_at(marks, place + 1)
        at_end = before.kind in PARTING and after.kind in (*PARTING, *SENTENCE_ENDS)
        inside = before.text == "in" and mark.kind == "unit"
        if mark.text in _IN_PERCENT or (mark.text in PERCENT and (at_end or inside)):
            state.out.percent = True
            state.marks = (*marks[: place - (mark.text in PERCENT)], *marks[place + 1 :])
            return


def _says_percent(marks: tuple[Mark, ...], place: int) -> bool:
    """Return whether "percent" stands at a place, with "of each" behind it."""
    behind = marks[place + 1 : place + 2]
    return marks[place].text in ("percent", "%") and bool(behind) and behind[0].text in ("of each", "of every")


def _at_end(marks: tuple[Mark, ...], joining: str, thing: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """Return marks with a thing behind the first clause, after "per" or a preposition."""
    end = next((i for i, m in enumerate(marks) if i > 2 and m.kind in _ENDS), len(marks))
    kind, argument = ("each", "") if joining == "per" else ("prep", joining)
    start = marks[end - 1].end if end else 0
    return (*marks[:end], Mark(kind, start, start, 0.9, joining, argument), *thing, *marks[end:])


def _of_each_owner(marks: tuple[Mark, ...], place: int) -> tuple[Mark, ...] | None:
    """Read "percentage of each customer's orders that …"."""
    rest = marks[place + 1 : place + 5]
    each = rest[:1] and rest[0].kind == "each"
    if not each or len(rest) < 4 or rest[1].kind not in _THINGS or rest[2].kind != "own":
        return None
    return _at_end((*marks[: place + 1], *marks[place + 4 :]), "per", (rest[1],))


def _of_each_in(marks: tuple[Mark, ...], place: int) -> tuple[Mark, ...] | None:
    """Read "share of each kind in all sales"."""
    rest = marks[place + 1 :]
    if (
        len(rest) < 4
        or rest[0].kind != "each"
        or rest[1].kind not in _THINGS
        or rest[2].text.split()[0] not in ("in", "of")
    ):
        return None
    whole = next((i for i in range(3, len(rest)) if rest[i].kind not in _SMALL), None)
    if whole is None or rest[whole].kind not in _WHOLES:
        return None
    return _at_end((*marks[: place + 1], *rest[whole:]), "per", (rest[1],))


def _of_owner(marks: tuple[Mark, ...], place: int) -> tuple[Mark, ...] | None:
    """Read "Oslo's share of revenue"."""
    if place < 2 or marks[place - 1].kind != "own" or marks[place - 2].kind != "value":
        return None
    whole = next((m for m in marks[place + 1 :] if m.kind not in _SMALL), None)
    if whole is None or whole.kind not in _WHOLES:
        return None
    return _at_end((*marks[: place - 2], *marks[place:]), "from", (marks[place - 2],))


def _as_share(marks: tuple[Mark, ...], place: int) -> tuple[Mark, ...] | None:
    """Read "payment methods as a percentage of all sales"."""
    said, before = marks[place], marks[:place]
    kind = next((m for m in reversed(before) if m.kind not in ("open", "fill", "all", "distinct")), None)
    whole = next((m for m in marks[place + 1 :] if m.kind not in _SMALL), None)
    if not said.text.startswith("as ") or kind is None or whole is None or whole.kind not in ("table", "money"):
        return None
    only = all(m is kind or m.kind in ("open", "fill", "all", "distinct") for m in before)
    kinds = kind.kind == "column" and bool(kind.senses) and not is_amount(kind)
    if not only or not (kinds or (kind.kind == "table" and whole.kind == "money")):
        return None
    share = replace(said, text=said.text.removeprefix("as a ").removeprefix("as "))
    return _at_end((share, *marks[place + 1 :]), "per", (kind,))
