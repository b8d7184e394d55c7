"""Find clauses that leave out rows without a value: "skip the ones without a rating", "where we know it".

Such a clause stands between signs or behind "and". It has a word that leaves out, a word for what is not known, and
else small words and names of the schema alone; or it keeps, "only where there is one", what is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from askwhere.reader.marking.empty_groups import ENDS, LEFT_OUT, SMALL
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.denials import denied_by
from askwhere.reader.words.tokens import Token

_UNKNOWN = frozenset(
    "unknown unspecified unrecorded blank blanks empty missing null nulls undefined unnamed unlabelled".split()
)
_KNOWN = frozenset("known given recorded stated filled noted know have".split())
_OUT = LEFT_OUT | {"out", "aside", "not", "counted", "count", "without"}
_ONLY = frozenset("only just".split())
_BESIDE = SMALL | frozenset("do don know value values any no something what only just rows entries".split())
_LONGEST = 12  # words of a clause
_LEAST = 0.5  # the least score of a name in it: the "rating" of `energy_rating`


def unknown_value_marks(tokens: tuple[Token, ...], lexicon: Lexicon, valued: Iterable[Mark]) -> Iterator[Mark]:
    """Yield a mark of kind 'known' for each clause that leaves out what has no value.

    Its senses are the columns that it names, none where it names none. `valued` are the marks of values: where the data
    has an "unknown artist", that one is meant.
    """
    of_values = {place for mark in valued for place in range(mark.start, mark.end)}
    words = [t.lower if t.kind != "quoted" else "\0" for t in tokens]
    signs = [i for i, word in enumerate(words) if word in ENDS]
    for start in sorted({i + 1 for i in signs}):
        if words[start : start + 1] in (["and"], ["but"]):
            start += 1
        end = next((i for i in signs if i >= start), len(words))
        if any(place in of_values for place in range(start, end) if words[place] in _UNKNOWN):
            continue
        if 2 <= end - start <= _LONGEST and _leaves_out_unknown(words[start:end], tokens[start:end], lexicon):
            named = [t for t in tokens[start:end] if t.lower not in _BESIDE | _OUT | _UNKNOWN | _KNOWN]
            senses = tuple(s for t in named for s in _columns(t, lexicon))
            yield Mark("known", start, end, 1.3 * (end - start), " ".join(words[start:end]), senses=senses)


def _leaves_out_unknown(words: list[str], tokens: tuple[Token, ...], lexicon: Lexicon) -> bool:
    """Return whether a clause leaves out what is not known: "unknown ones aside", "only where there is one"."""
    said = {*words}
    known = _BESIDE | _OUT | _UNKNOWN | _KNOWN
    if not all(t.lower in known or _columns(t, lexicon) or _names_a_table(t, lexicon) for t in tokens):
        return False
    unknown = bool(said & _UNKNOWN) or any(denied_by(t.lower) and _columns(t, lexicon) for t in tokens)
    not_known = bool(said & {"not", "no"}) and bool(said & _KNOWN)
    without = "without" in said and any(_columns(t, lexicon) for t in tokens if t.lower not in _BESIDE)
    if said & (LEFT_OUT | {"aside"}) or ("not" in said and "counted" in said):
        return unknown or not_known or without
    there = words[-3:] in (["there", "is", "one"],) or bool(said & _KNOWN)
    return bool(said & _ONLY) and "where" in said and there and not unknown and not not_known


def _names_a_table(token: Token, lexicon: Lexicon) -> bool:
    """Return whether a word names a table."""
    return any(not s.columns and s.score >= _LEAST for s in lexicon.named((token.lower,)))


def _columns(token: Token, lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the senses of a word that are columns."""
    words = denied_by(token.lower) or token.lower
    return tuple(s for s in lexicon.named((words,)) if s.columns and s.score >= _LEAST)
