"""Read negations: "without pets", "never ordered", "with none"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.indexer.word_forms import is_participle
from askwhere.reader.grammar.cursor import CLAUSE_ENDS, SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.grammar.matching import Matching
from askwhere.reader.marking.empty_groups import DROPPED
from askwhere.reader.marking.formulas import dates_of, days_of, is_expiry
from askwhere.reader.marking.marks import Mark, looks_like_year, offers
from askwhere.reader.marking.narrowing import dates_of_act
from askwhere.reader.marking.records import tables_of_act, uses_by_verb, uses_of
from askwhere.reader.schema.edges import linked_to, links
from askwhere.reader.schema.naming import events, own_dates, refers
from askwhere.reader.schema.persons import PATRON
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import DATED, stems
from askwhere.reader.words.names import cut_name, full_stems
from askwhere.reader.words.tokens import irregular_forms, stem
from askwhere.reader.words.types import is_dated
from askwhere.reader.words.verbs import names_an_act, says, says_when

_ASSIGNED = frozenset(map(stem, "assigned allocated appointed".split()))
_RECORDED = frozenset("known recorded registered listed assigned given named".split())


class Negating(Matching):
    """The part of the grammar that reads negations."""

    def no(self) -> None:
        """Read "not": negate the test that follows."""
        if "never" in self.take().text and self.out.focus is None:
            raise Stuck(self.peek(-1))  # "never" asks for things without rows elsewhere, and none is named
        self.negated = not self.negated

    def without(self) -> None:
        """Read "without any pets", "except Canada": rows that are lacking, a value denied, or a column that is NULL."""
        mark = self.take()
        self.skip("fill", "all", "prep", "distinct", "rel", "be", "have", "link")
        if mark.kind == "except" and self.peek().kind in ("without", "null"):
            self.negated = True  # "leave out those without a price"
            self.without() if self.peek().kind == "without" else self.missing()
            last = self.out.tests[-1][-1]
            if last.op == "lacks":
                self.out.tests[-1][-1] = replace(last, negated=True)
            return
        if self.peek().text in _RECORDED and self.peek(1).kind in ("table", "column"):
            self.at += 1  # "with no known author"
        follow = self.peek()
        behind = self.peek(2) if self.peek(1).kind == "fill" else self.peek(1)  # "refunded ones"
        if follow.kind == "table":
            counted = self.is_counted(follow, alone=True)
            self.absence()
            lacks = self.out.tests[-1][-1]
            if counted and lacks.op == "lacks" and len(lacks.tests) == 1:  # "takings without cancelled bookings"
                denied = lacks.tests[0]
                self.out.tests[-1][-1] = replace(denied, negated=not denied.negated, of_rows=True)
        elif mark.text.split()[-1] in ("nobody", "one"):
            self.nobody(mark)
        elif (done := self.own_act(follow, behind)) and self.is_counted(behind):
            if follow.kind == "value":
                raise Stuck(follow)  # "without cancelled bookings", where trips have a status and bookings such a date
            self.at += 2
            before = len(self.out.tests)
            self.is_there(Term(self.slot(replace(follow, senses=done))), follow, False)
            self.out.tests[before:] = [[replace(t, of_rows=True) for t in group] for group in self.out.tests[before:]]
        elif follow.kind == "value":
            counted = mark.kind == "except" and self.is_counted(self.peek(1))
            if counted:
                self.marks = (*self.marks[: self.at + 1], *self.marks[self.at + 2 :])  # "excluding cancelled orders"
            before, self.negated = len(self.out.tests), True
            self.value_test()
            if counted:
                new = self.out.tests[before:]
                self.out.tests[before:] = [[replace(test, of_rows=True) for test in group] for group in new]
        elif self.flags(follow) and behind.kind in (*CLAUSE_ENDS, "prep"):
            self.negated = True
            self.flagged()  # "stops without a shelter", "leave out refunded ones"
            self.skip("fill")
        elif follow.kind == "column" and mark.kind == "without":
            slot = self.slot(self.take(), self.about())
            self.is_there(Term(slot), follow, False)
            self.skip("fill")
            told = self.peek().kind == "prep" and self.after("prep", "fill").kind in ("value", "number", "days")
            if self.peek().kind not in CLAUSE_ENDS and not (told and self.peek().argument in ("in", "from")):
                raise Stuck(self.peek())
        else:
            raise Stuck(follow)

    def own_act(self, done: Mark, thing: Mark) -> tuple[Sense, ...]:
        """Return the dates in the table of `thing` at which what the word `done` says was done to it: "cancelled"."""
        tables = [s.table for s in thing.senses[:1] if not s.columns] if thing.kind == "table" else []
        if done.kind not in ("column", "value") or any(s.table in tables for s in done.senses if s.value is not None):
            return ()
        dates = dates_of_act(stem(done.text), self.lexicon) if names_an_act(done.text) else ()
        return tuple(s for s in dates if s.table in tables)

    def is_counted(self, thing: Mark, alone: bool = False) -> bool:
        """Return whether a mark names a table of which rows are asked for already, or whose rows these belong to.

        With `alone`, only the former counts.
        """
        named = [s.table for s in thing.senses if not s.columns] if thing.kind == "table" else []
        computed = [t.slot for t in self.out.shown_or_sorted if t.formula or t.counts]
        spoken = {slot for slot in (*computed, self.out.focus) if slot is not None}
        asked = [s.table for slot in spoken for s in self.out.slots[slot].senses]
        return any(t is one or (refers(t, one) and not alone) for t in asked for one in named)

    def include_empty(self) -> None:
        """Read "including those with none", "skip teams without players": are things without rows shown, with a 0?

        So of things of two tables side by side, "bands and their drummers, also bands without one". Raise `Stuck` where
        neither is asked for.
        """
        mark = self.take()
        tests = (test.term for test in self.out.every_test)
        listed = len({frozenset(paths_of(self.out.senses_at(t.slot))) for t in self.out.outputs if t.slot is not None})
        if not self.out.groups and listed < 2 and not any(term.counts for term in (*self.out.outputs, *tests)):
            raise Stuck(mark)
        named = (self.lexicon.find((stem(word),)) for word in mark.text.split())
        self.out.kept = next((frozenset(paths_of(s for s in found if not s.columns)) for found in named if found), None)
        self.out.keeps = mark.argument != DROPPED

    def nobody(self, mark: Mark) -> None:
        """Read "has nobody in it": no row of the people that refer to the thing spoken of, or are linked with it.

        Raise `Stuck` also where all that joins them is a key for another act: whom a request was "assigned" to is not
        `reported_by`.
        """
        thing = self.about()
        tables = [s.table for s in self.out.senses_at(thing) if not s.columns]
        own = {t.path for t in tables}
        linked = {path for t in filter(links, self.lexicon.tables) for path in linked_to(t, own)}
        people = tuple(
            s
            for s in self.lexicon.persons()
            if s.table.path in linked or any(refers(s.table, t) or refers(t, s.table) for t in tables)
        )
        self.skip("prep", "fill", "have", "be", "link")
        verbs = [stem(m.text) for m in self.marks[self.marks.index(mark) : self.at] if m.kind == "link"]
        if len(people) > 1 and _ASSIGNED.intersection(verbs):
            people = tuple(s for s in people if s.score < PATRON)  # nobody assigns customers to their orders
        if len(people) != 1 or self.peek().kind not in CLAUSE_ENDS:
            raise Stuck(mark)
        ends = [(one, other) for t in tables for one, other in ((t, people[0].table), (people[0].table, t))]
        keys = [key.columns[0] for one, other in ends for key in one.foreign_keys if key.target == other.path]
        acts = [key for key in keys if any(map(is_participle, cut_name(key)))]
        if verbs and keys and keys == acts and not any(says(key, verb) for key in keys for verb in verbs):
            raise Stuck(mark)
        self.test(Test(Term(self.slot(replace(mark, kind="table", senses=people), thing)), "lacks"))

    def absence(self, value: Mark | None = None, said: Mark | None = None) -> None:
        """Read a thing that is lacking, "no pets older than 5", and add a test 'lacks' with the tests that follow.

        `value` is a value of that thing which was read before it, `said` what stands for the thing, if that is read.
        """
        slot = self.slot(said or self.take(), self.about())
        either, self.negated, self.either = self.either, False, False
        outer, self.current = self.current, slot
        spoken = len(self.out.mentions)
        tests = () if self.time_of_what_lacks(slot) else self.inner_tests(mentions=True)
        within = tuple(self.out.mentions[spoken:])  # tables that only the missing rows are joined with
        del self.out.mentions[spoken:]
        if value is not None:
            tests = (Test(Term(self.slot(value, slot, True)), "is"), *tests)
        self.current, self.either = outer, either
        self.test(Test(Term(slot), "lacks", tests=tests, mentions=within))

    def time_of_what_lacks(self, lacking: int) -> bool:
        """Return whether a time follows that says when something lacks another thing, to which its own rows refer.

        "Hires without an operator in May" are those of May, but "clients without orders in May" may have some of June.
        """
        thing, ahead = self.out.slots[lacking].owner, self.after("fill", "be", "when", "prep")
        if thing is None or not (ahead.kind == "days" or looks_like_year(ahead)):
            return False
        other = paths_of(self.out.slots[lacking].senses[:1])
        tables = [s.table for s in self.out.slots[thing].senses[:1] if not s.columns]
        return any(events(t) and any(key.target in other for key in t.foreign_keys) for t in tables)

    def done(self) -> None:
        """Read a verb; it adds nothing, as its objects become conditions or joins.

        Except without an object: those who "never bought" lack rows in the tables whose names say the verb, those who
        "rent" have some, and those who "have left" have the date that says it.
        """
        mark = self.take()
        if self.says_first():
            self.done_first(mark)
            return
        if self.after("fill", "all").kind not in (*SENTENCE_ENDS, "and", "comma") or offers(self.marks, self.at - 1):
            return
        senses = tables_of_act(self.lexicon.tables, stem(mark.text)) or self.only_use(mark)
        self.no_later_act(mark, senses)
        if self.negated and senses and self.about() is not None:
            self.negated = False
            self.test(Test(Term(self.slot(replace(mark, kind="table", senses=senses), self.about())), "lacks"))
        elif senses and self.about() is not None and not names_an_act(mark.text):
            self.out.mentions.append(self.slot(replace(mark, kind="table", senses=senses), self.about()))
        elif not senses and stem(mark.text) in DATED and (dates := self.own_dates_of(mark)):
            if any(is_expiry(s.column) for s in dates):
                raise Stuck(mark)  # "have expired" is no date that is known, but one that has passed
            self.test(
                Test(Term(self.slot(replace(mark, kind="column", senses=dates), self.about())), "null", negated=True)
            )

    def no_later_act(self, mark: Mark, acts: tuple[Sense, ...]) -> None:
        """Raise `Stuck` for who "has not paid" where `acts` have a later date of that: bills may wait to be paid."""
        forms = {stem(mark.text), *map(stem, irregular_forms(stem(mark.text)))}
        later = (c for s in acts for c in events(s.table) if c not in (own_dates(s.table) or events(s.table))[:1])
        never = any("never" in m.text for m in self.marks[: self.at])
        if self.negated and not never and any(says_when(c.name, form) for c in later for form in forms):
            raise Stuck(mark)

    def never_done(self, mark: Mark) -> bool:
        """Read "never played", where `games.played_on` has the date: the thing just mentioned has no row of `games`.

        Return False where the verb is not denied, has an object, or names a date of the thing's own, or one at which
        rows only end, or which is not their first: who has not returned yet has borrowed, who has not paid has a bill.
        """
        tables = [s.table for s in self.out.senses_at(self.about()) if not s.columns]
        dates = [s for s in mark.senses if s.columns and is_dated(s.column)]
        if self.negated and dates and all(_is_to_come(s) for s in dates):
            raise Stuck(mark)  # `next_inspection_on` does not say what was never inspected
        if not self.negated or any(s.table is t for s in dates for t in tables) or self.peek(1).kind == "table":
            return False
        acts = [s for s in dates if any(refers(s.table, t) for t in tables)]
        acts = [s for s in acts if all(s.column is not pair.columns[0] for pair in days_of(s.table))]
        first = [s for s in acts if s.column in (own_dates(s.table) or events(s.table))[:1]]
        never = any("never" in m.text for m in self.marks[: self.at])
        if not acts or self.peek(1).kind == "all" or not (first or never):
            return False
        said = replace(self.take(), kind="table", senses=tuple(Sense(s.table, (), s.score) for s in first or acts))
        self.absence(said=said)
        if not first:  # who "never paid" may have bills, of which none was paid
            absent = self.out.tests[-1][-1]
            done = Term(self.slot(replace(mark, senses=tuple(acts)), absent.term.slot, True))
            self.out.tests[-1][-1] = replace(absent, tests=(*absent.tests, Test(done, "null", negated=True)))
        return True

    def only_use(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the only table that refers to the thing spoken of, where "never used" says nothing was done with it.

        Of another verb only "never" says so, and not a date of the thing's own.
        """
        thing = self.about()
        never = any(word in m.text for m in self.marks[: self.at] for word in ("never", "nobody", "no one"))
        if not self.negated or thing is None or not never:
            return ()
        senses = self.out.slots[thing].senses
        tables = {s.table.path: s.table for s in senses if not s.columns and s.score >= 0.7 * senses[0].score}
        said = stem(mark.text)
        if any(says_when(c.name, said) for t in tables.values() for c in t.columns if is_dated(c)):
            return ()
        using = uses_of(self.lexicon.tables, tables.values())
        if not using and (using := uses_by_verb(self.lexicon.tables, tables.values(), said)):
            self.out.verbs = tuple(verb for verb in self.out.verbs if verb != said)  # these rows say it
        self.out.doubt += 0.1 if using else 0.0
        return using

    def own_dates_of(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the dates of the thing spoken of that say a verb: `termination_date` of guards who "have left"."""
        tables = {s.table.path for s in self.out.senses_at(self.about()) if not s.columns}
        dates = (s for s in dates_of(mark, self.lexicon) if s.table.path in tables and is_dated(s.column))
        return tuple(s for s in dates if says_when(s.column.name, stem(mark.text)))

    def says_first(self) -> bool:
        """Return whether "first", "last" or "most recently" ends what is said here."""
        mark, ends = self.peek(), self.peek(1).kind in SENTENCE_ENDS
        recent = mark.kind == "superlative" and mark.measure is not None and ("date",) in mark.measure.words
        return ends and (mark.kind == "nth" or (recent and mark.text.endswith("ly")))

    def done_first(self, mark: Mark) -> None:
        """Read "which branch opened first", "released most recently": rank by the date that says the verb `mark`."""
        senses = tuple(s for s in self.times() if says_when(s.column.name, stem(mark.text)))
        if not senses:
            raise Stuck(self.peek())
        self.rank(Term(self.slot(replace(mark, senses=senses), self.about())), self.take().argument == "max")


def _is_to_come(date: Sense) -> bool:
    """Return whether a date's name says that something is to be done then: `next_inspection_on`."""
    return not _NEXT.isdisjoint(full_stems(date.column.name))


_NEXT = frozenset(stems("next planned scheduled"))
