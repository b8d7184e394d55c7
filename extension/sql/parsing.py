"""Parse SQL with sqlglot, with work and depth that are bounded by the length of the text.

sqlglot's parser backtracks where it guessed wrong, and nested guesses multiply: `DATE(DATE(DATE(…` takes twice as long
with each level. So the parser's steps are counted here, and a text that needs many more of them than its length
explains is refused. All SQL that a model, a file or a user wrote is parsed here and nowhere else.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sqlglot.parser
from askwhere.errors import AskError
from askwhere.sql.lexer import MAX_SQL_BYTES, MAX_TOKENS
from sqlglot import Dialect, Parser, Token, exp
from sqlglot.errors import ParseError, SqlglotError

# Steps that a query may take, and more for each token. The gold queries of Spider, BIRD and DuckDB-NSQL take 1.1 steps
# a token at the median and at most 2.7. The longest query takes 2 to 3 seconds before it reaches the limit.
STEPS = 10_000
STEPS_A_TOKEN = 10
# The parser's time for a long token counts as one step for so many characters.
CHARACTERS_A_STEP = 16
# `qualify` may make a query longer, up to this.
MAX_CHARACTERS = 2 * MAX_SQL_BYTES
# A dollar sign may begin a text that ends with the same `$tag$`; the tokenizer searches all that follows for each.
MAX_DOLLARS = 1_000
# Levels of a tree. SQLite allows expressions of 200 levels; the deepest query of the benchmarks has 21.
MAX_DEPTH = 500
# The most levels that one token makes: `t` becomes a From, a Table and an Identifier.
_LEVELS_A_TOKEN = 3


class TooComplex(SqlglotError):
    """An error for SQL that takes more work to parse than its length explains, or whose tree is too deep to walk."""


def statements(sql: str, dialect: str, lexed: list[Token] | None = None) -> list[exp.Expr]:
    """Return the trees of the statements in `sql`.

    `dialect` is sqlglot's name for it; `lexed` are the tokens of the text if the caller has them. Raise `TooComplex`
    for too much work, and another `SqlglotError` for a text that is not SQL.
    """
    reader = Dialect.get_or_raise(dialect)
    lexed = _tokens(sql, reader) if lexed is None else lexed
    reader.settings["steps"] = [STEPS + STEPS_A_TOKEN * len(lexed)]
    reader.parser_class = _counting(type(reader).parser_class)
    try:
        trees = [tree for tree in reader.parser().parse(lexed, sql) if tree is not None]
    except RecursionError:
        raise TooComplex("the query is nested too deeply") from None
    except (SqlglotError, MemoryError):
        raise
    except Exception as error:  # hostile text reaches errors of the parser of any kind
        raise ParseError("the parser does not know its shape") from error
    if len(lexed) * _LEVELS_A_TOKEN > MAX_DEPTH and any(_is_deep(tree) for tree in trees):
        raise TooComplex("the query is nested too deeply")
    return trees


def statement(sql: str, dialect: str) -> exp.Expr:
    """Return the tree of the first statement in `sql`. Raise as `statements` does; `ParseError` where there is none."""
    parsed = statements(sql, dialect)
    if not parsed:
        raise ParseError("there is no statement")
    return parsed[0]


def parsed(sql: str, dialect: str) -> exp.Expr | None:
    """Return the tree of the first statement in `sql`; None where there is none that can be parsed."""
    try:
        return statement(sql, dialect)
    except SqlglotError:
        return None


def transpiled(sql: str, read: str, write: str, **options: Any) -> list[str]:
    """Return the statements of `sql` translated from the dialect `read` to `write`. Raise as `statements` does.

    `options` are those of sqlglot's generator.
    """
    writer = Dialect.get_or_raise(write)
    trees = statements(sql, read)
    try:
        return [writer.generate(tree, copy=False, **options) for tree in trees]
    except RecursionError:
        raise TooComplex("the query is nested too deeply") from None
    except (SqlglotError, MemoryError):
        raise
    except Exception as error:  # of trees that no writer expects
        raise ParseError("the query has a shape that cannot be written") from error


def tokens(sql: str, dialect: str) -> list[Token]:
    """Return sqlglot's tokens of `sql`. Raise as `statements` does."""
    return _tokens(sql, Dialect.get_or_raise(dialect))


def _tokens(sql: str, reader: Dialect) -> list[Token]:
    """Return the tokens of `sql`. Raise `TooComplex` where there are too many."""
    if len(sql) > MAX_CHARACTERS:
        raise TooComplex(f"the query has {len(sql):,} characters; at most {MAX_CHARACTERS:,} are read")
    if sql.count("$") > MAX_DOLLARS:
        raise TooComplex(f"the query has more than {MAX_DOLLARS:,} dollar signs")
    tokens = reader.tokenize(sql)
    if len(tokens) > MAX_TOKENS:
        raise TooComplex(f"the query has more than {MAX_TOKENS:,} words")
    return tokens


class _Counting(Parser):
    """A parser that raises `TooComplex` when the steps of one text are used up, those of its inner parsers included."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.steps: list[int] = self.dialect.settings["steps"]

    def _advance(self, times: int = 1) -> None:
        super()._advance(times)
        self._spend(1 + len(self._curr.text) // CHARACTERS_A_STEP)

    def _parse_bracket(self, this: exp.Expr | None = None) -> exp.Expr | None:
        if this is not None and self._curr.token_type in self.BRACKETS:
            self._spend(sum(1 for _ in this.walk()))  # sqlglot annotates the types of all nodes before `[`
        return super()._parse_bracket(this)

    def _spend(self, steps: int) -> None:
        self.steps[0] -= steps
        if self.steps[0] < 0:
            # Not a ParseError: the parser would take that for a wrong guess, and try the next.
            raise TooComplex("the query takes too much work to read; nest fewer calls in each other")


@cache
def _counting(parser: type[Parser]) -> Any:
    """Return a dialect's parser as a class that counts its steps.

    Raise `AskError` where sqlglot is compiled: Python cannot subclass its parsers then.
    """
    if is_compiled():
        raise AskError(
            "the work of the compiled sqlglot cannot be bounded: expected its parser as Python, found it as the package"
            " sqlglotc has it; run pip uninstall sqlglotc"
        )
    return type(f"Counting{parser.__name__}", (_Counting, parser), {})


def is_compiled() -> bool:
    """Return whether sqlglot is compiled: the package sqlglotc puts compiled modules beside those of sqlglot."""
    return not str(sqlglot.parser.__file__).endswith(".py")


def _is_deep(tree: exp.Expr) -> bool:
    """Return whether a tree has more than `MAX_DEPTH` levels; level by level, as recursion could overflow."""
    level, depth = [tree], 0
    while level and depth <= MAX_DEPTH:
        level, depth = [child for node in level for child in node.iter_expressions()], depth + 1
    return bool(level)
