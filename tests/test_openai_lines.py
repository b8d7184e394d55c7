"""Connections to a model server are kept open, and one that was closed meanwhile is made again."""

from __future__ import annotations

import http.server
import json
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from askwhere.errors import ModelError
from askwhere.models.connections import MOST
from askwhere.models.openai import OpenAI
from faulty import reply

pytestmark = pytest.mark.slow

SOON = 60.0  # seconds; what is waited for comes long before


class Server(http.server.ThreadingHTTPServer):
    """Replies with a query; `clients` are the addresses that it was asked from."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.clients: list[Any] = []
        self.hangs_up = False
        self.together = threading.Barrier(1)
        self.after = b""  # what it sends behind a response, at once with it
        self.chunked = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.server.clients.append(self.client_address)
        self.server.together.wait(SOON)
        body = json.dumps(reply("SELECT 1")).encode()
        self.wfile.write(response(body, self.server.chunked) + self.server.after)
        self.close_connection = self.server.hangs_up

    def log_message(self, *_: Any) -> None:
        pass


def response(body: bytes, chunked: bool = False) -> bytes:
    """A whole response, of a length that is said first, or in one chunk."""
    size = len(body)
    framed = b"%x\r\n%s\r\n0\r\n\r\n" % (size, body) if chunked else body
    header = b"transfer-encoding: chunked" if chunked else b"content-length: %d" % size
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n%s\r\n\r\n%s" % (header, framed)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        threading.Thread(target=server.serve_forever).start()
        yield server
        server.shutdown()


@pytest.fixture
def model(server: Server) -> Iterator[OpenAI]:
    opened = OpenAI("small", server.url)
    yield opened
    opened.close()


def test_questions_share_a_connection(server: Server, model: OpenAI) -> None:
    for _ in range(3):
        assert model.complete("a").texts == ("SELECT 1",)
    assert len(server.clients) == 3
    assert len(set(server.clients)) == 1


def test_requests_at_one_time_have_a_connection_each(server: Server, model: OpenAI) -> None:
    many = MOST + 2
    server.together = threading.Barrier(many)
    with ThreadPoolExecutor(many) as threads:
        for _ in range(2):
            assert {each.texts for each in threads.map(model.complete, ["a"] * many)} == {("SELECT 1",)}
    assert len(set(server.clients[:many])) == many
    assert len(set(server.clients)) == many + 2  # the second time all but two were open


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("part", [1_000, 30, 1])
def test_what_comes_after_a_response_answers_no_other_question(
    server: Server, model: OpenAI, chunked: bool, part: int
) -> None:
    server.chunked = chunked
    server.after = response(json.dumps(reply("SELECT 'of another question'")).encode())[:part]
    for _ in range(3):
        assert model.complete("a").texts == ("SELECT 1",)
    assert len(set(server.clients)) == len(server.clients) == 3


def test_a_response_in_chunks_leaves_the_connection_open(server: Server, model: OpenAI) -> None:
    server.chunked = True
    for _ in range(3):
        assert model.complete("a").texts == ("SELECT 1",)
    assert len(set(server.clients)) == 1


def test_a_connection_that_the_server_closed_is_made_again(server: Server, model: OpenAI) -> None:
    server.hangs_up = True
    for _ in range(3):
        assert model.complete("a").texts == ("SELECT 1",)
    assert len(set(server.clients)) == 3


def test_after_a_time_out_the_next_question_has_another_connection(server: Server, model: OpenAI) -> None:
    model.complete("a")
    server.together = threading.Barrier(2)
    with pytest.raises(ModelError, match="no complete reply came within"):
        model.complete("a", seconds=0.2)
    server.together.abort()
    server.together = threading.Barrier(1)
    assert model.complete("a").texts == ("SELECT 1",)
    first, late, next_ = server.clients
    assert first == late != next_


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_speaks_on_connections_of_its_own(server: Server, model: OpenAI) -> None:
    model.complete("a")
    child = os.fork()
    if not child:
        os._exit(0 if model.complete("a").texts == ("SELECT 1",) else 1)
    assert os.waitpid(child, 0)[1] == 0
    model.complete("a")
    first, forked, again = server.clients
    assert first == again != forked
