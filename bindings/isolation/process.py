"""Start a process that runs generated SQL, and speak to it through pipes, in frames."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Any

from askwhere.errors import DatabaseError, TooMuch
from askwhere.frozen import frozen

START_SECONDS = 60.0  # to start Python and import an engine, on a slow disk or a busy machine
GRANTS = 8  # that a process keeps
ENDING_SECONDS = 5.0  # for a process to end after it has closed its output
SLICE_SECONDS = 0.2  # of one wait; another thread can interrupt this one only between two
ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "VIRTUAL_ENV", "PYTHONHOME", "LANG", "LC_ALL", "TZ")
CRASHES = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)
MODULE = "askwhere.bindings.isolation.worker"
# A frame's head: how many bytes follow, their kind (`MESSAGE` or `ROWS`), and of how many rows they are.
FRAME = struct.Struct("=IcI")
MESSAGE, ROWS = b"j", b"r"


@frozen
class DatabaseSpec:
    """What a process opens: a file in an engine, 'sqlite' or 'duckdb', and attached databases as (name, file).

    All other fields are for DuckDB, where the path may also be `:memory:`. `extensions` are loaded first. `servers` are
    statements that attach databases on servers, `views` statements that create views. Files in `readable` and `folders`
    may be read as well. `home` is the working directory for relative paths in views, '' if there are none. `variables`
    are the prefixes of the environment variables that clients of attached servers read, as for a password.
    """

    engine: str
    path: str
    attached: tuple[tuple[str, str], ...] = ()
    extensions: tuple[str, ...] = ()
    servers: tuple[str, ...] = field(default=(), repr=False)  # passwords may be among them
    views: tuple[str, ...] = ()
    readable: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    home: str = ""
    variables: tuple[str, ...] = ()


class Retired(Exception):
    """Raised when an idle process ends by itself at the moment when it is sent a request."""


class Worker:
    """One process and the pipes to it. It is `clean`, so that another request may follow, once its last reply was read.

    Raises `DatabaseError` if the system cannot start a process.
    """

    def __init__(self, spec: DatabaseSpec) -> None:
        self.spec = spec
        self.clean = False
        self._grants: set[str] = set()
        environment = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
        environment |= {name: value for name, value in os.environ.items() if name.startswith(spec.variables)}
        # Else glibc reserves 64 MB for each of an extension's threads, which count as memory: Delta's needs 50 of them.
        environment["MALLOC_ARENA_MAX"] = "2"
        environment["PYTHONPATH"] = os.pathsep.join(entry for entry in sys.path if entry)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", MODULE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env=environment,
                start_new_session=True,  # Ctrl-C is for us
                bufsize=0,
            )
        except OSError as exc:  # of files, processes or memory
            raise DatabaseError(
                f"the process that isolation = 'process' needs could not be started ({exc}); see the system's limits"
            ) from exc
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._into, self._from = self._process.stdin, self._process.stdout
        for pipe in (self._into, self._from):
            os.set_blocking(pipe.fileno(), False)

    @property
    def pid(self) -> int:
        """Return the process's id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Return whether the process runs."""
        return self._process.poll() is None

    def begin(self) -> None:
        """Send the process the database to open, and wait until it is ready.

        Raise `DatabaseError` if it does not start, ValueError if its message is unexpected.
        """
        spec = self.spec
        deadline = time.monotonic() + START_SECONDS
        try:
            self._send(asdict(spec), deadline)
            kind, content, _ = self.receive(deadline, 2**16, 0)
        except (Retired, TooMuch) as exc:
            raise DatabaseError(
                f"the process that isolation = 'process' needs {self._how_it_failed(deadline)}"
            ) from exc
        reply = reply_of(content) if kind == MESSAGE else {}
        if "ready" not in reply:
            why = f": {reply['message']}" if "message" in reply else ""
            raise DatabaseError(f"the process that isolation = 'process' needs did not become ready{why}")

    def _how_it_failed(self, deadline: float) -> str:
        """Return how the process failed to start, and what to do."""
        status = self._process.poll()
        if status is None and time.monotonic() >= deadline:
            return f"did not start within {START_SECONDS:g} seconds; ask again when the machine is less busy"
        if status is not None and status < 0:
            return (
                f"was ended by {_name(-status)} while it started, most likely for want of memory or by a"
                " limit of the system; free memory or raise the limit, and ask again"
            )
        how = "did not say that it is ready" if status is None else f"ended with status {status} while it started"
        return f"{how}; see what {sys.executable} -m {MODULE} < /dev/null says"

    def ask(self, request: Mapping[str, Any], grant: tuple[str, Mapping[str, Any]], deadline: float) -> None:
        """Send a request. The grant goes along by its name, and with its content if the process does not have it."""
        self.clean = False
        name, content = grant
        new = name not in self._grants
        if new and len(self._grants) >= GRANTS:
            self._grants.clear()  # as the process does
        self._grants.add(name)
        self._send({**request, "grant": name, **({"granted": content} if new else {})}, deadline)

    def _send(self, content: Mapping[str, Any], deadline: float) -> None:
        """Write one frame; an ended process is noticed when its reply is read."""
        text = json.dumps(content).encode()
        left = memoryview(FRAME.pack(len(text), MESSAGE, 0) + text)
        pipe = self._into.fileno()
        while left:
            self._wait(pipe, select.POLLOUT, deadline)
            try:
                left = left[os.write(pipe, left) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                return  # it has ended; reading says how

    def receive(self, deadline: float, message: int, rows: int) -> tuple[bytes, bytes, int]:
        """Return the next frame: its kind, its content, and its number of rows.

        A message has at most `message` bytes, a batch of rows `rows`. Raise `TooMuch` when it is late, too long, or the
        process ended before it.
        """
        size, kind, number = FRAME.unpack(self._exactly(FRAME.size, deadline))
        if size > (rows if kind == ROWS else message):
            raise TooMuch("the result is larger than the limit on memory; ask for less of it")
        return kind, self._exactly(size, deadline), number

    def _exactly(self, size: int, deadline: float) -> bytes:
        """Read `size` bytes."""
        content = bytearray()
        pipe = self._from.fileno()
        while len(content) < size:
            self._wait(pipe, select.POLLIN, deadline)
            try:
                piece = os.read(pipe, min(size - len(content), 2**20))
            except BlockingIOError:
                continue
            if not piece:
                self._raise_exit_status()
            content += piece
        return bytes(content)

    def _wait(self, pipe: int, event: int, deadline: float) -> None:
        """Wait until a pipe is ready. Raise `TooMuch` after the deadline."""
        poller = select.poll()
        poller.register(pipe, event)
        while time.monotonic() < deadline:  # checked also where the process never stops sending
            if poller.poll(1_000 * min(SLICE_SECONDS, max(0.0, deadline - time.monotonic()))):
                return
        raise TooMuch("the query exceeded its time limit, and its process was ended")

    def _raise_exit_status(self) -> None:
        """Raise `Retired` or `TooMuch`, as the exit status of the process says."""
        try:
            status = self._process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            raise TooMuch("the query's process stopped answering, and was ended") from None
        if status == 0:
            raise Retired
        if status == -signal.SIGXCPU:
            raise TooMuch("the query used more CPU time than its process may")
        if -status in CRASHES:
            raise TooMuch(f"the engine crashed on the query ({_name(-status)}), in a process of its own")
        if status > 0:
            raise TooMuch(f"the query's process ended (status {status}); ask something narrower")
        by = _name(-status)
        if status != -signal.SIGKILL:
            raise TooMuch(f"the query's process was ended by another one ({by}); ask again", outside=True)
        why = f"the query's process ended ({by}), most likely for want of memory"
        raise TooMuch(f"{why}; ask again, or something narrower", outside=True)

    def kill(self) -> None:
        """End the process at once, whatever it does; `end` must still be called."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    interrupt = kill

    def end(self) -> None:
        """End the process, wait for it, and close the pipes."""
        self.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        for pipe in (self._into, self._from):
            with contextlib.suppress(OSError):
                pipe.close()

    def forget(self) -> None:
        """Close the pipes to a process of the parent, after a fork."""
        self._process.returncode = 0  # not ours to wait for
        self._close()


def _name(number: int) -> str:
    """Return the name of a signal; real-time signals have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def reply_of(content: bytes) -> dict[str, Any]:
    """Decode a frame. Raise ValueError for anything but a JSON object."""
    reply = json.loads(content)
    if not isinstance(reply, dict):
        raise ValueError("it sent JSON that is no object")
    return reply
