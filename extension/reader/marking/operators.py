"""Find the operator phrases in a question, and the words for revenue, periods and measures."""

from __future__ import annotations

from collections.abc import Iterator

from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.revenue import GAINED, GIVING, INCOME, MONEY, SPENDING, brought_in, sums_of, unnamed
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.words import phrases
from askwhere.reader.words.dates import NOUNS, PERIODS
from askwhere.reader.words.measures import MEASURES
from askwhere.reader.words.tokens import Token, is_initials, number
from askwhere.reader.words.types import is_date
from askwhere.reader.words.units import UNITS


def operators(tokens: tuple[Token, ...], lexicon: Lexicon) -> list[Mark]:
    """Return the marks of operator phrases, revenue, periods and measures, without those that the context rules out."""
    words = [t.lower if t.kind != "quoted" else "\0" for t in tokens]
    found = [*_spreads(words), *_orders(words, tokens), *_amounts_asked(words, tokens)]
    shouting = all(t.text.isupper() for t in tokens if t.kind == "word")
    for start in range(len(words)):
        for end in range(start + 1, min(start + phrases.LONGEST, len(words)) + 1):
            said = tuple(words[start:end])
            text = " ".join(said)
            weight = 0.9 * (end - start) + 0.3 * (end - start - 1)
            initials = any(is_initials(t) for t in tokens[max(start, 1) : end]) and not shouting
            for operator in phrases.WORD.get(said, ()):
                if (
                    operator.kind == "open"
                    and start > 4
                    and tokens[start - 1].kind != "mark"
                    and words[start - 1] not in _BEFORE_OPENINGS
                ):
                    continue
                score = weight - {"fill": 0.2, "tail": 0.4}.get(operator.kind, 0.0)
                if initials and operator.kind in _SMALL_WORDS:  # neither "as" nor "a": "division AS", "starting with A"
                    if end - start == 1:
                        found.append(Mark("letters", start, end, 0.9, tokens[start].text))
                    continue
                if operator.kind == "unit" and said[0] in _COUNTED and not (start and is_amount_of(tokens, start - 1)):
                    continue
                if said == ("may",) and tokens[start].text == "May":
                    continue  # the month May
                if said == ("us",) and tokens[start].text == "US":
                    continue  # the United States
                if said == ("ordered",) and words[start + 1 : start + 2] == ["by"] and operator.kind == "fill":
                    continue
                if operator.kind == "open" and "between" in words[max(start - 5, 0) : start]:
                    if end - start == 1:  # "return" is an act in "the days between rental and return"
                        found.append(Mark("link", start, end, 0.9, text))
                    continue
                if operator.kind == "open" and said[0] in _ASKING and start and words[start - 1] in _BEFORE_NOUNS:
                    continue
                ends = end == len(words) or tokens[end].kind == "mark"
                if operator.kind == "open" and words[start] in _NOUNS and (ends or words[end] in _AFTER_NOUNS):
                    continue  # "state" is a noun in "and state does she live in"
                if said == ("report",) and words[end : end + 1] == ["to"]:
                    continue  # "who report to Ann" is a verb, not the request "report …"
                if operator.kind == "have" and end - start == 1 and start and is_preposition(words[start - 1]):
                    continue  # "on hold" is a state of what is asked for, which nobody holds
                if operator.kind == "be" and said[-1] == "name" and words[end : end + 1] == ["of"]:
                    continue  # a name follows in "with the name Ann", but not in "with the name of its owner"
                if operator.kind == "stocked" and any(not s.columns for s in lexicon.named(("stock",))):
                    continue  # the schema has a table for stock
                if operator.kind in ("current", "overdue") and _is_written(tokens[end - 1], lexicon):
                    continue  # the schema has a word for it
                if operator.argument == "soft" and _says_something(tokens[start], lexicon):
                    continue
                found.append(Mark(operator.kind, start, end, score, text, operator.argument))
            if said in MONEY and unnamed(said, lexicon) and (sums := sums_of(lexicon)):
                found.append(Mark("money", start, end, weight, text, senses=sums))
            if said in INCOME and (brought := brought_in(tokens[:start], lexicon)):
                found.append(Mark("money", start, end, weight, text, senses=brought))
            if len(said) == 1 and said[0] in NOUNS and not lexicon.find((tokens[start].stem,)):
                found.append(Mark("period", start, end, weight, text, NOUNS[said[0]]))
            if said in PERIODS:
                found.append(Mark("period", start, end, weight, text, PERIODS[said]))
            if said in MEASURES:
                kind, measure = MEASURES[said]
                if kind == "extent" and not (start and words[start - 1] in UNITS):
                    continue  # "long" measures in "5 km long" alone
                found.append(Mark(kind, start, end, weight + 0.1, text, measure.end, measure=measure))
    return found


