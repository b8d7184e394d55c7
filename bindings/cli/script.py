"""Runs scripts for the shells: text from a pipe, split into statements and run up to the first error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

from askwhere.bindings.cli.show import safe_for
from askwhere.bindings.file_errors import of_file
from askwhere.bindings.sqlite.text import tokens  # both engines write strings, names and comments alike


def run(statements: Iterable[str], execute: Callable[[str], None]) -> int:
    """Run each statement, up to `.quit` (an EOFError) or an error, which is printed. Returns the exit code."""
    for text in statements:
        try:
            execute(text)
        except EOFError:
            break
        except OSError:
            raise  # an error of the output, not of the statement
        except Exception as exc:
            said = of_file(exc)
            # APSW's shell has printed it already, with the place in the statement.
            if said or not getattr(exc, "_handle_exception_saw_this", False):
                print(safe_for(f"askwhere: {said or message(exc)}", sys.stderr), file=sys.stderr)
            return 1
    return 0


def message(exc: Exception) -> str:
    """Return the engine's error text, without the note that it came through Python."""
    text = str(exc)
    _, found, ours = text.partition("Python exception occurred while executing the UDF: ")
    return ours.partition("\n\nLINE 1:")[0].partition(": ")[2] if found else text


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
    found = tokens(text)
    return bool(found) and found[-1].text == ";"
