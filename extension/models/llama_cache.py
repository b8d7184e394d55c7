"""Reuse a model's KV cache between prompts, so that only tokens that are not in it are evaluated (prefill).

Sequences below `KEPT` are trunks, which hold the last few prompts. The other sequences are replies: each begins as a
copy of a trunk, which costs nothing as both share the cells of the cache, and is removed when the reply ends. The part
of a prompt that is the same for every question can also be cached on disk, for other processes.
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

KEPT = 4  # prompts that stay in the cache
TOGETHER = 32  # the most replies that grow in one batch
BATCH = 512  # tokens of a prompt that are evaluated at once
WORTH = 200  # a state on disk is loaded or written only if it saves evaluating this many tokens
STEP = 1_024  # the number of cells is a multiple of this, so that few longer prompts need a new context
Entry = tuple[int, int, int, bool]  # token, position, sequence, whether the logits after it are needed


@dataclass
class Trunk:
    """A prompt in the cache: its tokens, and the logits after them (None until all of them are evaluated)."""

    sequence: int
    tokens: list[int] = field(default_factory=list)
    expects: Logits | None = None


class Cache:
    """A llama.cpp context, made when it is first needed and enlarged later; one thread may use it at a time.

    `evaluated` counts the tokens of prompts evaluated so far; `cells` is the number of tokens that fit. `adapter` is a
    LoRA's pointer and the identity of its file. `kept` is the setting `prompt_cache`.
    """

    def __init__(
        self, weights: Weights, adapter: tuple[Any, object] | None = None, threads: int = 0, kept: str = "memory"
    ) -> None:
        self.evaluated = self.cells = 0
        self._keeps = kept
        self._weights, self._adapter, self._llama, self._threads = weights, adapter, weights.llama, threads
        self._trunks = [Trunk(i) for i in range(KEPT)]  # the one used last is last
        self._context: Any = None
        self._batch: Any = None
        self._free: Callable[[], object] | None = None

    def grow(
        self, tokens: list[int], replies: Iterator[Reply], together: int, room: int, stop: Stop, fixed: int = 0
    ) -> None:
        """Generate `replies` to the prompt `tokens`, at most `together` at a time, in `room` cells beside the prompt's.

        The prompt's first `fixed` tokens are a batch of their own whether they are evaluated or loaded from disk, so
        that replies are the same in both cases. Raises `Stopped` when told to stop; what was evaluated stays cached.
        """
        trunk = self._place(tokens)
        self._make_room(trunk, len(tokens) + room)
        try:
            with self._stopping(stop):
                self._begin(trunk, tokens[: min(fixed, len(tokens) - 1)], stop)
                self._read(trunk, tokens, stop)
                self._reply(trunk, replies, together, stop)
        finally:
            if self._keeps == "off":
                self._forget(trunk)

    # ------------------------------------------------------------------------------------------------------ prompts

    def _place(self, tokens: list[int]) -> Trunk:
        """Return the trunk for a prompt, cut to the tokens that it shares with the prompt.

        A prompt that shares more than half of a trunk's tokens replaces it: it is another question on the same schema.
        Any other replaces the least recently used trunk, and begins with a copy of what it shares with another one.
        """
        shares = [_shared(trunk.tokens, tokens) for trunk in self._trunks]
        shared = max(shares)
        source = self._trunks[shares.index(shared)]
        trunk = source if shared * 2 > len(source.tokens) else self._trunks[0]
        self._trunks.remove(trunk)
        self._trunks.append(trunk)
        if trunk.tokens != tokens or trunk.expects is None:
            self._fork(trunk, source, min(shared, len(tokens) - 1))  # evaluate at least one token, for its logits
        return trunk

    def _fork(self, trunk: Trunk, source: Trunk, shared: int) -> None:
        """Make `trunk` hold the first `shared` tokens of `source`; none if the model can only copy whole sequences."""
        if source is trunk and self._remove(trunk.sequence, shared):
            trunk.tokens, trunk.expects = trunk.tokens[:shared], None
            return
        self._forget(trunk)
        if source is not trunk and shared and self._has_cells():
            self._copy(source.sequence, trunk.sequence, shared)
            trunk.tokens = source.tokens[:shared]

    def _forget(self, trunk: Trunk) -> None:
        """Remove a trunk's tokens from the cache."""
        self._remove(trunk.sequence)
        trunk.tokens, trunk.expects = [], None

    def _has_cells(self) -> bool:
        """Return whether the cache has a cell for each token, so that tokens can be removed.

        A recurrent model has one state for all tokens instead.
        """
        model = self._weights.pointer
        return not (self._llama.llama_model_is_recurrent(model) or self._llama.llama_model_is_hybrid(model))

    def _read(self, trunk: Trunk, tokens: list[int], stop: Stop) -> None:
        """Evaluate the tokens that the trunk does not hold."""
        for start in range(len(trunk.tokens), len(tokens), BATCH):
            some = tokens[start : start + BATCH]
            last = start + BATCH >= len(tokens)
            ends = start + len(some) - 1
            entries = [(t, i, trunk.sequence, last and i == ends) for i, t in enumerate(some, start)]
            self._decode(entries, stop)
            trunk.tokens = trunk.tokens + some
            self.evaluated += len(some)
            if last:
                trunk.expects = self._logits(len(some) - 1).copy()

    # --------------------------------------------------------------------------------------------------------- disk

    def _begin(self, trunk: Trunk, fixed: list[int], stop: Stop) -> None:
        """Evaluate `fixed`, or load a part of it from disk and save there what else was evaluated."""
        if self._keeps != "disk" or not self._has_cells() or len(fixed) - len(trunk.tokens) < WORTH:
            self._read(trunk, fixed, stop)
            return
        facts = (*self._weights.facts(self.cells), self._adapter and self._adapter[1])
        key, folder = llama_states.key(facts, fixed), llama_states.default_folder()
        self._recall(trunk, fixed, llama_states.load(key, folder))
        known = len(trunk.tokens)
        try:
            self._read(trunk, fixed, stop)
        finally:  # also when told to stop: the next process continues from there
            if len(trunk.tokens) - known >= WORTH:
                self._save(trunk, key, folder)

    def _save(self, trunk: Trunk, key: bytes, folder: Path) -> None:
        """Save a trunk's state on disk."""
        self._remove(trunk.sequence, len(trunk.tokens))  # cells of a batch that was stopped
        if self._llama.llama_state_seq_get_size(self._context, trunk.sequence) <= llama_states.MOST:
            state = llama_states.State(len(trunk.tokens), self._state(trunk))
            llama_states.save(key, self._weights.path.name, state, folder)

    def _recall(self, trunk: Trunk, fixed: list[int], state: llama_states.State | None) -> None:
        """Make `trunk` hold the state from disk, if that saves evaluating `WORTH` tokens."""
        if state is None or not len(trunk.tokens) + WORTH <= state.count <= len(fixed):
            return
        self._forget(trunk)
        self._llama.llama_state_seq_set_data(self._context, state.content, len(state.content), trunk.sequence)
        memory = self._llama.llama_get_memory(self._context)
        first = self._llama.llama_memory_seq_pos_min(memory, trunk.sequence)
        last = self._llama.llama_memory_seq_pos_max(memory, trunk.sequence)
        if (first, last) == (0, state.count - 1):
            trunk.tokens = fixed[: state.count]
        else:  # llama.cpp did not accept it, or it is of other tokens
            self._remove(trunk.sequence)

    # ------------------------------------------------------------------------------------------------------ replies

    def _reply(self, trunk: Trunk, replies: Iterator[Reply], together: int, stop: Stop) -> None:
        """Generate replies from a trunk until all have ended, as many at a time as there are free sequences."""
        live: dict[int, Reply] = {}
        free = list(range(KEPT + together - 1, KEPT - 1, -1))
        assert trunk.expects is not None
        try:
            while True:
                while free and (reply := next(replies, None)):
                    if reply.grow(trunk.expects):
                        live[free.pop()] = reply
                        self._copy(trunk.sequence, sequence := next(reversed(live)), len(trunk.tokens))
                if not live:
                    return
                start = len(trunk.tokens) - 1
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
        """Evaluate a batch. Raises `Stopped` when told to stop, and `ModelError`."""
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

    def _make_room(self, trunk: Trunk, cells: int) -> None:
        """Make the context large enough for `cells` beside the other prompts; the oldest go if they do not fit."""
        for other in self._trunks[:-1]:
            if self._tokens_of_others(trunk) > self._weights.context:
                self._forget(other)
        need = cells + self._tokens_of_others(trunk)
        if need > self.cells:
            states = [(kept, kept.tokens, kept.expects, self._state(kept)) for kept in self._trunks if kept.tokens]
            for kept in self._trunks:
                kept.tokens, kept.expects = [], None
            self._open(-(-need // STEP) * STEP)
            for kept, tokens, expects, state in states:
                if self._llama.llama_state_seq_set_data(self._context, state, len(state), kept.sequence):
                    kept.tokens, kept.expects = tokens, expects

    def _tokens_of_others(self, trunk: Trunk) -> int:
        """Return how many tokens the other trunks have."""
        return sum(len(other.tokens) for other in self._trunks if other is not trunk)

    def _state(self, trunk: Trunk) -> Any:
        """Return a trunk's state as bytes."""
        size = self._llama.llama_state_seq_get_size(self._context, trunk.sequence)
        state = (ctypes.c_uint8 * size)()
        self._llama.llama_state_seq_get_data(self._context, state, size, trunk.sequence)
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
            n_seq_max=KEPT + TOGETHER,
            # By default there is one for each token of a batch, each as large as the vocabulary.
            n_outputs_max=KEPT + TOGETHER,
        )
        self._batch = self._llama.llama_batch_init(BATCH, 0, 1)
        self._free = weakref.finalize(self, close, self._llama, self._context, self._batch)
        self.cells = cells
        if self._adapter:
            adapters = (self._llama.llama_adapter_lora_p_ctypes * 1)(self._adapter[0])
            self._llama.llama_set_adapters_lora(self._context, adapters, 1, (ctypes.c_float * 1)(1.0))


def _shared(one: list[int], other: list[int]) -> int:
    """Return the length of the common prefix of two lists of tokens."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
