"""Connections to `askwhere web` that keep it waiting: each ends, and none keeps others from being served."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.bindings.web import conversation, protocol
from askwhere.bindings.web.conversation import _first
from askwhere.models import Scripted
from support import SHOP, connected
from web import TOKEN, Site, serving

pytestmark = pytest.mark.slow


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "shop.db"
    made = connected("sqlite", path)
    made.execute(SHOP)
    made.close()
    return path


@pytest.fixture
def site(path: Path) -> Iterator[Site]:
    with serving(lambda: askwhere.connect(str(path), read_only=True)) as served:
        yield served


def opened(site: Site, said: str = "") -> socket.socket:
    """A connection that has sent some text. Waiting for it longer than ten minutes is an error."""
    made = socket.create_connection(("127.0.0.1", site.port), timeout=600)
    made.sendall(said.encode())
    return made


def ends(connection: socket.socket) -> bool:
    """Wait until the server has closed the connection."""
    with connection, contextlib.suppress(ConnectionResetError):
        while connection.recv(1 << 16):
            pass
    return True


def headers(site: Site) -> str:
    return f"Host: 127.0.0.1:{site.port}\r\nOrigin: {site.origin}\r\nCookie: askwhere_{site.port}={TOKEN}\r\n"


@pytest.mark.parametrize(
    "said",
    [
        "",
        "GET / HTTP/1.1\r\nHost: a",
        "POST /ask HTTP/1.1\r\n{}Content-Length: 9\r\n\r\nquest",
        "POST /ask HTTP/1.1\r\n{}Transfer-Encoding: chunked\r\n\r\n9\r\nquest",
        "POST /ask HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nquest",
        "GET / HTTP/1.1\r\n{}\r\nGET / HT",
    ],
    ids=["silent", "half a head", "half a form", "half a chunk", "half a form that is refused", "half a second one"],
)
def test_a_request_that_does_not_come_ends(
    site: Site, said: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(protocol, "SECONDS", 0.3)
        assert ends(opened(site, said.format(headers(site))))
    assert site.get("/")[0] == 200
    assert "Traceback" not in caplog.text


def test_one_byte_at_a_time_is_no_reason_to_wait(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "SECONDS", 0.3)
    connection = opened(site)
    over = threading.Event()

    def trickle() -> None:
        with contextlib.suppress(OSError):
            connection.sendall(b"GET / HTTP/1.1\r\nX: ")
            while not over.wait(0.01):
                connection.sendall(b"a")

    writing = threading.Thread(target=trickle)
    writing.start()
    assert ends(connection)
    over.set()
    writing.join()


def test_a_response_that_is_not_read_ends(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many requests on one connection, none of whose responses is read: sending fails once it is closed."""
    monkeypatch.setattr(protocol, "SECONDS", 0.3)
    connection = opened(site)
    many = (f"GET /words HTTP/1.1\r\n{headers(site)}\r\n" * 500).encode()
    with connection, contextlib.suppress(ConnectionError):
        while True:
            connection.sendall(many)


def test_connections_that_say_nothing_make_room_for_others(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "SECONDS", 3_600.0)
    monkeypatch.setattr(protocol, "MOST", 4)
    silent = [opened(site) for _ in range(12)]
    assert site.get("/")[0] == 200
    for one in silent[:8]:
        assert ends(one)
    for one in silent[8:]:
        one.close()


def test_a_crowd_that_says_nothing_takes_no_place_from_a_request_that_has_come(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All arrive while the server is busy: a request that waits to be read must not be the one that is closed."""
    monkeypatch.setattr(protocol, "SECONDS", 3_600.0)
    busy, over = threading.Event(), threading.Event()

    def hold(*_: Any) -> None:
        busy.set()
        over.wait()

    with monkeypatch.context() as patched:
        patched.setattr(protocol.Bounded, "connection_lost", hold)
        opened(site).close()
        busy.wait()
    honest = opened(site, f"GET / HTTP/1.1\r\n{headers(site)}\r\n")
    crowd = []
    for _ in range(3 * protocol.MOST):
        one = socket.socket()
        one.setblocking(False)
        one.connect_ex(("127.0.0.1", site.port))
        crowd.append(one)
    over.set()
    with honest:
        assert honest.recv(12) == b"HTTP/1.1 200"
    for one in crowd:
        one.close()


class Held(Scripted):
    """A model that answers once it is let."""

    def __init__(self) -> None:
        super().__init__(["SELECT country FROM customers"] * 9)
        self.asked, self.let = threading.Event(), threading.Event()

    def complete(self, *given: Any, **named: Any) -> Any:
        self.asked.set()
        self.let.wait()
        return super().complete(*given, **named)


def test_a_page_that_is_being_made_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Held()
    with serving(lambda: askwhere.connect(str(path), read_only=True, model=model, effort="fast")) as site:
        site.post("/ask", {"question": "flurb of zorb"})
        model.asked.wait()
        monkeypatch.setattr(protocol, "SECONDS", 3.0)  # in which the request below comes also on a busy machine
        waiting = opened(site, f"GET /history HTTP/1.1\r\n{headers(site)}Connection: close\r\n\r\n")
        assert ends(opened(site))  # so the time of the other one would be over too
        model.let.set()
        with waiting:
            assert waiting.recv(12) == b"HTTP/1.1 200"


def test_pages_that_wait_for_a_question_keep_no_other_page_waiting(path: Path) -> None:
    model = Held()
    with serving(lambda: askwhere.connect(str(path), read_only=True, model=model, effort="fast")) as site:
        _, place = site.post("/ask", {"question": "flurb of zorb"})
        model.asked.wait()
        request = f"GET /history HTTP/1.1\r\n{headers(site)}Connection: close\r\n\r\n"
        waiting = [opened(site, request) for _ in range(60)]  # there are 40 threads
        try:
            for _ in range(2):  # by the second, the first connections have been read
                assert "/stop/" in site.get(place)[1]
        finally:
            model.let.set()
            assert all(ends(one) for one in waiting)


def test_a_question_too_many_is_not_asked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All would wait for one thread: those beyond what the page keeps could not even be stopped."""
    monkeypatch.setattr(conversation, "WAITING", 3)
    model = Held()
    with serving(lambda: askwhere.connect(str(path), read_only=True, model=model, effort="fast")) as site:
        places = [site.post("/ask", {"question": f"flurb of zorb {n}"})[1] for n in range(3)]
        code, page = site.post("/ask", {"question": "one more"})
        assert (code, "3 questions wait for their answers" in page) == (429, True)
        assert site.post(places[0].replace("answer", "choose") + "/1")[0] == 429
        for place in places:
            assert site.post(place.replace("answer", "stop"))[0] == 303
        model.let.set()
        for place in places:
            assert "Stopped." in site.answered(place)
        assert site.post("/ask", {"question": "one more"})[0] == 303


def test_what_a_page_keeps_of_an_answer_is_bounded() -> None:
    wide = [tuple(range(2_000)) for _ in range(600)]
    assert len(_first(wide)) == 12
    assert len(_first([(1, None)] * 600)) == 500
    assert _first([]) == ()
    assert len(_first([("a" * 400,) * 50] * 500)) == 51
    assert _first([("a" * 10**6, b"b" * 10**6, ["c" * 10**6], 1.5, None, "short", ["short"])]) == (
        ("a" * 400, b"b" * 400, "['" + "c" * 398, 1.5, None, "short", ["short"]),
    )
