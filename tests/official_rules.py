"""A second implementation of the official evaluators' rules, as the benchmark data list them; slow and literal.

It shares nothing with `askwhere.evaluation`: every order of columns is tried, rows are looked up one by one, and
fractions are exact. The numbers in docstrings are those of the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy

Rows = list[tuple[Any, ...]]


def spider_prepares(gold: str, predicted: str) -> tuple[str, str]:
    """Return both queries as 5.1, rules 1 and 2, prepare them."""
    predicted = "1".join(predicted.split("value"))
    made = []
    for sql in (gold, predicted):
        for sign in "><!":
            sql = f"{sign}=".join(sql.split(f"{sign} ="))
        sql = _without_word(sql, "distinct")
        made.append(re.sub(r"(?i)year\s*\(\s*curdate\s*\(\s*\)\s*\)\s*", "2020", sql))
    return made[0], made[1]


def _without_word(sql: str, word: str) -> str:
    kept, quote, place = "", "", 0
    while place < len(sql):
        letter = sql[place]
        end = place + len(word)
        around = sql[place - 1 : place] + sql[end : end + 1]
        if not quote and sql[place:end].lower() == word and not any(c.isalnum() or c in "_'\"" for c in around):
            place = end
            continue
        if letter in "'\"":
            quote = "" if quote == letter else quote or letter
        kept += letter
        place += 1
    return kept


def spider_equal(gold: Rows, predicted: Rows, ordered: bool) -> bool:
    """Return whether results are equal by 5.1, rules 7 and 8; rule 9 is about speed."""
    if len(gold) == 0 and len(predicted) == 0:
        return True
    if len(gold) != len(predicted) or len(gold[0]) != len(predicted[0]):
        return False
    bags = [[sorted(row, key=lambda v: str(v) + str(type(v))) for row in rows] for rows in (gold, predicted)]
    if ordered and bags[0] != bags[1]:
        return False
    if not all(bag in bags[1] for bag in bags[0]) or not all(bag in bags[0] for bag in bags[1]):
        return False
    return equal_but_for_columns(gold, predicted, ordered)


def equal_but_for_columns(gold: Rows, predicted: Rows, ordered: bool) -> bool:
    """Return whether some order of the predicted columns gives gold's rows, as a list or a multiset."""
    for order in permutations(range(len(gold[0]))):
        moved = [tuple(row[i] for i in order) for row in predicted]
        if moved == gold if ordered else _same_bag(gold, moved):
            return True
    return False


def _same_bag(one: Rows, other: Rows) -> bool:
    left = list(other)
    for row in one:
        if row not in left:
            return False
        left.remove(row)
    return not left


def bird_equal(gold: Rows, predicted: Rows) -> bool:
    """Return whether results are equal by 5.2."""
    return all(row in predicted for row in gold) and all(row in gold for row in predicted)


def soft_f1(gold: Rows, predicted: Rows) -> float:
    """Return the score of 5.5."""
    if gold == [] and predicted == []:
        return 1.0
    gold, predicted = _once(gold), _once(predicted)
    tp = fp = fn = Fraction(0)
    for i in range(max(len(gold), len(predicted))):
        if i >= len(predicted):
            fn += 1
        elif i >= len(gold):
            fp += 1
        else:
            width = len(gold[i])
            for value in predicted[i]:
                if value in gold[i]:
                    tp += Fraction(1, width)
                else:
                    fp += Fraction(1, width)
            fn += Fraction(len([value for value in gold[i] if value not in predicted[i]]), width)
    precision = tp / (tp + fp) if tp + fp else Fraction(0)
    recall = tp / (tp + fn) if tp + fn else Fraction(0)
    return float(2 * precision * recall / (precision + recall)) if precision + recall else 0.0


def _once(rows: Rows) -> Rows:
    kept: Rows = []
    for row in rows:
        if row not in kept:
            kept.append(row)
    return kept


def tau(gold_seconds: Iterable[float], predicted_seconds: Iterable[float]) -> float:
    """Return the ratio of times of 5.3."""
    ratios = numpy.array(list(gold_seconds)) / numpy.array(list(predicted_seconds))
    distance = 3 * ratios.std()
    kept = ratios[(ratios > ratios.mean() - distance) & (ratios < ratios.mean() + distance)]
    return float(kept.mean()) if kept.size else 0.0


def ves(taus: list[float]) -> float:
    """Return the score of 5.3."""
    return float(100 / len(taus) * numpy.sqrt(taus).sum())
