"""Infer worlds from queries alone, for questions whose databases cannot be had (BIRD's training sample).

What a query compares a column with shows what the column holds. Rows are invented, with values from the queries.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from askwhere.sql import parsing
from askwhere.training import vocabulary, world
from askwhere.training.vocabulary import plural
from askwhere.training.world import Entity, Field, Link, Value, World
from sqlglot import exp

ROWS = 20
# Comparisons whose other side shows what a column holds.
_COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.In, exp.Between)
# The kind of a column by its last word, where no query shows it.
_BY_WORD = {
    "id": world.KEY, "key": world.KEY, "code": world.TEXT, "name": world.NAME, "title": world.NAME,
    "date": world.DATE, "year": world.YEAR, "city": world.PLACE, "country": world.PLACE, "state": world.PLACE,
    "age": world.LEVEL, "rating": world.LEVEL, "score": world.LEVEL, "count": world.COUNT, "number": world.COUNT,
    "price": world.MEASURE, "type": world.CLASS, "category": world.CLASS, "gender": world.CLASS,
}  # fmt: skip


@dataclass
class _Seen:
    """What queries show of a column: its spelling and the values it is compared with.

    `joined` says whether it is joined on, `added` whether it is summed or averaged.
    """

    name: str
    values: list[Value] = field(default_factory=list)
    joined: bool = False
    added: bool = False


@dataclass
class _Queries:
    """What queries show of a database: tables, columns and joins by names in lower case."""

    tables: dict[str, str] = field(default_factory=dict)
    columns: dict[str, dict[str, _Seen]] = field(default_factory=dict)
    links: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)


def infer(name: str, queries: Iterable[str]) -> World:
    """Return the world that SQLite `queries` are about; queries that cannot be parsed are skipped."""
    seen = _Queries()
    for sql in queries:
        tree = parsing.parsed(sql, "sqlite")
        for select in tree.find_all(exp.Select) if tree is not None else ():
            _read(select, seen)
    rng = random.Random(name)
    links = tuple(_links(seen))
    parents = {(link.parent, link.key) for link in links}
    entities = tuple(_entity(table, seen, parents, rng) for table in seen.tables)
    return World(name, tuple(entity for entity in entities if entity.fields), links)


def _read(select: exp.Select, seen: _Queries) -> None:
    """Note the tables, columns and joins of one SELECT."""
    clause = select.args.get("from_") or select.args.get("from")
    if clause is None:
        return
    sources = [clause.this, *(join.this for join in select.args.get("joins") or ())]
    tables = {t.alias_or_name.lower(): t.name.lower() for t in sources if isinstance(t, exp.Table) and not t.db}
    for table in sources:
        if isinstance(table, exp.Table):
            seen.tables.setdefault(table.name.lower(), table.name)
            seen.columns.setdefault(table.name.lower(), {})
    whole = len(tables) == len(sources)
    for column in select.find_all(exp.Column):
        if column.find_ancestor(exp.Select) is not select:
            continue
        owner = tables.get(column.table.lower()) if column.table else _only(tables, column.name, seen, whole)
        if owner is not None and not isinstance(column.this, exp.Star):
            one = seen.columns[owner].setdefault(column.name.lower(), _Seen(column.name))
            _note(column, one)
            _join(column, owner, tables, seen)


def _only(tables: dict[str, str], name: str, seen: _Queries, whole: bool) -> str | None:
    """Return the table of an unqualified column: the only table, or the only one known to have the column."""
    owners = set(tables.values())
    if len(owners) > 1 or not whole:
        owners = {owner for owner in owners if name.lower() in seen.columns[owner]}
    return owners.pop() if len(owners) == 1 else None


def _note(column: exp.Column, seen: _Seen) -> None:
    """Note what a column is compared with, and whether it is summed or averaged."""
    seen.added |= column.find_ancestor(exp.Sum, exp.Avg) is not None
    parent = column.parent
    if isinstance(parent, _COMPARED) and parent.this is column:
        compared = [*parent.args.get("expressions", ()), *(parent.args.get(p) for p in ("expression", "low", "high"))]
        for value in compared:
            if isinstance(value, exp.Literal):
                seen.values.append(_value(value))


def _value(literal: exp.Literal) -> Value:
    if literal.is_string:
        return str(literal.this).strip("%")
    number = float(literal.this)
    return int(number) if number == int(number) else number


def _join(column: exp.Column, owner: str, tables: dict[str, str], seen: _Queries) -> None:
    """Note a join `owner.column = other.column`; only its left side counts, so that each is noted once."""
    parent = column.parent
    if not isinstance(parent, exp.EQ) or parent.this is not column or not isinstance(parent.expression, exp.Column):
        return
    other = tables.get(parent.expression.table.lower())
    if other is None or other == owner:
        return
    name = parent.expression.name
    for table, key in ((owner, column.name), (other, name)):
        seen.columns[table].setdefault(key.lower(), _Seen(key)).joined = True
    seen.links[(owner, column.name.lower(), other, name.lower())] += 1


def _links(seen: _Queries) -> Iterator[Link]:
    """Yield the joins as links: to the table that the key column is named after, else to the one on the right."""
    done: set[frozenset[tuple[str, str]]] = set()
    for (left, left_column, right, right_column), _ in seen.links.most_common():
        if (pair := frozenset(((left, left_column), (right, right_column)))) in done:
            continue
        done.add(pair)
        child, column, parent, key = left, left_column, right, right_column
        if _called_after(left_column, left) or (
            key != "id" and not _called_after(right_column, right) and left_column == "id"
        ):
            child, column, parent, key = right, right_column, left, left_column
        yield Link(
            seen.tables[child], seen.columns[child][column].name, seen.tables[parent], seen.columns[parent][key].name
        )


def _called_after(column: str, table: str) -> bool:
    """Return whether a column is named after a table, or is called 'id'."""
    return column == "id" or column.replace("_", "").startswith(table.replace("_", "").rstrip("s")[:8])


def _entity(table: str, seen: _Queries, parents: set[tuple[str, str]], rng: random.Random) -> Entity:
    """Return the table inferred from the queries, with invented rows."""
    name, columns = seen.tables[table], list(seen.columns[table].values())
    keys = [one.name for one in columns if (name, one.name) in parents]
    fields = tuple(Field(one.name, _words(one.name), _kind(one), _type(one)) for one in columns)
    cells = [_cells(one, f, one.name in keys[:1], rng) for one, f in zip(columns, fields, strict=True)]
    one = _words(name)
    one = one.removesuffix("s") if one.endswith("s") and not one.endswith("ss") else one
    return Entity(name, one, plural(one), fields, keys[0] if keys else "", tuple(zip(*cells, strict=True)))


def _words(name: str) -> str:
    """Return a name in words: 'OrderDate' and 'order_date' as 'order date'."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])|[_\W]+", " ", name)
    return " ".join(parted.split()).lower() or name.lower()


