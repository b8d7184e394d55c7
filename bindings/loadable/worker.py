"""`askwhere worker`: the Python behind the loadable SQLite extension, started by it and ended with its host.

Standard input is the control socket: it says which connections begin, with a socket for each, and which have ended.
Each connection has a session and is served by a thread of its own.
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
from typing import Any

import askwhere
from askwhere import settings as settings_
from askwhere.bindings.file_errors import message
from askwhere.bindings.loadable.channel import Channel, Gone, written
from askwhere.bindings.loadable.host import HostConnection, HostEngine
from askwhere.bindings.sqlite import reading as sqlite_reading
from askwhere.bindings.sqlite import tables as sqlite_tables
from askwhere.bindings.sqlite.decoding import askwhere_text
from askwhere.bindings.sqlite.limits import Stop, too_long
from askwhere.engine import Checked, Limits
from askwhere.indexer import answers
from askwhere.session import Session, too_many
from askwhere.sql.identifiers import quote
from askwhere.udfs import BY_NAME, asked, call

ALIVE_SECONDS = 1.0  # how often a host that waits hears that the worker lives; worker.c gives up after ten
LEFT_SECONDS = 2.0  # that a question which was interrupted has to end, before its session is left to it

_CONTROL = struct.Struct("=cq")

_serving = threading.local()


class Interrupted(BaseException):
    """Raised in a thread whose question nobody waits for any more."""


def run() -> int:
    """Serve the host that started us, until it ends."""
    control = socket.socket(fileno=os.dup(0))
    with open(os.devnull, "r+b") as nothing:
        for number in range(3):
            os.dup2(nothing.fileno(), number)
    logging.getLogger("askwhere").addHandler(_HostLog())
    control.sendall(written(("hello", askwhere.__version__, os.getpid())))
    hosts = Hosts()
    threading.Thread(target=hosts.keep_alive, daemon=True).start()
    for what, number, passed in _announced(control):
        if what == b"o":
            hosts.begin(number, socket.socket(fileno=passed))
        else:
            hosts.end(number)
    os._exit(0)  # a thread may wait for a model; nothing here needs cleaning up


def _announced(control: socket.socket) -> Iterator[tuple[bytes, int, int]]:
    """What the host says of its connections: 'o' or 'c', the connection's number, and its socket."""
    content, passed = b"", [-1]
    while True:
        piece, fds, _, _ = socket.recv_fds(control, _CONTROL.size - len(content), 1)
        if not piece:
            return
        content, passed = content + piece, fds or passed
        if len(content) == _CONTROL.size:
            what, number = _CONTROL.unpack(content)
            yield what, number, passed[0]
            content, passed = b"", [-1]


