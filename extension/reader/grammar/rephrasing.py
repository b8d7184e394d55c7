"""Rewrite marks that say what other marks say, too: "revenue by product category" is "revenue by category"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import END, SENTENCE_ENDS, Cursor, Stuck, as_each, mark_at
from askwhere.reader.grammar.patterns import (
    ANYTHING,
    Marks,
    Place,
    Rule,
    either,
    maybe,
    of_argument,
    of_kind,
    of_text,
    rewrite,
)
from askwhere.reader.marking.marks import Mark, key_of, looks_like_year
from askwhere.reader.schema.lexicon import READ_AS
from askwhere.reader.schema.naming import lists_kinds, refers
from askwhere.reader.schema.roles import is_role, is_second
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import KINDS, PATRONS, STATES
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_date, is_dated, is_text
from askwhere.reader.words.verbs import AUXILIARY, names_an_act, saying

_SUBJECTS = ("table", "value")
HEADS = "heads"  # the argument of "headcount", which names nobody
_ASKED = ("count", "table", "column")
_PLACED = ("on", "in", "at", "of", "for", "with")
_KINDS = "table|column|period"
_PARTICIPLE = ("ing", "ed")
_KIND_NOUNS = STATES | KINDS | {"level", "grade"}


@rewrite(either("each", of_text("by", kind="prep")), "table", "table")
def group_by_head(_: Place, by: Mark, first: Mark, head: Mark) -> Marks | None:
    """Write "revenue by product category", where both are tables, as "revenue by category"."""
    joined = first.end == head.start and head.text.split()[0] not in _PLACED  # not "per workshop on jobs"
    return (by, head) if joined else None


@rewrite("superlative", "and", "superlative", "column")
def ask_for_both_ends(_: Place, one: Mark, joined: Mark, other: Mark, named: Mark) -> Marks | None:
    """Write "the heaviest and lightest gross weight" as "the greatest and least gross weight"."""
    if one.argument == other.argument or not (one.measure and other.measure):
        return None
    greatest, least = (replace(m, kind="sup", measure=None) for m in (one, other))
    return greatest, joined, least, named


@rewrite("count", "table", "and", "table")
def count_each_kind(place: Place, count: Mark, first: Mark, joined: Mark, second: Mark) -> Marks | None:
    """Write "depots with number of drivers and trucks" as "… number of drivers and number of trucks".

    Raises `Stuck` for "how many drivers and trucks are there", which asks for two numbers of no common rows.
    """
    behind = place.next.kind
    per = behind in ("each", "period")
    if is_singular(second.text):
        return None
    if not place.before and behind in ("be", "end", "stop"):
        raise Stuck(second)
    grouped = per or (len(place.before) > 1 and behind in SENTENCE_ENDS)
    return (count, first, joined, replace(count, start=second.start, end=second.start), second) if grouped else None


@rewrite(of_argument("in"), of_text("year", kind="period"), looks_like_year)
def drop_year(_: Place, within: Mark, year: Mark, number: Mark) -> Marks:
    """Write "per month in the year 2023" as "per month in 2023"."""
    return within, number


@rewrite(either(of_argument(HEADS), of_kind("table", lambda m: m.text.lower() == "headcount")))
def count_heads(place: Place, heads: Mark) -> Marks | None:
    """Write "headcount per team" as "number of employees per team", where people are kept who are no customers."""
    people = place.lexicon.persons()
    people = tuple(s for s in people if PATRONS.isdisjoint(name_stems(s.table.name))) or people
    count = replace(heads, kind="count", argument="", senses=())
    return (count, replace(heads, kind="table", argument="", senses=people)) if people else None


@rewrite(of_kind("days", lambda m: m.days is not None), maybe("own"), "table", before="end|count|open|fill|all|and|agg")
def put_days_behind(_: Place, days: Mark, own: Mark, thing: Mark) -> Marks:
    """Write "Friday concerts" and "tomorrow's concerts" as "concerts on Friday" and "concerts tomorrow"."""
    return thing, days


@rewrite(
    "column",
    "prep|have|fill|be",
    maybe("fill"),
    maybe("comp|between"),
    "number",
    maybe("and"),
    maybe("number"),
    "characters",
)
def say_of_characters(_: Place, named: Mark, link: Mark, fill: Mark, comp: Mark, *counted: Mark) -> Marks | None:
    """Write "titles with 5 letters" as "titles = 5 letters", and "titles of at most 9 letters" without "of"."""
    compared = Mark("comp", link.start, link.end, 0.0, "=", "=") if comp is END else comp
    return (named, compared, *(m for m in counted if m is not END))


@rewrite("number", "characters", "column")
def put_characters_behind(_: Place, number: Mark, characters: Mark, named: Mark) -> Marks:
    """Write "three-letter codes" as "codes = three letters"."""
    return named, Mark("comp", number.start, number.start, 0.0, "=", "="), number, characters


def drop_overall(state: Cursor) -> None:
    """Take out "overall" behind what is computed already: "average score overall"."""
    marks = state.marks
    end = next((i for i in range(len(marks) - 1, 0, -1) if marks[i].kind != "stop"), 0)
    if end > 1 and marks[end].text == "overall" and any(m.kind in ("agg", "average", "count") for m in marks[:end]):
        state.marks = (*marks[:end], *marks[end + 1 :])


@rewrite("rel|fill|table|have", of_text("last", "lasts", kind="nth"), "comp|comparative")
def drop_lasting(_: Place, lead: Mark, lasts: Mark, than: Mark) -> Marks:
    """Write "trips that last longer than 2 days", where "last" is a verb, as "trips longer than 2 days"."""
    return (than,) if lead.kind == "rel" else (lead, than)


@rewrite(
    "link|table",
    of_kind("sup|supcount", lambda m: "most" in m.text.split()),
    of_argument("of", kind="prep"),
    behind="end|stop",
)
def drop_of_what(_: Place, verb: Mark, most: Mark, of: Mark) -> Marks:
    """Write "which parts do we use the most of" without "of"."""
    return verb, most


@rewrite("prep", of_kind("fill", lambda m: m.text.lower() == "us"), everywhere=True)
def drop_us(_: Place, to: Mark, us: Mark) -> Marks:
    """Take out "to us" and the like behind a verb, "introduced to us by Ann": the rows are those of the database."""
    return ()


@rewrite("value", of_kind("fill", lambda m: m.text.split()[-1] == "we"), ANYTHING)
def say_what_we_did(place: Place, kind: Mark, we: Mark, verb: Mark) -> Marks | None:
    """Write "home visits did we book in May" as "home visits were booked in May": by a date, flag or state.

    "Did we do" behind a kind of things is taken out, where no name says the verb. Raise `Stuck` for other columns.
    """
    lexicon = place.lexicon
    if verb.kind in ("column", "value"):
        if not all(s.columns and (s.value or is_dated(s.column) or lexicon.truth(s)) for s in verb.senses):
            raise Stuck(verb)
        return kind, replace(we, kind="be", text="were"), verb
    bare = verb.kind in ("link", "have", "fill") and not saying(lexicon.tables, stem(verb.text))
    return (kind,) if bare else None


@rewrite(
    "table", maybe("rel"), of_text("we", "they"), "open|link", "without", "table", maybe("prep"), behind="end|stop"
)
def say_we_have_none(_: Place, thing: Mark, *rest: Mark) -> Marks:
    """Write "suppliers we list no products from" as "suppliers without products"."""
    without, others = rest[3:5]
    return thing, replace(without, text="without"), others


@rewrite("number", "table|column", "after", everywhere=True)
def put_more_before(_: Place, number: Mark, thing: Mark, more: Mark) -> Marks:
    """Write "with two certificates or more" as "with two or more certificates"."""
    return number, more, thing


@rewrite(lambda m: stem(m.text) in KINDS, of_argument("of"), "table")
def drop_kind_of_listed(_: Place, kind: Mark, of: Mark, thing: Mark) -> Marks | None:
    """Take out "kind of" before what a table lists kinds of: "boats by kind of gear"."""
    return (replace(thing, start=kind.start),) if _is_listed(thing, kind) else None


@rewrite("table", lambda m: stem(m.text) in KINDS)
def drop_kind_behind_listed(_: Place, thing: Mark, kind: Mark) -> Marks | None:
    """Take out "type" behind what a table lists kinds of: "boats by gear type"."""
    return (replace(thing, end=kind.end),) if _is_listed(thing, kind) else None


def _is_listed(thing: Mark, kind: Mark) -> bool:
    """Return whether a mark names tables that only list kinds, none of which has the column that `kind` names."""
    own = paths_of(kind.senses)
    return thing.kind == "table" and all(lists_kinds(s.table) and s.table.path not in own for s in thing.senses)


@rewrite(of_text("which", "what"), of_kind("column", lambda m: _is_kind_noun(m)), of_argument("of"), "table")
def drop_thing_of_kind(_: Place, which: Mark, kind: Mark, of: Mark, thing: Mark) -> Marks | None:
    """Write "which kind of boat is hired most" as "which kind": the kinds of boats are asked for, and no boat's own."""
    own = _columns_of(kind, thing)
    return (which, replace(kind, senses=own)) if own else None


