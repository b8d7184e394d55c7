"""Make vectors of texts: the mean of a model's embeddings of their tokens."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence

import numpy as np
from askwhere.errors import ModelError
from askwhere.models.llama_context import new_context
from askwhere.models.llama_library import Stop, Stopped, clear_log, logged_reason
from askwhere.models.llama_weights import Weights

LONGEST = 512  # tokens of a text that count for its vector, and the most tokens of a batch
TOGETHER = 64  # the most texts of a batch


class Vectors:
    """A llama.cpp context for vectors, used by one thread at a time."""

    def __init__(self, weights: Weights, threads: int = 0) -> None:
        self._weights, self._llama = weights, weights.llama
        self._context = new_context(
            weights,
            threads,
            n_ctx=LONGEST,
            n_batch=LONGEST,
            n_ubatch=LONGEST,
            n_seq_max=TOGETHER,
            embeddings=True,
            pooling_type=self._llama.LLAMA_POOLING_TYPE_MEAN,
        )
        self._batch = self._llama.llama_batch_init(LONGEST, 0, 1)
        weakref.finalize(self, self._llama.llama_free, self._context)
        weakref.finalize(self, self._llama.llama_batch_free, self._batch)

    def of(self, texts: Sequence[str], stop: Stop) -> list[list[float]]:
        """Return a vector of length one for each text; zeros for a text without tokens."""
        tokens = [self._weights.tokens(text)[:LONGEST] for text in texts]
        return [vector for batch in _batches(tokens) for vector in self._evaluate(batch, stop)]

    def _evaluate(self, texts: list[list[int]], stop: Stop) -> list[list[float]]:
        """Return the vectors of texts, given as tokens, that fit into one batch."""
        if stop:
            raise Stopped
        entries = [(token, i, text) for text, tokens in enumerate(texts) for i, token in enumerate(tokens)]
        batch = self._batch
        batch.n_tokens = len(entries)
        for i, (token, position, text) in enumerate(entries):
            batch.token[i], batch.pos[i], batch.logits[i] = token, position, True
            batch.n_seq_id[i], batch.seq_id[i][0] = 1, text
        if memory := self._llama.llama_get_memory(self._context):  # a model made for vectors has none
            self._llama.llama_memory_clear(memory, False)
        clear_log()
        if entries and (status := self._llama.llama_decode(self._context, batch)):
            raise ModelError(f"llama.cpp failed on {self._weights.path.name} ({status}): {logged_reason()}")
        return [self._vector(text) if tokens else [0.0] * self._width for text, tokens in enumerate(texts)]

    @property
    def _width(self) -> int:
        return int(self._llama.llama_model_n_embd(self._weights.pointer))

    def _vector(self, text: int) -> list[float]:
        """Return the vector of the batch's text of this number, scaled to the length one."""
        pointer = self._llama.llama_get_embeddings_seq(self._context, text)
        vector = np.ctypeslib.as_array(pointer, (self._width,)).astype(np.float64)
        length = float(np.linalg.norm(vector))
        return [float(x) for x in (vector / length if length else vector)]


def _batches(texts: list[list[int]]) -> Iterator[list[list[int]]]:
    """Yield the texts in order, as many at a time as fit into a batch."""
    batch: list[list[int]] = []
    for tokens in texts:
        if batch and (len(batch) == TOGETHER or sum(map(len, batch)) + len(tokens) > LONGEST):
            yield batch
            batch = []
        batch.append(tokens)
    yield batch
