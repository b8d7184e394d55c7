"""The dot commands of the prompt, the same in both engines."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import IO, Any

from askwhere.bindings import connections
from askwhere.bindings.cli import asking
from askwhere.bindings.cli.show import fitted, safe_for
from askwhere.bindings.cli.waiting import waiting
from askwhere.bindings.cli.writing import MODES, PAGERS, put, written_as
from askwhere.cells import counted
from askwhere.display import SHOWN, table
from askwhere.errors import AskError, suggestion
from askwhere.frozen import frozen
from askwhere.pipeline.link import schema_text
from askwhere.sql.identifiers import quote, unquote
from askwhere.udfs import FUNCTIONS


@frozen
class Result:
    """The result of a statement: its columns and rows, or the number of rows that it changed.

    `rows` are the rows to show, and one more if there are further rows. A statement that returns no rows has no
    columns.
    """

    columns: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = ()
    changed: int = 0


@dataclass
class View:
    """How rows are shown: `mode` is one of `MODES`, and `pager` one of `PAGERS`; `last` are the rows shown last.

    `told` says that the prompt has said why a line is asked as a question. `offered` is the question that "yes" asks:
    the first that the last refusal advised, '' where it advised none.
    """

    mode: str = "table"
    pager: str = "auto"
    last: Result | None = None
    told: bool = False
    offered: str = ""


@frozen
class Shell:
    """A connection that a prompt or a script sends statements and dot commands to; `out` gets what they print.

    `results` runs the statements of a text one after the other, and yields what each returned or changed. `own` runs a
    dot command that only this engine has, and returns False for any other; `others` are their names, and `more`
    describes them.
    """

    connection: Any
    results: Callable[[str], Iterator[Result]]
    out: IO[str]
    own: Callable[[str], bool] = lambda text: False
    others: Sequence[str] = ()
    more: str = ""
    view: View = field(default_factory=View)


def execute(shell: Shell, text: str) -> None:
    """Run a dot command or statements, and print what they return. Raise EOFError for `.quit`."""
    if text.lstrip().startswith("."):
        _command(shell, text.strip())
        return
    results = shell.results(text)
    while True:
        with waiting(shell.out):
            result = next(results, None)
        if result is None:
            return
        if result.columns:
            show(shell, result.columns, result.rows)
        elif shell.out.isatty():  # a script prints rows alone
            print(f"{counted(result.changed, 'row')} changed", file=shell.out)


def ask(shell: Shell, question: str) -> None:
    """Ask a question, and print its answer. Raise `AskError`."""
    asking.answer(shell.connection, question, shell.out, partial(show, shell))


def show(shell: Shell, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows as the mode says; with the pager on, lines may be wider than the terminal."""
    shell.view.last = Result(columns, rows)
    _print(shell, written_as(shell.view.mode, columns, rows, shell.out, fit=shell.view.pager != "on"))


def _print(shell: Shell, text: str) -> None:
    put(text, shell.view.pager, shell.out)


def _command(shell: Shell, text: str) -> None:
    """Run one dot command. Raise AskError for an unknown one."""
    name, _, argument = text.partition(" ")
    if name in COMMANDS:
        COMMANDS[name][1](shell, argument.strip())
    elif not shell.own(text):
        known = (*COMMANDS, *shell.others)
        called = next((f"; in SQL there is {f.signature}" for f in FUNCTIONS if f.name == f"ask_{name[1:]}"), None)
        ours = f"; for that there is {_ELSEWHERE[name]}" if name in _ELSEWHERE else ""
        raise AskError(f"there is no command {name}{called or ours or suggestion(name, known, 0.7)}; .help lists them")


def _help(shell: Shell, argument: str) -> None:
    """Print the dot commands, or the SQL functions for the topic `FUNCTIONS_TOPIC`."""
    if argument not in ("", FUNCTIONS_TOPIC):
        raise AskError(f".help: expected nothing or {FUNCTIONS_TOPIC} after it, found {argument!r}")
    if argument:
        _print(shell, functions_listed())
    else:
        _print(shell, "\n".join([commands_listed(COMMANDS), *filter(None, [shell.more])]))


def commands_listed(names: Iterable[str]) -> str:
    """Return dot commands, and what each does."""
    return _in_lines([(name, COMMANDS[name][0]) for name in names])


def functions_listed() -> str:
    """Return the SQL functions, and what each returns."""
    return _in_lines([(f.signature, f.summary) for f in FUNCTIONS], below=True)


def _in_lines(rows: Sequence[tuple[str, str]], below: bool = False) -> str:
    """Return names with texts behind or below them, in lines that fit the terminal."""
    indent = 4 if below else max(len(name) for name, _ in rows) + 2
    room = max(shutil.get_terminal_size().columns - 1, indent + 20)
    lines = []
    for name, text in rows:
        wrapped = textwrap.wrap(text, room, initial_indent=" " * indent, subsequent_indent=" " * indent)
        lines += [name, *wrapped] if below else [name + wrapped[0][len(name) :], *wrapped[1:]]
    return "\n".join(lines)


def _ask(shell: Shell, argument: str) -> None:
    if not argument:
        raise AskError(".ask: expected a question after it, found none")
    ask(shell, argument)


