"""Send requests to a model server: one request, one reply, and no exception except for Ctrl-C."""

from __future__ import annotations

import contextlib
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from askwhere.api_keys import Key, redact
from askwhere.errors import ModelError
from askwhere.models import address, faults
from askwhere.models.faults import Reply

if TYPE_CHECKING:
    import httpx2
    import openai
    from askwhere.models.connections import ConnectionPool
    from askwhere.models.deadline import Call

# Headers with the user's account, which the package fills from the environment: only OpenAI may get them.
OWNER = ("OpenAI-Organization", "OpenAI-Project")


class ServerClient:
    """The requests to the server at `base_url` through the `openai` package, with `key`, which is sent nowhere else.

    `owned` says whether the server is OpenAI's. The package is imported when something is first sent.
    """

    def __init__(self, base_url: str, key: Key | None, owned: bool) -> None:
        self.host = urlsplit(base_url).netloc
        self.key = key
        self._base_url = base_url
        self._unwanted = ("Authorization",) if owned else ("Authorization", *OWNER)
        self._lock = threading.Lock()
        self._pool: ConnectionPool | None = None
        self._freeing: Callable[[], object] = lambda: None

    @contextlib.contextmanager
    def calling(self, seconds: float) -> Iterator[tuple[Call, openai.OpenAI]]:
        """Yield the deadline of a call, and a client that keeps it. Raise `ModelError` where no client can be made."""
        started = time.monotonic()  # importing the package counts as time of the call
        try:
            import openai  # noqa: F401
            from askwhere.models.deadline import Call
        except ImportError:
            raise ModelError("models openai:… and ollama:… need the openai package: pip install openai") from None
        call = Call(seconds, started)
        with self._client(call) as client:
            yield call, client

    def reply(self, call: Call, send: Callable[[], Any]) -> Reply:
        """Send one request and return the reply.

        Nothing is raised, so that no exception carries a request and its key along.
        """
        import openai
        from askwhere.models.deadline import DeadlineExceeded, Unreadable

        try:
            return self._as_reply(_response(send))
        except DeadlineExceeded:
            return Reply(fault=f"no complete reply came within {call.seconds:g} s; give it more, or ask a faster model")
        except Unreadable as exc:
            return Reply(fault=str(exc))
        except openai.APIConnectionError as exc:
            return faults.no_reply(exc)
        except Exception as exc:
            return Reply(fault=f"the request could not be made ({type(exc).__name__}: {exc})")

    def hidden(self, text: str) -> str:
        """Return `text` without the key."""
        return self.key.hidden(text) if self.key else text

    def close(self) -> None:
        """Close the connections; they are opened again when needed."""
        with self._lock:
            self._pool = None
            self._freeing()

    def _as_reply(self, response: Any) -> Reply:
        """Return a response as a reply, without the key."""
        got = faults.reply(response.status_code, response.headers, response.text)
        return replace(got, text=self.hidden(got.text) if got.good else redact(got.text, self.key))

    def _client(self, call: Call) -> openai.OpenAI:
        """Return a client for one call. Raise `ModelError`."""
        import httpx2
        import openai
        from askwhere.models.deadline import BoundedTransport

        try:
            http = httpx2.Client(
                transport=BoundedTransport(self._shared(), call), auth=self._signed, follow_redirects=False
            )
            # A dummy key keeps the package from reading one from the environment; `_signed` adds ours.
            return openai.OpenAI(api_key="-", base_url=self._base_url, http_client=http, max_retries=0)
        except Exception as exc:
            wrong = f"no connection to {self.host} can be made, by its address or by a proxy: {type(exc).__name__}"
        raise ModelError(wrong)

    def _signed(self, request: httpx2.Request) -> httpx2.Request:
        """Add the key to a request, and remove headers that the server must not see."""
        for name in self._unwanted:
            request.headers.pop(name, None)
        if self.key:
            request.headers["Authorization"] = f"Bearer {self.key.value}"
        request.headers["Accept-Encoding"] = "identity"  # replies are small; uncompressed ones cannot grow
        return request

    def _shared(self) -> ConnectionPool:
        """Return the connections, made once, since loading certificates is slow."""
        from askwhere.models.connections import ConnectionPool
        from askwhere.models.deadline import KeyFilter

        with self._lock:
            if self._pool is None:
                self._pool = ConnectionPool(address.proxy(self._base_url))
                key_filter = KeyFilter(self.key) if self.key else None
                self._freeing = weakref.finalize(self, _free, self._pool, key_filter)
                if key_filter:
                    key_filter.add()
            return self._pool


def _response(send: Callable[[], Any]) -> httpx2.Response:
    """Return the server's response, whatever its status."""
    import openai

    try:
        response: httpx2.Response = send().http_response
    except openai.APIStatusError as exc:
        response = exc.response
    return response


def _free(pool: ConnectionPool, key_filter: Any) -> None:
    pool.close()
    if key_filter:
        key_filter.remove()
