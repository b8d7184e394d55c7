"""Read amounts of money: revenue, and the only column of amounts of a table."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Column, Table
from askwhere.reader.grammar.cursor import Cursor, Stuck
from askwhere.reader.grammar.draft import Term
from askwhere.reader.marking.formulas import REVENUE
from askwhere.reader.marking.marks import SCORES, Mark, says_score
from askwhere.reader.marking.numeric import amounts_in, only_amount
from askwhere.reader.marking.revenue import without_flags
from askwhere.reader.schema.naming import events
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import stems
from askwhere.reader.words.money import BILLED
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_number

_AGREED = BILLED | set(stems("order booking claim quote loan bid contract"))
WORTH = ("value", "values", "total", "totals", "amount", "amounts", "worth")


class Amounts(Cursor):
    """The part of the grammar that finds the columns of amounts, and reads "invoice value" as one."""

    def money(self, mark: Mark | None = None) -> Term:
        """Return a term for the sum of revenue, read from the next mark or from `mark`.

        Raise `Stuck` if the database has no columns for it.
        """
        said = mark or self.take()
        if not said.senses:
            raise Stuck(said)
        slot = self.slot(said, self.about())
        return Term(slot, agg="sum", formula=REVENUE)

    def amounts(self) -> tuple[Sense, ...]:
        """Return the columns that are the only amount of their tables, `amount` of `payments`."""
        found = [s for word in ("amount", "total", "sum") for s in self.lexicon.named((word,)) if len(s.columns) == 1]
        of_table = {s.table.path: s for s in reversed(found) if is_number(s.column)}
        several = {s.table.path for s in found if s.column is not of_table.get(s.table.path, s).column}
        return tuple(s for path, s in of_table.items() if path not in several)

    def amount_in(self, table: Table) -> tuple[Column, ...]:
        """Return the only column of amounts of a table, of which one with 0 and 1 alone is none."""
        return only_amount(without_flags(table, self.lexicon))

    def amount_of(self, agg: str) -> Term | None:
        """Read "invoice value", "average invoice", "average rating": return the term for the table's only amount.

        Return None for other words.
        """
        mark, worth = self.peek(), self.peek(1).text in WORTH and self.peek(1).kind != "column"
        tables = {s.table.path for s in mark.senses if not s.columns and events(s.table)}
        amounts = tuple(replace(s, score=0.95) for s in self.amounts() if s.table.path in tables)
        said = stem(mark.text.split()[-1] if mark.text else "")
        scores = ((s, self.amount_in(s.table)) for s in mark.senses if said in SCORES and not s.columns)
        amounts = amounts or tuple(replace(s, columns=own) for s, own in scores if own and says_score(own[0]))
        done = tuple(
            (s.table, c) for s in mark.senses if not s.columns for c in amounts_in(s.table) if stem(c.name) == said
        )
        amounts = amounts or tuple(Sense(table, (column,), 0.95) for table, column in done)  # `claimed` of claims
        one = agg in ("max", "min", "avg") and is_singular(mark.text)  # "highest offer", but "total offers" are a count
        named = worth or bool(done) or one or said in _AGREED | SCORES
        if mark.kind != "table" or not amounts or not named or self.peek(1).kind in ("column", "own"):
            return None
        self.at += 2 if worth else 1
        return Term(self.slot(replace(mark, kind="column", senses=amounts), self.about()), agg=agg)

    def stocks(self) -> tuple[Sense, ...]:
        """Return the columns that say how much there is: `units_in_stock`, or else `on_hand`."""
        named = (self.lexicon.named((word,)) for word in ("stock", "hand"))
        counts = (tuple(s for s in senses if len(s.columns) == 1 and is_number(s.column)) for senses in named)
        return next(filter(None, counts), ())

    def only_amounts(self) -> tuple[Sense, ...]:
        """Return the only column of amounts of the thing spoken of, in each table that it may be.

        None where rows of another table may add up to the thing, and no column is called its total: an order is no
        larger for its freight. None of people, whom a limit of their credit makes no bigger.
        """
        senses = [s for s in self.out.senses_at(self.about()) if not s.columns]
        tables = [s.table for s in senses if s.score >= senses[0].score - 0.1]  # the order, and not its details
        parts = {key.target for t in self.lexicon.tables for key in t.foreign_keys if amounts_in(t)}
        people = paths_of(self.lexicon.persons())
        whole = [t for t in tables if t.path not in parts - paths_of(self.amounts()) | people]
        return tuple(Sense(t, columns, 0.9) for t in whole if (columns := self.amount_in(t)))
