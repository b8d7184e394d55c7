"""How likely a reading is right: a logistic model over what can be told of it, with weights that were learned.

`python tests/benchmarks/reader_weights.py` learns them on Spider's training questions and writes `weights.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp, log, log1p

from askwhere.reader.draft import Draft, Nested, Test
from askwhere.reader.joins import Tree
from askwhere.reader.lexicon import Sense
from askwhere.reader.marks import Mark
from askwhere.reader.search import Way, class_of

_NAMES = ("table", "column")
_SAYING = ("table", "column", "value", "number", "link")
_BESIDE = {"table": "name", "column": "name", "value": "value", "prep": "preposition", "be": "be", "have": "have",
           "and": "and", "comma": "and", "stop": "end", "end": "end", "rel": "rel", "link": "verb",
           "unknown": "unknown"}  # fmt: skip
_LOWEST = 0.01


@dataclass(frozen=True)
class Weights:
    """What each feature adds to the log-odds, what these begin with, and below which chance nothing is answered."""

    weights: dict[str, float]
    offset: float
    least: float


@cache
def learned() -> Weights:
    """The weights that were learned."""
    text = (resources.files(__package__) / "weights.json").read_text("utf-8")
    return Weights(**json.loads(text))


def likely(features: Mapping[str, float]) -> float:
    """How likely a reading with these features is right, from 0 to 1."""
    known = learned()
    odds = known.offset + sum(known.weights.get(name, 0.0) * value for name, value in features.items())
    return 1 / (1 + exp(-odds))


def features(way: Way, most: float, draft: Draft, senses: tuple[Sense, ...], tree: Tree) -> dict[str, float]:
    """What is told of a reading by its words, names, joins and shape; `most` is the score of the best cut.

    Features that are 0 are left out.
    """
    found = {**_of_words(way, most), **_of_names(draft, senses, tree), **_of_shape(draft)}
    for name in _left_out(way, draft):
        found[name] = found.get(name, 0.0) + 1.0
    return {name: value for name, value in found.items() if value}


def _of_words(way: Way, most: float) -> dict[str, float]:
    kept = [m for m in way.read if m.kind in _SAYING]
    lost = [m for m in way.left_out if m.kind in _SAYING or class_of(m) in ("word", "name", "verb")]
    return {
        "cut": sum(m.score for m in way.marks if m.kind != "unknown") - most,
        "long": log1p(len(way.marks)),
        "verbs": float(sum(m.kind == "link" for m in way.read)),
        "several left out": float(max(len(way.gone) - 1, 0)),
        "share left out": len(lost) / max(len(lost) + len(kept), 1),
    }


def _left_out(way: Way, draft: Draft) -> Iterator[str]:
    """What was left out and where: by its class, and for what says something by what stands beside it."""
    counted = any(t.counts for t in draft.outputs)
    for place, mark in enumerate(way.marks):
        if mark.start not in way.gone:
            continue
        said = f"left out: {class_of(mark)}"
        yield said
        if mark.kind == "unknown" or mark.kind in _NAMES:
            yield f"{said}, after {_beside(way.marks[:place][::-1])}"
            yield f"{said}, before {_beside(way.marks[place + 1 :])}"
            yield from ("something left out, counted" for _ in range(counted))


def repeats(way: Way, senses: tuple[Sense, ...]) -> bool:
    """Whether all names that were left out are said again: "Duke colleges", where Duke is a college."""
    tables = {s.table.path for s in senses}
    columns = {(s.table.path, c.name) for s in senses for c in s.columns}
    return all(
        any(s.table.path in tables if not s.columns else (s.table.path, s.column.name) in columns for s in mark.senses)
        for mark in way.left_out
        if mark.kind in _NAMES
    )


def _beside(marks: tuple[Mark, ...]) -> str:
    mark = next((m for m in marks if m.kind not in ("fill", "all")), None)
    return _BESIDE.get(mark.kind, "operator") if mark else "end"


def _of_names(draft: Draft, senses: tuple[Sense, ...], tree: Tree) -> dict[str, float]:
    named = [s for s in senses if s.value is None]
    spoken = {s.table.path for s in senses}
    tables = {path for edge in tree.edges for path in (edge.child, edge.parent)}
    rivals = [
        sum(other.score >= s.score - 0.1 for other in slot.senses) - 1
        for slot, s in zip(draft.slots, senses, strict=True)
    ]
    return {
        "loose": sum(-log(max(s.score, _LOWEST)) for s in named),
        "loosest": -log(max(min((s.score for s in named), default=1.0), _LOWEST)),
        "values": float(sum(s.value is not None for s in senses)),
        "spelt otherwise": float(sum(bool(s.note) for s in senses)),
        "other senses": log1p(sum(rivals)),
        "joins": float(len(tree.edges)),
        "guessed joins": float(sum(edge.guessed for edge in tree.edges)),
        "silent tables": float(len(tables - spoken)),
        "nothing named": float(draft.focus is None),
    }


def _of_shape(draft: Draft) -> dict[str, float]:
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
    for test in tests:
        yield test
        yield from _all(list(test.tests))


def beside(features: Mapping[str, float], score: float, others: Sequence[float], searched: bool) -> dict[str, float]:
    """The features of a reading among others, of which it knows the scores; those of a search weigh otherwise."""
    ahead = score - max(others, default=score - 1.0)
    told = {**features, "ahead": max(min(ahead, 1.0), -1.0), "others": float(len(others)), "score": score}
    if not searched:
        return told
    return {**told, "searched": 1.0, **{f"{name}, searched": told.get(name, 0.0) for name in _OTHERWISE}}


_OTHERWISE = ("ahead", "others", "score", "cut", "fit", "far", "doubt", "joins", "silent tables", "values", "loose")
