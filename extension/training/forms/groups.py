"""Generate questions for a number for each group of rows, or for groups."""

from __future__ import annotations

from askwhere.training.english import plural
from askwhere.training.forms.asked import GROUPS, Pair, asked, everything, measure
from askwhere.training.scene import Scene, Wordings, named
from askwhere.training.world import DATE, FLAG

_PER = (
    "What is the {measure} of {noun} for each {group}?",
    "*the {measure} of {noun} per {group}",
    "For each {group}, show the {measure} of {noun}.",
    "{measure} of {noun} by {group}",
    "*each {group} and the {measure} of {noun}",
)
_PER_HAVING = (
    "What is the {measure} of {noun} for each {group} that has more than {least} {many}?",
    "*the {measure} of {noun} per {group} with more than {least} {many}",
    "For each {group} with more than {least} {many}, show the {measure} of {noun}.",
)
_PER_SORTED = (
    "What is the {measure} of {noun} for each {group}, [highest first|in descending order]?",
    "*the {measure} of {noun} per {group}, ordered by the {measure} from high to low",
    "*each {group} and the {measure} of {noun}, sorted by {measure} in descending order",
)
_COMMONEST = (
    "What is the {most} {group} of {noun}?",
    "Which {group} is the {most} among {noun}?",
    "Which {group} has the {many} {noun}?",
    "Find the {group} with the {many} {noun}.",
)
_OFTEN = (
    "Which {groups} have {said} {least} {many}?",
    "*the {groups} shared by {said} {least} {many}",
    "Find each {group} that {said} {least} {many} have.",
)
_PERIOD = (
    "What is the {measure} of {many} per {period}{of}?",
    "*the {measure} of {many} per {period}{of}",
    "{measure} of {many} by {period}{of}",
)


def per_group(scene: Scene) -> Pair | None:
    """Ask for a count or an aggregate for each value of a column."""
    subject = asked(scene, most=1, alone=True)
    groups = subject.entity.of_kind(*GROUPS, FLAG) if subject else []
    if subject is None or not groups:
        return None
    group = scene.rng.choice(groups)
    number, words = measure(scene, subject)
    shown = f"{subject.ref(group)}, {number}" if scene.maybe(0.8) else f"{number}, {subject.ref(group)}"
    sql = f"SELECT {shown}{subject.tail()} GROUP BY {subject.ref(group)}"
    form, least = scene.rng.random(), scene.rng.choice((1, 1, 2, 3))
    wordings: Wordings = _PER
    if form < 0.2:
        wordings, sql = _PER_HAVING, f"{sql} HAVING COUNT(*) > {least}"
    elif form < 0.36:
        wordings, sql = _PER_SORTED, f"{sql} ORDER BY {number} DESC"
    question = scene.say(
        wordings, measure=words, noun=subject.noun, group=group.words, least=least, many=subject.entity.many, be="is"
    )
    return question, sql


def commonest(scene: Scene) -> Pair | None:
    """Ask for the value that most or fewest rows have."""
    subject = asked(scene, most=1, alone=True)
    groups = subject.entity.of_kind(*GROUPS) if subject else []
    if subject is None or not groups:
        return None
    group, down = scene.rng.choice(groups), scene.maybe(0.75)
    most = scene.pick("most common", "most frequent") if down else scene.pick("least common", "rarest")
    question = scene.say(_COMMONEST, most=most, group=group.words, noun=subject.noun, many="most" if down else "fewest")
    ref, order = subject.ref(group), "COUNT(*) DESC" if down else "COUNT(*)"
    return question, f"SELECT {ref}{subject.tail()} GROUP BY {ref} ORDER BY {order} LIMIT 1"


def often(scene: Scene) -> Pair | None:
    """Ask for values that at least, or more than, a number of rows have."""
    subject = everything(scene.entity())
    groups = subject.entity.of_kind(*GROUPS)
    if not groups:
        return None
    group, least = scene.rng.choice(groups), scene.rng.choice((2, 2, 3, 4))
    sign, said = scene.rng.choice(((">=", "at least"), (">", "more than")))
    question = scene.say(
        _OFTEN, groups=plural(group.words), group=group.words, said=said, least=least, many=subject.entity.many
    )
    ref = subject.ref(group)
    return question, f"SELECT {ref}{subject.tail()} GROUP BY {ref} HAVING COUNT(*) {sign} {least}"


def per_period(scene: Scene) -> Pair | None:
    """Ask for a count or an aggregate per year or month."""
    subject = everything(scene.entity())
    dates = subject.entity.of_kind(DATE)
    if not dates:
        return None
    field, part = scene.rng.choice(dates), scene.pick("year", "year", "month")
    number, words = measure(scene, subject)
    period = scene.part(part, named(field.name))
    of = "" if field.words == "date" else f" of {field.words}"
    question = scene.say(_PERIOD, measure=words, many=subject.entity.many, period=part, of=of, be="is")
    return question, f"SELECT {period}, {number}{subject.tail()} GROUP BY {period} ORDER BY {period}"
