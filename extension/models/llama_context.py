"""Open a context of llama.cpp over the weights of a model, choose how many threads evaluate it, and close it."""

from __future__ import annotations

import os
from typing import Any

from askwhere.errors import ModelError
from askwhere.models.llama_library import clear_log, logged_reason
from askwhere.models.llama_weights import Weights

PIECE = 128  # tokens of a batch that are evaluated at once without a GPU


def new_context(weights: Weights, count: int, **parameters: Any) -> Any:
    """Return a llama.cpp context that `count` threads evaluate; 0 chooses by the cores.

    Raise `ModelError` where there is not enough memory.
    """
    llama = weights.llama
    options = llama.llama_context_default_params()
    options.n_threads = options.n_threads_batch = count or threads()
    if not llama.llama_supports_gpu_offload():
        # Without a GPU, flash attention reads the cache once for each reply, so that a step of 20 replies takes five
        # times as long. It saves memory, but smaller pieces of a batch do so as well.
        options.flash_attn_type = llama.LLAMA_FLASH_ATTN_TYPE_DISABLED
        options.n_ubatch = PIECE
    options.kv_unified = True
    for name, value in parameters.items():
        setattr(options, name, value)
    clear_log()
    context = llama.llama_init_from_model(weights.pointer, options)
    if not context:
        raise ModelError(
            f"llama.cpp cannot make room for {options.n_ctx} tokens with {weights.path.name} ({logged_reason()}); "
            "set max_tokens or schema_tokens lower"
        )
    return context


def close(llama: Any, context: Any, batch: Any) -> None:
    """Free a context and its batch."""
    llama.llama_batch_free(batch)
    llama.llama_free(context)


def threads() -> int:
    """Return the number of threads: one less than the cores, or half of more than four, which are often half cores.

    Threads wait for each other after every operation. If another program takes a core, all threads wait for the one
    that ran on it, and a step takes twenty times as long. The setting `threads` overrides this number.
    """
    return max(1, cores() - 1 if cores() <= 4 else cores() // 2)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
