"""The data classes of a draft: what a question asks to show, test, group and order, over numbered slots.

A slot stands for some words that name a table, a column or a value. `bind` chooses later which of their senses is
meant; until then all parts of a draft refer to slots by their index in `Draft.slots`. `pruned` takes out unused ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from askwhere.frozen import frozen
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.dates import Bound
from askwhere.reader.words.units import Quantity

PORTION = "portion"  # the aggregate of a term: the share that each group has of all rows, or of their sum
RANGE = "range"  # of a column: its greatest value less the least


@frozen
class Slot:
    """Some words that name something, and all their senses, of which `bind` chooses one."""

    senses: tuple[Sense, ...]
    owner: int | None = None  # the slot of the thing that it was said of: members in "names of members"
    firm: bool = False  # whether the question names that owner, rather than that it was assumed
    start: int = 0  # the index of the first word in the question
    prep: str = ""  # the preposition before it; for a value also 'whose', 'have', 'called' or 'named'
    text: str = ""  # the words themselves
    verb: bool = False  # whether a table is named by a verb, whose subject stands before it: "students live"
    part: str = ""  # which part of a date is meant: 'day', 'month', 'quarter', 'year', or '' for the whole


@frozen
class Term:
    """An expression over a slot: a column, a thing, a count of rows (`rows`), or an aggregate (`agg`).

    `agg` is '', 'count', 'sum', 'avg', 'min', 'max', `PORTION` or 'share' (the share of the slot's rows that pass the
    draft's `share` tests). With a count `distinct` counts different values; on a plain column it says that the
    question asked for amounts, "the number of hours", which `settle` may turn into a sum.
    """

    slot: int | None
    agg: str = ""
    distinct: bool = False
    rows: bool = False
    other: int | None = None  # the slot of the second column of a formula over two
    formula: str = ""  # what is computed from the columns of the slot's sense (see `formulas`): 'revenue', 'days', …

    @property
    def counts(self) -> bool:
        """Return whether the term is a count or another aggregate, and so needs a group of rows."""
        return bool(self.agg) or self.rows

    @property
    def slots(self) -> tuple[int, ...]:
        """Return the slots that the term is over: one or two, or none for a count of rows of no table."""
        return tuple(slot for slot in (self.slot, self.other) if slot is not None)


@frozen
class Nested:
    """A subquery of one value: the aggregate `agg` of a column, over the rows that pass its own `tests`."""

    agg: str
    term: Term
    tests: tuple[Test, ...] = ()
    among: int | None = None  # the slot of what the rows must share with the row that is tested: "of its own category"


Operand = str | int | float | Nested | Term | Bound | Quantity


@frozen
class Test:
    """A condition on a term, by its operator `op`.

    - '=', '!=', '<', '<=', '>', '>=', 'between', 'like': compared with `operand`.
    - 'during': from the first bound in `operand` on, and before the second.
    - 'is': the term equals the value of its slot's own sense.
    - 'lasts': the date is NULL, or not before the one in `operand`.
    - 'null', 'true': the column is NULL, or the 0 in `operand`; the column says yes.
    - 'lacks': there is no row of the slot's table that passes `tests`.
    - 'beside': the thing is a neighbour of the one in `operand` ("countries that border France").
    """

    term: Term
    op: str
    operand: tuple[Operand, ...] = ()
    negated: bool = False
    tests: tuple[Test, ...] = ()
    mentions: tuple[int, ...] = ()  # of 'lacks': the slots of other tables that the missing rows are joined with
    times: float = 1.0  # by which the operand, a column or an aggregate, is multiplied: "more than twice their fee"
    of_rows: bool = False  # whether it leaves out rows that are counted or added up, and not what they belong to


@frozen
class Key:
    """One key to sort by."""

    term: Term
    descending: bool = False


@dataclass
class Draft:
    """The whole meaning of a question, which `question.Grammar` fills from left to right."""

    slots: list[Slot] = field(default_factory=list)
    outputs: list[Term] = field(default_factory=list)
    tests: list[list[Test]] = field(default_factory=list)  # AND of ORs: one of each inner list must hold
    both: list[tuple[Test, ...]] = field(default_factory=list)  # tests that different rows pass: "both … and"
    groups: list[int] = field(default_factory=list)  # slots to group by
    order: list[Key] = field(default_factory=list)
    limit: int | None = None
    tied: set[str] = field(default_factory=set)  # what is said of things that tie: that "all" are shown, or by "name"
    ties: bool = False  # things in the plural, "the cheapest products": all that share the first one's value
    of_each: bool = False  # the first of each group is asked for: "the cheapest product in each category"
    share: list[list[Test]] = field(default_factory=list)  # tests (AND of ORs) of the rows whose share is asked for
    percent: bool = False  # whether the share is asked for in percent (0 to 100), and not as 0 to 1
    fold: bool = False  # the average over the groups is asked for: "orders per customer on average"
    # 'amount' or 'percent' where the change from each period to the next is asked for, or between `periods`; 'both' for
    # the numbers of these beside each other.
    change: str = ""
    periods: tuple[Test, ...] = ()  # the tests of two periods or groups, the earlier first
    whether: bool = False  # whether the question is for yes or no: is there a row?
    ranked: bool = False  # "top 3 clients by fees": what they are ranked by is shown if it is added up
    keeps: bool = False  # whether groups without rows are shown, too: "including those with none"
    kept: frozenset[Path] | None = None  # the tables that are named for these groups, or None
    passed: int = 0  # rows to skip before the one that is asked for: 1 for "the second largest"
    shown_in: str = ""  # the unit in which amounts are to be shown: "in euros"
    places: int | None = None  # the decimal places to which computed numbers are rounded
    case: str = ""  # 'upper' or 'lower' where texts are to be shown so: "in capitals"
    distinct: bool = False
    once: bool = False  # as `distinct`, where what is shown is of another table, or in the plural: "which towns"
    star: int | None = None  # the slot of the table whose columns are all to be shown
    focus: int | None = None  # the slot of the table whose rows the question is about
    mentions: list[int] = field(default_factory=list)  # slots of tables that were named, to be joined
    doubt: float = 0.0  # what is taken from the score for readings that are less than sure
    several: bool = False  # whether the focus is in the plural
    verbs: tuple[str, ...] = ()  # the stems of verbs that only say that two things go together
    words: frozenset[str] = frozenset()  # the stems of all words
    toward: frozenset[str] = frozenset()  # 'from' or 'to', by verbs of movement ("arrive")

    @property
    def only_output(self) -> Term:
        """Return the output if there is just one, else a term of nothing."""
        return self.outputs[0] if len(self.outputs) == 1 else Term(None)

    @property
    def shown_or_sorted(self) -> tuple[Term, ...]:
        """Return the terms that are shown, and those sorted by."""
        return (*self.outputs, *(key.term for key in self.order))

    @property
    def every_test(self) -> tuple[Test, ...]:
        """Return all tests, those joined by AND and those joined by OR."""
        return tuple(test for group in self.tests for test in group)

    @property
    def terms(self) -> tuple[Term, ...]:
        """Return the terms that are shown, sorted by and tested."""
        return (*self.shown_or_sorted, *(test.term for test in self.every_test))

    def senses_at(self, slot: int | None) -> tuple[Sense, ...]:
        """Return the senses of a slot, none of None."""
        return () if slot is None else self.slots[slot].senses


def pruned(draft: Draft, dropped: set[int]) -> Draft:
    """Return the draft without the slots that nothing uses any more; those left are numbered anew."""
    used = _used(draft)
    mentions = [m for m in draft.mentions if m in used or m not in dropped]
    kept = sorted(_with_owners(used | set(mentions), draft))
    new = {old: place for place, old in enumerate(kept)}

    def term(old: Term) -> Term:
        other = None if old.other is None else new[old.other]
        return old if old.slot is None else replace(old, slot=new[old.slot], other=other)

    def test(old: Test) -> Test:
        return replace(
            old,
            term=term(old.term),
            operand=tuple(operand(o) for o in old.operand),
            tests=tuple(map(test, old.tests)),
            mentions=tuple(new[m] for m in old.mentions),
        )

    def operand(old: Operand) -> Operand:
        if isinstance(old, Term):
            return term(old)
        if isinstance(old, Nested):
            return replace(old, term=term(old.term), tests=tuple(map(test, old.tests)))
        return old

    owners = [draft.slots[old].owner for old in kept]
    return replace(
        draft,
        slots=[
            replace(draft.slots[old], owner=None if o is None else new[o]) for old, o in zip(kept, owners, strict=True)
        ],
        outputs=[term(t) for t in draft.outputs],
        tests=[[test(t) for t in group] for group in draft.tests],
        share=[[test(t) for t in group] for group in draft.share],
        periods=tuple(map(test, draft.periods)),
        both=[tuple(map(test, tests)) for tests in draft.both],
        groups=[new[slot] for slot in draft.groups],
        order=[replace(key, term=term(key.term)) for key in draft.order],
        star=None if draft.star is None else new[draft.star],
        focus=None if draft.focus is None else new[draft.focus],
        mentions=[new[m] for m in mentions],
    )


def _used(draft: Draft) -> set[int]:
    """Return the slots that something in the draft uses, mentions aside."""
    tests = [t for group in (*draft.tests, *draft.share, *draft.both, draft.periods) for t in group]
    found = {slot for t in draft.shown_or_sorted for slot in t.slots} | set(draft.groups)
    found |= {slot for slot in (draft.star, draft.focus) if slot is not None}
    return found.union(*map(_of_test, tests))


def _of_test(test: Test) -> set[int]:
    """Return the slots that a test uses, and the tests within it."""
    inner = [o for o in test.operand if isinstance(o, Nested)]
    terms = [test.term, *(o for o in test.operand if isinstance(o, Term)), *(one.term for one in inner)]
    found = {slot for t in terms for slot in t.slots} | set(test.mentions)
    return found.union(*map(_of_test, (*test.tests, *(t for one in inner for t in one.tests))))


def _with_owners(slots: set[int], draft: Draft) -> set[int]:
    """Return slots with their owners, the owners of these, and so on."""
    found, open_ = set(slots), list(slots)
    while open_:
        owner = draft.slots[open_.pop()].owner
        if owner is not None and owner not in found:
            found.add(owner)
            open_.append(owner)
    return found
