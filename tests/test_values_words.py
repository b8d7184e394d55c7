"""Words: the same rule for one text and for many, folding, and words told apart by content."""

from __future__ import annotations

import struct
import tracemalloc

import pytest
from askwhere.indexer import postings, words
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.slow

TEXTS = st.lists(st.text(max_size=30) | st.text("ab éß-\x1f ", max_size=30), max_size=30)


def split(texts: list[str]) -> words.Texts:
    encoded, separators = words.concatenated(texts)
    return words.split([words.folded(texts, encoded, len(separators))])


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


@pytest.mark.slow
@settings(max_examples=300)
@given(TEXTS)
def test_many_texts_are_split_as_each_alone(texts: list[str]) -> None:
    found = split(texts)
    alone = [words.tokens(text) for text in texts]
    assert found.lengths.tolist() == [len(own) for own in alone]
    assert _named(found.words) == [word for own in alone for word in own]


@settings(max_examples=100)
@given(TEXTS, TEXTS)
def test_parts_are_split_as_if_they_were_one(first: list[str], second: list[str]) -> None:
    parts = []
    for texts in (first, second):
        encoded, separators = words.concatenated(texts)
        parts.append(words.folded(texts, encoded, len(separators)))
    together, in_parts = split(first + second), words.split(parts)
    assert parts == []  # their memory is free
    assert in_parts.lengths.tolist() == together.lengths.tolist()
    assert _named(together.words) == _named(in_parts.words)
    assert together.words.hashes.tolist() == in_parts.words.hashes.tolist()


def test_long_texts_are_split_in_batches_that_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"value number {n % 700} of {n}" for n in range(2_000)]
    whole = _named(split(texts).words)
    monkeypatch.setattr(words, "_BATCH", 1_000)
    assert _named(split(texts).words) == whole


def test_the_hash_of_a_word_is_the_same_alone_and_among_many() -> None:
    texts = ["a", "eight888", "nine99999", "x" * 100, "é"]
    assert split(texts).words.hashes.tolist() == words.word_hashes(words.fold(text) for text in texts)


@settings(max_examples=100)
@given(st.lists(st.integers(0, 3), max_size=60), st.sampled_from([words._PART, 7]))
def test_words_that_share_a_hash_or_its_beginning_are_told_apart(drawn: list[int], part: int) -> None:
    """Nothing is mixed here: the four differ in their second block, in its last byte, or in their first."""
    names = ["0000000100000002", "0000000200000001", "0000000100000003", "short"]
    texts = [names[n] for n in drawn]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "_mixed", lambda value: value)  # then blocks in another order have the same hash
        patch.setattr(words, "_PART", part)
        found, lists, pairs = postings.invert(split(texts))
    assert sorted(_named(found)) == sorted(set(texts))
    bucket = dict(postings.encode(found, lists, pairs, 0)).get(0, b"")
    for text in set(texts):
        held = postings.find(bucket, text.encode(), pairs.width)
        assert held is not None
        assert held[0].tolist() == [n for n, other in enumerate(texts) if other == text]


def _named(found: words.Words) -> list[str]:
    return [found.content[start:end].tobytes().decode() for start, end in found.spans.tolist()]


@settings(max_examples=200)
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
    found_words, lists, pairs = postings.invert(split(texts))
    assert postings.Pairs.unpack(pairs.pack()).times.tolist() == pairs.times.tolist()
    buckets = dict(postings.encode(found_words, lists, pairs, bits))
    expected: dict[str, list[tuple[int, int, int]]] = {}
    for number, text in enumerate(texts):
        found = words.tokens(text)
        for word in set(found):
            expected.setdefault(word, []).append((number, found.count(word), len(found)))
    for word, held in expected.items():
        bucket = buckets[words.word_hashes([word])[0] >> 64 - bits if bits else 0]
        values, codes = postings.find(bucket, word.encode(), pairs.width) or ([], [])
        got = zip(values, pairs.times[codes], pairs.lengths[codes], strict=True)
        assert [(int(v), int(t), int(n)) for v, t, n in got] == held
    for bucket in buckets.values():
        assert postings.find(bucket, b"nosuchword", pairs.width) is None


@pytest.mark.parametrize(("width", "large"), [(0, 1), (0, 2**30 - 2), (1, 1), (2, 1)])
def test_a_bucket_that_says_more_than_it_has_takes_no_memory(width: int, large: int) -> None:
    text = b"\0canada\0"
    head = struct.pack("<II", 1, len(text)) + text + struct.pack("<III", 2**30 - 1 | width << 30, large, 0)
    tracemalloc.start()
    with pytest.raises(ValueError, match="buffer"):
        postings.find(head + bytes(64), b"canada", 1)
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < 1_000_000
