"""Write aggregates that need a subquery: over groups, of groups, or of rows that a join repeats."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.draft import Draft, Term
from askwhere.reader.marking.formulas import REVENUE, median
from askwhere.reader.schema.edges import Impossible, Tree
from askwhere.reader.schema.naming import own_key
from askwhere.reader.words.dates import period_name
from askwhere.reader.words.types import is_number
from askwhere.reader.writing.extremes import Extremes
from askwhere.reader.writing.scope import tables_of, tables_of_terms
from sqlglot import exp


class Aggregating(Extremes):
    """A query that can write aggregates over a subquery, and medians."""

    def average_of_groups(self) -> exp.Select:
        """Return the query of an average over groups: "orders per customer on average"."""
        term, group = self.draft.outputs[0], self.draft.groups[0]
        draft = replace(self.draft, fold=False, outputs=[Term(group), term])
        inner = self.another(draft)
        value = exp.column(inner.alias(term))
        return exp.select(exp.alias_(exp.Avg(this=value), f"average_{inner.alias(term)}")).from_(
            inner.select(()).subquery("groups")
        )

    def average_of_things(self, term: Term) -> exp.Expr:
        """Return a subquery of the average of a count or sum per thing, over the things that have any rows.

        In "customers with more orders than average" that is over those who ordered, as a note says.
        """
        focus = self.draft.focus
        if focus is None or self.senses[focus].columns:
            raise Impossible
        things = Draft(slots=self.draft.slots, focus=focus, groups=[focus], outputs=[term], mentions=[focus])
        tree = self.only_tree(tables_of(things, self.senses))
        if not tree.edges:
            raise Impossible
        counted = self.senses[term.slot or 0].table
        self.notes.add(f"the average is over the rows of {self.about.name} that have any in {counted.name}")
        return self.another(things, tree).average_of_groups().subquery()

    def counts_groups(self) -> bool:
        """Return whether the question counts things by a test on groups: "how many customers have two orders"."""
        draft = self.draft
        tested = any(t.term.counts for t in draft.every_test)
        return tested and len(draft.outputs) == 1 and draft.outputs[0].counts and not draft.groups and not draft.order

    def number_of_groups(self) -> exp.Expr:
        """Return the query that counts the rows of a subquery, which gives the things that pass the tests."""
        term = self.draft.outputs[0]
        if term.slot is None or not (term.rows or term.agg == "count") or self.draft.both:
            raise Impossible
        things = replace(self.draft, outputs=[Term(term.slot)])
        inner = self.another(things).select(())
        return exp.select(exp.alias_(exp.Count(this=exp.Star()), "count")).from_(inner.subquery("things"))

    def median(self) -> exp.Expr:
        """Return the query of a median, alone or for each group. Raise `Impossible` beside other aggregates."""
        draft, terms = self.draft, self.outputs()
        counted, plain = [t for t in terms if t.counts], [t for t in terms if not t.counts]
        tested = any(t.term.counts for t in draft.every_test)
        if len(counted) != 1 or tested or draft.order or draft.limit is not None or draft.both or draft.keeps:
            raise Impossible
        term, sense = counted[0], self.senses[counted[0].slot or 0]
        fans = self.fans_out(sense.table)
        if fans or not is_number(sense.columns[-1]) or self.is_key(sense):
            raise Impossible
        groups = [g for t in plain for g in self.group_of(t, {sense.table.path})]
        texts = [g.sql() for g in groups]
        shown = [
            (texts.index(made.sql()), period_name(self.part(t)) or made.name) for t in plain for made in self.plain(t)
        ]
        inner = self.another(replace(draft, outputs=[Term(term.slot)], groups=[]))
        return median(inner.select(()), self.column(sense, len(sense.columns) - 1), groups, shown, self.alias(term))

    def repeats_revenue_or_tested(self) -> bool:
        """Return whether the joins repeat rows whose revenue is added up, or whose sum or average is tested.

        An invoice's total would count once for each of its lines. For sums and averages that are shown see `repeats`.
        """
        added = [t for t in self.draft.terms if t.formula == REVENUE]
        added += [t.term for t in self.draft.every_test if t.term.agg in ("sum", "avg")]
        return any(self.graph.fans_out(self.tree, path) for path in tables_of_terms(added, self.senses))

    def repeats(self) -> bool:
        """Return whether the query shows averages or sums of one table whose rows the joins repeat."""
        draft = self.draft
        added = [t for t in draft.outputs if t.agg in ("avg", "sum")]
        if not added or draft.groups or draft.order or draft.both or not all(t.agg for t in draft.outputs):
            return False
        tables = {self.senses[t.slot or 0].table.path for t in draft.outputs}
        return len(tables) == 1 and self.graph.fans_out(self.tree, next(iter(tables)))

    def each_row_once(self) -> exp.Expr:
        """Return the query of the aggregates over rows whose key is IN a subquery with the joins: each counts once."""
        table = self.senses[self.draft.outputs[0].slot or 0].table
        keys = own_key(table)
        if len(keys) != 1:
            raise Impossible
        of_one_table = self.another(self.draft, Tree((), 0.0))
        inner = self.select(()).select(self.named(table.path, keys[0].name), append=False)
        outer = exp.select(*of_one_table.shown()).from_(self.table(table.path))
        return outer.where(exp.In(this=of_one_table.named(table.path, keys[0].name), query=inner.subquery()))
