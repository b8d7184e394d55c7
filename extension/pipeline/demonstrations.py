"""Hold the demonstrations that prompts show: questions with their queries, chosen for the question asked."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random
from typing import Any

from askwhere.errors import ArgumentError, SettingError
from askwhere.frozen import frozen
from askwhere.indexer import forms
from askwhere.indexer.pins import Pin
from askwhere.indexer.values import tokens
from askwhere.indexer.word_forms import singular, split_capitals
from askwhere.pipeline.skeleton import skeleton
from askwhere.sql import parsing
from askwhere.sql.identifiers import unquote
from askwhere.sql.lexer import literal_texts, scan, without_literals
from askwhere.user_files import records, text_of
from sqlglot import exp
from sqlglot.errors import SqlglotError

# The words that stand for a name of the schema and for a value in a masked question.
MASK, VALUE = "maskedname", "maskedvalue"
# The names of a record's query in Spider's and BIRD's files, and in ours.
_SQL = ("sql", "query", "SQL")


@frozen
class Demonstration:
    """A question with its query; `dialect` is sqlglot's name of its dialect, '' for the database's own."""

    question: str
    sql: str
    dialect: str = ""


@lru_cache(maxsize=8)
def _read(path: Path, changed: int, size: int) -> tuple[Demonstration, ...]:
    """Return the demonstrations of a file; `changed` and `size` make it read again when the file changes."""
    listed = records(path, text_of(path, "a file of questions"))
    return tuple(_demonstration(record, place) for place, record in listed)


def read(path: str) -> tuple[Demonstration, ...]:
    """Return the demonstrations of a file: JSON lines or a JSON list of records with `question` and `sql`.

    Files of Spider and BIRD can be read too; BIRD's `evidence` becomes a part of the question. A record's `dialect` is
    sqlglot's name, 'sqlite' by default. Raise `SettingError`.
    """
    file = Path(os.path.expanduser(path))
    try:
        stat = file.stat()
        return _read(file, stat.st_mtime_ns, stat.st_size)
    except ArgumentError as exc:
        raise SettingError(f"setting examples: {exc}") from None
    except (OSError, UnicodeDecodeError) as exc:
        raise SettingError(f"setting examples: {file} cannot be read: {exc}") from None


def _demonstration(record: Any, place: str) -> Demonstration:
    """Return the demonstration of one record. Raise `ArgumentError` where it has no question or query."""
    question = record.get("question") if isinstance(record, dict) else None
    sql = next((record[name] for name in _SQL if isinstance(record.get(name), str)), None) if question else None
    if not isinstance(question, str) or sql is None:
        raise ArgumentError(f'{place}: expected {{"question": "…", "sql": "…"}}, found {json.dumps(record)[:80]}')
    evidence = record.get("evidence") or ""
    return Demonstration(f"{question} ({evidence})" if evidence else question, sql, record.get("dialect") or "sqlite")


def of_pins(
    pins: Iterable[Pin], dialect: str, values_in: Callable[[str], Iterable[str]] | None = None
) -> tuple[Demonstration, ...]:
    """Return a database's pins as demonstrations, without patterns and follow-ups.

    `values_in` returns the values of the database that a text contains. If it is given, these values, and the literals
    of the queries, are replaced by `?` in questions and queries.
    """
    shown = (Demonstration(pin.question, pin.sql) for pin in pins if pin.whole)
    return tuple(shown if values_in is None else (_without_values(shot, dialect, values_in) for shot in shown))


def _without_values(shot: Demonstration, dialect: str, values_in: Callable[[str], Iterable[str]]) -> Demonstration:
    """Return a demonstration with values and literals replaced by `?`."""
    hidden = {*literal_texts(shot.sql, dialect), *values_in(shot.question), *values_in(shot.sql)}
    aliases = {name for name in _aliases(shot.sql, dialect) if forms.contains_value(name, hidden)}
    sql = "".join(
        "?" if kind in ("word", "name") and unquote(text) in aliases else text for kind, text in scan(shot.sql, dialect)
    )
    return Demonstration(forms.masked(shot.question, hidden), without_literals(sql, dialect))


def _aliases(sql: str, dialect: str) -> set[str]:
    """Return the aliases that a query defines, which may contain values."""
    tree = parsing.parsed(sql, dialect)
    defining = (exp.Alias, exp.TableAlias, exp.CTE, exp.Subquery)
    return {node.alias for node in tree.find_all(*defining)} if tree is not None else set()


class Pool:
    """The demonstrations to choose from, for a database of `dialect`; of equal scores, earlier ones come first."""

    def __init__(self, demonstrations: Iterable[Demonstration], dialect: str) -> None:
        # Of equal questions the first one stays.
        self._all = tuple({forms.form(shot.question): shot for shot in reversed(list(demonstrations))}.values())[::-1]
        self._places = {forms.form(shot.question): place for place, shot in enumerate(self._all)}
        self._dialect = dialect
        self._skeletons: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, place: int) -> Demonstration:
        return self._all[place]

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """Return the question of each demonstration."""
        return tuple(shot.question for shot in self._all)

    @cached_property
    def masks(self) -> tuple[str, ...]:
        """Return the question of each demonstration, masked by the names and values of its own query."""
        return tuple(masked_by_sql(shot, shot.dialect or self._dialect) for shot in self._all)

    @cached_property
    def by_question(self) -> Callable[[str], list[int]]:
        """Return a function that orders the places by BM25 on the question."""
        return ranking(self.questions)

    @cached_property
    def by_mask(self) -> Callable[[str], list[int]]:
        """Return a function that orders the places by BM25 on the masked question."""
        return ranking(self.masks)

    def drawn(self, random: Random, k: int) -> tuple[Demonstration, ...]:
        """Return `k` random demonstrations, no two with the same skeleton."""
        return self.first(random.sample(range(len(self._all)), len(self._all)), k)

    def first(self, order: Iterable[int], k: int, question: str = "") -> tuple[Demonstration, ...]:
        """Return the first `k` demonstrations of an order of places, no two with the same skeleton.

        If the question itself is among them, it comes first. Queries are transpiled into the database's dialect.
        """
        itself = self._places.get(forms.form(question))
        places: dict[str, int] = {}
        for place in order if itself is None else (itself, *order):
            if len(places) == k:
                break
            places.setdefault(self._skeleton(place), place)
        return tuple(self._in_own_dialect(self._all[place]) for place in places.values())

    def _skeleton(self, place: int) -> str:
        if place not in self._skeletons:
            shot = self._all[place]
            self._skeletons[place] = skeleton(shot.sql, shot.dialect or self._dialect) or shot.sql
        return self._skeletons[place]

    def _in_own_dialect(self, shot: Demonstration) -> Demonstration:
        """Return the demonstration in the database's dialect, or unchanged where it cannot be transpiled."""
        if shot.dialect in ("", self._dialect):
            return replace(shot, dialect="")
        try:
            (sql,) = parsing.transpiled(shot.sql, shot.dialect, self._dialect)
        except (SqlglotError, ValueError):
            return replace(shot, dialect="")
        return Demonstration(shot.question, sql)


