"""Read comparisons of a column named before: "above 5 and below 9", "between 1 and 3", "starting with A"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Table
from askwhere.reader.grammar.cursor import CLAUSE_ENDS, END, Stuck
from askwhere.reader.grammar.dating import by_days
from askwhere.reader.grammar.draft import Nested, Operand, Term, Test
from askwhere.reader.grammar.operands import Operands
from askwhere.reader.marking.formulas import LETTERS
from askwhere.reader.marking.marks import Mark, is_numeric, operator_of
from askwhere.reader.marking.mentions import MENTIONED
from askwhere.reader.marking.numeric import adds_up_to, amounts_in, column_words
from askwhere.reader.schema.naming import key_columns, limited_by, name_columns, refers
from askwhere.reader.schema.roles import is_second
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.measures import SIZES
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_text
from askwhere.reader.words.verbs import saying, says

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
        term = self.in_letters(term)
        if mark.kind == "between":
            self.between(term)
        elif mark.kind == "like":
            self.like(term, mark.argument)
        elif self.peek().kind == "days":
            self.test(by_days(term, operator_of(mark), self.take()))
        else:
            self.test(Test(term, operator_of(mark), (self.compared_with(term),), times=mark.number or 1.0))
            self.accept("characters")
            if self.compares_again():
                self.either = self.take().kind == "or"
                self.skip("fill", "be")
                self.comparison(term)

    def in_letters(self, term: Term) -> Term:
        """Return the term for the length of a text where letters are counted, "longer than 20 characters", else it."""
        return self.letters_of(term) if self.after("number", "and", "fill").kind == "characters" else term

    def letters_of(self, term: Term) -> Term:
        """Return the term for how many letters the texts of a column have. Raise `Stuck` for any other term."""
        senses = self.out.senses_at(term.slot) if not term.counts else ()
        texts = tuple(s for s in senses if len(s.columns) == 1 and is_text(s.column))
        if term.slot is None or not texts:
            raise Stuck(self.peek())
        self.out.slots[term.slot] = replace(self.out.slots[term.slot], senses=texts)
        return replace(term, formula=LETTERS)

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
        self.accept("characters")

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
        """Read a comparison by an adjective, which says the column as well: "older than 30".

        Where no column is what the adjective measures, it is the one named behind the number: "heavier than 150 gsm".
        """
        mark = self.take()
        if self.aged_so(mark):
            return
        number, unit = self.after("fill"), self.after("fill", "number")
        if number.kind == "number" and unit.kind == "column" and is_numeric(unit) and not self.senses_of(mark):
            self.skip("fill")
            amount: Operand = self.amount()
            term = Term(self.slot(self.take(), self.about()))
        else:
            term = Term(self.measured(mark))
            self.skip("fill")
            amount = self.compared_with(term)
        self.test(Test(term, ">" if mark.argument == "max" else "<", (amount,)))
        self.unit()

    def above_average(self, mark: Mark) -> None:
        """Read the rest of "taller than average", "with a greater than average budget".

        `mark` is the comparison, which is read already. The column is the one named behind "average", else the one
        that the comparison measures.
        """
        before = next(
            (m for m in reversed(self.marks[: self.at]) if m is not mark and m.kind not in ("fill", "be")), END
        )
        times = mark.number or 1.0
        if before.kind == "column":
            raise Stuck(mark)  # that column may be meant, and no rule here compares it
        if (term := self.sum_spent(before)) is not None:
            self.test(Test(term, mark.argument, (self.than_average(term),), times=times))
        elif self.after("average", "agg", "fill", "count").kind == "column":
            name = self.agg_names()[0]
            self.skip("fill")
            amount = bool(self.accept("count"))
            said = self.take()
            if amount and not is_numeric(said):
                raise Stuck(said)
            term = Term(self.slot(said, self.about()))
            self.test(Test(term, mark.argument, (Nested(name, term, among=self.own_group()),), times=times))
        elif mark.text in SIZES:
            term = Term(self.size(mark))
            self.test(Test(term, mark.argument, (self.compared_with(term),), times=times))
        elif self.after("average", "agg").kind in CLAUSE_ENDS and (amounts := self.only_amounts()):
            name = self.agg_names()[0]  # "invoices above the average"
            term = Term(self.slot(replace(mark, senses=amounts), self.about(), True))
            self.test(Test(term, mark.argument, (Nested(name, term),), times=times))
        else:
            raise Stuck(self.peek())

    def limited(self, mark: Mark) -> bool:
        """Read "below their reorder level", "sold below the list price": a test of one column against another.

        The column named is compared with what it limits (see `limited_by`), or with the amount of the thing, or of
        what a verb is recorded in, that is called alike, or else with the sum of the amounts that each thing has
        (`sums_limited`). Return False where no such column follows the comparison `mark`.
        """
        ahead = 0
        while self.peek(ahead).kind in ("fill", "their", "current") or self.peek(ahead).text == "list":
            ahead += 1
        owned = self.peek(ahead).kind == "table" and self.peek(ahead + 1).kind == "own"
        limit = self.peek(ahead + 2 * owned)
        if limit.kind != "column" or not is_numeric(limit) or self.about() is None:
            return False
        senses = tuple(
            Sense(s.table, (column,), s.score)
            for s in limit.senses
            if len(s.columns) == 1
            for column in limited_by(s.table, s.column)
        )
        numbered = self.peek(ahead + 2 * owned + 1).kind == "number"  # "above age 40"
        added = () if senses or numbered or owned else self.sums_limited(limit)
        others = () if senses or numbered or added else self.amounts_like(limit)
        if added:
            self.at += ahead + 1
            total = Term(self.slot(replace(limit, senses=added), self.about()), agg="sum")
            own = tuple(s for s in limit.senses if s.table in self.tables_about())
            bound = Term(self.slot(replace(limit, senses=own), self.about(), True))
            self.test(Test(total, mark.argument, (bound,), times=mark.number or 1.0))
            return True
        if not (senses or others):
            return False
        self.at += ahead
        owner = self.thing(self.take()) if owned else None
        self.skip("own")
        limits, apart = paths_of(senses), paths_of(others)
        found = self.take().senses
        own = tuple(s for s in found if (s.table.path in limits if limits else s.table.path not in apart))
        left = self.slot(replace(limit, senses=senses or others), self.about())
        right = self.slot(replace(limit, senses=own), left if owner is None else owner, True)
        self.test(Test(Term(left), mark.argument, (Term(right),), times=mark.number or 1.0))
        return True

    def tables_about(self) -> list[Table]:
        """Return the tables that the thing spoken of may be."""
        thing = self.about()
        return [s.table for s in self.out.slots[thing].senses if not s.columns] if thing is not None else []

    def sums_limited(self, limit: Mark) -> tuple[Sense, ...]:
        """Return the amounts whose sum a column of the thing limits: the costs of "projects over budget".

        They are in rows of the thing, or of what is of it; nothing is returned where several columns could be it.
        """
        found: list[Sense] = []
        for sense in (s for s in limit.senses if s.table in self.tables_about() and len(s.columns) == 1):
            children = [t for t in self.lexicon.tables if t is not sense.table and refers(t, sense.table)]
            below = [t for t in self.lexicon.tables if t not in children and any(refers(t, c) for c in children)]
            for tables in (children, below):
                told = [(t, c) for t in tables for c in adds_up_to(t, sense.column)]
                if told:
                    found += [Sense(told[0][0], (told[0][1],), sense.score)] if len(told) == 1 else []
                    break
        return tuple(found)

    def amounts_like(self, limit: Mark) -> tuple[Sense, ...]:
        """Return the amount of the thing, or of what a verb is recorded in, that is compared with a column of another.

        It is the only one that is called alike, `price` for `list_price`, or as the verb says, or the only one at all.
        """
        best, about = limit.senses[0], self.out.slots[self.about() or 0].senses[:1]
        words = {stem(m.text.split()[-1]) for m in self.marks[: self.at] if m.kind in ("link", "column", "table")}
        said = {path for word in words for path, _ in saying(self.lexicon.tables, word)}
        tables = [s.table for s in about] + [t for t in self.lexicon.tables if t.path in said]
        for table in (t for t in tables if t is not best.table and not is_second(t)):
            amounts = [c for c in amounts_in(table) if self.lexicon.truth(Sense(table, (c,))) is None]
            alike = [c for c in amounts if column_words(c) & column_words(best.column)]
            told = [c for c in amounts if any(says(c.name, word) for word in words)]
            if found := next((some for some in (alike, told, amounts) if len(some) == 1), None):
                return (Sense(table, (found[0],)),)
        return ()

    def like(self, term: Term, where: str) -> None:
        """Read the text of a pattern and test the term for it: "containing 'x'", "that start with S".

        `where` says where the text must stand: 'start', 'end' or 'in'.
        """
        while self.peek().kind in ("fill", "either") and len(self.peek().text) > 1:
            self.take()
        mark = self.peek()
        self.at += 1
        text = mark.text
        if mark.kind in ("number", "value", MENTIONED) or (mark.end == mark.start + 1 and len(text) <= 2):
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

        Raise `Stuck` where no table has one such column, other than its key.
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
