"""A dictionary that forgets what was set or used longest ago."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

_K = TypeVar("_K")
_V = TypeVar("_V")

BYTES = 64 << 20  # of all entries


class Recent(OrderedDict[_K, _V]):
    """At most so many entries, of at most BYTES as `weigh` says. Several sessions may share one: an entry may be

    forgotten at any time.
    """

    def __init__(self, most: int, weigh: Callable[[_V], int] = lambda _: 0) -> None:
        super().__init__()
        self._most = most
        self._weigh = weigh
        self._bytes: dict[_K, int] = {}

    def keep(self, key: _K, value: _V) -> None:
        """Set an entry, which is the last to be forgotten, though alone it may be too large to be kept with others."""
        self[key] = value
        self._touch(key)
        self._bytes[key] = self._weigh(value)
        while len(self) > 1 and (len(self) > self._most or sum(self._bytes.values()) > BYTES):
            forgotten, _ = self.popitem(last=False)
            self._bytes.pop(forgotten, None)

    def recall(self, key: _K) -> _V | None:
        """The entry, which is now the last to be forgotten; None where there is none."""
        self._touch(key)
        return self.get(key)

    def clear(self) -> None:
        """Forget all."""
        super().clear()
        self._bytes.clear()

    def _touch(self, key: _K) -> None:
        with contextlib.suppress(KeyError):
            self.move_to_end(key)
