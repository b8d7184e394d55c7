"""Pool the connections to a model server: they stay open between requests, and each serves one request at a time."""

from __future__ import annotations

import os
import socket
import threading
from typing import Any

import httpx2

# The most idle connections, and the seconds after which an idle one is closed, as servers do too.
MOST = 8
IDLE = 30.0


class Connection:
    """One connection: a transport for a single connection, and a duplicate of its socket to shut it down by."""

    def __init__(self, context: object, proxy: str | None) -> None:
        limits = httpx2.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=IDLE)
        self.transport = httpx2.HTTPTransport(verify=context, limits=limits, proxy=proxy)  # type: ignore[arg-type]
        self.socket: socket.socket | None = None

    def opened(self, new: socket.socket) -> socket.socket:
        """Keep and return a duplicate of the socket that the transport has opened."""
        if self.socket:
            self.socket.close()
        # TLS takes over the socket itself, and its handshake can be slow too.
        self.socket = new.dup()
        return self.socket

    def is_reusable(self) -> bool:
        """Return whether the connection may serve another request: it is open, and no bytes follow the last response.

        Such bytes would be read as the response to the next request. httpx2 does not report them, so its parser is
        asked; where no parser is found, the connection is not reused.
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


class ConnectionPool:
    """The connections to one server, through `proxy` if there is one; certificates are loaded once.

    Raises the errors of `httpx2` for a proxy that cannot be used.
    """

    def __init__(self, proxy: str | None) -> None:
        self._context, self._proxy = httpx2.create_ssl_context(), proxy
        self._lock = threading.Lock()
        self._idle = [Connection(self._context, proxy)]  # raises at once where the proxy cannot be used
        self._most, self._process = MOST, os.getpid()

    def acquire(self) -> Connection:
        """Return the idle connection used last, or a new one."""
        with self._lock:
            if self._process != os.getpid():  # a forked process must not speak on its parent's connections
                self._idle, self._process = [], os.getpid()
            if self._idle:
                return self._idle.pop()
        return Connection(self._context, self._proxy)

    def release(self, connection: Connection) -> None:
        """Keep a connection for the next request, or close it where it is not reusable or enough are idle."""
        reusable = connection.is_reusable()
        with self._lock:
            if reusable and len(self._idle) < self._most and self._process == os.getpid():
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Close the idle connections now, and the others when they are released."""
        with self._lock:
            idle, self._idle, self._most = self._idle, [], 0
        for connection in idle:
            connection.close()
