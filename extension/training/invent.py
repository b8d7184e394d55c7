"""Invent databases: a domain's things with some of their facts, columns named as people name them, and rows."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from askwhere.training import naming, vocabulary, world
from askwhere.training.domains import Domain, Fact, Thing, domains
from askwhere.training.english import plural
from askwhere.training.naming import Style
from askwhere.training.world import Entity, Field, Link, Value, World

DOMAINS = domains()

_KINDS = {
    "title": world.NAME,
    "person": world.NAME,
    "company": world.NAME,
    "listed": world.NAME,
    "city": world.PLACE,
    "country": world.PLACE,
    "nation": world.CLASS,
    "class": world.CLASS,
    "year": world.YEAR,
    "date": world.DATE,
    "count": world.COUNT,
    "money": world.MEASURE,
    "measure": world.MEASURE,
    "age": world.LEVEL,
    "small": world.LEVEL,
    "flag": world.FLAG,
    "code": world.TEXT,
}


def invent(rng: random.Random) -> World:
    """Return a random database of one domain, with two to five tables of its things and 3 to 40 rows in each."""
    domain = rng.choice(DOMAINS)
    style = naming.style(rng)
    things = _chosen(domain, rng)
    names = {thing.one: style.join(naming.words(thing.many if style.plural else thing.one, style)) for thing in things}
    columns = {thing.one: _columns(thing, things, names, style, rng) for thing in things}
    entities: list[Entity] = []
    links: list[Link] = []
    for thing in things:
        entities.append(_entity(thing, names[thing.one], columns[thing.one], rng))
        links += columns[thing.one].links
    keys = {entity.name: [row[0] for row in entity.rows] for entity in entities}
    entities = [_referring(entity, links, keys, rng) for entity in entities]
    for thing in things:
        for relation in thing.relations:
            if relation.table and relation.to in names:
                entity, two = _between(names[thing.one], names[relation.to], relation.table, entities, style, rng)
                if all(entity.name.lower() != other.name.lower() for other in entities):
                    entities.append(entity)
                    links += two
    return World(domain.name, tuple(entities), tuple(links))


def _chosen(domain: Domain, rng: random.Random) -> list[Thing]:
    """Return some things of a domain, linked to each other where they can be, in the domain's order."""
    count = min(len(domain.things), rng.choice((2, 2, 3, 3, 4, 5)))
    start = rng.choice(domain.things)
    chosen = [start]
    others = [thing for thing in domain.things if thing is not start]
    rng.shuffle(others)
    for _ in range(count - 1):
        linked = [t for t in others if any(_linked(t, c) for c in chosen)]
        if not (pool := linked or others):
            break
        chosen.append(pool[0])
        others.remove(pool[0])
    return [thing for thing in domain.things if thing in chosen]


def _linked(one: Thing, other: Thing) -> bool:
    """Return whether one of two things refers to the other."""
    return any(r.to == other.one for r in one.relations) or any(r.to == one.one for r in other.relations)


# The words for a parent of the same table, by the phrase of the relation.
_OVER = {"managed by": "manager", "mentored by": "mentor", "supervised by": "supervisor", "led by": "leader"}


@dataclass(frozen=True)
class _Columns:
    fields: tuple[Field, ...]
    facts: dict[str, Fact]
    key: str
    links: tuple[Link, ...]


