"""Write GROUP BY: the key of each thing shown beside a count, and the columns shown of it."""

from __future__ import annotations

from askwhere.engine import Table
from askwhere.reader.grammar.draft import Term
from askwhere.reader.schema.edges import Impossible, Path
from askwhere.reader.schema.naming import is_the_name, key_columns, own_key, own_names
from askwhere.reader.schema.senses import Sense
from askwhere.reader.writing.conditions import Conditions
from askwhere.reader.writing.scope import tables_of_terms
from sqlglot import exp


class Grouping(Conditions):
    """A query that can write what it groups by."""

    def grouped(self, having: bool) -> list[exp.Expr]:
        """Return the expressions to group by: the key of each thing shown beside a count, and the columns shown of it.

        `having` says whether a test needs groups. Raise `Impossible` where every count would be 1, as each group would
        be a single row, and where a test or the order needs groups, but nothing that is shown has any.
        """
        draft = self.draft
        counted = any(t.counts for t in draft.outputs)
        ranked = any(k.term.counts for k in draft.order)
        plain = [t for t in self.outputs() if not t.counts]
        if not (having or ranked or (counted and plain) or (draft.groups and counted)):
            return []
        rows = tables_of_terms(self.counted_terms(), self.senses)
        terms = plain or ([Term(draft.focus)] if draft.focus is not None and having else [])
        made = [e for term in terms for e in self.group_of(term, rows)]
        for sense in (self.senses[g] for g in draft.groups if made and not self.senses[g].columns):
            made += self.keyed(sense.table, [])  # "value of each order and its status"
        if draft.star is not None:
            made += [self.named(self.about.path, c.name) for c in (*key_columns(self.about), *self.about.columns)]
        grouped = each_once(made)
        if counted and (having or ranked) and not plain:
            raise Impossible
        if any(t.slot is None for t in self.counted_terms()) and self.are_single_rows(grouped):
            raise Impossible
        keys = {self.named(self.about.path, c.name).sql() for c in key_columns(self.about)}
        hidden = [t for t in self.counted_terms() if t not in draft.outputs and t.rows and t.slot is not None]
        if any(self.senses[t.slot or 0].table is self.about for t in hidden) and keys <= {e.sql() for e in grouped}:
            raise Impossible
        return grouped

    def are_single_rows(self, grouped: list[exp.Expr]) -> bool:
        """Return whether the columns grouped by hold a key, so that each group is one row and every count is 1."""
        table = self.about if self.draft.focus is not None or len(self.paths) == 1 else None
        table = self.graph.tables[self.paths[0]] if len(self.paths) == 1 else table
        if table is None or self.fans_out(table):
            return False
        names = {e.name.lower() for e in grouped if isinstance(e, exp.Column)}
        return any(key and {c.lower() for c in key} <= names for key in (table.primary_key, *table.unique))

    def counted_terms(self) -> list[Term]:
        """Return the terms with a count or another aggregate, of the outputs, tests and order."""
        return [t for t in self.draft.terms if t.counts]

    def group_of(self, term: Term, rows: set[Path]) -> list[exp.Expr]:
        """Return the expressions to group by to show a term: its columns and, if they name a thing, the key of that.

        `rows` are the tables whose rows are counted; columns of those are grouped by without a key.
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
        if sense.columns and not set(sense.columns) & set(own_names(sense.table)) and owner is not sense.table:
            return plain
        return self.keyed(sense.table, plain)

    def keyed(self, table: Table, shown: list[exp.Expr]) -> list[exp.Expr]:
        """Return the key of a table, and behind it what is shown of its rows, of which several may look alike."""
        return [self.named(table.path, c.name) for c in own_key(table)] + shown

    def note_name(self, sense: Sense, rows: set[Path]) -> None:
        """Add a note if groups are by a name that several things may have: "total fee per rider name"."""
        table = sense.table
        single = any(key == (sense.columns[0].name,) for key in (table.primary_key, *table.unique))
        if table.path not in rows and not single and is_the_name(table, sense.columns):
            self.notes.add(
                f"grouped by {table.name}.{sense.columns[0].name}: {table.name} of the same name are one group"
            )

    def sorted_within(self, grouped: list[exp.Expr]) -> list[exp.Expr]:
        """Return the columns to sort by that GROUP BY must list besides `grouped`.

        Raise `Impossible` for columns that may differ within a group, as their table's key is not grouped by.
        """
        added: list[exp.Expr] = []
        if not grouped and not any(t.counts for t in self.draft.outputs):
            return added
        have = {e.sql() for e in grouped}
        for term in (k.term for k in self.draft.order if not k.term.counts):
            made, table = self.expression(term), self.senses[term.slot or 0].table
            if made.sql() not in have:
                if not {self.named(table.path, c.name).sql() for c in key_columns(table)} <= have:
                    raise Impossible
                added.append(made)
        return added


def each_once(made: list[exp.Expr]) -> list[exp.Expr]:
    """Return the expressions without those that are written like an earlier one."""
    return list({e.sql(): e for e in made}.values())
