"""Read dates without a column's name, "after 2010", "in March 2023", and choose the date of a thing that is meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from askwhere.engine import Table
from askwhere.reader.grammar.cursor import END, Stuck
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.ranking import Ranking
from askwhere.reader.marking.formulas import AHEAD, is_expiry, names_end
from askwhere.reader.marking.marks import Mark, is_timely, key_of, looks_like_year, operator_of
from askwhere.reader.marking.numeric import adds_up
from askwhere.reader.marking.records import is_of_one, tables_above
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.naming import dated_headers, events, own_dates, refers
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.clock import CLOCK
from askwhere.reader.words.dates import HOUR, WEEKDAY, Bound, Span, begins_a_month, has_part
from askwhere.reader.words.english import STATES, stems
from askwhere.reader.words.months import is_by_month
from askwhere.reader.words.names import cut_name, full_stems, name_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_date, is_dated, is_moment, is_number, is_time_of_day, is_year
from askwhere.reader.words.verbs import called_after_act, is_act, names_an_act, saying, says, says_when

ASKS_WHEN = {"when", "date", "dates", "time", "times", "day", "days", "year", "years"}
_OF_TIMES = ("prep", "fill", "number", "days", "when", "period", "each", "between", "and")  # kinds of marks


class Dating(Ranking):
    """The part of the grammar that reads tests of dates, and finds the dates that a thing has."""

    def dated(self) -> None:
        """Read a test of a date or year that names no column: "after 2010", "between 2000 and 2005"."""
        senses = self.times()
        mark = self.peek()
        follow = self.after("when", "fill")
        if mark.kind == "when" and follow.kind == "days":
            self.skip("when", "fill")
            self.in_days(operator_of(mark))
            return
        if mark.kind == "when" and self.beside_a_date(senses):
            return
        follow = self.after("when", "between", "fill")
        if mark.kind == "between" and follow.kind == "number" and not looks_like_year(follow):
            self.between_amounts()
            return
        if (
            follow.kind not in ("number", "value")
            or not senses
            or (follow.kind == "number" and not looks_like_year(follow))
        ):
            raise Stuck(mark)
        likely = tuple(replace(s, score=s.score * 0.85) for s in senses)
        slot = self.slot(replace(mark, senses=likely), self.happening())
        self.comparison(Term(slot))

    def beside_a_date(self, senses: list[Sense]) -> bool:
        """Read "shipped after their required date": one date of a row beside another; return False for other words.

        `senses` are the dates that may be meant by what was done.
        """
        other = self.after("when", "fill", "their")
        dates = tuple(s for s in other.senses if len(s.columns) == 1 and is_dated(s.column))
        done = [m for m in self.marks[: self.at] if m.kind == "link" or names_an_act(m.text)]
        said = tuple(s for s in senses if done and says_when(s.column.name, stem(done[-1].text.split()[-1])))
        first = tuple(s for s in said if key_of(s) not in map(key_of, dates))
        if other.kind != "column" or not dates or not first:
            return False
        operator = operator_of(self.take())
        self.skip("fill", "their")
        left = self.slot(replace(self.take(), senses=first), self.about())
        right = self.slot(replace(other, senses=dates), left, True)
        self.test(Test(Term(left), operator, (Term(right),)))
        return True

    def in_days(self, operator: str = "=") -> None:
        """Read a span of days, "March 2023", as a test of the date of the thing spoken of.

        `operator` says whether the date is in the span ('='), or before or after it ('<', '>' …).
        """
        mark = self.take()
        if self.says_state_then(mark):
            raise Stuck(mark)
        if mark.days is not None and mark.days.first.day.startswith(CLOCK):
            slot = self.slot(replace(mark, senses=self.clocks(mark)), self.happening())
            self.test(by_days(Term(slot), operator, mark))
            return
        whole = mark.days and begins_a_month(mark.days.first) and begins_a_month(mark.days.end)
        ahead = mark.days is not None and _is_ahead(mark.days, operator)
        senses = self.dates("month" if whole else "day", ahead)
        if not senses:
            raise Stuck(mark)
        self.test(by_days(Term(self.slot(replace(mark, senses=senses), self.happening())), operator, mark))

    def clocks(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the columns with times of day of the thing spoken of, or else the dates with a time. Raise `Stuck`."""
        things = [s.table for s in self.out.senses_at(self.happening())[:1]]
        of_day = [(t, c) for t in things for c in t.columns if is_time_of_day(c) and not is_number(c)]
        times = [Sense(t, (c,), 0.8 * 0.95**i) for i, (t, c) in enumerate(of_day)]
        times = times or [s for s in self.dates(HOUR) if is_moment(s.column)]
        verbs = [stem(m.text) for m in self.marks[: self.at] if m.kind in ("link", "open", "prep", "like")]
        said = [s for s in times if any(says(s.column.name, verb) for verb in verbs)]
        if not times:
            raise Stuck(mark)
        return tuple(said or times)

    def says_state_then(self, time: Mark) -> bool:
        """Return whether a state, flag or denial just before says how things were on a day, "vans on hire on 1 May".

        Their column has nothing but how things are now.
        """
        said, on, *_ = (END, END, *self.marks[: self.at - 1])[-2:]
        states = (c for s in said.senses for c in s.columns if said.kind == "value" and STATES & {*full_stems(c.name)})
        one_day = time.days is not None and not (time.days.first.recurs or begins_a_month(time.days.end))
        told = any(states) or bool(self.flags(said)) or said.argument == "denied"
        return on.text == "on" and one_day and told

    def happening(self) -> int | None:
        """Return the slot that a time applies to: what is counted or added up, rather than the groups of these counts.

        "Visits per doctor in 2024" were in 2024, and so were those of "which doctor had the most visits in 2024". It
        is the last thing mentioned, unless that one only groups or ranks, or is people who did what is asked for:
        "visits by young doctors in 2024" were in 2024. Nor is it things of which something is said that has a day of
        its own: "absent pupils today", "lifts with an entrapment in 2025".
        """
        about, out = self.about(), self.out
        if (told := self.tested_slot_with_dates(about)) is not None:
            return told
        counted = next(
            (t.slot for t in out.terms if (t.counts or t.distinct) and t.slot is not None),
            out.focus if out.groups else None,
        )
        asked = counted if counted is not None else out.focus
        if about is not None and asked is not None and asked != about and self.are_by(asked, about):
            return asked
        grouping = {slot for group in out.groups for slot in (group, out.slots[group].owner)} | {out.focus}
        return about if counted is None or about not in grouping else counted

    def tested_slot_with_dates(self, about: int | None) -> int | None:
        """Return the slot that was last tested of dated rows of what is spoken of: "lifts with an entrapment in 2025".

        The call-outs, which refer to lifts and have dates, have the entrapment, or refer to the fault that is named.
        None where no such rows are tested.
        """
        things = [s.table for s in self.out.senses_at(about)[:1] if not s.columns]
        if not things:
            return None
        tested = [t.term.slot for t in self.out.every_test if t.term.slot is not None and not t.negated]
        tables = ((slot, max(self.out.slots[slot].senses, key=lambda s: s.score)) for slot in reversed(tested))
        told = (slot for slot, s in tables if s.columns and self.paths_of_dated_table(s.table, things[0]))
        return next(told, None)

    def paths_of_dated_table(self, table: Table, thing: Table) -> frozenset[Path]:
        """Return a table with dates whose rows belong to a thing, or else the only such table that refers to it."""
        if events(table):
            return frozenset({table.path}) if self.are_rows_of(table, thing) else frozenset()
        if table.path == thing.path or self.are_rows_of(thing, table):
            return frozenset()
        dated = [t for t in self.lexicon.tables if events(t) and refers(t, table) and self.are_rows_of(t, thing)]
        return frozenset({dated[0].path}) if len(dated) == 1 else frozenset()

    def are_rows_of(self, table: Table, other: Table) -> bool:
        """Return whether each row of a table belongs to one of another table, by keys, also over further tables."""
        named = table.path != other.path and refers(table, other)  # a column is named as its key
        return named or is_of_one(self.lexicon.tables, table, other)

    def are_by(self, asked: int, people: int) -> bool:
        """Return whether dated rows that are asked for are those by or of some people: "visits by young doctors"."""
        slot, persons = self.out.slots[people], paths_of(self.lexicon.persons())
        first = self.out.slots[asked].senses
        tables = [s.table for s in first if s.score >= first[0].score - 0.1]
        small = ("fill", "all", "their", "value", "column")
        before = next((m for m in reversed(self.marks) if m.end <= slot.start and m.kind not in small), END)
        theirs = before.argument in ("by", "of", "from", "for") and slot.senses[0].table.path in persons
        return theirs and not slot.senses[0].columns and all(events(t) and t.path not in persons for t in tables)

    def times(self, ahead: bool = False) -> list[Sense]:
        """Return the columns of dates, times and years as senses, the likeliest first; `ahead` is as for `dates`.

        Where the names of some say what a verb before this place does, it returns only those: "orders shipped in 1997"
        are tested by `ShippedDate`, also where that is a state of theirs.
        """
        before = self.marks[: self.at]
        states = [m for m, thing in pairwise(before) if is_dated_act(m) and thing.kind == "table"]  # "closed accounts"
        verbs = [stem(m.text) for m in before if m.kind == "link" or self.is_act(m) or m in states] + self.paying()
        found = [
            replace(s, score=s.score * fit)
            for word, fit in (("year", 1.0), ("date", 0.85), ("time", 0.5))
            for s in self.lexicon.named((word,))
            if s.columns and is_timely(s)
        ]
        for table in self.lexicon.tables:
            found += _times_of(table, bool(verbs))
        best: dict[tuple[object, ...], Sense] = {}
        for sense in found:  # `alarm_time` is called a time, and is the event's date as well
            if key_of(sense) not in best or best[key_of(sense)].score < sense.score:
                best[key_of(sense)] = sense
        found = list(best.values())
        if self.events:
            return [replace(s, score=1.0) for s in self.events]
        years = ((t, c) for t in self.lexicon.tables for c in t.columns if is_year(c) and (t.path, c.name) not in best)
        found += (Sense(t, (c,), 0.8) for t, c in years if any(says_when(c.name, verb) for verb in verbs))
        done = self.became(found) or [s for s in found if any(says_when(s.column.name, verb) for verb in verbs)]
        done = [replace(s, score=1.0) for s in done or ([] if ahead or verbs else self.called_after_things(found))]
        just = self.marks[max(self.at - 3, 0) : self.at + 1]
        if self.negated and not done and any(m.kind == "when" and m.text == "since" for m in just):
            found = self.done_for_things(found)
        shown = [self.about(), *(t.slot for t in self.out.outputs)]
        own = {s.table.path for slot in shown for s in self.out.senses_at(slot)}
        # What was sold in 2024 is not told by when a wagon is to be overhauled next, nor by until when it is insured.
        found = [s for s in found if s.table.path in own or happens(s)] or found
        found = found if done else [s for s in found if not is_expiry(s.column)]
        return done or self.of_acts([self.late(s) for s in self.of_things(found)], verbs + self.selling())

    def called_after_things(self, dates: list[Sense]) -> list[Sense]:
        """Return the dates of what happened that are called after rows, but not after their table: `sale_date`.

        When people were hired does not say it of hires that have a date of their own.
        """
        places = (self.out.focus, *(t.slot for t in self.out.outputs))
        shown = [self.out.slots[slot] for slot in places if slot is not None]
        own = {
            s.table.path
            for slot in shown
            for s in slot.senses[:1]
            if not s.columns and s.score == 1 and events(s.table)
        }
        dates = [s for s in dates if not own or s.table.path in own]
        nouns = {stem(slot.text.split()[-1]) for slot in shown if not any(s.columns for s in slot.senses[:1])}
        dated = [s for s in dates if happens(s) and is_dated(s.column)]
        return [s for s in dated if name_stems(s.column.name)[0] in nouns - {*name_stems(s.table.name)}]

    def done_for_things(self, dates: list[Sense]) -> list[Sense]:
        """Return the dates at which something was done with what is spoken of, which has not "been in since May".

        They are in the only table with dates that refers to it, directly or over others, and none of its own, such as
        when it was registered; there are none where several tables have dates.
        """
        own = {s.table.path for s in self.out.senses_at(self.about()) if not s.columns}
        others = [s for s in dates if s.table.path not in own and happens(s)]
        found = [s for s in others if own & tables_above(self.lexicon.tables, s.table)]
        return found if len(paths_of(found)) == 1 else []

    def became(self, dates: list[Sense]) -> list[Sense]:
        """Return the dates at which things came into the state just before the time: "closed in 2024", `closed_on`.

        A date may say the state, "how many were cancelled per month", or a value of a column beside it.
        """
        said = next((m for m in reversed(self.marks[: self.at]) if m.kind not in _OF_TIMES), END)
        if is_dated_act(said):
            return [s for s in dates if key_of(s) in map(key_of, said.senses)]
        tables = paths_of(said.senses)
        if said.kind != "value" or not said.text.islower() or not names_an_act(said.text):
            return []
        return [s for s in dates if s.table.path in tables and says_when(s.column.name, stem(said.text))]

    def paying(self) -> list[str]:
        """Return the verb for what was paid where amounts are asked for that are called so: it is of when they were."""
        kinds = ("money", "column")
        asked = [m.senses for m in self.marks[: self.at] if m.kind in kinds and m.senses and m.senses[0].columns]
        amounts = [s for senses in asked for s in senses if is_number(s.columns[0])]
        return ["pay"] if amounts and all("paid" in cut_name(s.columns[0].name) for s in amounts) else []

    def selling(self) -> list[str]:
        """Return the verbs whose records the question is about where it asks for revenue."""
        return ["sell", "pay"] if any(m.kind in ("money", "much", "sold") for m in self.marks) else []

    def is_done_then(self, mark: Mark) -> bool:
        """Return whether a column's mark says what happened at a date, or to an amount: "registered in 2022", "due in".

        `mark` is the next one.
        """
        told = self.peek(2) if self.peek(1).kind == "prep" else self.peek(1)
        if mark.text.endswith("until") and looks_like_year(told):
            return True  # "deferred until 2025"
        if not is_act(mark.text) and mark.text != "since":
            happens = all(is_date(s.column) for s in mark.senses) and not ASKS_WHEN & {*mark.text.split()}
            return happens and self.time_follows()
        if self.peek(1).text == "in" and looks_like_year(told) and adds_up(mark):
            return False  # "sheets used in 2024" are amounts of that year
        amount = is_number(mark.senses[0].column) and told.kind in ("when", "between", "comp", "number")
        return is_date(mark.senses[0].column) or (amount and self.peek(2).kind != "table")

    def time_follows(self) -> bool:
        """Return whether the marks behind the next one say when something was: "in 2022", "before May"."""
        joining = self.peek(1)
        told = self.peek(2) if joining.kind == "prep" else joining
        return (joining.argument == "in" and looks_like_year(told)) or told.kind in ("days", "when", "between")

    def is_act(self, mark: Mark) -> bool:
        """Return whether a mark names a table by a participle: "admitted", `admissions`."""
        return mark.kind == "table" and names_an_act(mark.text)

    def of_acts(self, dates: list[Sense], verbs: list[str]) -> list[Sense]:
        """Return only the dates of the tables that verbs are recorded in, "rented": `rentals`, if these have any.

        Of several the one named after the table comes first, else the first.
        """
        tables = {path for verb in verbs for path, column in saying(self.lexicon.tables, verb) if not column}
        found = [s for s in dates if s.table.path in tables]
        first = {t.path: (own_dates(t) or events(t))[:1] for t in self.lexicon.tables if t.path in tables}
        return [replace(s, score=1.0 if s.column in first[s.table.path] else 0.7) for s in found] or dates

    def of_things(self, dates: list[Sense]) -> list[Sense]:
        """Return the dates, with lower scores for those of other tables if the thing they are said of has dates.

        Where that is not the thing spoken of last, they are its own, if it has any. Else they are those of what its
        rows belong to: "lines per order in 2024", but neither when a vet was hired nor what was done with a pet later.
        """
        thing, about = self.happening(), self.about()
        shown = next((t.slot for t in self.out.outputs if t.slot is not None), None) if about is None else None
        lines = self.out.senses_at(shown)[:1]
        senses = self.out.slots[thing].senses if thing is not None else lines
        senses = tuple(s for s in senses if s.score >= senses[0].score - 0.3)
        headers = frozenset[Path]().union(*(dated_headers(s.table, self.lexicon.tables) for s in senses[:1]))
        headers = headers or _dated_events(senses[:1], self.lexicon.tables)
        if not headers and thing != about and about is not None:
            headers = self.paths_of_dated_table(senses[0].table, self.out.slots[about].senses[0].table)
        if headers:
            # No other table's date could be meant, so that these are surer than a date among many.
            return [replace(s, score=min(s.score / 0.8, 1.0)) for s in dates if s.table.path in headers] or dates
        told = thing != about or about is None
        tables = {s.table.path for s in senses if (told or not s.columns) and events(s.table)}
        if thing == about or about is None:
            return [s if not tables or s.table.path in tables else replace(s, score=s.score * 0.8) for s in dates]
        groups, paths = (paths_of(found) for found in (self.out.slots[about].senses, senses))
        groups -= {path for verb in self.selling() for path, column in saying(self.lexicon.tables, verb) if not column}
        above = [s for s in dates if s.table.path not in groups or set(s.columns) <= set(own_dates(s.table))]
        above = [s for s in above if not paths & {key.target for key in s.table.foreign_keys}]
        return [s for s in dates if s.table.path in tables] or above

    def late(self, sense: Sense) -> Sense:
        """Return the sense of a date with a lower score the later it stands in its table: start before end."""
        own, dates = own_dates(sense.table), events(sense.table)
        ordered = [*own, *(c for c in dates if c not in own)]
        place = ordered.index(sense.column) if len(sense.columns) == 1 and sense.column in ordered else 0
        return replace(sense, score=sense.score * 0.95**place)

    def dated_by(self, mark: Mark) -> int:
        """Return a new slot for the date that rows are grouped by; `mark` names the period ("per month")."""
        senses = self.dates(mark.argument)
        if not senses:
            raise Stuck(mark)
        slot = self.slot(replace(mark, senses=senses), self.about())
        self.out.slots[slot] = replace(self.out.slots[slot], part=mark.argument)
        return slot

    def dates(self, part: str, ahead: bool = False) -> tuple[Sense, ...]:
        """Return the date columns that have a `part` ('day', 'weekday', 'month', 'quarter' or 'year'), as senses.

        If the thing spoken of has dates of its own among them, only those; none if a thing knows months and no days.
        With `ahead` they are dates that may be in the future.
        """
        found = [s for s in self.times(ahead) if len(s.columns) == 1 and has_part(s.column, part)]
        found = _to_come(found) if ahead else found
        things = self.out.senses_at(self.about())
        own = {key_of(Sense(s.table, (c,))) for s in things for c in own_dates(s.table)}
        spoken = (slot.senses[0].table for slot in self.out.slots if slot.senses)
        if part in ("day", WEEKDAY) and any(is_by_month(c) for table in spoken for c in table.columns):
            return ()
        return tuple([s for s in found if key_of(s) in own] or found)


