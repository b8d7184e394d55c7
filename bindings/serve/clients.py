"""Decide which statements a client of `askwhere serve` may run: any on the database, none that change the server.

Locked settings of DuckDB keep statements from files and networks. No setting prevents a statement from changing the
server or showing what other clients do. So Quack calls `Clients.may` before each statement.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Set
from itertools import pairwise, takewhile

import duckdb
from askwhere.bindings.duckdb.extensions import ALONE, Config
from askwhere.udfs import FUNCTIONS

log = logging.getLogger("askwhere")

NAME = "askwhere_may"
# Set for the instance once everything is loaded and other files are forbidden; the last one locks them.
SETTINGS = (
    *(f"{name} = {value}" for name, value in ALONE.items()),
    f"quack_authorization_function = '{NAME}'",
    # What a client may set for its own connection, beside schema, search path and variables; and what we set.
    "allowed_configs = ['timezone', 'calendar', 'integer_division', 'preserve_identifier_case', 'explain_output']",
    "lock_configuration = true",
)
STATEMENTS = frozenset(
    "SELECT INSERT UPDATE DELETE MERGE_INTO CREATE CREATE_FUNC ALTER DROP TRANSACTION PREPARE EXECUTE EXPLAIN MULTI SET"
    " VARIABLE_SET VACUUM ANALYZE PRAGMA".split()
)
_PRAGMAS = re.compile(
    r"\s*PRAGMA\s+(table_info|show|show_tables|show_tables_expanded|show_databases|database_list|database_size|version"
    r"|storage_info|functions|collations|platform|user_agent)\b",
    re.IGNORECASE,
)
# Functions that listen, connect elsewhere, show or log what other clients do, open files without DuckDB's own checks,
# or run a text that nobody has checked. Also those behind our macros, which trust the connection's number they get.
_FUNCTIONS = re.compile(
    r"quack_\w*|askwhere_\w*|(sqlite|postgres|mysql|pg)_\w*|(en|dis)able_\w*|truncate_duckdb_logs|duckdb_logs\w*|write_log|query"
    r"|json_execute_serialized_sql|(force_)?checkpoint|(arrow|pandas|seq)_scan|arrow_scan_dumb|python_map_function"
)
# What may follow EXPLAIN, whose ANALYZE runs it, and PREPARE, which keeps it for EXECUTE: the first word.
_PLAIN = frozenset("select with from values ( insert update delete merge create describe show summarize".split())
_OURS = frozenset(function.name for function in FUNCTIONS)
# DuckDB's own functions: a macro of such a name would replace one for every client.
_BUILT_IN = "SELECT DISTINCT system.main.lower(function_name) FROM system.main.duckdb_functions() WHERE internal"
_LOCKED: Config = {**ALONE, "enable_external_access": "false"}  # parsing an IMPORT DATABASE would read its files


class Clients:
    """Decides on statements, with a parser of its own, as the server's connection may be busy.

    `made` becomes True once a statement that may create or drop a function was allowed. With `reading`, the database is
    read-only, and a client may create only temporary things: all clients would see others.
    """

    def __init__(self, reading: bool = False) -> None:
        self.made, self._reading = False, reading
        self._parser = duckdb.connect(":memory:", config=_LOCKED)
        self._names = _OURS | {name for (name,) in self._parser.execute(_BUILT_IN).fetchall()}

    def may(self, client: str, sql: str) -> bool:
        """Return whether a client may run a text. The reason for a refusal is logged, as Quack does not pass it on."""
        try:
            with self._parser.cursor() as parser:
                kinds = [statement.type.name for statement in parser.extract_statements(sql)]
            words = list(_words(sql))
            self.made |= not {"macro", "function"}.isdisjoint(words)
            wrong = next(_wrong(kinds, words, sql, self._names), None)
            if self._reading and _changes_for_others(kinds, words):
                wrong = "what is served can only be read"
        except Exception as exc:  # not SQL, or a kind of statement that is not known here
            wrong = f"{type(exc).__name__}: {exc}".partition("\n")[0]
            if isinstance(exc, duckdb.ParserException):
                return True  # running it, DuckDB reports the error
        if wrong:
            log.warning("a client's statement was refused: %s", wrong)
        return not wrong


def _wrong(kinds: list[str], words: list[str], sql: str, functions: Set[str]) -> Iterator[str]:
    """Yield each reason to refuse statements, given their kinds and words; no macro may have a name in `functions`."""
    for kind in kinds:
        if kind not in STATEMENTS:
            yield f"{kind} is not for clients"
    if "PRAGMA" in kinds and (len(kinds) > 1 or not _PRAGMAS.match(sql)):
        yield "a PRAGMA that does more than show the database"
    for name, follows in pairwise([*words, ""]):
        if follows == "(" and _FUNCTIONS.fullmatch(_unmarked(name)):
            yield f"{_unmarked(name)}() is not for clients"
        if "SET" in kinds and name in ("set", "reset") and follows == "global":
            yield "what is GLOBAL is set for all clients"
        if name == "alter" and follows == "database":
            yield "the database's name is the server's"
    if {"EXPLAIN", "PREPARE"} & {*kinds} and (len(kinds) > 1 or _inner_word(words) not in _PLAIN):
        yield "an EXPLAIN or a PREPARE of more than one query"
    for made, named in _definitions(words):
        if made == "secret":
            yield "secrets are the server's"
        if _TEXT in named:
            yield f"the name of a {made} in single quotes"
        for name in functions & named:
            yield f"a macro {name}() would take a function's place for all clients"


def _changes_for_others(kinds: list[str], words: list[str]) -> bool:
    """Return whether statements create, change or drop something that other connections see."""
    if {"ALTER", "DROP"} & {*kinds}:
        return True
    made = (place for place, word in enumerate(words) if word == "create")  # PIVOT is of the kind CREATE without it
    heads = ([word for word in words[place + 1 : place + 4] if word not in ("or", "replace")] for place in made)
    temporary = all(head[:1] in (["temp"], ["temporary"]) for head in heads)
    return not temporary and not {"CREATE", "CREATE_FUNC", "EXPLAIN", "PREPARE"}.isdisjoint(kinds)


def _inner_word(words: list[str]) -> str:
    """Return the first word of the statement inside EXPLAIN or PREPARE, '' for other statements."""
    left = {"explain": words[1:], "prepare": words[2:]}.get(words[0], [])
    left = left[left[:1] == ["analyze"] :]
    if left[:1] == ["("] and ")" in left:
        left = left[left.index(")") + 1 :]
    return next(iter(left[left[:1] == ["as"] :]), "")


def _definitions(words: list[str]) -> Iterator[tuple[str, set[str]]]:
    """Yield 'macro', 'function' or 'secret', with its possible names, for each that is created or dropped."""
    before = ""
    for place, word in enumerate(words):
        if word in ("macro", "function", "secret") and before in ("create", "drop", "alter"):
            head = [*takewhile(lambda word: word not in ("(", ";"), words[place + 1 : place + 1 + _HEAD]), ""]
            yield word, {_unmarked(name) for name, follows in pairwise(head) if follows != "."} - _BETWEEN
        before = before if word in _BETWEEN else word


def _words(sql: str) -> Iterator[str]:
    """Yield names and signs in lower case, a quoted name with a quote before it, `_TEXT` for a text; no comments."""
    content = sql.encode()
    tokens = duckdb.tokenize(sql)
    for (place, kind), end in zip(tokens, [*(place for place, _ in tokens[1:]), len(content)], strict=True):
        if kind.name == "comment":  # DuckDB before 2.0 does not list comments
            continue
        text = content[place:end].decode()
        if quoted := _QUOTED.match(text):  # not to its last quote, which may be that of a comment
            yield '"' + quoted[1].replace('""', '"').lower()
        elif kind.name in ("identifier", "keyword"):
            # To the parser, Unicode's spaces are spaces; to the tokenizer they are letters.
            yield from _WORD.findall(_AFTER.split(text.lower())[0])
        else:
            yield _TEXT if kind.name == "string_const" else text[:1]


def _unmarked(word: str) -> str:
    """Return the name of a word of `_words`, without the mark of a quoted one."""
    return word.removeprefix('"')


_TEXT = "'"  # stands for a text in `_words`: DuckDB takes one for a name where a macro is made
_BETWEEN = frozenset("or replace temp temporary persistent table if not exists".split())
_HEAD = 9  # words after MACRO, up to the bracket: IF NOT EXISTS database.schema.name
# Not what has no width, such as U+200B: to the parser that is a space, to Python it is none.
_WORD = re.compile(r"\w+|[!-~]")
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_AFTER = re.compile(r"[ \t\n\r\f\v]|--|/\*")  # where a token ends
