"""Read what invented databases are about: domains with their things, the facts of each, and how they refer to others.

In `domains.txt`, a line is `one/many: facts`, with facts separated by `;`; an indented line continues it. A fact is
`words kind`, `words one, of, these`, `words one of Listed, Names`, `-> thing` with the phrase that joins the two, or
`<-> thing` with the name of a table between them. Kinds are those of `askwhere.training.invent`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True)
class Fact:
    """One fact of a thing, which becomes a column: its words, its kind, and its possible values if they are listed."""

    words: str
    kind: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Relation:
    """A reference to another thing, by a column of its own or through a table between the two, named `table`."""

    to: str
    phrase: str
    table: str = ""


@dataclass(frozen=True)
class Thing:
    """What a table of a domain holds: the words for one and several, its facts and relations."""

    one: str
    many: str
    facts: tuple[Fact, ...]
    relations: tuple[Relation, ...]


@dataclass(frozen=True)
class Domain:
    """What a database is about: a name and its things."""

    name: str
    things: tuple[Thing, ...]


KINDS = frozenset("title person company city country nation year date count money measure age small flag code".split())


def domains() -> tuple[Domain, ...]:
    """Return all domains of `domains.txt`."""
    text = (resources.files("askwhere.training") / "domains.txt").read_text("utf-8").replace("\n    ", " ")
    return tuple(
        Domain(name, tuple(_thing(line) for line in lines.splitlines() if line.strip()))
        for name, lines in _sections(f"\n{text}")
    )


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield the sections of the file: name and lines."""
    for section in text.split("\n[")[1:]:
        name, _, lines = section.partition("]")
        yield name, lines


def _thing(line: str) -> Thing:
    """Parse one line of the file."""
    names, _, rest = line.partition(":")
    one, many = names.strip().split("/")
    parts = [fact.strip() for fact in rest.split(";") if fact.strip()]
    return Thing(
        one,
        many,
        tuple(_fact(fact) for fact in parts if "->" not in fact),
        tuple(_relation(fact) for fact in parts if "->" in fact),
    )


def _fact(text: str) -> Fact:
    """Parse one fact that is no reference."""
    if " one of " in text:
        words, _, listed = text.partition(" one of ")
        return Fact(words, "listed", tuple(value.strip() for value in listed.split(",")))
    if "," in text:
        first, *others = (value.strip() for value in text.split(","))
        words, value = _parted(first, others)
        return Fact(words, "class", (value, *others))
    words, _, kind = text.rpartition(" ")
    assert kind in KINDS, text
    return Fact(words, kind)


# First values of a list that have two words.
_DOUBLE = frozenset(("on time", "first officer", "pop art"))


def _parted(first: str, others: list[str]) -> tuple[str, str]:
    """Split the words of a fact from the first of its listed values, which is one word or one of `_DOUBLE`."""
    for value in _DOUBLE:
        if first.endswith(f" {value}"):
            return first.removesuffix(value).strip(), value
    words, _, value = first.rpartition(" ")
    return words, value


def _relation(text: str) -> Relation:
    arrow, _, rest = text.partition("-> ")
    to, _, phrase = rest.partition(" (")
    phrase = phrase.rstrip(")")
    return Relation(to.strip(), "" if arrow else phrase, phrase if arrow else "")
