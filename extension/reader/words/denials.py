"""Tell which word a word denies: "shipped" for "unshipped", "passed" for "failed"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from askwhere.engine import Column
from askwhere.reader.words.english import ANTONYMS
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.tokens import stem

_DENIED = re.compile(r"(?:in|un|non)(\w{4,})\Z")
# Beginnings of words that deny each other: a flag `indoor` is not set for what is "outdoor".
_PAIRS = (("in", "out"), ("on", "off"), ("over", "under"), ("up", "down"))
_REVERSED = dict(_PAIRS) | {b: a for a, b in _PAIRS}

OWING = frozenset("owe owes owed owing".split())  # what is owed is not paid
OPEN = "open"  # said alone, of what has begun and not ended


def denied_by(word: str) -> str:
    """Return the word that another denies: "shipped" for "unshipped", "indoor" for "outdoor"; "" for other words."""
    if word in ("alive", "living"):
        return "died"
    if word in OWING:
        return "paid"
    if word in ANTONYMS:
        return ANTONYMS[word]
    turned = next((b + word.removeprefix(a) for a, b in _REVERSED.items() if word.startswith(a) and len(word) > 5), "")
    return (match[1] if (match := _DENIED.match(word)) else "") or turned


def is_denied(word: str, columns: Iterable[Column], value: object = None) -> bool:
    """Return whether a word denies the name of a column, "failed" for `passed`, "open" for `settled`, or a value."""
    stated = denied_by(word.lower())
    names = {part for column in columns for part in name_stems(column.name)}
    if word.lower() == OPEN:
        return OPEN not in names
    return bool(stated) and (stem(stated) in names or stated == str(value).lower())
