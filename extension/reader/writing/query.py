"""Write the joins of a query, and the names of its tables and columns, as sqlglot trees.

Each class that builds on `Query` writes one more part; the composer, the last of them, writes the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Self, cast

from askwhere.engine import Column, Table
from askwhere.frozen import frozen
from askwhere.reader.grammar.draft import Draft, Term
from askwhere.reader.schema.edges import Edge, Impossible, Path, Tree, steps
from askwhere.reader.schema.joins import Graph
from askwhere.reader.schema.naming import name_columns
from askwhere.reader.schema.roles import is_alias
from askwhere.reader.schema.senses import Sense
from askwhere.reader.schema.text_columns import comparable, date_form
from askwhere.reader.words.dates import DECADE
from askwhere.reader.words.months import is_by_month, year_beside
from askwhere.reader.words.types import is_year
from askwhere.reader.writing.identifiers import identifier
from askwhere.reader.writing.scope import about_table, tables_of
from askwhere.sql.dialects import named
from sqlglot import exp

_MOMENTS = ("DATE", "TIMESTAMP")  # declared types, of DuckDB alone: in SQLite a column may hold anything


class LeftOut(Impossible):
    """A verb of the question names a table or column ("sold": the sales) that the query does not use."""


@dataclass
class _Notes:
    """The notes for the user on how the question was read, in order."""

    lines: list[str] = field(default_factory=list)

    def add(self, line: str) -> None:
        """Append a note unless it is empty or there already."""
        if line and line not in self.lines:
            self.lines.append(line)


@frozen
class DatabaseFacts:
    """What the queries of one database depend on: its foreign keys, its SQL dialect, and facts of its columns.

    `numerals` are text columns that hold whole numbers, as (table, column).
    """

    graph: Graph
    dialect: str
    numerals: Container[tuple[Path, str]] = frozenset()
    denying: frozenset[tuple[Path, str]] = frozenset()  # columns with words for no value: "none", "n/a"
    listed: Callable[[Path, str, str], bool] = lambda *_: False  # whether a column also lists a value: "a, b"
    favoured: frozenset[Edge] = frozenset()  # the foreign keys that words of the question name


class Query:
    """A bound draft (one sense for each slot) with the tree that joins its tables; its methods write the parts in SQL.

    `doubt` adds up what makes the query unlikely to be what was asked; it lowers the reading's score.
    """

    def __init__(self, draft: Draft, senses: tuple[Sense, ...], tree: Tree, facts: DatabaseFacts) -> None:
        self.draft, self.senses, self.tree, self.facts = draft, senses, tree, facts
        self.graph, self.dialect, self.numerals = facts.graph, named(facts.dialect), facts.numerals
        self.paths = tables_of(draft, senses)
        self.about = about_table(draft, senses)
        self.notes = _Notes()
        self.doubt = 0.0
        self.within: set[Edge] = set()  # joins of the subqueries

    def another(self, draft: Draft, tree: Tree | None = None) -> Self:
        """Return a writer for a query within this one, of another draft, and with its own `tree` if one is given."""
        return type(self)(draft, self.senses, self.tree if tree is None else tree, self.facts)

    def only_tree(self, wanted: Iterable[Path]) -> Tree:
        """Return the only tree that joins tables of a subquery. Raise `Impossible` where there is none, or several."""
        trees = self.graph.trees(wanted, self.facts.favoured)
        if len(trees) != 1:
            raise Impossible
        self.within |= set(trees[0].edges)
        return trees[0]

    def fans_out(self, table: Table) -> bool:
        """Return whether the joins may repeat rows of a table."""
        return self.graph.fans_out(self.tree, table.path)

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

        Tables in `outer` are joined by LEFT JOIN, under the further conditions of `more`. Raise `Impossible` if the
        tree is not connected or reaches a table twice.
        """
        start = paths[0]
        query = query.from_(self.table(start))
        for new, edge in steps(start, tree.edges):
            on = exp.and_(self.on(edge), *more.get(new, ()))
            query = query.join(self.table(new), on=on, join_type="LEFT" if new in outer else "")
        return query

    def on(self, edge: Edge) -> exp.Expr:
        """Return the join condition of an edge."""
        return exp.and_(
            *(
                exp.EQ(this=self.key(edge, edge.child, place), expression=self.key(edge, edge.parent, place))
                for place in range(len(edge.columns))
            )
        )

    def key(self, edge: Edge, path: Path, place: int = 0) -> exp.Expr:
        """Return a column of an edge at one of its ends, cast if it cannot be compared with that at the other end."""
        names = edge.columns if path == edge.child else edge.target_columns
        return self.dialect.expressions.typed(self.named(path, names[place]), edge.type_at(path, place))

    def table(self, path: Path) -> exp.Table:
        """Return a table by the shortest path that finds it: its name, or the full path if other tables have that name.

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

    def stored(self, sense: Sense, place: int = 0) -> exp.Column:
        """Return the column at `place` among the columns of a sense, as it is stored: text where that is text."""
        return self.named(sense.table.path, sense.columns[place].name)

    def column(self, sense: Sense, place: int = 0) -> exp.Expr:
        """Return the column at `place` as what can be compared, sorted and added up: text as its number or date.

        Raise `Impossible` where its texts may mean several numbers or dates.
        """
        column = sense.columns[place]
        if is_by_month(column) and (year := year_beside(sense.table, column)):
            return self.dialect.expressions.month(self.named(sense.table.path, year.name), self.stored(sense, place))
        value = comparable(self.stored(sense, place), column, self.dialect)
        if value is None:
            raise Impossible
        if form := date_form(column):
            spelt = form.replace("%d", "day").replace("%m", "month").replace("%Y", "year")
            self.notes.add(f"{sense.table.name}.{column.name} is text, read as dates: {spelt}")
        elif column.type.upper() in _MOMENTS:
            value.type = exp.DataType.build(column.type)  # so that sqlglot does not cast it
        return value

    def columns(self, term: Term) -> tuple[Column, ...]:
        """Return the columns that a term shows: those of its sense, or for a table the columns of its name."""
        if term.slot is None:
            return ()
        sense = self.senses[term.slot]
        return sense.columns or name_columns(sense.table)

    def part(self, term: Term) -> str:
        """Return the part of a date that a term is grouped by ('day' to 'year'), or '' for the column itself."""
        part = self.draft.slots[term.slot].part if term.slot is not None and not term.counts else ""
        return part if part == DECADE or (part and not is_year(self.senses[term.slot or 0].column)) else ""
