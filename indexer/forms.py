"""Normalise questions, match them with patterns, and mask values in them.

The form of a question is the same for all ways to write it: case, spaces and punctuation do not count. Characters that
change the meaning stay: `<`, `%` and other signs, a minus, the point in a number. A pattern is a question with
parameters, `sales of {artist} in {year}`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice

from askwhere.errors import ArgumentError, shown
from askwhere.frozen import frozen
from askwhere.indexer.values import tokens

PARAMETER = re.compile(r"\{(\w+)\}")
NUMBER = re.compile(r"-?\d{1,30}(\.\d{1,30})?")
# Words of a question that is matched with patterns; the time grows with each word.
MOST_WORDS = 200
# Parameters of a pattern, and ways to fit a pattern that are reported.
MOST_PARAMETERS = 10
MOST_WAYS = 5

# Punctuation that changes the meaning of a question.
_KEPT = "%&#@*/\\_"
_QUOTED = re.compile(r"""("[^"]+"|“[^”]+”|«[^»]+»|\u2018[^\u2019]+\u2019(?!\w)|(?<!\w)'[^']+'(?!\w))""")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")


@frozen
class Word:
    """A word in lower case and Unicode form NFKC, and its place in the text."""

    text: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """Return the words of a question."""
    listed, start = [], None
    for place in range(len(text) + 1):
        if place == len(text) or _separates(text, place):
            if start is not None:
                plain = unicodedata.normalize("NFKC", text[start:place]).casefold()
                listed.append(Word(plain, start, place))
            start = None
        elif start is None:
            start = place
    return listed


@lru_cache(256)  # the pins are looked through each time that a question is repeated
def form(question: str) -> str:
    """Return the form of a question.

    >>> form("How many customers are in  Canada?") == form("how many customers are in canada")
    True
    """
    return " ".join(word.text for word in words(question))


def _separates(text: str, place: int) -> bool:
    """Return whether the character at a place is between words: a space, or punctuation that changes no meaning."""
    ch = text[place]
    if ch in "`\u00b4" or unicodedata.category(ch)[0] in "ZC":
        return True
    if unicodedata.category(ch)[0] != "P" or ch in _KEPT:
        return False
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if ch in ".,:" and before.isdigit() and after.isdigit():
        return False
    return not (ch == "-" and after.isdigit() and not before.isalnum())


def parameters(question: str) -> tuple[str, ...]:
    """Return the names of a pattern's parameters, in order. Raise `ArgumentError` for a pattern that cannot be used."""
    names = tuple(PARAMETER.findall(question))
    if len(set(names)) < len(names):
        raise ArgumentError(f"each parameter may stand in the question once, found {shown(question)}")
    if names and not words(PARAMETER.sub(" ", question)):
        raise ArgumentError(f"a question of nothing but parameters would fit every question, found {shown(question)}")
    if len(names) > MOST_PARAMETERS:
        found = f"found {len(names)} in {shown(question)}"
        raise ArgumentError(f"a question may have {MOST_PARAMETERS} parameters, {found}")
    return names


def weight(pattern: str) -> int:
    """Return the number of a pattern's words outside parameters. Of two patterns that fit, the heavier one counts."""
    return len(words(PARAMETER.sub(" ", pattern)))


