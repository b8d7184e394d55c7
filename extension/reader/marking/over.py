"""Write words for what is over or under a thing of the same kind as the schema does: "subsidiaries" of companies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from askwhere.engine import Table
from askwhere.indexer.word_forms import plural, singular
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.name_index import FILLERS
from askwhere.reader.words.names import called, cut_name
from askwhere.reader.words.tokens import Token

_PARENT = "parent"
_UNDER = frozenset("subsidiary subsidiaries".split())
_OVER = frozenset("company companies firm firms organisation organisations organization organizations".split())
_THEM = frozenset("them it theirs".split())


def with_those_over(tokens: tuple[Token, ...], lexicon: Lexicon) -> tuple[Token, ...]:
    """Return the tokens with the thing's own name where one kind of thing has parents of the same kind, by a key.

    "Subsidiaries and their parent company" are "customers and their parent customer", but not subsidiaries alone, "the
    category above them" is "the parent category", and "top-level categories" are "categories without parent".
    """
    seconds = [t for some in lexicon.seconds.values() for t in some if cut_name(t.name)[:1] == (_PARENT,)]
    if len(seconds) != 1 or not {t.lower for t in tokens} & (
        _UNDER | {"parent", "above", "sub", "top"} | _subs(tokens)
    ):
        return tokens
    thing = next(t for t in lexicon.tables if t.path == seconds[0].path[:-1])
    over = not {"parent", "above"}.isdisjoint(t.lower for t in tokens)
    said, place = list(tokens), 0
    while place < len(said):
        end, words = _written(said[place:], thing, lexicon, over)
        if words:
            said[place : place + end] = [replace(said[place], text=word) for word in words]
        place += max(len(words), 1)
    return tuple(said)


def _subs(tokens: Sequence[Token]) -> set[str]:
    """Return the words that begin with "sub"."""
    return {t.lower for t in tokens if t.lower.startswith("sub")}


def _written(tokens: Sequence[Token], thing: Table, lexicon: Lexicon, over: bool) -> tuple[int, list[str]]:
    """Return how many of the first tokens say what is over or under a thing, and the words for it; none for others.

    What is under it is written only where what is `over` it is named as well, and so must be there.
    """
    first, *rest = [token.lower for token in tokens[:3]]
    words = cut_name(called(thing)[0])
    own = [word for word in words if word not in FILLERS][-1:] or words[-1:]
    if not over and (first in _UNDER or first.startswith("sub")):
        return 0, []
    if first in _UNDER:
        return 1, [plural(own[0])]
    if first.startswith("sub") and _names(first[3:], thing, lexicon):
        return 1, [first[3:]]
    if first == "sub" and rest and _names(rest[0], thing, lexicon):
        return 2, [rest[0]]
    if first == _PARENT and rest and rest[0] in _OVER and not _names(rest[0], thing, lexicon):
        return 2, [_PARENT, *own]
    if _names(first, thing, lexicon) and rest[:1] == ["above"] and rest[1:2] and rest[1] in _THEM:
        return 3, [_PARENT, singular(first)]
    level = rest[:1] == ["level"] and first == "top" and len(rest) > 1 and _names(rest[1], thing, lexicon)
    return (3, [rest[1], "without", _PARENT]) if level else (0, [])


def _names(word: str, thing: Table, lexicon: Lexicon) -> bool:
    """Return whether a word names a thing."""
    return bool(word) and any(
        s.table.path == thing.path and not s.columns and s.score >= 0.8 for s in lexicon.named((word,))
    )
