"""Leave words out of a question that is refused, fewest first, until the rest can be parsed.

A question's marks fall into phrases, each from a word that joins or relates up to the next one. Where parsing sticks,
the mark there or before it is left out, its phrase, or all from there to the end of the sentence. Unlike `search`,
whose readings answer the question, nothing here is read for the user: each shorter question is only proposed, so any
word may go, but operators only with their whole phrase.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator
from itertools import pairwise, takewhile

from askwhere.frozen import frozen
from askwhere.reader.grammar.cursor import Stuck
from askwhere.reader.grammar.draft import Draft
from askwhere.reader.grammar.question import draft
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.place import Cut
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.skipping import DENYING, class_of
from askwhere.reader.words.english import BEING
from askwhere.reader.words.tokens import Token

PARSED = 60  # the most sequences to parse
CUTS = 4  # cuts to begin with
_EMPTY = frozenset("fill be comma their own stop prep and have rel all open end each".split())
_JOINING = frozenset(
    "prep rel and comma or without not except order direction stop each like comp when between have both either kept"
    " among".split()
)
_ENDS = frozenset("?.!")
_HANGING = frozenset({"be", "rel"})  # go with what stood behind them
_DOING = frozenset("do does did can could will would should must we i you they he she".split())
_VERBS = frozenset({"link", "have", "column"})
_NOUNS = frozenset("unknown table column value number fill".split())  # kinds that stand before a noun, or are one
_RELATING = frozenset({"that", "who", "which", "whose"})
# Kinds that say something only together with what follows.
_LEADING = _JOINING | _EMPTY
_ALONE = frozenset("unknown fill be link table column value tail unit distinct all their own days".split())
_NEEDING = frozenset(
    "count agg sup supcount ordinal nth comp when between open prep each not without except or and comma their distinct"
    " superlative comparative order like both either".split()
)
_ENDING = _JOINING | _EMPTY - {"open", "their", "all", "each"} | {"link"}  # nothing that needs more ends before these
_PRICES = {"adverb": 0.4, "pronoun": 0.3, "verb": 1.0, "word": 1.2, "name": 2.5, "link": 0.8, "tail": 0.6, "unit": 0.6,
           "distinct": 0.6, "table": 2.0, "column": 1.8}  # fmt: skip
_EMPTY_PRICE, _PRICE = 0.1, 2.5
_CUT_PRICE = 0.3  # for each point that a cut scores less than the best
_MOST = 0.5  # the share of the words with a content that may go
_LEAST_KEPT = 2  # words with a content that stay: a name alone, "Which crates?", asks nothing of what was asked
_RUNS = 2  # the most runs of words that may go


@frozen
class Shorter:
    """A shorter question that can be parsed: its text, the texts that were left out, its marks and its draft."""

    text: str
    removed: tuple[str, ...]
    marks: tuple[Mark, ...]
    draft: Draft
    price: float


@frozen
class _State:
    """The marks of one cut, and the places of those that are left out."""

    marks: tuple[Mark, ...]
    removed: frozenset[int]
    price: float

    @property
    def remaining(self) -> list[int]:
        return [place for place in range(len(self.marks)) if place not in self.removed]


def shortened(text: str, tokens: tuple[Token, ...], found: list[Cut], lexicon: Lexicon) -> Iterator[Shorter]:
    """Yield shorter questions that can be parsed, roughly by how little they leave out; `found` are the best cuts."""
    queue: list[tuple[float, int, _State]] = []
    seen: set[tuple[tuple[int, int, str], ...]] = set()

    def add(state: _State | None) -> None:
        if state is None:
            return
        key = tuple((state.marks[p].start, state.marks[p].end, state.marks[p].kind) for p in state.remaining)
        if key not in seen:
            seen.add(key)
            heapq.heappush(queue, (state.price, len(seen), state))

    for cut in found[:CUTS]:
        begin = _State(cut.marks, frozenset(), _CUT_PRICE * (found[0].score - cut.score))
        unknown = {p for place, m in enumerate(cut.marks) if m.kind == "unknown" for p in _least(cut.marks, place)}
        add(_without(begin, unknown) if unknown else begin)
    parsed = 0
    while queue and parsed < PARSED:
        state = heapq.heappop(queue)[2]
        parsed += 1
        try:
            meaning = draft(tuple(state.marks[p] for p in state.remaining), lexicon)
        except Stuck as error:
            following = _around(state, error.mark)
        else:
            one = _shorter(text, tokens, state, meaning)
            if state.removed and len(one.removed) in range(1, _RUNS + 1) and _is_english(state):
                yield one
            following = _anywhere(state)
        for places in following:
            add(_without(state, places))


def _around(state: _State, stuck: Mark) -> Iterator[set[int]]:
    """Yield what may be left out where parsing stuck at a mark."""
    kept = state.remaining
    at = next((n for n, place in enumerate(kept) if state.marks[place] is stuck), len(kept) - 1)
    if at < 0:
        return
    phrases = _phrases(state.marks)
    before = next((n for n in range(at - 1, -1, -1) if state.marks[kept[n]].kind not in _EMPTY), at)
    after = next((n for n in range(at + 1, len(kept)) if state.marks[kept[n]].kind not in _EMPTY), at)
    for n in dict.fromkeys((at, before, after)):
        if _may_go_alone(state.marks[kept[n]]):
            yield {kept[n]}
        yield set(_phrase(phrases, kept[n]))
    yield {place for place in kept if place >= _phrase(phrases, kept[at])[0]}


def _anywhere(state: _State) -> Iterator[set[int]]:
    """Yield what may be left out of a question that can be parsed but not read: any phrase, any word of content."""
    for phrase in _phrases(state.marks):
        yield set(phrase)
    for place in state.remaining:
        if _may_go_alone(state.marks[place]) and state.marks[place].kind not in _EMPTY:
            yield {place}


def _may_go_alone(mark: Mark) -> bool:
    """Return whether a word may go without its phrase: not where the rest would say something else ("dislike")."""
    return mark.kind in _ALONE and not (mark.kind == "unknown" and not class_of(mark))


def _least(marks: tuple[Mark, ...], place: int) -> list[int]:
    return [place] if _may_go_alone(marks[place]) else _phrase(_phrases(marks), place)


def _phrases(marks: tuple[Mark, ...]) -> list[list[int]]:
    """Return the places of marks in phrases; one begins where words that join or relate follow a word of content.

    The "and" of "between 2 and 5" joins no phrases.
    """
    found: list[list[int]] = [[]]
    filled = denied = False
    for place, mark in enumerate(marks):
        ranged = mark.kind == "and" and any(marks[first].kind == "between" for first in found[-1][:1])
        joins = not ranged and (mark.kind in _JOINING or mark.text.split()[0] in _RELATING)
        if filled and joins and not (denied and mark.kind == "prep"):  # "never brewed by Ann" is one phrase
            found.append([])
            filled = denied = False
        denied = denied or mark.kind in DENYING
        found[-1].append(place)
        filled = filled or mark.kind not in _LEADING
    return found


def _phrase(phrases: list[list[int]], place: int) -> list[int]:
    return next(phrase for phrase in phrases if place in phrase)


def _without(state: _State, places: set[int]) -> _State | None:
    """Return the state without some more marks and the phrases that they empty; None if too little would be left."""
    removed = state.removed | places
    for phrase in _phrases(state.marks)[1:]:
        kinds = [state.marks[place].kind for place in phrase if place not in removed]
        if len(kinds) < len(phrase) and all(kind in _LEADING for kind in kinds):
            removed |= set(phrase)
    removed |= _of_removed(state.marks, removed)
    if state.marks[-1].text in _ENDS:
        removed -= {len(state.marks) - 1}
    removed |= _hanging(state.marks, removed)
    if _head(state.marks) in removed or removed == state.removed or not _goes_on(state.marks, removed):
        return None
    content = [place for place, mark in enumerate(state.marks) if mark.kind not in _LEADING]
    kept = [place for place in content if place not in removed]
    if len(kept) < _LEAST_KEPT or len(content) - len(kept) > _MOST * len(content):
        return None
    price = sum(_price(state.marks[place]) for place in removed - state.removed)
    return _State(state.marks, removed, state.price + price)


def _of_removed(marks: tuple[Mark, ...], removed: frozenset[int]) -> set[int]:
    """Return the places of the phrases with "of" whose owner is removed: "of the piano" without its "serial number"."""
    found: set[int] = set()
    for before, phrase in pairwise(_phrases(marks)):
        if marks[phrase[0]].text.split()[0] == "of" and before[-1] in removed | found:
            found |= set(phrase)
    return found


def _is_english(state: _State) -> bool:
    """Return whether what is left has its nouns and clauses whole: no "how many vacant", no "did finish"."""
    marks, removed = state.marks, state.removed
    said = {place for place in removed if marks[place].kind not in _EMPTY}
    whole = all(not said & part or removed >= part for part in map(set, _clauses(marks)))
    return whole and all(_has_noun(marks, removed, part) for part in _counted(marks) if said & set(part))


def _counted(marks: tuple[Mark, ...]) -> Iterator[list[int]]:
    """Yield the places of each "how many" or "which" and of the words behind it that end with its noun."""
    for phrase in _phrases(marks):
        for n, place in enumerate(phrase):
            if marks[place].kind in ("count", "open"):
                yield [place, *takewhile(lambda p: marks[p].kind in _NOUNS, phrase[n + 1 :])]


def _has_noun(marks: tuple[Mark, ...], removed: frozenset[int], part: list[int]) -> bool:
    """Return whether the last word that is left behind "how many" may be a noun, or "how many" is removed too."""
    first, *rest = part
    last = next((marks[place] for place in reversed(rest) if place not in removed), None)
    return first in removed or (last is not None and _may_be_noun(last))


def _may_be_noun(mark: Mark) -> bool:
    return mark.kind == "table" or bool(re.search(r"[^s]s\Z", mark.text))


def _clauses(marks: tuple[Mark, ...]) -> Iterator[list[int]]:
    """Yield the places of each "did", its subject and its verb."""
    for phrase in _phrases(marks):
        for n, place in enumerate(phrase):
            if marks[place].text.split()[0] in _DOING:
                verb = next((m for m in range(n + 1, len(phrase)) if _is_verb(marks[phrase[m]])), None)
                yield from () if verb is None else [phrase[n : verb + 1]]


def _is_verb(mark: Mark) -> bool:
    return mark.kind in _VERBS or mark.argument == "verb"


def _hanging(marks: tuple[Mark, ...], removed: frozenset[int]) -> set[int]:
    """Return the places of words that only led to removed ones: "are" of "are sold out", "did we" of "did we sell"."""
    found: set[int] = set()
    for place in range(len(marks) - 1, -1, -1):
        mark = marks[place]
        leads = mark.kind in _HANGING or mark.text in BEING
        if place in removed or not (leads or mark.text.split()[-1] in _DOING):
            continue
        after = next((p for p in range(place + 1, len(marks)) if p not in removed | found), len(marks))
        if after == place + 1:
            continue
        follow = marks[after] if after < len(marks) else None
        ended = follow is None or follow.kind in ("stop", "and", "comma") or follow.text == "by"
        if (ended and place) if leads else (ended or (follow and follow.kind not in _VERBS)):
            found.add(place)
    return found


def _head(marks: tuple[Mark, ...]) -> int | None:
    """Return the place of the head noun that the question asks for, the last name in its first phrase, or None."""
    return next((p for p in reversed(_phrases(marks)[0]) if marks[p].kind in ("table", "column")), None)


def _goes_on(marks: tuple[Mark, ...], removed: frozenset[int]) -> bool:
    """Return whether what needs something behind it still has it: "the number of", "which", "highest", "in"."""
    kept = [place for place in range(len(marks)) if place not in removed and marks[place].kind not in ("fill", "all")]
    if not kept or (0 in removed and marks[kept[0]].kind in _JOINING):
        return False
    for place, after in zip(kept, (*kept[1:], len(marks)), strict=True):
        verbs = ("link",) if marks[place].kind == "not" else ()  # "never booked for" goes on as "never for"
        lost = any(p in removed and marks[p].kind not in (*_EMPTY, *verbs) for p in range(place + 1, after))
        if lost and marks[place].kind in _NEEDING and (after == len(marks) or marks[after].kind in _ENDING):
            return False
    return True


def _price(mark: Mark) -> float:
    if mark.kind in _EMPTY:
        return _EMPTY_PRICE
    return _PRICES.get(class_of(mark), _PRICE)


def _shorter(text: str, tokens: tuple[Token, ...], state: _State, meaning: Draft) -> Shorter:
    """Return the shorter question as a text, and what it leaves out, each run of words as one text."""
    kept: list[str] = []
    removed: list[str] = []
    was_removed, last = False, 0
    for place, mark in enumerate(state.marks):
        end = tokens[mark.end - 1].end
        piece = text[last:end]
        last = end
        is_removed = place in state.removed
        if is_removed:
            removed[len(removed) - was_removed :] = [(removed[-1] if was_removed else "") + piece]
        else:
            kept.append(piece)
        was_removed = is_removed
    rest = _tidy("".join(kept) + text[last:])
    return Shorter(
        rest,
        tuple(said for said in map(_tidy, removed) if any(map(str.isalnum, said))),
        tuple(state.marks[p] for p in state.remaining),
        meaning,
        state.price,
    )


def _tidy(text: str) -> str:
    """Return a text without the blanks and signs that stay behind where words were left out."""
    text = " ".join(text.split())
    if text.count("(") != text.count(")"):
        text = re.sub(r"[()]", "", text)
    text = re.sub(r"\(\s*\)", "", text)
    text = re.sub(r"\s+([,;:.?!])", r"\1", text)
    text = re.sub(r"[,;:]+(?=[,;:.?!])", "", text)
    return re.sub(r"\s+", " ", text).strip(" ,;:-\u2013\u2014")
