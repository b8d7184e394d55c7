"""Rewrite what things have, lack or are without: "with a single order" is "with exactly 1 order"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Column, Table
from askwhere.reader.grammar.cursor import END, PARTING, Cursor, Stuck, mark_at
from askwhere.reader.grammar.patterns import Marks, Place, Rule, either, maybe, of_argument, of_kind, of_text, rewrite
from askwhere.reader.marking.marks import Mark, is_column_of
from askwhere.reader.marking.records import tables_of_act, uses_by_verb, uses_of
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_dated
from askwhere.reader.words.verbs import names_an_act, names_doer


@rewrite(either("have", of_argument("with")), of_text("a single", "a single one", "single"), "table")
def count_single(place: Place, having: Mark, single: Mark, thing: Mark) -> Marks | None:
    """Write "customers with a single order" as "customers with exactly 1 order"."""
    if any(m.kind in ("not", "without") for m in place.before):
        return None
    exactly = Mark("comp", single.start, single.end, 0.0, "exactly", "=")
    return having, exactly, Mark("number", single.end, single.end, 0.0, "1", number=1), thing


@rewrite("without", of_text("as"), "column|table")
def say_without_anybody(_: Place, nobody: Mark, named: Mark, role: Mark) -> Marks:
    """Write "groups that have nobody as leader" as "groups without leader"."""
    return replace(nobody, text="without"), role


@rewrite("without", maybe("fill"), "column", "or|and", maybe("fill"), "column", behind="end|stop|comma|order")
def lack_both(_: Place, without: Mark, a: Mark, one: Mark, joined: Mark, an: Mark, other: Mark) -> Marks:
    """Write "without an email or phone number" as "without an email and without phone number"."""
    return without, one, replace(joined, kind="and", text="and"), replace(without, start=joined.end), other


def say_except(state: Cursor) -> None:
    """Write "leaving cancelled orders out" and "cancelled orders left out" or "out" as "leaving out cancelled orders".

    Take out "cancelled orders included", as nothing leaves them out.
    """
    marks = state.marks
    end = next((i for i in range(len(marks) - 1, 0, -1) if marks[i].kind != "stop"), 0)
    if end < 2 or not (marks[end].text == "out" or marks[end].kind in ("skipped", "included")):
        return
    start = end - 1
    kept = marks[end].kind == "included"
    while start and (_says_which(state, marks[start]) or (kept and _says_when_ended(marks[start]))):
        start -= 1
    first, left = marks[start], tuple(m for m in marks[start + 1 : end] if m.kind != "be")
    leaves = first.text in ("leave", "leaving", "keep", "keeping")
    flags = any(map(state.flags, left)) or (kept and any(map(_says_when_ended, left)))
    if marks[end].text == "out" and not leaves:  # "cancelled orders out", but not "the ones rented out"
        leaves_out = first.kind in PARTING and bool(left) and (left[-1].kind == "table" or left[-1].text == "ones")
    else:
        leaves_out = leaves if marks[end].text == "out" else first.kind in PARTING
    if not leaves_out:
        return
    if not (flags or "value" in [m.kind for m in left]):
        return
    if kept:
        if any(m.kind == "table" or m.text == "ones" for m in left):  # "breakfast included" says which rooms
            state.marks = (*marks[:start], *marks[end + 1 :])
        return
    excluded = Mark("except", first.start, first.end, 0.0, "leaving out")
    left = tuple(m for m in left if m.kind != "table") if flags else left
    state.marks = (*marks[: start + (not leaves)], excluded, *left, *marks[end + 1 :])


def _says_which(state: Cursor, mark: Mark) -> bool:
    """Return whether a mark may be one of what is left out: a value, a flag, a thing or a small word."""
    return mark.kind in ("value", "table", "fill", "all", "or", "be") or bool(state.flags(mark))


def _says_when_ended(mark: Mark) -> bool:
    """Return whether a mark is a participle after which a date is called: "closed" venues."""
    return is_column_of(mark, is_dated) and names_an_act(mark.text)


@rewrite("skipped", "value|column|fill|all", before="comma|stop")
def say_do_not_count(place: Place, skipped: Mark, following: Mark) -> Marks | None:
    """Write "do not count refunds" as "leaving out refunds", where no word of the same clause is before it."""
    return (replace(skipped, kind="except"), following) if skipped.text.endswith("count") else None


@rewrite("except", maybe("fill|all"), "column", "table")
def leave_out_flagged(place: Place, excluding: Mark, _: Mark, flag: Mark, things: Mark) -> Marks | None:
    """Write "excluding refunded tickets" as "excluding refunded", where a flag of the tickets says it."""
    own = paths_of(place.state.flags(flag))
    return (excluding, flag) if own and own <= paths_of(things.senses) else None


@rewrite(of_text("no", kind="without"), of_kind("table|column", lambda m: names_an_act(m.text)), everywhere=True)
def say_never(_: Place, neither: Mark, done: Mark) -> Marks:
    """Write "neither sold nor promoted", which is "no sold and no promoted", as "never sold and never promoted"."""
    return replace(neither, kind="not", text="never"), done


@rewrite(of_text("that", "who", "which"), "have", of_text("a", "an"), "column", behind="end|stop|comma")
def say_with(place: Place, that: Mark, have: Mark, article: Mark, named: Mark) -> Marks | None:
    """Write "insurers that have a rating" as "insurers with a rating"."""
    with_a = Mark("prep", that.start, article.end, 0.0, f"with {article.text}", "with")
    return (with_a, named) if place.before else None


def say_without(state: Cursor) -> None:
    """Write "tests nobody has verified yet" as "tests without a verified by", where a column is called so.

    It may also be a key of the tests that is called after the doer, `lead_tester_id` for "nobody leads". Of what
    another table records, "titles nobody watched" are titles that nobody ever watched.
    """
    marks = state.marks
    for place, mark in enumerate(marks):
        if mark.kind != "without" or mark.text.split()[-1] not in ("nobody", "one"):
            continue
        verb = next((m for m in marks[place + 1 :] if m.kind not in ("have", "be", "fill")), END)
        things = paths_of(marks[place - 1].senses) if place and marks[place - 1].kind == "table" else set()
        by = tuple(
            Sense(t, (c,))
            for t in state.lexicon.tables
            for c in t.columns
            if name_stems(c.name) == (stem(verb.text), "by") or (t.path in things and _leads(t, c, stem(verb.text)))
        )
        if not by and _is_done_by_nobody(state, mark, verb, things):
            never = replace(mark, kind="not", text="nobody ever")
            before = marks[: place - (marks[place - 1].kind == "have")]
            state.marks = (*before, never, replace(verb, kind="link", senses=()), *marks[marks.index(verb) + 1 :])
            return
        if by:
            rest = marks[marks.index(verb) + 1 :]
            named = replace(verb, kind="column", senses=by, argument="")
            state.marks = (*marks[:place], replace(mark, text="without"), named, *(m for m in rest if m.text != "yet"))
        return


def _is_done_by_nobody(state: Cursor, nobody: Mark, verb: Mark, things: set[Path]) -> bool:
    """Return whether nobody is who does something with things, as a table of such acts tells, "titles nobody watched".

    Not so "with nobody assigned".
    """
    if nobody.text.startswith("with") or verb.kind not in ("link", "column"):
        return False
    tables, done = state.lexicon.tables, stem(verb.text.split()[-1])
    named = tuple(t for t in tables if t.path in things)
    return bool(tables_of_act(tables, done) or uses_by_verb(tables, named, done) or uses_of(tables, named))


def _leads(table: Table, column: Column, verb: str) -> bool:
    """Return whether a column is a foreign key named after the doer of a verb, or after the verb: `lead_tester_id`."""
    foreign = any(column.name in key.columns for key in table.foreign_keys)
    words = name_stems(column.name)
    return foreign and len(words) > 1 and (words[0] == verb or names_doer([column.name], verb))


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


RULES: tuple[Rule, ...] = (
    say_never,
    count_single,
    say_without_anybody,
    lack_both,
    say_except,
    say_do_not_count,
    leave_out_flagged,
    say_none_then,
    say_with,
    say_without,
)
