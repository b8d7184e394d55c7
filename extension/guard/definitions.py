"""Find the views, macros and generated columns whose definitions expand to more than can be read (`written_out`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from askwhere.engine import Column, Table
from askwhere.frozen import frozen
from askwhere.guard.estimates import MAX_WORK
from askwhere.guard.written_out import QUERIES, REASON, Relation, Scope, ends_with, estimate
from askwhere.sql import parsing
from askwhere.sql.dialects import named
from askwhere.sql.identifiers import fold, unquote
from askwhere.sql.lexer import tokens, words
from sqlglot import exp
from sqlglot.errors import SqlglotError


@frozen
class TooLong:
    """The views and virtual tables, by path, and the generated columns that expand to more than can be read."""

    views: frozenset[tuple[str, ...]]
    columns: frozenset[tuple[tuple[str, ...], str]]

    def notes(self) -> tuple[str, ...]:
        """Return a note on each of them."""
        paths = [*self.views, *((*path, column) for path, column in self.columns)]
        return tuple(f"{'.'.join(path)} is left out: it {REASON}" for path in sorted(paths))


def too_long(tables: Iterable[Table]) -> TooLong:
    """Return the views and generated columns of some tables that expand to more than `MAX_WORK`."""
    listed = tuple(tables)
    views = frozenset(t.path for t in listed if t.work > MAX_WORK)
    return TooLong(views, frozenset((t.path, c.name) for t in listed for c in t.columns if c.work > MAX_WORK))


class Definitions:
    """The sizes of expanded views, virtual tables and macros, each estimated when it is first named.

    `relations` are the definitions of views and virtual tables by path, `macros` those of macros by name.
    """

    def __init__(
        self, dialect: str, relations: Mapping[tuple[str, ...], str], macros: Mapping[str, str] | None = None
    ) -> None:
        self._dialect = dialect
        self._macros = {fold(name) for name in macros or ()}
        self._texts: dict[str, dict[tuple[str, ...], str]] = defaultdict(dict)
        for path, text in (*relations.items(), *(((name,), text) for name, text in (macros or {}).items())):
            self._texts[fold(path[-1])][path] = text
        self._known: dict[tuple[str, ...], Relation] = {}

    def relation(self, path: Sequence[str]) -> Relation:
        """Return the sizes of a table, given its path or the end of it; of several tables, those of the largest."""
        named = self._texts.get(fold(path[-1]), {}) if path else {}
        sizes = [self._defined(at, text) for at, text in named.items() if ends_with(at, path)]
        return max(sizes, key=lambda relation: relation.size, default=Relation())

    def macro(self, name: str) -> int:
        """Return the size of an expanded call of a function, without its arguments."""
        return self.relation((name,)).size if fold(name) in self._macros else 1

    def _defined(self, path: tuple[str, ...], text: str) -> Relation:
        """Return the sizes of the definition at a path, estimated once."""
        if path not in self._known:
            self._known[path] = Relation()  # ends the recursion of a definition that names itself, an error in engines
            self._known[path] = self._estimated(fold(path[-1]), text)
        return self._known[path]

    def _estimated(self, name: str, text: str) -> Relation:
        """Return the sizes of a definition: the number of its tokens, if it is one SELECT that names no other one."""
        lexed = tokens(text, self._dialect)
        mentioned = self._texts.keys() & words(text)
        if sum(fold(unquote(t.text)) == name for t in lexed) <= 1:
            mentioned -= {name}  # in CREATE VIEW
        if not mentioned and sum(t.word in {"select", "from", "values"} for t in lexed) <= 2:
            return Relation(other=len(lexed), size=len(lexed))
        try:
            tree = _tree(text, self._dialect)
            query = next((n for n in tree.walk() if isinstance(n, QUERIES)), tree)
            return estimate(query, Scope(self.relation, self.macro, named(self._dialect).merges_queries))
        except (SqlglotError, RecursionError):  # the definition of a virtual table, or one that sqlglot cannot parse
            times = Counter(fold(text).split())
            size = len(lexed) + sum(self.relation((name,)).size * max(1, times[name]) for name in mentioned)
            return Relation(other=size, size=size)


@lru_cache(64)
def _tree(text: str, dialect: str) -> exp.Expr:
    return parsing.statement(text, dialect)


def with_work(columns: Sequence[Column], relation: Relation, dialect: str) -> list[Column]:
    """Return a relation's columns, each with its size as `work`."""
    known = dict(relation.columns) | _computed(columns, dialect)
    other = relation.largest if relation.columns else relation.other
    return [replace(column, work=known.get(fold(column.name), other)) for column in columns]


def _computed(columns: Iterable[Column], dialect: str) -> dict[str, int]:
    """Return the size of each generated column, by its folded name, with those that it names expanded."""
    texts = {fold(c.name): tokens(c.computed, dialect) for c in columns if c.computed}
    sizes: dict[str, int] = {}

    def size(name: str) -> int:
        if name not in sizes:
            sizes[name] = 1  # ends the recursion where a text or function has the column's own name
            named_in = [fold(unquote(token.text)) for token in texts[name]]
            sizes[name] = sum(size(other) if other in texts else 1 for other in named_in)
        return sizes[name]

    return {name: size(name) for name in texts}
