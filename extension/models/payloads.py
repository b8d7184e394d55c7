"""Read the JSON of servers' replies, and trust nothing in it; pure functions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from askwhere.cells import short
from askwhere.errors import ModelError
from askwhere.models.protocol import Completions, estimate

# The most characters of a server's text that an error repeats, and the levels of JSON that it is looked for in.
REPEATED = 300
LEVELS = 8
MOST = 1e100  # a number of a vector


def completions(payload: object, prompt: str, n: int) -> Completions:
    """Return the texts and token counts of a chat completion, at most `n` texts.

    Raise `ModelError` if no choice has text. If only some have none, these are empty texts, so that one refusal does
    not fail the others.
    """
    choices = _field(payload, "choices")
    if not isinstance(choices, list):
        raise ModelError(f"the reply is no chat completion: {_described(payload)}")
    if not choices:
        raise ModelError("the reply has no choices; ask again, or ask another model")
    texts = tuple(_text(choice) for choice in choices[:n])
    if not any(texts):
        raise ModelError(_why_empty(choices[0]))
    usage = _field(payload, "usage")
    return Completions(texts, _count(usage, "prompt_tokens", (prompt,)), _count(usage, "completion_tokens", texts))


def vectors(payload: object, count: int) -> list[list[float]]:
    """Return the vectors of an embeddings reply in the order of the texts. Raise `ModelError`."""
    rows = _field(payload, "data")
    if not isinstance(rows, list) or len(rows) != count:
        raise ModelError(f"the reply does not have {count} embeddings: {_described(payload)}")
    if all(isinstance(_field(row, "index"), int) for row in rows):
        rows = sorted(rows, key=lambda row: int(row["index"]))
    vectors = [_vector(_field(row, "embedding")) for row in rows]
    if not all(vectors):
        raise ModelError("the reply has an embedding that is no list of numbers; is this a model for embeddings?")
    return vectors


def names(payload: object) -> list[str]:
    """Return the models that a server lists."""
    rows = _field(payload, "data")
    names = [_field(row, "id") for row in rows] if isinstance(rows, list) else []
    return [name for name in names if isinstance(name, str)]


def error_text(text: str) -> str:
    """Return a server's error message on one line, whichever of the usual shapes it has."""
    try:
        payload = json.loads(text)
    except (ValueError, RecursionError):
        return "" if "<html" in text.lower() or "<!doctype" in text.lower() else one_line(text)
    return one_line("; ".join(dict.fromkeys(_messages(payload))) or text)


def cut(text: str, stops: Sequence[str]) -> str:
    """Return the text before the first of `stops`: some servers take fewer of them, or none."""
    for stop in filter(None, stops):
        text = text.partition(stop)[0]
    return text


def _field(value: object, name: str) -> Any:
    """Return a field of an object, None where the value is no object."""
    return value.get(name) if isinstance(value, dict) else None


def _vector(value: object) -> list[float]:
    """Return the numbers of an embedding; empty where it has anything else."""
    if not isinstance(value, list):
        return []
    if all(type(x) in (int, float) and abs(x) <= MOST for x in value):  # NaN is not, and JSON can write it
        return [float(x) for x in value]
    # llama.cpp gives a vector for each token where a model was not made for embeddings: their mean is the text's.
    tokens = [_vector(token) if isinstance(token, list) else [] for token in value]
    if len({len(token) for token in tokens}) != 1:
        return []
    return [sum(part) / len(tokens) for part in zip(*tokens, strict=True)]


def one_line(text: str) -> str:
    """Return a text on one line, shortened."""
    return short(" ".join("".join(c if c.isprintable() else " " for c in text[: 10 * REPEATED]).split()), REPEATED)


def _described(payload: object) -> str:
    """Return the error text in a reply, or the whole reply, on one line."""
    return one_line("; ".join(dict.fromkeys(_messages(payload))) or json.dumps(payload)) or "nothing"


def _messages(payload: object, levels: int = LEVELS) -> Iterator[str]:
    """Yield the error messages in a reply, each shortened."""
    # {"error": {"message", "param"}} of OpenAI, {"error": "…"} of Ollama, {"detail": [{"loc", "msg"}]} of FastAPI.
    if isinstance(payload, str):
        yield payload[: 10 * REPEATED]
    elif isinstance(payload, list) and levels:
        for item in payload[:5]:
            yield from _messages(item, levels - 1)
    elif isinstance(payload, dict) and levels:
        place = payload.get("loc") or payload.get("param")
        parts = place[:5] if isinstance(place, list) else [place]
        where = ".".join(str(part) for part in parts if isinstance(part, str | int))[:REPEATED]
        for name in ("error", "message", "msg", "detail"):
            for message in _messages(payload.get(name), levels - 1):
                yield f"{where}: {message}" if where and not re.search(rf"\b{re.escape(where)}\b", message) else message


def _text(choice: object) -> str:
    """Return the text of a choice, '' where it has none."""
    content = _field(_field(choice, "message"), "content")
    if isinstance(content, list):  # in parts, as some gateways give it
        content = "".join(text for part in content if isinstance(text := _field(part, "text"), str))
    return without_surrogates(content) if isinstance(content, str) else ""


def without_surrogates(text: str) -> str:
    """Return a text with `?` for halves of surrogate pairs: JSON can write them, but they cannot be sent or stored."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _why_empty(choice: object) -> str:
    """Return why a choice has no text, and what to do."""
    message, reason = _field(choice, "message"), _field(choice, "finish_reason")
    refusal = _field(message, "refusal")
    if isinstance(refusal, str) and refusal:
        return f"the model refused: {one_line(refusal)}"
    if reason == "content_filter":
        return "the server's content filter held the reply back; say the question in other words"
    if reason == "length":
        return (
            "the model used up its tokens before it wrote any text: ask a model that reasons less, or raise max_tokens"
        )
    if _field(message, "tool_calls") or _field(message, "function_call"):
        return "the model called a tool instead of writing text; ask another model"
    return "the reply has no text; ask again, or ask another model"


def _count(usage: object, name: str, texts: Sequence[str]) -> int:
    """Return a count of tokens from the usage, or an estimate."""
    value = _field(usage, name)
    return value if type(value) is int and value >= 0 else sum(map(estimate, texts))
