"""Generate candidates from the built-in reader and from a model."""

from __future__ import annotations

import time

from askwhere import reader
from askwhere.errors import Unread
from askwhere.pipeline import confidence, prompts
from askwhere.pipeline.asking import Asker, since
from askwhere.pipeline.facts import Candidate, Linked
from askwhere.pipeline.steps import Candidates, Means, candidate


def from_reader(linked: Linked, asker: Asker) -> Candidates:
    """Return the built-in reader's readings, traced as a step. Raises `Unread` where it refuses."""
    return _candidates(_readings(linked, asker))


def _readings(linked: Linked, asker: Asker) -> tuple[reader.Reading, ...]:
    began = time.monotonic()
    try:
        readings = reader.read(linked.question, linked.catalog, linked.values, linked.dialect, linked.hint)
    except Unread as exc:
        asker.note("read", str(exc).split(" To have", 1)[0], since(began))
        raise
    asker.note("read", f"{len(readings)} reading{'' if len(readings) == 1 else 's'}", since(began))
    return readings


def _candidates(readings: tuple[reader.Reading, ...]) -> Candidates:
    # Readings of one question fit it equally well: together they weigh as much as one completion.
    weight = 1 / max(len(readings), 1)
    return tuple(Candidate(r.sql, "reader", weight, r.confidence, r.notes) for r in readings)


def sure_readings(linked: Linked, asker: Asker) -> Candidates:
    """Return the reader's readings where it is sure enough of them; none where it refuses, too."""
    try:
        readings = from_reader(linked, asker)
    except Unread:
        return ()
    return readings if max(r.likely for r in readings) >= confidence.SURE else ()


def beside_reader(linked: Linked, candidates: Candidates, means: Means) -> Candidates:
    """Add the reader's readings in which every word has its place."""
    try:
        readings = _readings(linked, means.asker)
    except Unread:
        return candidates
    return candidates + _candidates(tuple(r for r in readings if r.whole))


def zero_shot(linked: Linked, candidates: Candidates, means: Means) -> Candidates:
    """Add one greedy completion of the generation prompt, tried (SEA-SQL, section 3.2). Raises `ModelError`."""
    texts = means.asker.ask(means.model, "generate", prompts.generation(linked), grammar=means.grammar())
    written = (candidate(text, linked, means.model.name) for text in texts)
    return candidates + tuple(means.tried(c) for c in written)


def plain(linked: Linked, candidates: Candidates, means: Means) -> Candidates:
    """Add one greedy completion of the plain prompt, tried, without a grammar. Raises `ModelError`."""
    texts = means.asker.ask(means.model, "generate", prompts.plain(linked))
    return candidates + tuple(means.tried(candidate(text, linked, means.model.name)) for text in texts)
