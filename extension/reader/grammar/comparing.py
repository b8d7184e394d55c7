"""Read comparisons: "more than 5", "between 1 and 3", "after 2010", "longer than average", "starting with A"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.averaging import Averaging
from askwhere.reader.grammar.cursor import END, Stuck
from askwhere.reader.grammar.dating import by_age, by_days
from askwhere.reader.grammar.draft import Nested, Operand, Term, Test
from askwhere.reader.marking.business import MASS
from askwhere.reader.marking.marks import (
    Mark,
    in_unit,
    is_numeric,
    is_timely,
    key_of,
    looks_like_year,
    names_a_key,
    operand,
    operator_of,
)
from askwhere.reader.schema.joins import Path
from askwhere.reader.schema.lexicon import Sense
from askwhere.reader.schema.naming import events, key_columns, limited_by, name_columns, own_words
from askwhere.reader.schema.roles import is_second
from askwhere.reader.words.dates import DATE_UNITS
from askwhere.reader.words.measures import HOLDING, LENGTH, MEASURES, SIZES
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_dated, is_number
from askwhere.reader.words.units import ASSUMED, UNITS, UNNAMED_UNITS, Quantity, measures
from askwhere.reader.words.verbs import saying

# Said of things and not of texts, these ask what the things hold: "playlists that contain jazz".
_HOLDING = frozenset("contain contains containing include includes including like".split())
_HEADS = ("people", "inhabitants")  # "venues for more than 150 people"
_PRICED = ("under", "over", "above", "below", "up to", "less than", "more than", "at least", "at most")
OLD = ("years old", "year old", "years of age")


class Comparing(Averaging):
    """The part of the grammar that reads comparisons and adds them to the draft as tests."""

    def comparison(self, term: Term) -> None:
        """Read what follows the column of a test: "more than 5", "between 1 and 3", "starting with 'a'".

        A second comparison of the same column is read, too: "above 5 and below 9".
        """
        mark = self.take()
        self.skip("be") if mark.kind == "like" else self.skip("fill", "be")
        if mark.kind == "between":
            low = self.amount()
            self.skip("fill")
            if not self.accept("and") and self.peek().text != "to":
                raise Stuck(self.peek())
            if self.peek().text == "to":
                self.take()
            self.skip("fill")
            self.test(Test(term, "between", (low, self.amount())))
            return
        if mark.kind == "like":
            self.like(term, mark.argument)
            return
        if self.peek().kind == "days":
            self.test(by_days(term, operator_of(mark), self.take()))
            return
        self.test(Test(term, operator_of(mark), (self.compared_with(term),)))
        if (
            self.peek().kind in ("and", "or")
            and self.after("and", "or", "fill", "be").text not in SIZES
            and self.after("and", "or", "fill", "be").kind in ("comp", "when")
            and self.after("and", "or", "fill", "be", "comp", "when").kind == "number"
            and not self.counts_next()
        ):
            self.either = self.take().kind == "or"
            self.skip("fill", "be")
            self.comparison(term)

    def tested(self, term: Term) -> bool:
        """Read the comparison that may follow a term ("is above 5"); return whether there is one."""
        self.skip("be", "fill")
        if self.peek().kind not in ("comp", "between"):
            return False
        self.comparison(term)
        return True

    def counts_next(self) -> bool:
        """Return whether a comparison after "and" or "or" names what it counts behind its number: "and over 3 pets"."""
        return self.after("and", "or", "fill", "be", "comp", "when", "number").kind in ("column", "table")

    def compared_with(self, term: Term) -> Operand:
        """Read and return what a column is compared with: a number or text, an aggregate, or another column."""
        self.skip("fill", "prep") if self.peek().kind == "prep" and self.peek().argument == "of" else None
        self.skip("their", "fill") if self.after("their", "fill").kind == "column" else None
        mark = self.peek()
        if mark.kind in ("number", "value"):
            return self.amount()
        if mark.kind in ("average", "agg", "sup", "all"):
            return self.nested(term)
        if mark.kind in ("their", "fill", "table") and (over := self.of_those_over(term)):
            return over
        if mark.kind == "column" and term.slot is not None and not term.counts:
            return Term(self.slot(self.take(), self.out.slots[term.slot].owner))
        raise Stuck(mark)

    def of_those_over(self, term: Term) -> Term | None:
        """Read "their manager", "their manager's salary": the compared column of the one over each, or None.

        Raises `Stuck` where another column of theirs is named.
        """
        start = self.at
        self.skip("their", "fill")
        mark = self.peek()
        over = [s.table for s in mark.senses if is_second(s.table)] if mark.kind == "table" else []
        if not over or term.slot is None or term.counts:
            self.at = start
            return None
        self.take()
        said = self.take() if self.accept("own") else None
        mine = self.out.slots[term.slot]
        own = [s for s in mine.senses if len(s.columns) == 1 and any(s.table.path == t.path[:-1] for t in over)]
        own = [s for s in own if said is None or s.column in [c for other in said.senses for c in other.columns]]
        senses = tuple(replace(s, table=t) for s in own for t in over if s.table.path == t.path[:-1])
        if not senses:
            raise Stuck(mark)
        self.out.slots[term.slot] = replace(mine, senses=tuple(own))
        return Term(self.slot(replace(mark, kind="column", senses=senses)))

    def nested(self, term: Term) -> Nested:
        """Read an aggregate that a column is compared with: "the average", "the average price of books".

        It is always of the compared column itself; `Stuck` is raised where another column is named.
        """
        if term.slot is None or term.counts:
            raise Stuck(self.peek())
        name = self.agg_names()[:1]
        if not name:
            raise Stuck(self.peek())
        self.skip("fill", "prep") if self.after("fill", "prep").kind == "column" else None
        inner = term
        self.same_thing() if name == ["avg"] else None
        if self.peek().kind == "column":
            said = self.take()
            mine = self.out.slots[term.slot].senses
            same = tuple(s for s in said.senses if any(s.columns == m.columns and s.table is m.table for m in mine))
            if not same:
                raise Stuck(said)
            self.out.slots[term.slot] = replace(self.out.slots[term.slot], senses=same)
        tests: tuple[Test, ...] = ()
        among = self.own_group()
        if among is None and self.peek().kind == "prep" and self.after("prep", "fill", "all").kind == "table":
            self.skip("prep", "fill", "all")
            thing = self.slot(self.take())
            tests = self.tests_within(thing) if self.peek().kind in ("prep", "rel") else ()
            among = self.own_group() if not tests else None
        if self.peek().kind not in ("end", "stop", "and", "comma", "order", "direction"):
            raise Stuck(self.peek())
        return Nested(name[0], inner, tests, among)

    def own_group(self) -> int | None:
        """Read "of their own category", "with the same job", and return the slot of what is shared; None for others."""
        start = self.at
        self.skip("prep", "rel", "have")
        self.skip("fill")
        theirs = self.peek().kind in ("their", "same")
        self.at += theirs
        self.skip("fill", "their")
        if not theirs or self.peek().kind not in ("table", "column"):
            self.at = start
            return None
        return self.slot(self.take(), self.out.focus)

    def tests_within(self, thing: int) -> tuple[Test, ...]:
        """Read the tests of the rows that an aggregate is taken over: "the average salary of employees in Sales".

        `thing` is the slot of those rows. Raises `Stuck` where no test follows.
        """
        outer, self.current = self.current, thing
        spoken = len(self.out.mentions)
        tests = self.inner_tests(mentions=True)
        del self.out.mentions[spoken:]
        self.current = outer
        if not tests:
            raise Stuck(self.peek())
        return tests

    def above_average(self, mark: Mark) -> None:
        """Read the rest of "taller than average", "with a greater than average budget".

        `mark` is the comparison, which is read already. The column is the one named behind "average", else the one
        that the comparison measures.
        """
        before = next(
            (m for m in reversed(self.marks[: self.at]) if m is not mark and m.kind not in ("fill", "be")), END
        )
        if before.kind == "column":
            raise Stuck(mark)  # that column may be meant, and no rule here compares it
        if (term := self.sum_spent(before)) is not None:
            self.test(Test(term, mark.argument, (self.than_average(term),)))
        elif self.after("average", "agg", "fill", "count").kind == "column":
            name = self.agg_names()[0]
            self.skip("fill")
            amount = bool(self.accept("count"))
            said = self.take()
            if amount and not is_numeric(said):
                raise Stuck(said)
            term = Term(self.slot(said, self.about()))
            self.test(Test(term, mark.argument, (Nested(name, term),)))
        elif mark.text in SIZES:
            term = Term(self.measured(replace(mark, measure=SIZES[mark.text])))
            self.test(Test(term, mark.argument, (self.compared_with(term),)))
        else:
            raise Stuck(self.peek())

    def often(self, mark: Mark) -> None:
        """Read how often something was done, "borrowed more than once", as a test of a number of rows.

        The rows are those of the thing spoken of last, else of the tables whose names say the last verb.
        """
        number = self.take()
        self.accept("unit")
        current = self.current if self.current != self.out.focus else None
        if current is None or self.out.slots[current].senses[0].columns:
            verbs = [stem(m.text) for m in self.marks[: self.at] if m.kind == "link"]
            tables = {path for path, column in saying(self.lexicon.tables, verbs[-1]) if not column} if verbs else set()
            tables = tables or self.tested_elsewhere()
            current = self.slot(replace(mark, senses=tuple(Sense(t) for t in self.lexicon.tables if t.path in tables)))
        if not self.out.slots[current].senses:
            raise Stuck(number)
        self.out.mentions.append(current)
        self.test(Test(Term(current, rows=True), mark.argument, (operand(number),)))

    def tested_elsewhere(self) -> set[Path]:
        """Return the tables of a value that was said just before of another thing: "who cancelled at least twice"."""
        last = self.out.tests[-1] if self.out.tests else []
        about = {s.table.path for s in self.out.slots[self.out.focus].senses} if self.out.focus is not None else set()
        slots = [self.out.slots[t.term.slot] for t in last if t.op == "is" and t.term.slot is not None]
        return {s.table.path for slot in slots for s in slot.senses} - about

    def amount(self) -> str | int | float | Quantity:
        """Read and return a number, with its unit if it has one, a date or a quoted text; raises `Stuck` for others."""
        mark = self.accept("number", "value")
        if mark is None:
            raise Stuck(self.peek())
        unit = self.unit()
        if mark.kind == "value" and mark.argument not in ("quoted", "date", "number"):
            raise Stuck(mark)
        return in_unit(mark, unit)

    def unit(self) -> Mark | None:
        """Read and return the unit behind an amount, None without one.

        Raises `Stuck` where no column says that it is in this unit or in one that it can be converted to.
        """
        unit = self.accept("unit")
        known = unit is None or unit.text not in UNITS or unit.text in UNNAMED_UNITS or unit.text in ASSUMED
        if unit and not known and not measures(self.lexicon.tables, unit.text):
            raise Stuck(unit)  # "longer than 3 hours", where the column may be in minutes
        return unit

    def in_unit_of(self, unit: Mark | None) -> Term | None:
        """Return the term for the only column of the thing spoken of in such a unit: "tracks over 3 minutes"."""
        thing = self.about()
        if unit is None or thing is None:
            return None
        tables = {s.table.path: s for s in self.out.slots[thing].senses if not s.columns}
        found = [
            Sense(table, (column,), tables[table.path].score)
            for table, column in measures(self.lexicon.tables, unit.text)
            if table.path in tables
        ]
        is_clear = len({s.table.path for s in found}) == len(found) > 0
        return Term(self.slot(replace(unit, kind="column", senses=tuple(found)), thing, True)) if is_clear else None

    def like(self, term: Term, where: str) -> None:
        """Read the text of a pattern and test the term for it: "containing 'x'", "that start with S".

        `where` says where the text must stand: 'start', 'end' or 'in'.
        """
        while self.peek().kind in ("fill", "either") and len(self.peek().text) > 1:
            self.take()
        mark = self.peek()
        self.at += 1
        text = mark.text
        if mark.kind == "number" or mark.kind == "value" or (mark.end == mark.start + 1 and len(text) <= 2):
            pattern = {"start": f"{text}%", "end": f"%{text}", "in": f"%{text}%"}[where]
            self.test(Test(term, "like", (pattern,)))
            return
        raise Stuck(mark)

    def liked(self) -> None:
        """Read a pattern that has no column before it: "artists starting with A".

        It tests the name of the thing just before it, else the only column shown, else the column tested last.
        """
        before = next((m for m in reversed(self.marks[: self.at]) if m.kind not in ("fill", "rel", "be", "have")), END)
        if before.kind == "table" and (thing := self.about()) is not None:
            if self.peek().text.removeprefix("that ") in _HOLDING and self.peek(1).argument != "quoted":
                raise Stuck(self.peek())  # "playlists that contain jazz" asks for what they hold, not for their name
            self.comparison(Term(self.name_of(thing, before)))
            return
        if self.last is None and len(self.out.outputs) == 1 and not self.out.outputs[0].counts:
            self.comparison(self.out.outputs[0])
            return
        if self.last is None or self.last.counts or self.marks[self.at - 1].kind not in ("and", "or"):
            raise Stuck(self.peek())
        self.comparison(self.last)

    def name_of(self, thing: int, mark: Mark) -> int:
        """Return a new slot for the column that names the rows of slot `thing`; `mark` is the thing's mark.

        Raises `Stuck` where no table has one such column, other than its key.
        """
        senses = tuple(
            replace(s, columns=columns)
            for s in self.out.slots[thing].senses
            if not s.columns and key_columns(s.table) != name_columns(s.table)
            for columns in [name_columns(s.table)]
            if len(columns) == 1
        )
        if not senses:
            raise Stuck(mark)
        return self.slot(replace(mark, senses=senses), thing, True)

    def compared(self) -> None:
        """Read a test that begins with its comparison: "more than 3 pets", "at least 20 points", "above age 20"."""
        mark = self.take()
        before = next((m for m in reversed(self.marks[: self.at - 1]) if m.kind not in ("fill", "be", "prep")), END)
        self.skip("fill", "link") if mark.text == "only" else self.skip("fill")
        if mark.text == "only" and self.negated:
            raise Stuck(mark)
        if self.peek().kind in ("average", "agg"):
            self.above_average(mark)
            return
        if self.peek().kind == "often" or (self.peek().kind == "number" and self.peek(1).text in ("times", "time")):
            self.often(mark)
            return
        if self.limited(mark):
            return
        if self.peek().kind == "column" and self.peek(1).kind == "number" and is_numeric(self.peek()):
            term = Term(self.slot(self.take(), self.about()))  # "above age 20"
            self.test(Test(term, operator_of(mark), (self.amount(),)))
            return
        if self.peek().kind != "number":
            if self.peek().kind == "value" and mark.argument == "!=":
                self.negated = True
                self.value_test()
                return
            raise Stuck(self.peek())
        amount = self.in_days_of(self.take())
        if self.peek().kind in ("and", "but") and self.peek(1).kind == "comp" and self.peek(2).kind == "number":
            self.range_of(mark, amount)
            return
        unit = self.unit()
        if unit and unit.text in OLD:
            self.test(self.of_age(mark.argument, amount))
            return
        self.skip("fill", "distinct", "their")
        if self.peek().kind == "prep" and self.peek().argument == "of":
            self.take()
        if (
            self.last
            and before.kind == "table"
            and mark.text not in SIZES
            and self.peek().kind not in ("table", "column")
        ):
            self.still_of(before)
        self.amounted(Test(Term(None), mark.argument, (in_unit(amount, unit),)), mark, unit)

    def in_days_of(self, amount: Mark) -> Mark:
        """Return the amount of days that "2 weeks" are, with the mark of the days behind it; other amounts as they are.

        Weeks that a column is in are left as they are.
        """
        unit = self.peek()
        if unit.text not in ("week", "weeks") or amount.number is None or measures(self.lexicon.tables, unit.text):
            return amount
        days = replace(unit, kind="elapsed", text="days", argument="")
        self.marks = (*self.marks[: self.at], days, *self.marks[self.at + 1 :])
        return replace(amount, number=7 * amount.number)

    def limited(self, mark: Mark) -> bool:
        """Read "below their reorder level": a test of what the column is a limit of, the stock (see `limited_by`).

        Returns False where no such column follows the comparison `mark`.
        """
        limit = self.after("fill", "their")
        if limit.kind != "column" or not is_numeric(limit) or self.about() is None:
            return False
        senses = tuple(
            Sense(s.table, (column,), s.score)
            for s in limit.senses
            if len(s.columns) == 1
            for column in limited_by(s.table, s.column)
        )
        if not senses:
            return False
        self.skip("fill", "their")
        limits = {s.table.path for s in senses}
        own = tuple(s for s in self.take().senses if s.table.path in limits)
        left = self.slot(replace(limit, senses=senses), self.about())
        right = self.slot(replace(limit, senses=own), left, True)
        self.test(Test(Term(left), mark.argument, (Term(right),)))
        return True

    def still_of(self, thing: Mark) -> None:
        """Raise `Stuck` where the column tested last is in no table that `thing` may be: "an inventory below 3".

        The comparison would be taken for one of that column, which is of another thing.
        """
        tested = self.out.slots[self.last.slot].senses if self.last and self.last.slot is not None else ()
        if not {s.table.path for s in thing.senses} & {s.table.path for s in tested}:
            raise Stuck(thing)

    def worth(self, said: Mark) -> Term | None:
        """Return the term for what the things spoken of cost: "shirts under 30"; None without one column for that."""
        thing = self.about()
        tables = {s.table.path for s in self.out.slots[thing].senses} if thing is not None else set()
        priced = self.senses_of(replace(said, measure=MEASURES[("most", "expensive")][1]))
        mine = [s for s in priced if s.table.path in tables and is_number(s.column)]
        best = list({key_of(s): s for s in mine if s.score >= max(o.score for o in mine)}.values())
        plain = min((len(own_words(s.table, s.column)) for s in best), default=0)  # `amount` rather than `paid_amount`
        best = [s for s in best if len(own_words(s.table, s.column)) == plain] or list(self.only_amounts())
        return Term(self.slot(replace(said, senses=tuple(best)), thing, True)) if len(best) == 1 else None

    def goes_on(self, said: Mark | None) -> bool:
        """Return whether a comparison word may be of the column tested last: one that measures others is not.

        After "age above 5 or larger than 9" the "larger" is of a size, not of the age. `said` is the word's mark.
        """
        if self.last is not None and self.last.slot is not None and not self.last.counts:
            last = [s for s in self.out.slots[self.last.slot].senses if s.columns]
            if not any((is_number(s.column) and not self.lexicon.truth(s)) or is_timely(s) for s in last):
                return False
        if said is None or said.text not in SIZES or self.last is None or self.last.slot is None:
            return True
        measured = {key_of(s) for s in self.senses_of(replace(said, measure=SIZES[said.text]))}
        return not measured or bool(measured & {key_of(s) for s in self.out.slots[self.last.slot].senses if s.columns})

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

    def amounted(self, test: Test, said: Mark | None = None, unit: Mark | None = None) -> None:
        """Read what a comparison is of from behind its number, "more than 3 pets", and add the test.

        `test` is complete but for its term. A table is counted, a column compared; where neither follows, the column
        tested last is taken, the one that is in such a `unit`, or the one that the comparison word `said` measures.
        """
        follow = self.peek()
        if follow.kind == "elapsed":
            self.days_apart(test)
            return
        if follow.kind == "extent":
            self.test(replace(test, term=self.in_unit_of(unit) or Term(self.measured(follow))))
            self.at += 1
            return
        if self.peek(1).argument == "in" and self.peek(2).argument == MASS:  # "more than 20 items in stock"
            self.at += 2
            follow = self.peek()
        if follow.kind == "value" and self.peek(1).kind in ("table", "column"):  # "at least four unsold lots"
            self.value_test()
            follow = self.peek()
        if self.flags_before():  # "at least two certified members"
            follow = self.peek()
        if follow.argument == MASS:
            self.test(replace(test, term=Term(self.slot(self.take(), self.about()), agg="sum")))
        elif follow.kind == "table":
            if self.peek(1).kind == "column":
                raise Stuck(self.peek(1))
            slot = self.slot(self.take(), self.about())
            self.out.mentions.append(slot)
            self.test(replace(test, term=Term(slot, rows=True)))
        elif follow.kind == "column" and is_numeric(follow) and not names_a_key(follow):
            self.test(replace(test, term=Term(self.slot(self.take(), self.about()))))
        elif follow.kind == "column" and not is_timely(follow.senses[0]):
            self.out.doubt += 0.1  # "more than 3 cities" counts the values of a column; a table of cities is likelier
            self.test(replace(test, term=Term(self.slot(self.take(), self.about()), agg="count", distinct=True)))
        elif (spent := self.spending()) is not None:
            self.test(replace(test, term=spent))
        elif self.last is not None and self.marks[self.at - 1].kind == "number" and self.goes_on(said):
            self.test(replace(test, term=self.last))
        elif (measured := self.in_unit_of(unit)) is not None:
            self.test(replace(test, term=measured))
        elif unit is not None and unit.text in _HEADS:
            self.test(replace(test, term=Term(self.measured(replace(unit, measure=HOLDING)))))
        elif unit is not None and unit.text in ASSUMED:
            self.test(replace(test, term=Term(self.measured(replace(unit, measure=LENGTH)))))
        elif said is not None and said.text in _PRICED and unit is None and self.says_age(self.peek(-1)):
            self.test(self.of_age(test.op, self.peek(-1)))
        elif said is not None and said.text in _PRICED and (worth := self.worth(said)):
            self.out.doubt += 0.2
            self.test(replace(test, term=worth))
        elif said is not None and said.text in SIZES:
            self.test(replace(test, term=Term(self.measured(replace(said, measure=SIZES[said.text])))))
        else:
            raise Stuck(follow)

    def of_age(self, operator: str, amount: Mark) -> Test:
        """Return the test of the age of people, by their age or else by when they were born. Raises `Stuck`."""
        mark = replace(amount, measure=MEASURES[("oldest",)][1])
        if (born := self.born_in(mark)) is not None:
            return by_age(Term(born), operator, amount)
        return Test(Term(self.measured(mark)), operator, (operand(amount),))

    def says_age(self, amount: Mark) -> bool:
        """Return whether a bare number is an age: "members under 30", where people have an age or a date of birth."""
        thing = self.about()
        tables = {s.table.path for s in self.out.slots[thing].senses if not s.columns} if thing is not None else set()
        if not isinstance(amount.number, int) or not 0 < amount.number <= 120:
            return False
        mark = replace(amount, measure=MEASURES[("oldest",)][1])
        own = [s for s in self.senses_of(mark) if s.table.path in tables and s.score >= 0.85]
        return bool(own) or self.born_in(mark) is not None

    def born_in(self, mark: Mark) -> int | None:
        """Return a slot for the dates at which people were born, where "older than" says nothing else of them."""
        births = tuple(s for s in self.born(mark) if is_dated(s.column) and s.column not in events(s.table))
        return self.slot(replace(mark, senses=births), self.about(), True) if births else None

    def aged_so(self, mark: Mark) -> bool:
        """Read "older than 30", "older than 10 years", "newer than 30 days" of what has a beginning and no age.

        Returns False for other words and things, and where the number is a year.
        """
        amount = self.after("fill")
        if amount.kind != "number" or looks_like_year(amount) or not (beginnings := self.born(mark)):
            return False
        self.skip("fill")
        self.take()
        by = DATE_UNITS.get(self.peek().text.partition(" ")[0])  # a column may be called years, too
        if by is None and self.peek().kind in ("unit", "elapsed"):
            raise Stuck(amount)
        self.at += by is not None
        slot = self.slot(replace(mark, senses=beginnings), self.about(), True)
        self.test(by_age(Term(slot), operator_of(mark), amount, by or "year"))
        return True

    def spending(self) -> Term | None:
        """Return the term for what each thing spent altogether, if the amount just read is so: "who spent over 45"."""
        skipped = ("number", "unit", "comp", "between", "and", "fill")
        verb = next((m for m in reversed(self.marks[: self.at]) if m.kind not in skipped), END)
        return self.sum_spent(verb)

    def between_amounts(self) -> None:
        """Read "between 3 and 5 books", where what is compared is named behind both numbers."""
        self.take()
        self.skip("fill")
        low = self.amount()
        if self.peek().kind != "and" and self.peek().text != "to":
            raise Stuck(self.peek())
        self.take()
        high = self.amount()
        unit = self.peek(-1) if self.peek(-1).kind == "unit" else None
        if unit and isinstance(high, Quantity) and isinstance(low, (int, float)):
            low = Quantity(low, high.unit)
        self.amounted(Test(Term(None), "between", (low, high)), None, unit)

    def measured_test(self) -> None:
        """Read a comparison by an adjective, which says the column as well: "older than 30"."""
        mark = self.take()
        if self.aged_so(mark):
            return
        term = Term(self.measured(mark))
        self.skip("fill")
        self.test(Test(term, ">" if mark.argument == "max" else "<", (self.compared_with(term),)))
        self.unit()
