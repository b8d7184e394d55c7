"""Close connections of `askwhere serve` whose requests arrive too slowly, or are too long.

Quack has 128 threads, each of which waits for one request. It gives up after five seconds without a byte, but not on a
client that sends one byte a second. It also reads a whole request into memory before it checks the client's token.
Quack has no setting for either. But its sockets belong to this process, and Linux counts the bytes of each.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass

SECONDS = 5.0  # for a request to come, if less than `RATE` bytes of it come in a second
RATE = 1_000
MOST = 128 * 2**20  # bytes of all requests together that are not answered yet
_INFO = struct.Struct("=120xQQ")  # of tcp_info in linux/tcp.h: tcpi_bytes_acked, tcpi_bytes_received


@dataclass
class _Progress:
    """The progress of a connection. `since` is when its request began to arrive, None if no request is under way."""

    since: float | None
    latest: float  # the last look before the newest bytes arrived
    looked: float  # the last look, which in a busy process may be long ago
    before: int = 0  # bytes received before the request
    received: int = 0
    sent: int = 0

    def add(self, now: float, sent: int, received: int) -> None:
        """Note the bytes that were sent and received in all by the time `now`."""
        if sent != self.sent:
            self.since, self.sent = None, sent
        if received != self.received:
            if self.since is None:
                self.since, self.before = now, self.received
            self.latest, self.received = self.looked, received
        self.looked = now

    @property
    def request(self) -> int:
        """Return the bytes received of the request under way; 0 if there is none."""
        return self.received - self.before if self.since is not None else 0

    def is_slow(self, now: float) -> bool:
        """Return whether a request arrives too slowly or not at all; False while a whole one waits for its answer."""
        if self.since is None:
            return False
        spent = (self.latest if self.received else now) - self.since
        return spent >= SECONDS and self.request < RATE * spent


class SlowConnections:
    """Finds and closes the connections of this process to one of its ports that are slow, or send too much."""

    def __init__(self, port: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._port, self._clock = port, clock
        self._seen: dict[int, _Progress] = {}

    def close(self) -> None:
        """Close the connections that are slow by now, and those with the longest requests; on Linux only."""
        if sys.platform != "linux":
            return
        now = self._clock()
        self._seen = {inode: self._looked(inode, connection, now) for inode, connection in _connections(self._port)}
        wrong = {inode for inode, progress in self._seen.items() if progress.is_slow(now)}.union(_longest(self._seen))
        for inode, connection in _connections(self._port) if wrong else ():
            if inode in wrong:
                with suppress(OSError):  # closed meanwhile
                    connection.shutdown(socket.SHUT_RDWR)  # Quack then reads the end of it, and closes it

    def _looked(self, inode: int, connection: socket.socket, now: float) -> _Progress:
        """Return the progress of a connection by now."""
        sent, received = _INFO.unpack_from(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256))
        progress = self._seen.get(inode) or _Progress(now, now, now, sent=sent)
        progress.add(now, sent, received)
        return progress


def _longest(seen: Mapping[int, _Progress]) -> Iterator[int]:
    """Yield the connections with the longest requests, until those of all others have at most `MOST` bytes together."""
    waiting = sum(progress.request for progress in seen.values())
    for inode, progress in sorted(seen.items(), key=lambda item: item[1].request, reverse=True):
        if waiting <= MOST:
            return
        yield inode
        waiting -= progress.request


def _connections(port: int) -> Iterator[tuple[int, socket.socket]]:
    """Yield this process's connections to a port, each with its inode, as copies that are closed afterwards."""
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # closed meanwhile, no socket, or not connected
            if not os.readlink(f"/proc/self/fd/{name}").startswith("socket:"):
                continue
            with closing(socket.socket(fileno=os.dup(int(name)))) as connection:
                if connection.family != socket.AF_UNIX and connection.getsockname()[1] == port:
                    connection.getpeername()
                    yield os.fstat(connection.fileno()).st_ino, connection
