"""Read what is so now or no more: "current contracts", "who has a lease now", "expired licences"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from askwhere.engine import Table
from askwhere.indexer.word_forms import is_participle
from askwhere.reader.grammar.cursor import END, Cursor, Stuck, mark_at, that_are
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.patterns import Marks, Place, Rule, either, maybe, of_kind, of_text, rewrite
from askwhere.reader.marking.formulas import holds_until, is_expiry, present_span_of, span_of
from askwhere.reader.marking.marks import Mark, is_amount, is_column_of, is_plural
from askwhere.reader.marking.records import tables_of_act
from askwhere.reader.schema.naming import events, refers
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.dates import DATE_UNITS, Bound, day_spans
from askwhere.reader.words.denials import OPEN, denied_by
from askwhere.reader.words.measures import MEASURES, SERVICE
from askwhere.reader.words.names import cut_name, full_stems
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_dated
from askwhere.reader.words.verbs import names_an_act, saying, says_when

NOW = frozenset({"now", "right now", "currently", "presently", "at the moment", "at present"})

_UNTIL_NOW = "until now"


def end_dates(tables: Iterable[Table]) -> tuple[Sense, ...]:
    """Return the dates at which rows end, of the tables that say when theirs begin and end."""
    return tuple(Sense(table, pair.columns[:1]) for table in tables for pair in present_span_of(table))


def put_states_behind(state: Cursor) -> None:
    """Put "current", "late", "free" and "empty" behind the thing that they describe, where conditions stand.

    Values may stand between the two: "open high priority tickets".
    """
    marks = list(state.marks)
    for place, mark in enumerate(tuple(marks)):
        if mark.kind not in ("current", "overdue") and mark.argument != "free" and mark.text != "empty":
            continue
        after = range(place + 1, len(marks))
        thing = next((at for at in after if marks[at].kind not in ("value", "column")), place)
        valued = any(m.kind == "value" for m in marks[place + 1 : thing]) or thing == place + 1
        if valued and marks[thing].kind == "table":
            marks[place : thing + 1] = [*marks[place + 1 : thing + 1], mark]
    state.marks = tuple(marks)


@rewrite(of_text("active", kind="column"), "table")
def say_active(_: Place, active: Mark, thing: Mark) -> Marks | None:
    """Take "active" for what has not ended, where the things have an end and only others a flag that says so."""
    tables = {s.table.path: s.table for s in thing.senses if not s.columns}
    if tables.keys() & paths_of(active.senses) or not end_dates(tables.values()):
        return None
    return replace(active, kind="current", argument="", senses=()), thing


@rewrite("current|overdue", of_kind("value", is_plural), behind="end|stop|prep|comma|each|period|rel")
def put_state_behind_kind(_: Place, state: Mark, kind: Mark) -> Marks:
    """Write "active medics" as "medics that are active"."""
    return kind, *that_are(kind.end), state


@rewrite(
    of_kind("table", lambda m: not names_an_act(m.text)),  # no "machines hired out"
    maybe("rel"),
    maybe("be"),
    of_text("on", "out"),
    behind=either("prep|end|stop", of_text(*NOW)),
)
def say_under_way(place: Place, thing: Mark, who: Mark, be: Mark, said: Mark) -> Marks | None:
    """Take "on" and "out" behind things, "which shows were on in May", "loans out on 1 July", for what has not ended.

    "Out" says so only of what comes back, as loans do.
    """
    tables = [s.table for s in thing.senses if not s.columns and span_of(s.table)]
    on = said.text == "on" and (be is not END or place.next.kind == "prep")
    if not tables or not (on or (said.text == "out" and any(map(_comes_back, tables)))):
        return None
    between = (m for m in (who, be) if m is not END)
    return thing, *between, replace(said, kind="current", text="open", argument="")


@rewrite(of_text("is in", "are in"), of_kind("table", lambda m: is_singular(m.text)), behind="end|stop|prep|when|comma")
def say_in_an_act(place: Place, said: Mark, act: Mark) -> Marks | None:
    """Write "are in repair" so that "in" is read as a preposition, where repairs have an end."""
    if not end_dates(s.table for s in act.senses if not s.columns):
        return None
    return Mark("be", said.start, said.start, 0.9, "are"), Mark("prep", said.start, said.end, 0.9, "in", "in"), act


@rewrite(of_kind("table|link", lambda m: names_an_act(m.text)), of_text("out"), behind=of_text("on", kind="prep"))
def say_out_then(place: Place, act: Mark, out: Mark) -> Marks | None:
    """Take "out" behind an act for what had not ended on a day: "cars rented out on 1 March"."""
    senses = act.senses or tables_of_act(place.lexicon.tables, stem(act.text))
    acts = tuple(s for s in senses if not s.columns and _comes_back(s.table))
    if not acts or mark_at(place.behind, 1).kind != "days":
        return None
    return replace(act, kind="table", senses=acts), replace(out, kind="current", text="open", argument="")


def _comes_back(table: Table) -> bool:
    """Return whether rows of a table end by a return: loans."""
    return any(_RETURNED & {*full_stems(pair.columns[0].name)} for pair in span_of(table))


_RETURNED = frozenset({"return", "back"})


@rewrite("upcoming", "table")
def say_after_today(_: Place, coming: Mark, thing: Mark) -> Marks | None:
    """Write "upcoming plays" as "plays that are after today", "the next play" as "the earliest play that is …"."""
    one, end = coming.argument == "next", thing.end
    if one and not is_singular(thing.text):
        return None
    earliest = (replace(_EARLIEST, start=coming.start, end=coming.end),) if one else ()
    after_today = Mark("when", end, end, 0.9, "after", ">"), Mark("days", end, end, 0.9, "today", days=_TODAY)
    return *earliest, thing, *that_are(end), *after_today


_EARLIEST = Mark("superlative", 0, 0, 0.9, "earliest", "min", measure=MEASURES[("earliest",)][1])
_TODAY = next(span for _, _, span in day_spans(["today"]))


@rewrite("link|column|table", "table", before="end|count|open|fill|all|be")
def put_records_behind(place: Place, act: Mark, thing: Mark) -> Marks | None:
    """Write "sold paintings" as "paintings sold", and "unsold" as "never sold", where other rows record the sales.

    Not where the paintings themselves have a date, flag or state that says so, nor of what is paid, which may be so in
    part.
    """
    denied = denied_by(act.text.lower()) if act.argument == "denied" else ""
    done, end = denied or act.text, thing.end
    if not is_participle(done) or done == "paid":
        return None
    things = [s.table for s in thing.senses if s.score >= thing.senses[0].score - 0.1]
    tables = (t for t in place.lexicon.tables if _records(t, stem(done)) and any(refers(t, o) for o in things))
    records = tuple(map(Sense, tables))
    if not records or paths_of(act.senses) & {t.path for t in things}:
        return None
    if not denied:
        return thing, act
    return thing, Mark("not", end, end, 0.9, "never"), Mark("table", act.start, act.end, 0.9, done, senses=records)


def _records(table: Table, verb: str) -> bool:
    """Return whether rows of a table record an act by its name or by a date: `sales`, `sold_on` for "sold"."""
    named = any(not column for _, column in saying([table], verb))
    return named or any(is_dated(c) and says_when(c.name, verb) for c in table.columns)


@rewrite(of_kind("column", lambda m: m.argument == "denied" or names_an_act(m.text)), "table|column")
def put_acts_behind(place: Place, act: Mark, thing: Mark) -> Marks | None:
    """Write "members with unpaid invoices" as "members with invoices that are unpaid", where a date or flag says it.

    And "total unpaid amount" as "total amount of unpaid invoices".
    """
    before = next((m for m in reversed(place.before) if m.kind != "fill"), END)
    tables, denied, end = paths_of(thing.senses), act.argument == "denied", thing.end
    own = [s for s in act.senses if len(s.columns) == 1 and s.table.path in tables]
    dates = [s for s in own if is_dated(s.column)]
    if not (dates or any(denied and place.lexicon.truth(s) for s in own)):
        return None
    having = before.kind in ("have", "without", "number") or before.argument == "with"
    measured = before.kind in _MEASURING or (before.kind == "superlative" and denied)
    if thing.kind == "table":
        return (thing, *that_are(end), act) if having or measured else None
    if " " in act.text or not is_amount(thing) or not len(dates) == len(act.senses) == 1:
        return None
    owner = dates[0].table
    amount = replace(thing, senses=tuple(s for s in thing.senses if s.table is owner))
    rows = Mark("table", end, end, 0.9, owner.name, senses=(Sense(owner),))
    told = (amount, Mark("prep", end, end, 0.9, "of", "of"), act, rows)
    listed = place.next.kind in ("each", "period") and not any(m.kind in _MEASURING for m in place.before)
    return (Mark("agg", act.start, act.start, 0.9, "total", "sum"), *told) if listed else told


_MEASURING = ("agg", "average", "sup")  # of the "last returned loan" the act itself is the last


@rewrite(lambda m: m.measure is not None and m.measure.words == SERVICE)
def serve_until_now(_: Place, serving: Mark) -> Marks:
    """Write "who has been here longest" as "… until now": those who have left are no longer there."""
    return serving, Mark("fill", serving.end, serving.end, 0.0, _UNTIL_NOW)


def say_expired(state: Cursor) -> None:
    """Write "boats with expired insurance", "whose insurance has expired", as "boats that are no longer insured".

    Of the date until which it is valid; not where a time follows, "that expired in May", or the date is asked for.
    Raise `Stuck` where a thing follows that has no such date: "donors with expired units".
    """
    marks = state.marks
    told = (i for i, m in enumerate(marks) if m.kind in ("column", "current"))
    place = next((i for i in told if _says_expired(marks[i]) or _holds_no_longer(marks, i)), None)
    if place is None:
        return
    start, end, dates = _valid_until(marks, place)
    said, behind = marks[place], mark_at(marks, end)
    over = replace(said, kind="current", argument="" if denied_by(said.text) in _EXPIRED else "past")
    if behind.kind == "table" and dates:
        own = tuple(s for s in dates if any(s.table is o.table for o in behind.senses))
        if not own:
            raise Stuck(said)
        state.marks = (*marks[:place], behind, replace(over, senses=own), *marks[end + 1 :])
    elif dates and behind.kind not in _TIMES and start and marks[start - 1].kind in ("table", "column", "value"):
        denied = [m for m in marks[start:place] if m.kind == "not" and _LONGER not in m.text]
        state.marks = (*marks[:start], *denied, replace(over, senses=dates), *marks[end:])


_EXPIRED = frozenset({"expired", "lapsed"})
_TIMELY = frozenset({"date", "dates", "when", "day"})
_TIMES = ("prep", "when", "days", "number", "between", "period", "each", "comp")  # kinds of marks that say when
_JOINING = ("have", "be", "rel", "fill", "not")
_OWNING = ("whose", "with", "with a", "with an")


def _says_expired(mark: Mark) -> bool:
    """Return whether a mark says that something has expired, and does not ask when."""
    words = {*mark.text.split(), denied_by(mark.text)}
    return bool(_EXPIRED & words) and not _TIMELY & words


def _holds_no_longer(marks: tuple[Mark, ...], place: int) -> bool:
    """Return whether a mark says what holds until a date, behind a "no longer": "no longer insured"."""
    return (
        place > 0 and marks[place - 1].kind == "not" and _LONGER in marks[place - 1].text and holds_until(marks[place])
    )


_LONGER = "longer"


def _valid_until(marks: tuple[Mark, ...], place: int) -> tuple[int, int, tuple[Sense, ...]]:
    """Return where what is said of an expired thing begins and ends, and the dates until which that is valid.

    "Expired" is at `place`; the name of what expires, "insurance", is before or behind it.
    """
    after = _expiries(mark_at(marks, place + 1))
    dates = after or _expiries(marks[place])
    start = place
    while start and (
        marks[start - 1].kind in _JOINING or marks[start - 1].text in _OWNING or _expiries(marks[start - 1])
    ):
        start -= 1
        dates = dates or _expiries(marks[start])
    return start, place + 1 + bool(after), dates


def _expiries(mark: Mark) -> tuple[Sense, ...]:
    """Return the dates until which something is valid that a column's mark names."""
    named = mark.senses if mark.kind == "column" else ()
    return tuple(s for s in named if len(s.columns) == 1 and is_dated(s.column) and is_expiry(s.column))


