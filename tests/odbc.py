"""The SQLite ODBC driver, as the tests of BI tools use it: Debian's unixODBC, libsqliteodbc and isql."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

# libsqliteodbc brings unixODBC's library, unixodbc brings isql.
PACKAGES = ("libsqliteodbc", "unixodbc")


def driver() -> Path | None:
    """Return the driver's library; None where it is not installed."""
    folders = (Path(folder) for folder in ("/usr/lib", "/usr/lib64", "/usr/local/lib"))
    return next((path for folder in folders for path in folder.glob("**/libsqlite3odbc.so")), None)


def install() -> None:
    """Install the driver, as Debian's package if possible, and print what is missing."""
    if driver() and shutil.which("isql"):
        return
    if not shutil.which("apt-get") or os.geteuid() != 0:
        print(f"the tests of ODBC need {' and '.join(PACKAGES)}", file=sys.stderr)
        return
    for command in (["apt-get", "update"], ["apt-get", "install", "--yes", "--no-install-recommends", *PACKAGES]):
        subprocess.run(command, check=True, stdout=sys.stderr, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


if __name__ == "__main__":
    install()