def _columns(thing: Thing, things: list[Thing], names: dict[str, str], style: Style, rng: random.Random) -> _Columns:
    """Return the columns of a thing: its key, some of its facts, and references to other chosen things."""
    table = names[thing.one]
    own = style.join([*thing.one.split(), "id"])
    key = {"id": style.join(["id"]), "table_id": own, "code": style.join([*thing.one.split(), "code"])}[style.key]
    fields = [Field(key, f"{thing.one} {'code' if style.key == 'code' else 'id'}", world.KEY)]
    facts: dict[str, Fact] = {}
    first, *others = thing.facts
    kept = [first, *(fact for fact in others if rng.random() < 0.75)]
    for fact in kept:
        words = naming.words(fact.words, style)
        if style.prefixed and len(words) == 1:
            words = [*thing.one.split(), *words]
        name = style.join(words)
        if name.lower() in {f.name.lower() for f in fields}:
            continue
        kind = _KINDS[fact.kind]
        if kind == world.NAME and fact is not first:
            kind = world.TEXT  # only the first fact names the rows
        fields.append(Field(name, fact.words, kind, "INTEGER" if fact.kind == "money" and rng.random() < 0.4 else ""))
        facts[name] = fact
    links = []
    for relation in thing.relations:
        if relation.table or relation.to not in names:
            continue
        other = next(t for t in things if t.one == relation.to)
        called = _OVER[relation.phrase] if relation.to == thing.one else other.one
        words = [*called.split(), "code" if style.key == "code" else "id"]
        name = style.join(words)
        if name.lower() in {f.name.lower() for f in fields}:
            continue
        target = {
            "id": style.join(["id"]),
            "table_id": style.join([*other.one.split(), "id"]),
            "code": style.join([*other.one.split(), "code"]),
        }[style.key]
        fields.append(Field(name, f"{called} id", world.KEY))
        links.append(Link(table, name, names[relation.to], target, relation.phrase))
    if rng.random() < 0.15:
        key_field, label, *tail = fields
        rng.shuffle(tail)
        fields = [key_field, label, *tail]
    return _Columns(tuple(fields), facts, key, tuple(links))


# ----------------------------------------------------------------------------------------------------------------- rows


def _entity(thing: Thing, name: str, columns: _Columns, rng: random.Random) -> Entity:
    """Return the table of a thing with its rows; references are filled in later (`_referring`)."""
    first = thing.facts[0]
    count = len(first.values) if first.kind == "listed" else rng.randint(4, 30)
    count = min(count, rng.randint(3, 30))
    start = rng.choice((1, 1, 1, 101, 1001))
    cells: list[list[Value]] = []
    for field in columns.fields:
        fact = columns.facts.get(field.name)
        if fact is None:
            cells.append([start + i for i in range(count)] if field.name == columns.key else [None] * count)
        else:
            cells.append(_values(fact, field, count, rng, first=fact is first))
    return Entity(name, thing.one, thing.many, columns.fields, columns.key, tuple(zip(*cells, strict=True)))


