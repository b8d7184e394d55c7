"""Tell questions from SQL at the prompt of `askwhere shell`."""

from __future__ import annotations

import re

from askwhere.bindings.following import unquoted
from askwhere.errors import suggestion
from askwhere.sql.dialects import named
from askwhere.sql.lexer import Token, tokens

HELP = (
    "Ask a question in plain words, or run SQL, which may call ask('…') and ends with a semicolon;"
    " .help lists the commands, .quit leaves."
)

NOT_SQL = "Not SQL, so asked as a question."

# Characters of SQL that questions seldom have; a semicolon may end either.
_PUNCTUATION = re.compile(r"""[*=<>()\[\]{}"`;]""")
_FAULT = re.compile(r'(?:near|at or near) "(.*?)"')
# The similarity from which a word is a misspelt one of SQL: "selct", but not "how", which is no "show".
_NEAR = 0.87
# A word that is put behind a line: a syntax error there means that the line is SQL that goes on below.
_NEXT = "askwhere_next"
# Words that stand alone in the first line of a statement; others are followed by what they are about.
_ALONE = ("explain", "from", "select", "values", "with")
# Words behind which a name is followed by more in its line: `WITH a AS (`, `CALL f(`.
_NAMING = ("call", "with")


def why_question(line: str, engine: str) -> str | None:
    """Return why a line at the prompt of an engine is a question and no SQL, as a sentence; None for SQL.

    A line is a question if no statement begins with its first word or is broken where the line ends (`with
    population`), or if the engine finds a syntax error that no further text could repair, and the line has no
    characters that are typical of SQL. A line that ends with a semicolon is SQL also if its first word is nearly that
    of a statement.
    """
    text = line.strip()
    if (inner := unquoted(text)) != text:
        return why_question(inner, engine)
    lexed = tokens(text, engine)
    if not lexed or "\n" in text or lexed[0].text in ("(", ";", "."):
        return None
    by_characters = bool(_PUNCTUATION.search(text.removesuffix(";")))
    if lexed[0].word not in named(engine).statements:
        misspelt = suggestion(lexed[0].word, named(engine).statements, _NEAR)
        return None if text.endswith(";") and (by_characters or misspelt) else NOT_SQL
    fault = None if by_characters else _fault(text.removesuffix(";"), engine)
    if fault:
        return f'Not SQL (there is a syntax error near "{fault}"), so asked as a question.'
    return NOT_SQL if _stops_short(lexed, text, engine) else None


def _stops_short(lexed: list[Token], text: str, engine: str) -> bool:
    """Return whether a line ends where no statement is broken: in its first word, or behind a name that needs more."""
    words = [token for token in lexed if token.word != "recursive"]
    if len(words) == 1:
        return words[0].word not in _ALONE and _error(text, engine) != ""
    return len(words) == 2 and words[0].word in _NAMING and words[1].kind == "word"


def _fault(text: str, engine: str) -> str | None:
    """Return the word of a text at which the engine reports a syntax error; None where more text may complete it."""
    error = _error(f"{text} {_NEXT}", engine)
    match = _FAULT.search(error) if "syntax error" in error else None
    return match[1] if match and match[1] != _NEXT else None


def _error(text: str, engine: str) -> str:
    """Return the error with which the engine parses a text; '' if there is none."""
    try:
        if engine == "sqlite":
            import apsw
            import apsw.ext

            apsw.ext.query_info(apsw.Connection(":memory:"), text)
        else:
            import duckdb

            duckdb.extract_statements(text)
    except Exception as exc:  # of either engine
        return str(exc)
    return ""
