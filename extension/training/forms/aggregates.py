"""Generate questions for a few numbers about rows: how many, the highest, a share."""

from __future__ import annotations

from askwhere.training.conditions import condition
from askwhere.training.english import listed, plural
from askwhere.training.forms.asked import AGGREGATES, Pair, asked, everything
from askwhere.training.scene import Scene, named
from askwhere.training.world import CLASS, LEVEL, NAME, NUMBERS, PLACE

_COUNT = (
    "How many {noun} [are there|do we have]?",
    "Count the {noun}.",
    "What is the [|total ]number of {noun}?",
    "number of {noun}",
    "how many {noun}",
    "Find the number of {noun}",
)
_COUNT_VALUES = (
    "How many different {what} do {noun} have?",
    "How many distinct {what} are there among {noun}?",
    "Count the different {what} of {noun}.",
)
_AGGREGATE = ("*the {functions} {what} of [all |the |]{noun}",)
_DIFFERENCE = (
    "What is the difference between the highest and the lowest {what} of {many}?",
    "How much higher is the largest {what} than the smallest among {many}?",
)
_SHARE = (
    "What percentage of {many} are {such}?",
    "What share of {many}, in percent, are {such}?",
)


def count(scene: Scene) -> Pair | None:
    """Ask for the number of rows."""
    subject = asked(scene)
    if subject is None:
        return None
    key = subject.entity.key
    counted = f"DISTINCT {subject.ref(subject.entity.field(key))}" if subject.joined and key else "*"
    return scene.say(_COUNT, noun=subject.noun), f"SELECT COUNT({counted}){subject.tail()}"


def count_values(scene: Scene) -> Pair | None:
    """Ask for the number of different values."""
    subject = asked(scene, most=1)
    fields = subject.entity.of_kind(CLASS, PLACE, NAME) if subject else []
    if subject is None or not fields:
        return None
    field = scene.rng.choice(fields)
    question = scene.say(_COUNT_VALUES, what=plural(field.words), noun=subject.noun)
    return question, f"SELECT COUNT(DISTINCT {subject.ref(field)}){subject.tail()}"


def aggregate(scene: Scene) -> Pair | None:
    """Ask for one to three aggregates of a column."""
    subject = asked(scene, alone=True)
    numbers = subject.entity.of_kind(*NUMBERS) if subject else []
    if subject is None or not numbers:
        return None
    field = scene.rng.choice(numbers)
    known = AGGREGATES[:3] if field.kind == LEVEL else AGGREGATES
    chosen = scene.rng.sample(known, scene.rng.choice((1, 1, 1, 2, 3)))
    functions = listed([scene.rng.choice(wordings) for _, wordings in chosen])
    question = scene.say(
        _AGGREGATE, be="is" if len(chosen) == 1 else "are", functions=functions, what=field.words, noun=subject.noun
    )
    return question, f"SELECT {', '.join(f'{name}({subject.ref(field)})' for name, _ in chosen)}{subject.tail()}"


def difference(scene: Scene) -> Pair | None:
    """Ask for the difference between the highest and the lowest value."""
    entity = scene.entity()
    numbers = entity.of_kind(*NUMBERS)
    if not numbers:
        return None
    field = scene.rng.choice(numbers)
    ref = named(field.name)
    question = scene.say(_DIFFERENCE, what=field.words, many=entity.many)
    return question, f"SELECT MAX({ref}) - MIN({ref}) FROM {named(entity.name)}"


def share(scene: Scene) -> Pair | None:
    """Ask for the percentage of rows that meet a condition."""
    subject = everything(scene.entity())
    made = condition(scene, subject.source, subject.entity)
    if made is None:
        return None
    such = made.words if made.before else f"those {made.words}"
    question = scene.say(_SHARE, many=subject.entity.many, such=such)
    return question, f"SELECT 100.0 * SUM(CASE WHEN {made.sql} THEN 1 ELSE 0 END) / COUNT(*){subject.tail()}"
