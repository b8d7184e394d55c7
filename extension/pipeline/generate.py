"""Generate candidates from a model, and put the reader's beside them."""

from __future__ import annotations

from askwhere.errors import Unread
from askwhere.pipeline import prompts, readings
from askwhere.pipeline.facts import Linked
from askwhere.pipeline.steps import Candidates, Means, candidate


def beside_reader(linked: Linked, candidates: Candidates, means: Means) -> Candidates:
    """Add the reader's readings in which every word has its place."""
    try:
        found = readings.read(linked, means.asker)
    except Unread:
        return candidates
    return candidates + readings.candidates(tuple(r for r in found if r.whole))


def zero_shot(linked: Linked, candidates: Candidates, means: Means) -> Candidates:
    """Add one greedy completion of the generation prompt, tried (SEA-SQL, section 3.2). Raises `ModelError`."""
    texts = means.asker.ask(means.model, "generate", prompts.generation(linked), grammar=means.grammar())
    written = (candidate(text, linked, means.model.name) for text in texts)
    return candidates + tuple(means.tried(c) for c in written)


def plain(linked: Linked, candidates: Candidates, means: Means) -> Candidates:
    """Add one greedy completion of the plain prompt, tried, without a grammar. Raises `ModelError`."""
    texts = means.asker.ask(means.model, "generate", prompts.plain(linked))
    return candidates + tuple(means.tried(candidate(text, linked, means.model.name)) for text in texts)
