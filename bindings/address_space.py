"""Refuse to start what needs more memory than a limit on address space leaves (`ulimit -v`).

Libraries in C do not report that: OpenBLAS, DuckDB and the C library end the process, at times by a signal.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from askwhere.errors import AskError

# What was needed on two cores, with something to spare: an answer on a small SQLite file, and one on a DuckDB file.
_TO_ASK, _TO_START_DUCKDB = 200 * 2**20, 2**30
_USED = Path("/proc/self/statm")  # of Linux, which alone enforces the limit


def require_to_ask() -> None:
    """Raise `AskError` where this process may not take as much address space as asking a SQLite database needs."""
    _require(_TO_ASK, "askwhere")


def require_to_start_duckdb() -> None:
    """Raise `AskError` where this process may not take as much address space as DuckDB needs, unless it has DuckDB."""
    if "_duckdb" not in sys.modules:
        _require(_TO_START_DUCKDB, "DuckDB")


def _require(size: int, purpose: str) -> None:
    """Raise `AskError` where this process may not take another `size` bytes of address space for `purpose`."""
    left = _left()
    if left is not None and left < size:
        raise AskError(
            f"this process may take {max(left, 0) // 2**20} MB more of address space, and {purpose} needs"
            f" {size // 2**20} MB: raise the limit (`ulimit -v`)"
        )


def _left() -> int | None:
    """Return the bytes of address space that this process may still take; None without a limit."""
    if not _USED.exists():
        return None
    import resource  # Windows lacks it

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return None
    return limit - int(_USED.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
