"""Generate questions for nested queries: rows without children, above an average, or with the highest value."""

from __future__ import annotations

from askwhere.sql.literals import literal
from askwhere.training.conditions import condition
from askwhere.training.english import a, listed, plural
from askwhere.training.forms.asked import Pair, attributes, family, superlative
from askwhere.training.scene import Scene, Source, named
from askwhere.training.world import CLASS, NUMBERS, PLACE

_CHILDLESS = (
    "Which {parents} have no {noun}?",
    "*the {whats} of {parents} without {noun}",
    "Find the {what} of {parents} that do not have any {noun}.",
    "{parents} with no {noun}",
)
_CHILDLESS_COUNT = (
    "How many {parents} have no {noun}?",
    "Count the {parents} without {noun}.",
    "How many {parents} do not have any {noun}?",
)
_BEYOND = ("*the {what} of {many} [with|that have] {a_by} {than} [average|the average|the average {by}]",)
_BEYOND_COUNT = ("How many {many} have {a_by} {than} [average|the average]?",)
_EXTREME = ("*the {what} of all {many} [with|that have] the {most} {by}",)
_BEYOND_ALL = (
    "*the {what} of {many} whose {by} is higher than that of [any|all|every one of the] {many} with {group} {value}",
)
_BEYOND_SOME = ("*the {what} of {many} whose {by} is higher than that of some {many} with {group} {value}",)


def childless(scene: Scene) -> Pair | None:
    """Ask for rows without children, or without children of some kind."""
    found = family(scene)
    if found is None:
        return None
    parent, label, source, child = found
    link = source.links[0]
    column, noun = named(link.column), child.many
    where = f"{column} IS NOT NULL"
    if scene.maybe(0.3) and (made := condition(scene, Source((child,)), child)) is not None:
        where, noun = f"{made.closed()} AND {where}", made.noun(child.many)
    count = scene.maybe(0.25)
    question = scene.say(
        _CHILDLESS_COUNT if count else _CHILDLESS,
        parents=parent.many,
        noun=noun,
        what=label.words,
        whats=plural(label.words),
    )
    inner = f"SELECT {column} FROM {named(child.name)} WHERE {where}"
    shown = "COUNT(*)" if count else named(label.name)
    return question, f"SELECT {shown} FROM {named(parent.name)} WHERE {named(link.key)} NOT IN ({inner})"


def beyond_average(scene: Scene) -> Pair | None:
    """Ask for rows above or below an average."""
    entity = scene.entity()
    numbers, shown = entity.of_kind(*NUMBERS), attributes(scene, entity, 2)
    if not numbers or not shown:
        return None
    field, more, count = scene.rng.choice(numbers), scene.maybe(0.65), scene.maybe(0.25)
    ways = ("above", "higher than", "greater than") if more else ("below", "lower than", "less than")
    question = scene.say(
        _BEYOND_COUNT if count else _BEYOND,
        what=listed([other.words for other in shown]),
        many=entity.many,
        by=field.words,
        a_by=a(field.words),
        than=scene.pick(*ways),
    )
    table, ref = named(entity.name), named(field.name)
    columns = "COUNT(*)" if count else ", ".join(named(other.name) for other in shown)
    sign, inner = ">" if more else "<", f"SELECT AVG({ref}) FROM {table}"
    return question, f"SELECT {columns} FROM {table} WHERE {ref} {sign} ({inner})"


def extreme(scene: Scene) -> Pair | None:
    """Ask for all rows with the highest or lowest value."""
    entity = scene.entity()
    numbers = entity.of_kind(*NUMBERS)
    if not numbers:
        return None
    field, most = scene.rng.choice(numbers), scene.maybe(0.6)
    shown = [other for other in attributes(scene, entity, 2) if other is not field]
    if not shown:
        return None
    question = scene.say(
        _EXTREME,
        what=listed([other.words for other in shown]),
        many=entity.many,
        most=superlative(scene, field, most),
        by=field.words,
    )
    table, ref = named(entity.name), named(field.name)
    inner = f"SELECT {'MAX' if most else 'MIN'}({ref}) FROM {table}"
    return question, f"SELECT {', '.join(named(other.name) for other in shown)} FROM {table} WHERE {ref} = ({inner})"


def beyond_group(scene: Scene) -> Pair | None:
    """Ask for rows above every row, or above some row, of a class."""
    entity = scene.entity()
    numbers, groups = entity.of_kind(*NUMBERS), entity.of_kind(CLASS, PLACE)
    if not numbers or not groups or entity.label is None:
        return None
    field, group = scene.rng.choice(numbers), scene.rng.choice(groups)
    values = [value for value in entity.column(group.name) if value is not None]
    if not values:
        return None
    value, every = scene.rng.choice(values), scene.maybe(0.5)
    question = scene.say(
        _BEYOND_ALL if every else _BEYOND_SOME,
        what=entity.label.words,
        many=entity.many,
        by=field.words,
        group=group.words,
        value=value,
    )
    table, ref, label = named(entity.name), named(field.name), named(entity.label.name)
    inner = f"SELECT {'MAX' if every else 'MIN'}({ref}) FROM {table} WHERE {named(group.name)} = {literal(value)}"
    return question, f"SELECT {label} FROM {table} WHERE {ref} > ({inner})"
