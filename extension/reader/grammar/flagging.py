"""Read tests without a comparison: columns of yes and no, "out of stock", "not shipped", "with an email"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import END, SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.thresholds import Thresholds
from askwhere.reader.marking.formulas import days_of, holds_until
from askwhere.reader.marking.marks import Mark, none_of
from askwhere.reader.marking.numeric import amounts_in, is_price, says_how_many
from askwhere.reader.marking.records import uses_of
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.dates import Bound
from askwhere.reader.words.english import DATED
from askwhere.reader.words.names import cut_name
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_date, is_text, is_year
from askwhere.reader.words.verbs import names_an_act, says


class Flagging(Thresholds):
    """The part of the grammar that tests flags, stock, and whether a value is there at all."""

    def happened(self, mark: Mark) -> bool:
        """Read a participle that names a date, "not shipped yet", "undelivered": whether the date is there at all.

        Return False for other columns, and where something follows that the verb may be about.
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
        compared = self.peek().kind == "comp" and mark.argument != "denied"
        if not compared and not (always and not self.negated):
            self.undated(mark)
        return True

    def done_dates(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the dates that a participle names, or years, of "living" that of death; none for other marks."""
        dates = tuple(s for s in mark.senses if s.columns and (is_date(s.column) or is_year(s.column)))
        return dates if mark.kind == "column" and (mark.argument == "denied" or names_an_act(mark.text)) else ()

    def undated(self, mark: Mark) -> None:
        """Test that the date that a participle names is there, or is missing for "unshipped".

        What things do themselves has no date of what they refer to: "students who have left" are not those of a teacher
        who has. Raise `Stuck` where no other date says it.
        """
        thing = self.about()
        tables = [s.table for s in self.out.senses_at(thing)]
        theirs = stem(mark.text.split()[-1]) in DATED
        others = {key.target for t in tables for key in t.foreign_keys if theirs} - {t.path for t in tables}
        dates = tuple(s for s in self.done_dates(mark) if s.table.path not in others)
        if not dates:
            raise Stuck(mark)
        slot = self.slot(replace(mark, senses=dates), thing)
        self.is_there(Term(slot), mark, mark.argument != "denied")

    def is_there(self, term: Term, mark: Mark, there: bool) -> None:
        """Test that the column that a mark names is there or, unless `there`, missing.

        What holds until a date, "insured", `insured_until`, is there while that is to come.
        """
        if not holds_until(mark):
            self.test(Test(term, "null", () if there else none_of(mark), negated=there))
            return
        over, self.negated = there == self.negated, False
        self.test(Test(term, "<" if over else ">=", (Bound(present="day"),)))
        if over:
            self.either = True
            self.test(Test(term, "null"))

    def flagged(self) -> None:
        """Read a yes-or-no column as the test that it holds yes: "official languages", "customers who are active"."""
        mark = self.take()
        slot = self.slot(replace(mark, senses=self.flags(mark)), self.about())
        self.test(Test(Term(slot), "true", negated=mark.argument == "denied"))

    def stocked(self) -> None:
        """Read "out of stock", "in stock" or "free": the column of the number in stock, or the price, is 0, or more."""
        mark = self.take()
        free = mark.argument == "free"
        counts = self.prices() if free else self.stocks()
        if not counts:
            raise Stuck(mark)
        slot = self.slot(replace(mark, senses=counts), self.about(), free)
        self.test(Test(Term(slot), "=" if free else mark.argument, (0,)))

    def prices(self) -> tuple[Sense, ...]:
        """Return the only price of the thing spoken of, in each table that it may be: "free tours".

        What is taken for a time is free where nobody has it, and not for its price: rooms that bookings refer to.
        """
        senses = [s for s in self.out.senses_at(self.about()) if not s.columns]
        tables = [s.table for s in senses if s.score >= senses[0].score - 0.1]  # rooms, and not the room types
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

        So of one that is called after things of which there may be none, "guests with allergies", or that is their
        number: "orders with returns", `return_qty`. `mark` is the preposition, which is read already.
        """
        said = self.peek()
        if said.kind != "column" or self.flags(said) or self.out.focus is None:
            return False
        one = mark.text in ("with a", "with an") and self.peek(1).kind in (*SENTENCE_ENDS, "and", "or", "comma")
        if not one and not (mark.text == "with" and self.peek(1).kind in SENTENCE_ENDS and _names_several(said)):
            return False
        none = none_of(said)
        self.test(Test(Term(self.slot(self.take(), self.about())), "null", none, negated=True))
        return True


def _names_several(mark: Mark) -> bool:
    """Return whether a mark in the plural names texts that are called so, too, or the number of such things."""
    senses = [s for s in mark.senses if s.score >= mark.senses[0].score - 0.1]
    columns = [s.column for s in senses if s.columns]
    named = all(is_text(c) and not is_singular(cut_name(c.name)[-1]) for c in columns)
    counted = all(says_how_many(c, stem(mark.text)) for c in columns)
    return (named or counted) and not is_singular(mark.text)