def say_age_of_open(state: Cursor) -> None:
    """Write "tickets open for more than 30 days" as "open tickets older than 30 days": nothing says yet how long.

    Raise `Stuck` for what says no age.
    """
    marks = state.marks
    for place, mark in enumerate(marks):
        at = place + 1 + (mark_at(marks, place + 1).text == "for")
        compared, number, unit = (mark_at(marks, at + i) for i in range(3))
        timed = number.kind == "number" and unit.text.lower() in DATE_UNITS
        if timed and compared.kind == "comp" and _is_not_over(mark):
            if compared.argument not in _AGES:
                raise Stuck(compared)  # "for at least 30 days"
            said = _AGES[compared.argument]
            kind, measure = MEASURES[said]
            older = replace(compared, kind=kind, text=" ".join(said), argument=measure.end, measure=measure)
            state.marks = (*marks[: place + 1], older, *marks[at + 1 :])
            return


_AGES = {">": ("older", "than"), "<": ("younger", "than")}


def _is_not_over(mark: Mark) -> bool:
    """Return whether a mark says that something has not ended yet: "open", "unpaid", of a date."""
    if mark.kind == "column":
        return mark.argument == "denied" and is_column_of(mark, is_dated)
    return (mark.kind == "current" and mark.argument != "past") or (mark.kind == "value" and mark.text.lower() == OPEN)


