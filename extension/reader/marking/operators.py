"""Find the operator phrases in a question, and the words for revenue, periods and measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from askwhere.engine import Column
from askwhere.frozen import frozen
from askwhere.reader.marking.formulas import PRODUCT, is_of_opening, span_of
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.priced import priced_elsewhere
from askwhere.reader.marking.revenue import GAINED, GIVING, INCOME, MONEY, SPENDING, brought_in, is_unnamed, sums_of
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.words import phrases
from askwhere.reader.words.dates import EVERY, NOUNS, PERIODS, day_spans
from askwhere.reader.words.denials import OPEN
from askwhere.reader.words.english import BEING, HAVING, PATRONS
from askwhere.reader.words.measures import MEASURES
from askwhere.reader.words.names import called, cut_name, full_stems
from askwhere.reader.words.phrases import Operator
from askwhere.reader.words.tokens import Token, is_initials, number, stem
from askwhere.reader.words.types import is_date, is_dated, is_number, is_year, says_birth
from askwhere.reader.words.units import UNITS
from askwhere.reader.words.verbs import AUXILIARY


@frozen
class Phrase:
    """Adjacent words of a question, from `start` up to but not including `end`, and what stands beside them."""

    tokens: tuple[Token, ...]
    words: tuple[str, ...]  # of the tokens; those in quotes are no words
    start: int
    end: int
    lexicon: Lexicon

    @cached_property
    def said(self) -> tuple[str, ...]:
        """Return the words of the phrase."""
        return self.words[self.start : self.end]

    @property
    def is_single(self) -> bool:
        """Return whether the phrase is one word."""
        return self.end - self.start == 1

    @property
    def weight(self) -> float:
        """Return the score of a mark of the phrase: longer phrases before the words that they are made of."""
        return 0.9 * (self.end - self.start) + 0.3 * (self.end - self.start - 1)

    @property
    def before(self) -> str:
        """Return the word before the phrase, or ''."""
        return self.words[self.start - 1] if self.start else ""

    @property
    def after(self) -> str:
        """Return the word behind the phrase, or ''."""
        return self.words[self.end] if self.end < len(self.words) else ""

    @property
    def ends(self) -> bool:
        """Return whether the question, or a part of it, ends with the phrase."""
        return self.end == len(self.words) or self.tokens[self.end].kind == "mark"

    @property
    def has_initials(self) -> bool:
        """Return whether the phrase has letters that are rather initials, "division AS", than a word."""
        return any(is_initials(t) for t in self.tokens[max(self.start, 1) : self.end]) and not all(
            t.text.isupper() for t in self.tokens if t.kind == "word"
        )

    def mark(self, kind: str, score: float, argument: str = "", **more: Any) -> Mark:
        """Return a mark of the phrase."""
        return Mark(kind, self.start, self.end, score, " ".join(self.said), argument, **more)


def operators(tokens: tuple[Token, ...], lexicon: Lexicon) -> list[Mark]:
    """Return the marks of operator phrases, revenue, periods and measures, without those that the context rules out."""
    words = tuple(t.lower if t.kind != "quoted" else "\0" for t in tokens)
    found = [*_spreads(words), *_orders(words, tokens), *_amounts_asked(words, tokens)]
    for start in range(len(words)):
        for end in range(start + 1, min(start + phrases.LONGEST, len(words)) + 1):
            phrase = Phrase(tokens, words, start, end, lexicon)
            found += filter(None, (_operator(phrase, one) for one in phrases.WORD.get(phrase.said, ())))
            found += _money(phrase)
            found += _periods_and_measures(phrase)
    return found


def _operator(phrase: Phrase, operator: Operator) -> Mark | None:
    """Return the mark of an operator phrase, or of what its words are instead; None where the context rules it out."""
    if operator.kind in _SMALL_WORDS and phrase.has_initials:
        return replace(phrase.mark("letters", 0.9), text=phrase.tokens[phrase.start].text) if phrase.is_single else None
    if any(ruled_out(phrase, operator) for ruled_out in _RULED_OUT):
        return None
    if operator.kind == "open" and _is_between(phrase):  # "return" is an act in "the days between rental and return"
        return phrase.mark("link", 0.9) if phrase.is_single else None
    less = {"fill": 0.2, "tail": 0.4}.get(operator.kind, 0.0)
    return phrase.mark(operator.kind, phrase.weight - less, operator.argument)


def _opens_too_late(phrase: Phrase, operator: Operator) -> bool:
    """Return whether an opening stands where no question begins."""
    late = phrase.start > 4 and phrase.tokens[phrase.start - 1].kind != "mark"
    return operator.kind == "open" and late and phrase.before not in _BEFORE_OPENINGS


def _is_between(phrase: Phrase) -> bool:
    """Return whether the phrase ends what "between" begins."""
    return "between" in phrase.words[max(phrase.start - 5, 0) : phrase.start]


def _counts_nothing(phrase: Phrase, operator: Operator) -> bool:
    """Return whether the name of a unit has another sense, as there is no amount before it."""
    counted = phrase.start and is_amount_of(phrase.tokens, phrase.start - 1)
    return operator.kind == "unit" and phrase.said[0] in _COUNTED and not counted


def _is_written_as_name(phrase: Phrase, operator: Operator) -> bool:
    """Return whether the phrase is the month May or the United States."""
    month = phrase.said == ("may",) and phrase.before in _BEFORE_MONTHS
    country = phrase.said == ("us",) and phrase.before == "the"
    return month or country or (phrase.is_single and phrase.tokens[phrase.start].text in ("May", "US"))


_BEFORE_MONTHS = frozenset("in during since until till by before after from of for last this next every each".split())


def _sorts(phrase: Phrase, operator: Operator) -> bool:
    """Return whether "ordered" is of "ordered by"."""
    return operator.kind == "fill" and phrase.said == ("ordered",) and phrase.after == "by"


def _is_before_a_time(phrase: Phrase, operator: Operator) -> bool:
    """Return whether "order in" stands before a time, and so sorts nothing: "what did Ann order in May"."""
    if operator.kind != "order" or phrase.said[-1] != "in":
        return False
    return any(start == phrase.end for start, _, _ in day_spans(phrase.words)) or (
        len(phrase.after) == 4 and phrase.after.isdigit()
    )


def _is_noun(phrase: Phrase, operator: Operator) -> bool:
    """Return whether a verb that opens questions is a noun: "which state", "and state does she live in"."""
    if operator.kind != "open" or _is_between(phrase):
        return False
    named = phrase.said[0] in _ASKING and phrase.before in _BEFORE_NOUNS
    return named or (phrase.said[0] in _NOUNS and (phrase.ends or phrase.after in _AFTER_NOUNS))


def _reports_to(phrase: Phrase, operator: Operator) -> bool:
    """Return whether "report" is the verb of "who report to Ann", and not the request "report …"."""
    return phrase.said == ("report",) and phrase.after == "to"


def _is_on_hold(phrase: Phrase, operator: Operator) -> bool:
    """Return whether "hold" is a state of what is asked for, "on hold", and nothing that somebody does."""
    return operator.kind == "have" and phrase.is_single and is_preposition(phrase.before)


def _is_name_of(phrase: Phrase, operator: Operator) -> bool:
    """Return whether no name follows "with the name", as in "with the name of its owner"."""
    return operator.kind == "be" and phrase.said[-1] == "name" and phrase.after == "of"


def _is_in_schema(phrase: Phrase, operator: Operator) -> bool:
    """Return whether the schema has a name for a phrase that would be read without one: a flag `active`, a stock."""
    if operator.kind == "stocked" and any(not s.columns and s.score >= 0.9 for s in phrase.lexicon.named(("stock",))):
        return True
    if operator.kind in ("current", "overdue") and _is_written(phrase.tokens[phrase.end - 1], phrase.lexicon):
        return True
    return operator.argument == "soft" and _says_something(phrase.tokens[phrase.end - 1], phrase.lexicon)


def _is_kept(phrase: Phrase, operator: Operator) -> bool:
    """Return whether "how many hours" asks for what a column holds, `hrs`, and not for how long something took."""
    before = " ".join(phrase.words[: max(phrase.start - 1, 0)])  # without the number
    within = before.endswith(("within", "in less than", "in under"))
    if operator.kind != "elapsed" or not operator.argument or within or _TAKING & {*phrase.words[phrase.end :]}:
        return False
    return any(
        s.score >= _OWN_UNIT and s.columns and is_number(s.column) for s in phrase.lexicon.named(phrase.said[-1:])
    )


_OWN_UNIT = 0.5  # the least score of a column that is called by a unit of time, `worked_hours`
# What the time from one date to another is asked for with.
_TAKING = frozenset("between from until to take takes took taken last lasts lasted stay stays stayed run ran".split())


def _is_within_time(phrase: Phrase, operator: Operator) -> bool:
    """Return whether "within" is a preposition where it compares times, "within 3 days", or compares where it is one.

    "In less than" compares no other amounts: "sold in less than 3 countries" counts them.
    """
    after = phrase.tokens[phrase.end : phrase.end + 2]
    times = len(after) == 2 and number(after[0]) is not None and after[1].lower in _TIMES
    if phrase.said[0] == "in" and operator.argument == "<":
        return operator.kind == "comp" and not times
    return phrase.said == ("within",) and times != (operator.kind == "comp")


_TIMES = frozenset("day days hour hours minute minutes".split())


def _is_of_no_average(phrase: Phrase, operator: Operator) -> bool:
    """Return whether "best" says no end of amounts, as it does of averages, and of customers and months by revenue."""
    best = operator.kind == "sup" and phrase.said[-1] in ("best", "worst")
    ahead = tuple(t.lower for t in phrase.tokens[phrase.end : phrase.end + 2])
    sales = (ahead[:1] in MONEY or ahead[:1] == ("sales",)) and ahead[1:] in NOUNS  # "the best sales month"
    customers = phrase.said[-1] == "best" and (stem(phrase.after) in PATRONS or (phrase.after,) in NOUNS or sales)
    return best and phrase.after not in _AVERAGES and not customers


_AVERAGES = ("average", "avg", "mean")


def _never_ends(phrase: Phrase, operator: Operator) -> bool:
    """Return whether "open" is of things of which nothing says when they end."""
    return operator.kind == "current" and phrase.said == (OPEN,) and not any(map(span_of, phrase.lexicon.tables))


_RULED_OUT: tuple[Callable[[Phrase, Operator], bool], ...] = (
    _opens_too_late,
    _counts_nothing,
    _is_written_as_name,
    _sorts,
    _is_before_a_time,
    _is_noun,
    _reports_to,
    _is_on_hold,
    _is_name_of,
    _is_in_schema,
    _is_kept,
    _is_within_time,
    _is_of_no_average,
    _never_ends,
)


def _money(phrase: Phrase) -> Iterator[Mark]:
    """Yield the marks of words for revenue and income, with the columns that hold it."""
    said, lexicon = phrase.said, phrase.lexicon
    money = said == ("money",) and phrase.before in ("most", "least")  # "makes the most money"
    if (money or (said in MONEY and is_unnamed(said, phrase.tokens, lexicon))) and (sums := sums_of(lexicon)):
        yield phrase.mark("money", phrase.weight, senses=sums)
    elif said in MONEY and is_unnamed(said, phrase.tokens, lexicon) and (two := priced_elsewhere(lexicon)):
        parts = tuple(phrase.mark("column", phrase.weight, senses=(sense,)) for sense in two)
        yield phrase.mark("computed", phrase.weight, PRODUCT, senses=two[:1], parts=parts)
    if said in INCOME and (brought := brought_in(phrase.tokens[: phrase.start], lexicon)):
        yield phrase.mark("money", phrase.weight, senses=brought)


def _periods_and_measures(phrase: Phrase) -> Iterator[Mark]:
    """Yield the marks of words for periods of time, and for what is measured: "per month", "oldest"."""
    said = phrase.said
    if said in NOUNS and (less := _less_likely(phrase) if phrase.is_single else 0.0) is not None:
        yield phrase.mark("period", phrase.weight - less, NOUNS[said])
    if said in PERIODS:
        yield phrase.mark("period", phrase.weight, PERIODS[said])
    if said in MEASURES:
        kind, measure = MEASURES[said]
        if kind != "extent" or phrase.before in UNITS:  # "long" measures in "5 km long" alone
            yield phrase.mark(kind, phrase.weight + 0.1, measure.end, measure=measure)


def _is_of_period(column: Column, noun: str) -> bool:
    """Return whether a column is a date that is called after a period, `sales_month`, or a year of birth."""
    return noun in full_stems(column.name) and (is_dated(column) or says_birth(column))


def _less_likely(phrase: Phrase) -> float | None:
    """Return what a noun for periods loses to names of the schema that have it, None where these are meant.

    A `monthly_fee` has no "month", and a date that is called so, `sales_month`, is of such a period. Beside a year that
    something has, `model_year`, the year of a date is a little less likely: things of other tables have no such year.
    """
    token = phrase.tokens[phrase.start]
    every = EVERY.get(token.lower, "")
    senses = [s for s in phrase.lexicon.find((token.stem,)) if not (s.columns and _is_of_period(s.column, token.stem))]
    named = [
        s for s in senses if any(every not in cut_name(n) for n in called(s.columns[-1] if s.columns else s.table))
    ]
    if not named:
        return 0.0
    years = (
        phrase.before in _BEFORE_YEAR
        and token.lower == "year"
        and all(s.columns and is_year(s.column) and s.score < _SURE for s in named)
    )
    told = phrase.after.isdigit() and "of" in phrase.words[max(phrase.start - 2, 0) : phrase.start]
    return _BESIDE_YEARS if years and not told else None  # but "of the year 2012" is of theirs


_SURE = 0.9  # the score of a name that is said as it is written
_BESIDE_YEARS = 0.05
_BEFORE_YEAR = frozenset("by per each every which what and in the same best worst".split())


def _amounts_asked(words: tuple[str, ...], tokens: tuple[Token, ...]) -> Iterator[Mark]:
    """Yield the mark of "what" where it asks how much: "what did we spend on fuel", "what does Ann earn"."""
    does = words[:1] == ("what",) and bool((AUXILIARY | HAVING) & set(words[1:2]))
    if does and any(token.stem in SPENDING | GIVING | GAINED for token in tokens[3:]):
        yield Mark("much", 0, 1, 1.6, "what")


_BEFORE_OPENINGS = ("and", "know", "see")
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
_AFTER_NOUNS = AUXILIARY | BEING | {"of", "and"}
_NOUNS = {*_ASKING, "find", "select", "return", "see", "get", "identify", "which"}
_BEFORE_NOUNS = {"which", "what", "the", "a", "an", "of", "each", "every", "per", "whose", "their", "its", "same"}


def _is_written(token: Token, lexicon: Lexicon) -> bool:
    """Return whether the schema has a name for a word that is no date: a flag `active`."""
    named = (s for s in lexicon.find((token.stem,)) if s.score >= 0.85)
    other = (s for s in named if token.lower != OPEN or not is_of_opening(s))
    return any(not (s.columns and is_date(s.columns[0])) for s in other)


def _says_something(token: Token, lexicon: Lexicon) -> bool:
    """Return whether a 'soft' filler is a name in this schema, or part of one ("available" in `unavailable`)."""
    named = lexicon.find((token.stem,))
    said = bool(named) and (named[0].score >= 0.6 or lexicon.truth(named[0]) is not None)  # a flag `mbr_flg`
    return said or (len(token.stem) > 4 and any(token.stem in w for w in lexicon.words))


def _orders(words: tuple[str, ...], tokens: tuple[Token, ...]) -> Iterator[Mark]:
    """Yield the marks for "Order the cities by …" in a second sentence."""
    for start, word in enumerate(words):
        by = next((i for i in range(start + 2, min(start + 6, len(words))) if words[i] == "by"), None)
        if by and word in ("order", "sort", "rank", "arrange") and start and tokens[start - 1].kind == "mark":
            yield Mark("order", start, by + 1, 1.3 * (by + 1 - start), " ".join(words[start : by + 1]))


def _adjective(words: tuple[str, ...], start: int) -> tuple[tuple[str, ...], int]:
    """Return the words of an adjective of a measure, "the most expensive" without "the", and where it ends."""
    start += words[start : start + 1] == ("the",)
    sizes = (size for size in (2, 1) if start + size <= len(words) and words[start : start + size] in MEASURES)
    size = next(sizes, 0)
    return words[start : start + size], start + size


def _spreads(words: tuple[str, ...]) -> list[Mark]:
    """Return the marks for "from the youngest to the oldest": an order by the columns that the adjectives are about."""
    found = []
    for start in (i for i, word in enumerate(words) if word == "from"):
        first, joined = _adjective(words, start + 1)
        last, end = _adjective(words, joined + 1) if words[joined : joined + 1] == ("to",) else ((), joined)
        kind, measure = MEASURES.get(first, ("", None))
        if measure and kind == "superlative" and last:
            way = "asc" if measure.end == "min" else "desc"
            found.append(
                Mark("spread", start, end, 1.3 * (end - start), " ".join(words[start:end]), way, measure=measure)
            )
    return found
