"""Limit how long the server of `askwhere web` waits for a request to arrive, and for a response to be read.

Anyone on this machine can open connections, also another site's page in the browser; uvicorn itself ends none that has
sent no whole request.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = (
    30.0  # for a whole request to come, and for its response to be taken; a page may be read through a slow tunnel
)
MOST = 100  # connections; beyond it, the one that has kept us waiting longest is closed


class Bounded(H11Protocol):
    """A connection that is closed when the client takes longer than `SECONDS` to send a request or read a response."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Make room for a new connection where there are too many."""
        super().connection_made(transport)
        self._update_timer()
        if len(self.connections) > MOST:
            bounded = [connection for connection in self.connections if isinstance(connection, Bounded)]
            waiting = {connection._waiting.when(): connection for connection in bounded if connection._waiting}
            longest = waiting[min(waiting)]
            longest._stop_timer()  # it leaves the list later
            longest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting."""
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read bytes of a request."""
        super().data_received(data)
        self._update_timer()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._update_timer()

    def pause_writing(self) -> None:
        """Wait for the response to be taken."""
        super().pause_writing()
        self._update_timer()

    def resume_writing(self) -> None:
        """Resume the response."""
        super().resume_writing()
        self._update_timer()

    def _update_timer(self) -> None:
        """Start the timer while the client has to send or receive; stop it while this server has to answer."""
        cycle = self.cycle
        ours = cycle and not cycle.more_body and not cycle.response_complete and not self.flow.write_paused
        if ours:
            self._stop_timer()
        elif not self._waiting:
            self._waiting = self.loop.call_later(SECONDS, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._waiting:
            self._waiting.cancel()
            self._waiting = None
