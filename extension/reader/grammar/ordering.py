"""Read orders: what all rows are sorted by, and in which direction."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.amounts import WORTH
from askwhere.reader.grammar.cursor import SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.draft import Key, Term
from askwhere.reader.grammar.measuring import Measuring
from askwhere.reader.marking.first import FIRST
from askwhere.reader.marking.formulas import dates_of
from askwhere.reader.marking.marks import Mark, is_numeric, is_timely
from askwhere.reader.schema.naming import events, own_dates
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.measures import MEASURES, SIZES
from askwhere.reader.words.types import is_number
from askwhere.reader.words.verbs import names_an_act

# Words of "from … to …" that say by how much of something, and no alphabet.
_DEGREES = frozenset(
    "most least fewest high highest low lowest large largest small smallest best worst late latest early earliest"
    " newest oldest".split()
)
_AMOUNTS = _DEGREES - set("best worst late latest early earliest newest oldest".split())


class Ordering(Measuring):
    """The part of the grammar that reads sort keys and directions, and adds them to the draft."""

    def sorting(self) -> None:
        """Read the sort keys and directions after "ordered by": "ordered by age and name in descending order"."""
        mark = self.take()
        self.skip("fill")
        before = self.accept("direction")
        self.skip("fill", "all")
        if self.peek().kind == "spread":
            return
        if before and self.peek().text in ("of", "by", "with"):
            self.take()
        if self.peek().kind in SENTENCE_ENDS:
            self.direction_alone(mark, before)
        else:
            self.sort_keys(mark.argument == "desc", before)

    def direction_alone(self, mark: Mark, before: Mark | None) -> None:
        """Apply a direction that no sort key follows to the last key, "ordered by area in descending", or the outputs.

        `before` is the mark of the direction if it is one of its own.
        """
        if mark.argument and self.out.order and self.out.limit is None:
            self.out.order[-1] = replace(self.out.order[-1], descending=mark.argument == "desc")
        elif mark.argument or before:
            self.sort_outputs((before.argument if before else mark.argument) == "desc")
        else:
            raise Stuck(mark)

    def sort_keys(self, down: bool, before: Mark | None) -> None:
        """Read sort keys up to the last, each with its direction, or else that `before` them."""
        while True:
            term = self.key()
            if said := self.accept("direction") or before:
                down = said.argument == "desc"
            self.out.order.append(Key(term, down))
            follow = self.after("and", "comma", "fill")
            if follow.kind == "their":
                raise Stuck(self.peek())  # "and their …" may be one more sort key or one more output
            if self.peek().kind not in ("and", "comma") or follow.kind not in ("column", "direction"):
                return
            self.skip("and", "comma", "fill")
            if follow.kind == "direction":
                self.out.order[-1] = replace(self.out.order[-1], descending=self.take().argument == "desc")
                return

    def key(self) -> Term:
        """Return the term to sort by: a column, an aggregate of one, a number or share of rows, or revenue."""
        self.skip("fill", "their", "all", "distinct")
        mark = self.peek()
        if mark.kind in ("money", "margin", "computed"):
            return self.money() if mark.kind == "money" else self.formula()
        if mark.kind == "count":
            return self.key_of_rows()
        if mark.kind == "percent":
            return self.ranking_share()
        if mark.kind in ("agg", "sup", "average"):
            return self.key_of_aggregate()
        if self.peek(1).text in WORTH and (amount := self.amount_of("sum")) is not None:
            return amount
        if mark.kind == "table" and self.peek(1).kind in ("own", "column"):
            owner = self.slot(self.take(), self.about())
            self.accept("own")
            return Term(self.slot(self.expect_column(), owner, True))
        if mark.kind == "column":
            return Term(self.key_of_column())
        raise Stuck(mark)

    def ranking_share(self) -> Term:
        """Read "failure rate" or "share of late orders", by which things are sorted."""
        found: list[Term] = []
        self.share(found)
        return found[0]

    def expect_column(self) -> Mark:
        """Return the mark of the column that comes next, and move past it. Raise `Stuck` at any other."""
        if self.peek().kind != "column":
            raise Stuck(self.peek())
        return self.take()

    def key_of_rows(self) -> Term:
        """Read "number of concerts", or a column of numbers behind "number of"."""
        self.take()
        self.skip("fill", "all", "their", "distinct")
        if self.peek().kind == "column" and is_numeric(self.peek()):
            return Term(self.slot(self.take(), self.about()))
        if self.peek().kind != "table":
            raise Stuck(self.peek())
        slot = self.slot(self.take(), self.about())
        self.out.mentions.append(slot)
        return Term(slot, rows=True)

    def key_of_aggregate(self) -> Term:
        """Read "average price", or "total payments", whose table has one column of amounts."""
        name = self.agg_names()[0]
        self.skip("fill")
        if (amount := self.amount_of(name)) is not None:
            return amount
        return Term(self.slot(self.expect_column(), self.about()), agg=name)

    def key_of_column(self) -> int:
        """Read a column, with the thing that has it where that follows, "price of the item", and return its slot."""
        slot = self.slot(self.done_on(self.take()), self.about())
        if self.after("prep", "fill", "their").kind == "table":
            self.skip("prep")
        self.skip("fill", "their")
        if self.peek().kind == "table" and self.marks[self.at - 1].kind in ("prep", "fill", "their"):
            owner = self.slot(self.take(), self.about())
            self.out.slots[slot] = replace(self.out.slots[slot], owner=owner, firm=True)
        return slot

    def done_on(self, date: Mark) -> Mark:
        """Read "they were formed" behind a date, and return the date's mark with the senses that say so."""
        ahead = 0
        while self.peek(ahead).kind in ("fill", "be", "have"):
            ahead += 1
        verb = self.peek(ahead)
        about = {m.text for m in self.marks[self.at : self.at + ahead]} & {"they", "it", "he", "she"}
        dates = dates_of(replace(verb, senses=()), self.lexicon) if about and names_an_act(verb.text or "-") else ()
        if not dates or not any(is_timely(s) for s in date.senses):
            return date
        self.at += ahead + 1
        return replace(date, senses=dates)

    def direction(self) -> None:
        """Read "in descending order" for the sort key before it, or for the key after it, or for the first output."""
        mark = self.take()
        if mark.argument.startswith(FIRST):
            self.first = mark
            return
        if (self.peek().kind == "prep" and self.peek().argument in ("of", "by")) or self.peek().kind == "order":
            self.take()
            self.out.order.append(Key(self.key(), mark.argument == "desc"))
        elif self.out.order and self.out.limit is None:
            self.out.order[-1] = replace(self.out.order[-1], descending=mark.argument == "desc")
        else:
            self.sort_by_degree(mark)

    def spread(self) -> None:
        """Read "from youngest to oldest", which gives the direction, and the column unless an order was read before."""
        mark = self.take()
        if self.out.limit is not None:
            raise Stuck(mark)
        down = mark.argument == "desc"
        if self.out.order:
            slot = self.out.order[-1].term.slot
            aged = mark.measure is not None and mark.measure.words == (("age",),)
            timed = slot is not None and bool(senses := self.out.slots[slot].senses) and is_timely(senses[0])
            # The oldest have the greatest age but the earliest date.
            self.out.order[-1] = replace(self.out.order[-1], descending=down != (aged and timed))
        else:
            key = self.adjective_first(mark)
            self.out.order.append(key or Key(Term(self.measured(mark)), down))

    def adjective_first(self, mark: Mark) -> Key | None:
        """Return the key that "cheapest first" sorts by, the price; None where the thing has no such column."""
        measure = mark.measure
        thing = self.out.focus if self.out.focus is not None else self.about()
        if thing is None and self.out.outputs:
            thing = self.out.outputs[0].slot
        if measure is None or thing is None:
            return None
        tables = paths_of(self.out.slots[thing].senses)
        said = replace(mark, kind="superlative", measure=measure, argument=measure.end)
        if measure.words == (("age",),) and not self.born(said) and not self.is_measured(said, tables):
            said = replace(said, measure=MEASURES[("earliest",)][1], argument="min" if measure.end == "max" else "max")
        if not self.born(said) and not any(s.table.path in tables for s in self.senses_of(said)):
            dates = [Sense(s.table, (own_dates(s.table) or events(s.table))[:1]) for s in self.out.slots[thing].senses]
            dates = [s for s in dates if s.columns and said.measure is not None and ("date",) in said.measure.words]
            slot = self.slot(replace(said, senses=tuple(dates)), thing, True) if dates else None
            return Key(Term(slot), said.argument == "max") if dates else None
        slot, down = self.first_by(said)
        own = tuple(s for s in self.out.slots[slot].senses if s.table.path in tables)
        self.out.slots[slot] = replace(self.out.slots[slot], senses=own or self.out.slots[slot].senses)
        return Key(Term(slot), down)

    def sort_outputs(self, down: bool) -> None:
        """Sort by the first output."""
        if not self.out.outputs:
            raise Stuck(self.peek(-1))
        self.out.order.append(Key(self.out.outputs[0], down))

    def is_amount(self, term: Term, timely: bool = True) -> bool:
        """Return whether a term is a count, an amount or, with `timely`, a time."""
        senses = self.out.slots[term.slot].senses if term.slot is not None else ()
        amounts = (len(s.columns) == 1 and (timely if is_timely(s) else is_number(s.column)) for s in senses[:1])
        return term.counts or bool(term.formula) or any(amounts)

    def sort_by_degree(self, mark: Mark) -> None:
        """Read "from highest to lowest" for the first amount or time that is shown, or for what has such a measure.

        Else it is of the one amount that is tested, "invoices over 20 from highest to lowest", or that they have.
        Without a degree, "alphabetically", the first output is sorted. Raise `Stuck` where the things shown have none.
        """
        said = [word for word in mark.text.split() if word in _DEGREES]
        if not said or not self.out.outputs:
            self.sort_outputs(mark.argument == "desc")
            return
        amounts = [term for term in self.out.outputs if self.is_amount(term)]
        if amounts:
            self.out.order.append(Key(amounts[0], mark.argument == "desc"))
            return
        measure = SIZES.get(said[0]) or MEASURES.get((said[0],), ("", None))[1]
        tested = {t.term for t in self.out.every_test if said[0] in _AMOUNTS and self.is_amount(t.term, timely=False)}
        if not tested and said[0] in _AMOUNTS and (senses := self.only_amounts()):
            tested = {Term(self.slot(replace(mark, senses=senses), self.about(), True))}
        key = self.adjective_first(replace(mark, measure=measure)) or (Key(tested.pop()) if len(tested) == 1 else None)
        if key is None:
            raise Stuck(mark)
        self.out.order.append(replace(key, descending=mark.argument == "desc"))
