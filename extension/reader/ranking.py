"""Orders and superlatives: what things are sorted by, and which come first."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.cursor import Cursor, Stuck
from askwhere.reader.draft import Key, Term
from askwhere.reader.lexicon import Sense
from askwhere.reader.marks import Mark, is_numeric, is_timely, key_of, names_a_key
from askwhere.reader.measures import AMOUNT, SIZE, SIZES, Measure
from askwhere.reader.money import SPENDING, sums_of
from askwhere.reader.names import name_stems
from askwhere.reader.naming import name_columns
from askwhere.reader.sequence import own_dates
from askwhere.reader.tokens import stem
from askwhere.reader.types import is_dated, is_text, is_year

COUNTING = ("most", "the most", "least", "the least", "fewest", "the fewest")
_PLACES = ("rank", "place", "stand")


class Ranking(Cursor):
    """Reads what things are ranked by."""

    def rank(self, term: Term, descending: bool) -> None:
        """Sort by a term and show only the first."""
        if self.out.order:
            raise Stuck(self.peek(-1))
        self.out.order.append(Key(term, descending))
        if self.out.limit is None:
            self.out.limit = 1

    def place_of_order(self) -> None:
        """ "the second …": what comes after that many others; `settle` refuses it when nothing says in which order"""
        mark = self.take()
        if self.out.passed or self.peek().kind not in ("sup", "superlative", "supcount", "common", "sold"):
            raise Stuck(mark)
        self.out.passed = int(mark.argument) - 1

    def superlative(self) -> None:
        """ "with the highest budget", "has the most concerts" """
        mark = self.take()
        before = self.marks[self.at - 2].text if self.at > 1 else ""
        if before == "at":
            raise Stuck(mark)
        if self.peek().kind == "number":
            self.out.limit = int(self.take().number or 1)
            if self.peek().kind == "table":  # "least two" is no "at least two", but may have been meant so
                raise Stuck(self.peek())
        self.skip("fill", "distinct", "their")
        down = mark.argument == "max"
        follow = self.peek()
        if follow.kind == "count":
            self.take()
            self.skip("fill", "all", "distinct")
            follow = self.peek()
            if follow.kind == "table" or (follow.kind == "column" and not is_numeric(follow)):
                self.counted(down)
                return
        if follow.kind in ("agg", "average"):
            name = self.agg_names()[0]
            self.skip("fill", "prep")
            if self.peek().kind == "column":
                self.rank(Term(self.slot(self.take(), self.about()), agg=name), down)
                return
        if follow.kind == "money":
            self.rank(self.money(), down)
            return
        verb = stem(self.marks[self.at - 2].text) if self.at > 1 else ""
        if mark.text in COUNTING and verb in SPENDING and follow.kind in ("end", "stop", "prep"):
            self.rank(self.money(replace(mark, senses=sums_of(self.lexicon))), down)
            return
        if follow.kind == "column":
            if before == "by" or (mark.text in COUNTING and names_a_key(follow)):
                raise Stuck(follow)  # "spoken by most people" ranks nothing, and "most employees" no number of one
            if mark.text in ("most", "the most", "least", "fewest", "the least", "the fewest") and not is_numeric(
                follow
            ):
                raise Stuck(follow)
            if is_text(follow.senses[0].column) and follow.senses[0].columns == name_columns(follow.senses[0].table):
                raise Stuck(follow)  # "the largest city" is not the last by its name
            if name_stems(follow.senses[0].column.name)[-1] in _PLACES:
                raise Stuck(follow)  # the highest rank is the first, or the greatest number
            self.rank(Term(self.slot(self.take(), self.about()), distinct=mark.text in COUNTING), down)
        elif follow.kind == "table" and mark.text in COUNTING:
            self.counted(down)
        elif follow.kind == "table" and mark.text in SIZES:
            self.thing(self.take(), self.about())
            self.sized(mark)
        else:
            raise Stuck(follow)

    def sized(self, mark: Mark) -> None:
        """ "the largest city", "the largest city by area": by what is said, or what its size is measured in."""
        if self.peek().text == "by" and self.peek(1).kind == "column":
            self.take()
            self.rank(Term(self.slot(self.take(), self.about())), mark.argument == "max")
            return
        measure = SIZES[mark.text]
        if measure is SIZE and not self.has_measure(measure):
            measure = AMOUNT
        self.rank(Term(self.measured(replace(mark, measure=measure))), mark.argument == "max")

    def money(self, mark: Mark | None = None) -> Term:
        """What was sold, added up: of the next mark, or of one that says it otherwise."""
        said = mark or self.take()
        if not said.senses:
            raise Stuck(said)
        slot = self.slot(said, self.about())
        return Term(slot, agg="sum", money=True)

    def has_measure(self, measure: Measure) -> bool:
        """Whether the thing spoken of has a column of its own that is named by a measure."""
        about = self.about()
        tables = {s.table.path for s in self.out.slots[about].senses} if about is not None else set()
        return any(s.table.path in tables and s.columns for words in measure.words for s in self.lexicon.named(words))

    def counted(self, down: bool) -> None:
        """Rank by how many there are of a thing."""
        slot = self.slot(self.take(), self.about())
        if not self.out.slots[slot].senses[0].columns:
            self.out.mentions.append(slot)
            self.rank(Term(slot, rows=True), down)
        else:
            self.out.doubt += 0.1
            self.rank(Term(slot, agg="count"), down)

    def most(self) -> None:
        """ "the largest number of concerts" """
        mark = self.take()
        self.skip("fill", "all", "distinct")
        follow = self.peek()
        if follow.kind == "column" and is_numeric(follow) and not names_a_key(follow):
            self.rank(Term(self.slot(self.take(), self.about())), mark.argument == "max")
        elif follow.kind == "table" or (follow.kind == "column" and "amount" not in mark.text):
            self.counted(mark.argument == "max")
        else:
            raise Stuck(follow)

    def rank_by(self) -> None:
        """ "the oldest", and of what"""
        mark = self.take()
        if self.peek().kind == "column":
            if not {s.columns for s in self.peek().senses} & {s.columns for s in self.senses_of(mark)}:
                raise Stuck(mark)
            self.rank(Term(self.slot(self.take(), self.about())), mark.argument == "max")
            return
        thing = self.accept("table")
        if thing:
            self.thing(thing)
        measured, down = self.first_by(mark)
        if thing:
            self.measures(measured, thing)
        if self.peek().kind == "value":
            self.measures(measured, self.peek())
        self.rank(Term(measured), down)

    def first_by(self, mark: Mark) -> tuple[int, bool]:
        """The slot of what an adjective measures, and whether its greatest comes first: the oldest were born first."""
        if born := self.born(mark):
            return self.slot(replace(mark, senses=born), self.about(), True), mark.argument != "max"
        return self.measured(mark), mark.argument == "max"

    def born(self, mark: Mark) -> tuple[Sense, ...]:
        """The days of birth that tell who is the oldest, where people have no age."""
        thing = self.about()
        if mark.measure is None or mark.measure.words != (("age",),) or thing is None:
            return ()
        tables = {s.table.path for s in self.out.slots[thing].senses if not s.columns}
        if any(s.table.path in tables and s.score >= 0.45 for s in self.senses_of(mark)):
            return ()
        said = (("birth", "date"), ("birthday",), ("birth",))
        found = {
            key_of(s): s for words in said for s in self.lexicon.named(words) if s.table.path in tables and s.columns
        }
        return tuple(s for s in found.values() if is_dated(s.column) or is_year(s.column))

    def measures(self, measured: int, value: Mark) -> None:
        """ "the youngest dog": by what the dogs themselves are measured by, not whose they are nor what they have

        Failing that by what they refer to: "the tallest player", where players are people.
        """
        tables = {s.table.path for s in value.senses}
        parents = {key.target for s in value.senses for key in s.table.foreign_keys} if value.kind == "table" else set()
        slot = self.out.slots[measured]
        own = tuple(s for s in slot.senses if s.table.path in tables) or tuple(
            s for s in slot.senses if s.table.path in parents
        )
        if not own:
            raise Stuck(value)
        self.out.slots[measured] = replace(slot, senses=own)

    def rank_common(self) -> None:
        """ "that is most common": by how often it occurs"""
        mark = self.take()
        self.skip("fill")
        if self.peek().kind in ("column", "table") or self.unsaid_by_whom():
            raise Stuck(self.peek())
        self.rank(Term(None, rows=True), mark.argument == "max")

    def unsaid_by_whom(self) -> bool:
        """Whether "that is most common" says how often others have a thing, and these are not named."""
        thing = self.out.focus is not None and self.marks[self.at - 2].kind in ("be", "rel", "fill")
        counted = any(m.kind == "table" for m in self.marks[self.at :])
        return thing and not counted and not (self.out.several and self.current == self.out.focus)

    def senses_of(self, mark: Mark) -> tuple[Sense, ...]:
        """The columns that an adjective may measure."""
        if mark.measure is None:
            raise Stuck(mark)
        found = [s for words in mark.measure.words for s in self.lexicon.named(words) if s.columns]
        # Which of several measures is meant is not for the spelling of their names to say, but what is named after
        # another thing, as a film's `rental_duration` is, comes last.
        # And what a thing costs those who sell it is not its price.
        paid = any("cost" not in name_stems(s.column.name) for s in found)
        return tuple(
            replace(s, score=(0.9 if s.score >= 0.5 else s.score * 0.9) * self.less_likely(s, paid)) for s in found
        )

    def less_likely(self, sense: Sense, paid: bool) -> float:
        """What is left of the score of a column that is named after another thing, or after a cost where others are."""
        return (0.85 if self.of_another(sense) else 1.0) * (
            0.7 if paid and "cost" in name_stems(sense.column.name) else 1.0
        )

    def of_another(self, sense: Sense) -> bool:
        """Whether a column's name begins with the name of another table than its own."""
        first = name_stems(sense.column.name)[:1]
        named = [s for s in self.lexicon.find(first) if not s.columns and s.score >= 0.95]
        return bool(named) and all(s.table is not sense.table for s in named)

    def measured(self, mark: Mark) -> int:
        """The slot of the column that an adjective measures.

        "The latest order" is by a date of its own if it has one, not by when it was shipped.
        """
        senses = tuple(
            s for s in self.senses_of(mark) if not is_timely(s) or s.column in (own_dates(s.table) or s.columns)
        )
        things = self.out.slots[thing].senses if (thing := self.about()) is not None else ()
        tables = {s.table.path for s in things if not s.columns}
        mine = tuple(s for s in senses if s.table.path in tables and is_timely(s))
        if not senses:
            raise Stuck(mark)
        return self.slot(replace(mark, senses=mine or senses), thing, True)

    def sorting(self) -> None:
        """ "ordered by age and name in descending order" """
        mark = self.take()
        self.skip("fill")
        before = self.accept("direction")
        self.skip("fill", "all")
        if self.peek().kind == "spread":
            return
        if before and self.peek().text in ("of", "by", "with"):
            self.take()
        if self.peek().kind in ("end", "stop"):
            if mark.argument and self.out.order and self.out.limit is None:  # "ordered by area in descending"
                self.out.order[-1] = replace(self.out.order[-1], descending=mark.argument == "desc")
                return
            if mark.argument or before:
                self.sort_outputs((before.argument if before else mark.argument) == "desc")
                return
            raise Stuck(mark)
        down = mark.argument == "desc"
        while True:
            term = self.key()
            after = self.accept("direction")
            if after or before:
                down = (after or before or mark).argument == "desc"
            self.out.order.append(Key(term, down))
            if self.after("and", "comma", "fill").kind == "their":
                raise Stuck(self.peek())  # one more thing to sort by, or to show?
            if self.peek().kind not in ("and", "comma") or self.after("and", "comma", "fill").kind not in (
                "column",
                "direction",
            ):
                return
            if self.after("and", "comma", "fill").kind == "direction":
                self.skip("and", "comma", "fill")
                self.out.order[-1] = replace(self.out.order[-1], descending=self.take().argument == "desc")
                return
            self.skip("and", "comma", "fill")

    def key(self) -> Term:
        """What to sort by: a column, an aggregate of one, a count, or what an adjective measures."""
        self.skip("fill", "their", "all", "distinct")
        mark = self.peek()
        if mark.kind == "money":
            return self.money()
        if mark.kind == "count":
            self.take()
            self.skip("fill", "all", "their", "distinct")
            if self.peek().kind == "column" and is_numeric(self.peek()):
                return Term(self.slot(self.take(), self.about()))
            if self.peek().kind != "table":
                raise Stuck(self.peek())
            slot = self.slot(self.take(), self.about())
            self.out.mentions.append(slot)
            return Term(slot, rows=True)
        if mark.kind in ("agg", "sup", "average"):
            name = self.agg_names()[0]
            self.skip("fill")
            if self.peek().kind != "column":
                raise Stuck(self.peek())
            return Term(self.slot(self.take(), self.about()), agg=name)
        if mark.kind == "table" and self.peek(1).kind in ("own", "column"):
            owner = self.slot(self.take(), self.about())
            self.accept("own")
            if self.peek().kind == "column":
                return Term(self.slot(self.take(), owner, True))
            raise Stuck(self.peek())
        if mark.kind == "column":
            slot = self.slot(self.take(), self.about())
            self.skip("prep") if self.after("prep", "fill", "their").kind in ("table",) else None
            self.skip("fill", "their") if self.peek().kind in ("fill", "their") else None
            if self.peek().kind == "table" and self.marks[self.at - 1].kind in ("prep", "fill", "their"):
                owner = self.slot(self.take(), self.about())
                self.out.slots[slot] = replace(self.out.slots[slot], owner=owner, firm=True)
            return Term(slot)
        raise Stuck(mark)

    def direction(self) -> None:
        """ "in descending order", of what was named before or comes after"""
        mark = self.take()
        if (self.peek().kind == "prep" and self.peek().argument in ("of", "by")) or self.peek().kind == "order":
            self.take()
            self.out.order.append(Key(self.key(), mark.argument == "desc"))
        elif self.out.order and self.out.limit is None:
            self.out.order[-1] = replace(self.out.order[-1], descending=mark.argument == "desc")
        else:
            self.sort_outputs(mark.argument == "desc")

    def spread(self) -> None:
        """ "from youngest to oldest", which says by what as well as which way"""
        mark = self.take()
        if self.out.limit is not None:
            raise Stuck(mark)
        down = mark.argument == "desc"
        if self.out.order:
            slot = self.out.order[-1].term.slot
            aged = mark.measure is not None and mark.measure.words == (("age",),)
            timed = slot is not None and bool(senses := self.out.slots[slot].senses) and is_timely(senses[0])
            # What is oldest has the greatest age, but the first date.
            self.out.order[-1] = replace(self.out.order[-1], descending=down != (aged and timed))
        else:
            self.out.order.append(Key(Term(self.measured(mark)), down))

    def sort_outputs(self, down: bool) -> None:
        """Sort by the first thing that is shown."""
        if not self.out.outputs:
            raise Stuck(self.peek(-1))
        first = next((t for t in self.out.outputs if t.counts), self.out.outputs[0])
        if self.peek(-1).text.endswith("first"):  # "highest first": by what is counted, or the last thing shown
            first = first if first.counts else self.out.outputs[-1]
            self.out.order.append(Key(first, down))
            return
        self.out.order.append(Key(self.out.outputs[0], down))
