"""Read superlatives of frequency: "most common", "the most concerts", "rented the most"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Table
from askwhere.reader.grammar.cursor import END, SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.draft import Key, Term
from askwhere.reader.grammar.ordering import Ordering
from askwhere.reader.marking.marks import Mark, is_numeric, names_a_key, names_verb
from askwhere.reader.marking.numeric import quantity_of
from askwhere.reader.marking.records import is_of_one, tables_of_act
from askwhere.reader.marking.revenue import SPENDING, paid_of, pieces_of
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import stems
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import is_singular, stem

_BRINGING = frozenset({"bring", "earn"})  # after these, "the most" is money
# Stems of verbs that take a quantity: "most sold" counts pieces where there is one column for these.
BY_THE_PIECE = frozenset({"sell", "buy", "purchas", "order", "ship", "deliv", "deliver"})

_USE = stem("used")
_OPINIONS = frozenset(stems("review feedback rating comment complaint opinion survey"))  # names of such tables


class Frequency(Ordering):
    """The part of the grammar that ranks things by a number of rows, or by the sum of their quantities."""

    def rank(self, term: Term, descending: bool) -> None:
        """Sort by a term and keep the first row, or as many as the limit that was read before says.

        Raise `Stuck` if an order was read already.
        """
        if self.out.order:
            raise Stuck(self.peek(-1))
        self.out.order.append(Key(term, descending))
        if self.out.limit is None:
            self.out.limit = 1

    def most(self) -> None:
        """Read "the largest number of concerts": rank by a count, or by a column of amounts."""
        mark = self.take()
        self.skip("fill", "all", "distinct")
        follow = self.peek()
        if follow.kind == "column" and is_numeric(follow) and not names_a_key(follow):
            self.rank(Term(self.slot(self.take(), self.about())), mark.argument == "max")
        elif follow.kind == "table" or (follow.kind == "column" and "amount" not in mark.text):
            self.counted(mark.argument == "max")
        else:
            raise Stuck(follow)

    def counted(self, down: bool) -> None:
        """Rank by the number of rows of the table, or of different values of the column, that comes next."""
        much = self.peek()
        slot = self.slot(self.take(), self.about())
        if not self.out.slots[slot].senses[0].columns:
            if is_singular(much.text) and much.senses[0].score < 0.95:
                raise Stuck(much)  # "the most fuel" is no number of fuel sales
            self.out.mentions.append(slot)
            self.rank(Term(slot, rows=True), down)
        else:
            self.out.doubt += 0.1
            self.rank(Term(slot, agg="count"), down)

    def several_of(self, mark: Mark) -> None:
        """Rank by how many values of a column, the next mark, go with each of another of its table.

        So in "which baker served the most customers", where both are columns. Raise `Stuck` elsewhere.
        """
        before = self.marks[self.at - 2]
        shown = [self.out.slots[t.slot] for t in self.out.outputs if t.slot is not None and not t.counts]
        tables = {s.table.path for slot in shown for s in slot.senses if s.columns}
        own = tuple(s for s in mark.senses if s.table.path in tables and s.score >= mark.senses[0].score - 0.1)
        if len(shown) != 1 or not own or is_singular(mark.text) or before.kind not in ("link", "have"):
            raise Stuck(mark)
        slot = self.slot(replace(self.take(), senses=own), None)
        self.rank(Term(slot, agg="count", distinct=True), self.marks[self.at - 2].argument == "max")

    def most_spent(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the amounts of "paid us the most", "spent the most on repairs", "brings the most", or else nothing.

        Raise `Stuck` where no amounts are known, as what was spent is no number of rows.
        """
        said = next((m for m in reversed(self.marks[: self.at - 1]) if m.kind != "fill"), END)
        follow = self.peek()
        on = follow.text.startswith("on ")
        if stem(said.text) not in SPENDING | _BRINGING or not (
            on or follow.kind in (*SENTENCE_ENDS, "prep", "days", "when")
        ):
            return ()
        own = tuple(Sense(s.table, columns) for s in follow.senses if on and (columns := self.amount_in(s.table)))
        if not (amounts := own or paid_of(self.lexicon, [stem(said.text)])):
            raise Stuck(mark)
        return amounts

    def rank_common(self) -> None:
        """Read "that is most common": rank by the number of rows, or of those that refer to the thing spoken of."""
        mark = self.take()
        self.skip("fill")
        if self.peek().kind in ("column", "table"):
            raise Stuck(self.peek())
        about, said = (
            self.out.focus,
            next((m for m in self.marks[::-1] if m.end <= mark.start and m.kind == "link"), mark),
        )
        things = [s.table for s in self.out.senses_at(about) if not s.columns]
        alone = (
            things and self.shows_things() and self.current == about and self.peek().kind in (*SENTENCE_ENDS, "prep")
        )
        if alone and not self.rank_done(mark.argument == "max"):
            self.rank(self.used(said, things), mark.argument == "max")
        elif not alone and self.counts_unnamed_rows():
            raise Stuck(self.peek())
        elif not alone:
            self.rank(Term(None, rows=True), mark.argument == "max")

    def counts_unnamed_rows(self) -> bool:
        """Return whether "that is most common" counts rows of another table that the question does not name."""
        thing = self.out.focus is not None and self.marks[self.at - 2].kind in ("be", "rel", "fill")
        counted = any(m.kind == "table" for m in self.marks[self.at :])
        return thing and not counted and not (self.out.several and self.current == self.out.focus)

    def rank_done(self, down: bool) -> bool:
        """Rank by how often the verb just before was done, "rented the most films": by the rows that record it.

        What is sold or ordered is ranked by the sum of its quantity. A thing that follows is joined only where a row
        may be of several of it. Return False, with nothing read, where no table is named after the verb.
        """
        said = next((m for m in reversed(self.marks[: self.at - 1]) if m.kind not in ("fill", "be")), END)
        done = tables_of_act(self.lexicon.tables, stem(said.text)) if said.kind in ("link", "table", "column") else ()
        things = [s.table for s in self.peek().senses] if self.peek().kind == "table" else []
        if not done and self.follows_be(said) and self.peek().kind in SENTENCE_ENDS and self.about() is not None:
            used = [s.table for s in self.out.slots[self.about() or 0].senses if not s.columns]
            self.rank(self.used(said, used), down)  # "which room is used the most"
            return True
        shown = [t.slot for t in self.out.outputs if t.slot is not None and not t.counts]
        column = len(shown) == 1 and self.out.focus is None and bool(self.out.slots[shown[0]].senses[0].columns)
        if not done and self.follows_be(said) and self.peek().kind in SENTENCE_ENDS and column:
            self.rank(Term(None, rows=True), down)  # where rooms are a column
            return True
        if not done or any(s.table in things for s in done) or not names_verb(said):
            return False
        pieces = pieces_of(self.lexicon) if stem(said.text) in BY_THE_PIECE else ()
        if things:  # what is sold by the piece may be another thing than the one named
            pieces = tuple(s for s in pieces if any(is_of_one(self.lexicon.tables, s.table, t) for t in things))
        if stem(said.text) in BY_THE_PIECE and len(pieces) != 1:
            return False
        if stem(said.text) == _USE:  # "which part do we use the most": as much as the rows say
            pieces = tuple(Sense(s.table, q) for s in done[:1] if (q := quantity_of(s.table)))
        about = self.about()
        term = Term(self.slot(replace(said, kind="table", senses=pieces or done), about), "sum" if pieces else "")
        term = term if pieces else replace(term, rows=True)
        self.out.mentions.append(term.slot or 0)
        if things:
            mark, rows = self.take(), [s.table for s in self.out.slots[term.slot or 0].senses]
            if not any(is_of_one(self.lexicon.tables, row, thing) for row in rows for thing in things):
                self.out.mentions.append(self.slot(mark, term.slot))
        self.rank(term, down)
        return True

    def used(self, mark: Mark, things: list[Table]) -> Term:
        """Return the term that ranks "the most used part", "the most popular course": the rows that refer to each.

        Of several tables with such rows, it is the only one that refers to people, too; what people say of things is no
        use of them. Popular films are those with the most tickets, which are sold for the showings of films. Raise
        `Stuck` where it is not clear which rows count.
        """
        tables, paths = self.lexicon.tables, {thing.path for thing in things}
        keys = {t.path: {key.target for key in t.foreign_keys} - {t.path} for t in tables}
        people = paths_of(self.lexicon.persons()) - paths
        acts = [t for t in tables if _OPINIONS.isdisjoint(full_stems(t.name))]
        referring = [t for t in acts if keys[t.path] & paths and t.path not in paths]
        using = referring if len(referring) == 1 else [t for t in referring if keys[t.path] & people]
        if len(using) == 1 and "popular" in mark.text:
            using = [t for t in acts if using[0].path in keys[t.path] and keys[t.path] & people] or using
        if len(using) != 1:
            raise Stuck(mark)
        quantity = quantity_of(using[0])
        slot = self.slot(replace(mark, kind="table", senses=(Sense(using[0], quantity),)), self.current)
        self.out.mentions.append(slot)
        self.out.doubt += 0.1
        return Term(slot, agg="sum") if quantity else Term(slot, rows=True)

    def follows_be(self, mark: Mark) -> bool:
        """Return whether a mark is a verb of what is done to a thing, "is used", or what we do with it, "do we use"."""
        before = self.before(mark.start)
        ours = any(m.kind == "fill" and m.text.split()[-1] == "we" and m.end == mark.start for m in self.marks)
        return mark.kind == "link" and (before.kind == "be" or ours)

    def shows_things(self) -> bool:
        """Return whether things are all that is shown: "which room is the largest"."""
        shown = [t for t in self.out.outputs if t.counts or t.slot is None]
        return bool(self.out.outputs) and not shown and self.out.focus == self.out.outputs[0].slot
