"""Spell words of a question as the data may write them: codes, initials, singular and plural."""

from __future__ import annotations

import re
from collections.abc import Iterator

from askwhere.frozen import frozen
from askwhere.indexer.word_forms import CONVENTIONAL, PARTICIPLE, is_participle
from askwhere.reader.words.english import COUNTRY_CODES, INITIALS, KINDS, NATIONS, SEXES, STATES, practised
from askwhere.reader.words.tokens import Token, irregular_forms, stem
from askwhere.reader.words.verbs import AUXILIARY


@frozen
class Spelling:
    """A text that the data may hold for some words of the question.

    `score`, from 0 to 1, says how well it fits. If `columns` has stems, a column counts whose name has one of them.
    """

    text: str
    score: float
    columns: frozenset[str] = frozenset()


_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_CODES: dict[str, tuple[str, ...]] = {}  # what the data may write for a state, `DLVD` for "delivered"
for _short, _long in CONVENTIONAL.items():
    if _long.endswith("ed"):
        _CODES[_long] = (*_CODES.get(_long, ()), _short.upper())
_SEX = frozenset(map(stem, ("sex", "gender")))
_KIND = STATES | KINDS | frozenset(map(stem, ("method", "mode")))
_OUTCOMES = STATES | frozenset(map(stem, ("result", "res", "outcome", "verdict", "decision")))
_COUNTRY = frozenset(map(stem, ("country", "nation", "nationality")))


def spellings_of(text: str, tokens: tuple[Token, ...], start: int, end: int) -> list[Spelling]:
    """Return the spellings to look up for some tokens.

    They are the words as written, their singular or plural, codes of countries, and for a single word what initials,
    nationalities and words for a sex stand for, and codes and first letters of a state.
    """
    span = tokens[start:end]
    phrase = span[0].text if len(span) == 1 else text[span[0].start : span[-1].end]
    if span[-1].kind != "word":
        return [Spelling(phrase, 1.0)]
    lower = phrase.lower()
    countries = (lower, *NATIONS.get(lower, ()))
    codes = [Spelling(code, 0.8, _COUNTRY) for country in countries for code in COUNTRY_CODES.get(country, ())]
    alike = [Spelling(other, 0.95) for other in _other_spellings(phrase)]
    return [
        Spelling(phrase, 1.0),
        *alike,
        *other_numbers(phrase),
        *codes,
        *(_of_word(phrase) if len(span) == 1 else ()),
        *(_of_act(lower) if len(span) == 1 and follows_auxiliary(tokens, start) else ()),
    ]


# Words for one and the same state, of which the data may write another than the question.
_SAME_STATES = tuple(
    frozenset(words.split())
    for words in ("done completed complete finished", "rejected declined denied refused", "resolved solved fixed")
)
_SHORTEST = 3  # a word of so many letters has no other spelling
# Endings and syllables that are written otherwise in British and in American English.
_BRITISH = (
    ("elled", "eled"), ("elling", "eling"), ("eller", "eler"), ("olour", "olor"), ("avour", "avor"), ("abour", "abor"),
    ("our", "or"), ("tre", "ter"), ("ise", "ize"), ("ised", "ized"), ("ising", "izing"), ("isation", "ization"),
    ("yse", "yze"), ("grey", "gray"), ("ence", "ense"), ("ogue", "og"), ("programme", "program"), ("cheque", "check"),
)  # fmt: skip
_ENDINGS = tuple(ending for pair in _BRITISH for ending in pair)


def _other_spellings(phrase: str) -> Iterator[str]:
    """Yield a phrase with hyphens as blanks or the reverse, and as the other English has it, "canceled"."""
    if "-" in phrase:
        yield phrase.replace("-", " ")
    elif phrase.count(" ") == 1:
        yield phrase.replace(" ", "-")
    lower = phrase.lower()
    if len(phrase) <= _SHORTEST or not lower.endswith(_ENDINGS):
        return
    for pair in _BRITISH:
        for one, other in (pair, pair[::-1]):
            if lower.endswith(one):
                yield phrase[: len(phrase) - len(one)] + other


def same_states(word: str) -> tuple[str, ...]:
    """Return the other words for a state, "completed" for "finished"."""
    return tuple(other for words in _SAME_STATES if word in words for other in sorted(words - {word}))


def _without_ed(word: str) -> tuple[str, ...]:
    """Return the verb that a participle may be of, "fail" for "failed"; nothing for other words."""
    return (word[:-2], word[:-1]) if PARTICIPLE.match(word) and word.endswith("ed") else ()


def follows_auxiliary(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether a word is a verb behind "did" and its subject: "orders did we cancel"."""
    before = [t.lower for t in tokens[max(place - _SUBJECT, 0) : place]]
    return tokens[place].kind == "word" and bool(AUXILIARY & {*before[:-1]}) and not is_participle(tokens[place].lower)


_SUBJECT = 6  # words of an auxiliary and the longest subject behind it


def _of_act(verb: str) -> Iterator[Spelling]:
    """Yield the participles of a verb, which the data may hold for the state of what it was done to."""
    for form in participles(verb):
        yield Spelling(form, 0.9, STATES)


def participles(verb: str) -> tuple[str, ...]:
    """Return what may be the participles of a verb: "cancelled" and "canceled" for "cancel", "sent" for "send"."""
    regular = (f"{verb}ed", f"{verb}d", f"{verb}{verb[-1:]}ed", f"{verb[:-1]}ied")
    return (*regular, *irregular_forms(stem(verb)))


def other_numbers(phrase: str) -> Iterator[Spelling]:
    """Yield what may be the singular of a phrase in the plural, and else its plural."""
    lower = phrase.lower()
    if lower.endswith("ies"):
        yield Spelling(phrase[:-3] + "y", 0.9)
    if lower.endswith("es"):
        yield Spelling(phrase[:-2], 0.85)
    if lower.endswith(("man", "men")):
        yield Spelling(f"{phrase[:-2]}{'e' if lower.endswith('man') else 'a'}n", 0.9)
    if lower.endswith("s"):
        yield Spelling(phrase[:-1], 0.9)
    elif len(lower) > 2:
        yield Spelling(phrase + "s", 0.85)


def _of_word(word: str) -> Iterator[Spelling]:
    """Yield what the data may write for a single word: a name for initials, a code or another word for a state."""
    lower = word.lower()
    letters = lower[:1] + re.sub("[aeiou]", "", lower[1:])  # `ACT` for "active", `CHQ` for "cheque"
    short = {said[:size].upper() for said in (lower, letters) for size in (3, 4) if len(lower) > size}
    yield from (Spelling(place, 0.85) for place in (*INITIALS.get(word, ()), *NATIONS.get(lower, ())))
    yield from (Spelling(sex, 0.95, _SEX) for sex in SEXES.get(lower, ()))
    yield from (Spelling(code, 0.85) for code in _CODES.get(lower, ()))
    yield from (Spelling(beginning, 0.79, _KIND) for beginning in sorted(short) if lower.isalpha())
    yield from (Spelling(other, 0.85, STATES) for other in same_states(lower))
    yield from (Spelling(verb, 0.85, _OUTCOMES) for verb in _without_ed(lower))
    yield from (Spelling(field, 0.85) for field in practised(lower))
    yield from (Spelling(day[:3], 0.85) for day in _WEEKDAYS if lower in (day, f"{day}s"))
