"""`askwhere worker`: the Python process behind the loadable SQLite extension, which starts it.

It ends with its host. Standard input is the control socket, which announces connections that begin, each with a socket,
and connections that end. Each connection has a session, and a thread that serves it.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import logging
import os
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from math import ceil
from typing import Any

import askwhere
from askwhere import settings as settings_
from askwhere.bindings.engine_errors import message
from askwhere.bindings.loadable.channel import Channel, ChannelClosed, written
from askwhere.bindings.loadable.connection import HostConnection
from askwhere.bindings.loadable.host import HostEngine
from askwhere.bindings.sqlite import reading as sqlite_reading
from askwhere.bindings.sqlite import virtual_tables
from askwhere.bindings.sqlite.decoding import askwhere_text
from askwhere.bindings.sqlite.limits import Stop, too_long
from askwhere.engine import Checked, Limits
from askwhere.indexer import answers
from askwhere.session import Session, too_many
from askwhere.udfs import BY_NAME, asked, call

ALIVE_SECONDS = 1.0  # between two signs of life to a waiting host; worker.c gives up after ten seconds
BESIDE_SECONDS = 60  # added to a question's own limits: to read a schema, or to load a model
WORK_SECONDS = 86_400  # without a message to the host, where no question is answered: ask_index() takes long
LEFT_SECONDS = 2.0  # for an interrupted question to end; after that a new session is made

_CONTROL = struct.Struct("=cq")

_serving = threading.local()


class Interrupted(BaseException):
    """Raised in a thread for whose question no host waits any more."""


def run() -> int:
    """Serve the host that started this process, until it ends."""
    control, hosts = socket.socket(fileno=os.dup(0)), Hosts()
    threading.Thread(target=hosts.keep_alive, daemon=True).start()  # an error is printed, where the host reads it
    with open(os.devnull, "r+b") as nothing:
        for number in range(3):
            os.dup2(nothing.fileno(), number)
    logging.getLogger("askwhere").addHandler(_HostLog())
    control.sendall(written(("hello", askwhere.__version__, os.getpid())))
    for event, number, passed in _announced(control):
        if event == b"c":
            hosts.end(number)
        elif passed >= 0:  # -1 where this process has no free descriptor: only that connection then gets an error
            hosts.begin(number, socket.socket(fileno=passed))
    os._exit(0)  # a thread may wait for a model; there is nothing to clean up


def _announced(control: socket.socket) -> Iterator[tuple[bytes, int, int]]:
    """Yield the host's events: 'o' (opened) or 'c' (closed), the connection's number, and its socket, -1 for none."""
    content, passed = b"", [-1]
    while True:
        piece, fds, _, _ = socket.recv_fds(control, _CONTROL.size - len(content), 1)
        if not piece:
            return
        content, passed = content + piece, fds or passed
        if len(content) == _CONTROL.size:
            event, number = _CONTROL.unpack(content)
            yield event, number, passed[0]
            content, passed = b"", [-1]


class Hosts:
    """The connections that are being served."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._served: dict[int, Served] = {}
        self._refused: dict[int, Channel] = {}

    def begin(self, number: int, speaking: socket.socket) -> None:
        """Serve a connection, a new one or one that was interrupted, which keeps its session.

        Where the system allows no more threads, only this connection gets an error.
        """
        with self._lock:
            self._forget_refused(number)
            served = Served(speaking, self._served.get(number))
            try:
                served.thread.start()
            except RuntimeError as exc:
                with contextlib.suppress(ChannelClosed):
                    served.channel.send("error", message(exc))  # which answers the host's first request
                self._refused[number] = served.channel  # open, as the host may still have to send that request
            else:
                self._served[number] = served

    def end(self, number: int) -> None:
        """Forget a connection."""
        with self._lock:
            self._served.pop(number, None)
            self._forget_refused(number)

    def _forget_refused(self, number: int) -> None:
        """Close the channel of a connection that got an error in place of a thread, if it is one."""
        if (channel := self._refused.pop(number, None)) is not None:
            channel.close()

    def keep_alive(self) -> None:
        """Send every waiting host a sign of life, once a second; interrupt work that no host waits for."""
        while True:
            threading.Event().wait(ALIVE_SECONDS)
            with self._lock:
                all_served = list(self._served.values())
            for served in all_served:
                if not served.channel.alive(served.seconds):
                    served.interrupt()


