"""Draw what a question asks for: rows described by conditions, and columns of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from askwhere.sql.literals import literal
from askwhere.training.conditions import Condition, condition
from askwhere.training.english import a
from askwhere.training.scene import Scene, Source, Wordings
from askwhere.training.world import CLASS, DATE, FLAG, KEY, LEVEL, NUMBERS, PLACE, YEAR, Entity, Field

Pair = tuple[str, str]
Form = Callable[[Scene], Pair | None]

# Kinds of columns that rows may be grouped by.
GROUPS = (CLASS, PLACE, YEAR)
AGGREGATES: tuple[tuple[str, Wordings], ...] = (
    ("AVG", ("average", "mean")),
    ("MAX", ("maximum", "highest", "largest", "greatest")),
    ("MIN", ("minimum", "lowest", "smallest")),
    ("SUM", ("total", "sum of the")),
)
_LABELLED = (
    "{phrase} {value}",
    "{phrase} the {one} {value}",
    "{phrase} {one} {value}",
)


@dataclass(frozen=True)
class Asked:
    """The rows asked for: their tables, their conditions, and their noun phrase ('French singers aged over 30')."""

    entity: Entity
    source: Source
    where: str
    noun: str

    @property
    def joined(self) -> bool:
        """Return whether other tables are joined to the entity's, so that its rows may come more than once."""
        return len(self.source.entities) > 1

    def ref(self, field: Field) -> str:
        """Return a column of the entity as the query writes it."""
        return self.source.ref(self.entity, field)

    def tail(self) -> str:
        """Return the FROM and WHERE clauses."""
        return f" FROM {self.source.text()}{f' WHERE {self.where}' if self.where else ''}"

    def singular(self) -> str:
        """Return the noun phrase for one of the rows."""
        return self.noun.replace(self.entity.many, self.entity.one, 1)


def asked(scene: Scene, most: int = 2, alone: bool = False) -> Asked | None:
    """Draw an entity with up to `most` conditions, on itself or, unless `alone`, on a table joined to it.

    Returns None where the database lacks what was drawn.
    """
    entity = scene.entity()
    count = min(scene.rng.choice((0, 1, 1, 1, 2)), most)
    source, conditions = Source((entity,)), []
    if count and not alone and scene.maybe(0.4) and (found := _joined(scene, entity)) is not None:
        source, made = found
        if made is None:
            return None
        conditions.append(made)
        count -= 1
    for _ in range(count):
        made = condition(scene, source, entity)
        if made is not None and all(made.sql.split()[0] != other.sql.split()[0] for other in conditions):
            conditions.append(made)
    return Asked(entity, source, *_described(scene, entity, conditions))


def everything(entity: Entity) -> Asked:
    """Return all rows of an entity."""
    return Asked(entity, Source((entity,)), "", entity.many)


def _joined(scene: Scene, entity: Entity) -> tuple[Source, Condition | None] | None:
    """Return the entity joined with another, and a condition on that one; None where nothing can be joined."""
    if scene.maybe(0.25) and (across := scene.across(entity)):
        first, middle, second, other = across
        source = Source((entity, middle, other), (first, second))
        return source, _of(scene, source, other, scene.pick("with", "that have", "linked to"))
    if scene.maybe(0.75) and (up := scene.up(entity)):
        link, other = up
        source = Source((entity, other), (link,))
        return source, _of(scene, source, other, link.phrase)
    if down := scene.down(entity):
        link, other = down
        source = Source((entity, other), (link,))
        return source, _of(scene, source, other, scene.pick("that have", "with", "having"))
    return None


def _of(scene: Scene, source: Source, other: Entity, phrase: str) -> Condition | None:
    """Return a condition on another entity, with the phrase that leads to it."""
    if other.label and scene.maybe(0.5):
        values = [value for value in other.column(other.label.name) if value is not None]
        if values:
            value = scene.rng.choice(values)
            words = scene.say(_LABELLED, phrase=phrase, one=other.one, value=scene.said(value))
            return Condition(f"{source.ref(other, other.label)} = {literal(value)}", words)
    made = condition(scene, source, other)
    if made is None:
        return None
    things = other.many if made.before else scene.pick(a(other.one), other.many)
    return Condition(made.sql, f"{phrase} {made.noun(things)}")


def _described(scene: Scene, entity: Entity, conditions: list[Condition]) -> tuple[str, str]:
    """Return the WHERE condition and the noun phrase for some conditions."""
    if len(conditions) == 2 and not any(c.before for c in conditions) and scene.maybe(0.2):
        one, two = conditions
        return f"{one.closed()} OR {two.closed()}", f"{entity.many} {one.words} or {two.words}"
    where = " AND ".join(c.closed() if len(conditions) > 1 else c.sql for c in conditions)
    before = [c.words for c in conditions if c.before]
    after = [c.words for c in conditions if not c.before]
    return where, " ".join([*before, entity.many, " and ".join(after)]).strip()


def attributes(scene: Scene, entity: Entity, most: int = 3) -> list[Field]:
    """Draw columns to show; the label comes first if it is among them."""
    good = [field for field in entity.fields if field.kind != KEY or scene.maybe(0.15)]
    count = min(len(good), scene.rng.choice((1, 1, 1, 2, 2, 3)), most)
    label = entity.label
    if count and label and scene.maybe(0.6):
        rest = [field for field in good if field is not label]
        return [label, *scene.rng.sample(rest, min(len(rest), count - 1))]
    return scene.rng.sample(good, count)


def measure(scene: Scene, subject: Asked) -> tuple[str, str]:
    """Return COUNT(*) or an aggregate of a column, with its words; those of COUNT(*) are 'number'."""
    numbers = subject.entity.of_kind(*NUMBERS)
    if not numbers or scene.maybe(0.5):
        return "COUNT(*)", "number"
    field = scene.rng.choice(numbers)
    name, wordings = scene.rng.choice(AGGREGATES[:3] if field.kind == LEVEL else AGGREGATES)
    return f"{name}({subject.ref(field)})", f"{scene.rng.choice(wordings)} {field.words}"


def superlative(scene: Scene, field: Field, down: bool) -> str:
    """Return the word for what comes first in an order."""
    if field.kind in (YEAR, DATE):
        return scene.pick("latest", "most recent") if down else scene.pick("earliest", "first")
    if down:
        return scene.pick("highest", "largest", "greatest", "maximum")
    return scene.pick("lowest", "smallest", "least", "minimum")


def sortable(entity: Entity) -> list[Field]:
    """Return the columns that rows can be sorted by."""
    return [field for field in entity.fields if field.kind not in (KEY, FLAG)]


def family(scene: Scene) -> tuple[Entity, Field, Source, Entity] | None:
    """Draw a parent with a label: the parent, its label, the tables that join its children, and the child; or None."""
    for _ in range(4):
        parent = scene.entity()
        if parent.label and parent.key and (down := scene.down(parent)):
            link, child = down
            return parent, parent.label, Source((parent, child), (link,)), child
    return None
