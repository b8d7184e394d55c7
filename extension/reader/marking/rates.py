"""Find rates that are shares of rows: "rework rate" for a flag `rework`, "cancellation rate" for a status."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.spellings import Spelling
from askwhere.reader.marking.values import is_kind, value_senses
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import Token, stem

_RATES = ("rate", "rates")
_SHORTEST = 3  # letters of a verb
# Endings of nouns for what is done: cancellation, conversion, approval, acceptance, payment, delivery.
_NOUN_ENDINGS = ("ation", "ition", "ment", "ance", "ence", "sion", "tion", "ion", "age", "al", "ure", "y", "")


def rate_marks(tokens: tuple[Token, ...], catalog: Catalog, values: ValueIndex, lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for each rate of what is done, with the columns or values that say of a row that it was.

    Not where the schema has a name for the rate itself.
    """
    for place, (act, rate) in enumerate(pairwise(tokens)):
        if rate.lower not in _RATES or act.kind != "word" or _is_named(act, lexicon):
            continue
        if senses := _flags(act, lexicon) or _states(act, catalog, values):
            yield Mark("rate", place, place + 2, 2.9, f"{act.lower} {rate.lower}", senses=senses)


def _is_named(act: Token, lexicon: Lexicon) -> bool:
    """Return whether the schema writes a rate as a name, `discount_rate`."""
    said = {act.stem, stem("rate")}
    return any(s.columns and said <= {*full_stems(s.column.name)} for s in lexicon.find((act.stem, stem("rate"))))


def _flags(act: Token, lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the columns of yes and no that a word names: `escaped` for "escape"."""
    named = (s for s in lexicon.find((act.stem,)) if len(s.columns) == 1 and s.score >= 0.9)
    return tuple(s for s in named if lexicon.truth(s) is not None)


def _states(act: Token, catalog: Catalog, values: ValueIndex) -> tuple[Sense, ...]:
    """Return the values of kinds and states that say that something was done: 'cancelled' for "cancellation"."""
    said = {act.lower: None} | dict.fromkeys(participles(act.lower))
    found = (m for matches in values.exact(said).values() for m in matches if is_kind(m, catalog))
    return tuple(dict.fromkeys(value_senses(found, catalog, Spelling(act.text, 1.0), act.text)))


def participles(noun: str) -> Iterator[str]:
    """Yield what may be the past participles of the verb that a noun of acting is made from.

    >>> "cancelled" in set(participles("cancellation")), "converted" in set(participles("conversion"))
    (True, True)
    """
    for ending in _NOUN_ENDINGS:
        verb = noun.removesuffix(ending)
        if len(verb) >= _SHORTEST and noun.endswith(ending):
            yield from (f"{verb}ed", f"{verb}ted", f"{verb}d", f"{verb}{verb[-1]}ed")
