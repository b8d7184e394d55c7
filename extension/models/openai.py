"""Ask models behind an OpenAI-compatible server: OpenAI, Azure, vLLM, llama.cpp's servers, Ollama and others.

The `openai` package sends; retries, time limits and what is believed of a reply are decided here.
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
from askwhere.models.server_client import ServerClient
from askwhere.models.servers import CallParams, Server
from askwhere.models.threads import in_thread

Read = TypeVar("Read")

if TYPE_CHECKING:
    import openai
    from askwhere.models.deadline import Call

BASE_URL = "https://api.openai.com/v1"
SECONDS = 120.0
# Retries after the first try, where the connection or the server failed, or the server asked to wait.
RETRIES = 2
# The most seconds before the first retry; twice as many before the second.
BACKOFF = 0.5
# Requests that are made at once where each brings one completion.
PARALLEL = 4
# Seconds to list the server's models for an error.
LISTING = 2.0


class OpenAI:
    """The model `name` of the server at `base_url`, OpenAI's own by default; prompts leave this process (`remote`).

    `server` names the kind of server (`servers.SERVERS`); '' goes by the host. `key` is sent to this server only. Hosts
    other than this machine must use https unless `plain_http`. Parameters that a server refuses are remembered, so that
    only the first request tries them. `called` is the model's name in settings and `place` where the address was set;
    errors name both.
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
        # OpenAI's account headers go by the address alone: `server` may be set from SQL for any address.
        self._client = ServerClient(base_url, key, servers.find("", host).name == "openai")
        self._lock = threading.Lock()

    @property
    def grammars(self) -> bool:
        """Return whether the server takes a grammar; False once it refused one."""
        return bool(self._server.grammar)

    def __repr__(self) -> str:
        return f"OpenAI({self._model!r}, {self._client.host!r})"

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
        """Return `n` completions of `prompt` within `seconds`, with retries. Raise `ModelError`.

        Where a server returns one completion a request, the prompt is sent, and its tokens count, for each.
        """
        params = CallParams(payloads.without_surrogates(prompt), n, temperature, max_tokens, tuple(stop), seed, grammar)
        with self._client.calling(SECONDS if seconds is None else seconds) as (call, client):
            done = self._complete(call, client, params)
        return replace(done, texts=tuple(self._client.hidden(payloads.cut(text, stop)) for text in done.texts))

    def embed(self, texts: Sequence[str], seconds: float | None = None) -> list[list[float]]:
        """Return a vector for each of `texts`. Raise `ModelError`."""
        vectors: list[list[float]] = []
        with self._client.calling(SECONDS if seconds is None else seconds) as (call, client):
            for start in range(0, len(texts), size := self._server.texts):
                vectors += self._vectors(
                    call, client, [payloads.without_surrogates(text) for text in texts[start : start + size]]
                )
        return vectors

    def close(self) -> None:
        """Close the connections; they are opened again when needed."""
        self._client.close()

    def _complete(self, call: Call, client: openai.OpenAI, params: CallParams) -> Completions:
        """Return the completions, by one request where the server can return several."""
        if params.n > 1 and not self._server.many:
            return self._each(call, client, params, 0)
        first = self._once(call, client, params)
        if len(first.texts) == params.n:
            return first
        self._learn(self._server, replace(self._server, many=False))
        rest = self._each(call, client, params, len(first.texts))
        return _joined([first, rest])

    def _each(self, call: Call, client: openai.OpenAI, params: CallParams, start: int) -> Completions:
        """Return the completions from number `start` on, with a request for each."""
        single = [
            replace(params, n=1, seed=None if params.seed is None else params.seed + i) for i in range(start, params.n)
        ]

        def completed() -> Completions:
            with ThreadPoolExecutor(PARALLEL, "askwhere-model") as pool:
                try:
                    pending = [pool.submit(self._once, call, client, request) for request in single]
                    for future in wait(pending, return_when=FIRST_EXCEPTION).done:
                        future.result()
                    return _joined([future.result() for future in pending])
                except BaseException:  # send nothing more, and wait for no request
                    call.stop()
                    pool.shutdown(cancel_futures=True)
                    raise

        return in_thread(completed, call.stop)

    def _once(self, call: Call, client: openai.OpenAI, params: CallParams) -> Completions:
        """Return the completions of one request."""
        used = self._server

        def send() -> Any:
            nonlocal used
            used = self._server
            return client.chat.completions.with_raw_response.create(
                model=self._model,
                messages=[{"role": "user", "content": params.prompt}],
                extra_body=servers.options(used, params),
            )

        def learned(got: Reply) -> bool:
            taught = servers.learn(used, params, got.status, payloads.error_text(got.text))
            return taught is not None and self._learn(used, taught)

        got = self._ask(call, send, learned)
        done = self._read(call, got, lambda payload: payloads.completions(payload, params.prompt, params.n))
        return replace(done, requests=got.requests)

    def _vectors(self, call: Call, client: openai.OpenAI, texts: list[str]) -> list[list[float]]:
        """Return the vectors of texts that fit into one request."""
        # The package asks for base64 by default, which not every server gives.
        create = client.embeddings.with_raw_response.create
        got = self._ask(call, lambda: create(model=self._model, input=texts, encoding_format="float"))
        return self._read(call, got, lambda payload: payloads.vectors(payload, len(texts)))

    def _learn(self, known: Server, taught: Server) -> bool:
        """Remember what a refusal taught about the server."""
        with self._lock:
            if self._server is known:  # else another thread has learned something meanwhile: try again with that
                self._server = taught
        return True

    def _ask(self, call: Call, send: Callable[[], Any], learned: Callable[[Reply], bool] = lambda got: False) -> Reply:
        """Send a request, with retries, and return the last reply."""
        retries = requests = 0
        while True:
            requests += 1
            got = replace(self._client.reply(call, send), requests=requests)
            if not got.good and learned(got):
                continue  # it ends: each lesson leaves one parameter less
            pause = BACKOFF * 2**retries * random.uniform(0.5, 1) if got.wait is None else got.wait
            if not got.again or retries == RETRIES or not call.sleep(pause):
                return got
            retries += 1

    def _read(self, call: Call, got: Reply, parse: Callable[[object], Read]) -> Read:
        """Return what `parse` makes of a good reply; raises one `ModelError` for any other."""
        if not got.good:
            listed = faults.listed(self._model, self._models(call)) if got.status == 404 else ""
            listed += f"; ollama pull {self._model} brings it" if listed and self._server.name == "ollama" else ""
            wrong = faults.explain(got, call.left(), bool(self._client.key), listed).replace("base_url", self._place)
            raise self._error(wrong, payloads.error_text(got.text))
        try:
            return parse(json.loads(got.text))
        except ModelError as exc:
            wrong = str(exc)
        except (ValueError, RecursionError):
            wrong = "the reply is not valid JSON; ask again, and look at the server's log"
        raise self._error(wrong, payloads.error_text(got.text))

    def _error(self, fault: str, reply: str) -> ModelError:
        """Return the error, without the key in its texts."""
        return ModelError(
            redact(f"{self.name} at {self._client.host}: {fault}", self._client.key), redact(reply, self._client.key)
        )

    def _models(self, call: Call) -> list[str]:
        """Return the models that the server lists, if it does so quickly."""
        with self._client.calling(min(LISTING, call.left())) as (brief, client):
            got = self._client.reply(brief, client.models.with_raw_response.list)
        with contextlib.suppress(ValueError, RecursionError):
            return payloads.names(json.loads(got.text)) if got.good else []
        return []


def _joined(parts: Sequence[Completions]) -> Completions:
    """Return the completions of several requests for one prompt, with the tokens counted for each."""
    return Completions(
        tuple(text for part in parts for text in part.texts),
        sum(part.prompt_tokens for part in parts),
        sum(part.completion_tokens for part in parts),
        sum(part.requests for part in parts),
    )
