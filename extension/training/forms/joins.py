"""Generate questions for rows together with those that they refer to, or that refer to them."""

from __future__ import annotations

from askwhere.sql.literals import literal
from askwhere.training.conditions import condition
from askwhere.training.english import listed, plural
from askwhere.training.forms.asked import Asked, Pair, attributes, family, measure
from askwhere.training.scene import Scene, Source, named
from askwhere.training.world import Entity, Link

_WITH_PARENT = (
    "*the {own} of {noun} and the {theirs} of their {parent}",
    "*the {own} of each of the {noun} together with the {theirs} of the {parent}",
    "*{noun} with their {own} and the {parent}'s {theirs}",
)
_HOW_MANY_EACH = ("How many {children} does each {parent} have? Show the {what}{order}.",)
_PER_PARENT = (
    "*the {what} of each {parent} and the {measure}{order}",
    "*the {measure} per {parent}{order}",
    "For each {parent}, show the {what} and the {measure}{order}.",
)
_DESCENDING = (", from high to low", ", in descending order", ", highest first")
_TOP_ONE = (
    "Which {noun} has {most}?",
    "*the {what} of the {noun} with {most}",
    "What is the {what} of the {noun} that has {most}?",
)
_TOP_ONE_MORE = (
    "Which {noun} has {most}? List the {what}.",
    "*the {what} of the {noun} with {most}",
)
_TOP = (
    "Which {noun} have {most}?",
    "*the {what} of the {noun} with {most}",
)
_TOP_MORE = (
    "Which {noun} have {most}? List the {what}.",
    "*the {what} of the {noun} with {most}",
)
_WITH_MANY = (
    "Which {parents} have {said} {least} {children}?",
    "*the {whats} of {parents} with {said} {least} {children}",
    "Find the {what} of every {parent} that has {said} {least} {children}.",
)
_THROUGH = (
    "*the {whats} of {many} [with|of|for|that have] the {other} {value}",
    "Which {many} [have|belong to|are linked to] the {other} {value}?",
    "{many} of {value}",
)
_THROUGH_COUNT = (
    "How many {others} does each {one} have? Show the {what}",
    "*the {what} of each {one} and the number of its {others}",
)
_OWN_PARENT = ("*the {what} of each {one} and the {what} of [their|the] {over}",)
_OWN_TOP = (
    "Which {over} has the most {many}?",
    "Find the {what} of the {over} with the most {many}.",
)


def with_parent(scene: Scene) -> Pair | None:
    """Ask for columns of rows beside columns of the rows that they refer to."""
    child = scene.entity()
    up, own = scene.up(child), attributes(scene, child, 2)
    if up is None or not own:
        return None
    link, parent = up
    source = Source((child, parent), (link,))
    theirs = attributes(scene, parent, 2)
    if not theirs:
        return None
    made = condition(scene, source, child) if scene.maybe(0.4) else None
    columns = [*(source.ref(child, field) for field in own), *(source.ref(parent, field) for field in theirs)]
    question = scene.say(
        _WITH_PARENT,
        own=listed([field.words for field in own]),
        theirs=listed([field.words for field in theirs]),
        noun=made.noun(child.many) if made else child.many,
        parent=parent.one,
    )
    return question, f"SELECT {', '.join(columns)} FROM {source.text()}{f' WHERE {made.sql}' if made else ''}"


def per_parent(scene: Scene) -> Pair | None:
    """Ask for a count or an aggregate of the children of each row."""
    found = family(scene)
    if found is None:
        return None
    parent, label, source, child = found
    number, words = measure(scene, Asked(child, source, "", child.many))
    shown, key = source.ref(parent, label), source.ref(parent, parent.field(parent.key))
    sql, order = f"SELECT {shown}, {number} FROM {source.text()} GROUP BY {key}, {shown}", ""
    if scene.maybe(0.25):
        sql, order = f"{sql} ORDER BY {number} DESC", scene.pick(*_DESCENDING)
    many = f"number of {child.many}" if words == "number" else f"{words} of {scene.pick('its', 'their')} {child.many}"
    wordings = (*_HOW_MANY_EACH, *_PER_PARENT) if words == "number" else _PER_PARENT
    question = scene.say(wordings, children=child.many, parent=parent.one, what=label.words, measure=many, order=order)
    return question, sql


