"""Read which groups are wanted: "customers per country, only those with more than 3", "… where the total is over 9"."""

from __future__ import annotations

from askwhere.reader.grammar.cursor import SENTENCE_ENDS, Cursor, mark_at
from askwhere.reader.marking.marks import Mark

_LINKS = ("comma", "and", "rel", "prep", "have", "fill", "be", "their")
_AMOUNT = ("count", "agg")  # what the groups show, said again


def say_limit_alone(state: Cursor) -> None:
    """Leave nothing but the comparison of a condition on groups: "only where the count is over 3" is "over 3"."""
    marks = state.marks
    grouped = next((i for i, m in enumerate(marks) if m.kind == "each" or m.text == "by"), len(marks))
    for place, mark in enumerate(marks):
        if place < grouped + 2 or mark.kind != "comp" or mark.text == "only":
            continue
        number, behind = (mark_at(marks, i) for i in (place + 1, place + 2))
        if number.kind != "number" or behind.kind not in (*SENTENCE_ENDS, "comp", "comma", "order", "direction"):
            continue  # what is compared is named: "more than 3 visits"
        before = _without_links(marks[:place])
        rest = marks[place + 2 :]
        if behind.text == "only":
            rest = rest[1:]
        if before and before[-1].kind in ("column", "table"):
            state.marks = (*before, mark, number, *rest)
        return


def drop_only_those(state: Cursor) -> None:
    """Write "sales per shop, only shops with two clerks" and "…, only those with …" as "sales per shop with …"."""
    marks = state.marks
    grouped = next((i for i, m in enumerate(marks[:-1]) if m.kind == "each" or m.text == "by"), len(marks))
    groups = {s.table.path for m in marks[grouped + 1 : grouped + 2] for s in m.senses}
    for place in range(grouped + 2, len(marks) - 3):
        comma, only, those, joining = marks[place : place + 4]
        again = those.text in ("those", "ones") or {s.table.path for s in those.senses if not s.columns} & groups
        having = joining.argument == "with" or joining.kind in ("have", "rel")
        if comma.kind == "comma" and only.text == "only" and again and having:
            state.marks = (*marks[:place], *marks[place + 3 :])
            return


def _without_links(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """Return marks without those at their end that link a condition to the groups: ", only those with a count of"."""
    while marks and (marks[-1].kind in (*_LINKS, *_AMOUNT) or marks[-1].text == "only"):
        marks = marks[:-1]
    return marks
