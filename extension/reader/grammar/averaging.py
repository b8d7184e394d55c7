"""Read comparisons with the average of all things: "more orders than average", "spent more than the average guest"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import CLAUSE_ENDS, Stuck
from askwhere.reader.grammar.dating import Dating
from askwhere.reader.grammar.draft import Nested, Term, Test
from askwhere.reader.marking.marks import Mark, is_amount
from askwhere.reader.marking.revenue import SPENDING, sums_of
from askwhere.reader.schema.senses import paths_of
from askwhere.reader.words.tokens import stem


class Averaging(Dating):
    """The part of the grammar that reads comparisons with an average over all things of the same kind."""

    def more_than_average(self) -> None:
        """Read "more orders than average": a number of rows, or a column of the thing spoken of."""
        mark = self.take()
        self.skip("fill", "distinct")
        said, thing = self.peek(), self.about()
        if thing is None or said.kind not in ("table", "column"):
            raise Stuck(mark)
        term = self.counted_of(thing) if said.kind == "table" else self.held_by(thing)
        if not self.accept("than"):
            raise Stuck(mark)
        self.test(Test(term, mark.argument, (self.than_average(term),)))

    def counted_of(self, thing: int) -> Term:
        """Return the term for the number of rows, of the table that comes next, which each thing has."""
        slot = self.slot(self.take(), thing)
        self.out.mentions.append(slot)
        return Term(slot, rows=True)

    def held_by(self, thing: int) -> Term:
        """Return the term for the column of amounts that comes next, of the thing's own table. Raise `Stuck`."""
        said = self.take()
        own = paths_of(self.out.slots[thing].senses)
        senses = tuple(s for s in said.senses if s.table.path in own)
        if not senses or not is_amount(replace(said, senses=senses)):
            raise Stuck(said)
        return Term(self.slot(replace(said, senses=senses), thing, True))

    def than_average(self, term: Term) -> Nested:
        """Read "average", "the average customer", and return it as what `term` is compared with.

        Raise `Stuck` where the average is of another thing than the one spoken of.
        """
        if self.agg_names() != ["avg"]:
            raise Stuck(self.peek())
        self.skip("fill")
        self.same_thing()
        if self.peek().kind not in CLAUSE_ENDS:
            raise Stuck(self.peek())
        return Nested("avg", term)

    def same_thing(self) -> None:
        """Read the thing behind "the average", which may be left out. Raise `Stuck` if it is not the one spoken of."""
        if (said := self.accept("table")) is not None:
            own = paths_of(self.out.senses_at(self.about()))
            if not own & paths_of(said.senses):
                raise Stuck(said)

    def sum_spent(self, verb: Mark) -> Term | None:
        """Return the term for what each thing spent altogether, if `verb` says that it spent or paid, else None."""
        spends = verb.kind == "link" and stem(verb.text) in SPENDING and self.about() is not None
        sums = sums_of(self.lexicon) if spends else ()
        return self.money(replace(verb, senses=sums)) if sums else None
