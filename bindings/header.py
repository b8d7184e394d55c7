"""The first bytes of a file that may be a database, without taking away the locks that this process has on it.

POSIX gives up all locks of a process on a file as soon as it closes any handle of it, whoever opened that. Another
process could then write a database in the middle of a transaction of ours, and damage it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

BYTES = 16
# A folder with a name for each handle that this process has open; Windows, whose locks are not given up so, has none.
_HANDLES = Path("/dev/fd")


def read(path: Path) -> bytes:
    """The first bytes of a file, fewer where it has no more. Raises OSError."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError(0, "expected a file, found a folder, a pipe or a device", str(path))
    held = _by_handle_of(found)
    return _by_sqlite(path) if held is None else held


def _by_handle_of(found: os.stat_result) -> bytes | None:
    """By a handle that some engine has open; None where there is none."""
    for name in os.listdir(_HANDLES) if _HANDLES.is_dir() else ():
        with contextlib.suppress(OSError):  # closed in the meantime, or open for writing only
            if os.path.samestat(os.fstat(handle := int(name)), found):
                return os.pread(handle, BYTES, 0)
    return None


def _by_sqlite(path: Path) -> bytes:
    """By SQLite, which closes no handle of a file on which it has locks, or takes some meanwhile in another thread."""
    import apsw

    if not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    try:
        file = apsw.VFSFile("", str(path.absolute()), [apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB, 0])
        try:
            return file.xRead(BYTES, 0)
        finally:
            file.xClose()
    except apsw.Error as exc:
        raise OSError(0, str(exc), str(path)) from exc
