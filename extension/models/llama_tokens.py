"""The vocabulary as a tree, so that a grammar looks only at tokens that it may allow.

A token that begins with one the grammar refuses is refused as well. So the grammar is asked about the shortest tokens,
then about those that go on from the ones it allows: some hundred of a hundred thousand, where SQL is about to go on.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]


class Tree:
    """Each token below the longest other one that it begins with.

    `pieces` are the bytes of each token, `ends` the tokens that end a reply, whatever their bytes: these are asked
    about each time. `has` says of each token whether it is in the tree: those that stand for no text are not, since
    llama.cpp holds their names against a grammar, nor those with a zero byte, of which it looks at what is before it.
    """

    def __init__(self, pieces: list[bytes], ends: list[int]) -> None:
        apart = set(ends)
        texts = {t: piece for t, piece in enumerate(pieces) if piece and b"\0" not in piece and t not in apart}
        # What ends within a character has none below it: llama.cpp refuses the first byte of é and of è where a
        # grammar says [^é], but not è itself.
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
        """All tokens that are allowed, where `among` gives those of some tokens that are."""
        found = [among(self._first)]
        while (below := self._below(found[-1])).size:
            found.append(among(below))
        return np.concatenate(found)

    def _below(self, tokens: Ids) -> Ids:
        starts, ends = self._starts[tokens], self._starts[tokens + 1]
        counts = ends - starts
        # Slices one after the other: each index is its slice's start, and how far it is from there.
        indexes = np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        below: Ids = self._children[indexes]
        return below


def _parent(piece: bytes, whole: dict[bytes, int], root: int) -> int:
    """The token of the longest text that a piece begins with, but for the piece itself."""
    return next((whole[piece[:end]] for end in range(len(piece) - 1, 0, -1) if piece[:end] in whole), root)


def _is_whole(piece: bytes) -> bool:
    """Whether a piece begins and ends with a character."""
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True
