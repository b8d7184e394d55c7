"""Read questions for yes or no: "are there any orders from Rome", "has Ann rented Heat", "is Bob a member".

Each is read as "how many", and the query says whether there is any (`Draft.whether`).
"""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.adding import Adding
from askwhere.reader.grammar.cursor import Stuck
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.marking.marks import Mark, names_verb
from askwhere.reader.marking.records import tables_of_act
from askwhere.reader.schema.naming import is_name
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import BEING, HAVING
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.verbs import AUXILIARY

# Questions that begin so ask for yes or no, not for rows.
_ASKS_WHETHER = AUXILIARY | BEING | HAVING
_EXISTS = ("there", "we", "i", "you")


class Whether(Adding):
    """The part of the grammar that reads how a question for yes or no begins."""

    def asks_whether(self) -> bool:
        """Return whether the question begins as one for yes or no."""
        return bool(self.marks) and self.marks[0].text.split()[0] in _ASKS_WHETHER

    def whether(self) -> None:
        """Read a question for yes or no up to its conditions: the thing of which there must be a row is its output.

        Raise `Stuck` where it does not ask for rows of a thing: "are all orders paid".
        """
        first = self.take()
        self.out.whether = True
        exists = bool(set(first.text.split()[1:]) & set(_EXISTS))
        if exists:
            self.skip("fill", "have")
            if self.peek().kind == "all" and self.peek().text not in ("any", "some", "any kind of"):
                raise Stuck(self.peek())
            self.outputs()
        else:
            self.skip("fill")
            subject = self.peek()
            if subject.kind != "value" or not subject.senses:
                raise Stuck(subject)
            self.take()
            self.skip("fill")
            self.out.outputs.append(Term(self.predicate(subject, first)))
        shown = self.out.outputs
        if len(shown) != 1 or shown[0].counts or shown[0].slot is None or self.out.limit is not None:
            raise Stuck(first)
        if self.out.slots[shown[0].slot].senses[0].columns:
            raise Stuck(first)
        self.out.outputs = [Term(shown[0].slot, rows=True)]

    def predicate(self, subject: Mark, first: Mark) -> int:
        """Read the predicate of "is Ann …", about a value, and return the slot of the thing that must have a row."""
        mark = self.peek()
        if mark.kind == "have":
            self.take()
            self.skip("fill", "all")
            if first.text.split()[0] not in AUXILIARY:
                raise Stuck(self.peek())
            shown = list[Term]()
            if self.peek().kind not in ("table", "value", "column") or not self.item(shown) or self.out.focus is None:
                raise Stuck(self.peek())
            return self.owned(subject, self.out.focus, "have")
        if names_verb(mark):
            return self.done_by(subject, self.take())
        if mark.kind == "table" and is_singular(mark.text):
            slot = self.thing(self.take())
            named = [s for s in subject.senses for t in self.out.slots[slot].senses if s.table is t.table]
            return self.owned(replace(subject, senses=tuple(s for s in named if is_name(s))), slot, "")
        if mark.kind == "value":  # "is Bob a goalkeeper"
            tables = [s.table for s in mark.senses]
            things = tuple(Sense(s.table) for s in subject.senses if s.table in tables and is_name(s))
            slot = self.thing(replace(subject, kind="table", senses=things)) if things else -1
            if slot < 0:
                raise Stuck(mark)
            self.owned(replace(subject, senses=tuple(s for s in subject.senses if is_name(s))), slot, "")
            return self.owned(self.take(), slot, "")
        raise Stuck(mark)

    def done_by(self, subject: Mark, verb: Mark) -> int:
        """Read what follows "has Ann rented", and return the slot of the rows that record it, or of its object."""
        done = tables_of_act(self.lexicon.tables, stem(verb.text))
        start = self.at
        self.skip("fill", "all")
        tables = paths_of(self.peek().senses) if self.peek().kind == "table" else set()
        if tables & paths_of(done) or (tables and not done):
            slot = self.thing(self.take())
        elif done:
            self.at = start
            slot = self.thing(replace(verb, kind="table", senses=done))
        else:
            raise Stuck(verb)
        return self.owned(subject, slot, "")

    def owned(self, value: Mark, slot: int, how: str) -> int:
        """Add the test that the thing in `slot` has a value, and return that slot. Raise `Stuck`."""
        if not value.senses:
            raise Stuck(value)
        said = self.slot(value, slot, not how)
        self.out.slots[said] = replace(self.out.slots[said], prep=how or self.out.slots[said].prep)
        self.test(Test(Term(said), "is"))
        self.skip("fill")
        return slot
