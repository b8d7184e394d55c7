"""Random replies that a grammar and a reading allow, letter by letter."""

from __future__ import annotations

import random

from askwhere.models import Reading
from gbnf import Grammar, Place

TABLES = """
CREATE TABLE singer (id INTEGER PRIMARY KEY, name VARCHAR, age INTEGER, country VARCHAR, born DATE);
CREATE TABLE concert (id INTEGER PRIMARY KEY, title VARCHAR, stadium_id INTEGER, year INTEGER, held TIMESTAMP);
CREATE TABLE stadium (stadium_id INTEGER PRIMARY KEY, place VARCHAR, capacity DOUBLE, open BOOLEAN);
CREATE TABLE "Odd Table" (id INTEGER, "Total Price" DOUBLE, a VARCHAR, "na""me" VARCHAR);
CREATE TABLE "été" (b INTEGER, "naïve" VARCHAR, t TIME);
INSERT INTO singer VALUES (1, 'n', 2, 'c', '2000-01-01'), (2, 'm', 3, 'c', '2000-01-02');
INSERT INTO concert VALUES (1, 't', 2, 2000, '2000-01-01 10:00:00'), (2, 'u', 3, 2001, '2001-01-01 10:00:00');
INSERT INTO stadium VALUES (2, 'p', 1.5, true), (3, 'q', 2.5, false);
INSERT INTO "Odd Table" VALUES (1, 1.5, 'a', 'b'), (2, 2.5, 'c', 'd');
INSERT INTO "été" VALUES (1, 'n', '10:00:00'), (2, 'm', '11:00:00');
"""
# How much sooner a letter is drawn than others, as texts that end and joins that can be made are rare among all.
LIKELY = {"T": 0.7, "1": 0.7, "2": 0.4, ")": 0.4, "(": -0.3, ",": -0.5, "\n": -0.4}


def walked(draw: random.Random, grammar: Grammar, reading: Reading, most: int = 500) -> tuple[str, bool]:
    """Return a reply, and whether it is complete; fail where it can neither end nor go on."""
    place, text = grammar.begin(), ""
    while len(text) < most:
        ends = place.ends and reading.ends
        if ends and (text.endswith(";") or draw.random() < 0.3):
            return text, True
        found = _next(draw, place, reading, text)
        if found is None:
            assert ends, f"nothing may follow {text!r}"
            return text, True
        letter, place, reading = found
        text += letter
    return text, False


def _next(draw: random.Random, place: Place, reading: Reading, text: str) -> tuple[str, Place, Reading] | None:
    for letter in sorted(place.letters(), key=lambda letter: draw.random() - _likely(draw, letter, text)):
        after, there = reading.after(letter.encode()), place.after(letter)
        if after is not None and there is not None:
            return letter, there, after
    return None


def _likely(draw: random.Random, letter: str, text: str) -> float:
    last = text[-1:]
    if letter == "'" and last not in " \n(=<>,":
        return 0.9  # ends a text
    if letter in "fF" and last in " \n" and len(text) > 60:
        return 1.0  # FROM
    if letter in "uUiIeE" and last in " \n" and draw.random() < 0.8:
        return -0.7  # UNION and its like
    return LIKELY.get(letter, -0.5 if letter in "-+%/*|" else 0.0)
