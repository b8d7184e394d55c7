"""Guess which table or column is meant by words that name none, by their meaning or their spelling."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from math import prod

from askwhere.engine import Column
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.lexicon import READ_AS, Lexicon
from askwhere.reader.schema.name_index import REST, VAGUE
from askwhere.reader.schema.senses import Sense, spoken
from askwhere.reader.words.denials import denied_by
from askwhere.reader.words.english import practised
from askwhere.reader.words.measures import ADJECTIVES
from askwhere.reader.words.nearness import is_english
from askwhere.reader.words.phrases import LINKING, NEVER_LEFT_OUT, PARTS_OF_DATABASES, WORD
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_date, is_year
from askwhere.reader.words.verbs import names_an_act, names_who

_LONGEST, _MOST = 3, 2  # words in a guessed name, and how many of them may be unknown
_LEAST = 0.15  # the least chance of a guess
_BASE, _SLOPE = 0.45, 0.35  # a guess's factor on the score is _BASE + _SLOPE * chance
_PERIODS = frozenset(stem(w) for w in "month quarter week weekday".split())
_NO_NOUN = re.compile(r"(?:ed|ly|ic|ous|ful)\Z")


def guessed(lexicon: Lexicon, words: tuple[str, ...], noun: bool) -> tuple[Sense, ...]:
    """Return senses guessed for up to three words of which one or two are unknown, best first, 24 at most.

    With `noun` the first may be one that is also a verb ("the store"). Each sense has a note that says what was
    guessed, and the chance that the guess is right.
    """
    if len(words) > _LONGEST:
        return ()
    strange = [word for place, word in enumerate(words) if _is_strange(lexicon, word, noun and not place)]
    if not 0 < len(strange) <= _MOST or any(stem(word) in PARTS_OF_DATABASES for word in strange):
        return ()
    # "classes" alone names the table: "yoga" before it says which of its rows are meant.
    rest = tuple(stem(word) for word in words if word not in strange) if words[-1] not in strange else ()
    named = {s.table.path for s in lexicon.find(rest) if not s.columns}
    near = [lexicon.near(stem(word)) if word in strange else [(stem(word), 1.0)] for word in words]
    guesses: dict[tuple[Path, tuple[Column, ...]], Sense] = {}
    for meant in product(*near):
        chance = prod(of_word for _, of_word in meant)
        for sense in lexicon.find(tuple(word for word, _ in meant)) if chance >= _LEAST else ():
            if (not sense.columns and sense.table.path in named) or any(_denies(word, lexicon) for word in strange):
                continue
            if any(map(practised, strange)) and not (sense.columns and is_singular(words[-1])):
                continue  # pianists are musicians, but not all musicians are pianists
            if not is_singular(words[-1]) and any(is_date(c) or is_year(c) for c in sense.columns):
                continue  # "jobs" are no dates, though `hired_on` is near
            note = f"“{' '.join(strange)}” {READ_AS} {spoken(sense)}"
            guess = replace(sense, score=sense.score * (_BASE + _SLOPE * chance), chance=chance, note=note)
            kept = guesses.setdefault((sense.table.path, sense.columns), guess)
            if kept.score < guess.score:
                guesses[sense.table.path, sense.columns] = guess
    return tuple(sorted(guesses.values(), key=lambda s: -s.score)[:24])


def _is_strange(lexicon: Lexicon, word: str, noun: bool) -> bool:
    """Return whether a word may be guessed: it looks like a noun, names nothing, and is no word of the grammar.

    `noun` says that it is one where it stands, though it may be a verb.
    """
    known = stem(word)
    if not (word.islower() and len(word) > 2) or (is_english(known) and _is_no_noun(word)) or word in NEVER_LEFT_OUT:
        return False
    if known in VAGUE or known in REST:
        return False
    verb = not noun and (word in LINKING or (known in LINKING and not names_who(word)))
    return not (verb or (word,) in WORD or known in _PERIODS or known in lexicon.loose or lexicon.find((known,)))


def _denies(word: str, lexicon: Lexicon) -> bool:
    """Return whether a word is a negation, "unpaid": its word vector is near to that of "paid", which is not meant.

    "Inactive" is one where a flag is called `active`; "invoice" is none of "voice".
    """
    denied = word.removeprefix("non") if word.startswith("non") else word.removeprefix("un")
    if denied != word:
        return is_english(denied) or names_an_act(denied)
    return any(lexicon.truth(s) is not None for s in lexicon.named((denied_by(word) or word,)))


def _is_no_noun(word: str) -> bool:
    """Return whether a word looks like an adjective, adverb or participle by its ending ("oldest"; not "contest")."""
    bases = (word[:-3], word[:-2], f"{word[:-4]}y", word[:-4])
    return (
        word in ADJECTIVES
        or bool(_NO_NOUN.search(word))
        or (word.endswith("est") and any(len(b) > 2 and is_english(b) for b in bases))
    )
