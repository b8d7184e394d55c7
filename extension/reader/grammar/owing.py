"""Read what is owed: "how much do hospitals owe us", "how much is outstanding", "who still owes us money"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import SENTENCE_ENDS, WHAT_DO, Cursor, mark_at, that_are
from askwhere.reader.grammar.lateness import due_dates
from askwhere.reader.grammar.patterns import Rule
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.numeric import only_amount
from askwhere.reader.marking.revenue import without_flags
from askwhere.reader.schema.naming import events, own_dates
from askwhere.reader.schema.persons import PATRON
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.denials import OWING, denied_by
from askwhere.reader.words.money import BILLED
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.verbs import names_an_act, says

_CREDITOR = ("us", "we", "money", "anything", "something")
_BEFORE_VERBS = ("fill", "be", "rel", "open")  # kinds of marks between debtors and "owe"


def say_what_is_owed(state: Cursor) -> None:
    """Write "how much are we owed by Ann", "how much does Ann owe us" as "total unpaid of Ann".

    And "clients who owe us money" as "clients with unpaid invoices", where a date or flag of invoices says it. Write
    "how much is overdue", "how much did we refund", "total refunded" as "total of payments that are …".
    """
    marks = state.marks
    place, rows = next(((i, rows) for i, m in enumerate(marks) if (rows := _rows_so(state, m))), (0, ()))
    if not place:
        return
    so = marks[place]
    debtor = tuple(m for m in marks[1:place] if m.kind not in _BEFORE_VERBS)
    behind = tuple(m for m in marks[place + 1 :] if m.text not in _CREDITOR)
    unpaid, alone = so.argument == "denied", not debtor and mark_at(behind, 0).kind not in ("table", "column")
    money = so.kind == "overdue" or stem(so.text) in BILLED  # "total overdue", "total refunded"
    asked = marks[0].text in WHAT_DO if unpaid else marks[0].argument == "sum" and money
    if (asked or marks[0].kind == "much") and (unpaid or alone):
        _ask_for_total(state, so, rows, debtor, behind)
        return
    debtors = marks[:place]
    while debtors and debtors[-1].kind in _BEFORE_VERBS:
        debtors = debtors[:-1]
    if not debtors and any(m.text == "who" for m in marks[:place]):
        debtors = _who_is_billed(state, rows)
    if so.text in OWING and debtors and debtors[-1].kind in ("table", "value"):
        if mark_at(behind, 0).kind == "sup" and mark_at(behind, 1).kind in _ENDS:
            behind = (*_with_most(behind[0], rows), *behind[1:])  # "who owes us the most"
        each = behind[:1] and behind[0].kind == "comp"  # who owes more than 50 does so by all bills together
        behind = (*behind[:2], replace(behind[0], kind="altogether"), *behind[2:]) if each else behind
        state.marks = (*debtors, *_with_undone(replace(so, text="unpaid"), rows), *behind)


_ENDS = (*SENTENCE_ENDS, "each", "period", "prep")


def _with_most(most: Mark, rows: tuple[Sense, ...]) -> tuple[Mark, ...]:
    """Return the marks of "with the highest total amount", of rows that have one amount."""
    amounts = tuple(Sense(s.table, only_amount(s.table), s.score) for s in rows)
    having = Mark("prep", most.start, most.start, 0.9, "with", "with")
    total = Mark("agg", most.end, most.end, 0.9, "total", "sum")
    return (
        having,
        replace(most, text="highest"),
        total,
        Mark("column", most.end, most.end, 0.9, "amount", senses=amounts),
    )


def _rows_so(state: Cursor, so: Mark) -> tuple[Sense, ...]:
    """Return the tables whose rows a mark says are unpaid; or overdue, or so by a flag, if they have an amount."""
    if so.argument == "denied" and denied_by(so.text) == "paid":
        return tuple(Sense(s.table, (), s.score) for s in undone(so))
    told = paths_of(so.senses if so.kind == "overdue" else state.flags(so))
    dated = so.kind == "overdue" and not told
    tables = (t for t in state.lexicon.tables if t.path in told or (dated and due_dates(t)))
    return tuple(Sense(t) for t in tables if only_amount(without_flags(t, state.lexicon)))


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


def _ask_for_total(
    state: Cursor, so: Mark, rows: tuple[Sense, ...], debtor: tuple[Mark, ...], behind: tuple[Mark, ...]
) -> None:
    """Ask for the total of the rows that are so, unpaid, of a `debtor` or of the one behind "by"."""
    by = so.text in OWING and not debtor and bool(behind) and behind[0].argument in ("by", "from")
    at = debtor[0].start if debtor else so.end
    of = (Mark("prep", at, at, 0.9, "of", "of"),) if debtor or by else ()
    total = replace(state.marks[0], kind="agg", text="total of", argument="sum")
    those = Mark("table", so.start, so.start, 0.9, rows[0].table.name, senses=rows)
    state.marks = (total, those, *that_are(so.start), so, *of, *debtor, *behind[by:])


RULES: tuple[Rule, ...] = (
    say_what_is_owed,
    say_what_is_not_done,
)
