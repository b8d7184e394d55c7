"""Datasette with the loadable extension, as the test and the screenshot of the documentation use it.

It runs in the system's own Python: others are often built without the loading of extensions.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from servers import free_port

PYTHON = Path("/usr/bin/python3")
FOLDER = Path(__file__).resolve().parent.parent / "build" / "datasette"


def install() -> None:
    """Install Datasette for the system's Python, in a folder of its own."""
    if PYTHON.exists() and not (FOLDER / "datasette").is_dir():
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", PYTHON, "install", "--quiet"]
        subprocess.run([*pip, "--target", FOLDER, "datasette"], check=True, stdout=sys.stderr)


@contextlib.contextmanager
def serving(database: Path, extension: Path) -> Iterator[str]:
    """The address of a Datasette that shows a database."""
    port = free_port()
    command = [PYTHON, "-m", "datasette", database, "--load-extension", extension, "--port", str(port)]
    command += ["--setting", "sql_time_limit_ms", "600000"]  # a second by default
    environment = {**os.environ, "PYTHONPATH": str(FOLDER)}
    address = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            _wait(process, address)
            yield address
        finally:
            process.terminate()


def _wait(process: subprocess.Popen[bytes], address: str) -> None:
    for _ in range(300):
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            urllib.request.urlopen(f"{address}/-/versions.json", timeout=5).close()
            return
        if process.poll() is not None:
            assert process.stderr is not None
            raise RuntimeError(f"Datasette ended: {process.stderr.read().decode()[-500:]}")
        time.sleep(0.1)
    raise RuntimeError("Datasette did not answer within 30 seconds")


if __name__ == "__main__":
    install()
