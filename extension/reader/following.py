"""Tell how a question refines the one before it ("only those in Germany", "what about 2022"), by its ends.

The words that say so are listed here, and taken off; `refining` reads the rest into the draft of the question before.
"""

from __future__ import annotations

import re

from askwhere.frozen import frozen
from askwhere.reader.words.dates import MONTHS
from askwhere.reader.words.tokens import plain

REFINES = "read as a refinement of"  # the beginning of the note on an answer that refines another
# Words that open a sentence and say nothing of how it refines.
_OPENING = re.compile(r"(?i)(?:(?:ok|okay|well|now|then|so|please|thanks|great|good|and|but)\b[, ]*)+")
# What "their" may follow where no word before it can be what it means.
_ASKED_OF_THEM = (
    r"(?:(?:show|list|give|add|include)(?: me)? |with |including |(?:what|who|which|when|where) (?:is|are|was|were) )"
)
# How a follow-up refines, by its first words: `also` adds to what was asked, `instead` replaces a part of it, `only`
# restricts it, `count` asks for the number of rows, `list` for the rows that were counted.
_LEADS = (
    (
        "count",
        r"how many (?:of (?:them|those|these)\b|(?:are|were) (?:there|those|these|they|that)\b|is that\b)"
        r"|how many(?=\W*\Z)",
    ),
    (
        "list",
        r"(?:(?:which|what|who)(?: ones)?(?: (?:are|were) (?:they|those|these|the ones))?"
        r"|(?:show|list|name|give)(?: me)?(?: all(?: of)?)? (?:them|those|these)(?: all)?)(?=\W*\Z)",
    ),
    (
        "instead",
        r"(?:(?:do|show|give|list|repeat)(?: me)? )?(?:the |that )?same\b"
        r"(?: (?:thing|question|list|query|one|report)\b)?"
        r"(?: again\b)?[, ]*(?:but\b)?",
    ),
    ("instead", r"(?:what|how) (?:about|of|if)\b"),
    ("instead", r"(?:make|do) (?:it|that|this)\b"),
    ("instead", r"(?:instead|rather)\b"),
    ("also", r"(?:(?:also|additionally)\b ?)?(?:add|include|show|list|give)(?: me)? (?:also|too|in addition)\b"),
    ("also", rf"{_ASKED_OF_THEM}?(?=(?:their|its|his|her)\b)"),
    ("also", r"(?:also|additionally|plus|add|include|along with)\b(?: (?:show|list|give)(?: me)?\b)?"),
    (
        "only",
        r"(?:(?:show|list|give)(?: me)? )?(?:only|just)\b"
        r"|(?:restrict|limit|narrow|filter)\b(?: (?:it|them|this|that|these|those)\b)?"
        r"(?: down)?(?: (?:to|by|on|for)\b)?|keep\b(?: only\b)?",
    ),
)
# Words that mean the rows of the answer before, behind such a lead.
_POINTING = re.compile(
    r"(?i)(?:(?:which|who|what) (?:of (?:them|those|these)|ones?)|(?:show|list|give)(?: me)? (?:them|those|these)"
    r"|those|these|them|the ones?|ones?|of (?:them|those|these))\b(?: (?:is|are|was|were|do|does|who|which|that)\b)*"
)
_ENDING = re.compile(r"(?i)[, ]*(?:\b(instead|too|as well|also|only|please|then|though)\b)?[?.!, ]*\Z")
_ENDS = {"instead": "instead", "too": "also", "as well": "also", "also": "also", "only": "only"}
_REFERRING = re.compile(
    r"(?i)\b(?:those|these|them|the ones?|same|instead|of it)\b|\b(?:is|was|are|were) (?:that|this|it|they)(?=\W*\Z)"
)
# Asks for a sum over the rows of the answer before.
_SUM = re.compile(
    r"(?i)how much (.+?) (?:is|was|are|were) (?:that|this|it|they)(?: in (?:total|all)| altogether)?\W*\Z"
)
# Begins "which of them ordered in May", which asks for the things where their number was asked for before.
_WHICH = re.compile(r"(?i)(?:which|who|what) (?:of (?:them|those|these)|ones?)\b")
# Months alone, as in "only July", are a time.
_MONTHS = re.compile(rf"(?i)(?:{'|'.join(MONTHS)})\b(?:(?: and|,) (?:{'|'.join(MONTHS)})\b)?(?: \d{{4}})?\Z")
# A question whose pronoun means something that was said before it: "what are their emails", "which bikes do they own".
_PRONOUN = re.compile(
    rf"(?i){_ASKED_OF_THEM}?(?:their|its|his|her)\b"
    r"|(?:(?:(?:in|at|on|from|to|for|by|with|of) )?(?:what|which|who|whom|when|where|why|how)\b"
    r"(?: (?!(?:and|or|that|who|which)\b)[\w-]+){0,4} )?"
    r"(?:(?:do|did|are|were|have|had|can|will) they|(?:does|did|is|was|has|had|can|will) (?:it|he|she))\b"
)


