"""Read a follow-up into the draft of the question before it: conditions, groups, order, limit, what is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from askwhere.reader.grammar.cursor import SENTENCE_ENDS, Stuck
from askwhere.reader.grammar.draft import Draft, Key, Term, Test, pruned
from askwhere.reader.grammar.question import Grammar
from askwhere.reader.grammar.restrictions import restriction
from askwhere.reader.grammar.settling import settle
from askwhere.reader.marking.marks import Mark, looks_like_year
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.senses import Sense
from askwhere.reader.search import Way
from askwhere.reader.words.dates import PERIODS
from askwhere.reader.words.measures import SIZES
from askwhere.reader.words.phrases import WAYS
from askwhere.reader.words.tokens import stem

_RANKS = ("sup", "superlative", "supcount", "ordinal", "nth")
# The kinds of marks that a follow-up may begin with, and that no question by itself begins with.
BEGINNINGS = frozenset(
    "prep each period order direction spread comp when between days without except not rel like value number null their"
    " stocked have sup superlative supcount ordinal nth either comparative".split()
)
_MEASURED = ("longer than", "shorter than", "older than")  # these say which column is meant
_Key = tuple[Path, tuple[str, ...]]  # a table's path, and the names of one or two columns
_EQUALS = ("is", "=", "during")


@dataclass(frozen=True)
class Meaning:
    """What a reading was made of: its draft, in which each slot has the one sense that was chosen, and its marks."""

    draft: Draft
    way: Way


def _key(sense: Sense) -> _Key:
    return (sense.table.path, tuple(c.name for c in sense.columns))


def chosen(draft: Draft, senses: tuple[Sense, ...]) -> Draft:
    """Return a copy of a draft in which each slot has only the sense that was chosen for it."""
    slots = [replace(slot, senses=(sense,)) for slot, sense in zip(draft.slots, senses, strict=True)]
    return replace(_copy(draft), slots=slots)


def _copy(draft: Draft) -> Draft:
    """Return a draft that can be changed without changing the other."""
    return replace(
        draft,
        slots=list(draft.slots),
        outputs=list(draft.outputs),
        tests=[list(group) for group in draft.tests],
        share=[list(group) for group in draft.share],
        both=list(draft.both),
        groups=list(draft.groups),
        order=list(draft.order),
        mentions=list(draft.mentions),
    )


def together(before: Way, marks: tuple[Mark, ...], score: float) -> tuple[Way, int]:
    """Return the marks of the question before and of a follow-up in one sequence, and where the follow-up begins."""
    end = max((m.end for m in before.marks), default=0)
    moved = tuple(replace(m, start=m.start + end + 1, end=m.end + end + 1) for m in marks)
    stop = Mark("stop", end, end + 1, 0.0, ".")
    return Way(before.score + score, (*before.marks, stop, *moved), before.left_out_at), end + 1


def refined(before: Draft, way: Way, start: int, how: str, lexicon: Lexicon) -> Draft:
    """Return the draft `before` refined by the marks of `way` from the word `start` on. Raises `Stuck`.

    `how` is what the follow-up says of itself, as in `FollowUp`.
    """
    reader = _Refining(way.read, lexicon, before, start, how)
    meaning = reader.refine()
    if said := restriction(tuple(m for m in way.marks if m.start >= start), lexicon.tables):
        raise Stuck(said)
    return pruned(meaning, reader.dropped)


class _Refining(Grammar):
    """The grammar of a follow-up: it goes on in a draft, from the first mark of the follow-up to the last."""

    def __init__(self, marks: tuple[Mark, ...], lexicon: Lexicon, before: Draft, start: int, how: str) -> None:
        super().__init__(marks, lexicon)
        self.out = _copy(before)
        self.at = next((i for i, m in enumerate(self.marks) if m.start >= start), len(self.marks))
        self.how = how
        self.current = self.out.focus
        self.dropped: set[int] = set()  # slots of what was replaced
        self.out.of_each = False  # as it was before it was settled

    def refine(self) -> Draft:
        """Read the follow-up and return the draft. Raises `Stuck`."""
        said = self.marks[self.at :]
        self.out.toward |= frozenset(way for way, verbs in WAYS.items() for m in said if stem(m.text) in verbs)
        self.out.verbs += tuple(stem(m.text) for m in said if m.kind == "link")
        self.out.words |= frozenset(stem(word) for m in said for word in m.text.split())
        if self.how == "count":
            self.number()
        elif not said:
            raise Stuck(self.peek(-1))
        while self.after("fill", "comma", "all", "be", "stop", "and").kind != "end":
            self.skip("fill", "comma", "all", "be", "stop", "and")
            self.reading()()
        self.at = len(self.marks)
        settle(self)
        return self.out

    def reading(self) -> Callable[[], None]:
        """Return the method that reads the next part of the follow-up, by its first mark."""
        mark, after = self.peek(), self.peek(1)
        if mark.kind in ("each", "period") or (
            mark.text == "by" and self.after("prep", "fill", "all").kind in ("table", "column", "period")
        ):
            return self.regrouped
        if mark.kind in ("order", "direction", "spread"):
            return self.sorted
        comparison = after if mark.argument == "with" else mark  # "with more than 45"
        is_bare = comparison.kind == "comp" and comparison.text not in _MEASURED
        if is_bare and self.after("prep", "comp", "fill", "number").kind in SENTENCE_ENDS:
            return self.compared_alone
        if mark.kind in _RANKS or (mark.kind == "number" and after.kind in _RANKS):
            return self.ranked
        if mark.kind in ("their", "agg", "average", "money") or (mark.kind == "column" and self.how != ""):
            return self.shown
        return self.restricted

    # ---------------------------------------------------------------------------------------------------- what is shown

    def number(self) -> None:
        """Ask for the number of rows: "how many of them", "how many are there"."""
        out = self.out
        if out.focus is None or out.groups or out.limit is not None or out.both or any(t.counts for t in out.outputs):
            raise Stuck(self.peek(-1))
        out.outputs, out.order, out.star, out.distinct = [Term(out.focus, rows=True)], [], None, False

    def shown(self) -> None:
        """Read what to show besides, "their emails too", or in place of what was shown, "only their names"."""
        start, slots = self.at, len(self.out.slots)
        if self.peek().kind == "column" and self.column_condition(self.peek()):
            self.at = start
            del self.out.slots[slots:]
            self.out.tests.pop()
            self.restricted()
            return
        before = [] if self.how in ("instead", "only") else list(self.out.outputs)
        if self.out.star is not None and before == []:
            self.out.star = None
        self.out.outputs = []
        self.skip("their", "fill", "all")
        self.outputs()
        added = self.out.outputs
        plain = [t for t in added if not t.counts]
        if not added or (self.out.groups and (plain or not before)) or len({t.counts for t in (*before, *added)}) > 1:
            raise Stuck(self.peek(-1))
        self.out.outputs = before + [t for t in added if t not in before]

    # ----------------------------------------------------------------------------------------------------------- groups

    def regrouped(self) -> None:
        """Read what to group by: besides what was grouped by with `also`, else in its place."""
        if not self.how.endswith("also"):
            self.ungroup()
        if self.peek().kind == "period":
            self.period()
            return
        by = self.take().text
        if (by, self.peek().text) in PERIODS:
            raise Stuck(self.peek())  # "by day" is a period, and no column that is called so
        self.each_thing()

    def ungroup(self) -> None:
        """Take the groups away, with what was shown and sorted because of them."""
        out = self.out
        ungrouped = set(out.groups)
        if not ungrouped:
            return
        self.drop(ungrouped)
        out.groups = []
        if any(t.counts for t in out.outputs):
            ungrouped |= {t.slot for t in out.outputs if t.slot is not None and not t.counts}
            out.outputs = [t for t in out.outputs if t.counts]
        out.order = [key for key in out.order if key.term.slot not in ungrouped or key.term.counts]

    # --------------------------------------------------------------------------------------------------- order and rank

    def sorted(self) -> None:
        """Read another order. Raises `Stuck` where the first few by the former order were asked for."""
        if self.out.limit is not None:
            raise Stuck(self.peek())
        if self.peek().kind == "order":
            self.out.order = []
            self.sorting()
        elif self.peek().kind == "direction":
            self.direction()
        else:
            self.spread()

    def key(self) -> Term:
        """Return the term to sort by; "the number" alone is the count that is shown."""
        mark = self.peek()
        counts = [t for t in self.out.outputs if t.counts]
        after = self.peek(1).kind
        if mark.kind == "count" and after in (*SENTENCE_ENDS, "direction", "comma") and len(counts) == 1:
            self.take()
            return counts[0]
        return super().key()

    def ranked(self) -> None:
        """Read "the ten largest", "top 5 by revenue", "and the smallest": the first few, by another order or not."""
        out = self.out
        before, limit = list(out.order), out.limit
        out.order, out.limit, out.passed, out.ties = [], None, 0, False
        if self.peek().kind == "nth":
            if self.take().argument != "min" or self.peek().kind != "number" or not before:
                raise Stuck(self.peek(-1))
            out.order, out.limit = before, int(self.take().number or 1)
            return
        if self.peek().kind == "ordinal":
            self.place_of_order()
        if self.peek().kind == "number":
            out.limit = int(self.take().number or 1)
        mark = self.peek()
        if mark.kind != "sup":
            readers = {"superlative": self.rank_by, "supcount": self.most}
            if mark.kind not in readers:
                raise Stuck(mark)
            readers[mark.kind]()
            return
        number = self.peek(1) if self.peek(1).kind == "number" else None
        follow = self.peek(2 if number else 1)
        if follow.text == "by" or follow.kind in SENTENCE_ENDS:
            self.take()
            out.limit = int(self.take().number or 1) if number else out.limit
            self.rank_again(mark, before if limit is not None else [])
            return
        self.superlative()

    def rank_again(self, mark: Mark, before: list[Key]) -> None:
        """Rank by the term after "by"; else by the one of the former rank, the count that is shown, or a size."""
        counts = [t for t in self.out.outputs if t.counts]
        if self.peek().text == "by":
            self.take()
            self.rank(self.key(), mark.argument == "max")
        elif len(before) == 1:
            self.rank(before[0].term, mark.argument == "max")
        elif len(counts) == 1 and self.out.groups:
            self.rank(counts[0], mark.argument == "max")
        elif mark.text in SIZES and not counts:
            self.sized(mark)
        else:
            raise Stuck(mark)

    # ------------------------------------------------------------------------------------------------------- conditions

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
        for group in added:
            self.put(group)

    def compared_alone(self) -> None:
        """Read a comparison without a column, "only those above 10": of the count shown, or of what ranks the rows."""
        counts = [t for t in self.out.outputs if t.counts] if self.out.groups else []
        terms = counts or list(dict.fromkeys(key.term for key in self.out.order))
        if len(terms) != 1 or self.out.limit is not None:
            raise Stuck(self.peek())
        before, self.out.tests = self.out.tests, []
        self.skip("prep")
        self.comparison(terms[0])
        (group,), self.out.tests = self.out.tests, before
        self.put(group)

    def with_number(self, before: list[list[Test]], mark: Mark) -> list[list[Test]]:
        """Return the tests with another number in the only one that compares with a number: "the same for 50"."""
        numbers = [
            t for group in before for t in group if len(t.operand) == 1 and isinstance(t.operand[0], int | float)
        ]
        if len(numbers) != 1 or self.how != "instead" or mark.number is None:
            raise Stuck(mark)
        operand = (mark.number,)
        return [[replace(t, operand=operand) if t is numbers[0] else t for t in group] for group in before]

    def put(self, group: list[Test]) -> None:
        """Add alternatives to the draft's tests, or put them in place of those of the same column.

        `also` makes them alternatives to these, `instead` replaces these, and so does another value of the same column,
        as no row has both.
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
        """Return whether two tests compare alike: both with a value, or both with a bound on the same side."""
        sides = [{"=" if t.op in _EQUALS else t.op[:1] for t in tests} for tests in (old, group)]
        return all(not t.negated for t in (*old, *group)) and sides[0] == sides[1]

    def among(self, twins: list[list[Test]], group: list[Test]) -> bool:
        """Return whether the values of a test are among those of the alternatives that were asked for."""
        values = [{self.value(t) for t in tests} for tests in (*twins, group)]
        return all(values[-1] <= known for known in values[:-1])

    def value(self, test: Test) -> str:
        """Return what a test of equality compares with, as text."""
        slot = self.out.slots[test.term.slot or 0]
        return repr(test.operand) if test.operand else repr([s.value for s in slot.senses[:1]])

    def keys(self, group: list[Test]) -> set[_Key]:
        """Return the columns, as (table, names), that all tests of a group may be of."""
        found = [
            {_key(s) for s in self.out.slots[t.term.slot].senses if s.columns}
            for t in group
            if t.term.slot is not None and not t.term.counts
        ]
        return set.intersection(*found) if len(found) == len(group) else set()

    def nested_keys(self) -> set[_Key]:
        """Return the columns of tests that are not the draft's own: of missing rows, of "both", and of a share."""
        inner = [[t] for group in self.out.tests for one in group for t in one.tests]
        inner += [[t] for pair in self.out.both for t in pair] + [[t] for group in self.out.share for t in group]
        return set().union(*map(self.keys, inner)) if inner else set()

    def restrict(self, group: list[Test], keys: set[_Key]) -> None:
        """Keep only the senses of some columns in the slots of a group's tests."""
        for slot in {t.term.slot for t in group if t.term.slot is not None}:
            known = self.out.slots[slot]
            senses = tuple(s for s in known.senses if _key(s) in keys)
            self.out.slots[slot] = replace(known, senses=senses)

    def drop(self, slots: set[int]) -> None:
        """Note that slots, and the things that they were said of, are no longer needed by what was replaced."""
        owners = {self.out.slots[slot].owner for slot in slots}
        self.dropped |= slots | {owner for owner in owners if owner is not None and owner != self.out.focus}
