"""Build the parts of a query as sqlglot trees: tables, joins, columns and aggregates.

`Query` is the base of `Conditions` (WHERE and HAVING) and of the composer (whole queries).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Self, cast

from askwhere.engine import Column, Table
from askwhere.reader.grammar.draft import PORTION, RANGE, Draft, Term
from askwhere.reader.marking.formulas import computed
from askwhere.reader.schema.edges import Edge, Impossible, Path, Tree, steps
from askwhere.reader.schema.joins import Graph
from askwhere.reader.schema.naming import name_columns, own_key
from askwhere.reader.schema.roles import is_alias, says_who_is_over
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.dates import part_of
from askwhere.reader.words.names import cut_name
from askwhere.reader.words.types import is_number, is_year
from askwhere.reader.writing.identifiers import identifier
from askwhere.reader.writing.scope import about_table, tables_of
from askwhere.sql.dialects import named
from sqlglot import exp

AGGREGATES: dict[str, type[exp.AggFunc]] = {"avg": exp.Avg, "sum": exp.Sum, "min": exp.Min, "max": exp.Max}
_ALIASES = {"avg": "average", "sum": "total", "min": "minimum", "max": "maximum", "count": "count", "median": "median",
            RANGE: "range"}  # fmt: skip


class LeftOut(Impossible):
    """A verb of the question names a table or column ("sold": the sales) that the query does not use."""


@dataclass
class _Notes:
    """The notes for the user on how the question was read, each once, in order."""

    lines: list[str] = field(default_factory=list)

    def add(self, line: str) -> None:
        """Append a note unless it is empty or there already."""
        if line and line not in self.lines:
            self.lines.append(line)


@dataclass(frozen=True)
class Ground:
    """What queries of one database are built on: its foreign keys, its SQL dialect, and facts about its columns.

    `numerals` are text columns that hold whole numbers, as (table, column).
    """

    graph: Graph
    dialect: str
    numerals: frozenset[tuple[Path, str]] = frozenset()
    denying: frozenset[tuple[Path, str]] = frozenset()  # columns with words for no value: "none", "n/a"
    listed: Callable[[Path, str, str], bool] = lambda *_: False  # whether a column also lists a value: "a, b"
    favoured: frozenset[Edge] = frozenset()  # the foreign keys that words of the question name


class Query:
    """A bound draft (one sense for each slot) with the tree that joins its tables; its methods write the parts in SQL.

    `doubt` adds up what makes the query unlikely to be what was asked; it lowers the reading's score.
    """

    def __init__(self, draft: Draft, senses: tuple[Sense, ...], tree: Tree, ground: Ground) -> None:
        self.draft, self.senses, self.tree, self.ground = draft, senses, tree, ground
        self.graph, self.dialect, self.numerals = ground.graph, named(ground.dialect), ground.numerals
        self.paths = tables_of(draft, senses)
        self.about = about_table(draft, senses)
        self.notes = _Notes()
        self.doubt = 0.0
        self.within: set[Edge] = set()  # joins of the subqueries

    def another(self, draft: Draft, tree: Tree | None = None) -> Self:
        """Return the writer of a query within this one: of another draft, and joined along `tree` if that is given."""
        return type(self)(draft, self.senses, self.tree if tree is None else tree, self.ground)

    def note_edge(self, edge: Edge) -> None:
        """Add a note on a join if its foreign key is guessed."""
        if edge.guessed:
            self.notes.add(
                f"guessed that {edge.child[-1]}.{', '.join(edge.columns)} refers to "
                f"{edge.parent[-1]}.{', '.join(edge.target_columns)}"
            )

    def joined(
        self,
        query: exp.Select,
        tree: Tree,
        paths: tuple[Path, ...],
        outer: frozenset[Path] = frozenset(),
        more: Mapping[Path, list[exp.Expr]] = MappingProxyType({}),
    ) -> exp.Select:
        """Return the query with FROM and JOIN along the tree, starting at the first of `paths`.

        Tables in `outer` are joined by LEFT JOIN; `more` are further conditions on the rows that are joined. Raises
        `Impossible` if the tree is not connected or reaches a table twice.
        """
        start = paths[0]
        query = query.from_(self.table(start))
        for new, edge in steps(start, tree.edges):
            on = exp.and_(self.on(edge), *more.get(new, ()))
            query = query.join(self.table(new), on=on, join_type="LEFT" if new in outer else "")
        return query

    def on(self, edge: Edge) -> exp.Expr:
        """Return the join condition of an edge."""
        pairs = zip(edge.columns, edge.target_columns, strict=True)
        return exp.and_(
            *(exp.EQ(this=self.named(edge.child, a), expression=self.named(edge.parent, b)) for a, b in pairs)
        )

    def table(self, path: Path) -> exp.Table:
        """Return a table by the shortest path that runs, by default by its name, or its full path if several have it.

        An alias (see `roles`) is written as the table that it stands for, with its own name.
        """
        if is_alias(self.graph.tables[path]):
            return cast(exp.Table, exp.alias_(self.table(path[:-1]), identifier(path[-1], self.dialect), table=True))
        is_unique = sum(p[-1].lower() == path[-1].lower() for p in self.graph.tables) == 1
        parts = self.graph.tables[path].short or (path[-1:] if is_unique else path)
        names = [identifier(part, self.dialect) for part in parts][::-1]
        return exp.Table(this=names[0], **dict(zip(("db", "catalog"), names[1:3], strict=False)))

    def named(self, path: Path, name: str, always: bool = False) -> exp.Column:
        """Return a column, qualified by its table if the query joins several tables or `always` is set."""
        owner = identifier(path[-1], self.dialect) if self.tree.edges or always else None
        return exp.Column(this=identifier(name, self.dialect), table=owner)

    def column(self, sense: Sense, place: int = 0) -> exp.Column:
        """Return the column at `place` among the columns of a sense."""
        return self.named(sense.table.path, sense.columns[place].name)

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
        found = [(path, name)]
        for edge in self.tree.edges:
            for one, other in zip(edge.columns, edge.target_columns, strict=True):
                if (edge.child, one) == (path, name):
                    found.append((edge.parent, other))
                elif (edge.parent, other) == (path, name):
                    found.append((edge.child, one))
        return found

    def shows(self, term: Term) -> tuple[object, ...]:
        """Return a key that is equal for two terms if they show the same."""
        if term.slot is None:
            return ()
        names = (c.name for c in self.columns(term))
        return (term.agg, term.rows, self.part(term), *names, self.senses[term.slot].table.path)

    def columns(self, term: Term) -> tuple[Column, ...]:
        """Return the columns that a term shows: those of its sense, or for a table the columns of its name."""
        if term.slot is None:
            return ()
        sense = self.senses[term.slot]
        return sense.columns or name_columns(sense.table)

    def shown(self) -> list[exp.Expr]:
        """Return the expressions of the SELECT list.

        Raises `Impossible` if two terms yield the same expression, as one of them was then misread.
        """
        if self.draft.star is not None:
            return (
                [exp.Column(this=exp.Star(), table=identifier(self.about.path[-1], self.dialect))]
                if self.tree.edges
                else [exp.Star()]
            )
        found: dict[str, exp.Expr] = {}
        for term in self.outputs():
            before = len(found)
            if term.counts or term.formula:
                made = exp.alias_(
                    self.expression(term), self.alias(term), quoted=not self.dialect.is_bare(self.alias(term))
                )
                found.setdefault(made.sql(), made)
            else:
                for made in self.plain(term):
                    part = self.part(term)
                    found.setdefault(made.sql(), exp.alias_(made, part) if part else made)
            if len(found) == before:
                raise Impossible
        return [*found.values(), *([self.change()] if self.draft.change else [])]

    def change(self) -> exp.Expr:
        """Return the change of what is counted or added up from the period before, in percent if that is asked for."""
        value = self.expression(next(t for t in self.draft.outputs if t.counts))
        order = exp.Order(expressions=[exp.Ordered(this=self.expression(Term(self.draft.groups[0])))])
        before = exp.Window(this=exp.Lag(this=value.copy()), order=order)
        less: exp.Expr = exp.Sub(this=value.copy(), expression=before)
        if self.draft.change == "percent":
            part = exp.Mul(this=exp.Literal.number("100.0"), expression=exp.Paren(this=less))
            less = exp.Div(this=part, expression=before.copy(), typed=True)
        return exp.alias_(less, "change")

    def plain(self, term: Term) -> list[exp.Expr]:
        """Return the expressions for a term without an aggregate: its columns, or the period of its date.

        Raises `Impossible` for a table that has nothing to show but foreign keys.
        """
        if self.part(term) or term.formula:
            return [self.expression(term)]
        if self.is_nameless(term):
            raise Impossible
        return [self.named(self.senses[term.slot or 0].table.path, column.name) for column in self.columns(term)]

    def part(self, term: Term) -> str:
        """Return the part of a date that a term is grouped by ('day' to 'year'), or '' for the column itself."""
        part = self.draft.slots[term.slot].part if term.slot is not None and not term.counts else ""
        return part if part and not is_year(self.senses[term.slot or 0].column) else ""

    def is_nameless(self, term: Term) -> bool:
        """Return whether a term is a table whose name columns are foreign keys and not its whole primary key."""
        sense = self.senses[term.slot or 0]
        columns = {c.name.lower() for c in self.columns(term)}
        foreign = {name.lower() for key in sense.table.foreign_keys for name in key.columns}
        return not sense.columns and bool(columns & foreign) and columns != {k.lower() for k in sense.table.primary_key}

    def alias(self, term: Term) -> str:
        """Return the name of a computed column: `count`, `share`, `percentage`, `revenue` or e.g. `average_price`.

        It never repeats a word of the column's name, `sum_total_price`, nor is it the column's name, which SQLite would
        take for it within the aggregate.
        """
        if term.rows or term.slot is None:
            return "count"
        if term.agg in ("share", PORTION):
            return "percentage" if self.draft.percent else "share"
        if term.formula:
            return f"{_ALIASES[term.agg]}_{term.formula}" if term.agg and term.formula != "revenue" else term.formula
        name, said = self.senses[term.slot].column.name, _ALIASES[term.agg]
        return f"{term.agg if said in cut_name(name) else said}_{name.lower()}"

    def expression(self, term: Term) -> exp.Expr:
        """Return a term as a SQL expression.

        Raises `Impossible` for the average or sum of a column that is a key or holds no numbers.
        """
        if term.rows or term.slot is None:
            return self.count_rows(term)
        sense = self.senses[term.slot]
        if term.agg == PORTION:
            return self.portion(term, sense)
        if term.agg == "share":
            return self.share_of(term, sense) if term.formula else self.share(sense)
        if term.formula:
            made = computed(term.formula, [self.column(sense, i) for i in range(len(sense.columns))], self.dialect)
            return AGGREGATES[term.agg](this=made) if term.agg else made
        if not sense.columns:
            return self.named(sense.table.path, self.columns(term)[-1].name)
        column = self.column(sense, len(sense.columns) - 1)
        if term.agg in ("avg", "sum") and (not is_number(sense.columns[-1]) or self.is_key(sense)):
            raise Impossible
        if term.agg == "median":
            raise Impossible  # only `Aggregating.median` writes it
        if term.agg == RANGE:
            return exp.Sub(this=exp.Max(this=column), expression=exp.Min(this=column.copy()))
        if part := self.part(term):
            return part_of(column, part, self.dialect)
        if term.agg == "count":
            return exp.Count(this=exp.Distinct(expressions=[column]))
        made = AGGREGATES[term.agg](this=column) if term.agg else column
        none = exp.Literal.number(0)
        return exp.Coalesce(this=made, expressions=[none]) if self.draft.keeps and term.agg == "sum" else made

    def share_of(self, term: Term, sense: Sense) -> exp.Expr:
        """Return the share of a sum that comes from the rows that pass the draft's `share` tests.

        Raises `Impossible` in a subquery, as does `share`: only `Selecting` writes shares.
        """
        raise Impossible

    def average_of_things(self, term: Term) -> exp.Expr:
        """Return a subquery of the average that a count or sum has over all things that the question is about.

        Raises `Impossible` in a subquery, as does `share`: only `Aggregating` writes it.
        """
        raise Impossible

    def share(self, sense: Sense) -> exp.Expr:
        """Return the share of a table's rows that pass the draft's `share` tests: 0 to 100 in percent, else 0 to 1."""
        raise Impossible

    def portion(self, term: Term, sense: Sense) -> exp.Expr:
        """Return the share that each group has: its rows, or its sum, divided by those of all groups.

        Raises `Impossible` where a join repeats rows, which would then be in several groups.
        """
        if self.tree.edges and self.graph.fans_out(self.tree, sense.table.path):
            raise Impossible
        of_sum = term.formula or sense.columns
        value = self.expression(replace(term, agg="sum")) if of_sum else exp.Count(this=exp.Star())
        one = exp.Literal.number("100.0" if self.draft.percent else "1.0")
        whole = exp.Window(this=exp.Sum(this=value.copy()))
        return exp.Div(this=exp.Mul(this=one, expression=value), expression=whole, typed=True)

    def is_key(self, sense: Sense) -> bool:
        """Return whether a column belongs to the primary key or a foreign key, declared or guessed."""
        name = sense.column.name.lower()
        if says_who_is_over(sense.table, sense.column):
            return True
        keys = [sense.table.primary_key, *(key.columns for key in sense.table.foreign_keys)]
        return any(name in (c.lower() for c in key) for key in keys)

    def count_rows(self, term: Term) -> exp.Expr:
        """Return COUNT(*), or COUNT(DISTINCT key) where a join repeats rows of the counted table."""
        table = self.senses[term.slot].table if term.slot is not None else None
        if self.draft.keeps:
            return self.count_matches(table)
        if table and ((self.tree.edges and self.graph.fans_out(self.tree, table.path)) or term.distinct):
            keys = own_key(table)
            if len(keys) == 1:
                return exp.Count(this=exp.Distinct(expressions=[self.named(table.path, keys[0].name)]))
        return exp.Count(this=exp.Star())

    def count_matches(self, table: Table | None) -> exp.Expr:
        """Return the count of a table's rows that a LEFT JOIN found: 0 where there are none. Raises `Impossible`."""
        keys = own_key(table) if table else ()
        if table is None or len(keys) != 1:
            raise Impossible
        key: exp.Expr = self.named(table.path, keys[0].name)
        fans = self.graph.fans_out(self.tree, table.path)
        return exp.Count(this=exp.Distinct(expressions=[key]) if fans else key)
