"""The form of a question: what stays the same however it is written, and the questions that fit a pattern.

Case, spaces and punctuation do not count; what changes a meaning does: `<`, `%` and other signs, a minus, the point in
a number. A pattern is a question with parameters, `sales of {artist} in {year}`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from askwhere.errors import ArgumentError

PARAMETER = re.compile(r"\{(\w+)\}")
NUMBER = re.compile(r"-?\d+(\.\d+)?")
# No question has more; matching a pattern takes a time that grows with every word.
MOST_WORDS = 200

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
    return names


def weight(pattern: str) -> int:
    """How many words of a pattern are no parameters: of two patterns that fit, the heavier says more."""
    return len(words(PARAMETER.sub(" ", pattern)))


def fits(pattern: str, question: str, kinds: Mapping[str, str]) -> list[dict[str, str]]:
    """Each way in which a question fits a pattern, as the parameters' values; a value in quotes is one whole.

    `kinds` says of each parameter whether it is a 'number' or a 'text'; what is no number fits none.
    """
    parts = PARAMETER.split(pattern)
    literals, names = parts[::2], parts[1::2]
    asked = words(question)
    if len(asked) > MOST_WORDS:
        return []
    quoted = [match.span() for match in _QUOTED.finditer(question)]
    wanted = [[word.text for word in words(literal)] for literal in literals]
    found: list[dict[str, str]] = []
    for spans in _splits(wanted, asked, quoted):
        texts = [
            _value(question[start:end], literals[number], literals[number + 1])
            for number, (start, end) in enumerate(spans)
        ]
        values = {
            name: _THOUSANDS.sub("", t) if kinds[name] == "number" else t for name, t in zip(names, texts, strict=True)
        }
        numbers = all(NUMBER.fullmatch(values[name]) for name in names if kinds[name] == "number")
        if numbers and all(values.values()) and values not in found:
            found.append(values)
    return found


def _splits(
    wanted: list[list[str]], asked: list[Word], quoted: list[tuple[int, int]], place: int = 0
) -> Iterator[list[tuple[int, int]]]:
    """The texts' spans between the literal parts, for every way to find those parts in the words from `place` on."""
    literal, rest = wanted[0], wanted[1:]
    end = place + len(literal)
    if [word.text for word in asked[place:end]] != literal or _inside(asked[place:end], quoted):
        return
    if not rest:
        if end == len(asked):
            yield []
        return
    begins = asked[end - 1].end if end else 0
    for then in range(end + 1, len(asked) + 1):
        stops = asked[then].start if then < len(asked) else None
        for spans in _splits(rest, asked, quoted, then):
            yield [(begins, stops if stops is not None else 1 << 30), *spans]


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
    hidden = [form(value).split() for value in values]
    found = words(question)
    spans = [match.span() for match in _QUOTED.finditer(question)]
    spans += [(word.start, word.end) for word in found if any(ch.isdigit() for ch in word.text)]
    for place in range(len(found)):
        for value in hidden:
            part = found[place : place + len(value)]
            if part and [word.text for word in part] == value:
                spans.append((part[0].start, part[-1].end))
    pieces, place = [], 0
    for start, end in sorted(spans):
        if start >= place:
            pieces += [question[place:start], "?"]
        place = max(place, end)
    return "".join(pieces) + question[place:]
