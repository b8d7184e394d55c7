"""Read orders and superlatives: what rows are sorted by, and how many of the first are kept."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Table
from askwhere.reader.grammar.cursor import END, Cursor, Stuck
from askwhere.reader.grammar.draft import Key, Term
from askwhere.reader.marking.business import (
    SPENDING,
    amounts_in,
    is_key,
    is_of_one,
    only_amount,
    paid_of,
    pieces_of,
    quantity_of,
    recording,
)
from askwhere.reader.marking.formulas import DAYS, HOURS, REVENUE, dates_of, days_of, ends
from askwhere.reader.marking.marks import Mark, is_numeric, is_timely, key_of, names_a_key
from askwhere.reader.schema.joins import Path
from askwhere.reader.schema.lexicon import Sense
from askwhere.reader.schema.naming import events, name_columns, own_dates
from askwhere.reader.words.measures import AMOUNT, MEASURES, SIZE, SIZES, Measure
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.phrases import LINKING
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_dated, is_moment, is_number, is_text, is_year
from askwhere.reader.words.verbs import names_an_act

COUNTING = ("most", "the most", "least", "the least", "fewest", "the fewest")
# Stems of things that are amounts of money, so that their total is a sum.
AMOUNTS = frozenset(map(stem, "payment expense donation refund fine deposit fee charge contribution".split()))
# Stems of verbs that take a quantity: "most sold" counts pieces where there is one column for these.
BY_THE_PIECE = frozenset({"sell", "buy", "purchas", "order", "ship", "deliv", "deliver"})
_BILLED = frozenset(map(stem, "invoice bill sale order booking claim donation quote loan bid contract sale".split()))
WORTH = ("value", "values", "total", "totals", "amount", "amounts", "worth")
_PLACES = ("rank", "place", "stand")
_CHARGES = (("rate",), ("fare",), ("rent",), ("charge",), ("tariff",))  # what things cost that have no price


class Ranking(Cursor):
    """The part of the grammar that reads what rows are ranked by.

    Its methods read from the cursor on, add order and limit to the draft, and raise `Stuck` at a mark that does not
    fit.
    """

    def rank(self, term: Term, descending: bool) -> None:
        """Sort by a term and keep the first row, or as many as the limit that was read before says.

        Raises `Stuck` if an order was read already.
        """
        if self.out.order:
            raise Stuck(self.peek(-1))
        self.out.order.append(Key(term, descending))
        if self.out.limit is None:
            self.out.limit = 1

    def place_of_order(self) -> None:
        """Read an ordinal before a superlative, "the second largest", as the number of rows to skip."""
        mark = self.take()
        if self.out.passed or self.peek().kind not in ("sup", "superlative", "supcount", "common", "sold"):
            raise Stuck(mark)
        self.out.passed = int(mark.argument) - 1

    def superlative(self) -> None:
        """Read "with the highest budget", "has the most concerts": rank by a column, aggregate, count or revenue."""
        mark = self.take()
        before = self.marks[self.at - 2].text if self.at > 1 else ""
        if before == "at":
            raise Stuck(mark)
        if self.peek().kind == "number":
            self.out.limit = int(self.take().number or 1)
            computed = next((t for t in self.out.outputs if t.counts), None)
            if mark.text == "top" and self.peek().kind in ("end", "stop") and computed and self.out.groups:
                self.rank(computed, True)  # "hours per member, top 5"
                return
            if self.peek().kind == "table":  # "least two" may be a slip for "at least two"
                raise Stuck(self.peek())
        self.skip("fill", "distinct", "their")
        if self.column_first(mark):
            return
        down = mark.argument == "max"
        follow = self.peek()
        if follow.kind == "count":
            self.take()
            self.skip("fill", "all", "distinct")
            follow = self.peek()
            if follow.kind == "table" or (follow.kind == "column" and not is_numeric(follow)):
                self.counted(down)
                return
        if follow.kind in ("agg", "average"):
            name = self.agg_names()[0]
            self.skip("fill", "prep")
            if self.peek().kind == "column":
                self.rank(Term(self.slot(self.take(), self.about()), agg=name), down)
                return
            if self.peek().kind == "table" and stem(self.peek().text.split()[-1]) in AMOUNTS and self.amounts():
                tables = {s.table.path for s in self.peek().senses}
                amounts = tuple(s for s in self.amounts() if s.table.path in tables)
                self.rank(
                    Term(self.slot(replace(self.take(), kind="column", senses=amounts), self.about()), agg=name), down
                )
                return
        if follow.kind in ("money", "margin"):
            self.rank(self.money() if follow.kind == "money" else self.formula(), down)
            return
        if mark.text in COUNTING and (spent := self.most_spent(mark)):
            self.rank(self.money(replace(mark, senses=spent)), down)
            return
        ends = follow.kind in ("end", "stop", "prep", "comma", "days", "when")
        if mark.text in COUNTING and (ends or follow.kind == "table") and before != "by" and self.rank_done(down):
            return
        if follow.kind == "column":
            if before == "by" or (mark.text in COUNTING and names_a_key(follow)):
                raise Stuck(follow)  # "spoken by most people" is no ranking, nor is "most" before a key
            if mark.text in COUNTING and not is_numeric(follow):
                self.several_of(follow)
                return
            if is_text(follow.senses[0].column) and follow.senses[0].columns == name_columns(follow.senses[0].table):
                raise Stuck(follow)  # "the largest city" is not the last one in alphabetical order
            if name_stems(follow.senses[0].column.name)[-1] in _PLACES:
                raise Stuck(follow)  # "the highest rank" may be 1 or the greatest number
            added = mark.text in COUNTING and self.shows_a_kind(follow.senses[0].table)
            slot = self.slot(self.take(), self.about())
            self.rank(Term(slot, agg="sum") if added else Term(slot, distinct=mark.text in COUNTING), down)
        elif follow.kind == "table" and mark.text in COUNTING:
            self.counted(down)
        elif mark.text in SIZES and (
            follow.kind == "table" or (follow.kind in ("end", "stop") and self.shows_things())
        ):
            if follow.kind == "table":
                self.thing(self.take(), self.about())
            self.sized(mark)
        else:
            raise Stuck(follow)

    def shows_a_kind(self, table: Table) -> bool:
        """Return whether all that is shown is a column of a table that does not name its rows: "which colour"."""
        shown = [t for t in self.out.outputs if t.slot is not None and not t.counts]
        senses = [self.out.slots[t.slot or 0].senses[0] for t in shown]
        kinds = [
            s for s in senses if s.table is table and s.columns and is_text(s.column) and not is_key(table, s.column)
        ]
        return len(self.out.outputs) == len(kinds) == 1 and not {*kinds[0].columns} & {*name_columns(table)}

    def most_spent(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the amounts of "paid us the most", "spent the most on repairs", or nothing for another phrase.

        Raises `Stuck` where no amounts are known, as what was spent is no number of rows.
        """
        said = next((m for m in reversed(self.marks[: self.at - 1]) if m.kind != "fill"), END)
        follow = self.peek()
        on = follow.text.startswith("on ")
        if stem(said.text) not in SPENDING or not (on or follow.kind in ("end", "stop", "prep", "days", "when")):
            return ()
        own = tuple(Sense(s.table, columns) for s in follow.senses if on and (columns := only_amount(s.table)))
        if not (amounts := own or paid_of(self.lexicon, [stem(said.text)])):
            raise Stuck(mark)
        return amounts

    def several_of(self, mark: Mark) -> None:
        """Rank by how many values of a column, the next mark, go with each of another of its table.

        So in "which baker served the most customers", where both are columns. Raises `Stuck` elsewhere.
        """
        before = self.marks[self.at - 2]
        shown = [self.out.slots[t.slot] for t in self.out.outputs if t.slot is not None and not t.counts]
        tables = {s.table.path for slot in shown for s in slot.senses if s.columns}
        own = tuple(s for s in mark.senses if s.table.path in tables and s.score >= mark.senses[0].score - 0.1)
        if len(shown) != 1 or not own or is_singular(mark.text) or before.kind not in ("link", "have"):
            raise Stuck(mark)
        slot = self.slot(replace(self.take(), senses=own), None)
        self.rank(Term(slot, agg="count", distinct=True), self.marks[self.at - 2].argument == "max")

    def shows_things(self) -> bool:
        """Return whether things are all that is shown: "which room is the largest"."""
        shown = [t for t in self.out.outputs if t.counts or t.slot is None]
        return bool(self.out.outputs) and not shown and self.out.focus == self.out.outputs[0].slot

    def rank_done(self, down: bool) -> bool:
        """Rank by how often the verb just before was done, "rented the most films": by the rows that record it.

        What is sold or ordered is ranked by the sum of its quantity. A thing that follows is joined only where a row
        may be of several of it. Returns False, with nothing read, where no table is named after the verb.
        """
        said = next((m for m in reversed(self.marks[: self.at - 1]) if m.kind not in ("fill", "be")), END)
        done = recording(self.lexicon.tables, stem(said.text)) if said.kind in ("link", "table", "column") else ()
        things = [s.table for s in self.peek().senses] if self.peek().kind == "table" else []
        if not done and self.follows_be(said) and self.peek().kind in ("end", "stop") and self.about() is not None:
            used = [s.table for s in self.out.slots[self.about() or 0].senses if not s.columns]
            self.rank(self.used(said, used), down)  # "which room is used the most"
            return True
        shown = [t.slot for t in self.out.outputs if t.slot is not None and not t.counts]
        column = len(shown) == 1 and self.out.focus is None and bool(self.out.slots[shown[0]].senses[0].columns)
        if not done and self.follows_be(said) and self.peek().kind in ("end", "stop") and column:
            self.rank(Term(None, rows=True), down)  # where rooms are a column
            return True
        if not done or any(s.table in things for s in done) or not self.is_verb(said):
            return False
        pieces = pieces_of(self.lexicon) if stem(said.text) in BY_THE_PIECE else ()
        if things:  # what is sold by the piece may be another thing than the one named
            pieces = tuple(s for s in pieces if any(is_of_one(self.lexicon.tables, s.table, t) for t in things))
        if stem(said.text) in BY_THE_PIECE and len(pieces) != 1:
            return False
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
        """Return what "the most used part", "the most popular course" are ranked by: the rows that refer to a thing.

        Of several tables with such rows, it is the only one that refers to people, too. Raises `Stuck` where it is open
        what is counted: films are shown, but tickets are sold for the showings.
        """
        tables, paths = self.lexicon.tables, {thing.path for thing in things}
        keys = {t.path: {key.target for key in t.foreign_keys} - {t.path} for t in tables}
        people = {s.table.path for s in self.lexicon.persons()}
        referring = [t for t in tables if keys[t.path] & paths]
        using = referring if len(referring) == 1 else [t for t in referring if keys[t.path] & people]
        popular = "popular" in mark.text
        if len(using) != 1 or (popular and any(using[0].path in found and found & people for found in keys.values())):
            raise Stuck(mark)
        quantity = quantity_of(using[0])
        slot = self.slot(replace(mark, kind="table", senses=(Sense(using[0], quantity),)), self.current)
        self.out.mentions.append(slot)
        self.out.doubt += 0.1
        return Term(slot, agg="sum") if quantity else Term(slot, rows=True)

    def follows_be(self, mark: Mark) -> bool:
        """Return whether a mark is a verb behind a form of "be", as in "is used"."""
        before = next((m for m in reversed(self.marks) if m.end <= mark.start and m.kind != "fill"), END)
        return mark.kind == "link" and before.kind == "be"

    def is_verb(self, mark: Mark) -> bool:
        """Return whether a mark, which may name a table or column as well, is a verb: "rented"."""
        word = next(iter(mark.text.split()[-1:]), "-")
        return mark.kind == "link" or (bool({word, stem(word)} & LINKING) and names_an_act(word))

    def sized(self, mark: Mark) -> None:
        """Rank "the largest city" by the column after "by", or else by a column for size.

        `mark` is the adjective, which was read already.
        """
        if self.peek().text == "by" and self.peek(1).kind == "column":
            self.take()
            self.rank(Term(self.slot(self.take(), self.about())), mark.argument == "max")
            return
        measure = SIZES[mark.text]
        if measure is SIZE and not self.has_measure(measure):
            if not self.has_measure(AMOUNT) and (amounts := self.only_amounts()):
                slot = self.slot(replace(mark, kind="column", senses=amounts), self.about(), True)
                self.rank(Term(slot), mark.argument == "max")
                return
            measure = AMOUNT
        self.rank(Term(self.measured(replace(mark, measure=measure))), mark.argument == "max")

    def money(self, mark: Mark | None = None) -> Term:
        """Return a term for the sum of revenue, read from the next mark or from `mark`.

        Raises `Stuck` if the database has no columns for it.
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

    def amount_of(self, agg: str) -> Term | None:
        """Read "invoice value", "average invoice": return the term for the only amount of such a table, or None."""
        mark, worth = self.peek(), self.peek(1).text in WORTH and self.peek(1).kind != "column"
        tables = {s.table.path for s in mark.senses if not s.columns and events(s.table)}
        amounts = tuple(replace(s, score=0.95) for s in self.amounts() if s.table.path in tables)
        named = worth or stem(mark.text.split()[-1] if mark.text else "") in AMOUNTS | _BILLED
        if mark.kind != "table" or not amounts or not named or self.peek(1).kind in ("column", "own"):
            return None
        self.at += 2 if worth else 1
        return Term(self.slot(replace(mark, kind="column", senses=amounts), self.about()), agg=agg)

    def only_amounts(self) -> tuple[Sense, ...]:
        """Return the only column of amounts of the thing spoken of, in each table that it may be.

        None where rows of another table may add up to the thing: an order is no larger for its freight. None of people,
        whom a limit of their credit makes no bigger.
        """
        about = self.about()
        senses = [s for s in self.out.slots[about].senses if not s.columns] if about is not None else []
        tables = [s.table for s in senses if s.score >= senses[0].score - 0.1]  # the order, and not its details
        parts = {key.target for t in self.lexicon.tables for key in t.foreign_keys if amounts_in(t)}
        people = {s.table.path for s in self.lexicon.persons()}
        whole = [t for t in tables if t.path not in parts | people]
        return tuple(Sense(t, columns, 0.9) for t in whole if (columns := only_amount(t)))

    def has_measure(self, measure: Measure) -> bool:
        """Return whether the current table has a column with one of the names of a measure."""
        about = self.about()
        tables = {s.table.path for s in self.out.slots[about].senses} if about is not None else set()
        return any(s.table.path in tables and s.columns for words in measure.words for s in self.lexicon.named(words))

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

    def rank_by(self) -> None:
        """Read an adjective in the superlative, such as "the oldest", and what it applies to, if that follows."""
        mark = self.take()
        if self.column_first(mark):
            return
        if self.peek().text == "first" and self.peek(1).kind in ("end", "stop"):
            key = self.adjective_first(replace(mark, text=f"{mark.text.removeprefix('the ')} first"))
            if key is None or self.out.limit is not None:
                raise Stuck(mark)
            self.take()
            self.out.order.append(key)
            return
        if self.peek().kind == "column":
            if not {s.columns for s in self.peek().senses} & {s.columns for s in self.senses_of(mark)}:
                raise Stuck(mark)
            self.rank(Term(self.slot(self.take(), self.about())), mark.argument == "max")
            return
        thing = self.accept("table")
        if thing:
            self.thing(thing)
        if lasting := self.lasting(mark):
            self.rank(lasting, mark.argument == "max")
            return
        measured, down = self.first_by(mark)
        if thing:
            self.measures(measured, thing)
        if self.peek().kind == "value":
            self.measures(measured, self.peek())
        self.rank(Term(measured), down)

    def lasting(self, mark: Mark) -> Term | None:
        """Return the days that things last, to rank "the longest rental" by where no column measures it."""
        thing = self.about()
        if thing is None or mark.measure is None or ("duration",) not in mark.measure.words:
            return None
        tables = {s.table.path: s for s in self.out.slots[thing].senses if not s.columns}
        verb = next((m for m in reversed(self.marks) if m.end <= mark.start and m.kind != "fill"), END)
        done = {s.table.path: s for s in recording(self.lexicon.tables, stem(verb.text))} if self.is_verb(verb) else {}
        tables = done or tables  # "who stayed the longest"
        if any(s.table.path in tables and s.score >= 0.45 for s in self.senses_of(mark)):
            return None
        pairs = tuple(pair for s in tables.values() for pair in days_of(s.table))
        formula = HOURS if all(is_moment(c) for pair in pairs for c in pair.columns) else DAYS
        return (
            Term(self.slot(replace(mark, kind="column", senses=pairs), thing, True), formula=formula) if pairs else None
        )

    def first_by(self, mark: Mark) -> tuple[int, bool]:
        """Return the slot of the column that an adjective is about, and whether its greatest value comes first.

        "The oldest" has the greatest age but the earliest date of birth.
        """
        if born := self.born(mark):
            return self.slot(replace(mark, senses=born), self.about(), True), mark.argument != "max"
        thing = self.about()
        tables = {s.table.path for s in self.out.slots[thing].senses if not s.columns} if thing is not None else set()
        aged = mark.measure is not None and mark.measure.words == (("age",),)
        people = {s.table.path for s in self.lexicon.persons()}
        if aged and tables and not tables & people and not self.aged(mark, tables):  # "the oldest bus", by its year
            early = MEASURES[("earliest",)][1]
            mark = replace(mark, measure=early, argument="min" if mark.argument == "max" else "max")
        return self.measured(mark), mark.argument == "max"

    def born(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the dates or years of birth, or of things' beginning, to rank by without an age, or nothing."""
        thing = self.about()
        if mark.measure is None or mark.measure.words != (("age",),) or thing is None:
            return ()
        tables = {s.table.path: s for s in self.out.slots[thing].senses if not s.columns}
        if any(s.table.path in tables and s.score >= 0.45 for s in self.senses_of(mark)):
            return ()
        said = (("birth", "date"), ("birthday",), ("birth",))
        found = {
            key_of(s): s for words in said for s in self.lexicon.named(words) if s.table.path in tables and s.columns
        }
        born = tuple(s for s in found.values() if is_dated(s.column) or is_year(s.column))
        return born or tuple(self.began(s) for s in tables.values() if self.began(s).columns)

    def began(self, thing: Sense) -> Sense:
        """Return the only date or year at which things that are no people came to be, `built_year` of boats."""
        people = {s.table.path for s in self.lexicon.persons()}
        dates = [c for c in events(thing.table) if not ends(c)] if thing.table.path not in people else []
        return replace(thing, columns=(dates[0],) if len(dates) == 1 else ())

    def measures(self, measured: int, value: Mark) -> None:
        """Restrict the slot of an adjective's column to the table that the adjective applies to: "the youngest dog".

        That is the table of `value`, a table or value mark. If it has no such column, those of the tables that it
        refers to are taken: "the tallest player", where players refer to people. Raises `Stuck` if there is none
        either.
        """
        tables = {s.table.path for s in value.senses}
        parents = {key.target for s in value.senses for key in s.table.foreign_keys} if value.kind == "table" else set()
        slot = self.out.slots[measured]
        own = tuple(s for s in slot.senses if s.table.path in tables) or tuple(
            s for s in slot.senses if s.table.path in parents
        )
        if not own:
            raise Stuck(value)
        self.out.slots[measured] = replace(slot, senses=own)

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
        things = [s.table for s in self.out.slots[about].senses if not s.columns] if about is not None else []
        alone = things and self.shows_things() and self.current == about and self.peek().kind in ("end", "stop", "prep")
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

    def senses_of(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the columns that an adjective may be about, with nearly equal scores."""
        if mark.measure is None:
            raise Stuck(mark)
        found = [s for words in mark.measure.words for s in self.lexicon.named(words) if s.columns]
        if ("date",) in mark.measure.words:
            found = self.with_events(found)
        if ("price",) in mark.measure.words:
            own = {s.table.path for s in (self.out.slots[self.about() or 0].senses if self.out.slots else ())}
            own -= {s.table.path for s in found if s.score >= 0.5}
            rates = (s for words in _CHARGES for s in self.lexicon.named(words) if s.columns and is_number(s.column))
            found += [s for s in rates if s.table.path in own]
        # How well the spelling fits does not tell which of several columns is meant, so all good ones get the same
        # score. A column named after another table, such as a film's `rental_duration`, comes after them, and so does a
        # cost beside a price, as it is what the seller paid.
        paid = {s.table.path for s in found if "cost" not in name_stems(s.column.name)}
        return tuple(
            replace(s, score=(0.9 if s.score >= 0.5 else s.score * 0.9) * self.less_likely(s, s.table.path in paid))
            for s in found
        )

    def with_events(self, found: list[Sense]) -> list[Sense]:
        """Return senses without dates of birth and the like, and with the first date of each table that has none then.

        "The latest payment" is by `paid_on`, though only `members.birth_date` is called a date.
        """
        kept = [s for s in found if not is_timely(s) or s.column in events(s.table)]
        dated = {s.table.path for s in kept if is_timely(s)}
        first = (next((c for c in events(t) if is_dated(c)), None) for t in self.lexicon.tables)
        return kept + [
            Sense(t, (c,), 0.67) for t, c in zip(self.lexicon.tables, first, strict=True) if c and t.path not in dated
        ]

    def less_likely(self, sense: Sense, paid: bool) -> float:
        """Return the factor, up to 1, for the score of a column that an adjective may be about.

        It is lower for a column named after another table, and, if `paid`, for one named after cost.
        """
        return (0.85 if self.of_another(sense) else 1.0) * (
            0.7 if paid and "cost" in name_stems(sense.column.name) else 1.0
        )

    def of_another(self, sense: Sense) -> bool:
        """Return whether a column's name begins with the name of a table that is not its own."""
        first = name_stems(sense.column.name)[:1]
        named = [s for s in self.lexicon.find(first) if not s.columns and s.score >= 0.95]
        return bool(named) and all(s.table is not sense.table for s in named)

    def measured(self, mark: Mark) -> int:
        """Return a new slot for the column that an adjective is about; raises `Stuck` if there is none.

        Of several dates in a table, one named after the table or after nothing is taken: "the latest order" is by the
        date of the order, not by that of shipping. Dates of the current table come before all other columns.
        """
        senses = tuple(
            s for s in self.senses_of(mark) if not is_timely(s) or s.column in (own_dates(s.table) or s.columns)
        )
        things = self.out.slots[thing].senses if (thing := self.about()) is not None else ()
        tables = {s.table.path for s in things if not s.columns}
        mine = tuple(s for s in senses if s.table.path in tables and is_timely(s))
        mine = tuple(s for s in mine if not ends(s.column)) or mine  # "the newest course" began last
        behind = next((m for m in self.marks if m.start >= mark.end and m.kind != "fill"), END)
        named = {s.table.path for s in behind.senses if behind.kind == "table"}
        if not senses or (named and all(is_timely(s) and s.table.path not in named for s in senses)):
            raise Stuck(mark)  # "the newest course" is not by the date that its trainer was hired
        return self.slot(replace(mark, senses=mine or senses), thing, True)

    def sorting(self) -> None:
        """Read the sort keys and directions after "ordered by": "ordered by age and name in descending order"."""
        mark = self.take()
        self.skip("fill")
        before = self.accept("direction")
        self.skip("fill", "all")
        if self.peek().kind == "spread":
            return
        if before and self.peek().text in ("of", "by", "with"):
            self.take()
        if self.peek().kind in ("end", "stop"):
            if mark.argument and self.out.order and self.out.limit is None:  # "ordered by area in descending"
                self.out.order[-1] = replace(self.out.order[-1], descending=mark.argument == "desc")
                return
            if mark.argument or before:
                self.sort_outputs((before.argument if before else mark.argument) == "desc")
                return
            raise Stuck(mark)
        down = mark.argument == "desc"
        while True:
            term = self.key()
            after = self.accept("direction")
            if after or before:
                down = (after or before or mark).argument == "desc"
            self.out.order.append(Key(term, down))
            if self.after("and", "comma", "fill").kind == "their":
                raise Stuck(self.peek())  # "and their …" may be one more sort key or one more output
            if self.peek().kind not in ("and", "comma") or self.after("and", "comma", "fill").kind not in (
                "column",
                "direction",
            ):
                return
            if self.after("and", "comma", "fill").kind == "direction":
                self.skip("and", "comma", "fill")
                self.out.order[-1] = replace(self.out.order[-1], descending=self.take().argument == "desc")
                return
            self.skip("and", "comma", "fill")

    def key(self) -> Term:
        """Return the term to sort by: a column, an aggregate of one, a number of rows, or revenue."""
        self.skip("fill", "their", "all", "distinct")
        mark = self.peek()
        if mark.kind in ("money", "margin"):
            return self.money() if mark.kind == "money" else self.formula()
        if mark.kind == "count":
            self.take()
            self.skip("fill", "all", "their", "distinct")
            if self.peek().kind == "column" and is_numeric(self.peek()):
                return Term(self.slot(self.take(), self.about()))
            if self.peek().kind != "table":
                raise Stuck(self.peek())
            slot = self.slot(self.take(), self.about())
            self.out.mentions.append(slot)
            return Term(slot, rows=True)
        if mark.kind in ("agg", "sup", "average"):
            name = self.agg_names()[0]
            self.skip("fill")
            if (amount := self.amount_of(name)) is not None:
                return amount
            if self.peek().kind != "column":
                raise Stuck(self.peek())
            return Term(self.slot(self.take(), self.about()), agg=name)
        if self.peek(1).text in WORTH and (amount := self.amount_of("sum")) is not None:
            return amount
        if mark.kind == "table" and self.peek(1).kind in ("own", "column"):
            owner = self.slot(self.take(), self.about())
            self.accept("own")
            if self.peek().kind == "column":
                return Term(self.slot(self.take(), owner, True))
            raise Stuck(self.peek())
        if mark.kind == "column":
            slot = self.slot(self.done_on(self.take()), self.about())
            self.skip("prep") if self.after("prep", "fill", "their").kind in ("table",) else None
            self.skip("fill", "their") if self.peek().kind in ("fill", "their") else None
            if self.peek().kind == "table" and self.marks[self.at - 1].kind in ("prep", "fill", "their"):
                owner = self.slot(self.take(), self.about())
                self.out.slots[slot] = replace(self.out.slots[slot], owner=owner, firm=True)
            return Term(slot)
        raise Stuck(mark)

    def done_on(self, date: Mark) -> Mark:
        """Read "they were formed" behind a date, and return the date's mark with the senses that say so."""
        ahead = 0
        while self.peek(ahead).kind in ("fill", "be", "have"):
            ahead += 1
        verb = self.peek(ahead)
        about = {m.text for m in self.marks[self.at : self.at + ahead]} & {"they", "it", "he", "she"}
        dates = dates_of(replace(verb, senses=()), self.lexicon) if about and names_an_act(verb.text or "-") else ()
        if not dates or not any(is_timely(s) for s in date.senses):
            return date
        self.at += ahead + 1
        return replace(date, senses=dates)

    def direction(self) -> None:
        """Read "in descending order" for the sort key before it, or for the key after it, or for the first output."""
        mark = self.take()
        if (self.peek().kind == "prep" and self.peek().argument in ("of", "by")) or self.peek().kind == "order":
            self.take()
            self.out.order.append(Key(self.key(), mark.argument == "desc"))
        elif self.out.order and self.out.limit is None:
            self.out.order[-1] = replace(self.out.order[-1], descending=mark.argument == "desc")
        else:
            self.sort_outputs(mark.argument == "desc")

    def spread(self) -> None:
        """Read "from youngest to oldest", which gives the direction, and the column unless an order was read before."""
        mark = self.take()
        if self.out.limit is not None:
            raise Stuck(mark)
        down = mark.argument == "desc"
        if self.out.order:
            slot = self.out.order[-1].term.slot
            aged = mark.measure is not None and mark.measure.words == (("age",),)
            timed = slot is not None and bool(senses := self.out.slots[slot].senses) and is_timely(senses[0])
            # The oldest have the greatest age but the earliest date.
            self.out.order[-1] = replace(self.out.order[-1], descending=down != (aged and timed))
        else:
            self.out.order.append(Key(Term(self.measured(mark)), down))

    def adjective_first(self, mark: Mark) -> Key | None:
        """Return the key that "cheapest first" sorts by, the price; None where the thing has no such column."""
        kind, measure = MEASURES.get(tuple(mark.text.removesuffix(" first").split()), ("", None))
        thing = self.about()
        if kind != "superlative" or measure is None or thing is None or not mark.text.endswith(" first"):
            return None
        tables = {s.table.path for s in self.out.slots[thing].senses}
        said = replace(mark, kind="superlative", measure=measure, argument=measure.end)
        if measure.words == (("age",),) and not self.born(said) and not self.aged(said, tables):
            said = replace(said, measure=MEASURES[("earliest",)][1], argument="min" if measure.end == "max" else "max")
        if not any(s.table.path in tables for s in self.senses_of(said)):
            dates = [Sense(s.table, (own_dates(s.table) or events(s.table))[:1]) for s in self.out.slots[thing].senses]
            dates = [s for s in dates if s.columns and said.measure is not None and ("date",) in said.measure.words]
            slot = self.slot(replace(said, senses=tuple(dates)), thing, True) if dates else None
            return Key(Term(slot), said.argument == "max") if dates else None
        slot, down = self.first_by(said)
        own = tuple(s for s in self.out.slots[slot].senses if s.table.path in tables)
        self.out.slots[slot] = replace(self.out.slots[slot], senses=own or self.out.slots[slot].senses)
        return Key(Term(slot), down)

    def column_first(self, mark: Mark) -> bool:
        """Read "due date first" behind "oldest", or "price first" behind "highest", as the order of all rows."""
        if self.peek().kind != "column" or self.peek(1).text != "first" or self.out.limit is not None:
            return False
        slot = self.slot(self.take(), self.about())
        self.take()
        timed = all(is_timely(s) for s in self.out.slots[slot].senses)
        aged = mark.measure is not None and mark.measure.words == (("age",),)
        self.out.order.append(Key(Term(slot), (mark.argument == "max") != (aged and timed)))
        return True

    def aged(self, mark: Mark, tables: set[Path]) -> bool:
        """Return whether one of these tables has a column of ages."""
        return any(s.table.path in tables and s.score >= 0.45 for s in self.senses_of(mark))

    def sort_outputs(self, down: bool) -> None:
        """Sort by the first output; after "highest first" by the first aggregate, or else by the last output."""
        if not self.out.outputs:
            raise Stuck(self.peek(-1))
        first = next((t for t in self.out.outputs if t.counts), self.out.outputs[0])
        if (said := self.adjective_first(self.peek(-1))) is not None:
            self.out.order.append(said)
            return
        if self.peek(-1).text.endswith("first"):  # "highest first": by what is counted, or the last thing shown
            first = first if first.counts else self.out.outputs[-1]
            self.out.order.append(Key(first, down))
            return
        self.out.order.append(Key(self.out.outputs[0], down))
