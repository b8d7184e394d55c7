"""Models behind an OpenAI-compatible server: OpenAI, Azure, vLLM, llama.cpp's servers, Ollama, and who speaks the same.

The `openai` package sends; when to give up, to try again and what to believe of a reply is decided here.
"""

from __future__ import annotations

import contextlib
import json
import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from askwhere.api_keys import Key, redact
from askwhere.errors import ModelError
from askwhere.models import address, faults, payloads, servers
from askwhere.models.faults import Reply
from askwhere.models.protocol import Completions
from askwhere.models.servers import Asked, Server
from askwhere.models.wire import Wire

Read = TypeVar("Read")

if TYPE_CHECKING:
    import openai
    from askwhere.models.deadline import Call

BASE_URL = "https://api.openai.com/v1"
SECONDS = 120.0
# Beside the first try; only where the connection failed, the server did, or it asked to wait.
RETRIES = 2
# Before the first retry at most, before the second twice that.
BACKOFF = 0.5
# Completions that are asked for at once where a request brings one.
PARALLEL = 4
# Seconds to find out which models there are instead.
LISTING = 2.0


class OpenAI:
    """The model `name` of the server at `base_url`, by default OpenAI's own. `remote`: prompts leave this process.

    `server` names the kind of server (`servers.SERVERS`); left empty it goes by the host. `key` goes to this server
    only. A host that is not this machine must be spoken to by https, unless `plain_http`. What a server refuses to take
    is remembered, so that only the first request pays for it. `called` is its name as a setting has it, and `place`
    what says where the server is: errors name both.
    """

    remote = True
    timed = True
    shares = True
    context = None

    def __init__(
        self,
        name: str,
        base_url: str | None = None,
        key: Key | None = None,
        server: str = "",
        plain_http: bool = False,
        called: str = "",
        place: str = "base_url",
    ) -> None:
        self.name = called or f"openai:{name}"
        self._model, self._place = name, place
        base_url = (base_url or BASE_URL).rstrip("/")
        host = address.checked(base_url, plain_http, place)
        self._server = servers.find(server, host)
        # Whose account it is goes by the address: a SQL client may say of any server that it speaks as OpenAI's does.
        self._wire = Wire(base_url, key, servers.find("", host).name == "openai")
        self._lock = threading.Lock()

    @property
    def grammars(self) -> bool:
        """Whether its server takes a grammar; False again once it refused one."""
        return bool(self._server.grammar)

    def __repr__(self) -> str:
        return f"OpenAI({self._model!r}, {self._wire.host!r})"

    def complete(
        self,
        prompt: str,
        n: int = 1,
        temperature: float = 0.0,
        max_tokens: int = 1_024,
        stop: Sequence[str] = (),
        seed: int | None = None,
        grammar: str | None = None,
        seconds: float | None = None,
    ) -> Completions:
        """`n` completions of `prompt` within `seconds`, retries included. Raises `ModelError`.

        Where a server gives one completion a request, the prompt is sent, and its tokens are counted, for each.
        """
        asked = Asked(_sendable(prompt), n, temperature, max_tokens, tuple(stop), seed, grammar)
        with self._wire.calling(SECONDS if seconds is None else seconds) as (call, client):
            done = self._complete(call, client, asked)
        return replace(done, texts=tuple(self._wire.hidden(payloads.cut(text, stop)) for text in done.texts))

    def embed(self, texts: Sequence[str], seconds: float | None = None) -> list[list[float]]:
        """A vector for each of `texts`. Raises `ModelError`."""
        found: list[list[float]] = []
        with self._wire.calling(SECONDS if seconds is None else seconds) as (call, client):
            for start in range(0, len(texts), size := self._server.texts):
                found += self._vectors(call, client, [_sendable(text) for text in texts[start : start + size]])
        return found

    def close(self) -> None:
        """Free what it holds; asking again takes it up again."""
        self._wire.close()

    def _complete(self, call: Call, client: openai.OpenAI, asked: Asked) -> Completions:
        if asked.n > 1 and not self._server.many:
            return self._each(call, client, asked, 0)
        first = self._once(call, client, asked)
        if len(first.texts) == asked.n:
            return first
        self._learn(self._server, replace(self._server, many=False))
        rest = self._each(call, client, asked, len(first.texts))
        return _joined([first, rest])

    def _each(self, call: Call, client: openai.OpenAI, asked: Asked, start: int) -> Completions:
        """Completions `start` to the last by a request each."""
        single = [
            replace(asked, n=1, seed=None if asked.seed is None else asked.seed + i) for i in range(start, asked.n)
        ]
        with ThreadPoolExecutor(PARALLEL, "askwhere-model") as pool:
            pending = [pool.submit(self._once, call, client, one) for one in single]
            try:
                for each in wait(pending, return_when=FIRST_EXCEPTION).done:
                    each.result()
                return _joined([each.result() for each in pending])
            except BaseException:  # Ctrl-C too: nothing more is sent, and nobody is waited for
                call.stop()
                pool.shutdown(cancel_futures=True)
                raise

    def _once(self, call: Call, client: openai.OpenAI, asked: Asked) -> Completions:
        used = self._server

        def send() -> Any:
            nonlocal used
            used = self._server
            return client.chat.completions.with_raw_response.create(
                model=self._model,
                messages=[{"role": "user", "content": asked.prompt}],
                extra_body=servers.options(used, asked),
            )

        def learned(got: Reply) -> bool:
            taught = servers.learn(used, asked, got.status, payloads.said(got.text))
            return taught is not None and self._learn(used, taught)

        got = self._ask(call, send, learned)
        done = self._read(call, got, lambda payload: payloads.completions(payload, asked.prompt, asked.n))
        return replace(done, requests=got.requests)

    def _vectors(self, call: Call, client: openai.OpenAI, texts: list[str]) -> list[list[float]]:
        # The package asks for base64 by default, which not every server gives.
        create = client.embeddings.with_raw_response.create
        got = self._ask(call, lambda: create(model=self._model, input=texts, encoding_format="float"))
        return self._read(call, got, lambda payload: payloads.vectors(payload, len(texts)))

    def _learn(self, known: Server, taught: Server) -> bool:
        with self._lock:
            if self._server is known:  # else another thread learned something in the meantime: try with that
                self._server = taught
        return True

    def _ask(self, call: Call, send: Callable[[], Any], learned: Callable[[Reply], bool] = lambda got: False) -> Reply:
        """The reply in the end; its `requests` says how many it took."""
        retries = requests = 0
        while True:
            requests += 1
            got = replace(self._wire.reply(call, send), requests=requests)
            if not got.good and learned(got):
                continue  # it ends: each lesson leaves one parameter less
            pause = BACKOFF * 2**retries * random.uniform(0.5, 1) if got.wait is None else got.wait
            if not got.again or retries == RETRIES or not call.sleep(pause):
                return got
            retries += 1

    def _read(self, call: Call, got: Reply, parse: Callable[[object], Read]) -> Read:
        """What `parse` makes of a good reply; raises the one `ModelError` that says what is wrong with another."""
        if not got.good:
            listed = faults.listed(self._model, self._models(call)) if got.status == 404 else ""
            listed += f"; ollama pull {self._model} brings it" if listed and self._server.name == "ollama" else ""
            wrong = faults.explain(got, call.left(), bool(self._wire.key), listed).replace("base_url", self._place)
            raise self._error(wrong, payloads.said(got.text))
        try:
            return parse(json.loads(got.text))
        except ModelError as exc:
            wrong = str(exc)
        except (ValueError, RecursionError):
            wrong = "the reply is no whole JSON value; ask again, and see the server's log"
        raise self._error(wrong, payloads.said(got.text))

    def _error(self, what: str, reply: str) -> ModelError:
        return ModelError(
            redact(f"{self.name} at {self._wire.host}: {what}", self._wire.key), redact(reply, self._wire.key)
        )

    def _models(self, call: Call) -> list[str]:
        """What the server lists, where it does so quickly, and in the time of `call`."""
        with self._wire.calling(min(LISTING, call.left())) as (brief, client):
            got = self._wire.reply(brief, client.models.with_raw_response.list)
        with contextlib.suppress(ValueError, RecursionError):
            return payloads.names(json.loads(got.text)) if got.good else []
        return []


def _joined(parts: Sequence[Completions]) -> Completions:
    return Completions(
        tuple(text for part in parts for text in part.texts),
        sum(part.prompt_tokens for part in parts),
        sum(part.completion_tokens for part in parts),
        sum(part.requests for part in parts),
    )


def _sendable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")  # half of a surrogate pair could not be sent
