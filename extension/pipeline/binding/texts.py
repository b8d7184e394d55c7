"""Decide which literals may come where a value of some kinds is required, also while a literal is being written."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from askwhere.pipeline.binding.machine import Token
from askwhere.pipeline.binding.names import (
    AS_TEXT,
    COLUMNS_ONLY,
    CONSTANT,
    FORMAT,
    LOOSE,
    MIXED,
    NULL,
    NUMBERS,
    PART,
    PARTS,
    Kinds,
)


def may_stand(kinds: Kinds | None, t: Token) -> bool:
    """Return whether a text literal `t` may come where one of `kinds` is required, or a literal that begins with it."""
    if kinds is None or "t" in kinds:
        return True
    if COLUMNS_ONLY in kinds or CONSTANT in kinds:
        return False
    inside = t.text[1:-1] if t.whole else t.text[1:]
    return any(test(inside, t.whole) for kind, test in TEXTS.items() if kind in kinds) or not kinds <= PLAIN


def kind_of_number(text: str, kinds: Kinds | None) -> str | None:
    """Return the kind of a number; None where none of `kinds` allows it."""
    kind = "i" if text.isdigit() else "f"
    if kinds is None or "b" in kinds:
        return kind
    if COLUMNS_ONLY in kinds or not kinds & NUMBERS or (CONSTANT in kinds and (kind != "i" or len(text) > 9)):
        return None
    return kind


def _is_number(text: str, whole: bool) -> bool:
    """Return whether a text is a whole number of up to nine digits, or may become one."""
    digits = text.removeprefix("-")
    return (digits.isascii() and digits.isdigit() and len(digits) < 10) or (not whole and not digits)


def _may_be_date(text: str, whole: bool) -> bool:
    """Return whether a text is a date, or may become one."""
    endings = ("",) if whole else (DATE[len(text) :], "10-10"[len(text) - 10 :], "0")
    return any(_is_date(text + ending) for ending in endings)


def _is_date(text: str) -> bool:
    try:
        return re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII) is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False


def _one_of(*words: str) -> Callable[[str, bool], bool]:
    """Return a test for texts that are one of `words`, or a beginning of one, ignoring case."""
    return lambda text, whole: any(word == text.lower() if whole else word.startswith(text.lower()) for word in words)


def _is_format(text: str, whole: bool) -> bool:
    """Return whether a text is a format of dates, or may become one."""
    letters = text.replace("%%", "")
    directives = [letters[i + 1 : i + 2] for i, letter in enumerate(letters) if letter == "%"]
    return all(letter in DIRECTIVES or (not letter and not whole) for letter in directives) and (
        not whole or "" not in directives
    )


# Completes a date that is still being written, to see whether it may become one.
DATE = "2000-01-01"
DIRECTIVES = frozenset("aAbBdHIjmMpSuUwWyY")
TEXTS = {
    AS_TEXT: _is_number,
    "d": _may_be_date,
    "b": _one_of("true", "false"),
    PART: _one_of(*PARTS),
    FORMAT: _is_format,
}
# Where only these kinds and marks are required, a text may come only if one of `TEXTS` accepts it.
PLAIN = frozenset({"i", "f", "d", "b", "t", AS_TEXT, PART, FORMAT, LOOSE, MIXED, NULL})
