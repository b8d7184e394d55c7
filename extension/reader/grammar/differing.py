"""Read differences: the days between two dates, one amount less another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from askwhere.reader.grammar.cursor import SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.draft import RANGE, Term, Test
from askwhere.reader.grammar.lateness import lateness, require_lateness
from askwhere.reader.grammar.selling import Selling
from askwhere.reader.marking.formulas import (
    AGE,
    DAYS,
    DIFFERENCE,
    TIMES,
    dates_of,
    days_between,
    days_of,
    days_until,
    finest_time,
    margins,
    says_stay,
    span_of,
)
from askwhere.reader.marking.marks import Mark, is_numeric, is_timely
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.names import cut_name
from askwhere.reader.words.types import is_moment
from askwhere.reader.words.verbs import names_an_act

_LASTING = frozenset(
    "last lasts lasting lasted take takes took taken stay stays stayed run runs ran pass passes passed open".split()
)
_FROM = ("between", "from")
_NAMES = ("table", "column", "link", "unknown", "value")


class Differing(Selling):
    """The part of the grammar that reads what is computed from two columns of a row."""

    def elapsed(self, found: list[Term]) -> bool:
        """Read "how many days between order and delivery", "how long does each repair take"; append the term."""
        said = self.take()
        start = self.at
        if self.late_by(said, found):
            return True
        self.skip("fill", "have", "comma")
        agg = self.on_average()
        self.skip("fill")
        each = self.each_asked()
        self.skip("prep") if self.peek().text not in ("to", "from") and not each and said.text == "time" else None
        thing = self.take() if each or self.peek().kind == "table" else self.one_lasting()
        # "how long does it take to …", "how long do we need to …"
        generally = any({"it", "we"} & {*m.text.split()} for m in self.marks[start : self.at])
        if self.peek().text in _LASTING:
            self.at += 1
            self.skip("fill")
            agg = agg or self.on_average()
            whose = thing or (self.accept("table") if self.peek(1).argument == "to" else None)
            if whose is not None and not each and self.peek().argument == "to" and self.are_people(whose):
                thing, generally = None, True  # "how long do customers take to pay"
        senses = self.two_dates(thing)
        agg = agg or self.averaged() or ("avg" if generally and not self.says_each() else "")
        formula = said.argument or self.in_shown_unit() or (DAYS if "day" in said.text else _within_days(senses))
        senses = _measured_in(formula, senses)
        if not senses:
            raise Stuck(said)
        if thing is not None and any(s.table is t.table for s in senses for t in thing.senses):
            owner: int | None = self.thing(thing)
        else:
            owner = self.about()
            if each and thing is not None:  # "how many days does each shipper take on average from order to shipping"
                self.out.groups.append(self.slot(thing))
                self.out.mentions.append(self.out.groups[-1])
        slot = self.slot(replace(said, kind="column", senses=senses), owner)
        if each and owner is not None and not agg:
            found.append(Term(owner))
        found.append(Term(slot, agg=agg, formula=formula))
        return True

    def are_people(self, thing: Mark) -> bool:
        """Return whether a table's mark is one of people, who do something, and not what lasts."""
        return paths_of(thing.senses[:1]) <= paths_of(self.lexicon.persons())

    def in_shown_unit(self) -> str:
        """Return the formula for times in the unit that the question asks for, "in minutes", and '' without one."""
        formula = TIMES.get(self.out.shown_in, "")
        self.out.shown_in = "" if formula else self.out.shown_in
        return formula

    def late_by(self, said: Mark, found: list[Term]) -> bool:
        """Read "how many days" behind what is late: append the term for the days. Return False for other days."""
        late = any(m.kind == "overdue" for m in self.marks[: self.at])
        return late and self.peek().kind in (*SENTENCE_ENDS, "comma", "and") and self.days_late(found, said)

    def days_late(self, found: list[Term], said: Mark | None = None) -> bool:
        """Read "days late": append the term for the days from the date at which things were due.

        What was in time is left out. `said` is the mark of the days if it is read already.
        """
        late = said or self.take()
        pairs = lateness(self, late)
        if not any(m.kind == "overdue" for m in self.marks):
            require_lateness(self, late, pairs)
        found.append(Term(self.slot(replace(late, kind="column", senses=pairs), self.out.focus, True), formula=DAYS))
        return True

    def lasts(self, found: list[Term]) -> bool:
        """Read "rental length": append the term for the days, or hours, from a row's beginning to its end."""
        said = self.take()
        senses = said.senses
        days = DAYS if self.peek().text == "in days" else ""
        formula = said.argument or days or self.in_shown_unit() or _unsaid_unit(senses)
        senses = _measured_in(formula, senses)
        if not senses:
            raise Stuck(said)
        thing = self.thing(replace(said, kind="table", senses=tuple(Sense(s.table) for s in senses)))
        self.skip("be") if self.peek(1).kind == "each" else None
        if self.peek().kind == "each" and self.peek(1).kind == "table" and paths_of(self.each_of()) & paths_of(senses):
            self.at += 2
            found.append(Term(thing))  # "age of each member"
        found.append(Term(self.slot(replace(said, kind="column", senses=senses), thing, True), formula=formula))
        return True

    def each_asked(self) -> bool:
        """Read "each" before a table; return whether it was there. A participle between them must hold: "each sold"."""
        done = self.peek(1).kind == "column" and names_an_act(self.peek(1).text)
        if self.peek().kind != "each" or self.peek(1 + done).kind != "table":
            return False
        self.at += 1
        if done:
            act, things = self.take(), paths_of(self.peek().senses)
            dates = tuple(s for s in act.senses if s.table.path in things and is_timely(s))
            if not dates:
                raise Stuck(act)
            self.test(Test(Term(self.slot(replace(act, senses=dates))), "null", negated=True))
        return True

    def on_average(self) -> str:
        """Read "on average" if it comes next, and return the aggregate that it means, or ''."""
        self.skip("fill", "comma") if self.after("fill", "comma").kind in ("agg", "average") else None
        mark = self.accept("agg", "average")
        return ("avg" if mark.kind == "average" else mark.argument) if mark else ""

    def says_each(self) -> bool:
        """Return whether the question asks for each thing: "to ship each order", but not "to ship per branch"."""
        return any(m.kind == "each" and {"each", "every"} & {*m.text.split()} for m in self.marks)

    def one_lasting(self) -> Mark | None:
        """Read the name of the thing in "how long did the Summer Tour last"; return a mark of its table, or None."""
        mark = self.peek()
        if mark.kind != "value" or self.peek(1).text not in _LASTING:
            return None
        self.value_test()
        return replace(mark, kind="table", senses=tuple(Sense(s.table, score=s.score) for s in mark.senses))

    def averaged(self) -> str:
        """Read an "on average" that stands next, or at the end of the question; return the aggregate or ''."""
        last = next((m for m in reversed(self.marks[self.at :]) if m.kind != "stop"), None)
        if last is not None and last.text == "on average":
            self.marks = tuple(m for m in self.marks if m is not last)
            return "avg"
        return self.on_average()

    def two_dates(self, thing: Mark | None) -> tuple[Sense, ...]:
        """Read which two dates are meant, "between order and delivery", "until shipping", and return them as senses.

        Where the question names none they are those at which the rows of `thing` begin and end.
        """
        if self.peek().text in _FROM:
            self.at += 1
            first = self.act()
            if self.peek().kind != "and" and self.peek().text not in ("to", "until"):
                raise Stuck(self.peek())
            self.at += 1
            return days_between(first, self.act(), self.lexicon)
        ends = self.peek().kind in (*SENTENCE_ENDS, "prep", "each", "agg", "average", "comma", "have")
        if thing is not None and ends:
            made = tuple(pair for s in thing.senses if not s.columns for pair in span_of(s.table))
            return made or days_until(thing, self.lexicon)
        if thing is not None or self.peek().text in ("to", "until"):
            self.skip("prep", "when", "fill", "be")
            return days_until(self.act(), self.lexicon)
        done = self.act()
        self.at += self.peek().text in _LASTING
        return days_until(done, self.lexicon)

    def act(self) -> Mark:
        """Read and return a word that names a date, directly or by what was done then; its thing may follow."""
        self.skip("fill", "their")
        mark = self.peek()
        if mark.kind not in _NAMES:
            raise Stuck(mark)
        self.at += 1
        return mark

    def difference(self, found: list[Term]) -> bool:
        """Read "the difference between the highest and the lowest price", or raise `Stuck`.

        That between two columns is one mark already (`operations`).
        """
        said = self.take()
        self.skip("fill", "their")
        if self.peek().kind != "sup":
            raise Stuck(said)
        return self.span(found)

    def span(self, found: list[Term]) -> bool:
        """Read "the highest and the lowest price": append the term for the greatest value of a column less the least.

        The column may be named twice. Raise `Stuck` where the two are not the two ends of one column.
        """
        one, named = self.take(), self.amount_named()
        self.accept("and")
        self.skip("fill", "their")
        other, slot = self.accept("sup"), self.amount_named()
        columns = [self.out.slots[n].senses[0].columns for n in (named, slot) if n is not None]
        if other is None or slot is None or other.argument == one.argument or len(set(columns)) != 1:
            raise Stuck(one)
        self.read_owner(slot)
        found.append(Term(slot, agg=RANGE))
        return True

    def amount_named(self) -> int | None:
        """Read the name of a column of amounts, with its table before it, and return its slot; None for others."""
        thing = self.thing(self.take()) if self.peek().kind == "table" and self.peek(1).kind == "column" else None
        amount = self.peek().kind == "column" and is_numeric(self.peek())
        return self.slot(self.take(), thing) if amount else None

    def margin(self, found: list[Term]) -> bool:
        """Read "the margin": append the term for the price less the cost."""
        return self.less(self.take(), found, tuple(margins(self.lexicon)))

    def computed(self, found: list[Term]) -> bool:
        """Read "cost per click": append the term for what is computed from two columns."""
        found.append(self.of_two(self.take()))
        return True

    def excess(self, found: list[Term]) -> bool:
        """Read "the difference" behind two columns that are compared: append the term for the one less the other.

        Raise `Stuck` where no two columns are compared, or more than two.
        """
        said = self.take()
        single = [group[0] for group in self.out.tests if len(group) == 1 and not group[0].negated]
        pairs = [(t, t.operand[0]) for t in single if t.op in ("<", "<=", ">", ">=") and len(t.operand) == 1]
        compared = [(t, other) for t, other in pairs if isinstance(other, Term) and not (t.term.counts or other.counts)]
        if len(compared) != 1:
            raise Stuck(said)
        test, other = compared[0]
        more, less = (test.term, other) if test.op[0] == ">" else (other, test.term)
        dated = all(is_timely(s) for s in self.out.slots[more.slot or 0].senses[:1])
        if "days" in said.text and not dated:
            raise Stuck(said)
        found.append(Term(more.slot, formula=DAYS if dated else DIFFERENCE, other=less.slot))
        return True

    def of_two(self, said: Mark) -> Term:
        """Return the term for what is computed from the two columns of a mark."""
        first, second = said.parts
        slot = self.slot(first, self.about())
        return Term(slot, formula=said.argument, other=self.slot(second, slot))

    def each_of(self) -> tuple[Sense, ...]:
        """Return the senses of the table that follows "each"; a value may stand before it."""
        ahead = 1
        while self.peek(ahead).kind in ("fill", "all", "value"):
            ahead += 1
        return self.peek(ahead).senses if self.peek(ahead).kind == "table" else ()

    def formula(self) -> Term:
        """Read "margin" or "cost per click" and return its term, to be compared or to sort by."""
        said, senses = self.take(), tuple(margins(self.lexicon))
        if said.parts:
            return self.of_two(said)
        if not senses:
            raise Stuck(said)
        return Term(self.slot(replace(said, kind="column", senses=senses), self.about()), formula=DIFFERENCE)

    def formula_said(self) -> None:
        """Read a margin as a condition, "with a margin above 20", or else as one more thing to show."""
        self.test_or_show(self.formula)

    def test_or_show(self, read: Callable[[], Term]) -> None:
        """Read a term as a condition, or else as one more thing to show, where a list of these goes on."""
        saved = self.checkpoint()
        if self.tested(read()):
            return
        self.restore(saved)
        if self.marks[self.at - 1].kind not in ("and", "comma", "prep", "fill", "their"):
            raise Stuck(self.peek())
        self.more()

    def days_apart(self, test: Test) -> None:
        """Read "3 days after the order", "5 days to ship" behind a comparison's number, and add the test.

        `test` is complete but for its term. The later date is that of the verb before the comparison. Where nothing
        says what the days begin with, it is the date at which a row came to be: "delivered within 3 days".
        """
        said = self.take()
        before = next((m for m in reversed(self.marks[: self.at - 3]) if m.kind in ("column", "link", "table")), said)
        things = self.out.senses_at(self.about())
        if (self.peek().kind == "when" and self.peek().argument == ">") or self.peek().text in ("of", "from"):
            self.at += 1
            self.skip("fill", "be", "their")
            senses = days_between(self.act(), before, self.lexicon)
        elif self.peek().text == "to":
            self.at += 1
            self.skip("fill", "be")
            senses = days_until(self.act(), self.lexicon)
        elif names_an_act(before.text) and dates_of(before, self.lexicon):  # which "took" has not
            senses = days_until(before, self.lexicon)
        else:
            senses = tuple(pair for s in things if not s.columns for pair in days_of(s.table))
        formula = said.argument or DAYS
        senses = _measured_in(formula, senses)
        if not senses:
            raise Stuck(said)
        slot = self.slot(replace(said, kind="column", senses=senses), self.about())
        self.test(replace(test, term=Term(slot, formula=formula)))

    def less(self, said: Mark, found: list[Term], senses: tuple[Sense, ...]) -> bool:
        """Append the term for the difference of two columns, beside the thing where that of each is asked for."""
        if not senses:
            raise Stuck(said)
        slot = self.slot(replace(said, kind="column", senses=senses), self.about())
        self.skip("prep") if self.after("prep", "fill").kind == "each" else None
        self.skip("fill")
        if self.peek().kind == "each" and paths_of(self.each_of()) & paths_of(senses):
            self.take()
            self.skip("fill", "all")
            if self.peek().kind == "value":
                self.value_test()
            if self.peek().kind != "table":
                raise Stuck(self.peek())
            owner = self.thing(self.take())
            self.out.slots[slot] = replace(self.out.slots[slot], owner=owner, firm=True)
            found.append(Term(owner))
        found.append(Term(slot, formula=DIFFERENCE))
        return True


def _measured_in(formula: str, dates: tuple[Sense, ...]) -> tuple[Sense, ...]:
    """Return the dates that a formula can be computed from: hours are between times, and not between days."""
    return dates if formula in (DAYS, AGE) else tuple(s for s in dates if all(map(is_moment, s.columns)))


def _unsaid_unit(senses: tuple[Sense, ...]) -> str:
    """Return the formula for the length of things where no unit is said: days for stays, else `finest_time`."""
    return DAYS if any(map(says_stay, senses)) else finest_time(senses)


def _within_days(senses: tuple[Sense, ...]) -> str:
    """Return the formula for how long something takes where no unit is said: hours between times that are no dates.

    A `rental_date` has a time as well, but what begins and ends on dates takes days.
    """
    dated = any("date" in cut_name(c.name) for s in senses for c in s.columns)
    return DAYS if dated else _unsaid_unit(senses)
