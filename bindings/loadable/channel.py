"""Send and receive messages between the loadable extension and the worker.

A message is a length, then values, each a letter and its content. `extension/native/message.c` is the other side.
Numbers are in the machine's own byte order, as both sides are on one machine.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from typing import Any

_LENGTH, _INTEGER, _REAL = struct.Struct("=I"), struct.Struct("=q"), struct.Struct("=d")
_I64 = 1 << 63


class ChannelClosed(Exception):
    """Raised where the host has closed the socket, or is gone."""


def written(values: tuple[Any, ...]) -> bytes:
    """Encode values as one message, its length first."""
    content = b"".join(map(_written, values))
    return _LENGTH.pack(len(content)) + content


def _written(value: Any) -> bytes:
    """Encode one value. Raise OverflowError for an integer of more than 64 bits."""
    if value is None:
        return b"n"
    if isinstance(value, float):
        return b"f" + _REAL.pack(value)
    if isinstance(value, int):
        # As in APSW, a number that SQLite cannot hold is an error, not another number.
        if not -_I64 <= value < _I64:
            raise OverflowError(f"{value} does not fit into the 64 bits of a number in SQLite")
        return b"i" + _INTEGER.pack(value)
    kind, content = (b"b", bytes(value)) if isinstance(value, bytes | bytearray | memoryview) else (b"t", _text(value))
    return kind + _LENGTH.pack(len(content)) + content + b"\0"


def _text(value: Any) -> bytes:
    return str(value).encode("utf-8", "replace")


def values(content: bytes, errors: str = "strict") -> Iterator[Any]:
    """Yield the values of a message; `errors` is that of `bytes.decode`, for text that is not UTF-8."""
    place, end = 0, len(content)
    while place < end:
        kind = content[place]
        place += 1
        if kind == 0x6E:  # n
            yield None
        elif kind == 0x69:  # i
            yield _INTEGER.unpack_from(content, place)[0]
            place += 8
        elif kind == 0x66:  # f
            yield _REAL.unpack_from(content, place)[0]
            place += 8
        else:
            start = place + 4
            place = start + int(_LENGTH.unpack_from(content, place)[0]) + 1
            piece = content[start : place - 1]
            yield piece.decode("utf-8", errors) if kind == 0x74 else piece


class Channel:
    """The socket of one connection of the host's.

    The sides take turns. Before the host replies to a request of ours, it may send requests of its own, which are
    answered first. `serve` is called with the values of a request, and returns those of the reply.
    """

    def __init__(self, speaking: socket.socket, serve: Callable[..., tuple[Any, ...]]) -> None:
        self._socket = speaking
        self._serve = serve
        self._writing = threading.Lock()
        self._thinking = False

    def run(self) -> None:
        """Answer requests until the host closes the socket."""
        with contextlib.suppress(ChannelClosed):
            while True:
                self._answer(self._receive())

    def close(self) -> None:
        """Close the socket; a host that asks again opens a new channel."""
        self._socket.close()

    def request(self, *asked: Any) -> bytes:
        """Send a request, and return the content of the reply without its first value.

        Requests of the host's that come before the reply are answered.
        """
        self.send(*asked)
        self._thinking = False
        while True:
            content = self._receive()
            if content.startswith(_REPLY):
                self._thinking = True
                return content[len(_REPLY) :]
            self._answer(content)
            self._thinking = False

    def send(self, *parts: Any) -> None:
        """Send a message. Raise `ChannelClosed`."""
        message = written(parts)
        with self._writing:
            try:
                self._socket.sendall(message)
            except OSError as exc:
                raise ChannelClosed from exc

    def alive(self, seconds: int) -> bool:
        """Send a waiting host a sign that the worker lives; return False where the host has closed the socket.

        The host waits at most `seconds` for another message.
        """
        if not self._thinking or not self._writing.acquire(blocking=False):
            return True
        try:
            self._socket.send(written(("alive", seconds)), socket.MSG_DONTWAIT)
        except BlockingIOError:
            return True
        except OSError:
            return False
        finally:
            self._writing.release()
        return True

    def _answer(self, content: bytes) -> None:
        """Answer one request of the host's."""
        self._thinking = True
        reply = self._serve(*values(content, "replace"))
        self._thinking = False
        self.send(*reply)

    def _receive(self) -> bytes:
        return self._exactly(_LENGTH.unpack(self._exactly(_LENGTH.size))[0])

    def _exactly(self, size: int) -> bytes:
        pieces = []
        while size:
            try:
                piece = self._socket.recv(min(size, 1 << 20))
            except OSError as exc:
                raise ChannelClosed from exc
            if not piece:
                raise ChannelClosed
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)


_REPLY = _written("reply")
