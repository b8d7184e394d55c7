"""Connections to a model server, one a request at a time, kept open between requests."""

from __future__ import annotations

import os
import socket
import threading
from typing import Any

import httpx2

# Idle connections that are kept, and for how many seconds one may be used again: servers close idle ones, too.
MOST = 8
IDLE = 30.0


class Line:
    """A transport that holds one connection at most, and a duplicate of its socket, by which it can be shut."""

    def __init__(self, context: object, proxy: str | None) -> None:
        limits = httpx2.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=IDLE)
        self.transport = httpx2.HTTPTransport(verify=context, limits=limits, proxy=proxy)  # type: ignore[arg-type]
        self.socket: socket.socket | None = None

    def connected(self, connection: socket.socket) -> socket.socket:
        """The duplicate for a connection that was made just now, in place of an earlier one's."""
        if self.socket:
            self.socket.close()
        # TLS takes the socket itself over, and its handshake can be slow too.
        self.socket = connection.dup()
        return self.socket

    def clean(self) -> bool:
        """Whether it may be used again: nothing came after the last response, and the connection is open.

        What came after it would be taken for the response to the next request, whatever that asks. The package does not
        tell, so its parser is asked; where that is not found, no connection is kept.
        """
        pool = getattr(self.transport, "_pool", None)
        held: Any = next(iter(getattr(pool, "connections", ())), None)
        while held is not None and not hasattr(held, "_h11_state"):  # around it there is one for a proxy, or for TLS
            held = getattr(held, "_connection", None)
        return getattr(getattr(held, "_h11_state", None), "trailing_data", None) == (b"", False)

    def close(self) -> None:
        """Close the connection."""
        self.transport.close()
        if self.socket:
            self.socket.close()
            self.socket = None


class Lines:
    """The lines to one server, through `proxy` if there is one; certificates are loaded once for all of them.

    Raises what `httpx2` does where `proxy` cannot be used.
    """

    def __init__(self, proxy: str | None) -> None:
        self._context, self._proxy = httpx2.create_ssl_context(), proxy
        self._lock = threading.Lock()
        self._idle = [Line(self._context, proxy)]  # raises at once where the proxy cannot be used
        self._most, self._process = MOST, os.getpid()

    def take(self) -> Line:
        """A line that nobody uses: the one that was used last, or a new one."""
        with self._lock:
            if self._process != os.getpid():  # a forked process must not speak on its parent's connections
                self._idle, self._process = [], os.getpid()
            if self._idle:
                return self._idle.pop()
        return Line(self._context, self._proxy)

    def give(self, line: Line) -> None:
        """Keep a line for the next request, or close it where there are enough, or where it must not be used again."""
        clean = line.clean()
        with self._lock:
            if clean and len(self._idle) < self._most and self._process == os.getpid():
                self._idle.append(line)
                return
        line.close()

    def close(self) -> None:
        """Close all that nobody uses, and those in use as soon as they are given back."""
        with self._lock:
            idle, self._idle, self._most = self._idle, [], 0
        for line in idle:
            line.close()
