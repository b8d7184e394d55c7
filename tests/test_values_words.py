"""Words: the same rule for one text and for many, folding, and words told apart by content."""

from __future__ import annotations

import pytest
from askwhere.indexer import postings, words
from hypothesis import given, settings
from hypothesis import strategies as st

TEXTS = st.lists(st.text(max_size=30) | st.text("ab éß-\x1f ", max_size=30), max_size=30)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Top 5 cities", ["top", "5", "cities"]),
        ("Saint-Étienne", ["saint", "etienne"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("Łódź, Tromsø", ["lodz", "tromso"]),
        ("snake_case", ["snake", "case"]),
        ("Coca-Cola™", ["coca", "colatm"]),
        ("İstanbul", ["istanbul"]),
        ("東京都 2020", ["東京都", "2020"]),
        ("👍 fine 👍", ["fine"]),
        ("a\0b", ["a", "b"]),
        ("...", []),
        ("", []),
    ],
)
def test_words_are_folded_runs_of_letters_and_digits(text: str, expected: list[str]) -> None:
    assert words.tokens(text) == expected


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_many_texts_are_split_as_each_alone(texts: list[str]) -> None:
    split = words.split(texts)
    alone = [words.tokens(text) for text in texts]
    assert split.lengths.tolist() == [len(found) for found in alone]
    assert _named(split) == [word for found in alone for word in found]


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
def test_parts_are_joined_as_if_split_together(first: list[str], second: list[str]) -> None:
    together, joined = words.split(first + second), words.joined([words.split(first), words.split(second)])
    assert _named(together) == _named(joined)
    assert together.hashes.tolist() == joined.hashes.tolist()


def test_long_texts_are_split_in_batches_that_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"value number {n % 700} of {n}" for n in range(2_000)]
    whole = _named(words.split(texts))
    monkeypatch.setattr(words, "_BATCH", 1_000)
    assert _named(words.split(texts)) == whole


def test_the_hash_of_a_word_is_the_same_alone_and_among_many() -> None:
    texts = ["a", "eight888", "nine99999", "x" * 100, "é"]
    split = words.split(texts)
    assert [split.hashes[n] for n in split.numbers] == [words.word_hash(words.fold(text)) for text in texts]


def test_words_that_share_a_hash_are_still_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_mixed", lambda value: value)  # then blocks in another order have the same hash
    texts = [f"{a:08}{b:08} short" for a in range(8) for b in range(8) if a != b]
    split = words.split(texts)
    assert _named(split) == [word for text in texts for word in words.tokens(text)]
    lists, pairs = postings.invert(split)
    bucket = dict(postings.encode(split, lists, pairs, 0))[0]
    for number, text in enumerate(texts):
        found = postings.find(bucket, words.tokens(text)[0].encode(), pairs.width)
        assert found is not None
        assert found[0].tolist() == [number]


def _named(split: words.Words) -> list[str]:
    ends = split.starts + split.sizes
    distinct = [split.content[a:b].tobytes().decode() for a, b in zip(split.starts, ends, strict=True)]
    return [distinct[n] for n in split.numbers]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text("ab é", max_size=14), max_size=40), st.integers(0, 4))
def test_every_posting_comes_back_from_its_bucket(texts: list[str], bits: int) -> None:
    _check(texts, bits)


def test_lists_of_every_width_come_back() -> None:
    """Gaps under 255, under 65,535 and above, with exceptions; more than 256 pairs of frequency and length."""
    every = [
        "x" + " y" * (n % 3 == 0) + " mid" * (n % 700 == 1) + " far" * (n in (5, 90_000, 90_001)) for n in range(90_002)
    ]
    _check(every, 1)
    _check([" ".join("abcdefgh"[: n % 9] * (n % 41)) for n in range(1_000)], 2)


def _check(texts: list[str], bits: int) -> None:
    split = words.split(texts)
    lists, pairs = postings.invert(split)
    assert postings.Pairs.unpack(pairs.pack()).times.tolist() == pairs.times.tolist()
    buckets = dict(postings.encode(split, lists, pairs, bits))
    expected: dict[str, list[tuple[int, int, int]]] = {}
    for number, text in enumerate(texts):
        found = words.tokens(text)
        for word in set(found):
            expected.setdefault(word, []).append((number, found.count(word), len(found)))
    for word, held in expected.items():
        bucket = buckets[words.word_hash(word) >> 64 - bits if bits else 0]
        values, codes = postings.find(bucket, word.encode(), pairs.width) or ([], [])
        got = zip(values, pairs.times[codes], pairs.lengths[codes], strict=True)
        assert [(int(v), int(t), int(n)) for v, t, n in got] == held
    for bucket in buckets.values():
        assert postings.find(bucket, b"nosuchword", pairs.width) is None
