"""The catalog grammar, as text: names as tries, quoted where they must be. What it lets through, a model shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from askwhere.engine import Column, Grant, Table
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.binding import grammar as grammar_
from askwhere.pipeline.binding.grammar import grammar


def catalog(*columns: str, table: str = "t") -> Catalog:
    made = Table(("main", table), tuple(Column(name) for name in columns))
    return Catalog((made,), Grant((made,)))


def rule(text: str, name: str) -> str:
    return next(line.split(" ::= ")[1] for line in text.splitlines() if line.startswith(f"{name} ::= "))


def test_names_share_what_they_begin_with() -> None:
    text = grammar(catalog("total", "title", "id"), "sqlite")
    assert rule(text, "column").endswith('"id" | "t" ("itle" | "otal"))')


def test_a_name_that_begins_another_is_kept() -> None:
    assert grammar_._trie({"a", "ab", "abc"}) == '("a" ("b" ("c")?)?)'


@pytest.mark.parametrize("name", ["order", "with space", "naïve", "1st", 'a"b', "semi;colon", "Select"])
def test_a_name_that_cannot_stand_bare_is_quoted(name: str) -> None:
    column = rule(grammar(catalog(name), "sqlite"), "column")
    assert column.startswith('("\\"')
    assert " | " not in column


def test_a_grammar_is_made_once_a_schema() -> None:
    one = catalog("a", "b")
    assert grammar(one, "sqlite") is grammar(catalog("a", "b"), "sqlite")
    assert grammar(one, "sqlite") is not grammar(catalog("a"), "sqlite")


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_only_functions_that_the_guard_lets_through_are_named(dialect: str) -> None:
    text = grammar(catalog("a"), dialect)
    assert ("date_trunc" in text or "trunc" in rule(text, "function2")) == (dialect == "duckdb")


def test_every_rule_that_is_used_is_there() -> None:
    import re

    text = grammar(catalog("a"), "duckdb")
    bodies = re.sub(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]])*\]|\{[^}]*\}', " ", text)
    defined = {line.split(" ::= ")[0] for line in text.splitlines()}
    assert set(re.findall(r"[a-z][a-z0-9-]*", bodies)) == defined


def test_the_size_grows_with_the_names_alone(tmp_path: Path) -> None:
    small = len(grammar(catalog("a"), "sqlite"))
    large = len(grammar(catalog(*(f"column_{i}" for i in range(1000))), "sqlite"))
    assert large < small + 1000 * 40
