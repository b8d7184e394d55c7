"""Read which groups are wanted: "customers per country, only those with more than 3", "… where the total is over 9"."""

from __future__ import annotations

from askwhere.reader.grammar.cursor import SENTENCE_ENDS, Cursor, mark_at
from askwhere.reader.grammar.patterns import ANYTHING, Marks, Place, Rule, either, of_argument, of_text, rewrite
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


@rewrite("comma", of_text("only"), ANYTHING, either(of_argument("with"), "have|rel"))
def drop_only_those(place: Place, comma: Mark, only: Mark, those: Mark, having: Mark) -> Marks | None:
    """Write "sales per shop, only shops with two clerks" and "…, only those with …" as "sales per shop with …"."""
    by = next((i for i, m in enumerate(place.before) if m.kind == "each" or m.text == "by"), len(place.before))
    groups = {s.table.path for m in place.before[by + 1 : by + 2] for s in m.senses}
    again = those.text in ("those", "ones") or {s.table.path for s in those.senses if not s.columns} & groups
    return (having,) if by + 2 <= len(place.before) and again else None


def _without_links(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """Return marks without those at their end that link a condition to the groups: ", only those with a count of"."""
    while marks and (marks[-1].kind in (*_LINKS, *_AMOUNT) or marks[-1].text == "only"):
        marks = marks[:-1]
    return marks


RULES: tuple[Rule, ...] = (
    drop_only_those,
    say_limit_alone,
)