class Hosts:
    """The connections that are served."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._served: dict[int, Served] = {}

    def begin(self, number: int, speaking: socket.socket) -> None:
        """Serve a connection: a new one, or one that was interrupted and speaks again, with its session."""
        with self._lock:
            before = self._served.get(number)
            served = self._served[number] = Served(speaking, before)
        served.thread.start()

    def end(self, number: int) -> None:
        """Forget a connection."""
        with self._lock:
            self._served.pop(number, None)

    def keep_alive(self) -> None:
        """Tell every host that waits, now and then, that its worker lives; stop what nobody waits for."""
        while True:
            threading.Event().wait(ALIVE_SECONDS)
            with self._lock:
                served = list(self._served.values())
            for one in served:
                if not one.channel.alive():
                    one.interrupt()


class Served:
    """One connection: its channel, its session, and the thread that works for it."""

    def __init__(self, speaking: socket.socket, before: Served | None) -> None:
        self.channel = Channel(speaking, self._answer)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.session: Session | None = None
        self._before = before
        self._connection = HostConnection(self.channel)
        self._engine = HostEngine(self._connection)

    def interrupt(self) -> None:
        """Stop the thread where it is in Python the next time."""
        if self.thread.ident is not None and self.thread.is_alive():
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread.ident), ctypes.py_object(Interrupted))

    def _run(self) -> None:
        _serving.channel = self.channel
        with contextlib.suppress(Gone, Interrupted):
            self.channel.run()

    def _begin(self, changed: str | None) -> tuple[Any, ...]:
        """Take over the session of before; where a question still has it, or there is none, begin with its settings."""
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

    def _answer(self, what: str, *values: Any) -> tuple[Any, ...]:
        """The reply to a request of the host's."""
        try:
            if what == "authorize":
                decide = self._connection.decide
                return ("reply", int(decide is not None and decide(*values) == 0))
            return _REQUESTS[what](self, *values)
        except Gone:
            raise
        except Exception as exc:
            return ("error", message(exc))

    def _call(self, name: str, *values: Any) -> tuple[Any, ...]:
        """A function's value, and what the settings were changed to; or of a table all its rows."""
        if name == "askwhere_text":
            return ("reply", askwhere_text(*values))
        function, session = BY_NAME[name], self._session
        found = call(session, self._engine, name, values)
        if function.kind == "table":
            return ("reply", len(found), *(cell for row in found for cell in row))
        return ("reply", found, _changed(session) if function.changes else None)

    def _ask(self, declared: str, *values: Any) -> tuple[Any, ...]:
        """The columns that ask() must declare; none where it has, and then its query is delivered."""
        session = self._session
        candidate, checked = session.choose(self._engine, asked(values))
        dynamic = int(session.settings["dynamic_columns"] == "on")
        columns = _declaration(checked.columns, checked.types)
        if columns != declared:
            return ("reply", len(checked.columns), columns, dynamic)
        assert candidate.result is not None  # what was chosen was tried
        self._deliver(checked, [], candidate.result.undecodable)
        return ("reply", 0, None, dynamic, *self._most(checked))

    def _scan(self, schema: str, name: str, plan: str, *values: Any) -> tuple[Any, ...]:
        """The rows of a stored answer whose columns, a list of numbers, equal the values."""
        stored = sqlite_tables.stored_answer(self._engine, schema, name)
        checked = Checked(stored.sql, stored.columns, stored.types)
        places = [int(place) for place in plan.split(",") if place]
        self._deliver(checked, [(stored.columns[p], v) for p, v in zip(places, values, strict=True)])
        return ("reply", *self._most(checked))

    def _deliver(self, checked: Checked, equal: list[tuple[str, Any]], undecodable: bool = False) -> None:
        session = self._session
        if session.settings["isolation"]:
            self._engine.deliver_rows(session.rows(self._engine, checked), equal)
        else:
            grant = session.catalog(self._engine).grant
            self._engine.deliver(checked, grant, equal, undecodable)

    def _most(self, checked: Checked) -> tuple[Any, ...]:
        """How many rows there may be, how long a value, and what the first row may need; with what to say of more."""
        most, stop = self._session.settings["max_rows"], Stop(Limits())
        stop.because("memory")
        grant = self._session.catalog(self._engine).grant
        length = self._engine.longest(checked.sql, grant)
        return most, str(too_many(most, checked.sql)), length, Limits().bytes, too_long(length), stop.reason

    def _create(self, schema: str, name: str, *arguments: str) -> tuple[Any, ...]:
        self._connection.making = True
        try:
            return _columns(sqlite_tables.create(self._session, self._engine, schema, name, arguments))
        finally:
            self._connection.making = False

    def _connect(self, schema: str, name: str, *_: str) -> tuple[Any, ...]:
        return _columns(sqlite_tables.stored_answer(self._engine, schema, name))

    def _destroy(self, schema: str, name: str) -> tuple[Any, ...]:
        answers.delete(self._engine.read, schema, name)
        return ("reply",)

    def _rename(self, schema: str, name: str, new: str) -> tuple[Any, ...]:
        answers.rename(self._engine.read, schema, name, new)
        return ("reply",)

    @property
    def _session(self) -> Session:
        assert self.session is not None  # the host says 'begin' first
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
    return ("reply", len(stored.columns), _declaration(stored.columns, stored.types))


def _declaration(columns: tuple[str, ...], types: tuple[str, ...]) -> str:
    """The columns as a virtual table declares them, with a comma after each."""
    kinds = map(sqlite_reading.plain, types)
    return "".join(f"{quote(name)} {kind}," for name, kind in zip(columns, kinds, strict=True))


def _changed(session: Session) -> str:
    """What ask_set has changed, as text that a later worker can be given."""
    given = next((values for source, values in session.settings.layers if source == "ask_set"), {})
    return json.dumps({name: settings_.as_text(value) for name, value in given.items()})


class _HostLog(logging.Handler):
    """Hands what is logged while a question is answered to the host's own log, `sqlite3_log`."""

    def emit(self, record: logging.LogRecord) -> None:
        channel = getattr(_serving, "channel", None)
        if channel is not None:
            with contextlib.suppress(Gone):
                channel.send("log", self.format(record))


if __name__ == "__main__":
    sys.exit(run())
