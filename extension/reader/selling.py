"""What was sold, rented or done: revenue, what was spent, the best selling things, and periods and places of order."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.cursor import Stuck
from askwhere.reader.draft import Term
from askwhere.reader.lacking import Lacking
from askwhere.reader.lexicon import Sense
from askwhere.reader.money import SPENDING, pieces_of, sums_of
from askwhere.reader.tokens import stem
from askwhere.reader.verbs import saying

# What is sold by the piece: how often it was, and how many were, are two questions.
_BY_THE_PIECE = frozenset({"sell", "buy", "purchas", "order", "ship", "deliv", "deliver"})


class Selling(Lacking):
    """Reads what is asked for in the words of business."""

    def item(self, found: list[Term]) -> bool:
        """Read one thing to show into `found`; False when there is none."""
        raise NotImplementedError

    def revenue(self, found: list[Term]) -> bool:
        """ "the total revenue" """
        found.append(self.money())
        return True

    def ordinal(self, found: list[Term]) -> bool:
        """ "the second largest city" """
        self.place_of_order()
        return self.item(found)

    def spent(self, found: list[Term]) -> bool:
        """ "how much did each customer spend" """
        mark = self.take()
        if not any(m.kind == "link" and stem(m.text) in SPENDING for m in self.marks):
            raise Stuck(mark)
        found.append(self.money(replace(mark, senses=sums_of(self.lexicon))))
        return True

    def best_selling(self, found: list[Term]) -> bool:
        """ "the best selling products": by how many were sold, and not by how often"""
        mark, pieces = self.take(), pieces_of(self.lexicon)
        self.skip("fill")
        if not pieces or self.peek().kind != "table":
            raise Stuck(mark)
        self.item(found)
        sold = self.slot(replace(mark, senses=pieces), self.current)
        self.rank(Term(sold, agg="sum"), mark.argument == "max")
        self.current = sold  # "in Germany" says where they were sold
        return True

    def most_done(self, found: list[Term]) -> bool:
        """ "the most rented film": by how often something was done that a table is about"""
        mark, done = self.take(), self.take()
        tables = {path for path, column in saying(self.lexicon.tables, stem(done.text)) if not column}
        senses = tuple(Sense(t) for t in self.lexicon.tables if t.path in tables)
        if not senses or stem(done.text) in _BY_THE_PIECE:
            raise Stuck(done)
        self.item(found)
        slot = self.slot(replace(done, senses=senses), self.current)
        self.out.mentions.append(slot)
        self.rank(Term(slot, rows=True), mark.argument == "max")
        return True

    def in_periods(self, found: list[Term]) -> bool:
        """ "monthly revenue", "daily rentals" """
        mark = self.take()
        if (
            self.out.outputs
            or found
            or self.peek().kind not in ("money", "table", "count")
            or not mark.text.endswith("ly")
        ):
            raise Stuck(mark)
        self.item(found)
        self.out.groups.append(self.dated_by(mark))
        return True
