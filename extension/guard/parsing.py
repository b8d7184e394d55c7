"""SQL as sqlglot's tokens and trees, in work and depth that are bounded by the length of the text.

sqlglot's parser goes back and tries again where it guessed wrong, and a guess within a guess doubles the work:
`DATE(DATE(DATE(…` takes twice as long with each level. Therefore its steps are counted here, whatever causes them, and
a text that needs many more than its length explains is no query. All SQL that a model, a file or a user wrote is parsed
here and nowhere else.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sqlglot.parser
from askwhere.errors import AskError
from askwhere.guard.scan import MAX_SQL_BYTES, MAX_TOKENS
from sqlglot import Dialect, Parser, Token, exp
from sqlglot.errors import ParseError, SqlglotError

# What a query may need: the gold queries of Spider, BIRD and DuckDB-NSQL take 1.1 steps a token at the median and at
# most 2.7, so that this is ten times what any of them needs for its length, and 2 to 3 seconds at the very most.
STEPS = 10_000
STEPS_A_TOKEN = 10
# A long token costs the parser as much as a step for each so many characters.
CHARACTERS_A_STEP = 16
# Guarded queries are written out to twice the length that they may have.
MAX_CHARACTERS = 2 * MAX_SQL_BYTES
# Each may open a text that ends with the same `$tag$`, and the tokenizer looks for that end through all that follows.
MAX_DOLLARS = 1_000
# How deep a tree may be. SQLite takes expressions of 200 levels, a benchmark's deepest query has 21.
MAX_DEPTH = 500
# No token makes more levels than this: `t` is a Table in a From, with an Identifier.
_LEVELS_A_TOKEN = 3


class Unbounded(SqlglotError):
    """A text takes more work to read than its length explains, or its tree is too deep to walk. The text says which."""


def statements(sql: str, dialect: str, found: list[Token] | None = None) -> list[exp.Expr]:
    """The trees of the statements in `sql`; `dialect` is sqlglot's name of one, `found` its tokens if they are known.

    Raises `Unbounded`, and another `SqlglotError` for what is no SQL.
    """
    reader = Dialect.get_or_raise(dialect)
    found = _tokens(sql, reader) if found is None else found
    reader.settings["steps"] = [STEPS + STEPS_A_TOKEN * len(found)]
    reader.parser_class = _counting(type(reader).parser_class)
    try:
        trees = [tree for tree in reader.parser().parse(found, sql) if tree is not None]
    except RecursionError:
        raise Unbounded("the query is nested too deeply") from None
    except (SqlglotError, MemoryError):
        raise
    except Exception as error:  # hostile text finds every hole in a parser; whatever comes out, the text is no query
        raise ParseError("the parser does not know its shape") from error
    if len(found) * _LEVELS_A_TOKEN > MAX_DEPTH and any(_is_deep(tree) for tree in trees):
        raise Unbounded("the query is nested too deeply")
    return trees


def statement(sql: str, dialect: str) -> exp.Expr:
    """The tree of the first statement in `sql`. Raises as `statements` does, also where there is none."""
    found = statements(sql, dialect)
    if not found:
        raise ParseError("there is no statement")
    return found[0]


def transpiled(sql: str, read: str, write: str, **options: Any) -> list[str]:
    """The statements of `sql`, which is in the dialect `read`, in the dialect `write`. Raises as `statements` does."""
    writer = Dialect.get_or_raise(write)
    try:
        return [writer.generate(tree, copy=False, **options) for tree in statements(sql, read)]
    except RecursionError:
        raise Unbounded("the query is nested too deeply") from None


def tokens(sql: str, dialect: str) -> list[Token]:
    """The tokens of `sql` as sqlglot reads it. Raises as `statements` does."""
    return _tokens(sql, Dialect.get_or_raise(dialect))


def _tokens(sql: str, reader: Dialect) -> list[Token]:
    if len(sql) > MAX_CHARACTERS:
        raise Unbounded(f"the query has {len(sql):,} characters; at most {MAX_CHARACTERS:,} are read")
    if sql.count("$") > MAX_DOLLARS:
        raise Unbounded(f"the query has more than {MAX_DOLLARS:,} dollar signs")
    found = reader.tokenize(sql)
    if len(found) > MAX_TOKENS:
        raise Unbounded(f"the query has more than {MAX_TOKENS:,} words")
    return found


class _Counting(Parser):
    """A parser that gives up when its steps, and those of the parsers that it starts itself, are used up."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.steps: list[int] = self.dialect.settings["steps"]

    def _advance(self, times: int = 1) -> None:
        super()._advance(times)
        self._spend(1 + len(self._curr.text) // CHARACTERS_A_STEP)

    def _parse_bracket(self, this: exp.Expr | None = None) -> exp.Expr | None:
        if this is not None and self._curr.token_type in self.BRACKETS:
            self._spend(sum(1 for _ in this.walk()))  # it looks at the types of all that stands before `[`
        return super()._parse_bracket(this)

    def _spend(self, steps: int) -> None:
        self.steps[0] -= steps
        if self.steps[0] < 0:
            # No ParseError: the parser takes that for a wrong guess, and tries the next.
            raise Unbounded("the query takes too much work to read; nest fewer calls in each other")


@cache
def _counting(parser: type[Parser]) -> Any:
    """The parser of a dialect that counts its steps. Raises `AskError` where sqlglot is compiled, which cannot."""
    if is_compiled():
        raise AskError(
            "the work of the compiled sqlglot cannot be bounded: expected its parser as Python, found it as the package"
            " sqlglotc has it; run pip uninstall sqlglotc"
        )
    return type(f"Counting{parser.__name__}", (_Counting, parser), {})


def is_compiled() -> bool:
    """Whether sqlglot is compiled, as the package sqlglotc makes it: no class of Python's can be made of its parsers.

    That package brings no module of its own: it puts compiled modules beside those of sqlglot.
    """
    return not str(sqlglot.parser.__file__).endswith(".py")


def _is_deep(tree: exp.Expr) -> bool:
    level, depth = [tree], 0
    while level and depth <= MAX_DEPTH:
        level, depth = [child for node in level for child in node.iter_expressions()], depth + 1
    return bool(level)
