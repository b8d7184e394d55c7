"""Write EXCEPT and INTERSECT: values without what is lacking, things that pass two tests of different rows."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Column
from askwhere.reader.grammar.draft import Test
from askwhere.reader.schema.edges import Impossible
from askwhere.reader.schema.naming import is_thing, name_columns, own_key
from askwhere.reader.words.types import is_number, is_year
from askwhere.reader.writing.scope import both_test_subject, slots_of, tables_of
from askwhere.reader.writing.selecting import Selecting
from sqlglot import exp


class Combining(Selecting):
    """A query that can be written as two, with EXCEPT or INTERSECT."""

    def excepted(self) -> bool:
        """Return whether the question asks for values of a column without rows of something: "cities without shops".

        These need EXCEPT, as a city is no answer if any of its rows has a shop.
        """
        draft = self.draft
        if draft.focus is not None or len(draft.outputs) != 1 or draft.order or draft.both:
            return False
        if draft.outputs[0].counts and draft.outputs[0].agg != "count":
            return False
        sense = self.senses[draft.outputs[0].slot or 0]
        lacks = [t for t in draft.every_test if t.op == "lacks"]
        return len(lacks) == 1 and not is_thing(sense)

    def difference(self) -> exp.Expr:
        """Return the query of all values EXCEPT those that have a row in the table that must have none."""
        draft = self.draft
        if draft.outputs[0].counts or not self.is_key(self.senses[draft.outputs[0].slot or 0]):
            raise Impossible  # "countries without customers": the values of one column are not all countries
        test = next(t for t in draft.every_test if t.op == "lacks")
        if self.senses[test.term.slot or 0].table is self.about and not test.tests:
            raise Impossible  # the rows that should be lacking are the very rows that hold the values
        rest = [group for group in draft.tests if group[0] is not test]
        with_it = replace(
            draft, tests=[*rest, *([t] for t in test.tests)], mentions=[*draft.mentions, test.term.slot or 0]
        )
        first = self.another(replace(draft, tests=rest))
        second = self.another(with_it, self.only_tree(tables_of(with_it, self.senses)))
        return exp.except_(first.select(()), second.select(()))

    def intersected(self) -> exp.Expr:
        """Return the query of things that pass tests of which no single row passes two ("both French and German").

        It has an INTERSECT of the keys of the things that pass each test. Where the tests are of the rows asked for, it
        is an INTERSECT of the values shown: "cities with both a Mr Hall and a Mr Day".
        """
        if len(self.draft.both) != 1 or self.draft.order or any(t.counts for t in self.draft.outputs if not t.rows):
            raise Impossible
        both = self.draft.both[0]
        keys = own_key(self.about)
        if both_test_subject(self.draft, self.senses):
            shown = [c for t in self.draft.outputs for c in self.columns(t)]
            if set(shown) & {*name_columns(self.about), *keys}:
                raise Impossible  # no single thing can pass both
            if any(is_number(c) and not is_year(c) for c in shown):
                raise Impossible  # "units sold on vinyl and CD" are of either, not the amounts that both have
            if any(t.counts for t in self.draft.outputs) or self.draft.star is not None:
                raise Impossible
            return exp.intersect(*(self.select((test,)) for test in both))
        if len(keys) != 1 or self.draft.groups:
            raise Impossible
        rest, joint = self.parted_tests(both)
        inner = [self.keys_where((test, *joint), keys[0]) for test in both]
        query = self.another(replace(self.draft, tests=rest)).select(())
        return query.where(
            exp.In(this=self.named(self.about.path, keys[0].name), query=exp.intersect(*inner).subquery())
        )

    def parted_tests(self, both: tuple[Test, ...]) -> tuple[list[list[Test]], list[Test]]:
        """Return the draft's tests that the main query keeps, and those of the joined rows that `both` test as well.

        The latter hold for each part of "both": in "both French and English as official languages" each is official.
        Raise `Impossible` if one of them is negated.
        """
        paths = (self.about.path, *(self.senses[s].table.path for test in both for s in slots_of(test)))
        joined = {path for tree in self.graph.trees(paths, self.facts.favoured) for path in tree.paths}
        joined -= {self.about.path}
        joint = [
            g[0]
            for g in self.draft.tests
            if len(g) == 1 and not g[0].term.counts and {self.senses[s].table.path for s in slots_of(g[0])} <= joined
        ]
        if any(t.negated or t.op == "lacks" for t in joint):
            raise Impossible
        return [g for g in self.draft.tests if g[0] not in joint], joint

    def keys_where(self, tests: tuple[Test, ...], key: Column) -> exp.Select:
        """Return the SELECT of the key of the rows asked for that pass these tests."""
        paths = (self.about.path, *(self.senses[s].table.path for test in tests for s in slots_of(test)))
        inner = self.another(self.draft, self.only_tree(paths))
        query = inner.joined(exp.select(inner.named(self.about.path, key.name)), inner.tree, paths)
        return query.where(*(inner.positive(test) for test in tests))
