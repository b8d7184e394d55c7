"""Write each test of a draft as an SQL condition."""

from __future__ import annotations

import re
from dataclasses import replace

from askwhere.engine import Column, Table
from askwhere.reader.grammar.draft import Nested, Operand, Term, Test
from askwhere.reader.schema.edges import Impossible, Tree
from askwhere.reader.schema.naming import name_columns
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.dates import Bound, is_written, written
from askwhere.reader.words.mutual import pairs
from askwhere.reader.words.types import is_date, is_dated, is_moment, is_number, is_text, is_year
from askwhere.reader.words.units import UNNAMED_UNITS, Quantity, Unit, assumed, converted, unit_of
from askwhere.reader.writing.identifiers import identifier
from askwhere.reader.writing.joining import unrelated
from askwhere.reader.writing.query import AGGREGATES, Query
from askwhere.reader.writing.scope import is_absence, slots_of
from sqlglot import exp

_COMPARE: dict[str, type[exp.Binary]] = {
    "=": exp.EQ,
    "!=": exp.NEQ,
    ">": exp.GT,
    ">=": exp.GTE,
    "<": exp.LT,
    "<=": exp.LTE,
}
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}")


class Conditions(Query):
    """A query that can write the tests of its draft."""

    def condition(self, test: Test) -> exp.Expr:
        """Return a test in SQL, negated if the test is. Raises `Impossible`."""
        if test.term.counts and test.operand[:1] == (0,) and test.op in ("=", "<="):
            raise Impossible  # a count of 0: the inner joins drop the things that have no rows
        if is_absence(test, self.draft, self.senses):
            return self.absence(test)
        made = self.positive(test)
        if not test.negated:
            return made
        if isinstance(made, exp.EQ):
            return exp.NEQ(this=made.this, expression=made.expression)
        if isinstance(made, exp.Is):
            return exp.Not(this=made)
        return exp.not_(made)

    def positive(self, test: Test) -> exp.Expr:
        """Return a test in SQL, without its negation. Raises `Impossible`."""
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
        left = self.expression(test.term)
        column = sense.column if sense and sense.columns and not (test.term.counts or test.term.formula) else None
        if test.op == "true" and test.negated and sense and sense.table is not self.about:
            raise Impossible  # open: must one row of the other table say no, or all rows?
        if test.op == "true":
            return exp.EQ(this=left, expression=self.literal(sense.value if sense else True, column))
        if test.op == "null" and sense and sense.table is not self.about and not test.negated:
            raise Impossible  # open: is the value missing in the other table, or the whole row?
        if test.op == "null" and sense and (sense.table.path, sense.column.name) in self.ground.denying:
            raise Impossible  # the column says "No" in words: "phones without wifi" are not those with NULL
        if test.op == "null":
            empty = exp.Is(this=left, expression=exp.null())
            zero = exp.EQ(this=left.copy(), expression=exp.Literal.number(0))
            return exp.or_(empty, zero) if test.operand and column and is_number(column) else empty
        if test.op == "like":
            dated = column is not None and self.dialect.static_types and is_dated(column)
            if (column and is_number(column)) or dated or test.term.counts:
                raise Impossible
            like = exp.ILike if self.dialect.ilike else exp.Like  # without case
            return like(this=left, expression=exp.Literal.string(str(test.operand[0])))
        if test.op == "between" and column and is_dated(column) and all(map(_year, test.operand)):
            first, last = (exp.Literal.number(str(year)) for year in test.operand)
            return exp.Between(this=self.dialect.expressions.year(left), low=first, high=last)
        if test.op == "between":
            cast = column if column and (is_year(column) or is_dated(column)) else None
            low, high = (self.operand(o, cast) for o in test.operand)
            return exp.Between(this=self.compared(left, test, column), low=low, high=high)
        if test.op == "lasts":
            to_come = self.in_days(left.copy(), column, replace(test, op=">="))
            return exp.or_(exp.Is(this=left, expression=exp.null()), to_come)
        if any(isinstance(o, Bound) for o in test.operand):
            return self.in_days(left, column, test)
        if column and is_date(column) and not is_year(column) and _year(test.operand[0]):
            return self.in_year(left, column, test)
        if isinstance(test.operand[0], Term) and test.operand[0].slot is not None and column:
            other = self.senses[test.operand[0].slot].column
            if other is column and sense and self.senses[test.operand[0].slot].table is sense.table:
                raise Impossible
            if (is_number(column), is_date(column)) != (is_number(other), is_date(other)):
                raise Impossible
        if isinstance(test.operand[0], str) and column and is_number(column):
            return _COMPARE[test.op](this=left, expression=self.literal(test.operand[0], column))
        timely = column is not None and (is_year(column) or is_dated(column))
        right = self.operand(test.operand[0], column if test.op in ("=", "!=") or timely else None)
        return _COMPARE[test.op](this=self.compared(left, test, column), expression=right)

    def in_units(self, test: Test, sense: Sense | None) -> Test:
        """Return a test whose amounts are in the unit of its column; a note says what was converted.

        Raises `Impossible` where the column may be in another unit.
        """
        if not any(isinstance(o, Quantity) for o in test.operand):
            return test
        column = sense.column if sense and sense.columns and test.term.agg != "count" else None
        own = unit_of(column) or assumed(column, test.operand) if column else None
        operands: list[Operand] = []
        for one in test.operand:
            number = self.in_unit(one, own) if isinstance(one, Quantity) else one
            if sense and isinstance(one, Quantity) and number != one.number:
                self.notes.add(f"{one.number} {one.unit} are {number} in {sense.table.name}.{sense.column.name}")
            operands.append(number)
        return replace(test, operand=tuple(operands))

    def in_unit(self, quantity: Quantity, own: Unit | None) -> int | float:
        """Return the number of a quantity in a column's `own` unit. Raises `Impossible` where they do not agree."""
        number = converted(quantity, own) if own else quantity.number
        if number is None or (own is None and quantity.unit not in UNNAMED_UNITS):
            raise Impossible
        return number

    def beside(self, thing: Table, test: Test) -> exp.Expr:
        """Return the condition that a row is a neighbour of a named one: "countries that border France".

        The pairs are in a table with two keys to `thing`; the named row may stand in either. Raises `Impossible` where
        not exactly one table lists such pairs.
        """
        one, word = test.operand
        found = list(pairs(self.graph.tables.values(), thing, str(word)))
        if len(found) != 1 or not isinstance(one, Term) or one.slot is None or self.senses[one.slot].table is not thing:
            raise Impossible
        (table, first, second), queries = found[0], []
        for near, far in ((first, second), (second, first)):
            edge = next(e for e in self.graph.edges[table.path] if e.columns == near.columns)
            self.within.add(edge)
            inner = Conditions(self.draft, self.senses, Tree((edge,), 1.0), self.ground)
            made = inner.joined(exp.select(inner.named(table.path, far.columns[0])), inner.tree, (table.path,))
            queries.append(made.where(inner.holds(self.senses[one.slot])))
        mine = self.named(thing.path, first.target_columns[0])
        return exp.In(this=mine, query=exp.union(*queries, distinct=True).subquery())

    def holds(self, sense: Sense) -> exp.Expr:
        """Return the condition that a sense's column holds its value, or two columns a first and a last name."""
        if isinstance(sense.value, str) and self.ground.listed(sense.table.path, sense.column.name, sense.value):
            raise Impossible  # the column holds lists, too: = 'a' would leave out the rows with 'a, b'
        values = sense.value if isinstance(sense.value, tuple) else (sense.value,)
        pairs = enumerate(zip(sense.columns, values, strict=False))
        return exp.and_(*(exp.EQ(this=self.column(sense, i), expression=self.literal(v, c)) for i, (c, v) in pairs))

    def compared(self, left: exp.Expr, test: Test, column: Column | None) -> exp.Expr:
        """Return the left side of a comparison, converted to the type of its operands where that is needed.

        A time that is compared with a day becomes a day; text that is compared with a number becomes a number, if the
        column holds only numerals and is no key or name. Else text and numbers raise `Impossible`.
        """
        if column and is_moment(column) and all(_DAY.match(str(o)) for o in test.operand):
            return self.dialect.expressions.day(left)
        number = any(isinstance(o, (int, float)) for o in test.operand)
        if column and number and test.op not in ("=", "!=") and is_text(column) and not is_year(column):
            table = self.senses[test.term.slot or 0].table
            if (table.path, column.name) not in self.numerals:
                raise Impossible
            keys = {c.lower() for key in table.foreign_keys for c in key.columns} | {
                c.lower() for c in table.primary_key
            }
            if column.name.lower() in keys or column in name_columns(table):
                raise Impossible
            self.doubt += 0.2
            return self.dialect.expressions.number(left)
        return left

    def in_days(self, left: exp.Expr, column: Column | None, test: Test) -> exp.Expr:
        """Return a comparison of a date with bounds of days. Raises `Impossible` where the column holds no dates."""
        if column and is_year(column) and is_number(column) and test.op != "during":
            year = self.dialect.expressions.year(self.operand(test.operand[0], column))
            return _COMPARE[test.op](this=left, expression=year)  # "older than 50 years", by the year it was built
        if column is None or not is_dated(column) or is_year(column):
            raise Impossible
        if is_written(column):
            written = self.dialect.expressions
            left = written.time(left) if is_moment(column) else written.date(left)
        first = test.operand[0]
        if isinstance(first, Bound) and first.day.startswith("--"):
            return self.in_months(left, test)
        bounds = [self.operand(bound, column) for bound in test.operand]
        if test.op != "during":
            return _COMPARE[test.op](this=left, expression=bounds[0])
        low, high = exp.GTE(this=left, expression=bounds[0]), exp.LT(this=left.copy(), expression=bounds[1])
        return exp.and_(low, high)

    def in_months(self, left: exp.Expr, test: Test) -> exp.Expr:
        """Return the test that a date is in a month, or in some that follow each other, of any year."""
        first, end = (int(bound.day[2:]) for bound in test.operand if isinstance(bound, Bound))
        if first >= end:
            raise Impossible  # from November to February
        self.notes.add("a month without a year is that of any year")
        month = self.dialect.expressions.formed(left, "%m")
        low, high = exp.Literal.string(f"{first:02}"), exp.Literal.string(f"{end - 1:02}")
        if first == end - 1:
            return exp.EQ(this=month, expression=low)
        return exp.Between(this=month, low=low, high=high)

    def in_year(self, left: exp.Expr, column: Column, test: Test) -> exp.Expr:
        """Return a comparison of a date's year."""
        year = test.operand[0]
        if test.op == "=" and not is_dated(column):
            return exp.Like(this=left, expression=exp.Literal.string(f"%{year}%"))
        part = self.dialect.expressions.year(left)
        return _COMPARE[test.op](this=part, expression=exp.Literal.number(str(year)))

    def operand(self, operand: Operand, column: Column | None) -> exp.Expr:
        """Return the right side of a comparison: a column, a subquery of one value, a date, or a literal.

        `column` is what it is compared with; None leaves a literal as it was written.
        """
        if isinstance(operand, Bound):
            return written(operand, self.dialect)
        if isinstance(operand, Term):
            return self.expression(operand)
        if isinstance(operand, Nested):
            return self.nested(operand)
        if isinstance(operand, Quantity):
            raise Impossible  # `in_units` has converted those of columns
        return self.literal(operand, column)

    def literal(self, value: str | int | float | tuple[str, ...] | None, column: Column | None) -> exp.Expr:
        """Return a literal in the type of the column that it is compared with. Raises `Impossible` if it has none."""
        if isinstance(value, bool):
            return exp.true() if value else exp.false()
        if isinstance(value, (int, float)):
            text = str(value)
            if column is not None and is_dated(column):
                raise Impossible  # `in_year` has handled years; no other number is a date
            if column is not None and is_text(column) and isinstance(value, int):
                return exp.Literal.string(text)
            return exp.Literal.number(text)
        text = str(value)
        if column is not None and is_number(column):
            if not re.fullmatch(r"\d{1,18}(\.\d{1,9})?", text):
                raise Impossible
            return exp.Literal.number(text)
        if column is not None and is_dated(column) and not _DATE.match(text):
            raise Impossible
        return exp.Literal.string(text)

    def nested(self, nested: Nested) -> exp.Expr:
        """Return a subquery of one value, such as the average of a column."""
        if nested.term.slot is None:
            raise Impossible
        sense = self.senses[nested.term.slot]
        if nested.term.counts:
            return self.average_of_things(nested.term)
        if nested.among is not None:
            return self.average_of_own(nested, sense, self.senses[nested.among])
        if not sense.columns or (nested.agg in ("avg", "sum") and not is_number(sense.column)):
            raise Impossible
        wanted = (sense.table.path, *(self.senses[s].table.path for test in nested.tests for s in slots_of(test)))
        trees = self.graph.trees(wanted)
        if len(trees) != 1 or (trees[0].edges and self.graph.fans_out(trees[0], sense.table.path)):
            raise Impossible
        self.within |= set(trees[0].edges)
        inner = Conditions(self.draft, self.senses, trees[0], self.ground)
        made = exp.select(AGGREGATES[nested.agg](this=inner.column(sense)))
        query = inner.joined(made, trees[0], (sense.table.path,))
        return query.where(*(inner.condition(test) for test in nested.tests)).subquery()

    def average_of_own(self, nested: Nested, sense: Sense, shared: Sense) -> exp.Expr:
        """Return a subquery of an aggregate over the rows that share a column or a key with the row that is tested.

        `shared` is the column, or the table that the key refers to. Raises `Impossible` where the rows have no such
        column of their own.
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
        """Return the condition that there is no row in another table under the test's own tests, as a NOT IN.

        Raises `Impossible` where the join is ambiguous or its key has several columns.
        """
        if test.term.slot is None:
            raise Impossible
        tests = test.tests if test.op == "lacks" else (Test(test.term, test.op, test.operand),)
        if any(self.senses[s].table is self.about for t in tests for s in slots_of(t)):
            raise Impossible  # "actors in no film with Ann" speaks of two rows of the table of actors
        wanted = [
            self.senses[test.term.slot].table.path,
            *(self.senses[s].table.path for t in (*tests, test) for s in slots_of(t)),
        ]
        owner = self.draft.slots[test.term.slot].owner
        if owner in self.draft.groups and self.senses[owner or 0].table is not self.about:
            raise Impossible  # "the average score of each film not seen by Ann": the test is of the group, the film
        found = self.graph.trees((self.about.path, *wanted), self.ground.favoured)
        trees = [t for t in found if not unrelated(self.draft, self.senses, t, self.graph, self.about)]
        if len(trees) != 1 or not trees[0].edges:
            raise Impossible
        tree = trees[0]
        self.within |= set(tree.edges)
        first = [e for e in tree.edges if self.about.path in (e.child, e.parent)]
        if len(first) != 1 or len(first[0].columns) != 1:
            raise Impossible
        if test.op == "lacks" and not tests and first[0] in self.tree.edges:
            raise Impossible  # the query joins the very table whose rows must not exist
        self.note_edge(first[0])
        edge, rest = first[0], Tree(tuple(e for e in tree.edges if e is not first[0]), 0.0)
        near = edge.other(self.about.path)
        mine, theirs = (
            (edge.target_columns[0], edge.columns[0])
            if near == edge.child
            else (edge.columns[0], edge.target_columns[0])
        )
        inner = Conditions(self.draft, self.senses, rest, self.ground)
        column = inner.named(near, theirs)
        query = inner.joined(exp.select(column), rest, (near,))
        query = query.where(
            *(inner.positive(t) for t in tests),
            exp.Is(this=column.copy(), expression=exp.Not(this=exp.null()))
            if near == edge.child or self.graph.tables[near].primary_key != (theirs,)
            else None,
        )
        outer = self.named(self.about.path, mine)
        none = exp.Not(this=exp.In(this=outer, query=query.subquery()))
        if self.about.primary_key == (mine,):
            return none
        # For a row whose key is NULL the NOT IN is NULL, but there is no row for it either.
        return exp.or_(exp.Is(this=outer.copy(), expression=exp.null()), none)


def _year(operand: object) -> bool:
    return isinstance(operand, int) and 1000 <= operand <= 2100
