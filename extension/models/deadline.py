"""Send requests that end by a deadline whatever the server does, and bound the size of replies.

A socket's own timeout starts again with each byte that comes, and looking up a host name has no timeout. So each
request runs in a thread of its own; the caller waits until the deadline, then shuts the socket down and goes on.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import socket
import threading
import time
import zlib
from collections.abc import Iterator
from typing import Any

import httpx2
from askwhere.api_keys import Key, redact
from askwhere.models.connections import Connection, ConnectionPool
from askwhere.models.threads import WAKE

CONNECT = 5.0
LIMIT = 1_000_000


class DeadlineExceeded(Exception):  # says what happened
    """Raised when the deadline has passed, or the call was stopped."""


class Unreadable(Exception):
    """A reply that is too long, damaged, or compressed in a way that was not asked for; the text says which."""


class Call:
    """The deadline of all requests of one model call: `seconds` after `started`, or when `stop` is called."""

    def __init__(self, seconds: float, started: float) -> None:
        self.seconds = seconds
        self._end = started + seconds
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()

    def left(self) -> float:
        """Return the seconds that are left."""
        return 0.0 if self._stopped.is_set() else max(0.0, self._end - time.monotonic())

    def stop(self) -> None:
        """End all requests of the call now."""
        with self._lock:
            self._stopped.set()
            for connection in self._open:
                _shut(connection)

    def sleep(self, seconds: float) -> bool:
        """Wait for `seconds`; return False at once where fewer are left."""
        return seconds < self.left() and not self._stopped.wait(seconds)

    def wait(self, answers: queue.SimpleQueue[Any]) -> Any:
        """Return the first of `answers`. If none comes by the deadline, stop the call, and raise `DeadlineExceeded`."""
        try:
            while (left := self.left()) > 0:
                with contextlib.suppress(queue.Empty):
                    return answers.get(timeout=min(left, WAKE))
            raise DeadlineExceeded
        except BaseException:  # Ctrl-C too
            self.stop()
            raise

    @contextlib.contextmanager
    def watching(self, request: httpx2.Request, connection: Connection) -> Iterator[None]:
        """Give `request` the seconds that are left, and let `stop` shut its socket down during the block."""
        watched: set[socket.socket] = set()

        def trace(event: str, info: dict[str, Any]) -> None:
            if event.endswith("connect_tcp.complete"):
                watch(connection.opened(info["return_value"].get_extra_info("socket")))

        def watch(opened: socket.socket) -> None:
            watched.add(opened)
            with self._lock:
                self._open.add(opened)
                if self._stopped.is_set():
                    _shut(opened)

        if connection.socket:
            watch(connection.socket)
        left = self.left()
        times = {"connect": min(CONNECT, left), "read": left, "write": left, "pool": left}
        request.extensions = {**request.extensions, "timeout": times, "trace": trace}
        try:
            yield
        finally:
            with self._lock:
                self._open -= watched


def _shut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


class BoundedTransport(httpx2.BaseTransport):
    """A transport that ends by the deadline of `call`, and returns whole replies of at most `LIMIT` bytes."""

    def __init__(self, pool: ConnectionPool, call: Call) -> None:
        self._pool = pool
        self._call = call

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Return the reply, read to its end. Raise `DeadlineExceeded`, `Unreadable`, or what the transport raises."""
        if not self._call.left():
            raise DeadlineExceeded
        answers: queue.SimpleQueue[httpx2.Response | Exception] = queue.SimpleQueue()
        threading.Thread(target=lambda: answers.put(self._fetched(request)), daemon=True).start()
        answer = self._call.wait(answers)
        if isinstance(answer, Exception):
            raise answer if self._call.left() else DeadlineExceeded
        assert isinstance(answer, httpx2.Response)
        return answer

    def _fetched(self, request: httpx2.Request) -> httpx2.Response | Exception:
        """Return the response with its body read, or the exception."""
        try:
            response, body = self._sent(request)
            headers = _needed_headers(response.headers)
            return httpx2.Response(response.status_code, headers=headers, content=body, request=request)
        except Exception as exc:
            return exc

    def _sent(self, request: httpx2.Request) -> tuple[httpx2.Response, bytes]:
        """Return the response and its body. Where a reused connection turns out to be closed, a new one is tried."""
        while True:
            connection = self._pool.acquire()
            was_reused, began = connection.socket is not None, False
            try:
                with self._call.watching(request, connection):
                    response = connection.transport.handle_request(request)
                    began = True
                    try:
                        body = _body(response, LIMIT)
                    finally:
                        response.close()
            except CLOSED:
                connection.close()
                if was_reused and not began and self._call.left():
                    continue
                raise
            except BaseException:
                connection.close()
                raise
            self._pool.release(connection)
            return response, body


# The errors of a connection that the server has closed, before or while it is used.
CLOSED = (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError)
HEADERS = ("content-type", "location", "retry-after", "retry-after-ms", "x-request-id")


def _needed_headers(headers: httpx2.Headers) -> dict[str, str]:
    """Return the headers that are read later, in ASCII, as a response can be made with no other characters.

    The others describe the body as it came. The server's phrase for its status is dropped too, since a log prints it.
    """
    needed = {name: headers[name].encode("ascii", "replace").decode() for name in HEADERS if name in headers}
    # JSON is UTF-8 whatever the header says: with charset=punycode, 1 MB would take a quarter of an hour to decode.
    if "content-type" in needed:
        needed["content-type"] = needed["content-type"].partition(";")[0]
    return needed


def _body(response: httpx2.Response, limit: int) -> bytes:
    """Return the body, decompressed piece by piece, so that a small reply cannot become a huge one."""
    kind = response.headers.get("content-encoding", "").strip().lower()
    if kind not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise Unreadable(f"the reply is compressed as {kind[:40]!r}, which was not asked for")
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 32) if kind not in ("", "identity") else None
    body = bytearray()
    received = 0
    assert isinstance(response.stream, httpx2.SyncByteStream)
    for piece in response.stream:
        received += len(piece)
        try:
            body += inflate.decompress(piece, limit + 1 - len(body)) if inflate else piece
        except zlib.error:
            raise Unreadable("the reply is damaged: it cannot be decompressed") from None
        if max(received, len(body)) > limit:
            raise Unreadable(f"the reply is longer than {limit:,} bytes, and no answer is")
    return bytes(body)


class KeyFilter(logging.Filter):
    """A log filter that removes `key` from the HTTP client's log.

    At its finest level that log has the headers of requests, and of replies, in which a server may echo the key.
    """

    def __init__(self, key: Key) -> None:
        super().__init__()
        self._key = key

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through, without the key."""
        record.msg, record.args = redact(record.getMessage(), self._key), ()
        return True

    def add(self) -> None:
        """Add the filter to the client's loggers."""
        for name in LOGGERS:
            logging.getLogger(name).addFilter(self)

    def remove(self) -> None:
        """Remove the filter."""
        for name in LOGGERS:
            logging.getLogger(name).removeFilter(self)


LOGGERS = ("httpx2", "httpcore2.connection", "httpcore2.http11", "httpcore2.proxy")
