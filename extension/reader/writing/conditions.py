"""Write each test of a draft as an SQL condition."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Column, Table
from askwhere.reader.grammar.draft import Nested, Term, Test
from askwhere.reader.schema.edges import Edge, Impossible, Path, Tree
from askwhere.reader.schema.senses import Sense
from askwhere.reader.schema.text_columns import AMOUNTS, is_written
from askwhere.reader.words.dates import Bound
from askwhere.reader.words.denials import is_denied
from askwhere.reader.words.months import is_by_month
from askwhere.reader.words.mutual import pair_tables
from askwhere.reader.words.types import is_date, is_dated, is_number, is_year
from askwhere.reader.words.units import units_apart
from askwhere.reader.writing.comparisons import COMPARE, Comparisons
from askwhere.reader.writing.expressions import AGGREGATES
from askwhere.reader.writing.identifiers import identifier
from askwhere.reader.writing.joining import joins_unrelated
from askwhere.reader.writing.scope import is_absence, slots_of
from sqlglot import exp


class Conditions(Comparisons):
    """A query that can write the tests of its draft."""

    def condition(self, test: Test) -> exp.Expr:
        """Return a test in SQL, of one row or of the absence of rows.

        Raise `Impossible` where the test cannot be written, or is of a column or count that it does not fit; so do the
        methods for its parts.
        """
        if test.term.counts and test.operand[:1] == (0,) and test.op in ("=", "<="):
            raise Impossible  # a count of 0: the inner joins drop the things that have no rows
        if is_absence(test, self.draft, self.senses):
            made = self.absence(test)
            return _denied(made) if test.op == "lacks" and test.negated else made
        return self.of_row(test)

    def of_row(self, test: Test) -> exp.Expr:
        """Return a test of one row in SQL, negated if the test is."""
        made = self.positive(test)
        if not test.negated:
            return made
        if isinstance(made, exp.EQ):
            return exp.NEQ(this=made.this, expression=made.expression)
        if isinstance(made, exp.Is):
            return exp.Not(this=made)
        return exp.not_(made)

    def positive(self, test: Test) -> exp.Expr:
        """Return a test of one row in SQL, without its negation."""
        sense = self.senses[test.term.slot] if test.term.slot is not None else None
        test = self.in_units(test, sense)
        if test.op == "beside" and sense:
            return self.beside(sense.table, test)
        if test.op == "lacks" or (sense and not sense.columns and not test.term.counts):
            raise Impossible  # a double negation, or a comparison of a whole thing instead of a column
        if test.op == "is" and sense:
            return self.holds(sense)
        if test.term.agg == "count" and sense and (sense.table.path, sense.column.name) in self.numerals:
            raise Impossible  # "more than 50 days held" compares the numbers in a column of text, it counts no values
        valued = not test.term.formula and (not test.term.counts or test.term.agg in ("min", "max"))
        column = sense.column if sense and sense.columns and valued else None
        if test.op == "true":
            return self.truth(test, sense, column)
        if test.op == "null":
            return self.emptiness(test, sense, column)
        if test.op == "like":
            return self.pattern(test, column)
        if test.op == "between":
            return self.between(test, column)
        return self.comparison(test, sense, column)

    def truth(self, test: Test, sense: Sense | None, column: Column | None) -> exp.Expr:
        """Return the condition that a flag is set."""
        text = self.draft.slots[test.term.slot].text if test.term.slot is not None else ""
        if test.negated and sense and sense.table is not self.about and not is_denied(text, sense.columns):
            raise Impossible  # open: must one row of the other table say no, or all rows? "With failed tests" is not
        return exp.EQ(this=self.expression(test.term), expression=self.literal(sense.value if sense else True, column))

    def emptiness(self, test: Test, sense: Sense | None, column: Column | None) -> exp.Expr:
        """Return the condition that a column is NULL or, if the test has an operand, that it is NULL or 0."""
        if sense and sense.table is not self.about and not test.negated and not self.names_its_table(test):
            raise Impossible  # open: is the value missing in the other table, or the whole row?
        if sense and (sense.table.path, sense.column.name) in self.facts.denying:
            raise Impossible  # the column says "No" in words: "phones without wifi" are not those with NULL
        left = self.text(test.term)
        empty = exp.Is(this=left, expression=exp.null())
        zero = exp.EQ(this=self.expression(test.term), expression=exp.Literal.number(0))
        return exp.or_(empty, zero) if test.operand and column and is_number(column) else empty

    def names_its_table(self, test: Test) -> bool:
        """Return whether the question names the table of the column that is tested: "customers with unpaid bills"."""
        table = self.senses[test.term.slot or 0].table
        return any(s.table is table and not s.columns and s.chance == 1 for s in self.senses)

    def pattern(self, test: Test, column: Column | None) -> exp.Expr:
        """Return the condition that a text matches the pattern of LIKE, without regard to case."""
        dated = column is not None and self.dialect.static_types and is_dated(column)
        number = column is not None and is_number(column) and not is_written(column)
        if number or (dated and column and not is_written(column)) or test.term.counts:
            raise Impossible
        like = exp.ILike if self.dialect.ilike else exp.Like
        return like(this=self.text(test.term), expression=exp.Literal.string(str(test.operand[0])))

    def between(self, test: Test, column: Column | None) -> exp.Expr:
        """Return the condition that a term, or the year of a date, is between two operands, both included."""
        left = self.expression(test.term)
        if column and is_dated(column) and all(map(_year, test.operand)):
            first, last = (exp.Literal.number(str(year)) for year in test.operand)
            return exp.Between(this=self.dialect.expressions.year(left), low=first, high=last)
        cast = column if column and (is_year(column) or is_dated(column)) else None
        low, high = (self.operand(o, cast) for o in test.operand)
        return exp.Between(this=self.compared(left, test, column), low=low, high=high)

    def comparison(self, test: Test, sense: Sense | None, column: Column | None) -> exp.Expr:
        """Return the comparison of a term with one operand."""
        if column and is_by_month(column) and isinstance(operand := test.operand[0], int) and 1 <= operand <= 12:
            return COMPARE[test.op](this=self.text(test.term), expression=exp.Literal.number(operand))
        same = test.op in ("=", "!=") and column is not None and column.type == AMOUNTS
        left, operand = self.text(test.term) if same else self.expression(test.term), test.operand[0]
        if test.op == "lasts":
            to_come = self.in_days(left.copy(), column, replace(test, op=">="))
            return exp.or_(exp.Is(this=left, expression=exp.null()), to_come)
        if any(isinstance(o, Bound) for o in test.operand):
            return self.in_days(left, column, test)
        if column and is_date(column) and not is_year(column) and _year(operand):
            return self.in_year(left, column, test)
        if isinstance(operand, Term) and operand.slot is not None:
            other = self.senses[operand.slot]
            if sense and test.term.counts and not operand.counts:
                return COMPARE[test.op](this=left, expression=_multiplied(self.of_each_group(sense, other), test))
            if column and sense:
                self.check_alike(sense, other)
        if isinstance(operand, str) and column and is_number(column):
            return COMPARE[test.op](this=left, expression=self.literal(operand, column))
        timely = column is not None and (is_year(column) or is_dated(column))
        right = self.operand(operand, column if test.op in ("=", "!=") or timely else None)
        return COMPARE[test.op](this=self.compared(left, test, column), expression=_multiplied(right, test))

    def of_each_group(self, sense: Sense, other: Sense) -> exp.Expr:
        """Return the one value of `other` in each group, a project's budget, to compare its sum of `sense` with.

        It is converted into the unit of the sum, and a note says so. Raise `Impossible` where a group may have several
        such values, or where the units measure different things.
        """
        times = units_apart(sense.column, other.column) if sense.columns and other.columns else 1.0
        if other.table is not self.about or sense.table is self.about or self.draft.groups or times is None:
            raise Impossible
        value = exp.Max(this=self.column(other))
        if times == 1.0:
            return value
        self.notes.add(f"{other.table.name}.{other.column.name} is in the unit of {sense.column.name}: {times:g} each")
        return exp.Mul(this=value, expression=exp.Literal.number(f"{times:g}"))

    def check_alike(self, one: Sense, other: Sense) -> None:
        """Raise `Impossible` for two columns that are not to be compared: they are the same, or of different types."""
        if other.column is one.column and other.table is one.table:
            raise Impossible
        if (is_number(one.column), is_date(one.column)) != (is_number(other.column), is_date(other.column)):
            raise Impossible

    def beside(self, thing: Table, test: Test) -> exp.Expr:
        """Return the condition that a row is a neighbour of a named one: "countries that border France".

        The pairs are in a table with two keys to `thing`; the named row may stand in either. Raise `Impossible` where
        not exactly one table lists such pairs.
        """
        named, word = test.operand
        pairs = list(pair_tables(self.graph.tables.values(), thing, str(word)))
        if len(pairs) != 1 or not isinstance(named, Term) or named.slot is None:
            raise Impossible
        if self.senses[named.slot].table is not thing:
            raise Impossible
        (table, first, second), queries = pairs[0], []
        for near, far in ((first, second), (second, first)):
            edge = next(e for e in self.graph.edges[table.path] if e.columns == near.columns)
            self.within.add(edge)
            inner = Conditions(self.draft, self.senses, Tree((edge,), 1.0), self.facts)
            other = next(e for e in self.graph.edges[table.path] if e.columns == far.columns)
            made = inner.joined(exp.select(inner.key(other, table.path)), inner.tree, (table.path,))
            queries.append(made.where(inner.holds(self.senses[named.slot])))
        mine = next(e for e in self.graph.edges[table.path] if e.columns == first.columns)
        return exp.In(this=self.key(mine, thing.path), query=exp.union(*queries, distinct=True).subquery())

    def nested(self, nested: Nested) -> exp.Expr:
        """Return a subquery of one value, such as the average of a column.

        Raise `Impossible` where the joins of its tests are ambiguous, or repeat rows that are averaged or added up.
        """
        if nested.term.slot is None:
            raise Impossible
        sense = self.senses[nested.term.slot]
        if nested.term.counts:
            return self.average_of_things(nested.term)
        if nested.among is not None:
            return self.aggregate_of_alike(nested, sense, self.senses[nested.among])
        if not sense.columns or (nested.agg in ("avg", "sum") and not is_number(sense.column)):
            raise Impossible
        wanted = (sense.table.path, *(self.senses[s].table.path for test in nested.tests for s in slots_of(test)))
        trees = self.graph.trees(wanted)
        if len(trees) != 1 or self.graph.fans_out(trees[0], sense.table.path):
            raise Impossible
        self.within |= set(trees[0].edges)
        inner = Conditions(self.draft, self.senses, trees[0], self.facts)
        made = exp.select(AGGREGATES[nested.agg](this=inner.column(sense)))
        query = inner.joined(made, trees[0], (sense.table.path,))
        return query.where(*(inner.condition(test) for test in nested.tests)).subquery()

    def aggregate_of_alike(self, nested: Nested, sense: Sense, shared: Sense) -> exp.Expr:
        """Return a subquery of an aggregate over the rows that share a value with the row that is tested.

        "Dearer than the average of their category": `shared` is the column of categories, or the table that a key
        refers to. Raise `Impossible` where the rows have no such column of their own.
        """
        keys = [k.columns[0] for k in sense.table.foreign_keys if k.target == shared.table.path and len(k.columns) == 1]
        own = [c.name for c in shared.columns] if shared.table is sense.table else keys
        if not sense.columns or not is_number(sense.column) or len(own) != 1 or self.about is not sense.table:
            raise Impossible
        alias = identifier("other", self.dialect)

        def other(name: str) -> exp.Column:
            return exp.Column(this=identifier(name, self.dialect), table=alias.copy())

        made = exp.select(AGGREGATES[nested.agg](this=other(sense.column.name)))
        query = made.from_(exp.alias_(self.table(sense.table.path), alias, table=True))
        same = exp.EQ(this=other(own[0]), expression=self.named(sense.table.path, own[0], always=True))
        return query.where(same).subquery()

    def absence(self, test: Test) -> exp.Expr:
        """Return the condition that no row of another table with the test's own tests belongs to a row: a NOT IN.

        Raise `Impossible` where the join is ambiguous, or is not along one key of one column.
        """
        if test.term.slot is None:
            raise Impossible
        tests = test.tests if test.op == "lacks" else (Test(test.term, test.op, test.operand),)
        if any(self.senses[s].table is self.about for t in tests for s in slots_of(t)):
            raise Impossible  # "actors in no film with Ann" speaks of two rows of the table of actors
        owner = self.draft.slots[test.term.slot].owner
        if owner in self.draft.groups and self.senses[owner or 0].table is not self.about:
            raise Impossible  # "the average score of each film not seen by Ann": the test is of the group, the film
        wanted = (test.term.slot, *(s for t in (*tests, test) for s in slots_of(t)))
        tree, edge = self.joins_of_absence(tuple(self.senses[s].table.path for s in wanted))
        if test.op == "lacks" and not tests and edge in self.tree.edges:
            raise Impossible  # the query joins the very table whose rows must not exist
        self.note_edge(edge)
        mine = (edge.target_columns if self.about.path == edge.parent else edge.columns)[0]
        outer = self.key(edge, self.about.path)
        absent = exp.Not(this=exp.In(this=outer, query=self.rows_of_absence(tree, edge, tests).subquery()))
        if self.about.primary_key == (mine,) and not edge.type_at(self.about.path):
            return absent
        # For a row whose key is NULL the NOT IN is NULL, but there is no row for it either.
        return exp.or_(exp.Is(this=outer.copy(), expression=exp.null()), absent)

    def joins_of_absence(self, wanted: tuple[Path, ...]) -> tuple[Tree, Edge]:
        """Return the only tree that joins the `wanted` tables to that which the query is about, and its edge there."""
        candidates = self.graph.trees((self.about.path, *wanted), self.facts.favoured)
        trees = [t for t in candidates if not joins_unrelated(self.draft, self.senses, t, self.graph, self.about)]
        if len(trees) != 1 or not trees[0].edges:
            raise Impossible
        self.within |= set(trees[0].edges)
        first = [e for e in trees[0].edges if self.about.path in (e.child, e.parent)]
        if len(first) != 1 or len(first[0].columns) != 1:
            raise Impossible
        return trees[0], first[0]

    def rows_of_absence(self, tree: Tree, edge: Edge, tests: tuple[Test, ...]) -> exp.Select:
        """Return the query of the keys, at the other end of an edge, of the rows that pass the tests; none is NULL."""
        near = edge.other(self.about.path)
        theirs = (edge.columns if near == edge.child else edge.target_columns)[0]
        rest = Tree(tuple(e for e in tree.edges if e is not edge), 0.0)
        inner = Conditions(self.draft, self.senses, rest, self.facts)
        column = inner.key(edge, near)
        sure = near == edge.parent and self.graph.tables[near].primary_key == (theirs,)
        may_be_null = not sure or bool(edge.type_at(near))
        present = exp.Is(this=column.copy(), expression=exp.Not(this=exp.null())) if may_be_null else None
        query = inner.joined(exp.select(column), rest, (near,))
        return query.where(*(inner.of_row(t) for t in tests), present)


def _denied(condition: exp.Expr) -> exp.Expr:
    """Return the opposite of a condition."""
    return condition.this if isinstance(condition, exp.Not) else exp.not_(condition)


def _multiplied(operand: exp.Expr, test: Test) -> exp.Expr:
    """Return the operand of a test, multiplied as the test says: "more than twice their budget"."""
    return operand if test.times == 1 else exp.Mul(this=operand, expression=exp.Literal.number(f"{test.times:g}"))


def _year(operand: object) -> bool:
    """Return whether an operand may be a year."""
    return isinstance(operand, int) and 1000 <= operand <= 2100
