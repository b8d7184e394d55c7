"""The texts of errors for a query that exceeded a limit, the same in both engines."""

from __future__ import annotations

from askwhere.engine import Limits


def too_late(limits: Limits) -> str:
    """Return the error's text for a query that exceeded its time."""
    return (
        f"the query was stopped after {limits.seconds:g} seconds; ask something narrower or raise the setting"
        " query_timeout"
    )


def too_large(limits: Limits) -> str:
    """Return the error's text for a result that exceeds the limit on bytes."""
    return f"the result is larger than {limits.bytes // 2**20} MB; ask for less of it"


def too_much_memory(most: int) -> str:
    """Return the error's text for a query that needed more than `most` bytes of memory while it ran."""
    return f"the query was stopped: it needed more than {most // 2**20} MB of memory"