@frozen
class FollowUp:
    """A follow-up: `text` without the words that only say how it refines the question before it.

    `how` is one of `_LEADS`, 'which' for "which of them …", 'and', or '' if nothing says it. With `pointing` it has
    words that mean the answer before ("those"), so that it cannot be a question by itself.
    """

    text: str
    how: str
    pointing: bool


# First words of what is more often a part of a question than a whole one: "in Rome", "the three largest".
_BEGINNINGS = (
    "in for from by per with without except excluding sort sorted order ordered top bottom first over under above below"
    " between since before after more less fewer at not grouped descending ascending"
)
_NUMBER = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten)"
_BEGINNING = re.compile(
    rf"(?i)(?:{'|'.join(_BEGINNINGS.split())}|the (?:top|first)"
    rf"|(?:the |the {_NUMBER} |{_NUMBER} )(?:\w+est|(?:most|least) \w+))\b"
)

# Beginnings with which hardly any question starts.
_PART = re.compile(
    r"(?i)(?:by|per|with|without|except|excluding|including|sorted|ordered|grouped"
    r"|(?:sort|order|rank|group)(?: (?:them|it|the list))? by)\b"
)


def is_likely_part(follow: FollowUp) -> bool:
    """Return whether a follow-up is likelier to refine a question than to be one: it says so, or begins with "by"."""
    return bool(follow.how or follow.pointing or _PART.match(follow.text))


def may_refine(question: str) -> bool:
    """Return whether a question sounds as if it refines the one before it, by its first and last words."""
    follow = follow_up(question)
    opened = _OPENING.match(plain(question).strip())
    return bool(opened or follow.how or follow.pointing or _BEGINNING.match(follow.text))


def follow_up(question: str) -> FollowUp:
    """Return how a question refines the one before it, as far as its first and last words say."""
    text = plain(question).strip()
    opening = _OPENING.match(text)
    rest = text[opening.end() :] if opening else text
    if sums := _SUM.match(rest):
        return FollowUp(f"total {sums[1]}", "instead", True)
    how = "and" if opening and re.search(r"(?i)\band\b", opening[0]) else ""
    for name, lead in _LEADS:
        if match := re.match(rf"(?i)(?:{lead})[, ]*", rest):
            how, rest = name, rest[match.end() :]
            break
    if match := _POINTING.match(rest):
        how = how or ("which" if _WHICH.match(rest) else "")
        rest = rest[match.end() :].strip()
    ending = _ENDING.search(rest)
    if ending:
        rest = rest[: ending.start()]
        how = _ENDS.get((ending[1] or "").lower(), "") or how
    pointing = (
        how in ("count", "list") or _REFERRING.search(text) or _PRONOUN.match(text, opening.end() if opening else 0)
    )
    rest = rest.strip()
    return FollowUp(f"in {rest}" if _MONTHS.match(rest) else rest, how, bool(pointing))
