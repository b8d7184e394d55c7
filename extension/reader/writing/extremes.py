"""Write queries of all things with the greatest, or least, value, of all that tie, and of the first of each group."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.draft import Term
from askwhere.reader.schema.edges import Impossible
from askwhere.reader.schema.naming import own_key
from askwhere.reader.writing.combining import Combining
from askwhere.reader.writing.identifiers import identifier
from sqlglot import exp


class Extremes(Combining):
    """A query that can be written with a MAX or MIN in a subquery, or with a rank in each group."""

    def first_of_each(self) -> exp.Expr:
        """Return the query of the first things of each group by a column or a count; with a limit of 1 all that tie.

        Raise `Impossible` where the joins repeat things that are ranked by a column.
        """
        draft, key = self.draft, self.draft.order[0]
        fans = self.fans_out(self.about)
        if draft.both or draft.distinct or (self.ranks_others() if draft.limit == 1 else fans and not key.term.counts):
            raise Impossible
        group, order = Term(draft.groups[0]), draft.order if key.term.counts else []
        things = self.another(replace(draft, outputs=[group, *draft.outputs], order=order, limit=None, of_each=False))
        inner = things.with_values(things.select(()), draft.order)
        inner.set("order", None)
        if key.term.counts and (given := self.is_given(draft.outputs[0])):
            inner = inner.where(given)
        sense = self.senses[draft.groups[0]]
        keys = [self.named(sense.table.path, c.name) for c in own_key(sense.table)] if not sense.columns else []
        by = exp.Ordered(this=self.expression(key.term), desc=key.descending)
        number = exp.Rank() if draft.limit == 1 else exp.RowNumber()
        window = exp.Window(this=number, partition_by=keys or self.plain(group), order=exp.Order(expressions=[by]))
        return self._first_ranked(inner, window)

    def _first_ranked(self, inner: exp.Select, window: exp.Window) -> exp.Select:
        """Return the query of the rows of `inner` whose rank is at most the limit."""
        names = [column.alias_or_name for column in inner.expressions]
        if len(set(names)) < len(names):  # the name of a group and that of its first thing
            names = [f"{name}_{i}" if name in names[:i] else name for i, name in enumerate(names)]
            shown = zip(inner.expressions, names, strict=True)
            inner.set("expressions", [exp.alias_(column.unalias(), name) for column, name in shown])
        place = "place" if "place" not in names else "place_in_group"
        ranked = inner.select(exp.alias_(window, place)).subquery("ranked")
        first = exp.LTE(this=exp.column(place), expression=exp.Literal.number(self.draft.limit or 1))
        return exp.select(*(exp.column(identifier(n, self.dialect)) for n in names)).from_(ranked).where(first)

    def all_that_tie(self) -> exp.Select:
        """Return the query of the first things in an order with all that tie with the last of them.

        Raise `Impossible` where the first row of another table, or a first thing that the joins repeat, is asked for.
        """
        draft = self.draft
        if (
            draft.both
            or draft.distinct
            or draft.passed
            or self.excepted()
            or self.ranked_inside()
            or self.ranks_others()
        ):
            raise Impossible
        order = draft.order if any(key.term.counts for key in draft.order) else []
        things = self.another(replace(draft, order=order, limit=None, tied=set()))
        inner = things.with_values(things.select(()), draft.order)
        inner.set("order", None)
        if inner.args.get("distinct"):
            raise Impossible
        self.notes.lines += things.notes.lines
        self.doubt += things.doubt
        by = [exp.Ordered(this=self.expression(key.term), desc=key.descending) for key in draft.order]
        query = self._first_ranked(inner, exp.Window(this=exp.Rank(), order=exp.Order(expressions=by)))
        return query.order_by("place") if draft.limit != 1 else query

    def tied(self) -> bool:
        """Return whether all things with the greatest, or least, value of a column of their own are asked for."""
        draft = self.draft
        if not draft.ties or len(draft.order) != 1 or draft.groups or draft.both or self.excepted():
            return False
        shown = [] if draft.outputs == [Term(draft.focus, rows=True)] else draft.outputs  # "the cheapest", "how many?"
        terms = [draft.order[0].term, *shown, *(t.term for t in draft.every_test)]
        slot = draft.order[0].term.slot
        return not any(t.counts for t in terms) and slot is not None and self.senses[slot].table is self.about

    def with_ties(self) -> exp.Select:
        """Return the query of all things whose value equals the greatest, or the least, among them."""
        key = self.draft.order[0]
        things = self.another(replace(self.draft, order=[], limit=None))
        outer, value = things.select(()), self.expression(key.term)
        end = (exp.Max if key.descending else exp.Min)(this=value)
        inner = outer.copy().select(end, append=False)
        inner.set("distinct", None)
        self.notes.lines += things.notes.lines
        self.doubt += things.doubt
        return outer.where(exp.EQ(this=value.copy(), expression=inner.subquery()))
