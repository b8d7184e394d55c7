"""Give IPython `%ask` and `%%ask`, which answer a question in a notebook or at its prompt: `%load_ext askwhere`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from askwhere.bindings import connections, following
from askwhere.bindings.advice import for_magic
from askwhere.bindings.cli import options
from askwhere.bindings.cli.comments import synonym_added
from askwhere.bindings.source import Source
from askwhere.errors import AskError, suggestion
from askwhere.session import Answer
from IPython.core.error import UsageError
from IPython.core.inputtransformer2 import make_tokens_by_line
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, magics_class

# An option at the beginning of a line, with its value, in quotes or not. The question behind may have any characters.
_OPTION = re.compile(r"""\s*(--[a-z][a-z-]*)(?:(?:=|\s+)("[^"]*"|'[^']*'|\S+))?(?=\s|\Z)""")
_QUOTES = "\"'"
# The second value of an option that takes two: `--synonym WORDS NAME` is `--synonym WORDS=NAME`.
_SECOND = re.compile(r"""[ \t]+("[^"]*"|'[^']*'|[^\s-]\S*)(?=\s|\Z)""")
_PAIRS = ("--synonym", "--key")
# A line with a question that ends in a question mark, which IPython would take for a request for help.
_ASKED = re.compile(r"(\s*(?:\w+\s*=\s*)?%ask\s+\S.*?\S)\s*(\?+)\s*\Z")
# What to do in place of options of `askwhere ask` and of other magics.
_INSTEAD = {
    "--chart": "; draw the answer in the next cell: _.chart()",
    "--json": "; the answer is an object: answer = %ask …, then answer.rows and answer.columns",
    "--csv": "; the answer is an object: answer = %ask …, then answer.df().to_csv()",
    "--sql": "; the answer is an object: answer = %ask …, then answer.sql",
    "--help": "; %ask? describes it",
}
_EXPECTED = "expected a database: name a file or a connection, `%ask --db world.db`; later questions go to the same one"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        usage = " ".join(self.format_usage().split())
        raise UsageError(f"%ask: {message}; {usage} QUESTION")

    @property
    def options(self) -> tuple[str, ...]:
        """Return the names of the options, as they are typed."""
        return tuple(self._option_string_actions)


def _parser() -> _Parser:
    parser = _Parser("%ask", add_help=False, allow_abbrev=False)
    parser.add_argument("--db", help="a file, or a variable that holds a connection")
    parser.add_argument("--choose", type=int, metavar="RANK", help="the last question's candidate of this rank")
    synonyms = "words that are to mean a table, or a column: TABLE.COLUMN"
    parser.add_argument("--synonym", action="append", default=[], metavar="WORDS=NAME", help=synonyms)
    keys = "a column, and the one that it refers to: TABLE.COLUMN=TABLE.COLUMN"
    parser.add_argument("--key", action="append", default=[], metavar="KEY=COLUMN", help=keys)
    options.add(parser)
    return parser


def keep_question_mark(lines: list[str]) -> list[str]:
    """Return the lines of a cell with a space before each `?` that ends a question to `%ask`, so that it is asked.

    A line within a text of several lines is no question.
    """
    if lines and lines[0].startswith("%%"):
        return lines
    begun = {tokens[0].start[0] for tokens in make_tokens_by_line(lines) if tokens}
    asked = [(line, _ASKED.match(line) if number in begun else None) for number, line in enumerate(lines, 1)]
    return [f"{match[1]} {match[2]}\n" if match else line for line, match in asked]


