"""Which connections `askwhere serve` closes: those whose request does not come, or is too long."""

from __future__ import annotations

import contextlib
import select
import socket
import sys
from collections.abc import Iterator

import pytest
from askwhere.bindings.serve import slow
from askwhere.bindings.serve.slow import RATE, SECONDS, SlowConnections

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much came")


class Connection:
    """A client and the server's end of its connection, which a `SlowConnections` with a clock of its own looks at."""

    def __init__(self, listening: socket.socket) -> None:
        self.now = 100.0
        self.slow = SlowConnections(listening.getsockname()[1], lambda: self.now)
        self.connect(listening)

    def connect(self, listening: socket.socket) -> None:
        self.client = socket.create_connection(listening.getsockname(), timeout=600)
        self.served = listening.accept()[0]

    def send(self, content: bytes) -> None:
        self.client.sendall(content)
        select.select([self.served], [], [])
        self.served.recv(1 << 20)

    def look(self, later: float = 0.0) -> bool:
        """Whether it is still open, some seconds later."""
        self.now += later
        self.slow.close()
        return not (select.select([self.client], [], [], 0)[0] and self.client.recv(1, socket.MSG_PEEK) == b"")


@pytest.fixture
def connection() -> Iterator[Connection]:
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as listening:
        made = Connection(listening)
        with made.client, made.served:
            yield made


def test_one_that_says_nothing_is_closed(connection: Connection) -> None:
    assert connection.look()
    assert connection.look(SECONDS - 1)
    assert not connection.look(1)


def test_one_that_sends_a_byte_now_and_then_is_closed(connection: Connection) -> None:
    assert connection.look()
    sent = 0
    while connection.look(1):
        connection.send(b"a")
        sent += 1
    assert 0 < sent <= SECONDS


def test_one_that_waits_for_an_answer_is_left_open(connection: Connection) -> None:
    connection.look()
    connection.send(b"a request")
    assert connection.look(1)
    assert connection.look(3_600)
    connection.served.sendall(b"the answer")
    connection.client.recv(100)
    assert connection.look(1)
    assert connection.look(3_600)
    connection.send(b"another request")
    assert connection.look(1)
    assert connection.look(3_600)


def test_one_whose_request_came_while_nobody_looked_is_left_open(connection: Connection) -> None:
    connection.look()
    connection.send(b"a request")
    assert connection.look(3_600)
    assert connection.look(3_600)


def test_one_that_sends_much_is_left_open(connection: Connection) -> None:
    connection.look()
    for _ in range(20):
        connection.send(bytes(2 * RATE))
        assert connection.look(1)


def test_of_requests_that_are_too_long_together_the_longest_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow, "MOST", 10_000)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        longest = Connection(listening)
        first, served = longest.client, longest.served
        longest.look()
        longest.send(bytes(6_000))
        assert longest.look()
        longest.connect(listening)
        longest.look()
        longest.send(bytes(4_000))
        assert longest.look()
        longest.send(bytes(1))
        assert longest.look()
        assert select.select([first], [], [], 0)[0]
        assert first.recv(1) == b""
        for one in (first, served, longest.client, longest.served):
            one.close()


def test_a_request_that_was_answered_counts_no_more(connection: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow, "MOST", 10_000)
    connection.look()
    for _ in range(3):
        connection.send(bytes(9_000))
        assert connection.look()
        connection.served.sendall(b"the answer")
        connection.client.recv(100)
        assert connection.look()
    connection.send(bytes(10_001))
    assert not connection.look()


def test_other_sockets_and_files_are_left_alone(connection: Connection) -> None:
    other = SlowConnections(1, lambda: connection.now)
    other.close()
    connection.now += 3_600
    other.close()
    assert connection.look()
