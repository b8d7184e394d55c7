"""Write what LIMIT needs: conditions for a value to rank by, and a subquery where another thing is ranked."""

from __future__ import annotations

from askwhere.reader.grammar.draft import PORTION, Key, Term
from askwhere.reader.schema.edges import Impossible, Tree
from askwhere.reader.schema.naming import key_columns, name_columns, own_key
from askwhere.reader.writing.grouping import Grouping
from askwhere.reader.writing.scope import slots_of
from sqlglot import exp


class Limiting(Grouping):
    """A query that can write the conditions for the first few of its rows."""

    def group_is_given(self, grouped: list[exp.Expr], having: bool) -> exp.Expr | None:
        """Return the condition that the only grouped column is not NULL, if some of its values are chosen; else None.

        NULL would be no answer to "which city has the most customers", nor, with a test of groups (`having`), to
        "cities with more than five customers".
        """
        plain = [t for t in self.outputs() if not t.counts and t.slot is not None]
        picks = self.draft.limit or (having and len(self.draft.outputs) == 1)
        return self.is_given(plain[0]) if picks and len(grouped) == len(plain) == 1 else None

    def is_given(self, term: Term) -> exp.Expr | None:
        """Return the condition that a column is not NULL; None for a name or a key, which every thing has."""
        sense = self.senses[term.slot or 0]
        if len(sense.columns) != 1 or sense.column in (*name_columns(sense.table), *own_key(sense.table)):
            return None
        return exp.Is(this=self.stored(sense), expression=exp.Not(this=exp.null()))

    def with_values(self, query: exp.Select, keys: list[Key]) -> exp.Select:
        """Return the query without rows, or groups, that have no value of what they are ranked by.

        NULL is neither the greatest nor the least, and "the five highest" are fewer where only three have a value.
        """
        for term in (key.term for key in keys):
            primary = term.slot is not None and self.columns(term) == own_key(self.senses[term.slot].table)
            if primary or term.rows or term.agg in ("count", PORTION, "share") or (self.draft.keeps and term.counts):
                continue  # these always have a value
            present = exp.Is(this=self.expression(term), expression=exp.Not(this=exp.null()))
            where = query.args.get("where")
            if term.counts:
                query = query.having(present)
            elif where is None or present not in where.find_all(exp.Is):
                query = query.where(present)
        return query

    def ranks_others(self) -> bool:
        """Return whether things are sorted by a column of another table in which each may have several rows."""
        slots = [k.term.slot for k in self.draft.order if not k.term.counts and k.term.slot is not None]
        elsewhere = any(self.senses[s].table is not self.about for s in slots)
        return elsewhere and self.fans_out(self.about)

    def ranked_inside(self) -> bool:
        """Return whether ORDER BY and LIMIT belong into a subquery that finds the first thing, or first few.

        So in "the number of shows in the largest hall": the hall is found first, then its shows are counted.
        """
        draft = self.draft
        if draft.limit is None or draft.groups:
            return False
        return (bool(draft.outputs) and all(t.counts for t in draft.outputs)) or self.asks_for_rows_of_the_first()

    def asks_for_rows_of_the_first(self) -> bool:
        """Return whether all things are asked for that belong to the first row of another table.

        So in "the cities of the largest county", where one county has several cities.
        """
        draft = self.draft
        term = draft.order[0].term if len(draft.order) == 1 else Term(None)
        if draft.limit != 1 or draft.star is not None or term.counts or term.slot is None or draft.both:
            return False
        table = self.senses[term.slot].table
        if table is self.about or any(t.counts for t in draft.outputs) or draft.focus is None or not draft.several:
            return False
        return self.graph.meets_several(self.tree, table.path, self.about.path)

    def among_the_first(self) -> exp.Expr:
        """Return the condition that a row belongs to one that ORDER BY and LIMIT in a subquery give.

        Raise `Impossible` where that row must also pass tests, or has no key of one column.
        """
        draft = self.draft
        term = draft.order[0].term
        if len(draft.order) != 1 or term.counts or term.slot is None or not self.senses[term.slot].columns:
            raise Impossible
        table, most = self.senses[term.slot].table, draft.limit or 1
        keys = key_columns(table)
        tested = {self.senses[s].table.path for t in draft.every_test for s in slots_of(t)}
        slot = draft.slots[term.slot]
        ranked = self.senses[slot.owner].table if slot.firm and slot.owner is not None else table
        if (
            len(keys) != 1
            or ranked is not table  # "the tallest player": the tallest of all people may be no player
            or tested - {self.about.path}
            or table.path in tested
            or (table is self.about and not self.tree.edges)
        ):
            raise Impossible
        inner = self.another(draft, Tree((), 0.0))
        order = exp.Ordered(this=inner.expression(term), desc=draft.order[0].descending, nulls_first=False)
        query = exp.select(inner.named(table.path, keys[0].name)).from_(self.table(table.path)).order_by(order)
        query = inner.with_values(query, draft.order)
        return exp.In(this=self.named(table.path, keys[0].name), query=query.limit(most).subquery())
