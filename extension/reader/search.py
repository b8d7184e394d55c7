"""Search, best first, for other sequences of marks where the best cuts of a question cannot be parsed.

Where parsing sticks at a mark, the successors of the sequence cut or read that mark or the one before it in another
way, or leave one of them out at a price, where `skipping` allows it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace

from askwhere.reader.grammar.cursor import END, Stuck
from askwhere.reader.grammar.draft import Draft
from askwhere.reader.grammar.question import Restriction, draft
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.place import Cut, Lattice, cuts
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.skipping import price
from askwhere.reader.words.tokens import is_singular

PARSED = 48  # the most sequences to parse
DRAWN = 4  # the most drafts to return


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


def parsed_ways(words: Lattice, first: list[Cut], lexicon: Lexicon) -> Iterator[tuple[Way, Draft]]:
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
        and all(sense.is_loose for sense in one.senses)
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
    mark, cost = way.marks[place], price(way.marks, place)
    if cost is None:
        return None
    return replace(way, score=way.score - mark.score - cost, left_out_at=way.left_out_at | {mark.start})


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