def _kind(seen: _Seen) -> str:
    """Return the kind of a column, by what queries show of it, else by its last word."""
    by_word = _BY_WORD.get(_words(seen.name).split()[-1].removesuffix("s"))
    texts = [value for value in seen.values if isinstance(value, str)]
    if seen.joined:
        return world.KEY
    if texts:
        if all(re.fullmatch(r"\d{4}-\d\d-\d\d", text) for text in texts):
            return world.DATE
        return by_word if by_word in (world.NAME, world.PLACE, world.CLASS) else world.TEXT
    if seen.added or any(isinstance(value, float) for value in seen.values):
        return world.MEASURE if any(isinstance(value, float) for value in seen.values) else world.COUNT
    if seen.values:
        return by_word if by_word in (world.KEY, world.YEAR, world.LEVEL) else world.COUNT
    return by_word or world.TEXT


def _type(seen: _Seen) -> str:
    """Return 'TEXT' where queries compare the column with texts, else '' for the type of its kind."""
    texts = [value for value in seen.values if isinstance(value, str)]
    return "TEXT" if texts and _kind(seen) != world.DATE else ""


def _cells(seen: _Seen, column: Field, is_key: bool, rng: random.Random) -> list[Value]:
    """Return `ROWS` values of a column: those that queries compare it with, and invented ones; a key's all differ."""
    if column.kind == world.KEY and not any(isinstance(value, str) for value in seen.values):
        return [*range(1, ROWS + 1)] if is_key else [rng.randint(1, ROWS) for _ in range(ROWS)]
    known = list(dict.fromkeys(value for value in seen.values if value != ""))[: ROWS // 2]
    if any(isinstance(value, str) for value in known):
        known = [str(value) for value in known]
    make = _MAKERS.get(column.kind, vocabulary.code)
    cells: list[Value] = [*known, *(make(rng) for _ in range(ROWS - len(known)))]
    if column.kind in (world.CLASS, world.TEXT) and known and not is_key:
        cells = [*known, *rng.choices(known, k=ROWS - len(known))]
    if is_key:
        cells = [*known, *(f"{vocabulary.code(rng)}{at}" for at in range(ROWS - len(known)))]
    rng.shuffle(cells)
    return cells


def _date(rng: random.Random) -> Value:
    return f"{rng.randint(1995, 2020)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"


_MAKERS = {
    world.NAME: vocabulary.title,
    world.PLACE: lambda rng: rng.choice(vocabulary.CITIES),
    world.CLASS: vocabulary.code,
    world.COUNT: lambda rng: rng.randint(1, 500),
    world.MEASURE: lambda rng: round(rng.uniform(1, 500), 2),
    world.LEVEL: lambda rng: rng.randint(1, 10),
    world.YEAR: lambda rng: rng.randint(1950, 2022),
    world.DATE: _date,
}
