"""Bridging: does a value stand in a text, exactly or nearly?

The rules follow SEA-SQL (section 3.2 and its released settings): a near match has a similarity of 0.85, begins and ends
at word boundaries, and begins with the same letter; stop words and a bare "id" match nothing, and a value with digits
is never near. Unlike there, numbers do match, if they are written the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from askwhere.indexer.words import tokens
from rapidfuzz import fuzz, process

SIMILAR = 85.0  # of 100, by rapidfuzz's indel similarity
# A word may stand for a misspelled one at this similarity; whether the whole value is near is then judged anew.
SIMILAR_WORD = 74.0
# Words of a value, at most; a longer one is not named in a question.
LONGEST = 12
# In a text of more words nothing is looked for that may be misspelt: every value is compared with every run of words.
MOST_WORDS = 200

STOP_WORDS = frozenset(
    "a about after all also am an and any are as at be been before between but by can could did do does each for from"
    " had has have having her his how i id if in into is it its list me more most my no not of on or our out over own s"
    " same she he so some such t than that the their them then there these they this those to too under until up very"
    " was we were what when where which while who whom whose why will with would you your".split()
)


@dataclass(frozen=True)
class Text:
    """A text to be looked for values in."""

    words: tuple[str, ...]
    capitals: frozenset[str] = frozenset()

    @cached_property
    def spans(self) -> frozenset[tuple[str, ...]]:
        """Every run of up to `LONGEST` words."""
        n = len(self.words)
        return frozenset(self.words[i:j] for i in range(n) for j in range(i + 1, min(n, i + LONGEST) + 1))

    @cached_property
    def ordered(self) -> frozenset[tuple[str, ...]]:
        """The runs with singular words in alphabetical order: a value is near whose words are the same."""
        return frozenset(_ordered(span) for span in self.spans)

    @cached_property
    def sets(self) -> frozenset[tuple[str, ...]]:
        """The runs with their words in alphabetical order."""
        return frozenset(tuple(sorted(span)) for span in self.spans)

    @cached_property
    def squeezed(self) -> frozenset[str]:
        """The runs of up to five words, not all stop words, without the gaps between them."""
        return frozenset("".join(s) for s in self.spans if len(s) <= 5 and not STOP_WORDS.issuperset(s))

    @cached_property
    def windows(self) -> dict[tuple[int, str], list[str]]:
        """The runs that are not all stop words, as texts, by number of words and first letter; none of a long text."""
        found: dict[tuple[int, str], list[str]] = {}
        if len(self.words) > MOST_WORDS:
            return found
        for span in sorted(s for s in self.spans if not STOP_WORDS.issuperset(s)):
            found.setdefault((len(span), span[0][0]), []).append(" ".join(span))
        return found


def text(question: str) -> Text:
    """The words of a question, and those written in capitals."""
    parts = [part for part in question.split() if len(part) <= 12 and part.isupper()]
    return Text(tuple(tokens(question)), frozenset(word for part in parts for word in tokens(part) if word.isalpha()))


def is_exact(value: Sequence[str], asked: Text) -> bool:
    """Whether the value's words stand in the text one after the other; stop words alone never do."""
    return tuple(value) in asked.spans and not STOP_WORDS.issuperset(value)


def is_near(value: Sequence[str], asked: Text) -> bool:
    """Whether the text holds something like the value: inflected, misspelled, in another order or without its dots."""
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


def may_be_near(value: Sequence[str]) -> bool:
    """Whether a misspelled text may mean the value: neither too short nor too long, and without digits."""
    return 0 < len(value) <= LONGEST and len("".join(value)) >= 4 and "".join(value).isalpha()


def alike(asked: Text, n_words: int, letter: str, whole: Sequence[str]) -> list[int]:
    """Which of these texts, of so many words and with this first letter, are spelled like words of the text."""
    nearby = [w for n in (-1, 0, 1) for w in asked.windows.get((n_words + n, letter), ())]
    if not nearby:
        return []
    found = process.cdist(nearby, whole, scorer=fuzz.ratio, score_cutoff=SIMILAR)
    return [place for place, similar in enumerate(found.max(axis=0).tolist()) if similar]


def others(asked: Text) -> frozenset[str]:
    """Words that a value may have where the text has another form of them: one or many, joined, or dotted letters."""
    found = {form for word in asked.words if _counts(word) for form in _forms(word)}
    pairs = zip(asked.words, asked.words[1:], strict=False)
    found |= {a + b for a, b in pairs if not (a in STOP_WORDS and b in STOP_WORDS)}
    found |= {"".join(run) for run in _letters(asked.words)}
    found |= {letter for word in asked.capitals if 2 <= len(word) <= 5 for letter in word}
    return frozenset(found.difference(asked.words))


def near_words(word: str, known: Iterable[str], most: int = 8) -> list[str]:
    """The words most like a misspelled one, best first."""
    found = process.extract(word, list(known), scorer=fuzz.ratio, score_cutoff=SIMILAR_WORD, limit=most)
    return [name for name, _, _ in found]


def may_be_misspelled(word: str) -> bool:
    """Whether it is worth looking for words like this one."""
    return len(word) >= 4 and word.isalpha() and word not in STOP_WORDS


def _counts(word: str) -> bool:
    return word not in STOP_WORDS and len(word) > 2 and word.isalpha()


def _forms(word: str) -> Iterable[str]:
    yield singular(word)
    yield word + "s"
    if word.endswith("y"):
        yield word[:-1] + "ies"
    if word.endswith(("s", "x", "ch", "sh", "o")):
        yield word + "es"
    # African, European, Brazilian, engineering.
    yield from (
        word.removesuffix(end) for end in ("n", "an", "ian", "ing") if word.endswith(end) and len(word) > len(end) + 3
    )


def singular(word: str) -> str:
    """An English plural's singular, by its ending; other words as they are."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "ches", "shes", "oes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _ordered(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(map(singular, words)))


def _letters(words: Sequence[str]) -> Iterable[list[str]]:
    """Runs of two and more single letters: what is left of `U.S.`."""
    run: list[str] = []
    for word in [*words, "  "]:
        if len(word) == 1 and word.isalpha():
            run.append(word)
            continue
        if len(run) > 1:
            yield run
        run = []
