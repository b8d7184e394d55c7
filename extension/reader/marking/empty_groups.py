"""Find clauses that say whether groups without rows are shown: "including halls never used", "skip those with none".

Such a clause stands between signs, or behind "including" and the like. It has a word for what has no rows, a word that
says that this is shown or left out, and else small words, verbs and names of tables alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.words.phrases import LINKING
from askwhere.reader.words.tokens import Token

DROPPED = "dropped"  # the argument of the mark where groups without rows are to be left out
ENDS = frozenset(", ; . ? ! ( ) - \u2013 \u2014 : ?. ..".split())
_BEGINS = frozenset("including include includes even also plus".split())
_EMPTY = frozenset("none nobody nothing noone never without empty unused idle zero zeros zeroes 0 no any not".split())
_PLAIN_EMPTY = _EMPTY - {"any", "not"}
_SHOWN = frozenset("including include includes included too also even plus keep kept stay appear as at well".split())
_SHOWS = frozenset("show shown count counts counted listed".split())
_SHOWN_BESIDE = frozenset("zero zeros zeroes 0".split())  # "regions with nobody should show zero"
LEFT_OUT = frozenset(
    "ignore ignoring ignored skip skipping skipped leave leaving left omit omitting omitted drop dropped exclude"
    " excluding excluded except".split()
)
SMALL = frozenset(
    "the a an those these ones one that who which where we they them it its there have has had having been be is are"
    " was were can should must may do does did with for in on of at all if such please pls thanks just yet ever out"
    " still and or list result some me us you by to themselves people persons everybody everyone anybody anyone".split()
)
_LONGEST = 12  # words of a clause


def empty_group_marks(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark of kind 'kept' for each clause about groups without rows; its argument is `DROPPED` or ''."""
    words = [t.lower if t.kind != "quoted" else "\0" for t in tokens]
    signs = [i for i, word in enumerate(words) if word in ENDS]
    starts = sorted({i + 1 for i in signs} | {i for i, word in enumerate(words) if word in _BEGINS and i})
    for start in starts:
        end = next((i for i in signs if i >= start), len(words))
        argument = _argument_of(words[start:end], tokens[start:end], lexicon)
        if argument is not None:
            yield Mark("kept", start, end, 1.3 * (end - start), " ".join(words[start:end]), argument)


def _argument_of(words: list[str], tokens: tuple[Token, ...], lexicon: Lexicon) -> str | None:
    """Return what a clause says of groups without rows, '' or `DROPPED`; None where it says something else."""
    if not 2 <= len(words) <= _LONGEST or not _PLAIN_EMPTY & {*words}:
        return None
    known = _EMPTY | _SHOWN | _SHOWS | LEFT_OUT | SMALL
    if not all(word in known or _is_name_or_verb(token, lexicon) for word, token in zip(words, tokens, strict=True)):
        return None
    if LEFT_OUT & {*words}:
        return DROPPED
    beside = bool(_SHOWS & {*words}) and bool(_SHOWN_BESIDE & {*words})
    shown = beside or bool((_SHOWN - {"as", "at", "well"}) & {*words})
    shown = shown or any(pair in _PAIRS for pair in pairwise(words))
    return "" if shown else None


_PAIRS = frozenset([("as", "well"), ("as", "zero"), ("as", "0"), ("at", "zero"), ("with", "zero"), ("with", "0")])


def _is_name_or_verb(token: Token, lexicon: Lexicon) -> bool:
    """Return whether a word of such a clause names a table, or is a verb: "halls", "visited"."""
    if token.kind != "word" or not token.text.islower():
        return False
    return token.stem in LINKING or token.lower in LINKING or any(not s.columns for s in lexicon.find((token.stem,)))
