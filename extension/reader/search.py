"""Search, best first, for other sequences of marks where the best cuts of a question cannot be parsed.

Where parsing sticks at a mark, the successors of the sequence cut or read that mark or the one before it in another
way, or leave one of them out at a price, where `skipping` allows it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import replace

from askwhere.frozen import frozen
from askwhere.reader.grammar.cursor import END, Stuck
from askwhere.reader.grammar.draft import Draft
from askwhere.reader.grammar.question import Restriction, draft
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.place import Cut, Lattice, cuts
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.skipping import price
from askwhere.reader.words.tokens import is_singular

MOST_PARSED = 48  # sequences of marks
MOST_DRAFTS = 4
_OTHER_CUTS = 4  # the cuts of the words of one or two marks that are tried in their place


@frozen
class Way:
    """A sequence of marks that covers all words of a question, some of them left out, and its score.

    Those that begin at the words in `left_out_at` are left out: the grammar does not see them.
    """

    score: float
    marks: tuple[Mark, ...]
    left_out_at: frozenset[int] = frozenset()

    @property
    def read(self) -> tuple[Mark, ...]:
        """Return the marks that the grammar sees."""
        return tuple(m for m in self.marks if m.start not in self.left_out_at)

    @property
    def left_out(self) -> tuple[Mark, ...]:
        """Return the marks that are left out."""
        return tuple(m for m in self.marks if m.start in self.left_out_at)


def parsed_ways(words: Lattice, first: list[Cut], lexicon: Lexicon) -> Iterator[tuple[Way, Draft]]:
    """Yield the sequences that can be parsed, with their drafts, roughly best first.

    `first` are the best cuts. At most `MOST_PARSED` sequences are parsed, and `MOST_DRAFTS` are yielded.
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
        add(_without_unknown(Way(cut.score, cut.marks)))
    parsed = drafts = 0
    while queue and parsed < MOST_PARSED and drafts < MOST_DRAFTS:
        way = heapq.heappop(queue)[2]
        parsed += 1
        try:
            meaning = draft(way.read, lexicon, way.marks)
        except Restriction:
            continue
        except Stuck as error:
            for successor in _successors(way, error.mark, words):
                add(successor)
            continue
        if meaning.both:
            continue  # "both" is misread too often once words are left out
        drafts += 1
        yield way, meaning


def takes_a_thing_for_a_value(marks: tuple[Mark, ...], article: str = "the") -> bool:
    """Return whether a noun after "the" is read as a value that is spelled differently: "the project", `Project`.

    `article` is what must stand before the noun: of the best cuts, only those with "of the" there are not parsed.
    """
    return any(
        mark.kind == "value"
        and mark.text.isalpha()
        and mark.text.islower()
        and is_singular(mark.text)
        and " ".join(["", *(m.text for m in marks[:place])]).endswith(f" {article}")
        and after.kind not in ("table", "column")
        and all(sense.is_loose for sense in mark.senses)
        for place, (mark, after) in enumerate(zip(marks, (*marks[1:], END), strict=True))
    )


def _without_unknown(way: Way) -> Way | None:
    """Return the way with all unknown words left out; None if one of them must not be."""
    rest: Way | None = way
    for place, mark in enumerate(way.marks):
        if rest and mark.kind == "unknown" and mark.start not in rest.left_out_at:
            rest = _without(rest, place)
    return rest


def _without(way: Way, place: int) -> Way | None:
    """Return the way with the mark at `place` left out as well; None if it must not be."""
    mark, cost = way.marks[place], price(way.marks, place)
    if cost is None:
        return None
    return replace(way, score=way.score - mark.score - cost, left_out_at=way.left_out_at | {mark.start})


def _successors(way: Way, stuck: Mark, words: Lattice) -> Iterator[Way | None]:
    """Yield the successors of a way that parsing failed on at the mark `stuck`; None for those that are not allowed."""
    read = [place for place, m in enumerate(way.marks) if m.start not in way.left_out_at]
    if not read:
        return
    at = next((i for i, place in enumerate(read) if way.marks[place] is stuck), len(read) - 1)
    place, before, after = read[at], read[max(at - 1, 0)], read[min(at + 1, len(read) - 1)]
    for skipped in dict.fromkeys((place, before)):
        yield _without(way, skipped)
    for first, last in dict.fromkeys(((place, place), (before, before), (before, place), (place, after))):
        yield from _cut_otherwise(way, first, last, words)


def _cut_otherwise(way: Way, first: int, last: int, words: Lattice) -> Iterator[Way | None]:
    """Yield the ways in which the words of the marks `first` to `last` are cut differently; none if one is left out."""
    old = way.marks[first : last + 1]
    if any(m.start in way.left_out_at for m in old):
        return
    for cut in cuts(words, old[0].start, old[-1].end, _OTHER_CUTS):
        score = way.score - sum(m.score for m in old) + cut.score
        yield _without_unknown(Way(score, (*way.marks[:first], *cut.marks, *way.marks[last + 1 :]), way.left_out_at))
