"""Keep a session for each client's connection."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from askwhere import settings
from askwhere.session import Session

CLIENTS = 500  # sessions that are kept: Quack does not report when a client leaves


class Sessions:
    """The session of each client's connection, by the connection's number in DuckDB.

    A client may open a connection for each statement. So sessions share answers, which are kept by question and
    settings.
    """

    def __init__(self, chosen: Mapping[str, Any] = {}) -> None:
        self._kept: OrderedDict[str, Session] = OrderedDict()
        self._chosen, self._unset = chosen, settings.load(chosen)
        self._lock = threading.Lock()

    def of(self, client: str) -> Session:
        """Return the session of a client's connection.

        Of more than `CLIENTS`, the one used longest ago is dropped; sessions without settings of their own go first.
        """
        with self._lock:
            if client not in self._kept:
                made = Session(self._chosen)
                if self._kept:
                    made.share(next(reversed(self._kept.values())))
                self._kept[client] = made
            self._kept.move_to_end(client)
            if len(self._kept) > CLIENTS:
                *others, _ = self._kept
                unset = (name for name in others if self._kept[name].settings == self._unset)
                del self._kept[next(unset, others[0])]
            return self._kept[client]
