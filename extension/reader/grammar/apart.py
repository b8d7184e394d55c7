"""Read two groups beside each other or apart: "how many won and how many lost", "more sales in 2023 than in 2022"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.contrasting import alike
from askwhere.reader.grammar.cursor import Cursor, Stuck
from askwhere.reader.marking.marks import Mark, looks_like_year
from askwhere.reader.schema.senses import paths_of

Placed = tuple[int, Mark]
BOTH = "both"  # the change of a draft where two numbers are asked for, and not how far they are apart
_SMALL = ("fill", "be", "have", "prep", "their")


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


def count_side_by_side(state: Cursor) -> None:
    """Write "how many were won and how many lost per month" as "how many were won per month", and keep both states."""
    marks = state.marks
    counts = [i for i, m in enumerate(marks) if m.kind == "count"]
    if state.growth is not None or len(counts) != 2 or marks[counts[1] - 1].kind not in ("and", "comma"):
        return
    start = counts[1]
    after = next((i for i in range(start + 1, len(marks)) if marks[i].kind not in (*_SMALL, "table")), None)
    before = next((i for i in range(start - 1, counts[0], -1) if marks[i].kind == "value" or marks[i].number), None)
    pair = None if before is None or after is None else _alike_at(marks, before, after)
    if pair is None and after == start + 1 and marks[after].kind == "value":
        raise Stuck(marks[start])  # what is said of one count is no condition on the other
    if pair is None or after is None:
        return
    (one, first), (_, second) = pair
    state.growth, state.out.change = (first, second), BOTH
    counted = [paths_of(m.senses) for m in marks[counts[0] : after + 2] if m.kind == "table"]
    if counted and not set.intersection(*counted):
        raise Stuck(marks[start])  # "how many open orders and how many closed claims"
    rest = [first if i == one else m for i, m in enumerate(marks)]
    state.marks = (*rest[: start - 1], *rest[after + 1 :])


def beside(state: Cursor) -> None:
    """Keep two values or years that are compared in columns, "2022 vs 2023 per shop", "… side by side"."""
    if state.compared_at is None or state.growth is not None:
        return
    marks = state.marks
    grouped = any(m.kind in ("each", "period") for m in marks) and not state.more_of
    if not grouped and not any(m.text == "side by side" for m in marks):
        return
    one = next(i for i, m in enumerate(marks) if m.start == state.compared_at[0])
    state.growth, state.out.change, state.compared_at = (marks[one], marks[one + 2]), BOTH, None
    state.marks = (*marks[: one + 1], *marks[one + 3 :])


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
    """Return the marks at two places, of one column, two years or two spans of days; None for others."""
    spans = marks[one].days is not None and marks[other].days is not None
    found = (marks[one], marks[other]) if spans else alike(marks[one], marks[other])
    return ((one, found[0]), (other, found[1])) if found else None
