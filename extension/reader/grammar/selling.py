"""Read questions about what was sold, rented or done: revenue, spending, best sellers, and results per period."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from askwhere.engine import Table
from askwhere.indexer.word_forms import is_participle
from askwhere.reader.grammar.conjunctions import Conjunctions
from askwhere.reader.grammar.cursor import END, SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.frequency import BY_THE_PIECE
from askwhere.reader.marking.marks import Mark, names_verb
from askwhere.reader.marking.mass_nouns import MASS
from askwhere.reader.marking.numeric import adds_up, amounts_in, is_price, quantity_of
from askwhere.reader.marking.records import is_of_one, tables_of_act, uses_of
from askwhere.reader.marking.revenue import (
    EARNING,
    GAINED,
    GIVING,
    SPENDING,
    charged_for,
    paid_of,
    pieces_of,
    sums_of,
)
from askwhere.reader.schema.naming import dated_headers, name_columns
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.dates import NOUNS
from askwhere.reader.words.english import BY, CHOSEN, PATRONS, stems
from askwhere.reader.words.money import BILLED, WAGES
from askwhere.reader.words.names import cut_name, full_stems
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_dated, is_number
from askwhere.reader.words.verbs import names_an_act, saying

PIECES = frozenset("unit units piece pieces item items".split())  # what quantities are of
_ORDERED = BILLED | {"order"}  # stems of tables whose rows are amounts of money
_TRADED = frozenset({"sell", "buy", "purchas"})
_USED = frozenset({"use", "consum"})
_BOUGHT = frozenset(stems("purchase supply supplier delivery receipt procurement"))  # what we buy, and do not sell


class Selling(Conjunctions):
    """The part of the grammar that reads terms of business.

    Each method returns whether it read an output, appends it to `found`, and raises `Stuck` at a mark that does not
    fit.
    """

    def revenue(self, found: list[Term]) -> bool:
        """Read "the total revenue": append the term for its sum."""
        found.append(self.money())
        return True

    def ordinal(self, found: list[Term]) -> bool:
        """Read "the second largest city": the ordinal sets how many rows are skipped."""
        self.place_of_order()
        return self.item(found)

    def spent(self, found: list[Term]) -> bool:
        """Read "how much did each customer spend": append the term for the sum of revenue."""
        mark = self.take()
        if found and self.peek().kind in SENTENCE_ENDS and (amounts := self.only_amounts()):
            found.append(Term(self.slot(replace(mark, kind="column", senses=amounts), self.about(), True)))
            return True  # "unpaid invoices and how much"
        if self.peek().kind == "money":  # "how much revenue did we make"
            return self.revenue(found)
        if self.peek().argument == MASS:  # "how much stock does each warehouse hold"
            found.append(Term(self.slot(self.take()), agg="sum"))
            return True
        if self.amount_done(mark, found) or self.amount_of_act(mark, found):
            return True
        if self.charged(mark, found):
            return True
        verbs = [stem(m.text) for m in self.marks if m.kind in ("link", "unknown", "column")]
        if not EARNING.intersection(verbs):
            raise Stuck(mark)
        if GAINED.intersection(verbs) and (paid := self.earned()):
            found.append(Term(self.slot(replace(mark, kind="column", senses=paid))))
            self.as_verb(GAINED)
            if self.peek().kind == "fill" and self.peek(1).kind == "each" and self.peek(2).kind == "value":
                self.at += 2  # "what does each welder earn"
            return True
        done = self.after("be", "fill")
        if done.kind == "column" and stem(done.text) in EARNING and names_an_act(done.text):  # "how much was paid"
            self.skip("be", "fill")
            self.as_verb(EARNING)  # so that it is counted when it was paid
            self.take()
        if SPENDING.intersection(verbs) and (price := self.priced()):
            found.append(Term(self.slot(replace(mark, kind="column", senses=price))))
            return True
        if cost := self.costs(bool(GIVING.intersection(verbs))):
            found.append(Term(self.slot(replace(mark, kind="column", senses=cost)), agg="sum"))
        else:
            found.append(self.money(replace(mark, senses=paid_of(self.lexicon, verbs))))
        self.as_verb(SPENDING | GIVING)
        return True

    def charged(self, mark: Mark, found: list[Term]) -> bool:
        """Read "how much did we bill", "how much was billed": the only amount of the bills; False for others."""
        said = self.after("be", "fill")
        before = {word for m in self.marks if m.end <= said.start for word in m.text.split()}
        if said.kind != "table" or not before & {"we", "was", "were"}:
            return False
        named = (s.table for s in said.senses if s.score >= 0.9 and _ORDERED & set(full_stems(s.table.name)))
        sums = tuple(one for table in named for one in charged_for(table))
        if len(sums) != 1 or not (is_singular(said.text) or names_an_act(said.text)):
            return False
        self.skip("be", "fill")
        self.take()
        found.append(self.money(replace(mark, senses=sums)))
        return True

    def amount_done(self, mark: Mark, found: list[Term]) -> bool:
        """Read "how much hay was fed": the only amount of the events that hold the value; False for others."""
        events = [s.table for s in self.peek().senses if s.value is not None and any(map(is_dated, s.table.columns))]
        numbers = [(t, amounts_in(t)) for t in events]
        senses = tuple(Sense(t, (own[0],)) for t, own in numbers if len(own) == 1)
        people = paths_of(self.lexicon.persons())
        if self.peek().kind != "value" or not senses or any(t.path in people for t in events):
            return False
        found.append(Term(self.slot(replace(mark, kind="column", senses=senses)), agg="sum"))
        return True

    def amount_of_act(self, mark: Mark, found: list[Term]) -> bool:
        """Read "how much did we pay out", "how much was refunded": the amounts called after it; False for others."""
        said = self.after("be", "fill")
        own = tuple(s for s in said.senses if s.score >= said.senses[0].score - 0.1) if said.kind == "column" else ()
        if not own or not all(len(s.columns) == 1 and self.is_amount_of_act(s) for s in own):
            return False
        self.skip("be", "fill")
        found.append(Term(self.slot(replace(self.take(), senses=own)), agg="sum"))
        self.marks = tuple(replace(m, kind="agg") if m is mark else m for m in self.marks)  # it asks for no revenue
        return True

    def is_amount_of_act(self, sense: Sense) -> bool:
        """Return whether a column holds amounts and is called after what was done: `refunded`, `paid_out`."""
        act = is_participle(cut_name(sense.column.name)[0])
        return act and sense.column in amounts_in(sense.table) and self.lexicon.truth(sense) is None

    def as_verb(self, verbs: frozenset[str]) -> None:
        """Read a verb further on, given by its stem, as one that says nothing more: "pay" is no column then."""
        spoken = (
            replace(m, kind="link", senses=()) if m.kind == "column" and stem(m.text) in verbs else m
            for m in self.marks[self.at :]
        )
        self.marks = (*self.marks[: self.at], *spoken)

    def earned(self) -> tuple[Sense, ...]:
        """Return the columns of people's wages, a salary or a rate, for "earn" without an object."""
        people = [s.table for s in self.lexicon.persons()]
        senses = (
            s
            for word in (*WAGES, "pay", "rate")
            for s in self.lexicon.find((word,))
            if s.columns and is_number(s.column)
        )
        return tuple(s for s in senses if any(self.is_of(s.table, t) for t in people))

    def priced(self) -> tuple[Sense, ...]:
        """Return the only price of a named thing that money is paid for: "what do we pay for copper"."""
        for place, mark in enumerate(self.marks):
            if place > self.at and mark.kind == "value" and self.marks[place - 1].argument == "for":
                tables = {s.table.path: s.table for s in mark.senses if not any(map(is_dated, s.table.columns))}
                prices = [(t, [c for c in amounts_in(t) if is_price(c)]) for t in tables.values()]
                return tuple(Sense(t, (found[0],)) for t, found in prices if len(found) == 1)
        return ()

    def costs(self, given: bool) -> tuple[Sense, ...]:
        """Return the only amount of the events that money was spent on, "on repairs", or that somebody gave."""
        found = [
            s.table
            for before, mark in pairwise(self.marks)
            for s in mark.senses
            if mark.kind == "table"
            and (given or mark.text.startswith("on ") or before.text.split()[0] in ("on", "for"))
        ]
        sold = paths_of(sums_of(self.lexicon))
        tables = [t for t in found if any(map(is_dated, t.columns)) and t.path not in sold]
        return tuple(Sense(t, c) for t in tables if (c := self.amount_in(t)))

    def best_selling(self, found: list[Term]) -> bool:
        """Read "the best selling products": rank them by the sum of the quantity sold, not by the number of sales.

        They may be of a kind: "best selling crisps", "best selling blue dresses".
        """
        mark, pieces = self.take(), pieces_of(self.lexicon)
        self.skip("fill")
        kind = self.peek().kind == "value"
        if not (kind or self.peek().kind == "table") or not self.item(found) or self.out.focus is None:
            raise Stuck(mark)
        things = [s.table for s in self.out.slots[self.out.focus].senses]
        if kind and not any(map(is_price, (c for t in things for c in amounts_in(t)))):
            raise Stuck(mark)  # the "best selling snack" is no machine for snacks
        if not pieces:
            self.rank_by_sales(mark)
            return True
        by = self.peek(1) if self.peek().text in BY else mark
        if by.kind == "money":  # "best selling products by revenue"
            self.at += 1
            self.rank(self.money(), mark.argument == "max")
            return True
        if by.text in PIECES or by.kind == "count":
            self.at += 2
            self.skip("table", "column", "link", "unit")
        sold = self.slot(replace(mark, senses=pieces), self.current)
        self.rank(Term(sold, agg="sum"), mark.argument == "max")
        self.current = sold  # "in Germany" after it is a condition on the sales
        return True

    def rank_by_sales(self, mark: Mark) -> None:
        """Rank the things just read by the pieces in lines with a price, or else by how many sales refer to them.

        Raise `Stuck` unless one table has these.
        """
        things = {s.table.path for s in self.out.slots[self.about() or 0].senses if s.score >= 0.9}
        sales = {path for path, column in saying(self.lexicon.tables, "sell") if not column}
        referring = [t for t in self.lexicon.tables if things & {k.target for k in t.foreign_keys}]
        lines = [t for t in referring if quantity_of(t) and any(map(is_price, amounts_in(t)))]
        lines = [t for t in lines if not self.is_bought(t)]
        tables = lines or [t for t in referring if t.path in sales]
        if len(tables) != 1:
            raise Stuck(mark)
        pieces = quantity_of(tables[0])
        sold = self.slot(replace(mark, kind="table", senses=(Sense(tables[0], pieces),)), self.current)
        self.out.mentions.append(sold)
        self.rank(Term(sold, agg="sum") if pieces else Term(sold, rows=True), mark.argument == "max")
        self.current = sold

    def is_bought(self, line: Table) -> bool:
        """Return whether lines are of purchases, or of orders from suppliers."""
        tables = self.lexicon.tables
        headers = dated_headers(line, tables)
        near = {line.path, *(k.target for t in tables if t is line or t.path in headers for k in t.foreign_keys)}
        return any(t.path in near and _BOUGHT & {*full_stems(t.name)} for t in tables)

    def pieces(self, found: list[Term]) -> bool:
        """Read "how many tickets were sold", "units of fruit sold": append the sum of the quantity sold.

        Return False where nothing is sold, or the schema has no one column for the quantity. What was never sold are
        things, not pieces, and customers are not what was bought.
        """
        bought_by = PATRONS & {stem(word) for word in self.peek().text.split()}
        if bought_by or any(m.kind in ("not", "without") for m in self.marks):
            return False
        pieces = pieces_of(self.lexicon) if self.says(_TRADED) else self.in_stock() or self.pieces_used()
        mark, of = self.peek(), self.peek(1).text == "of"
        if mark.kind in ("table", "value") and mark.text not in PIECES:
            people = paths_of(self.lexicon.persons())  # they buy, and are not sold
            things = [s for s in mark.senses if s.table.path not in people]
            fits = {s: max((t.score for t in things if self.is_of(s.table, t.table)), default=0.0) for s in pieces}
            pieces = tuple(
                replace(s, score=s.score * fit) for s, fit in fits.items() if fit
            )  # as well as the word fits
        if len(pieces) != 1 or self.out.order:
            return False
        self.at += 2 if mark.text in PIECES and of else 1
        slot = self.slot(replace(mark, kind="column", senses=pieces))
        self.out.focus = self.current = slot
        if mark.kind == "value":
            self.test(Test(Term(self.slot(mark, slot)), "is"))
        elif mark.kind == "table" and not paths_of(mark.senses) & paths_of(pieces):
            self.out.mentions.append(self.slot(mark, slot))
        found.append(Term(slot, agg="sum"))
        return True

    def is_of(self, one: Table, other: Table) -> bool:
        """Return whether each row of a table is of one row of another, or the tables are the same."""
        return one is other or is_of_one(self.lexicon.tables, one, other)

    def says(self, verbs: frozenset[str]) -> bool:
        """Return whether one of these verbs, given as stems, is in the question, also as a participle for a name."""
        return any(
            stem(m.text.split()[-1]) in verbs and (m.kind == "link" or names_an_act(m.text))
            for m in self.marks
            if m.kind in ("link", "column", "table")
        )

    def pieces_used(self) -> tuple[Sense, ...]:
        """Return the quantity that says how much was used of a thing, or how often a verb was done with a named one."""
        mark = self.peek()
        named = tuple(s for s in mark.senses if s.value is not None and set(s.columns) <= set(name_columns(s.table)))
        verb = self.says(_USED) or (bool(named) and self.after("value", "fill", "be").kind == "link")
        things = [s.table for s in named or mark.senses if mark.kind == "table" or named]
        uses = uses_of(self.lexicon.tables, things) if verb else ()
        return tuple(Sense(s.table, quantity) for s in uses if (quantity := quantity_of(s.table)))

    def in_stock(self) -> tuple[Sense, ...]:
        """Remove "in stock" from the marks ahead, and return the columns with that amount, or nothing."""
        for place in range(self.at, len(self.marks)):
            said, mass = (*self.marks, END)[place : place + 2]
            if said.kind == "stocked" and said.argument == ">" and self.peek().kind == "value":
                self.marks = (*self.marks[:place], *self.marks[place + 1 :])
                # "how many kettles are in stock": as many as it says
                tables = paths_of(self.peek().senses)
                return tuple(s for s in self.stocks() if s.table.path in tables)
            if said.argument == "in" and mass.argument == MASS:
                self.marks = (*self.marks[:place], *self.marks[place + 2 :])
                return mass.senses
        return ()

    def most_done(self, found: list[Term]) -> bool:
        """Read "the most rented film": rank by the number of rows of the table that the verb names (rentals).

        Raise `Stuck` for verbs like "sold", where a number of pieces may be meant instead.
        """
        mark = self.take()
        if stem(self.peek().text) in BY_THE_PIECE:
            raise Stuck(self.peek())
        return self.done_often(mark, found)

    def done_often(self, mark: Mark, found: list[Term]) -> bool:
        """Read "rented film" behind "most" or "most often", the `mark`: rank by the number of rentals.

        Where no table is named after what is done with things, "the most served dish", their uses count.
        """
        done = self.take()
        senses = tables_of_act(self.lexicon.tables, stem(done.text))
        if not senses and stem(done.text) not in CHOSEN:
            raise Stuck(done)
        self.item(found)
        if not senses:
            things = [s.table for s in self.out.slots[self.current or 0].senses if not s.columns]
            self.rank(self.used(done, things), mark.argument == "max")
            return True
        slot = self.slot(replace(done, senses=senses), self.current)
        self.out.mentions.append(slot)
        self.rank(Term(slot, rows=True), mark.argument == "max")
        return True

    def times_done(self, found: list[Term]) -> bool:
        """Read "how many times was each film rented": append the count of the rows that the verb names.

        Behind "rented at least twice, and how often" it is the count that is tested.
        """
        mark = self.take()
        if self.peek().kind in SENTENCE_ENDS and (counted := self.counted_before()):
            found.append(counted)
            return True
        verb = next((m for m in self.marks[self.at :] if names_verb(m) or self.is_act(m)), mark)
        senses = verb.senses if verb.kind == "table" else tables_of_act(self.lexicon.tables, stem(verb.text))
        if not senses and stem(verb.text) in _USED:  # "how often was each venue used"
            senses = uses_of(self.lexicon.tables, [s.table for m in self.marks if m.kind == "table" for s in m.senses])
        if not senses:
            raise Stuck(mark)
        if verb.kind == "table":  # "booked", `bookings`: no thing of its own
            self.marks = tuple(replace(m, kind="link", senses=()) if m is verb else m for m in self.marks)
        found.append(Term(self.thing(replace(mark, kind="table", senses=senses), self.out.focus), rows=True))
        return True

    def counted_before(self) -> Term | None:
        """Return the count that the question ranked or tested by already, for "… and how many does it have?"."""
        terms = [k.term for k in self.out.order] + [t.term for group in self.out.tests for t in group]
        return next((t for t in terms if t.rows and t.slot is not None), None)

    def period_asked(self, mark: Mark, found: list[Term]) -> bool:
        """Read "which month had the most orders": show the period and group by it."""
        ranked = any(m.kind in ("sup", "supcount", "common") for m in self.marks)
        if found or self.out.outputs or not ranked:
            raise Stuck(mark)
        slot = self.dated_by(mark)
        self.out.groups.append(slot)
        found.append(Term(slot))
        return True

    def adds_up_next(self) -> bool:
        """Return whether the next mark names amounts that are added up."""
        return self.peek().kind == "column" and adds_up(self.peek())

    def in_periods(self, found: list[Term]) -> bool:
        """Read "monthly revenue" or "daily rentals": read the thing and group it by the period."""
        mark = self.take()
        if tuple(mark.text.split()) in NOUNS:
            return self.period_asked(mark, found)
        if (
            self.out.outputs
            or found
            or not (self.peek().kind in ("money", "table", "count") or self.adds_up_next())
            or not mark.text.endswith("ly")
        ):
            raise Stuck(mark)
        if self.peek().kind == "column":
            found.append(Term(self.slot(self.take()), agg="sum"))  # "monthly hours"
        else:
            self.item(found)
        self.out.groups.append(self.dated_by(mark))
        return True
