"""Complete what is typed at the prompt: dot commands and their arguments, and names by where they stand."""

from __future__ import annotations

import contextlib
import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from askwhere.bindings import connections
from askwhere.bindings.cli import questions
from askwhere.bindings.cli.commands import COMMANDS, FUNCTIONS_TOPIC, Shell
from askwhere.bindings.cli.writing import MODES, PAGERS
from askwhere.engine import Table
from askwhere.sql.dialect import Dialect
from askwhere.sql.dialects import named
from askwhere.sql.identifiers import fold, fold_path, quote, unquote
from askwhere.sql.lexer import Token, scan, tokens
from askwhere.sql.spans import WORDS
from askwhere.udfs import FUNCTIONS

_KEYWORDS = sorted({*map(str.upper, WORDS), "CREATE", "EXPLAIN", "TABLE", "VIEW"})
_BEFORE_TABLES = ("from", "join", "into", "update")
_LAST_WORD = re.compile(r"\w*\Z")

# What is compared with the text typed so far, and what stands in its place.
Offer: TypeAlias = tuple[str, str]


class Completed(NamedTuple):
    """The end of a text that is completed, and what may stand in its place."""

    typed: str
    offered: list[str]


def complete(shell: Shell, text: str, after: str = "") -> Completed:
    """Return the completions of `text`, the text before the cursor; `after` is the text behind it."""
    if text.startswith("."):
        return _command(shell, text)
    engine = connections.kind_of(shell.connection)
    if questions.why_question(text, engine):
        return _question(shell, text, is_first=not re.search(r"\s", text.strip()))
    return _sql(_tables(shell), named(engine), text, after)


def _fitting(typed: str, offers: Iterable[Offer]) -> Completed:
    """Return the offers that begin with the typed text, in any case, each once and in order.

    A name with signs that cannot be seen, or that change how others are shown, is not put into a line.
    """
    texts = {text for name, text in offers if name.lower().startswith(_unquoted(typed).lower()) and text.isprintable()}
    return Completed(typed, sorted(texts, key=lambda text: (text.lower(), text)))


def _unquoted(typed: str) -> str:
    """Return the beginning of a name without the quote that opens it."""
    return typed[1:] if typed[:1] in ('"', "`") else typed


def _command(shell: Shell, text: str) -> Completed:
    """Complete a dot command's name or, after a space, its argument."""
    name, space, argument = text.partition(" ")
    if not space:
        return _fitting(name, [(command, command) for command in (*COMMANDS, *shell.others)])
    if name == ".ask":
        return _question(shell, argument, is_first=False)
    typed = argument.lstrip()
    return _fitting(typed, _ARGUMENTS[name](shell, typed) if name in _ARGUMENTS else ())


def _question(shell: Shell, text: str, is_first: bool) -> Completed:
    """Complete a question by names as they are; its first word may become that of a statement."""
    last = _LAST_WORD.search(text)
    words = [*_function_names(), *((word, word) for word in _KEYWORDS)] if is_first else []
    names = [(name, name) for table in _tables(shell) for name in (table.name, *(c.name for c in table.columns))]
    return _fitting(last[0] if last else "", [*words, *names])


def _sql(tables: Sequence[Table], dialect: Dialect, text: str, after: str) -> Completed:
    """Complete a statement by keywords, functions and names; after `name.` by what that holds."""
    place = _place(dialect, text)
    if place is None:
        return Completed("", [])
    typed, before = place
    statement = _statement(dialect, text, after)
    if before and before[-1].text == ".":
        aliases = _aliases(tables, dialect, statement)
        offers = [*_names_after(tables, dialect, _path_before(before), aliases)]
    elif before and before[-1].word in _BEFORE_TABLES:
        offers = [*_table_names(tables, dialect), *_function_names()]
    else:
        columns = [(c.name, dialect.written(c.name)) for table in tables for c in table.columns]
        offers = [*((word, word) for word in _KEYWORDS), *_function_names(), *_table_names(tables, dialect), *columns]
    if typed[:1] in ('"', "`"):
        offers = [(name, quote(name)) for name, written in offers if not written.endswith("(")]
    return _fitting(typed, offers)


