"""Write the terms of a draft as SQL expressions: columns, counts, aggregates, shares."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Table
from askwhere.reader.grammar.draft import PORTION, RANGE, Term
from askwhere.reader.marking.formulas import PRODUCT, RATIO, computed, quotient
from askwhere.reader.schema.edges import Impossible
from askwhere.reader.schema.naming import foreign_columns, key_columns, own_key
from askwhere.reader.schema.roles import says_who_is_over
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.dates import WEEKDAY, decade_of, part_of
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.types import is_number, is_year
from askwhere.reader.writing.query import Query
from sqlglot import exp

AGGREGATES: dict[str, type[exp.AggFunc]] = {"avg": exp.Avg, "sum": exp.Sum, "min": exp.Min, "max": exp.Max}


class Expressions(Query):
    """A query that can write its terms."""

    def expression(self, term: Term) -> exp.Expr:
        """Return a term as a SQL expression.

        Raise `Impossible` for the average or sum of a column that is a key or holds no numbers.
        """
        if term.rows or term.slot is None:
            return self.count_rows(term)
        sense = self.senses[term.slot]
        if term.agg == PORTION:
            return self.portion(term, sense)
        if term.agg == "share":
            return self.share_of(term, sense) if term.formula or sense.columns else self.share(sense)
        if term.other is not None:
            return self.of_two(term)
        if term.formula:
            made = computed(term.formula, [self.column(sense, i) for i in range(len(sense.columns))], self.dialect)
            return AGGREGATES[term.agg](this=made) if term.agg else made
        if not sense.columns:
            return self.named(sense.table.path, self.columns(term)[-1].name)
        column = self.stored(sense, len(sense.columns) - 1) if term.agg == "count" else self.column(sense, -1)
        if term.agg in ("avg", "sum") and (not is_number(sense.columns[-1]) or self.is_key(sense)):
            raise Impossible
        if term.agg == "median":
            raise Impossible  # only `Aggregating.median` writes it
        if term.agg == RANGE:
            return exp.Sub(this=exp.Max(this=column), expression=exp.Min(this=column.copy()))
        if part := self.part(term):
            if part == WEEKDAY:
                self.notes.add("days of the week are numbers from 0, Sunday, to 6")
            if is_year(sense.columns[-1]):
                return decade_of(column)
            return part_of(column, part, self.dialect)
        if term.agg == "count":
            return exp.Count(this=exp.Distinct(expressions=[column]))
        made = AGGREGATES[term.agg](this=column) if term.agg else column
        none = exp.Literal.number(0)
        return exp.Coalesce(this=made, expressions=[none]) if self.draft.keeps and term.agg == "sum" else made

    def of_two(self, term: Term) -> exp.Expr:
        """Return what is computed from two columns, of one row or over many: a ratio is then that of two sums.

        Raise `Impossible` where the joins repeat what is added up. But they may repeat one factor of a product, the
        price of what several lines sell, and the divisor of a ratio that each group has once, the cows of a farm.
        """
        senses = [self.senses[slot] for slot in term.slots]
        first, second = (self.column(sense) for sense in senses)
        percent = exp.Literal.number("100.0") if self.draft.percent and term.formula == RATIO else None
        repeated = [self.fans_out(s.table) for s in senses]
        computed_from = {(s.table.path, s.columns) for s in senses}
        grouped = {(self.senses[g].table.path, self.senses[g].columns) for g in self.draft.groups}
        if any(self.is_key(s) for s in senses) or computed_from & grouped:
            raise Impossible
        many = term.formula == RATIO and term.agg in ("sum", "avg")
        if term.agg:
            allowed = not all(repeated) if term.formula == PRODUCT else many and self.is_grouped_by(senses[1])
            fits = not any(repeated) or (allowed and (term.formula == PRODUCT or not repeated[0]))
        else:
            fits = not self.fans_out(self.about)
        if not fits:
            raise Impossible
        if many:
            first, second = exp.Sum(this=first), (exp.Max if repeated[1] else exp.Sum)(this=second)
        made = computed(term.formula, [first, second], self.dialect)
        if percent:
            made = quotient(exp.Mul(this=percent, expression=first), second)
        return AGGREGATES[term.agg](this=made) if term.agg and not many else made

    def is_grouped_by(self, sense: Sense) -> bool:
        """Return whether each group has one row of a column's table, as that is shown or grouped by as a thing."""
        things = {t.slot for t in self.draft.outputs if not t.counts} | {*self.draft.groups}
        return any(self.senses[s].table is sense.table and not self.senses[s].columns for s in things if s is not None)

    def text(self, term: Term) -> exp.Expr:
        """Return a term as `expression` does, but a column as it is stored, even text for numbers or dates."""
        sense = self.senses[term.slot] if term.slot is not None else None
        plain = sense and sense.columns and not (term.counts or term.formula or term.agg or self.part(term))
        return self.stored(sense, -1) if sense and plain else self.expression(term)

    def plain(self, term: Term) -> list[exp.Expr]:
        """Return the expressions for a term without an aggregate: its columns, or the period of its date.

        All columns of a table are shown if its name columns are foreign keys. Raise `Impossible` if anything else is
        shown beside them.
        """
        if self.part(term) or term.formula:
            return [self.expression(term)]
        if self.is_nameless(term):
            table = self.senses[term.slot or 0].table
            if self.draft.outputs != [term] or self.draft.groups or len(table.columns) <= len(self.columns(term)):
                raise Impossible
            return [self.named(table.path, column.name) for column in table.columns]
        return [self.named(self.senses[term.slot or 0].table.path, column.name) for column in self.columns(term)]

    def is_nameless(self, term: Term) -> bool:
        """Return whether a term is a table whose name columns are foreign keys and not its whole primary key."""
        sense = self.senses[term.slot or 0]
        columns = {c.name.lower() for c in self.columns(term)}
        refers = bool(columns & foreign_columns(sense.table))
        return not sense.columns and refers and columns != {k.lower() for k in sense.table.primary_key}

    def share_of(self, term: Term, sense: Sense) -> exp.Expr:
        """Return the share of a sum that comes from the rows that pass the draft's `share` tests.

        Raise `Impossible` in a subquery, as `share` does: only `Selecting` writes shares.
        """
        raise Impossible

    def average_of_things(self, term: Term) -> exp.Expr:
        """Return a subquery of the average that a count or sum has over all things that the question is about.

        Raise `Impossible` in a subquery: only `Aggregating` writes it.
        """
        raise Impossible

    def share(self, sense: Sense) -> exp.Expr:
        """Return the share of a table's rows that pass the draft's `share` tests: 0 to 100 in percent, else 0 to 1."""
        raise Impossible

    def whole_share(self) -> exp.Expr:
        """Return what the shares of all rows add up to: 100 where they are asked for in percent, else 1."""
        return exp.Literal.number("100.0" if self.draft.percent else "1.0")

    def portion(self, term: Term, sense: Sense) -> exp.Expr:
        """Return the share that each group has: its rows, or its sum, divided by those of all groups.

        Raise `Impossible` where a join repeats rows, which would then be in several groups.
        """
        if self.fans_out(sense.table):
            raise Impossible
        of_sum = term.formula or sense.columns
        value = self.expression(replace(term, agg="sum")) if of_sum else exp.Count(this=exp.Star())
        whole = exp.Window(this=exp.Sum(this=value.copy()))
        return quotient(exp.Mul(this=self.whole_share(), expression=value), whole)

    def is_key(self, sense: Sense) -> bool:
        """Return whether a column belongs to the primary key or a foreign key, declared or guessed."""
        name = sense.column.name.lower()
        numbered = name_stems(sense.column.name)[-1:] in (("no",), ("nr",), ("id",))
        if (numbered and sense.columns == key_columns(sense.table)) or says_who_is_over(sense.table, sense.column):
            return True
        return name in foreign_columns(sense.table) | {c.lower() for c in sense.table.primary_key}

    def count_rows(self, term: Term) -> exp.Expr:
        """Return COUNT(*), or COUNT(DISTINCT key) where a join repeats rows of the counted table."""
        table = self.senses[term.slot].table if term.slot is not None else None
        if self.draft.keeps:
            return self.count_matches(table)
        if table and (self.fans_out(table) or term.distinct):
            keys = own_key(table)
            if len(keys) == 1:
                return exp.Count(this=exp.Distinct(expressions=[self.named(table.path, keys[0].name)]))
        return exp.Count(this=exp.Star())

    def count_matches(self, table: Table | None) -> exp.Expr:
        """Return the count of a table's rows that a LEFT JOIN found: 0 where there are none. Raise `Impossible`."""
        keys = own_key(table) if table else ()
        if table is not None and len(keys) != 1 and not self.fans_out(table):
            # Rows that a join found have the key that they were found by.
            joined = (edge.columns[0] for edge in self.tree.edges if edge.child == table.path)
            keys = tuple(c for name in joined for c in table.columns if c.name.lower() == name.lower())[:1]
        if table is None or len(keys) != 1:
            raise Impossible
        key: exp.Expr = self.named(table.path, keys[0].name)
        fans = self.fans_out(table)
        return exp.Count(this=exp.Distinct(expressions=[key]) if fans else key)
