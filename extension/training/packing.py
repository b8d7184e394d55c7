"""Texts as rows of tokens: prompts that begin alike are written once, and their ends stand behind each other.

A row holds several documents. A document is a beginning and the ends that go on from it; each end sees the beginning
and itself, at the places that it has when it stands alone, so that what is learned is what is learned from each text
for itself, for a fraction of the tokens.
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
# A common beginning is worth a document when it has so many characters.
_ALIKE = 100


@dataclass(frozen=True)
class Piece:
    """A document: the tokens of its beginning, and of each end the tokens and how many of them are the reply's."""

    beginning: list[int]
    ends: list[tuple[list[int], int]]

    def __len__(self) -> int:
        return len(self.beginning) + sum(len(end) for end, _ in self.ends)


@dataclass
class Row:
    """`length` tokens as arrays of int32: the tokens, the next token of each or -1 where there is none, their places.

    `replies` is 1 where the next token is a reply's. `document` and `part` say what each sees: tokens before it of its
    document and of part 0 or its own part.
    """

    tokens: np.ndarray
    targets: np.ndarray
    replies: np.ndarray
    places: np.ndarray
    document: np.ndarray
    part: np.ndarray


def pieces(texts: Sequence[Text], tokenizer: Tokenizer, longest: int) -> Iterator[Piece]:
    """The documents of a group's texts; what is longer than `longest` tokens is left out."""
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
    common = _common([text.prompt for text in texts])
    # Cut where a line ends: what the tokenizer parts there it parts in the whole prompt too.
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
    """What all begin with: what the first and the last in order begin with."""
    first, last = min(texts), max(texts)
    return first[: next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]


def _end(text: Text, tokenizer: Tokenizer, cut: int) -> tuple[list[int], int]:
    prompt = tokenizer.encode(text.prompt[cut:]).ids
    reply = [*tokenizer.encode(text.reply).ids, END]
    return [*prompt, *reply], len(reply)


def rows(corpus: Corpus, tokenizer: Tokenizer, length: int, first: int = 0, step: int = 1) -> Iterator[tuple[int, Row]]:
    """Rows without end, each with the number of the group that comes after it; groups `first`, `first + step`, …"""
    waiting: list[Piece] = []
    number = first
    while True:
        while sum(map(len, waiting)) < 2 * length:
            waiting += pieces(corpus.group(number).texts, tokenizer, length)
            number += step
        yield number, _row(_filling(waiting, length), length)


def _filling(waiting: list[Piece], length: int) -> list[Piece]:
    """Documents taken from those that wait, the first first, as many as fit."""
    taken: list[Piece] = []
    left = length
    for piece in list(waiting):
        if len(piece) <= left:
            taken.append(piece)
            waiting.remove(piece)
            left -= len(piece)
    return taken


def _row(documents: Sequence[Piece], length: int) -> Row:
    row = Row(*(np.full(length, fill, np.int32) for fill in (END, -1, 0, 0, -1, 0)))
    at = 0
    for number, piece in enumerate(documents):
        at = _write(row, at, piece.beginning, 0, number, 0, 0)
        for part, (end, reply) in enumerate(piece.ends, 1):
            at = _write(row, at, end, len(piece.beginning), number, part, reply)
    return row


def _write(row: Row, at: int, tokens: list[int], place: int, document: int, part: int, reply: int) -> int:
    if not tokens:
        return at
    many = len(tokens)
    here = slice(at, at + many)
    row.tokens[here] = tokens
    row.places[here] = np.arange(place, place + many)
    row.document[here], row.part[here] = document, part
    row.targets[at : at + many - 1] = tokens[1:]
    if reply:
        # The token before the reply's first predicts that one.
        row.replies[at + many - reply - 1 : at + many - 1] = 1
    return at + many