_CALENDAR = frozenset(stems("date calendar day"))


def _dated_events(senses: Sequence[Sense], tables: Iterable[Table]) -> frozenset[Path]:
    """Return the path of the only dated event that rows without dates are of: the run of a train's consignments.

    An event refers to other things; customers and wagons, which refer to none, have dates of their own lives. Where
    there is a table of days, `dim_date`, it has the dates.
    """
    rows = [s.table for s in senses if not events(s.table)]
    above = {key.target for table in rows for key in table.foreign_keys}
    if days := frozenset(t.path for t in tables if t.path in above and _CALENDAR & {*name_stems(t.name)} and events(t)):
        return days
    dated = [t for t in tables if t.path in above and any(happens(Sense(t, (c,))) for c in events(t))]
    found = {t.path for t in dated if any(key.target[: len(t.path)] != t.path for key in t.foreign_keys)}
    return frozenset(found) if len(found) == 1 else frozenset()


def is_dated_act(mark: Mark) -> bool:
    """Return whether a mark names a state by the date at which it came about: "closed accounts", by `closed_on`."""
    acts = mark.kind == "column" and names_an_act(mark.text) and mark.argument != "denied"
    return acts and bool(mark.senses) and is_timely(mark.senses[0])


def happens(date: Sense) -> bool:
    """Return whether a date says when something was done, and not how things are now: no `next_service`."""
    return date.column in events(date.table) and not AHEAD & set(full_stems(date.column.name))


