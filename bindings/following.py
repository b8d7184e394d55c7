"""Ask questions on a connection one after the other: one that sounds like a follow-up refines the last answer."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from askwhere.bindings import connections
from askwhere.errors import AskError
from askwhere.frozen import frozen
from askwhere.reader.chained import ALONE
from askwhere.reader.following import may_refine
from askwhere.session import Answer


@frozen
class LastQuestion:
    """The questions that were asked last and answered last on a connection, and the answer's query.

    Each is a chain: the questions that it follows, oldest first, then the question itself.
    """

    asked: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()
    sql: str = ""


# A text in quotation marks, which an apostrophe does not end, and what may stand behind it.
_QUOTED = re.compile(
    r"""\s*(?:"([^"]+)"|“([^“”]+)”|'((?:[^']|(?<=\w)'(?=\w))+)'|\u2018((?:[^\u2018\u2019]|(?<=\w)\u2019(?=\w))+)\u2019)[\s;?.]*"""
)

_last: WeakKeyDictionary[Any, LastQuestion] = WeakKeyDictionary()


def last(connection: Any) -> LastQuestion:
    """Return what was asked and answered last on a connection."""
    return _last.get(connection, LastQuestion())


def last_asked(connection: Any) -> tuple[str, ...]:
    """Return the chain of questions that ends in the last one, oldest first. Raise `AskError` where there is none."""
    if asked := last(connection).asked:
        return asked
    raise AskError("choose: no question has been asked yet; ask one first")


def unquoted(text: str) -> str:
    """Return a text without the quotation marks around all of it.

    >>> unquoted("'what is the shop\'s name'"), unquoted('"a" and "b"')
    ("what is the shop's name", '"a" and "b"')
    """
    match = _QUOTED.fullmatch(text)
    return next(inner for inner in match.groups() if inner) if match else text


def ask(connection: Any, question: str, rank: int | None = None) -> tuple[Answer, tuple[str, ...]]:
    """Return the answer to a question, and the questions that it follows. Raise `AskError` where there is no answer.

    `rank` is the rank of the candidate to take. A question that sounds like a follow-up refines the last question
    answered on this connection. Quotation marks around the whole question are removed.
    """
    question = unquoted(question)
    before = last(connection).answered if may_refine(question) else ()
    _last[connection] = replace(last(connection), asked=(*before, question))
    return choose(connection, rank)


def choose(connection: Any, rank: int | None) -> tuple[Answer, tuple[str, ...]]:
    """Return the answer to the last question, as `ask` does, by its candidate of a rank. Raise `AskError`."""
    *before, question = last_asked(connection)
    answer = connections.ask(connection, question, follows=before, choose=rank)
    answer.rows  # noqa: B018  # reading them may fail: then the question does not count as answered
    if any(note.startswith(ALONE) for note in answer.notes):
        before = []
    _last[connection] = replace(last(connection), answered=(*before, question), sql=answer.sql)
    return answer, tuple(before)
