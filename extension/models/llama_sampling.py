"""How a reply grows: a token is drawn, held to a grammar, and ends the reply or lengthens it."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from askwhere.errors import ModelError
from askwhere.models.llama_library import hear, overheard, said
from askwhere.models.llama_weights import Weights
from numpy.typing import NDArray

# Tokens less likely than this share of the likeliest are never drawn, as in llama.cpp's own programs: the tail of a
# vocabulary is long, and each of its tokens is nonsense.
TAIL = 0.05
CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])

Logits = NDArray[np.float32]


@lru_cache(maxsize=4)
def _vocabulary(size: int) -> NDArray[Any]:
    """Every token as a candidate."""
    candidates = np.zeros(size, CANDIDATE)
    candidates["id"] = np.arange(size)
    return candidates


@dataclass(frozen=True)
class Wish:
    """What is asked of a reply."""

    temperature: float
    max_tokens: int
    stop: tuple[bytes, ...] = ()
    grammar: Grammar | None = None


class Grammar:
    """A GBNF grammar that replies are held to, read once; raises `ModelError` where it is none."""

    def __init__(self, weights: Weights, text: str) -> None:
        self.text, self.llama = text, weights.llama
        hear()
        self.pointer, written = overheard(
            lambda: self.llama.llama_sampler_init_grammar(weights.vocabulary, text.encode(), b"root")
        )
        # It takes an empty text for a grammar that allows everything.
        if not self.pointer or not text.strip():
            raise ModelError(f"the grammar cannot be used: {written or said()}")
        weakref.finalize(self, self.llama.llama_sampler_free, self.pointer)


class Draw:
    """Draws the tokens of one reply; the same seed draws the same ones."""

    def __init__(self, weights: Weights, wish: Wish, seed: int) -> None:
        self.llama, self.size = weights.llama, weights.size
        self._chain = self._make_chain(wish.temperature, seed)
        weakref.finalize(self, self.llama.llama_sampler_free, self._chain)
        self._grammar = None
        if wish.grammar:
            self._grammar = self.llama.llama_sampler_clone(wish.grammar.pointer)
            weakref.finalize(self, self.llama.llama_sampler_free, self._grammar)

    def _make_chain(self, temperature: float, seed: int) -> Any:
        llama = self.llama
        chain = llama.llama_sampler_chain_init(llama.llama_sampler_chain_default_params())
        if temperature <= 0:
            samplers = [llama.llama_sampler_init_greedy()]
        else:
            samplers = [
                llama.llama_sampler_init_min_p(TAIL, 1),
                llama.llama_sampler_init_temp(temperature),
                llama.llama_sampler_init_dist(seed),
            ]
        for sampler in samplers:
            llama.llama_sampler_chain_add(chain, sampler)
        return chain

    def token(self, logits: Logits) -> int | None:
        """The next token; None where the grammar allows none."""
        token = self._pick(logits)
        # A grammar takes a millisecond over a whole vocabulary and next to nothing over one token, and a model that
        # knows SQL mostly draws what is allowed.
        if self._grammar and not self._allows(token):
            return self._pick(logits, constrained=True)
        return token

    def _pick(self, logits: Logits, constrained: bool = False) -> int | None:
        candidates = _vocabulary(self.size).copy()
        candidates["logit"] = logits
        array = self._array(candidates)
        if constrained:
            self.llama.llama_sampler_apply(self._grammar, ctypes.byref(array))
            if not np.isfinite(candidates["logit"]).any():
                return None
        self.llama.llama_sampler_apply(self._chain, ctypes.byref(array))
        return int(array.data[array.selected].id)

    def _allows(self, token: int | None) -> bool:
        one = np.array([(token, 1.0, 0.0)], CANDIDATE)
        self.llama.llama_sampler_apply(self._grammar, ctypes.byref(self._array(one)))
        return bool(np.isfinite(one["logit"][0]))

    def _array(self, candidates: NDArray[Any]) -> Any:
        data = candidates.ctypes.data_as(ctypes.POINTER(self.llama.llama_token_data))
        return self.llama.llama_token_data_array(data, len(candidates), -1, False)

    def accept(self, token: int) -> None:
        """The token is part of the reply: the grammar goes on from there."""
        if self._grammar:
            self.llama.llama_sampler_accept(self._grammar, token)


class Reply:
    """One reply as it grows: `count` tokens so far, `token` the one that the model reads next."""

    def __init__(self, weights: Weights, wish: Wish, seed: int) -> None:
        self.count, self.token = 0, -1
        self.data = b""
        self._weights, self._wish = weights, wish
        self._draw: Draw | None = Draw(weights, wish, seed)

    def grow(self, logits: Logits) -> bool:
        """Draws the next token; False when the reply is over."""
        if self._draw and self._go_on(self._draw, logits):
            return True
        self._draw = None  # a grammar's place in a reply takes memory, and there may be hundreds of replies
        return False

    def _go_on(self, draw: Draw, logits: Logits) -> bool:
        token = draw.token(logits)
        if token is None or self._weights.ends(token):
            return False
        self.token, self.count = token, self.count + 1
        piece = self._weights.piece(token)
        self.data += piece
        if self._stopped(len(piece)) or self.count >= self._wish.max_tokens:
            return False
        draw.accept(token)
        return True

    def _stopped(self, new: int) -> bool:
        """Whether a stop string ends in the last `new` bytes, or began before them; the text is then cut there."""
        cuts = [self.data.find(stop, max(0, len(self.data) - new - len(stop))) for stop in self._wish.stop]
        found = [cut for cut in cuts if cut >= 0]
        if found:
            self.data = self.data[: min(found)]
        return bool(found)

    @property
    def text(self) -> str:
        """What was said; a character that was cut off in the middle is left out."""
        return self.data.decode(errors="replace").removesuffix("\ufffd")


def stops(texts: Sequence[str]) -> tuple[bytes, ...]:
    """Stop strings as the bytes that are looked for."""
    return tuple(text.encode() for text in texts if text)
