"""What a client of `askwhere serve` may run: SQL on the database that is served, and nothing that is the server's.

DuckDB's own settings, locked, hold what reaches outside of the database. What changes the server, or shows one client
what others do, no setting of DuckDB holds: Quack asks `Clients.may` before each statement.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

import duckdb
from askwhere.udfs import FUNCTIONS

log = logging.getLogger("askwhere")

NAME = "askwhere_may"
# Set for the instance, once everything is loaded, and then for good.
SETTINGS = (
    "enable_external_access = false",
    "autoload_known_extensions = false",
    "autoinstall_known_extensions = false",
    "allow_community_extensions = false",
    f"quack_authorization_function = '{NAME}'",
    # How a client's own connection shows things. Schema, search path and variables are its own in any case.
    "allowed_configs = ['timezone', 'calendar', 'integer_division', 'preserve_identifier_case']",
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
# Functions that listen, connect to others, show or log what other clients do, or run a text that nobody has looked at;
# and those behind our own macros, which are told whose connection calls.
_FUNCTIONS = re.compile(
    r"quack_\w*|askwhere_(read|change)_\w*|(en|dis)able_logging|truncate_duckdb_logs|duckdb_logs\w*|write_log|query"
    r"|json_execute_serialized_sql|(force_)?checkpoint|(arrow|pandas|seq)_scan|arrow_scan_dumb|python_map_function"
)
_MACRO = re.compile(
    r"(create|drop|alter) (or replace )?((temp|temporary|persistent) )?(macro|function) (table )?"
    r"(if (not )?exists )?((\S+) \. )*(?P<name>\S+)"
)
# EXPLAIN ANALYZE runs what it explains, and PREPARE keeps it for EXECUTE.
_WRAPPED = re.compile(r"(explain (analyze )?|prepare \S+ )(\( [^)]* \) )?(as )?(?P<first>\S+)")
_PLAIN = frozenset("select with from values ( insert update delete merge create describe show summarize".split())
_SECRET = re.compile(r"(create|drop) (or replace )?((temp|temporary|persistent) )?secret\b")
_OURS = frozenset(function.name for function in FUNCTIONS)


class Clients:
    """Judges statements, with a parser of its own: the server's connection may be at work."""

    def __init__(self) -> None:
        self._parser = duckdb.connect(":memory:")

    def may(self, client: str, sql: str) -> bool:
        """Whether a client may run it. Quack tells the client no more than this, so the log has the reason."""
        try:
            with self._parser.cursor() as parser:
                kinds = [statement.type.name for statement in parser.extract_statements(sql)]
            wrong = next(_wrong(kinds, list(_words(sql)), sql), None)
        except Exception as exc:  # it is no SQL, or of a kind that is not known here
            wrong = f"{type(exc).__name__}: {exc}".partition("\n")[0]
            if isinstance(exc, duckdb.ParserException):
                return True  # DuckDB says what is wrong with it
        if wrong:
            log.warning("a client's statement was refused: %s", wrong)
        return not wrong


def _wrong(kinds: list[str], words: list[str], sql: str) -> Iterator[str]:
    """What is wrong with statements of these kinds, that are these words."""
    for kind in kinds:
        if kind not in STATEMENTS:
            yield f"{kind} is not for clients"
    if "PRAGMA" in kinds and (len(kinds) > 1 or not _PRAGMAS.match(sql)):
        yield "a PRAGMA that does more than show the database"
    for name, follows in zip(words, [*words[1:], ""], strict=True):
        if follows == "(" and _FUNCTIONS.fullmatch(name):
            yield f"{name}() is not for clients"
    said = " ".join(words)
    if {"EXPLAIN", "PREPARE"} & {*kinds}:
        found = _WRAPPED.match(said)
        if len(kinds) > 1 or not found or found["first"] not in _PLAIN:
            yield "an EXPLAIN or a PREPARE of more than one query"
    if "alter database" in said:
        yield "the database's name is the server's"
    if (found := _MACRO.search(said)) and found["name"] in _OURS:
        yield f"{found['name']}() belongs to the server"
    if _SECRET.search(said):
        yield "secrets are the server's"


def _words(sql: str) -> Iterator[str]:
    """Names, without quotes and in lower case, and signs; comments are left out."""
    content = sql.encode()
    tokens = duckdb.tokenize(sql)
    for (place, kind), end in zip(tokens, [*(place for place, _ in tokens[1:]), len(content)], strict=True):
        if kind.name == "comment":  # before DuckDB 2.0 they are not listed
            continue
        found = _TOKEN.match(content[place:end].decode())
        if found:
            yield found[1].replace('""', '"').lower() if found[1] is not None else found[0].lower()


_TOKEN = re.compile(r'"((?:[^"]|"")*)"|\w+|\S')