def read_still(state: Cursor) -> None:
    """Read "that are still running": the thing spoken of has not ended, or has for "expired". Raise `Stuck`."""
    told = (*_JOINING, "value", "column")
    before = next((m for m in reversed(state.marks[: state.at]) if m.kind not in told), END)
    mark, slots = state.take(), state.out.slots
    last = len(slots) - 1 if slots else None
    # What is counted is named just before: "with more than one current lease", "who has the most current leases".
    counted = [place for place, slot in enumerate(slots) if before.kind == "table" and slot.start == before.start]
    for thing in counted or (state.about(), last):
        tables = [s.table for s in state.out.senses_at(thing) if not s.columns]
        own = end_dates(t for t in tables if not mark.senses or any(s.table is t for s in mark.senses))
        if dates := tuple(s for s in mark.senses if s.columns) or own:
            over = (mark.argument == "past") != state.negated
            if not over and (time := time_behind(state)) is not None:
                lasted_then(state, mark, dates, thing, time)
            else:
                lasts(state, mark, dates, thing, over)
            return
    raise Stuck(mark)


def time_behind(state: Cursor) -> Mark | None:
    """Read "on 1 July", "in May", and return the mark of these days; None where no such time comes next."""
    if state.peek().argument != "in" or state.peek(1).kind != "days":
        return None
    state.at += 2
    return state.peek(-1)


