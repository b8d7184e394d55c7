"""A bound draft as a sqlglot tree: joins, conditions, groups and what is shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from askwhere.engine import Column
from askwhere.reader.draft import Draft, Nested, Term, Test
from askwhere.reader.identifiers import PLAIN, identifier
from askwhere.reader.joins import Edge, Graph, Path, Tree
from askwhere.reader.lexicon import Sense, key_columns, name_columns, own_key
from askwhere.reader.scope import about_table, is_lacking, slots_of, tables_of, within
from askwhere.reader.types import is_date, is_number, is_text, is_year
from sqlglot import exp

_AGGREGATES: dict[str, type[exp.AggFunc]] = {"avg": exp.Avg, "sum": exp.Sum, "min": exp.Min, "max": exp.Max}
_ALIASES = {"avg": "average", "sum": "total", "min": "minimum", "max": "maximum", "count": "count"}
_COMPARE: dict[str, type[exp.Binary]] = {
    "=": exp.EQ,
    "!=": exp.NEQ,
    ">": exp.GT,
    ">=": exp.GTE,
    "<": exp.LT,
    "<=": exp.LTE,
}
_DATED = re.compile("DATE|TIME", re.IGNORECASE)
_MOMENT = re.compile("DATETIME|TIMESTAMP", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}")


class Impossible(Exception):
    """The draft cannot be put into SQL as it was bound."""


@dataclass
class _Notes:
    lines: list[str] = field(default_factory=list)

    def add(self, line: str) -> None:
        if line and line not in self.lines:
            self.lines.append(line)


@dataclass(frozen=True)
class Composed:
    """A query, the tree that joins its tables, and what the reader should be told about it."""

    query: exp.Expr
    notes: tuple[str, ...]
    doubt: float = 0.0


@dataclass(frozen=True)
class Ground:
    """What queries stand on: the keys, the dialect, and the columns of text that hold numerals (table, column)."""

    graph: Graph
    dialect: str
    numerals: frozenset[tuple[Path, str]] = frozenset()


def compose(draft: Draft, senses: tuple[Sense, ...], tree: Tree, ground: Ground) -> Composed:
    """The query of a bound draft. Raises `Impossible`."""
    return _Composer(draft, senses, tree, ground).compose()


class _Composer:
    def __init__(self, draft: Draft, senses: tuple[Sense, ...], tree: Tree, ground: Ground) -> None:
        self.draft, self.senses, self.tree, self.ground = draft, senses, tree, ground
        self.graph, self.dialect, self.numerals = ground.graph, ground.dialect, ground.numerals
        self.paths = tables_of(draft, senses)
        self.about = about_table(draft, senses)
        self.notes = _Notes()
        self.doubt = 0.0

    def compose(self) -> Composed:
        for edge in self.tree.edges:
            self.note_edge(edge)
        for sense in self.senses:
            self.notes.add(sense.note)
        for test in (group[0] for group in self.draft.tests if len(group) == 1 and group[0].op in ("is", "=")):
            shown = {
                (self.senses[t.slot].table.path, c)
                for t in self.draft.outputs
                if not t.counts and t.slot is not None
                for c in self.senses[t.slot].columns
            }
            sense = self.senses[test.term.slot or 0]
            if not test.negated and sense.columns and (sense.table.path, sense.column) in shown:
                self.doubt += 0.6  # what is asked for was said already: probably something else was meant
        if self.counts_groups():
            return Composed(self.number_of_groups(), tuple(self.notes.lines), self.doubt)
        if self.repeats():
            return Composed(self.each_row_once(), tuple(self.notes.lines), self.doubt)
        if self.excepted():
            return Composed(self.difference(), tuple(self.notes.lines), self.doubt)
        return Composed(self.intersected() if self.draft.both else self.select(()), tuple(self.notes.lines), self.doubt)

    def note_edge(self, edge: Edge) -> None:
        if edge.guessed:
            self.notes.add(
                f"guessed that {edge.child[-1]}.{', '.join(edge.columns)} refers to "
                f"{edge.parent[-1]}.{', '.join(edge.target_columns)}"
            )

    # -- the query

    def select(self, more: tuple[Test, ...]) -> exp.Select:
        draft = self.draft
        query = exp.select(*self.shown())
        query = self.joined(query, self.tree, self.paths)
        wheres: list[exp.Expr] = []
        havings: list[exp.Expr] = []
        for group in [*draft.tests, *([t] for t in more)]:
            if len({t.term.counts for t in group}) > 1 or not self.of_one_place(group):
                raise Impossible
            made = [self.condition(test) for test in group]
            (havings if any(t.term.counts for t in group) else wheres).append(
                exp.or_(*made) if len(made) > 1 else made[0]
            )
        query = query.where(*wheres) if wheres else query
        grouped = self.grouped(bool(havings))
        if not self.ranked_inside():
            grouped += self.sorted_within(grouped)
        query = query.group_by(*grouped) if grouped else query
        if havings and not grouped:
            raise Impossible
        query = query.having(*havings) if havings else query
        if self.ranked_inside():
            return query.where(self.among_the_first())
        if (draft.limit or 1) > 1 and not grouped and self.tree.edges and self.ranks_others():
            raise Impossible  # the first few of what is joined may be one thing several times
        for key in draft.order:
            if key.term.distinct and not key.term.counts and self.tree.edges:
                # The most points: of one row, or of all rows of the thing together?
                self.doubt += 0.4 if self.graph.fans_out(self.tree, self.about.path) else 0.0
            query = query.order_by(exp.Ordered(this=self.expression(key.term), desc=key.descending, nulls_first=False))
        query = query.limit(draft.limit) if draft.limit is not None else query
        return query.distinct() if self.is_distinct(bool(grouped)) else query

    def of_one_place(self, group: list[Test]) -> bool:
        """Whether alternatives test one table: a join to several would lose what only one of them has."""
        lacking = [t for t in group if is_lacking(t, self.draft, self.senses)]
        tables = {self.senses[s].table.path for t in group if t not in lacking for s in slots_of(t)}
        return len(tables) <= 1

    def sorted_within(self, grouped: list[exp.Expr]) -> list[exp.Expr]:
        """What must be grouped by besides, to be sorted by: columns of a thing whose key is grouped by already."""
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
        """Whether things are ranked by a column of which each of them has several values."""
        slots = [k.term.slot for k in self.draft.order if not k.term.counts and k.term.slot is not None]
        elsewhere = any(self.senses[s].table is not self.about for s in slots)
        return elsewhere and self.graph.fans_out(self.tree, self.about.path)

    def ranked_inside(self) -> bool:
        """Whether a count is asked of the first few of something: "the number of shows in the largest hall"."""
        draft = self.draft
        if draft.limit is None or draft.groups:
            return False
        return (bool(draft.outputs) and all(t.counts for t in draft.outputs)) or self.of_the_first()

    def of_the_first(self) -> bool:
        """Whether several things are asked for that are of the first of another: "the cities of the largest county"."""
        draft = self.draft
        term = draft.order[0].term if len(draft.order) == 1 else Term(None)
        if draft.limit != 1 or draft.star is not None or term.counts or term.slot is None or draft.both:
            return False
        table = self.senses[term.slot].table
        if table is self.about or any(t.counts for t in draft.outputs) or draft.focus is None or not draft.several:
            return False
        return self.graph.fans_out(self.tree, table.path) and not self.graph.fans_out(self.tree, self.about.path)

    def among_the_first(self) -> exp.Expr:
        draft = self.draft
        term = draft.order[0].term
        if len(draft.order) != 1 or term.counts or term.slot is None or not self.senses[term.slot].columns:
            raise Impossible
        table, most = self.senses[term.slot].table, draft.limit or 1
        keys = key_columns(table)
        tested = {self.senses[s].table.path for group in draft.tests for t in group for s in slots_of(t)}
        if (
            len(keys) != 1
            or tested - {self.about.path}
            or table.path in tested
            or (table is self.about and not self.tree.edges)
        ):
            raise Impossible
        inner = _Composer(draft, self.senses, Tree((), 0.0), self.ground)
        order = exp.Ordered(this=inner.expression(term), desc=draft.order[0].descending, nulls_first=False)
        query = exp.select(inner.named(table.path, keys[0].name)).from_(self.table(table.path)).order_by(order)
        return exp.In(this=self.named(table.path, keys[0].name), query=query.limit(most).subquery())

    def joined(self, query: exp.Select, tree: Tree, paths: tuple[Path, ...]) -> exp.Select:
        """FROM and JOIN along the tree, beginning with its first table."""
        start = paths[0]
        query = query.from_(self.table(start))
        seen, left = {start}, list(tree.edges)
        while left:
            edge = next((e for e in left if e.child in seen or e.parent in seen), None)
            if edge is None:
                raise Impossible
            left.remove(edge)
            new = edge.parent if edge.child in seen else edge.child
            if new in seen:
                raise Impossible
            seen.add(new)
            query = query.join(self.table(new), on=self.on(edge), join_type="")
        return query

    def on(self, edge: Edge) -> exp.Expr:
        pairs = zip(edge.columns, edge.target_columns, strict=True)
        return exp.and_(
            *(exp.EQ(this=self.named(edge.child, a), expression=self.named(edge.parent, b)) for a, b in pairs)
        )

    def table(self, path: Path) -> exp.Table:
        alone = sum(p[-1].lower() == path[-1].lower() for p in self.graph.tables) == 1
        parts = path[-1:] if alone else path
        names = [identifier(part) for part in parts][::-1]
        return exp.Table(this=names[0], **dict(zip(("db", "catalog"), names[1:3], strict=False)))

    def named(self, path: Path, name: str, always: bool = False) -> exp.Column:
        owner = identifier(path[-1]) if self.tree.edges or always else None
        return exp.Column(this=identifier(name), table=owner)

    def column(self, sense: Sense, place: int = 0) -> exp.Column:
        return self.named(sense.table.path, sense.columns[place].name)

    # -- what is shown

    def outputs(self) -> list[Term]:
        """The terms to show: groups first, where something is counted for each of them."""
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
        """The columns that hold the same as a term, itself among them: those that a join sets equal to it."""
        if term.slot is None or len(self.columns(term)) != 1:
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
        return (
            (term.agg, term.rows, *(c.name for c in self.columns(term)), self.senses[term.slot].table.path)
            if term.slot is not None
            else ()
        )

    def columns(self, term: Term) -> tuple[Column, ...]:
        if term.slot is None:
            return ()
        sense = self.senses[term.slot]
        return sense.columns or name_columns(sense.table)

    def shown(self) -> list[exp.Expr]:
        if self.draft.star is not None:
            return (
                [exp.Column(this=exp.Star(), table=identifier(self.about.path[-1]))]
                if self.tree.edges
                else [exp.Star()]
            )
        found: dict[str, exp.Expr] = {}
        for term in self.outputs():
            before = len(found)
            if term.counts:
                made = exp.alias_(self.expression(term), self.alias(term), quoted=not PLAIN.match(self.alias(term)))
                found.setdefault(made.sql(), made)
            else:
                for column in self.columns(term):
                    made = self.named(self.senses[term.slot or 0].table.path, column.name)
                    found.setdefault(made.sql(), made)
            if len(found) == before:  # two things asked for that come out as one: one of them was not understood
                raise Impossible
        return list(found.values())

    def alias(self, term: Term) -> str:
        if term.rows or term.slot is None:
            return "count"
        return f"{_ALIASES[term.agg]}_{self.senses[term.slot].column.name.lower()}"

    def expression(self, term: Term) -> exp.Expr:
        if term.rows or term.slot is None:
            return self.count_rows(term)
        sense = self.senses[term.slot]
        if not sense.columns:
            return self.named(sense.table.path, self.columns(term)[-1].name)
        column = self.column(sense, len(sense.columns) - 1)
        if term.agg in ("avg", "sum") and (not is_number(sense.columns[-1]) or self.is_key(sense)):
            raise Impossible
        if term.agg == "count":
            return exp.Count(this=exp.Distinct(expressions=[column]))
        return _AGGREGATES[term.agg](this=column) if term.agg else column

    def is_key(self, sense: Sense) -> bool:
        name = sense.column.name.lower()
        keys = [sense.table.primary_key, *(key.columns for key in sense.table.foreign_keys)]
        return any(name in (c.lower() for c in key) for key in keys)

    def count_rows(self, term: Term) -> exp.Expr:
        """COUNT(*), or of the distinct keys where a join would count a row more than once."""
        table = self.senses[term.slot].table if term.slot is not None else None
        if table and ((self.tree.edges and self.graph.fans_out(self.tree, table.path)) or term.distinct):
            keys = own_key(table)
            if len(keys) == 1:
                return exp.Count(this=exp.Distinct(expressions=[self.named(table.path, keys[0].name)]))
        return exp.Count(this=exp.Star())

    def is_distinct(self, grouped: bool) -> bool:
        draft = self.draft
        if grouped or any(t.counts for t in draft.outputs) or (draft.star is not None and not self.tree.edges):
            return False
        if draft.order and not all(any(k.term == t for t in draft.outputs) for k in draft.order):
            return False
        fans = bool(self.tree.edges) and self.graph.fans_out(self.tree, self.about.path)
        return draft.distinct or (fans and self.of_one_table())

    def of_one_table(self) -> bool:
        return all(t.slot is not None and self.senses[t.slot].table is self.about for t in self.draft.outputs)

    def grouped(self, having: bool) -> list[exp.Expr]:
        """What to group by: the key of each thing shown beside a count, and what is shown of it."""
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
        """Whether a group can only hold one row, so that counting them says nothing."""
        table = self.about if self.draft.focus is not None or len(self.paths) == 1 else None
        table = self.graph.tables[self.paths[0]] if len(self.paths) == 1 else table
        if table is None or (self.tree.edges and self.graph.fans_out(self.tree, table.path)):
            return False
        names = {e.name.lower() for e in grouped.values() if isinstance(e, exp.Column)}
        return any(key and {c.lower() for c in key} <= names for key in (table.primary_key, *table.unique))

    def counted_terms(self) -> list[Term]:
        tests = [t.term for group in self.draft.tests for t in group]
        return [t for t in (*self.draft.outputs, *tests, *(k.term for k in self.draft.order)) if t.counts]

    def group_of(self, term: Term, rows: set[Path]) -> list[exp.Expr]:
        sense, slot = self.senses[term.slot or 0], self.draft.slots[term.slot or 0]
        path = sense.table.path
        plain: list[exp.Expr] = [self.named(path, c.name) for c in self.columns(term)]
        keys = own_key(sense.table)
        if sense.columns and (path in rows or term.slot in self.draft.groups or not self.tree.edges or len(keys) > 1):
            return plain
        owner = self.senses[slot.owner].table if slot.owner is not None and slot.firm else None
        if sense.columns and not set(sense.columns) & set(name_columns(sense.table)) and owner is not sense.table:
            return plain
        return [self.named(path, c.name) for c in keys] + plain

    # -- conditions

    def condition(self, test: Test) -> exp.Expr:
        if is_lacking(test, self.draft, self.senses):
            return self.lacking(test)
        made = self.positive(test)
        if not test.negated:
            return made
        if isinstance(made, exp.EQ):
            return exp.NEQ(this=made.this, expression=made.expression)
        if isinstance(made, exp.Is):
            return exp.Not(this=made)
        return exp.not_(made)

    def positive(self, test: Test) -> exp.Expr:
        sense = self.senses[test.term.slot] if test.term.slot is not None else None
        if test.op == "lacks" or (sense and not sense.columns and not test.term.counts):
            raise Impossible  # none of what has none; or a thing, and not one of its columns, that is compared
        if test.op == "is" and sense:
            return exp.EQ(this=self.column(sense), expression=self.literal(sense.value, sense.column))
        left = self.expression(test.term)
        column = sense.column if sense and sense.columns and not test.term.counts else None
        if test.op == "true" and test.negated and sense and sense.table is not self.about:
            raise Impossible  # not so in one row, or in none?
        if test.op == "true":
            return exp.EQ(this=left, expression=self.literal(sense.value if sense else True, column))
        if test.op == "null" and sense and sense.table is not self.about and not test.negated:
            raise Impossible  # no value there, or no such row?
        if test.op == "null":
            return exp.Is(this=left, expression=exp.null())
        if test.op == "like":
            dated = column is not None and self.dialect == "duckdb" and bool(_DATED.search(column.type))
            if (column and is_number(column)) or dated or test.term.counts:
                raise Impossible
            # SQLite's LIKE is without case; DuckDB's is not.
            like = exp.ILike if self.dialect == "duckdb" else exp.Like
            return like(this=left, expression=exp.Literal.string(str(test.operand[0])))
        if test.op == "between":
            cast = column if column and (is_year(column) or _DATED.search(column.type)) else None
            low, high = (self.operand(o, cast) for o in test.operand)
            return exp.Between(this=self.compared(left, test, column), low=low, high=high)
        if column and is_date(column) and not is_year(column) and _year(test.operand[0]):
            return self.in_year(left, column, test)
        if isinstance(test.operand[0], Term) and test.operand[0].slot is not None and column:
            other = self.senses[test.operand[0].slot].column
            if other is column:
                raise Impossible
            if (is_number(column), is_date(column)) != (is_number(other), is_date(other)):
                raise Impossible
        if isinstance(test.operand[0], str) and column and is_number(column):
            return _COMPARE[test.op](this=left, expression=self.literal(test.operand[0], column))
        timely = column is not None and (is_year(column) or bool(_DATED.search(column.type)))
        right = self.operand(test.operand[0], column if test.op in ("=", "!=") or timely else None)
        return _COMPARE[test.op](this=self.compared(left, test, column), expression=right)

    def compared(self, left: exp.Expr, test: Test, column: Column | None) -> exp.Expr:
        """Text that is compared with a number, as a number; a time that is compared with a day, as a day."""
        if column and _MOMENT.search(column.type) and all(_DAY.match(str(o)) for o in test.operand):
            day = exp.Anonymous(this="DATE", expressions=[left])
            return day if self.dialect == "sqlite" else exp.Cast(this=left, to=exp.DataType.build("date"))
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
            return self.as_number(left)
        return left

    def as_number(self, text: exp.Expr) -> exp.Expr:
        """The number that a text writes, NULL where it writes none, which SQLite's CAST takes for 0."""
        if self.dialect == "duckdb":
            return exp.TryCast(this=text, to=exp.DataType.build("double"))
        other = exp.Glob(this=text.copy(), expression=exp.Literal.string("*[^0-9.-]*"))
        some = exp.Glob(this=text.copy(), expression=exp.Literal.string("*[0-9]*"))
        cast = exp.Cast(this=text, to=exp.DataType.build("real", dialect="sqlite"))
        return exp.Case(ifs=[exp.If(this=exp.and_(some, exp.not_(other)), true=cast)])

    def in_year(self, left: exp.Expr, column: Column, test: Test) -> exp.Expr:
        year = test.operand[0]
        if test.op == "=" and not _DATED.search(column.type):
            return exp.Like(this=left, expression=exp.Literal.string(f"%{year}%"))
        if self.dialect == "duckdb":
            part: exp.Expr = exp.Extract(
                this=exp.var("YEAR"), expression=exp.TryCast(this=left, to=exp.DataType.build("date"))
            )
        else:
            part = exp.Cast(
                this=exp.Anonymous(this="STRFTIME", expressions=[exp.Literal.string("%Y"), left]),
                to=exp.DataType.build("int", dialect="sqlite"),
            )
        return _COMPARE[test.op](this=part, expression=exp.Literal.number(str(year)))

    def operand(self, operand: str | int | float | Nested | Term, column: Column | None) -> exp.Expr:
        if isinstance(operand, Term):
            return self.expression(operand)
        if isinstance(operand, Nested):
            return self.nested(operand)
        return self.literal(operand, column)

    def literal(self, value: str | int | float | None, column: Column | None) -> exp.Expr:
        if isinstance(value, bool):
            return exp.true() if value else exp.false()
        if isinstance(value, (int, float)):
            text = str(value)
            if column is not None and _DATED.search(column.type):
                raise Impossible  # years were taken care of; no other number is a date
            if column is not None and is_text(column) and isinstance(value, int):
                return exp.Literal.string(text)
            return exp.Literal.number(text)
        text = str(value)
        if column is not None and is_number(column):
            if not re.fullmatch(r"\d{1,18}(\.\d{1,9})?", text):
                raise Impossible
            return exp.Literal.number(text)
        if column is not None and _DATED.search(column.type) and not _DATE.match(text):
            raise Impossible
        return exp.Literal.string(text)

    def nested(self, nested: Nested) -> exp.Expr:
        if nested.term.slot is None:
            raise Impossible
        sense = self.senses[nested.term.slot]
        if not sense.columns or (nested.agg in ("avg", "sum") and not is_number(sense.column)):
            raise Impossible
        column = exp.Column(this=identifier(sense.column.name))
        query = exp.select(_AGGREGATES[nested.agg](this=column)).from_(self.table(sense.table.path))
        return query.subquery()

    def lacking(self, test: Test) -> exp.Expr:
        """No row of another table: NOT IN over the key that joins it, or NOT EXISTS where that has several columns."""
        if test.term.slot is None:
            raise Impossible
        tests = test.tests if test.op == "lacks" else (Test(test.term, test.op, test.operand),)
        wanted = [
            self.senses[test.term.slot].table.path,
            *(self.senses[s].table.path for t in tests for s in slots_of(t)),
        ]
        trees = self.graph.trees((self.about.path, *wanted))
        if len(trees) != 1 or not trees[0].edges:
            raise Impossible
        tree = trees[0]
        first = [e for e in tree.edges if self.about.path in (e.child, e.parent)]
        if len(first) != 1 or len(first[0].columns) != 1:
            raise Impossible
        self.note_edge(first[0])
        edge, rest = first[0], Tree(tuple(e for e in tree.edges if e is not first[0]), 0.0)
        near = edge.other(self.about.path)
        mine, theirs = (
            (edge.target_columns[0], edge.columns[0])
            if near == edge.child
            else (edge.columns[0], edge.target_columns[0])
        )
        inner = _Composer(self.draft, self.senses, rest, self.ground)
        column = inner.named(near, theirs)
        query = inner.joined(exp.select(column), rest, (near,))
        query = query.where(
            *(inner.positive(t) for t in tests),
            exp.Is(this=column.copy(), expression=exp.Not(this=exp.null())) if near == edge.child else None,
        )
        outer = self.named(self.about.path, mine)
        return exp.Not(this=exp.In(this=outer, query=query.subquery()))

    # -- counts of groups

    def counts_groups(self) -> bool:
        """Whether things are counted that a group is tested for: "how many customers have two orders"."""
        draft = self.draft
        tested = any(t.term.counts for group in draft.tests for t in group)
        return tested and len(draft.outputs) == 1 and draft.outputs[0].counts and not draft.groups and not draft.order

    def number_of_groups(self) -> exp.Expr:
        term = self.draft.outputs[0]
        if term.slot is None or not (term.rows or term.agg == "count") or self.draft.both:
            raise Impossible
        things = replace(self.draft, outputs=[Term(term.slot)])
        inner = _Composer(things, self.senses, self.tree, self.ground).select(())
        return exp.select(exp.alias_(exp.Count(this=exp.Star()), "count")).from_(inner.subquery("things"))

    # -- aggregates over joins

    def repeats(self) -> bool:
        """Whether an average or a sum would count a row as often as it is joined."""
        draft = self.draft
        added = [t for t in draft.outputs if t.agg in ("avg", "sum")]
        if not added or draft.groups or draft.order or draft.both or not all(t.agg for t in draft.outputs):
            return False
        tables = {self.senses[t.slot or 0].table.path for t in draft.outputs}
        return len(tables) == 1 and bool(self.tree.edges) and self.graph.fans_out(self.tree, next(iter(tables)))

    def each_row_once(self) -> exp.Expr:
        """The aggregate of the rows whose key is among those that the joins and tests leave."""
        table = self.senses[self.draft.outputs[0].slot or 0].table
        keys = own_key(table)
        if len(keys) != 1:
            raise Impossible
        alone = _Composer(self.draft, self.senses, Tree((), 0.0), self.ground)
        inner = self.select(()).select(self.named(table.path, keys[0].name), append=False)
        outer = exp.select(*alone.shown()).from_(self.table(table.path))
        return outer.where(exp.In(this=alone.named(table.path, keys[0].name), query=inner.subquery()))

    # -- except and both

    def excepted(self) -> bool:
        """Whether values of a column are asked for that no row with something has: "cities without shops"."""
        draft = self.draft
        if draft.focus is not None or len(draft.outputs) != 1 or draft.outputs[0].counts or draft.order or draft.both:
            return False
        sense = self.senses[draft.outputs[0].slot or 0]
        keys = {*key_columns(sense.table), *name_columns(sense.table)}
        lacks = [t for group in draft.tests for t in group if t.op == "lacks"]
        return len(lacks) == 1 and bool(sense.columns) and not set(sense.columns) & keys

    def difference(self) -> exp.Expr:
        draft = self.draft
        test = next(t for group in draft.tests for t in group if t.op == "lacks")
        if self.senses[test.term.slot or 0].table is self.about and not test.tests:
            raise Impossible  # nothing is without itself
        rest = [group for group in draft.tests if group[0] is not test]
        with_it = replace(
            draft, tests=[*rest, *([t] for t in test.tests)], mentions=[*draft.mentions, test.term.slot or 0]
        )
        first = _Composer(replace(draft, tests=rest), self.senses, self.tree, self.ground)
        trees = self.graph.trees(tables_of(with_it, self.senses))
        if len(trees) != 1:
            raise Impossible
        second = _Composer(with_it, self.senses, trees[0], self.ground)
        return exp.except_(first.select(()), second.select(()))

    def intersected(self) -> exp.Expr:
        """Things that pass two tests which no single row can: an intersection."""
        if len(self.draft.both) != 1 or self.draft.order or any(t.counts for t in self.draft.outputs if not t.rows):
            raise Impossible
        first, second = self.draft.both[0]
        keys = own_key(self.about)
        if within(self.draft, self.senses):
            shown = [c for t in self.draft.outputs for c in self.columns(t)]
            if set(shown) & {*name_columns(self.about), *keys}:
                raise Impossible  # no single thing can pass both
            if any(t.counts for t in self.draft.outputs) or self.draft.star is not None:
                raise Impossible
            return exp.intersect(self.select((first,)), self.select((second,)))
        if len(keys) != 1 or self.draft.groups:
            raise Impossible
        inner = [self.keys_where(test, keys[0]) for test in (first, second)]
        query = self.select(())
        return query.where(
            exp.In(this=self.named(self.about.path, keys[0].name), query=exp.intersect(*inner).subquery())
        )

    def keys_where(self, test: Test, key: Column) -> exp.Select:
        paths = (self.about.path, *(self.senses[s].table.path for s in slots_of(test)))
        trees = self.graph.trees(paths)
        if len(trees) != 1:
            raise Impossible
        inner = _Composer(self.draft, self.senses, trees[0], self.ground)
        query = inner.joined(exp.select(inner.named(self.about.path, key.name)), trees[0], paths)
        return query.where(inner.positive(test))


def _year(operand: object) -> bool:
    return isinstance(operand, int) and 1000 <= operand <= 2100
