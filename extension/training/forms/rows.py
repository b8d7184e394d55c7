"""Generate questions for rows of a table, or for the first of them in some order."""

from __future__ import annotations

from askwhere.training.english import listed, plural
from askwhere.training.forms.asked import Asked, Pair, asked, attributes, sortable, superlative
from askwhere.training.scene import Scene, named
from askwhere.training.world import CLASS, DATE, NUMBERS, PLACE, YEAR

_COLUMNS = ("*the {what} of [all |the |]{noun}",)
_SORTED = ("*the {what} of [all |the |]{noun}, {order}",)
_DOWN = (
    "sorted by {what} in descending order",
    "ordered by {what} from high to low",
    "in descending order of {what}",
    "with the highest {what} first",
)
_UP = (
    "[sorted|ordered] by {what}",
    "in ascending order of {what}",
    "in the order of their {what}",
)
_LABELS = (
    "Which {noun} are there?",
    "Which {noun} do we have?",
    "Show all {noun}",
    "{noun}",
)
_WHOLE = ("*[all details|everything|all information|all the data] about {noun}",)
_VALUES = (
    "*the [different|distinct|unique] {what} of {noun}",
    "Which {what} do {noun} have?",
)
_FIRST = (
    "*the {what} of the {noun} with the {most} {by}",
    "Which {noun} has the {most} {by}? Give [its|the] {what}.",
)
_FIRST_LABEL = (
    "*the {what} of the {noun} with the {most} {by}",
    "Which {noun} has the {most} {by}?",
)
_SOME = (
    "*the {what} of the {count} {noun} with the {most} {by}",
    "{what} of the {top} {count} {noun} by {by}",
)
_SOME_LABELS = (
    "*the {what} of the {count} {noun} with the {most} {by}",
    "{top} {count} {noun} by {by}",
)


def columns(scene: Scene) -> Pair | None:
    """Ask for columns of some rows, sometimes sorted."""
    subject = asked(scene)
    fields = attributes(scene, subject.entity) if subject else []
    if subject is None or not fields:
        return None
    distinct = "DISTINCT " if subject.joined or scene.maybe(0.08) else ""
    what = listed([scene.pick(field.words, plural(field.words)) for field in fields])
    if distinct and not subject.joined:
        what = f"distinct {what}"
    sql = f"SELECT {distinct}{', '.join(subject.ref(field) for field in fields)}{subject.tail()}"
    if not distinct and scene.maybe(0.25) and (order := _ordered(scene, subject)):
        clause, words = order
        return scene.say(_SORTED, what=what, noun=subject.noun, order=words), sql + clause
    labels = not distinct and fields == [subject.entity.label] and subject.where and scene.maybe(0.5)
    return scene.say(_LABELS if labels else _COLUMNS, what=what, noun=subject.noun), sql


def _ordered(scene: Scene, subject: Asked) -> tuple[str, str] | None:
    """Return an ORDER BY clause and its words; None where no column can be sorted by."""
    fields = sortable(subject.entity)
    if not fields:
        return None
    field, down = scene.rng.choice(fields), scene.maybe(0.5)
    words = scene.say(_DOWN if down else _UP, what=field.words)
    return f" ORDER BY {subject.ref(field)}{' DESC' if down else ''}", words


def whole(scene: Scene) -> Pair | None:
    """Ask for all columns."""
    subject = asked(scene)
    if subject is None:
        return None
    star = f"DISTINCT {named(subject.entity.name)}.*" if subject.joined else "*"
    return scene.say(_WHOLE, noun=subject.noun, be="is"), f"SELECT {star}{subject.tail()}"


def values_of(scene: Scene) -> Pair | None:
    """Ask for the different values of a column."""
    subject = asked(scene, most=1)
    fields = subject.entity.of_kind(CLASS, PLACE, YEAR) if subject else []
    if subject is None or not fields:
        return None
    field = scene.rng.choice(fields)
    question = scene.say(_VALUES, what=plural(field.words), noun=subject.noun)
    return question, f"SELECT DISTINCT {subject.ref(field)}{subject.tail()}"


def first(scene: Scene) -> Pair | None:
    """Ask for the first rows in some order."""
    subject = asked(scene, most=1, alone=True)
    numbers = subject.entity.of_kind(*NUMBERS, YEAR, DATE) if subject else []
    if subject is None or not numbers:
        return None
    field, down = scene.rng.choice(numbers), scene.maybe(0.6)
    shown = [other for other in attributes(scene, subject.entity, 2) if other is not field]
    if not shown:
        return None
    count = scene.rng.choice((1, 1, 1, 2, 3, 3, 5, 10))
    order = f" ORDER BY {subject.ref(field)}{' DESC' if down else ''} LIMIT {count}"
    label = shown == [subject.entity.label]
    wordings = (_FIRST_LABEL if label else _FIRST) if count == 1 else (_SOME_LABELS if label else _SOME)
    question = scene.say(
        wordings,
        be="is" if count == 1 and len(shown) == 1 else "are",
        what=listed([other.words for other in shown]),
        noun=subject.singular() if count == 1 else subject.noun,
        most=superlative(scene, field, down),
        by=field.words,
        count=count,
        top="top" if down else "bottom",
    )
    return question, f"SELECT {', '.join(subject.ref(other) for other in shown)}{subject.tail()}{order}"