def lasted_then(state: Cursor, mark: Mark, ends: tuple[Sense, ...], thing: int | None, time: Mark) -> None:
    """Test that a thing had begun by the end of some days and had not ended before them: "open on 1 July"."""
    if time.days is None or time.days.first.recurs:
        raise Stuck(time)
    began = tuple(Sense(s.table, pair.columns[1:]) for s in ends for pair in present_span_of(s.table))
    for dates, op, bound in ((began, "<", time.days.end), (ends, "lasts", time.days.first)):
        if dates:
            state.test(Test(Term(state.slot(replace(mark, kind="column", senses=dates), thing, True)), op, (bound,)))


def under_way(state: Cursor) -> tuple[Sense, ...]:
    """Return the dates at which what follows "on" ends, "books on loan"; none where it is no act with an end.

    "Currently" is read by `settle_now`.
    """
    thing = state.peek()
    bare = thing.kind == "table" and is_singular(thing.text) and thing.start == state.peek(-1).end
    now = any(m.text in NOW for m in state.marks)
    return end_dates(s.table for s in thing.senses if not s.columns) if bare and not now else ()


def lasts(state: Cursor, mark: Mark, dates: tuple[Sense, ...], thing: int | None, over: bool) -> None:
    """Test that a thing has not ended: its end is not known or is to come; or, if `over`, that it has.

    What may be planned must have begun: a play with a `premiere_date`, and not what `hired_on` says was done.
    """
    term, today = Term(state.slot(replace(mark, kind="column", senses=dates), thing, True)), Bound(present="day")
    state.negated = False
    state.test(Test(term, "<" if over else "lasts", (today,)))
    began = (Sense(s.table, pair.columns[1:]) for s in dates for pair in present_span_of(s.table))
    planned = tuple(s for s in began if not over and not any(map(is_participle, cut_name(s.column.name))))
    if planned and len(planned) == len(dates) and not paths_of(planned) & paths_of(state.lexicon.persons()):
        first = Term(state.slot(replace(mark, kind="column", senses=planned), thing, True))
        state.test(Test(first, "<", (Bound(shift=1),)))


