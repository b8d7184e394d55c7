"""Sample replies: draw one token after another, constrained by a grammar, until the reply ends."""

from __future__ import annotations

import ctypes
import math
import weakref
from collections.abc import Sequence

import numpy as np
from askwhere.errors import ModelError
from askwhere.frozen import frozen
from askwhere.models.llama_library import clear_log, logged_reason, with_stderr
from askwhere.models.llama_tokens import Ids
from askwhere.models.llama_weights import Weights
from askwhere.models.protocol import Reading
from numpy.typing import NDArray

# Tokens less likely than this share of the likeliest one are never drawn (min-p, as in llama.cpp's own programs). Each
# of them is improbable, but there are so many that without this limit one would be drawn now and then.
TAIL = 0.05
# Tokens that the grammar checks at once, before it checks the whole vocabulary.
CHECKED = 64
# A reply ends where its last TAIL_BYTES bytes repeat one text of at most LONGEST_PERIOD bytes. Small models fall into
# such loops, which end only at the limit of tokens, minutes later. No query repeats itself so.
TAIL_BYTES, LONGEST_PERIOD = 400, 100
CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])

Logits = NDArray[np.float32]


@frozen
class SamplingParams:
    """How a reply is sampled; `reading`, of what was written so far, forbids more than the grammar does."""

    temperature: float
    max_tokens: int
    stop: tuple[bytes, ...] = ()
    grammar: Grammar | None = None
    reading: Reading | None = None


class Grammar:
    """A GBNF grammar that constrains replies, parsed once. Raises `ModelError` where it is invalid."""

    def __init__(self, weights: Weights, text: str) -> None:
        self.text, self.llama = text, weights.llama
        if not text.strip():  # llama.cpp reads an empty text as a grammar that allows everything
            raise ModelError("the grammar cannot be used: it is empty")
        clear_log()
        self.pointer, written = with_stderr(
            lambda: self.llama.llama_sampler_init_grammar(weights.vocabulary, text.encode(), b"root")
        )
        if not self.pointer:
            raise ModelError(f"the grammar cannot be used: {_in_a_line(written) or logged_reason()}")
        weakref.finalize(self, self.llama.llama_sampler_free, self.pointer)

    def start(self) -> GrammarState:
        """Return the state at the beginning of a reply."""
        return GrammarState(self)


class GrammarState:
    """The state of one reply in a grammar."""

    def __init__(self, grammar: Grammar) -> None:
        self._llama = grammar.llama
        self._pointer = self._llama.llama_sampler_clone(grammar.pointer)
        weakref.finalize(self, self._llama.llama_sampler_free, self._pointer)

    def allowed(self, tokens: Ids) -> Ids:
        """Return those of the tokens that may come next."""
        candidates = np.zeros(len(tokens), CANDIDATE)
        candidates["id"] = tokens
        data = candidates.ctypes.data_as(ctypes.POINTER(self._llama.llama_token_data))
        array = self._llama.llama_token_data_array(data, len(tokens), -1, False)
        self._llama.llama_sampler_apply(self._pointer, ctypes.byref(array))
        allowed: Ids = tokens[np.isfinite(candidates["logit"])]
        return allowed

    def accept(self, token: int) -> None:
        """Advance the state by an allowed token."""
        self._llama.llama_sampler_accept(self._pointer, token)


def _in_a_line(written: str) -> str:
    """Return the error in a message of the grammar parser: its first line, as the whole grammar follows."""
    message = written.split("\n", 1)[0].removeprefix("parse: error parsing grammar: ")
    return message if len(message) <= 120 else f"{message[:120]} …"


class TokenSampler:
    """The draws of one reply's tokens; the same seed draws the same tokens."""

    def __init__(self, weights: Weights, params: SamplingParams, seed: int) -> None:
        self._weights, self._temperature = weights, params.temperature
        self._random = np.random.default_rng(seed)
        self._grammar_state = params.grammar.start() if params.grammar else None
        self._reading = params.reading
        self._read: dict[int, Reading] = {}  # the readings after the tokens that were tried

    def token(self, logits: Logits) -> int | None:
        """Return the next token; None where none is allowed.

        By the Gumbel-max trick, tokens ordered by logit plus Gumbel noise are draws without replacement (Kool, van
        Hoof, Welling 2019). The first of them that the grammar allows is distributed as a draw from the allowed tokens
        alone. So mostly the grammar has to check few tokens.
        """
        scores, least = self._scores(logits), _least(logits)
        likely = np.flatnonzero(logits >= least).astype(np.int32)
        if self._grammar_state is None:
            return int(_first(scores, likely, 1)[0])
        tree = self._weights.tree
        for count in (1, CHECKED):
            drawn = _first(scores, likely[tree.has[likely]], count)
            if (token := self._best(scores, self._grammar_state.allowed(drawn))) is not None:
                return token
        allowed = tree.allowed(self._grammar_state.allowed)
        likeliest = self._best(logits, allowed)
        if likeliest is None:
            return None
        # Where only tokens of the tail are allowed, the tail begins below the likeliest of these.
        return self._best(scores, allowed[logits[allowed] >= min(least, _tail(float(logits[likeliest])))])

    def _best(self, scores: Logits, tokens: Ids) -> int | None:
        """Return the token with the highest score that the reading allows; those after it are not checked."""
        if self._reading is None:
            return int(_first(scores, tokens, 1)[0]) if tokens.size else None
        return next((int(token) for token in tokens[np.argsort(-scores[tokens])] if self._may_follow(int(token))), None)

    def _may_follow(self, token: int) -> bool:
        """Return whether the reading allows a token."""
        assert self._reading is not None
        if self._weights.ends(token):
            return self._reading.ends
        if token not in self._read and (read := self._reading.after(self._weights.piece(token))) is not None:
            self._read[token] = read
        return token in self._read

    def _scores(self, logits: Logits) -> Logits:
        """Return a score for each token: the highest is drawn first."""
        if self._temperature <= 0:
            return logits
        # Noise is drawn for every token, so that none depends on the logits, whose last digits change with what is
        # evaluated in one batch. The least positive number replaces a noise of 0.
        noise = self._random.standard_exponential(len(logits), np.float32)
        scores: Logits = logits / self._temperature - np.log(np.maximum(noise, np.finfo(np.float32).tiny))
        return scores

    def accept(self, token: int) -> None:
        """Add the token to the reply: the grammar and the reading move on."""
        if self._grammar_state:
            self._grammar_state.accept(token)
        if self._reading:
            self._reading, self._read = self._read.get(token), {}


