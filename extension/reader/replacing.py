"""Put the conditions of a follow-up beside those of the question before it, or in their place."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.cursor import SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.draft import Test
from askwhere.reader.grammar.question import Grammar
from askwhere.reader.marking.marks import Mark, looks_like_year
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.dates import Bound

_Key = tuple[Path, tuple[str, ...]]  # a table's path, and the names of one or two columns
_EQUALS = ("is", "=", "during")


def _are_values(*groups: list[Test]) -> bool:
    """Return whether all tests of these groups are that a column has one certain value."""
    return all(test.op in ("is", "=") and not test.negated for group in groups for test in group)


def _key(sense: Sense) -> _Key:
    """Return a key that senses of the same columns share."""
    return (sense.table.path, tuple(c.name for c in sense.columns))


class Replacing(Grammar):
    """The grammar of a follow-up's conditions, beside or in place of those of the draft `out`, of the question before.

    `how` says how the follow-up refines that question, as in `FollowUp`. `dropped` are the slots of what it replaces.
    """

    def __init__(self, marks: tuple[Mark, ...], lexicon: Lexicon, how: str) -> None:
        super().__init__(marks, lexicon)
        self.how = how
        self.dropped: set[int] = set()

    def restricted(self) -> None:
        """Read conditions, and put them beside those of the draft or in their place."""
        before, self.out.tests = self.out.tests, []
        number = self.after("prep", "fill")
        last = self.after("prep", "fill", "number").kind in SENTENCE_ENDS
        if number.kind == "number" and last and not looks_like_year(number) and not number.senses:
            self.out.tests = self.with_number(before, number)
            self.skip("prep", "fill", "number")
            return
        self.modifiers()
        added, self.out.tests = self.out.tests, before
        if not added and not self.out.groups:
            raise Stuck(self.peek(-1))
        for group in self.alternatives(added):
            self.merge(group)

    def alternatives(self, added: list[list[Test]]) -> list[list[Test]]:
        """Return conditions with values of one column, "Leeds and York", as alternatives in one group.

        Raise `Stuck` for values of a column of which each thing may have several: "with apples and pears".
        """
        groups: list[list[Test]] = []
        for group in added:
            twin = next((old for old in groups if self.keys(old) & self.keys(group) and _are_values(old, group)), None)
            if twin is None:
                groups.append(list(group))
            elif any(self.is_of_one(test) for test in group):
                twin += group
            else:
                raise Stuck(self.peek(-1))
        return groups

    def is_of_one(self, test: Test) -> bool:
        """Return whether each thing spoken of has one value of a column: its own, or of what it refers to."""
        focus, slot = self.out.focus, test.term.slot
        if focus is None or slot is None:
            return False
        things = {s.table.path: s.table for s in self.out.slots[focus].senses}
        referred = {key.target for table in things.values() for key in table.foreign_keys}
        return any(s.table.path in things or s.table.path in referred for s in self.out.slots[slot].senses)

    def compared_alone(self) -> None:
        """Read a comparison without a column, "only those above 10": of the count shown, or of what ranks the rows."""
        grouped = self.out.groups or any(not t.counts for t in self.out.outputs)
        counts = [t for t in self.out.outputs if t.counts] if grouped else []
        terms = counts or list(dict.fromkeys(key.term for key in self.out.order))
        if not terms:
            self.skip("prep")
            self.compared()  # "invoices of May", "only those above 15": their price
            return
        if len(terms) != 1 or self.out.limit is not None:
            raise Stuck(self.peek())
        before, self.out.tests = self.out.tests, []
        self.skip("prep")
        self.comparison(terms[0])
        (group,), self.out.tests = self.out.tests, before
        self.merge(group)

    def with_number(self, before: list[list[Test]], mark: Mark) -> list[list[Test]]:
        """Return the tests with another number in the only one that compares with a number: "the same for 50"."""
        numbers = [
            t for group in before for t in group if len(t.operand) == 1 and isinstance(t.operand[0], int | float)
        ]
        if len(numbers) != 1 or self.how != "instead" or mark.number is None:
            raise Stuck(mark)
        operand = (mark.number,)
        return [[replace(t, operand=operand) if t is numbers[0] else t for t in group] for group in before]

    def merge(self, group: list[Test]) -> None:
        """Add a group of alternatives to the draft's tests, or to those of the same column, or put it in their place.

        With `also` they become alternatives to those. With `instead` they replace them, and so does another value of
        the same column with any `how`, as no row has both. Raise `Stuck` where it is open which test is meant.
        """
        out, keys = self.out, self.keys(group)
        twins = [old for old in out.tests if keys & self.keys(old) and self.alike_in_form(old, group)]
        if self.how in ("instead", "also", "and") and not twins and keys & self.nested_keys():
            raise Stuck(self.peek(-1))
        if not twins:
            out.tests.append(group)
            return
        shared = set.intersection(keys, *map(self.keys, twins))
        if not shared:
            raise Stuck(self.peek(-1))
        self.restrict(group, shared)
        equal = all(t.op in _EQUALS and not t.negated for old in (*twins, group) for t in old)
        if self.how == "also":
            if len(twins) > 1 or not equal:
                raise Stuck(self.peek(-1))
            twins[0].extend(group)
        elif self.how == "instead" or (equal and not self.among(twins, group)):
            self.drop({t.term.slot for old in twins for t in old if t.term.slot is not None})
            out.tests = [old for old in out.tests if old not in twins] + [group]
        else:
            out.tests.append(group)

    def alike_in_form(self, old: list[Test], group: list[Test]) -> bool:
        """Return whether two groups test alike: both for a value, or both for a bound on the same side.

        A month of any year is not like a span of days: "only July" of the orders in 2023.
        """
        sides = [{(("=" if t.op in _EQUALS else t.op[:1]), _recurs(t)) for t in tests} for tests in (old, group)]
        return all(not t.negated for t in (*old, *group)) and sides[0] == sides[1]

    def among(self, twins: list[list[Test]], group: list[Test]) -> bool:
        """Return whether the values of a group are all among those of each of its twins: "only those in Rome"."""
        values = [{self.value(t) for t in tests} for tests in (*twins, group)]
        return all(values[-1] <= known for known in values[:-1])

    def value(self, test: Test) -> str:
        """Return what a test of equality compares with, as text."""
        slot = self.out.slots[test.term.slot or 0]
        return repr(test.operand) if test.operand else repr([s.value for s in slot.senses[:1]])

    def keys(self, group: list[Test]) -> set[_Key]:
        """Return the columns, as (table, names), that all tests of a group may be of; none if one has no column."""
        of_tests = [
            {_key(s) for s in self.out.slots[t.term.slot].senses if s.columns}
            for t in group
            if t.term.slot is not None and not t.term.counts
        ]
        return set.intersection(*of_tests) if len(of_tests) == len(group) else set()

    def nested_keys(self) -> set[_Key]:
        """Return the columns of tests of rows that are not asked for: of missing rows, of "both", and of a share."""
        inner = [[t] for group in self.out.tests for lacking in group for t in lacking.tests]
        inner += [[t] for pair in self.out.both for t in pair] + [[t] for group in self.out.share for t in group]
        return set().union(*map(self.keys, inner)) if inner else set()

    def restrict(self, group: list[Test], keys: set[_Key]) -> None:
        """Keep only the senses of some columns in the slots of a group's tests."""
        for slot in {t.term.slot for t in group if t.term.slot is not None}:
            known = self.out.slots[slot]
            senses = tuple(s for s in known.senses if _key(s) in keys)
            self.out.slots[slot] = replace(known, senses=senses)

    def drop(self, slots: set[int]) -> None:
        """Record that slots and their owners, the focus aside, are no longer needed by what was replaced."""
        owners = {self.out.slots[slot].owner for slot in slots}
        self.dropped |= slots | {owner for owner in owners if owner is not None and owner != self.out.focus}


def _recurs(test: Test) -> bool:
    """Return whether a test is for a month or another time of any year."""
    return any(isinstance(bound, Bound) and bound.recurs for bound in test.operand)
