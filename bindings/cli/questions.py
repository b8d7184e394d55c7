"""Tell questions from SQL at the prompt of `askwhere shell`."""

from __future__ import annotations

import re

from askwhere.bindings.following import unquoted
from askwhere.errors import suggestion
from askwhere.sql.dialects import named
from askwhere.sql.lexer import tokens

HELP = (
    "Ask a question in plain words, or run SQL, which may call ask('…') and ends with a semicolon;"
    " .help lists the commands, .quit leaves."
)

# Characters of SQL that questions seldom have; a semicolon may end either.
_PUNCTUATION = re.compile(r"""[*=<>()\[\]{}"`;]""")
_FAULT = re.compile(r'(?:near|at or near) "(.*?)"')
# The similarity from which a word is a misspelt one of SQL: "selct", but not "how", which is no "show".
_NEAR = 0.87
# A word that is put behind a line: a syntax error there means that the line is SQL that goes on below.
_NEXT = "askwhere_next"


def why_question(line: str, engine: str) -> str | None:
    """Return why a line at the prompt of an engine is a question and no SQL, as a sentence; None for SQL.

    A line is a question if no statement begins with its first word, or if the engine finds a syntax error that no
    further text could repair, and the line has no characters that are typical of SQL. A line that ends with a semicolon
    is SQL also if its first word is nearly that of a statement.
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
        return None if text.endswith(";") and (by_characters or misspelt) else "Not SQL, so asked as a question."
    fault = None if by_characters else _fault(text.removesuffix(";"), engine)
    return fault and f'Not SQL (there is a syntax error near "{fault}"), so asked as a question.'


def _fault(text: str, engine: str) -> str | None:
    """Return the word of a text at which the engine reports a syntax error; None where more text may complete it."""
    tried = f"{text} {_NEXT}"
    try:
        if engine == "sqlite":
            import apsw
            import apsw.ext

            apsw.ext.query_info(apsw.Connection(":memory:"), tried)
        else:
            import duckdb

            duckdb.extract_statements(tried)
    except Exception as exc:  # of either engine
        match = _FAULT.search(str(exc)) if "syntax error" in str(exc) else None
        return match[1] if match and match[1] != _NEXT else None
    return None
