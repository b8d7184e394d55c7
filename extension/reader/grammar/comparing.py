"""Read comparisons of a column named before: "above 5 and below 9", "between 1 and 3", "starting with A"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import END, Stuck
from askwhere.reader.grammar.dating import by_days
from askwhere.reader.grammar.draft import Nested, Term, Test
from askwhere.reader.grammar.operands import Operands
from askwhere.reader.marking.marks import (
    Mark,
    is_numeric,
    operator_of,
)
from askwhere.reader.schema.naming import key_columns, limited_by, name_columns
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.measures import SIZES

# Said of things and not of texts, these ask what the things hold: "playlists that contain jazz".
_HOLDING = frozenset("contain contains containing include includes including like".split())


class Comparing(Operands):
    """The part of the grammar that reads comparisons and adds them to the draft as tests."""

    def comparison(self, term: Term) -> None:
        """Read what follows the column of a test: "more than 5", "between 1 and 3", "starting with 'a'".

        A second comparison of the same column is read, too: "above 5 and below 9".
        """
        mark = self.take()
        self.skip("be") if mark.kind == "like" else self.skip("fill", "be")
        if mark.kind == "between":
            self.between(term)
        elif mark.kind == "like":
            self.like(term, mark.argument)
        elif self.peek().kind == "days":
            self.test(by_days(term, operator_of(mark), self.take()))
        else:
            self.test(Test(term, operator_of(mark), (self.compared_with(term),)))
            if self.compares_again():
                self.either = self.take().kind == "or"
                self.skip("fill", "be")
                self.comparison(term)

    def between(self, term: Term) -> None:
        """Read "1 and 3" or "1 to 3" behind "between", and add the test."""
        low = self.amount()
        self.skip("fill")
        if not self.accept("and") and self.peek().text != "to":
            raise Stuck(self.peek())
        if self.peek().text == "to":
            self.take()
        self.skip("fill")
        self.test(Test(term, "between", (low, self.amount())))

    def compares_again(self) -> bool:
        """Return whether "and" or "or" is followed by another comparison of the same column."""
        comparison = self.after("and", "or", "fill", "be")
        return (
            self.peek().kind in ("and", "or")
            and comparison.text not in SIZES
            and comparison.kind in ("comp", "when")
            and self.after("and", "or", "fill", "be", "comp", "when").kind == "number"
            and not self.counts_next()
        )

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

    def measured_test(self) -> None:
        """Read a comparison by an adjective, which says the column as well: "older than 30"."""
        mark = self.take()
        if self.aged_so(mark):
            return
        term = Term(self.measured(mark))
        self.skip("fill")
        self.test(Test(term, ">" if mark.argument == "max" else "<", (self.compared_with(term),)))
        self.unit()

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
