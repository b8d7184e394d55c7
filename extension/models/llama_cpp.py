"""Run a GGUF file as a model, by llama.cpp in this process."""

from __future__ import annotations

import os
import secrets
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import TypeVar
from weakref import WeakValueDictionary

from askwhere.errors import ModelError
from askwhere.models import adapters
from askwhere.models.llama_cache import TOGETHER, Cache
from askwhere.models.llama_library import Stop, holding, stoppable
from askwhere.models.llama_sampling import Grammar, Reply, SamplingParams, stops
from askwhere.models.llama_vectors import Vectors
from askwhere.models.llama_weights import Identity, Weights, identity
from askwhere.models.protocol import BoundGrammar, Completions

T = TypeVar("T")
LEAST = 64  # the least tokens that must be left for a reply
CELLS = 16_384  # tokens of all replies that grow together: the longer they may be, the fewer grow at a time

_opening = Lock()
_weights: WeakValueDictionary[Identity, Weights] = WeakValueDictionary()
_models: WeakValueDictionary[tuple[Identity, Identity | None, int, str], LlamaCpp] = WeakValueDictionary()
# Keeps models that no connection uses now, since the next one often needs them; two, as one may have a LoRA adapter.
_latest: deque[LlamaCpp] = deque(maxlen=2)


def open_(
    path: str | Path, adapter: str | Path = adapters.OFF, threads: int = 0, prompt_cache: str = "memory"
) -> LlamaCpp:
    """Return the model of a GGUF file, loaded once in this process; with `adapter`, the same weights with an adapter.

    `adapter`, `threads` and `prompt_cache` are the settings; 0 threads go by the cores (`llama_context.threads`). A
    file that has changed is loaded again. Raise `ModelError` where llama.cpp is missing or a file is invalid.
    """
    with _opening:
        base = Path(os.path.expanduser(path))
        key = identity(base)
        weights = _weights.get(key) or Weights(base)
        _weights[key] = weights
        lora = adapters.chosen(weights, str(adapter))
        adapter_key = identity(lora) if lora else None
        model = _models.get((key, adapter_key, threads, prompt_cache))
        if model is None:
            model = LlamaCpp(weights, lora, threads, prompt_cache)
            _models[key, adapter_key, threads, prompt_cache] = model
        if model not in _latest:
            _latest.append(model)
        return model


class LlamaCpp:
    """A model that completes prompts with the weights of one file; implements `askwhere.models.protocol.Model`.

    Threads may share it and take turns. `context` is the most tokens of a prompt and its reply together.
    """

    remote = False
    grammars = True
    timed = True
    shares = True
    keeps = True

    def __init__(
        self, weights: Weights, lora: Path | None = None, threads: int = 0, prompt_cache: str = "memory"
    ) -> None:
        self.name = f"gguf:{weights.path.name}" + (f"+{lora.name}" if lora else "")
        self.context = weights.context
        self._weights, self._turn, self._threads = weights, Lock(), threads
        adapter = (weights.adapter(lora), identity(lora)) if lora else None
        self.prompts_learned = weights.prompts_learned(lora) if lora else None
        self._cache = Cache(weights, adapter, threads, prompt_cache)
        self._grammar: Grammar | None = None
        self._vectors: Vectors | None = None

    @property
    def evaluated(self) -> int:
        """Return how many tokens of prompts were evaluated so far.

        Tokens still in the cache are not evaluated again.
        """
        return self._cache.evaluated

    def count(self, text: str) -> int:
        """Return the number of tokens of a text."""
        return len(self._weights.tokens(text))

    def complete(
        self,
        prompt: str,
        n: int = 1,
        temperature: float = 0.0,
        max_tokens: int = 1_024,
        stop: Sequence[str] = (),
        seed: int | None = None,
        grammar: str | None = None,
        seconds: float | None = None,
        fixed: int = 0,
    ) -> Completions:
        """Return `n` completions of `prompt` in the file's chat template; the prompt is evaluated once for all of them.

        The prompt's first `fixed` characters are the same for other prompts, so that their state is worth keeping.

        Completion i is drawn with `seed` + i; at temperature 0 all are equal, and are counted once. `grammar` is GBNF
        with a rule `root`; a `BoundGrammar` also holds replies to its reading. Raise `ModelError` when `seconds` are
        over, when the prompt does not fit, and when the grammar is invalid. Ctrl-C ends it within one step, and what
        was evaluated of the prompt stays cached.
        """
        tokens, begins = self._weights.prompt(prompt), self._weights.beginning(prompt, fixed)
        max_tokens = self._fit(len(tokens), max_tokens)
        many = n if temperature > 0 else min(n, 1)
        seeds = _seeds(seed, many)
        together = max(1, min(many, TOGETHER, CELLS // max_tokens))
        grown: list[Reply] = []

        def work(stopping: Stop) -> None:
            reading = grammar.reading if isinstance(grammar, BoundGrammar) else None
            params = SamplingParams(temperature, max_tokens, stops(stop), self._parsed(grammar), reading)
            replies = _replies(self._weights, params, seeds, grown)
            self._cache.grow(tokens, replies, together, together * max_tokens, stopping, begins)

        self._run(work, seconds)
        texts = tuple(reply.text for reply in grown)
        copies = n // many if many else 0
        counts = len(tokens), sum(reply.count for reply in grown)
        return Completions(texts * copies, *counts, logprobs=tuple(reply.logprob for reply in grown) * copies)

    def embed(self, texts: Sequence[str], seconds: float | None = None) -> list[list[float]]:
        """Return a vector of length one for each text: the mean over its first 512 tokens.

        Raise `ModelError` when `seconds` are over.
        """
        if not texts:
            return []

        def work(stop: Stop) -> list[list[float]]:
            self._vectors = self._vectors or Vectors(self._weights, self._threads)
            return self._vectors.of(texts, stop)

        return self._run(work, seconds)

    def _run(self, work: Callable[[Stop], T], seconds: float | None) -> T:
        """Wait for this caller's turn, run `work`, and return its result."""

        def in_turn(stop: Stop) -> T:
            with holding(self._turn, stop):
                return work(stop)

        late = f"{self.name} was not done after {seconds or 0:.3g} s; ask for less, or set max_seconds higher"
        return stoppable(in_turn, seconds, late)

    def _fit(self, prompt: int, max_tokens: int) -> int:
        """Return how many of `max_tokens` a reply may have after a prompt of `prompt` tokens."""
        left = self.context - prompt
        if left < min(LEAST, max_tokens):
            raise ModelError(
                f"the prompt has {prompt:,} tokens and {self.name} takes {self.context:,} with its reply; "
                "set schema_tokens lower, or take a model with a longer context"
            )
        return min(left, max_tokens)

    def _parsed(self, grammar: str | None) -> Grammar | None:
        """Return the parsed grammar, which is kept for the next call."""
        # The grammar of a schema is large, and the same from question to question.
        if grammar is not None and (self._grammar is None or self._grammar.text != grammar):
            self._grammar = Grammar(self._weights, grammar)
        return self._grammar if grammar is not None else None


def _replies(weights: Weights, params: SamplingParams, seeds: Sequence[int], grown: list[Reply]) -> Iterator[Reply]:
    """Yield a reply for each seed, made when there is room for it, and add it to `grown`."""
    for seed in seeds:
        grown.append(Reply(weights, params, seed))
        yield grown[-1]


def _seeds(seed: int | None, n: int) -> list[int]:
    first = secrets.randbits(31) if seed is None else seed
    return [(first + i) % 2**32 for i in range(n)]  # numpy takes no negative seeds
