"""A question's meaning before its names are settled: what to show, test, group and order, over numbered slots."""

from __future__ import annotations

from dataclasses import dataclass, field

from askwhere.reader.dates import Bound
from askwhere.reader.lexicon import Sense


@dataclass(frozen=True)
class Slot:
    """A place for one sense. `owner` is the slot of the thing that it was said of; `firm` says it was said plainly."""

    senses: tuple[Sense, ...]
    owner: int | None = None
    firm: bool = False
    start: int = 0
    prep: str = ""  # the preposition just before; 'whose', 'have' or 'called' for a value
    said: str = ""  # the words themselves
    verb: bool = False  # whether the words say what those do that are named just before: "students live"
    part: str = ""  # of a date: 'day', 'month', 'quarter' or 'year'


@dataclass(frozen=True)
class Term:
    """An expression over a slot: a column or a whole thing; `rows` counts the rows of the slot's table.

    The `agg` 'share' is the share of the slot's rows that pass the draft's `share` tests.
    `distinct` of a plain column says that amounts are meant: "the most points", "the number of hours".
    """

    slot: int | None
    agg: str = ""
    distinct: bool = False
    rows: bool = False
    money: bool = False  # the sum of what was sold: an amount, or a price times a quantity

    @property
    def counts(self) -> bool:
        """Whether this needs a group of rows."""
        return bool(self.agg) or self.rows


@dataclass(frozen=True)
class Nested:
    """One value that another query computes: `agg` of a column, under tests of its own."""

    agg: str
    term: Term
    tests: tuple[Test, ...] = ()


@dataclass(frozen=True)
class Test:
    """A condition. `op` is a comparison, 'between', 'during' (from the first bound on, before the second), 'like',
    'is' (the slot's own value), 'null', 'true' or 'lacks' (there is no row of the slot's table, under `tests`)."""

    term: Term
    op: str
    operand: tuple[str | int | float | Nested | Term | Bound, ...] = ()
    negated: bool = False
    tests: tuple[Test, ...] = ()
    mentions: tuple[int, ...] = ()  # slots of other things that are spoken of within "lacks"


@dataclass(frozen=True)
class Key:
    """One key to sort by."""

    term: Term
    descending: bool = False


@dataclass
class Draft:
    """The whole meaning, filled by `grammar` from left to right."""

    slots: list[Slot] = field(default_factory=list)
    outputs: list[Term] = field(default_factory=list)
    tests: list[list[Test]] = field(default_factory=list)  # all of these, any of each
    both: list[tuple[Test, Test]] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    order: list[Key] = field(default_factory=list)
    limit: int | None = None
    of_each: bool = False  # the first of each group is asked for: "the cheapest product in each category"
    share: list[list[Test]] = field(default_factory=list)  # what is so of the share that is asked for
    percent: bool = False  # whether it is asked for in percent
    fold: bool = False  # the average of what the groups give is asked for: "orders per customer on average"
    passed: int = 0  # how many come before the one that is asked for: of the second largest, one
    distinct: bool = False
    star: int | None = None
    focus: int | None = None
    mentions: list[int] = field(default_factory=list)
    doubt: float = 0.0
    several: bool = False  # things of a kind are asked for, in the plural
    verbs: tuple[str, ...] = ()  # the stems of those that were read as no more than that two things go together
    words: frozenset[str] = frozenset()  # the stems of all words
    toward: frozenset[str] = frozenset()  # 'from' or 'to', where a way between places is spoken of
