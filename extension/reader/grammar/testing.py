"""Read conditions: comparisons, values, flags, and the presence or absence of rows in other tables."""

from __future__ import annotations

import re
from dataclasses import replace

from askwhere.reader.grammar.aging import OLD
from askwhere.reader.grammar.cursor import END, Stuck
from askwhere.reader.grammar.dating import by_days
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.thresholds import Thresholds
from askwhere.reader.marking.business import SPENDING, amounts_in, is_price, uses_of
from askwhere.reader.marking.formulas import days_of
from askwhere.reader.marking.marks import (
    Mark,
    in_unit,
    is_amount,
    is_numeric,
    is_recent_year,
    is_timely,
    keys_of,
    looks_like_year,
    none_of,
    operand,
)
from askwhere.reader.schema.lexicon import Sense
from askwhere.reader.schema.naming import own_key
from askwhere.reader.words.measures import MEASURES
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_date, is_number, is_text
from askwhere.reader.words.verbs import is_act, names_an_act, says

# Kinds of marks that make the column before them the beginning of a condition.
TESTING = ("comp", "between", "like", "when", "comparative")
_AGED = re.compile(r"(?i)age|year|date|birth|old")
_COSTS = ("cost", "costs", "costing")
_CLAUSE_ENDS = ("end", "stop", "and", "or", "comma")
_NUMBERED_ENDS = ("end", "stop", "comma", "and", "be", "link", "prep", "have", "fill")
_HAVING = ("have", "link", "without", "not", "and", "or", "rel")


