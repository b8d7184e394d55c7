"""Read requests for what is first or last by some order: the highest, the first three, the oldest, the most common."""

from __future__ import annotations

from dataclasses import replace

from askwhere.indexer.word_forms import PARTICIPLE
from askwhere.reader.grammar.counting import Counting
from askwhere.reader.grammar.cursor import SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.dating import happens
from askwhere.reader.grammar.draft import Key, Term
from askwhere.reader.grammar.ranking import COUNTING
from askwhere.reader.marking.marks import Mark, is_amount, is_timely, key_of, names_a_key
from askwhere.reader.marking.mass_nouns import MASS
from askwhere.reader.marking.numeric import adds_up
from askwhere.reader.marking.reasons import reasons_of
from askwhere.reader.marking.records import is_of_one
from askwhere.reader.schema.naming import (
    own_words,
    sequence_columns,
)
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.dates import NOUNS
from askwhere.reader.words.english import BY, stems
from askwhere.reader.words.measures import SIZES
from askwhere.reader.words.names import KEY_WORDS
from askwhere.reader.words.tokens import is_singular
from askwhere.reader.words.types import is_text, is_year
from askwhere.reader.words.units import unit_of
from askwhere.reader.words.verbs import ADJECTIVE, names_an_act

_VALUED = ("highest", "lowest")  # of amounts: "the lowest bid" is a sum of money, "the biggest" one is a bid
_OF_DATES = ("maximum", "max", "minimum", "min", "maximal", "minimal", "the most", "most")  # of dates as of numbers
_BIGGEST = ("biggest", "largest", "greatest", "smallest", "busiest", "most popular")


