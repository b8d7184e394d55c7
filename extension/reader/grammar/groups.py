"""Read what to group by: "for each country", "per month"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.subjects import Subjects
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.naming import key_columns, name_columns, refers, sequence_columns
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.dates import NOUNS, says_each
from askwhere.reader.words.names import asks_for_key, cut_name, name_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_dated
from askwhere.reader.words.units import unit_of
from askwhere.reader.words.verbs import is_act

_SURE = 0.9  # the score of a column that is called so
_MEASURES = ("weight", "distance")  # of things, one by one
_AFTER_EACH = (*SENTENCE_ENDS, "comma", "order", "direction")


class Groups(Subjects):
    """The part of the grammar that reads groups, and adds them to the draft."""

    def each(self) -> None:
        """Read a phrase that groups: "for each country", "per branch"."""
        self.not_of_all(self.take())
        self.period() if self.peek().kind == "period" else self.each_thing()
        self.further_groups()

    def each_period(self) -> None:
        """Read a phrase for a period to group by, and what else is grouped by: "by month and country"."""
        self.period()
        self.further_groups()

    def further_groups(self) -> None:
        """Read what else to group by, behind "and": "per press and product type", "per country and month"."""
        while (
            self.peek().kind == "and"
            and self.peek(1).kind in ("table", "column", "period")
            and self.peek(2).kind in _AFTER_EACH
        ):
            self.take()  # "jobs per press and product type"
            period = self.as_period(self.peek())
            if period:
                self.marks = (*self.marks[: self.at], period, *self.marks[self.at + 1 :])
            self.period() if period else self.each_thing()

    def as_period(self, mark: Mark) -> Mark | None:
        """Return the mark of a period: also of a noun for one, "year", behind another or where no column is it."""
        if mark.kind == "period":
            return mark
        part = NOUNS.get(tuple(mark.text.lower().split())) if mark.kind == "column" else None
        behind = bool(self.out.groups) and bool(self.out.slots[self.out.groups[-1]].part)
        if not part or not (behind or mark.senses[0].score < _SURE):
            return None
        return replace(mark, kind="period", argument=part, senses=())

    def not_of_all(self, mark: Mark) -> None:
        """Raise `Stuck` for an "every" that all must pass: "who read every book", "where every lot was sold"."""
        before = self.marks[: self.at - 1]
        said = next((m.kind for m in before[:0:-1] if m.kind in ("rel", "open", "stop", "comma", "count")), "")
        who = bool(before) and before[0].text == "who" and not any(m.kind in ("sup", "supcount") for m in before)
        if mark.text.endswith("every") and (who or (mark.text == "every" and said in ("rel", "open"))):
            raise Stuck(mark)

    def period(self) -> None:
        """Read a period to group by, "per month". Raise `Stuck` where "by year" may as well mean an order."""
        mark = self.take()
        outputs = self.out.outputs
        if any(t.slot is not None and self.is_for_each(t.slot, mark.argument) for t in outputs):
            return  # `yearly_cost` is a cost per year
        counted = self.computes() or any(t.counts or t.slot in self.totals or self.taken_together(t) for t in outputs)
        counted = counted or any(m.kind == "count" for m in self.marks[self.at :])  # "by year: count, amount"
        things = [t for t in self.out.outputs if t.slot is not None and not self.out.slots[t.slot].senses[0].columns]
        if self.out.outputs and not counted and (len(self.out.outputs) > 1 or not things or mark.text == "by year"):
            raise Stuck(mark)
        slot = self.dated_by(mark)
        said = self.peek(1)
        own = tuple(s for s in self.out.slots[slot].senses if stem(said.text) in name_stems(s.column.name))
        own = own or tuple(
            Sense(s.table, (c,), s.score)
            for s in said.senses[:1]
            if said.kind == "table"
            for c in sequence_columns(s.table)
            if is_dated(c)
        )
        if self.peek().text == "of" and said.kind in ("table", "column") and own:
            self.at += 2  # "by year of order": `order_dt`, and not `ship_dt`
            self.out.slots[slot] = replace(self.out.slots[slot], senses=own, owner=None)
            self.out.mentions += [self.slot(said, None)] if said.kind == "table" else []
        self.out.groups.append(slot)

    def is_for_each(self, slot: int, period: str) -> bool:
        """Return whether a slot's column says by its name that its amounts are for a period: `monthly_rent`."""
        senses = self.out.slots[slot].senses[:1]
        return any(says_each(cut_name(c.name), period) for s in senses for c in s.columns)

    def taken_together(self, term: Term) -> bool:
        """Return whether amounts are added up, "litres per year"; "weight per month" may be an average."""
        name = self.out.slots[term.slot].text if term.distinct and term.slot is not None else ""
        return bool(name) and name.split()[-1] not in _MEASURES

    def each_thing(self) -> None:
        """Read what to group by: a thing, one of its columns, or a column alone."""
        self.skip("fill", "all", "distinct")
        if self.peek().kind == "value" and self.peek(1).kind == "table":
            self.value_test()  # "each cancelled order"
        elif self.flags(self.peek()) and self.peek(1).kind == "table":
            self.flagged()  # "each organic product"
        mark = self.peek()
        had = 1 if mark.kind == "have" else 0  # "and how many loans does each have?"
        if self.peek(had).kind in SENTENCE_ENDS and len({t.counts for t in self.out.outputs}) == 2:
            self.at += had
            return
        if kinds := self.kinds_of_things(mark):
            mark = replace(mark, kind="table", senses=kinds)
            self.marks = (*self.marks[: self.at], mark, *self.marks[self.at + 1 :])
        if mark.kind == "table":
            owner = self.slot(self.take(), None)
            self.out.mentions.append(owner)
            self.current = owner
            if self.accept("own"):
                self.skip("fill")
            elif self.peek().kind == "column" and is_act(self.peek().text) and not self.peek(1).senses:
                own = paths_of(mark.senses)
                if not any(s.table.path in own for s in self.peek().senses):
                    raise Stuck(self.peek())  # "how much has each band paid" is not by the day of payment
            named = self.peek().kind == "column" and not self.is_done_then(self.peek())  # "each job done in May"
            if named and self.peek(1).kind not in ("comp", "between", "value", "like", "when"):
                self.out.groups.append(self.slot(self.take(), owner, True))
            else:
                self.out.groups.append(owner)
        elif mark.kind == "column" and (things := self.referred(mark)):
            self.take()
            slot = self.slot(replace(mark, kind="table", senses=things), None)
            self.out.mentions.append(slot)
            self.out.groups.append(slot)
        elif mark.kind == "column" and mark.senses and (unit := unit_of(mark.senses[0].column)) and unit.is_physical:
            raise Stuck(mark)  # "the cheapest per square metre" divides by it
        elif mark.kind == "column":
            slot = self.slot(self.take(), None)
            self.out.groups.append(slot)
            self.read_owner(slot) if self.peek().argument == "of" else None
        elif mark.kind == "value" and mark.text.islower() and (things := self.things_of(mark)):
            slot = self.slot(replace(self.take(), kind="table", senses=things), None)
            self.test(Test(Term(self.slot(mark, slot, True)), "is"))  # "pints sold per bartender"
            self.out.mentions.append(slot)
            self.out.groups.append(slot)
        else:
            raise Stuck(mark)

    def kinds_of_things(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the table of kinds that is called after the things asked for: `job_types` for "jobs per type".

        Nothing is returned where the things have a column of that name.
        """
        thing = self.out.slots[self.out.focus] if self.out.focus is not None else None
        if thing is None or mark.kind not in ("table", "column") or " " in mark.text:
            return ()
        tables = [s.table for s in thing.senses if not s.columns]
        if any(s.columns and s.table in tables and s.score >= _SURE for s in mark.senses):
            return ()
        named = (
            s for s in self.lexicon.named((thing.text.split()[-1], mark.text)) if not s.columns and s.score >= _SURE
        )
        kinds = (s for s in named if any(refers(t, s.table) for t in tables))
        return tuple(s for s in kinds if self.lexicon.ends_in(s.table, stem(mark.text)))

    def referred(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the tables whose rows a mark names by a key to them, "support rep": `SupportRepId`.

        Nothing is returned where its best sense is no key, or the question says that it means the key.
        """
        if not mark.senses or asks_for_key(mark.text):
            return ()
        best = [s for s in mark.senses if s.score >= mark.senses[0].score - 0.05]
        targets = {key.target for s in best for key in s.table.foreign_keys if key.columns == (s.column.name,)}
        keyed = all(any(key.columns == (s.column.name,) for key in s.table.foreign_keys) for s in best)
        tables = [t for t in self.lexicon.tables if t.path in targets]
        named = all(name_columns(t) != key_columns(t) for t in tables)
        return tuple(Sense(t, (), mark.senses[0].score) for t in tables) if keyed and named else ()