class Served:
    """One connection: its channel, its session, and the thread that serves it."""

    def __init__(self, speaking: socket.socket, before: Served | None) -> None:
        self.channel = Channel(speaking, self._answer)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.session: Session | None = None
        self._works = False  # whether work other than a question runs
        self._before = before
        self._connection = HostConnection(self.channel)
        self._engine = HostEngine(self._connection)

    @property
    def seconds(self) -> int:
        """Return the seconds that the host waits for a sign of the work that runs now."""
        if self.session is None or self._works:
            return WORK_SECONDS
        limits = self.session.settings.for_question(model=None, effort="thorough")  # the longest of all questions
        both = float(limits["max_seconds"] + limits["query_timeout"])
        return ceil(min(both, WORK_SECONDS)) + BESIDE_SECONDS

    def interrupt(self) -> None:
        """Raise `Interrupted` in the thread, the next time it runs Python code."""
        if self.thread.ident is not None and self.thread.is_alive():
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread.ident), ctypes.py_object(Interrupted))

    def _run(self) -> None:
        """Answer the requests of the connection until the host closes it or no longer waits."""
        _serving.channel = self.channel
        try:
            with contextlib.suppress(ChannelClosed, Interrupted):
                self.channel.run()
        finally:
            self.channel.close()

    def _begin(self, changed: str | None) -> tuple[Any, ...]:
        """Take over this connection's earlier session; begin a new one where there is none or a question still uses it.

        `changed` are the settings of a new one, as `_changed` wrote them.
        """
        before, self._before = self._before, None
        if before is not None:
            before.interrupt()
            before.thread.join(LEFT_SECONDS)
            if not before.thread.is_alive():
                self.session = before.session
        if self.session is None:
            session = Session({})
            for name, value in json.loads(changed or "{}").items():
                session.set(name, value)
            self.session = session
        return ("reply",)

    def _answer(self, request: str, *values: Any) -> tuple[Any, ...]:
        """Return the reply to a request of the host's."""
        try:
            if request == "authorize":
                decide = self._connection.decide
                return ("reply", int(decide is not None and decide(*values) == 0))
            return _REQUESTS[request](self, *values)
        except ChannelClosed:
            raise
        except Exception as exc:
            return ("error", message(exc))

    def _call(self, name: str, *values: Any) -> tuple[Any, ...]:
        """Return a function's value and the changed settings; for a table, the number of its rows and all cells."""
        if name == "askwhere_text":
            return ("reply", askwhere_text(*values))
        function, session = BY_NAME[name], self._session
        self._works = name == "ask_index"
        try:
            result = call(session, self._engine, name, values)
        finally:
            self._works = False
        if function.kind == "table":
            return ("reply", len(result), *(cell for row in result for cell in row))
        return ("reply", result, _changed(session) if function.changes else None)

    def _ask(self, declared: str, *values: Any) -> tuple[Any, ...]:
        """Return the columns that ask() must declare; where it has declared them, deliver its query."""
        session = self._session
        candidate, checked = session.choose(self._engine, asked(values))
        dynamic = int(session.settings["dynamic_columns"] == "on")
        columns = f"{sqlite_reading.declared(checked.columns, checked.types)},"
        if columns != declared:
            return ("reply", len(checked.columns), columns, dynamic)
        assert candidate.result is not None  # a chosen candidate was tried
        self._deliver(checked, [], candidate.result.undecodable)
        return ("reply", 0, None, dynamic, *self._limits(checked))

    def _scan(self, schema: str, name: str, plan: str, *values: Any) -> tuple[Any, ...]:
        """Deliver the rows of a stored answer whose columns, numbered in `plan`, equal the values."""
        stored = virtual_tables.stored_answer(self._engine, schema, name)
        checked = Checked(stored.sql, stored.columns, stored.types)
        places = [int(place) for place in plan.split(",") if place]
        self._deliver(checked, [(stored.columns[p], v) for p, v in zip(places, values, strict=True)])
        return ("reply", *self._limits(checked))

    def _deliver(self, checked: Checked, equal: list[tuple[str, Any]], undecodable: bool = False) -> None:
        """Send the host's waiting cursor a query, or the rows that another process has read."""
        session = self._session
        if session.settings["isolation"]:
            self._engine.deliver_rows(session.rows(self._engine, checked), equal)
        else:
            grant = session.catalog(self._engine).grant
            self._engine.deliver(checked, grant, equal, undecodable)

    def _limits(self, checked: Checked) -> tuple[Any, ...]:
        """Return the limits of a delivery, each followed by the error for more.

        They limit the rows, the bytes of a value, and the bytes that the first row may need.
        """
        most, stop = self._session.settings["max_rows"], Stop(Limits())
        stop.because("memory")
        grant = self._session.catalog(self._engine).grant
        length = self._engine.longest_value(checked.sql, grant)
        return most, str(too_many(most, checked.sql)), length, Limits().bytes, too_long(length), stop.reason

    def _create(self, schema: str, name: str, *arguments: str) -> tuple[Any, ...]:
        """Make a stored answer, and return the reply that declares its columns."""
        self._connection.making = True
        try:
            return _columns(virtual_tables.create(self._session, self._engine, schema, name, arguments))
        finally:
            self._connection.making = False

    def _connect(self, schema: str, name: str, *_: str) -> tuple[Any, ...]:
        return _columns(virtual_tables.connected(self._engine, schema, name))

    def _destroy(self, schema: str, name: str) -> tuple[Any, ...]:
        answers.delete(self._engine.read, schema, name)
        return ("reply",)

    def _rename(self, schema: str, name: str, new: str) -> tuple[Any, ...]:
        answers.rename(self._engine.read, schema, name, new)
        return ("reply",)

    @property
    def _session(self) -> Session:
        assert self.session is not None  # the host's first request is 'begin'
        return self.session


_REQUESTS: dict[str, Callable[..., tuple[Any, ...]]] = {
    "begin": Served._begin,
    "call": Served._call,
    "ask": Served._ask,
    "scan": Served._scan,
    "create": Served._create,
    "connect": Served._connect,
    "destroy": Served._destroy,
    "rename": Served._rename,
}


def _columns(stored: answers.StoredAnswer) -> tuple[Any, ...]:
    """Return the reply that declares a stored answer's columns, with a comma after the last: others follow."""
    return ("reply", len(stored.columns), f"{sqlite_reading.declared(stored.columns, stored.types)},")


def _changed(session: Session) -> str:
    """Return the settings changed by ask_set as JSON, which the host keeps for a later worker."""
    given = next((values for source, values in session.settings.layers if source == "ask_set"), {})
    return json.dumps({name: settings_.as_text(value) for name, value in given.items()})


class _HostLog(logging.Handler):
    """Sends what is logged while a question is answered to the host's own log, `sqlite3_log`."""

    def emit(self, record: logging.LogRecord) -> None:
        channel = getattr(_serving, "channel", None)
        if channel is not None:
            with contextlib.suppress(ChannelClosed):
                channel.send("log", self.format(record))


if __name__ == "__main__":
    sys.exit(run())