def _place(dialect: Dialect, text: str) -> tuple[str, list[Token]] | None:
    """Return the unfinished name at the end of SQL, and the tokens before it; None in a text, comment or number."""
    pieces = scan(text, dialect.name)
    if pieces and pieces[-1][0] in ("comment", "number"):
        return None
    lexed = tokens(text, dialect.name)
    opened = next((n for n, token in enumerate(lexed) if token.kind == "sign" and token.text in "\"'`"), None)
    if opened is not None:  # a quote that is not closed
        return None if lexed[opened].text == "'" else (text[lexed[opened].start :], lexed[:opened])
    if lexed and lexed[-1].end == len(text) and lexed[-1].kind == "word":
        return lexed[-1].text, lexed[:-1]
    return "", lexed


def _path_before(before: Sequence[Token]) -> tuple[str, ...]:
    """Return the names before the dot that a text ends in, folded: `main`, `orders` of `main.orders.`."""
    names: list[str] = []
    rest = list(before)
    while len(rest) >= 2 and rest[-1].text == "." and rest[-2].kind in ("word", "name"):
        names.insert(0, fold(unquote(rest[-2].text)))
        rest = rest[:-2]
    return tuple(names)


def _statement(dialect: Dialect, text: str, after: str) -> list[Token]:
    """Return the tokens of the statement that the cursor stands in, without the name before the cursor."""
    lexed = tokens(f"{text} {after}", dialect.name)
    ends = [token.end for token in lexed if token.text == ";"]
    start = max((end for end in ends if end <= len(text)), default=0)
    end = min((end for end in ends if end > len(text)), default=len(text) + len(after) + 1)
    return [token for token in lexed if start <= token.start < end]


def _aliases(tables: Sequence[Table], dialect: Dialect, lexed: Sequence[Token]) -> dict[str, Table]:
    """Return the tables of a statement by the names that it gives them: `o` in `FROM orders AS o`."""
    aliases = {}
    for n, token in enumerate(lexed):
        if token.word in (*_BEFORE_TABLES, ","):
            path, rest = _path_at(lexed[n + 1 :])
            table = next((t for t in tables if fold_path(t.path)[-len(path) :] == path), None)
            alias = next((t for t in rest if t.word != "as"), None)
            if table and alias and alias.kind in ("word", "name") and alias.word not in dialect.keywords:
                aliases[fold(unquote(alias.text))] = table
    return aliases


def _path_at(lexed: Sequence[Token]) -> tuple[tuple[str, ...], Sequence[Token]]:
    """Return the path of folded names at the beginning of some tokens, and the tokens after it."""
    end = 1
    while lexed[end : end + 1] and lexed[end].text == ".":
        end += 2
    return tuple(fold(unquote(token.text)) for token in lexed[:end:2]), lexed[end:]


def _names_after(
    tables: Sequence[Table], dialect: Dialect, path: tuple[str, ...], aliases: dict[str, Table]
) -> Iterator[Offer]:
    """Yield the columns of the table, and the tables of the schema, that a path means."""
    aliased = aliases.get(path[0]) if len(path) == 1 else None
    for table in [aliased] if aliased else tables:
        if aliased or fold_path(table.path)[-len(path) :] == path:
            yield from ((c.name, dialect.written(c.name)) for c in table.columns)
        elif fold_path(table.path[:-1])[-len(path) :] == path:
            yield table.name, dialect.written(table.name)


def _table_names(tables: Sequence[Table], dialect: Dialect) -> Iterator[Offer]:
    for table in tables:
        yield table.name, ".".join(map(dialect.written, table.short or table.path[-1:]))


def _function_names() -> Iterator[Offer]:
    for function in FUNCTIONS:
        yield function.name, f"{function.name}("


def _tables(shell: Shell) -> Sequence[Table]:
    with contextlib.suppress(Exception):  # an error of an engine: what the prompt is there to show, not its completion
        return connections.engine(shell.connection).tables()
    return ()


def _files(typed: str) -> Iterator[Offer]:
    for name in glob.glob(f"{glob.escape(typed)}*"):
        path = f"{name}/" if os.path.isdir(name) else name
        yield path, path


# The commands that take one of several things, and what these are.
_ARGUMENTS: dict[str, Callable[[Shell, str], Iterable[Offer]]] = {
    ".help": lambda shell, typed: [(FUNCTIONS_TOPIC, FUNCTIONS_TOPIC)],
    ".schema": lambda shell, typed: _table_names(_tables(shell), named(connections.kind_of(shell.connection))),
    ".mode": lambda shell, typed: [(mode, mode) for mode in MODES],
    ".pager": lambda shell, typed: [(pager, pager) for pager in PAGERS],
    ".chart": lambda shell, typed: _files(typed),
}
