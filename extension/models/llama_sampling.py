"""How a reply grows: a token is drawn, held to a grammar, and ends the reply or lengthens it."""

from __future__ import annotations

import ctypes
import math
import weakref
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from askwhere.errors import ModelError
from askwhere.models.llama_library import hear, overheard, said
from askwhere.models.llama_tokens import Ids
from askwhere.models.llama_weights import Weights
from askwhere.models.protocol import Reading
from numpy.typing import NDArray

# Tokens less likely than this share of the likeliest are never drawn, as in llama.cpp's own programs: the tail of a
# vocabulary is long, and each of its tokens is nonsense.
TAIL = 0.05
# Of so many tokens the grammar is asked at once, before it is asked of the whole vocabulary.
SOME = 64
CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])

Logits = NDArray[np.float32]


@dataclass(frozen=True)
class Wish:
    """What is asked of a reply; `reading` says beside the grammar what may be written."""

    temperature: float
    max_tokens: int
    stop: tuple[bytes, ...] = ()
    grammar: Grammar | None = None
    reading: Reading | None = None


class Grammar:
    """A GBNF grammar that replies are held to, read once; raises `ModelError` where it is none."""

    def __init__(self, weights: Weights, text: str) -> None:
        self.text, self.llama = text, weights.llama
        if not text.strip():  # llama.cpp takes it for a grammar that allows everything
            raise ModelError("the grammar cannot be used: it is empty")
        hear()
        self.pointer, written = overheard(
            lambda: self.llama.llama_sampler_init_grammar(weights.vocabulary, text.encode(), b"root")
        )
        if not self.pointer:
            raise ModelError(f"the grammar cannot be used: {_in_a_line(written) or said()}")
        weakref.finalize(self, self.llama.llama_sampler_free, self.pointer)

    def begin(self) -> Place:
        """Where a reply begins."""
        return Place(self)


class Place:
    """How far one reply has come in a grammar."""

    def __init__(self, grammar: Grammar) -> None:
        self._llama = grammar.llama
        self._pointer = self._llama.llama_sampler_clone(grammar.pointer)
        weakref.finalize(self, self._llama.llama_sampler_free, self._pointer)

    def allowed(self, tokens: Ids) -> Ids:
        """Those of the tokens that may come next."""
        candidates = np.zeros(len(tokens), CANDIDATE)
        candidates["id"] = tokens
        data = candidates.ctypes.data_as(ctypes.POINTER(self._llama.llama_token_data))
        array = self._llama.llama_token_data_array(data, len(tokens), -1, False)
        self._llama.llama_sampler_apply(self._pointer, ctypes.byref(array))
        allowed: Ids = tokens[np.isfinite(candidates["logit"])]
        return allowed

    def accept(self, token: int) -> None:
        """Goes on by a token, one of the allowed ones."""
        self._llama.llama_sampler_accept(self._pointer, token)


def _in_a_line(written: str) -> str:
    """What the parser of grammars found: it writes that, the text from there on, and then the whole text."""
    reason = written.split("\n", 1)[0].removeprefix("parse: error parsing grammar: ")
    return reason if len(reason) <= 120 else f"{reason[:120]} …"


class Draw:
    """Draws the tokens of one reply; the same seed draws the same ones."""

    def __init__(self, weights: Weights, wish: Wish, seed: int) -> None:
        self._weights, self._temperature = weights, wish.temperature
        self._random = np.random.default_rng(seed)
        self._place = wish.grammar.begin() if wish.grammar else None
        self._reading = wish.reading
        self._read: dict[int, Reading] = {}  # what the tokens that were tried lead to

    def token(self, logits: Logits) -> int | None:
        """The next token; None where none is allowed.

        Logarithms of chances with Gumbel noise on them, from the highest down, are draws without putting back (Kool,
        van Hoof, Welling 2019). So the first one that the grammar allows is drawn as if from the allowed ones alone,
        and mostly the grammar need not look far.
        """
        scores, least = self._scores(logits), _least(logits)
        likely = np.flatnonzero(logits >= least).astype(np.int32)
        if self._place is None:
            return int(_first(scores, likely, 1)[0])
        tree = self._weights.tree
        for count in (1, SOME):
            some = _first(scores, likely[tree.has[likely]], count)
            if (token := self._best(scores, self._place.allowed(some))) is not None:
                return token
        allowed = tree.allowed(self._place.allowed)
        likeliest = self._best(logits, allowed)
        if likeliest is None:
            return None
        return self._best(scores, allowed[logits[allowed] >= min(least, _tail(float(logits[likeliest])))])

    def _best(self, scores: Logits, tokens: Ids) -> int | None:
        """The token of the highest score that the reading allows; the reading is asked no further."""
        if self._reading is None:
            return int(_first(scores, tokens, 1)[0]) if tokens.size else None
        return next((int(token) for token in tokens[np.argsort(-scores[tokens])] if self._may_follow(int(token))), None)

    def _may_follow(self, token: int) -> bool:
        assert self._reading is not None
        if self._weights.ends(token):
            return self._reading.ends
        if token not in self._read and (read := self._reading.after(self._weights.piece(token))) is not None:
            self._read[token] = read
        return token in self._read

    def _scores(self, logits: Logits) -> Logits:
        """The higher, the sooner a token is drawn."""
        if self._temperature <= 0:
            return logits
        # For every token, whether it is drawn or not: which noise a token gets must not depend on the others' chances,
        # whose last digits change with what is evaluated together. The least number is for a noise of 0.
        noise = self._random.standard_exponential(len(logits), np.float32)
        scores: Logits = logits / self._temperature - np.log(np.maximum(noise, np.finfo(np.float32).tiny))
        return scores

    def accept(self, token: int) -> None:
        """The token is part of the reply: the grammar goes on from there."""
        if self._place:
            self._place.accept(token)
        if self._reading:
            self._reading, self._read = self._read.get(token), {}


def _least(logits: Logits) -> float:
    """Where the tail begins."""
    highest = float(logits.max())
    if math.isnan(highest):
        raise ModelError("the model's numbers became too large to go on (NaN); is the file damaged?")
    return _tail(highest)


def _tail(highest: float) -> float:
    return highest + math.log(TAIL)


def _first(scores: Logits, tokens: Ids, count: int) -> Ids:
    """The `count` tokens of the highest scores, in any order."""
    some = scores[tokens]
    return tokens[np.argpartition(some, -count)[-count:]] if count < len(tokens) else tokens


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
