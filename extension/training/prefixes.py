"""Pack texts that begin alike: their common beginning is read once, and each of them goes on from there.

A pack is one sequence of tokens: the beginning, then the endings one after the other. Each ending attends to the
beginning and to itself, at the positions that it would have alone, so that a model learns from it what it would learn
from each text alone, for a fraction of the tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import torch

Encoded = tuple[list[int], list[int]]  # the tokens of a text, and for each the one to predict, or -100


@dataclass
class Pack:
    """The first `shared` tokens and targets, and the endings that go on from them."""

    shared: int
    first: Encoded
    endings: list[Encoded] = field(default_factory=list)

    def __len__(self) -> int:
        return self.shared + sum(len(tokens) for tokens, _ in self.endings)

    def seen(self, device: torch.device) -> torch.Tensor:
        """Return which tokens (columns) each token (rows) attends to, of shape (1, 1, length, length).

        They are those of the beginning, and those of its own ending up to itself.
        """
        spans = [self.shared, *(len(tokens) for tokens, _ in self.endings)]
        span = torch.repeat_interleave(torch.tensor(spans, device=device))  # the number of each token's span
        alike = (span == 0) | (span[:, None] == span)
        return alike.tril()[None, None]

    def tensors(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return tokens, positions and targets, each of shape (1, length)."""
        tokens, targets = (list(one[: self.shared]) for one in self.first)
        places = list(range(self.shared))
        for ending, labels in self.endings:
            tokens += ending
            targets += labels
            places += range(self.shared, self.shared + len(ending))
        return torch.tensor([tokens]), torch.tensor([places]), torch.tensor([targets])


def packs(texts: Iterable[Encoded], longest: int, least: int = 64) -> Iterator[Pack]:
    """Yield packs of at most `longest` tokens, of texts in a row that share their first `least` tokens at least.

    Only tokens before the reply are shared. A text longer than that has a pack of its own.
    """
    waiting: list[Encoded] = []
    for text in texts:
        several = [*waiting, text]
        shared = _shared(several)
        if waiting and (shared < least or shared + sum(len(t) - shared for t, _ in several) > longest):
            yield _pack(waiting)
            several = [text]
        waiting = several
    if waiting:
        yield _pack(waiting)


def _shared(texts: Sequence[Encoded]) -> int:
    """Return how many tokens all texts share; at least one token of each stands behind them."""
    (first, targets), *others = texts
    prompt = next((at for at, target in enumerate(targets) if target >= 0), len(first) - 1)
    most = min(prompt, *(len(tokens) - 1 for tokens, _ in texts))
    for tokens, _ in others:
        most = next((at for at in range(most) if tokens[at] != first[at]), most)
    return most


def _pack(texts: Sequence[Encoded]) -> Pack:
    shared = _shared(texts)
    return Pack(shared, texts[0], [(tokens[shared:], targets[shared:]) for tokens, targets in texts])
