"""Rewrite the advice in an error's text, which is SQL, for the command line, prompt, IPython, page or server."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

from askwhere import patterns
from askwhere.bindings.cli.options import NAMED
from askwhere.frozen import frozen
from askwhere.indexer import comments
from askwhere.sql.literals import literal

_VALUE = r"'(?:[^']|'')*'|[^\s()',]+"
_SET = re.compile(rf"(?:SELECT )?\bask_set\('(\w+)', ?({_VALUE})\)")
_INDEX = re.compile(r"SELECT ask_index\(('drop')?\)")
_SYNONYM = re.compile(
    rf"{re.escape(comments.create())}; INSERT INTO {comments.TABLE} \(table_name, column_name, synonyms\)"
    rf" VALUES \(({_VALUE}), ({_VALUE}), ({_VALUE})\);"
)
_QUESTION = re.compile(r"SELECT \* FROM ask\(('(?:[^']|'')*')\);")
_KEY = re.compile(rf"SELECT ask_key\(({_VALUE}), ?({_VALUE})\);")
# How errors advise to choose a candidate, and to list the candidates.
_CHOICE, _CANDIDATES = "say which with choose (a rank from ask_candidates)", "ask_candidates()"
# How they advise to name an earlier question. The prompt, IPython and the page remember it themselves.
_FOLLOWS, _FIRST = "name that with follows := '…'", "ask that first"
_SCHEMA = "SELECT ask_schema();"
_PRESS, _START = "press the button below.", "start the page by `askwhere web --write`."
_PINS = "Pin it again with ask_pin(), remove it with ask_unpin(), or "


@frozen
class Synonym:
    """A word that an error advises to make a synonym of a table, or of a column."""

    word: str
    table: str
    column: str | None

    @property
    def thing(self) -> tuple[str, ...]:
        """Return the table and the column, if there is one."""
        return (self.table, self.column) if self.column else (self.table,)


def for_prompt(message: str) -> str:
    """Return an error's message with its advice rewritten as commands of the prompt, where possible.

    >>> for_prompt("say which with choose (a rank from ask_candidates), or ask more precisely")
    'say which with .choose N, or ask more precisely'
    >>> for_prompt("Without “new”: SELECT * FROM ask('customers');")
    'Without “new”: customers'
    """
    message = message.replace(_CHOICE, "say which with .choose N").replace(_CANDIDATES, ".choose")
    message = message.replace(_FOLLOWS, _FIRST).replace(_SCHEMA, ".tables and .schema")
    return _QUESTION.sub(lambda match: _text(match[1]), message)


def for_magic(message: str) -> str:
    """Return an error's message with its advice as options of IPython's `%ask`; the index has none, and stays SQL.

    >>> for_magic("SELECT ask_set('model', 'openai:NAME')")
    '`%ask --model openai:NAME`'
    >>> for_magic("SELECT ask_key('deal.party', 'client.id');")
    '`%ask --key deal.party=client.id`'
    """
    message = message.replace(_CHOICE, "say which with `%ask --choose N`").replace(_FOLLOWS, _FIRST)
    return _rewritten(
        message,
        lambda option: f"`%ask {option}`",
        lambda drop: f"SELECT ask_index({literal('drop') if drop else ''})",
        lambda synonym: f"`%ask --synonym {_value(f'{synonym.word}={patterns.written(synonym.thing)}')}`.",
        lambda question: f"`%ask {question}`",
        lambda pair: f"`%ask --key {_value('='.join(pair))}`",
    )


def for_command_line(message: str, database: str, keeping: str = "") -> str:
    """Return an error's message with its SQL advice as options and commands for `database`, its arguments as typed.

    `keeping` are the arguments for commands that write, if those differ.

    >>> for_command_line("SELECT ask_index() builds it anew", "'my shop.db'")
    "`askwhere index 'my shop.db'` builds it anew"
    >>> for_command_line("SELECT ask_set('model', 'openai:NAME') or ask_set('max_calls', 9)", "shop.db")
    '--model openai:NAME or --set max_calls=9'
    """
    message = message.replace(_CHOICE, "say which with --choose N").replace(_CANDIDATES, ".choose in `askwhere shell`")
    message = message.replace(_FOLLOWS, "name that with --follows '…'")
    message = message.replace(_SCHEMA, f"`askwhere shell {database} .tables`, or .schema")
    written = keeping or database
    then = "" if written == database else f", then `askwhere ask {written} …`"
    return _rewritten(
        message,
        lambda option: option,
        lambda drop: f"`askwhere index {written}{' --drop' if drop else ''}`{then}",
        lambda synonym: (
            f"`askwhere comments {written} --synonym"
            f" {shlex.join([synonym.word, patterns.written(synonym.thing)])}`{then}."
        ),
        lambda question: f"`askwhere ask {database} {shlex.quote(question)}`",
        lambda pair: f"`askwhere keys {written} --add {shlex.join(pair)}`{then}",
    )


def for_client(message: str) -> str:
    """Return an error's message for a client of `askwhere serve`, whose settings are those of the server.

    >>> for_client("SELECT ask_set('model', 'openai:NAME') sets one")
    '`askwhere serve --model openai:NAME` sets one'
    """
    return _with_options(message, lambda option: f"`askwhere serve {option}`")


def for_page(message: str, write: bool) -> str:
    """Return an error's message for the page: its SQL advice as buttons, if the page may `write`, and as links.

    >>> for_page("SELECT ask_index() builds it anew", True)
    'the button “Build the index” builds it anew'
    >>> for_page("SELECT ask_set('max_calls', 9) allows more", True)
    '`askwhere web --set max_calls=9` allows more'
    """
    message = message.replace(_CHOICE, "choose one below").replace(_CANDIDATES, "the list below")
    message = message.replace(_FOLLOWS, _FIRST)
    message = message.replace(_SCHEMA, "`askwhere shell` and there .tables and .schema")
    message = message.replace(_PINS, "Remove the pin on the page History, or ")
    without = "" if write else ", which `askwhere web --write` has,"
    return _rewritten(
        message,
        lambda option: f"`askwhere web {option}`",
        lambda drop: f"the button “{index_label(drop)}”{without}",
        lambda synonym: _PRESS if write else _START,
        lambda question: f"“{question}”",
        lambda pair: _PRESS if write else _START,
    )


def index_label(drop: bool) -> str:
    """Return the words of the page's button that builds the index, or drops it."""
    return "Drop the index" if drop else "Build the index"