@rewrite(of_text("which", "what"), "table", of_kind("column", lambda m: _is_kind_noun(m)))
def drop_thing_before_kind(_: Place, which: Mark, thing: Mark, kind: Mark) -> Marks | None:
    """Write "which boat type is hired most" as "which type"."""
    own = _columns_of(kind, thing)
    return (which, replace(kind, senses=own)) if own else None


def _is_kind_noun(mark: Mark) -> bool:
    """Return whether a column's mark ends in a noun for kinds, in the singular."""
    last = mark.text.split()[-1]
    return is_singular(last) and stem(last) in KINDS


def _columns_of(named: Mark, thing: Mark) -> tuple[Sense, ...]:
    """Return the senses of a column's mark that are texts of the tables that another names."""
    tables = paths_of(s for s in thing.senses if not s.columns)
    return tuple(s for s in named.senses if s.table.path in tables and is_text(s.column))


@rewrite("value", "column", behind="end|stop|comma|each|period|rel")
def drop_kind(_: Place, value: Mark, kind: Mark) -> Marks | None:
    """Take out a noun for kinds and states behind values of another column: "guests with gold or silver status"."""
    other = not {key_of(s) for s in kind.senses} & {key_of(s) for s in value.senses}
    return (value,) if value.senses and other and stem(kind.text) in _KIND_NOUNS else None


