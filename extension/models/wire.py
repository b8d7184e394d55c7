"""The way to a model server and back: one request, one reply, and no exception but Ctrl-C's on the way."""

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
    from askwhere.models.deadline import Call
    from askwhere.models.lines import Lines

# Headers that the package fills from the environment; whose account it is concerns only OpenAI.
OWNER = ("OpenAI-Organization", "OpenAI-Project")


class Wire:
    """Requests to the server at `base_url` by the `openai` package, with `key`, which goes nowhere else.

    `owned` says that the server is OpenAI's own. The package is imported when something is first sent.
    """

    def __init__(self, base_url: str, key: Key | None, owned: bool) -> None:
        self.host = urlsplit(base_url).netloc
        self.key = key
        self._base_url = base_url
        self._unwanted = ("Authorization",) if owned else ("Authorization", *OWNER)
        self._lock = threading.Lock()
        self._lines: Lines | None = None
        self._freeing: Callable[[], object] = lambda: None

    @contextlib.contextmanager
    def calling(self, seconds: float) -> Iterator[tuple[Call, openai.OpenAI]]:
        """A call's time, and a client that keeps to it. Raises `ModelError` where none can be had."""
        started = time.monotonic()  # importing the package takes its part
        try:
            import openai  # noqa: F401
            from askwhere.models.deadline import Call
        except ImportError:
            missing = True
        else:
            missing = False
        if missing:
            raise ModelError("models openai:… and ollama:… need the openai package: pip install 'askwhere[openai]'")
        call = Call(seconds, started)
        with self._client(call) as client:
            yield call, client

    def reply(self, call: Call, send: Callable[[], Any]) -> Reply:
        """What one request brings. Nothing is raised, so that no error drags a request, and its key, along."""
        import openai
        from askwhere.models.deadline import Late, Unreadable

        try:
            return self._taken(send().http_response)
        except openai.APIStatusError as exc:
            return self._taken(exc.response)
        except Late:
            return Reply(fault=f"no whole reply came within {call.seconds:g} s; give it more, or ask a faster model")
        except Unreadable as exc:
            return Reply(fault=str(exc))
        except openai.APIConnectionError as exc:
            return faults.no_reply(exc)
        except Exception as exc:
            return Reply(fault=f"the request could not be made ({type(exc).__name__}: {exc})")

    def hidden(self, text: str) -> str:
        """`text` without the key."""
        return self.key.hidden(text) if self.key else text

    def close(self) -> None:
        """Free what it holds; sending again takes it up again."""
        with self._lock:
            self._lines = None
            self._freeing()

    def _taken(self, response: Any) -> Reply:
        got = faults.reply(response.status_code, response.headers, response.text)
        return replace(got, text=self.hidden(got.text) if got.good else redact(got.text, self.key))

    def _client(self, call: Call) -> openai.OpenAI:
        import httpx2
        import openai
        from askwhere.models.deadline import Punctual

        try:
            http = httpx2.Client(transport=Punctual(self._shared(), call), auth=self._signed, follow_redirects=False)
            # The package is told of no key, or it would take one out of the environment: `_signed` puts ours in.
            return openai.OpenAI(api_key="-", base_url=self._base_url, http_client=http, max_retries=0)
        except Exception as exc:
            wrong = f"no connection to {self.host} can be made, by its address or by a proxy: {type(exc).__name__}"
        raise ModelError(wrong)

    def _signed(self, request: httpx2.Request) -> httpx2.Request:
        for name in self._unwanted:
            request.headers.pop(name, None)
        if self.key:
            request.headers["Authorization"] = f"Bearer {self.key.value}"
        request.headers["Accept-Encoding"] = "identity"  # replies are small, and what is not packed cannot burst
        return request

    def _shared(self) -> Lines:
        """The connections, made once, as certificates take long to load."""
        from askwhere.models.deadline import Hiding
        from askwhere.models.lines import Lines

        with self._lock:
            if self._lines is None:
                self._lines = Lines(address.proxy(self._base_url))
                hiding = Hiding(self.key) if self.key else None
                self._freeing = weakref.finalize(self, _free, self._lines, hiding)
                if hiding:
                    hiding.add()
            return self._lines


def _free(lines: Lines, hiding: Any) -> None:
    lines.close()
    if hiding:
        hiding.remove()
