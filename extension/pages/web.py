"""Write the pages of `askwhere web`: a form for a question, its answer, what was asked before, and the words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askwhere.frozen import frozen
from askwhere.pages.page import page

# The form may be sent to the server that the page is from.
FORMS = "'self'"


@frozen
class Action:
    """A button below a text that advises what it does: its words, where its form is sent, and the form's fields."""

    label: str
    path: str
    fields: tuple[tuple[str, str], ...] = ()


@frozen
class Shown:
    """A question and its answer, as the page shows them.

    `waited` is the number of seconds so far, None once it is answered. `error` is why there is no answer. `rows` are
    the first of `n_rows`; `chart` is their chart as HTML, and `chart_needs` the package that is missing for it.
    `candidates` are the rows of `ask_candidates`, `remarks` the notes that tell them apart, and `steps` the rows of
    `ask_trace`. `chosen` is the rank that was asked for. `actions` are what the error and the notes advise.
    """

    number: int
    question: str
    follows: tuple[str, ...] = ()
    waited: float | None = None
    error: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    n_rows: int = 0
    chart: str = ""
    chart_needs: str = ""
    sql: str = ""
    confidence: float = 0.0
    notes: tuple[str, ...] = ()
    candidates: tuple[tuple[Any, ...], ...] = ()
    remarks: tuple[tuple[str, ...], ...] = ()
    steps: tuple[tuple[Any, ...], ...] = ()
    chosen: int | None = None
    actions: tuple[Action, ...] = ()


@frozen
class PageContext:
    """What all pages show: the database's name, its engine's dialect, whether it may be written, and a message."""

    database: str
    dialect: str
    write: bool
    message: str = ""


# The columns of the log that the page shows.
_LOGGED = ("time", "question", "follows", "outcome", "confidence", "n_rows", "seconds", "model", "sql")
_NAVIGATION = (("/", "Ask"), ("/history", "History"), ("/words", "Words"))


def answer(
    context: PageContext, shown: Shown | None, before: Sequence[tuple[int, str]], examples: Sequence[str] = ()
) -> str:
    """Return the page to ask on, with an answer, or with `examples`, questions that have one.

    `before` are the questions asked before, newest first.
    """
    return _page("answer", context, shown=shown, before=before, examples=examples)


def history(
    context: PageContext, log: tuple[Sequence[str], Sequence[Any]], pins: tuple[Sequence[str], Sequence[Any]]
) -> str:
    """Return the page of the log, newest first, and of the pins, each given as its columns and rows."""
    columns, rows = log
    places = [columns.index(name) for name in _LOGGED]
    newest = [tuple(row[i] for i in places) for row in reversed(list(rows))]
    return _page("history", context, log=(_LOGGED, newest), pins=pins)


def words(context: PageContext, names: Sequence[str], described: Sequence[tuple[str, str | None, str, str]]) -> str:
    """Return the page of comments and synonyms; `names` are the tables and columns that may get some."""
    return _page("words", context, names=names, described=described)


def refusal(context: PageContext, message: str) -> str:
    """Return the page that says why a form or an address did nothing."""
    return _page("refusal", context, message=message)


def _page(kind: str, context: PageContext, **facts: Any) -> str:
    """Return a page by its template, with the navigation; the title names the question, if one is shown."""
    shown = facts.get("shown")
    return page(
        f"web_{kind}.html",
        _NAVIGATION,
        forms=FORMS,
        title=f"{shown.question if shown else 'Ask'} · {context.database}",
        context=context,
        **facts,
    )
