"""A dictionary that forgets what was set or used longest ago."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from typing import TypeVar

_K = TypeVar("_K")
_V = TypeVar("_V")


class Recent(OrderedDict[_K, _V]):
    """At most so many entries. Several sessions may share one: an entry may be forgotten at any time."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def keep(self, key: _K, value: _V) -> None:
        """Set an entry, which is the last to be forgotten."""
        self[key] = value
        self._touch(key)
        if len(self) > self._most:
            self.popitem(last=False)

    def recall(self, key: _K) -> _V | None:
        """The entry, which is now the last to be forgotten; None where there is none."""
        self._touch(key)
        return self.get(key)

    def _touch(self, key: _K) -> None:
        with contextlib.suppress(KeyError):
            self.move_to_end(key)