@rewrite(
    maybe("rel"),
    either(of_argument("with"), "have"),
    of_argument("quoted"),
    of_argument("in"),
    "column",
    ignoring=either("their", of_text("the", kind="fill")),
)
def say_contains(_: Place, that: Mark, having: Mark, text: Mark, inside: Mark, named: Mark) -> Marks:
    """Write "cheeses with 'Wyle' in the name" as "cheeses whose name contains 'Wyle'"."""
    contains = Mark("like", text.start, text.start, 0.0, "contains", "in")
    return replace(having, kind="rel", text="whose", argument=""), named, contains, text


@rewrite(of_text("by", kind="prep"), of_kind("table", lambda m: all(is_role(s.table) for s in m.senses)), "column")
def count_by_column_of_role(_: Place, by: Mark, role: Mark, named: Mark) -> Marks:
    """Write "rentals by pickup city" as "rentals per pickup branch's city"."""
    return as_each(by), role, named


@rewrite(
    of_text("by", kind="prep"),
    _KINDS,
    "and",
    _KINDS,
    before="table|column|value",
    behind="end|stop|comma|order|direction",
)
def count_by_both(place: Place, by: Mark, first: Mark, joined: Mark, second: Mark) -> Marks | None:
    """Write "sales by store and month", which lists nothing by a single thing, as "sales per store and month"."""
    told = any(m.kind in ("order", "sup", "superlative", "supcount", "common", "rel") for m in place.before)
    return None if told or names_an_act(place.last.text) else (as_each(by), first, joined, second)


def take_last_word_for_verb(state: Cursor) -> None:
    """Take the last word of "how many films did each director make" for a verb, though something is called `make`.

    Where a flag of what is counted says it, that is a condition: "how many trips did each driver cancel". Raise `Stuck`
    for a word that only a guess takes for a column.
    """
    marks = state.marks
    asks = next((i for i, m in enumerate(marks) if m.kind == "fill" and AUXILIARY & {*m.text.split()}), 0)
    if not any(m.kind in _ASKED for m in marks[:asks]):
        return
    for place in range(asks + 2, len(marks)):
        mark, ends = marks[place], marks[place + 1 : place + 2]
        last = not ends or ends[0].kind in SENTENCE_ENDS
        dated = any(is_date(c) for s in mark.senses for c in s.columns)
        behind = marks[place - 1].kind in _SUBJECTS and (last or (ends[0].kind == "prep" and not dated))
        bare = " " not in mark.text and not mark.text.endswith("s")
        if mark.kind == "table" and behind and last and bare:  # "how many seats did each passenger book"
            state.marks = (*marks[:place], replace(mark, kind="link", senses=()), *marks[place + 1 :])
            return
        if mark.kind == "column" and behind and bare:
            counted = next((i for i, m in enumerate(marks[:asks]) if m.kind == "table"), asks)
            things = {s.table.path for s in marks[counted].senses}
            if flags := tuple(s for s in state.flags(mark) if s.table.path in things):
                flag = replace(mark, senses=flags)
                state.marks = (*marks[:counted], flag, *marks[counted:place], *marks[place + 1 :])
                return
            if all(READ_AS in s.note for s in mark.senses) and not saying(state.lexicon.tables, stem(mark.text)):
                raise Stuck(mark)
            verb = replace(mark, kind="link" if dated else "fill", senses=())
            state.marks = (*marks[:place], verb, *marks[place + 1 :])
            return


