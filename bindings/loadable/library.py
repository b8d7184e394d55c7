"""Find the loadable SQLite extension and its worker, or report what is missing to build it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import askwhere
from askwhere import files
from askwhere.errors import AskError

_COMPILERS = ("cc", "gcc", "clang")


def library() -> Path:
    """Return where the extension is, or would be if it had been built."""
    name = "askwhere.dylib" if sys.platform == "darwin" else "askwhere.so"
    return Path(next(iter(askwhere.__path__))) / "native" / name


def extension_path() -> Path:
    """Return the extension's path, and make it start this installation's worker.

    Raise `AskError` where it was not built.
    """
    path = library()
    if not path.exists():
        raise AskError(f"the SQLite extension was not built: {missing()}")
    _point_at(path, command())
    return path


def command() -> Path:
    """Return the path of this installation's `askwhere` command."""
    running = Path(sys.argv[0])
    if running.name == "askwhere" and running.exists():
        return running.absolute()
    return Path(sysconfig.get_path("scripts")) / "askwhere"


def missing() -> str:
    """Return a sentence on what is missing to build the extension, and what to do."""
    if os.name != "posix":
        return "it needs Linux or macOS"
    compiler = next((path for name in _COMPILERS if (path := shutil.which(name))), None)
    if compiler is None:
        return f"there is no C compiler (Debian: apt install gcc libsqlite3-dev); {_AGAIN}"
    look = [compiler, "-fsyntax-only", "-include", "sqlite3ext.h", "-x", "c", os.devnull]
    if subprocess.run(look, capture_output=True, check=False).returncode:
        return f"there is no sqlite3ext.h (Debian: apt install libsqlite3-dev); {_AGAIN}"
    return f"it can be: {_AGAIN}"


_AGAIN = "then pip install --force-reinstall --no-deps --no-binary askwhere askwhere, or in a checkout pip install -e ."


def _point_at(library: Path, worker: Path) -> None:
    """Write the path of the worker to a file beside the library, unless the library finds the worker by itself.

    `program()` in worker.c is the other side.
    """
    file = library.with_suffix(".worker")
    installed = (library.parent / "../../../../../bin/askwhere").resolve()
    line = f"{worker}\n"
    if installed == worker.resolve() or (file.exists() and file.read_text("utf-8") == line):
        return
    try:
        files.write(file, line, 0o644)  # any program that loads the library reads this file
    except OSError as exc:
        print(f"askwhere: {file} cannot be written ({exc.strerror}): set ASKWHERE_WORKER={worker}", file=sys.stderr)
