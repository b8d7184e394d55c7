"""Searching values: scores equal rank-bm25's, and what stands in the text comes first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from askwhere.engine import Column, Table
from askwhere.indexer import scoring
from askwhere.indexer.build import ColumnValues, MemorySink, write
from askwhere.indexer.lookup import Index
from askwhere.indexer.values import Match
from askwhere.indexer.words import tokens
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi


def made(*columns: list[str], segment: int = 4_000_000) -> Index:
    """An index of these columns, named c0, c1, … of the table t."""
    found = [Column(f"c{n}") for n in range(len(columns))]
    table = Table(("main", "t"), tuple(found))
    sink = MemorySink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("askwhere.indexer.build.BYTES_PER_SEGMENT", segment)
        write([ColumnValues(table, c, sorted(set(v) - {""})) for c, v in zip(found, columns, strict=True)], sink)
    return sink.index()


WORDS = st.sampled_from("a b c dd ee ff Gg ÉÉ 12 x-y".split())
VALUES = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=40)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.lists(VALUES, min_size=1, max_size=4), st.lists(WORDS, max_size=8).map(" ".join), st.integers(1, 60))
def test_scores_are_those_of_rank_bm25_of_each_column_alone(columns: list[list[str]], text: str, segment: int) -> None:
    index = made(*columns, segment=segment)
    got: dict[str, dict[str, float]] = {}
    for scored in index.score(tokens(text)):
        texts = index.texts(scored.values.tolist())
        for value, region, score in zip(scored.values.tolist(), scored.regions.tolist(), scored.scores, strict=True):
            column = index.statistics.columns[region]
            assert column
            got.setdefault(column.name, {})[texts[value]] = score
    for number, values in enumerate(columns):
        distinct = sorted(set(values) - {""})
        split = [tokens(value) for value in distinct]
        expected = dict(zip(distinct, BM25Okapi(split).get_scores(tokens(text)), strict=True)) if any(split) else {}
        mine = got.get(f"c{number}", {})
        for value, words in zip(distinct, split, strict=True):
            assert (value in mine) == bool(set(words) & set(tokens(text)))
            assert mine.get(value, 0.0) == pytest.approx(expected.get(value, 0.0), abs=1e-9)


def test_scores_are_the_same_where_values_have_large_numbers() -> None:
    index = made(["a b", "b", "c a a"], ["b c", "b"])
    statistics, far = index.statistics, 1 << 28
    moved = replace(
        statistics.contents, columns=tuple(replace(c, first=c.first + far) for c in statistics.contents.columns)
    )
    behind = scoring.index_statistics(moved, [(c.path, c.name) for c in moved.columns])
    (lists,) = index._lists(["a", "b"])
    later = {word: scoring.Postings(p.values + np.uint32(far), p.codes) for word, p in lists.items()}
    near = scoring.score_segment(statistics, 0, lists, ["a", "b"], details=True)
    there = scoring.score_segment(behind, 0, later, ["a", "b"], details=True)
    assert there.values.tolist() == [value + far for value in near.values.tolist()]
    assert there.scores.tolist() == near.scores.tolist()
    assert there.n_same.tolist() == near.n_same.tolist()
    assert there.regions.tolist() == [region + 1 for region in near.regions.tolist()]  # a gap comes first


@pytest.mark.slow
@settings(max_examples=100)
@given(st.lists(VALUES, min_size=1, max_size=3), st.integers(1, 60))
def test_every_value_is_found_by_its_own_words(columns: list[list[str]], segment: int) -> None:
    index = made(*columns, segment=segment)
    phrases = sorted({value for values in columns for value in values})
    found = index.exact(phrases)
    for phrase in phrases:
        expected = {
            (f"c{n}", value)
            for n, values in enumerate(columns)
            for value in values
            if tokens(value) and tokens(value) == tokens(phrase)
        }
        assert {(m.column, m.value) for m in found.get(phrase, ())} == expected


def test_values_of_equal_score_come_in_their_own_order() -> None:
    index = made([f"{letter} street" for letter in "zyxwvutrqponm"])
    assert [m.value for m in index.search("which street", 3)] == ["m street", "n street", "o street"]


def test_a_column_gives_its_k_best_and_others_are_not_affected() -> None:
    index = made(["red apple", "green apple", "apple pie"], ["apple"], ["pear"])
    assert [(m.column, m.value) for m in index.search("an apple", 1)] == [("c0", "apple pie"), ("c1", "apple")]
    assert len(index.search("an apple", 2)) == 3


def best(values: list[str], text: str) -> Match | None:
    return next(iter(made(values, ["filler one", "filler two"]).search(text, 1)), None)


FILL = ["Aachen", "Bonn", "Cologne", "Dortmund West", "Essen", "The Hague", "New Jersey", "Jersey"]


@pytest.mark.parametrize(
    ("value", "text", "exact", "why"),
    [
        ("Africa", "African countries", False, "the people of a place"),
        ("Canada", "customers in Canada", True, "the value stands there"),
        ("Canada", "customers in CANADA?", True, "case does not tell values apart"),
        ("Canada", "Canada's customers", True, "a possessive ends the word"),
        ("New York", "shops in New York by size", True, "a value of several words"),
        ("São Paulo", "people of Sao Paulo", True, "accents are not always typed"),
        ("Łódź", "trams of Lodz", True, "nor are strokes"),
        ("U.S.", "states of the U.S. by area", True, "dots part letters in both"),
        ("US", "states of the U.S. by area", False, "the dots are only in the text"),
        ("U.S.", "states of the US by area", False, "the dots are only in the value"),
        ("Mountain", "list the mountains", False, "the plural of the value"),
        ("Mountains", "is it a mountain", False, "the singular of the value"),
        ("City", "all cities", False, "a plural that changes the stem"),
        ("Canada", "customers in Cannada", False, "one letter too many"),
        ("Switzerland", "lakes of Switzerlnad", False, "two letters swapped"),
        ("Robert Smith", "orders of Smith Robert", False, "another word order"),
        ("Robert Smith", "orders of Robert Smyth", False, "a misspelled part of a name"),
        ("University of Colorado", "the Univrsity of Colorado", False, "a misspelled word of several"),
        ("database", "papers on data base design", False, "written apart in the text"),
        ("2008", "games in 2008", True, "a number that is written the same"),
        ("Flight 123", "where is flight 123", True, "a number within a value"),
        ("A-12", "part A 12 please", True, "punctuation between letters and digits"),
        ("日本", "people of 日本", True, "scripts without case"),
    ],
)
def test_a_value_that_the_text_names_comes_first(value: str, text: str, exact: bool, why: str) -> None:
    found = best([value, *FILL], text)
    assert found is not None, why
    assert (found.value, found.exact) == (value, exact), why


@pytest.mark.parametrize(
    ("value", "text", "why"),
    [
        ("The", "the best of all", "a stop word names nothing"),
        ("For", "for each shop", "a stop word names nothing"),
        ("ID", "the id of the shop", "a bare id names nothing"),
        ("Art", "the heart of the party", "a word's part is no word"),
        ("2008", "games in 2009", "another number is not near"),
        ("Flight 123", "where is flight 124", "another number is not near"),
        ("Fora", "for a while", "stop words in a row are no word"),
        ("Bat", "who sat down", "another first letter"),
        ("Norway", "trips to Norwich", "alike only at the start"),
    ],
)
def test_a_value_that_the_text_does_not_name_is_not_taken_for_named(value: str, text: str, why: str) -> None:
    found = made([value, *FILL]).search(text, 2)
    assert not [m for m in found if m.value == value and (m.exact or m.score == 0)], why


def test_a_small_column_is_compared_whole_though_the_word_stands_elsewhere() -> None:
    """A word of the text that some value has is not taken for misspelled, but small columns have few other values."""
    index = made(["Canada", "Chile"], ["Cannada Dry", "Cola"])
    found = {(m.column, m.value): m.exact for m in index.search("customers in Cannada", 1)}
    assert found == {("c0", "Canada"): False, ("c1", "Cannada Dry"): False}


def test_exact_comes_before_near_and_long_before_short() -> None:
    index = made(["York", "New York", "New Yorks", "Newark", "new"])
    assert [m.value for m in index.search("shops in New York", 3)] == ["New York", "York", "new"]
    index = made(["Mountain", "Mountains", "sea"])
    assert [(m.value, m.exact) for m in index.search("the mountains", 2)] == [("Mountains", True), ("Mountain", False)]


def test_columns_may_be_filled_with_their_first_values() -> None:
    index = made(["T", "F"], ["pear", "apple", "fig"], ["x"])
    found = [(m.column, m.value) for m in index.search("a fig", 2, fill=True)]
    assert found == [("c0", "F"), ("c0", "T"), ("c1", "fig"), ("c1", "apple"), ("c2", "x")]


def test_words_of_a_value_that_stand_apart_are_no_exact_match() -> None:
    found = made(["New York", "other"]).search("a new shop in york")
    assert [(m.value, m.exact) for m in found] == [("New York", False)]


def test_an_empty_index_and_an_empty_text_give_nothing() -> None:
    assert made().search("anything") == []
    assert made([]).exact(["anything"]) == {}
    assert made(["a value"]).search("") == []
    assert made(["a value"]).search("…!") == []
    assert made(["...", "---"]).search("...") == []
