"""Find the column that an adjective is about: the price of "the cheapest", the birth of "the oldest"."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from askwhere.reader.grammar.amounts import Amounts
from askwhere.reader.grammar.cursor import END, Stuck
from askwhere.reader.grammar.draft import Term
from askwhere.reader.grammar.lateness import FULFILLED
from askwhere.reader.marking.formulas import AHEAD, days_of, finest_time, names_end, with_selling_prices
from askwhere.reader.marking.marks import Mark, is_timely, key_of, names_verb
from askwhere.reader.marking.records import tables_of_act
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.lexicon import READ_AS
from askwhere.reader.schema.naming import events, own_dates, timely
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.schema.text_columns import NUMBERS
from askwhere.reader.words.english import PATRONS
from askwhere.reader.words.measures import MEASURES, SERVICE, Measure
from askwhere.reader.words.money import RATES
from askwhere.reader.words.names import cut_name, full_stems, name_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_dated, is_number, is_year

_WORKING = frozenset("worked working employed serving".split())
_OF_ANIMALS = frozenset(map(stem, "hatched foaled whelped calved lambed".split()))  # how they are born
_IN_FULL = 0.95  # the least score of a text, beside numbers, that measures things


class Measuring(Amounts):
    """The part of the grammar that finds the columns that adjectives in the superlative measure things by."""

    def measured(self, mark: Mark) -> int:
        """Return a new slot for the column that an adjective is about; raises `Stuck` if there is none.

        Of several dates in a table, one named after the table or after nothing is taken: "the latest order" is by the
        date of the order, not by that of shipping. Dates of the current table come before all other columns.
        """
        senses = tuple(
            s for s in self.senses_of(mark) if not is_timely(s) or s.column in (own_dates(s.table) or s.columns)
        )
        if mark.measure is not None and mark.measure.words == SERVICE and _WORKING & set(mark.text.split()):
            hired = tuple(s for s in senses if s.columns and stem("hired") in full_stems(s.column.name))
            senses = hired or tuple(s for s in senses if PATRONS.isdisjoint(name_stems(s.table.name)))
        things = self.out.senses_at(thing := self.about())
        tables = {s.table.path for s in things if not s.columns}
        mine = tuple(s for s in senses if s.table.path in tables and is_timely(s))
        own = tuple(s for s in senses if s.columns and s.table.path in tables)
        mine = mine or own  # "the longest stay" is not by the length of its berth
        mine = tuple(s for s in mine if not (is_timely(s) and names_end(s.column))) or mine  # the newest began last
        behind = next((m for m in self.marks if m.start >= mark.end and m.kind != "fill"), END)
        named = {s.table.path for s in behind.senses if behind.kind == "table"}
        if not senses or (named and all(is_timely(s) and s.table.path not in named for s in senses)):
            raise Stuck(mark)  # "the newest course" is not by the date that its trainer was hired
        return self.slot(replace(mark, senses=mine or senses), thing, True)

    def first_by(self, mark: Mark) -> tuple[int, bool]:
        """Return the slot of the column that an adjective is about, and whether its greatest value comes first.

        "The oldest" has the greatest age but the earliest date of birth.
        """
        if born := self.born(mark):
            return self.slot(replace(mark, senses=born), self.about(), True), mark.argument != "max"
        tables = {s.table.path for s in self.out.senses_at(self.about()) if not s.columns}
        aged = mark.measure is not None and mark.measure.words == (("age",),)
        people = paths_of(self.lexicon.persons())
        # "The oldest bus" is so by its year.
        if aged and tables and not tables & people and not self.is_measured(mark, tables):
            early = MEASURES[("earliest",)][1]
            mark = replace(mark, measure=early, argument="min" if mark.argument == "max" else "max")
        return self.measured(mark), mark.argument == "max"

    def measures(self, measured: int, value: Mark) -> None:
        """Restrict the slot of an adjective's column to the table that the adjective applies to: "the youngest dog".

        That is the table of `value`, a table or value mark. If it has no such column, those of the tables that it
        refers to are taken: "the tallest player", where players refer to people. Raise `Stuck` if there is none
        either.
        """
        tables = paths_of(value.senses)
        parents = {key.target for s in value.senses for key in s.table.foreign_keys} if value.kind == "table" else set()
        slot = self.out.slots[measured]
        own = tuple(s for s in slot.senses if s.table.path in tables) or tuple(
            s for s in slot.senses if s.table.path in parents
        )
        if not own:
            raise Stuck(value)
        self.out.slots[measured] = replace(slot, senses=own)

    def lasting(self, mark: Mark) -> Term | None:
        """Return the hours, or days, that things last, to rank "the longest rental" by where no column measures it."""
        thing = self.about()
        if thing is None or mark.measure is None or ("duration",) not in mark.measure.words:
            return None
        tables = {s.table.path: s for s in self.out.slots[thing].senses if not s.columns}
        verb = self.before(mark.start)
        done = (
            {s.table.path: s for s in tables_of_act(self.lexicon.tables, stem(verb.text))} if names_verb(verb) else {}
        )
        tables = done or tables  # "who stayed the longest"
        if self.is_measured(mark, tables):
            return None
        pairs = tuple(pair for s in tables.values() for pair in days_of(s.table))
        if not pairs:
            return None
        return Term(self.slot(replace(mark, kind="column", senses=pairs), thing, True), formula=finest_time(pairs))

    def has_measure(self, measure: Measure) -> bool:
        """Return whether the current table has a column of numbers with one of the names of a measure."""
        tables = paths_of(self.out.senses_at(self.about()))
        named = (s for words in measure.words for s in self.lexicon.named(words) if len(s.columns) == 1)
        return any(s.table.path in tables and is_number(s.column) and READ_AS not in s.note for s in named)

    def is_measured(self, mark: Mark, tables: Container[Path]) -> bool:
        """Return whether one of these tables has a column that an adjective is about."""
        return any(s.table.path in tables and s.score >= 0.45 for s in self.senses_of(mark))

    def born(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the dates or years of birth, or of things' beginning, to rank by without an age, or nothing."""
        thing = self.about()
        if mark.measure is None or mark.measure.words != (("age",),) or thing is None:
            return ()
        tables = {s.table.path: s for s in self.out.slots[thing].senses if not s.columns}
        if self.is_measured(mark, tables):
            return ()
        said = (("birth", "date"), ("birthday",), ("birth",))
        found = {
            key_of(s): s for words in said for s in self.lexicon.named(words) if s.table.path in tables and s.columns
        }
        dates = (Sense(s.table, (c,)) for s in tables.values() for c in timely(s.table))
        found |= {key_of(s): s for s in dates if _OF_ANIMALS & set(full_stems(s.column.name))}
        born = tuple(s for s in found.values() if is_dated(s.column) or is_year(s.column))
        return born or tuple(self.began(s) for s in tables.values() if self.began(s).columns)

    def began(self, thing: Sense) -> Sense:
        """Return the only year, or else date, at which things that are no people came to be, `built_year` of boats.

        When a bill was due and paid came later.
        """
        people = paths_of(self.lexicon.persons())
        dates = [c for c in events(thing.table) if not names_end(c)] if thing.table.path not in people else []
        dates = [c for c in dates if is_year(c)] or dates
        dates = [c for c in dates if not set(full_stems(c.name)) & (AHEAD | FULFILLED)] if len(dates) > 1 else dates
        return replace(thing, columns=(dates[0],) if len(dates) == 1 else ())

    def senses_of(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the columns that an adjective may be about, with nearly equal scores."""
        if mark.measure is None:
            raise Stuck(mark)
        found = [s for words in mark.measure.words for s in self.lexicon.named(words) if s.columns]
        if any(is_number(s.column) and s.column.type != NUMBERS for s in found):  # no text `age_rating` is a rating
            found = [s for s in found if s.score >= _IN_FULL or s.column.type != NUMBERS]
        if ("rating",) in mark.measure.words:  # whose stem is that of a `rate`
            found = [s for s in found if "rate" not in cut_name(s.column.name)]
        if ("date",) in mark.measure.words:
            found = self.with_events(found)
        if ("price",) in mark.measure.words:
            own = {s.table.path for s in (self.out.slots[self.about() or 0].senses if self.out.slots else ())}
            own -= {s.table.path for s in found if s.score >= 0.5}
            charges = (*RATES, "charg")  # what things cost that have no price
            rates = (s for word in charges for s in self.lexicon.find((word,)) if s.columns and is_number(s.column))
            found += [s for s in rates if s.table.path in own and "rating" not in cut_name(s.column.name)]
            found = with_selling_prices(found)
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
