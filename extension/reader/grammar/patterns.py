"""Rewrite marks that stand in a row, by a pattern of what they are.

`@rewrite("count", maybe("fill"), is_amount)` makes a rule of a function that is given the marks that fit, and returns
those that stand in their place. Each module lists its rules in `RULES`, and `preparing` the modules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from askwhere.frozen import frozen
from askwhere.reader.grammar.cursor import END, Cursor, mark_at
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.lexicon import Lexicon

Marks = Sequence[Mark]
Test = Callable[[Mark], bool]
Rule = Callable[[Cursor], None]


@frozen
class Fit:
    """What a mark must be to fit a part of a pattern: of one of some kinds and texts, and as a test says.

    Where no kinds or texts are given, all fit. An `optional` part may be absent.
    """

    kinds: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    test: Test | None = None
    optional: bool = False

    def holds(self, mark: Mark) -> bool:
        """Return whether a mark fits."""
        return (
            (not self.kinds or mark.kind in self.kinds)
            and (not self.texts or mark.text in self.texts)
            and (self.test is None or self.test(mark))
        )


Part = Fit | str | Test  # of a pattern; as a text, the kinds that a mark may have: "table|column"
ANYTHING = Fit()


@frozen
class Place:
    """Where marks were found: the state of reading, and all marks before and behind them."""

    state: Cursor
    before: tuple[Mark, ...]
    behind: tuple[Mark, ...]

    @property
    def last(self) -> Mark:
        """Return the mark just before those found; `END` without one."""
        return self.before[-1] if self.before else END

    @property
    def next(self) -> Mark:
        """Return the mark just behind those found; `END` without one."""
        return self.behind[0] if self.behind else END

    @property
    def lexicon(self) -> Lexicon:
        """Return the names of the database."""
        return self.state.lexicon


def as_fit(part: Part) -> Fit:
    """Return what a mark must be for a part of a pattern."""
    if isinstance(part, Fit):
        return part
    return Fit(frozenset(part.split("|"))) if isinstance(part, str) else Fit(test=part)


def maybe(part: Part) -> Fit:
    """Return a part of a pattern that may be absent; the rewriting function is then given `END` for it."""
    return replace(as_fit(part), optional=True)


def of_kind(kinds: str, test: Test) -> Fit:
    """Return a part of a pattern for marks of these kinds, "table|column", that pass a test."""
    return Fit(frozenset(kinds.split("|")), test=test)


def of_text(*texts: str, kind: str = "") -> Fit:
    """Return a part of a pattern for marks of one of these texts, and of a kind if one is given."""
    return Fit(frozenset({kind} - {""}), frozenset(texts))


def of_argument(argument: str, kind: str = "") -> Fit:
    """Return a part of a pattern for marks with this argument, and of a kind if one is given."""
    return Fit(frozenset({kind} - {""}), test=lambda mark: mark.argument == argument)


def either(*parts: Part) -> Fit:
    """Return a part of a pattern for marks that fit one of these."""
    fits = tuple(map(as_fit, parts))
    return Fit(test=lambda mark: any(fit.holds(mark) for fit in fits))


def rewrite(
    *pattern: Part,
    before: Part = ANYTHING,
    behind: Part = ANYTHING,
    ignoring: Part | None = None,
    everywhere: bool = False,
) -> Callable[[Callable[..., Marks | None]], Rule]:
    """Return a decorator that makes a rule of a function from a `Place` and the marks found there to their substitutes.

    The function returns None where the marks are to stay; the rule then looks on. It rewrites once, or `everywhere`.
    `before` and `behind` are what the marks beside those found must be, `END` at the ends of the question. Marks that
    fit `ignoring` are taken out of the whole question where something is rewritten.
    """
    fits, beside = tuple(map(as_fit, pattern)), (as_fit(before), as_fit(behind))
    needed = [fit for fit in fits if not fit.optional]
    kinds, texts = [f.kinds for f in needed if f.kinds], [f.texts for f in needed if f.texts]
    ignored = as_fit(ignoring) if ignoring is not None else None

    def decorate(function: Callable[..., Marks | None]) -> Rule:
        def rule(state: Cursor) -> None:
            marks = state.marks
            there, words = state.kinds_and_texts()
            if any(map(there.isdisjoint, kinds)) or any(map(words.isdisjoint, texts)):
                return  # most rules end here
            marks = marks if ignored is None else tuple(m for m in marks if not ignored.holds(m))
            start = 0
            while (found := _first(state, marks, start, fits, beside, function)) is not None:
                written, rest = found
                state.marks = marks = (*written, *rest)
                start = len(written)
                if not everywhere:
                    return

        rule.__name__, rule.__doc__, rule.__module__ = function.__name__, function.__doc__, function.__module__
        return rule

    return decorate


def _first(
    state: Cursor,
    marks: tuple[Mark, ...],
    start: int,
    fits: Sequence[Fit],
    beside: tuple[Fit, Fit],
    function: Callable[..., Marks | None],
) -> tuple[tuple[Mark, ...], tuple[Mark, ...]] | None:
    """Return the marks up to and with the first that `function` writes from `start` on, and the rest; None without."""
    for place in range(start, len(marks)):
        found, end = _found(marks, place, fits)
        if not found or not (beside[0].holds(mark_at(marks, place - 1)) and beside[1].holds(mark_at(marks, end))):
            continue
        where = Place(state, marks[:place], marks[end:])
        if (written := function(where, *found)) is not None:
            return (*where.before, *written), where.behind
    return None


def _found(marks: tuple[Mark, ...], place: int, fits: Sequence[Fit]) -> tuple[list[Mark], int]:
    """Return the marks that fit a pattern from a place on, and where they end; no marks where some do not fit."""
    found, end = list[Mark](), place
    for fit in fits:
        if end < len(marks) and fit.holds(marks[end]):
            found.append(marks[end])
            end += 1
        elif fit.optional:
            found.append(END)
        else:
            return [], end
    return found, end
