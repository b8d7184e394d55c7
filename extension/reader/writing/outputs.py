"""Write what a query shows, with the names of computed columns."""

from __future__ import annotations

import re

from askwhere.reader.grammar.draft import PORTION, RANGE, Term
from askwhere.reader.marking.formulas import RATIO, quotient
from askwhere.reader.schema.edges import Impossible, Path
from askwhere.reader.words.dates import period_name
from askwhere.reader.words.names import cut_name
from askwhere.reader.words.units import UNITS, Unit, unit_divisor, unit_of
from askwhere.reader.writing.expressions import Expressions
from askwhere.reader.writing.identifiers import identifier
from sqlglot import exp

_ALIASES = {"avg": "average", "sum": "total", "min": "minimum", "max": "maximum", "count": "count", "median": "median",
            RANGE: "range"}  # fmt: skip


def _group_name(value: object) -> str:
    """Return the name of a column for a value or a year: `in_repair`, `in_2023`; '' for a span of days."""
    if isinstance(value, int):
        return f"in_{value}"
    return re.sub(r"\W+", "_", value.lower()).strip("_") if isinstance(value, str) else ""


class Outputs(Expressions):
    """A query that can write its SELECT list."""

    def shown(self) -> list[exp.Expr]:
        """Return the expressions of the SELECT list.

        Raise `Impossible` if two terms show the same, as one of them is then misread; but the columns that are shown
        for a thing may be listed behind it: "electric cars, make and model", "orders of each buyer: buyer, date".
        """
        if self.draft.star is not None:
            return (
                [exp.Column(this=exp.Star(), table=identifier(self.about.path[-1], self.dialect))]
                if self.tree.edges
                else [exp.Star()]
            )
        listed: dict[str, exp.Expr] = {}
        of_things: set[str] = set()  # the keys in `listed` of columns that are shown for a thing
        for term in self.outputs():
            made = {expression.sql(): expression for expression in self.written(term)}
            if made.keys() <= listed.keys() and not (made and made.keys() <= of_things):
                raise Impossible
            listed |= made
            if self.is_thing(term):
                of_things |= made.keys()
        if self.draft.shown_in and not self.may_be_shown_in(UNITS[self.draft.shown_in]):
            raise Impossible
        if self.draft.places is not None and not any(made.find(exp.Round) for made in listed.values()):
            raise Impossible
        each = self.draft.change and not self.draft.periods
        return [*listed.values(), *([self.change(self.from_each_period())] if each else [])]

    def written(self, term: Term) -> list[exp.Expr]:
        """Return the expressions that show a term, with aliases where they are computed."""
        divisor = self.divisor(term)
        if term.counts and self.draft.periods:
            return self.of_two_groups(term, divisor)
        if term.counts or term.formula or divisor != 1:
            name = self.alias_in_unit(term) if divisor != 1 and not term.formula else self.alias(term)
            shown = self.rounded(self.in_unit_shown(self.expression(term), divisor), term)
            return [exp.alias_(shown, name, quoted=not self.dialect.is_bare(name))]
        part = period_name(self.part(term)) or self.draft.case
        return [exp.alias_(self.cased(column), part) if part else column for column in self.plain(term)]

    def is_thing(self, term: Term) -> bool:
        """Return whether a term is a thing, shown by its name columns, or a column that the query groups by."""
        if term.slot is None or term.counts or term.formula:
            return False
        return not self.senses[term.slot].columns or term.slot in self.draft.groups

    def of_two_groups(self, term: Term, divisor: float) -> list[exp.Expr]:
        """Return the change of a term between the draft's two `periods`, or its values in both, as two columns."""
        earlier, later = self.growth(term)
        if self.draft.change != "percent":
            earlier, later = (self.in_unit_shown(made, divisor) for made in (earlier, later))
        if self.draft.change != "both":
            return [self.change((earlier, later))]
        names = [
            _group_name(self.senses[t.term.slot or 0].value or (t.operand or ("",))[0]) for t in self.draft.periods
        ]
        first, second = names if len(set(names)) == 2 and all(names) else ("first", "second")
        return [
            exp.alias_(self.rounded(made, term), name, quoted=not self.dialect.is_bare(name))
            for made, name in ((earlier, first), (later, second))
        ]

    def cased(self, made: exp.Expr) -> exp.Expr:
        """Return an expression in the letter case that the question asks for."""
        if not self.draft.case:
            return made
        return exp.Upper(this=made) if self.draft.case == "upper" else exp.Lower(this=made)

    def rounded(self, made: exp.Expr, term: Term) -> exp.Expr:
        """Return an expression rounded to the decimal places that the question asks for; counts stay as they are."""
        places = self.draft.places
        if places is None or term.rows or term.agg == "count":
            return made
        return exp.Round(this=made, decimals=exp.Literal.number(places) if places else None)

    def outputs(self) -> list[Term]:
        """Return the terms to show; what the query groups by comes first, unless it is shown already."""
        outputs = list(self.draft.outputs)
        if any(t.counts for t in outputs) or (self.draft.star is None and not outputs):
            shown = {self.shows(t) for t in outputs}
            alike = {s for t in outputs if not t.counts for s in self.equals(t)}
            tables = {path for path, _ in alike}
            outputs = [
                t
                for g in self.draft.groups
                for t in [Term(g)]
                if self.shows(t) not in shown
                and not set(self.equals(t)) & alike
                and not (not self.senses[g].columns and self.senses[g].table.path in tables)
            ] + outputs
        return outputs

    def equals(self, term: Term) -> list[tuple[Path, str]]:
        """Return the columns, as (table, name), that hold the same value as a term: its own and those joined to it.

        The list is empty for a term of several columns or a part of a date.
        """
        if term.slot is None or len(self.columns(term)) != 1 or self.part(term):
            return []
        path, name = self.senses[term.slot].table.path, self.columns(term)[0].name
        equal = [(path, name)]
        for edge in self.tree.edges:
            for column, target in zip(edge.columns, edge.target_columns, strict=True):
                if (edge.child, column) == (path, name):
                    equal.append((edge.parent, target))
                elif (edge.parent, target) == (path, name):
                    equal.append((edge.child, column))
        return equal

    def shows(self, term: Term) -> tuple[object, ...]:
        """Return a key that is equal for two terms if they show the same."""
        if term.slot is None:
            return ()
        names = (c.name for slot in term.slots for c in self.columns(Term(slot)))
        return (term.agg, term.rows, self.part(term), *names, self.senses[term.slot].table.path)

    def divisor(self, term: Term) -> float:
        """Return the number that divides a term to show it in the unit asked for; 1 if the question asks for none."""
        if not self.draft.shown_in or term.slot is None or term.rows or term.agg in ("count", "share", PORTION):
            return 1
        slots = term.slots[:1] if term.formula == RATIO else term.slots
        columns = [c for slot in slots for c in self.senses[slot].columns]
        return next((by for c in columns if (by := unit_divisor(c, self.draft.shown_in)) is not None), 1)

    def in_unit_shown(self, made: exp.Expr, divisor: float) -> exp.Expr:
        """Return an expression divided by a number, with a note on the unit; as it is for 1."""
        if divisor == 1:
            return made
        self.notes.add(f"shown in {self.draft.shown_in.replace('_', ' ')}")
        made = exp.Paren(this=made) if isinstance(made, exp.Add | exp.Sub) else made
        whole, less = exp.Literal.number(f"{divisor:.1f}"), exp.Literal.number(f"{round(1 / divisor, 6):.1f}")
        return exp.Div(this=made, expression=whole, typed=True) if divisor > 1 else exp.Mul(this=made, expression=less)

    def alias_in_unit(self, term: Term) -> str:
        """Return the name of a column in the unit asked for: `price_euros` of `price_cents`, `total_price_euros`."""
        *words, last = cut_name(self.senses[term.slot or 0].column.name)
        aggregate, unit = ([_ALIASES[term.agg]] if term.agg else []), ([] if last in UNITS else [last])
        return "_".join([*aggregate, *words, *unit, self.draft.shown_in])

    def may_be_shown_in(self, unit: Unit) -> bool:
        """Return whether a column that is shown is in a unit of what `unit` measures.

        A column that names no unit may hold money of any currency.
        """
        senses = (self.senses[slot] for t in self.outputs() if not t.rows for slot in t.slots)
        units = [own for s in senses for c in s.columns if (own := unit_of(c)) is not None]
        return any(own.measures_like(unit) for own in units) or (
            unit.is_money and not any(own.is_money for own in units)
        )

    def from_each_period(self) -> tuple[exp.Expr, exp.Expr]:
        """Return what is counted or added up in the period before each that is grouped by, and in the period itself."""
        value = self.expression(next(t for t in self.draft.outputs if t.counts))
        order = exp.Order(expressions=[exp.Ordered(this=self.expression(Term(self.draft.groups[0])))])
        return exp.Window(this=exp.Lag(this=value.copy()), order=order), value

    def growth(self, term: Term) -> tuple[exp.Expr, exp.Expr]:
        """Return what is counted or added up in the earlier of the draft's two `periods`, and in the later one.

        Raise `Impossible` in a subquery: only `Selecting` writes conditions.
        """
        raise Impossible

    def change(self, values: tuple[exp.Expr, exp.Expr]) -> exp.Expr:
        """Return the change from the first value to the second, or `percent_change` if it is asked for in percent."""
        before, value = values
        less: exp.Expr = exp.Sub(this=value.copy(), expression=before)
        if self.draft.change == "percent":
            part = exp.Mul(this=exp.Literal.number("100.0"), expression=exp.Paren(this=less))
            return exp.alias_(quotient(part, before.copy()), "percent_change")
        return exp.alias_(less, "change")

    def alias(self, term: Term) -> str:
        """Return the name of a computed column: `count`, `share`, `percentage`, `revenue` or e.g. `average_price`.

        Where the column's name has the word already, the aggregate is written as in SQL: `sum_total_price`. The alias
        is never the column's name alone, which SQLite would take for it within the aggregate.
        """
        if term.rows or term.slot is None:
            return "count"
        if term.agg in ("share", PORTION):
            return "percentage" if self.draft.percent else "share"
        if term.formula == RATIO:
            return "percentage" if self.draft.percent else "ratio"
        if term.formula:
            return f"{_ALIASES[term.agg]}_{term.formula}" if term.agg and term.formula != "revenue" else term.formula
        name, aggregate = self.senses[term.slot].column.name, _ALIASES[term.agg]
        return f"{term.agg if aggregate in cut_name(name) else aggregate}_{name.lower()}"
