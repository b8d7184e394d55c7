"""Patterns of names that settings give: what they match, and that many stars take no time."""

from __future__ import annotations

import fnmatch
import time

import pytest
from askwhere.patterns import pattern, split
from hypothesis import given
from hypothesis import strategies as st


@given(st.text("ab*", max_size=12), st.text("abA", max_size=12))
def test_a_star_is_any_text(entry: str, name: str) -> None:
    if entry.strip():
        assert pattern(entry).fits((name,)) == fnmatch.fnmatchcase(name.lower(), entry)


@pytest.mark.parametrize(
    "entry", ["*" * 5_000 + ".x", "*a" * 2_000 + "b", "*a" * 30 + "*b", "*.*a*a*a*a*a*a*a*a*a*a*ab"]
)
def test_many_stars_are_matched_at_once(entry: str) -> None:
    assert not pattern(entry).fits(("main", "a" * 5_000, "a" * 5_000))


def test_a_pattern_is_plain_without_stars() -> None:
    assert [pattern(entry).plain for entry in ("a.b", '"a*"', "a*", "*")] == [True, True, False, False]


@pytest.mark.parametrize("text", ["a" * 25_000, "a," * 12_500, '"' * 24_999, '"a"b' * 6_250])
def test_a_long_list_is_read_in_a_time_that_grows_with_its_length(text: str) -> None:
    def once(text: str) -> float:
        began = time.process_time()
        for entry in split(text):
            pattern(entry)
        return time.process_time() - began

    # A busy machine's caches make some runs slow.
    limit = 12 * max(min(once(text) for _ in range(3)), 0.02)
    assert any(once(text * 4) < limit for _ in range(3))


def test_commas_in_quotes_separate_nothing() -> None:
    assert split(' a.b , "x, ""y".z,, *.t? ,') == ("a.b", '"x, ""y".z', "*.t?")
