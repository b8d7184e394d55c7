"""Find rates that are shares of rows: "rework rate" and "failure rate" for flags, "vacancy rate" for a status."""

from __future__ import annotations

from collections.abc import Iterator

from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader.marking.formulas import DUE, names_end
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.spellings import Spelling
from askwhere.reader.marking.values import is_kind, value_senses
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.naming import events
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.english import stems
from askwhere.reader.words.names import full_stems, name_stems
from askwhere.reader.words.tokens import Token, stem
from askwhere.reader.words.types import is_year

RATES = ("rate", "rates")
_MOST_WORDS = 3  # of a state, as in "no show rate"
_GOOD = frozenset(stems("pass success completion win approval acceptance attendance recovery response"))
_SHORTEST = 3  # letters of a verb
# Endings of nouns for what is done: cancellation, conversion, approval, acceptance, payment, delivery.
_NOUN_ENDINGS = ("ation", "ition", "ment", "ance", "ence", "sion", "tion", "ion", "age", "al", "ure", "y", "")

_IRREGULAR = {
    "win": ("won", "winning"),
    "loss": ("lost",),
    "sale": ("sold",),
    "resolution": ("resolved",),
    "redemption": ("redeemed",),
}
_ADJECTIVES = {"ancy": "ant", "ency": "ent", "ance": "ant", "ence": "ent"}  # of nouns for states: vacancy, absence


def rate_marks(tokens: tuple[Token, ...], catalog: Catalog, values: ValueIndex, lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for each rate of what is done, with the columns or values that say of a row that it was.

    Not where the schema has a name for the rate itself.
    """
    for rate, token in enumerate(tokens):
        for size in range(1, min(rate, _MOST_WORDS) + 1):
            act = tokens[rate - size : rate]
            if token.lower not in RATES or any(t.kind != "word" for t in act) or _is_named(act, lexicon):
                continue
            senses, done = _flags(act, lexicon) or _states(act, catalog, values), ""
            if not senses and (dated := _date(act, lexicon)):
                done, senses = dated[0], (dated[1],)
            if senses:
                text = " ".join(t.lower for t in (*act, token))
                yield Mark("rate", rate - size, rate + 1, 1.45 * (size + 1), text, done, senses)
                if rate > size and tokens[rate - size - 1].lower == "best" and act[0].stem in _GOOD:
                    yield Mark("sup", rate - size - 1, rate - size, 1.1, "highest", "max")


def _is_named(act: tuple[Token, ...], lexicon: Lexicon) -> bool:
    """Return whether the schema writes a rate as a name, `discount_rate`."""
    said = (*(t.stem for t in act), stem("rate"))
    return any(s.columns and {*said} <= {*full_stems(s.column.name)} for s in lexicon.find(said))


def _flags(act: tuple[Token, ...], lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the columns of yes and no that words name: `on_time` for "on time", `escaped` for "escape"."""
    for said in (tuple(t.stem for t in act), *((stem(s),) for s in states_of(act[0].lower) if len(act) == 1)):
        named = [s for s in lexicon.find(said) if s.score >= 0.9 and lexicon.truth(s) is not None]
        if whole := tuple(s for s in named if len(said) == 1 or {*said} <= {*full_stems(s.column.name)}):
            return whole
    return ()


def _date(act: tuple[Token, ...], lexicon: Lexicon) -> tuple[str, Sense] | None:
    """Return the participle for a noun, "completed" for "completion", and the only date of such an end."""
    found = [
        (state, Sense(table, (column,)))
        for state in dict.fromkeys(states_of(act[0].lower) if len(act) == 1 else ())
        for table in lexicon.tables
        for column in events(table)
        if stem(state) in name_stems(column.name) and names_end(column) and not is_year(column)
        if DUE.isdisjoint(full_stems(column.name))
    ]
    return found[0] if len({sense for _, sense in found}) == 1 else None


def _states(act: tuple[Token, ...], catalog: Catalog, values: ValueIndex) -> tuple[Sense, ...]:
    """Return the values of kinds and states that say that something was done: 'cancelled' for "cancellation"."""
    text = " ".join(t.lower for t in act)
    said = dict.fromkeys(states_of(text)) if len(act) == 1 else {text.replace(" ", by): None for by in ("-", "_", "")}
    matches = (m for found in values.exact({text: None} | said).values() for m in found)
    found = (m for m in matches if is_kind(m, catalog))
    return tuple(dict.fromkeys(value_senses(found, catalog, Spelling(text, 1.0), text)))


def states_of(noun: str) -> Iterator[str]:
    """Yield what may be the participles and adjectives for a noun of acting or being.

    >>> "cancelled" in set(states_of("cancellation")), "converted" in set(states_of("conversion"))
    (True, True)
    >>> "vacant" in set(states_of("vacancy")), "occupied" in set(states_of("occupancy"))
    (True, True)
    """
    yield from _IRREGULAR.get(noun, ())
    for ending in _NOUN_ENDINGS:
        verb = noun.removesuffix(ending)
        if len(verb) >= _SHORTEST and noun.endswith(ending):
            yield from (f"{verb}ed", f"{verb}ted", f"{verb}d", f"{verb}{verb[-1]}ed")
    for ending, adjective in _ADJECTIVES.items():
        verb = noun.removesuffix(ending)
        if len(verb) >= _SHORTEST and noun.endswith(ending):
            yield from (f"{verb}{adjective}", f"{verb}ied")
