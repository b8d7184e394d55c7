"""Retrieve the demonstrations of the pool that are nearest to a question, by words, masked words or vectors.

MCS-SQL, section 3.2.1: questions about other databases are alike if they are the same except for names and values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from askwhere.errors import ModelError, OutOfBudget, SettingError
from askwhere.models import flag
from askwhere.pipeline.demonstrations import Demonstration, masked
from askwhere.pipeline.facts import Linked
from askwhere.pipeline.link import VALUES_SHOWN
from askwhere.pipeline.steps import StepContext

# Vectors of asked questions that are cached; each has some kilobytes.
QUESTIONS = 1_000


def nearest(linked: Linked, context: StepContext, k: int) -> tuple[Demonstration, ...]:
    """Return the `k` nearest demonstrations by the setting `examples_by`.

    The question itself comes first if the pool has it. No two have the same skeleton. Raise `ModelError`, and
    `SettingError` where no model makes vectors.
    """
    if context.retrieval.by == "masked":
        return nearest_masked(linked, context, k)
    pool = context.pool()
    return pool.first(_order(linked.question, pool.questions, pool.by_question, context), k, linked.question)


def nearest_masked(linked: Linked, context: StepContext, k: int) -> tuple[Demonstration, ...]:
    """Return the `k` nearest demonstrations by masked questions."""
    pool = context.pool()
    return pool.first(_order(masked_question(linked), pool.masks, pool.by_mask, context), k, linked.question)


def masked_question(linked: Linked) -> str:
    """Return the question with its words for tables, columns and values masked, by the catalog and the value index."""
    names: list[str] = []
    for table in linked.catalog.tables:
        names += (table.name, *table.synonyms)
        for column in table.columns:
            names += (column.name, *column.synonyms)
    values = [match.value for match in linked.values.search(linked.question, VALUES_SHOWN) if match.exact]
    return masked(linked.question, names, values)


def _order(text: str, texts: Sequence[str], bm25: Callable[[str], list[int]], context: StepContext) -> list[int]:
    """Return the positions of texts, the nearest first: by vectors if `examples_by` says so, else by BM25.

    BM25 also takes the place of vectors where there is no time to compute them.
    """
    if context.retrieval.by == "embeddings" and texts:
        try:
            return _by_vectors(text, texts, context)
        except OutOfBudget as exc:
            context.asker.note("embed", f"examples by BM25: {exc}")
    return bm25(text)


def _by_vectors(text: str, texts: Sequence[str], context: StepContext) -> list[int]:
    """Return the positions of texts by the cosine similarity of their vectors with the text's, the nearest first."""
    import numpy as np

    question, *others = _vectors((text, *texts), context)
    return [int(n) for n in np.argsort(-(np.stack(others) @ question), kind="stable")]


def _vectors(texts: Sequence[str], context: StepContext) -> list[Any]:
    """Return a vector of length one for each text; vectors are cached for as long as the connection lasts."""
    import numpy as np

    model, known = context.retrieval.embedder or context.model, context.retrieval.vectors
    if not callable(flag(model, "embed")):
        raise SettingError(
            f"setting examples_by: {model.name} gives no embeddings; SELECT ask_set('embedder', 'openai:NAME') or"
            " 'gguf:FILE' names a model that does, and ask_set('examples_by', 'bm25') needs none"
        )
    missing = [text for text in dict.fromkeys(texts) if (model.name, text) not in known]
    for text, vector in context.asker.embed(model, missing):
        known[model.name, text] = (np.array(vector) / (math.hypot(*vector) or 1.0)).astype(np.float32)
    vectors = [known[model.name, text] for text in texts]
    if len({len(vector) for vector in vectors}) > 1:
        for key in [key for key in known if key[0] == model.name]:
            del known[key]
        raise ModelError(f"model {model.name} gave vectors of different lengths; ask again, or set another embedder")
    _keep_latest(known, {(model.name, text): vector for text, vector in zip(texts, vectors, strict=True)}, len(texts))
    return vectors


def _keep_latest(known: dict[tuple[str, str], Any], used: Mapping[tuple[str, str], Any], pool: int) -> None:
    """Remove the vectors that were used longest ago from the cache `known`.

    It keeps two for each question of the pool, plain and masked, and `QUESTIONS` others.
    """
    for key, vector in used.items():
        known.pop(key, None)
        known[key] = vector
    for key in list(known)[: max(len(known) - 2 * pool - QUESTIONS, 0)]:
        del known[key]