def _least(logits: Logits) -> float:
    """Return the logit below which the tail begins. Raise `ModelError` for NaN."""
    highest = float(logits.max())
    if math.isnan(highest):
        raise ModelError("the model computed NaN; is its file damaged?")
    return _tail(highest)


def _tail(highest: float) -> float:
    """Return the logit of a token that is `TAIL` times as likely as the likeliest."""
    return highest + math.log(TAIL)


def _logprob(logits: Logits, token: int) -> float:
    """Return the natural logarithm of a token's probability (log-softmax)."""
    highest = logits.max()
    return float(logits[token] - highest) - math.log(float(np.exp(logits - highest).sum()))


def _first(scores: Logits, tokens: Ids, count: int) -> Ids:
    """Return the `count` tokens with the highest scores, in any order."""
    return tokens[np.argpartition(scores[tokens], -count)[-count:]] if count < len(tokens) else tokens


class Reply:
    """A reply being generated: `count` tokens so far, and `token`, the one that the model evaluates next."""

    def __init__(self, weights: Weights, params: SamplingParams, seed: int) -> None:
        self.count, self.token = 0, -1
        self._logprobs, self._drawn = 0.0, 0
        self.data = b""
        self._weights, self._params = weights, params
        self._sampler: TokenSampler | None = TokenSampler(weights, params, seed)

    def grow(self, logits: Logits) -> bool:
        """Draw the next token; return False when the reply has ended."""
        if self._sampler and self._go_on(self._sampler, logits):
            return True
        self._sampler = None  # its state in the grammar takes memory, and there may be hundreds of replies
        return False

    def _go_on(self, sampler: TokenSampler, logits: Logits) -> bool:
        """Draw and add a token; return False where the reply ends."""
        token = sampler.token(logits)
        if token is None:
            return False
        self._logprobs, self._drawn = self._logprobs + _logprob(logits, token), self._drawn + 1
        if self._weights.ends(token):
            return False
        self.token, self.count = token, self.count + 1
        piece = self._weights.piece(token)
        self.data += piece
        if self._stopped(len(piece)) or self.count >= self._params.max_tokens or ends_in_loop(self.data):
            return False
        sampler.accept(token)
        return True

    def _stopped(self, new: int) -> bool:
        """Return whether the last `new` bytes complete a stop string; the text is then cut before it."""
        cuts = [self.data.find(stop, max(0, len(self.data) - new - len(stop))) for stop in self._params.stop]
        places = [cut for cut in cuts if cut >= 0]
        if places:
            self.data = self.data[: min(places)]
        return bool(places)

    @property
    def logprob(self) -> float:
        """Return the mean natural logarithm of the probabilities of its tokens, including the one that ended it."""
        return self._logprobs / max(self._drawn, 1)

    @property
    def text(self) -> str:
        """Return the text of the reply; an incomplete character at its end is left out."""
        return self.data.decode(errors="replace").removesuffix("\ufffd")


def ends_in_loop(data: bytes) -> bool:
    """Return whether a text ends in a loop: the same bytes repeated.

    >>> ends_in_loop(b"SELECT a" + b" AND a = 1" * 50), ends_in_loop(b", ".join(b"c%d" % n for n in range(200)))
    (True, False)
    """
    tail = data[-TAIL_BYTES:]
    before = tail.rfind(tail[-LONGEST_PERIOD:], 0, -1) if len(tail) == TAIL_BYTES else -1
    period = TAIL_BYTES - LONGEST_PERIOD - before
    return before >= 0 and period <= LONGEST_PERIOD and tail[period:] == tail[:-period]


def stops(texts: Sequence[str]) -> tuple[bytes, ...]:
    """Return stop strings as bytes."""
    return tuple(text.encode() for text in texts if text)
