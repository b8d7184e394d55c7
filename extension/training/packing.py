"""Pack texts into rows of tokens; prompts with a common prefix share its tokens.

A row holds several documents. A document is a prefix and the endings that continue it. Each ending attends to the
prefix and to itself, at the positions it would have alone. So the model learns the same as from each text alone, from a
fraction of the tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from askwhere.training.corpus import Corpus
from askwhere.training.tasks import Text

if TYPE_CHECKING:
    from tokenizers import Tokenizer

END = 0  # the token that ends a reply
# Texts whose first characters, this many, are the same share a document.
_ALIKE = 100


@dataclass(frozen=True)
class Piece:
    """A document: the tokens of its prefix, and for each ending its tokens and how many of them are the reply's."""

    beginning: list[int]
    ends: list[tuple[list[int], int]]

    def __len__(self) -> int:
        return len(self.beginning) + sum(len(end) for end, _ in self.ends)


@dataclass
class Row:
    """A row of `length` tokens, as arrays of int32.

    `targets` is the next token, or -1 where there is none; `places` is the position for the rotary embedding; `replies`
    is 1 where the next token belongs to a reply. A token attends to the tokens before it with the same `document` whose
    `part` is 0 (the prefix) or its own.
    """

    tokens: np.ndarray
    targets: np.ndarray
    replies: np.ndarray
    places: np.ndarray
    document: np.ndarray
    part: np.ndarray


def pieces(texts: Sequence[Text], tokenizer: Tokenizer, longest: int) -> Iterator[Piece]:
    """Yield the documents of a group's texts; a text of more than `longest` tokens is left out."""
    head = max({text.prompt[:_ALIKE] for text in texts}, key=lambda h: sum(t.prompt.startswith(h) for t in texts))
    alike = [text for text in texts if text.prompt.startswith(head)]
    if len(alike) > 1:
        yield from _together(alike, tokenizer, longest)
    else:
        alike = []
    for text in texts:
        if text not in alike:
            piece = Piece([], [_end(text, tokenizer, 0)])
            if len(piece) <= longest:
                yield piece


def _together(texts: Sequence[Text], tokenizer: Tokenizer, longest: int) -> Iterator[Piece]:
    """Yield documents of texts with a common prefix, each of at most `longest` tokens."""
    common = _common([text.prompt for text in texts])
    # Cut where a line ends: the tokenizer joins nothing across it, so the tokens are those of the whole prompt.
    cut = common.rfind("\n#")
    beginning = tokenizer.encode(common[:cut]).ids if cut > 0 else []
    found = Piece(beginning, [])
    for text in texts:
        end = _end(text, tokenizer, max(cut, 0))
        if len(beginning) + len(end[0]) > longest:
            continue
        if len(found) + len(end[0]) > longest:
            yield found
            found = Piece(beginning, [])
        found.ends.append(end)
    if found.ends:
        yield found


def _common(texts: Sequence[str]) -> str:
    """Return the longest common prefix: that of the least and the greatest text."""
    first, last = min(texts), max(texts)
    return first[: next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]


def _end(text: Text, tokenizer: Tokenizer, cut: int) -> tuple[list[int], int]:
    """Return the tokens of a text behind its first `cut` characters, and how many of them are the reply's."""
    prompt = tokenizer.encode(text.prompt[cut:]).ids
    reply = [*tokenizer.encode(text.reply).ids, END]
    return [*prompt, *reply], len(reply)


def rows(corpus: Corpus, tokenizer: Tokenizer, length: int, first: int = 0, step: int = 1) -> Iterator[tuple[int, Row]]:
    """Yield rows without end, each with the number of the next group.

    The groups are `first`, `first + step`, and so on.
    """
    waiting: list[Piece] = []
    number = first
    while True:
        while sum(map(len, waiting)) < 2 * length:
            waiting += pieces(corpus.group(number).texts, tokenizer, length)
            number += step
        yield number, _row(_filling(waiting, length), length)


def _filling(waiting: list[Piece], length: int) -> list[Piece]:
    """Take documents from the front of those that wait, as many as fit into `length` tokens."""
    taken: list[Piece] = []
    left = length
    for piece in list(waiting):
        if len(piece) <= left:
            taken.append(piece)
            waiting.remove(piece)
            left -= len(piece)
    return taken


def _row(documents: Sequence[Piece], length: int) -> Row:
    """Write documents into a row, one after the other."""
    row = Row(*(np.full(length, fill, np.int32) for fill in (END, -1, 0, 0, -1, 0)))
    at = 0
    for number, piece in enumerate(documents):
        at = _write(row, at, piece.beginning, 0, number, 0, 0)
        for part, (end, reply) in enumerate(piece.ends, 1):
            at = _write(row, at, end, len(piece.beginning), number, part, reply)
    return row


def _write(row: Row, at: int, tokens: list[int], place: int, document: int, part: int, reply: int) -> int:
    """Write tokens into a row at `at`, and return the place behind them.

    `place` is the position of the first token; the last `reply` tokens are a reply.
    """
    if not tokens:
        return at
    count = len(tokens)
    here = slice(at, at + count)
    row.tokens[here] = tokens
    row.places[here] = np.arange(place, place + count)
    row.document[here], row.part[here] = document, part
    row.targets[at : at + count - 1] = tokens[1:]
    if reply:
        # The token before the reply predicts the reply's first token.
        row.replies[at + count - reply - 1 : at + count - 1] = 1
    return at + count
