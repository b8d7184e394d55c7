"""Read the words for a side or a direction in a key's name: `from_whs`, `away_cd`, `winner_key`, `hub_to`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

# Words for the two ends of a route and the two sides of a contest; each of a pair is what the other is not.
_ROUTES = """
from: to | origin: destination dest | orig: dest destination | start: end finish | started: ended finished
departure: arrival | dep: arr | source: destination dest target | src: dst dest tgt | pickup: dropoff return
base: quote | out: ret return | starting: ending
"""
_CONTESTS = """
home: away visitor visiting guest | winner: loser | winning: losing | black: white | challenger: champion
"""
# Further words that say which of several rows of a table is meant.
_MORE = frozenset("next previous prev last first second native via host current old new main hub".split())
_LETTERS = {"a": "b", "1": "2", "b": "a", "2": "1"}

# Nouns for the ends of routes, and for the sides of contests: teams, or single players.
PLACES = frozenset(
    "port airport airfield aerodrome station stop terminal stadium city town village place location depot branch"
    " warehouse hub store shop site  harbour harbor dock junction yard".split()
)
SIDES = frozenset("team club side franchise squad".split())
PLAYERS = frozenset("player competitor contestant fighter wrestler boxer athlete".split())


def _opposed(text: str) -> dict[str, frozenset[str]]:
    """Return the opposites of each word in lines of `word: opposites | word: opposites`."""
    opposed: dict[str, frozenset[str]] = {}
    for pair in text.replace("\n", "|").split("|"):
        first, _, others = (part.strip() for part in pair.partition(":"))
        for word in others.split():
            opposed[first] = opposed.get(first, frozenset()) | {word}
            opposed[word] = opposed.get(word, frozenset()) | {first}
    return {word: others for word, others in opposed.items() if word}


_COLOURS, _GROUNDS = frozenset("black white".split()), frozenset("home away visitor visiting guest".split())
ROUTES, CONTESTS = _opposed(_ROUTES), _opposed(_CONTESTS)
_WORDS = frozenset(ROUTES) | frozenset(CONTESTS) | _MORE


def sides(words: Sequence[str], names: Set[tuple[str, ...]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each word for a side or a direction at the beginning or end of a name, with the remaining words.

    `names` are those of all columns, as words. A letter or digit (`team_a`) counts only if its counterpart (`team_b`)
    is among them. A word that is written together with the rest (`tobranch`) is found at the beginning only.

    >>> [*sides(["from", "whs"], set())], [*sides(["tobranch"], set())], [*sides(["team", "a"], {("team", "b")})]
    ([('from', ('whs',))], [('to', ('branch',))], [('a', ('team',))])
    """
    if words and words[0] in _WORDS:
        yield words[0], tuple(words[1:])
    elif words:
        glued = (w for w in sorted(_WORDS, key=len, reverse=True) if words[0].startswith(w) and words[0] != w)
        yield from ((side, (words[0][len(side) :], *words[1:])) for side in glued)
    if len(words) > 1 and words[-1] in _WORDS:
        yield words[-1], tuple(words[:-1])
    if len(words) > 1 and words[-1] in _LETTERS and (*words[:-1], _LETTERS[words[-1]]) in names:
        yield words[-1], tuple(words[:-1])


def is_opposed(side: str, names: Set[tuple[str, ...]]) -> bool:
    """Return whether a column among `names` has the opposite side or direction as its name: `to_cd` for `from_cd`."""
    opposites = ROUTES.get(side, frozenset()) | CONTESTS.get(side, frozenset())
    return any((opposite,) in names for opposite in opposites)


def fits(side: str, noun: str) -> bool:
    """Return whether a noun can have the side or direction: a port can be an "origin", a club "home"."""
    if side in ROUTES:
        return noun in PLACES
    return noun in (PLAYERS if side in _COLOURS else SIDES if side in _GROUNDS else SIDES | PLAYERS)
