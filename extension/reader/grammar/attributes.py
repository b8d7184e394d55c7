"""Read a column as an output: "name of the students", "hours per client", "neighbours of France"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import Stuck
from askwhere.reader.grammar.dating import ASKS_WHEN
from askwhere.reader.grammar.draft import Term
from askwhere.reader.grammar.picking import Picking
from askwhere.reader.marking.marks import Mark, is_amount, looks_like_year, names_a_key
from askwhere.reader.marking.mass_nouns import MASS
from askwhere.reader.marking.numeric import adds_up
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.money import REVENUE
from askwhere.reader.words.mutual import is_mutual, pair_tables
from askwhere.reader.words.phrases import LINKING
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_number
from askwhere.reader.words.units import UNITS
from askwhere.reader.words.verbs import names_an_act

_ADDING = ("each", "end", "stop", "prep", "link")  # behind what there is much of: "kilos per farm"
_FOR_EACH = ("for each", "for every")
_AGGREGATES = ("total", "sum", "average", "mean", "maximum", "minimum", "count")

_PORTIONS = ("percentage", "percent", "proportion", "share", "fraction")


class Attributes(Picking):
    """The part of the grammar that reads one column to show, with the thing that has it."""

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
        self.no_share()
        self.check_column()
        if self.peek().text in _AGGREGATES and self.peek(1).kind == "prep":
            self.out.doubt += 0.7  # "total of …" may be a column `Total` or an aggregate
        mark = self.named_column()
        start = self.at
        slot = self.slot(mark)
        if term := self.column_added_up(mark, slot):
            found.append(term)
            return True
        if self.peek().kind == "value" and self.after("value").kind not in ("table", "column"):
            raise Stuck(self.peek())
        self.read_owner(slot)
        if mark.text.split()[0] in ("total", "sum") and is_amount(mark):
            self.totals[slot] = any(m.kind == "all" for m in self.marks[start : self.at])
        found.append(Term(slot))
        return True

    def no_share(self) -> None:
        """Raise `Stuck` for "what percentage of revenue", which asks for a share and for no column."""
        if self.peek().text in _PORTIONS and self.peek(1).argument == "of":
            raise Stuck(self.peek())

    def check_column(self) -> None:
        """Raise `Stuck` where the column that comes next is a verb, a participle, or says when something was done."""
        said, follow = self.peek(), self.peek(1)
        if said.text.split()[-1] in ("since", "until") and follow.kind in ("number", "days"):
            raise Stuck(said)  # "members since 2020" is no list of dates
        self.no_participle()
        if said.argument == "denied":
            raise Stuck(said)  # "unpaid" is not what was paid
        dated = any(ASKS_WHEN & set(m.text.split()) for m in self.marks[: self.at + 1])
        if self.is_done_then(said) and not dated:
            raise Stuck(said)  # in "who was hired since 2021" the date is no answer
        if self.at and self.marks[self.at - 1].text in ("what", "who") and follow.kind == "prep":
            verb = stem(said.text) in LINKING and said.senses[0].score < 0.95
            if verb and follow.argument != "of":
                raise Stuck(said)  # in "what ships to Germany", "ships" is a verb, not the column `ShipName`

    def named_column(self) -> Mark:
        """Read a column; for "the names of cities", where cities are a column, return the mark of this one.

        "Kinds of cargo" are the different values of such a column.
        """
        mark, start = self.take(), self.at
        kinds = mark.text in ("kinds", "types", "sorts")
        if not (kinds or mark.text in ("name", "names")) or self.peek().text not in (
            "of",
            "of each",
            "of every",
            "of the",
        ):
            return mark
        self.skip("prep", "each", "fill", "all", "distinct")
        follow = self.peek()
        named = self.lexicon.named(tuple(follow.text.split()))
        things = {s.table.path for s in named if not s.columns and s.score >= 0.9}
        called = tuple(
            s
            for s in follow.senses
            if s.score >= 0.9 and s.columns and not is_number(s.column) and (s.table.path in things or not things)
        )
        if follow.kind == "column" and called and not names_a_key(follow):
            self.out.distinct |= kinds
            return replace(self.take(), senses=called)
        self.at = start
        return mark

    def column_added_up(self, mark: Mark, slot: int) -> Term | None:
        """Return the term of amounts that are added up, "hours per client", or averaged again; None for others."""
        of_what = self.peek().argument in ("of", "for") and self.peek(1).kind == "value"
        grouped_by = self.after("prep", "value") if of_what else self.peek()
        before = self.marks[: self.marks.index(mark)] if mark in self.marks else ()
        first = all(self.flags(m) for m in before)  # "hours worked in May", "billable hours in May"
        per = grouped_by.kind == "period" or grouped_by.text == "per" or (first and grouped_by.text in _FOR_EACH)
        if self.peek().text == "by" and adds_up(mark) and self.peek(1).kind in ("table", "column"):
            self.marks = (*self.marks[: self.at], replace(self.peek(), kind="each"), *self.marks[self.at + 1 :])
            per = True  # "costs by client"
        ahead = 0  # "labour and parts per job": both are added up
        while self.peek(ahead).kind in ("and", "comma") and adds_up(self.peek(ahead + 1)):
            ahead += 2
        group = self.peek(ahead + 1).kind in ("table", "column")
        per = per or (ahead > 0 and (self.peek(ahead).text == "per" or (self.peek(ahead).text == "by" and group)))
        follow = self.after("prep", "fill", "all")
        # "Sheets used in 2024", "revenue in 2024", "gross sales in 2024".
        whole = names_an_act(mark.text) or stem(mark.text.split()[-1]) in REVENUE | {"sale"}
        then = whole and self.peek().text == "in" and (self.peek(1).kind == "days" or looks_like_year(self.peek(1)))
        alone = first and (mark.text in UNITS or then) and follow.kind != "table"
        if (mark.argument == MASS and self.peek().kind in _ADDING) or ((per or alone) and adds_up(mark)):
            return Term(slot, distinct=True)  # "stock of each product", "hours per client" are added up
        grouped = self.peek().kind == "each" or self.peek().text == "by"
        averaged = mark.text.startswith("average ") and is_amount(mark) and grouped
        return Term(slot, agg="avg") if averaged else None  # `avg_speed` by site is averaged again

    def neighbour(self, found: list[Term]) -> bool:
        """Read "neighbours of France": the rows in a symmetric relation to the one named (see `joins.pairs`)."""
        mark = self.peek()
        things = [t for t in self.lexicon.tables if [*pair_tables(self.lexicon.tables, t, mark.text)]]
        slot = self.thing(replace(mark, senses=tuple(Sense(t) for t in things)))
        if not things or not self.beside():
            raise Stuck(mark)
        found.append(Term(slot))
        return True
