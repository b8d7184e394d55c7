"""Read numbers without a column: a year, a key, a limit, or a number of rows."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.aging import OLD
from askwhere.reader.grammar.cursor import END, SENTENCE_ENDS, Stuck, mark_at
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.testing import Testing
from askwhere.reader.marking.marks import (
    Mark,
    in_unit,
    is_amount,
    is_numeric,
    is_recent_year,
    is_timely,
    looks_like_year,
    operand,
)
from askwhere.reader.schema.naming import name_columns, own_key
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.tokens import is_singular
from askwhere.reader.words.types import is_number

_NUMBERED_ENDS = (*SENTENCE_ENDS, "comma", "and", "be", "link", "prep", "have", "fill")
_HAVING = ("have", "link", "without", "not", "and", "or", "rel")


class Numbering(Testing):
    """The part of the grammar that finds what a number is: "in 2014", "order 1042", "the 3 shops", "has two pets"."""

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

    def numbered_things(self) -> bool:
        """Read a number and the column that it is of before a table, "5 star reviews", and return whether it is there.

        The column is in the singular, and one of the table's.
        """
        number, column, thing = (self.peek(ahead) for ahead in range(3))
        if (number.kind, column.kind, thing.kind) != ("number", "column", "table") or not is_singular(column.text):
            return False
        tables = paths_of(thing.senses)
        # A guess is none: "3 furthest woods".
        senses = tuple(s for s in column.senses if s.table.path in tables and not s.note)
        if not senses or not is_amount(replace(column, senses=senses)):
            return False
        self.at += 2
        self.test(Test(Term(self.slot(replace(column, senses=senses), self.about())), "=", (operand(number),)))
        return True

    def number_of_one(self, mark: Mark) -> bool:
        """Read the number just behind a single thing as its key, "the status of order 1042", and return True."""
        before = mark_at(self.marks, self.at - 2)
        if before.kind != "table" or not is_singular(before.text) or is_recent_year(mark):
            return False
        slots = (
            place for place, slot in enumerate(self.out.slots) if (slot.start, slot.text) == (before.start, before.text)
        )
        slot = next(slots, None)
        found = self.numbers_of(slot, mark) if slot is not None and self.peek().kind in _NUMBERED_ENDS else ()
        if found:
            self.test(Test(Term(self.slot(replace(mark, senses=found), slot, True)), "is"))
            if self.is_all_said() and found[0].columns == name_columns(found[0].table):
                self.out.outputs, self.out.star = [], slot  # its name is its number, which the question says
        return bool(found)

    def is_all_said(self) -> bool:
        """Return whether the question is but a thing and its number: "order 1042", "show invoice 7"."""
        asked = {m.text for m in self.marks if m.kind in ("open", "rel")} & {"who", "which", "when", "where", "whose"}
        kinds = [m.kind for m in self.marks if m.kind not in ("open", "fill", "stop")]
        return not asked and kinds == ["table", "number"]

    def numbers_of(self, slot: int, mark: Mark) -> tuple[Sense, ...]:
        """Return the senses of a number as the key of the thing in a slot, or as another value in its table."""
        found: list[Sense] = []
        for sense in self.out.slots[slot].senses:
            keys = [c for c in own_key(sense.table) if is_number(c)]
            values = [s for s in mark.senses if s.table is sense.table]
            found += values or [Sense(sense.table, (c,), sense.score * 0.9, mark.number) for c in keys[:1]]
        return tuple(found)

    def another_year(self, mark: Mark) -> bool:
        """Read a further year, the second of "in 1996 and 1997", as a test of the same date (see `scope.settled`).

        Return False where no test of a year comes just before it.
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
        before = mark_at(self.marks, self.at - 2)
        senses = tuple(s for s in mark.senses if (is_timely(s) if looks_like_year(mark) else before.kind == "table"))
        if not senses:
            raise Stuck(mark)
        return senses

    def begins_output(self) -> bool:
        """Return whether the next column is the first output, as a condition follows it and nothing is shown yet."""
        return not self.out.outputs and self.peek(1).kind in ("comp", "between", "like")
