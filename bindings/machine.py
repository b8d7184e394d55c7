"""How much memory is free on this machine, to tell whether a model fits before it is loaded."""

from __future__ import annotations

import os
from pathlib import Path

GROUP = Path("/sys/fs/cgroup")  # where a container finds its own limits
LINUX = Path("/proc/meminfo")


def free_memory(meminfo: Path = LINUX, group: Path = GROUP) -> int | None:
    """Return the bytes that a program can still allocate, on the machine or in its container; None if unknown.

    Linux can give up its cache of files, so that this counts as free. On other systems all installed memory counts.
    """
    found = [one for one in (_available(meminfo), _left(group)) if one is not None]
    return min(found) if found else _installed()


def _available(meminfo: Path) -> int | None:
    """Return Linux's own estimate of the memory that is available, in bytes; None on other systems."""
    try:
        lines = dict(line.split(":", 1) for line in meminfo.read_text("ascii").splitlines())
        return int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None


def _left(group: Path) -> int | None:
    """Return the bytes that the container's limit leaves; None where there is no limit."""
    try:
        most, used = ((group / f"memory.{name}").read_text("ascii").strip() for name in ("max", "current"))
        return None if most == "max" else int(most) - int(used)
    except (OSError, ValueError):
        return None


def _installed() -> int | None:
    """Return the bytes of memory that are installed; None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
