"""Turn the order of a query round where it contradicts an adjective of the question: "the youngest" by age."""

from __future__ import annotations

import re
from collections.abc import Iterator

from askwhere.reader.words.measures import MEASURES, Measure
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import stem
from askwhere.rewrite.context import MendingContext
from sqlglot import exp

_WORD = re.compile(r"[a-z']+")
_LONGEST = max(map(len, MEASURES))


def in_asked_direction(tree: exp.Expr, context: MendingContext) -> bool:
    """Sort by a column in the direction that the question's superlative asks for; return whether this is a change.

    "The youngest" sorts an age upwards; it is about no date of birth. Nothing is done for a column that several
    superlatives may be about and that ask for different directions, except for those of "from … to …".
    """
    if not isinstance(tree, exp.Select) or not (order := tree.args.get("order")):
        return False
    first = order.expressions[0]
    column = first.this if isinstance(first, exp.Ordered) else first
    if not isinstance(first, exp.Ordered) or not isinstance(column, exp.Column):
        return False
    superlatives = [
        (word, measure.end) for word, measure in _superlatives(context.question) if _is_about(measure, column)
    ]
    ends = {end for _, end in superlatives}
    before = [word for word, _ in superlatives]
    if not ends or (len(ends) > 1 and before != ["from", "to"]) or before == ["to"]:
        return False
    if bool(first.args.get("desc")) == (superlatives[0][1] == "max"):
        return False
    first.set("desc", not first.args.get("desc"))
    first.set("nulls_first", False)
    return True


def _superlatives(question: str) -> Iterator[tuple[str, Measure]]:
    """Yield the superlatives of a question, each with the word before it, articles aside: "from", "to"."""
    words = [word for word in _WORD.findall(question.lower()) if word != "the"]
    place = 0
    while place < len(words):
        sizes = range(min(_LONGEST, len(words) - place), 0, -1)
        size = next((n for n in sizes if MEASURES.get(tuple(words[place : place + n]), ("",))[0] == "superlative"), 0)
        if size:
            yield words[place - 1] if place else "", MEASURES[tuple(words[place : place + size])][1]
        place += size or 1


def _is_about(measure: Measure, column: exp.Column) -> bool:
    """Return whether the name of a column ends in one of the words that an adjective is about."""
    name = full_stems(column.name)
    return any(name[-len(words) :] == tuple(map(stem, words)) for words in measure.words)
