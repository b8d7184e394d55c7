"""Which constants may stand for a value of a kind, as far as they were written."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from askwhere.pipeline.binding_machine import Token
from askwhere.pipeline.binding_names import (
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


def says(kinds: Kinds | None, t: Token) -> bool:
    """Whether a text, or what one begins with, may stand for a value of one of `kinds`."""
    if kinds is None or "t" in kinds:
        return True
    if COLUMNS_ONLY in kinds or CONSTANT in kinds:
        return False
    said = t.text[1:-1] if t.whole else t.text[1:]
    return any(test(said, t.whole) for kind, test in TEXTS.items() if kind in kinds) or not kinds <= PLAIN


def kind_of_number(text: str, kinds: Kinds | None) -> str | None:
    """The kind of a number; None where it may not stand for a value of one of `kinds`."""
    kind = "i" if text.isdigit() else "f"
    if kinds is None or "b" in kinds:
        return kind
    if COLUMNS_ONLY in kinds or not kinds & NUMBERS or (CONSTANT in kinds and (kind != "i" or len(text) > 9)):
        return None
    return kind


def _number_said(said: str, whole: bool) -> bool:
    digits = said.removeprefix("-")
    return (digits.isascii() and digits.isdigit() and len(digits) < 10) or (not whole and not digits)


def _date_said(said: str, whole: bool) -> bool:
    endings = ("",) if whole else (DATE[len(said) :], "10-10"[len(said) - 10 :], "0")
    return any(_is_date(said + ending) for ending in endings)


def _is_date(said: str) -> bool:
    try:
        return re.fullmatch(r"\d{4}-\d\d-\d\d", said, re.ASCII) is not None and bool(date.fromisoformat(said))
    except ValueError:
        return False


def _one_of(*words: str) -> Callable[[str, bool], bool]:
    return lambda said, whole: said in words if whole else any(one.startswith(said) for one in words)


def _format_said(said: str, whole: bool) -> bool:
    """Whether it is a format of dates."""
    letters = said.replace("%%", "")
    given = [letters[i + 1 : i + 2] for i, letter in enumerate(letters) if letter == "%"]
    return all(letter in DIRECTIVES or (not letter and not whole) for letter in given) and (
        not whole or "" not in given
    )


DATE = "2000-01-01"
DIRECTIVES = frozenset("aAbBdHIjmMpSuUwWyY")
TEXTS = {
    AS_TEXT: _number_said,
    "d": _date_said,
    "b": _one_of("true", "false"),
    PART: _one_of(*PARTS),
    FORMAT: _format_said,
}
PLAIN = frozenset({"i", "f", "d", "b", "t", AS_TEXT, PART, FORMAT, LOOSE, MIXED, NULL})
