"""Answer the requests of the page of `askwhere web`: its pages and its forms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import parse_qs

from askwhere.bindings import connections
from askwhere.bindings.advice import declarations, for_page, index_label, indexings, questions, synonyms
from askwhere.bindings.connections import call
from askwhere.bindings.engine_errors import explained
from askwhere.bindings.web.conversation import AskedQuestion, Conversation
from askwhere.engine import Table
from askwhere.errors import AskError
from askwhere.indexer import comments
from askwhere.indexer.pins import as_text
from askwhere.pages import web
from askwhere.pages.web import Action, PageContext, Shown
from askwhere.udfs import BY_NAME
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

T = TypeVar("T")
PATIENCE = 1.0  # seconds that a page waits for an answer before it shows that it waits
MOST_BYTES = 100_000  # of a form
_MESSAGES = {"pinned": "Pinned."}


class Pages:
    """The pages and forms. What reads or changes the database runs in the conversation's thread."""

    def __init__(self, conversation: Conversation, name: str, write: bool) -> None:
        self._conversation = conversation
        dialect = conversation.run(lambda connection: connections.engine(connection).dialect).result()
        self._context = PageContext(name, dialect, write)

    async def home(self, request: Request) -> Response:
        """Return the page to ask on, with examples."""
        examples = await run_in_threadpool(self._conversation.examples, PATIENCE)
        return HTMLResponse(web.answer(self._context, None, self._earlier_questions(), examples))

    async def ask(self, request: Request) -> Response:
        """Ask the question of a form, and return where its answer is shown."""
        form = await _form(request)
        text, after = form.get("question", "").strip(), form.get("after", "")
        known = self._conversation.asked
        if not text:
            return RedirectResponse("/", 303)
        number = _number(after)
        return self._ask_and_redirect(lambda: self._conversation.ask(text, number if number in known else None))

    async def choose(self, request: Request) -> Response:
        """Ask a question again, and answer it by the candidate of this rank."""
        number = self._asked(request).number
        return self._ask_and_redirect(lambda: self._conversation.again(number, request.path_params["rank"]))

    async def answer(self, request: Request) -> Response:
        """Return the page of an answer, or the page that waits for it."""
        asked = self._asked(request)
        shown = await run_in_threadpool(asked.shown, PATIENCE)
        context = replace(self._context, message=_MESSAGES.get(request.query_params.get("message", ""), ""))
        return HTMLResponse(web.answer(context, advised(shown, context.write), self._earlier_questions(asked.number)))

    async def stop(self, request: Request) -> Response:
        """Stop a question."""
        number = self._asked(request).number
        self._conversation.stop(number)
        return self._redirect_to_answer(number)

    async def pin(self, request: Request) -> Response:
        """Pin the query that is chosen."""
        asked = self._asked(request)
        shown = await run_in_threadpool(asked.shown, PATIENCE)
        chosen = next((row[3] for row in shown.candidates if row[1]), shown.sql)
        return await self._changed(
            lambda connection: call(connection, "ask_pin", shown.question, chosen, follows=as_text(shown.follows)),
            f"/answer/{asked.number}?message=pinned",
        )

    async def synonym(self, request: Request) -> Response:
        """Add a word for a table or a column, and ask the question again."""
        form = await _form(request)
        sought = form.get("table", ""), form.get("column", "")

        def change(connection: Any) -> None:
            named = [table for table, column in _describable(connection) if (table.name, column) == sought]
            if len(named) != 1:
                raise AskError("there is no one table or column of this name; describe it on the page Words")
            words = comments.split(form.get("word", ""))
            new = comments.Comment(named[0].name, sought[1], synonyms=words)
            comments.add(connections.engine(connection), named[0], new)

        return await self._again(request, change)

    async def key(self, request: Request) -> Response:
        """Declare a key, and ask the question again."""
        form = await _form(request)
        pair = [form.get("key", ""), form.get("refers_to", "")]
        return await self._again(request, lambda connection: call(connection, "ask_key", *pair))

    async def index(self, request: Request) -> Response:
        """Build or drop the index, and ask the question again."""
        given = ["drop"] if "drop" in await _form(request) else []
        return await self._again(request, lambda connection: call(connection, "ask_index", *given))

    async def _again(self, request: Request, change: Callable[[Any], Any]) -> Response:
        """Change the database, and ask a question again."""
        number = self._asked(request).number
        return await self._refused(change) or self._ask_and_redirect(lambda: self._conversation.again(number))

    async def unpin(self, request: Request) -> Response:
        """Remove a pin."""
        form = await _form(request)
        question, follows = form.get("question", ""), form.get("follows") or None
        return await self._changed(
            lambda connection: call(connection, "ask_unpin", question, follows=follows), "/history"
        )

    async def history(self, request: Request) -> Response:
        """Return the page of the log and the pins."""
        log, pins = await self._rows("ask_log"), await self._rows("ask_pins")
        return HTMLResponse(web.history(self._context, log, pins))

    async def _rows(self, name: str) -> Any:
        columns = tuple(column for column, _ in BY_NAME[name].columns)
        return columns, await self._run(lambda connection: call(connection, name))

    async def words(self, request: Request) -> Response:
        """Return the page of the words for tables and columns."""
        things, described = await self._run(_describable), await self._run(_described)
        names = [f"{table.name}.{column}" if column else table.name for table, column in things]
        return HTMLResponse(web.words(self._context, names, described))

    async def describe(self, request: Request) -> Response:
        """Change the comment and the words of a table or a column."""
        form = await _form(request)

        def change(connection: Any) -> None:
            things = _describable(connection)
            place = _number(form.get("name", ""))
            if not 0 <= place < len(things):
                raise AskError("there is no such table or column any more; load the page again")
            table, column = things[place]
            new = comments.Comment(
                table.name, column, form.get("comment", ""), comments.split(form.get("synonyms", ""))
            )
            comments.save(connections.engine(connection), [(table, new)], replacing=True)

        return await self._changed(change, "/words")

    async def _changed(self, change: Callable[[Any], Any], then: str) -> Response:
        """Change the database, and return the page that shows it, or why it is not changed."""
        return await self._refused(change) or RedirectResponse(then, 303)

    async def _refused(self, change: Callable[[Any], Any]) -> Response | None:
        """Change the database; return None on success, else the response that says why it was not changed."""
        if not self._context.write:
            return self._refusal("This page is read only: start it with `askwhere web --write`.", 403)
        try:
            await self._run(change)
        except Exception as exc:
            return self._refusal(for_page(str(explained(exc) or exc), True), 400)
        return None

    async def _run(self, work: Callable[[Any], T]) -> T:
        """Return the result of `work` on the connection, without blocking a thread that answers need."""
        return await asyncio.wrap_future(self._conversation.run(work))

    async def failed(self, request: Request, exc: Exception) -> Response:
        """Return the page for a refused form, whose address cannot be opened by itself, or for an unknown address."""
        assert isinstance(exc, HTTPException)
        is_ours = exc.detail != HTTPStatus(exc.status_code).phrase  # Starlette's own are the bare phrases
        return self._refusal(exc.detail if is_ours else "There is no such page.", exc.status_code)

    def _ask_and_redirect(self, begin: Callable[[], AskedQuestion]) -> Response:
        """Ask a question, and return the page that shows or awaits its answer, or why it is not asked."""
        try:
            return self._redirect_to_answer(begin().number)
        except AskError as exc:
            return self._refusal(str(exc), 429)

    def _refusal(self, message: str, status: int) -> Response:
        return HTMLResponse(web.refusal(self._context, message), status)

    def _asked(self, request: Request) -> AskedQuestion:
        """Return the question that a request names by its number. Raise `HTTPException` where it is not kept."""
        asked = self._conversation.asked.get(request.path_params["number"])
        if asked is None:
            raise HTTPException(404, "There is no such answer any more: ask again.")
        return asked

    def _redirect_to_answer(self, number: int) -> Response:
        return RedirectResponse(f"/answer/{number}", 303)

    def _earlier_questions(self, without: int = 0) -> list[tuple[int, str]]:
        """Return the questions that were asked before, newest first."""
        return [(n, asked.question.text) for n, asked in reversed(self._conversation.asked.items()) if n != without]