class Picking(Counting):
    """The part of the grammar that reads superlatives, ordinals and shares among the outputs.

    Each method returns whether it read an output. It appends terms to `found`, adds order and limit to the draft, and
    raises `Stuck` at a mark that does not fit.
    """

    def extreme(self, found: list[Term]) -> bool:
        """Read "the highest price", "the top 3 books", "the most rented film", "the largest city"."""
        one = self.peek().text == "top" and self.peek(1).kind == "table" and is_singular(self.peek(1).text)
        if self.peek(1).kind == "number" or one:
            mark = self.take()
            return self.top(found, mark.argument)
        done = self.peek(1).kind in ("link", "table") and PARTICIPLE.match(self.peek(1).text)
        if done and self.peek().text in COUNTING and self.peek(2).kind == "table":
            return self.most_done(found)
        self.no_state_as_measure()
        described = self.peek(2).kind == "value" and bool(ADJECTIVE.search(self.peek(1).text))  # "valuable paintings"
        thing = self.peek(2).kind == "table" and self.peek(3).kind != "own"
        if self.peek(1).kind == "column" and (thing or described):
            return self.thing_with_most(found)
        if self.out.passed and self.peek(1).kind == "column" and is_amount(self.peek(1)):
            return self.value_in_order(found)
        if self.after("and", "comma", "fill", "agg", "sup", "average").kind in ("column", "count", "lasting"):
            named = self.peek(1) if self.peek().text in COUNTING and self.peek(1).kind == "column" else None
            if named and (names_a_key(named) or is_text(named.senses[0].column)):
                raise Stuck(named)  # "the most ordered product" does not rank by an order number, nor by a name
            said = self.peek(1)
            if said.kind == "column" and names_a_key(said) and KEY_WORDS.isdisjoint(stems(said.text)):
                raise Stuck(said)  # the "lowest bid" is not the lowest number of one
            dated = any(is_timely(s) for s in said.senses[:1]) and self.peek().text not in _OF_DATES
            if dated and not any(is_year(c) for s in said.senses[:1] for c in s.columns):
                raise Stuck(said)  # a "top seller" is no latest date of a sale, nor the "highest reading" the last one
            return self.aggregates(found)
        mark = self.take()
        acted = names_an_act(self.peek().text)  # the "highest paid employee" is no payment
        if mark.text in _VALUED and not acted and (amount := self.amount_of(mark.argument)) is not None:
            found.append(amount)
            return True
        ahead = self.after("value") if self.peek().kind == "value" else self.peek()  # "smallest vacant unit"
        if mark.text in SIZES and ahead.kind == "table" and self.item(found):
            self.sized(mark)
            return True
        raise Stuck(self.peek())

    def no_state_as_measure(self) -> None:
        """Raise `Stuck` for a state or date of other rows, "the biggest unpaid claim", which says nothing of sizes."""
        said = self.peek(1)
        dated = said.kind == "column" and all(is_timely(s) for s in said.senses)
        if said.argument == "denied" or (dated and self.peek().text in SIZES):
            raise Stuck(said)

    def value_in_order(self, found: list[Term]) -> bool:
        """Read "highest price" behind "the second": the different values of the column in their order."""
        mark, said = self.take(), self.take()
        found.append(Term(self.slot(said, self.about())))
        self.out.distinct = True
        self.rank(found[-1], mark.argument == "max")
        return True

    def thing_with_most(self, found: list[Term]) -> bool:
        """Read "the lowest price product": the product, ranked by the column before it."""
        mark, said = self.take(), self.take()
        if not (is_amount(said) or any(is_timely(s) for s in said.senses)):
            raise Stuck(said)
        self.item(found)
        done = mark.text in COUNTING and PARTICIPLE.match(said.text) is not None  # "most watched film": in all
        self.rank(Term(self.slot(said, self.current), distinct=done), mark.argument == "max")
        return True

    def top(self, found: list[Term], end: str) -> bool:
        """Read what follows "top": "3 students by score", "student by score", "3 books with the most loans".

        `end` is 'max' for the top and 'min' for the bottom.
        """
        number = self.accept("number")
        self.out.limit = int(number.number or 1) if number else 1
        self.skip("fill")
        by = self.peek().text in _BIGGEST and self.peek(2).text in BY
        if self.peek().kind in ("superlative", "sup", "common", "sold") and not by:
            return self.item(found)
        self.at += by  # "top 3 busiest routes by passengers"
        item = self.item(found)
        self.skip("fill")
        if (item and self.peek().text in BY) or self.peek().kind == "order":
            self.take()
            self.ranked_by_key(end, bool(number))
            return True
        if (
            item
            and self.peek().kind in ("prep", "rel", "have")
            and self.after("prep", "rel", "have", "fill").kind in ("sup", "supcount")
        ):
            return True
        raise Stuck(self.peek())

    def several(self, found: list[Term]) -> bool:
        """Read a number and what it limits: "the 3 youngest singers", "which 3 countries have the most customers"."""
        if self.numbered_things():
            return self.item(found)
        mark = self.take()
        self.skip("fill")
        ranked = any(m.kind in ("superlative", "supcount", "sup", "common") for m in self.marks[self.at :])
        kinds = ("superlative", "sup", "common", "sold", "table", "nth", *(("column",) if ranked else ()))
        if self.peek().kind not in kinds or not isinstance(mark.number, int):
            raise Stuck(mark)
        if self.peek().text in _BIGGEST and self.peek(1).kind == "table" and self.peek(2).text in BY:
            return self.top_by(found, mark.number)  # "five biggest customers by revenue"
        self.out.limit = mark.number  # `settle` refuses it when nothing says which come first
        return self.item(found)

    def top_by(self, found: list[Term], number: int) -> bool:
        """Read "biggest customers by revenue": the first few by what follows "by"."""
        self.out.limit = number
        end = self.take().argument
        self.item(found)
        self.take()
        self.ranked_by_key(end, True)
        return True

    def ranked_by_key(self, end: str, several: bool) -> None:
        """Read what the first few are chosen by; a column of many rows of each is added up, as `scope` decides."""
        term = self.key()
        term = replace(term, distinct=True) if not term.counts and not term.formula else term
        self.out.order.append(Key(term, end == "max"))
        self.out.ranked = several
        self.ranked_by = term if several else None

    def is_time(self, slot: int | None) -> bool:
        """Return whether a slot is a column of minutes, days or the like: `wait_min`."""
        senses = self.out.senses_at(slot)[:1]
        units = (unit_of(c) for s in senses for c in s.columns)
        return any(unit is not None and unit.dimension == "time" for unit in units)

    def oldest(self, found: list[Term]) -> bool:
        """Read an adjective in the superlative and what it ranks: "the oldest student", "the three oldest students"."""
        mark = self.take()
        if self.peek().kind == "number":
            self.out.limit = int(self.take().number or 1)
        self.skip("fill")
        if self.peek().kind not in ("table", "value", "column", "distinct"):
            raise Stuck(self.peek())
        start = self.at
        self.item(found)
        if any(m.kind == "each" for m in self.marks[start : self.at]):
            raise Stuck(self.peek(-1))  # "the latest invoice of each child" is not that of all
        by = self.peek(1)
        if self.peek().text == "by" and by.kind == "column" and self.peek(2).kind in SENTENCE_ENDS:
            measures = {key_of(s) for s in self.senses_of(mark)}
            own = tuple(s for s in by.senses if key_of(s) in measures)
            plain = min((len(own_words(s.table, s.column)) for s in own), default=0)  # `price` and no `list_price`
            own = tuple(s for s in own if len(own_words(s.table, s.column)) == plain)
            if not own:
                raise Stuck(by)
            self.at += 2  # "the most expensive books by list price"
            self.rank(Term(self.slot(replace(by, senses=own), self.current)), mark.argument == "max")
            return True
        shown = found[-1].slot if found and not found[-1].counts else None
        said = {key_of(s) for s in self.out.senses_at(shown) if s.columns}
        lasts = mark.measure is not None and ("duration",) in mark.measure.words and self.is_time(shown)
        lasts = lasts and all(m.argument != MASS for m in self.marks[start : self.at])
        measures = {key_of(s) for s in self.senses_of(mark)} & said
        if lasts or measures:  # "the most recent order date", "longest wait"
            if shown is not None and measures:  # "the most expensive repair" is by `repair_cost`, not by `repaired_on`
                senses = tuple(s for s in self.out.slots[shown].senses if s.columns and key_of(s) in measures)
                self.out.slots[shown] = replace(self.out.slots[shown], senses=senses)
            self.rank(found[-1], mark.argument == "max")
            return True
        owned = any(m.kind == "own" for m in self.marks[start : self.at])  # "the longest river's name"
        if shown is not None and not owned and self.ranked_by_letters(mark, shown):  # "the longest course title"
            return True
        if lasting := self.lasting(mark):
            self.rank(lasting, mark.argument == "max")
            return True
        measured, down = self.first_by(mark)
        self.rank(Term(measured), down)
        return True

    def nth(self, found: list[Term]) -> bool:
        """Read "the first 3 employees" or "the last order", ranked by the column of `sequence_columns`."""
        mark = self.take()
        number = self.accept("number")
        self.skip("fill")
        many = self.out.limit is not None or (number is not None and isinstance(number.number, int))
        if number is not None and many:
            self.out.limit = int(number.number or 0)
        if self.peek().kind not in ("table", "value") or not (many or is_singular(self.peek().text)):
            raise Stuck(mark)
        self.item(found)
        self.rank(Term(self.sequence(mark)), mark.argument == "max")
        return True

    def of_last(self) -> None:
        """Read "the last order" as a condition on the thing asked for, "who placed the last order"."""
        mark = self.take()
        first = next((t.slot for t in self.out.outputs if t.slot is not None and not t.agg), None)
        thing, shown = self.peek(), self.out.slots[first] if first is not None else None
        if thing.kind != "table" or not is_singular(thing.text) or shown is None:
            raise Stuck(mark)
        of_row = any(
            s.table is row.table or is_of_one(self.lexicon.tables, row.table, s.table)
            for s in shown.senses
            for row in thing.senses[:1]
        )
        plural = not shown.senses[0].columns and shown.text != "who" and not is_singular(shown.text)
        if plural or not of_row:
            raise Stuck(mark)  # "the products in the last order" are several rows
        self.thing(self.take(), self.about())
        self.rank(Term(self.sequence(mark)), mark.argument == "max")

    def sequence(self, mark: Mark) -> int:
        """Return a new slot for the column that says which rows of the current table came first."""
        things = self.out.senses_at(self.current)
        senses = tuple(
            Sense(s.table, (c,), s.score) for s in things if not s.columns for c in sequence_columns(s.table)
        )
        if not senses:
            raise Stuck(mark)
        return self.slot(replace(mark, senses=senses), self.current, True)

    def commonest(self, found: list[Term]) -> bool:
        """Read "the most common name": group by the name and rank by the number of rows."""
        mark = self.take()
        self.skip("fill")
        said = self.peek()
        part = NOUNS.get(tuple(said.text.split())) if mark.text == "busiest" and said.kind == "column" else None
        if part and said.senses[0].score < 1.0:  # "busiest month" is no `month_pay`, and "busiest day" no birthday
            period = replace(said, kind="period", argument=part, senses=())
            self.marks = (*self.marks[: self.at], period, *self.marks[self.at + 1 :])
        before, start = len(found), self.at
        if self.peek().kind in ("link", "table") and names_an_act(self.peek().text) and self.peek(1).kind == "table":
            return self.done_often(mark, found)  # "the most frequently ordered product"
        rows = self.peek()
        if reasons := reasons_of(rows, self.lexicon.tables):  # "the most common complaint"
            said = replace(rows, kind="column", senses=reasons)
            self.marks = (*self.marks[: self.at], said, *self.marks[self.at + 1 :])
        elif self.peek().kind == "column":
            said = self.peek()
            self.marks = (*self.marks[: self.at], self.without_own_names(said), *self.marks[self.at + 1 :])
        if not self.item(found) or len(found) == before:
            raise Stuck(self.peek())
        term = found[before]
        self.out.groups.append(term.slot or 0)
        slot = self.out.slots[term.slot or 0]
        if slot.owner is not None and any(m.kind == "each" for m in self.marks[start : self.at]):
            self.out.groups.append(slot.owner)  # "the most common cabin of each line"
            self.out.slots[term.slot or 0], self.out.focus = replace(slot, owner=None, firm=False), None
        if slot.part and not any(m.kind in ("table", "link", "value") for m in self.marks):
            dates = self.happening_dates(slot.senses)
            self.out.slots[term.slot or 0] = replace(slot, senses=dates)
            self.thing(replace(mark, kind="table", senses=(Sense(dates[0].table),)))
            self.out.doubt += 0.1
            self.rank(Term(self.current, rows=True), mark.argument == "max")
            return True
        things = [s.table for s in self.out.slots[term.slot or 0].senses if not s.columns]
        used = self.used(mark, things) if things else Term(None, rows=True)
        if reasons:
            used = Term(self.slot(replace(rows, senses=tuple(replace(s, columns=()) for s in reasons))), rows=True)
            self.out.mentions.append(used.slot or 0)
        self.rank(used, mark.argument == "max")
        return True

    def without_own_names(self, said: Mark) -> Mark:
        """Return a mark without the columns of tables that it names as well: each lift has one `lift_name`.

        Raise `Stuck` if nothing else is left.
        """
        named = self.lexicon.named(tuple(said.text.lower().split()))
        tables = {s.table.path: s.score for s in named if not s.columns}
        rest = [s for s in said.senses if s.score > tables.get(s.table.path, 0.0) + 0.05]
        if not rest:
            raise Stuck(said)
        return replace(said, senses=tuple(rest))

    def happening_dates(self, dates: tuple[Sense, ...]) -> tuple[Sense, ...]:
        """Return of dates those at which something happens that makes a month busy, where nothing else is named.

        They are in the one table that refers to most people, or else to others at all, and to no other such table: an
        order, and neither its invoice nor when a clerk was hired or an inspection is due. Raise `Stuck` where several
        tables may be meant, or none.
        """
        people = paths_of(self.lexicon.persons())
        tables = {s.table.path: s.table for s in dates if s.table.path not in people and happens(s)}
        keys = {path: {key.target for key in table.foreign_keys} - {path} for path, table in tables.items()}
        tied = {path for path, targets in keys.items() if targets & people} or {p for p, found in keys.items() if found}
        first = {path for path in tied if not keys[path] & tied}
        if not people and len(tied - first) > 1:
            raise Stuck(self.peek(-1))  # the sales and repairs of machines are more than when these were bought
        tied = first
        tied = {path for path in tied if len(keys[path] & people) == max(len(keys[p] & people) for p in tied)}
        if len(tied) != 1:
            raise Stuck(self.peek(-1))
        return tuple(s for s in dates if s.table.path in tied and happens(s))

    def share(self, found: list[Term]) -> bool:
        """Read "what percentage of orders was cancelled" or "the share of cancelled orders".

        Appends a 'share' term of the table to `found`. Raise `Stuck` if no table follows or something else is shown.
        """
        self.take()
        self.out.percent |= any("percent" in mark.text or "%" in mark.text for mark in self.marks)
        whose = self.after("fill", "all").kind == "their"
        self.skip("fill", "all", "their")
        if self.peek().kind == "link" and adds_up(self.peek(1)):
            self.take()  # "logged hours"
        while self.peek().kind in ("value", "column"):
            if self.peek().kind == "value":
                self.value_test()
            elif self.flags(self.peek()):
                self.flagged()
            elif self.undated_thing():  # "the share of unpaid invoices"
                break
            elif adds_up(self.peek()) and not found:  # "the share of hours that were billable"
                if whose or self.peek().start > self.peek(-1).end:  # or where "its" is left out
                    raise Stuck(self.peek())  # "what percent of its budget did each film spend" is of each one's own
                self.part = self.take()
                found.append(Term(self.slot(self.part, self.about()), agg="share"))
                return True
            else:
                raise Stuck(self.peek())
            self.skip("fill")
        if self.peek().kind == "table" and self.peek(1).kind == "money":
            self.out.mentions.append(self.slot(self.take()))  # "the share of ticket revenue"
        if self.peek().kind not in ("table", "money") or found:
            raise Stuck(self.peek())
        self.part = self.peek()
        if self.part.kind == "money":
            found.append(replace(self.money(), agg="share"))
        else:
            found.append(Term(self.thing(self.take()), agg="share"))
        return True
