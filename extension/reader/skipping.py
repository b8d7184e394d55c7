"""Decide which words of a question may be left out, at which price, and which never are.

A mark belongs to a class with a price (`PRICES`), or it must stay. `RULES` are the places in which a mark of any class
must stay, because the question would mean something else without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from askwhere.frozen import frozen
from askwhere.indexer.word_forms import PARTICIPLE
from askwhere.reader.grammar.cursor import END
from askwhere.reader.grammar.restrictions import HAPPENS
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.operators import is_preposition
from askwhere.reader.words.dates import EVERY
from askwhere.reader.words.english import BEING
from askwhere.reader.words.measures import ADJECTIVES
from askwhere.reader.words.nearness import is_english
from askwhere.reader.words.phrases import NEVER_LEFT_OUT, WORD
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import says_yes_or_no
from askwhere.reader.words.verbs import AUXILIARY

_ADVERBS = frozenset(
    "already yet just really simply basically still once even only always usually actually exactly"
    " approximately together overall anywhere everywhere somewhere".split()
)
_PRONOUNS = frozenset(
    "our your my ours yours mine we us you i he she somebody someone everyone everybody anybody anyone something"
    " everything person people whichever whoever".split()
)
_BEING = BEING | {"be", "been", "being", "got", "get"}
# Kinds of marks that change what is asked of the rows. Their words are never left out, and neither is an unknown word
# just behind them.
_OPERATORS = frozenset(
    "count times much sold agg sup ordinal supcount common nth order direction each comp after when between like"
    " stocked not without except both either or distinct percent difference ratio average null comparative"
    " superlative letters number period money spread often".split()
)
# Small words within phrases of these kinds, "the number of", which say nothing by themselves.
_SMALL = frozenset(
    "the a an of in to from with by on for are is was were be do does did have has had that this any all and it them"
    " group list result results word words letter letters phrase string".split()
)
_NEVER = (
    NEVER_LEFT_OUT
    | frozenset(w for phrase, operators in WORD.items() if {o.kind for o in operators} & _OPERATORS for w in phrase)
    | ADJECTIVES
    | frozenset(EVERY)
    | frozenset("revenue revenues turnover profit profits income".split())
) - _SMALL
# What leaving out a mark of each class takes from the score of the sequence, besides the mark's own score. It only
# orders the search; the confidence of a reading is computed from its features.
PRICES = {
    "fill": 0.1, "be": 0.2, "have": 0.5, "rel": 0.6, "comma": 0.1, "their": 0.3, "own": 0.6, "prep": 0.5, "stop": 0.3,
    "link": 0.8, "table": 1.6, "column": 2.5, "adverb": 0.3, "pronoun": 0.4, "verb": 1.5, "word": 3.0, "name": 4.0,
}  # fmt: skip
EMPTY = ("fill", "be", "comma", "their", "own", "stop", "adverb", "pronoun")  # say nothing of the rows
DENYING = ("not", "without", "except")


@frozen
class Spot:
    """A mark that may be left out: that at the index `at` of a question's `marks`."""

    marks: tuple[Mark, ...]
    at: int

    @property
    def mark(self) -> Mark:
        """Return the mark itself."""
        return self.marks[self.at]

    @property
    def is_word(self) -> bool:
        """Return whether the mark is an unknown word that says something of the rows."""
        return self.mark.kind == "unknown" and class_of(self.mark) not in EMPTY

    @property
    def is_name(self) -> bool:
        """Return whether the mark names a table or a column."""
        return self.mark.kind in ("table", "column")

    @property
    def previous(self) -> Mark:
        """Return the mark just before, `END` if there is none."""
        return self.marks[self.at - 1] if self.at else END

    @property
    def before(self) -> Mark:
        """Return the nearest mark before, fillers and unknown words aside; the mark itself if there is none."""
        known = (m for m in self.marks[: self.at][::-1] if m.kind not in ("fill", "all", "unknown", "their"))
        return next(known, self.mark)

    @property
    def after(self) -> Mark:
        """Return the mark just behind; the mark itself if it is the last."""
        return self.marks[min(self.at + 1, len(self.marks) - 1)]


@frozen
class Rule:
    """A rule that keeps a mark: `holds` says whether a mark stands in the place that the rule is about.

    `why` ends the sentence "the mark …"; in `example` the mark is in capitals.
    """

    name: str
    why: str
    example: str
    holds: Callable[[Spot], bool]


def _in_a_predicate(spot: Spot) -> bool:
    """Return whether an unknown word follows "is" or "are" and a preposition: "parcels that are in TRANSIT"."""
    words = (w for m in spot.marks[: spot.at] for w in m.text.split() if w not in ("the", "a", "an"))
    *_, being, last = ("", "", *words)
    return spot.is_word and being in _BEING and is_preposition(last)


def _is_predicate(spot: Spot) -> bool:
    """Return whether an unknown word stands just behind "is" or "are" and ends the clause: "coats are WATERPROOF"."""
    being = bool(_BEING & set(spot.previous.text.split()[-1:]))
    return spot.is_word and being and (spot.after is spot.mark or spot.after.kind in ("stop", "comma", "and"))


def _behind_a_preposition(spot: Spot) -> bool:
    """Return whether an unknown word ends the phrase behind a preposition: "customers in LONDON"."""
    ends = spot.after is spot.mark or spot.after.kind not in ("table", "column", "value", "unknown")
    return spot.is_word and spot.before.kind == "prep" and ends


