"""Read what a column is compared with: an amount, an aggregate such as "the average", or another column."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import CLAUSE_ENDS, Stuck
from askwhere.reader.grammar.draft import Nested, Operand, Term, Test
from askwhere.reader.grammar.quantities import Quantities
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.roles import is_second
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.tokens import is_singular
from askwhere.reader.words.types import is_number


class Operands(Quantities):
    """The part of the grammar that reads the operand of a comparison, behind "more than"."""

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
        owned = mark.kind == "table" and [self.peek(i).kind for i in (1, 2)] == ["own", "column"]
        if owned and not term.counts:  # "the unit's rate"
            owner = self.thing(self.take())
            self.skip("own")
            return Term(self.slot(self.take(), owner, True))
        if mark.kind == "column" and term.slot is not None and not term.counts:
            return Term(self.slot(self.take(), self.out.slots[term.slot].owner))
        if mark.kind == "column" and (own := self.of_the_thing(mark)):
            self.take()
            return Term(self.slot(replace(mark, senses=own), self.out.focus, True))
        raise Stuck(mark)

    def of_the_thing(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the senses of a column's mark that are numbers of the thing asked for, with which a sum is compared.

        So in "projects whose total hours are more than their budget".
        """
        things = self.out.slots[self.out.focus].senses if self.out.focus is not None else ()
        tables = [s.table for s in things if not s.columns]
        return tuple(s for s in mark.senses if s.table in tables and len(s.columns) == 1 and is_number(s.column))

    def of_those_over(self, term: Term) -> Term | None:
        """Read "their manager", "their manager's salary": the compared column of the one over each, or None.

        Raise `Stuck` where another column of theirs is named.
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
        if among is None and name == ["avg"] and self.peek().kind == "value" and is_singular(self.peek().text):
            owner = self.out.slots[term.slot].owner
            tests = (Test(Term(self.slot(self.take(), owner)), "is"),)  # "heavier than the average dog"
        elif among is None and self.peek().kind == "prep" and self.after("prep", "fill", "all").kind == "table":
            self.skip("prep", "fill", "all")
            thing = self.slot(self.take())
            tests = self.tests_within(thing) if self.peek().kind in ("prep", "rel") else ()
            among = self.own_group() if not tests else None
        if self.peek().kind not in CLAUSE_ENDS:
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

        `thing` is the slot of those rows. Raise `Stuck` where no test follows.
        """
        outer, self.current = self.current, thing
        spoken = len(self.out.mentions)
        tests = self.inner_tests(mentions=True)
        del self.out.mentions[spoken:]
        self.current = outer
        if not tests:
            raise Stuck(self.peek())
        return tests