def _values(fact: Fact, field: Field, count: int, rng: random.Random, first: bool) -> list[Value]:
    """Return `many` values of a fact; where it is not the thing's first, sometimes with NULLs."""
    values: list[Value]
    if fact.kind == "listed":
        values = list(rng.sample(fact.values, min(count, len(fact.values))))
        values += [rng.choice(fact.values) for _ in range(count - len(values))]
    elif field.kind in (world.CLASS, world.PLACE):
        pool = list(fact.values) or list(_PLACES[fact.kind])
        pool = rng.sample(pool, min(len(pool), max(2, count // 3)))
        values = [rng.choice(pool) for _ in range(count)]
    elif fact.kind == "flag":
        yes, no = rng.choice((("Y", "N"), ("yes", "no"), ("T", "F"), (1, 0)))
        values = [rng.choice((yes, no)) for _ in range(count)]
    else:
        make = _MAKERS[fact.kind](rng)
        values = [make() for _ in range(count)]
    if not first and rng.random() < 0.12:
        values = [None if rng.random() < 0.2 else value for value in values]
    return values


_PLACES = {"city": vocabulary.CITIES, "country": vocabulary.COUNTRIES, "nation": vocabulary.NATIONS}


def _counts(rng: random.Random) -> Callable[[], Value]:
    high = rng.choice((50, 500, 5_000, 100_000, 5_000_000))
    return lambda: rng.randint(high // 50, high)


def _money(rng: random.Random) -> Callable[[], Value]:
    high = rng.choice((20, 100, 1_000, 80_000, 1_000_000))
    return (
        (lambda: round(rng.uniform(high / 20, high), 2))
        if rng.random() < 0.5
        else lambda: rng.randint(high // 20, high)
    )


def _measures(rng: random.Random) -> Callable[[], Value]:
    high = rng.choice((1, 5, 10, 100, 1_000))
    return lambda: round(rng.uniform(high / 10, high), rng.choice((1, 1, 2)))


def _dates(rng: random.Random) -> Callable[[], Value]:
    start = rng.randint(1995, 2020)
    return lambda: f"{start + rng.randint(0, 5)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"


_MAKERS: dict[str, Callable[[random.Random], Callable[[], Value]]] = {
    "title": lambda rng: lambda: vocabulary.title(rng),
    "person": lambda rng: lambda: vocabulary.person(rng),
    "company": lambda rng: lambda: vocabulary.company(rng),
    "code": lambda rng: lambda: vocabulary.code(rng),
    "year": lambda rng: lambda: rng.randint(1950, 2022),
    "date": _dates,
    "count": _counts,
    "money": _money,
    "measure": _measures,
    "age": lambda rng: lambda: rng.randint(18, 75),
    "small": lambda rng: lambda: rng.randint(1, 10),
}


def _referring(entity: Entity, links: list[Link], keys: dict[str, list[Value]], rng: random.Random) -> Entity:
    """Return the entity with its references filled in; some rows are referred to often, some never."""
    rows = [list(row) for row in entity.rows]
    for link in links:
        if link.child != entity.name:
            continue
        at = next(i for i, field in enumerate(entity.fields) if field.name == link.column)
        target = keys[link.parent]
        # Some parents have no children, so that questions about such parents have rows.
        used = rng.sample(target, max(1, int(len(target) * rng.uniform(0.5, 0.9))))
        weights = [rng.random() ** 2 + 0.05 for _ in used]
        for row in rows:
            row[at] = rng.choices(used, weights)[0]
        if link.parent == entity.name:
            rows[0][at] = None  # in a hierarchy the first row has no parent
    return replace(entity, rows=tuple(tuple(row) for row in rows))


def _between(
    one: str, other: str, words: str, entities: list[Entity], style: Style, rng: random.Random
) -> tuple[Entity, tuple[Link, Link]]:
    """Return the table between two others, for a many-to-many relation, and its links."""
    left, right = (next(e for e in entities if e.name == name) for name in (one, other))
    fields = []
    for entity in (left, right):
        name = entity.key if entity.key.lower() not in ("id",) else style.join([*entity.one.split(), "id"])
        fields.append(Field(name, f"{entity.one} id", world.KEY))
    # Two tables whose keys have the same name need two names here.
    if fields[0].name == fields[1].name:
        fields[1] = replace(fields[1], name=fields[1].name + "2")
    many = min(len(left.rows) * len(right.rows), rng.randint(8, 40))
    referred = [[row[0] for row in e.rows[: max(2, int(len(e.rows) * rng.uniform(0.6, 1)))]] for e in (left, right)]
    pairs = {(rng.choice(referred[0]), rng.choice(referred[1])) for _ in range(many)}
    rows: list[tuple[Value, ...]] = sorted(pairs, key=str)
    if rng.random() < 0.4:
        extra = Field(style.join(["start", "year"]), "start year", world.YEAR)
        fields.append(extra)
        rows = [(*row, rng.randint(2000, 2022)) for row in rows]
    name = style.join(words.split()) if rng.random() < 0.6 else style.join([*left.one.split(), *right.one.split()])
    entity = Entity(name, words, plural(words), tuple(fields), "", tuple(rows))
    links = (
        Link(name, fields[0].name, left.name, left.key, "of"),
        Link(name, fields[1].name, right.name, right.key, "of"),
    )
    return entity, links
