"""Join two columns that the question computes with into one mark: "cost per click", "gross less net weight"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import SENTENCE_ENDS, Cursor, Stuck, mark_at
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.marking.formulas import DAYS, DIFFERENCE, PRODUCT, RATIO
from askwhere.reader.marking.marks import Mark, is_amount, is_timely, key_of
from askwhere.reader.marking.numeric import adds_up, column_words
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import says_percent
from askwhere.reader.words.money import RATES
from askwhere.reader.words.names import cut_name
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_date
from askwhere.reader.words.units import SUFFIXES, UNITS, columns_in_unit, names_a_unit, unit_of

COMPUTED = "computed"  # the kind of a mark for two columns and what is computed from them, in `parts`
_SIGNS = {"minus": DIFFERENCE, "less": DIFFERENCE, "times": PRODUCT, "x": PRODUCT}
_BETWEEN = ("fill", "their", "all", "distinct")
_BEFORE = ("ratio", "difference", "much", "count", "percent")  # kinds of marks that stand before two columns
# Kinds of marks that connect a whole and its part: "of planned hours were worked".
_CONNECTIVES = ("be", "rel", "fill", "have", "link", "all", "prep")
_BEHIND = (*SENTENCE_ENDS, "comma", "and", "each", "period", "prep", "order", "direction", "days")


def join_operands(state: Cursor) -> None:
    """Replace two columns of amounts and the sign between them, or before both, by one mark."""
    _ask_by_how_much(state)
    place = 0
    while place < len(state.marks):
        found = _between(state, place) or _before(state, place)
        if found is None:
            place += 1
            continue
        start, computed, end = found
        if start and state.marks[start - 1].text == "(":
            raise Stuck(computed)  # it says what the words before it mean
        asked = state.marks[place]
        if computed.argument == RATIO and asked.kind == "percent" and says_percent(asked.text):
            state.out.percent = True
        state.marks = (*state.marks[:start], computed, *state.marks[end:])
        place = start + 1


def _ask_by_how_much(state: Cursor) -> None:
    """Take "and by how much" at the end for "and the difference"."""
    said = [i for i, m in enumerate(state.marks) if m.kind not in SENTENCE_ENDS][-2:]
    if len(said) == 2 and state.marks[said[1]].kind == "growth" and state.marks[said[0]].kind in ("and", "comma"):
        by_how_much = replace(state.marks[said[1]], kind="excess")
        state.marks = (*state.marks[: said[1]], by_how_much, *state.marks[said[1] + 1 :])


def _between(state: Cursor, place: int) -> tuple[int, Mark, int] | None:
    """Return the mark for two columns with a sign between them at `place`, and where its marks begin and end."""
    marks, said = state.marks, state.marks[place]
    if said.kind not in ("period", "each", "sign", "percent") and said.text not in _SIGNS:
        return None
    first = _amount(marks[place - 1]) if place else None
    after = next((i for i in range(place + 1, len(marks)) if marks[i].kind not in _BETWEEN), None)
    if first is None or after is None:
        return None
    if said.kind == "period" and said.text.startswith("per "):
        return _joined(marks, place - 1, place, RATIO, first, _length(state, said, first))
    second = _amount(marks[after])
    if said.kind == "each" and said.text == "per":
        second = _in_unit(marks[after], first) or second
        return _joined(marks, place - 1, after, RATIO if _is_measured(second) else "", first, second)
    formula = said.argument if said.kind == "sign" else _SIGNS.get(said.text, "")
    if said.kind == "percent" and said.text.startswith("as "):
        formula = RATIO
    return _joined(marks, place - 1, after, formula, first, second)


def _before(state: Cursor, place: int) -> tuple[int, Mark, int] | None:
    """Return the same for what stands before both columns: "ratio of A to B", "percentage of B that was A"."""
    marks, said = state.marks, state.marks[place]
    if said.kind not in _BEFORE:
        return None
    rest = [i for i in range(place + 1, len(marks)) if marks[i].kind not in _BETWEEN]
    if said.kind == "ratio" and len(rest) > 2 and marks[rest[1]].text in ("to", "and", "over"):
        return _joined(marks, place, rest[2], RATIO, _amount(marks[rest[0]]), _amount(marks[rest[2]]))
    if said.kind == "difference" and len(rest) > 2 and marks[rest[1]].text == "and":
        first, second = (_amount(marks[i]) for i in (rest[0], rest[2]))
        dated = first is not None and is_timely(first.senses[0])
        return _joined(marks, place, rest[2], DIFFERENCE, *((second, first) if dated else (first, second)))
    if said.kind in ("much", "count") and [marks[i].kind for i in rest[:4]] == ["more", "column", "than", "column"]:
        return _joined(marks, place, rest[3], DIFFERENCE, *(_amount(marks[i]) for i in _ends(marks[rest[0]], rest)))
    if said.kind != "percent" or said.text.startswith("as ") or not rest:
        return None
    part = next((i for i in rest[1:] if marks[i].kind not in _CONNECTIVES), None)
    if part is None or mark_at(marks, part + 1).kind not in _BEHIND:
        return None
    whole, some = _amount(marks[rest[0]]), _amount(marks[part])
    if whole is None or some is None or not adds_up(whole) or not _same_tables(whole, some) or state.flags(some):
        return None
    return _joined(marks, place, part, RATIO, some, whole)


def _ends(more: Mark, places: list[int]) -> tuple[int, int]:
    """Return the places of what is greater and what is less in "more A than B", "less A than B"."""
    first, second = places[1], places[3]
    return (first, second) if more.argument == ">" else (second, first)


def _in_unit(mark: Mark, first: Mark) -> Mark | None:
    """Return the column of the same table that is in a unit, "per km"; None where no unit stands there."""
    unit = UNITS.get(mark.text.lower()) if mark.kind == "unit" else None
    if unit is None:
        return None
    found = ((t, c) for t, c in columns_in_unit([s.table for s in first.senses], unit.name))
    senses = tuple(Sense(t, (c,), 0.95) for t, c in found if (own := unit_of(c)) and own.size == unit.size)
    return replace(mark, kind="column", senses=senses) if len(senses) == 1 else None


def _joined(
    marks: tuple[Mark, ...], start: int, last: int, formula: str, first: Mark | None, second: Mark | None
) -> tuple[int, Mark, int] | None:
    """Return the mark of a formula over two columns, and where its marks begin and end; None where they do not fit."""
    if not formula or first is None or second is None:
        return None
    dated = is_timely(first.senses[0])
    if dated != is_timely(second.senses[0]) or (dated and formula != DIFFERENCE):
        return None
    shared = _same_tables(first, second)
    if shared:
        first, second = (
            replace(m, senses=tuple(s for s in m.senses if s.table.path in shared)) for m in (first, second)
        )
    if first.senses[0].columns == second.senses[0].columns and first.senses[0].table is second.senses[0].table:
        return None
    thing = mark_at(marks, start - 1)
    if thing.kind == "table" and thing.end == marks[start].start and start and _same_tables(thing, first):
        start -= 1  # "ticket price per seat"
    text = f"{first.text} {second.text}"
    computed = Mark(
        COMPUTED, marks[start].start, marks[last].end, 0.0, text, formula if not dated else DAYS, first.senses
    )
    return start, replace(computed, parts=(first, second)), last + 1


def _same_tables(one: Mark, other: Mark) -> set[Path]:
    """Return the tables in which both marks name something."""
    return paths_of(one.senses) & paths_of(other.senses)


def _amount(mark: Mark) -> Mark | None:
    """Return a mark that names a column of amounts or a date, also as revenue, as one of a column; None for others."""
    senses = tuple(s for s in mark.senses if len(s.columns) == 1) if mark.kind in ("column", "money") else ()
    if not senses:
        return None
    named = replace(mark, kind="column", senses=senses)
    dated = mark.kind == "column" and is_date(senses[0].column)
    return named if dated or is_amount(named) else None


def _is_measured(mark: Mark | None) -> bool:
    """Return whether a column behind "per" says how much there is of something, "per hour", and is no kind of thing.

    Its name has the noun in the plural, `clicks`, or is in a unit: nobody groups by such numbers.
    """
    if mark is None or not is_amount(mark):
        return False
    said, column = stem(mark.text.split()[-1]), mark.senses[0].column
    several = any(stem(word) == said and not is_singular(word) for word in cut_name(column.name))
    return (is_singular(mark.text.split()[-1]) or mark.text in SUFFIXES) and (
        several or adds_up(mark) or names_a_unit(column)
    )


def _length(state: Cursor, said: Mark, first: Mark) -> Mark | None:
    """Return the column `days` for "per day" behind an amount of the same table, which says nothing of when it was."""
    if any(is_date(c) for s in first.senses for c in s.table.columns):
        return None
    found = tuple(s for s in state.lexicon.find((stem(said.text.split()[-1]),)) if len(s.columns) == 1)
    same = tuple(s for s in found if s.table.path in {one.table.path for one in first.senses})
    named = replace(said, kind="column", text=said.text.split()[-1], senses=same)
    return named if same and _is_measured(named) else None


def settle_computed(state: Cursor) -> None:
    """Add up what is computed for groups, or shown alone. Raise `Stuck` where it is not clear what is meant.

    So the cost per click of a campaign is the sum of its costs by that of its clicks.
    """
    out = state.out
    plain = [t for t in out.outputs if not t.counts and t.other is None]
    if not any(t.other is not None and not t.agg for t in out.shown_or_sorted):
        return
    own = {
        s.table.path for t in out.outputs if t.other is not None for slot in t.slots for s in out.slots[slot].senses[:1]
    }
    if plain and all(own & {s.table.path for s in out.slots[g].senses if not s.columns} for g in out.groups):
        return  # "district and rent per square metre of every flat"
    columns = {key_of(out.slots[slot].senses[0]) for t in out.outputs if t.other is not None for slot in t.slots}
    for group in out.tests if out.groups else ():
        group[:] = [_of_group(state, test, columns) for test in group]
    made = {t: _added_up(state, t) for t in out.shown_or_sorted if t.other is not None}
    out.outputs = [made.get(t, t) for t in out.outputs]
    out.order = [replace(key, term=made.get(key.term, key.term)) for key in out.order]


def _of_group(state: Cursor, test: Test, columns: set[tuple[object, ...]]) -> Test:
    """Return a test of a column that is computed with as one of each group's sum: "who worked more than 20 hours"."""
    senses = state.out.senses_at(test.term.slot)[:1]
    plain = test.op in (">", ">=", "<", "<=", "between") and not test.term.counts and test.term.other is None
    if plain and any(s.columns and key_of(s) in columns for s in senses):
        return replace(test, term=replace(test.term, agg="sum"))
    return test


def _added_up(state: Cursor, term: Term) -> Term:
    """Return a term of two columns as one over many rows. Raise `Stuck` for a difference of prices, which has none."""
    if term.agg:
        return term
    senses = [state.out.slots[slot].senses[0] for slot in (term.slot, term.other) if slot is not None]
    own = {s.table.path for g in state.out.groups for s in state.out.slots[g].senses if not s.columns}
    each = any(s.table.path in own for s in senses)
    if term.formula == DAYS or (term.formula == DIFFERENCE and not each and not all(map(_flows, senses))):
        raise Stuck(state.marks[-1])
    if not state.out.groups and not all(map(_flows, senses)) and term.formula == RATIO:
        raise Stuck(state.marks[-1])  # "rent per square metre" of which flat, or of all?
    return replace(term, agg="sum")


def _flows(sense: Sense) -> bool:
    """Return whether the amounts of a column can be added up over rows, as prices and rates cannot."""
    return column_words(sense.column).isdisjoint({"price", *RATES})
