"""A page of `askwhere web` that is served while a test runs."""

from __future__ import annotations

import contextlib
import http.client
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

TOKEN = "a-token-of-the-tests"


@dataclass
class Site:
    """A served page; `get` and `post` send requests as a browser that was given the token, with other headers added."""

    port: int
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def entrance(self) -> str:
        return f"{self.origin}/?token={TOKEN}"

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        return self._send("GET", path, "", headers)[:2]

    def post(self, path: str, fields: Mapping[str, Any] = MappingProxyType({}), **headers: str) -> tuple[int, str]:
        """Return the status, and where the response leads, or its text."""
        form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.origin}
        code, text, place = self._send("POST", path, urlencode(fields), {**form, **headers})
        return code, place or text

    def _send(self, method: str, path: str, body: str, headers: dict[str, str]) -> tuple[int, str, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        with contextlib.closing(connection):
            cookie = {"Cookie": f"askwhere_{self.port}={TOKEN}"}
            connection.request(method, path, body, {**cookie, **headers})
            response = connection.getresponse()
            self.headers = dict(response.getheaders())
            return response.status, response.read().decode(), response.getheader("location") or ""

    def asked(self, question: str, **fields: Any) -> str:
        """Ask, wait for the answer, and return its page."""
        code, place = self.post("/ask", {"question": question, **fields})
        assert code == 303, place
        return self.answered(place)

    def answered(self, place: str) -> str:
        while 'action="/stop/' in (page := self.get(place)[1]):
            time.sleep(0.05)
        return page


@contextlib.contextmanager
def serving(connect: Callable[[], Any], name: str = "shop", write: bool = False) -> Iterator[Site]:
    """Yield the page of the database that `connect` opens, served on a free port."""
    from askwhere.bindings.web import server
    from askwhere.bindings.web.conversation import Conversation

    listening = server.listen(0)
    port = listening.getsockname()[1]
    conversation = Conversation(connect)
    app = server.make(conversation, name, TOKEN, port, write)
    served = server.server(app)
    thread = threading.Thread(target=served.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not served.started:
            time.sleep(0.01)
        yield Site(port)
    finally:
        for number in list(conversation.asked):
            conversation.stop(number)
        served.should_exit = True
        thread.join()
        listening.close()
        conversation.close()