def top_parent(scene: Scene) -> Pair | None:
    """Ask for the rows with most or fewest children, or with the highest or lowest aggregate over them."""
    found = family(scene)
    if found is None:
        return None
    parent, label, source, child = found
    number, words = measure(scene, Asked(child, source, "", child.many))
    if number.startswith(("MAX", "MIN")):
        return None
    down, count = scene.maybe(0.75), scene.rng.choice((1, 1, 1, 2, 3, 5))
    shown = [label]
    if scene.maybe(0.3):
        shown += [field for field in attributes(scene, parent, 1) if field is not label]
    columns = ", ".join(source.ref(parent, field) for field in shown)
    order = f"{number}{' DESC' if down else ''} LIMIT {count}"
    key = source.ref(parent, parent.field(parent.key))
    one = (_TOP_ONE if len(shown) == 1 else _TOP_ONE_MORE) if count == 1 else None
    question = scene.say(
        one or (_TOP if len(shown) == 1 else _TOP_MORE),
        be="is" if one and len(shown) == 1 else "are",
        noun=parent.one if one else f"{count} {parent.many}",
        what=listed([field.words for field in shown]),
        most=_most(scene, words, child, down),
    )
    return question, f"SELECT {columns} FROM {source.text()} GROUP BY {key}, {columns} ORDER BY {order}"


def _most(scene: Scene, words: str, child: Entity, down: bool) -> str:
    """Return the words for the most or fewest children, or for the highest or lowest aggregate."""
    if words != "number":
        return f"the {'highest' if down else 'lowest'} {words} of {child.many}"
    options = ("most", "largest number of", "greatest number of") if down else ("fewest", "smallest number of")
    return f"the {scene.pick(*options)} {child.many}"


def with_many(scene: Scene) -> Pair | None:
    """Ask for rows with a number of children."""
    found = family(scene)
    if found is None:
        return None
    parent, label, source, child = found
    least = scene.rng.choice((1, 2, 2, 3, 4))
    sign, said = scene.rng.choice(((">", "more than"), (">=", "at least"), ("=", "exactly")))
    shown, key = source.ref(parent, label), source.ref(parent, parent.field(parent.key))
    question = scene.say(
        _WITH_MANY,
        parents=parent.many,
        parent=parent.one,
        said=said,
        least=least,
        children=child.one if least == 1 else child.many,
        what=label.words,
        whats=plural(label.words),
    )
    return question, f"SELECT {shown} FROM {source.text()} GROUP BY {key}, {shown} HAVING COUNT(*) {sign} {least}"


def through(scene: Scene) -> Pair | None:
    """Ask across a many-to-many relation: for the rows linked to one row, or for how many each row is linked to."""
    found = next(filter(None, (_across(scene) for _ in range(4))), None)
    if found is None:
        return None
    entity, link, source, other = found
    assert entity.label is not None
    assert other.label is not None
    what, words = source.ref(entity, entity.label), entity.label.words
    if scene.maybe(0.35):
        key = source.ref(entity, entity.field(link.key))
        question = scene.say(_THROUGH_COUNT, others=other.many, one=entity.one, what=words)
        return question, f"SELECT {what}, COUNT(*) FROM {source.text()} GROUP BY {key}, {what}"
    value = scene.rng.choice([value for value in other.column(other.label.name) if value is not None])
    question = scene.say(_THROUGH, whats=plural(words), many=entity.many, other=other.one, value=scene.said(value))
    return question, f"SELECT {what} FROM {source.text()} WHERE {source.ref(other, other.label)} = {literal(value)}"


def _across(scene: Scene) -> tuple[Entity, Link, Source, Entity] | None:
    """Draw an entity, the link to it from the table between, the three tables joined, and the other entity, or None.

    Both entities have labels.
    """
    entity = scene.entity()
    found = scene.across(entity)
    if found is None or entity.label is None:
        return None
    first, middle, second, other = found
    if other.label is None or not any(value is not None for value in other.column(other.label.name)):
        return None
    return entity, first, Source((entity, middle, other), (first, second)), other


def own_parent(scene: Scene) -> Pair | None:
    """Ask for rows with the rows of the same table that they refer to (a self-join)."""
    links = [link for link in scene.world.links if link.child == link.parent]
    if not links:
        return None
    link = scene.rng.choice(links)
    entity = scene.world.entity(link.child)
    if entity.label is None:
        return None
    table, label = named(entity.name), named(entity.label.name)
    join = f"FROM {table} AS T1 JOIN {table} AS T2 ON T1.{named(link.column)} = T2.{named(link.key)}"
    over = entity.field(link.column).words.rpartition(" ")[0] or entity.one
    both = scene.maybe(0.5)
    question = scene.say(
        _OWN_PARENT if both else _OWN_TOP, what=entity.label.words, one=entity.one, many=entity.many, over=over
    )
    if both:
        return question, f"SELECT T1.{label}, T2.{label} {join}"
    each = f"GROUP BY T2.{named(link.key)}, T2.{label}"
    return question, f"SELECT T2.{label} {join} {each} ORDER BY COUNT(*) DESC LIMIT 1"