@magics_class
class AskMagics(Magics):
    """The magics, and the connection that the last `--db` named."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self._connection: Any = None
        self._own: Any = None  # the one of a file that was opened here

    @line_cell_magic
    def ask(self, line: str, cell: str | None = None) -> Answer | None:
        """Answer a question in plain language: `%ask how many rivers are there`.

        `%ask --db world.db` names a SQLite or DuckDB file, data files, or a variable that holds a connection, for
        this question and later ones; `--model`, `--method`, `--effort` and `--set NAME=VALUE` are settings for it.
        A question that sounds as if it refines the last one follows it. `%ask --choose 2` takes the second candidate
        for the last question. `--synonym WORDS=NAME`, or `--synonym WORDS NAME`, makes words mean a table or a column,
        and `--key KEY=COLUMN` declares which column refers to which, in the database. In `%%ask` the question is the
        text below the line.

        Return an `askwhere.Answer`, which shows itself: `_.df()` and `_.chart()` go on with it.
        """
        parser = _parser()
        given, question = _split(f"{line}\n{cell or ''}", parser)
        if not given and not question:
            parser.error("expected a question; %ask? describes it")
        parsed = parser.parse_args(given)
        try:
            return self._answer(parsed, question)
        except AskError as exc:
            raise UsageError(for_magic(str(exc))) from exc

    def _answer(self, parsed: argparse.Namespace, question: str) -> Answer | None:
        settings = options.chosen(parsed)
        if parsed.db is not None:
            self._open(parsed.db, settings)
        elif self._connection is None:
            raise UsageError(f"%ask: {_EXPECTED}")
        elif settings:
            connections.register(self._connection, settings)
        for done in self._declared(parsed):
            print(done)
        if question:
            answer, before = following.ask(self._connection, question, parsed.choose)
        elif parsed.choose is not None:
            answer, before = following.choose(self._connection, parsed.choose)
        else:
            return None  # only the database, settings, synonyms or keys were given
        if before:
            print(f"After “{before[-1]}”:")
        return answer

    def _declared(self, parsed: argparse.Namespace) -> Iterator[str]:
        """Add the synonyms and keys to the database, and yield what was done. Raise `AskError`."""
        session, engine = connections.session(self._connection), connections.engine(self._connection)
        for words, name in (_pair("--synonym", value, "WORDS=NAME") for value in parsed.synonym):
            yield synonym_added(engine, words, name)
        if pairs := [_pair("--key", value, "KEY=COLUMN") for value in parsed.key]:
            yield from session.declare(engine, pairs)

    def _open(self, named: str, settings: dict[str, Any]) -> None:
        """Return the connection that a variable holds, or a new one to a file."""
        held = self.shell.user_ns.get(named)  # type: ignore[union-attr]  # a magic has a shell
        if held is not None:
            connections.kind_of(held)  # raises for what is no connection
            connections.register(held, settings)
            self._connection = held
            return
        opened = connections.connect(Source((named,)), settings)
        if self._own is not None:
            self._own.close()
        self._connection = self._own = opened


def _pair(option: str, value: str, expected: str) -> tuple[str, str]:
    """Return what stands before and behind the sign of equality. Raise `UsageError` where there is none."""
    first, _, second = value.partition("=")
    if not first.strip() or not second.strip():
        raise UsageError(f"%ask: {option}: expected {expected}, found {value}")
    return first.strip(), second.strip()


def _split(text: str, parser: _Parser) -> tuple[list[str], str]:
    """Return the options at the beginning of a text as arguments, and the question behind them.

    Raise `UsageError` for an option that there is not, and for one behind the question.
    """
    options: list[str] = []
    place = 0
    while option := _OPTION.match(text, place):
        name, value = option[1], option[2]
        if name not in parser.options:
            parser.error(f"there is no option {name}{_INSTEAD.get(name) or suggestion(name, parser.options)}")
        if value is None:
            parser.error(f"{name} needs a value behind it")
        place = option.end()
        values = [value]
        if name in _PAIRS and "=" not in value and (second := _SECOND.match(text, place)):
            values.append(second[1])
            place = second.end()
        options.append("=".join([name, *(v[1:-1] if v[0] in _QUOTES else v for v in values)]))
    question = re.sub(r" (?=\?+\Z)", "", " ".join(text[place:].split()))
    if late := next((word for word in question.split() if word.partition("=")[0] in parser.options), None):
        parser.error(f"options come before the question, and {late} stands behind it")
    return options, question
