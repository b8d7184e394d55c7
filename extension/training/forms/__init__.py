"""Generate questions by forms of queries; a form is a function from a scene to a question and its SQL.

A form returns None where the database lacks what it needs. Its wordings stand above it, several for each form.
"""

from __future__ import annotations

from askwhere.training.forms import aggregates, groups, joins, nested, rows, sets, windows
from askwhere.training.forms.asked import Form, Pair
from askwhere.training.scene import Scene

__all__ = ["FORMS", "Form", "Pair", "question"]

# The weights that forms are drawn with.
FORMS: tuple[tuple[Form, int], ...] = (
    (rows.columns, 16),
    (rows.whole, 2),
    (rows.values_of, 2),
    (rows.first, 9),
    (aggregates.count, 9),
    (aggregates.count_values, 2),
    (aggregates.aggregate, 6),
    (aggregates.difference, 1),
    (aggregates.share, 1),
    (groups.per_group, 7),
    (groups.commonest, 3),
    (groups.often, 3),
    (groups.per_period, 1),
    (joins.with_parent, 6),
    (joins.per_parent, 6),
    (joins.top_parent, 6),
    (joins.with_many, 4),
    (joins.through, 5),
    (joins.own_parent, 1),
    (nested.childless, 4),
    (nested.beyond_average, 3),
    (nested.extreme, 2),
    (nested.beyond_group, 1),
    (sets.by_children, 4),
    (sets.shared, 2),
    (windows.banded, 1),
    (windows.first_of_each, 1),
)


def question(scene: Scene) -> Pair | None:
    """Return a question of a random form with its SQL; None where the database lacks what the form needs."""
    (form,) = scene.rng.choices([form for form, _ in FORMS], [weight for _, weight in FORMS])
    return form(scene)
