"""Read what is owed: "how much do hospitals owe us", "how much is outstanding", "who still owes us money"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import WHAT_DO, Cursor
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.naming import events, own_dates
from askwhere.reader.schema.persons import PATRON
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.denials import OWING, denied_by
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.verbs import names_an_act, says

_CREDITOR = ("us", "we", "money", "anything", "something")
_BEFORE_VERBS = ("fill", "be", "rel", "open")  # kinds of marks between debtors and "owe"


def say_what_is_owed(state: Cursor) -> None:
    """Write "how much are we owed by Ann", "how much does Ann owe us" as "total unpaid of Ann".

    And "clients who owe us money" as "clients with unpaid invoices", where a date or flag of invoices says it.
    """
    marks = state.marks
    place = next((i for i, m in enumerate(marks) if m.argument == "denied" and denied_by(m.text) == "paid"), 0)
    if not place:
        return
    unpaid = marks[place]
    rows = tuple(Sense(s.table, (), s.score) for s in undone(unpaid))
    if not rows:
        return
    behind = tuple(m for m in marks[place + 1 :] if m.text not in _CREDITOR)
    if marks[0].kind == "much" or marks[0].text in WHAT_DO:
        _ask_for_total(state, unpaid, tuple(m for m in marks[1:place] if m.kind not in ("be", "fill")), behind)
        return
    debtors = marks[:place]
    while debtors and debtors[-1].kind in _BEFORE_VERBS:
        debtors = debtors[:-1]
    if not debtors and any(m.text == "who" for m in marks[:place]):
        debtors = _who_is_billed(state, rows)
    if unpaid.text in OWING and debtors and debtors[-1].kind in ("table", "value"):
        state.marks = (*debtors, *_with_undone(replace(unpaid, text="unpaid"), rows), *behind)


def say_what_is_not_done(state: Cursor) -> None:
    """Write "clients who have not paid yet" as "clients with unpaid invoices", where a date or flag of these says it.

    Not where rows begin with that date, "customers who have not ordered", or are called after the act: payments.
    """
    marks = tuple(m for m in state.marks if m.kind not in ("fill", "stop"))
    if len(marks) < 3 or marks[-2].kind != "not" or "never" in marks[-2].text or marks[-1].kind != "column":
        return
    act, before = marks[-1], marks[:-2]
    while before and before[-1].kind in _BEFORE_VERBS:
        before = before[:-1]
    things = {s.table.path for m in before[-1:] for s in m.senses}
    verb = stem(act.text)
    if not names_an_act(act.text) or any(says(t.name, verb) for t in state.lexicon.tables):
        return
    rows = tuple(Sense(s.table, (), s.score) for s in act.senses if _may_be_undone(state, s))
    if len(rows) < len(act.senses) or things & paths_of(rows):
        return
    if not before and marks[0].text == "who":
        before = _who_is_billed(state, rows)
    if before and before[-1].kind == "table":
        undone = replace(act, argument="denied", text=f"un{act.text}")
        state.marks = (*before, *_with_undone(undone, rows))


def _may_be_undone(state: Cursor, act: Sense) -> bool:
    """Return whether a column says of rows whether something was done with them later: a flag, or no first date."""
    later = [c for c in events(act.table) if c not in (own_dates(act.table) or events(act.table))[:1]]
    return len(act.columns) == 1 and (act.column in later or state.lexicon.truth(act) is not None)


def _with_undone(undone: Mark, rows: tuple[Sense, ...]) -> tuple[Mark, ...]:
    """Return the marks of "with unpaid bills"."""
    bills = Mark("table", undone.end, undone.end, 0.9, rows[0].table.name, senses=rows)
    return Mark("prep", undone.start, undone.start, 0.9, "with", "with"), undone, bills


def undone(mark: Mark) -> tuple[Sense, ...]:
    """Return the senses of a mark that says what was not done, without those of the acts themselves: payments."""
    act = stem(denied_by(mark.text))
    return tuple(s for s in mark.senses if not any(word.startswith(act) for word in full_stems(s.table.name)))


def _who_is_billed(state: Cursor, rows: tuple[Sense, ...]) -> tuple[Mark, ...]:
    """Return a mark for who owes what is in some rows: customers, or else what the rows refer to."""
    people = state.lexicon.persons()
    billed = {key.target for s in rows for key in s.table.foreign_keys}
    own = tuple(s for s in people if s.table.path in billed)
    own = own or tuple(Sense(t) for t in state.lexicon.tables if t.path in billed and not people)
    senses = tuple(s for s in people if s.score >= PATRON) or own
    return (Mark("table", 0, 0, 0.9, senses[0].table.name, senses=senses),) if senses else ()


def _ask_for_total(state: Cursor, unpaid: Mark, debtor: tuple[Mark, ...], behind: tuple[Mark, ...]) -> None:
    """Ask for the total of what is unpaid, of a `debtor` or of the one behind "by"."""
    by = not debtor and bool(behind) and behind[0].argument in ("by", "from")
    at = debtor[0].start if debtor else unpaid.end
    of = (Mark("prep", at, at, 0.9, "of", "of"),) if debtor or by else ()
    total = replace(state.marks[0], kind="agg", text="total", argument="sum")
    state.marks = (total, unpaid, *of, *debtor, *behind[by:])