def _is_object(spot: Spot) -> bool:
    """Return whether an unknown word stands behind a verb, "do" among them: "doctors who made RESERVATIONS"."""
    last = next((m for m in spot.marks[: spot.at][::-1] if m.text not in ("a", "an", "the")), END)
    return spot.is_word and (spot.before.kind == "link" or last.text in AUXILIARY)


def _is_participle_of_rows(spot: Spot) -> bool:
    """Return whether a participle restricts the rows: "CANCELLED orders", "orders that were SHIPPED"."""
    mark = spot.mark
    if class_of(mark) not in ("verb", "word", "link") or not PARTICIPLE.match(mark.text.lower()):
        return False
    described = mark.kind == "unknown" and spot.after.kind == "table"
    been = bool(_BEING & set(spot.previous.text.split()[-1:]))
    return described or (been and stem(mark.text) not in HAPPENS)


def _is_compared(spot: Spot) -> bool:
    """Return whether a name stands behind the number of a comparison: "more than 7 NIGHTS"."""
    compares = any(m.kind == "comp" for m in spot.marks[max(spot.at - 2, 0) : spot.at - 1])
    return spot.is_name and spot.previous.kind == "number" and compares


def _is_flag(mark: Mark) -> bool:
    """Return whether a mark names a column of yes and no."""
    return mark.kind == "column" and any(map(says_yes_or_no, mark.senses[0].columns))


RULES = (
    Rule(
        "opening",
        "asks yes or no",
        "ARE there any orders",
        lambda s: s.at == 0 and s.mark.kind in ("be", "have", "fill"),
    ),
    Rule(
        "denied",
        "may be what is denied",
        "books without a BARCODE",
        lambda s: class_of(s.mark) not in EMPTY and any(m.kind in DENYING for m in s.marks),
    ),
    Rule(
        "second clause",
        "asks for something more",
        "orders and WHO sold them",
        lambda s: s.mark.kind == "rel" and s.previous.kind == "and",
    ),
    Rule(
        "measured",
        "is what an operator speaks of",
        "the most XYZ",
        lambda s: s.is_word and (s.before.kind in _OPERATORS or s.before.kind == "open"),
    ),
    Rule("compared", "is what is compared", "more than 7 NIGHTS", _is_compared),
    Rule(
        "degree",
        "says what an operator speaks of",
        "the most DENSELY populated",
        lambda s: class_of(s.mark) == "adverb" and s.before.kind in ("sup", "supcount"),
    ),
    Rule("flagged", "is what a flag is said of", "urgent SHIPMENTS", lambda s: s.is_word and _is_flag(s.before)),
    Rule("done", "is what is done", "doctors who made RESERVATIONS", _is_object),
    Rule(
        "owner", "is whose things are meant", "names of PERFORMERS", lambda s: s.is_word and s.before.argument == "of"
    ),
    Rule("place", "is what things are in, by or for", "customers in LONDON", _behind_a_preposition),
    Rule("had", "tells apart what has one", "members that have a DOG", lambda s: s.is_word and s.before.kind == "have"),
    Rule(
        "listed",
        "is asked for as well",
        "per country and REGION",
        lambda s: (s.is_word or s.is_name) and s.before.kind == "and",
    ),
    Rule("predicate", "is said of the rows", "are in TRANSIT", _in_a_predicate),
    Rule("adjective", "is said of the rows", "which coats are WATERPROOF", _is_predicate),
    Rule("by", "sorts or groups", "the dearest lamps BY price", lambda s: s.mark.argument == "by" == s.mark.text),
    Rule("counted", "is what is counted", "how many LOANS", lambda s: s.is_name and s.before.kind == "count"),
    Rule(
        "clause",
        "is said of some rows",
        "members WHO left",
        lambda s: s.mark.kind == "rel" and s.after.kind == "column",
    ),
    Rule("participle", "is said of some rows", "CANCELLED orders", _is_participle_of_rows),
    Rule(
        "has a value",
        "goes with the value or the clause behind it",
        "the COLOUR red",
        lambda s: s.is_name and s.after.kind in ("value", "number", "rel"),
    ),
)


def class_of(mark: Mark) -> str:
    """Return the class of `PRICES` that a mark belongs to, or '' if it must not be left out."""
    if mark.kind == "unknown":
        return _class_of_word(mark.text, mark.argument == "verb")
    if mark.kind == "someone":
        return _class_of_word(mark.text.split()[0], False)
    if (mark.kind == "rel" and mark.text in ("when", "where", "if", "as")) or (
        mark.kind == "fill" and " " in mark.text
    ):
        return ""
    return mark.kind if mark.kind in PRICES else ""


def _class_of_word(word: str, verb: bool) -> str:
    """Return the class of an unknown word, or '' if it must not be left out; `verb` is set if it follows a subject."""
    low = word.lower()
    if not low.isalpha() or low in _NEVER or len(low) == 1:
        return ""
    if low in _ADVERBS or (low.endswith("ly") and (low.endswith(("ably", "ibly")) or is_english(stem(low[:-2])))):
        return "adverb"  # "Italy" and "family" are none
    if low in _PRONOUNS:
        return "pronoun"
    if not word.islower():
        return "name"
    return "verb" if verb or re.search(r"\w{3}(?:ed|ing)\Z", low) else "word"


def price(marks: tuple[Mark, ...], at: int) -> float | None:
    """Return the price of leaving out the mark at an index, as in `PRICES`; None if it must stay."""
    spot, kind = Spot(marks, at), class_of(marks[at])
    return None if not kind or any(rule.holds(spot) for rule in RULES) else PRICES[kind]
