"""Retrieve the demonstrations of the pool that are nearest to a question, by its words or its masked words.

MCS-SQL, section 3.2.1: questions about other databases are alike if they are the same except for names and values.
"""

from __future__ import annotations

from askwhere.pipeline.demonstrations import Demonstration, masked
from askwhere.pipeline.facts import Linked
from askwhere.pipeline.link import VALUES_SHOWN
from askwhere.pipeline.steps import Means


def nearest(linked: Linked, means: Means, k: int) -> tuple[Demonstration, ...]:
    """Return the `k` nearest demonstrations by the setting `examples_by`.

    The question itself comes first if the pool has it. No two have the same skeleton.
    """
    return nearest_masked(linked, means, k) if means.examples_by == "masked" else nearest_by_words(linked, means, k)


def nearest_by_words(linked: Linked, means: Means, k: int) -> tuple[Demonstration, ...]:
    """Return the `k` nearest demonstrations by the words of their questions."""
    pool = means.pool()
    return pool.first(pool.by_question(linked.question), k, linked.question)


def nearest_masked(linked: Linked, means: Means, k: int) -> tuple[Demonstration, ...]:
    """Return the `k` nearest demonstrations by masked questions."""
    pool = means.pool()
    return pool.first(pool.by_mask(masked_question(linked)), k, linked.question)


def masked_question(linked: Linked) -> str:
    """Return the question with its words for tables, columns and values masked, by the catalog and the value index."""
    names: list[str] = []
    for table in linked.catalog.tables:
        names += (table.name, *table.synonyms)
        for column in table.columns:
            names += (column.name, *column.synonyms)
    values = [match.value for match in linked.values.search(linked.question, VALUES_SHOWN) if match.exact]
    return masked(linked.question, names, values)
