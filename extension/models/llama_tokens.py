"""Arrange the vocabulary as a tree, so that a grammar is asked only about tokens that it may allow.

A token whose bytes begin with a refused token's is refused as well. So the grammar is asked about the shortest tokens,
then about those that extend the allowed ones: a few hundred of a hundred thousand.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]


class TokenTrie:
    """A tree in which each token is below the longest other token that it begins with.

    `pieces` are the bytes of each token; `ends` are the tokens that end a reply, which are always asked about. `has`
    tells for each token whether it is in the tree. Control tokens are not, since llama.cpp would match their names
    against the grammar; nor are tokens with a zero byte, of which it sees only the bytes before it.
    """

    def __init__(self, pieces: list[bytes], ends: list[int]) -> None:
        ending = set(ends)
        texts = {t: piece for t, piece in enumerate(pieces) if piece and b"\0" not in piece and t not in ending}
        # A token that ends inside a character has no children: where a grammar says [^é], llama.cpp refuses the first
        # byte of é, which is also that of è, but not è itself.
        whole = {piece: token for token, piece in texts.items() if _is_whole(piece)}
        root = len(pieces)
        parents = np.array([_parent(piece, whole, root) for piece in texts.values()], np.int32)
        order = np.argsort(parents, kind="stable")
        self._children = np.array(list(texts), np.int32)[order]
        # The children of token t stand at _starts[t] up to _starts[t + 1], the shortest tokens of all after the rest.
        self._starts = np.searchsorted(parents[order], np.arange(root + 2))
        self._first = np.concatenate([np.array(ends, np.int32), self._below(np.array([root], np.int32))])
        self.has = np.zeros(root, bool)
        self.has[ends], self.has[self._children] = True, True

    def allowed(self, among: Callable[[Ids], Ids]) -> Ids:
        """Return all tokens that are allowed; `among` returns the allowed ones of some tokens."""
        parts = [among(self._first)]
        while (below := self._below(parts[-1])).size:
            parts.append(among(below))
        return np.concatenate(parts)

    def _below(self, tokens: Ids) -> Ids:
        """Return the children of tokens."""
        starts, ends = self._starts[tokens], self._starts[tokens + 1]
        counts = ends - starts
        # The children are slices of one array: each index is its slice's start plus its place in the slice.
        indexes = np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        below: Ids = self._children[indexes]
        return below


def _parent(piece: bytes, whole: dict[bytes, int], root: int) -> int:
    """Return the token of the longest proper prefix of a piece that is a token, or `root`."""
    return next((whole[piece[:end]] for end in range(len(piece) - 1, 0, -1) if piece[:end] in whole), root)


def _is_whole(piece: bytes) -> bool:
    """Return whether a piece consists of whole characters."""
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True
