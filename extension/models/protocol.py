"""What a model is to askwhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Completions:
    """What one call gave: `texts`, one a completion, and the tokens that were counted for them all.

    `prompt_tokens` counts a prompt once, however many completions it has. `requests` counts what was sent, with
    retries. A server that counts no tokens has them estimated from the characters.
    """

    texts: tuple[str, ...]
    prompt_tokens: int = 0
    completion_tokens: int = 0
    requests: int = 1


class Reading(Protocol):
    """A reply read so far, for what no context-free grammar says. It is a value: nothing that is asked changes it."""

    def after(self, piece: bytes) -> Reading | None:
        """The reading after more bytes; None where the reply must not go on so."""

    @property
    def ends(self) -> bool:
        """Whether the reply may end here."""


class Bound(str):
    """A GBNF grammar with the `reading` that a reply begins with, for models that can hold a reply to both.

    To others it is the text of the grammar.
    """

    __slots__ = ("reading",)
    reading: Reading

    def __new__(cls, text: str, reading: Reading) -> Bound:
        """The text, with its reading."""
        bound = super().__new__(cls, text)
        bound.reading = reading
        return bound


class Model(Protocol):
    """Completes prompts. `remote` says that prompts leave the machine's own process.

    A model may have more, and is asked for it by `flag`: `grammars` (it takes a GBNF grammar), `timed` (`complete` and
    `embed` also take `seconds`, and end by then), `keeps` (`complete` also takes `fixed`: with how many characters that
    are the same for every question the prompt begins), `shares` (of equal calls that are made at one time one may serve
    all), `context` (how many tokens a prompt and its reply may have),
    `count(text)`, the tokens of a text, and `embed(texts)`, a vector for each.
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
        """`n` completions of `prompt`. Raises `ModelError` for whatever went wrong, saying what to do."""


def flag(model: Any, name: str) -> Any:
    """What a model says of itself under `name`, None where it says nothing."""
    return getattr(model, name, None)


# Characters to a token where nobody counts them: names and types come to a little less than prose, so this rather
# overestimates.
CHARACTERS = 3.5


def estimate(text: str) -> int:
    """About how many tokens a text has."""
    return round(len(text) / CHARACTERS) + 1
