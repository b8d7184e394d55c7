"""Read flags that are called after a verb and its object, `allows_pets`, or after what was done, `deposit_paid`."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import Cursor, mark_at
from askwhere.reader.grammar.patterns import Marks, Place, Rule, either, of_argument, of_kind, of_text, rewrite
from askwhere.reader.marking.marks import Mark, is_numeric, keys_of
from askwhere.reader.marking.narrowing import verb_of_flag
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.names import cut_name, name_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_number
from askwhere.reader.words.verbs import names_an_act


def say_what_flags_say(state: Cursor) -> None:
    """Write "cabins need no permit" as "cabins that not need permit", where a flag is called so, `needs_permit`."""
    marks = list(state.marks)
    at = 1
    while at < len(marks):
        joined = _with_object(marks[at:], state.lexicon)
        if joined:
            flag, size = joined
            denied = any(m.kind == "without" for m in marks[at : at + size])
            that = [Mark("rel", flag.start, flag.start, 0.0, "that")] if marks[at - 1].kind == "table" else []
            no = [Mark("not", flag.start, flag.start, 0.0, "not")] if denied else []
            marks[at : at + size] = [*that, *no, flag]
        at += 1
    state.marks = tuple(marks)


def say_what_was_done(state: Cursor) -> None:
    """Write "where no deposit was paid" as "where not deposit paid", where a flag is called so, `deposit_paid`.

    So with amounts: "how many crates were shipped" as "how many crates shipped", `crates_shipped`.
    """
    marks = list(state.marks)
    for at, thing in enumerate(marks):
        if thing.kind != "column":
            continue
        end = at + 1
        while end < len(marks) and marks[end].kind in _BETWEEN and not names_an_act(marks[end].text):
            end += 1
        done = mark_at(marks, end)
        if end == at + 1 or not names_an_act(done.text or "-"):
            continue
        amounts = _amounts_done(thing, done) if not any(m.kind == "not" for m in marks[at:end]) else ()
        if amounts:
            amount = replace(thing, end=done.end, text=f"{thing.text} {done.text}", senses=amounts)
            state.marks = (*marks[:at], amount, *marks[end + 1 :])
            return
        said = done.text.lower().split()[-1]
        flags = tuple(s for s in state.flags(thing) if said in cut_name(s.column.name))
        if not flags or done.kind == "link":
            continue
        denied = at > 0 and marks[at - 1].kind in ("without", "not")
        no = any(m.kind == "not" for m in marks[at:end]) != denied
        flag = replace(thing, end=done.end, text=f"{thing.text} {done.text}", senses=flags)
        not_so = [Mark("not", thing.start, thing.start, 0.0, "not")] if no else []
        state.marks = (*marks[: at - denied], *not_so, flag, *marks[end + 1 :])
        return


def _amounts_done(thing: Mark, done: Mark) -> tuple[Sense, ...]:
    """Return the numbers that are called after a thing and what was done with it: `crates_shipped`."""
    words = (*map(stem, thing.text.split()), *map(stem, done.text.split()))
    return tuple(
        replace(s, score=1.0)
        for s in thing.senses
        if len(s.columns) == 1 and is_number(s.column) and name_stems(s.column.name) == words
    )


_BETWEEN = ("be", "fill", "have", "not")


def _with_object(marks: list[Mark], lexicon: Lexicon) -> tuple[Mark, int] | None:
    """Return the mark of a flag's verb and object that comes first, and how many marks it is made of."""
    verb = marks[0]
    if verb.kind != "column":
        return None
    said = tuple(stem(word) for word in verb.text.split())
    flags = tuple(s for s in verb.senses if s.columns and verb_of_flag(s, lexicon) == said[0])
    if not flags:
        return None
    if len(said) > 1:
        return replace(verb, senses=flags), 1
    size = 2 if mark_at(marks, 1).kind in ("fill", "without", "all") else 1
    thing = mark_at(marks, size)
    same = tuple(s for s in flags if set(keys_of(replace(verb, senses=(s,)))) & set(keys_of(thing)))
    if thing.kind != "column" or not same:
        return None
    return replace(verb, end=thing.end, text=f"{verb.text} {thing.text}", senses=same), size + 1


_WHERE = either(of_argument("with"), of_text("where", "in which", "that have", "that had", "which had", kind="rel"))


@rewrite(_WHERE, of_kind("column", is_numeric), before="table|days|value", behind="end|stop|comma|and|prep|days")
def say_more_than_none(_: Place, having: Mark, count: Mark) -> Marks | None:
    """Write "callouts with people trapped" as "whose people trapped is more than 0": `people_trapped` is a number."""
    words = tuple(map(stem, count.text.split()))
    counted = tuple(s for s in count.senses if s.columns and name_stems(s.column.name) == words)
    if len(words) < 2 or not counted or not (names_an_act(count.text) or count.text.endswith("ing")):
        return None
    whose = replace(having, kind="rel", text="whose", argument="")
    more = Mark("comp", count.end, count.end, 0.0, "more than", ">")
    none = Mark("number", count.end, count.end, 0.0, "0", number=0)
    return whose, replace(count, senses=counted), more, none


RULES: tuple[Rule, ...] = (
    say_what_flags_say,
    say_what_was_done,
    say_more_than_none,
)
