"""Define the small model: a decoder-only transformer in Llama's architecture, which llama.cpp runs unchanged.

It has RMS norm before each block, rotary position embeddings in llama.cpp's order of pairs, and gated SiLU; the
embeddings also serve as output weights (Touvron et al., "LLaMA: Open and Efficient Foundation Language Models", section
2.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Shape:
    """The size of a model: vocabulary in tokens, width, layers, attention heads, feed-forward width (`hidden`)."""

    vocabulary: int
    width: int
    layers: int
    heads: int
    hidden: int
    base: float = 10_000.0  # of the rotary position embeddings

    @property
    def parameters(self) -> int:
        """Return the number of parameters."""
        layer = 4 * self.width**2 + 3 * self.width * self.hidden + 2 * self.width
        return self.vocabulary * self.width + self.layers * layer + self.width

    def flops(self, length: int) -> float:
        """Return the operations for training on one token in rows of `length` tokens, forward and backward.

        This is 6 N + 6 layers length width, where N is the number of parameters (Kaplan et al., "Scaling Laws for
        Neural Language Models", section 2.1); half of the attention is masked.
        """
        return 6.0 * self.parameters + 6.0 * self.layers * length * self.width


SHAPES = {
    "5M": Shape(4_096, 256, 6, 4, 704),
    "30M": Shape(8_192, 512, 8, 8, 1_408),
    "tiny": Shape(512, 64, 2, 2, 192),
}


class Small(nn.Module):
    """The model. `forward` returns the loss over the targets, or the logits of every token without targets."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        layers = [_Layer(shape) for _ in range(shape.layers)]
        self.layers = nn.ModuleList(layers)
        self.norm = nn.RMSNorm(shape.width, eps=1e-5)
        self.apply(_begin)
        # The weights that add to the residual stream are smaller the more layers add to it, as in GPT-2.
        for layer in layers:
            for last in (layer.output, layer.down):
                nn.init.normal_(last.weight, std=0.02 / (2 * shape.layers) ** 0.5)

    def forward(
        self, tokens: Tensor, places: Tensor, mask: Any, targets: Tensor | None = None, weights: Tensor | None = None
    ) -> Tensor:
        """Run the model. `tokens`, `places` and `targets` with their `weights` are (rows, length).

        `mask` is `Documents` or a block mask of flex attention. Targets of weight 0 are skipped. Returns the weighted
        mean loss, or logits of shape (rows, length, vocabulary).
        """
        turn = _turn(places, self.shape)
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x, turn, mask)
        x = self.norm(x)
        if targets is None or weights is None:
            return functional.linear(x, self.embedding.weight)
        learned = weights > 0
        scores = functional.linear(x[learned], self.embedding.weight).float()
        losses = functional.cross_entropy(scores, targets[learned].long(), reduction="none")
        return (losses * weights[learned]).sum() / weights.sum()


class _Layer(nn.Module):
    """One layer of the transformer: attention and a gated feed-forward block."""

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

    def forward(self, x: Tensor, turn: tuple[Tensor, Tensor], mask: Any) -> Tensor:
        """Return the layer's output for `x`, which is (rows, length, width).

        `turn` are the cosines and sines of the rotary positions, `mask` is that of `attention`.
        """
        h = self.attention_norm(x)
        query, key, value = (self._parted(part(h)) for part in (self.query, self.key, self.value))
        attended = attention(_turned(query, turn), _turned(key, turn), value, mask)
        x = x + self.output(attended.transpose(1, 2).flatten(2))
        h = self.norm(x)
        x = x + self.down(functional.silu(self.gate(h)) * self.up(h))
        return x

    def _parted(self, x: Tensor) -> Tensor:
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)


@dataclass(frozen=True)
class Documents:
    """The attention masks of rows, document by document, with rows one behind the other.

    `lengths` are the documents' lengths in tokens. `biases` are added to the attention scores; each is (length,
    length), 0 where a token attends to another and minus infinity elsewhere.
    """

    lengths: list[int]
    biases: list[Tensor]


def attention(query: Tensor, key: Tensor, value: Tensor, mask: Any) -> Tensor:
    """Return attention within the mask: `Documents` on any device, a block mask on a GPU."""
    if isinstance(mask, Documents):
        return _by_document(query, key, value, mask)
    from torch.nn.attention.flex_attention import flex_attention

    result = flex_attention(query, key, value, block_mask=mask)
    assert isinstance(result, Tensor)
    return result


# The tokens of a document whose attention scores are computed at once. Scores with tokens after the last of them are
# masked, and are never computed.
_AT_ONCE = 512


def _by_document(query: Tensor, key: Tensor, value: Tensor, mask: Documents) -> Tensor:
    """Return attention computed for each document by itself. Tensors are (rows, heads, length, size of a head)."""
    rows, heads, length, size = query.shape
    parts = [
        torch.split_with_sizes(x.transpose(0, 1).reshape(heads, rows * length, size), mask.lengths, 1)
        for x in (query, key, value)
    ]
    found = []
    for queries, keys, values, bias in zip(*parts, mask.biases, strict=True):
        for first in range(0, len(bias), _AT_ONCE):
            last = min(first + _AT_ONCE, len(bias))
            added = bias[first:last, :last].expand(heads, -1, -1)
            scores = torch.baddbmm(added, queries[:, first:last], keys[:, :last].transpose(1, 2), alpha=size**-0.5)
            found.append(torch.softmax(scores, -1) @ values[:, :last])
    return torch.cat(found, 1).view(heads, rows, length, size).transpose(0, 1)


def documents(document: Tensor, part: Tensor, kind: torch.dtype = torch.float32) -> Documents:
    """Return the masks of rows: a token attends to itself and earlier tokens of its document in part 0 or its own part.

    `document` and `part` are (rows, length); `kind` is the type that the model computes in.
    """
    whole = (document + document.amax().add(2) * torch.arange(len(document))[:, None]).flatten()
    lengths: list[int] = torch.unique_consecutive(whole, return_counts=True)[1].tolist()
    return Documents(lengths, [_bias(own, kind) for own in torch.split_with_sizes(part.flatten(), lengths)])


def _bias(part: Tensor, kind: torch.dtype) -> Tensor:
    """Return the mask of one document, given the part of each token."""
    seen = ((part[None] == 0) | (part[:, None] == part[None])).tril()
    return torch.zeros(seen.shape, dtype=kind).masked_fill_(~seen, float("-inf"))


def block_mask(document: Tensor, part: Tensor) -> Any:
    """Return the masks of `documents` as a block mask of flex attention, which skips blocks that are masked whole."""
    from torch.nn.attention.flex_attention import create_block_mask

    def sees(row: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        same = document[row, query] == document[row, key]
        return (query >= key) & same & ((part[row, key] == 0) | (part[row, query] == part[row, key]))

    rows, length = document.shape
    return create_block_mask(sees, rows, None, length, length, device=str(document.device))


def _begin(module: nn.Module) -> None:
    """Draw the initial weights of a module."""
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)


def _turn(places: Tensor, shape: Shape) -> tuple[Tensor, Tensor]:
    """Return the cosines and sines of the rotary position embeddings, (rows, 1, length, half the size of a head)."""
    size = shape.width // shape.heads
    rates = shape.base ** (-torch.arange(0, size, 2, device=places.device).float() / size)
    angles = places[:, None, :, None].float() * rates
    return angles.cos(), angles.sin()


def _turned(x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """Rotate neighbouring pairs of numbers, as llama.cpp does for this architecture."""
    cos, sin = (t.to(x.dtype) for t in turn)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)
