"""Choose how many threads evaluate a model in a file."""

from __future__ import annotations

import os


def threads() -> int:
    """Return the number of threads: one less than the cores, or half of more than four, which are often half cores.

    Threads wait for each other after every operation. If another program needs a core, all wait for the one that lost
    it, and a step takes twenty times as long. The setting `threads` overrides this number.
    """
    return max(1, cores() - 1 if cores() <= 4 else cores() // 2)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