async def _form(request: Request) -> dict[str, str]:
    """Return the fields of a form. Its length may not be told before it has come."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                raise HTTPException(413, "The form is too long.")
    except ClientDisconnect as exc:
        raise HTTPException(400, "The form ended too early.") from exc  # nobody reads it
    fields = parse_qs(body.decode("utf-8", "replace"))
    return {name: values[0] for name, values in fields.items()}


def _number(text: str) -> int:
    """Return the number that a field of a form holds, -1 where it holds none."""
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def _tables(connection: Any) -> tuple[Table, ...]:
    return connections.session(connection).catalog(connections.engine(connection)).tables


def _describable(connection: Any) -> list[tuple[Table, str]]:
    """Return the tables and columns that may be described, each as its table and the column's name, '' for none."""
    return [(t, column) for t in _tables(connection) for column in ("", *(c.name for c in t.columns))]


def _described(connection: Any) -> list[tuple[str, str | None, str, str]]:
    return list(comments.listed(_tables(connection)))


def advised(shown: Shown, write: bool) -> Shown:
    """Return an answer with texts worded for the page, and buttons for the actions that they advise.

    Buttons that change the database are there if it may `write`.
    """
    return replace(
        shown,
        error=for_page(shown.error, write),
        notes=tuple(for_page(note, write) for note in shown.notes),
        remarks=tuple(tuple(for_page(note, write) for note in notes) for notes in shown.remarks),
        steps=tuple((step, for_page(detail, write), *rest) for step, detail, *rest in shown.steps),
        actions=tuple(dict.fromkeys(_actions(shown.number, (shown.error, *shown.notes), write))),
    )


def _actions(number: int, texts: Sequence[str], write: bool) -> Iterator[Action]:
    """Yield the buttons for what some texts advise: to ask a question and, if the page may `write`, to change data."""
    for question in (question for text in texts for question in questions(text)):
        yield Action(f"Ask “{question}”", "/ask", (("question", question),))
    yield from _writing(number, texts) if write else ()


def _writing(number: int, texts: Sequence[str]) -> Iterator[Action]:
    """Yield the buttons that change the database: synonyms, keys, and the index."""
    for synonym in (synonym for text in texts for synonym in synonyms(text)):
        fields = (("table", synonym.table), ("column", synonym.column or ""), ("word", synonym.word))
        yield Action(f"Make “{synonym.word}” a word for {synonym.thing[-1]}", f"/synonym/{number}", fields)
    for key, other in (pair for text in texts for pair in declarations(text)):
        yield Action(f"Declare that {key} refers to {other}", f"/key/{number}", (("key", key), ("refers_to", other)))
    for drop in (drop for text in texts for drop in indexings(text)):
        yield Action(index_label(drop), f"/index/{number}", (("drop", "yes"),) if drop else ())
