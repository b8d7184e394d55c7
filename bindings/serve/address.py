"""Read the address to listen on, and refuse one that another program listens on."""

from __future__ import annotations

import errno
import re
import socket
from typing import Any

from askwhere.errors import ArgumentError, DatabaseError
from askwhere.frozen import frozen

PORT = 9494  # Quack's default
ANSWER_SECONDS = 2.0  # for what listens on the same port to take a connection


@frozen
class Address:
    """Where to listen: host and port."""

    host: str
    port: int

    @property
    def shown(self) -> str:
        """Return the address as clients write it, such as `quack:localhost:9494`."""
        return f"quack:{self.host}:{self.port}"

    @property
    def local(self) -> bool:
        """Return whether only programs on this machine can connect."""
        return self.host in ("localhost", "127.0.0.1", "[::1]")


def parse(listen: str) -> Address:
    """Return the address that HOST or HOST:PORT means. Raise `ArgumentError`."""
    match = re.fullmatch(r"([\w.-]+|\[[0-9a-fA-F:]+\])(?::(\d{1,5}))?", listen)
    if not match or not 0 < int(match[2] or PORT) < 65_536:
        raise ArgumentError(f"--listen: expected HOST or HOST:PORT, found {listen!r}")
    return Address(match[1], int(match[2] or PORT))


def refuse_used(address: Address) -> None:
    """Raise `DatabaseError` where something listens already: Quack would share the port with it."""
    host = address.host.strip("[]")
    try:
        addresses = socket.getaddrinfo(host, address.port, type=socket.SOCK_STREAM)
        family, *_, where = addresses[0]
        with socket.socket(family) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(where)
    except OSError as exc:
        # For a minute, connections that a server has ended keep others than Quack from the port.
        if exc.errno == errno.EADDRINUSE and not _answers(family, where):
            return
        raise used(address, exc) from exc


def used(address: Address, exc: OSError) -> DatabaseError:
    """Return the error for an address that cannot be listened on."""
    return DatabaseError(f"{address.shown} cannot be listened on: {exc.strerror or exc}; try another --listen")


def _answers(family: int, where: Any) -> bool:
    """Return whether something listens on an address; what is too busy to take a connection counts."""
    with socket.socket(family) as tried:
        tried.settimeout(ANSWER_SECONDS)
        return tried.connect_ex(where) != errno.ECONNREFUSED
