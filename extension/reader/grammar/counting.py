"""Read the counts and aggregates that a question asks for: "how many students", "the average age"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.indexer.word_forms import CONVENTIONAL, PARTICIPLE
from askwhere.reader.grammar.cursor import SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.differing import Differing
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.owing import undone
from askwhere.reader.grammar.selling import PIECES
from askwhere.reader.grammar.testing import TESTING
from askwhere.reader.marking.formulas import REVENUE
from askwhere.reader.marking.marks import Mark, is_amount, is_column_of, is_timely, refers_to_itself
from askwhere.reader.marking.mass_nouns import MASS
from askwhere.reader.marking.numeric import is_price
from askwhere.reader.marking.revenue import sums_of
from askwhere.reader.schema.naming import dated_headers, events
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.denials import OWING
from askwhere.reader.words.english import stems
from askwhere.reader.words.money import PAID
from askwhere.reader.words.names import cut_name, full_stems
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_number
from askwhere.reader.words.verbs import ADJECTIVE, names_an_act

# Stems that say of a column that it holds a number of things: `bed_cnt`.
_COUNTED = frozenset(stems("count number quantity amount total sum population headcount"))
_WORTH = ("value", "values", "total", "amount")


class Counting(Differing):
    """The part of the grammar that reads counts and aggregates.

    The methods with a parameter `found` append what is to be shown to it, and return whether they read it.
    """

    def count(self, found: list[Term]) -> bool:
        """Read a count: "how many students", "the number of different countries".

        A table counts its rows and a column its different values; of a column of amounts ("number of pages") the
        amounts themselves are meant, which `settle` may add up. Raise `Stuck` where it is open what is counted.
        """
        said = self.take().text
        self.skip("fill", "all", "their", "prep", "count")
        if self.peek().text == "total":
            self.take()
        different = bool(self.accept("distinct"))
        self.skip("fill")
        if self.peek().kind == "value" and self.count_of_kind(found):
            return True
        if not different and not self.flags_before() and self.flags(self.peek(), alone=True):
            found.append(Term(self.flagged_thing(), rows=True))
            return True
        self.numbered_things()
        self.undated_thing()
        self.no_participle()
        mark = self.peek()
        each = any(m.kind == "all" for m in self.marks[max(self.at - 2, 0) : self.at])
        if said == "numbers of" and mark.kind == "table" and (each or not (found or self.out.groups)):
            raise Stuck(mark)  # "the numbers of all rooms" may be their count, or the number that each has
        if (mark.kind == "table" or mark.text in PIECES) and self.pieces(found):
            return True
        if mark.kind == "table":
            found.append(self.count_of_rows(different))
        elif mark.kind in SENTENCE_ENDS and found:
            found.append(Term(None, rows=True))
        elif mark.kind in (*SENTENCE_ENDS, "have") and (counted := self.counted_before()):
            self.skip("have", "fill")
            found.append(counted)
        elif mark.kind == "column" and not refers_to_itself(mark):
            self.count_of_values(found, different, "total" in said)
        else:
            raise Stuck(mark)  # "how many employees report to Ann" needs the table joined to itself
        return True

    def count_of_kind(self, found: list[Term]) -> bool:
        """Read a value as what is counted, "how many electricians"; return False where it tests the next noun."""
        if self.peek(1).kind not in ("table", "column") and self.pieces(found):
            return True
        if self.peek(1).kind == "and" and self.alike_ahead():
            raise Stuck(self.peek(1))  # "how many dogs and cats" may be one number or two
        if self.stands_alone() and self.item(found):
            found[-1] = replace(found[-1], rows=True)
            return True
        self.value_test()
        self.skip("fill")
        if self.peek().kind not in ("table", "column"):
            raise Stuck(self.peek())
        return False

    def count_of_rows(self, different: bool) -> Term:
        """Read the table whose rows are counted. Raise `Stuck` before a column that may be counted instead."""
        slot = self.thing(self.take())
        follow = self.peek()
        act = names_an_act(follow.text or "-") or (follow.kind == "column" and self.is_done_then(follow))
        if follow.kind == "column" and self.peek(1).kind not in TESTING and not act:
            raise Stuck(follow)
        return Term(slot, rows=True, distinct=different)

    def count_of_values(self, found: list[Term], different: bool, total: bool) -> None:
        """Read the column whose values are counted; of amounts these are shown, and for a `total` their sum."""
        mark = self.take()
        slot = self.slot(mark)
        self.read_owner(slot)
        if not different and mark.argument == MASS:
            found.append(Term(slot, agg="sum"))  # "how many tonnes of cod"
            return
        if not different and is_amount(mark):
            column = mark.senses[0].column.name
            if is_price(mark.senses[0].column):
                raise Stuck(mark)  # "how many lamps did we sell" is no sum of `sell_price`
            named = bool(_COUNTED & set(full_stems(column)))
            single = all(is_singular(CONVENTIONAL.get(word, word)) for word in cut_name(column))  # `hrs` are hours
            if single and not is_singular(mark.text) and not named:
                raise Stuck(mark)  # "how many advisors": the column `advisor` holds a key, and no amount
            found.append(Term(slot, agg="sum") if total else Term(slot, distinct=True))
            self.out.doubt += 0.3
            return
        found.append(Term(slot, agg="count", distinct=True))
        self.out.doubt += 0.0 if different else 0.25
        while different and self.peek().kind == "and" and self.peek(1).kind == "column":
            self.take()  # "how many different cities and countries"
            found.append(Term(self.slot(self.take(), self.out.slots[slot].owner), agg="count", distinct=True))

    def aggregates(self, found: list[Term]) -> bool:
        """Read aggregates of one column or several: "the average and maximum age", "average price and weight"."""
        said = self.peek()
        names = self.agg_names()
        start = self.at
        self.skip("fill", "all", "prep", "comma")
        if len(names) == 1 and self.peek().kind in ("elapsed", "difference", "margin", "computed", "lasting"):
            before = len(found)
            self.item(found)
            found[before:] = [replace(term, agg=names[0]) for term in found[before:] if term.formula]
            return True
        of = said.text.endswith("of") or any(m.kind == "prep" for m in self.marks[start : self.at])
        self.accept("distinct")
        if self.peek().kind == "count" and self.peek(1).kind == "column" and is_amount(self.peek(1)):
            self.take()  # "the average number of pages"
        if names == ["avg"] and self.per_group(found):
            return True
        if names == ["sum"] and (self.worth_of(found) or self.undone_amount(found)):
            return True
        if self.peek().kind == "value" and self.peek(1).kind in ("column", "table"):
            self.value_test()  # "total card payments", "the average glucose result"
        amounts = stem(self.peek().text.split()[-1] if self.peek().text else "") in PAID
        if names == ["sum"] and (of or amounts) and self.totalled(said, found):
            return True
        if len(names) == 1 and (amount := self.amount_of(names[0])) is not None:
            found.append(amount)
            return True
        if self.peek().kind == "table" and self.peek(1).kind == "column":
            self.thing(self.take())
        if self.peek().kind != "column":
            raise Stuck(self.peek())
        while True:
            slot = self.slot(self.take())
            grouped = self.peek().kind == "prep" and self.after("prep", "fill").kind == "distinct"
            # "of each" and "of different types" name groups, and no owner of the column.
            if not self.peek().text.startswith("of e") and not grouped:
                self.read_owner(slot)
            if not any(is_number(s.column) for s in self.out.slots[slot].senses) and "avg" in [*names, "sum"]:
                raise Stuck(self.marks[self.at - 1])
            found += [Term(slot, agg=name) for name in names]
            if grouped:  # "the highest price of different types"
                self.take()
                self.each_thing()
                return True
            another = self.after("and", "comma", "fill")
            if self.peek().kind not in ("and", "comma") or another.kind != "column" or not is_amount(another):
                return True
            self.skip("and", "comma", "fill")

    def per_group(self, found: list[Term]) -> bool:
        """Read an average over groups: "the average number of lines per order", "the average order value"."""
        if self.peek().kind == "count" and self.peek(1).kind == "table":
            self.take()
            found.append(Term(self.thing(self.take()), rows=True))
        elif self.peek().kind == "table" and self.peek(1).text in _WORTH and self.peek(1).kind != "column":
            thing = self.thing(self.take())
            said, sums = self.take(), sums_of(self.lexicon)
            own = paths_of(self.out.slots[thing].senses)
            if totals := tuple(s for s in sums if s.table.path in own and len(s.columns) == 1):
                found.append(Term(self.slot(replace(said, kind="column", senses=totals), thing), agg="avg"))
                return True
            sums = tuple(s for s in sums if len(s.columns) > 1 or own & dated_headers(s.table, self.lexicon.tables))
            if not sums:
                raise Stuck(said)
            found.append(Term(self.slot(replace(said, kind="money", senses=sums), thing), agg="sum", formula=REVENUE))
            self.out.groups.append(thing)
        else:
            return False
        self.out.fold = True
        return True

    def worth_of(self, found: list[Term]) -> bool:
        """Read "the total value of each order": what was sold by the table's rows, or by the lines that refer to it."""
        things = {s.table.path for s in self.peek(2).senses if not s.columns and events(s.table)}
        said = self.peek()
        if said.text not in _WORTH or said.kind == "column" or self.peek(1).kind not in ("prep", "each"):
            return False
        sums = tuple(
            s
            for s in sums_of(self.lexicon)
            if s.table.path in things or things & {key.target for key in s.table.foreign_keys}
        )
        if not sums:
            return False
        self.at += 1
        found.append(Term(self.slot(replace(said, kind="money", senses=sums)), agg="sum", formula=REVENUE))
        return True

    def undone_amount(self, found: list[Term]) -> bool:
        """Read "the total outstanding", "total unpaid": the sum of the only amount of the rows where that is so.

        Where a column is called a balance it is what is outstanding. A payment was never unpaid.
        """
        said = self.peek()
        if said.argument != "denied" or self.peek(1).kind not in (*SENTENCE_ENDS, "prep", "each"):
            return False
        named = self.lexicon.named(("balance",)) if said.text in ("outstanding", *OWING) else ()
        balances = tuple(s for s in named if len(s.columns) == 1 and is_number(s.column) and not s.note)
        if balances:
            found.append(Term(self.slot(replace(self.take(), argument="", senses=balances)), agg="sum"))
            return True
        amounts = tuple(Sense(s.table, own) for s in undone(said) if (own := self.amount_in(s.table)))
        if not amounts:
            return False
        self.flagged() if self.flags(said) else self.undated(self.take())
        found.append(Term(self.slot(replace(said, kind="column", argument="", senses=amounts)), agg="sum"))
        return True

    def totalled(self, said: Mark, found: list[Term]) -> bool:
        """Read "the total of all invoices": the sum of their column that is called "total"."""
        if self.peek().kind != "table" or self.peek(1).kind in ("column", "own"):
            return False
        tables = paths_of(self.peek().senses)
        named = self.lexicon.named((said.text.split()[0],))
        columns = tuple(s for s in named if len(s.columns) == 1 and s.score >= 0.97 and s.table.path in tables)
        if not any(is_number(s.column) for s in columns) and stem(self.peek().text.split()[-1]) in PAID:
            columns = tuple(s for s in self.amounts() if s.table.path in tables)
        if not any(is_number(s.column) for s in columns):
            return False
        thing = self.thing(self.take())
        found.append(Term(self.slot(replace(said, senses=columns), thing, True), agg="sum"))
        return True

    def read_owner(self, slot: int) -> None:
        """Read whose a column is, "of the students", and make that thing the owner of the slot.

        Where no thing follows, nothing is read.
        """
        start = self.at
        if self.peek().text == "by":
            return  # "seats by location" names groups
        if not self.accept("prep") and not (self.peek().text in ("of each", "of every") and self.accept("each")):
            return
        self.skip("fill", "all", "distinct", "their", "either")
        if self.peek().kind == "table" and self.peek(1).kind not in ("own", "column"):
            self.no_two_lists(None)
            owner = self.thing(self.take())
            self.out.slots[slot] = replace(self.out.slots[slot], owner=owner, firm=True)
        elif self.peek().kind == "value" and self.peek(1).kind == "table" and self.peek(2).kind != "column":
            value = self.take()
            owner = self.thing(self.take())
            self.out.slots[slot] = replace(self.out.slots[slot], owner=owner, firm=True)
            self.test(Test(Term(self.slot(value, owner)), "is"))
        elif self.peek(1).kind == "table" and self.peek(2).kind not in ("own", "column") and self.undated_thing():
            owner = self.thing(self.take())
            self.out.slots[slot] = replace(self.out.slots[slot], owner=owner, firm=True)
        else:
            self.at = start

    def flags_before(self) -> bool:
        """Read the flags just before a thing, "active and certified members", or before an amount: "billable hours".

        Return False where there are none. A noun in the plural is said of nothing behind it: "schools rent". Raise
        `Stuck` for one of other rows than the flag before it, "urgent firms", where a letter is urgent.
        """
        first, second = (paths_of(self.flags(self.peek(ahead))) for ahead in (0, 1))
        if first and second and not first & second:
            raise Stuck(self.peek(1))
        ahead, flags = 0, 0
        while self.flags(self.peek(ahead)):
            joined = self.peek(ahead + 1).kind in ("and", "comma") and self.peek(ahead + 2).kind == "column"
            ahead, flags = ahead + 1 + joined, flags + 1
        thing = self.peek(ahead)
        if (
            not flags
            or not is_singular(self.peek(ahead - 1).text)
            or not (thing.kind in ("table", "value") or self.flags_amount(self.peek(), thing))
        ):
            return False
        for _ in range(flags):
            self.flagged()
            self.skip("and", "comma")
        return True

    def flags_amount(self, flag: Mark, amount: Mark) -> bool:
        """Return whether an amount comes behind a flag of the same rows."""
        tables = paths_of(self.flags(flag))
        return amount.kind == "column" and is_amount(amount) and amount.senses[0].table.path in tables

    def flagged_thing(self) -> int:
        """Read a flag that stands for a thing and return the thing's slot: "how many capitals" counts cities."""
        flags = self.flags(self.peek())
        slot = self.thing(replace(self.peek(), kind="table", senses=tuple(Sense(s.table, (), s.score) for s in flags)))
        self.flagged()
        return slot

    def undated_thing(self) -> bool:
        """Read a participle for a date of the table after it, "unpaid invoices"; return False for other words."""
        mark, tables = self.peek(), paths_of(self.peek(1).senses)
        dates = tuple(s for s in self.done_dates(mark) if s.table.path in tables)
        if not dates or self.peek(1).kind != "table":
            return False
        self.undated(replace(self.take(), senses=dates))
        return True

    def no_participle(self) -> None:
        """Raise `Stuck` for a participle before a table, "retired employees", that is no column of yes and no.

        So is a word before a table that names dates without saying so: "open tickets" are not dates of opening. And so
        is an adjective that names numbers, which may be 0 and 1 or not: "active members" are not their numbers.
        """
        mark = self.peek()
        number = is_column_of(mark, is_number)
        adjective = number and (names_an_act(mark.text.removeprefix("un")) or bool(ADJECTIVE.search(mark.text)))
        timely = mark.kind == "column" and all(is_timely(sense) for sense in mark.senses)
        state = timely and not {"date", "day", "time", "year", "month"} & {stem(word) for word in mark.text.split()}
        if (PARTICIPLE.match(mark.text) or state or adjective) and self.peek(1).kind == "table":
            raise Stuck(mark)
