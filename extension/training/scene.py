"""Hold what a generated query is made of: a database, the tables it reads, and ways to write and word it."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass

from askwhere.sql.dialects import KNOWN
from askwhere.sql.identifiers import quote
from askwhere.training.world import KEY, Entity, Field, Link, Value, World

Wordings = tuple[str, ...]

# Questions and requests; `*` is replaced by what is asked for.
_OPENINGS = (
    "What {be} *?",
    "what {be} *",
    "List *.",
    "Please list *.",
    "Show *.",
    "show me *",
    "Find *.",
    "Give me *",
    "Return *.",
    "Tell me *.",
    "I need *",
    "Get *",
)
_ALTERNATIVES = re.compile(r"\[([^]]*)\]")


def named(name: str) -> str:
    """Return a name as SQL writes it, in double quotes where any engine needs them."""
    return name if all(dialect.is_bare(name) for dialect in KNOWN.values()) else quote(name)


@dataclass(frozen=True)
class Source:
    """The tables of a query, the one asked about first; each of the others is joined to one before it by a link."""

    entities: tuple[Entity, ...]
    links: tuple[Link, ...] = ()

    def text(self) -> str:
        """Return the FROM clause without its keyword."""
        text = named(self.entities[0].name)
        for entity, link in zip(self.entities[1:], self.links, strict=True):
            text += (
                f" JOIN {named(entity.name)} ON {named(link.child)}.{named(link.column)}"
                f" = {named(link.parent)}.{named(link.key)}"
            )
        return text

    def ref(self, entity: Entity, field: Field) -> str:
        """Return a column as the query writes it: with its table if there are several."""
        return f"{named(entity.name)}.{named(field.name)}" if len(self.entities) > 1 else named(field.name)


@dataclass(frozen=True)
class Scene:
    """A world, a dialect and the random generator that questions are drawn with."""

    world: World
    rng: random.Random
    dialect: str

    def pick(self, *options: str) -> str:
        """Return one of several texts, at random."""
        return self.rng.choice(options)

    def maybe(self, chance: float) -> bool:
        """Return True with the probability `chance`."""
        return self.rng.random() < chance

    def say(self, wordings: Wordings, known: Mapping[str, Value] | None = None, **parts: Value) -> str:
        """Return one of several wordings, at random, with its parts filled in.

        In a wording, `[a|b]` stands for one of the alternatives. A `*` at its beginning makes a question or a request
        of the rest, such as 'Show …' or 'What {be} …?'.
        """
        chosen = self.rng.choice(wordings)
        if chosen.startswith("*"):
            chosen = self.rng.choice(_OPENINGS).replace("*", chosen[1:])
        chosen = _ALTERNATIVES.sub(lambda found: self.rng.choice(found[1].split("|")), chosen)
        return chosen.format_map({"be": "are", **(known or {}), **parts})

    def said(self, value: Value) -> str:
        """Return a value as people write it: sometimes in lower case or in quotes."""
        text, form = str(value), self.rng.random()
        if form < 0.1:
            return text.lower()
        if form < 0.25:
            return f"'{text}'" if "'" not in text else f'"{text}"'
        return f'"{text}"' if form < 0.33 else text

    def part(self, part: str, ref: str) -> str:
        """Return SQL for the year or month of a date, as a number."""
        return KNOWN[self.dialect].part(part, ref)

    def entity(self) -> Entity:
        """Return an entity, at random, that has rows and columns to ask about."""
        return self.rng.choice([e for e in self.world.entities if e.rows and any(f.kind != KEY for f in e.fields)])

    def up(self, entity: Entity) -> tuple[Link, Entity] | None:
        """Return a parent of an entity with the link to it, at random; the parent has a label.

        None if there is none.
        """
        links = [k for k in self.world.links_of(entity.name)[0] if k.parent != k.child]
        links = [k for k in links if self.world.entity(k.parent).label]
        if not links:
            return None
        link = self.rng.choice(links)
        return link, self.world.entity(link.parent)

    def down(self, entity: Entity) -> tuple[Link, Entity] | None:
        """Return a child of an entity with the link from it, at random; None if there is none."""
        links = [k for k in self.world.links_of(entity.name)[1] if k.parent != k.child]
        if not links:
            return None
        link = self.rng.choice(links)
        return link, self.world.entity(link.child)

    def across(self, entity: Entity) -> tuple[Link, Entity, Link, Entity] | None:
        """Return an entity on the other side of a table between the two (many-to-many), or None.

        It comes with that table, and with the links from it to `entity` and to the other.
        """
        found = [
            (first, middle, second, self.world.entity(second.parent))
            for first in self.world.links_of(entity.name)[1]
            if _is_between(middle := self.world.entity(first.child))
            for second in self.world.links_of(middle.name)[0]
            if second.parent not in (entity.name, middle.name)
        ]
        return self.rng.choice(found) if found else None


def _is_between(entity: Entity) -> bool:
    """Return whether a table's rows only link rows of two others and are not things that one would count."""
    return entity.label is None and len([field for field in entity.fields if field.kind != KEY]) <= 1
