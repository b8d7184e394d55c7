"""Decide whether a question contains a value of the database, exactly or nearly ("value bridging").

The rules follow SEA-SQL (section 3.2 and its released settings): a near match has a similarity of 0.85, begins and ends
at word boundaries, and begins with the same letter; stop words and a bare "id" match nothing, and a value with digits
has no near match. Unlike in SEA-SQL, numbers match if they are written the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from askwhere.frozen import frozen
from askwhere.indexer.word_forms import singular
from askwhere.indexer.words import tokens
from rapidfuzz import fuzz, process

SIMILAR = 85.0  # of 100, by rapidfuzz's indel similarity
# The similarity at which a word is a candidate for a misspelled one; the whole value is compared afterwards.
SIMILAR_WORD = 74.0
# Words of a value that a question may name.
LONGEST = 12
# A longer text is not searched for misspelled values: each value would be compared with every span of its words.
MOST_WORDS = 200

STOP_WORDS = frozenset(
    "a about after all also am an and any are as at be been before between but by can could did do does each for from"
    " had has have having her his how i id if in into is it its list me more most my no not of on or our out over own s"
    " same she he so some such t than that the their them then there these they this those to too under until up very"
    " was we were what when where which while who whom whose why will with would you your".split()
)


@frozen
class SearchedText:
    """A text in which values are looked for: its words, and those that are written in capitals.

    A span is a run of up to `LONGEST` successive words.
    """

    words: tuple[str, ...]
    capitals: frozenset[str] = frozenset()

    @cached_property
    def spans(self) -> frozenset[tuple[str, ...]]:
        """Return all spans."""
        n = len(self.words)
        return frozenset(self.words[i:j] for i in range(n) for j in range(i + 1, min(n, i + LONGEST) + 1))

    @cached_property
    def ordered(self) -> frozenset[tuple[str, ...]]:
        """Return the spans with their words in the singular and sorted: a value with the same words is near."""
        return frozenset(_ordered(span) for span in self.spans)

    @cached_property
    def sets(self) -> frozenset[tuple[str, ...]]:
        """Return the spans with their words sorted."""
        return frozenset(tuple(sorted(span)) for span in self.spans)

    @cached_property
    def squeezed(self) -> frozenset[str]:
        """Return the spans of up to five words, not all stop words, with their words joined."""
        return frozenset("".join(s) for s in self.spans if len(s) <= 5 and not STOP_WORDS.issuperset(s))

    @cached_property
    def windows(self) -> dict[tuple[int, str], list[str]]:
        """Return the spans that are not all stop words, as texts, by number of words and first letter.

        There are none for a text of more than `MOST_WORDS` words.
        """
        by_size: dict[tuple[int, str], list[str]] = {}
        if len(self.words) > MOST_WORDS:
            return by_size
        for span in sorted(s for s in self.spans if not STOP_WORDS.issuperset(s)):
            by_size.setdefault((len(span), span[0][0]), []).append(" ".join(span))
        return by_size


def text(question: str) -> SearchedText:
    """Return a question as a `SearchedText`. Its `capitals` are the words in capitals that have up to 12 letters."""
    parts = [part for part in question.split() if len(part) <= 12 and part.isupper()]
    return SearchedText(
        tuple(tokens(question)), frozenset(word for part in parts for word in tokens(part) if word.isalpha())
    )


def is_exact(value: Sequence[str], asked: SearchedText) -> bool:
    """Return whether the text contains a value's words in order. A value of stop words alone never matches."""
    return tuple(value) in asked.spans and not STOP_WORDS.issuperset(value)


def is_near(value: Sequence[str], asked: SearchedText) -> bool:
    """Return whether the text contains a value inflected, misspelled, reordered, or without its dots or spaces."""
    if not 0 < len(value) <= LONGEST or STOP_WORDS.issuperset(value):
        return False
    whole = " ".join(value)
    if "".join(value) in asked.squeezed and len(whole) > 1:
        return True
    if any(ch.isdigit() for ch in whole):
        return tuple(sorted(value)) in asked.sets
    if _ordered(value) in asked.ordered:
        return True
    if len(whole) < 4:
        return False
    nearby = [w for n in (-1, 0, 1) for w in asked.windows.get((len(value) + n, whole[0]), ())]
    return process.extractOne(whole, nearby, scorer=fuzz.ratio, score_cutoff=SIMILAR) is not None


def may_be_near(values: Iterable[Sequence[str]]) -> list[tuple[int, Sequence[str]]]:
    """Return the words of those values that may match a misspelled text, each with its place.

    They have 4 letters or more, at most `LONGEST` words, and no digits.
    """
    return [
        (place, words)
        for place, words in enumerate(values)
        if 0 < len(words) <= LONGEST and len(letters := "".join(words)) >= 4 and letters.isalpha()
    ]


def alike(asked: SearchedText, n_words: int, letter: str, texts: Sequence[str]) -> list[int]:
    """Return the places of those of `texts`, values as their words, that are spelled like a span of the text.

    All of them have `n_words` words and begin with `letter`.
    """
    nearby = [w for n in (-1, 0, 1) for w in asked.windows.get((n_words + n, letter), ())]
    if not nearby:
        return []
    scores = process.cdist(nearby, texts, scorer=fuzz.ratio, score_cutoff=SIMILAR)
    return [place for place, similar in enumerate(scores.max(axis=0).tolist()) if similar]


def others(asked: SearchedText) -> frozenset[str]:
    """Return other forms of the text's words that a value may have: singular, plural, joined, or single letters."""
    forms = {form for word in asked.words if _is_inflected(word) for form in _forms(word)}
    pairs = zip(asked.words, asked.words[1:], strict=False)
    forms |= {a + b for a, b in pairs if not (a in STOP_WORDS and b in STOP_WORDS)}
    forms |= {"".join(run) for run in _letters(asked.words)}
    forms |= {letter for word in asked.capitals if 2 <= len(word) <= 5 for letter in word}
    return frozenset(forms.difference(asked.words))


def near_words(word: str, known: Iterable[str]) -> list[str]:
    """Return at most eight words that are similar to a misspelled one, the most similar first."""
    matches = process.extract(word, list(known), scorer=fuzz.ratio, score_cutoff=SIMILAR_WORD, limit=8)
    return [name for name, _, _ in matches]


def may_be_misspelled(word: str) -> bool:
    """Return whether similar words are looked for: 4 letters or more, no stop word."""
    return len(word) >= 4 and word.isalpha() and word not in STOP_WORDS


def _is_inflected(word: str) -> bool:
    """Return whether other forms of a word are looked for."""
    return word not in STOP_WORDS and len(word) > 2 and word.isalpha()


def _forms(word: str) -> Iterable[str]:
    """Yield the singular and the plurals of a word, and the word that it may be derived from."""
    yield singular(word)
    yield word + "s"
    if word.endswith("y"):
        yield word[:-1] + "ies"
    if word.endswith(("s", "x", "ch", "sh", "o")):
        yield word + "es"
    # As in African, European, Brazilian, engineering.
    yield from (
        word.removesuffix(end) for end in ("n", "an", "ian", "ing") if word.endswith(end) and len(word) > len(end) + 3
    )


def _ordered(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(map(singular, words)))


def _letters(words: Sequence[str]) -> Iterable[list[str]]:
    """Yield runs of two and more single letters, which `U.S.` is split into."""
    run: list[str] = []
    for word in [*words, "  "]:
        if len(word) == 1 and word.isalpha():
            run.append(word)
            continue
        if len(run) > 1:
            yield run
        run = []
