"""Write a bound draft (a draft with one sense for each slot) as a sqlglot tree, for one join tree.

What the rules here cannot write without guessing raises `Impossible`, which drops the reading.
"""

from __future__ import annotations

from dataclasses import replace

from askwhere.frozen import frozen
from askwhere.reader.grammar.draft import Draft
from askwhere.reader.schema.edges import Impossible, Tree
from askwhere.reader.schema.senses import Sense
from askwhere.reader.writing.aggregating import Aggregating
from askwhere.reader.writing.joining import left_out
from askwhere.reader.writing.query import DatabaseFacts, LeftOut
from askwhere.reader.writing.sanity import doubt
from askwhere.reader.writing.scope import needed, preserved_table, tables_of_terms
from sqlglot import exp


@frozen
class Composed:
    """A query, the notes for the user on what was guessed, and a doubt that lowers the reading's score."""

    query: exp.Expr
    notes: tuple[str, ...]
    doubt: float = 0.0


def compose(draft: Draft, senses: tuple[Sense, ...], tree: Tree, facts: DatabaseFacts) -> Composed:
    """Return the query of a draft whose slots have these `senses`, joined along `tree`.

    Raise `Impossible` where no query can be right, and `LeftOut` where the query does not read what a verb names.
    """
    return _Composer(draft, senses, tree, facts).compose()


class _Composer(Aggregating):
    """The writer of one query; those within it are written by further composers (`another`)."""

    def compose(self) -> Composed:
        """Return the query with its notes and doubt."""
        for sense in self.senses:
            self.notes.add(sense.note)
        self.doubt += doubt(self.draft, self.senses, self.tree, self.graph)
        joined, self.tree = self.tree.edges, needed(self.draft, self.senses, self.tree)
        for edge in self.tree.edges:
            self.note_edge(edge)
        query = self.whole()
        for edge in sorted(self.within, key=lambda e: (e.child, e.columns)):
            self.note_edge(edge)
        if left_out(self.draft.verbs, self.senses, {*joined, *self.within}, self.graph, self.about):
            raise LeftOut
        return Composed(query, tuple(self.notes.lines), self.doubt)

    def whole(self) -> exp.Expr:
        """Return the query in the form that the draft needs: plain, nested, or of two parts."""
        if self.draft.keeps and (preserved_table(self.draft, self.senses) is None or not self.keeps_something()):
            raise Impossible
        if not self.draft.keeps and self.counts_two_tables():
            return self.another(replace(self.draft, keeps=True)).whole()
        if self.draft.whether:
            return self.yes_or_no()
        if any(t.agg == "median" for t in self.draft.outputs):
            return self.median()
        if self.draft.fold:
            return self.average_of_groups()
        if self.counts_groups():
            return self.number_of_groups()
        if self.repeats_revenue_or_tested():
            raise Impossible
        if self.draft.of_each:
            return self.first_of_each()
        if self.tied():
            return self.with_ties()
        if "all" in self.draft.tied and self.draft.limit is not None:
            return self.all_that_tie()
        if self.repeats():
            return self.each_row_once()
        if self.excepted():
            return self.difference()
        return self.intersected() if self.draft.both else self.select(())

    def keeps_something(self) -> bool:
        """Return whether there are groups or things without a match: rows are counted, or two tables are shown."""
        draft = self.draft
        tests = (test.term for test in draft.every_test)
        if any(term.counts for term in (*draft.outputs, *tests)):
            return True
        shown = {self.senses[t.slot].table.path for t in draft.outputs if t.slot is not None}
        return len(shown) > 1 and (not draft.kept or preserved_table(draft, self.senses) in draft.kept)

    def counts_two_tables(self) -> bool:
        """Return whether rows of two tables are counted, so that no join may drop what has none of the other."""
        counted = tables_of_terms((t for t in self.draft.outputs if t.rows), self.senses)
        return len(counted) > 1 and bool(self.tree.edges)

    def yes_or_no(self) -> exp.Expr:
        """Return the query of "yes" or "no": whether the count that the draft asks for is above 0."""
        query = self.another(replace(self.draft, whether=False)).whole()
        is_positive = exp.GT(this=query.expressions[0].unalias(), expression=exp.Literal.number(0))
        case = exp.Case(
            ifs=[exp.If(this=is_positive, true=exp.Literal.string("yes"))], default=exp.Literal.string("no")
        )
        query.set("expressions", [exp.alias_(case, "answer")])
        return query
