"""Write askwhere's files: readable by their owner alone, atomically, and never through a link that nobody named.

They hold questions, replies and cell values, in folders that other users may be able to write to.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from askwhere.errors import AskError, DatabaseError

PRIVATE = 0o600
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # Windows has none


def named(path: Path) -> Path:
    """Return a path that a user named, with a link at its end resolved: only such links are followed."""
    try:
        return path.resolve() if path.is_symlink() else path
    except RuntimeError:  # raised for a loop of links by Python before 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def write(path: Path, content: str | bytes, mode: int = PRIVATE) -> None:
    """Write a text or bytes in place of a file, as `replacing` does; a device or a pipe is written to directly."""
    encoded = content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(encoded)
        return
    with replacing(path, mode) as part:
        part.write_bytes(encoded)


@contextlib.contextmanager
def replacing(path: Path, mode: int = PRIVATE) -> Iterator[Path]:
    """Yield a new file beside `path` for the block to write, which replaces `path` at the end of the block.

    `path` stays as it was where the block fails or the disk is full. If it is a link, the link itself is replaced. An
    existing file keeps its permissions; a new one has `mode`.
    """
    with contextlib.suppress(FileNotFoundError):
        status = path.lstat()
        mode = stat.S_IMODE(status.st_mode) if stat.S_ISREG(status.st_mode) else mode
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.chmod(mode)
        _to_disk(part)
        part.replace(path)
    except OSError as exc:
        raise OSError(exc.errno, exc.strerror or str(exc), str(path)) from exc  # the user only knows this name
    finally:
        part.unlink(missing_ok=True)


def _to_disk(path: Path) -> None:
    """Flush a file to the disk: after a power failure it could otherwise have its name and no content."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def adding(path: Path) -> IO[str]:
    """Open a file to append lines, and make it where it is missing. Raise OSError where its name is a link."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _NO_LINK, PRIVATE)
    return open(handle, "a", encoding="utf-8")


def add(file: IO[str], text: str, path: Path) -> None:
    """Append a text at once to a file that `adding` opened. Raise OSError that names `path`, with the file closed."""
    try:
        file.write(text)
        file.flush()
    except OSError as exc:
        with contextlib.suppress(OSError):  # of what is still in its buffer, which is not tried again
            file.close()
        raise OSError(exc.errno, exc.strerror or str(exc), str(path)) from exc


def is_own(path: Path) -> bool:
    """Return whether a path is a file that this user owns: no link, pipe or device, and without another name."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return False
    owned = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
    return stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and owned


def continuing(path: Path) -> IO[bytes]:
    """Open a file to append bytes, and make it where it is missing. What is there and not `is_own` is removed first."""
    if not is_own(path):
        path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _NO_LINK | getattr(os, "O_BINARY", 0), 0o666)
    return open(handle, "ab")


def opened(path: Path, flags: int = 0) -> tuple[int, os.stat_result]:
    """Open a file, pipe or device for reading, without waiting, and return its handle and facts. Raise OSError."""
    # Without O_NONBLOCK, opening a pipe waits until another process opens its other end.
    handle = os.open(path, os.O_RDONLY | flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    return handle, os.fstat(handle)


def first_bytes(path: Path, count: int) -> bytes:
    """Return the first bytes of a file. Raise OSError, also for a pipe or a device, which may never give any."""
    handle, status = opened(path)
    try:
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "expected a file, found a pipe or a device", str(path))
        return os.read(handle, count)
    finally:
        os.close(handle)


def reading(path: Path) -> IO[bytes]:
    """Open a file for reading that this user owns and that no other user may open.

    Raise OSError if there is no file, or if another user could have created or changed it.
    """
    handle, status = opened(path, _NO_LINK)
    private = not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & 0o077)
    if stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and private:
        return open(handle, "rb")
    os.close(handle)
    raise PermissionError(errno.EPERM, "expected a file that its owner alone may open", str(path))


def make(path: Path, like: Path | None = None) -> None:
    """Make an empty file where there is none, with the permissions of the file `like`, and its owner if root does it.

    The permissions of an existing file are narrowed to those of `like`.
    """
    permissions = like.stat() if like else None
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK, PRIVATE)
    except FileExistsError:
        # Not through a handle: closing any handle of a SQLite file releases all locks that the process has on it.
        existing = path.lstat().st_mode
        mode = stat.S_IMODE(existing)
        if stat.S_ISREG(existing) and mode & (narrow := permissions.st_mode if permissions else PRIVATE) != mode:
            path.chmod(mode & narrow)
        return
    with os.fdopen(handle):
        if permissions and hasattr(os, "fchown"):
            if os.geteuid() == 0:
                os.fchown(handle, permissions.st_uid, permissions.st_gid)
            os.fchmod(handle, permissions.st_mode & 0o666)


def is_beside(path: Path, database: Path) -> bool:
    """Return whether one of askwhere's files is beside a database.

    Raise `DatabaseError` if another user may have put it there: its owner must be this process's user, the database's
    owner, or root.
    """
    try:
        status = path.lstat()
    except FileNotFoundError:
        return False
    except OSError as exc:
        if exc.errno == errno.ENAMETOOLONG:  # there cannot be one
            return False
        raise
    if wrong := _foreign(status, database):
        raise not_ours(path, wrong)
    return not stat.S_ISDIR(status.st_mode)


def not_ours(path: Path, found: str) -> DatabaseError:
    """Return the error for a foreign file with the name of one of askwhere's beside a database."""
    return DatabaseError(
        f"{path} is where askwhere keeps what belongs to the database; expected a file that askwhere made, found"
        f" {found}: look at it, and remove or rename it"
    )


def _foreign(status: os.stat_result, database: Path) -> str:
    """Return why a file cannot be askwhere's; '' if it can."""
    if stat.S_ISLNK(status.st_mode):
        return "a symbolic link"
    if stat.S_ISDIR(status.st_mode):
        return ""
    if not stat.S_ISREG(status.st_mode):
        return "a device or a pipe"
    if status.st_nlink > 1:
        return "a file that has another name, too (a hard link)"
    if hasattr(os, "geteuid") and status.st_uid not in (0, os.geteuid(), database.stat().st_uid):
        return f"one of another user (number {status.st_uid})"
    return ""


def state_of(path: str) -> tuple[int, int]:
    """Return a file's size and time of change, which differ after it was written; zeros where there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return (0, 0)
    return (status.st_size, status.st_mtime_ns)


def private_folder(path: Path) -> Path:
    """Return a folder that only this user can open; create it if it is missing.

    Raise `DatabaseError` where it is another user's.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = path.stat()
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        raise DatabaseError(f"{path} is to hold private files, and is another user's (user {status.st_uid}); remove it")
    if stat.S_IMODE(status.st_mode) & 0o077:
        path.chmod(0o700)
    return path


def refuse_other(path: Path, start: bytes, kind: str) -> None:
    """Raise `AskError` where a file exists that does not begin with `start`, in any case, as a file of a kind does.

    A file that is written in its place, such as a page, must not replace a database.
    """
    if path.is_file() and first_bytes(path, len(start)).lower() not in (start.lower(), b""):
        raise AskError(f"{path} exists and is not {kind}, so it is not replaced: name another file")
