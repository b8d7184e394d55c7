"""The context of a model: what it has read stays in its cache, so that only what differs is evaluated.

Sequences below `KEPT` are the trunks: one prompt each, the last few that were asked. The others are replies: each
begins as a copy of a trunk, which costs nothing since the cells of the cache are shared, and goes when it is over.

What was made of the part of a prompt that is the same for every question is also kept on disk, for other processes.
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
from askwhere.models.llama_cpus import threads
from askwhere.models.llama_library import Stop, Stopped, hear, said
from askwhere.models.llama_sampling import Logits, Reply
from askwhere.models.llama_weights import Weights

KEPT = 4  # prompts
TOGETHER = 32  # replies that grow in one batch
BATCH = 512  # tokens of a prompt that are handed over at once
PIECE = 128  # of which so many are evaluated at once without a GPU
WORTH = 200  # tokens that a state on disk must spare a process
STEP = 1_024  # a context has a multiple of so many cells, so that it is not made anew for every longer prompt
Entry = tuple[int, int, int, bool]  # token, position, sequence, whether to say what may follow


@dataclass
class Trunk:
    """A prompt in the cache: its tokens, and what the model expects after them (None: not all is evaluated)."""

    sequence: int
    tokens: list[int] = field(default_factory=list)
    expects: Logits | None = None


class Cache:
    """A context that is made when first needed and grows. For one thread at a time.

    `evaluated` counts the tokens of prompts that were evaluated so far; `cells` is how many tokens there is room for.
    `adapter` is a LoRA's pointer and what tells its file from others. `kept` is the setting `prompt_cache`.
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
        """Grows all `replies` to the prompt `tokens`, so many `together`, which takes `room` cells beside the prompt.

        When it is told to stop it raises `Stopped`, and keeps what it has evaluated of the prompt. Its first `fixed`
        tokens are evaluated by themselves, wherever they come from: so replies are the same after each.
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
        """A trunk that holds as much of the prompt `tokens` as was evaluated before, and nothing else.

        A prompt that shares half of a trunk takes its place: one more question on the same schema. Otherwise the
        trunk that was used longest ago goes, for a copy of what another one begins with.
        """
        shares = [_shared(trunk.tokens, tokens) for trunk in self._trunks]
        shared = max(shares)
        source = self._trunks[shares.index(shared)]
        trunk = source if shared * 2 > len(source.tokens) else self._trunks[0]
        self._trunks.remove(trunk)
        self._trunks.append(trunk)
        if trunk.tokens != tokens or trunk.expects is None:
            self._fork(trunk, source, min(shared, len(tokens) - 1))  # one at least is evaluated, to know what follows
        return trunk

    def _fork(self, trunk: Trunk, source: Trunk, shared: int) -> None:
        """Makes `trunk` hold the first `shared` tokens of `source`, or none where the model cannot give a part."""
        if source is trunk and self._remove(trunk.sequence, shared):
            trunk.tokens, trunk.expects = trunk.tokens[:shared], None
            return
        self._forget(trunk)
        if source is not trunk and shared and self._has_cells():
            self._copy(source.sequence, trunk.sequence, shared)
            trunk.tokens = source.tokens[:shared]

    def _forget(self, trunk: Trunk) -> None:
        self._remove(trunk.sequence)
        trunk.tokens, trunk.expects = [], None

    def _has_cells(self) -> bool:
        """Whether the past is kept token by token; else in one state, of which nothing can be taken back."""
        model = self._weights.pointer
        return not (self._llama.llama_model_is_recurrent(model) or self._llama.llama_model_is_hybrid(model))

    def _read(self, trunk: Trunk, tokens: list[int], stop: Stop) -> None:
        """Evaluates what the trunk does not hold of `tokens`."""
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
        """Evaluates `fixed`, or goes on from what is on disk of it; what was evaluated here is then on disk."""
        if self._keeps != "disk" or not self._has_cells() or len(fixed) - len(trunk.tokens) < WORTH:
            self._read(trunk, fixed, stop)
            return
        facts = (*self._weights.facts(self.cells), self._adapter and self._adapter[1])
        key, folder = llama_states.key(facts, fixed), llama_states.default_folder()
        self._recall(trunk, fixed, llama_states.load(key, folder))
        known = len(trunk.tokens)
        try:
            self._read(trunk, fixed, stop)
        finally:  # told to stop, too: the next process goes on from there
            if len(trunk.tokens) - known >= WORTH:
                self._save(trunk, key, folder)

    def _save(self, trunk: Trunk, key: bytes, folder: Path) -> None:
        self._remove(trunk.sequence, len(trunk.tokens))  # what came after, when it was told to stop
        if self._llama.llama_state_seq_get_size(self._context, trunk.sequence) <= llama_states.MOST:
            state = llama_states.State(len(trunk.tokens), self._state(trunk))
            llama_states.save(key, self._weights.path.name, state, folder)

    def _recall(self, trunk: Trunk, fixed: list[int], state: llama_states.State | None) -> None:
        """Makes `trunk` hold what a state on disk holds of `fixed`, where that spares enough."""
        if state is None or not len(trunk.tokens) + WORTH <= state.count <= len(fixed):
            return
        self._forget(trunk)
        self._llama.llama_state_seq_set_data(self._context, state.content, len(state.content), trunk.sequence)
        memory = self._llama.llama_get_memory(self._context)
        first = self._llama.llama_memory_seq_pos_min(memory, trunk.sequence)
        last = self._llama.llama_memory_seq_pos_max(memory, trunk.sequence)
        if (first, last) == (0, state.count - 1):
            trunk.tokens = fixed[: state.count]
        else:  # it was not taken, or is not of these tokens
            self._remove(trunk.sequence)

    # ------------------------------------------------------------------------------------------------------ replies

    def _reply(self, trunk: Trunk, replies: Iterator[Reply], together: int, stop: Stop) -> None:
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
        batch = self._batch
        batch.n_tokens = len(entries)
        for i, (token, position, sequence, wanted) in enumerate(entries):
            batch.token[i], batch.pos[i], batch.logits[i] = token, position, wanted
            batch.n_seq_id[i], batch.seq_id[i][0] = 1, sequence
        hear()
        status = self._llama.llama_decode(self._context, batch)
        if stop:
            raise Stopped
        if status:
            raise ModelError(f"llama.cpp failed on {self._weights.path.name} ({status}): {said()}")

    def _logits(self, i: int) -> Logits:
        """What may follow the entry `i` of the last batch; valid until the next one."""
        pointer = self._llama.llama_get_logits_ith(self._context, i)
        return np.ctypeslib.as_array(pointer, (self._weights.size,))

    def _copy(self, source: int, target: int, count: int) -> None:
        memory = self._llama.llama_get_memory(self._context)
        # A model with one state in place of cells takes the whole range only.
        end = count if self._has_cells() else -1
        self._llama.llama_memory_seq_cp(memory, source, target, 0 if end > 0 else -1, end)

    def _remove(self, sequence: int, start: int = -1) -> bool:
        if not self._context:
            return True
        memory = self._llama.llama_get_memory(self._context)
        return bool(self._llama.llama_memory_seq_rm(memory, sequence, start, -1))

    @contextmanager
    def _stopping(self, stop: Stop) -> Iterator[None]:
        """Evaluation breaks off when it is told to stop."""
        self._llama.llama_set_abort_callback(self._context, *stop.callback())
        try:
            yield
        finally:
            self._llama.llama_set_abort_callback(self._context, self._llama.ggml_abort_callback(), None)

    # ------------------------------------------------------------------------------------------------------- context

    def _make_room(self, trunk: Trunk, cells: int) -> None:
        """Makes the context large enough for `cells` beside the other prompts; of very long ones the oldest go."""
        for other in self._trunks[:-1]:
            if self._kept(trunk) > self._weights.context:
                self._forget(other)
        need = cells + self._kept(trunk)
        if need > self.cells:
            held = [(kept, kept.tokens, kept.expects, self._state(kept)) for kept in self._trunks if kept.tokens]
            for kept in self._trunks:
                kept.tokens, kept.expects = [], None
            self._open(-(-need // STEP) * STEP)
            for kept, tokens, expects, state in held:
                if self._llama.llama_state_seq_set_data(self._context, state, len(state), kept.sequence):
                    kept.tokens, kept.expects = tokens, expects

    def _kept(self, trunk: Trunk) -> int:
        return sum(len(other.tokens) for other in self._trunks if other is not trunk)

    def _state(self, trunk: Trunk) -> Any:
        size = self._llama.llama_state_seq_get_size(self._context, trunk.sequence)
        state = (ctypes.c_uint8 * size)()
        self._llama.llama_state_seq_get_data(self._context, state, size, trunk.sequence)
        return state

    def _open(self, cells: int) -> None:
        if self._free:
            self._free()
        self._context, self.cells = None, 0
        self._context = new_context(
            self._weights,
            self._threads,
            n_ctx=cells,
            n_batch=BATCH,
            n_seq_max=KEPT + TOGETHER,
            n_outputs_max=KEPT + TOGETHER,  # by default as many as a batch has tokens, each as large as the vocabulary
        )
        self._batch = self._llama.llama_batch_init(BATCH, 0, 1)
        self._free = weakref.finalize(self, _close, self._llama, self._context, self._batch)
        self.cells = cells
        if self._adapter:
            adapters = (self._llama.llama_adapter_lora_p_ctypes * 1)(self._adapter[0])
            self._llama.llama_set_adapters_lora(self._context, adapters, 1, (ctypes.c_float * 1)(1.0))


def new_context(weights: Weights, count: int, **parameters: Any) -> Any:
    """A context of llama.cpp's that `count` threads evaluate, 0 by the cores.

    Raises `ModelError` where there is no memory for it.
    """
    llama = weights.llama
    wanted = llama.llama_context_default_params()
    wanted.n_threads = wanted.n_threads_batch = count or threads()
    if not llama.llama_supports_gpu_offload():
        # Without a GPU, flash attention goes through the cache once for each reply: five times the time of a step of
        # 20 replies. What it saves is memory, which smaller pieces of a batch save as well.
        wanted.flash_attn_type = llama.LLAMA_FLASH_ATTN_TYPE_DISABLED
        wanted.n_ubatch = PIECE
    wanted.kv_unified = True
    for name, value in parameters.items():
        setattr(wanted, name, value)
    hear()
    context = llama.llama_init_from_model(weights.pointer, wanted)
    if not context:
        raise ModelError(
            f"llama.cpp cannot make room for {wanted.n_ctx} tokens with {weights.path.name} ({said()}); "
            "set max_tokens or schema_tokens lower"
        )
    return context


def _close(llama: Any, context: Any, batch: Any) -> None:
    llama.llama_batch_free(batch)
    llama.llama_free(context)


def _shared(one: list[int], other: list[int]) -> int:
    """How many tokens both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
