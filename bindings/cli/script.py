"""Run scripts for the shells: text from a pipe, split into statements and run up to the first error."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator

from askwhere.bindings.cli import questions
from askwhere.bindings.cli.show import fitted, safe_for
from askwhere.bindings.engine_errors import explained
from askwhere.bindings.misuse import misuse
from askwhere.bindings.sqlite.arguments import tokens  # both engines write strings, names and comments alike

# What DuckDB writes before an error that a function raises, and after it: the line that calls a function of ours.
_CLASS = "Invalid Input Error: "
_CALL = re.compile(r"\n\nLINE \d+: .*\bask\w*\(.*\n *\^+\Z")


def run(statements: Iterable[str], execute: Callable[[str], None], engine: str, asking: str = "") -> int:
    """Run each statement, up to `.quit` (an EOFError) or an error, which is printed. Return the exit code.

    If a statement of `engine`'s SQL fails because it is a question, the command that asks it is printed, too: `asking`
    where the statements together are a question that this command asks.
    """
    for text in statements:
        try:
            execute(text)
        except EOFError:
            break
        except OSError:
            raise  # an error of the output, not of the statement
        except Exception as exc:
            error = explained(exc) or misuse(text, str(exc))
            # APSW's shell has printed it already, with the place in the statement.
            if error or not getattr(exc, "_handle_exception_saw_this", False):
                print(fitted(f"askwhere: {error or message(exc)}", sys.stderr), file=sys.stderr)
            line = text.partition("\n")[0].strip().removesuffix(";")
            if questions.why_question(line, engine):
                asked = (
                    f"to ask it: {asking}" if asking else f"a script asks a question by .ask, in a line: .ask {line}"
                )
                print(safe_for(f"askwhere: {asked}", sys.stderr), file=sys.stderr)
            return 1
    return 0


def message(exc: Exception) -> str:
    """Return an engine's error text. DuckDB adds a class and the call to an error of ours; they are left out."""
    text = str(exc)
    return _CALL.sub("", text.removeprefix(_CLASS)) if text.startswith(_CLASS) else text


def complete_statements(lines: Iterable[str], complete: Callable[[str], bool]) -> Iterator[str]:
    """Yield the statements and dot commands of a script; what is left at its end counts as a statement."""
    text = ""
    for line in lines:
        text += line if line.endswith("\n") else line + "\n"
        if text.lstrip().startswith(".") or complete(text):
            yield text.lstrip()
            text = ""
    if text.strip():
        yield text.lstrip()


def is_complete(text: str) -> bool:
    """Return whether a text can be run: a dot command, or SQL that ends in a semicolon outside of quotes."""
    if text.lstrip().startswith("."):
        return True
    lexed = tokens(text)
    return bool(lexed) and lexed[-1].text == ";"
