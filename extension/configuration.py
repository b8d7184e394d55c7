"""Read the user's configuration file, of a bounded size; no error shows its text or a key.

It says where questions, cell values and keys are sent, and which columns are hidden. So a file that other users may
write is refused, as ssh does with its own. So is a key in a file that others may read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from askwhere import files
from askwhere.errors import SettingError

MOST = 1_000_000  # bytes


def values(path: Path) -> dict[str, Any]:
    """Return the values of a configuration file; none if it does not exist or this user may not read it.

    Raise `SettingError`.
    """
    try:
        if not (written := text(path)):
            return {}
        import tomllib  # takes time to load, and most users have no such file

        return tomllib.loads(written)
    except RecursionError:
        wrong = "its values stand too deep in one another"
    except ValueError as exc:  # also for a number with thousands of digits
        wrong = str(exc)
    raise SettingError(f"{path} is not valid TOML: {wrong}")


def text(path: Path) -> str:
    """Return the text of a configuration file, as `values` reads it."""
    try:
        content = _read(path)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return ""
    except OSError as exc:
        wrong = exc.strerror or type(exc).__name__
    else:
        if len(content) > MOST:
            raise SettingError(f"{path} has more than {MOST:,} bytes; expected a file of settings")
        try:
            return content.decode("utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError as exc:
            wrong = f"it is not valid TOML: no UTF-8 at byte {exc.start:,}"
    raise SettingError(f"{path} cannot be read: {wrong}")


def check_secret(path: Path) -> None:
    """Raise `SettingError` if other users may read this user's file, which holds a key."""
    status = path.stat()
    if hasattr(os, "geteuid") and status.st_uid == os.geteuid() and _for_others(status, stat.S_IRGRP | stat.S_IROTH):
        raise SettingError(f"{path} holds a key, and other users may read it: chmod 600 {path}")


def _check_writers(path: Path, status: os.stat_result) -> None:
    """Raise `SettingError` if other users may change the file or replace it.

    In a folder with the sticky bit, such as /tmp, users cannot replace each other's files. Folders above the user's
    home are not checked.
    """
    for place, facts in ((path, status), *((folder, folder.stat()) for folder in _folders(path))):
        if facts.st_uid not in (0, os.geteuid()):
            wrong = f"is another user's (number {facts.st_uid}): make it your own with chown, or remove it"
        elif _for_others(facts, stat.S_IWGRP | stat.S_IWOTH) and not _is_sticky(facts):
            wrong = f"may be written by other users: chmod go-w {place}"
        else:
            continue
        raise SettingError(f"{path} is not used, as it says where questions and keys are sent, and {place} {wrong}")


def _is_sticky(status: os.stat_result) -> bool:
    return stat.S_ISDIR(status.st_mode) and bool(status.st_mode & stat.S_ISVTX)


def _for_others(status: os.stat_result, bits: int) -> bool:
    """Return whether the file grants one of the permissions `bits` to users other than its owner and root.

    A group whose only member is the owner does not count.
    """
    import grp
    import pwd

    if status.st_mode & bits & stat.S_IRWXO:
        return True
    if not status.st_mode & bits & stat.S_IRWXG or status.st_gid == 0:
        return False
    try:
        owner, group = pwd.getpwuid(status.st_uid), grp.getgrgid(status.st_gid)
    except KeyError:
        return True
    own = group.gr_gid == owner.pw_gid and group.gr_name == owner.pw_name  # as many systems make it for each user
    return not own or not {owner.pw_name}.issuperset(group.gr_mem)


def _folders(path: Path) -> Iterator[Path]:
    """Yield the folders above a file, and above the file that it links to, up to the user's home."""
    home = Path(os.path.expanduser("~"))
    for folder in dict.fromkeys((*path.absolute().parents, *path.resolve().parents)):
        if folder == home or not home.is_relative_to(folder):
            yield folder


def _read(path: Path) -> bytes:
    """Return the first bytes of a file, at most `MOST` and one more.

    Raise `SettingError` where others may write it.
    """
    handle, status = files.opened(path)
    if stat.S_ISREG(status.st_mode):
        with open(handle, "rb") as file:
            if hasattr(os, "geteuid"):  # on Windows other users cannot open a user's folders
                _check_writers(path, status)
            return file.read(MOST + 1)
    os.close(handle)
    if stat.S_ISCHR(status.st_mode):  # /dev/null, which some users name to have no file
        return b""
    raise OSError(0, "expected a file, found a folder, a pipe or a device")
