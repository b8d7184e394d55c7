"""Lock a run file for one process: two that write it would overwrite each other's records."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from askwhere import files
from askwhere.errors import ArgumentError


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Keep other processes from writing the run file `path` while the block runs.

    Raise `ArgumentError`, with the process's number, where another process writes it. The lock is on a file beside
    `path`, since `path` itself is replaced; the system releases it when its process ends in any way.
    """
    lock = path.with_name(f".{path.name}.lock")
    with _locked(lock, path) as file:
        try:
            file.truncate(0)  # of a process that was killed
            files.add(file, str(os.getpid()), path)
            yield
        finally:
            lock.unlink(missing_ok=True)


def _locked(lock: Path, path: Path) -> IO[str]:
    """Return the lock file, locked by this process. Raise `ArgumentError` where another process has locked it."""
    while True:
        file = files.adding(lock)
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file.fileno()), lock.stat()):
                return file
        except FileNotFoundError:  # the process that held the lock deleted the file after it was opened here
            pass
        except (BlockingIOError, PermissionError):
            file.close()
            raise ArgumentError(
                f"process {lock.read_text('ascii', 'replace')[:20]} is writing {path}; wait until it has ended, or name"
                " another file by --output"
            ) from None
        except BaseException:
            file.close()
            raise
        file.close()