def _is_ahead(days: Span, operator: str) -> bool:
    """Return whether a span of days is yet to come, "next month", or with "after" the days behind it."""
    first, end = days.first, days.end
    if first.day:
        return False
    from_now = first.shift == 0 and (operator in (">", ">=") or (first.present == "day" and end.shift > 1))
    return first.shift > 0 or from_now


def _to_come(dates: list[Sense]) -> list[Sense]:
    """Return the dates without those at which something was done, `ordered_on`, unless a table has no others."""
    open_to = {s.table.path for s in dates if not _is_of_the_past(s)}
    return [s for s in dates if s.table.path not in open_to or not _is_of_the_past(s)]


def _is_of_the_past(date: Sense) -> bool:
    """Return whether a date is called after what was done, and not after what is planned: `ordered`, `ordered_on`."""
    return called_after_act(date.column.name) and not AHEAD & set(full_stems(date.column.name))


def _times_of(table: Table, done: bool) -> Iterator[Sense]:
    """Yield the dates of a table, likeliest first, and its one year unless a verb says what was `done`.

    Of several dates the first tells when a row came to be: an invoice is issued, then due, then paid.
    """
    dates = [c for c in events(table) if is_dated(c)]
    several = len(dates) > 1 or any(map(names_end, dates))
    yield from (Sense(table, (c,), 0.6 if i else 0.67 if several else 0.8) for i, c in enumerate(dates))
    years = [c for c in events(table) if is_year(c)]
    if len(years) == 1 and not done:
        yield Sense(table, (years[0],), 0.75)


