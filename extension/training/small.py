"""The small model: a decoder-only transformer in Llama's architecture, which llama.cpp runs as it is.

RMS norm before each part, rotary places in llama.cpp's own order of pairs, gated SiLU; embeddings serve as the output.
Touvron et al., "LLaMA: Open and Efficient Foundation Language Models", section 2.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Shape:
    """How large a model is."""

    vocabulary: int
    width: int
    layers: int
    heads: int
    hidden: int
    base: float = 10_000.0  # of the rotary places

    @property
    def parameters(self) -> int:
        """How many numbers it has."""
        layer = 4 * self.width**2 + 3 * self.width * self.hidden + 2 * self.width
        return self.vocabulary * self.width + self.layers * layer + self.width

    def flops(self, length: int) -> float:
        """Operations for a token of training in rows of that length, forward and backward: 6 N + 6 layers length width.

        Kaplan et al., "Scaling Laws for Neural Language Models", section 2.1; half of the attention is masked.
        """
        return 6.0 * self.parameters + 6.0 * self.layers * length * self.width


SHAPES = {
    "5M": Shape(4_096, 256, 6, 4, 704),
    "30M": Shape(8_192, 512, 8, 8, 1_408),
    "tiny": Shape(512, 64, 2, 2, 192),
}


class Small(nn.Module):
    """The model. `forward` gives the loss over the targets, or the scores of every token where there are none."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        layers = [_Layer(shape) for _ in range(shape.layers)]
        self.layers = nn.ModuleList(layers)
        self.norm = nn.RMSNorm(shape.width, eps=1e-5)
        self.apply(_begin)
        for layer in layers:
            for last in (layer.output, layer.down):
                nn.init.normal_(last.weight, std=0.02 / (2 * shape.layers) ** 0.5)

    def forward(
        self, tokens: Tensor, places: Tensor, sees: Any, targets: Tensor | None = None, weights: Tensor | None = None
    ) -> Tensor:
        """`tokens`, `places`, `targets` and their `weights` are (rows, length); `sees` is `Documents` or a block mask.

        Targets of no weight are not looked at.
        """
        turn = _turn(places, self.shape)
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x, turn, sees)
        x = self.norm(x)
        if targets is None or weights is None:
            return functional.linear(x, self.embedding.weight)
        learned = weights > 0
        scores = functional.linear(x[learned], self.embedding.weight).float()
        losses = functional.cross_entropy(scores, targets[learned].long(), reduction="none")
        return (losses * weights[learned]).sum() / weights.sum()


class _Layer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.attention_norm = nn.RMSNorm(shape.width, eps=1e-5)
        self.query = nn.Linear(shape.width, shape.width, bias=False)
        self.key = nn.Linear(shape.width, shape.width, bias=False)
        self.value = nn.Linear(shape.width, shape.width, bias=False)
        self.output = nn.Linear(shape.width, shape.width, bias=False)
        self.norm = nn.RMSNorm(shape.width, eps=1e-5)
        self.gate = nn.Linear(shape.width, shape.hidden, bias=False)
        self.up = nn.Linear(shape.width, shape.hidden, bias=False)
        self.down = nn.Linear(shape.hidden, shape.width, bias=False)

    def forward(self, x: Tensor, turn: tuple[Tensor, Tensor], sees: Any) -> Tensor:
        h = self.attention_norm(x)
        query, key, value = (self._parted(part(h)) for part in (self.query, self.key, self.value))
        attended = attention(_turned(query, turn), _turned(key, turn), value, sees)
        x = x + self.output(attended.transpose(1, 2).flatten(2))
        h = self.norm(x)
        x = x + self.down(functional.silu(self.gate(h)) * self.up(h))
        return x

    def _parted(self, x: Tensor) -> Tensor:
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)


@dataclass(frozen=True)
class Documents:
    """What each token sees, document by document: their lengths, and what is added to the scores of each.

    Rows stand behind each other. `biases` are (length, length): 0 where a token sees another, minus infinity elsewhere.
    """

    lengths: list[int]
    biases: list[Tensor]


def attention(query: Tensor, key: Tensor, value: Tensor, sees: Any) -> Tensor:
    """Attention among what each token sees: `Documents` anywhere, a block mask on a card."""
    if isinstance(sees, Documents):
        return _by_document(query, key, value, sees)
    from torch.nn.attention.flex_attention import flex_attention

    result = flex_attention(query, key, value, block_mask=sees)
    assert isinstance(result, Tensor)
    return result


# Tokens of a document whose scores are worked out at once: with so many, most of what comes later is never looked at.
_AT_ONCE = 512


def _by_document(query: Tensor, key: Tensor, value: Tensor, sees: Documents) -> Tensor:
    rows, heads, length, size = query.shape
    parts = [
        torch.split_with_sizes(x.transpose(0, 1).reshape(heads, rows * length, size), sees.lengths, 1)
        for x in (query, key, value)
    ]
    found = []
    for asked, keys, values, bias in zip(*parts, sees.biases, strict=True):
        for first in range(0, len(bias), _AT_ONCE):
            last = min(first + _AT_ONCE, len(bias))
            added = bias[first:last, :last].expand(heads, -1, -1)
            scores = torch.baddbmm(added, asked[:, first:last], keys[:, :last].transpose(1, 2), alpha=size**-0.5)
            found.append(torch.softmax(scores, -1) @ values[:, :last])
    return torch.cat(found, 1).view(heads, rows, length, size).transpose(0, 1)


def documents(document: Tensor, part: Tensor, kind: torch.dtype = torch.float32) -> Documents:
    """What each token sees: those before it and itself, of its document, in part 0 or in its own part.

    `document` and `part` are (rows, length); `kind` is the type that the model works in.
    """
    whole = (document + document.amax().add(2) * torch.arange(len(document))[:, None]).flatten()
    lengths: list[int] = torch.unique_consecutive(whole, return_counts=True)[1].tolist()
    return Documents(lengths, [_bias(own, kind) for own in torch.split_with_sizes(part.flatten(), lengths)])


def _bias(part: Tensor, kind: torch.dtype) -> Tensor:
    seen = ((part[None] == 0) | (part[:, None] == part[None])).tril()
    return torch.zeros(seen.shape, dtype=kind).masked_fill_(~seen, float("-inf"))


def block_mask(document: Tensor, part: Tensor) -> Any:
    """The same as `documents` by blocks, most of which are never looked at."""
    from torch.nn.attention.flex_attention import create_block_mask

    def sees(row: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        same = document[row, query] == document[row, key]
        return (query >= key) & same & ((part[row, key] == 0) | (part[row, query] == part[row, key]))

    rows, length = document.shape
    return create_block_mask(sees, rows, None, length, length, device=str(document.device))


def _begin(module: nn.Module) -> None:
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)


def _turn(places: Tensor, shape: Shape) -> tuple[Tensor, Tensor]:
    size = shape.width // shape.heads
    rates = shape.base ** (-torch.arange(0, size, 2, device=places.device).float() / size)
    angles = places[:, None, :, None].float() * rates
    return angles.cos(), angles.sin()


def _turned(x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """Rotary places on neighbouring pairs, as llama.cpp has them for this architecture."""
    cos, sin = (t.to(x.dtype) for t in turn)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)
