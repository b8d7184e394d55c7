"""Read a question's marks once from left to right into a draft, or raise `Stuck` at the mark that does not fit.

The grammar is that of English questions: first a prefix ("for each …"), then what is asked for, then conditions,
groups and order in any sequence. Only words without a meaning of their own are skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from askwhere.reader.grammar.cursor import END, Stuck, mark_at
from askwhere.reader.grammar.draft import Draft, Term
from askwhere.reader.grammar.lateness import overdue
from askwhere.reader.grammar.preparing import prepare
from askwhere.reader.grammar.prepositions import Prepositions
from askwhere.reader.grammar.presently import read_still
from askwhere.reader.grammar.restrictions import restriction
from askwhere.reader.grammar.said_first import order_as_said
from askwhere.reader.grammar.settling import settle
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.numeric import adds_up
from askwhere.reader.schema.lexicon import READ_AS, Lexicon
from askwhere.reader.schema.naming import events, own_dates
from askwhere.reader.schema.persons import names_person
from askwhere.reader.schema.roles import is_role, is_second
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.dates import NOUNS
from askwhere.reader.words.phrases import LINKING
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_number
from askwhere.reader.words.verbs import DOER, names_an_act


class Restriction(Stuck):
    """The grammar fits, but one mark restricts the answer and is not understood; it must not be left out."""


def draft(marks: tuple[Mark, ...], lexicon: Lexicon, whole: tuple[Mark, ...] = ()) -> Draft:
    """Return the draft of a question's marks. Raise `Stuck`, or `Restriction` for one that is not understood.

    `whole` are all marks of the question, where some of them were left out of `marks`.
    """
    meaning = Grammar(marks, lexicon).question()
    if found := restriction(whole or marks, lexicon.tables):
        raise Restriction(found)
    return meaning


class Grammar(Prepositions):
    """The whole grammar: reads a question from its first mark to its last."""

    def question(self) -> Draft:
        """Read all marks and return the draft. Raise `Stuck`."""
        if self.peek().kind == "rel" and self.peek().text == "which" and self.peek(1).kind == "table":
            raise Stuck(self.peek())  # which opens a question, and the things that it asks for are shown
        prepare(self)
        self.whether() if self.asks_whether() else self.asked()
        self.modifiers()
        if self.at < len(self.marks):
            raise Stuck(self.peek())
        if not self.out.outputs and self.out.star is None:
            raise Stuck(self.marks[-1] if self.marks else END)
        settle(self)
        order_as_said(self)
        return self.out

    def asked(self) -> None:
        """Read what is asked for: outputs, or the subject of "who rented …"."""
        self.prefix()
        self.opening()
        self.no_act()
        asks_who = any(m.text.split()[0] == "who" for m in self.marks[max(self.at - 2, 0) : self.at])
        if asks_who:
            self.read_key_as_verb()
            self.read_date_as_act()
        acts = self.peek().kind == "table" and stem(self.peek().text) in LINKING and not DOER.search(self.peek().text)
        acts = acts or (
            self.peek().kind == "value" and self.after("value", "fill").kind == "table"
        )  # "who lost parcels"
        acts = acts or (
            self.peek().kind == "column" and names_an_act(self.peek().text) and self.peek(1).kind != "table"
        )
        compared = self.peek().kind == "column" and self.peek(1).kind in ("comp", "between")  # "who earns over 900"
        acts = acts or compared
        ends = self.after("link", "fill").kind in ("superlative", "nth")  # "who placed the last order"
        acts = acts or (self.peek().kind == "link" and ends)
        # "who repaired the Luna", "who rode it"
        who = self.at > 0 and self.marks[self.at - 1].text == "who"
        recorded = self.peek().kind == "table" and (who or names_an_act(self.peek().text))
        acts = acts or (recorded and not any(is_role(s.table) or is_second(s.table) for s in self.peek().senses))
        if asks_who and self.doer():
            return
        dated = self.done_when()
        if not (dated or (asks_who and acts) or self.when_done()):
            start = self.peek()
            self.outputs()
            if who and start.kind == "value" and self.out.outputs:
                raise Stuck(start)  # "who manages sales" without its verb asks for no things of that kind
            if self.out.outputs and self.marks[0].text.split()[0] == "who" and self.shows_no_people():
                raise Stuck(self.marks[0])
        if not self.out.outputs and (dated or asks_who):
            self.who()

    def shows_no_people(self) -> bool:
        """Return whether what is shown answers no "who".

        That are numbers, what people did, "who made the last booking", and a guess that is of no people: a mayor is no
        city.
        """
        slots = [self.out.slots[term.slot] for term in self.out.outputs if term.slot is not None and not term.agg]
        if all(slot.senses[0].columns and all(map(is_number, slot.senses[0].columns)) for slot in slots):
            return True
        people = paths_of(self.lexicon.persons())
        senses = [slot.senses[0] for slot in slots]
        if any(READ_AS in s.note and s.table.path not in people and not is_role(s.table) for s in senses):
            return True
        things = [s.table for s in senses if not any(names_person(c.name) for c in s.columns)]
        done = [t for t in things if t.path not in people and any(key.target in people for key in t.foreign_keys)]
        return bool(things) and len(done) == len(things)

    def prefix(self) -> None:
        """Read what comes before the thing asked for: "for each country, …", "in 2014, …"."""
        self.skip("fill", "comma")
        if self.peek().kind == "period" and self.peek(1).kind == "column" and adds_up(self.peek(1)):
            return  # "monthly hours"
        if self.peek().kind == "period" and tuple(self.peek().text.split()) in NOUNS:
            return  # "month with the highest revenue"
        if self.peek().kind in ("each", "period"):
            self.period() if self.peek().kind == "period" else self.each()
            self.skip("comma", "fill")
        elif self.peek().kind == "prep":
            comma = next((i for i, m in enumerate(self.marks) if m.kind == "comma"), None)
            if comma is None or not any(m.kind in ("open", "count") for m in self.marks[comma : comma + 3]):
                return
            self.modifiers(comma)
            self.skip("comma")

    def opening(self) -> None:
        """Read how a question opens: "what are all the", "sort"."""
        if self.peek().kind == "order" and self.peek().text in ("sort", "order"):
            self.take()
            self.sort_by = True
        self.skip("open", "fill", "all", "be", "comma")

    def modifiers(self, end: int | None = None) -> None:
        """Read conditions, groups and order in any sequence, up to the mark with index `end` or to the last."""
        while self.at < (len(self.marks) if end is None else end):
            reader = READERS.get(self.peek().kind)
            if reader is None:
                raise Stuck(self.peek())
            reader(self)

    def stop(self) -> None:
        """Read the end of a sentence; what follows is said of the focus again."""
        self.without_figures()
        if self.out.outputs and self.lists_to_end():
            self.only()
            return
        self.take()
        self.current = self.out.focus

    def relative(self) -> None:
        """Read a relative pronoun: "who", "that", "whose"."""
        mark = self.take()
        if self.out.whether and mark.text in ("who", "which") and self.after("stop", "fill", "number").kind == "end":
            self.skip("fill", "number")
            self.name_them()  # "are there members without loans? who"
            return
        before = self.marks[self.at - 2].kind if self.at > 1 else "stop"
        if mark.text == "which" and before != "prep" and self.out.outputs and self.asks_for_pairs():
            return
        if mark.text in ("when", "where") and before in ("stop", "and") and self.peek().kind in ("fill", "be"):
            raise Stuck(mark)  # begins a second question
        if mark.text in ("who", "which") and before == "and" and not self.out.tests:
            raise Stuck(mark)  # "and who sold them" does, too
        if mark.text == "whose" and self.peek().kind == "table" and self.peek(1).kind == "column":
            self.thing(self.take())
        if mark.text in ("where", "whose", "of which") and self.peek().kind == "all" and "all" in self.peek().text:
            raise Stuck(self.peek())  # "tours where all of the concerts were played"
        if mark.text == "whose" and self.peek().kind in ("nth", "superlative") and self.peek(1).kind == "table":
            self.last_done()
            return
        said = mark_at(self.marks, self.at - 2)
        if mark.text == "whose" and self.peek().text in ("name", "names") and said.kind == "column":
            self.column_condition(replace(self.peek(), senses=said.senses))  # "publishers whose name contains …"

    def last_done(self) -> None:
        """Read "last order was before 2023", or "in 2022", behind "whose": the greatest date of the rows is tested."""
        end, thing = self.take(), self.take()
        self.skip("be", "fill")
        if self.peek().argument == "in":
            within = replace(self.peek(), kind="when", argument="=")
            self.marks = (*self.marks[: self.at], within, *self.marks[self.at + 1 :])
        if self.peek().kind != "when" or end.argument not in ("min", "max"):
            raise Stuck(end)
        rows = self.slot(thing, self.out.focus)
        self.out.mentions.append(rows)
        dated = ((s.table, (own_dates(s.table) or events(s.table))[:1]) for s in thing.senses)
        dates = tuple(Sense(table, columns) for table, columns in dated if columns)
        if not dates:
            raise Stuck(thing)
        date = self.slot(replace(thing, kind="column", senses=dates), rows, True)
        self.comparison(Term(date, agg=end.argument))

    def money_said(self) -> None:
        """Read money as a condition, "with revenue above 1000", or else as one more thing to show."""
        self.test_or_show(self.money)


# What reads each kind of mark behind what is asked for.
READERS: dict[str, Callable[[Grammar], object]] = {
    "prep": Grammar.prep,
    "rel": Grammar.relative,
    "have": Grammar.take,
    "fill": Grammar.take,
    "be": Grammar.take,
    "all": Grammar.take,
    "link": Grammar.done,
    "stop": Grammar.stop,
    "comma": Grammar.joined,
    "and": Grammar.joined,
    "or": Grammar.alternative,
    "either": Grammar.take,
    "not": Grammar.no,
    "without": Grammar.without,
    "except": Grammar.without,
    "both": Grammar.both_of,
    "order": Grammar.sorting,
    "direction": Grammar.direction,
    "spread": Grammar.spread,
    "each": Grammar.each,
    "period": Grammar.each_period,
    "money": Grammar.money_said,
    "margin": Grammar.formula_said,
    "computed": Grammar.formula_said,
    "stocked": Grammar.stocked,
    "current": read_still,
    "overdue": overdue,
    "sup": Grammar.superlative,
    "supcount": Grammar.most,
    "ordinal": Grammar.place_of_order,
    "superlative": Grammar.rank_by,
    "nth": Grammar.of_last,
    "common": Grammar.rank_common,
    "comp": Grammar.compared,
    "more": Grammar.more_than_average,
    "when": Grammar.dated,
    "between": Grammar.dated,
    "days": Grammar.in_days,
    "comparative": Grammar.measured_test,
    "like": Grammar.liked,
    "column": Grammar.column_said,
    "null": Grammar.missing,
    "value": Grammar.value_said,
    "number": Grammar.number_said,
    "table": Grammar.table_said,
    "their": Grammar.more_outputs,
    "count": Grammar.more_outputs,
    "agg": Grammar.aggregated,
    "distinct": Grammar.take,
    "average": Grammar.aggregated,
    "open": Grammar.asked_again,
    "kept": Grammar.include_empty,
}
