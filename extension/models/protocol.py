"""What a model is to askwhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Completions:
    """What one request gave: `texts`, one a completion, and the tokens that were counted for them all."""

    texts: tuple[str, ...]
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Model(Protocol):
    """Completes prompts. `remote` says that prompts leave the machine's own process."""

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
