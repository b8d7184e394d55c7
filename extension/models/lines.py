"""Keep connections to a model server open between requests; each serves one request at a time."""

from __future__ import annotations

import os
import socket
import threading
from typing import Any

import httpx2

# The most idle connections, and the seconds after which one is not used again: servers close idle ones, too.
MOST = 8
IDLE = 30.0


class Line:
    """A transport with at most one connection, and a duplicate of its socket, by which the connection can be shut."""

    def __init__(self, context: object, proxy: str | None) -> None:
        limits = httpx2.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=IDLE)
        self.transport = httpx2.HTTPTransport(verify=context, limits=limits, proxy=proxy)  # type: ignore[arg-type]
        self.socket: socket.socket | None = None

    def connected(self, connection: socket.socket) -> socket.socket:
        """Return a duplicate of a new connection's socket, and keep it in place of an earlier one."""
        if self.socket:
            self.socket.close()
        # TLS takes the socket itself over, and its handshake can be slow too.
        self.socket = connection.dup()
        return self.socket

    def clean(self) -> bool:
        """Return whether the connection may be used again: it is open, and nothing came after the last response.

        Bytes after a response would be taken for the response to the next request. The package does not report them, so
        its parser is asked; where the parser is not found, no connection is kept.
        """
        pool = getattr(self.transport, "_pool", None)
        connection: Any = next(iter(getattr(pool, "connections", ())), None)
        while connection is not None and not hasattr(
            connection, "_h11_state"
        ):  # connections for a proxy or TLS wrap it
            connection = getattr(connection, "_connection", None)
        return getattr(getattr(connection, "_h11_state", None), "trailing_data", None) == (b"", False)

    def close(self) -> None:
        """Close the connection."""
        self.transport.close()
        if self.socket:
            self.socket.close()
            self.socket = None


class Lines:
    """The connections to one server, through `proxy` if there is one; certificates are loaded once.

    Raises what `httpx2` raises where `proxy` cannot be used.
    """

    def __init__(self, proxy: str | None) -> None:
        self._context, self._proxy = httpx2.create_ssl_context(), proxy
        self._lock = threading.Lock()
        self._idle = [Line(self._context, proxy)]  # raises at once where the proxy cannot be used
        self._most, self._process = MOST, os.getpid()

    def take(self) -> Line:
        """Return a line that is not in use: the one used last, or a new one."""
        with self._lock:
            if self._process != os.getpid():  # a forked process must not speak on its parent's connections
                self._idle, self._process = [], os.getpid()
            if self._idle:
                return self._idle.pop()
        return Line(self._context, self._proxy)

    def give(self, line: Line) -> None:
        """Keep a line for the next request, or close it where there are enough or it must not be used again."""
        clean = line.clean()
        with self._lock:
            if clean and len(self._idle) < self._most and self._process == os.getpid():
                self._idle.append(line)
                return
        line.close()

    def close(self) -> None:
        """Close the lines that are not in use now, and those in use when they are given back."""
        with self._lock:
            idle, self._idle, self._most = self._idle, [], 0
        for line in idle:
            line.close()
