"""Find the words of a schema that are short for words of a question: `qty` for "quantity", initials for several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

from askwhere.engine import Table
from askwhere.indexer.key_names import prefix
from askwhere.indexer.word_forms import is_participle, shortens, shortness
from askwhere.reader.schema.name_index import FILLERS
from askwhere.reader.schema.naming import events, key_columns, name_columns
from askwhere.reader.words.english import SAME, SHORT, written_out
from askwhere.reader.words.measures import MEASURES
from askwhere.reader.words.names import COMMON, called, cut_name
from askwhere.reader.words.nearness import is_english
from askwhere.reader.words.phrases import WORD
from askwhere.reader.words.tokens import stem

_INITIALS = 0.75  # the factor on the score of a name that is the initials of several words
_FACTOR = 0.85  # the factor for a short form, and for one of a synonym again
_GOES_ON = 4  # letters that a word has at least behind an English word that is short for it
_MOST = 6  # combinations of short forms that are tried for several words


class ShortForms:
    """The words of a schema, given as stems, that may be short forms."""

    def __init__(self, words: set[str], tables: tuple[Table, ...]) -> None:
        self._words = words
        self._tables = tables
        # Owners may be listed in `own`, which is no act: its rows have names and no dates.
        self._named = frozenset(stem(t.name) for t in tables if name_columns(t) != key_columns(t) and not events(t))
        self._shorts = self._short_words()
        self._begin = self._beginnings() - self._shorts
        self._by_letter: dict[str, list[tuple[str, str]]] = {}  # by its first letter each stem, and the word for it
        for short in sorted(self._shorts):
            self._by_letter.setdefault(short[0], []).append((short, _ending_in_y(short)))

    def of(self, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], float]]:
        """Yield words of the schema that may be short for these stems, with a factor on the score of their names.

        These are their initials, if they are several, and else the stems with a short form for each that no name has.
        """
        initials = "".join(word[0] for word in words)
        if (
            len(words) > 1
            and initials in self._shorts
            and not any(_asks(word) or (word,) in MEASURES for word in words)
        ):
            yield (initials,), _INITIALS
        forms_of_each = [
            ((word, 1.0),) if word in self._words else self._shorter(word, place > 0, len(words) == 1)
            for place, word in enumerate(words)
        ]
        if all(forms_of_each) and not all(word in self._words for word in words):
            for forms in islice(product(*forms_of_each), _MOST):
                yield tuple(word for word, _ in forms), min(factor for _, factor in forms)

    def _shorter(self, word: str, behind: bool, alone: bool) -> tuple[tuple[str, float], ...]:
        """Return up to three words of the schema that shorten a word, or that it shortens, with factors, best first.

        The word itself is tried first, then its other forms, then its synonyms. If it stands `alone`, only those count
        that shorten it almost as well as the best; beside others, which must be in the same name, worse ones may be
        meant: the "credit limit" is `cr_lim`, though `crt` alone is rather a credit. An act is not short for those who
        do it, `bid` for "bidders", unless its rows have names and no dates. `behind` another word, one that can begin
        a request is a noun: "inspection reports".
        """
        plain = {"tail", "unit", "open"} if behind else {"tail", "unit"}
        if (
            len(word) < 3
            or MEASURES.get((word,), ("",))[0] == "superlative"
            or any(o.kind not in plain and o.argument != "soft" for o in WORD.get((word,), ()))
        ):
            return ()
        same = [next(iter(other)) for other in SAME.get(frozenset({word}), ()) if len(other) == 1]
        if written := [other for other in same if other in self._words]:
            return tuple((other, _FACTOR) for other in written[:3])  # "licence expires" is `lic_exp_dt`
        ways = (((_ending_in_y(word), f"{word}s"), 1.0), (_spelt_out(word), 1.0), (map(_ending_in_y, same), _FACTOR))
        tried = (self._shortening(words, factor) for words, factor in ways)
        factors = next((of_way for of_way in tried if any(of_way.values())), {})
        if not is_english(word):
            longer = [name for name in self._words if shortens(word, name)]
            factors |= {name: max(shortness(word, name), factors.get(name, 0.0)) for name in longer}
        factors = {name: factor for name, factor in factors.items() if not _is_doer(word, name)}
        factors |= {name: 1.0 for name in self._named if _is_doer(word, name)}
        best = max(factors.values(), default=0.0)  # of `brth` and `bt` only the former is a berth
        near = (
            (n, _FACTOR * factor) for n, factor in factors.items() if factor and (factor >= best - 0.1 or not alone)
        )
        return tuple(sorted(near, key=lambda form: (-form[1], form[0]))[:3])

    def _shortening(self, words: Iterable[str], factor: float) -> dict[str, float]:
        """Return for short forms how well each shortens the one of `words` that it fits best, times `factor`."""
        best: dict[str, float] = {}
        for word in words:
            for name, short in self._by_letter.get(word[0], ()):
                best[name] = max(factor * shortness(short, word), best.get(name, 0.0))
            for name in (n for n in self._begin if word.startswith(n) and len(word) >= len(n) + _GOES_ON):
                if not is_english(word.removeprefix(name)):
                    best[name] = factor * shortness(name, word)
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
        words -= self._of_participles()
        strange = {w for w in words if not is_english(w)}
        small = {w for w in words if len(w) <= 5} if 4 * len(strange) > len(words) else set()
        small -= set(written_out(self._words & SHORT.keys()))  # the "line" that `ln` stands for is short for nothing
        return frozenset(strange | small)

    def _beginnings(self) -> frozenset[str]:
        """Return the English words that are names of tables with which their keys begin: `tech` with `tech_id`.

        Such a name is short only for a word that begins so and goes on: "technicians", but no "cardholders" (`card`).
        """
        named = ((stem(t.name), key_columns(t)) for t in self._tables if len(t.name) <= 5)
        return (
            frozenset(n for n, keys in named if len(keys) == 1 and stem(cut_name(keys[0].name)[0]) == n) & self._words
        )

    def _of_participles(self) -> set[str]:
        """Return the stems of English verbs that names have as participles alone: the "opt" of `opted_in`."""
        columns = (column for table in self._tables for column in table.columns)
        names = (name for things in (self._tables, columns) for thing in things for name in called(thing))
        written = {word for name in names for word in cut_name(name)}
        stems_of = {stem(word) for word in written if is_participle(word)}
        return {word for word in stems_of if is_english(word) and word not in written}


def _is_doer(word: str, act: str) -> bool:
    """Return whether a word is for those who do an act, an English word: "bidder" for `bid`."""
    return is_english(act) and word in {f"{act}{doubled}{end}" for doubled in ("", act[-1:]) for end in ("er", "or")}


def _asks(word: str) -> bool:
    """Return whether a word is a question word or a small one, which initials do not stand for."""
    return any(
        operator.kind in ("open", "rel", "prep", "be", "have", "each", "all", "fill", "their")
        for operator in WORD.get((word,), ())
    )


def _ending_in_y(word: str) -> str:
    """Return a stem with "y" for a final "i", as the word is spelt: `specialty` for `specialti`."""
    return f"{word[:-1]}y" if word.endswith("i") else word


_ENDINGS = ("ed", "ent", "ment", "er", "or", "ator", "ion", "ation", "ance", "ence", "ing", "e", "ity", "ive", "al")


def _spelt_out(word: str) -> tuple[str, ...]:
    """Return words that may have a stem: `incident` for `incid`, as `incdt` is short for more than the stem."""
    ended = word[-1:] in "aeiou"  # "revenue" has no other ending
    doing = (f"{word[:-1]}ing",) if word.endswith("e") else ()  # `rtg` is short for "rating"
    return (
        *(d for d in doing if stem(d) == word),
        *(word + end for end in _ENDINGS if not ended and stem(word + end) == word),
    )