def _says_now(mark: Mark, behind: Mark) -> bool:
    """Return whether a mark says "now", or "still" before an act that has an end or the date at which it began."""
    if mark.kind != "fill" or mark.text != "still":
        return mark.kind == "fill" and (mark.text in NOW or mark.text == _UNTIL_NOW)
    began = behind.kind == "column" and all(is_dated(s.column) for s in behind.senses[:1])
    began = began and behind.argument != "denied"  # "still uncleared" says itself that there is no date
    return (behind.kind == "table" or began) and bool(end_dates(s.table for s in behind.senses))


def settle_now(state: Cursor) -> None:
    """Keep only rows that have not ended, of the first table with dates of an end, where the question says "now".

    So does "still" before what is done: "who still rents a flat".
    """
    marks = [m for m in state.marks if m.kind != "be" and m.text != "being"]
    now = (m for m, act in zip(marks, (*marks[1:], END), strict=True) if _says_now(m, act))
    lasting = any(test.op == "lasts" for group in state.out.tests for test in group)
    if (said := next(now, None)) is None or lasting:
        return  # "that are open now"
    for place, slot in enumerate(state.out.slots):
        dates = end_dates(
            {s.table.path: s.table for s in slot.senses if s.score >= slot.senses[0].score - 0.1}.values()
        )
        if dates:
            lasts(state, said, dates, None if slot.senses[0].columns else place, False)
            return
    if said.text == _UNTIL_NOW:
        return  # nobody leaves
    tables = [s.table for slot in state.out.slots for s in slot.senses[:1]]
    if not state.out.tests and any(
        t.foreign_keys and events(t) and t.path not in paths_of(state.lexicon.persons()) for t in tables
    ):
        raise Stuck(said)  # "boats rented now", where no date says when a rental ends
    if end_dates(state.lexicon.tables) and all(t.term.counts for group in state.out.tests for t in group):
        raise Stuck(said)  # what else has an end may be meant: "subscribers who take two papers right now"


RULES: tuple[Rule, ...] = (
    say_active,
    put_state_behind_kind,
    say_under_way,
    say_out_then,
    say_in_an_act,
    serve_until_now,
    say_expired,
    say_age_of_open,
    say_after_today,
    put_states_behind,
    put_records_behind,
    put_acts_behind,
)