def _examples(shell: Shell, argument: str) -> None:
    """Print questions that the built-in reader answers."""
    if argument:
        raise AskError(f".examples: expected nothing after it, found {argument!r}")
    questions = connections.session(shell.connection).examples(connections.engine(shell.connection))
    _print(
        shell, safe_for("\n".join(questions) or "No question was found that the built-in reader answers.", shell.out)
    )


def _choose(shell: Shell, argument: str) -> None:
    """Print the answer of another candidate or, without a number, the candidates."""
    if not argument:
        _candidates(shell)
    elif argument.isdecimal():
        asking.choose(shell.connection, int(argument), shell.out, partial(show, shell))
    else:
        raise AskError(f".choose: expected a number, or nothing to list the candidates, found {argument!r}")


def _candidates(shell: Shell) -> None:
    """List the candidates for the last question. `.chart` still draws the rows printed before them."""
    candidates, mode = asking.candidates(shell.connection), shell.view.mode
    if mode == "table":
        _print(shell, fitted(asking.candidates_text(candidates), shell.out))
    else:
        _print(shell, written_as(mode, asking.CANDIDATES, candidates, shell.out, fit=True))


def _pin(shell: Shell, argument: str) -> None:
    if argument:
        advice = "ask_pin('QUESTION', 'SELECT …') in SQL pins any query"
        raise AskError(f".pin: expected nothing after it, as it pins the last answer, found {argument!r}; {advice}")
    asking.pin(shell.connection, shell.out)


def _tables(shell: Shell, argument: str) -> None:
    engine = connections.engine(shell.connection)
    rows = [(_short_path(table.path, engine.home()), table.kind, table.rows) for table in engine.tables()]
    _print(shell, table(("table", "kind", "rows, about"), rows))


def _short_path(path: Sequence[str], home: Sequence[str]) -> str:
    """Return a table's name for SQL: without database and schema where these are the connection's own, `home`."""
    return ".".join(path[-1:] if tuple(path[:-1]) == tuple(home) else path)


def _schema(shell: Shell, argument: str) -> None:
    """Print the schema as a prompt shows it or, with a name, the columns of one table."""
    session = connections.session(shell.connection)
    catalog = session.catalog(connections.engine(shell.connection))
    if not argument:
        _print(shell, safe_for(schema_text(catalog), shell.out))
        return
    named = catalog.table(unquote(argument))
    if named is None:
        name = unquote(argument)
        near = suggestion(name, (table.name for table in catalog.tables))
        raise AskError(f"there is no table {quote(name)}{near}; .tables lists them")
    rows = [(c.name, c.type, "yes" if c.name in named.primary_key else "", c.comment) for c in named.columns]
    _print(shell, table(("column", "type", "key", "comment"), rows))


def _mode(shell: Shell, argument: str) -> None:
    if argument in MODES:
        shell.view.mode = argument
    else:
        raise AskError(f".mode: expected one of {', '.join(MODES)}, found {argument or 'none'}")


def _pager(shell: Shell, argument: str) -> None:
    if argument not in PAGERS:
        raise AskError(f".pager: expected one of {', '.join(PAGERS)}, found {argument or 'none'}")
    shell.view.pager = argument


def _chart(shell: Shell, argument: str) -> None:
    """Print a chart of the rows shown last, or write it to a file."""
    from askwhere.bindings.cli import drawing  # takes time to load

    last = shell.view.last
    if last is None:
        raise AskError(".chart: expected rows before it, found none; ask a question or run a query first")
    if len(last.rows) > SHOWN:
        raise AskError(
            f".chart: the last result has more than {SHOWN:,} rows, and the prompt keeps only that many: ask for fewer"
        )
    _print(shell, drawing.draw(last.columns, last.rows, argument))


def _quit(shell: Shell, argument: str) -> None:
    raise EOFError


FUNCTIONS_TOPIC = "functions"
# What commands of other prompts are called here.
_ELSEWHERE = {".wide": ".pager on", ".exit": ".quit"}
# Those that scripts have in both engines.
ABOUT_QUESTIONS = (".ask", ".examples", ".choose", ".pin")
COMMANDS: dict[str, tuple[str, Callable[[Shell, str], None]]] = {
    ".help": (f"this list; .help {FUNCTIONS_TOPIC} lists the functions for SQL", _help),
    ".ask": ("the answer to a question, also one that looks like SQL: .ask QUESTION", _ask),
    ".examples": ("questions about this database that the built-in reader answers", _examples),
    ".choose": ("another candidate for the last question: .choose N; without a number, the list of them", _choose),
    ".pin": ("pin the query of the last answer to its question", _pin),
    ".tables": ("the tables and views", _tables),
    ".schema": ("the schema, or the columns of one table: .schema NAME", _schema),
    ".mode": (f"how rows are shown: {', '.join(MODES)}", _mode),
    ".chart": ("a chart of the last rows, or one in a file: .chart FILE.html, .json, .png or .svg", _chart),
    ".pager": ("the program PAGER for long results: on (also wide ones), off, auto", _pager),
    ".quit": ("leave (also Ctrl-D)", _quit),
}
