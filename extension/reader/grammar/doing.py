"""Rewrite questions for who or what did something: "what did Ann order" is "which products did Ann order"."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, takewhile

from askwhere.engine import Table
from askwhere.reader.grammar.cursor import END, SENTENCE_ENDS, Cursor, Stuck, mark_at
from askwhere.reader.grammar.frequency import BY_THE_PIECE
from askwhere.reader.grammar.patterns import Marks, Place, Rule, maybe, of_argument, of_kind, of_text, rewrite
from askwhere.reader.marking.marks import Mark, is_amount, is_timely
from askwhere.reader.marking.numeric import adds_up
from askwhere.reader.marking.records import is_of_one, tables_of_act
from askwhere.reader.marking.revenue import EARNING, SPENDING
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.naming import events, lists_kinds, meaning_of_code, refers
from askwhere.reader.schema.roles import LEADING, is_of_superiors, is_second
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import stems
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.verbs import AUXILIARY, names_an_act, says

_NAMES = ("table", "column")
_LASTING = frozenset(map(stem, "take taken last lasted".split()))
_DOING = ("did", "does", "has", "have")
_MOST = ("sup", "supcount")
_PAYING = SPENDING | frozenset(stems("invoice bill charge donate refund collect receive raise repay"))


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


def _sold(mark: Mark) -> bool:
    """Return whether a mark is a verb for what is done by the piece: "sold"."""
    return mark.kind in ("link", "column") and stem(mark.text) in BY_THE_PIECE


@rewrite(
    maybe("count|agg"), of_kind("column", adds_up), maybe(of_text(*_DOING)), "value", "link", maybe("prep"), "table",
    before="end|open",
)  # fmt: skip
def add_up_spent(
    _: Place, asked: Mark, amount: Mark, did: Mark, who: Mark, verb: Mark, on: Mark, act: Mark
) -> Marks | None:
    """Write "hours Ann spent on visits", with or without "how many", as "total hours of visits by Ann"."""
    total = Mark("agg", amount.start, amount.start, 0.9, "total", "sum")
    of, by = (Mark("prep", m.start, m.start, 0.9, text, text) for m, text in ((verb, "of"), (who, "by")))
    rows = (
        stem(verb.text) in _SPENDING and asked.argument in ("", "sum") and not (asked.kind == "agg" and did is not END)
    )
    return (total, amount, of, act, by, who) if rows else None


_SPENDING = frozenset(map(stem, "spend spent put invest invested devote devoted work worked log logged".split()))


@rewrite(
    of_text("who", "whom"),
    of_text("do", "does", "did", kind="fill"),
    "value",
    of_kind("link", lambda m: stem(m.text) == "report"),
    of_text("to", kind="prep"),
    before="end",
    behind="end|stop",
)
def name_superior(place: Place, who: Mark, does: Mark, name: Mark, reports: Mark, to: Mark) -> Marks | None:
    """Write "who does Ann report to" as "the manager of Ann", by the only key of people to people."""
    own = tuple(s for s in name.senses if not is_second(s.table))
    over = [t for s in own for t in place.lexicon.seconds.get(s.table.path, ()) if is_of_superiors(t)]
    if len(over) != 1:
        return None
    superior = Mark("table", who.start, does.end, 0.9, over[0].name, senses=(Sense(over[0]),))
    return superior, replace(to, text="of", argument="of"), replace(name, senses=own)


@rewrite(
    of_argument("sum", kind="agg"),
    of_kind("link|column|table", lambda m: names_an_act(m.text) and stem(m.text) in _PAYING and not is_amount(m)),
    behind="prep|value|number|days|each|period|end|stop|comma",
)
def say_total_amount(place: Place, total: Mark, done: Mark) -> Marks | None:
    """Write "total invoiced by year", "total paid online" as "total amount invoiced by year"."""
    amounts = place.lexicon.named(("amount",))
    said = tuple(s for s in amounts if len(s.columns) == 1 and says(s.column.name, stem(done.text)))
    amount = Mark("column", done.start, done.start, 0.0, "amount", senses=said or amounts)
    return (total, amount, done) if amounts and is_amount(amount) else None


RULES: tuple[Rule, ...] = (
    say_total_amount,
    name_superior,
    name_both,
    add_up_spent,
    name_what_was_done,
    no_length_of_things,
    name_who,
    count_pieces_sold,
)
