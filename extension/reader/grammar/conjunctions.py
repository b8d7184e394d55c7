"""Read conditions that are joined: "both … and", "or", and those within something that is denied or averaged."""

from __future__ import annotations

from askwhere.reader.grammar.cursor import CLAUSE_ENDS, Stuck
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.negating import Negating
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.senses import paths_of


class Conjunctions(Negating):
    """The part of the grammar that reads several conditions that belong together."""

    def inner_tests(self, mentions: bool = False) -> tuple[Test, ...]:
        """Read and return tests up to the next "and", "or" or comma, without adding them to the draft.

        Raise `Stuck` where anything else than tests is read; joins are allowed if `mentions` is set.
        """
        out = self.out
        kept, out.tests = out.tests, []
        before = (len(out.outputs), len(out.order), len(out.groups), len(out.both), len(out.mentions), out.limit)
        end = next(
            (i for i in range(self.at, len(self.marks)) if self.marks[i].kind in (*CLAUSE_ENDS, "or")), len(self.marks)
        )
        self.modifiers(end)
        found, out.tests = out.tests, kept
        after = (len(out.outputs), len(out.order), len(out.groups), len(out.both), len(out.mentions), out.limit)
        if before != after and not (mentions and before[:4] == after[:4] and before[5] == after[5]):
            raise Stuck(self.peek(-1))
        if any(len(group) > 1 or group[0].term.counts for group in found) or self.negated or self.either:
            raise Stuck(self.peek(-1))
        return tuple(group[0] for group in found)

    def both_of(self) -> None:
        """Read "both English and French": two tests that different rows of a thing pass."""
        self.take()
        saved = self.checkpoint()
        try:
            self.both_values()
        except Stuck:
            self.restore(saved)
            named = len(self.out.mentions)
            first = self.inner_tests(mentions=True)
            if not self.accept("and"):
                raise
            second = self.inner_tests(mentions=True)
            shown = {s.table.path for t in self.out.outputs for s in self.out.slots[t.slot or 0].senses}
            added = [self.out.slots[m] for m in self.out.mentions[named:]]
            things = [slot.text for slot in added if not shown & paths_of(slot.senses)]
            if len(set(things)) < len(things):
                raise  # "both students beaten by Ann and students beaten by Bo" may be the same students
            if len(first) != 1 or len(second) != 1 or any(t.op == "lacks" for t in (*first, *second)):
                raise
            self.out.both.append((first[0], second[0]))

    def both_values(self) -> None:
        """Read the two halves of "both" where each is a value or a number. Raise `Stuck` where they are not."""
        self.skip("fill", "prep")
        column = None
        if self.peek().kind == "column":
            column = self.take()
        first, second = self.operand_value(), None
        if self.accept("and") and first:
            self.skip("fill", "prep", "link", "be")
            second = self.operand_value()
        if not first or not second:
            raise Stuck(self.peek())
        if self.peek().kind == "column" and column is None:
            column = self.take()
        elif self.peek().kind == "table":
            self.current = self.thing(self.take())
        tests = [self.value_of(mark, column) for mark in (first, second)]
        self.out.both.append((tests[0], tests[1]))

    def operand_value(self) -> Mark | None:
        """Return the next mark and move past it if it is a value or a number, else return None."""
        return self.take() if self.peek().kind in ("value", "number") else None

    def value_of(self, mark: Mark, column: Mark | None) -> Test:
        """Return the test for a value: of `column` if one is named, else of the columns that hold the value."""
        if column is None:
            if not mark.senses:
                raise Stuck(mark)
            return Test(Term(self.slot(mark, self.about())), "is")
        return self.equal(mark, column)

    def alternative(self) -> None:
        """Read "or": make the next test an alternative of the last."""
        self.take()
        self.either = True
