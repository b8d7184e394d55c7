"""Fake a model: it replies from a list and remembers its prompts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from askwhere.errors import ModelError
from askwhere.models.protocol import Completions


class Scripted:
    """A model for tests that replies with each text of `replies` in turn; `prompts` is the history.

    >>> model = Scripted(["SELECT 1"])
    >>> model.complete("How many?").texts
    ('SELECT 1',)
    >>> model.prompts
    ['How many?']
    """

    name = "scripted"

    def __init__(self, replies: Iterable[str], remote: bool = False) -> None:
        self.remote = remote
        self.prompts: list[str] = []
        self._replies = list(replies)

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
        """Return the next `n` replies; raises `ModelError` where fewer are left."""
        self.prompts.append(prompt)
        if len(self._replies) < n:
            raise ModelError(f"the script has {len(self._replies)} replies left, {n} were asked for")
        texts, self._replies = tuple(self._replies[:n]), self._replies[n:]
        return Completions(texts, _tokens(prompt), sum(map(_tokens, texts)))


def _tokens(text: str) -> int:
    return len(text.split())
