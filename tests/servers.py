"""PostgreSQL and MariaDB for the tests of attached databases, and a server of buckets, on the loopback address.

`python tests/servers.py` installs the first two, Debian's packages. Each of them runs in a folder of its own, as a user
that is not root.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKAGES = ("postgresql", "mariadb-server")
SECONDS = 600.0
BIN = Path(__file__).resolve().parent.parent / "build" / "serving" / "bin"  # by `make serving`


def postgres() -> Path | None:
    """Return the folder of PostgreSQL's programs; None where it is not installed."""
    return next((path.parent for path in sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)), None)


def mariadb() -> Path | None:
    """Return MariaDB's server; None where it is not installed."""
    found = shutil.which("mariadbd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    return Path(found) if found else None


def install() -> None:
    """Install both servers as Debian's packages, and print what is missing where that is not possible."""
    if postgres() and mariadb():
        return
    if not shutil.which("apt-get") or os.geteuid() != 0:
        print(f"the tests of attached databases need {' and '.join(PACKAGES)}", file=sys.stderr)
        return
    for command in (["apt-get", "update"], ["apt-get", "install", "--yes", "--no-install-recommends", *PACKAGES]):
        subprocess.run(command, check=True, stdout=sys.stderr, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


@contextlib.contextmanager
def attachable_postgres(folder: Path) -> Iterator[str]:
    """Start PostgreSQL as `running_postgres` does, and yield its connection string; skip the test without it."""
    if not postgres():
        import pytest  # benchmarks, in the environment of `make serving`, have no pytest

        pytest.skip("needs PostgreSQL; `make servers` installs it")
    with running_postgres(folder) as port:
        yield f"host=127.0.0.1 port={port} user=asker dbname=postgres"


@contextlib.contextmanager
def running_postgres(folder: Path, at: int = 0) -> Iterator[int]:
    """Start PostgreSQL, with its log in a folder, and yield its port: `at`, or a free one.

    The user `asker` may do everything, with no password.
    """
    programs, port, log = postgres(), at or free_port(), _log(folder)
    assert programs is not None
    with _content("postgres") as content:
        made = [programs / "initdb", "-D", content, "-A", "trust", "-U", "asker", "-E", "UTF8", "--no-sync"]
        _run_as("postgres", made, log).wait(SECONDS)
        options = ("listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "log_statement=mod")
        given = [word for option in options for word in ("-c", option)]
        server = _run_as("postgres", [programs / "postgres", "-D", content, "-p", str(port), *given], log)
        # By SIGTERM it would wait for clients that keep their connection, for a minute.
        with _serving(server, "ready to accept connections", log, signal.SIGINT):
            yield port


@contextlib.contextmanager
def running_mariadb(folder: Path) -> Iterator[int]:
    """Start MariaDB, with its log in a folder, and yield its port.

    The user `root` may do everything, with no password. All statements are in the file `statements` of the folder.
    """
    program, port, log = mariadb(), free_port(), _log(folder)
    assert program is not None
    with _content("mysql") as content:
        made = ["mariadb-install-db", "--no-defaults", f"--datadir={content}", "--skip-test-db"]
        _run_as("mysql", [*made, "--auth-root-authentication-method=normal"], log).wait(SECONDS)
        # A server removes what others have in the same folder for temporary tables, when it starts, and they crash.
        folders = [f"--datadir={content}", f"--tmpdir={content}", f"--socket={content}/socket"]
        places = [*folders, f"--port={port}", "--bind-address=127.0.0.1"]
        logged = ["--general-log", f"--general-log-file={content}/statements"]
        server = _run_as("mysql", [program, "--no-defaults", *places, *logged], log)
        (folder / "statements").symlink_to(content / "statements")
        with _serving(server, "ready for connections", log):
            yield port


@contextlib.contextmanager
def running_bucket(folder: Path, bucket: str) -> Iterator[int]:
    """Start a server that is compatible with S3, with a bucket, and yield its port; `make serving` installs it.

    It takes any credentials, but no request without.
    """
    port, log = free_port(), _log(folder)
    with log.open("wb") as said:
        command = [BIN / "moto_server", "-H", "127.0.0.1", "-p", str(port)]
        server = subprocess.Popen(command, stdout=said, stderr=said)
    with _serving(server, "Running on", log):
        urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/{bucket}", method="PUT")).close()
        yield port


def _log(folder: Path) -> Path:
    """Return the file for what a server says, in a folder that is made where there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "log"


@contextlib.contextmanager
def _content(user: str) -> Iterator[Path]:
    """Make a folder that a server's user owns, and remove it afterwards.

    It is not in pytest's folder: each run of pytest takes the right to pass that from all other users.
    """
    with tempfile.TemporaryDirectory(prefix="askwhere-") as above:
        content = Path(above, user)
        content.mkdir()
        if os.geteuid() == 0:
            Path(above).chmod(0o711)
            shutil.chown(content, user)
        yield content


def _run_as(user: str, command: list[Any], log: Path) -> subprocess.Popen[bytes]:
    """Start a program as a user if this one is root, else as this one; what it says goes into `log`."""
    other: dict[str, Any] = {}
    if os.geteuid() == 0:
        found = pwd.getpwnam(user)
        other = {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}
    with log.open("ab") as said:
        return subprocess.Popen(command, cwd="/", stdin=subprocess.DEVNULL, stdout=said, stderr=said, **other)


@contextlib.contextmanager
def _serving(
    process: subprocess.Popen[bytes], ready: str, log: Path, ending: signal.Signals = signal.SIGTERM
) -> Iterator[None]:
    """Wait until a server says in its log that it is ready, and end it afterwards by the signal `ending`."""
    until = time.monotonic() + SECONDS
    try:
        while ready not in (said := log.read_text("utf-8", "replace")):
            running = process.poll() is None and time.monotonic() < until
            assert running, said[-2_000:]
            time.sleep(0.05)
        yield
    finally:
        process.send_signal(ending)
        process.wait(SECONDS)


class Gate:
    """A server on the loopback address that passes all on to another one, and holds it back while it is shut.

    `passed` is the number of bytes that have come from the other one.
    """

    def __init__(self, to: int) -> None:
        self._to = to
        self.passed = 0
        self._opened = threading.Event()
        self._opened.set()
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]

    def __enter__(self) -> Gate:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._opened.set()
        self._server.close()

    def shut(self) -> None:
        """Pass nothing on, but take connections."""
        self._opened.clear()

    def open(self) -> None:
        """Pass on what was held back, and what comes."""
        self._opened.set()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # the server was closed
            while True:
                threading.Thread(target=self._join, args=(self._server.accept()[0],), daemon=True).start()

    def _join(self, client: socket.socket) -> None:
        """Pass on what the two ends of a connection say, each in a thread."""
        self._opened.wait()
        with client, contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self._to)) as server:
            threading.Thread(target=self._pass_on, args=(client, server), daemon=True).start()
            self._pass_on(server, client)

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while said := one.recv(1 << 16):
                self._opened.wait()
                other.sendall(said)
                self.passed += len(said) if one.getpeername()[1] == self._to else 0
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_WR)


def free_port() -> int:
    """Return a port of the loopback address that nothing listens on, to be listened on some seconds later.

    Not one of those that the system chooses by itself, from 32768 on Linux: another test might be given it meanwhile.
    """
    while True:
        port = random.SystemRandom().randrange(10_000, 32_768)
        with socket.socket() as tried, contextlib.suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port


if __name__ == "__main__":
    install()