def synonyms(message: str) -> list[Synonym]:
    """Return the words that an error advises to make synonyms."""
    return [_synonym(match) for match in _SYNONYM.finditer(message)]


def questions(message: str) -> list[str]:
    """Return the questions that an error advises to ask instead."""
    return [_text(match[1]) for match in _QUESTION.finditer(message)]


def declarations(message: str) -> list[tuple[str, str]]:
    """Return the keys that an error advises to declare, each with what it refers to."""
    return [_pair(match) for match in _KEY.finditer(message)]


def indexings(message: str) -> list[bool]:
    """Return, for each advice of an error about the index, True if it is to drop the index, False to build it."""
    return [bool(match[1]) for match in _INDEX.finditer(message)]


def _rewritten(
    message: str,
    setting: Callable[[str], str],
    index: Callable[[bool], str],
    synonym: Callable[[Synonym], str],
    question: Callable[[str], str],
    key: Callable[[tuple[str, str]], str],
) -> str:
    """Return a message with each advice rewritten by the function for its kind."""
    message = _with_options(message, setting)
    message = _INDEX.sub(lambda match: index(bool(match[1])), message)
    message = _SYNONYM.sub(lambda match: synonym(_synonym(match)), message)
    message = _KEY.sub(lambda match: key(_pair(match)), message)
    return _QUESTION.sub(lambda match: question(_text(match[1])), message)


def _with_options(message: str, setting: Callable[[str], str]) -> str:
    """Return a message in which `setting` rewrites each setting that it advises, as an option."""
    return _SET.sub(lambda match: setting(_option(match[1], _text(match[2]))), message)


def _pair(match: re.Match[str]) -> tuple[str, str]:
    return _text(match[1]), _text(match[2])


def _option(setting: str, value: str) -> str:
    return f"--{setting} {_word(value)}" if setting in NAMED else f"--set {_word(f'{setting}={value}')}"


def _synonym(match: re.Match[str]) -> Synonym:
    table, column, word = match.groups()
    return Synonym(_text(word), _text(table), None if column == literal(None) else _text(column))


def _text(value: str) -> str:
    """Return the text of a SQL literal, and any other literal unchanged."""
    return value[1:-1].replace("''", "'") if value.startswith("'") else value


def _value(text: str) -> str:
    """Return a text as the value of an option of `%ask`, in the quotes that it does not hold."""
    if not re.search(r"""[\s"']""", text):
        return text
    return f"'{text}'" if '"' in text else f'"{text}"'


def _word(text: str) -> str:
    """Return a text as one word of a shell; the ellipsis of a value that the reader chooses needs no quotes."""
    return text if shlex.quote(text.replace("…", "")) == text.replace("…", "") else shlex.quote(text)
