"""The form of a question: what stays the same however it is written, and the questions that fit a pattern.

Case, spaces and punctuation do not count; what changes a meaning does: `<`, `%` and other signs, a minus, the point in
a number. A pattern is a question with parameters, `sales of {artist} in {year}`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from askwhere.errors import ArgumentError
from askwhere.indexer.values import tokens

PARAMETER = re.compile(r"\{(\w+)\}")
NUMBER = re.compile(r"-?\d{1,30}(\.\d{1,30})?")
# No question has more; matching a pattern takes a time that grows with every word.
MOST_WORDS = 200
# More parameters no pattern has, and more ways to fit one no question is told of.
MOST_PARAMETERS = 10
MOST_WAYS = 5

_KEPT = "%&#@*/\\_"
_QUOTED = re.compile(r"""("[^"]+"|“[^”]+”|«[^»]+»|\u2018[^\u2019]+\u2019(?!\w)|(?<!\w)'[^']+'(?!\w))""")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")


@dataclass(frozen=True)
class Word:
    """A word in its plain form, and where it stands in the text."""

    text: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """The words of a question in their plain form."""
    found, start = [], None
    for place in range(len(text) + 1):
        if place == len(text) or _separates(text, place):
            if start is not None:
                plain = unicodedata.normalize("NFKC", text[start:place]).casefold()
                found.append(Word(plain, start, place))
            start = None
        elif start is None:
            start = place
    return found


def form(question: str) -> str:
    """What two writings of one question have in common.

    >>> form("How many customers are in  Canada?") == form("how many customers are in canada")
    True
    """
    return " ".join(word.text for word in words(question))


def _separates(text: str, place: int) -> bool:
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
    """The names of a pattern's parameters in their order. Raises `ArgumentError` for a pattern that cannot be used."""
    names = tuple(PARAMETER.findall(question))
    if len(set(names)) < len(names):
        raise ArgumentError(f"each parameter may stand in the question once, found {question!r}")
    if names and not words(PARAMETER.sub(" ", question)):
        raise ArgumentError(f"a question of nothing but parameters would fit every question, found {question!r}")
    if len(names) > MOST_PARAMETERS:
        raise ArgumentError(f"a question may have {MOST_PARAMETERS} parameters, found {len(names)} in {question!r}")
    return names


def weight(pattern: str) -> int:
    """How many words of a pattern are no parameters: of two patterns that fit, the heavier says more."""
    return len(words(PARAMETER.sub(" ", pattern)))


def fits(pattern: str, question: str, kinds: Mapping[str, str]) -> list[dict[str, str]]:
    """Each way in which a question fits a pattern, the first `MOST_WAYS`, as the parameters' values.

    A value in quotes is one whole. `kinds` says of each parameter whether it is a 'number' or a 'text'; what is no
    number fits none.
    """
    asked = words(question)
    if len(asked) > MOST_WORDS or len(kinds) > MOST_PARAMETERS:
        return []
    return _Fitting(pattern, question, asked, kinds).ways(0, 0)


class _Fitting:
    """One question and one pattern. What was found from a place on is kept: ways may be many, places are few."""

    def __init__(self, pattern: str, question: str, asked: list[Word], kinds: Mapping[str, str]) -> None:
        parts = PARAMETER.split(pattern)
        self._literals, self._names = parts[::2], parts[1::2]
        self._wanted = [[word.text for word in words(literal)] for literal in self._literals]
        self._question, self._asked, self._kinds = question, asked, kinds
        self._quoted = [match.span() for match in _QUOTED.finditer(question)]
        self._known: dict[tuple[int, int], list[dict[str, str]]] = {}

    def ways(self, number: int, place: int) -> list[dict[str, str]]:
        """The first ways for the words from `place` on to be the pattern from its literal part of that number on."""
        key = (number, place)
        if key not in self._known:
            self._known[key] = list(islice(self._ways(number, place), MOST_WAYS))
        return self._known[key]

    def _ways(self, number: int, place: int) -> Iterator[dict[str, str]]:
        wanted = self._wanted[number]
        end = place + len(wanted)
        literal = self._asked[place:end]
        if [word.text for word in literal] != wanted or _inside(literal, self._quoted):
            return
        if number == len(self._names):
            if end == len(self._asked):
                yield {}
            return
        name = self._names[number]
        longest = 1 if self._kinds[name] == "number" else len(self._asked)
        for then in range(end + 1, min(end + longest, len(self._asked)) + 1):
            if rest := self.ways(number + 1, then):
                value = self._text(number, end, then)
                if value and (self._kinds[name] == "text" or NUMBER.fullmatch(value)):
                    yield from ({name: value, **way} for way in rest)

    def _text(self, number: int, place: int, then: int) -> str:
        """The value of a parameter that takes the words from `place` to `then`."""
        start = self._asked[place - 1].end if place else 0
        end = self._asked[then].start if then < len(self._asked) else len(self._question)
        value = _value(self._question[start:end], self._literals[number], self._literals[number + 1])
        return _THOUSANDS.sub("", value) if self._kinds[self._names[number]] == "number" else value


def _inside(literal: list[Word], quoted: list[tuple[int, int]]) -> bool:
    return any(start < word.start and word.end < end for word in literal for start, end in quoted)


def _value(text: str, before: str, after: str) -> str:
    """A parameter's value: the text without the punctuation around it, or what its quotes hold."""
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
    """The question with `?` for each number, each text in quotes, and each of the values."""
    spans = [match.span() for match in _QUOTED.finditer(question)]
    spans += [(word.start, word.end) for word in words(question) if any(ch.isdigit() for ch in word.text)]
    return _without(question, [*spans, *_held(question, values)])


def without(text: str, values: Iterable[str]) -> str:
    """The text with `?` for each of the values."""
    return _without(text, _held(text, values))


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    pieces, place = [], 0
    for start, end in sorted(spans):
        if start >= place:
            pieces += [text[place:start], "?"]
        place = max(place, end)
    return "".join(pieces) + text[place:]


def hold(text: str, values: Iterable[str]) -> bool:
    """Whether a text holds one of the values."""
    return any(_held(text, values))


def _held(text: str, values: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where the values stand in a text: their words one after the other, without case, accents and punctuation."""
    parts = [(token, word) for word in words(text) for token in tokens(word.text)]
    plain = [token for token, _ in parts]
    for value in {tuple(tokens(value)) for value in values} - {()}:
        for place in range(len(parts) - len(value) + 1):
            if tuple(plain[place : place + len(value)]) == value:
                yield parts[place][1].start, parts[place + len(value) - 1][1].end
