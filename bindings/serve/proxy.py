"""Pass the requests of Quack's clients on to several servers, all requests of one Quack connection to the same server.

A TCP connection does not identify the client: a client opens one for each request, and a proxy may share one among
clients. Quack gives each of its connections a number, which is in the body of every request but the first. The first
holds the token, and its answer the number. So a request without a known number must be short, or is refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections import Counter, OrderedDict
from collections.abc import Iterator

from askwhere.bindings.serve.address import Address
from askwhere.bindings.serve.slow import MOST, RATE, SECONDS
from askwhere.frozen import frozen

CONNECTIONS = 100_000  # whose server is remembered: Quack does not say when a client leaves without a word
OPEN = 400  # TCP connections at once; each takes two of the 1,024 files that a process may open
PIECE = 65_536
UNKNOWN = 16_384  # bytes of a request without a known number: it holds the token and the version of DuckDB
# Seconds before a request that a server has reset is sent again: it queues five connections that it has not accepted.
PAUSES = (0.05, 0.2, 0.8, 2.0)

_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*\r\n", re.IGNORECASE)
_EXPECTS = re.compile(rb"\r\nexpect:[^\r]*", re.IGNORECASE)
_METHODS = (b"GET ", b"POST ")  # that Quack answers; to HEAD it states the length of a body which never comes
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
_NUMBERED = re.compile(rb"\x01\x00.\x02\x00 ([0-9A-F]{32})", re.DOTALL)  # how a body of Quack 1.5.5 begins
_BEGINNING = 38
_LEAVING = 11  # the kind of a message that ends a connection


class _Unanswered(Exception):
    """A server has not begun an answer."""


@frozen
class _Answer:
    """Whether an answer has the number of a connection, and whether a length: nothing can follow one without."""

    numbered: bool
    has_length: bool


class Proxy:
    """Passes requests on to the servers on the `ports` of this machine, which may change at any time."""

    def __init__(self) -> None:
        self.ports: set[int] = set()
        self._of: OrderedDict[bytes, int] = OrderedDict()
        self._busy = Counter[int]()
        self._chosen = Counter[int]()
        self._open = set[asyncio.Task[object] | None]()  # the loop itself keeps no task from the garbage collector

    async def listening(self, address: Address) -> asyncio.Server:
        """Return a server that takes clients on an address. Raise `OSError` where it is in use."""
        return await asyncio.start_server(self.client, address.host.strip("[]"), address.port)

    async def client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer a client's requests until it leaves."""
        # Cancelled at the server's end: Python 3.11 would print a traceback for each connection that is still open.
        left = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError)
        with self._counted(), contextlib.closing(writer), contextlib.suppress(*left):
            try:
                while len(self._open) <= OPEN and await self._answered(reader, writer):
                    pass
            except TimeoutError:
                writer.transport.abort()  # closing alone would wait until the client reads what is written

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        self._open.add(task := asyncio.current_task())
        try:
            yield
        finally:
            self._open.discard(task)

    async def _answered(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Pass one request on, and its answer back. Return whether another may follow.

        None may behind a request without a known number whose answer has none: anybody can send such requests without
        end, and would keep others out.
        """
        async with asyncio.timeout(SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(_METHODS):
            return await _refused(writer, b"405 Method Not Allowed")
        if _CHUNKED.search(head):
            return await _refused(writer, b"411 Length Required")
        if _EXPECTS.search(head):
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            head = _EXPECTS.sub(b"", head)
        left = _length(head)
        if left > MOST:
            return await _refused(writer, b"413 Content Too Large")
        async with asyncio.timeout(SECONDS):
            beginning = await reader.readexactly(min(left, _BEGINNING))
        known = _number(beginning) in self._of
        if left > UNKNOWN and not known:
            return await _refused(writer, b"413 Content Too Large")
        port = self._port(beginning)
        if port is None:
            return await _refused(writer, b"503 Service Unavailable")
        self._busy[port] += 1
        try:
            async with asyncio.timeout(SECONDS + left / RATE):
                small = await reader.readexactly(left - len(beginning)) if left <= PIECE else b""
            left -= len(beginning) + len(small)
            for pause in (*PAUSES, None):
                with contextlib.suppress(_Unanswered):
                    answer = await self._exchanged(port, head + beginning + small, reader, left, writer)
                    return answer.has_length and (known or answer.numbered)
                if left or pause is None:
                    break
                await asyncio.sleep(pause)
            return await _refused(writer, b"502 Bad Gateway")
        finally:
            self._busy[port] -= 1

    async def _exchanged(
        self, port: int, request: bytes, reader: asyncio.StreamReader, left: int, writer: asyncio.StreamWriter
    ) -> _Answer:
        """Send a request to a server, with `left` bytes that are still to come, and pass its answer back.

        Raise `_Unanswered` where no answer begins.
        """
        try:
            back, to = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            raise _Unanswered from None
        with contextlib.closing(to):
            try:
                to.write(request)
                async with asyncio.timeout(SECONDS + left / RATE):
                    await _pass(reader, to, left)
                head = await back.readuntil(b"\r\n\r\n")
            except (OSError, asyncio.IncompleteReadError):
                raise _Unanswered from None
            async with asyncio.timeout(SECONDS):  # it comes with its head, and none is asked for again
                beginning = await back.readexactly(min(_length(head), _BEGINNING))
            return await self._passed_back(head, beginning, back, writer, port)

    async def _passed_back(
        self, head: bytes, beginning: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int
    ) -> _Answer:
        """Pass an answer back, and remember the number of a new connection."""
        if number := _number(beginning):
            self._of[number] = port
            while len(self._of) > CONNECTIONS:
                self._of.popitem(last=False)
        writer.write(head + beginning)
        await _pass(reader, writer, _length(head) - len(beginning))
        return _Answer(bool(number), bool(_LENGTH.search(head)))

    def _port(self, beginning: bytes) -> int | None:
        """Return the port of the server for a request: its connection's server, else the least busy server.

        If a connection's server has ended, its request goes to another server, which answers that it does not know the
        connection.
        """
        number = _number(beginning)
        port = self._of.get(number)
        if port is not None and beginning[2] == _LEAVING:
            del self._of[number]
        elif port is not None:
            self._of.move_to_end(number)
        if port in self.ports:
            return port
        port = min(self.ports, key=lambda port: (self._busy[port], self._chosen[port]), default=None)
        if port is not None:
            self._chosen[port] += 1
        return port


async def _refused(writer: asyncio.StreamWriter, why: bytes) -> bool:
    """Answer that a request is not passed on, and return that no other may follow."""
    writer.write(b"HTTP/1.1 " + why + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    await _drained(writer)
    return False


def _number(beginning: bytes) -> bytes:
    """Return the connection's number in the beginning of a body; empty where it has none."""
    match = _NUMBERED.match(beginning)
    return match[1] if match else b""


def _length(head: bytes) -> int:
    """Return the length of the body after a head; 0 where it says none."""
    match = _LENGTH.search(head)
    return int(match[1]) if match else 0


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, left: int) -> None:
    """Pass a number of bytes on. Raise `asyncio.IncompleteReadError` where fewer come."""
    while left:
        piece = await reader.read(min(left, PIECE))
        if not piece:
            raise asyncio.IncompleteReadError(b"", left)
        left -= len(piece)
        writer.write(piece)
        await _drained(writer)
    await _drained(writer)


async def _drained(writer: asyncio.StreamWriter) -> None:
    """Wait until most of what was written is sent. Raise `TimeoutError` where less than `RATE` bytes go in a second."""
    while True:
        before = writer.transport.get_write_buffer_size()
        try:
            async with asyncio.timeout(SECONDS):
                return await writer.drain()
        except TimeoutError:
            if before - writer.transport.get_write_buffer_size() < RATE * SECONDS:
                raise
