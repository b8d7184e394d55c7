"""How many threads evaluate a model of a file."""

from __future__ import annotations

import os


def threads() -> int:
    """How many threads evaluate: one less than there are cores, and half of many, which often are half cores.

    They wait for each other after every operation. When another program wants a core as well, all of them wait for
    the one that lost it, and a step takes twenty times as long. The setting `threads` has another number.
    """
    return max(1, cores() - 1 if cores() <= 4 else cores() // 2)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
