"""The rules of the grammar, which its classes share."""

from __future__ import annotations

from collections import Counter

from askwhere.reader.grammar.question import Grammar
from askwhere.reader.grammar.rules import Rules


def test_no_class_of_the_grammar_replaces_a_rule_of_another() -> None:
    own = [name for kind in Grammar.__mro__ if kind not in (object, Rules) for name in vars(kind)]
    assert [name for name, many in Counter(own).items() if many > 1 and not name.startswith("_")] == []
