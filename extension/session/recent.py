"""Define a dictionary that drops the least recently used entries."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

_K = TypeVar("_K")
_V = TypeVar("_V")

BYTES = 64 << 20  # of all entries


class Recent(OrderedDict[_K, _V]):
    """A dictionary of at most `most` entries and at most `BYTES` bytes, by the sizes that `weigh` returns.

    Several sessions may share one, so an entry may be dropped at any time.
    """

    def __init__(self, most: int, weigh: Callable[[_V], int] = lambda _: 0) -> None:
        super().__init__()
        self._most = most
        self._weigh = weigh
        self._bytes: dict[_K, int] = {}

    def keep(self, key: _K, value: _V) -> None:
        """Set an entry, and drop the oldest ones beyond the limits; the new entry stays, however large it is."""
        self[key] = value
        self._touch(key)
        self._bytes[key] = self._weigh(value)
        while len(self) > 1 and (len(self) > self._most or sum(self._bytes.values()) > BYTES):
            dropped, _ = self.popitem(last=False)
            self._bytes.pop(dropped, None)

    def recall(self, key: _K) -> _V | None:
        """Return an entry and mark it as the most recently used; None if there is none."""
        self._touch(key)
        return self.get(key)

    def clear(self) -> None:
        """Drop all entries."""
        super().clear()
        self._bytes.clear()

    def _touch(self, key: _K) -> None:
        """Mark an entry as the most recently used, if it is still there."""
        with contextlib.suppress(KeyError):
            self.move_to_end(key)