def ranking(texts: Iterable[str]) -> Callable[[str], list[int]]:
    """Return a function that orders the places of texts by BM25 for another text, the highest score first."""
    import numpy as np
    from rank_bm25 import BM25Okapi

    corpus = [tokens(text) for text in texts]
    if not any(corpus):
        return lambda _: list(range(len(corpus)))
    index = BM25Okapi(corpus)
    return lambda text: [int(n) for n in np.argsort(-index.get_scores(tokens(text)), kind="stable")]


def masked(question: str, names: Iterable[str], values: Iterable[str]) -> str:
    """Return the question with `MASK` in place of each of `names`, and `VALUE` in place of each value and number.

    >>> masked("How many customers are in Canada?", ["customer"], ["Canada"])
    'how many maskedname are in maskedvalue'
    """
    words = tokens(question)
    plain = [singular(word) for word in words]
    marks = [VALUE if word.isdigit() else "" for word in words]
    for mark, texts in ((MASK, names), (VALUE, values)):
        for text in texts:
            phrase = [singular(word) for word in tokens(split_capitals(text))]
            for place in range(len(words) - len(phrase) + 1):
                if phrase and plain[place : place + len(phrase)] == phrase:
                    marks[place : place + len(phrase)] = [mark] * len(phrase)
    kept: list[str] = []
    for word, mark in zip(words, marks, strict=True):
        if not mark or not kept or kept[-1] != mark:
            kept.append(mark or word)
    return " ".join(kept)


def masked_by_sql(shot: Demonstration, dialect: str) -> str:
    """Return a demonstration's question masked by the names and values of its own query.

    Its database is not needed.
    """
    tree = parsing.parsed(shot.sql, dialect)
    if tree is None:
        return masked(shot.question, (), ())
    names = {node.name for node in tree.find_all(exp.Table, exp.Column) if node.name}
    values = {node.name for node in tree.find_all(exp.Literal)}
    return masked(shot.question, names, values)
