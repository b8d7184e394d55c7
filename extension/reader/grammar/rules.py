"""The rules of the grammar that call each other in circles, declared once, below all classes that read them.

English nests: a condition may hold an output, and an output a condition. So a class of the grammar calls rules of
classes that build on it. `Grammar` cannot be made while one of them is missing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.senses import Sense


class Rules(ABC):
    """What any class of the grammar may call before it is defined; each raises `Stuck` where the marks do not fit."""

    @abstractmethod
    def formula(self) -> Term:
        """Read what is computed from two columns, and return its term."""

    @abstractmethod
    def comparison(self, term: Term) -> None:
        """Read what follows the column of a test."""

    @abstractmethod
    def between_amounts(self) -> None:
        """Read "between 3 and 5 books"."""

    @abstractmethod
    def value_test(self) -> None:
        """Read a value that stands for a test of its column."""

    @abstractmethod
    def inner_tests(self, mentions: bool = False) -> tuple[Test, ...]:
        """Read the tests of something within the question, up to the next "and" or comma."""

    @abstractmethod
    def absence(self, value: Mark | None = None) -> None:
        """Read a table of which no row may pass the tests that follow."""

    @abstractmethod
    def days_apart(self, test: Test) -> None:
        """Read which days a comparison counts, and add the test."""

    @abstractmethod
    def item(self, found: list[Term]) -> bool:
        """Read one thing to show and append it to `found`; return False when there is none."""

    @abstractmethod
    def share(self, found: list[Term]) -> bool:
        """Read the share of some rows and append it to `found`."""

    @abstractmethod
    def read_owner(self, slot: int) -> None:
        """Read whose a column is, "of the students"."""

    @abstractmethod
    def never_done(self, mark: Mark) -> bool:
        """Read a participle that is denied and names a date of other rows; return False where it is none."""

    @abstractmethod
    def flags_before(self) -> bool:
        """Read the flags just before a table; return False where there are none."""

    @abstractmethod
    def more(self) -> None:
        """Read further outputs."""

    @abstractmethod
    def lists_to_end(self) -> bool:
        """Return whether names of columns follow up to the end."""

    @abstractmethod
    def stands_alone(self) -> bool:
        """Return whether a value is the noun of what is asked for."""

    @abstractmethod
    def alike_ahead(self) -> bool:
        """Return whether a value of the same column follows "and"."""

    @abstractmethod
    def each_thing(self) -> None:
        """Read what to group by."""

    @abstractmethod
    def modifiers(self, end: int | None = None) -> None:
        """Read conditions, groups and order up to a mark, in any sequence."""

    @abstractmethod
    def says_first(self) -> bool:
        """Return whether "first" or "most recently" comes next, and ends what is said."""

    @abstractmethod
    def done_first(self, mark: Mark) -> None:
        """Read "first" behind a verb."""

    @abstractmethod
    def things_of(self, mark: Mark) -> tuple[Sense, ...]:
        """Return the tables of the things that a value classifies."""
