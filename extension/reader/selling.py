"""Read questions about what was sold, rented or done: revenue, spending, best sellers, and results per period."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.cursor import Stuck
from askwhere.reader.draft import Term
from askwhere.reader.lacking import Lacking
from askwhere.reader.lexicon import Sense
from askwhere.reader.money import SPENDING, pieces_of, sums_of
from askwhere.reader.tokens import stem
from askwhere.reader.verbs import saying

# Stems of verbs that take a quantity: "most sold" may count sales or pieces.
_BY_THE_PIECE = frozenset({"sell", "buy", "purchas", "order", "ship", "deliv", "deliver"})


class Selling(Lacking):
    """The part of the grammar that reads terms of business.

    Each method returns whether it read an output, appends it to `found`, and raises `Stuck` at a mark that does not
    fit.
    """

    def item(self, found: list[Term]) -> bool:
        """Read one thing to show and append it to `found`; return False when there is none."""
        raise NotImplementedError

    def revenue(self, found: list[Term]) -> bool:
        """Read "the total revenue": append the term for its sum."""
        found.append(self.money())
        return True

    def ordinal(self, found: list[Term]) -> bool:
        """Read "the second largest city": the ordinal sets how many rows are skipped."""
        self.place_of_order()
        return self.item(found)

    def spent(self, found: list[Term]) -> bool:
        """Read "how much did each customer spend": append the term for the sum of revenue."""
        mark = self.take()
        if not any(m.kind == "link" and stem(m.text) in SPENDING for m in self.marks):
            raise Stuck(mark)
        found.append(self.money(replace(mark, senses=sums_of(self.lexicon))))
        return True

    def best_selling(self, found: list[Term]) -> bool:
        """Read "the best selling products": rank them by the sum of the quantity sold, not by the number of sales."""
        mark, pieces = self.take(), pieces_of(self.lexicon)
        self.skip("fill")
        if not pieces or self.peek().kind != "table":
            raise Stuck(mark)
        self.item(found)
        sold = self.slot(replace(mark, senses=pieces), self.current)
        self.rank(Term(sold, agg="sum"), mark.argument == "max")
        self.current = sold  # "in Germany" after it is a condition on the sales
        return True

    def most_done(self, found: list[Term]) -> bool:
        """Read "the most rented film": rank by the number of rows of the table that the verb names (rentals).

        Raises `Stuck` for verbs like "sold", where a number of pieces may be meant instead.
        """
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
        """Read "monthly revenue" or "daily rentals": read the thing and group it by the period."""
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
