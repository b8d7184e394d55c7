"""Scripts for the shells: what is read from a pipe, cut into statements and run up to the first error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

from askwhere.bindings.cli.show import heard
from askwhere.bindings.file_errors import of_file
from askwhere.bindings.sqlite.text import tokens  # strings, names and comments are written alike in both engines


def run(statements: Iterable[str], execute: Callable[[str], None]) -> int:
    """Run each, up to `.quit` (an EOFError) or an error, which is said on standard error; returns the exit code."""
    for text in statements:
        try:
            execute(text)
        except EOFError:
            break
        except OSError:
            raise  # the output's trouble, not the statement's
        except Exception as exc:
            said = of_file(exc)
            # APSW's shell has said it already, with the place in the statement.
            if said or not getattr(exc, "_handle_exception_saw_this", False):
                print(heard(f"askwhere: {said or message(exc)}", sys.stderr), file=sys.stderr)
            return 1
    return 0


def message(exc: Exception) -> str:
    """The engine's text, without the note that it came through Python."""
    text = str(exc)
    _, found, ours = text.partition("Python exception occurred while executing the UDF: ")
    return ours.partition("\n\nLINE 1:")[0].partition(": ")[2] if found else text


def complete_statements(lines: Iterable[str], complete: Callable[[str], bool]) -> Iterator[str]:
    """The statements and dot commands of a script, line by line; what is left at its end counts as a statement."""
    text = ""
    for line in lines:
        text += line if line.endswith("\n") else line + "\n"
        if text.lstrip().startswith(".") or complete(text):
            yield text.lstrip()
            text = ""
    if text.strip():
        yield text.lstrip()


def is_complete(text: str) -> bool:
    """Whether a text can be run: a dot command, or SQL that ends in a semicolon outside of quotes and comments."""
    if text.lstrip().startswith("."):
        return True
    found = tokens(text)
    return bool(found) and found[-1].text == ";"