class Testing(Thresholds):
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

    def happened(self, mark: Mark) -> bool:
        """Read a participle that names a date, "not shipped yet", "undelivered": whether the date is there at all.

        Returns False for other columns, and where something follows that the verb may be about.
        """
        if self.peek(1).kind == "table" or not self.done_dates(mark):
            return False
        if self.never_done(mark):
            return True
        self.take()
        if self.says_first():
            self.done_first(mark)
            return True
        always = any(says(s.table.name, stem(mark.text.split()[-1])) for s in mark.senses)
        if self.peek().kind != "comp" and not (always and not self.negated):
            self.undated(mark)
        return True

    def done_dates(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the dates that a participle names, none for other marks."""
        dates = tuple(s for s in mark.senses if s.columns and is_date(s.column))
        return dates if mark.kind == "column" and (mark.argument == "denied" or names_an_act(mark.text)) else ()

    def undated(self, mark: Mark) -> None:
        """Test that the date that a participle names is there, or is missing for "unshipped"."""
        slot = self.slot(replace(mark, senses=self.done_dates(mark)), self.about())
        self.test(Test(Term(slot), "null", negated=mark.argument != "denied"))

    def flagged(self) -> None:
        """Read a yes-or-no column as the test that it holds yes: "official languages", "customers who are active"."""
        mark = self.take()
        slot = self.slot(replace(mark, senses=self.flags(mark)), self.about())
        self.test(Test(Term(slot), "true", negated=mark.argument == "denied"))

    def stocked(self) -> None:
        """Read "out of stock", "in stock" or "free": the column of the number in stock, or the price, is 0, or more."""
        mark = self.take()
        free = mark.argument == "free"
        named = self.lexicon.named(("stock",)) if not free else self.prices()
        counts = tuple(s for s in named if len(s.columns) == 1 and is_number(s.column))
        if not counts:
            raise Stuck(mark)
        slot = self.slot(replace(mark, senses=counts), self.about(), free)
        self.test(Test(Term(slot), "=" if free else mark.argument, (0,)))

    def prices(self) -> tuple[Sense, ...]:
        """Return the only price of the thing spoken of, in each table that it may be: "free tours".

        What is taken for a time is free where nobody has it, and not for its price: rooms that bookings refer to.
        """
        thing = self.about()
        tables = [s.table for s in self.out.slots[thing].senses if not s.columns] if thing is not None else []
        taken = {key.target for t in self.lexicon.tables if days_of(t) for key in t.foreign_keys}
        tables = [t for t in tables if t.path not in taken]
        prices = [(t, [c for c in amounts_in(t) if is_price(c)]) for t in tables]
        return tuple(Sense(t, (found[0],)) for t, found in prices if len(found) == 1)

    def missing(self) -> None:
        """Read "a missing email": the column is NULL. "An unknown author", "whose author is unknown" lack a row."""
        mark = self.take()
        self.skip("fill")
        if mark.text.endswith("empty") and self.about() is not None:
            about = self.out.slots[self.about() or 0]
            uses = uses_of(self.lexicon.tables, [s.table for s in about.senses if not s.columns])
            if not uses:
                raise Stuck(mark)
            self.test(Test(Term(self.slot(replace(mark, kind="table", senses=uses), self.about())), "lacks"))
            return
        before = next((m for m in reversed(self.marks[: self.at]) if m.kind not in ("fill", "null")), END)
        if self.peek().kind == "table" and before.kind == "prep":
            self.absence()
            return
        last, said = len(self.out.slots) - 1, self.marks[self.at - 2 : self.at - 1]
        whose = bool(said) and said[0].kind in ("table", "be") and last in self.out.mentions
        if whose and last == self.current != self.out.focus and not self.negated:
            self.out.mentions.remove(last)
            self.current = self.out.focus
            self.test(Test(Term(last), "lacks"))
            return
        if self.peek().kind != "column":
            raise Stuck(mark)
        self.test(Test(Term(self.slot(self.take(), self.about())), "null"))

    def with_one(self, mark: Mark) -> bool:
        """Read the column of "members with an email" as the test that it is not NULL; return False for other phrases.

        `mark` is the preposition, which is read already.
        """
        one = mark.text in ("with a", "with an") and self.peek().kind == "column" and not self.flags(self.peek())
        if not one or self.peek(1).kind not in _CLAUSE_ENDS or self.out.focus is None:
            return False
        none = none_of(self.peek())
        self.test(Test(Term(self.slot(self.take(), self.about())), "null", none, negated=True))
        return True

    def column_condition(self, mark: Mark) -> bool:
        """Read a condition that begins with its column: "age is above 20", "year 2014", "name contains 'x'".

        Returns False, with the cursor and the slots as before, if no condition follows.
        """
        place = self.here()
        self.take()
        if mark.text in _COSTS and self.peek().kind in ("comp", "between", "number"):
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
        self.back(place)
        return False

    def rest_of_condition(self, slot: int, mark: Mark) -> bool:
        """Read what follows the column of a condition, the slot `slot`; return False if it is no condition."""
        follow = self.after("prep", "either", "comma") if self.peek().kind in ("prep", "either") else self.peek()
        if self.flags(mark) and (follow.kind in TESTING or (follow.kind == "number" and follow.number not in (0, 1))):
            return False  # "cancelled in 2024": what is yes or no is compared with no number
        if mark.text.split()[-1] == "since" and looks_like_year(follow) and self.peek(1).kind != "after":
            return self.since(slot)
        if follow.kind in ("value", "number"):
            if follow.kind == "number" and not looks_like_year(follow) and self.counts_things():
                return False  # "the names of three shops", "managers managing 4 or more employees"
            prep = self.peek().argument if self.peek().kind == "prep" else ""
            if (
                prep
                and prep not in ("of", "in", "for", "by", "with")
                and not (set(keys_of(mark)) & set(keys_of(follow)))
            ):
                return False
            timely = any(is_timely(s) for s in self.out.slots[slot].senses)
            if prep == "in" and looks_like_year(follow) and is_amount(mark) and not timely and self.times():
                return False  # "fees in 2023" are no fees of 2023
            self.skip("prep", "either")
            self.skip("fill")
            self.listed(mark, slot)
            return True
        if follow.kind in TESTING:
            if follow.text == "older than" and not any(
                _AGED.search(s.column.name) for s in self.out.slots[slot].senses
            ):
                return False  # "hosts older than 50" does not compare a column for the number of hosts
            year = is_act(mark.text) and is_numeric(mark) and looks_like_year(self.after("prep", "when", "fill"))
            if follow.kind == "when" and not (year or any(is_timely(s) for s in self.out.slots[slot].senses)):
                return False
            self.skip("prep", "either")
            counted = (
                self.after("comp", "fill").kind == "number" and self.after("comp", "fill", "number").kind == "table"
            )
            if follow.kind == "comp" and self.after("comp", "fill", "number").kind == "elapsed":
                return False  # "delivered more than 3 days after …"
            if follow.kind == "comp" and counted:
                return False  # "advisors advising more than 2 students" counts students
            self.comparison(Term(slot))
            return True
        if follow.kind == "days" and any(is_timely(s) for s in self.out.slots[slot].senses):
            self.skip("prep", "either")
            self.test(by_days(Term(slot), "=", self.take()))
            return True
        if follow.kind == "null" and self.peek() is follow:
            self.take()
            self.test(Test(Term(slot), "null"))
            return True
        paid = stem(mark.text) in SPENDING and names_an_act(mark.text)  # "who paid the most" is of amounts
        if follow.kind == "sup" and not paid and self.peek() is follow and self.peek(1).kind in ("end", "stop"):
            self.rank(Term(slot), self.take().argument == "max")
            return True
        return False

    def since(self, slot: int) -> bool:
        """Read the year behind a column that is called so, "clients since 2020": only of the things spoken of."""
        about = self.about()
        own = {s.table.path for s in self.out.slots[about].senses} if about is not None else set()
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

        `slot` is the column's slot if it has one. Raises `Stuck` for a word, neither quoted nor a number, that the
        column does not hold.
        """
        held = {(s.table.path, s.column.name): s for s in mark.senses if s.columns}
        shared = []
        for sense in column.senses:
            for one in sense.columns:
                known = held.get((sense.table.path, one.name))
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

    def number_said(self) -> None:
        """Read a number without a column before it: a year, an amount, a limit or a number of rows ("has two pets")."""
        mark = self.take()
        if self.number_of_one(mark):
            return
        if self.peek().text in OLD:
            spoken = (m for m in reversed(self.marks[: self.at - 1]) if m.kind not in ("fill", "rel", "be"))
            self.take()
            test = self.of_age("=", mark)
            if (said := next(spoken, END)).kind == "value" and test.term.slot is not None:
                self.measures(test.term.slot, said)
            self.test(test)
            return
        if self.peek().kind == "after" and looks_like_year(mark) and (senses := self.times()):
            slot = self.slot(replace(mark, senses=tuple(senses)), self.about())
            self.test(Test(Term(slot), self.take().argument, (operand(mark),)))
            return
        if self.peek().kind in ("unit", "after"):
            unit = self.unit()
            after = self.accept("after")
            self.skip("fill", "distinct", "their")
            self.amounted(Test(Term(None), after.argument if after else "=", (in_unit(mark, unit),)), None, unit)
            return
        if self.peek().kind in ("superlative", "sup", "common") and isinstance(mark.number, int):
            self.out.limit = mark.number
            return
        if looks_like_year(mark) and self.another_year(mark):
            return
        if looks_like_year(mark) and self.peek().kind not in ("table", "column"):
            senses = self.times()
            if senses:
                slot = self.slot(replace(mark, senses=tuple(senses)), self.about())
                self.test(Test(Term(slot), "=", (operand(mark),)))
                return
        if self.peek().kind == "column" and is_numeric(self.peek()) and not self.begins_output():
            self.amounted(Test(Term(None), "=", (operand(mark),)))
            return
        if mark.senses and self.peek().kind != "table":
            self.test(Test(Term(self.slot(replace(mark, senses=self.numbered(mark)), self.about())), "is"))
            return
        if self.peek().kind in ("table",) and isinstance(mark.number, int):
            self.number_of_things(mark)
            return
        raise Stuck(mark)

    def number_of_one(self, mark: Mark) -> bool:
        """Read the number just behind a single thing as its key, "the status of order 1042", and return True."""
        before = self.marks[self.at - 2] if self.at > 1 else END
        if before.kind != "table" or not is_singular(before.text) or is_recent_year(mark):
            return False
        slots = (
            place for place, slot in enumerate(self.out.slots) if (slot.start, slot.text) == (before.start, before.text)
        )
        slot = next(slots, None)
        found = self.numbers_of(slot, mark) if slot is not None and self.peek().kind in _NUMBERED_ENDS else ()
        if found:
            self.test(Test(Term(self.slot(replace(mark, senses=found), slot, True)), "is"))
        return bool(found)

    def numbers_of(self, slot: int, mark: Mark) -> tuple[Sense, ...]:
        """Return the senses of a number as the key of the thing in a slot, or as another value in its table."""
        found: list[Sense] = []
        for sense in self.out.slots[slot].senses:
            keys = [c for c in own_key(sense.table) if is_number(c)]
            held = [s for s in mark.senses if s.table is sense.table]
            found += held or [Sense(sense.table, (c,), sense.score * 0.9, mark.number) for c in keys[:1]]
        return tuple(found)

    def another_year(self, mark: Mark) -> bool:
        """Read a further year, the second of "in 1996 and 1997", as a test of the same date (see `scope.settled`).

        Returns False where no test of a year comes just before it.
        """
        before = self.marks[max(self.at - 3, 0) : self.at - 1]
        joined = len(before) == 2 and looks_like_year(before[0]) and before[1].kind in ("and", "or", "comma")
        first = self.out.tests[-1][-1] if joined and self.out.tests else None
        if first is None or (first.op, first.operand) != ("=", (operand(before[0]),)):
            return False
        self.either = self.either or (before[1].kind == "comma" and self.ends_in("or"))
        self.test(replace(first, operand=(operand(mark),)))
        return True

    def ends_in(self, conjunction: str) -> bool:
        """Return whether the list of values or numbers that goes on here has this mark, "and" or "or", in its end."""
        rest = (m.kind for m in self.marks[self.at :] if m.kind not in ("comma", "value", "number", "fill", "prep"))
        return next(rest, "") == conjunction

    def number_of_things(self, mark: Mark) -> None:
        """Read a number before a table: a year ("the 2008 games"), a limit, or a number of rows to compare with."""
        before = next((m for m in reversed(self.marks[: self.at - 1]) if m.kind != "fill"), END)
        tables = {s.table.path for s in self.peek().senses if s.score >= self.peek().senses[0].score - 0.1}
        years = tuple(s for s in self.times() if s.table.path in tables) if looks_like_year(mark) else ()
        if years:
            slot = self.thing(self.take(), self.about())
            self.test(Test(Term(self.slot(replace(mark, senses=years), slot, True)), "=", (operand(mark),)))
        elif before.kind == "prep" and before.argument in ("of", "for"):  # "the names of the 3 shops with the most …"
            self.out.limit = int(mark.number or 0)
        elif before.kind in _HAVING or before.argument == "with":
            self.amounted(Test(Term(None), "=", (operand(mark),)))
        else:
            raise Stuck(mark)

    def numbered(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the senses of a number that names no column, or raise `Stuck` if there are none.

        For a year they are dates and years; for another number, all of its senses if a table comes just before it.
        """
        before = self.marks[self.at - 2] if self.at > 1 else END
        senses = tuple(s for s in mark.senses if (is_timely(s) if looks_like_year(mark) else before.kind == "table"))
        if not senses:
            raise Stuck(mark)
        return senses

    def begins_output(self) -> bool:
        """Return whether the next column is the first output, as a condition follows it and nothing is shown yet."""
        return not self.out.outputs and self.peek(1).kind in ("comp", "between", "like")
