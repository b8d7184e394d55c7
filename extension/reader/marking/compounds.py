"""Mark nouns that name a column together, "fare income", "fuel type", or two that share one, "home and away goals"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from askwhere.reader.marking.marks import Mark, is_amount, key_of, names_a_key
from askwhere.reader.marking.numeric import is_money, is_price
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.dates import PERIODS
from askwhere.reader.words.english import KINDS
from askwhere.reader.words.money import MONEY, RATES, REVENUE
from askwhere.reader.words.tokens import Token
from askwhere.reader.words.types import is_text

_VERB = 0.8  # the score of a mark for a verb
_WHOLE = 0.97  # the score of a name that words say in full
_JOINING = ("and", "or", "than", "minus", "vs", "versus", "to")
_AHEAD = 0.1  # by which the mark of both words is better than one for each


def compound_marks(tokens: Sequence[Token], marks: Sequence[Mark]) -> Iterator[Mark]:
    """Yield a mark for each column among `marks` and the noun behind it that means the same one, or says its kind."""
    columns = [m for m in marks if m.kind == "column" and m.senses and " of " not in m.text]
    for first in columns:
        behind = [m for m in columns if m.start == first.end]
        for second in behind:
            if senses := _shared(first, second):
                yield _joined(first, second.text, second.end, second.score, senses)
        if first.end < len(tokens) and _adds_nothing(first, tokens[first.end].stem):
            alone = [m.score for m in marks if (m.start, m.end) == (first.end, first.end + 1)]
            worth = max((*alone, _VERB))
            yield _joined(first, tokens[first.end].text, first.end + 1, worth, first.senses)


def shared_nouns(tokens: Sequence[Token], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for the first of two columns whose last word is said once: "planned and actual hours"."""
    for place, (one, joined, other, noun) in enumerate(zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False)):
        if joined.lower not in _JOINING or noun.kind != "word" or noun.stem in (one.stem, other.stem):
            continue
        first, second = (
            {s.table.path: s for s in lexicon.find((word.stem, noun.stem)) if len(s.columns) == 1 and s.score >= _WHOLE}
            for word in (one, other)
        )
        both = tuple(s for path, s in first.items() if path in second and second[path].columns != s.columns)
        if both and not any(s.columns and s.score >= _WHOLE for s in lexicon.find((one.stem,))):
            yield Mark("column", place, place + 1, 1.3, f"{one.lower} {noun.lower}", senses=both)


def _joined(first: Mark, text: str, end: int, worth: float, senses: tuple[Sense, ...]) -> Mark:
    """Return the mark of a column and of the noun behind it, whose own mark has the score `worth`."""
    return replace(
        first, end=end, score=first.score + worth + _AHEAD, text=f"{first.text} {text}".lower(), senses=senses
    )


def _shared(first: Mark, second: Mark) -> tuple[Sense, ...]:
    """Return the senses that two names have in common, each with the better of its scores, best first."""
    scores = {key_of(s): s.score for s in _best(second)}
    alike = (s for s in _best(first) if key_of(s) in scores)
    return tuple(sorted((replace(s, score=max(s.score, scores[key_of(s)])) for s in alike), key=lambda s: -s.score))


def _best(mark: Mark) -> list[Sense]:
    """Return the senses of a mark that are single columns, no guesses, and fit about as well as the best."""
    least = mark.senses[0].score - 0.1
    return [s for s in mark.senses if len(s.columns) == 1 and s.value is None and s.chance == 1 and s.score >= least]


def _adds_nothing(first: Mark, noun: str) -> bool:
    """Return whether the stem of a noun only says what a column is: an amount of money, or a kind of things."""
    best = first.senses[0]
    if len(best.columns) != 1 or best.chance < 1 or names_a_key(first):
        return False
    if (noun in RATES and not is_price(best.column)) or (noun in REVENUE and tuple(first.text.split()) in PERIODS):
        return False  # a "win rate" is no prize won, nor "monthly revenue" a price per month
    if noun in REVENUE and is_price(best.column):
        return False  # "fee income" is what all paid
    if noun in MONEY | {"amount"}:
        return is_amount(first) and is_money(best.column)
    return noun in KINDS and is_text(best.column)
