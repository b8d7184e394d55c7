"""Generate questions for set operations: both, one without the other, either."""

from __future__ import annotations

from askwhere.sql.literals import literal
from askwhere.training.conditions import on
from askwhere.training.english import plural
from askwhere.training.forms.asked import GROUPS, Pair, family
from askwhere.training.scene import Scene, Source, Wordings, named
from askwhere.training.world import CLASS, NUMBERS, PLACE, YEAR

_CHILDREN: dict[str, Wordings] = {
    "INTERSECT": (
        "both {children} with {group} {one} and {children} with {group} {two}",
        "both {children} with {group} {one} and {two}",
        "{children} with {group} {one} as well as {two}",
    ),
    "EXCEPT": (
        "{children} with {group} {one} but none with {group} {two}",
        "{children} with {group} {one} but not {two}",
    ),
    "UNION": ("{children} with {group} {one} or {children} with {group} {two}",),
}
_PARENTS = (
    "Which {parents} have {said}?",
    "*the {what} of {parents} that have {said}",
)
_SHARED: dict[str, Wordings] = {
    "INTERSECT": (
        "Which {what} have both {many} {one} and {many} {two}?",
        "*the {what} shared by {many} {one} and {many} {two}",
    ),
    "EXCEPT": (
        "Which {what} have {many} {one} but no {many} {two}?",
        "*the {what} of {many} {one} but not of {many} {two}",
    ),
}


def by_children(scene: Scene) -> Pair | None:
    """Ask for rows whose children have both of two values, one without the other, or either."""
    found = family(scene)
    groups = found[3].of_kind(*GROUPS) if found else []
    if found is None or not groups:
        return None
    parent, label, source, child = found
    group = scene.rng.choice(groups)
    values = sorted({value for value in child.column(group.name) if value is not None}, key=str)
    if len(values) < 2:
        return None
    one, two = scene.rng.sample(values, 2)
    operator = scene.rng.choice(("INTERSECT", "INTERSECT", "EXCEPT", "UNION"))
    said = scene.say(_CHILDREN[operator], children=child.many, group=group.words, one=one, two=two)
    part = f"SELECT {source.ref(parent, label)} FROM {source.text()} WHERE {source.ref(child, group)} = "
    question = scene.say(_PARENTS, parents=parent.many, what=label.words, said=said)
    return question, f"{part}{literal(one)} {operator} {part}{literal(two)}"


def shared(scene: Scene) -> Pair | None:
    """Ask for values that rows of both of two conditions have, or of one alone."""
    entity = scene.entity()
    groups, numbers = entity.of_kind(CLASS, PLACE), entity.of_kind(*NUMBERS, YEAR)
    if not groups or not numbers:
        return None
    group, field = scene.rng.choice(groups), scene.rng.choice(numbers)
    one, two = (on(scene, Source((entity,)), entity, field) for _ in range(2))
    if one is None or two is None or one.sql == two.sql:
        return None
    operator = scene.rng.choice(tuple(_SHARED))
    question = scene.say(_SHARED[operator], what=plural(group.words), many=entity.many, one=one.words, two=two.words)
    part = f"SELECT {named(group.name)} FROM {named(entity.name)} WHERE "
    return question, f"{part}{one.sql} {operator} {part}{two.sql}"
