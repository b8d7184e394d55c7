"""Find the words in the end that say what comes first: "dearest first", "biggest total first", "most used on top"."""

from __future__ import annotations

from collections.abc import Iterator

from askwhere.frozen import frozen
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.measures import MEASURES, Measure
from askwhere.reader.words.nearness import is_english
from askwhere.reader.words.phrases import WORD
from askwhere.reader.words.tokens import Token, number, stem
from askwhere.reader.words.types import is_number

FIRST = "first"  # how the argument of such a mark begins; behind it are 'max', 'min' or 'worst'
_ENDS = (("first",), ("on", "top"), ("at", "the", "top"))
_NOUNS = 2  # the most words between the adjective and the end: "biggest car deck first"
_ENDINGS = ("iest", "est")
_LIKELY = 0.5  # the least chance at which an adjective means a column whose name is near to it


@frozen
class _Said:
    """An adjective in the superlative: its number of words, its end, what it measures, and columns of its own."""

    size: int
    end: str
    measure: Measure | None = None
    senses: tuple[Sense, ...] = ()


def first_marks(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for each superlative with what it is said of, and "first" or "on top", as the order of all rows.

    Behind a comma or the like the noun may be there as well; elsewhere the adjective alone, in the end. A number behind
    it there, ", top 3", says how many come first.
    """
    words = [t.lower for t in tokens]
    for start, token in enumerate(tokens):
        if token.kind != "word" or (start and words[start - 1] == "the"):
            continue
        at = start + (words[start] == "the")
        apart = start > 0 and tokens[start - 1].kind == "mark"
        said = _superlative(words[at : at + 2], lexicon) if at < len(words) else None
        if said is None:
            continue
        for nouns in range(_NOUNS + 1 if apart else 1):
            behind = at + said.size + nouns
            size = next((len(end) for end in _ENDS if tuple(words[behind : behind + len(end)]) == end), 0)
            few = number(tokens[behind]) if apart and not (size or nouns) and behind < len(tokens) else None
            size = 1 if isinstance(few, int) else size
            end = behind + size
            if size and start and (end == len(tokens) or tokens[end].kind == "mark"):
                named = lexicon.find(tuple(stem(w) for w in words[at + said.size : behind])) if nouns else said.senses
                text, score = " ".join(words[start:end]), 1.3 * (end - start)
                argument = f"{FIRST} {said.end}"
                yield Mark("direction", start, end, score, text, argument, named, few, said.measure)


def _superlative(words: list[str], lexicon: Lexicon) -> _Said | None:
    """Return the superlative that words begin with: "cheapest", "most expensive", "most used", "riskiest"."""
    for size in (2, 1):
        kind, measure = MEASURES.get(tuple(words[:size]), ("", None))
        if kind == "superlative" and measure is not None and len(words) >= size:
            return _Said(size, measure.end, measure)
        for operator in WORD.get(tuple(words[:size]), ()):
            if operator.kind == "common":
                return _Said(size, operator.argument)
    if words[:1] in (["best"], ["worst"]):
        return _Said(1, "max" if words[0] == "best" else "worst")
    end = next((o.argument for o in WORD.get(tuple(words[:1]), ()) if o.kind == "sup"), "")
    if end and words[0] in ("most", "least") and words[1:] and words[1].endswith(("ed", "ful", "ing", "ive", "ly")):
        return _Said(2, end)
    return _Said(1, end) if end else _derived(words[0], lexicon)


def _derived(word: str, lexicon: Lexicon) -> _Said | None:
    """Return a superlative that is made of a word: "riskiest", of a column of numbers near to "risk", or of none."""
    ending = next((e for e in _ENDINGS if word.endswith(e) and len(word) > len(e) + 2), "")
    base = word.removesuffix(ending)
    forms = [form for form in (base, f"{base}e", f"{base}y", base[:-1]) if is_english(stem(form))]
    if not ending or not forms:
        return None
    near = [
        name for form in forms for name, chance in [(stem(form), 1.0), *lexicon.near(stem(form))] if chance >= _LIKELY
    ]
    found = (s for name in near for s in lexicon.find((name,)) if len(s.columns) == 1 and is_number(s.column))
    return _Said(1, "max", senses=tuple(dict.fromkeys(found)))
