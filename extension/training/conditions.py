"""Make conditions on columns: their SQL, and how people say them."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from askwhere.sql.literals import literal
from askwhere.training.english import a
from askwhere.training.scene import Scene, Source, Wordings
from askwhere.training.world import (
    CLASS,
    COUNT,
    DATE,
    FLAG,
    KEY,
    NAME,
    NUMBERS,
    PLACE,
    TEXT,
    YEAR,
    Entity,
    Field,
    Value,
)

_NULL = (
    "without {a_what}",
    "whose {what} is unknown",
)
_NOT_NULL = (
    "with a known {what}",
    "whose {what} is known",
)
_IS = (
    "whose {what} is {value}",
    "with {what} {value}",
    "with the {what} {value}",
    'with {a_what} of "{value}"',
    "that have {value} as {what}",
)
_PLACED = ("in {value}", "from {value}")
_IS_NOT = (
    "whose {what} is not {value}",
    "with {a_what} other than {value}",
)
_EITHER = (
    "whose {what} is either {one} or {two}",
    "with {what} {one} or {two}",
)
_HOLDS = (
    "whose {what} contains {part}",
    "with '{part}' in their {what}",
    "that have the word {part} in their {what}",
)
_STARTS = (
    "whose {what} starts with {part}",
    "with {a_what} beginning with the letter {part}",
)
_ENDS = ("whose {what} ends with {part}",)
_BETWEEN = (
    "with {a_what} [between {low} and|from {low} to] {high}",
    "whose {what} is between {low} and {high}",
)
_EQUALS = (
    "with {a_what} of {value}",
    "whose {what} is {value}",
    "with {what} {value}",
)
_COMPARED = (
    "with {a_what} {than} {value}",
    "whose {what} is {than} {value}",
    "that have {a_what} {than} {value}",
    "having {a_what} {than} {value}",
)
_COUNTED = ("with {than} {value} {things}", "that have {than} {value} {things}")
_AGED = ("{than} {value}", "who are {than} {value}")
_AFTER = (
    "with {a_what} [after|later than] {value}",
    "whose {what} is [after|later than] {value}",
)
_BEFORE = (
    "with {a_what} before {value}",
    "whose {what} is [before|earlier than] {value}",
)
_IN_YEAR = (
    "with {a_what} in {value}",
    "whose {what} is in [|the year ]{value}",
)
_YES = ("that are {what}", "marked as {what}", "with {what}")
_NO = ("that are not {what}", "not marked as {what}", "without {what}")

# Comparisons with a number: the operator, the weight it is drawn with, and its words.
_COMPARISONS: tuple[tuple[str, int, Wordings], ...] = (
    (">", 38, ("more than", "above", "over", "greater than", "higher than", "larger than", "exceeding", "bigger than")),
    ("<", 25, ("less than", "below", "under", "lower than", "smaller than", "fewer than")),
    (">=", 8, ("at least", "no less than", "not less than", "greater than or equal to")),
    ("<=", 7, ("at most", "no more than", "up to", "less than or equal to")),
)
_OLDER = {
    "more than": "older than", "above": "older than", "over": "aged over",
    "less than": "younger than", "below": "younger than", "under": "aged under",
}  # fmt: skip


@dataclass(frozen=True)
class Condition:
    """A condition: its SQL, and its words, which follow the noun or, if `before`, come in front of it."""

    sql: str
    words: str
    before: bool = False

    def noun(self, things: str) -> str:
        """Return the noun phrase of the rows for which the condition holds."""
        return f"{self.words} {things}" if self.before else f"{things} {self.words}"

    def closed(self) -> str:
        """Return the SQL in parentheses where it needs them beside other conditions."""
        return f"({self.sql})" if " OR " in self.sql else self.sql


def condition(scene: Scene, source: Source, entity: Entity) -> Condition | None:
    """Return a condition on a column of an entity drawn at random; None where the column has no values."""
    fields = [field for field in entity.fields if field.kind != KEY]
    return on(scene, source, entity, scene.rng.choice(fields)) if fields else None


def on(scene: Scene, source: Source, entity: Entity, field: Field) -> Condition | None:
    """Return a condition on a column; None where it has no values."""
    values: list[Value] = [value for value in entity.column(field.name) if value is not None]
    if not values:
        return None
    ref = source.ref(entity, field)
    if len(values) < len(entity.rows) and scene.maybe(0.03):
        if scene.maybe(0.5):
            return _worded(scene, f"{ref} IS NULL", field, _NULL)
        return _worded(scene, f"{ref} IS NOT NULL", field, _NOT_NULL)
    if field.kind in NUMBERS:
        return _number(scene, ref, field, values)
    if field.kind == YEAR:
        return _year(scene, ref, field, values)
    if field.kind == DATE:
        return _date(scene, ref, field, values)
    if field.kind == FLAG:
        return _flag(scene, ref, field, values)
    return _text(scene, ref, field, values)


def _worded(scene: Scene, sql: str, field: Field, wordings: Wordings, **parts: Value) -> Condition:
    """Return a condition with one of the wordings, filled in."""
    return Condition(sql, scene.say(wordings, parts, what=field.words, a_what=a(field.words)))


def _text(scene: Scene, ref: str, field: Field, values: list[Value]) -> Condition:
    """Return a condition on a column of texts."""
    value, form = scene.rng.choice(values), scene.rng.random()
    shown = scene.said(value)
    if field.kind in (CLASS, PLACE) and form < 0.12 and len(set(values)) > 2:
        return _either(scene, ref, field, values)
    if form < 0.18:
        return _worded(scene, f"{ref} <> {literal(value)}", field, _IS_NOT, value=shown)
    if field.kind in (NAME, TEXT) and form < 0.28:
        return _like(scene, ref, field, str(value))
    sql = f"{ref} = {literal(value)}"
    if field.kind == CLASS and form < 0.6:
        return Condition(sql, shown, before=True)
    return _worded(scene, sql, field, _PLACED if field.kind == PLACE and form < 0.7 else _IS, value=shown)


def _either(scene: Scene, ref: str, field: Field, values: list[Value]) -> Condition:
    one, two = scene.rng.sample(sorted(set(map(str, values))), 2)
    first, second = literal(one), literal(two)
    sql = scene.pick(f"{ref} IN ({first}, {second})", f"{ref} = {first} OR {ref} = {second}")
    return _worded(scene, sql, field, _EITHER, one=one, two=two)


def _like(scene: Scene, ref: str, field: Field, value: str) -> Condition:
    """Return a LIKE condition for a word, the beginning or the end of a value."""
    form = scene.rng.random()
    if form < 0.6:
        part = scene.rng.choice([word for word in re.findall(r"\w+", value) if len(word) > 2] or [value])
        return _worded(scene, f"{ref} LIKE {literal(f'%{part}%')}", field, _HOLDS, part=part)
    if form < 0.85:
        part = value[: scene.rng.choice((1, 1, 2))].rstrip() or value
        return _worded(scene, f"{ref} LIKE {literal(f'{part}%')}", field, _STARTS, part=part)
    part = value[-1:]
    return _worded(scene, f"{ref} LIKE {literal(f'%{part}')}", field, _ENDS, part=part)


def _number(scene: Scene, ref: str, field: Field, values: list[Value]) -> Condition:
    """Return a condition on a column of numbers: a comparison, a range or equality."""
    value, form = scene.rng.choice(values), scene.rng.random()
    number = _rounded(value, scene.rng)
    low, high = sorted((number, _rounded(scene.rng.choice(values), scene.rng)))
    if form < 0.12 and low < high:
        return _worded(scene, f"{ref} BETWEEN {low} AND {high}", field, _BETWEEN, low=low, high=high)
    if form < 0.22:
        return _worded(scene, f"{ref} = {value}", field, _EQUALS, value=value)
    weights = [weight for _, weight, _ in _COMPARISONS]
    ((sign, _, wordings),) = scene.rng.choices(_COMPARISONS, weights)
    than = scene.rng.choice(wordings)
    sql, things = f"{ref} {sign} {number}", field.words.removeprefix("number of ")
    if field.words == "age" and than in _OLDER and scene.maybe(0.6):
        return _worded(scene, sql, field, _AGED, than=_OLDER[than], value=number)
    if field.kind == COUNT and things.endswith("s") and scene.maybe(0.3):
        return _worded(scene, sql, field, _COUNTED, than=than, value=number, things=things)
    return _worded(scene, sql, field, _COMPARED, than=than, value=number)


def _rounded(value: Value, rng: random.Random) -> int | float:
    """Return a number near a value, rounded as people round."""
    number = float(str(value))
    if abs(number) >= 10:
        digits = max(0, len(str(int(abs(number)))) - rng.choice((1, 2)))
        return int(round(number, -digits)) or int(number)
    return int(number) if number == int(number) else round(number, 1)


def _year(scene: Scene, ref: str, field: Field, values: list[Value]) -> Condition:
    """Return a condition on a column of years."""
    value, other = (int(float(str(scene.rng.choice(values)))) for _ in range(2))
    low, high = sorted((value, other))
    form = scene.rng.random()
    if form < 0.3:
        return _worded(scene, f"{ref} > {value}", field, _AFTER, value=value)
    if form < 0.55:
        return _worded(scene, f"{ref} < {value}", field, _BEFORE, value=value)
    if form < 0.65 and low < high:
        return _worded(scene, f"{ref} BETWEEN {low} AND {high}", field, _BETWEEN, low=low, high=high)
    return _worded(scene, f"{ref} = {value}", field, _EQUALS, value=value)


def _date(scene: Scene, ref: str, field: Field, values: list[Value]) -> Condition:
    """Return a condition on a column of dates."""
    value, form = str(scene.rng.choice(values)), scene.rng.random()
    if form < 0.3:
        return _worded(scene, f"{scene.part('year', ref)} = {value[:4]}", field, _IN_YEAR, value=value[:4])
    if form < 0.55:
        return _worded(scene, f"{ref} > {literal(value)}", field, _AFTER, value=value)
    if form < 0.8:
        return _worded(scene, f"{ref} < {literal(value)}", field, _BEFORE, value=value)
    return _worded(scene, f"{ref} = {literal(value)}", field, _EQUALS, value=value)


def _flag(scene: Scene, ref: str, field: Field, values: list[Value]) -> Condition:
    value = scene.rng.choice(values)
    yes = str(value).lower() in ("y", "yes", "t", "true", "1")
    return _worded(scene, f"{ref} = {literal(value)}", field, _YES if yes else _NO)
