"""The llama.cpp library: loaded when first used, silenced, and called so that Ctrl-C and a deadline end it.

Its calls take seconds to minutes and know nothing of Python's signals. So each runs in a thread of its own while the
caller waits: a signal wakes the caller, who then tells the call to stop. No exception can strike between two steps of
the work itself, which therefore always leaves a model in a state that it knows.
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any, TypeVar

from askwhere.errors import ModelError

T = TypeVar("T")
MISSING = "a gguf model needs llama.cpp: pip install 'askwhere[llama]'"
ERROR = 4  # GGML_LOG_LEVEL_ERROR
WAKE = 0.1  # seconds; on Windows, Ctrl-C reaches the caller between two waits only

_said: deque[str] = deque(maxlen=20)


@cache
def library() -> Any:
    """The module `llama_cpp`; raises `ModelError` where it is missing or does not load."""
    try:
        llama = import_module("llama_cpp")
    except ImportError as exc:
        raise ModelError(MISSING) from exc
    except (OSError, RuntimeError) as exc:
        raise ModelError(f"llama.cpp is installed but does not load: {exc}") from exc
    llama.llama_log_set(_listener(), None)
    llama.llama_backend_init()
    return llama


@cache
def _listener() -> Any:
    """The callback for llama.cpp's log, kept for as long as the process: it logs when models are freed, too."""

    def listen(level: int, text: bytes, _: object) -> None:
        if level == ERROR:
            _said.append(text.decode(errors="replace").strip())

    return import_module("llama_cpp").llama_log_callback(listen)


def hear() -> None:
    """Forgets what llama.cpp said before, so that `said` tells of what comes next."""
    _said.clear()


def said() -> str:
    """Why llama.cpp failed, in its own words."""
    # It says what went wrong and then, of each caller up to the last one, that this one failed.
    lines = list(_said)
    return "; ".join(line.split(": ", 1)[-1] for line in lines[:-1] or lines) or "it gave no reason"


class Stop:
    """A wish to stop that C code sees without asking Python, set from any thread."""

    def __init__(self) -> None:
        self._byte = ctypes.create_string_buffer(2)

    def set(self) -> None:
        """Whoever looks now is to stop."""
        self._byte.value = b"!"

    def __bool__(self) -> bool:
        return bool(self._byte.value)

    def callback(self) -> tuple[Any, Any]:
        """A C function with its argument that says whether to stop, for `llama_set_abort_callback`.

        llama.cpp asks before each of the thousand operations of a step. A Python function would wait each time until
        no other thread runs Python, milliseconds when one is busy. The length of the text in the buffer, 0 or 1, is
        the same answer from C.
        """
        libc = ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
        return ctypes.cast(libc.strlen, library().ggml_abort_callback), ctypes.cast(self._byte, ctypes.c_void_p)


class Stopped(Exception):
    """The work saw that it is to stop; the one who told it so does not read this."""


def apart(work: Callable[[Stop], T], seconds: float | None, late: str) -> T:
    """What `work` returns. Ctrl-C tells it to stop, and so do `seconds` gone by: a `ModelError` that says `late`."""
    stop, end = Stop(), math.inf if seconds is None else time.monotonic() + seconds
    with ThreadPoolExecutor(1, "askwhere-llama") as pool:
        future = pool.submit(work, stop)
        try:
            while not future.done():
                if (left := end - time.monotonic()) <= 0:
                    raise ModelError(late)
                wait([future], min(left, WAKE))
            return future.result()
        finally:
            stop.set()  # for Ctrl-C too; when all is done it harms nobody


@contextmanager
def holding(lock: Lock, stop: Stop) -> Iterator[None]:
    """Holds `lock`; who is told to stop while waiting for it waits no longer."""
    while not lock.acquire(timeout=0.05):
        if stop:
            raise Stopped
    try:
        yield
    finally:
        lock.release()


def overheard(call: Callable[[], T]) -> tuple[T, str]:
    """What `call` returns, and what C code wrote to standard error meanwhile, which stays off the terminal.

    For the parser of grammars, which writes past the log. Takes the whole process's standard error for that moment.
    """
    with tempfile.TemporaryFile() as file:
        before = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            result = call()
        finally:
            os.dup2(before, 2)
            os.close(before)
        file.seek(0)
        return result, file.read().decode(errors="replace").strip()
