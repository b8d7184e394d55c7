"""Prepare a question's marks before they are read: rewrite those that mean something only together with others.

`RULES` are applied in turn, most of which are those of other modules, by what they are about. Each is a function of the
state of reading. `settling` does the same once all marks are read.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from askwhere.reader.grammar import (
    allowing,
    apart,
    asides,
    best,
    contrasting,
    directing,
    doing,
    group_limits,
    growth,
    having,
    intervals,
    lateness,
    manners,
    mentioning,
    multiples,
    operations,
    owing,
    presently,
    reordering,
    rephrasing,
    said_first,
    sharing,
    worth,
)
from askwhere.reader.grammar.cursor import CLAUSE_ENDS, END, EVENT, PARTING, SENTENCE_ENDS, Cursor, mark_at
from askwhere.reader.grammar.patterns import Marks, Place, Rule, of_text, rewrite
from askwhere.reader.marking.formulas import TIMES, days_of
from askwhere.reader.marking.marks import Mark, is_column_of, offers
from askwhere.reader.marking.mass_nouns import MASS
from askwhere.reader.schema.roles import is_second
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.names import full_stems, name_stems
from askwhere.reader.words.phrases import WAYS
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_dated
from askwhere.reader.words.units import UNITS, unit_of
from askwhere.reader.words.verbs import names_an_act


def prepare(state: Cursor) -> None:
    """Apply all rules to the marks of `state`. Raise `Stuck`."""
    for rule in RULES:
        rule(state)


def _ask_first(state: Cursor) -> None:
    """Write "of all jobs, how many are open?" as "how many jobs are open?", and so with "which"."""
    marks = state.marks
    comma = next((i for i, m in enumerate(marks) if m.kind == "comma"), 0)
    asks = marks[comma + 1] if comma + 2 < len(marks) else END
    if comma < 2 or marks[0].argument != "of" or not (asks.kind == "count" or asks.text.split()[:1] == ["which"]):
        return
    if "table" in [m.kind for m in marks[1:comma]] and marks[comma + 2].kind not in ("table", "column", "fill"):
        state.marks = (replace(asks, text=asks.text.split()[0]), *marks[1:comma], *marks[comma + 2 :])


def _take_those_over(state: Cursor) -> None:
    """Take "managers and their managers" for the first and the second table of managers, which are both called so.

    Also what only the second is called, "categories with the parent category", is not what stands before it.
    """
    for place, (their, over) in enumerate(pairwise(state.marks)):
        if over.kind != "table" or not (their.kind == "their" or all(is_second(s.table) for s in over.senses)):
            continue
        before = state.marks[:place]
        named = {s.table.path for m in before if m.kind == "table" for s in m.senses}
        seconds = tuple(s for s in over.senses if is_second(s.table) and s.table.path[:-1] in named)
        if seconds:
            paths = paths_of(seconds)
            first = (
                replace(m, senses=tuple(s for s in m.senses if s.table.path not in paths) or m.senses) for m in before
            )
            behind = state.marks[place + 2 :]
            shown = their.argument == "with" and their.text.endswith(" the") and mark_at(behind, 0).kind in CLAUSE_ENDS
            own = (Mark("their", over.start, over.start, 0.0, "their"),) if shown else ()
            state.marks = (*first, their, *own, replace(over, senses=seconds), *behind)
            return


@rewrite("table|column", of_text("or"), "table|column")
def _take_one_or_several(place: Place, one: Mark, _: Mark, several: Mark) -> Marks | None:
    """Read "which customer or customers" as "which customers"."""
    return (
        (several,) if one.senses == several.senses and is_singular(one.text) and not is_singular(several.text) else None
    )


def _note_words(state: Cursor) -> None:
    """Keep the question's words in the draft, and its verbs, with the end of a way that they mean."""
    out, marks = state.out, state.marks
    out.toward = frozenset(way for way, verbs in WAYS.items() for m in marks if stem(m.text) in verbs)
    links = (place for place, m in enumerate(marks) if m.kind == "link" and not offers(marks, place))
    out.verbs = tuple(stem(marks[place].text) for place in links)
    out.words = frozenset(stem(word) for m in marks for word in m.text.split())


