"""The prompt of `askwhere shell`: questions, dot commands and SQL over several lines, with history and completion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askwhere import files
from askwhere.bindings import connections
from askwhere.bindings.cli import commands, completing, questions
from askwhere.bindings.cli.commands import Shell
from askwhere.bindings.cli.script import is_complete, message
from askwhere.bindings.cli.show import fitted
from askwhere.bindings.engine_errors import explained
from askwhere.bindings.misuse import misuse
from askwhere.cells import visible
from askwhere.errors import AskError, Unread

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

# Shown below a refusal that advises no question.
_WHAT_TO_ASK = ".examples shows questions that it answers; .tables and .schema show what can be asked about."
# Shown below a refusal that advises one.
_SAY_YES = "yes asks the first of these."
_YES = ("y", "yes", "ok", "okay")
# Shown beside SQL that goes on below its first line.
_GOES_ON = "; ends the SQL, Ctrl-C drops it"
# What other shells take without a dot.
_WITHOUT_DOT = {"exit": ".quit", "quit": ".quit", "help": ".help", "?": ".help"}


def run(shell: Shell, intro: str) -> int:
    """Take what the user types until that ends. Return the exit code."""
    print(fitted(f"{intro}\n{questions.HELP}", shell.out), file=shell.out)
    session = _session(shell)
    while True:
        try:
            handle(shell, session.prompt("askwhere> "))
        except KeyboardInterrupt:
            continue  # as in other shells, Ctrl-C drops the line and stays
        except EOFError:
            return 0


def handle(shell: Shell, text: str) -> None:
    """Run statements or ask a question, and print the result or the error. Raise EOFError for `.quit`."""
    typed, offered = text.strip().rstrip(";.!").lower(), shell.view.offered
    text = offered if offered and typed in _YES else _WITHOUT_DOT.get(typed, text)
    shell.view.offered = ""
    try:
        if why := questions.why_question(text, connections.kind_of(shell.connection)):
            if why != questions.NOT_SQL or not shell.view.told:
                print(fitted(why, shell.out), file=shell.out)
            shell.view.told = True
            commands.ask(shell, text.strip())
        elif text.strip():
            commands.execute(shell, text)
    except KeyboardInterrupt:
        print("Interrupted", file=shell.out)
    except (EOFError, OSError):
        raise
    except Exception as exc:
        if not _is_printed(exc):
            raise
        used = misuse(text, str(exc))
        print(fitted(str(explained(exc) or used or message(exc)), shell.out), file=shell.out)
        if isinstance(exc, Unread):
            shell.view.offered = next(iter(exc.questions), "")
            print(fitted(_SAY_YES if shell.view.offered else _WHAT_TO_ASK, shell.out), file=shell.out)
        elif not used and not isinstance(exc, AskError) and (fixed := _fixed(shell, text, str(exc))):
            print(fitted(f"Perhaps: {fixed};", shell.out), file=shell.out)


def _fixed(shell: Shell, text: str, error: str) -> str:
    """Return a query that failed, repaired by rule as `ask_fix` does; '' where nothing was found soon."""
    from askwhere.rewrite import fix  # takes time to load

    sql = text.strip().rstrip("; \n")
    session, engine = connections.session(shell.connection), connections.engine(shell.connection)
    try:
        fixed = fix.fix(sql, engine, session.catalog(engine), error, fix.REPAIR).sql
    except Exception as exc:
        if not _is_printed(exc):
            raise
        return ""  # there is no repair, or the engine answers nothing, as in DuckDB's transaction after an error
    return fixed if fixed != sql else ""


def _is_printed(exc: Exception) -> bool:
    """Return whether the prompt prints an exception instead of failing: one of ours, or of an engine."""
    return isinstance(exc, AskError) or type(exc).__module__.split(".")[0].lstrip("_") in ("apsw", "duckdb")


def _session(shell: Shell) -> PromptSession[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import FileHistory
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.lexers import PygmentsLexer
    from pygments.lexers.sql import SqlLexer

    class Names(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
            typed, offered = completing.complete(shell, document.text_before_cursor, document.text_after_cursor)
            return (Completion(text, -len(typed), display=visible(text)) for text in offered)

    keys = KeyBindings()

    @keys.add("enter")
    def _(event: Any) -> None:
        document: Document = event.current_buffer.document
        text = document.text
        engine = connections.kind_of(shell.connection)
        if is_complete(text) or not text.strip() or questions.why_question(text, engine):
            event.current_buffer.validate_and_handle()
        else:
            event.current_buffer.insert_text("\n")

    session: PromptSession[str] = PromptSession(
        history=FileHistory(str(history_file())),
        completer=Names(),
        lexer=PygmentsLexer(SqlLexer),
        multiline=True,
        key_bindings=keys,
        complete_while_typing=False,
        prompt_continuation=lambda width, number, wrapped: "." * (width - 1) + " ",
        rprompt=lambda: _GOES_ON if "\n" in session.default_buffer.text else "",
    )
    return session


def history_file() -> Path:
    """Return the file of what was typed, which only the user may read."""
    import platformdirs

    file = files.private_folder(platformdirs.user_state_path("askwhere")) / "shell_history"
    files.make(file)
    return file
