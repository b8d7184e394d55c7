"""Make errors for data files that DuckDB cannot read: which line is wrong, and what to do."""

from __future__ import annotations

import os
import re

import duckdb
from askwhere.bindings.engine_errors import hidden
from askwhere.bindings.globs import WILD
from askwhere.errors import DatabaseError
from askwhere.sql.literals import quoted

_CSV = re.compile(r"CSV Error on Line: (\d+)\n(?:Original Line:.*\n)?(.*)")
_CSV_FILE = re.compile(r"^  file = (.*)$", re.MULTILINE)
_COLUMN = re.compile(r'Error when converting column "(.*)"\. Could not convert string .* to \'(.*)\'')
_COUNT = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
_JSON = re.compile(r'Malformed JSON in file "(.*)", at byte \d+ in (?:line|record/value) (\d+): ([^\n]*)')
_FORBIDDEN = re.compile(r'Cannot access (?:file|directory) "([^"]*)"')
_ENDS = re.compile(r"\s*(?:LINE \d+:|Possible|This file is not).*", re.DOTALL)


def unreadable(exc: Exception, name: str) -> DatabaseError:
    """Return our error for DuckDB's error `exc` about a data file, which is called `name` if `exc` does not name it."""
    text = str(exc)
    if match := _CSV.search(text):
        named = _CSV_FILE.search(text)
        return DatabaseError(f"{hidden(named[1] if named else name)}, line {int(match[1]):,}: {_line_error(match[2])}")
    if match := _JSON.search(text):
        return DatabaseError(
            f"{hidden(match[1])}, line {int(match[2]):,}: no JSON ({match[3].rstrip('. ')}); correct that line"
        )
    reason = _ENDS.sub("", text.partition(": ")[2] or text)
    return DatabaseError(f"{name} cannot be read: {hidden(reason.strip())}".encode(errors="backslashreplace").decode())


def is_of_file(exc: duckdb.Error) -> bool:
    """Return whether an error of DuckDB's is about a line of a data file."""
    return _CSV.search(str(exc)) is not None or _JSON.search(str(exc)) is not None


def not_allowed(text: str) -> str:
    """Return what to do about DuckDB's error for a file that it may not open; '' for any other error.

    >>> not_allowed('Permission Error: Cannot access file "data/day=*/*.csv" - file system operations are disabled')
    "data/day=*/*.csv may not be read here; in a file for --init, SET allowed_directories = ['data'] allows its folder"
    """
    match = _FORBIDDEN.search(text)
    if not match:
        return ""
    folder = os.path.dirname(WILD.split(match[1])[0]) or "."
    allowing = f"SET allowed_directories = [{quoted(folder)}]"
    return f"{match[1]} may not be read here; in a file for --init, {allowing} allows its folder"


def _line_error(reason: str) -> str:
    """Return the error of a line of a CSV file, with what to do, and without values."""
    if "unicode" in reason:
        return "the file is not in UTF-8; save it so, as with `iconv -f latin1 -t utf8`"
    if found := _COLUMN.search(reason):
        return f"the column {found[1]} is {found[2]} in the rows before, and here it is not; correct that line"
    if found := _COUNT.search(reason):
        return f"expected {found[1]} columns, as the first line has, found {found[2]}; correct that line"
    return f"{reason[:1].lower()}{reason[1:].rstrip('.')}; correct that line"