def _count_acts(state: Cursor) -> None:
    """Take a verb for the rows of another table with its date where times are counted: "patients admitted twice"."""
    for place, mark in enumerate(state.marks):
        if not is_column_of(mark, is_dated):
            continue
        behind = [m for m in state.marks[place + 1 : place + 5] if m.kind != "fill"][:3]
        times = any(m.kind == "often" or m.text in ("time", "times") for m in behind)
        things = {s.table.path for m in state.marks[:place] if m.kind == "table" for s in m.senses}
        if times and things and not things & paths_of(mark.senses):
            act = replace(mark, kind="table", senses=tuple(Sense(s.table, (), s.score) for s in mark.senses))
            state.marks = (*state.marks[:place], act, *state.marks[place + 1 :])
            return


def _note_events(state: Cursor) -> None:
    """Take a noun for an act whose date a table has, "arrivals", "returns", for the rows where that date is there.

    The dates that are said of them are that one.
    """
    for place, mark in enumerate(state.marks):
        if mark.kind != "column" or " " in mark.text or is_singular(mark.text):
            continue
        dates = tuple(s for s in mark.senses if s.columns and is_dated(s.column))
        if not dates or len(dates) < len(mark.senses) or stem(mark.text) in _TIMELY:
            continue
        if any(not s.columns for s in state.lexicon.find((stem(mark.text),))):
            continue  # visits are the rows of a table
        before = state.marks[place - 1].kind if place else "open"
        described = all(_dates_an_act(s, stem(mark.text)) for s in dates)
        if (before in _ASKING or (described and before in _DESCRIBING)) and not _asks_for_dates(state.marks[:place]):
            things = tuple(Sense(s.table, (), max(s.score, _OF_ITS_DATE * described)) for s in dates)
            event = replace(mark, kind="table", argument=EVENT, senses=things)
            state.marks = (*state.marks[:place], event, *state.marks[place + 1 :])
            state.events = dates
            return


_ASKING = ("count", "open", "fill", "sup")
_OF_ITS_DATE = 0.95  # the score of a thing that is named as its date is: "moves", `move_date`
_DESCRIBING = ("all", "superlative", "number", "value", "current", "column")


def _dates_an_act(date: Sense, act: str) -> bool:
    """Return whether a date is called after an act, given as a stem, and a word for dates alone: `move_date`."""
    words = full_stems(date.column.name)
    return len(words) > 1 and words[:-1] == (act,)


def _asks_for_dates(marks: tuple[Mark, ...]) -> bool:
    """Return whether marks ask when something was: "what are the", "list the dates"."""
    return any(set(m.text.split()) & {"when", "date", "dates", "day", "days"} for m in marks)


_TIMELY = frozenset(map(stem, "date time day month year period".split()))


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


def _without_by_how_many(state: Cursor) -> None:
    """Take out "by" before a number of days where something is late: "paid late, and by how many days"."""
    if any(m.kind == "overdue" for m in state.marks):
        pairs = zip(state.marks, (*state.marks[1:], END), strict=True)
        state.marks = tuple(m for m, after in pairs if m.argument != "by" or after.kind != "elapsed")


def _note_aside(state: Cursor) -> None:
    """Keep what is said of the whole answer, and take it out: "in euros", "rounded", "in capitals", "each once"."""
    said = {m.kind: m for m in reversed(state.marks) if m.kind in _ASIDES}
    state.out.shown_in = (
        said["shown in"].text if "shown in" in said else next(filter(None, map(_unit, state.marks)), "")
    )
    state.out.places = int(said["rounded"].argument) if "rounded" in said else None
    state.out.case = said["case"].argument if "case" in said else ""
    state.out.distinct = "once" in said
    state.known = next((m for m in state.marks if m.kind == "known"), None)
    state.out.tied = {m.argument or "all" for m in state.marks if m.kind == "tied"}
    kept: list[Mark] = []
    for mark in state.marks:
        if mark.kind not in _ASIDES:
            kept.append(mark)
        while mark.kind in _ASIDES and len(kept) > 1 and kept[-1].kind in PARTING:
            kept.pop()
    state.marks = tuple(kept)


def _measure_durations(state: Cursor) -> None:
    """Read "average stay" and "longest stay" as lengths of stays where they are to be shown in hours or minutes."""
    marks = list(state.marks)
    for place, (mark, thing) in enumerate(pairwise(marks) if state.out.shown_in in TIMES else ()):
        longest = mark.measure is not None and ("duration",) in mark.measure.words
        behind = mark_at(marks, place + 2)
        pairs = tuple(pair for s in thing.senses if not s.columns and s.score >= 0.9 for pair in days_of(s.table))
        ends = behind.kind in (*SENTENCE_ENDS, "each", "period", "prep", "comma")
        if pairs and ends and (longest or mark.kind in ("agg", "average")):
            marks[place] = replace(mark, kind="agg", measure=None) if longest else mark
            marks[place + 1] = replace(thing, kind="lasting", senses=pairs)
    state.marks = tuple(marks)


