"""Read how far two groups are apart: "how many more sales in 2023 than in 2022", "between boats and kayaks"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.contrasting import alike
from askwhere.reader.grammar.cursor import Cursor
from askwhere.reader.marking.marks import Mark, looks_like_year

Placed = tuple[int, Mark]


def note_difference(state: Cursor) -> None:
    """Write "how many more sales in 2023 than in 2022" as "number of sales in 2022", and keep the two years.

    So with "the difference between the average price of boats and of kayaks", two values of one column.
    """
    marks = state.marks
    more = next((i for i in range(1, len(marks)) if _asks_how_much(marks, i)), None)
    apart = next((i for i, m in enumerate(marks) if m.kind == "difference" or m.text.endswith("difference in")), None)
    if state.growth is not None or (more is None and apart is None):
        return
    pair = _than(marks, more) if more is not None else _apart(marks, apart or 0)
    if pair is None:
        return
    (one, first), (other, second) = pair
    fewer = more is not None and marks[more].argument == "<"
    years = more is None and looks_like_year(first) and (first.number or 0) < (second.number or 0)
    state.growth = (first, second) if fewer or years else (second, first)
    state.out.change = "amount"
    drop = {*range(one + 1, other + 1), apart if more is None else more}
    rest = [state.growth[0] if i == one else m for i, m in enumerate(marks) if i not in drop]
    if any(m.kind in ("agg", "average", "count", "sup") for m in rest[1:]):
        rest = [m for m in rest if m.kind not in ("much", "growth")]  # "how much higher is the average"
    state.marks = tuple(replace(m, kind="prep", text="of", argument="of") if m.kind == "between" else m for m in rest)


def _asks_how_much(marks: tuple[Mark, ...], place: int) -> bool:
    """Return whether "how many more" or "how much less" stands at a place."""
    before = marks[place - 1]
    return marks[place].kind == "more" and (before.kind in ("much", "growth") or before.text == "how many")


def _than(marks: tuple[Mark, ...], more: int) -> tuple[Placed, Placed] | None:
    """Return the two values or years on both sides of "than", with their places; None where there are none alike."""
    than = next((i for i in range(more, len(marks)) if marks[i].kind == "than"), None)
    after = next((i for i in range((than or 0) + 1, len(marks)) if marks[i].kind not in ("prep", "fill")), None)
    if than is None or after is None:
        return None
    return next((found for i in range(than - 1, more, -1) if (found := _alike_at(marks, i, after))), None)


def _apart(marks: tuple[Mark, ...], said: int) -> tuple[Placed, Placed] | None:
    """Return the two values or years joined by "and" behind "difference between", with their places."""
    joined = next((i for i in range(len(marks) - 1, said, -1) if marks[i].kind == "and"), None)
    after = next(
        (i for i in range((joined or 0) + 1, len(marks)) if marks[i].kind not in ("prep", "fill", "rel")), None
    )
    return None if joined is None or after is None else _alike_at(marks, joined - 1, after)


def _alike_at(marks: tuple[Mark, ...], one: int, other: int) -> tuple[Placed, Placed] | None:
    """Return the marks at two places, of one column or two years; None for others."""
    found = alike(marks[one], marks[other])
    return ((one, found[0]), (other, found[1])) if found else None
