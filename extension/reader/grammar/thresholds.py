"""Read comparisons that begin with their number: "more than 3 pets", "borrowed more than once", "under 30"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.aging import OLD
from askwhere.reader.grammar.comparing import Comparing
from askwhere.reader.grammar.cursor import CLAUSE_ENDS, END, Stuck
from askwhere.reader.grammar.draft import Slot, Term, Test
from askwhere.reader.grammar.lateness import LATE, lateness, require_lateness
from askwhere.reader.marking.formulas import DAYS
from askwhere.reader.marking.marks import (
    Mark,
    in_unit,
    is_numeric,
    is_timely,
    key_of,
    names_a_key,
    operand,
    operator_of,
)
from askwhere.reader.marking.mass_nouns import MASS
from askwhere.reader.marking.narrowing import COSTS
from askwhere.reader.marking.records import tables_of_act, uses_of
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.naming import key_columns, own_words, refers
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.measures import HOLDING, LENGTH, MEASURES, SIZES
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_number
from askwhere.reader.words.units import ASSUMED, Quantity, names_duration
from askwhere.reader.words.verbs import names_an_act, saying

_HEADS = ("people", "inhabitants")  # "venues for more than 150 people"
_PRICED = ("under", "over", "above", "below", "up to", "less than", "more than", "at least", "at most", "between")
_AGED = ("older than", "younger than", "newer than")

_APPEAR = frozenset(map(stem, "appear occur exist repeat come list used".split()))  # verbs of what is in the data


_USE = stem("used")


class Thresholds(Comparing):
    """The part of the grammar that finds what an amount is of: rows, a column, a price, an age."""

    def compared(self) -> None:
        """Read a test that begins with its comparison: "more than 3 pets", "at least 20 points", "above age 20"."""
        mark = self.take()
        before = next((m for m in reversed(self.marks[: self.at - 1]) if m.kind not in ("fill", "be", "prep")), END)
        self.skip("fill", "link") if mark.text == "only" else self.skip("fill")
        if mark.text == "only" and self.negated:
            raise Stuck(mark)
        follow, behind = self.peek(), self.peek(1)
        if mark.text == "only" and behind.kind == "column" and self.peek(2).kind == "table":
            raise Stuck(mark)  # "with only 5 star reviews" says that all reviews are so
        if follow.kind in ("average", "agg"):
            self.above_average(mark)
        elif follow.kind == "often" or (follow.kind == "number" and behind.text in ("times", "time")):
            self.often(mark)
        elif self.limited(mark):
            return
        elif follow.kind == "column" and behind.kind == "number" and is_numeric(follow):
            term = Term(self.slot(self.take(), self.about()))  # "above age 20"
            self.test(Test(term, operator_of(mark), (self.amount(),)))
        elif follow.kind == "value" and mark.argument == "!=":
            self.negated = True
            self.value_test()
        elif follow.kind == "number":
            self.threshold(mark, before)
        else:
            raise Stuck(follow)

    def threshold(self, mark: Mark, before: Mark) -> None:
        """Read the number of a comparison `mark`, and what it is of; `before` stands before the comparison."""
        amount = self.take()
        if self.peek().kind in ("and", "but") and self.peek(1).kind == "comp" and self.peek(2).kind == "number":
            self.range_of(mark, amount)
            return
        unit = self.unit()
        if unit and unit.text in OLD:
            self.test(self.of_age(mark.argument, amount))
            return
        shown = self.shown_column(before)
        if self.accept("characters"):
            only = self.out.outputs[0] if len(self.out.outputs) == 1 and before.kind == "table" else None
            shown = shown or only  # "names of products longer than 25 characters"
            if shown is None or self.out.slots[shown.slot or 0].senses[0].columns == ():
                raise Stuck(mark)
            self.test(Test(self.letters_of(shown), mark.argument, (in_unit(amount, None),)))
            return
        if shown is not None and unit is None and self.peek().kind in CLAUSE_ENDS and self.is_amount_shown(shown):
            self.test(Test(shown, mark.argument, (in_unit(amount, None),)))  # "budgets above 500"
            return
        self.skip("fill", "distinct", "their")
        if self.peek().kind == "prep" and self.peek().argument == "of":
            self.take()
        named = self.peek().kind in ("table", "column")
        if self.last and before.kind == "table" and mark.text not in SIZES and not named:
            self.still_of(before)
        self.amounted(Test(Term(None), mark.argument, (in_unit(amount, unit),)), mark, unit)

    def shown_column(self, before: Mark) -> Term | None:
        """Return the last output where it is the column that the question begins with, `before`; else None.

        Only a singular may stand before it, "contract values": "which jobs cost" begins with things, and a verb.
        """
        last = self.out.outputs[-1] if self.out.outputs else None
        things = [m for m in self.marks if m.end <= before.start and m.kind in ("open", "table", "column", "value")]
        begins = all(m.kind != "open" and m.end == before.start and is_singular(m.text) for m in things)
        if last is None or last.counts or last.slot is None or before.kind != "column" or not begins:
            return None
        return last if self.out.slots[last.slot].text == before.text else None

    def is_amount_shown(self, shown: Term) -> bool:
        """Return whether an output is a column of numbers that are no keys."""
        columns = [(c, key_columns(s.table)) for s in self.out.senses_at(shown.slot) for c in s.columns]
        return all(is_number(column) and column not in keys for column, keys in columns)

    def range_of(self, mark: Mark, amount: Mark) -> None:
        """Read "at least 3 and at most 5 pages", where both comparisons are of what is named behind the second.

        `mark` and `amount` are the first comparison and its number, which are read already.
        """
        self.take()
        other, limit = self.take(), self.take()
        unit = self.unit()
        self.skip("fill", "distinct", "their")
        start = self.at
        self.amounted(Test(Term(None), mark.argument, (in_unit(amount, unit),)), mark, unit)
        self.at = start
        self.amounted(Test(Term(None), other.argument, (in_unit(limit, unit),)), other, unit)

    def between_amounts(self) -> None:
        """Read "between 3 and 5 books", where what is compared is named behind both numbers."""
        said = self.take()
        self.skip("fill")
        low = self.amount()
        if self.peek().kind != "and" and self.peek().text != "to":
            raise Stuck(self.peek())
        self.take()
        high = self.amount()
        unit = self.peek(-1) if self.peek(-1).kind == "unit" else None
        if unit and isinstance(high, Quantity) and isinstance(low, (int, float)):
            low = Quantity(low, high.unit)
        self.amounted(Test(Term(None), "between", (low, high)), said, unit)

    def amounted(self, test: Test, said: Mark | None = None, unit: Mark | None = None) -> None:
        """Read what a comparison is of from behind its number, "more than 3 pets", and add the test.

        `test` is complete but for its term. A table is counted, a column compared; where neither follows, the column
        tested last is taken, the one that is in such a `unit`, or the one that the comparison word `said` measures.
        """
        follow = self.peek()
        if follow.kind == "lateness" or (follow.kind == "elapsed" and self.peek(1).text in LATE):
            self.days_too_late(test)
        elif follow.kind == "elapsed":
            if said is not None and said.text in _AGED:
                raise Stuck(said)  # "birds older than 10 years" are so today, and did not retire at that age
            self.days_apart(test)
        elif said is not None and said.text == "within":
            raise Stuck(said)  # "opened within 3 days" is no amount of time that a column has
        elif follow.kind == "extent":
            self.test(replace(test, term=self.in_unit_of(unit) or Term(self.measured(follow))))
            self.at += 1
        elif term := self.named_amount():
            self.test(replace(test, term=term))
        else:
            self.test(self.unnamed_amount(test, said, unit))

    def days_too_late(self, test: Test) -> None:
        """Read "days late" behind a comparison's number: done so long after its date, or overdue for so long."""
        said = self.take()
        late = said if said.kind == "lateness" else self.take()
        pairs = lateness(self, late)
        if "overdue" not in late.text:
            slot = self.slot(replace(late, kind="column", senses=pairs), self.about(), True)
            self.test(replace(test, term=Term(slot, formula=DAYS)))
            return
        (days,) = test.operand
        if test.op not in (">", ">=") or not isinstance(days, int):
            raise Stuck(said)
        require_lateness(self, replace(late, argument="open"), pairs, days if test.op == ">" else days - 1)

    def named_amount(self) -> Term | None:
        """Read the table or column that is counted or compared; None where no such thing follows the number."""
        if self.peek(1).argument == "in" and self.peek(2).argument == MASS:  # "more than 20 items in stock"
            self.at += 2
        if self.peek().kind == "value" and self.peek(1).kind in ("table", "column"):  # "at least four unsold lots"
            self.value_test()
        self.flags_before()  # "at least two certified members"
        follow = self.peek()
        if follow.argument == MASS:
            return Term(self.slot(self.take(), self.about()), agg="sum")
        if follow.kind == "table":
            if self.peek(1).kind == "column":
                raise Stuck(self.peek(1))
            slot = self.slot(self.take(), self.about())
            self.out.mentions.append(slot)
            return Term(slot, rows=True)
        if follow.kind == "column" and is_numeric(follow) and not names_a_key(follow):
            return Term(self.slot(self.take(), self.about()))
        if follow.kind == "column" and not is_timely(follow.senses[0]):
            self.out.doubt += 0.1  # "more than 3 cities" counts the values of a column; a table of cities is likelier
            return Term(self.slot(self.take(), self.about()), agg="count", distinct=True)
        return None

    def unnamed_amount(self, test: Test, said: Mark | None, unit: Mark | None) -> Test:
        """Return the test of an amount behind which no thing is named, or raise `Stuck` (see `amounted`)."""
        follow, measure = self.peek(), unit.text if unit is not None else ""
        measured_by = measure in ASSUMED or (said is not None and said.text in SIZES)
        amount = None if measured_by or self.either else self.group_amount()
        if amount is not None and not (amount.rows and unit is not None):
            return replace(test, term=amount)  # "customers per country, at least 3"
        priced = said is not None and said.text in _PRICED
        if said is not None and unit is None and self.says_cost(said):
            if (worth := self.worth(said)) is None:
                raise Stuck(said)
            return replace(test, term=worth)
        if (spent := self.spending()) is not None:
            return replace(test, term=spent)
        if self.last is not None and self.marks[self.at - 1].kind == "number" and self.goes_on(said):
            return replace(test, term=self.last)
        if (measured := self.in_unit_of(unit)) is not None:
            if said is not None and said.text.startswith("older") and self.takes_time(measured):
                raise Stuck(said)  # "jobs older than 60 days" are none that took so long
            return replace(test, term=measured)
        if unit is not None and measure in _HEADS:
            return replace(test, term=Term(self.measured(replace(unit, measure=HOLDING))))
        if unit is not None and measure in ASSUMED:
            return replace(test, term=Term(self.measured(replace(unit, measure=LENGTH))))
        if priced and unit is None and test.op != "between" and self.says_age(self.peek(-1)):
            return self.of_age(test.op, self.peek(-1))
        people = paths_of(self.lexicon.persons()) & paths_of(self.out.senses_at(self.about()))
        if said is not None and priced and not (people and unit is None) and (worth := self.worth(said)):
            self.out.doubt += 0.2
            return replace(test, term=worth)
        if said is not None and said.text in SIZES:
            return replace(test, term=Term(self.measured(replace(said, measure=SIZES[said.text]))))
        raise Stuck(follow)

    def takes_time(self, term: Term) -> bool:
        """Return whether a term is a column that says how long something took, and no age."""
        columns = [c for s in self.out.senses_at(term.slot) for c in s.columns]
        return any(names_duration(c) and "age" not in full_stems(c.name) for c in columns)

    def says_cost(self, said: Mark) -> bool:
        """Return whether the comparison word `said` stands behind "cost", which no column is called."""
        before = next((m for m in reversed(self.marks) if m.end <= said.start and m.kind != "fill"), END)
        return before.kind == "link" and before.text in COSTS

    def group_amount(self) -> Term | None:
        """Return what the question asks for of each group, its one aggregate or number of rows; None without groups."""
        counted = [t for t in self.out.outputs if t.counts]
        plain = [t for t in self.out.outputs if not t.counts]
        if not counted and self.out.groups and [t.slot for t in plain] == [self.out.focus]:
            return Term(self.out.focus, rows=True)
        return counted[0] if len(counted) == 1 and (plain or self.out.groups) else None

    def often(self, mark: Mark) -> None:
        """Read how often something was done, "borrowed more than once", as a test of a number of rows.

        The rows are those of the thing spoken of last, else of the tables whose names say the last verb; where the
        thing is what it was done to, "borrowed a book more than twice", those of the verb.
        """
        number = self.take()
        self.accept("unit")
        if self.repeats():
            self.test(Test(Term(None, rows=True), mark.argument, (operand(number),)))
            return
        current = self.current if self.current != self.out.focus else None
        if current is not None and (done := self.done_to(self.out.slots[current], number)):
            current = self.slot(done)
        elif current is None or self.out.slots[current].senses[0].columns:
            verbs = [stem(m.text) for m in self.marks[: self.at] if m.kind == "link"]
            tables = {path for path, column in saying(self.lexicon.tables, verbs[-1]) if not column} if verbs else set()
            tables = tables or self.tested_elsewhere()
            rows = tuple(Sense(t) for t in self.lexicon.tables if t.path in tables)
            if not rows and verbs and verbs[-1] == _USE:  # "venues used more than 10 times"
                things = [s.table for s in self.out.senses_at(self.out.focus) if not s.columns]
                rows = uses_of(self.lexicon.tables, things)
            current = self.slot(replace(mark, senses=rows))
        if not self.out.slots[current].senses:
            raise Stuck(number)
        self.out.mentions.append(current)
        self.test(Test(Term(current, rows=True), mark.argument, (operand(number),)))

    def done_to(self, thing: Slot, number: Mark) -> Mark | None:
        """Return a mark for the rows of the last verb before `number`, where they are not those of `thing` itself.

        So in "readers who borrowed a book more than twice", whose loans are counted; None where there is no such verb,
        and where each thing is of one of those spoken of, "pupils who took an exam twice". Raise `Stuck` where it is
        otherwise the object of a verb that no table records.
        """
        subject = self.out.slots[self.out.focus] if self.out.focus is not None else None
        focus = subject.start if subject else 0
        verbs = (m for m in self.marks if focus < m.start < number.start and m.kind in ("link", "table"))
        verb = next((m for m in reversed(tuple(verbs)) if m.kind == "link" or names_an_act(m.text)), None)
        if verb is None or thing.senses[0].columns:
            return None
        done = verb.senses if verb.kind == "table" else tables_of_act(self.lexicon.tables, stem(verb.text))
        if paths_of(done) & paths_of(thing.senses):
            return None
        between = [m for m in self.marks if verb.end <= m.start < thing.start and m.kind not in ("fill", "all")]
        own = subject and any(refers(t.table, s.table) for t in thing.senses for s in subject.senses)
        if not done and not own and thing.start > verb.start and not between:
            raise Stuck(number)
        return replace(verb, kind="table", senses=done) if done else None

    def repeats(self) -> bool:
        """Group by the only column shown behind "titles that appear", whose values are counted; False for others."""
        said = next((stem(m.text) for m in reversed(self.marks[: self.at]) if m.kind in ("link", "fill")), "")
        shown = [t.slot for t in self.out.outputs if t.slot is not None and not t.counts]
        if said not in _APPEAR or len(shown) != 1 or not self.out.slots[shown[0]].senses[0].columns or self.out.groups:
            return False
        self.out.groups = [shown[0]]
        return True

    def tested_elsewhere(self) -> set[Path]:
        """Return the tables of the last tested value without those of the focus: "who cancelled at least twice"."""
        last = self.out.tests[-1] if self.out.tests else []
        about = paths_of(self.out.senses_at(self.out.focus))
        slots = [self.out.slots[t.term.slot] for t in last if t.op == "is" and t.term.slot is not None]
        return {s.table.path for slot in slots for s in slot.senses} - about

    def still_of(self, thing: Mark) -> None:
        """Raise `Stuck` where the column tested last is in no table that `thing` may be: "an inventory below 3".

        The comparison would be taken for one of that column, which is of another thing.
        """
        tested = self.out.senses_at(self.last.slot) if self.last else ()
        if not paths_of(thing.senses) & paths_of(tested):
            raise Stuck(thing)

    def worth(self, said: Mark) -> Term | None:
        """Return the price of the things just mentioned, "shirts under 30"; None unless exactly one column has it."""
        thing = self.about()
        tables = paths_of(self.out.senses_at(thing))
        priced = self.senses_of(replace(said, measure=MEASURES[("most", "expensive")][1]))
        mine = [s for s in priced if s.table.path in tables and is_number(s.column)]
        best = list({key_of(s): s for s in mine if s.score >= max(o.score for o in mine)}.values())
        plain = min((len(own_words(s.table, s.column)) for s in best), default=0)  # `amount` rather than `paid_amount`
        best = [s for s in best if len(own_words(s.table, s.column)) == plain] or list(self.only_amounts())
        totals = [s for s in best if stem("total") in full_stems(s.column.name)]
        best = totals if len(totals) == 1 else best  # `tot_amt` rather than `deposit_amt`
        return Term(self.slot(replace(said, senses=tuple(best)), thing, True)) if len(best) == 1 else None

    def goes_on(self, said: Mark | None) -> bool:
        """Return whether a comparison word may be of the column tested last: one that measures others is not.

        After "age above 5 or larger than 9" the "larger" is of a size, not of the age, and "unpaid over 100" is no test
        of the date whose lack was tested. `said` is the word's mark.
        """
        if any(test.op == "null" and test.term == self.last for tests in self.out.tests[-1:] for test in tests):
            return False
        if self.last is not None and self.last.slot is not None and not self.last.counts:
            last = [s for s in self.out.slots[self.last.slot].senses if s.columns]
            if not any((is_number(s.column) and not self.lexicon.truth(s)) or is_timely(s) for s in last):
                return False
        if said is None or said.text not in SIZES or self.last is None or self.last.slot is None:
            return True
        measured = {key_of(s) for s in self.senses_of(replace(said, measure=SIZES[said.text]))}
        return not measured or bool(measured & {key_of(s) for s in self.out.slots[self.last.slot].senses if s.columns})

    def spending(self) -> Term | None:
        """Return the term for what each thing spent altogether, if the amount just read is so: "who spent over 45"."""
        skipped = ("number", "unit", "comp", "between", "and", "fill")
        verb = next((m for m in reversed(self.marks[: self.at]) if m.kind not in skipped), END)
        return self.sum_spent(verb)
