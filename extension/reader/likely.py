"""Estimate how likely a reading is right, by logistic regression over features of it.

`python tests/benchmarks/reader_weights.py` learns the weights on Spider's training questions and writes `weights.json`.
The names of features are the keys in that file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import exp, log, log1p
from pathlib import Path

from askwhere.frozen import frozen
from askwhere.reader.grammar.draft import Draft, Nested, Test
from askwhere.reader.marking.marks import Mark
from askwhere.reader.risks import risk_features
from askwhere.reader.schema.edges import Tree
from askwhere.reader.schema.joins import Graph
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.search import Way
from askwhere.reader.skipping import class_of

_NAMES = ("table", "column")
_CONTENT = ("table", "column", "value", "number", "link")  # kinds of marks that say something of the rows
_RIVAL = 0.1  # senses whose scores are lower by no more may be meant as well
# How features call the mark beside one that was left out, by its kind; all other kinds are "operator".
_BESIDE = {"table": "name", "column": "name", "value": "value", "prep": "preposition", "be": "be", "have": "have",
           "and": "and", "comma": "and", "stop": "end", "end": "end", "rel": "rel", "link": "verb",
           "unknown": "unknown"}  # fmt: skip
_LOWEST = 0.01  # the least score that a logarithm is taken of


@frozen
class Weights:
    """A logistic model: weights by feature, the intercept `offset`, and the least probability that an answer needs."""

    weights: dict[str, float]
    offset: float
    least: float


@cache
def learned() -> Weights:
    """Return the learned model, read from `weights.json` once."""
    text = Path(__file__).with_name("weights.json").read_text("utf-8")
    return Weights(**json.loads(text))


def likely(features: Mapping[str, float]) -> float:
    """Return the probability that a reading with these features is right, from 0 to 1."""
    model = learned()
    logit = model.offset + sum(model.weights.get(name, 0.0) * value for name, value in features.items())
    return 1 / (1 + exp(-logit))


def features(
    way: Way, most: float, draft: Draft, senses: tuple[Sense, ...], tree: Tree, graph: Graph
) -> dict[str, float]:
    """Return the features of a reading by name, without those that are 0.

    They are of its words, names, joins and shape, its risks, and the words that it leaves out. `most` is the score of
    the best cut of the question, unknown words aside.
    """
    values = {**_of_words(way, most), **_of_names(draft, senses, tree), **_of_shape(draft)}
    values |= risk_features(draft, senses, tree, graph)
    for name in _left_out(way, draft):
        values[name] = values.get(name, 0.0) + 1.0
    return {name: value for name, value in values.items() if value}


def _of_words(way: Way, most: float) -> dict[str, float]:
    """Return the features of the cut: its score less the best one's, its length, and how much was left out."""
    kept = [m for m in way.read if m.kind in _CONTENT]
    lost = [m for m in way.left_out if m.kind in _CONTENT or class_of(m) in ("word", "name", "verb")]
    return {
        "cut": sum(m.score for m in way.marks if m.kind != "unknown") - most,
        "long": log1p(len(way.marks)),
        "verbs": float(sum(m.kind == "link" for m in way.read)),
        "several left out": float(max(len(way.left_out_at) - 1, 0)),
        "share left out": len(lost) / max(len(lost) + len(kept), 1),
    }


def _left_out(way: Way, draft: Draft) -> Iterator[str]:
    """Yield the feature of each mark that was left out, and for unknown words and names those of what is beside it.

    So for "recent" in "recent orders in May": `left out: word`, `left out: word, before name` and so on.
    """
    counted = any(t.counts for t in draft.outputs)
    for place, mark in enumerate(way.marks):
        if mark.start not in way.left_out_at:
            continue
        name = f"left out: {class_of(mark)}"
        yield name
        if mark.kind == "unknown" or mark.kind in _NAMES:
            yield f"{name}, after {_beside(way.marks[:place][::-1])}"
            yield f"{name}, before {_beside(way.marks[place + 1 :])}"
            if counted:
                yield "something left out, counted"


