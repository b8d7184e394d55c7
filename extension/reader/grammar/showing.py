"""Read what a question asks to be shown: columns, tables and aggregates, in one list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from askwhere.reader.grammar.amounts import WORTH
from askwhere.reader.grammar.cursor import Stuck
from askwhere.reader.grammar.dating import ASKS_WHEN
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.picking import Picking
from askwhere.reader.grammar.testing import TESTING
from askwhere.reader.marking.marks import Mark, is_amount, names_a_key
from askwhere.reader.marking.numeric import adds_up
from askwhere.reader.marking.stock import MASS
from askwhere.reader.schema.naming import name_columns, refers
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.mutual import is_mutual, pairs
from askwhere.reader.words.phrases import LINKING
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_number
from askwhere.reader.words.units import UNITS
from askwhere.reader.words.verbs import PARTICIPLE, names_an_act

_PARTS = ("id", "ids", "code", "codes", "name", "names", "number", "numbers", "date", "dates")
_BEHIND = ("prep", "rel", "order", "direction", "when", "days", "each", "comp")
_ADDING = ("each", "end", "stop", "prep", "link")  # behind what there is much of: "kilos per farm"
_AGGREGATES = ("total", "sum", "average", "mean", "maximum", "minimum", "count")
COLONS = (":", "-", "\u2013", "\u2014")


class Showing(Picking):
    """The part of the grammar that reads outputs; the methods for one output return whether they read one.

    They append terms to `found` and raise `Stuck` at a mark that does not fit.
    """

    def outputs(self) -> None:
        """Read a list of outputs, separated by commas or "and", and add it to the draft."""
        found: list[Term] = []
        while True:
            start = self.at
            self.skip("fill", "their", "all", "be", "either")
            if not self.item(found):
                self.at = start
                break
            if self.peek().kind not in ("comma", "and") or self.peek().text in COLONS or not self.begins_item():
                break
            self.skip("comma", "and")
        self.own(found)
        self.out.outputs += found

    def own(self, terms: list[Term]) -> None:
        """Give each column without an owner that of the next column in the list: "names and ages of students"."""
        owner = None
        for term in reversed(terms):
            if term.slot is None or term.rows:
                continue
            slot = self.out.slots[term.slot]
            if slot.owner is not None:
                owner = slot.owner if slot.firm else owner
            elif owner is not None and slot.senses and slot.senses[0].columns:
                self.out.slots[term.slot] = replace(slot, owner=owner, firm=True)

    def begins_item(self) -> bool:
        """Return whether one more output follows the comma or "and", rather than a condition."""
        ahead = 0
        while self.peek(ahead).kind in ("comma", "and", "fill", "their", "all", "be", "distinct"):
            ahead += 1
        mark = self.peek(ahead)
        if mark.kind in ("count", "agg", "times", "money", "elapsed", "difference", "margin", "lasting"):
            return True
        if mark.kind == "sup":
            return self.peek(ahead + 1).kind in ("column", "and")
        if mark.kind == "table":
            return self.peek(ahead + 1).kind in (
                "column",
                "own",
                "end",
                "prep",
                "stop",
                "comma",
                "and",
                "rel",
                "order",
                "direction",
                "each",
            )
        return mark.kind == "column" and self.peek(ahead + 1).kind not in TESTING

    def item(self, found: list[Term]) -> bool:
        """Read one output and append it to `found`; return False when there is none."""
        readers: dict[str, Callable[[list[Term]], bool]] = {
            "count": self.count, "agg": self.aggregates, "sup": self.extreme, "superlative": self.oldest,
            "common": self.commonest, "whole": self.whole, "table": self.entity, "column": self.column,
            "value": self.kind_of, "number": self.several, "distinct": self.different, "average": self.aggregates,
            "each": self.every, "nth": self.nth, "money": self.revenue, "period": self.in_periods,
            "percent": self.share, "ordinal": self.ordinal, "much": self.spent, "sold": self.best_selling,
            "elapsed": self.elapsed, "difference": self.difference, "margin": self.margin, "times": self.times_done,
            "lasting": self.lasts,
        }  # fmt: skip
        reader = readers.get(self.peek().kind)
        return bool(reader and reader(found))

    def every(self, found: list[Term]) -> bool:
        """Read "each student's name": the output after "each"."""
        if not self.peek().text.startswith(("each", "every")):
            return False
        self.take()
        self.skip("fill", "prep")
        return self.item(found)

    def different(self, found: list[Term]) -> bool:
        """Read "the different countries": the output, without repeated rows."""
        self.take()
        self.out.distinct = True
        return self.item(found)

    def whole(self, found: list[Term]) -> bool:
        """Read "all information about students": all columns of the table."""
        self.take()
        self.skip("fill", "all", "prep", "their")
        if self.peek().kind == "value":
            self.value_test()
        if self.peek().kind != "table":
            raise Stuck(self.peek())
        self.no_two_lists(None)
        self.out.star = self.thing(self.take())
        return True

    def entity(self, found: list[Term]) -> bool:
        """Read a table as an output, or its columns if these follow: "students", "students' names", "student names"."""
        if is_mutual(self.peek().text) and self.peek(1).kind == "prep" and self.peek(2).kind == "value":
            return self.neighbour(found)
        if self.peek(1).kind == "money":  # "ticket revenue"
            self.out.mentions.append(self.slot(self.take()))
            return self.revenue(found)
        grouped = any(m.kind in ("each", "period") for m in self.marks[self.at :])
        if grouped and self.peek(1).text in WORTH and (amount := self.amount_of("sum")) is not None:
            found.append(amount)  # "invoice value per client"
            return True
        slot = self.thing(self.take())
        owned = bool(self.accept("own"))
        self.skip("fill") if owned else None
        # "tracks composed by Queen", "films rated R"
        done = self.peek(1).text in ("by", "to") and self.peek(2).kind == "value"
        done = done or (PARTICIPLE.match(self.peek().text) is not None and self.peek(1).kind == "value")
        tested = done or self.peek(1).kind in TESTING
        follow = self.peek()
        written = any(follow.text in c.name.lower() for s in follow.senses for c in s.columns)
        if follow.kind == "column" and not (owned or tested or written) and PARTICIPLE.match(follow.text):
            raise Stuck(follow)  # in "which shipper shipped …" the column is a verb
        if self.peek().text == "information":
            raise Stuck(self.peek())  # "customer information" means all columns, which only `whole` reads
        if self.peek().kind == "column" and (owned or not (tested or self.is_done_then(self.peek()))):
            while True:
                found.append(Term(self.slot(self.take(), slot, True)))
                if (
                    not owned
                    or self.peek().kind not in ("and", "comma")
                    or self.after("and", "comma", "fill").kind != "column"
                ):
                    break
                self.skip("and", "comma", "fill")
            return True
        if owned and self.peek().kind in ("agg", "sup", "count"):
            return self.item(found)
        other = self.after("and", "comma")
        halved = other is not self.peek() and other.kind == "column" and other.text.split()[-1] in _PARTS
        other_thing = self.peek().kind == "table" and not (
            is_mutual(self.peek().text) or names_an_act(self.peek().text)
        )
        if owned or other_thing or (halved and " " in other.text):
            raise Stuck(self.peek())  # "document and template id" may mean the document's id or its name
        found.append(Term(slot))
        return True

    def column(self, found: list[Term]) -> bool:
        """Read a column as an output, with the table that it belongs to if one follows: "name of the students"."""
        if is_mutual(self.peek().text):
            return self.neighbour(found)
        if self.flags_before():
            return self.item(found)
        if self.flags(self.peek(), alone=True):
            found.append(Term(self.flagged_thing()))
            return True
        if self.undated_thing():
            return self.item(found)
        if self.peek().text.split()[-1] in ("since", "until") and self.peek(1).kind in ("number", "days"):
            raise Stuck(self.peek())  # "members since 2020" is no list of dates
        self.no_participle()
        said = self.peek()
        if said.argument == "denied":
            raise Stuck(said)  # "unpaid" is not what was paid
        dated = any(ASKS_WHEN & set(m.text.split()) for m in self.marks[: self.at + 1])
        if self.is_done_then(said) and not dated:
            raise Stuck(said)  # in "who was hired since 2021" the date is no answer
        if self.at and self.marks[self.at - 1].text in ("what", "who") and self.peek(1).kind == "prep":
            verb = stem(self.peek().text) in LINKING and self.peek().senses[0].score < 0.95
            if verb and self.peek(1).argument != "of":
                raise Stuck(self.peek())  # in "what ships to Germany", "ships" is a verb, not the column `ShipName`
        if self.peek().text in _AGGREGATES and self.peek(1).kind == "prep":
            self.out.doubt += 0.7  # "total of …" may be a column `Total` or an aggregate
        mark, start = self.take(), self.at
        if mark.text in ("name", "names") and self.peek().text in ("of", "of each", "of every", "of the"):
            self.skip("prep", "each", "fill", "all", "distinct")
            named = self.lexicon.named(tuple(self.peek().text.split()))
            things = {s.table.path for s in named if not s.columns and s.score >= 0.9}
            called = tuple(
                s
                for s in self.peek().senses
                if s.score >= 0.9 and s.columns and not is_number(s.column) and (s.table.path in things or not things)
            )
            if self.peek().kind == "column" and called and not names_a_key(self.peek()):
                mark = replace(self.take(), senses=called)  # "the names of cities", where cities are a column
                start = self.at
            else:
                self.at = start
        slot = self.slot(mark)
        per = self.peek().kind == "period" or self.peek().text == "per"
        if self.peek().text == "by" and adds_up(mark) and self.peek(1).kind in ("table", "column"):
            self.marks = (*self.marks[: self.at], replace(self.peek(), kind="each"), *self.marks[self.at + 1 :])
            per = True  # "costs by client"
        follow = self.after("prep", "fill", "all")
        alone = mark.start == 0 and mark.text in UNITS and follow.kind != "table"  # "hours worked in May"
        if (mark.argument == MASS and self.peek().kind in _ADDING) or ((per or alone) and adds_up(mark)):
            found.append(Term(slot, distinct=True))  # "stock of each product", "hours per client" are added up
            return True
        if (
            mark.text.startswith("average ")
            and is_amount(mark)
            and (self.peek().kind == "each" or self.peek().text == "by")
        ):
            found.append(Term(slot, agg="avg"))  # `avg_speed` by site is averaged again
            return True
        if self.peek().kind == "value" and self.after("value").kind not in ("table", "column"):
            raise Stuck(self.peek())
        self.owner(slot)
        if mark.text.split()[0] in ("total", "sum") and is_amount(mark):
            self.totals[slot] = any(m.kind == "all" for m in self.marks[start : self.at])
        found.append(Term(slot))
        return True

    def neighbour(self, found: list[Term]) -> bool:
        """Read "neighbours of France": the rows in a symmetric relation to the one named (see `joins.pairs`)."""
        mark = self.peek()
        things = [t for t in self.lexicon.tables if [*pairs(self.lexicon.tables, t, mark.text)]]
        slot = self.thing(replace(mark, senses=tuple(Sense(t) for t in things)))
        if not things or not self.beside():
            raise Stuck(mark)
        found.append(Term(slot))
        return True

    def kind_of(self, found: list[Term]) -> bool:
        """Read a value as a condition on the output after it: "French singers"."""
        if self.stands_alone() and (things := self.things_of(self.peek())):
            value = self.take()
            best = is_singular(value.text) and self.marks[self.at - 2].kind in ("superlative", "column")
            text = value.text if best else f"{value.text}s"  # "the oldest welder" is one of them
            slot = self.thing(replace(value, kind="table", senses=things, text=text))
            self.test(Test(Term(self.slot(value, slot, True)), "is"))
            found.append(Term(slot))
            return True
        self.value_test()
        if self.peek().kind == "value":
            return self.item(found)  # "blue dresses"
        self.accept("own")  # "Ann's address"
        self.skip("fill")
        if self.peek().kind not in ("table", "column"):
            raise Stuck(self.peek())
        return self.item(found)

    def stands_alone(self) -> bool:
        """Return whether a value in small letters is the noun of what is asked for: "list the electricians"."""
        text = self.peek().text
        act = self.peek(1).kind == "column" and names_an_act(self.peek(1).text)  # "welders hired in 2020"
        their = self.peek(1).kind == "and" and self.peek(2).kind == "their"
        follow = (
            act
            or their
            or self.peek(1).kind in (*_BEHIND, "link", "have", "be", "stop", "end", "comma", "without", "not")
        )
        proper = (text[0].isupper() and text[1:].islower()) or not text.replace(" ", "").isalpha()
        return follow and self.out.focus is None and not proper

    def things_of(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the tables of the things that a value is a kind of: its own, or the one that refers to it by a key.

        "Sodas" are the products of the category `Soda`, "electricians" the workers with this trade.
        """
        found: dict[object, Sense] = {}
        for sense in (s for s in mark.senses if s.value is not None and len(s.columns) == 1):
            table = sense.table
            if sense.column in name_columns(table) or len(table.columns) == 2:  # a code and what it stands for
                refer = [t for t in self.lexicon.tables if t is not table and refers(t, table)]
                if len(refer) != 1:
                    continue
                table = refer[0]
            found.setdefault(table.path, Sense(table, (), sense.score))
        return tuple(found.values())
