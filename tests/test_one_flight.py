"""Equal questions of many connections at one time cost one call of the model."""

from __future__ import annotations

import contextlib
import inspect
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures._base import _AcquireFutures
from pathlib import Path
from types import FrameType
from typing import Any

import askwhere
import pytest
from askwhere.errors import ModelError
from askwhere.models import Completions, flights
from faulty import Exchange, Fault, Faulty, answer, refusal, reply
from support import SHOP, Database

MANY = 20
SOON = 60.0  # seconds; what is waited for comes long before


def full(others: int, then: Fault) -> Fault:
    """What replies once so many threads wait for the call."""

    def fault(exchange: Exchange) -> None:
        while flights.waiting() < others and exchange.wait(0.01):
            pass
        then(exchange)

    return fault


def shop(database: Database) -> Path:
    """A file with the shop in it."""
    connection = database.raw(database.path)
    connection.execute(SHOP)
    connection.close()
    return database.path


def asking(path: Path, url: str, **settings: object) -> Callable[[int], tuple[object, ...] | str]:
    def ask(number: int) -> tuple[object, ...] | str:
        connection = askwhere.connect(path, model="openai:small", base_url=url, method="sea", **settings)
        try:
            return askwhere.ask(connection, "how many customers are there?").rows
        except ModelError as exc:
            return str(exc)
        finally:
            connection.close()

    return ask


@pytest.mark.slow
def test_twenty_connections_pay_for_one_reply(database: Database) -> None:
    path = shop(database)
    with (
        Faulty((full(MANY - 1, answer(reply("SELECT count(*) FROM customers"))),)) as server,
        ThreadPoolExecutor(MANY) as threads,
    ):
        assert set(threads.map(asking(path, server.url), range(MANY))) == {((3,),)}
        assert len(server.requests) == 1


@pytest.mark.slow
def test_what_a_server_refuses_is_refused_to_all(database: Database) -> None:
    path = shop(database)
    with (
        Faulty((full(MANY - 1, refusal("no such key", 401)),)) as server,
        ThreadPoolExecutor(MANY) as threads,
    ):
        (told,) = set(threads.map(asking(path, server.url), range(MANY)))
        assert "no such key" in str(told)
        assert len(server.requests) == 1


@pytest.mark.slow
def test_the_same_words_after_other_questions_are_calls_of_their_own(database: Database) -> None:
    path = shop(database)
    counted = {"flurb customers": 3, "flurb orders": 4}
    connection = askwhere.connect(path)
    for earlier in counted:
        connection.execute(f"SELECT ask_pin('{earlier}', 'SELECT * FROM {earlier.split()[1]}')").fetchall()
    connection.close()

    def fault(exchange: Exchange) -> None:
        while len(server.requests) < 2 and not flights.waiting() and exchange.wait(0.01):
            pass
        earlier = next(earlier for earlier in counted if f"Earlier question: {earlier}" in str(exchange.body))
        answer(reply(f"SELECT count(*) FROM {earlier.split()[1]}"))(exchange)

    def ask(earlier: str) -> object:
        own = askwhere.connect(path, model="openai:small", base_url=server.url, method="sea")
        with contextlib.closing(own):
            return askwhere.ask(own, "zorb how many", follows=earlier).rows[0][0]

    with Faulty((fault,)) as server, ThreadPoolExecutor(2) as threads:
        assert dict(zip(counted, threads.map(ask, counted), strict=True)) == counted
        assert len(server.requests) == 2


def call(text: str) -> Callable[[], Completions]:
    return lambda: Completions((text,), 7, 5)


def test_a_reply_of_another_call_counts_no_tokens() -> None:
    began, go = threading.Event(), threading.Event()

    def slow() -> Completions:
        began.set()
        assert go.wait(SOON)
        return call("one")()

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(flights.shared, "key", slow, SOON)
        assert began.wait(SOON)
        second = threads.submit(flights.shared, "key", call("two"), SOON)
        while not flights.waiting():
            pass
        go.set()
        assert first.result() == Completions(("one",), 7, 5)
        assert second.result() == Completions(("one",), requests=0)
    assert flights.shared("key", call("three"), SOON).texts == ("three",)


@pytest.mark.parametrize("why", [KeyboardInterrupt(), ModelError("late")], ids=["interrupted", "late"])
def test_who_waits_asks_again_where_the_first_call_was_cut(why: BaseException) -> None:
    began, go = threading.Event(), threading.Event()

    def cut() -> Completions:
        began.set()
        assert go.wait(SOON)
        raise why

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(flights.shared, "key", cut, 0.0)
        assert began.wait(SOON)
        second = threads.submit(flights.shared, "key", call("two"), SOON)
        while not flights.waiting():
            pass
        go.set()
        assert second.result().texts == ("two",)
        assert first.exception() is why


def test_a_wait_has_an_end() -> None:
    began, go = threading.Event(), threading.Event()

    def slow() -> Completions:
        began.set()
        assert go.wait(SOON)
        return call("one")()

    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(flights.shared, "key", slow, SOON)
        assert began.wait(SOON)
        with pytest.raises(ModelError, match="its reply did not come in time"):
            flights.shared("key", call("two"), 0.01)
        go.set()
        assert first.result().texts == ("one",)


@pytest.mark.parametrize("line", range(len(inspect.getsource(flights).splitlines())))
def test_a_call_that_is_interrupted_at_any_line_holds_nobody_up(line: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C may come between any two lines, also where all is put in order."""
    monkeypatch.setattr(flights, "LATE", 0.0)
    interrupted = threading.Event()

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        if frame.f_code.co_filename != flights.__file__:
            return None
        if event == "line" and frame.f_lineno == line + 1 and not interrupted.is_set():
            interrupted.set()
            raise KeyboardInterrupt
        return trace

    def first() -> None:
        sys.settrace(trace)
        try:
            with contextlib.suppress(KeyboardInterrupt):
                flights.shared("key", call("one"), 0.01)
        finally:
            sys.settrace(None)

    thread = threading.Thread(target=first)
    thread.start()
    thread.join()
    assert flights.shared("key", call("two"), SOON).texts == ("two",)
    assert flights.waiting() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_as_a_waiter_takes_a_lock_leaves_none_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """`concurrent.futures.wait` takes the lock of a future, for which the call that ends it would wait for ever."""
    enter = _AcquireFutures.__enter__

    def entered(taking: _AcquireFutures) -> None:
        enter(taking)
        signal.raise_signal(signal.SIGINT)

    began, go = threading.Event(), threading.Event()

    def slow() -> Completions:
        began.set()
        assert go.wait(SOON)
        return call("one")()

    def interrupt() -> None:
        while not flights.waiting():
            pass
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(flights.shared, "key", slow, SOON)
        assert began.wait(SOON)
        monkeypatch.setattr(_AcquireFutures, "__enter__", entered)
        threads.submit(interrupt)
        with pytest.raises(KeyboardInterrupt):
            flights.shared("key", call("two"), SOON)
        monkeypatch.undo()
        go.set()
        assert first.result(SOON).texts == ("one",)
    assert flights.waiting() == 0
