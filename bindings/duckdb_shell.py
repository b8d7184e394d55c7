"""A prompt for DuckDB: statements over several lines, history, completion of names, tables in boxes."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import askwhere
import duckdb
from askwhere.bindings import connections
from askwhere.bindings.duckdb import Connection, interruptible
from askwhere.bindings.show import SHOWN, table
from askwhere.engine import quote
from askwhere.errors import AskError
from askwhere.pipeline.link import schema_text
from askwhere.udfs import FUNCTIONS

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

_KEYWORDS = "SELECT FROM WHERE GROUP BY ORDER HAVING LIMIT JOIN LEFT ON USING AS WITH CREATE TABLE VIEW EXPLAIN"


def run(connection: Connection, database: str, statements: Sequence[str], source: IO[str], out: IO[str]) -> int:
    """Run the statements; with none, a prompt on a terminal or a script from a pipe. Returns the exit code."""
    if statements:
        return int(not all(execute(connection, text, out) for text in statements))
    if not source.isatty():
        return _script(connection, source, out)
    print(f"askwhere {askwhere.__version__} on DuckDB {duckdb.__version__}, {database}.", file=out)
    print("Ask with SELECT * FROM ask('…'); see the SQL with SELECT ask_sql('…'); .help lists the commands.", file=out)
    return _prompt(connection, out)


def execute(connection: Connection, text: str, out: IO[str]) -> bool:
    """Run a dot command or statements and print what they give; False after an error, which is printed."""
    try:
        if text.lstrip().startswith("."):
            command(connection, text.strip(), out)
        else:
            for statement in duckdb.extract_statements(text):
                _show(*interruptible(connection, lambda s=statement: _rows(connection.execute(s))), out)  # type: ignore[misc]
    except (duckdb.Error, AskError) as exc:
        print(_message(exc), file=out)
        return False
    return True


def _rows(result: Connection) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The columns of a result and the rows that will be shown, with one more where there are more."""
    return [name for name, *_ in result.description or ()], result.fetchmany(SHOWN + 1)


def _show(columns: list[str], rows: list[tuple[Any, ...]], out: IO[str]) -> None:
    if columns == ["Count"] or not columns:
        return
    if columns == ["explain_key", "explain_value"]:
        print("\n".join(text for _, text in rows), file=out)
        return
    more = len(rows) > SHOWN
    print(table(columns, rows[:SHOWN]), file=out)
    if more:
        print(f"… and more; the prompt shows {SHOWN:,}", file=out)


def _message(exc: Exception) -> str:
    """The engine's text, without the note that it came through Python."""
    text = str(exc)
    _, found, ours = text.partition("Python exception occurred while executing the UDF: ")
    return ours.partition("\n\nLINE 1:")[0].partition(": ")[2] if found else text


def command(connection: Connection, text: str, out: IO[str]) -> None:
    """Run one dot command. Raises AskError for one that is not known."""
    name, *arguments = shlex.split(text)
    if name not in _COMMANDS:
        raise AskError(f"there is no command {name}; .help lists them")
    _COMMANDS[name][1](connection, arguments, out)


def _help(connection: Connection, arguments: list[str], out: IO[str]) -> None:
    print(table(("command", "what it does"), [(name, text) for name, (text, _) in _COMMANDS.items()]), file=out)
    print(table(("function", "returns"), [(f.signature, f.summary) for f in FUNCTIONS]), file=out)


def _tables(connection: Connection, arguments: list[str], out: IO[str]) -> None:
    found = connections.engine(connection).tables()
    print(table(("table", "kind", "rows"), [(".".join(t.path), t.kind, t.rows) for t in found]), file=out)


def _schema(connection: Connection, arguments: list[str], out: IO[str]) -> None:
    session = connections.session(connection)
    catalog = session.catalog(connections.engine(connection))
    if not arguments:
        print(schema_text(catalog), file=out)
        return
    found = catalog.table(arguments[0])
    if found is None:
        raise AskError(f"there is no table {quote(arguments[0])}; .tables lists them")
    rows = [(c.name, c.type, "yes" if c.name in found.primary_key else "", c.comment) for c in found.columns]
    print(table(("column", "type", "key", "comment"), rows), file=out)


def _quit(connection: Connection, arguments: list[str], out: IO[str]) -> None:
    raise EOFError


_COMMANDS: dict[str, tuple[str, Callable[[Connection, list[str], IO[str]], None]]] = {
    ".help": ("this list", _help),
    ".tables": ("the tables and views", _tables),
    ".schema": ("the schema, or the columns of one table: .schema NAME", _schema),
    ".quit": ("leave (also Ctrl-D)", _quit),
}


def _script(connection: Connection, lines: Iterable[str], out: IO[str]) -> int:
    """Run a script up to its first error."""
    for text in complete_statements(lines):
        with contextlib.suppress(EOFError):
            if not execute(connection, text, out):
                return 1
    return 0


def complete_statements(lines: Iterable[str]) -> Iterator[str]:
    """The statements and dot commands of a script, line by line; what is left at its end counts as a statement."""
    text = ""
    for line in lines:
        text += line if line.endswith("\n") else line + "\n"
        if is_complete(text):
            yield text
            text = ""
    if text.strip():
        yield text


def is_complete(text: str) -> bool:
    """Whether a text can be run: a dot command, or SQL that ends in a semicolon outside of quotes and comments."""
    from askwhere.bindings.sqlite_text import tokens  # strings, names and comments are written alike in both

    if text.lstrip().startswith("."):
        return True
    found = tokens(text)
    return bool(found) and found[-1].text == ";"


def _prompt(connection: Connection, out: IO[str]) -> int:
    session = _prompt_session(connection)
    while True:
        try:
            text = session.prompt("askwhere> ")
        except KeyboardInterrupt:
            continue  # as in other shells: drop the line, not the shell
        except EOFError:
            return 0
        try:
            if text.strip():
                execute(connection, text, out)
        except EOFError:
            return 0
        except KeyboardInterrupt:
            print("Interrupted", file=out)


def _prompt_session(connection: Connection) -> PromptSession[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import DynamicCompleter, WordCompleter
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import FileHistory
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.lexers import PygmentsLexer
    from pygments.lexers.sql import SqlLexer

    keys = KeyBindings()

    @keys.add("enter")
    def _(event: Any) -> None:
        document: Document = event.current_buffer.document
        if is_complete(document.text) or not document.text.strip():
            event.current_buffer.validate_and_handle()
        else:
            event.current_buffer.insert_text("\n")

    return PromptSession(
        history=FileHistory(str(_history_file())),
        completer=DynamicCompleter(lambda: WordCompleter(words(connection), ignore_case=True)),
        lexer=PygmentsLexer(SqlLexer),
        multiline=True,
        key_bindings=keys,
        complete_while_typing=False,
        prompt_continuation=lambda width, number, wrapped: "." * (width - 1) + " ",
    )


def words(connection: Connection) -> list[str]:
    """What the prompt completes: keywords, functions, dot commands, and the names in the database."""
    with contextlib.suppress(duckdb.Error):
        tables = connections.engine(connection).tables()
        names = {t.name for t in tables} | {c.name for t in tables for c in t.columns}
        return sorted({*_KEYWORDS.split(), *(f"{f.name}(" for f in FUNCTIONS), *_COMMANDS, *names}, key=str.lower)
    return sorted(_COMMANDS)


def _history_file() -> Path:
    import platformdirs

    folder = platformdirs.user_state_path("askwhere", ensure_exists=True)
    return folder / "duckdb_history"
