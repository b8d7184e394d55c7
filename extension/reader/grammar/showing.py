"""Read what a question asks to be shown: columns, tables and aggregates, in one list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from askwhere.indexer.word_forms import PARTICIPLE, is_participle, plural
from askwhere.reader.grammar.amounts import WORTH
from askwhere.reader.grammar.attributes import Attributes
from askwhere.reader.grammar.cursor import END, SENTENCE_ENDS, Stuck, mark_at
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.testing import TESTING
from askwhere.reader.marking.marks import Mark, key_of
from askwhere.reader.schema.edges import goes_between
from askwhere.reader.schema.naming import key_columns, name_columns, refers
from askwhere.reader.schema.roles import is_second
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import PLACING, WHOLE_NAMES
from askwhere.reader.words.mutual import is_mutual
from askwhere.reader.words.tokens import is_singular
from askwhere.reader.words.verbs import AUXILIARY, names_an_act

_PARTS = ("id", "ids", "code", "codes", "number", "numbers", "date", "dates")  # a thing is shown by its name anyway
_COMPUTED = (
    "count",
    "agg",
    "times",
    "money",
    "elapsed",
    "lateness",
    "difference",
    "margin",
    "computed",
    "lasting",
    "excess",
)
_BEHIND = ("prep", "rel", "order", "direction", "when", "days", "each", "comp", "comparative")
COLONS = (":", "-", "\u2013", "\u2014")


class Showing(Attributes):
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
            if self.lists_its_name(found):
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
        if mark.kind in _COMPUTED or (mark.kind == "much" and self.peek(ahead + 1).kind in SENTENCE_ENDS):
            return True
        if mark.kind == "sup":
            return self.peek(ahead + 1).kind in ("column", "and")
        if mark.kind == "table":
            if self.peek(ahead + 1).text in AUXILIARY and self.peek(ahead + 2).kind == "each":
                return True  # "how many calls and visits did each agent make"
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

    def lists_its_name(self, found: list[Term]) -> bool:
        """Return whether a list that begins with the name of the only thing follows: "Dutch clubs, name and city"."""
        thing = self.current if len(found) == 1 and found[0].slot == self.current and not found[0].counts else None
        said = self.after("comma", "fill", "their")
        named = self.peek().kind == "comma" and said.kind == "column" and said.text in WHOLE_NAMES
        return thing is not None and named and not self.out.slots[thing].senses[0].columns and self.lists_to_end()

    def item(self, found: list[Term]) -> bool:
        """Read one output and append it to `found`; return False when there is none."""
        readers: dict[str, Callable[[list[Term]], bool]] = {
            "count": self.count, "agg": self.aggregates, "sup": self.extreme, "superlative": self.oldest,
            "common": self.commonest, "whole": self.whole, "table": self.entity, "column": self.column,
            "value": self.kind_of, "number": self.several, "distinct": self.different, "average": self.aggregates,
            "each": self.every, "nth": self.nth, "money": self.revenue, "period": self.in_periods,
            "percent": self.share, "ordinal": self.ordinal, "much": self.spent, "sold": self.best_selling,
            "elapsed": self.elapsed, "difference": self.difference, "margin": self.margin, "times": self.times_done,
            "computed": self.computed, "lasting": self.lasts, "lateness": self.days_late,
            "excess": self.excess,
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
        """Read "all information about students": all columns of the table.

        A value alone is the thing of that name or number, "everything about Ann".
        """
        self.take()
        self.skip("fill", "all", "prep", "their", "comma", "be", "open")
        if self.peek().kind == "column" and self.peek(1).kind == "value":
            self.take()  # "everything on ring DX4001", `ring_no`
        if self.peek().kind == "value" and self.peek(1).kind != "table":
            things = self.things_called(self.peek()) or self.things_of(self.peek())  # "… for the photographers"
            self.out.star = self.thing(replace(self.peek(), kind="table", senses=things))
        if self.peek().kind == "value":
            self.value_test()
        self.no_two_lists(None)
        if self.out.star is None:
            if self.peek().kind != "table":
                raise Stuck(self.peek())
            self.out.star = self.thing(self.take())
        return True

    def things_called(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the tables whose rows have a value as their name, key or number."""
        named = (s for s in mark.senses if s.value is not None and len(s.columns) == 1)
        own = (s for s in named if s.columns == name_columns(s.table) or s.columns == key_columns(s.table))
        return tuple({s.table.path: Sense(s.table, (), s.score) for s in own}.values())

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
        # "tracks composed by Queen", "films rated R", "shops rated 4 or better"
        done = self.peek(1).text in ("by", "to") and self.peek(2).kind == "value"
        valued = self.peek(1).kind == "value" or (
            self.peek(1).kind == "number" and self.peek(2).kind not in ("table", "column")
        )
        done = done or (valued and PARTICIPLE.match(self.peek().text) is not None)
        done = done or (is_participle(self.peek().text) and self.lies_in())
        follow = self.peek()
        placed = bool(self.flags(follow)) and follow.text.split()[0] in PLACING and not owned
        then = bool(self.flags(follow)) and names_an_act(follow.text) and self.time_follows()  # "lots rejected in May"
        tested = done or placed or then or follow.argument == "denied" or self.peek(1).kind in TESTING
        written = any(follow.text in c.name.lower() for s in follow.senses for c in s.columns)
        things = paths_of(self.out.slots[slot].senses)
        dated = any(s.table.path in things for s in self.done_dates(follow))
        dated = dated and (self.peek(1).kind in SENTENCE_ENDS or self.is_done_then(follow))
        if follow.kind == "column" and not (owned or tested or written or dated) and PARTICIPLE.match(follow.text):
            raise Stuck(follow)  # in "which shipper shipped …" the column is a verb
        if self.peek().text == "information":
            raise Stuck(self.peek())  # "customer information" means all columns, which only `whole` reads
        if self.peek().kind == "column" and (owned or not (tested or self.is_done_then(self.peek()))):
            while True:
                mark = self.take()
                named = self.slot(mark, slot, True)
                own = not owned and any(s.table.path in things for s in mark.senses)
                added = self.column_added_up(mark, named) if own else None  # "fuel cost per lorry"
                found.append(added or Term(named))
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

    def lies_in(self) -> bool:
        """Return whether a value of the column that comes next follows after a preposition: "born in Ohio"."""
        value = self.peek(2)
        same = {key_of(s) for s in self.peek().senses} & {key_of(s) for s in value.senses}
        return self.peek(1).kind == "prep" and value.kind == "value" and bool(same)

    def kind_of(self, found: list[Term]) -> bool:
        """Read a value as a condition on the output after it: "French singers"."""
        if self.stands_alone() and (things := self.things_of(self.peek())):
            value = self.take()
            best = is_singular(value.text) and self.marks[self.at - 2].kind in ("superlative", "column")
            text = value.text if best else plural(value.text)  # "the oldest welder" is one of them
            slot = self.thing(replace(value, kind="table", senses=things, text=text))
            before = mark_at(self.marks, self.at - 2) if self.at > 1 else END
            same = {key_of(s) for s in before.senses} & {key_of(s) for s in value.senses}
            if before.kind != "value" or not same:  # "senior technicians" have one grade
                self.test(Test(Term(self.slot(value, slot, True)), "is"))
            self.and_others(value)
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
        """Return whether a value is the noun of what is asked for: "list the electricians", "how many English oaks".

        It is in small letters, or in the plural where the data has the singular.
        """
        text = self.peek().text
        act = self.peek(1).kind == "column" and names_an_act(self.peek(1).text)  # "welders hired in 2020"
        their = self.peek(1).kind == "and" and self.peek(2).kind == "their"
        their = their or (self.peek(1).kind in ("and", "or") and self.alike_ahead())
        follow = (
            act
            or their
            or self.peek(1).kind in (*_BEHIND, "link", "have", "be", "stop", "end", "comma", "without", "not")
        )
        proper = (text[0].isupper() and text[1:].islower()) or not text.replace(" ", "").isalpha()
        values = [str(s.value).split()[-1] for s in self.peek().senses if str(s.value or "").split()]
        several = not is_singular(text.split()[-1]) and any(map(is_singular, values))  # of `English oak`
        return follow and self.out.focus is None and (several or not proper)

    def alike_ahead(self) -> bool:
        """Return whether a value of the same column follows "and", and no noun that both describe."""
        other = self.peek(2)
        same = {key_of(s) for s in self.peek().senses} & {key_of(s) for s in other.senses}
        return other.kind == "value" and bool(same) and self.peek(3).kind not in ("table", "column", "value")

    def things_of(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the tables of the things that a value classifies: its own, or the one that refers to that by a key.

        "Sodas" are the products of the category `Soda`, "electricians" the workers with this trade.
        """
        found: dict[object, Sense] = {}
        for sense in (s for s in mark.senses if s.value is not None and len(s.columns) == 1):
            table = sense.table
            if is_second(table):
                continue  # "dresses" have this category, and no parent category
            if sense.column in name_columns(table) or len(table.columns) == 2:  # a code and what it stands for
                refer = [t for t in self.lexicon.tables if t is not table and not is_second(t) and refers(t, table)]
                if len(refer) != 1:
                    continue
                table = refer[0]
                if goes_between(table):  # "comedies" are films of this category
                    ends = {key.target for key in table.foreign_keys} - {sense.table.path}
                    beyond = [t for t in self.lexicon.tables if t.path in ends]
                    if len(beyond) != 1:
                        continue
                    table = beyond[0]
            found.setdefault(table.path, Sense(table, (), sense.score))
        return tuple(found.values())
