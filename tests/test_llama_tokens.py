"""The vocabulary as a tree: it finds what asking about every token finds, and asks about fewer."""

from __future__ import annotations

import numpy as np
from askwhere.models.llama_tokens import Ids, TokenTrie
from hypothesis import given
from hypothesis import strategies as st

PIECES = st.lists(st.text("abé", max_size=4).map(str.encode) | st.binary(max_size=3), min_size=1, max_size=40)
TEXTS = st.lists(st.text("abé", max_size=8).map(str.encode), max_size=5)


class Judge:
    """Allows what one of some texts begins with, and the end; remembers what it was asked about."""

    def __init__(self, pieces: list[bytes], ends: list[int], texts: list[bytes]) -> None:
        self._pieces, self._ends, self._texts = pieces, ends, texts
        self.asked: list[int] = []

    def among(self, tokens: Ids) -> Ids:
        self.asked += tokens.tolist()
        return np.array([token for token in tokens if self._allows(token)], np.int32)

    def _allows(self, token: int) -> bool:
        piece = self._pieces[token]
        return token in self._ends or any(text.startswith(piece) for text in self._texts)


@given(pieces=PIECES, texts=TEXTS, some=st.data())
def test_a_tree_finds_what_the_whole_vocabulary_holds(
    pieces: list[bytes], texts: list[bytes], some: st.DataObject
) -> None:
    ends = some.draw(st.lists(st.integers(0, len(pieces) - 1), unique=True, max_size=2))
    tree, judge = TokenTrie(pieces, ends), Judge(pieces, ends, texts)
    found = tree.allowed(judge.among)
    assert len(judge.asked) == len(set(judge.asked))
    assert sorted(found) == list(judge.among(np.flatnonzero(tree.has).astype(np.int32)))


@given(pieces=PIECES)
def test_a_tree_has_each_token_once_that_stands_for_text(pieces: list[bytes]) -> None:
    texts = [token for token, piece in enumerate(pieces) if piece and b"\0" not in piece]
    assert list(np.flatnonzero(TokenTrie(pieces, []).has)) == texts
    assert list(np.flatnonzero(TokenTrie(pieces, [0]).has)) == sorted({0, *texts})


def test_what_goes_on_from_a_refused_token_is_not_asked_about() -> None:
    pieces = [b"a", b"ab", b"abc", b"b", b"bc", b"bcd", b"abcd", b"c"]
    judge = Judge(pieces, [], [b"ab"])
    assert sorted(TokenTrie(pieces, []).allowed(judge.among)) == [0, 1]
    assert sorted(judge.asked) == [0, 1, 2, 3, 7]


def test_what_goes_on_from_a_token_that_ends_a_reply_is_asked_about_all_the_same() -> None:
    pieces = [b"<end>", b"<end>x"]
    assert list(TokenTrie(pieces, [0]).allowed(lambda tokens: tokens[tokens == 1])) == [1]


def test_what_goes_on_from_a_part_of_a_character_is_asked_about_all_the_same() -> None:
    pieces = [b"\xc3", "è".encode(), "èa".encode()]
    assert sorted(TokenTrie(pieces, []).allowed(lambda tokens: tokens[tokens > 0])) == [1, 2]


def test_a_vocabulary_without_text_is_a_tree_too() -> None:
    assert TokenTrie([b"", b""], []).allowed(lambda tokens: tokens).size == 0
    assert list(TokenTrie([b"", b""], [1]).allowed(lambda tokens: tokens)) == [1]
