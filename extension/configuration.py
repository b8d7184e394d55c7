"""Read the user's configuration file: of a size that a person writes; no error shows its text or a key."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path
from typing import Any

from askwhere.errors import SettingError

MOST = 1_000_000  # bytes


def values(path: Path) -> dict[str, Any]:
    """Return the values of a configuration file; empty where there is none, or one that this user may not read.

    Raises `SettingError`.
    """
    try:
        return tomllib.loads(text(path))
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


def _read(path: Path) -> bytes:
    """Return the first bytes of a file, `MOST` and one more."""
    # Without O_NONBLOCK, opening a pipe waits until another process opens its other end.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        with open(handle, "rb") as file:
            return file.read(MOST + 1)
    os.close(handle)
    if stat.S_ISCHR(mode):  # /dev/null, which some users name to have no file
        return b""
    raise OSError(0, "expected a file, found a folder, a pipe or a device")
