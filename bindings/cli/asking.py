"""Answer questions at the prompt, list and choose candidates for the last one, and pin the last answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import IO, Any, TypeAlias

from askwhere.bindings import connections, following
from askwhere.bindings.advice import for_prompt
from askwhere.bindings.cli.show import fitted, safe_for
from askwhere.bindings.cli.waiting import waiting
from askwhere.cells import counted, in_decimals
from askwhere.errors import AskError, Unread
from askwhere.indexer.pins import as_text
from askwhere.reader.following import REFINES
from askwhere.session import Answer

CANDIDATES = ("rank", "confidence", "rows", "query")

Write: TypeAlias = Callable[[Sequence[str], Sequence[Sequence[Any]]], None]


def answer(connection: Any, question: str, out: IO[str], write: Write) -> None:
    """Ask a question, give columns and rows to `write`, and print the query and the guesses below them.

    Raise `AskError` where there is no answer.
    """
    _print(lambda: following.ask(connection, question), out, write)


def choose(connection: Any, rank: int, out: IO[str], write: Write) -> None:
    """Answer the last question, as `answer` does, by its candidate of a rank. Raise `AskError`."""
    with _to_choose():
        _print(lambda: following.choose(connection, rank), out, write)


def candidates(connection: Any) -> list[tuple[Any, ...]]:
    """Return the candidates for the last question as rows of `CANDIDATES`, best first. Raise `AskError`."""
    *before, question = following.last_asked(connection)
    with _to_choose(), _in_words_of_the_prompt():
        rows = connections.call(connection, "ask_candidates", question, follows=as_text(before))
    return [(row[0], row[2], row[4], row[3]) for row in rows]


def candidates_text(candidates: Sequence[tuple[Any, ...]]) -> str:
    """Return candidates as text: the whole query of each below its number."""
    lines = (f"{n}: confidence {likely or 0:.2f}, {_rows(n_rows)}\n   {sql}" for n, likely, n_rows, sql in candidates)
    return "\n".join(lines)


def _rows(number: int | None) -> str:
    return "it fails" if number is None else counted(number, "row")


def pin(connection: Any, out: IO[str]) -> None:
    """Pin the query of the last answer to its question, and print what was done. Raise `AskError`."""
    last = following.last(connection)
    if not last.answered:
        raise AskError(".pin: no question has been answered yet; ask one first")
    *before, question = last.answered
    done = connections.call(connection, "ask_pin", question, last.sql, follows=as_text(before))
    print(safe_for(str(done), out), file=out)


def _print(asked: Callable[[], tuple[Answer, tuple[str, ...]]], out: IO[str], write: Write) -> None:
    with _in_words_of_the_prompt(), waiting(out):
        answer, before = asked()
    if before:
        print(safe_for(f"After “{before[-1]}”:", out), file=out)
    write(answer.columns, in_decimals(answer.rows, answer.types))
    own = tuple(note for note in answer.notes if not (before and note.startswith(REFINES)))  # as said above the rows
    print(fitted(replace(answer, notes=own).reasons(), out), file=out)


@contextmanager
def _to_choose() -> Iterator[None]:
    """Say of a question that could not be read that it has no candidates, and what to do."""
    try:
        yield
    except Unread as exc:
        none = ".choose: the last question has no candidates to choose from: ask it in other words first."
        exc.args = (f"{none} {exc}", *exc.args[1:])
        raise


@contextmanager
def _in_words_of_the_prompt() -> Iterator[None]:
    """Put the advice of an `AskError` in words of the prompt."""
    try:
        yield
    except AskError as exc:
        exc.args = (for_prompt(str(exc)), *exc.args[1:])
        raise