def _unit(mark: Mark) -> str:
    """Return the unit that a mark names amounts by, "kilometres of piste", where no column is in it; '' for others."""
    unit = UNITS.get(mark.text.lower()) if mark.argument == MASS else None
    own = unit_of(mark.senses[0].column) if unit else None
    return mark.text.lower() if unit and own and own.size != unit.size else ""


def _narrow_to_things(state: Cursor) -> None:
    """Keep the senses of a participle that are columns of the things beside it, where some are: "unpaid lessons"."""
    marks = state.marks
    for place, mark in enumerate(marks):
        if mark.kind != "column" or not (mark.argument == "denied" or names_an_act(mark.text)):
            continue
        before = next((m for m in reversed(marks[:place]) if m.kind not in _BETWEEN), END)
        beside = (m for m in (*marks[place + 1 : place + 2], before) if m.kind in ("table", "column"))
        own = next(filter(None, (_of_things(mark, thing) for thing in beside)), ())
        if 0 < len(own) < len(mark.senses):  # `Stuck` names the mark itself where it is left as it is
            state.marks = (*state.marks[:place], replace(mark, senses=own), *state.marks[place + 1 :])


@rewrite("count", "column")
def _narrow_to_verb(place: Place, count: Mark, amount: Mark) -> Marks | None:
    """Keep the senses of counted amounts that a verb says, too: "how many hours did Ann work", `hours_worked`."""
    verbs = {stem(m.text) for m in place.behind if m.kind in ("link", "column")}
    told = tuple(s for s in amount.senses if len(s.columns) == 1 and verbs & {*name_stems(s.column.name)})
    return (count, replace(amount, senses=told)) if 0 < len(told) < len(amount.senses) else None


def _of_things(mark: Mark, thing: Mark) -> tuple[Sense, ...]:
    """Return the senses of a mark that are columns of the tables that another names."""
    tables = {s.table.path for s in thing.senses if s.score >= thing.senses[0].score - 0.1}
    return tuple(s for s in mark.senses if s.table.path in tables)


_BETWEEN = ("rel", "be", "have", "not", "fill", "all")  # kinds of marks between things and what is said of them


_ASIDES = ("shown in", "rounded", "case", "once", "tied", "known")


def _note_total(state: Cursor) -> None:
    """Record whether the question says "in total", and skip these words afterwards."""
    state.altogether = any(m.kind == "altogether" for m in state.marks)
    state.marks = tuple(replace(m, kind="fill") if m.kind == "altogether" else m for m in state.marks)


_COURTESIES = frozenset("please pls plz".split())


def _without_courtesies(state: Cursor) -> None:
    """Take out "please" behind the first word, where it would part what belongs together: "boats by kind please"."""
    rest = (m for m in state.marks[1:] if m.kind != "fill" or m.text not in _COURTESIES)
    state.marks = (*state.marks[:1], *rest)


# What marks mean comes first, then what is noted of the whole answer, and what moves marks last.
RULES: tuple[Rule, ...] = (
    _without_courtesies,
    said_first.note_first,
    _narrow_to_things,
    _narrow_to_verb,
    _take_those_over,
    _take_one_or_several,
    *allowing.RULES,
    *mentioning.RULES,
    manners.say_in_which_way,
    *owing.RULES,
    sharing.note_percent,
    _note_total,
    _note_aside,
    _measure_durations,
    *best.RULES,
    operations.join_operands,
    *worth.RULES,
    sharing.share_by_groups,
    growth.note_growth,
    apart.note_difference,
    apart.count_side_by_side,
    *multiples.RULES,
    *intervals.RULES,
    *group_limits.RULES,
    *rephrasing.RULES,
    *having.RULES,
    *doing.RULES,
    *asides.RULES,
    *reordering.RULES,
    _list_values,
    _without_by_how_many,
    _ask_first,
    *directing.RULES,
    *contrasting.RULES,
    apart.beside,
    _note_words,
    _count_acts,
    _note_events,
    lateness.say_late_acts,
    *presently.RULES,
)
