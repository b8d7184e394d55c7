"""How much memory of this machine is free, for a model that is to be loaded."""

from __future__ import annotations

import os
from pathlib import Path

GROUP = Path("/sys/fs/cgroup")  # of a container, as it sees its own
LINUX = Path("/proc/meminfo")


def free(meminfo: Path = LINUX, group: Path = GROUP) -> int | None:
    """Bytes that a program can still have: the machine's, or what a container is left with. None where nobody says.

    What Linux keeps of files can be had too, and is counted as free. Elsewhere it is what the machine has in all.
    """
    found = [one for one in (_available(meminfo), _left(group)) if one is not None]
    return min(found) if found else _installed()


def _available(meminfo: Path) -> int | None:
    try:
        lines = dict(line.split(":", 1) for line in meminfo.read_text("ascii").splitlines())
        return int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None


def _left(group: Path) -> int | None:
    try:
        most, used = ((group / f"memory.{name}").read_text("ascii").strip() for name in ("max", "current"))
        return None if most == "max" else int(most) - int(used)
    except (OSError, ValueError):
        return None


def _installed() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
