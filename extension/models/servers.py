"""How OpenAI-compatible servers differ, as flags, and what a refusal teaches about one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Server:
    """What a kind of server takes. `hosts` are where it is known to be; a host's subdomains are meant too.

    `tokens` names the limit on a completion's tokens, `spare` its other name where the first is refused. `many` says
    that one request brings n completions. `grammar` is the path of a GBNF grammar in a request. `texts` is how
    many an embeddings request may have. `refused` are the optional parameters that this one turned out not to take.
    """

    name: str
    hosts: tuple[str, ...] = ()
    tokens: str = "max_tokens"
    spare: str = "max_completion_tokens"
    many: bool = True
    grammar: tuple[str, ...] = ()
    texts: int = 1
    refused: frozenset[str] = frozenset()


# So many vectors fit into one reply.
TEXTS = 8
AZURE = ("openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com")

SERVERS = (
    # Its reasoning models refuse max_tokens; every other one takes the new name too.
    Server("openai", ("api.openai.com",), tokens="max_completion_tokens", spare="max_tokens", texts=TEXTS),
    # Its address ends in /openai/v1.
    Server("azure", AZURE, tokens="max_completion_tokens", spare="max_tokens", texts=TEXTS),
    # guided_grammar until 0.12: docs.vllm.ai/en/latest/features/structured_outputs
    Server("vllm", grammar=("structured_outputs", "grammar"), texts=TEXTS),
    Server("llama-server", grammar=("grammar",), texts=TEXTS),
    # Takes n and gives one: its issue 1906. Mixes the vectors of several texts up, unless the model is for embeddings.
    Server("llama-cpp-python", grammar=("grammar",), many=False),
    # n is not among the fields of docs.ollama.com/api/openai-compatibility
    Server("ollama", many=False, texts=TEXTS),
    Server("other"),
)


@dataclass(frozen=True)
class Asked:
    """What a model is asked for."""

    prompt: str
    n: int = 1
    temperature: float = 0.0
    max_tokens: int = 1_024
    stop: tuple[str, ...] = ()
    seed: int | None = None
    grammar: str | None = None


def find(name: str, host: str) -> Server:
    """The server of that name, or where none is given, the one that `host` is known for."""
    for server in SERVERS:
        if name == server.name or (not name and any(f".{host}".endswith(f".{known}") for known in server.hosts)):
            return server
    return SERVERS[-1]


# OpenAI takes no more. All are cut off here as well, so the rest cost only tokens.
STOPS = 4


def options(server: Server, asked: Asked) -> dict[str, Any]:
    """The parameters of a request beside model and message, each of which a server may refuse."""
    sent: dict[str, Any] = {server.tokens: asked.max_tokens, "temperature": asked.temperature}
    sent |= {"n": asked.n} if asked.n > 1 and server.many else {}
    sent |= {"stop": list(asked.stop[:STOPS])} if asked.stop else {}
    sent |= {"seed": asked.seed} if asked.seed is not None else {}
    if asked.grammar and server.grammar:
        value: Any = asked.grammar
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


def learn(server: Server, asked: Asked, status: int, said: str) -> Server | None:
    """What a refusal teaches: the server without the optional parameter that it named; None where it named none."""
    if "n" in options(server, asked) and status in (400, 422, 500) and _ONE.search(said):
        return replace(server, many=False)
    if status not in (400, 422) or not _UNSUPPORTED.search(said):
        return None
    named = [name for name in options(server, asked) if len(name) > 1 and re.search(rf"(?<!\w){name}(?!\w)", said)]
    return _without(server, named[0]) if named else None


def _without(server: Server, name: str) -> Server | None:
    if name == server.tokens:
        # Never without a limit: there are models that do not stop by themselves.
        return replace(server, tokens=server.spare, spare="") if server.spare else None
    if server.grammar[:1] == (name,):
        return replace(server, grammar=())
    return replace(server, refused=server.refused | {name})