def by_age(term: Term, operator: str, mark: Mark, unit: str = "year") -> Test:
    """Return the test of a beginning, of a person's life or a thing's, that an age passes today, in years or a `unit`.

    Raise `Stuck` for other operators, and for a number that is no age.
    """
    if not isinstance(mark.number, int) or (unit == "year" and mark.number > 150):
        raise Stuck(mark)
    now, before = (Bound(present="day", shift=-age, by=unit) for age in (mark.number, mark.number + 1))
    match operator:
        case ">" | "<":
            return Test(term, "<" if operator == ">" else ">", (now,))
        case ">=":
            return Test(term, "<=", (now,))
        case "<=":
            return Test(term, ">", (before,))
        case _:
            raise Stuck(mark)


def by_days(term: Term, operator: str, mark: Mark) -> Test:
    """Return the test that a date is in the span of days of `mark`, or before or after it.

    Raise `Stuck` for the operator '!=' and for a mark without a span.
    """
    if mark.days is not None and mark.days.first.day.startswith(CLOCK) and operator in ("<", "<=", ">", ">="):
        return Test(term, operator, (mark.days.first,))
    if mark.days is None or (operator != "=" and mark.days.first.recurs):
        raise Stuck(mark)
    match operator:
        case "=":
            return Test(term, "during", (mark.days.first, mark.days.end))
        case ">":
            return Test(term, ">=", (mark.days.end,))
        case ">=" | "<":
            return Test(term, operator, (mark.days.first,))
        case "<=":
            return Test(term, "<", (mark.days.end,))
        case _:
            raise Stuck(mark)
