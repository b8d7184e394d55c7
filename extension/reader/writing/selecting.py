"""Write one SELECT: what is shown, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT and DISTINCT."""

from __future__ import annotations

from collections import defaultdict

from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.marking.formulas import computed, quotient
from askwhere.reader.marking.numeric import amounts_in
from askwhere.reader.schema.edges import Impossible, Path
from askwhere.reader.schema.naming import key_columns, name_columns, own_key, refers
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.tokens import is_singular
from askwhere.reader.words.types import is_number
from askwhere.reader.writing.grouping import each_once
from askwhere.reader.writing.limiting import Limiting
from askwhere.reader.writing.scope import is_absence, optional_tables, preserved_table, slots_of, tables_of_terms
from sqlglot import exp


class Selecting(Limiting):
    """A query that can write its draft as one SELECT."""

    def select(self, more: tuple[Test, ...]) -> exp.Select:
        """Return the draft as one SELECT, with `more` tests beside its own.

        Raise `Impossible` where the joins could repeat or lose rows that are counted, compared or ranked.
        """
        draft = self.draft
        query = exp.select(*self.shown())
        wheres, havings, matches = self.clauses_of([*draft.tests, *([t] for t in more)])
        start = (preserved_table(draft, self.senses) or self.paths[0],) if draft.keeps else self.paths
        query = self.joined(query, self.tree, start, optional_tables(draft, self.senses, self.tree), matches)
        query = query.where(*dict.fromkeys(wheres)) if wheres else query  # the same may be said twice
        grouped = self.grouped(bool(havings)) or self.once_each()
        if not self.ranked_inside():
            grouped += self.sorted_within(grouped)
        if draft.periods and grouped and draft.change != "both":  # what has no rows in either period did not grow
            query = query.where(exp.or_(*map(self.condition, draft.periods)))
        if present := self.group_is_given(grouped, bool(havings)):
            query = query.where(present)
        query = query.group_by(*grouped) if grouped else query
        if havings and not grouped:
            raise Impossible
        query = query.having(*havings) if havings else query
        if self.ranked_inside():
            if draft.passed:
                raise Impossible
            query = query.where(self.among_the_first())
            return query.distinct() if self.is_distinct(bool(grouped)) else query
        query = self.ordered(query, bool(grouped))
        if not self.is_distinct(bool(grouped)):
            return query
        if any(self.expression(key.term) != self.text(key.term) for key in draft.order):
            raise Impossible  # DISTINCT is sorted by what is shown alone, and that is a text with numbers or dates
        return query.distinct()

    def clauses_of(self, groups: list[list[Test]]) -> tuple[list[exp.Expr], list[exp.Expr], dict[Path, list[exp.Expr]]]:
        """Return the conditions for WHERE, for HAVING, and by table for its LEFT JOIN, one for each group of tests."""
        wheres: list[exp.Expr] = []
        havings: list[exp.Expr] = []
        matches: dict[Path, list[exp.Expr]] = defaultdict(list)
        for group in groups:
            if len({t.term.counts for t in group}) > 1 or not self.keeps_rows(group):
                raise Impossible
            self.note_without_any(group)
            made = [self.condition(test) for test in group]
            where = matches[path] if (path := self.counted_only(group)) else wheres
            (havings if group[0].term.counts else where).append(exp.or_(*made) if len(made) > 1 else made[0])
        return wheres, havings, matches

    def ordered(self, query: exp.Select, grouped: bool) -> exp.Select:
        """Return the query with ORDER BY, LIMIT and OFFSET; `grouped` says whether it has groups."""
        draft = self.draft
        if (draft.limit or 1) > 1 and not grouped and self.tree.edges and self.ranks_others():
            raise Impossible  # the join may give one thing several rows, and LIMIT would count each of them
        for key in draft.order:
            if key.term.distinct and not key.term.counts and self.tree.edges:
                # "The most points": in one row, or in all rows of the thing together?
                self.doubt += 0.4 if self.fans_out(self.about) else 0.0
            query = query.order_by(exp.Ordered(this=self.expression(key.term), desc=key.descending, nulls_first=False))
        if draft.limit is not None:
            query = self.with_values(query, draft.order[:1]).limit(draft.limit)
        return query.offset(draft.passed) if draft.passed else query

    def note_without_any(self, group: list[Test]) -> None:
        """Add a note on things without any rows, which the join leaves out, for a test that they would pass.

        So for "at most one order", and for "under budget", which compares a sum with a column.
        """
        compared = [t for t in group if t.term.rows or (t.term.counts and isinstance(t.operand[0], Term))]
        few = [t.term.slot for t in compared if t.op in ("<", "<=") and t.term.slot is not None]
        if few and not self.draft.keeps and self.senses[few[0]].table is not self.about:
            counted = self.senses[few[0]].table.name
            self.notes.add(
                f'{self.about.name} without any {counted} are left out; "including those with none" asks for them too'
            )

    def counted_only(self, group: list[Test]) -> Path | None:
        """Return the table whose rows are counted if tests restrict only these, as conditions of its LEFT JOIN.

        So in "orders in 2024 for each customer, including those with none" a customer without any has a 0. None where
        the query keeps no rows without a match, or where the tests are of a count or of the rows that it keeps. Raise
        `Impossible` for tests on other tables.
        """
        tables = {self.senses[s].table.path for t in group for s in slots_of(t)}
        whole = preserved_table(self.draft, self.senses) if self.draft.keeps else None
        if not self.draft.keeps or tables == {whole} or any(t.term.counts for t in group):
            return None
        counted = tables_of_terms((t for t in self.draft.outputs if t.counts), self.senses)
        if (
            whole is None
            or len(tables) != 1
            or tables != counted
            or any(is_absence(t, self.draft, self.senses) for t in group)
        ):
            raise Impossible
        return next(iter(tables))

    def keeps_rows(self, group: list[Test]) -> bool:
        """Return whether the joins keep all rows that pass one of a group of tests.

        Tests of two tables do not: an inner join loses the rows with a match in only one. A single test may compare a
        row with that of another table: "employees who earn more than their manager".
        """
        if len(group) == 1 and (group[0].term.other is not None or group[0].term.counts):
            return True  # `of_two` and `of_each_group` look at what the joins repeat
        if len(group) == 1 and any(isinstance(o, Term) for o in group[0].operand):
            return not self.fans_out(self.about) or self.compares_with_its_own(group[0])
        absences = [t for t in group if is_absence(t, self.draft, self.senses)]
        tables = {self.senses[s].table.path for t in group if t not in absences for s in slots_of(t)}
        return len(tables) <= 1

    def compares_with_its_own(self, test: Test) -> bool:
        """Return whether a thing's column is compared with one of what refers to it: "jobs billed above their quote".

        One of several such rows is enough.
        """
        tables = [self.senses[slot].table for slot in slots_of(test)]
        others = [table for table in tables if table is not self.about]
        return len(tables) == 2 and len(others) == 1 and refers(others[0], self.about)

    def is_distinct(self, grouped: bool) -> bool:
        """Return whether the query is SELECT DISTINCT: where the question says so, or joins would repeat a row."""
        draft = self.draft
        if grouped or any(t.counts for t in draft.outputs) or (draft.star is not None and not self.tree.edges):
            return False
        shown = all(any(k.term == t for t in draft.outputs) for k in draft.order)
        if not shown and not self.ranked_inside():
            return False
        fans = self.fans_out(self.about)
        if not all(t.slot is not None and self.senses[t.slot].table is self.about for t in draft.outputs):
            return draft.distinct or draft.once
        return draft.distinct or fans or self.shows_bare_values() or self.asks_which_values()

    def once_each(self) -> list[exp.Expr]:
        """Return the columns to group by where the joins repeat things that are shown by names, which several may have.

        They are the key and what is shown: DISTINCT would leave one of two customers of the same name.
        """
        draft, table = self.draft, self.about
        own = all(
            t.slot is not None and self.senses[t.slot].table is table and not t.counts for t in draft.shown_or_sorted
        )
        if not own or draft.distinct or draft.star is not None or self.ranked_inside() or not self.fans_out(table):
            return []
        shown = {c.name.lower() for t in draft.outputs for c in self.columns(t)}
        known = any(key and {c.lower() for c in key} <= shown for key in (table.primary_key, *table.unique))
        if known or not own_key(table) or not {c.name.lower() for c in name_columns(table)} <= shown:
            return []
        return each_once(self.keyed(table, [e for t in draft.outputs for e in self.plain(t)]))

    def shows_bare_values(self) -> bool:
        """Return whether the values of a column are asked for, and not the things that have them: "districts in Japan".

        Amounts belong to their rows: of "fees in Japan" several may be the same.
        """
        asked = {c for t in self.draft.outputs for c in self.columns(t)}
        own = {*key_columns(self.about), *name_columns(self.about), *amounts_in(self.about)}
        return bool(self.tree.edges) and self.draft.focus is None and len(asked) == 1 and not asked & own

    def asks_which_values(self) -> bool:
        """Return whether the question asks which values, no names, there are: "which countries do guests come from"."""
        slot = self.draft.outputs[0].slot if self.draft.once else None
        if slot is None or is_singular(self.draft.slots[slot].text.split()[-1]) or self.draft.order or self.draft.both:
            return False
        return not set(self.senses[slot].columns) & {*key_columns(self.about), *name_columns(self.about)}

    def share(self, sense: Sense) -> exp.Expr:
        """Return the share of rows that pass the draft's `share` tests, as an average of 1 (or 100) and 0.

        `sense` is of the table whose rows are counted.
        """
        fans = self.fans_out(sense.table)
        absent = [t for group in self.draft.share for t in group if is_absence(t, self.draft, self.senses)]
        if fans or (absent and sense.table is not self.about) or any(t.op != "lacks" for t in absent):
            raise Impossible
        return exp.Avg(this=_where(self.is_shared(), self.whole_share(), exp.Literal.number("0.0")))

    def is_shared(self) -> exp.Expr:
        """Return the condition that a row passes the draft's `share` tests."""
        return exp.and_(*(exp.or_(*map(self.condition, group)) for group in self.draft.share))

    def growth(self, term: Term) -> tuple[exp.Expr, exp.Expr]:
        """Return what is counted or added up in the earlier of the draft's two periods, and in the later one."""
        earlier, later = (where_only(self.expression(term), self.condition(test)) for test in self.draft.periods)
        return earlier, later

    def share_of(self, term: Term, sense: Sense) -> exp.Expr:
        """Return the sum over the rows that pass the draft's `share` tests, divided by the sum over all rows."""
        columns = [self.column(sense, i) for i in range(len(sense.columns))]
        value = computed(term.formula, columns, self.dialect) if term.formula else columns[0]
        if not is_number(sense.column) or self.fans_out(sense.table):
            raise Impossible
        shared = exp.Sum(this=_where(self.is_shared(), value, exp.Literal.number("0.0")))
        return quotient(exp.Mul(this=self.whole_share(), expression=shared), exp.Sum(this=value.copy()))


def where_only(aggregate: exp.Expr, condition: exp.Expr) -> exp.Expr:
    """Return an aggregate over the rows alone that pass a condition. Raise `Impossible` for other expressions.

    A sum or a count is 0 where no rows pass, and other aggregates are NULL.
    """
    inner = aggregate.this
    if isinstance(aggregate, exp.Count) and isinstance(inner, exp.Star):
        return exp.Sum(this=_where(condition, exp.Literal.number(1), exp.Literal.number(0)))
    if isinstance(aggregate, exp.Count) and isinstance(inner, exp.Distinct):
        return exp.Count(this=exp.Distinct(expressions=[_where(condition, value) for value in inner.expressions]))
    if isinstance(aggregate, exp.Sum):
        return exp.Sum(this=_where(condition, inner, exp.Literal.number(0)))
    if isinstance(aggregate, exp.Avg | exp.Min | exp.Max):
        return type(aggregate)(this=_where(condition, inner))
    raise Impossible


def _where(condition: exp.Expr, value: exp.Expr, other: exp.Expr | None = None) -> exp.Case:
    """Return `CASE WHEN condition THEN value ELSE other END`."""
    return exp.Case(ifs=[exp.If(this=condition.copy(), true=value.copy())], default=other)
