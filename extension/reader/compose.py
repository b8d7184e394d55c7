"""Write a bound draft (a draft with one sense for each slot) as a sqlglot tree, for one join tree.

What the rules here cannot write without guessing raises `Impossible`, which drops the reading.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from askwhere.engine import Column
from askwhere.reader.conditions import Conditions
from askwhere.reader.draft import PORTION, Draft, Key, Term, Test
from askwhere.reader.formulas import REVENUE, computed, median
from askwhere.reader.joins import Path, Tree
from askwhere.reader.lexicon import Sense
from askwhere.reader.naming import is_the_name, key_columns, name_columns, own_key
from askwhere.reader.query import Ground, Impossible, LeftOut
from askwhere.reader.sanity import doubt, left_out
from askwhere.reader.scope import is_absence, kept, needed, optional, slots_of, tables_of, within
from askwhere.reader.types import is_number
from sqlglot import exp


@dataclass(frozen=True)
class Composed:
    """A query, the notes for the user on what was guessed, and a doubt that lowers the reading's score."""

    query: exp.Expr
    notes: tuple[str, ...]
    doubt: float = 0.0


def compose(draft: Draft, senses: tuple[Sense, ...], tree: Tree, ground: Ground) -> Composed:
    """Return the query of a draft whose slots have these `senses`, joined along `tree`.

    Raises `Impossible` where no query can be right, and `LeftOut` where the query does not read what a verb names.
    """
    return _Composer(draft, senses, tree, ground).compose()


