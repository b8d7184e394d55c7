"""Correct misspelt words of the grammar: "wich", "nubmer". Misspelt names are found by `nearness`, with a note."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from askwhere.grouping import grouped
from askwhere.indexer.values import ValueIndex
from askwhere.indexer.values import tokens as words_of
from askwhere.indexer.word_forms import VOWELS
from askwhere.reader.schema.lexicon import READ_AS, Lexicon
from askwhere.reader.words.dates import PERIODS
from askwhere.reader.words.measures import MEASURES
from askwhere.reader.words.nearness import is_english
from askwhere.reader.words.phrases import LINKING, WORD
from askwhere.reader.words.tokens import Token, stem
from rapidfuzz.distance import OSA

_SHORTEST = 4  # letters of a word that may be misspelt
_SHORTEST_SWAPPED = 3  # letters of a word of which two may have changed places: "teh"
_MOST = 1  # edits, where two letters that change places are one


def respelt(tokens: tuple[Token, ...], lexicon: Lexicon, values: ValueIndex) -> tuple[Token, ...]:
    """Return the tokens; those that no dictionary, name or value has become the only word that is an edit away."""
    return tuple(_respelt(token, lexicon, values) if _is_strange(token, lexicon) else token for token in tokens)


def _respelt(token: Token, lexicon: Lexicon, values: ValueIndex) -> Token:
    """Return a token with the word that it is a slip of; the token itself for names, and for none or several words."""
    said = token.lower
    near = [word for word in _by_letter().get(said[0], ()) if _is_near(said, word)]
    best = min((_slip(said, word) for word in near), default=_SLIPS)
    meant = sorted(word for word in near if _slip(said, word) == best)
    stems = {stem(word) for word in meant}
    names = {name for name, _ in lexicon.near(token.stem)}
    if len(stems) != 1 or names - stems or _is_in_a_value(said, values):
        return token
    return replace(token, text=meant[0])


# Kinds of slips, the commonest first: a letter is missing, two change places, one is too many, a vowel is another.
_SLIPS = 4


def _slip(word: str, meant: str) -> int:
    """Return the kind of slip that makes a word of another that is an edit away, commonest first."""
    if len(word) != len(meant):
        return 0 if len(word) < len(meant) else 2
    return 1 if sorted(word) == sorted(meant) else 3


def _is_strange(token: Token, lexicon: Lexicon) -> bool:
    """Return whether a token is a word in small letters that is neither English nor a word of the grammar or a name."""
    word = token.lower
    plain = token.kind == "word" and word.isascii() and word.isalpha() and token.text[1:].islower()
    known = is_english(word) or (is_english(token.stem) and not word.endswith("ly"))  # "montly" is no form of "mont"
    if not plain or len(word) < _SHORTEST_SWAPPED or known or word in _grammar():
        return False
    return not lexicon.writes(token.stem) and all(s.note.startswith(READ_AS) for s in lexicon.find((token.stem,)))


def _is_near(word: str, other: str) -> bool:
    """Return whether two words that begin alike are an edit apart, in which only vowels are taken for each other."""
    if word[0] != other[0] or abs(len(word) - len(other)) > _MOST:
        return False
    if min(len(word), len(other)) < _SHORTEST:
        return sorted(word) == sorted(other)
    others = "".join(a + b for a, b in zip(word, other, strict=False) if a != b) if len(word) == len(other) else ""
    consonant = len(others) == 2 and not set(others) <= VOWELS
    return not consonant and OSA.distance(word, other, score_cutoff=_MOST) <= _MOST


def _is_in_a_value(word: str, values: ValueIndex) -> bool:
    """Return whether some value has the word as it is spelt, or in another number: "hostas", of 'Hosta'."""
    forms = {word, stem(word)}
    found = {one for form in forms for match in values.search(form, 1) for one in words_of(match.value)}
    return not forms.isdisjoint({*found, *map(stem, found)})


@cache
def _grammar() -> frozenset[str]:
    """Return the words of the operator phrases and measures, and verbs that only relate tables in some forms."""
    said = {word for phrase in (*WORD, *MEASURES, *PERIODS) for word in phrase if word.isalpha()}
    forms = {f"{verb}{end}" for verb in LINKING for end in ("", "ed", "ing", "s") if is_english(verb)}
    return frozenset(said | {form for form in forms if stem(form) in LINKING})


@cache
def _by_letter() -> dict[str, list[str]]:
    """Return the words of `_grammar` by their first letter, with which a misspelt word begins too."""
    return grouped((word[0], word) for word in _grammar())