def say_share(state: Cursor) -> None:
    """Write "cancellation rate", "share of cancellations" as "share of cancelled orders": of the rows that say it.

    Of a table that only says what codes mean, those of the only table with such codes are meant. Raise `Stuck` where
    there are several.
    """
    place = next((i for i, m in enumerate(state.marks) if m.kind == "rate" or _shares_alone(state, i)), None)
    if place is None:
        return
    said = state.marks[place]
    state.rated = said.start
    table = said.senses[0].table
    state_of = tuple(s for s in said.senses if s.table is table)
    share = Mark("percent", said.start, said.start, 0.9, "share of")
    so = replace(said, kind="column" if state_of[0].value is None else "value", senses=state_of)
    others = [t for t in state.lexicon.tables if t is not table and not is_second(t)]
    rows = [t for t in others if lists_kinds(table) and refers(t, table)]
    if len(rows) > 1:
        raise Stuck(said)
    table = rows[0] if rows else table
    thing = Mark("table", said.end, said.end, 0.9, table.name, senses=(Sense(table),))
    rest = state.marks[place + 1 :]
    rest = rest[1:] if rest[:1] and rest[0].text == "overall" else rest
    if said.argument:  # "share of tickets closed", by a date
        so = replace(so, text=said.argument, argument="")
    before = (*state.marks[:place], share) if said.kind == "rate" else state.marks[:place]
    state.marks = (*before, *((thing, so) if said.argument else (so, thing)), *rest)


def _shares_alone(state: Cursor, place: int) -> bool:
    """Return whether a mark says by a flag or state what a share is asked of: "share of false alarms by town"."""
    so, behind = state.marks[place], mark_at(state.marks, place + 1)
    stated = (so.kind == "value" and so.text.islower()) or bool(state.flags(so, alone=True))
    ends = behind.kind in (*SENTENCE_ENDS, "each") or behind.text == "by"
    return stated and ends and place == 1 and state.marks[0].kind == "percent" and not is_singular(so.text)


@rewrite(of_kind("column", lambda m: m.text.endswith(_PARTICIPLE)), "prep", "value")
def say_where(place: Place, verb: Mark, joining: Mark, value: Mark) -> Marks | None:
    """Write "trips starting in Leeds", where a column is called `start`, as "trips in Leeds", of that column alone.

    Raise `Stuck` for a value that only other columns hold: "trips starting in Rome", where trips only finish.
    """
    columns = {key_of(s) for s in verb.senses if len(s.columns) == 1 and is_text(s.column)}
    there = tuple(s for s in value.senses if key_of(s) in columns)
    if columns and not there and paths_of(value.senses) & paths_of(verb.senses):
        raise Stuck(verb)
    return (joining, replace(value, senses=there)) if there and place.last.kind == "table" else None


RULES: tuple[Rule, ...] = (
    drop_thing_of_kind,
    drop_thing_before_kind,
    drop_kind_of_listed,
    drop_kind_behind_listed,
    count_heads,
    say_share,
    say_where,
    put_days_behind,
    drop_lasting,
    take_last_word_for_verb,
    group_by_head,
    count_by_both,
    count_by_column_of_role,
    say_contains,
    ask_for_both_ends,
    say_of_characters,
    put_characters_behind,
    drop_overall,
    drop_of_what,
    drop_us,
    say_we_have_none,
    say_what_we_did,
    drop_kind,
    drop_year,
    put_more_before,
    count_each_kind,
)
