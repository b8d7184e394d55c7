"""Reuse a model's KV cache between prompts, so that only tokens that are not in it are evaluated (prefill).

The last few prompts have the sequences below `PROMPTS`. The other sequences are replies: each begins as a copy of a
prompt's, which costs nothing as both share the cells of the cache, and is removed when the reply ends. The part of a
prompt that is the same for every question can also be cached on disk, for other processes.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
from askwhere.errors import ModelError
from askwhere.models import llama_states
from askwhere.models.llama_context import close, new_context
from askwhere.models.llama_library import Stop, Stopped, clear_log, logged_reason
from askwhere.models.llama_sampling import Logits, Reply
from askwhere.models.llama_weights import Weights

PROMPTS = 4  # prompts that stay in the cache
TOGETHER = 32  # the most replies that grow in one batch
BATCH = 512  # tokens of a prompt that are evaluated at once
WORTH = 200  # tokens that a state on disk must spare evaluating, to be loaded or written
STEP = 1_024  # the number of cells is a multiple of this, so that few longer prompts need a new context
Entry = tuple[int, int, int, bool]  # token, position, sequence, whether the logits after it are needed


@dataclass
class CachedPrompt:
    """A prompt in the cache: its tokens, and the logits after them (None until all of them are evaluated)."""

    sequence: int
    tokens: list[int] = field(default_factory=list)
    logits: Logits | None = None


class Cache:
    """A llama.cpp context, made when it is first needed and enlarged later; one thread may use it at a time.

    `evaluated` counts the tokens of prompts evaluated so far; `cells` is the number of tokens that fit. `adapter` is a
    LoRA's pointer and the identity of its file. `prompt_cache` is the setting of that name.
    """

    def __init__(
        self,
        weights: Weights,
        adapter: tuple[Any, object] | None = None,
        threads: int = 0,
        prompt_cache: str = "memory",
    ) -> None:
        self.evaluated = self.cells = 0
        self._prompt_cache = prompt_cache
        self._weights, self._adapter, self._llama, self._threads = weights, adapter, weights.llama, threads
        self._prompts = [CachedPrompt(i) for i in range(PROMPTS)]  # the one used last is last
        self._context: Any = None
        self._batch: Any = None
        self._free: Callable[[], object] | None = None

    def grow(
        self, tokens: list[int], replies: Iterator[Reply], together: int, room: int, stop: Stop, fixed: int = 0
    ) -> None:
        """Generate `replies` to the prompt `tokens`, at most `together` at a time, in `room` cells beside the prompt's.

        The prompt's first `fixed` tokens are a batch of their own whether they are evaluated or loaded from disk, so
        that replies are the same in both cases. Raise `Stopped` when told to stop; what was evaluated stays cached.
        """
        prompt = self._cached(tokens)
        self._make_room(prompt, len(tokens) + room)
        try:
            with self._stopping(stop):
                self._begin(prompt, tokens[: min(fixed, len(tokens) - 1)], stop)
                self._read(prompt, tokens, stop)
                self._reply(prompt, replies, together, stop)
        finally:
            if self._prompt_cache == "off":
                self._forget(prompt)

    # ------------------------------------------------------------------------------------------------------ prompts

    def _cached(self, tokens: list[int]) -> CachedPrompt:
        """Return the place in the cache for a prompt of `tokens`, cut to the tokens that it already holds.

        A prompt that shares more than half of a cached prompt's tokens replaces it, as it is another question on the
        same schema. Any other replaces the least recently used prompt, and starts with a copy of the tokens that it
        shares with a cached one.
        """
        shares = [_shared(prompt.tokens, tokens) for prompt in self._prompts]
        shared = max(shares)
        source = self._prompts[shares.index(shared)]
        prompt = source if shared * 2 > len(source.tokens) else self._prompts[0]
        self._prompts.remove(prompt)
        self._prompts.append(prompt)
        if prompt.tokens != tokens or prompt.logits is None:
            self._fork(prompt, source, min(shared, len(tokens) - 1))  # evaluate at least one token, for its logits
        return prompt

    def _fork(self, prompt: CachedPrompt, source: CachedPrompt, shared: int) -> None:
        """Make `prompt` hold the first `shared` tokens of `source`; none if the model can only copy whole sequences."""
        if source is prompt and self._remove(prompt.sequence, shared):
            prompt.tokens, prompt.logits = prompt.tokens[:shared], None
            return
        self._forget(prompt)
        if source is not prompt and shared and self._has_cells():
            self._copy(source.sequence, prompt.sequence, shared)
            prompt.tokens = source.tokens[:shared]

    def _forget(self, prompt: CachedPrompt) -> None:
        """Remove a prompt's tokens from the cache."""
        self._remove(prompt.sequence)
        prompt.tokens, prompt.logits = [], None

    def _has_cells(self) -> bool:
        """Return whether the cache has a cell for each token, so that tokens can be removed.

        A recurrent model has one state for all tokens instead.
        """
        model = self._weights.pointer
        return not (self._llama.llama_model_is_recurrent(model) or self._llama.llama_model_is_hybrid(model))

    def _read(self, prompt: CachedPrompt, tokens: list[int], stop: Stop) -> None:
        """Evaluate the tokens that are not in the cache."""
        for start in range(len(prompt.tokens), len(tokens), BATCH):
            batch = tokens[start : start + BATCH]
            last = start + BATCH >= len(tokens)
            end = start + len(batch) - 1
            entries = [(t, i, prompt.sequence, last and i == end) for i, t in enumerate(batch, start)]
            self._decode(entries, stop)
            prompt.tokens = prompt.tokens + batch
            self.evaluated += len(batch)
            if last:
                prompt.logits = self._logits(len(batch) - 1).copy()

    # --------------------------------------------------------------------------------------------------------- disk

    def _begin(self, prompt: CachedPrompt, fixed: list[int], stop: Stop) -> None:
        """Evaluate the prompt's beginning `fixed`, from the longest state of it on disk if there is one.

        The state after it is saved, if that spares a later process at least `WORTH` tokens more.
        """
        if self._prompt_cache != "disk" or not self._has_cells() or len(fixed) - len(prompt.tokens) < WORTH:
            self._read(prompt, fixed, stop)
            return
        facts = (*self._weights.facts(self.cells), self._adapter and self._adapter[1])
        key, folder = llama_states.key(facts, fixed), llama_states.default_folder()
        self._recall(prompt, fixed, llama_states.load(key, folder))
        known = len(prompt.tokens)
        try:
            self._read(prompt, fixed, stop)
        finally:  # also when told to stop: the next process continues from there
            if len(prompt.tokens) - known >= WORTH:
                self._save(prompt, key, folder)

    def _save(self, prompt: CachedPrompt, key: bytes, folder: Path) -> None:
        """Save a prompt's state on disk."""
        self._remove(prompt.sequence, len(prompt.tokens))  # cells of a batch that was stopped
        if self._llama.llama_state_seq_get_size(self._context, prompt.sequence) <= llama_states.MOST:
            state = llama_states.State(len(prompt.tokens), self._state(prompt))
            llama_states.save(key, self._weights.path.name, state, folder)

    def _recall(self, prompt: CachedPrompt, fixed: list[int], state: llama_states.State | None) -> None:
        """Make `prompt` hold the state from disk, if that saves evaluating `WORTH` tokens."""
        if state is None or not len(prompt.tokens) + WORTH <= state.count <= len(fixed):
            return
        self._forget(prompt)
        self._llama.llama_state_seq_set_data(self._context, state.content, len(state.content), prompt.sequence)
        memory = self._llama.llama_get_memory(self._context)
        first = self._llama.llama_memory_seq_pos_min(memory, prompt.sequence)
        last = self._llama.llama_memory_seq_pos_max(memory, prompt.sequence)
        if (first, last) == (0, state.count - 1):
            prompt.tokens = fixed[: state.count]
        else:  # llama.cpp did not accept it, or it is of other tokens
            self._remove(prompt.sequence)

    # ------------------------------------------------------------------------------------------------------ replies

    def _reply(self, prompt: CachedPrompt, replies: Iterator[Reply], together: int, stop: Stop) -> None:
        """Generate replies to a prompt until all have ended, as many at a time as there are free sequences."""
        live: dict[int, Reply] = {}
        free = list(range(PROMPTS + together - 1, PROMPTS - 1, -1))
        assert prompt.logits is not None
        try:
            while True:
                while free and (reply := next(replies, None)):
                    if reply.grow(prompt.logits):
                        live[free.pop()] = reply
                        self._copy(prompt.sequence, sequence := next(reversed(live)), len(prompt.tokens))
                if not live:
                    return
                start = len(prompt.tokens) - 1
                self._decode([(r.token, start + r.count, sequence, True) for sequence, r in live.items()], stop)
                for i, (sequence, reply) in enumerate(tuple(live.items())):
                    if not reply.grow(self._logits(i)):
                        del live[sequence]
                        self._remove(sequence)
                        free.append(sequence)
        finally:
            for sequence in live:
                self._remove(sequence)

    # ---------------------------------------------------------------------------------------------------- evaluation

    def _decode(self, entries: list[Entry], stop: Stop) -> None:
        """Evaluate a batch. Raise `Stopped` when told to stop, and `ModelError`."""
        batch = self._batch
        batch.n_tokens = len(entries)
        for i, (token, position, sequence, needs_logits) in enumerate(entries):
            batch.token[i], batch.pos[i], batch.logits[i] = token, position, needs_logits
            batch.n_seq_id[i], batch.seq_id[i][0] = 1, sequence
        clear_log()
        status = self._llama.llama_decode(self._context, batch)
        if stop:
            raise Stopped
        if status:
            raise ModelError(f"llama.cpp failed on {self._weights.path.name} ({status}): {logged_reason()}")

    def _logits(self, i: int) -> Logits:
        """Return the logits after entry `i` of the last batch; valid until the next batch."""
        pointer = self._llama.llama_get_logits_ith(self._context, i)
        return np.ctypeslib.as_array(pointer, (self._weights.size,))

    def _copy(self, source: int, target: int, count: int) -> None:
        """Copy the first `count` tokens of a sequence to another, without copying cells."""
        memory = self._llama.llama_get_memory(self._context)
        # A model with one state in place of cells only copies whole sequences.
        end = count if self._has_cells() else -1
        self._llama.llama_memory_seq_cp(memory, source, target, 0 if end > 0 else -1, end)

    def _remove(self, sequence: int, start: int = -1) -> bool:
        """Remove a sequence from position `start` on; return False where the model cannot."""
        if not self._context:
            return True
        memory = self._llama.llama_get_memory(self._context)
        return bool(self._llama.llama_memory_seq_rm(memory, sequence, start, -1))

    @contextmanager
    def _stopping(self, stop: Stop) -> Iterator[None]:
        """Let evaluation stop when told to."""
        self._llama.llama_set_abort_callback(self._context, *stop.callback())
        try:
            yield
        finally:
            self._llama.llama_set_abort_callback(self._context, self._llama.ggml_abort_callback(), None)

    # ------------------------------------------------------------------------------------------------------- context

    def _make_room(self, prompt: CachedPrompt, cells: int) -> None:
        """Make the context large enough for `cells` beside the other prompts; the oldest go if they do not fit."""
        for other in self._prompts[:-1]:
            if self._tokens_of_others(prompt) > self._weights.context:
                self._forget(other)
        need = cells + self._tokens_of_others(prompt)
        if need > self.cells:
            states = [(p, p.tokens, p.logits, self._state(p)) for p in self._prompts if p.tokens]
            for other in self._prompts:
                other.tokens, other.logits = [], None
            self._open(-(-need // STEP) * STEP)
            for other, tokens, logits, state in states:
                if self._llama.llama_state_seq_set_data(self._context, state, len(state), other.sequence):
                    other.tokens, other.logits = tokens, logits

    def _tokens_of_others(self, prompt: CachedPrompt) -> int:
        """Return how many tokens the other prompts have."""
        return sum(len(other.tokens) for other in self._prompts if other is not prompt)

    def _state(self, prompt: CachedPrompt) -> Any:
        """Return a prompt's state as bytes."""
        size = self._llama.llama_state_seq_get_size(self._context, prompt.sequence)
        state = (ctypes.c_uint8 * size)()
        self._llama.llama_state_seq_get_data(self._context, state, size, prompt.sequence)
        return state

    def _open(self, cells: int) -> None:
        """Make a context with `cells` cells in place of the one before."""
        if self._free:
            self._free()
        self._context, self.cells = None, 0
        self._context = new_context(
            self._weights,
            self._threads,
            n_ctx=cells,
            n_batch=BATCH,
            n_seq_max=PROMPTS + TOGETHER,
            # By default there is one for each token of a batch, each as large as the vocabulary.
            n_outputs_max=PROMPTS + TOGETHER,
        )
        self._batch = self._llama.llama_batch_init(BATCH, 0, 1)
        self._free = weakref.finalize(self, close, self._llama, self._context, self._batch)
        self.cells = cells
        if self._adapter:
            adapters = (self._llama.llama_adapter_lora_p_ctypes * 1)(self._adapter[0])
            self._llama.llama_set_adapters_lora(self._context, adapters, 1, (ctypes.c_float * 1)(1.0))


def _shared(tokens: list[int], other: list[int]) -> int:
    """Return the length of the common prefix of two lists of tokens."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(tokens, other, strict=False)))
