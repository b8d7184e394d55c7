"""Define the interface of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from askwhere.frozen import frozen


@frozen
class Completions:
    """The result of one call: `texts`, one for each completion, and the tokens counted for all of them.

    `prompt_tokens` counts the prompt once, however many completions it has. `requests` counts requests, with retries.
    Where a server counts no tokens they are estimated from the characters. `logprobs` has for each text the
    mean natural logarithm of its tokens' probabilities, by the model's own distribution, before a grammar or the
    temperature change it; it is empty where the model does not say.
    """

    texts: tuple[str, ...]
    prompt_tokens: int = 0
    completion_tokens: int = 0
    requests: int = 1
    logprobs: tuple[float, ...] = ()


class Reading(Protocol):
    """A reply read so far, for rules that no context-free grammar expresses. It is an immutable value."""

    def after(self, piece: bytes) -> Reading | None:
        """Return the reading after more bytes; None where the reply must not continue so."""

    @property
    def ends(self) -> bool:
        """Return whether the reply may end here."""


class BoundGrammar(str):
    """A GBNF grammar with the `reading` at a reply's beginning, for models that can hold a reply to both.

    For other models it is the text of the grammar.
    """

    __slots__ = ("reading",)
    reading: Reading

    def __new__(cls, text: str, reading: Reading) -> BoundGrammar:
        """Return the text with its reading."""
        bound = super().__new__(cls, text)
        bound.reading = reading
        return bound


class Model(Protocol):
    """A model that completes prompts. `remote` says whether prompts leave this process.

    A model may have more attributes, which `flag` reads: `grammars` (it takes a GBNF grammar), `timed` (`complete` and
    `embed` take `seconds`, and end by then), `keeps` (`complete` takes `fixed`: the number of characters at the
    prompt's beginning that are the same for every question), `shares` (one call may serve all equal calls made at the
    same time), `context` (the tokens of a prompt and its reply together), `prompts_learned` (the
    version of the prompts that its adapter learned), `count(text)` (the tokens of a text) and
    `embed(texts)` (a vector for each text).
    """

    name: str
    remote: bool

    def complete(
        self,
        prompt: str,
        n: int = 1,
        temperature: float = 0.0,
        max_tokens: int = 1_024,
        stop: Sequence[str] = (),
        seed: int | None = None,
        grammar: str | None = None,
    ) -> Completions:
        """Return `n` completions of `prompt`.

        Raise `ModelError` for whatever went wrong, with what to do.
        """


def flag(model: Any, name: str) -> Any:
    """Return a model's optional attribute, None where it has none."""
    return getattr(model, name, None)


# Characters of a token, for estimates. Names and types have a little more, so that tokens are rather overestimated.
CHARACTERS = 3.5


def estimate(text: str) -> int:
    """Return about how many tokens a text has."""
    return round(len(text) / CHARACTERS) + 1
