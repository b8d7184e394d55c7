"""Pack texts with a common prefix into one sequence, in which the prefix stands once.

A pack is the prefix, then the endings one after the other. Each ending attends to the prefix and to itself, and its
tokens have the positions of the unpacked text. So a model learns the same from a pack as from the separate texts, but
evaluates a fraction of the tokens.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

import torch
from askwhere.frozen import frozen

Encoded = tuple[list[int], list[int]]  # the tokens of a text, and for each the one to predict, or -100


@dataclass
class Pack:
    """A prefix, the first `shared` tokens and targets of `first`, and the endings that follow it."""

    shared: int
    first: Encoded
    endings: list[Encoded] = field(default_factory=list)

    def __len__(self) -> int:
        return self.shared + sum(len(tokens) for tokens, _ in self.endings)

    @property
    def spans(self) -> list[int]:
        """Return the lengths of the prefix and of each ending."""
        return [self.shared, *(len(tokens) for tokens, _ in self.endings)]

    def lists(self) -> tuple[list[int], list[int], list[int]]:
        """Return tokens, positions and targets, each as long as the pack."""
        tokens, targets = (list(sequence[: self.shared]) for sequence in self.first)
        places = list(range(self.shared))
        for ending, labels in self.endings:
            tokens += ending
            targets += labels
            places += range(self.shared, self.shared + len(ending))
        return tokens, places, targets


@frozen
class Joined:
    """Packs one after the other as tensors of shape (1, length); no pack attends to another.

    `seen` is the attention mask, of shape (1, 1, length, length): a token (row) attends to tokens (columns) of its own
    pack, those of the prefix and those of its own ending up to itself.
    """

    tokens: torch.Tensor
    places: torch.Tensor
    targets: torch.Tensor
    seen: torch.Tensor


def joined(packs: Collection[Pack], device: torch.device) -> Joined:
    """Return packs as one sequence on a device."""
    lists = zip(*(pack.lists() for pack in packs), strict=True)
    tokens, places, targets = (torch.tensor([[*chain(*several)]], device=device) for several in lists)
    lengths = torch.tensor([len(pack) for pack in packs], device=device)
    pack = torch.repeat_interleave(lengths)  # the number of each token's pack
    spans = [(number, length) for pack in packs for number, length in enumerate(pack.spans)]
    number, length = torch.tensor(spans, device=device).T
    span = torch.repeat_interleave(number, length)  # the number of each token's span in its pack
    visible = (pack[:, None] == pack) & ((span == 0) | (span[:, None] == span))
    return Joined(tokens, places, targets, visible.tril()[None, None])


LEAST = 64  # tokens of a common prefix


def packs(texts: Iterable[Encoded], longest: int) -> Iterator[Pack]:
    """Yield packs of at most `longest` tokens, of consecutive texts whose common prefix has at least `LEAST` tokens.

    The prefix ends before the reply. A text of more than `longest` tokens is a pack of its own.
    """
    waiting: list[Encoded] = []
    for text in texts:
        several = [*waiting, text]
        shared = _shared(several)
        if waiting and (shared < LEAST or shared + sum(len(t) - shared for t, _ in several) > longest):
            yield _pack(waiting)
            several = [text]
        waiting = several
    if waiting:
        yield _pack(waiting)


def _shared(texts: Collection[Encoded]) -> int:
    """Return the length of the common prefix; at least one token of each text follows it."""
    (first, targets), *others = texts
    prompt = next((at for at, target in enumerate(targets) if target >= 0), len(first) - 1)
    most = min(prompt, *(len(tokens) - 1 for tokens, _ in texts))
    for tokens, _ in others:
        most = next((at for at in range(most) if tokens[at] != first[at]), most)
    return most


def _pack(texts: list[Encoded]) -> Pack:
    shared = _shared(texts)
    return Pack(shared, texts[0], [(tokens[shared:], targets[shared:]) for tokens, targets in texts])
