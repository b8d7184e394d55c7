"""Read questions about shares: the percentage or fraction of rows that pass a condition."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.cursor import Stuck
from askwhere.reader.draft import PORTION, Term, Test
from askwhere.reader.picking import Picking

_SAYING_SO = ("be", "have", "link", "not", "rel", "prep")
_WITHIN = ("in", "from", "for", "of", "at", "on")


class Sharing(Picking):
    """The part of the grammar that reads shares, and separates their conditions from those on all rows."""

    def share(self, found: list[Term]) -> bool:
        """Read "what percentage of orders was cancelled" or "the share of cancelled orders".

        Appends a 'share' term of the table to `found`. Raises `Stuck` if no table follows or something else is shown.
        """
        self.take()
        self.out.percent = any("percent" in mark.text for mark in self.marks)
        self.skip("fill", "all", "their")
        while self.peek().kind in ("value", "column"):
            if self.peek().kind == "value":
                self.value_test()
            elif self.flags(self.peek()):
                self.flagged()
            else:
                raise Stuck(self.peek())
            self.skip("fill")
        if self.peek().kind == "table" and self.peek(1).kind == "money":
            self.out.mentions.append(self.slot(self.take()))  # "the share of ticket revenue"
        if self.peek().kind not in ("table", "money") or found:
            raise Stuck(self.peek())
        self.part = self.peek()
        if self.part.kind == "money":
            found.append(replace(self.money(), agg="share"))
        else:
            found.append(Term(self.thing(self.take()), agg="share"))
        return True

    def settle_share(self) -> None:
        """Move the conditions that define the share from the draft's tests to its `share`.

        "What percentage of the orders in 2023 was cancelled" keeps the year as a test on all rows. Raises `Stuck` if no
        condition is left to define the share.
        """
        thing = self.part
        if thing is None:
            return
        kinds = _SAYING_SO if thing.kind == "money" else _SAYING_SO[:-1]  # "of the revenue from members"
        so = next((m.start for m in self.marks if m.start >= thing.end and m.kind in kinds), None)
        plain = [group for group in self.out.tests if not any(t.term.counts for t in group)]
        later = [group for group in plain if so is not None and self.begins(group) > so and not self.is_when(group)]
        early = [group for group in plain if not self.is_when(group) and not self.is_where(group)]
        early = [] if thing.kind == "money" else early
        self.out.share = later or early
        if not self.out.share and self.out.groups and len(self.out.outputs) == 1:
            self.out.outputs = [replace(self.out.outputs[0], agg=PORTION)]  # "share of orders by status"
            return
        if not self.out.share or len(self.out.outputs) != 1:
            raise Stuck(thing)
        self.out.tests = [group for group in self.out.tests if group not in self.out.share]

    def begins(self, group: list[Test]) -> int:
        """Return the position of the first word of a condition."""
        return min((self.out.slots[t.term.slot].start for t in group if t.term.slot is not None), default=0)

    def is_when(self, group: list[Test]) -> bool:
        """Return whether a condition is about time, which restricts all rows rather than the share."""
        dated = {m.start for m in self.marks if m.kind in ("days", "when", "number", "between")}
        return any(t.op == "during" or (t.term.slot is not None and self.out.slots[t.term.slot].start in dated)
                   for t in group)  # fmt: skip

    def is_where(self, group: list[Test]) -> bool:
        """Return whether a condition follows a preposition ("orders from Rome"), which also restricts all rows."""
        return any(t.term.slot is not None and self.out.slots[t.term.slot].prep in _WITHIN for t in group)
