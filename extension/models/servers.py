"""Describe how OpenAI-compatible servers differ, as flags, and learn from a server's refusals."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from askwhere.frozen import frozen


@frozen
class Server:
    """The abilities of a kind of server; `hosts` are where it is known to be, with their subdomains.

    `tokens` names the limit on a completion's tokens, `spare` its other name, for servers that refuse the first. `many`
    says whether one request brings n completions. `grammar` is the path of a GBNF grammar in a request. `texts` is the
    most texts in a request for embeddings. `refused` are optional parameters that the server has refused.
    """

    name: str
    hosts: tuple[str, ...] = ()
    tokens: str = "max_tokens"
    spare: str = "max_completion_tokens"
    many: bool = True
    grammar: tuple[str, ...] = ()
    texts: int = 1
    refused: frozenset[str] = frozenset()


# Texts in a request for embeddings; their vectors fit into one reply.
TEXTS = 8
AZURE = ("openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com")

SERVERS = (
    # OpenAI's reasoning models refuse max_tokens; all its models take the new name.
    Server("openai", ("api.openai.com",), tokens="max_completion_tokens", spare="max_tokens", texts=TEXTS),
    # Azure's address ends in /openai/v1.
    Server("azure", AZURE, tokens="max_completion_tokens", spare="max_tokens", texts=TEXTS),
    # guided_grammar until 0.12: docs.vllm.ai/en/latest/features/structured_outputs
    Server("vllm", grammar=("structured_outputs", "grammar"), texts=TEXTS),
    Server("llama-server", grammar=("grammar",), texts=TEXTS),
    # It accepts n and returns one completion (its issue 1906). It mixes up the vectors of several texts, unless the
    # model is made for embeddings.
    Server("llama-cpp-python", grammar=("grammar",), many=False),
    # n is not among the fields of docs.ollama.com/api/openai-compatibility
    Server("ollama", many=False, texts=TEXTS),
    Server("other"),
)


@frozen
class CallParams:
    """The parameters of one call of a model."""

    prompt: str
    n: int = 1
    temperature: float = 0.0
    max_tokens: int = 1_024
    stop: tuple[str, ...] = ()
    seed: int | None = None
    grammar: str | None = None


def find(name: str, host: str) -> Server:
    """Return the server of a name or, without a name, the one that `host` is known for."""
    for server in SERVERS:
        if name == server.name or (not name and any(f".{host}".endswith(f".{known}") for known in server.hosts)):
            return server
    return SERVERS[-1]


# OpenAI takes no more stop strings. Replies are also cut here, so the others cost only tokens.
STOPS = 4


def options(server: Server, params: CallParams) -> dict[str, Any]:
    """Return the parameters of a request beside model and messages, any of which a server may refuse."""
    sent: dict[str, Any] = {server.tokens: params.max_tokens, "temperature": params.temperature}
    sent |= {"n": params.n} if params.n > 1 and server.many else {}
    sent |= {"stop": list(params.stop[:STOPS])} if params.stop else {}
    sent |= {"seed": params.seed} if params.seed is not None else {}
    if params.grammar and server.grammar:
        value: Any = params.grammar
        for name in reversed(server.grammar):
            value = {name: value}
        sent |= value
    return {name: value for name, value in sent.items() if name not in server.refused}


_UNSUPPORTED = re.compile(
    r"unsupported|not (\w+ )?(support|permit|allow|accept)|unrecogni[sz]ed|unknown|unexpected|extra (input|field)",
    re.IGNORECASE,
)
# llama-server names no parameter; vLLM takes n only where the temperature is above 0.
_ONE = re.compile(
    r"['\"`]n['\"`]|\bbody\.n\b|\bn_cmpl\b|\bn must be\b|\bn (?:is )?not supp|only one completion choice", re.IGNORECASE
)


def learn(server: Server, params: CallParams, status: int, refusal: str) -> Server | None:
    """Return the server without the optional parameter that a refusal named; None where it named none."""
    if "n" in options(server, params) and status in (400, 422, 500) and _ONE.search(refusal):
        return replace(server, many=False)
    if status not in (400, 422) or not _UNSUPPORTED.search(refusal):
        return None
    named = [name for name in options(server, params) if len(name) > 1 and re.search(rf"(?<!\w){name}(?!\w)", refusal)]
    return _without(server, named[0]) if named else None


def _without(server: Server, name: str) -> Server | None:
    """Return the server without a parameter; None where it cannot be left out."""
    if name == server.tokens:
        # A request always has a limit: some models never stop by themselves.
        return replace(server, tokens=server.spare, spare="") if server.spare else None
    if server.grammar[:1] == (name,):
        return replace(server, grammar=())
    return replace(server, refused=server.refused | {name})
