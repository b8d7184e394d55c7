"""Describe an engine's SQL as facts: its tokens, keywords and types, and what it has or lacks.

A difference between the engines is a field of `Dialect`; no code compares an engine's name. The fields have no
defaults, so that a new engine must define them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from askwhere.frozen import frozen
from askwhere.sql.identifiers import quote
from sqlglot import exp

# Writes a call of another database's function, given the texts of its arguments; None where it cannot be written.
Rewriting: TypeAlias = Callable[..., str | None]

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_TOKENS = r"""
    (?P<comment> --[^\n]* | /\*.*?(?:\*/|\Z) )
  | (?P<text> [xX]?'(?:[^']|'')*' )
  | (?P<name> "(?:[^"]|"")*" %s )
  | (?P<space> [\s\ufeff]+ )
  | (?P<word> (?: [a-zA-Z_] | [^\x00-\x7f] ) (?: [\w%s] | [^\x00-\x7f\s\ufeff] )* )
  | (?P<number> 0[xX]\w*
      | (?: [0-9][0-9_]* (?:\.(?!\.)[0-9_]*)? | \.[0-9][0-9_]* ) (?:[eE][+-]?[0-9]+)? (?: (?<=\.) | \w* ) )
  | (?P<sign> . )
"""


def token_pattern(before: str, names: str = "", in_words: str = "") -> re.Pattern[str]:
    """Return the pattern of an engine's tokens, whose groups are named as the kinds.

    `before` are groups tried first, each ended by `|`; `names` are more ways to quote a name, each begun by `|`;
    `in_words` are signs that a word may have after its first letter.
    """
    return re.compile(before + _TOKENS % (names, in_words), re.DOTALL | re.VERBOSE)


@frozen
class Expressions:
    """The expressions that engines write differently, each as a function from trees of sqlglot to a tree.

    Dates and times may be texts that contain one. `day` is the day of a time; `year` and `quarter` are those of a
    date, as numbers; `formed` is a date as text in a form such as '%Y-%m', and `clock` a time of day as `19:00`. `days`
    is the number of days from the second date to the first, `seconds` the number of seconds between two times, and
    `age` the number of whole years since a date. `date`, `time` and `number` convert a text, where the engine needs
    that to compare it, to NULL if it is none; so does `typed`, to a declared type ('' for its own), and `dated`, to a
    date, from a form such as '%d/%m/%Y'. `month` is the first day of a month, from the numbers of a year and a month.
    `present` is the beginning of the unit ('day', 'week', 'month', 'quarter', 'year') that was current some months ago
    (the last number), moved by a number of units ('day', 'month', 'year').
    """

    day: Callable[[exp.Expr], exp.Expr]
    year: Callable[[exp.Expr], exp.Expr]
    quarter: Callable[[exp.Expr], exp.Expr]
    formed: Callable[[exp.Expr, str], exp.Expr]
    clock: Callable[[exp.Expr], exp.Expr]
    days: Callable[[exp.Expr, exp.Expr], exp.Expr]
    seconds: Callable[[exp.Expr, exp.Expr], exp.Expr]
    age: Callable[[exp.Expr], exp.Expr]
    date: Callable[[exp.Expr], exp.Expr]
    time: Callable[[exp.Expr], exp.Expr]
    number: Callable[[exp.Expr], exp.Expr]
    typed: Callable[[exp.Expr, str], exp.Expr]
    dated: Callable[[exp.Expr, str], exp.Expr]
    month: Callable[[exp.Expr, exp.Expr], exp.Expr]
    present: Callable[[str, int, str, int], exp.Expr]


@dataclass(frozen=True, eq=False)
class Dialect:
    """One engine's SQL. `name` is sqlglot's name for it, `title` the one that people and prompts use.

    `file_mark` are bytes by which a database file is known, after the place where they stand; None for an engine
    without such files.

    What a reader of its text must know:

    - `tokens`: the pattern of its tokens (`token_pattern`); `dollar_texts`: it has texts as `$tag$…$tag$`
    - `name_quotes`: the signs that begin a quoted name; `keywords`: the words, in lower case, that the engine or
      sqlglot does not read as a name wherever one may stand; `folds_names`: a name without quotes loses its capitals
    - `statements`: the words, in lower case, that a statement may begin with
    - `lateral`: a query in FROM sees the sources before it, without the word LATERAL
    - `null_order`: where NULL sorts: as the smallest or largest value, or always last

    What the guard must know:

    - `authorizer`: it does not show the guard its syntax tree, only what it reads while it prepares a statement
    - `collations`: all collations that may be named, where users can register others whose code would run, else None
    - `most_windows`: the most windows of a query, where preparing them takes more than linear time, else None
    - `in_tables`: `x IN t` reads the table t; `calls_tables`: a table function may be named like a table, and a
      full-text table called like a function
    - `shared_ctes`: each expression of one WITH sees all of them, not only those before it
    - `merges_queries`: a column of a query in FROM is replaced by the expression that it names, each time it is named

    What a writer must know:

    - `static_types`: all values of a column have its type; `plain_values`: all values are NULL, integers of 64 bits,
      floats, texts and bytes
    - `types`: what a query may cast to, one word each
    - `ilike`: there is ILIKE, since LIKE minds the case of letters
    - `limit_comma`: there is `LIMIT 20, 10`; `fetch_first`: there is `FETCH FIRST 5 ROWS ONLY`
    - `part`: writes the year, month, … of a date as a number; `calls`: how a function that other databases have is
      written here, by its name and number of arguments; `expressions`: what the reader composes
    """

    name: str
    title: str
    file_mark: tuple[int, bytes] | None
    tokens: re.Pattern[str]
    dollar_texts: bool
    name_quotes: str
    keywords: frozenset[str]
    statements: frozenset[str]
    folds_names: bool
    lateral: bool
    null_order: Literal["smallest", "largest", "last"]
    authorizer: bool
    collations: frozenset[str] | None
    most_windows: int | None
    in_tables: bool
    calls_tables: bool
    shared_ctes: bool
    merges_queries: bool
    static_types: bool
    plain_values: bool
    types: tuple[str, ...]
    ilike: bool
    limit_comma: bool
    fetch_first: bool
    part: Callable[[str, str], str]
    calls: Mapping[tuple[str, int], Rewriting]
    expressions: Expressions

    def is_bare(self, name: str) -> bool:
        """Return whether a name means itself without quotes."""
        kept = not self.folds_names or name == name.lower()
        return kept and _PLAIN.match(name) is not None and name.lower() not in self.keywords

    def written(self, name: str) -> str:
        """Return a name as SQL writes it: in quotes only where it needs them."""
        return name if self.is_bare(name) else quote(name)

    def nulls_first(self, descending: bool) -> bool:
        """Return whether a key of ORDER BY puts NULL first where the query does not say."""
        return self.null_order == ("largest" if descending else "smallest")
