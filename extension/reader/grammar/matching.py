"""Read values and tables in conditions: "from Oslo", "by Queen and Abba", "in room 105", "that border France"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import END, SENTENCE_ENDS, Stuck, mark_at
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.numbering import Numbering
from askwhere.reader.marking.marks import Mark, is_recent_year, key_of, keys_of, with_columns_of
from askwhere.reader.schema.naming import name_columns, person_names
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import HAVING
from askwhere.reader.words.mutual import is_mutual, pair_tables
from askwhere.reader.words.types import is_date, is_number
from askwhere.reader.words.verbs import AUXILIARY

_DOING = AUXILIARY | HAVING


class Matching(Numbering):
    """The part of the grammar that reads values and tables in conditions, and adds them to the draft as tests."""

    def value_said(self) -> None:
        """Read a value, and the table after it that it may belong to: "students in a male dorm"."""
        mark, before = self.peek(), len(self.out.slots)
        self.value_test()
        if self.peek().kind == "table" and self.out.tests:
            described = self.peek().start == mark.end and len(self.out.slots) == before + 1
            self.table_said()
            if described and paths_of(mark.senses) & {s.table.path for s in self.out.slots[before + 1].senses}:
                # in "students in a male dorm" the value belongs to the dorm
                self.out.slots[before] = replace(self.out.slots[before], owner=before + 1, firm=True)

    def value_test(self) -> None:
        """Read a value as a test of the column that holds it, with alternatives after "or"."""
        negated = self.negated
        mark = self.take()
        if mark.argument == "number" and not mark.senses:
            raise Stuck(mark)
        if mark.argument == "denied":  # "unpaid fines"
            self.test(Test(Term(self.slot(mark, self.about())), "is", negated=True))
            return
        denied = self.after("fill", "have").kind in ("not", "without")
        if denied and self.out.focus is not None and mark.senses and self.does(mark):
            self.undone(mark)
            return
        mark = self.of_others(mark) if negated else with_columns_of(mark, self.peek())
        if negated and mark.senses and self.peek().kind == "table":
            self.absence(mark)
            return
        column = (
            self.peek() if self.peek().kind == "column" and set(keys_of(self.peek())) & set(keys_of(mark)) else None
        )
        if column and not self.begins_output():
            self.take()
            self.test(self.equal(mark, column))
        elif mark.senses:
            if mark.argument == "number":
                mark = replace(mark, senses=self.numbered(mark))
            self.test(Test(Term(self.slot(mark, self.about())), "is"))
        elif mark.argument == "date" and (days := tuple(s for s in self.times() if is_date(s.column))):
            self.test(Test(Term(self.slot(replace(mark, senses=days), self.about())), "=", (mark.text,)))
        elif self.about() is not None and (self.at < 2 or self.marks[self.at - 2].kind in ("be", "table")):
            self.called(mark, self.about() or 0)
        else:
            raise Stuck(mark)
        self.and_others(mark)
        while (
            self.peek().kind in ("or", "comma") and self.after("or", "comma", "fill", "either", "prep").kind == "value"
        ):
            if self.peek().kind == "comma" and not any(m.kind == "or" for m in self.marks[self.at : self.at + 5]):
                return
            self.skip("or", "comma", "fill", "either", "prep")
            other = self.take()
            alike = tuple(s for s in other.senses if any(key_of(s) == key_of(o) for o in mark.senses))
            if not alike:
                raise Stuck(other)
            self.negated = negated
            self.either = not negated
            self.test(Test(Term(self.slot(replace(other, senses=alike), self.about())), "is"))

    def does(self, mark: Mark) -> bool:
        """Return whether a value is the subject of a verb: "which products did Ann …", "products that Ann …"."""
        before = next((m for m in reversed(self.marks) if m.end <= mark.start and m.text not in ("the", "any")), END)
        return before.text in _DOING or (before.kind == "rel" and before.text in ("that", "which", "who", "whom"))

    def undone(self, subject: Mark) -> None:
        """Read "did Ann never order": exclude what is related to Ann, whoever else it is related to."""
        self.skip("fill", "have")
        said = self.take()
        self.skip("fill")
        if self.negated or said.kind != "not" or self.peek().kind not in ("table", "link"):
            raise Stuck(subject)
        if self.peek().kind == "table":
            self.absence(subject)
            return
        self.take()
        if self.after("fill").kind not in SENTENCE_ENDS:
            raise Stuck(self.after("fill"))  # what follows would have to be part of the negated condition
        self.test(Test(Term(self.slot(subject, self.about())), "is", negated=True))

    def of_others(self, mark: Mark) -> Mark:
        """Return a negated value without the senses that name a row of the table asked for.

        Raise `Stuck` if none is left. In "who never played with Ann", Ann is a person like those asked for, and no
        join relates two rows of one table. Other values are returned as they are.
        """
        before = [m for m in self.marks if m.end <= mark.start and m.kind not in ("fill", "all")]
        done = next((m for m in reversed(before) if m.kind != "prep"), END).kind == "link"
        if self.out.focus is None or not mark.senses or not (done or before[-1].argument == "with"):
            return mark
        tables = {s.table.path for s in self.out.slots[self.out.focus].senses if not s.columns}
        senses = tuple(
            s for s in mark.senses if s.table.path not in tables or not set(s.columns) & set(name_columns(s.table))
        )
        if not senses:
            raise Stuck(mark)
        return replace(mark, senses=senses)

    def and_others(self, mark: Mark) -> None:
        """Read further values straight after "and" or a comma as tests of the same column: "by Queen, Abba and U2".

        `scope.settled` decides whether a row needs one of the values or all.
        """
        while self.peek().kind == "and" or (self.peek().kind == "comma" and self.ends_in("and")):
            ahead = 2 if self.peek().kind == "comma" and self.peek(1).kind == "and" else 1
            other, after = self.peek(ahead), self.peek(ahead + 1).kind
            shared = {key_of(s) for s in mark.senses if s.columns} & {key_of(s) for s in other.senses if s.columns}
            last = self.out.tests[-1][-1].term.slot if self.out.tests else None
            apart = other.kind != "value" or other.start != self.peek(ahead - 1).end or after in ("table", "column")
            if apart or not shared or last is None:
                return
            first = self.out.slots[last]
            self.out.slots[last] = replace(first, senses=tuple(s for s in first.senses if key_of(s) in shared))
            self.at += ahead + 1
            senses = tuple(s for s in other.senses if key_of(s) in shared)
            added = self.slot(replace(other, senses=senses), self.about())
            self.out.slots[added] = replace(self.out.slots[added], prep=first.prep)
            self.negated = self.out.tests[-1][-1].negated
            self.test(Test(Term(added), "is"))
            mark = replace(other, senses=senses)

    def called(self, mark: Mark, thing: int) -> None:
        """Read a quoted value that is not in the data: it is taken for the name of a row of the table in slot `thing`.

        Two words are taken for a first and a last name if the table has columns for both.
        """
        if mark.argument != "quoted" or not self.out.slots[thing].senses or self.after("fill").kind == "table":
            raise Stuck(mark)
        self.out.doubt += 0.3
        words = mark.text.split()
        senses = [s for s in self.out.slots[thing].senses if not s.columns]
        people = [(s, pair) for s in senses for pair in person_names(s.table)]
        if len(words) == 2 and people:
            for place, word in enumerate(words):
                named = tuple(Sense(s.table, (pair[place],), s.score, word) for s, pair in people)
                self.test(Test(Term(self.slot(replace(mark, senses=named), thing, True)), "is"))
            return
        named = tuple(
            Sense(s.table, columns, s.score, mark.text)
            for s in senses
            for columns in [name_columns(s.table)]
            if len(columns) == 1 and not is_number(columns[0])
        )
        if not named:
            raise Stuck(mark)
        self.test(Test(Term(self.slot(replace(mark, senses=named), thing, True)), "is"))

    def table_said(self) -> None:
        """Read a table in a condition: join it, or after a negation require that there is no such row."""
        if self.beside():
            return
        if self.negated:
            self.absence()
            return
        before = mark_at(self.marks, self.at - 1)
        shown = next((t.slot for t in self.out.outputs if not t.counts), None)
        if shown is not None and any(s.columns for s in self.out.slots[shown].senses[:1]):
            self.no_two_lists(shown)
        slot = self.thing(self.take(), self.about())
        described = self.peek().kind == "column" and before.kind != "value"
        if self.accept("own") is None and described and not self.column_condition(self.peek()):
            raise Stuck(self.peek())
        if self.peek().kind == "value":
            value = self.take()
            if value.senses:
                self.test(Test(Term(self.slot(value, slot, True)), "is"))
            else:
                self.called(value, slot)
        elif self.peek().kind == "number" and not is_recent_year(self.peek()):
            self.numbered_thing(slot)

    def no_two_lists(self, slot: int | None) -> None:
        """Raise `Stuck` for "the phone numbers of customers and staff", which asks for two lists.

        `slot` is what is shown, or None for all columns.
        """
        ahead = 1
        while self.peek(ahead).kind in ("and", "fill", "all"):
            ahead += 1
        both = self.peek(1).kind == "and" and self.peek(ahead).kind == "table"
        if both and self.peek(ahead + 1).kind not in ("own", "column"):
            tables = [paths_of(mark.senses) for mark in (self.peek(), self.peek(ahead))]
            shown = paths_of(self.out.senses_at(slot))
            if slot is None or all(shown & found for found in tables):
                raise Stuck(self.peek(ahead))

    def beside(self) -> bool:
        """Read "countries that border France": a test for a symmetric relation (see `joins.pairs`).

        Return False if it is something else.
        """
        mark, ahead = self.peek(), 1
        while self.peek(ahead).kind in ("prep", "fill") and self.peek(ahead).argument in ("", "of", "with", "to"):
            ahead += 1
        value, things = self.peek(ahead), self.out.senses_at(self.out.focus)
        if value.kind != "value" or not is_mutual(mark.text):
            return False
        tables = {
            s.table.path for s in things if not s.columns and [*pair_tables(self.lexicon.tables, s.table, mark.text)]
        }
        names = tuple(s for s in value.senses if s.table.path in tables and s.columns == name_columns(s.table))
        if not names:
            return False
        self.at += ahead + 1
        if self.peek().kind in ("and", "or", "comma") and self.after("and", "or", "comma", "fill").kind == "value":
            raise Stuck(self.peek())  # "border France and Spain" may mean both or either
        one = Term(self.slot(replace(value, senses=names)))
        self.test(Test(Term(self.out.focus), "beside", (one, mark.text)))
        return True

    def numbered_thing(self, slot: int) -> None:
        """Read the number after a table as its key or another value in it: "room 105", "store 1"."""
        mark = self.take()
        if not (found := self.numbers_of(slot, mark)):
            raise Stuck(mark)
        self.test(Test(Term(self.slot(replace(mark, senses=found), slot, True)), "is"))
