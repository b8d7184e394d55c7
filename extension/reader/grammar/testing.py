"""Read conditions that begin with their column: "age above 20", "year 2014", "name contains 'x'"."""

from __future__ import annotations

import re
from dataclasses import replace

from askwhere.reader.grammar.cursor import SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.dating import by_days
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.flagging import Flagging
from askwhere.reader.marking.marks import (
    Mark,
    is_amount,
    is_numeric,
    is_timely,
    keys_of,
    looks_like_year,
    operand,
    says_score,
)
from askwhere.reader.marking.narrowing import COSTS
from askwhere.reader.marking.revenue import SPENDING
from askwhere.reader.schema.senses import paths_of
from askwhere.reader.words.measures import MEASURES
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_text
from askwhere.reader.words.verbs import is_act, names_an_act

# Kinds of marks that make the column before them the beginning of a condition.
TESTING = ("comp", "between", "like", "when", "comparative")
_AGED = re.compile(r"(?i)age|year|date|birth|old")


class Testing(Flagging):
    """The part of the grammar that reads conditions, anywhere in a question, and adds them to the draft as tests.

    After "not" a test is negated; after "or" it becomes an alternative of the test before it. The methods raise `Stuck`
    at a mark that does not fit.
    """

    def column_said(self) -> None:
        """Read a column that begins a condition ("age above 20") or that holds yes or no ("active")."""
        mark = self.peek()
        if self.column_condition(mark):
            return
        if self.flags(mark):
            self.flagged()
        elif not self.happened(mark):
            raise Stuck(mark)

    def column_condition(self, mark: Mark) -> bool:
        """Read a condition that begins with its column: "age is above 20", "year 2014", "name contains 'x'".

        Return False, with the cursor and the slots as before, if no condition follows. What was not done has no time:
        "unpaid in 2014" is of the time of the bills.
        """
        if mark.argument == "denied":
            return False
        saved = self.checkpoint()
        self.take()
        if mark.text in COSTS and self.peek().kind in ("comp", "between", "number"):
            priced = self.senses_of(replace(mark, measure=MEASURES[("most", "expensive")][1]))
            mark = replace(mark, senses=priced or mark.senses)  # what things cost is their price
        slot = self.slot(mark, self.about())
        if (
            self.peek().kind == "prep"
            and self.peek().argument in ("of", "for")
            and self.after("prep", "fill", "their", "all").kind == "table"
        ):
            self.skip("prep", "fill", "their", "all")
            owner = self.thing(self.take())
            self.out.slots[slot] = replace(self.out.slots[slot], owner=owner, firm=True)
            if self.peek().kind == "number":
                raise Stuck(self.peek())  # in "the year of lesson 1" the 1 is the lesson's, not the year's
        self.skip("be", "fill", "link", "have")
        if self.accept("not"):
            self.negated = not self.negated
            self.skip("be", "fill", "link")
        if self.rest_of_condition(slot, mark):
            return True
        self.restore(saved)
        return False

    def rest_of_condition(self, slot: int, mark: Mark) -> bool:
        """Read what follows the column of a condition, the slot `slot`; return False if it is no condition."""
        follow = self.after("prep", "either", "comma") if self.peek().kind in ("prep", "either") else self.peek()
        if self.flags(mark) and follow.kind == "value" and not set(keys_of(mark)) & set(keys_of(follow)):
            return False  # "employees who passed First Aid"
        if self.flags(mark) and (follow.kind in TESTING or (follow.kind == "number" and follow.number not in (0, 1))):
            return False  # "cancelled in 2024": what is yes or no is compared with no number
        if mark.text.split()[-1] == "since" and looks_like_year(follow) and self.peek(1).kind != "after":
            return self.since(slot)
        if follow.kind in ("value", "number"):
            return self.column_equals(slot, mark, follow)
        if follow.kind in TESTING:
            return self.column_compared(slot, mark, follow)
        if follow.kind == "days" and self.is_timely_slot(slot):
            self.skip("prep", "either")
            self.test(by_days(Term(slot), "=", self.take()))
            return True
        if follow.kind == "null" and self.peek() is follow:
            self.take()
            self.test(Test(Term(slot), "null"))
            return True
        paid = stem(mark.text) in SPENDING and names_an_act(mark.text)  # "who paid the most" is of amounts
        latest = names_an_act(mark.text) and self.is_timely_slot(slot)  # "who signed the most" is not who did so last
        ends = self.peek() is follow and self.peek(1).kind in SENTENCE_ENDS
        if follow.kind == "sup" and ends and not (paid or latest):
            self.rank(Term(slot), self.take().argument == "max")
            return True
        return False

    def is_timely_slot(self, slot: int) -> bool:
        """Return whether a slot may be of a date or a year."""
        return any(is_timely(s) for s in self.out.slots[slot].senses)

    def column_equals(self, slot: int, mark: Mark, follow: Mark) -> bool:
        """Read the values that a column equals, the first of which is `follow`; return False if they are another's."""
        if follow.kind == "number" and not looks_like_year(follow) and self.counts_things():
            return False  # "the names of three shops", "managers managing 4 or more employees"
        prep = self.peek().argument if self.peek().kind == "prep" else ""
        if prep and prep not in ("of", "in", "for", "by", "with") and not set(keys_of(mark)) & set(keys_of(follow)):
            return False
        dated = prep == "in" and looks_like_year(follow) and is_amount(mark) and not self.is_timely_slot(slot)
        if dated and self.times():
            return False  # "fees in 2023" are no fees of 2023
        self.skip("prep", "either")
        self.skip("fill")
        self.listed(mark, slot)
        return True

    def column_compared(self, slot: int, mark: Mark, follow: Mark) -> bool:
        """Read the comparison of a column, which begins with `follow`; return False if it is of something else."""
        if follow.text == "older than" and not any(_AGED.search(s.column.name) for s in self.out.slots[slot].senses):
            return False  # "hosts older than 50" does not compare a column for the number of hosts
        year = is_act(mark.text) and is_numeric(mark) and looks_like_year(self.after("prep", "when", "fill"))
        if follow.kind == "when" and not (year or self.is_timely_slot(slot)):
            return False
        self.skip("prep", "either")
        number, behind = self.after("comp", "fill"), self.after("comp", "fill", "number")
        if follow.kind == "comp" and behind.kind == "elapsed":
            return False  # "delivered more than 3 days after …"
        if follow.kind == "comp" and number.kind == "number" and behind.kind == "table":
            return False  # "advisors advising more than 2 students" counts students
        self.comparison(Term(slot))
        return True

    def since(self, slot: int) -> bool:
        """Read the year behind a column that is called so, "clients since 2020": only of the things spoken of."""
        own = paths_of(self.out.senses_at(self.about()))
        senses = tuple(s for s in self.out.slots[slot].senses if s.table.path in own)
        if not senses:
            return False
        self.out.slots[slot] = replace(self.out.slots[slot], senses=senses)
        self.test(Test(Term(slot), ">=", (operand(self.take()),)))
        return True

    def counts_things(self) -> bool:
        """Return whether the number that comes next counts rows of the table named after it."""
        ahead = 1 if self.peek().kind == "number" else 2
        while self.peek(ahead).kind in ("after", "fill", "distinct"):
            ahead += 1
        return self.peek(ahead).kind == "table"

    def listed(self, column: Mark, slot: int) -> None:
        """Read the value of a column, or several with "or" between them."""
        negated = self.negated
        first = True
        while True:
            mark = self.take()
            after = self.accept("after")
            scored = all(says_score(s.column) for s in column.senses if s.columns)
            if after and after.text == "or better" and not scored:
                raise Stuck(after)  # of times and places, less is better
            if after:
                self.test(Test(Term(slot), after.argument, (operand(mark),)))
                return
            if first or negated:
                self.negated = negated
            else:
                self.either = True
            self.test(self.equal(mark, column, slot if first else None))
            first = False
            if self.peek().kind not in ("or", "comma") or self.after("or", "comma", "fill").kind not in (
                "value",
                "number",
            ):
                return
            if self.peek().kind == "comma" and not any(m.kind == "or" for m in self.marks[self.at : self.at + 5]):
                return
            self.skip("or", "comma", "fill")

    def equal(self, mark: Mark, column: Mark, slot: int | None = None) -> Test:
        """Return the test that a column equals a value, as the data spells it if it holds the value.

        `slot` is the column's slot if it has one. Raise `Stuck` for a word, neither quoted nor a number, that the
        column does not hold.
        """
        values = {(s.table.path, s.column.name): s for s in mark.senses if s.columns}
        shared = []
        for sense in column.senses:
            for one in sense.columns:
                known = values.get((sense.table.path, one.name))
                if known and len(known.columns) > 1:
                    shared += [replace(known, score=sense.score)] if known.columns == sense.columns else []
                elif known:
                    shared.append(replace(known, columns=(one,), score=sense.score * max(known.score, 0.9)))
        owner = self.out.slots[slot].owner if slot is not None else self.about()
        if shared:
            return Test(Term(self.slot(replace(mark, senses=tuple(shared)), owner)), "is")
        if mark.kind == "number" or mark.number is not None:
            if not any(len(s.columns) == 1 for s in column.senses):
                raise Stuck(mark)
        elif mark.argument not in ("quoted", "date"):
            raise Stuck(mark)
        single = tuple(s for s in column.senses if len(s.columns) == 1)
        if mark.kind == "number" and all(is_text(s.column) and not is_timely(s) for s in single):
            raise Stuck(mark)  # "division 1", where divisions have names that are no numbers
        number = slot if slot is not None else self.slot(column, owner)
        self.out.slots[number] = replace(self.out.slots[number], senses=single)
        self.out.doubt += 0.15 if mark.argument == "quoted" else 0.0
        return Test(Term(number), "=", (operand(mark),))
