"""Rewrite marks that say what other marks say, too: "with a single order" is "with exactly 1 order"."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, takewhile

from askwhere.engine import Table
from askwhere.reader.grammar.cursor import END, PARTING, SENTENCE_ENDS, Cursor, Stuck, as_each, mark_at
from askwhere.reader.grammar.frequency import BY_THE_PIECE
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
_KINDS = ("table", "column", "period")


def group_by_head(state: Cursor) -> None:
    """Write "revenue by product category", where both are tables, as "revenue by category"."""
    marks = state.marks
    for place in range(len(marks) - 2):
        before, first, head = marks[place : place + 3]
        grouping = before.kind == "each" or (before.kind == "prep" and before.text == "by")
        if grouping and first.kind == head.kind == "table" and first.end == head.start:
            if head.text.split()[0] in _PLACED:
                return  # "per workshop on jobs"
            state.marks = (*marks[: place + 1], *marks[place + 2 :])
            return


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


def ask_for_both_ends(state: Cursor) -> None:
    """Write "the heaviest and lightest gross weight" as "the greatest and least gross weight"."""
    marks = state.marks
    for place in range(len(marks) - 3):
        first, joined, second, named = marks[place : place + 4]
        ends = first.kind == second.kind == "superlative" and first.argument != second.argument
        if ends and joined.kind == "and" and named.kind == "column" and first.measure and second.measure:
            one, other = (replace(m, kind="sup", measure=None) for m in (first, second))
            state.marks = (*marks[:place], one, joined, other, *marks[place + 3 :])
            return


def count_each_kind(state: Cursor) -> None:
    """Write "depots with number of drivers and trucks" as "… number of drivers and number of trucks".

    Raises `Stuck` for "how many drivers and trucks are there", which asks for two numbers of no common rows.
    """
    marks = state.marks
    for place in range(len(marks) - 3):
        count, first, joined, second = marks[place : place + 4]
        behind = mark_at(marks, place + 4).kind
        counted = count.kind == "count" and first.kind == second.kind == "table" and joined.kind == "and"
        grouped = place > 1 or behind in ("each", "period")
        if counted and not place and not grouped and not is_singular(second.text) and behind in ("be", "end", "stop"):
            raise Stuck(second)
        if counted and grouped and not is_singular(second.text) and behind in ("end", "stop", "each", "period"):
            again = replace(count, start=second.start, end=second.start)
            state.marks = (*marks[: place + 3], again, *marks[place + 3 :])
            return


def count_single(state: Cursor) -> None:
    """Write "customers with a single order" as "customers with exactly 1 order"."""
    marks = state.marks
    for place in range(1, len(marks) - 1):
        before, said, thing = marks[place - 1 : place + 2]
        having = before.kind == "have" or before.argument == "with"
        if said.text in ("a single", "a single one", "single") and having and thing.kind == "table":
            denied = any(m.kind in ("not", "without") for m in marks[:place])
            exact = Mark("comp", said.start, said.end, 0.0, "exactly", "=")
            one = Mark("number", said.end, said.end, 0.0, "1", number=1)
            if not denied:
                state.marks = (*marks[:place], exact, one, *marks[place + 1 :])
            return


def drop_year(state: Cursor) -> None:
    """Write "per month in the year 2023" as "per month in 2023"."""
    marks = state.marks
    for place in range(1, len(marks) - 1):
        before, said, number = marks[place - 1 : place + 2]
        if before.argument == "in" and said.kind == "period" and said.text == "year" and looks_like_year(number):
            state.marks = (*marks[:place], *marks[place + 1 :])
            return


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


def count_heads(state: Cursor) -> None:
    """Write "headcount per team" as "number of employees per team", where people are kept who are no customers."""
    people = state.lexicon.persons()
    people = tuple(s for s in people if PATRONS.isdisjoint(name_stems(s.table.name))) or people
    for place, mark in enumerate(state.marks):
        if people and (mark.argument == HEADS or (mark.kind == "table" and mark.text.lower() == "headcount")):
            count = replace(mark, kind="count", argument="", senses=())
            counted = replace(mark, kind="table", argument="", senses=people)
            state.marks = (*state.marks[:place], count, counted, *state.marks[place + 1 :])
            return


def put_days_behind(state: Cursor) -> None:
    """Write "Friday concerts" and "tomorrow's concerts" as "concerts on Friday" and "concerts tomorrow"."""
    marks = state.marks
    for place, days in enumerate(marks[:-1]):
        end = place + 1 + (marks[place + 1].kind == "own")
        thing = mark_at(marks, end)
        before = mark_at(marks, place - 1)
        said = days.days is not None and days.kind == "days" and thing.kind == "table"
        if said and (before is END or before.kind in ("count", "open", "fill", "all", "and", "agg")):
            state.marks = (*marks[:place], thing, days, *marks[end + 1 :])
            return


def say_except(state: Cursor) -> None:
    """Write "leaving cancelled orders out" and "cancelled orders left out" as "leaving out cancelled orders"."""
    marks = state.marks
    end = next((i for i in range(len(marks) - 1, 0, -1) if marks[i].kind != "stop"), 0)
    if end < 2 or not (marks[end].text == "out" or marks[end].kind == "skipped"):
        return
    start = end - 1
    while start and marks[start].kind in ("value", "table", "fill", "all", "or", "be"):
        start -= 1
    first, left = marks[start], tuple(m for m in marks[start + 1 : end] if m.kind != "be")
    leaves = first.text in ("leave", "leaving", "keep", "keeping")
    if "value" not in [m.kind for m in left] or not (leaves if marks[end].text == "out" else first.kind in PARTING):
        return
    excluded = Mark("except", first.start, first.end, 0.0, "leaving out")
    state.marks = (*marks[: start + (not leaves)], excluded, *left, *marks[end + 1 :])


def say_with(state: Cursor) -> None:
    """Write "insurers that have a rating" as "insurers with a rating"."""
    marks = state.marks
    for place in range(1, len(marks) - 2):
        rel, have, article = marks[place : place + 3]
        named = mark_at(marks, place + 3)
        behind = mark_at(marks, place + 4).kind
        said = rel.text in ("that", "who", "which") and have.kind == "have" and article.text in ("a", "an")
        if said and named.kind == "column" and behind in ("end", "stop", "comma"):
            with_a = Mark("prep", rel.start, article.end, 0.0, f"with {article.text}", "with")
            state.marks = (*marks[:place], with_a, *marks[place + 3 :])
            return


def drop_overall(state: Cursor) -> None:
    """Take out "overall" behind what is computed already: "average score overall"."""
    marks = state.marks
    end = next((i for i in range(len(marks) - 1, 0, -1) if marks[i].kind != "stop"), 0)
    if end > 1 and marks[end].text == "overall" and any(m.kind in ("agg", "average", "count") for m in marks[:end]):
        state.marks = (*marks[:end], *marks[end + 1 :])


def drop_lasting(state: Cursor) -> None:
    """Write "trips that last longer than 2 days", where "last" is a verb, as "trips longer than 2 days"."""
    marks = state.marks
    for place, (verb, than) in enumerate(pairwise(marks[1:]), 1):
        led = marks[place - 1].kind in ("rel", "fill", "table", "have")
        if led and verb.text in ("last", "lasts") and verb.kind == "nth" and than.kind in ("comp", "comparative"):
            start = place - (marks[place - 1].kind == "rel")
            state.marks = (*marks[:start], *marks[place + 1 :])
            return


def drop_us(state: Cursor) -> None:
    """Take out "to us" and the like behind a verb, "introduced to us by Ann": the rows are those of the database."""
    pairs = enumerate(pairwise((*state.marks, END)))
    us = {i for i, (m, follow) in pairs if m.kind == "prep" and (follow.kind, follow.text.lower()) == ("fill", "us")}
    state.marks = tuple(m for i, m in enumerate(state.marks) if not {i, i - 1} & us)


def say_what_we_did(state: Cursor) -> None:
    """Write "home visits did we book in May" as "home visits were booked in May": by a date, flag or state.

    "Did we do" behind a kind of things is taken out, where no name says the verb. Raise `Stuck` for other columns.
    """
    marks = state.marks
    for place, (kind, we, verb) in enumerate(zip(marks, marks[1:], marks[2:], strict=False)):
        if kind.kind != "value" or we.kind != "fill" or we.text.split()[-1] != "we":
            continue
        if verb.kind in ("column", "value"):
            if not all(s.columns and (s.value or is_dated(s.column) or state.lexicon.truth(s)) for s in verb.senses):
                raise Stuck(verb)
            state.marks = (*marks[: place + 1], replace(we, kind="be", text="were"), *marks[place + 2 :])
        elif verb.kind in ("link", "have", "fill") and not saying(state.lexicon.tables, stem(verb.text)):
            state.marks = (*marks[: place + 1], *marks[place + 3 :])
        return


def put_more_before(state: Cursor) -> None:
    """Write "with two certificates or more" as "with two or more certificates"."""
    marks = list(state.marks)
    for place in range(len(marks) - 2):
        number, thing, more = marks[place : place + 3]
        if number.kind == "number" and thing.kind in ("table", "column") and more.kind == "after":
            marks[place + 1 : place + 3] = more, thing
    state.marks = tuple(marks)


def drop_kind_of_listed(state: Cursor) -> None:
    """Take out "kind of" before what a table lists kinds of, "boats by kind of gear", and "type" behind it."""
    marks = state.marks
    for place, (kind, of, thing) in enumerate(zip(marks, marks[1:], (*marks[2:], END), strict=False)):
        if stem(kind.text) in KINDS and of.argument == "of" and _is_listed(thing, kind):
            state.marks = (*marks[:place], replace(thing, start=kind.start), *marks[place + 3 :])
            return
        if stem(of.text) in KINDS and _is_listed(kind, of):
            state.marks = (*marks[:place], replace(kind, end=of.end), *marks[place + 2 :])
            return


def _is_listed(thing: Mark, kind: Mark) -> bool:
    """Return whether a mark names tables that only list kinds, none of which has the column that `kind` names."""
    own = paths_of(kind.senses)
    return thing.kind == "table" and all(lists_kinds(s.table) and s.table.path not in own for s in thing.senses)


def drop_kind(state: Cursor) -> None:
    """Take out a noun for kinds and states behind values of another column: "guests with gold or silver status"."""
    pairs = list(pairwise((*state.marks, END)))
    for place, (mark, follow) in enumerate(pairs):
        value = mark_at(state.marks, place - 1)
        kind = mark.kind == "column" and stem(mark.text) in _KIND_NOUNS and value.kind == "value" and value.senses
        ends = follow.kind in (*SENTENCE_ENDS, "comma", "each", "period", "rel")
        if kind and ends and not {key_of(s) for s in mark.senses} & {key_of(s) for s in value.senses}:
            state.marks = (*state.marks[:place], *state.marks[place + 1 :])
            return


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


def say_contains(state: Cursor) -> None:
    """Write "cheeses with 'Wyle' in the name" as "cheeses whose name contains 'Wyle'"."""
    marks = tuple(m for m in state.marks if m.kind != "their" and (m.kind, m.text) != ("fill", "the"))
    for place in range(len(marks) - 3):
        first, text, inside, named = marks[place : place + 4]
        with_text = first.argument == "with" and text.argument == "quoted" and inside.argument == "in"
        if with_text and named.kind == "column":
            like = Mark("like", text.start, text.start, 0.0, "contains", "in")
            whose = replace(first, kind="rel", text="whose", argument="")
            state.marks = (*marks[:place], whose, named, like, text, *marks[place + 4 :])
            return


def count_by_both(state: Cursor) -> None:
    """Write "sales by store and month", which lists nothing by a single thing, as "sales per store and month"."""
    marks = state.marks
    for place, mark in enumerate(marks):
        if mark.text != "by" or mark.kind != "prep":
            continue
        kinds = [m.kind for m in marks[place + 1 : place + 5]]
        ends = kinds[3:] == [] or kinds[3] in ("stop", "comma", "order", "direction")
        pair = len(kinds) >= 3 and kinds[0] in _KINDS and kinds[1] == "and" and kinds[2] in _KINDS
        before = mark_at(marks, place - 1)
        told = any(m.kind in ("order", "sup", "superlative", "supcount", "common", "rel") for m in marks[:place])
        if pair and ends and not told and before.kind in ("table", "column", "value") and not names_an_act(before.text):
            state.marks = (*marks[:place], as_each(mark), *marks[place + 1 :])
        return


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
    """Take the last word of "how many films did each director make" for a verb, though a column is called `make`.

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
        if mark.kind == "column" and behind and " " not in mark.text and not mark.text.endswith("s"):
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


def say_where(state: Cursor) -> None:
    """Write "trips starting in Leeds", where a column is called `start`, as "trips in Leeds", of that column alone.

    Raise `Stuck` for a value that only other columns hold: "trips starting in Rome", where trips only finish.
    """
    marks = state.marks
    for place in range(len(marks) - 2):
        verb, joining, value = marks[place : place + 3]
        kinds = (verb.kind, joining.kind, value.kind)
        if kinds != ("column", "prep", "value") or not verb.text.endswith(_PARTICIPLE) or not value.senses:
            continue
        columns = {key_of(s) for s in verb.senses if len(s.columns) == 1 and is_text(s.column)}
        there = tuple(s for s in value.senses if key_of(s) in columns)
        if columns and not there and paths_of(value.senses) & paths_of(verb.senses):
            raise Stuck(verb)
        if there and place and marks[place - 1].kind == "table":
            state.marks = (*marks[:place], joining, replace(value, senses=there), *marks[place + 3 :])
            return


_PARTICIPLE = ("ing", "ed")


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