class _Composer(Conditions):
    """Writes one query; queries within it are written by further composers."""

    def compose(self) -> Composed:
        """Return the query with its notes and doubt."""
        for sense in self.senses:
            self.notes.add(sense.note)
        self.doubt += doubt(self.draft, self.senses, self.tree, self.graph)
        joined, self.tree = self.tree.edges, needed(self.draft, self.senses, self.tree)
        for edge in self.tree.edges:
            self.note_edge(edge)
        query = self.whole()
        if left_out(self.draft.verbs, self.senses, {*joined, *self.within}, self.graph, self.about):
            raise LeftOut
        return Composed(query, tuple(self.notes.lines), self.doubt)

    def share(self, sense: Sense) -> exp.Expr:
        """Return the share of rows that pass the draft's `share` tests, as an average of 1 (or 100) and 0.

        `sense` is of the table whose rows are counted.
        """
        fans = bool(self.tree.edges) and self.graph.fans_out(self.tree, sense.table.path)
        if fans or any(is_absence(t, self.draft, self.senses) for group in self.draft.share for t in group):
            raise Impossible
        so = exp.and_(*(exp.or_(*map(self.condition, group)) for group in self.draft.share))
        one = exp.Literal.number("100.0" if self.draft.percent else "1.0")
        return exp.Avg(this=exp.Case(ifs=[exp.If(this=so, true=one)], default=exp.Literal.number("0.0")))

    def share_of(self, term: Term, sense: Sense) -> exp.Expr:
        """Return the sum over the rows that pass the draft's `share` tests, divided by the sum over all rows."""
        value = computed(term.formula, [self.column(sense, i) for i in range(len(sense.columns))], self.dialect)
        so = exp.and_(*(exp.or_(*map(self.condition, group)) for group in self.draft.share))
        some = exp.Case(ifs=[exp.If(this=so, true=value)], default=exp.Literal.number("0.0"))
        one = exp.Literal.number("100.0" if self.draft.percent else "1.0")
        part = exp.Mul(this=one, expression=exp.Sum(this=some))
        return exp.Div(this=part, expression=exp.Sum(this=value.copy()), typed=True)

    def average_of_groups(self) -> exp.Expr:
        """Return the query of an average over groups: "orders per customer on average"."""
        term, group = self.draft.outputs[0], self.draft.groups[0]
        draft = replace(self.draft, fold=False, outputs=[Term(group), term])
        inner = _Composer(draft, self.senses, self.tree, self.ground)
        value = exp.column(inner.alias(term))
        return exp.select(exp.alias_(exp.Avg(this=value), f"average_{inner.alias(term)}")).from_(
            inner.select(()).subquery("groups")
        )

    def whole(self) -> exp.Expr:
        """Return the query in the form that the draft needs: plain, nested, or of two parts."""
        if self.draft.keeps and (
            kept(self.draft, self.senses) is None or not any(t.counts for t in self.draft.outputs)
        ):
            raise Impossible
        if self.draft.whether:
            return self.yes_or_no()
        if any(t.agg == "median" for t in self.draft.outputs):
            return self.median()
        if self.draft.fold:
            return self.average_of_groups()
        if self.counts_groups():
            return self.number_of_groups()
        if self.spreads():
            raise Impossible
        if self.draft.of_each:
            return self.first_of_each()
        if self.tied():
            return self.with_ties()
        if self.repeats():
            return self.each_row_once()
        if self.excepted():
            return self.difference()
        return self.intersected() if self.draft.both else self.select(())

    def median(self) -> exp.Expr:
        """Return the query of a median, alone or for each group. Raises `Impossible` beside other aggregates."""
        draft, terms = self.draft, self.outputs()
        counted, plain = [t for t in terms if t.counts], [t for t in terms if not t.counts]
        tested = any(t.term.counts for group in draft.tests for t in group)
        if len(counted) != 1 or tested or draft.order or draft.limit is not None or draft.both or draft.keeps:
            raise Impossible
        term, sense = counted[0], self.senses[counted[0].slot or 0]
        fans = bool(self.tree.edges) and self.graph.fans_out(self.tree, sense.table.path)
        if fans or not is_number(sense.columns[-1]) or self.is_key(sense):
            raise Impossible
        groups = [g for t in plain for g in self.group_of(t, {sense.table.path})]
        texts = [g.sql() for g in groups]
        shown = [(texts.index(made.sql()), self.part(t) or made.name) for t in plain for made in self.plain(t)]
        inner = _Composer(replace(draft, outputs=[Term(term.slot)], groups=[]), self.senses, self.tree, self.ground)
        return median(inner.select(()), self.column(sense, len(sense.columns) - 1), groups, shown, self.alias(term))

    def yes_or_no(self) -> exp.Expr:
        """Return the query that says yes if the count which the draft asks for is not 0."""
        query = _Composer(replace(self.draft, whether=False), self.senses, self.tree, self.ground).whole()
        some = exp.GT(this=query.expressions[0].unalias(), expression=exp.Literal.number(0))
        case = exp.Case(ifs=[exp.If(this=some, true=exp.Literal.string("yes"))], default=exp.Literal.string("no"))
        query.set("expressions", [exp.alias_(case, "answer")])
        return query

    def select(self, more: tuple[Test, ...]) -> exp.Select:
        """Return the draft as one SELECT, with `more` tests beside its own."""
        draft = self.draft
        query = exp.select(*self.shown())
        wheres: list[exp.Expr] = []
        havings: list[exp.Expr] = []
        matches: dict[Path, list[exp.Expr]] = defaultdict(list)  # conditions on what is joined by LEFT JOIN
        for group in [*draft.tests, *([t] for t in more)]:
            if len({t.term.counts for t in group}) > 1 or not self.of_one_place(group):
                raise Impossible
            made = [self.condition(test) for test in group]
            where = matches[path] if (path := self.counted_only(group)) else wheres
            (havings if any(t.term.counts for t in group) else where).append(
                exp.or_(*made) if len(made) > 1 else made[0]
            )
        start = (kept(draft, self.senses) or self.paths[0],) if draft.keeps else self.paths
        query = self.joined(query, self.tree, start, optional(draft, self.senses, self.tree), matches)
        query = query.where(*wheres) if wheres else query
        grouped = self.grouped(bool(havings))
        if not self.ranked_inside():
            grouped += self.sorted_within(grouped)
        if some := self.some_value(grouped):
            query = query.where(some)
        query = query.group_by(*grouped) if grouped else query
        if havings and not grouped:
            raise Impossible
        query = query.having(*havings) if havings else query
        if self.ranked_inside():
            if draft.passed:
                raise Impossible
            query = query.where(self.among_the_first())
            return query.distinct() if self.is_distinct(bool(grouped)) else query
        if (draft.limit or 1) > 1 and not grouped and self.tree.edges and self.ranks_others():
            raise Impossible  # the join may give one thing several rows, and LIMIT would count each of them
        for key in draft.order:
            if key.term.distinct and not key.term.counts and self.tree.edges:
                # "The most points": in one row, or in all rows of the thing together?
                self.doubt += 0.4 if self.graph.fans_out(self.tree, self.about.path) else 0.0
            query = query.order_by(exp.Ordered(this=self.expression(key.term), desc=key.descending, nulls_first=False))
        if draft.limit is not None:
            query = self.with_values(query, draft.order[:1]).limit(draft.limit)
        query = query.offset(draft.passed) if draft.passed else query
        return query.distinct() if self.is_distinct(bool(grouped)) else query

    def counted_only(self, group: list[Test]) -> Path | None:
        """Return the table of which rows are counted if tests restrict only these: "orders in 2024 for each customer".

        So a customer without any is kept, with a 0. None where the query keeps no rows without a match, or the test is
        on the rows that it keeps. Raises `Impossible` for tests on others.
        """
        tables = {self.senses[s].table.path for t in group for s in slots_of(t)}
        whole = kept(self.draft, self.senses) if self.draft.keeps else None
        if not self.draft.keeps or tables == {whole}:
            return None
        counted = {self.senses[t.slot].table.path for t in self.draft.outputs if t.counts and t.slot is not None}
        if (
            whole is None
            or len(tables) != 1
            or tables != counted
            or any(is_absence(t, self.draft, self.senses) for t in group)
        ):
            raise Impossible
        return next(iter(tables))

    def some_value(self, grouped: list[exp.Expr]) -> exp.Expr | None:
        """Return the condition that a grouped column is not NULL, where its most or least frequent value is asked for.

        NULL would be no answer to "which city has the most customers". None where the query is no such one.
        """
        plain = [t for t in self.outputs() if not t.counts and t.slot is not None]
        if self.draft.limit is None or len(grouped) != 1 or len(plain) != 1:
            return None
        sense = self.senses[plain[0].slot or 0]
        if len(sense.columns) != 1 or sense.column in (*name_columns(sense.table), *own_key(sense.table)):
            return None
        return exp.Is(this=self.column(sense), expression=exp.Not(this=exp.null()))

    def with_values(self, query: exp.Select, keys: list[Key]) -> exp.Select:
        """Return the query without rows, or groups, that have no value of what they are ranked by.

        NULL is neither the greatest nor the least, and "the five highest" are fewer where only three have a value.
        """
        for term in (key.term for key in keys):
            primary = term.slot is not None and self.columns(term) == own_key(self.senses[term.slot].table)
            if primary or term.rows or term.agg in ("count", PORTION, "share") or (self.draft.keeps and term.counts):
                continue  # these always have a value
            some = exp.Is(this=self.expression(term), expression=exp.Not(this=exp.null()))
            where = query.args.get("where")
            if term.counts:
                query = query.having(some)
            elif where is None or some not in where.find_all(exp.Is):
                query = query.where(some)
        return query

    def of_one_place(self, group: list[Test]) -> bool:
        """Return whether the tests of an OR are of at most one table.

        With two, an inner join would lose the rows that have a match in only one of them. One test may compare a row
        with the one over it: "employees who earn more than their manager".
        """
        if len(group) == 1 and any(isinstance(o, Term) for o in group[0].operand):
            return not self.graph.fans_out(self.tree, self.about.path)
        absences = [t for t in group if is_absence(t, self.draft, self.senses)]
        tables = {self.senses[s].table.path for t in group if t not in absences for s in slots_of(t)}
        return len(tables) <= 1

    def sorted_within(self, grouped: list[exp.Expr]) -> list[exp.Expr]:
        """Return the columns to sort by that GROUP BY must list besides `grouped`.

        Only columns of a table whose key is grouped by; `Impossible` is raised for others, which may differ in a group.
        """
        found: list[exp.Expr] = []
        if not grouped and not any(t.counts for t in self.draft.outputs):
            return found
        have = {e.sql() for e in grouped}
        for term in (k.term for k in self.draft.order if not k.term.counts):
            made, table = self.expression(term), self.senses[term.slot or 0].table
            if made.sql() not in have:
                if not {self.named(table.path, c.name).sql() for c in key_columns(table)} <= have:
                    raise Impossible
                found.append(made)
        return found

    def ranks_others(self) -> bool:
        """Return whether things are sorted by a column of another table in which each may have several rows."""
        slots = [k.term.slot for k in self.draft.order if not k.term.counts and k.term.slot is not None]
        elsewhere = any(self.senses[s].table is not self.about for s in slots)
        return elsewhere and self.graph.fans_out(self.tree, self.about.path)

    def ranked_inside(self) -> bool:
        """Return whether ORDER BY and LIMIT belong into a subquery that finds the first thing, or first few.

        So in "the number of shows in the largest hall": the hall is found first, then its shows are counted.
        """
        draft = self.draft
        if draft.limit is None or draft.groups:
            return False
        return (bool(draft.outputs) and all(t.counts for t in draft.outputs)) or self.of_the_first()

    def of_the_first(self) -> bool:
        """Return whether several things are asked for that belong to the first of another thing.

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
        """Return the condition that the key of the sorted table is one that ORDER BY and LIMIT in a subquery give."""
        draft = self.draft
        term = draft.order[0].term
        if len(draft.order) != 1 or term.counts or term.slot is None or not self.senses[term.slot].columns:
            raise Impossible
        table, most = self.senses[term.slot].table, draft.limit or 1
        keys = key_columns(table)
        tested = {self.senses[s].table.path for group in draft.tests for t in group for s in slots_of(t)}
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
        inner = _Composer(draft, self.senses, Tree((), 0.0), self.ground)
        order = exp.Ordered(this=inner.expression(term), desc=draft.order[0].descending, nulls_first=False)
        query = exp.select(inner.named(table.path, keys[0].name)).from_(self.table(table.path)).order_by(order)
        query = inner.with_values(query, draft.order)
        return exp.In(this=self.named(table.path, keys[0].name), query=query.limit(most).subquery())

    def is_distinct(self, grouped: bool) -> bool:
        """Return whether the query is SELECT DISTINCT: where the question says so, or joins would repeat a row."""
        draft = self.draft
        if grouped or any(t.counts for t in draft.outputs) or (draft.star is not None and not self.tree.edges):
            return False
        shown = all(any(k.term == t for t in draft.outputs) for k in draft.order)
        if not shown and not self.ranked_inside():
            return False
        fans = bool(self.tree.edges) and self.graph.fans_out(self.tree, self.about.path)
        if not self.of_one_table():
            return draft.distinct or draft.once
        return draft.distinct or fans or self.of_no_thing()

    def of_no_thing(self) -> bool:
        """Return whether the values of a column are asked for and no thing that has them: "districts in Japan"."""
        asked = {c for t in self.draft.outputs for c in self.columns(t)}
        own = {*key_columns(self.about), *name_columns(self.about)}
        return bool(self.tree.edges) and self.draft.focus is None and len(asked) == 1 and not asked & own

    def of_one_table(self) -> bool:
        """Return whether all that is shown comes from the table that the question is about."""
        return all(t.slot is not None and self.senses[t.slot].table is self.about for t in self.draft.outputs)

    def grouped(self, having: bool) -> list[exp.Expr]:
        """Return what to group by: the key of each thing that is shown beside a count, and the columns shown of it.

        `having` says whether a test needs groups. Raises `Impossible` where each group would be a single row.
        """
        draft = self.draft
        counted = any(t.counts for t in draft.outputs)
        ranked = any(k.term.counts for k in draft.order)
        plain = [t for t in self.outputs() if not t.counts]
        if not (having or ranked or (counted and plain) or (draft.groups and counted)):
            return []
        found: dict[str, exp.Expr] = {}
        rows = {self.senses[t.slot].table.path for t in self.counted_terms() if t.slot is not None}
        for term in plain if plain else [Term(draft.focus)] if draft.focus is not None and having else []:
            for made in self.group_of(term, rows):
                found.setdefault(made.sql(), made)
        if draft.star is not None:
            for column in (*key_columns(self.about), *self.about.columns):
                made = self.named(self.about.path, column.name)
                found.setdefault(made.sql(), made)
        if counted and (having or ranked) and not plain:
            raise Impossible
        if any(t.slot is None for t in self.counted_terms()) and self.each_once(found):
            raise Impossible
        keys = {self.named(self.about.path, c.name).sql() for c in key_columns(self.about)}
        asked = [t for t in self.counted_terms() if t not in draft.outputs and t.rows and t.slot is not None]
        if any(self.senses[t.slot or 0].table is self.about for t in asked) and keys <= set(found):
            raise Impossible
        return list(found.values())

    def each_once(self, grouped: dict[str, exp.Expr]) -> bool:
        """Return whether the columns grouped by hold a key, so that each group is one row and every count is 1."""
        table = self.about if self.draft.focus is not None or len(self.paths) == 1 else None
        table = self.graph.tables[self.paths[0]] if len(self.paths) == 1 else table
        if table is None or (self.tree.edges and self.graph.fans_out(self.tree, table.path)):
            return False
        names = {e.name.lower() for e in grouped.values() if isinstance(e, exp.Column)}
        return any(key and {c.lower() for c in key} <= names for key in (table.primary_key, *table.unique))

    def counted_terms(self) -> list[Term]:
        """Return the terms with a count or another aggregate, of the outputs, tests and order."""
        tests = [t.term for group in self.draft.tests for t in group]
        return [t for t in (*self.draft.outputs, *tests, *(k.term for k in self.draft.order)) if t.counts]

    def group_of(self, term: Term, rows: set[Path]) -> list[exp.Expr]:
        """Return what to group by so that `term` can be shown: its columns, and the key of the thing it names.

        `rows` are the tables whose rows are counted; columns of those are grouped by alone.
        """
        sense, slot = self.senses[term.slot or 0], self.draft.slots[term.slot or 0]
        path = sense.table.path
        plain = self.plain(term)
        if self.part(term):
            return plain
        keys = own_key(sense.table)
        if sense.columns and (path in rows or term.slot in self.draft.groups or not self.tree.edges or len(keys) > 1):
            self.note_name(sense, rows)
            return plain
        owner = self.senses[slot.owner].table if slot.owner is not None and slot.firm else None
        if sense.columns and not set(sense.columns) & set(name_columns(sense.table)) and owner is not sense.table:
            return plain
        return [self.named(path, c.name) for c in keys] + plain

    def note_name(self, sense: Sense, rows: set[Path]) -> None:
        """Add a note where groups are by the name of things that may share one: "total fee per rider name"."""
        table = sense.table
        single = any(key == (sense.columns[0].name,) for key in (table.primary_key, *table.unique))
        if table.path not in rows and not single and is_the_name(table, sense.columns):
            self.notes.add(
                f"grouped by {table.name}.{sense.columns[0].name}: {table.name} of the same name are one group"
            )

    # -- counts of groups

    def counts_groups(self) -> bool:
        """Return whether the question counts things by a test on groups: "how many customers have two orders"."""
        draft = self.draft
        tested = any(t.term.counts for group in draft.tests for t in group)
        return tested and len(draft.outputs) == 1 and draft.outputs[0].counts and not draft.groups and not draft.order

    def number_of_groups(self) -> exp.Expr:
        """Return the query that counts the rows of a subquery, which gives the things that pass the tests."""
        term = self.draft.outputs[0]
        if term.slot is None or not (term.rows or term.agg == "count") or self.draft.both:
            raise Impossible
        things = replace(self.draft, outputs=[Term(term.slot)])
        inner = _Composer(things, self.senses, self.tree, self.ground).select(())
        return exp.select(exp.alias_(exp.Count(this=exp.Star()), "count")).from_(inner.subquery("things"))

    # -- the first of each group

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
        outer = _Composer(things, self.senses, self.tree, self.ground).select(())
        by, value = self.named(sense.table.path, keys[0].name), self.expression(key.term)
        end = (exp.Max if key.descending else exp.Min)(this=value)
        inner = outer.copy().select(by, end, append=False).group_by(by)
        inner.set("distinct", None)
        pair = exp.Tuple(expressions=[by.copy(), value.copy()])
        return outer.where(exp.In(this=pair, query=inner.subquery()))

    # -- the first ones

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
        things = _Composer(replace(self.draft, order=[], limit=None), self.senses, self.tree, self.ground)
        outer, value = things.select(()), self.expression(key.term)
        end = (exp.Max if key.descending else exp.Min)(this=value)
        inner = outer.copy().select(end, append=False)
        inner.set("distinct", None)
        self.notes.lines += things.notes.lines
        self.doubt += things.doubt
        return outer.where(exp.EQ(this=value.copy(), expression=inner.subquery()))

    # -- aggregates over joins

    def spreads(self) -> bool:
        """Return whether the joins repeat rows that are added up: an invoice's total once for each line.

        Averages and plain sums count where a group is tested by them; those that are shown are left to `repeats`.
        """
        tests = [t.term for group in self.draft.tests for t in group]
        terms = [*self.draft.outputs, *tests, *(k.term for k in self.draft.order)]
        added = [t for t in terms if t.formula == REVENUE] + [t for t in tests if t.agg in ("sum", "avg")]
        tables = {self.senses[t.slot].table.path for t in added if t.slot is not None}
        return bool(self.tree.edges) and any(self.graph.fans_out(self.tree, path) for path in tables)

    def repeats(self) -> bool:
        """Return whether the query shows averages or sums of one table whose rows the joins repeat."""
        draft = self.draft
        added = [t for t in draft.outputs if t.agg in ("avg", "sum")]
        if not added or draft.groups or draft.order or draft.both or not all(t.agg for t in draft.outputs):
            return False
        tables = {self.senses[t.slot or 0].table.path for t in draft.outputs}
        return len(tables) == 1 and bool(self.tree.edges) and self.graph.fans_out(self.tree, next(iter(tables)))

    def each_row_once(self) -> exp.Expr:
        """Return the aggregates over the rows of one table whose key a subquery with the joins and tests gives.

        So each row counts once.
        """
        table = self.senses[self.draft.outputs[0].slot or 0].table
        keys = own_key(table)
        if len(keys) != 1:
            raise Impossible
        of_one_table = _Composer(self.draft, self.senses, Tree((), 0.0), self.ground)
        inner = self.select(()).select(self.named(table.path, keys[0].name), append=False)
        outer = exp.select(*of_one_table.shown()).from_(self.table(table.path))
        return outer.where(exp.In(this=of_one_table.named(table.path, keys[0].name), query=inner.subquery()))

    # -- except and both

    def excepted(self) -> bool:
        """Return whether the values of a column are asked for by what is lacking: "cities without shops".

        These need EXCEPT: a city is no answer if any of its rows has a shop.
        """
        draft = self.draft
        if draft.focus is not None or len(draft.outputs) != 1 or draft.order or draft.both:
            return False
        if draft.outputs[0].counts and draft.outputs[0].agg != "count":
            return False
        sense = self.senses[draft.outputs[0].slot or 0]
        keys = {*key_columns(sense.table), *name_columns(sense.table)}
        lacks = [t for group in draft.tests for t in group if t.op == "lacks"]
        return len(lacks) == 1 and bool(sense.columns) and not set(sense.columns) & keys

    def difference(self) -> exp.Expr:
        """Return all values EXCEPT those of rows that have what is lacking."""
        draft = self.draft
        if draft.outputs[0].counts or not self.is_key(self.senses[draft.outputs[0].slot or 0]):
            raise Impossible  # "countries without customers": the values of one column are not all countries
        test = next(t for group in draft.tests for t in group if t.op == "lacks")
        if self.senses[test.term.slot or 0].table is self.about and not test.tests:
            raise Impossible  # the rows that should be lacking are the very rows that hold the values
        rest = [group for group in draft.tests if group[0] is not test]
        with_it = replace(
            draft, tests=[*rest, *([t] for t in test.tests)], mentions=[*draft.mentions, test.term.slot or 0]
        )
        first = _Composer(replace(draft, tests=rest), self.senses, self.tree, self.ground)
        trees = self.graph.trees(tables_of(with_it, self.senses), self.ground.favoured)
        if len(trees) != 1:
            raise Impossible
        self.within |= set(trees[0].edges)
        second = _Composer(with_it, self.senses, trees[0], self.ground)
        return exp.except_(first.select(()), second.select(()))

    def intersected(self) -> exp.Expr:
        """Return the query of things that pass tests of which no single row passes two ("both French and German").

        It is an INTERSECT of the keys that pass each test. Where the tests are of the rows asked for themselves, it is
        one of the values shown.
        """
        if len(self.draft.both) != 1 or self.draft.order or any(t.counts for t in self.draft.outputs if not t.rows):
            raise Impossible
        both = self.draft.both[0]
        keys = own_key(self.about)
        if within(self.draft, self.senses):
            shown = [c for t in self.draft.outputs for c in self.columns(t)]
            if set(shown) & {*name_columns(self.about), *keys}:
                raise Impossible  # no single thing can pass both
            if any(t.counts for t in self.draft.outputs) or self.draft.star is not None:
                raise Impossible
            return exp.intersect(*(self.select((test,)) for test in both))
        if len(keys) != 1 or self.draft.groups:
            raise Impossible
        rest, alike = self.of_the_same_rows(both)
        inner = [self.keys_where((test, *alike), keys[0]) for test in both]
        query = _Composer(replace(self.draft, tests=rest), self.senses, self.tree, self.ground).select(())
        return query.where(
            exp.In(this=self.named(self.about.path, keys[0].name), query=exp.intersect(*inner).subquery())
        )

    def of_the_same_rows(self, both: tuple[Test, ...]) -> tuple[list[list[Test]], list[Test]]:
        """Part the draft's tests: those of the query itself, and those of the joined rows that `both` test.

        The second ones go with each part of "both": in "both French and English as official languages" each of the two
        is official.
        """
        paths = (self.about.path, *(self.senses[s].table.path for test in both for s in slots_of(test)))
        joined = {
            p for tree in self.graph.trees(paths, self.ground.favoured) for e in tree.edges for p in (e.child, e.parent)
        }
        joined -= {self.about.path}
        alike = [
            g[0]
            for g in self.draft.tests
            if len(g) == 1 and not g[0].term.counts and {self.senses[s].table.path for s in slots_of(g[0])} <= joined
        ]
        if any(t.negated or t.op == "lacks" for t in alike):
            raise Impossible
        return [g for g in self.draft.tests if g[0] not in alike], alike

    def keys_where(self, tests: tuple[Test, ...], key: Column) -> exp.Select:
        """Return the SELECT of the key of the rows asked for that pass these tests."""
        paths = (self.about.path, *(self.senses[s].table.path for test in tests for s in slots_of(test)))
        trees = self.graph.trees(paths, self.ground.favoured)
        if len(trees) != 1:
            raise Impossible
        self.within |= set(trees[0].edges)
        inner = _Composer(self.draft, self.senses, trees[0], self.ground)
        query = inner.joined(exp.select(inner.named(self.about.path, key.name)), trees[0], paths)
        return query.where(*(inner.positive(test) for test in tests))