def uses_names_left_out(way: Way, senses: tuple[Sense, ...]) -> bool:
    """Return whether the reading uses each table and column whose name was left out, so that nothing is lost.

    In "Duke colleges" the word "colleges" may be left out if Duke is a value of the table of colleges.
    """
    tables = paths_of(senses)
    columns = {(s.table.path, c.name) for s in senses for c in s.columns}
    return all(
        any(s.table.path in tables if not s.columns else (s.table.path, s.column.name) in columns for s in mark.senses)
        for mark in way.left_out
        if mark.kind in _NAMES
    )


def _beside(marks: tuple[Mark, ...]) -> str:
    """Return how features call the first of these marks, fillers aside; "end" if there is none."""
    mark = next((m for m in marks if m.kind not in ("fill", "all")), None)
    return _BESIDE.get(mark.kind, "operator") if mark else "end"


def _of_names(draft: Draft, senses: tuple[Sense, ...], tree: Tree) -> dict[str, float]:
    """Return the features of the senses and joins: how loosely names fit, rival senses, joins, tables not named."""
    named = [s for s in senses if s.value is None]
    rivals = [
        sum(other.score >= s.score - _RIVAL for other in slot.senses) - 1
        for slot, s in zip(draft.slots, senses, strict=True)
    ]
    return {
        "loose": sum(-log(max(s.score, _LOWEST)) for s in named),
        "loosest": -log(max(min((s.score for s in named), default=1.0), _LOWEST)),
        "guessed": sum(-log(s.chance) for s in senses),
        "guesses": float(sum(s.chance < 1 for s in senses)),
        "values": float(sum(s.value is not None for s in senses)),
        "spelt otherwise": float(sum(s.is_loose for s in senses)),
        "other senses": log1p(sum(rivals)),
        "joins": float(len(tree.edges)),
        "guessed joins": float(sum(not edge.sure for edge in tree.edges)),
        "silent tables": float(len(tree.paths - paths_of(senses))),
        "nothing named": float(draft.focus is None),
    }


def _of_shape(draft: Draft) -> dict[str, float]:
    """Return the features of the query's form: 1.0 for each construct that it uses, numbers of outputs and tests."""
    tests = [t for group in draft.tests for t in _all(group)]
    flags = {
        "counts": any(t.rows for t in draft.outputs),
        "adds up": any(t.agg for t in draft.outputs),
        "groups": bool(draft.groups),
        "sorts": bool(draft.order),
        "first few": draft.limit is not None,
        "first of each": draft.of_each,
        "both": bool(draft.both),
        "or": any(len(group) > 1 for group in draft.tests),
        "lacks": any(t.op == "lacks" for t in tests),
        "denied": any(t.negated for t in tests),
        "nested": any(isinstance(o, Nested) for t in tests for o in t.operand),
        "all columns": draft.star is not None,
    }
    return {
        **{name: float(flag) for name, flag in flags.items()},
        "outputs": float(max(len(draft.outputs) - 1, 0)),
        "tests": float(len(tests)),
    }


def _all(tests: list[Test]) -> Iterator[Test]:
    """Yield tests and the tests within them."""
    for test in tests:
        yield test
        yield from _all(list(test.tests))


def with_rank(features: Mapping[str, float], score: float, others: Sequence[float], searched: bool) -> dict[str, float]:
    """Return a reading's features with those of its rank among the readings of the question.

    `score` is its own score, `others` are those of the other readings. For a reading of the search (`searched`) the
    features in `_SEARCHED_TOO` are there under a second name as well, so that they weigh otherwise.
    """
    ahead = score - max(others, default=score - 1.0)
    ranked = {**features, "ahead": max(min(ahead, 1.0), -1.0), "others": float(len(others)), "score": score}
    if not searched:
        return ranked
    return {**ranked, "searched": 1.0, **{f"{name}, searched": ranked.get(name, 0.0) for name in _SEARCHED_TOO}}


_SEARCHED_TOO = ("ahead", "others", "score", "cut", "fit", "far", "doubt", "joins", "silent tables", "values", "loose")
