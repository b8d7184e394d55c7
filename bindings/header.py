"""Read the first bytes of a file that may be a database, and keep the locks that this process has on it.

POSIX releases all locks of a process on a file when the process closes any descriptor of that file. If that happened in
the middle of one of our transactions, another process could write to the database, and damage it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

from askwhere.sql.dialects import HEAD

# Lists the descriptors that this process has open. Windows has no such folder, and no need: it keeps the locks.
_DESCRIPTORS = Path("/dev/fd")


def read(path: Path) -> bytes:
    """Return the first `HEAD` bytes of a file, fewer where it is shorter. Raises OSError."""
    if fault := unopenable(path):
        raise OSError(errno.EINVAL, fault, str(path))
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError(0, "expected a file, found a folder, a pipe or a device", str(path))
    content = _by_descriptor(found)
    return _by_sqlite(path) if content is None else content


def unopenable(path: Path) -> str:
    """Return why no engine opens a file of this name, in this folder; '' where it could."""
    name = os.path.abspath(path)
    if "\0" in name:
        return "its name has a NUL, which no file's has"
    try:
        name.encode()
    except UnicodeEncodeError:
        return "its name, or that of a folder it is in, is not in UTF-8, and engines open no such file: rename it"
    return ""


def _by_descriptor(found: os.stat_result) -> bytes | None:
    """Read through a descriptor that some engine has open on the file; None where there is none."""
    for name in os.listdir(_DESCRIPTORS) if _DESCRIPTORS.is_dir() else ():
        with contextlib.suppress(OSError):  # the descriptor was closed meanwhile, or is open for writing only
            if os.path.samestat(os.fstat(descriptor := int(name)), found):
                return os.pread(descriptor, HEAD, 0)
    return None


def _by_sqlite(path: Path) -> bytes:
    """Read through SQLite, which keeps a descriptor open as long as it has locks on the file.

    Another thread may open the database in the meantime: its locks are safe too.
    """
    import apsw

    if not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    try:
        file = apsw.VFSFile("", str(path.absolute()), [apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB, 0])
        try:
            return file.xRead(HEAD, 0)
        finally:
            file.xClose()
    except apsw.Error as exc:
        raise OSError(0, str(exc), str(path)) from exc
