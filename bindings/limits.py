"""What a query is told that met a limit: the same words in both engines."""

from __future__ import annotations

from askwhere.engine import Limits


def too_late(limits: Limits) -> str:
    """That its time was used up, and what to do."""
    return (
        f"the query was stopped after {limits.seconds:g} seconds; ask something narrower or raise the setting"
        " query_timeout"
    )


def too_large(limits: Limits) -> str:
    """That its rows take too many bytes."""
    return f"the result is larger than {limits.bytes // 2**20} MB; ask for less of it"


def too_much_memory(most: int) -> str:
    """That it needed too much memory while it ran."""
    return f"the query was stopped: it needed more than {most // 2**20} MB of memory"
