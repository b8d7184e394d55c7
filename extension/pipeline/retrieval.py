"""Retrieve the demonstrations of the pool that are nearest to a question, by words, masked words or vectors.

MCS-SQL, section 3.2.1: questions about other databases are alike if they are the same except for names and values.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from askwhere.errors import ModelError, OutOfBudget, SettingError
from askwhere.indexer.values import tokens
from askwhere.models import flag
from askwhere.pipeline import mcs_prompts
from askwhere.pipeline.demonstrations import MASK, VALUE, Demonstration, masked, ranking
from askwhere.pipeline.facts import Linked
from askwhere.pipeline.link import VALUES_SHOWN
from askwhere.pipeline.steps import Means

# The questions of the pool that the model masks: those that are nearest by our own masks.
SHORTLIST = 60
# The questions that one prompt asks to mask; a mask has about 25 tokens.
TOGETHER = 30
# Vectors of asked questions that are kept; each has some kilobytes.
QUESTIONS = 1_000
_MARK = re.compile(r"[\[<](\w+)[^\]>\n]{0,20}[\]>]\w*")
_NUMBERED = re.compile(r"^\W{0,3}(\d+)[.):*\s]{1,4}(.*)$", re.MULTILINE)


def nearest(linked: Linked, means: Means, k: int) -> tuple[Demonstration, ...]:
    """Return the `k` nearest demonstrations by the setting `examples_by`.

    The question itself comes first if the pool has it. No two have the same skeleton. Raises `ModelError`, and
    `SettingError` where no model makes vectors.
    """
    if means.retrieval.by == "masked":
        return nearest_masked(linked, means, k)
    pool = means.pool()
    return pool.first(_order(linked.question, pool.questions, pool.by_question, means), k, linked.question)


def nearest_masked(linked: Linked, means: Means, k: int) -> tuple[Demonstration, ...]:
    """Return the `k` nearest demonstrations by masked questions."""
    pool = means.pool()
    order = _order(masked_question(linked), pool.masks, pool.by_mask, means)
    if means.retrieval.masked_by == "model" and order:
        short = order[:SHORTLIST]
        own, *others = _masked_by_model(linked, short, means)
        again = _order(own, others, ranking(others), means)
        order = [*(short[place] for place in again), *order[SHORTLIST:]]
    return pool.first(order, k, linked.question)


def calls(means: Means) -> int:
    """Return the most completions that masking costs for a question."""
    if means.retrieval.masked_by != "model" or {"examples", "masked"} & means.leave_out or not len(means.pool()):
        return 0
    return 1 + -(-min(SHORTLIST, len(means.pool())) // TOGETHER)


def masked_question(linked: Linked) -> str:
    """Return the question with its words for tables, columns and values masked, by the catalog and the value index."""
    names: list[str] = []
    for table in linked.catalog.tables:
        names += (table.name, *table.synonyms)
        for column in table.columns:
            names += (column.name, *column.synonyms)
    values = [match.value for match in linked.values.search(linked.question, VALUES_SHOWN) if match.exact]
    return masked(linked.question, names, values)


def _order(text: str, texts: Sequence[str], bm25: Callable[[str], list[int]], means: Means) -> list[int]:
    """Return the places of texts, the nearest first, by vectors if set and there is time for them, else by BM25."""
    if means.retrieval.by == "embeddings" and texts:
        try:
            return _by_vectors(text, texts, means)
        except OutOfBudget as exc:
            means.asker.note("embed", f"examples by BM25: {exc}")
    return bm25(text)


def _by_vectors(text: str, texts: Sequence[str], means: Means) -> list[int]:
    """Return the places of texts by the cosine similarity of their vectors with the text's, the nearest first."""
    import numpy as np

    question, *others = _vectors((text, *texts), means)
    return [int(n) for n in np.argsort(-(np.stack(others) @ question), kind="stable")]


