"""Read which groups are wanted: "customers per country, only those with more than 3", "… where the total is over 9"."""

from __future__ import annotations

from askwhere.reader.grammar.cursor import SENTENCE_ENDS, Cursor, mark_at
from askwhere.reader.grammar.patterns import ANYTHING, Marks, Place, Rule, either, of_argument, of_text, rewrite
from askwhere.reader.marking.marks import Mark

_LINKS = ("comma", "and", "rel", "prep", "have", "fill", "be", "their")
_SHOWN = ("count", "agg", "average", "money", "computed", "column", "table")
_AMOUNT = ("count", "agg")  # what the groups show, said again


def say_limit_alone(state: Cursor) -> None:
    """Leave nothing but the comparison of a condition on groups: "only where the count is over 3" is "over 3".

    So of "only genres above 200 minutes", where genres are the groups and minutes are what they show.
    """
    marks = state.marks
    grouped = next((i for i, m in enumerate(marks) if m.kind == "each" or m.text == "by"), len(marks))
    for place, mark in enumerate(marks):
        if place < grouped + 2 or mark.kind != "comp" or mark.text == "only":
            continue
        number, behind = (mark_at(marks, i) for i in (place + 1, place + 2))
        rest = marks[place + 2 :]
        if behind.kind in ("unit", "elapsed", "column") and any(_is_again(behind, m) for m in marks[:grouped]):
            behind, rest = mark_at(marks, place + 3), rest[1:]
        if number.kind != "number" or behind.kind not in (*SENTENCE_ENDS, "comp", "comma", "order", "direction"):
            continue  # what is compared is named: "more than 3 visits"
        before = _without_links(marks[:place])
        group = mark_at(marks, grouped + 1)
        shown = any(m.kind in _SHOWN for m in marks[:grouped])
        if (
            shown
            and len(before) > grouped + 2
            and before[-1].kind in ("table", "column")
            and _is_again(before[-1], group)
        ):
            before = _without_links(before[:-1])
        if behind.text == "only":
            rest = rest[1:]
        if before and before[-1].kind in ("column", "table"):
            state.marks = (*before, mark, number, *rest)
        return


def _is_again(mark: Mark, other: Mark) -> bool:
    """Return whether a mark names what another one has named: a table, a column, or the unit of its amounts."""
    named = [(m.kind, {(s.table.path, s.columns) for s in m.senses[:1]}) for m in (mark, other)]
    same = bool(mark.senses) and named[0] == named[1]
    return same or (mark.kind in ("unit", "elapsed") and mark.text in other.text.split())


@rewrite("comma", of_text("only"), ANYTHING, either(of_argument("with"), "have|rel"))
def drop_only_those(place: Place, comma: Mark, only: Mark, those: Mark, having: Mark) -> Marks | None:
    """Write "sales per shop, only shops with two clerks" and "…, only those with …" as "sales per shop with …"."""
    by = next((i for i, m in enumerate(place.before) if m.kind == "each" or m.text == "by"), len(place.before))
    again = those.text in ("those", "ones") or any(_is_again(those, m) for m in place.before[by + 1 : by + 2])
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
