"""Rewrite marks that say what other marks say, too: "with a single order" is "with exactly 1 order"."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, takewhile

from askwhere.engine import Table
from askwhere.reader.grammar.cursor import END, PARTING, SENTENCE_ENDS, Cursor, Stuck, as_each, mark_at
from askwhere.reader.grammar.frequency import BY_THE_PIECE
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
from askwhere.reader.marking.marks import Mark, is_timely, key_of, looks_like_year
from askwhere.reader.marking.records import is_of_one, tables_of_act
from askwhere.reader.marking.revenue import EARNING
from askwhere.reader.schema.lexicon import READ_AS, Lexicon
from askwhere.reader.schema.naming import events, lists_kinds, meaning_of_code, refers
from askwhere.reader.schema.roles import LEADING, is_of_superiors, is_second
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import KINDS, PATRONS, PERCENT, STATES
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_date, is_dated, is_text
from askwhere.reader.words.verbs import AUXILIARY, names_an_act, saying

_SUBJECTS = ("table", "value")
_NAMES = ("table", "column")
HEADS = "heads"  # the argument of "headcount", which names nobody
_LASTING = frozenset(map(stem, "take taken last lasted".split()))
_DOING = ("did", "does", "has", "have")
_LONGEST_GLOSS = 6  # marks in brackets
_ASKED = ("count", "table", "column")
_PLACED = ("on", "in", "at", "of", "for", "with")
_KINDS = "table|column|period"
_PARTICIPLE = ("ing", "ed")


@rewrite(either("each", of_text("by", kind="prep")), "table", "table")
def group_by_head(_: Place, by: Mark, first: Mark, head: Mark) -> Marks | None:
    """Write "revenue by product category", where both are tables, as "revenue by category"."""
    joined = first.end == head.start and head.text.split()[0] not in _PLACED  # not "per workshop on jobs"
    return (by, head) if joined else None


def name_both(state: Cursor) -> None:
    """Write "who mentors whom" as "the mentors and their members", where a key to the own table says so."""
    marks = tuple(m for m in state.marks if m.kind not in ("stop", "be", "fill", "prep"))
    if [m.kind for m in marks[1:2]] == ["table"] and marks[0].text == marks[-1].text == "which":
        marks = (replace(marks[0], text="who"), *marks[2:-1], replace(marks[-1], text="whom"))
    words = [m.text for m in marks]
    if len(marks) != 3 or words[0] != "who" or words[2] not in ("whom", "who"):
        return
    said = stem(words[1])
    for first in state.lexicon.tables:
        for second in state.lexicon.seconds.get(first.path, ()):
            if said in {stem(second.name), *name_stems(second.name)} or (said in LEADING and is_of_superiors(second)):
                over = Mark("table", marks[0].start, marks[0].end, 0.0, second.name, senses=(Sense(second),))
                under = Mark("table", marks[2].start, marks[2].end, 0.0, first.name, senses=(Sense(first),))
                joined = Mark("and", marks[1].start, marks[1].end, 0.0, "and")
                state.marks = (over, joined, under)
                return


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


@rewrite(either("have", of_argument("with")), of_text("a single", "a single one", "single"), "table")
def count_single(place: Place, having: Mark, single: Mark, thing: Mark) -> Marks | None:
    """Write "customers with a single order" as "customers with exactly 1 order"."""
    if any(m.kind in ("not", "without") for m in place.before):
        return None
    exactly = Mark("comp", single.start, single.end, 0.0, "exactly", "=")
    return having, exactly, Mark("number", single.end, single.end, 0.0, "1", number=1), thing


@rewrite(of_argument("in"), of_text("year", kind="period"), looks_like_year)
def drop_year(_: Place, within: Mark, year: Mark, number: Mark) -> Marks:
    """Write "per month in the year 2023" as "per month in 2023"."""
    return within, number


def name_what_was_done(state: Cursor) -> None:
    """Write "what did Ann order" as "which products did Ann order", where orders or their lines are of products.

    The numbers and dates of her orders are not what she ordered. Raise `Stuck` where they may be of several things.
    """
    asked, does, *rest = (*state.marks, END, END)
    subject = list(takewhile(lambda m: m.kind == "value", rest))
    verb, behind = rest[len(subject) : len(subject) + 2] if len(rest) > len(subject) + 1 else (END, END)
    if asked.text != "what" or does.text not in _DOING or not subject or verb.kind not in ("table", "link", "column"):
        return
    if behind.kind not in (*SENTENCE_ENDS, "prep", "when", "days") or not is_singular(verb.text):
        return
    tables, subjects = state.lexicon.tables, [s.table for m in subject for s in m.senses]
    dated = verb.kind == "column"
    if stem(verb.text) in EARNING or (dated and not any(is_timely(s) for s in verb.senses)):
        return
    acts = [s.table for s in (verb.senses if verb.kind == "table" else tables_of_act(tables, stem(verb.text)))]
    acts = [t for t in acts if any(refers(t, one) or is_of_one(tables, t, one) for one in subjects)]
    things = _objects(state.lexicon, acts[0], subjects) if acts else []
    if len(things) > 1 or (dated and not things):
        raise Stuck(verb)
    for thing in things:
        named = Mark("table", does.start, does.start, 0.0, thing.name, senses=(Sense(thing),))
        done = replace(verb, kind="link", senses=()) if dated else verb
        state.marks = (replace(asked, text="which"), named, does, *subject, done, *state.marks[len(subject) + 3 :])


def _objects(lexicon: Lexicon, act: Table, subjects: list[Table]) -> list[Table]:
    """Return the tables of what an act is done with, to which its lines refer, or else its own rows.

    None is of people, of the `subjects` or what belongs to them, of codes, of kinds where others are not, or one that
    another one refers to: a car is rented, and not the branch that has it.
    """
    tables = lexicon.tables
    lines = [t for t in tables if refers(t, act) and not events(t)]
    others = paths_of(lexicon.persons()) | {t.path for t in (act, *lines, *subjects)}
    others |= {t.path for t in tables if meaning_of_code(t) or any(is_of_one(tables, t, one) for one in subjects)}
    for rows in (lines, [act]):
        found = [t for t in tables if t.path not in others and any(refers(one, t) for one in rows)]
        found = [t for t in found if not lists_kinds(t)] or found
        if found:
            return [t for t in found if not any(is_of_one(tables, one, t) for one in found)]
    return []


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


def say_except(state: Cursor) -> None:
    """Write "leaving cancelled orders out" and "cancelled orders left out" or "out" as "leaving out cancelled orders".

    Take out "cancelled orders included", as nothing leaves them out.
    """
    marks = state.marks
    end = next((i for i in range(len(marks) - 1, 0, -1) if marks[i].kind != "stop"), 0)
    if end < 2 or not (marks[end].text == "out" or marks[end].kind in ("skipped", "included")):
        return
    start = end - 1
    while start and (marks[start].kind in ("value", "table", "fill", "all", "or", "be") or state.flags(marks[start])):
        start -= 1
    first, left = marks[start], tuple(m for m in marks[start + 1 : end] if m.kind != "be")
    leaves = first.text in ("leave", "leaving", "keep", "keeping")
    flags = any(map(state.flags, left))
    if marks[end].text == "out" and not leaves:  # "cancelled orders out", but not "the ones rented out"
        leaves_out = first.kind in PARTING and bool(left) and (left[-1].kind == "table" or left[-1].text == "ones")
    else:
        leaves_out = leaves if marks[end].text == "out" else first.kind in PARTING
    if not leaves_out:
        return
    if not (flags or "value" in [m.kind for m in left]):
        return
    if marks[end].kind == "included":
        if any(m.kind == "table" or m.text == "ones" for m in left):  # "breakfast included" says which rooms
            state.marks = (*marks[:start], *marks[end + 1 :])
        return
    excluded = Mark("except", first.start, first.end, 0.0, "leaving out")
    left = tuple(m for m in left if m.kind != "table") if flags else left
    state.marks = (*marks[: start + (not leaves)], excluded, *left, *marks[end + 1 :])


@rewrite("skipped", "value|column|fill|all", before="comma|stop")
def say_do_not_count(place: Place, skipped: Mark, following: Mark) -> Marks | None:
    """Write "do not count refunds" as "leaving out refunds", where no word of the same clause is before it."""
    return (replace(skipped, kind="except"), following) if skipped.text.endswith("count") else None


@rewrite("except", maybe("fill|all"), "column", "table")
def leave_out_flagged(place: Place, excluding: Mark, _: Mark, flag: Mark, things: Mark) -> Marks | None:
    """Write "excluding refunded tickets" as "excluding refunded", where a flag of the tickets says it."""
    own = paths_of(place.state.flags(flag))
    return (excluding, flag) if own and own <= paths_of(things.senses) else None


@rewrite(of_text("that", "who", "which"), "have", of_text("a", "an"), "column", behind="end|stop|comma")
def say_with(place: Place, that: Mark, have: Mark, article: Mark, named: Mark) -> Marks | None:
    """Write "insurers that have a rating" as "insurers with a rating"."""
    with_a = Mark("prep", that.start, article.end, 0.0, f"with {article.text}", "with")
    return (with_a, named) if place.before else None


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


@rewrite("value", "column", behind="end|stop|comma|each|period|rel")
def drop_kind(_: Place, value: Mark, kind: Mark) -> Marks | None:
    """Take out a noun for kinds and states behind values of another column: "guests with gold or silver status"."""
    other = not {key_of(s) for s in kind.senses} & {key_of(s) for s in value.senses}
    return (value,) if value.senses and other and stem(kind.text) in _KIND_NOUNS else None


_KIND_NOUNS = STATES | KINDS | {"level", "grade"}


def say_without(state: Cursor) -> None:
    """Write "tests nobody has verified yet" as "tests without a verified by", where a column is called so."""
    marks = state.marks
    for place, mark in enumerate(marks):
        if mark.kind != "without" or mark.text.split()[-1] not in ("nobody", "one"):
            continue
        verb = next((m for m in marks[place + 1 :] if m.kind not in ("have", "be", "fill")), END)
        by = tuple(
            Sense(t, (c,))
            for t in state.lexicon.tables
            for c in t.columns
            if name_stems(c.name) == (stem(verb.text), "by")
        )
        if by:
            rest = marks[marks.index(verb) + 1 :]
            named = replace(verb, kind="column", senses=by, argument="")
            state.marks = (*marks[:place], replace(mark, text="without"), named, *(m for m in rest if m.text != "yet"))
        return


def say_none_then(state: Cursor) -> None:
    """Write "with orders in 2023 but not in 2024", or "but none in 2024", as "… and no orders in 2024".

    Raises `Stuck` for another "but none".
    """
    marks = state.marks
    for place in range(3, len(marks) - 2):
        thing, _, first = marks[place - 3 : place]
        if thing.kind != "table":
            continue
        denial = next((n for n in (1, 2) if _denies_rows(marks[place : place + n])), 0)
        before = mark_at(marks, place - 4)
        owned = before.argument == "with" or before.kind == "have"
        when = marks[place + denial : place + denial + 2]
        timed = len(when) == 2 and when[0].kind == marks[place - 2].kind == "prep"
        if denial and owned and timed and first.kind == when[1].kind and first.kind in ("number", "days"):
            at = marks[place]
            none = (replace(at, kind="and", text="and"), Mark("without", at.end, at.end, 0.0, "no"))
            again = replace(thing, start=at.end, end=at.end)
            state.marks = (*marks[:place], *none, again, *marks[place + denial :])
            return
    if none_said := next((m for m in marks if m.text == "but none"), None):
        raise Stuck(none_said)


def _denies_rows(said: tuple[Mark, ...]) -> bool:
    """Return whether marks are "but not", "and not", "but none"."""
    words = " ".join(m.text for m in said).split()
    return len(words) == 2 and words[0] in ("but", "and") and words[1] in ("not", "none")


@rewrite(
    of_argument("with"),
    of_argument("quoted"),
    of_argument("in"),
    "column",
    ignoring=either("their", of_text("the", kind="fill")),
)
def say_contains(_: Place, having: Mark, text: Mark, inside: Mark, named: Mark) -> Marks:
    """Write "cheeses with 'Wyle' in the name" as "cheeses whose name contains 'Wyle'"."""
    contains = Mark("like", text.start, text.start, 0.0, "contains", "in")
    return replace(having, kind="rel", text="whose", argument=""), named, contains, text


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


def name_who(state: Cursor) -> None:
    """Write "who is the best paid", "who earns the most" as "the best paid person".

    And "who earns more than their boss" as "staff who earn more than their boss", those who have one, and "who did the
    most repairs" as "who has the most repairs".
    """
    marks = state.marks
    most = next((m for m in marks[2:] if m.kind != "fill"), END)
    if len(marks) > 2 and marks[0].text == "who" and most.kind in _MOST and marks[1].text in AUXILIARY:
        marks = state.marks = (marks[0], replace(marks[1], kind="have"), *marks[2:])
    their = next((m for m, after in pairwise(marks) if m.kind == "their" and after.kind == "table"), None)
    if their and marks[0].text == "who" and marks[0].kind == "open":
        paths = [s.table.path[:-1] for m in marks if m.start == their.end for s in m.senses if is_second(s.table)]
        if those := tuple(Sense(t) for t in state.lexicon.tables if t.path in paths):
            subject = Mark("table", 0, 0, 0.0, those[0].table.name, senses=those)
            state.marks = (subject, replace(marks[0], kind="rel"), *marks[1:])
            return
    at = next((i for i, m in enumerate(marks) if m.kind not in ("open", "be", "fill", "have")), 0)
    asks = any("who" in m.text.split() for m in marks[:at])
    behind = mark_at(marks, at + 1).kind
    if asks and marks[at].kind == "superlative" and behind in ("end", "stop", "prep", "comma", "and"):
        people = state.lexicon.persons()
        if people:
            person = Mark("table", marks[at].end, marks[at].end, 0.0, "person", senses=people)
            state.marks = (*marks[: at + 1], person, *marks[at + 1 :])


_MOST = ("sup", "supcount")


def no_length_of_things(state: Cursor) -> None:
    """Raise `Stuck` where "how long" was read as a column, though people take so long to do something.

    So it is with what lasts until now: "how long has Ann been with us" asks for no length of what she does.
    """
    marks = state.marks
    if not marks or marks[0].kind != "column":
        return
    lasting = marks[0].text == "how long" and any(m.text in ("has", "have") for m in marks[1:2])
    if lasting and not any(stem(m.text) in _LASTING for m in marks):
        raise Stuck(marks[0])
    people = paths_of(state.lexicon.persons())
    for place, (verb, to) in enumerate(pairwise(marks)):
        if stem(verb.text) != "take" or to.argument != "to":
            continue
        named = [m for m in marks[:place] if m.kind == "table" and paths_of(m.senses[:1]) <= people]
        if named:
            raise Stuck(marks[0])


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


def count_pieces_sold(state: Cursor) -> None:
    """Write "tickets sold by channel" as "number of tickets sold per channel", and so "total tickets sold"."""
    total = [i for i, m in enumerate(state.marks[:1]) if m.argument == "sum"]
    marks = state.marks[len(total) :]
    if len(marks) < 3 or marks[0].kind not in ("table", "column") or is_singular(marks[0].text) or not _sold(marks[1]):
        return
    per = marks[2].kind in ("each", "period") or (marks[2].text == "by" and marks[3:4] and marks[3].kind in _NAMES)
    if not (total or per):
        return
    each = replace(marks[2], kind="each", argument="") if marks[2].text == "by" else marks[2]
    sold = replace(marks[1], kind="link", senses=())
    if marks[0].kind == "column":
        state.marks = (Mark("agg", 0, 0, 0.0, "total", "sum"), marks[0], sold, each, *marks[3:])
        return
    state.marks = (
        Mark("count", 0, 0, 0.0, "number of"),
        marks[0],
        Mark("be", 0, 0, 0.0, "were"),
        sold,
        each,
        *marks[3:],
    )


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


_IN_PERCENT = ("in percent", "in per cent", "as a percentage")


def drop_brackets(state: Cursor) -> None:
    """Drop what stands in brackets behind a value, which only explains it: "the status L (on leave)"."""
    marks = state.marks
    opens = next((i for i, m in enumerate(marks) if m.text == "(" and i and marks[i - 1].kind == "value"), None)
    closes = next((i for i, m in enumerate(marks) if m.text == ")" and i > (opens or 0)), None)
    if opens is not None and closes is not None and closes - opens <= _LONGEST_GLOSS:
        state.marks = (*marks[:opens], *marks[closes + 1 :])


def _sold(mark: Mark) -> bool:
    """Return whether a mark is a verb for what is done by the piece: "sold"."""
    return mark.kind in ("link", "column") and stem(mark.text) in BY_THE_PIECE


RULES: tuple[Rule, ...] = (
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
    say_contains,
    ask_for_both_ends,
    say_of_characters,
    put_characters_behind,
    drop_overall,
    drop_us,
    say_what_we_did,
    drop_kind,
    drop_year,
    put_more_before,
    count_each_kind,
    count_single,
    say_except,
    say_do_not_count,
    leave_out_flagged,
    say_none_then,
    say_with,
    say_without,
    name_both,
    name_what_was_done,
    no_length_of_things,
    name_who,
    count_pieces_sold,
    drop_brackets,
)
