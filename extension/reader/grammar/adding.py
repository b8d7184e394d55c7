"""Read outputs that are added later: "… and their ages", "cancelled orders: number and date", a second request."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from askwhere.reader.grammar.cursor import CLAUSE_ENDS, SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.draft import Key, Term
from askwhere.reader.grammar.showing import COLONS, Showing
from askwhere.reader.marking.marks import Mark, is_timely, key_of
from askwhere.reader.schema.senses import paths_of
from askwhere.reader.words.english import WHOLE_NAMES
from askwhere.reader.words.types import is_number

_ENDS = (*SENTENCE_ENDS, "prep", "when", "days")  # what may stand behind "by revenue", where nothing sorts
_SHOWN = ("column", "count", "agg", "table", "money", "times", "elapsed", "lateness", "computed", "excess")
_LISTED = ("column", "table", "count", "agg", "and", "comma", "fill", "their", "own", "stop")
COUNTS = frozenset("count counts number numbers figure figures".split())
AMOUNTS = frozenset("amount amounts total totals sum sums figure figures".split())
FIGURES = COUNTS | AMOUNTS
_SUBJECTS = ("they", "he", "she", "it", "who")


class Adding(Showing):
    """The part of the grammar that tells further outputs from conditions, and reads them."""

    def joined(self) -> None:
        """Read a comma or "and", and the output after it, if it is one and not a condition.

        After a colon the outputs that follow replace those before it.
        """
        if self.out.outputs and self.peek().text in COLONS and self.peek(1).kind == "open":
            self.take()  # "…, oldest first - show the date"
            return
        self.without_figures()
        if self.out.outputs and (self.peek().text in COLONS or self.lists_to_end()):
            self.only()
            return
        saved = self.checkpoint()
        follow = self.after("and", "comma", "fill")
        subject = next((m for m in self.marks[self.at :] if m.start == follow.end), follow)
        if follow.kind == "table" and subject.text in _SUBJECTS:
            raise Stuck(follow)  # "trainers and the classes they teach" asks for both
        if self.begins_item() and follow.kind in _SHOWN:
            self.skip("and", "comma", "fill")
            tested = (follow.kind == "column" and self.column_condition(self.peek())) or (
                follow.kind == "agg" and self.aggregate_tested()
            )
            if tested:
                self.either = False
                return
            self.at = saved.at
            shown = follow.kind != "table" or subject.kind in ("column", "own")
            if shown and self.continue_outputs():
                return
            self.restore(saved)
        self.take()

    def without_figures(self) -> None:
        """Take "number", "total" and the like out of a list up to the end, where counts or sums are shown anyway.

        So does "points" in "points per user, name and points". What is left are the names: "loans per member, name".
        """
        rest = self.marks[self.at + 1 :]
        counted = [t for t in self.out.outputs if self.is_figure(t)]
        if not counted or not self.out.groups or not all(m.kind in _LISTED for m in rest):
            return
        shown = {key_of(s) for t in counted if t.slot is not None for s in self.out.slots[t.slot].senses if s.columns}
        words = {word for t in counted for word in (COUNTS if t.rows or t.agg == "count" else AMOUNTS)}
        figures = {
            i for i, m in enumerate(rest) if m.text in words or {key_of(s) for s in m.senses if s.columns} & shown
        }
        named = [m for i, m in enumerate(rest) if m.kind in ("column", "table") and i not in figures]
        if not figures or not named:
            return
        # With each figure goes the "and" before it, or behind it where the list begins with the figure.
        joined = {i - 1 if i else 1 for i in figures if rest[i - 1 if i else 1].kind in ("and", "comma")}
        kept = (m for i, m in enumerate(rest) if i not in figures | joined)
        self.marks = (*self.marks[: self.at + 1], *kept)

    def lists_to_end(self) -> bool:
        """Return whether names of columns follow up to the end: "claims over 3000, number and date", "…? date please".

        Behind a comma there are several, and a thing comes first only if conditions were read. Behind the column that
        the first few are chosen by they may be further keys: "top 3 by price, name and weight".
        """
        rest = [m for m in self.marks[self.at + 1 :] if m.kind not in ("fill", "their", "stop", "own")]
        rest = [m for m in rest if m.text != "please"]
        named = [m for m in rest if m.kind in ("column", "table")]
        keys = {self.out.slots[k.term.slot].start for k in self.out.order if k.term.slot is not None}
        keyed = self.out.limit is not None and self.peek(-1).start in keys and self.peek().kind != "stop"
        if keyed or not any(m.kind == "column" for m in named) or rest[0] not in named:
            return False
        if self.out.groups and any(m.text in ("number", "numbers") for m in named):
            return False  # "loans per member, name and number" may ask for the number of the member
        first = rest[0].kind == "column" or bool(self.out.tests)
        owned = sum(
            m.kind == "table" and after.kind == "column" for m, after in pairwise(rest)
        )  # "the customer's name"
        several = self.peek().kind == "stop" or (first and (len(named) - owned > 1 or rest[0].text in WHOLE_NAMES))
        return several and {m.kind for m in rest if m not in named} <= {"and", "comma", "lateness", "excess"}

    def only(self) -> None:
        """Read the outputs after a colon, "cancelled orders: number and date", in place of those before it.

        An aggregate before the colon is kept unless another follows.
        """
        mark = self.take()
        if self.out.whether:
            self.name_them()
        asked, self.out.outputs = self.out.outputs, []
        self.outputs()
        self.skip("fill", "open") if self.peek().text == "please" else self.skip("fill")
        if not self.out.outputs or self.peek().kind not in (*SENTENCE_ENDS, "order", "direction"):
            raise Stuck(mark)
        kept = [t for t in asked if self.is_figure(t) and not any(map(self.is_figure, self.out.outputs))]
        self.of_the_focus(self.out.outputs, self.grouped_thing() if kept else None)
        if kept and not self.out.groups and not any(t.slot in self.out.mentions for t in self.out.outputs):
            raise Stuck(mark)  # "total revenue in 2023 (order date)" is of no rows
        self.out.outputs += kept

    def is_figure(self, term: Term) -> bool:
        """Return whether a term is counted, or added up for each group."""
        return term.counts or (term.distinct and bool(self.out.groups))

    def grouped_thing(self) -> int | None:
        """Return the slot of the thing that something is counted or added up for, None for other groups."""
        things = [g for g in self.out.groups if not self.out.slots[g].senses[0].columns]
        return things[0] if len(things) == 1 else None

    def of_the_focus(self, terms: list[Term], grouped: int | None = None) -> None:
        """Give columns of no named owner to the thing asked for, where it has them: "latest order of each: status".

        The date of "latest order of each: date" is the one that says which is the latest. The name of "loans per
        member: name" is that of the `grouped` member.
        """
        thing = self.out.focus if grouped is None else grouped
        if thing is None:
            return
        things = paths_of(self.out.slots[thing].senses)
        ranked = self.out.slots[self.out.order[0].term.slot or 0].senses if self.out.order else ()
        dates = tuple(s for s in ranked if is_timely(s) and s.table.path in things)
        for place in (t.slot for t in terms if t.slot is not None and not t.counts):
            slot = self.out.slots[place]
            senses = dates if dates and slot.text in ("date", "dates") else slot.senses
            if slot.owner is None and any(s.columns and s.table.path in things for s in senses):
                self.out.slots[place] = replace(slot, senses=senses, owner=thing, firm=True)

    def continue_outputs(self) -> bool:
        """Read outputs after a condition, "…, and their ages"; return False for a column without "their"."""
        mark = self.after("and", "comma", "fill")
        their = any(m.kind == "their" or "corresponding" in m.text for m in self.marks[self.at : self.at + 4])
        if mark.kind == "column" and not their and not self.ends_with(mark):
            return False
        self.more()
        return True

    def ends_with(self, column: Mark) -> bool:
        """Return whether a column ends a question about things, "who taught a course and the course code"."""
        behind = self.marks[self.marks.index(column) + 1 :][:1]
        said = any(m.text == "the" for m in self.marks[self.at : self.at + 2])
        return said and not self.out.order and all(m.kind == "stop" for m in behind) and not self.flags(column)

    def more(self) -> None:
        """Read further outputs; raises `Stuck` if there are none."""
        by = self.marks[self.at - 1].text == "by" and not self.out.order and not self.out.groups
        self.skip("and", "comma", "fill", "their", "all")
        before = len(self.out.outputs)
        self.outputs()
        if len(self.out.outputs) == before:
            raise Stuck(self.peek())
        if by and self.out.outputs[-1].counts and self.after("fill").kind in _ENDS:
            self.out.order.append(Key(self.out.outputs[-1], True))  # "customers by revenue": the greatest first

    def counts_said(self) -> bool:
        """Read "number" behind "stores with more than 2 employees and their": the count that was compared is shown."""
        compared = [t.term for group in self.out.tests for t in group if t.term.rows]
        ends = self.peek().text in ("number", "numbers", "count") and self.peek(1).kind in SENTENCE_ENDS
        if not ends or len(compared) != 1:
            return False
        self.take()
        self.out.outputs.append(compared[0])
        return True

    def more_outputs(self) -> None:
        """Read "and their ages" or "and the number of pets" as outputs, or as a condition if they are compared."""
        mark = self.peek()
        if mark.kind == "their":
            prep = self.marks[self.at - 1]
            if prep.kind == "and" and self.out.order and self.out.limit is None:
                raise Stuck(mark)  # "ordered by the year they were built and their class": a sort key or an output
            self.take()
            if self.counts_said():
                return
            if prep.kind == "prep" and prep.argument != "with":  # "the treatments of his dogs"
                if self.peek().kind != "table":
                    raise Stuck(mark)
                return
            if self.peek().kind == "column" and self.column_condition(self.peek()):
                return
            if self.marks[self.at - 2].kind not in ("and", "comma", "prep") or not self.out.outputs:
                raise Stuck(mark)
            self.more()
            return
        if self.marks[self.at - 1].kind in ("and", "comma", "prep", "fill", "order") and self.having_count():
            return
        before = next((m.kind for m in reversed(self.marks[: self.at]) if m.kind not in ("fill",)), "")
        if before in ("and", "comma", "prep", "stop"):
            self.more()
            return
        raise Stuck(mark)

    def having_count(self) -> bool:
        """Read a condition on a count, "with the number of concerts above 3"; return False if it is none."""
        saved = self.checkpoint()
        self.take()
        self.skip("fill", "distinct", "all")
        if self.peek().kind == "table":
            term = Term(self.slot(self.take(), self.current), rows=True)
            self.skip("be", "fill")
            if self.peek().kind in ("comp", "between"):
                self.out.mentions.append(term.slot or 0)
                self.comparison(term)
                return True
        self.restore(saved)
        return False

    def aggregated(self) -> None:
        """Read an aggregate as a condition, "whose average score is above 5", or else as one more output."""
        if self.aggregate_tested():
            return
        only = self.out.only_output
        if self.peek(1).kind in SENTENCE_ENDS and self.peek().argument in ("avg", "") and self.is_numbered(only):
            self.take()
            self.out.outputs = [replace(only, agg="avg")]  # "how old are the students on average"
            return
        before = next((m.kind for m in reversed(self.marks[: self.at]) if m.kind not in ("fill", "their")), "")
        if before in ("and", "comma", "stop", "prep"):
            self.more()
            return
        raise Stuck(self.peek())

    def is_numbered(self, term: Term) -> bool:
        """Return whether a term is a plain column of numbers."""
        senses = self.out.slots[term.slot].senses if term.slot is not None and not term.counts else ()
        return bool(senses) and all(s.columns and is_number(s.column) for s in senses)

    def aggregate_tested(self) -> bool:
        """Read an aggregate that is compared, "total salary over 150", "total payments over 10"; False for others."""
        saved, said = self.checkpoint(), self.peek()
        names, found = self.agg_names(), list[Term]()
        self.skip("fill", "prep")
        if self.peek().kind == "column" and len(names) == 1:
            found = [Term(self.slot(self.take(), self.about()), agg=names[0])]
        elif self.peek().kind == "table" and names == ["sum"]:
            self.totalled(said, found)
        if found and self.tested(found[0]):
            return True
        self.restore(saved)
        return False

    def asks_for_pairs(self) -> bool:
        """Read the thing behind "who teaches which": it is shown as well. Return False where more than it follows."""
        if self.peek().kind != "table" or self.peek(1).kind not in CLAUSE_ENDS:
            return False
        slot = self.thing(self.take())
        self.out.mentions.append(slot)
        self.out.outputs.append(Term(slot))
        return True

    def asked_again(self) -> None:
        """Read a second request: "Which student is the oldest? Give me the name and age."

        Its outputs replace those of the first one if these are tables only, unless it begins with "and"; else they are
        added.
        """
        mark = self.take()
        if self.out.whether and self.after("stop", "fill", "be", "number").kind == "end":
            self.skip("fill", "be", "number")
            self.name_them()  # "has anyone no loans? which ones"
            return
        if mark.text in ("whose",):
            return
        before = self.marks[self.at - 2].kind
        if before not in ("stop", "open", "fill", "and", "comma"):
            if mark.text in ("which", "what") and before != "prep" and self.out.outputs and self.asks_for_pairs():
                return
            if mark.text.split()[-1] in ("which", "who", "what") or mark.text.split()[0] in ("who", "which"):
                return
            raise Stuck(mark)
        more = any(m.kind == "and" for m in self.marks[self.at - 3 : self.at])  # "And what is its price?"
        self.skip("open", "fill", "all", "their")
        self.ranked_by = None
        asked, self.out.outputs = self.out.outputs, []
        self.outputs()
        plain = all(not t.counts and t.slot is not None and not self.out.slots[t.slot].senses[0].columns for t in asked)
        if not self.out.outputs or (more and not asked):
            raise Stuck(mark)
        if not (more or plain) and self.marks[0].text.split()[0] == "who":
            raise Stuck(mark)  # "Who is the head of …? Give me the name": it is unclear whose name
        if more or not plain:
            again = {key for t in self.out.outputs for key in self.named_by(t)}
            self.out.outputs = [t for t in asked if not self.named_by(t) & again] + self.out.outputs

    def name_them(self) -> None:
        """Show the things themselves where the question first asked whether there are any."""
        self.out.whether = False
        self.out.outputs = [replace(t, rows=False) for t in self.out.outputs]

    def named_by(self, term: Term) -> set[tuple[object, ...]]:
        """Return the columns, as (table, name), that a term without an aggregate may show."""
        if term.counts or term.slot is None:
            return set()
        return {key_of(s) for s in self.out.slots[term.slot].senses if s.columns}