def _amounts_asked(words: list[str], tokens: tuple[Token, ...]) -> Iterator[Mark]:
    """Yield the mark of "what" where it asks how much: "what did we spend on fuel", "what does Ann earn"."""
    does = words[:1] == ["what"] and bool(_AUXILIARIES & set(words[1:2]))
    if does and any(token.stem in SPENDING | GIVING | GAINED for token in tokens[3:]):
        yield Mark("much", 0, 1, 1.6, "what")


_BEFORE_OPENINGS = ("and", "know", "see")
_AUXILIARIES = frozenset("do does did has have".split())
# Units that mean something else unless a number stands before them.
_COUNTED = frozenset({"people", *UNITS}) - frozenset(
    "dollars usd euros pounds meters feet miles km kilometers cm mm kg inches hours minutes seconds days m"
    " metres kilometres kilograms tonnes".split()
)


def is_amount_of(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether a token is a number, in digits or words, or the "an" of "longer than an hour"."""
    before = tokens[place - 1].lower if place else ""
    return number(tokens[place]) is not None or (tokens[place].lower in ("a", "an") and before in _THAN)


_THAN = frozenset("than over under above below least most exceeding".split())


def is_preposition(word: str) -> bool:
    """Return whether nouns follow a word, "on hold", "in use", and no verb: "to" is none."""
    return word != "to" and any(operator.kind == "prep" for operator in phrases.WORD.get((word,), ()))


_SMALL_WORDS = ("fill", "be", "prep", "rel", "have", "all")


# Verbs that begin a question, and the words beside them that show a noun: "which state", "the name".
_ASKING = {"state", "name", "report", "list", "display", "show", "print"}
_AFTER_NOUNS = {"do", "does", "did", "is", "are", "was", "were", "of", "and"}
_NOUNS = {*_ASKING, "find", "select", "return", "see", "get", "identify", "which"}
_BEFORE_NOUNS = {"which", "what", "the", "a", "an", "of", "each", "every", "per", "whose", "their", "its", "same"}


def _is_written(token: Token, lexicon: Lexicon) -> bool:
    """Return whether the schema has a name for a word that is no date: a flag `active`."""
    return any(s.score >= 0.85 and not (s.columns and is_date(s.columns[0])) for s in lexicon.find((token.stem,)))


def _says_something(token: Token, lexicon: Lexicon) -> bool:
    """Return whether a 'soft' filler is a name in this schema, or part of one ("available" in `unavailable`)."""
    named = lexicon.find((token.stem,))
    return (bool(named) and named[0].score >= 0.6) or (
        len(token.stem) > 4 and any(token.stem in w for w in lexicon.words)
    )


def _orders(words: list[str], tokens: tuple[Token, ...]) -> Iterator[Mark]:
    """Yield the marks for "Order the cities by …" in a second sentence."""
    for start, word in enumerate(words):
        by = next((i for i in range(start + 2, min(start + 6, len(words))) if words[i] == "by"), None)
        if by and word in ("order", "sort", "rank", "arrange") and start and tokens[start - 1].kind == "mark":
            yield Mark("order", start, by + 1, 1.3 * (by + 1 - start), " ".join(words[start : by + 1]))


def _spreads(words: list[str]) -> list[Mark]:
    """Return the marks for "from the youngest to the oldest": an order by the columns that the adjectives are about."""
    found = []
    for start, word in enumerate(words):
        said = [(i, w) for i, w in enumerate(words[start + 1 : start + 6], start + 1) if w != "the"][:3]
        if word == "from" and len(said) == 3 and said[1][1] == "to":
            kind, measure = MEASURES.get((said[0][1],), ("", None))
            if measure and kind == "superlative" and (said[2][1],) in MEASURES:
                end = said[2][0] + 1
                way = "asc" if measure.end == "min" else "desc"
                found.append(
                    Mark("spread", start, end, 1.3 * (end - start), " ".join(words[start:end]), way, measure=measure)
                )
    return found
