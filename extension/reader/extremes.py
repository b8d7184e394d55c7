"""Write queries of all things with the greatest, or least, value: ties included, or of each group."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.combining import Combining
from askwhere.reader.draft import Term
from askwhere.reader.joins import Impossible
from askwhere.reader.naming import own_key
from sqlglot import exp


class Extremes(Combining):
    """Writes queries that compare with a MAX or MIN in a subquery."""

    def first_of_each(self) -> exp.Expr:
        """Return the query of the things with the greatest, or least, value of their group, ties included."""
        draft, key = self.draft, self.draft.order[0]
        group, sense = draft.groups[0], self.senses[draft.groups[0]]
        keys = sense.columns or own_key(sense.table)
        tested = any(t.term.counts for tests in draft.tests for t in tests)
        if len(keys) != 1 or key.term.slot is None or draft.both or tested or draft.distinct:
            raise Impossible
        if self.senses[key.term.slot].table is not self.about or not self.senses[key.term.slot].columns:
            raise Impossible
        things = replace(draft, outputs=[Term(group), *draft.outputs], groups=[], order=[], of_each=False)
        outer = self.another(things).select(())
        by, value = self.named(sense.table.path, keys[0].name), self.expression(key.term)
        end = (exp.Max if key.descending else exp.Min)(this=value)
        inner = outer.copy().select(by, end, append=False).group_by(by)
        inner.set("distinct", None)
        pair = exp.Tuple(expressions=[by.copy(), value.copy()])
        return outer.where(exp.In(this=pair, query=inner.subquery()))

    def tied(self) -> bool:
        """Return whether all things with the greatest, or least, value of a column of their own are asked for."""
        draft = self.draft
        if not draft.ties or len(draft.order) != 1 or draft.groups or draft.both or self.excepted():
            return False
        terms = [draft.order[0].term, *draft.outputs, *(t.term for group in draft.tests for t in group)]
        slot = draft.order[0].term.slot
        return not any(t.counts for t in terms) and slot is not None and self.senses[slot].table is self.about

    def with_ties(self) -> exp.Select:
        """Return the query of these things: those whose value equals the greatest, or least, among them."""
        key = self.draft.order[0]
        things = self.another(replace(self.draft, order=[], limit=None))
        outer, value = things.select(()), self.expression(key.term)
        end = (exp.Max if key.descending else exp.Min)(this=value)
        inner = outer.copy().select(end, append=False)
        inner.set("distinct", None)
        self.notes.lines += things.notes.lines
        self.doubt += things.doubt
        return outer.where(exp.EQ(this=value.copy(), expression=inner.subquery()))
