"""Search, best first, for other sequences of marks where the best cuts of a question cannot be parsed.

Where parsing sticks at a mark, the successors of the sequence cut or read that mark or the one before it in another
way, or leave one of them out at a price. Words whose loss would change the question are never left out: numbers, quoted
values, negations, comparisons, superlatives, "or", "each".
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from askwhere.reader.cursor import END, Stuck
from askwhere.reader.dates import EVERY
from askwhere.reader.draft import Draft
from askwhere.reader.grammar import Restriction, draft
from askwhere.reader.lexicon import Lexicon
from askwhere.reader.marks import Mark
from askwhere.reader.measures import MEASURES
from askwhere.reader.operators import is_preposition
from askwhere.reader.phrases import WORD
from askwhere.reader.place import Cut, Lattice, cuts
from askwhere.reader.restrictions import HAPPENS
from askwhere.reader.tokens import is_singular, stem
from askwhere.reader.verbs import PARTICIPLE

PARSED = 48  # the most sequences to parse
DRAWN = 4  # the most drafts to return

_ADVERBS = frozenset(
    "already yet just really simply basically presently recently still once even only always usually actually exactly"
    " approximately together overall anywhere everywhere somewhere".split()
)
_PRONOUNS = frozenset(
    "our your my ours yours mine we us you i he she somebody someone everyone everybody anybody anyone something"
    " everything person people whichever whoever".split()
)
_BEING = frozenset("is are was were be been being got get".split())
# Kinds of marks whose words are never left out, and neither is an unknown word just behind them.
_TELLING = frozenset(
    "count times much sold agg sup ordinal supcount common nth order direction each comp after when between like"
    " stocked not without except both either or distinct percent difference ratio average null comparative"
    " superlative letters number period money spread often".split()
)
_SMALL = frozenset(
    "the a an of in to from with by on for are is was were be do does did have has had that this any all and it them"
    " group list result results word words letter letters phrase string".split()
)
_NEVER = (
    frozenset(
        "how why when where whether if unless instead same another next previous past future half double total similar"
        " dislike nobody none nothing neither ago today yesterday tomorrow reverse reversed outside against".split()
    )
    | frozenset(w for said, operators in WORD.items() if {o.kind for o in operators} & _TELLING for w in said)
    | frozenset(w for said in MEASURES for w in said)
    | frozenset(EVERY)
) - _SMALL
# The price of leaving out a mark, in the unit of scores of marks. It only orders the search; the confidence of a
# reading is computed from its features.
_PRICES = {
    "fill": 0.1, "be": 0.2, "have": 0.5, "rel": 0.6, "comma": 0.1, "their": 0.3, "own": 0.6, "prep": 0.5, "stop": 0.3,
    "link": 0.8, "table": 1.6, "column": 2.5, "adverb": 0.3, "pronoun": 0.4, "verb": 1.5, "word": 3.0, "name": 4.0,
}  # fmt: skip
EMPTY = ("fill", "be", "comma", "their", "own", "stop", "adverb", "pronoun")  # left out even beside a negation


@dataclass(frozen=True)
class Way:
    """A sequence of marks for all words, its score, and by `left_out_at` the marks that are left out."""

    score: float
    marks: tuple[Mark, ...]
    left_out_at: frozenset[int] = frozenset()  # by their first word

    @property
    def read(self) -> tuple[Mark, ...]:
        """Return the marks that are not left out."""
        return tuple(m for m in self.marks if m.start not in self.left_out_at)

    @property
    def left_out(self) -> tuple[Mark, ...]:
        """Return the marks that are left out."""
        return tuple(m for m in self.marks if m.start in self.left_out_at)


def class_of(mark: Mark) -> str:
    """Return the class of `_PRICES` that a mark belongs to, or '' if it must not be left out."""
    if mark.kind == "unknown":
        return _class_of_word(mark.text, mark.argument == "verb")
    if (mark.kind == "rel" and mark.text in ("when", "where", "if", "as")) or (
        mark.kind == "fill" and " " in mark.text
    ):
        return ""
    return mark.kind if mark.kind in _PRICES else ""


def _class_of_word(word: str, verb: bool) -> str:
    """Return the class of an unknown word, or '' if it must not be left out; `verb` is set if it follows a subject."""
    low = word.lower()
    if not low.isalpha() or low in _NEVER or len(low) == 1:
        return ""
    if low in _ADVERBS or (low.endswith("ly") and len(low) > 4):
        return "adverb"
    if low in _PRONOUNS:
        return "pronoun"
    if not word.islower():
        return "name"
    return "verb" if verb or re.search(r"\w{3}(?:ed|ing)\Z", low) else "word"


def ways(words: Lattice, first: list[Cut], lexicon: Lexicon) -> Iterator[tuple[Way, Draft]]:
    """Yield the sequences that can be parsed, with their drafts, roughly best first.

    At most `PARSED` sequences are parsed and `DRAWN` are yielded. `first` are the best cuts.
    """
    queue: list[tuple[float, int, Way]] = []
    seen: set[tuple[object, ...]] = set()

    def add(way: Way | None) -> None:
        key = tuple((m.kind, m.end, m.argument, m.start in way.left_out_at) for m in way.marks) if way else ()
        hidden = way is not None and any(lexicon.hides(s) for m in way.left_out for s in m.senses)
        if way and key not in seen and not hidden and not takes_a_thing_for_a_value(way.marks):
            seen.add(key)
            heapq.heappush(queue, (-way.score, len(seen), way))

    for cut in first:
        add(_placed(Way(cut.score, cut.marks)))
    parsed = drawn = 0
    while queue and parsed < PARSED and drawn < DRAWN:
        way = heapq.heappop(queue)[2]
        parsed += 1
        try:
            meaning = draft(way.read, lexicon, way.marks)
        except Restriction:
            continue
        except Stuck as error:
            for following in _following(way, error.mark, words):
                add(following)
            continue
        if meaning.both:
            continue  # "both" is misread too often once words are left out
        drawn += 1
        yield way, meaning


def takes_a_thing_for_a_value(marks: tuple[Mark, ...], article: str = "the") -> bool:
    """Return whether a noun after "the" is read as a value that is spelled differently: "the project", `Project`.

    `article` may be longer, to find such nouns only behind "of the".
    """
    return any(
        one.kind == "value"
        and one.text.isalpha()
        and one.text.islower()
        and is_singular(one.text)
        and " ".join(["", *(m.text for m in marks[:place])]).endswith(f" {article}")
        and after.kind not in ("table", "column")
        and all(sense.note for sense in one.senses)
        for place, (one, after) in enumerate(zip(marks, (*marks[1:], END), strict=True))
    )


def _placed(way: Way) -> Way | None:
    """Return the way with all unknown words left out; None if one of them must not be."""
    found: Way | None = way
    for place, mark in enumerate(way.marks):
        if found and mark.kind == "unknown" and mark.start not in found.left_out_at:
            found = _without(found, place)
    return found


def _without(way: Way, place: int) -> Way | None:
    """Return the way with the mark at `place` left out as well; None if it must not be."""
    mark = way.marks[place]
    said = class_of(mark)
    if not said or (place == 0 and mark.kind in ("be", "have", "fill")):
        return None
    if said not in EMPTY and any(m.kind in ("not", "without", "except") for m in way.marks):
        return None
    if mark.kind == "rel" and place and way.marks[place - 1].kind == "and":
        return None  # "and who sold them" asks for something more
    before = next((m for m in way.marks[:place][::-1] if m.kind not in ("fill", "all", "unknown", "their")), mark)
    if mark.kind == "unknown" and said not in EMPTY and (before.kind in _TELLING or before.kind == "open"):
        return None  # without "xyz", "the most xyz" and "which xyz" would ask for something else
    if mark.kind == "unknown" and said not in EMPTY and (before.kind == "link" or before.argument == "of"):
        return None  # what is done, and whose names are asked for
    if mark.kind == "unknown" and said not in EMPTY and before.kind == "have":
        return None  # "have a dog": that tells the rows apart
    if mark.kind in ("unknown", "column", "table") and said not in EMPTY and before.kind == "and":
        return None  # "per country and region": that is asked for as well
    if mark.kind == "unknown" and said not in EMPTY and _in_a_predicate(way.marks[:place]):
        return None  # "are in transit": that is what is asked of them
    if mark.kind in ("table", "column") and before.kind == "count":
        return None  # what is counted
    after = way.marks[place + 1] if place + 1 < len(way.marks) else mark
    if mark.kind == "rel" and after.kind == "column":
        return None  # "members who left" are not all of them
    if said in ("verb", "word", "link") and _tells_apart(mark, way.marks[place - 1] if place else END, after):
        return None  # "were cancelled", "cancelled orders": others were not
    if mark.kind in ("table", "column") and after.kind in ("value", "number", "rel"):
        return None  # the value or the clause that follows belongs to it
    return replace(way, score=way.score - mark.score - _PRICES[said], left_out_at=way.left_out_at | {mark.start})


def _in_a_predicate(before: tuple[Mark, ...]) -> bool:
    """Return whether marks end in "is" or "are" and a preposition: what follows is said of the rows asked for."""
    *_, being, last = ("", "", *(w for m in before for w in m.text.split() if w not in ("the", "a", "an")))
    return being in _BEING and is_preposition(last)


def _tells_apart(mark: Mark, before: Mark, after: Mark) -> bool:
    """Return whether a word is said of some rows and not of all: "they were cancelled", "cancelled orders"."""
    participle = bool(PARTICIPLE.match(mark.text.lower()))
    described = participle and after.kind == "table" and mark.kind == "unknown"
    been = bool(_BEING & set(before.text.split()[-1:]))
    return described or (been and participle and stem(mark.text) not in HAPPENS)


def _following(way: Way, stuck: Mark, words: Lattice) -> Iterator[Way | None]:
    """Yield the successors of a way that parsing failed on at the mark `stuck`; None for those that are not allowed."""
    there = [i for i, m in enumerate(way.marks) if m.start not in way.left_out_at]
    at = next((n for n, i in enumerate(there) if way.marks[i] is stuck), len(there) - 1)
    if at < 0:
        return
    place, before, after = there[at], there[max(at - 1, 0)], there[min(at + 1, len(there) - 1)]
    for one in dict.fromkeys((place, before)):
        yield _without(way, one)
    for first, last in dict.fromkeys(((place, place), (before, before), (before, place), (place, after))):
        yield from _otherwise(way, first, last, words)


def _otherwise(way: Way, first: int, last: int, words: Lattice) -> Iterator[Way | None]:
    """Yield the ways in which the words of the marks `first` to `last` are cut in another way."""
    old = way.marks[first : last + 1]
    if any(m.start in way.left_out_at for m in old):
        return
    for cut in cuts(words, old[0].start, old[-1].end, 4):
        score = way.score - sum(m.score for m in old) + cut.score
        yield _placed(Way(score, (*way.marks[:first], *cut.marks, *way.marks[last + 1 :]), way.left_out_at))
