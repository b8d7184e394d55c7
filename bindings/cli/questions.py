"""Tells questions from SQL at the prompt of `askwhere shell`, and prints their answers."""

from __future__ import annotations

import re
from typing import IO, Any

import askwhere
from askwhere.bindings.cli.show import safe_for
from askwhere.sql.lexer import tokens
from askwhere.tables import table

HELP = "Ask a question in plain words, or run SQL, which may call ask('…'); .help lists the commands and functions."

# The words that statements of both engines begin with, and those of one alone.
_BOTH = (
    "select with values insert replace update delete create drop alter pragma explain attach detach begin commit end"
    " rollback vacuum analyze"
)
_STATEMENTS = {
    "sqlite": frozenset(f"{_BOTH} savepoint release reindex".split()),
    "duckdb": frozenset(
        f"{_BOTH} from describe desc summarize show copy export import install load set reset use call pivot unpivot"
        " prepare execute deallocate checkpoint truncate comment merge table abort start force".split()
    ),
}
# What SQL has, and questions seldom; a semicolon may end either.
_PUNCTUATION = re.compile(r"""[*=<>()\[\]{}"`;]""")
_FAULT = re.compile(r'(?:near|at or near) "(.*?)"')
# The word that a line is tried with, to tell SQL that goes on below from what can never become SQL.
_NEXT = "askwhere_next"


def why_question(line: str, engine: str) -> str | None:
    """Return why a line at the prompt of an engine is a question and no SQL, as a sentence; None for SQL.

    A line is a question where no statement begins with its first word, or where the engine finds a fault in its syntax
    that nothing below could mend, and the line has no characters that only SQL has.
    """
    text = line.strip()
    found = tokens(text, engine)
    if not found or "\n" in text or found[0].text in ("(", ";", "."):
        return None
    by_characters = bool(_PUNCTUATION.search(text.removesuffix(";")))
    if found[0].word not in _STATEMENTS[engine]:
        return None if by_characters and text.endswith(";") else "Not SQL, so asked as a question."
    fault = None if by_characters else _fault(text.removesuffix(";"), engine)
    return fault and f'Not SQL (there is a syntax error near "{fault}"), so asked as a question.'


def _fault(text: str, engine: str) -> str | None:
    """Return the word at which a text stops being SQL, whatever follows the text; None where there is none."""
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
        found = _FAULT.search(str(exc)) if "syntax error" in str(exc) else None
        return found[1] if found and found[1] != _NEXT else None
    return None


def answer(connection: Any, question: str, out: IO[str]) -> None:
    """Ask a question, and print the rows with the query below. Raises `AskError` where there is no answer."""
    found = askwhere.ask(connection, question)
    print(table(found.columns, found.rows), file=out)
    print(safe_for(f"By this query, with a confidence of {found.confidence:.2f}:\n{found.sql}", out), file=out)
