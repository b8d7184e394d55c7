"""A prompt for DuckDB, with statements over several lines, history, completion of names, and tables in boxes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import askwhere
import duckdb
from askwhere import files
from askwhere.bindings import connections
from askwhere.bindings.cli import questions
from askwhere.bindings.cli.script import is_complete, message
from askwhere.bindings.cli.show import safe_for
from askwhere.bindings.duckdb.running import Connection, interruptible
from askwhere.errors import AskError
from askwhere.pipeline.link import schema_text
from askwhere.sql.identifiers import quote, unquote
from askwhere.sql.spans import WORDS
from askwhere.tables import SHOWN, table
from askwhere.udfs import FUNCTIONS

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

_KEYWORDS = {*map(str.upper, WORDS), "CREATE", "EXPLAIN", "TABLE", "VIEW"}


def run(connection: Connection, database: str, out: IO[str]) -> int:
    """Open a prompt until the user ends it. Returns the exit code."""
    print(f"askwhere {askwhere.__version__} on DuckDB {duckdb.__version__}, {database}.", file=out)
    print(questions.HELP, file=out)
    return _prompt(connection, out)


def execute(connection: Connection, text: str, out: IO[str]) -> None:
    """Run a dot command or statements, and print their results. Raises EOFError for `.quit`."""
    if text.lstrip().startswith("."):
        command(connection, text.strip(), out)
        return
    for statement in duckdb.extract_statements(text):
        columns, rows = interruptible(connection, lambda s=statement: _rows(connection.execute(s)))  # type: ignore[misc]
        if _has_rows(statement, columns):
            _show(columns, rows, out)


def _rows(result: Connection) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return a result's columns, and the rows to show with one more where there are more."""
    return [name for name, *_ in result.description or ()], result.fetchmany(SHOWN + 1)


def _has_rows(statement: duckdb.Statement, columns: list[str]) -> bool:
    """Return whether a statement returned rows, not the word Success or the number of rows that it changed."""
    kinds = statement.expected_result_type
    counts = duckdb.ExpectedResultType.CHANGED_ROWS in kinds and columns == ["Count"]
    return duckdb.ExpectedResultType.QUERY_RESULT in kinds and bool(columns) and not counts


def _show(columns: list[str], rows: list[tuple[Any, ...]], out: IO[str]) -> None:
    if columns == ["explain_key", "explain_value"]:
        print(safe_for("\n".join(text for _, text in rows), out), file=out)
        return
    more = len(rows) > SHOWN
    print(table(columns, rows[:SHOWN]), file=out)
    if more:
        print(f"… and more; the prompt shows {SHOWN:,}", file=out)


def command(connection: Connection, text: str, out: IO[str]) -> None:
    """Run one dot command. Raises AskError for an unknown one."""
    name, _, argument = text.partition(" ")
    if name not in _COMMANDS:
        raise AskError(f"there is no command {name}; .help lists them")
    _COMMANDS[name][1](connection, argument.strip(), out)


def _help(connection: Connection, argument: str, out: IO[str]) -> None:
    print(table(("command", "what it does"), [(name, text) for name, (text, _) in _COMMANDS.items()]), file=out)
    print(table(("function", "returns"), [(f.signature, f.summary) for f in FUNCTIONS]), file=out)


def _ask(connection: Connection, argument: str, out: IO[str]) -> None:
    if not argument:
        raise AskError(".ask: expected a question after it, found none")
    questions.answer(connection, argument, out)


def _tables(connection: Connection, argument: str, out: IO[str]) -> None:
    found = connections.engine(connection).tables()
    print(table(("table", "kind", "rows"), [(".".join(t.path), t.kind, t.rows) for t in found]), file=out)


def _schema(connection: Connection, argument: str, out: IO[str]) -> None:
    session = connections.session(connection)
    catalog = session.catalog(connections.engine(connection))
    if not argument:
        print(safe_for(schema_text(catalog), out), file=out)
        return
    found = catalog.table(unquote(argument))
    if found is None:
        raise AskError(f"there is no table {quote(unquote(argument))}; .tables lists them")
    rows = [(c.name, c.type, "yes" if c.name in found.primary_key else "", c.comment) for c in found.columns]
    print(table(("column", "type", "key", "comment"), rows), file=out)


def _quit(connection: Connection, argument: str, out: IO[str]) -> None:
    raise EOFError


_COMMANDS: dict[str, tuple[str, Callable[[Connection, str, IO[str]], None]]] = {
    ".help": ("this list", _help),
    ".ask": ("the answer to a question, also one that looks like SQL: .ask QUESTION", _ask),
    ".tables": ("the tables and views", _tables),
    ".schema": ("the schema, or the columns of one table: .schema NAME", _schema),
    ".quit": ("leave (also Ctrl-D)", _quit),
}


def _prompt(connection: Connection, out: IO[str]) -> int:
    session = _prompt_session(connection)
    while True:
        try:
            text = session.prompt("askwhere> ")
        except KeyboardInterrupt:
            continue  # as in other shells, Ctrl-C drops the line and stays
        except EOFError:
            return 0
        try:
            if why := questions.why_question(text, "duckdb"):
                print(why, file=out)
                questions.answer(connection, text.strip(), out)
            elif text.strip():
                execute(connection, text, out)
        except EOFError:
            return 0
        except KeyboardInterrupt:
            print("Interrupted", file=out)
        except (duckdb.Error, AskError) as exc:
            print(safe_for(message(exc), out), file=out)


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
        text = document.text
        if is_complete(text) or not text.strip() or questions.why_question(text, "duckdb"):
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
    """Return what the prompt completes: keywords, functions, dot commands, and names in the database."""
    with contextlib.suppress(duckdb.Error):
        tables = connections.engine(connection).tables()
        names = {t.name for t in tables} | {c.name for t in tables for c in t.columns}
        return sorted({*_KEYWORDS, *(f"{f.name}(" for f in FUNCTIONS), *_COMMANDS, *names}, key=str.lower)
    return sorted(_COMMANDS)


def _history_file() -> Path:
    import platformdirs

    file = files.private_folder(platformdirs.user_state_path("askwhere")) / "duckdb_history"
    files.make(file)
    return file
