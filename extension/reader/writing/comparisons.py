"""Write what a column is compared with: literals in its type and unit, days, months, years."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from askwhere.engine import Column
from askwhere.reader.grammar.draft import Nested, Operand, Term, Test
from askwhere.reader.schema.edges import Impossible
from askwhere.reader.schema.naming import foreign_columns, name_columns
from askwhere.reader.schema.senses import Sense
from askwhere.reader.schema.text_columns import date_form, is_written
from askwhere.reader.words.clock import CLOCK
from askwhere.reader.words.dates import Bound, begins_a_month, written
from askwhere.reader.words.months import is_by_month
from askwhere.reader.words.types import is_date, is_dated, is_moment, is_number, is_text, is_time_of_day, is_year
from askwhere.reader.words.units import (
    CENTS,
    POUND_FORMS,
    POUNDS,
    UNNAMED_UNITS,
    WHOLE,
    Quantity,
    Unit,
    assumed_unit,
    converted,
    in_hundredths,
    unit_divisor,
    unit_of,
)
from askwhere.reader.writing.outputs import Outputs
from sqlglot import exp

COMPARE: dict[str, type[exp.Binary]] = {
    "=": exp.EQ,
    "!=": exp.NEQ,
    ">": exp.GT,
    ">=": exp.GTE,
    "<": exp.LT,
    "<=": exp.LTE,
}
_ORDERING = ("<", "<=", ">", ">=", "between")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}")


class Comparisons(Outputs):
    """A query that can write comparisons without a subquery."""

    def holds(self, sense: Sense) -> exp.Expr:
        """Return the condition that a column holds its sense's value, or one of several; or two columns a full name."""
        if isinstance(sense.value, str) and self.facts.listed(sense.table.path, sense.column.name, sense.value):
            raise Impossible  # the column holds lists, too: = 'a' would leave out the rows with 'a, b'
        values = sense.value if isinstance(sense.value, tuple) else (sense.value,)
        if len(sense.columns) < len(values):
            literals = [self.as_stored(value, sense.column) for value in values]
            return exp.In(this=self.stored(sense, 0), expressions=literals)
        pairs = enumerate(zip(sense.columns, values, strict=False))
        return exp.and_(*(exp.EQ(this=self.stored(sense, i), expression=self.as_stored(v, c)) for i, (c, v) in pairs))

    def as_stored(self, value: str | int | float | tuple[str, ...] | None, column: Column) -> exp.Expr:
        """Return the literal of a value that a column holds: a text where the column is one."""
        return exp.Literal.string(str(value)) if is_written(column) else self.literal(value, column)

    def compared(self, left: exp.Expr, test: Test, column: Column | None) -> exp.Expr:
        """Return the left side of a comparison, converted to the type of its operands where that is needed.

        A time that is compared with a day becomes a day; text that is compared with a number becomes a number, if the
        column holds only numerals and is no key or name. Else text and numbers, or days, raise `Impossible`.
        """
        if column and is_moment(column) and all(_DAY.match(str(o)) or self.is_day(o) for o in test.operand):
            return self.dialect.expressions.day(left)
        number = any(isinstance(o, (int, float)) for o in test.operand)
        day = any(isinstance(o, str) and _DAY.match(o) for o in test.operand)
        if column and day and test.op in _ORDERING and is_text(column) and not is_date(column):
            raise Impossible  # no code is before a day
        if column and number and test.op not in ("=", "!=") and is_text(column) and not is_year(column):
            table = self.senses[test.term.slot or 0].table
            if (table.path, column.name) not in self.numerals:
                raise Impossible
            keys = foreign_columns(table) | {c.lower() for c in table.primary_key}
            if column.name.lower() in keys or column in name_columns(table):
                raise Impossible
            self.doubt += 0.2
            return self.dialect.expressions.number(left)
        return left

    def is_day(self, operand: Operand) -> bool:
        """Return whether an operand is a column of days: what is shipped at noon of its due date is not late."""
        return isinstance(operand, Term) and self.column_of(operand, _holds_days)

    def column_of(self, term: Term, test: Callable[[Column], bool]) -> bool:
        """Return whether a term is a column, without an aggregate or a formula, that passes a test."""
        columns = self.senses[term.slot].columns if term.slot is not None else ()
        return len(columns) == 1 and not (term.counts or term.formula or term.other) and test(columns[0])

    def in_days(self, left: exp.Expr, column: Column | None, test: Test) -> exp.Expr:
        """Return a comparison of a date with bounds of days. Raise `Impossible` where the column holds no dates."""
        if isinstance(test.operand[0], Bound) and test.operand[0].day.startswith(CLOCK):
            return self.at_times(left, column, test)
        if column and is_year(column) and is_number(column) and test.op != "during":
            year = self.dialect.expressions.year(self.operand(test.operand[0], column))
            return COMPARE[test.op](this=left, expression=year)  # "older than 50 years", by the year it was built
        if column is None or not is_dated(column) or is_year(column):
            raise Impossible
        if is_written(column) and not date_form(column):
            written = self.dialect.expressions
            left = written.time(left) if is_moment(column) else written.date(left)
        if is_by_month(column) and not all(isinstance(b, Bound) and begins_a_month(b) for b in test.operand):
            raise Impossible
        first = test.operand[0]
        if isinstance(first, Bound) and first.recurs:
            return self.on_weekdays(left, test) if first.day.startswith("-W") else self.in_months(left, test)
        bounds = [self.operand(bound, column) for bound in test.operand]
        if test.op != "during":
            return COMPARE[test.op](this=left, expression=bounds[0])
        low, high = exp.GTE(this=left, expression=bounds[0]), exp.LT(this=left.copy(), expression=bounds[1])
        return exp.and_(low, high)

    def at_times(self, left: exp.Expr, column: Column | None, test: Test) -> exp.Expr:
        """Return a comparison of a time of day, or that of a date with a time. Raise `Impossible` for other columns."""
        if column is None or is_number(column) or not (is_time_of_day(column) or is_moment(column)):
            raise Impossible
        written = self.dialect.expressions
        if is_written(column) and is_moment(column):
            left = written.time(left)
        time = written.clock(left) if is_time_of_day(column) else written.formed(left, "%H:%M")
        low, high = (
            exp.Literal.string(b.day.removeprefix(CLOCK)) for b in (test.operand * 2)[:2] if isinstance(b, Bound)
        )
        if test.op != "during":
            return COMPARE[test.op](this=time, expression=low)
        if low == high:
            return exp.EQ(this=time, expression=low)
        if high.this == "24:00":
            return exp.GTE(this=time, expression=low)
        since, until = exp.GTE(this=time, expression=low), exp.LT(this=time.copy(), expression=high)
        over_night = low.this > high.this
        return exp.paren(exp.or_(since, until)) if over_night else exp.and_(since, until)

    def in_months(self, left: exp.Expr, test: Test) -> exp.Expr:
        """Return the condition that a date is in a month of any year, or in one of consecutive months."""
        first, end = (int(bound.day[2:]) for bound in test.operand if isinstance(bound, Bound))
        if first >= end:
            raise Impossible  # from November to February
        self.notes.add("a month without a year is that of any year")
        month = self.dialect.expressions.formed(left, "%m")
        low, high = exp.Literal.string(f"{first:02}"), exp.Literal.string(f"{end - 1:02}")
        if first == end - 1:
            return exp.EQ(this=month, expression=low)
        return exp.Between(this=month, low=low, high=high)

    def on_weekdays(self, left: exp.Expr, test: Test) -> exp.Expr:
        """Return the condition that a date is on a day of the week, or on one of consecutive days."""
        first, end = (int(bound.day[3:]) for bound in test.operand if isinstance(bound, Bound))
        if first >= end:
            raise Impossible  # from Friday to Monday
        days = [exp.Literal.string(str(day % 7)) for day in range(first, end)]  # 0 is Sunday
        weekday = self.dialect.expressions.formed(left, "%w")
        return exp.In(this=weekday, expressions=days) if len(days) > 1 else exp.EQ(this=weekday, expression=days[0])

    def in_year(self, left: exp.Expr, column: Column, test: Test) -> exp.Expr:
        """Return a comparison of a date's year."""
        year = test.operand[0]
        if test.op == "=" and not is_dated(column):
            return exp.Like(this=left, expression=exp.Literal.string(f"%{year}%"))
        part = self.dialect.expressions.year(left)
        return COMPARE[test.op](this=part, expression=exp.Literal.number(str(year)))

    def in_units(self, test: Test, sense: Sense | None) -> Test:
        """Return a test whose amounts are in the unit of its column; a note says what was converted.

        A number without a unit is in the one that the question asks to show amounts in, "over 500, in euros"; else, for
        a column of cents, in whole euros or the like, unless the question says "cents". Raise `Impossible` where the
        column may be in another unit.
        """
        column = sense.column if sense and sense.columns and test.term.agg != "count" else None
        shown = self.draft.shown_in
        shown = shown if shown and column and unit_divisor(column, shown) else ""
        if not shown and column and in_hundredths(column) and not self.names_cents(test):
            shown = WHOLE
        amounts = [
            Quantity(o, shown) if shown and isinstance(o, (int, float)) and not isinstance(o, bool) else o
            for o in test.operand
        ]
        if not any(isinstance(o, Quantity) for o in amounts):
            return test
        own = unit_of(column) or assumed_unit(column, test.operand) if column else None
        operands: list[Operand] = []
        for amount in amounts:
            number = self.in_unit(amount, own) if isinstance(amount, Quantity) else amount
            if sense and isinstance(amount, Quantity) and number != amount.number:
                unit = amount.unit.replace("_", " ")
                self.notes.add(f"{amount.number} {unit} are {number} in {sense.table.name}.{sense.column.name}")
            operands.append(number)
        return replace(test, operand=tuple(operands))

    def names_cents(self, test: Test) -> bool:
        """Return whether the words for what is compared say that it is in cents: "price cents over 500"."""
        words = self.draft.slots[test.term.slot or 0].text.lower().split()
        return any(word in CENTS for word in words)

    def in_unit(self, quantity: Quantity, own: Unit | None) -> int | float:
        """Return the number of a quantity in a column's `own` unit. Raise `Impossible` where they do not agree."""
        if own and own.is_money and quantity.unit in POUND_FORMS:
            quantity = replace(quantity, unit=POUNDS)
        number = converted(quantity, own) if own else quantity.number
        if number is None or (own is None and quantity.unit not in UNNAMED_UNITS):
            raise Impossible
        return number

    def operand(self, operand: Operand, column: Column | None) -> exp.Expr:
        """Return the right side of a comparison: a column, a subquery of one value, a date, or a literal.

        `column` is what it is compared with; None leaves a literal as it was written.
        """
        if isinstance(operand, Bound):
            return written(operand, self.dialect)
        if isinstance(operand, Term):
            found = self.expression(operand)
            times = column and _holds_days(column) and self.column_of(operand, is_moment)
            return self.dialect.expressions.day(found) if times else found
        if isinstance(operand, Nested):
            return self.nested(operand)
        if isinstance(operand, Quantity):
            raise Impossible  # `in_units` has converted those of columns
        return self.literal(operand, column)

    def literal(self, value: str | int | float | tuple[str, ...] | None, column: Column | None) -> exp.Expr:
        """Return a literal in the type of the column that it is compared with. Raise `Impossible` if it has none."""
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
        """Return a subquery of one value. Raise `Impossible`: only `Conditions` writes it."""
        raise Impossible


def _holds_days(column: Column) -> bool:
    """Return whether a column has dates without a time of day."""
    return is_dated(column) and not is_moment(column) and not is_year(column)
