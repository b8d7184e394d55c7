"""Find the names of a schema that are short forms: `qty` for "quantity", initials for several words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

from askwhere.engine import Table
from askwhere.indexer.key_names import prefix
from askwhere.indexer.word_forms import shortens, shortness
from askwhere.reader.schema.name_index import FILLERS
from askwhere.reader.words.english import SAME, SHORT, written_out
from askwhere.reader.words.measures import MEASURES
from askwhere.reader.words.names import COMMON
from askwhere.reader.words.nearness import is_english
from askwhere.reader.words.phrases import WORD
from askwhere.reader.words.tokens import stem

_INITIALS = 0.75
_MOST_SHORT = 6  # combinations of short forms that are tried for several words


class ShortForms:
    """The words of a schema that may be short forms, and those that shorten a word of a question."""

    def __init__(self, words: set[str], tables: tuple[Table, ...]) -> None:
        self._words = words
        self._tables = tables
        self._shorts = self._short_words()
        self._by_letter: dict[str, list[tuple[str, str]]] = {}  # each short form as it is, and as it is written
        for short in sorted(self._shorts):
            self._by_letter.setdefault(short[0], []).append((short, _ending_in_y(short)))

    def of(self, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], float]]:
        """Yield short forms in the schema for these stems, each with its factor on the score.

        They are the initials of several words, and combinations of short forms for the stems that no name has.
        """
        initials = "".join(word[0] for word in words)
        if (
            len(words) > 1
            and initials in self._shorts
            and not any(_asks(word) or (word,) in MEASURES for word in words)
        ):
            yield (initials,), _INITIALS
        others = [
            ((word, 1.0),) if word in self._words else self._shorter(word, place > 0, len(words) == 1)
            for place, word in enumerate(words)
        ]
        if all(others) and not all(word in self._words for word in words):
            for said in islice(product(*others), _MOST_SHORT):
                yield tuple(word for word, _ in said), min(left for _, left in said)

    def _shorter(self, word: str, behind: bool, alone: bool) -> tuple[tuple[str, float], ...]:
        """Return up to three words of the schema that shorten a word, or that it shortens, with factors, best first.

        Of a word that stands `alone` they shorten it almost as well as the best one; beside others, which must be in
        the same name, they need not: the "credit limit" is `cr_lim`, though `crt` is rather a credit.

        The word itself comes before its other forms, and these before words that mean the same.
        An act is no short form of those who do it: bidders are no bids. A word that begins requests, "report the
        names", is a noun `behind` another: "inspection reports".
        """
        plain = {"tail", "unit", "open"} if behind else {"tail", "unit"}
        if len(word) < 3 or any(o.kind not in plain and o.argument != "soft" for o in WORD.get((word,), ())):
            return ()
        same = [next(iter(other)) for other in SAME.get(frozenset({word}), ()) if len(other) == 1]
        if written := [other for other in same if other in self._words]:
            return tuple((other, 0.85) for other in written[:3])  # "licence expires" is `lic_exp_dt`
        ways = (((_ending_in_y(word), f"{word}s"), 1.0), (_spelt_out(word), 1.0), (map(_ending_in_y, same), 0.85))
        tried = (self._shortening(words, factor) for words, factor in ways)
        found = next((each for each in tried if any(each.values())), {})
        if not is_english(word):
            longer = [name for name in self._words if shortens(word, name)]
            found |= {name: max(shortness(word, name), found.get(name, 0.0)) for name in longer}
        found = {name: left for name, left in found.items() if not _does(word, name)}
        best = max(found.values(), default=0.0)  # of `brth` and `bt` only the former is a berth
        near = ((n, 0.85 * left) for n, left in found.items() if left and (left >= best - 0.1 or not alone))
        return tuple(sorted(near, key=lambda one: -one[1])[:3])

    def _shortening(self, words: Iterable[str], factor: float) -> dict[str, float]:
        """Return how well each word that may be a short form shortens the nearest of `words`, times a factor."""
        best: dict[str, float] = {}
        for word in words:
            for name, short in self._by_letter.get(word[0], ()):
                best[name] = max(factor * shortness(short, word), best.get(name, 0.0))
        return best

    def _short_words(self) -> frozenset[str]:
        """Return the words of the schema that may be short forms.

        These are words that are not English and, if they are more than a quarter, all words of up to five letters.
        """
        words = {w for w in self._words if w.isalpha() and w not in COMMON and w not in FILLERS}
        # A listed `brth` may be a berth, too, but the column `disc` is no distance. A table `sup` may be of suppliers.
        listed = words & SHORT.keys() - {stem(t.name) for t in self._tables}
        words -= {w for w in listed if len(w) < 4 or any(long.startswith(w) for long in SHORT[w])}
        words -= {stem(prefix(t)) for t in self._tables} - {stem(t.name) for t in self._tables}  # `ab_id`, `ab_nm`
        words -= {w for w in words if (w,) in WORD}  # the "up" of `signed_up` is short for nothing
        strange = {w for w in words if not is_english(w)}
        small = {w for w in words if len(w) <= 5} if 4 * len(strange) > len(words) else set()
        small -= set(written_out(self._words & SHORT.keys()))  # the "line" that `ln` stands for is short for nothing
        return frozenset(strange | small)


def _does(word: str, act: str) -> bool:
    """Return whether a word is for those who do an act: "bidder", of `bid`; but "sever", of "severity", of no `sev`."""
    return is_english(act) and word in {f"{act}{doubled}{end}" for doubled in ("", act[-1:]) for end in ("er", "or")}


def _asks(word: str) -> bool:
    """Return whether a word is a question word or a small one, and so no part of a name's initials."""
    return any(
        operator.kind in ("open", "rel", "prep", "be", "have", "each", "all", "fill", "their")
        for operator in WORD.get((word,), ())
    )


def _ending_in_y(word: str) -> str:
    """Return a stem with a final "i" as "y", as the word has it: `specialty` for the stem `specialti`."""
    return f"{word[:-1]}y" if word.endswith("i") else word


_ENDINGS = ("ed", "ent", "ment", "er", "or", "ator", "ion", "ation", "ance", "ence", "ing", "e", "ity", "ive", "al")


def _spelt_out(word: str) -> tuple[str, ...]:
    """Return a stem with the endings of words that have it: `incident` for `incid`, of which `incdt` is short."""
    ended = word[-1:] in "aeiou"  # "revenue" has no other ending
    doing = (f"{word[:-1]}ing",) if word.endswith("e") else ()  # `rtg` is short for "rating"
    return (
        *(d for d in doing if stem(d) == word),
        *(word + end for end in _ENDINGS if not ended and stem(word + end) == word),
    )
