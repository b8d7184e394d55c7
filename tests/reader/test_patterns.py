"""Patterns of marks: what fits, where a rule looks on, and what stands in place of what was found."""

from __future__ import annotations

from dataclasses import replace

import pytest
from askwhere.engine import Grant
from askwhere.indexer.catalog import Catalog
from askwhere.reader.grammar.cursor import END
from askwhere.reader.grammar.patterns import (
    ANYTHING,
    Marks,
    Part,
    Place,
    as_fit,
    either,
    maybe,
    of_argument,
    of_kind,
    of_text,
    rewrite,
)
from askwhere.reader.grammar.question import Grammar
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.lexicon import Lexicon


def marks_of(question: str) -> tuple[Mark, ...]:
    """Return a mark for each word, KIND or KIND:TEXT."""
    parts = [word.partition(":") for word in question.split()]
    return tuple(Mark(kind, i, i + 1, 1.0, text or kind, argument=text) for i, (kind, _, text) in enumerate(parts))


def state_of(question: str) -> Grammar:
    return Grammar(marks_of(question), Lexicon(Catalog((), Grant(()))))


def texts(state: Grammar) -> str:
    return " ".join(mark.text for mark in state.marks)


@rewrite("number", "table|column", of_text("more"))
def _put_more_before(_: Place, number: Mark, thing: Mark, more: Mark) -> Marks:
    return number, more, thing


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("table number:2 column:price after:more", "table 2 more price"),
        ("number:2 table:a after:more number:3 table:b after:more", "2 more a 3 b more"),
        ("number:2 value:a after:more", "2 a more"),
        ("number:2 table", "2 table"),
        ("", ""),
    ],
)
def test_the_first_marks_that_fit_are_rewritten(question: str, written: str) -> None:
    state = state_of(question)
    _put_more_before(state)
    assert texts(state) == written


def test_a_rule_may_rewrite_everywhere_and_not_what_it_wrote() -> None:
    @rewrite("number", everywhere=True)
    def twice(_: Place, number: Mark) -> Marks:
        return number, number

    state = state_of("number:1 table number:2")
    twice(state)
    assert texts(state) == "1 1 table 2 2"


def test_a_rule_looks_on_where_its_function_returns_none() -> None:
    @rewrite("number", "table")
    def second(_: Place, number: Mark, thing: Mark) -> Marks | None:
        return (thing,) if number.text == "2" else None

    state = state_of("number:1 table:a number:2 table:b")
    second(state)
    assert texts(state) == "1 a b"


def test_an_optional_part_is_the_end_mark_where_it_is_absent() -> None:
    given: list[bool] = []

    @rewrite("days", maybe("own"), "table")
    def days_behind(_: Place, days: Mark, own: Mark, thing: Mark) -> Marks:
        given.append(own is END)
        return thing, days

    for question in ("days:Friday own:'s table:plays", "days:Friday table:plays"):
        state = state_of(question)
        days_behind(state)
        assert texts(state) == "plays Friday"
    assert given == [False, True]


def test_the_marks_beside_are_tested_and_given_and_the_ends_of_the_question_are_marks_too() -> None:
    seen: list[tuple[int, str, str, int]] = []

    @rewrite("table", before="end|count", behind="end|prep")
    def note(place: Place, thing: Mark) -> Marks | None:
        seen.append((len(place.before), place.last.kind, place.next.kind, len(place.behind)))
        assert place.lexicon is place.state.lexicon

    for question in ("table", "count table prep value", "value table", "table value"):
        note(state_of(question))
    assert seen == [(0, "end", "end", 0), (1, "count", "prep", 2)]


def test_ignored_marks_are_taken_out_only_where_something_is_rewritten() -> None:
    @rewrite("table", "number", ignoring=of_text("the", kind="fill"))
    def swapped(_: Place, thing: Mark, number: Mark) -> Marks:
        return number, thing

    for question, written in (("fill:the table fill:the number", "number table"), ("fill:the table", "the table")):
        state = state_of(question)
        swapped(state)
        assert texts(state) == written


def test_a_rule_keeps_the_name_and_docstring_of_its_function() -> None:
    @rewrite("table")
    def drop_things(_: Place, thing: Mark) -> Marks:
        """Drop things."""
        return ()

    assert (drop_things.__name__, drop_things.__doc__) == ("drop_things", "Drop things.")


@pytest.mark.parametrize(
    ("part", "kind", "text", "fits"),
    [
        (ANYTHING, "table", "a", True),
        ("table|column", "column", "a", True),
        ("table|column", "value", "a", False),
        (of_text("a", "b"), "value", "b", True),
        (of_text("a", kind="table"), "value", "a", False),
        (of_argument("a"), "value", "a", True),
        (of_argument("a", kind="table"), "value", "a", False),
        (of_kind("table", lambda m: m.text == "a"), "table", "a", True),
        (of_kind("table", lambda m: m.text == "a"), "table", "b", False),
        (either("table", of_text("b")), "value", "b", True),
        (either("table", of_text("b")), "value", "a", False),
    ],
)
def test_what_fits_a_part(part: Part, kind: str, text: str, fits: bool) -> None:
    assert as_fit(part).holds(replace(END, kind=kind, text=text, argument=text)) is fits
