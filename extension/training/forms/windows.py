"""Generate questions for CASE and window functions: rows in two bands, the first rows of each class."""

from __future__ import annotations

from askwhere.sql.literals import literal
from askwhere.training.english import a
from askwhere.training.forms.asked import Pair, superlative
from askwhere.training.scene import Scene, named
from askwhere.training.world import CLASS, DATE, NUMBERS, PLACE

_BANDS = (("low", "high"), ("small", "large"), ("cheap", "expensive"), ("minor", "major"), ("no", "yes"))
_BANDED = ("*the {what} of each {one} and '{high}' if its {by} is more than {limit}, else '{low}'",)
_BANDED_COUNT = ("How many {many} are '{high}', with {a_by} above {limit}, and how many are '{low}'?",)
_RANK = (
    "Rank {many} by {by} within each {group}, {order} first.",
    "*the {what}, {group} and rank by {by} within the {group} of all {many}, {order} first",
)
_FIRST = (
    "For each {group}, find the {rows} with the {most} {by}.",
    "*the {what} of the {rows} with the {most} {by} in each {group}",
)


def banded(scene: Scene) -> Pair | None:
    """Ask for rows in two bands of a number, or for the number of rows in each band (CASE)."""
    entity = scene.entity()
    numbers = entity.of_kind(*NUMBERS)
    if not numbers or entity.label is None:
        return None
    field = scene.rng.choice(numbers)
    values = sorted(float(str(value)) for value in entity.column(field.name) if value is not None)
    if not values:
        return None
    middle = values[len(values) // 2]
    limit = int(middle) if middle == int(middle) else round(middle, 1)
    (low, high), each = scene.rng.choice(_BANDS), scene.maybe(0.5)
    question = scene.say(
        _BANDED if each else _BANDED_COUNT,
        what=entity.label.words,
        one=entity.one,
        many=entity.many,
        by=field.words,
        a_by=a(field.words),
        limit=limit,
        low=low,
        high=high,
    )
    case = f"CASE WHEN {named(field.name)} > {limit} THEN {literal(high)} ELSE {literal(low)} END"
    if each:
        return question, f"SELECT {named(entity.label.name)}, {case} FROM {named(entity.name)}"
    return question, f"SELECT {case}, COUNT(*) FROM {named(entity.name)} GROUP BY {case}"


def first_of_each(scene: Scene) -> Pair | None:
    """Ask for the rank of rows within their class, or for the first rows of each class (window functions)."""
    entity = scene.entity()
    numbers, groups = entity.of_kind(*NUMBERS, DATE), entity.of_kind(CLASS, PLACE)
    if not numbers or not groups or entity.label is None:
        return None
    field, group, down = scene.rng.choice(numbers), scene.rng.choice(groups), scene.maybe(0.7)
    rank, count = scene.maybe(0.3), scene.rng.choice((1, 1, 2, 3))
    question = scene.say(
        _RANK if rank else _FIRST,
        what=entity.label.words,
        many=entity.many,
        rows=entity.one if count == 1 else f"{count} {entity.many}",
        by=field.words,
        group=group.words,
        order="highest" if down else "lowest",
        most=superlative(scene, field, down),
    )
    name, part = named(entity.label.name), named(group.name)
    window = f"OVER (PARTITION BY {part} ORDER BY {named(field.name)}{' DESC' if down else ''})"
    if rank:
        return question, f"SELECT {name}, {part}, RANK() {window} FROM {named(entity.name)}"
    inner = f"SELECT {name}, {part}, ROW_NUMBER() {window} AS place FROM {named(entity.name)}"
    return question, f"SELECT {part}, {name} FROM ({inner}) AS ranked WHERE place <= {count}"
