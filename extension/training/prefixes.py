"""Pack texts that begin alike: their common beginning is read once, and each of them goes on from there.

A pack is one sequence of tokens: the beginning, then the endings one after the other. Each ending attends to the
beginning and to itself, at the positions that it would have alone, so that a model learns from it what it would learn
from each text alone, for a fraction of the tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

# By this name transformers finds `attention`.
ATTENTION = "askwhere_shared_prefix"
Encoded = tuple[list[int], list[int]]  # the tokens of a text, and for each the one to predict, or -100


@dataclass
class Pack:
    """The first `shared` tokens and targets, and the endings that go on from them."""

    shared: int
    first: Encoded
    endings: list[Encoded] = field(default_factory=list)

    def __len__(self) -> int:
        return self.shared + sum(len(tokens) for tokens, _ in self.endings)

    @property
    def spans(self) -> list[int]:
        """Return the lengths of the beginning and of each ending."""
        return [self.shared, *(len(tokens) for tokens, _ in self.endings)]

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


def attention(
    module: Any, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: Any, scaling: float,
    spans: Sequence[int] = (), **_: Any,
) -> tuple[torch.Tensor, None]:  # fmt: skip
    """Return what each token of a pack sees, of shape (1, length, heads, width), as transformers' models call it.

    Query, key and value have the shape (1, heads, length, width), with fewer heads of keys than of queries.
    `spans` are the lengths of the pack's beginning and endings.
    """
    heads, width = key.shape[1], query.shape[-1]
    # Queries that share a head of keys go through one product.
    grouped = query[0].reshape(heads, -1, query.shape[2], width)
    seen, at, begun = [], 0, spans[0]
    for number, length in enumerate(spans):
        here = slice(at, at + length)
        keys, values = key[0, :, here], value[0, :, here]
        if number:
            keys, values = torch.cat((key[0, :, :begun], keys), 1), torch.cat((value[0, :, :begun], values), 1)
        seen.append(_attended(grouped[:, :, here], keys, values, scaling))
        at += length
    found = torch.cat(seen, 2).reshape(1, query.shape[1], query.shape[2], -1)
    return found.transpose(1, 2).contiguous(), None


def _attended(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scaling: float) -> torch.Tensor:
    """Return what the last tokens of a text see: each all before it and itself."""
    heads, many, length, _ = query.shape
    scores = (query.reshape(heads, many * length, -1) * scaling) @ key.transpose(1, 2)
    before = torch.ones(length, key.shape[1], dtype=torch.bool).tril(key.shape[1] - length)
    scores = scores.view(heads, many, length, -1).masked_fill(~before, float("-inf"))
    shares = scores.softmax(-1).view(heads, many * length, -1)
    return (shares @ value).view(heads, many, length, -1)