def _vectors(texts: Sequence[str], means: Means) -> list[Any]:
    """Return a vector of length one for each text; vectors are kept for as long as the connection lasts."""
    import numpy as np

    model, known = means.retrieval.embedder or means.model, means.retrieval.known.vectors
    if not callable(flag(model, "embed")):
        raise SettingError(
            f"setting examples_by: {model.name} gives no embeddings; SELECT ask_set('embedder', 'openai:NAME') or"
            " 'gguf:FILE' names a model that does, and ask_set('examples_by', 'bm25') needs none"
        )
    missing = [one for one in dict.fromkeys(texts) if (model.name, one) not in known]
    for one, vector in means.asker.embed(model, missing):
        known[model.name, one] = (np.array(vector) / (math.hypot(*vector) or 1.0)).astype(np.float32)
    found = [known[model.name, one] for one in texts]
    if len({len(vector) for vector in found}) > 1:
        for key in [key for key in known if key[0] == model.name]:
            del known[key]
        raise ModelError(f"model {model.name} gave vectors of different lengths; ask again, or set another embedder")
    _keep_latest(known, {(model.name, one): vector for one, vector in zip(texts, found, strict=True)}, len(texts))
    return found


def _keep_latest(known: dict[tuple[str, str], Any], used: Mapping[tuple[str, str], Any], pool: int) -> None:
    """Forget the vectors that were used longest ago.

    There stay two for each question of the pool, plain and masked, and `QUESTIONS` others.
    """
    for key, vector in used.items():
        known.pop(key, None)
        known[key] = vector
    for key in list(known)[: max(len(known) - 2 * pool - QUESTIONS, 0)]:
        del known[key]


def _masked_by_model(linked: Linked, places: Sequence[int], means: Means) -> list[str]:
    """Return the question's mask, then those of the pool's questions at `places`.

    Our own mask is used where a reply lacks one or changed other words, and where no calls are left.
    """
    pool, known = means.pool(), means.retrieval.known.masks
    question_key = (means.model.name, linked.question, linked.catalog.version)
    keys = [(means.model.name, pool[place]) for place in places]
    new = [n for n, key in enumerate(keys) if key not in known]
    try:
        if question_key not in known:
            (known[question_key],) = _masks_by_model(
                mcs_prompts.masking(linked), [linked.question], [masked_question(linked)], means
            )
        for start in range(0, len(new), TOGETHER):
            some = new[start : start + TOGETHER]
            shown = [pool[places[n]] for n in some]
            own = [pool.masks[places[n]] for n in some]
            found = _masks_by_model(mcs_prompts.masking_of(shown), [one.question for one in shown], own, means)
            known |= {keys[n]: mask for n, mask in zip(some, found, strict=True)}
    except OutOfBudget as exc:
        means.asker.note("mask", f"not by the model: {exc}")
    others = (known.get(key, pool.masks[place]) for key, place in zip(keys, places, strict=True))
    return [known.get(question_key) or masked_question(linked), *others]


def _masks_by_model(prompt: str, questions: Sequence[str], own: Sequence[str], means: Means) -> list[str]:
    """Return the masks of questions from the model's reply to a prompt, and our own where it lacks one."""
    (reply,) = means.asker.ask(means.model, "mask", prompt).texts
    found = masks(reply, questions)
    missing = sum(one is None for one in found)
    means.asker.note("mask", f"{len(found) - missing} of {len(found)} questions masked by the model")
    return [ours if one is None else one for one, ours in zip(found, own, strict=True)]


def masks(reply: str, questions: Sequence[str]) -> list[str | None]:
    """Return the masked questions of a reply; None for one that is missing or has words that are not the question's.

    >>> masks("1. How many [TABLE] are in [VALUE]?", ["How many customers are in Canada?"])
    ['how many maskedname are in maskedvalue']
    """
    lines = {int(number): line for number, line in _NUMBERED.findall(reply)} or {1: reply}
    return [_mask(lines.get(number, ""), question) for number, question in enumerate(questions, 1)]


def _mask(line: str, question: str) -> str | None:
    """Return a masked question from one line of a reply; None where it has other words than the question."""
    marked = _MARK.sub(lambda m: f" {VALUE if m[1].lower().startswith('val') else MASK} ", line)
    words = tokens(marked)
    if not words or not {*words} <= {*tokens(question), MASK, VALUE}:
        return None
    after = zip(words, ["", *words], strict=False)
    return " ".join(word for word, before in after if word != before or word not in (MASK, VALUE))