def fits(pattern: str, question: str, kinds: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the ways in which a question fits a pattern, at most `MOST_WAYS`, each as the parameters' values.

    A value in quotes is not divided. `kinds` has 'number' or 'text' for each parameter; only a number fits the former.
    """
    asked = words(question)
    if len(asked) > MOST_WORDS or len(kinds) > MOST_PARAMETERS:
        return []
    return _Fitting(pattern, question, asked, kinds).ways(0, 0)


class _Fitting:
    """The search for all assignments of values to parameters by which a question fits a pattern.

    The pattern is split into literal parts and the parameters between them. The assignments from each place on are
    cached: there are few places, but there may be many assignments.
    """

    def __init__(self, pattern: str, question: str, asked: list[Word], kinds: Mapping[str, str]) -> None:
        parts = PARAMETER.split(pattern)
        self._literals, self._names = parts[::2], parts[1::2]
        self._literal_words = [[word.text for word in words(literal)] for literal in self._literals]
        self._question, self._asked, self._kinds = question, asked, kinds
        self._quoted = [match.span() for match in _QUOTED.finditer(question)]
        self._known: dict[tuple[int, int], list[dict[str, str]]] = {}

    def ways(self, number: int, place: int) -> list[dict[str, str]]:
        """Return the ways in which the words from `place` on fit the pattern from its literal part `number` on."""
        key = (number, place)
        if key not in self._known:
            self._known[key] = list(islice(self._ways(number, place), MOST_WAYS))
        return self._known[key]

    def _ways(self, number: int, place: int) -> Iterator[dict[str, str]]:
        """Yield the ways from a place on: its literal part must match, then its parameter takes one or more words."""
        expected = self._literal_words[number]
        end = place + len(expected)
        literal = self._asked[place:end]
        if [word.text for word in literal] != expected or _inside(literal, self._quoted):
            return
        if number == len(self._names):
            if end == len(self._asked):
                yield {}
            return
        name = self._names[number]
        longest = 1 if self._kinds[name] == "number" else len(self._asked)
        for stop in range(end + 1, min(end + longest, len(self._asked)) + 1):
            if rest := self.ways(number + 1, stop):
                value = self._text(number, end, stop)
                if value and (self._kinds[name] == "text" or NUMBER.fullmatch(value)):
                    yield from ({name: value, **assignment} for assignment in rest)

    def _text(self, number: int, place: int, stop: int) -> str:
        """Return the value of parameter `number` if it takes the words from `place` up to `stop`."""
        start = self._asked[place - 1].end if place else 0
        end = self._asked[stop].start if stop < len(self._asked) else len(self._question)
        value = _value(self._question[start:end], self._literals[number], self._literals[number + 1])
        return _THOUSANDS.sub("", value) if self._kinds[self._names[number]] == "number" else value


def _inside(literal: list[Word], quoted: list[tuple[int, int]]) -> bool:
    """Return whether one of some words is inside quotes."""
    return any(start < word.start and word.end < end for word in literal for start, end in quoted)


def _value(text: str, before: str, after: str) -> str:
    """Return a parameter's value: the text without the punctuation of the pattern around it, and without quotes."""
    text = text.strip()
    text = text.removeprefix(re.split(r"\w", before)[-1].strip() if before else "").strip()
    follows = re.split(r"\w", after, maxsplit=1)[0].strip()
    for end in (follows, follows.replace("'", "\u2019"), follows.replace("\u2019", "'")):
        text = text.removesuffix(end).strip()
    if _QUOTED.fullmatch(text):
        return text[1:-1]
    text = text.strip(",;:!?¿¡ ")
    if text.endswith(".") and "." not in text[:-1]:
        text = text[:-1]
    return text


def masked(question: str, values: Iterable[str]) -> str:
    """Return the question with `?` for each number, each text in quotes, and each of the values."""
    spans = [match.span() for match in _QUOTED.finditer(question)]
    spans += [(word.start, word.end) for word in words(question) if any(ch.isdigit() for ch in word.text)]
    return _without(question, [*spans, *_spans(question, values)])


def without_values(text: str, values: Iterable[str]) -> str:
    """Return the text with `?` for each of the values."""
    return _without(text, _spans(text, values))


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the text with `?` for each span; spans that overlap become one."""
    pieces, place = [], 0
    for start, end in sorted(spans):
        if start >= place:
            pieces += [text[place:start], "?"]
        place = max(place, end)
    return "".join(pieces) + text[place:]


def contains_value(text: str, values: Iterable[str]) -> bool:
    """Return whether a text contains one of the values."""
    return any(_spans(text, values))


def _spans(text: str, values: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of the values in a text, compared word by word without case, accents and punctuation."""
    parts = [(token, word) for word in words(text) for token in tokens(word.text)]
    plain = [token for token, _ in parts]
    for value in {tuple(tokens(value)) for value in values} - {()}:
        for place in range(len(parts) - len(value) + 1):
            if tuple(plain[place : place + len(value)]) == value:
                yield parts[place][1].start, parts[place + len(value) - 1][1].end
