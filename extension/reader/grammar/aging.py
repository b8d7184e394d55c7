"""Read comparisons of age: "older than 30", "under 30 years old", "newer than 30 days"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.averaging import Averaging
from askwhere.reader.grammar.cursor import Stuck
from askwhere.reader.grammar.dating import by_age
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.marking.marks import Mark, looks_like_year, operand, operator_of
from askwhere.reader.schema.naming import events
from askwhere.reader.words.dates import DATE_UNITS
from askwhere.reader.words.measures import MEASURES, SERVICE
from askwhere.reader.words.types import is_dated

OLD = ("years old", "year old", "years of age")


class Aging(Averaging):
    """The part of the grammar that tests how old people and things are, by an age or by when they began."""

    def of_age(self, operator: str, amount: Mark) -> Test:
        """Return the test of an age, of people by when they were born, of things by when they began. Raise `Stuck`."""
        mark = replace(amount, measure=MEASURES[("oldest",)][1])
        if (born := self.born_in(mark)) is not None:
            return by_age(Term(born), operator, amount)
        if not self.senses_of(mark) and (beginnings := self.born(mark)):  # "pianos over 100 years old"
            return by_age(Term(self.slot(replace(mark, senses=beginnings), self.about(), True)), operator, amount)
        return Test(Term(self.measured(mark)), operator, (operand(amount),))

    def says_age(self, amount: Mark) -> bool:
        """Return whether a bare number is an age: "members under 30", where people have an age or a date of birth."""
        tables = {s.table.path for s in self.out.senses_at(self.about()) if not s.columns}
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
        """Read "older than 30", "older than 10 years", "newer than 2015" of what has a beginning and no age.

        And "employed longer than 5 years" of people. Return False for other words and things.
        """
        amount = self.after("fill")
        served = mark.measure is not None and mark.measure.words == SERVICE
        beginnings = self.out.slots[self.measured(mark)].senses if served else self.born(mark)
        if amount.kind != "number" or not beginnings:
            return False
        self.skip("fill")
        self.take()
        by = DATE_UNITS.get(self.peek().text.partition(" ")[0])  # a column may be called years, too
        if by is None and self.peek().kind in ("unit", "elapsed"):
            raise Stuck(amount)
        self.at += by is not None
        slot = self.slot(replace(mark, senses=beginnings), self.about(), True)
        if by is None and looks_like_year(amount):
            self.test(Test(Term(slot), "<" if operator_of(mark) == ">" else ">", (operand(amount),)))
            return True
        self.test(by_age(Term(slot), operator_of(mark), amount, by or "year"))
        return True
