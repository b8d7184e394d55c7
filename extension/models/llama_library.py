"""Load the llama.cpp library when it is first used, silence it, and let Ctrl-C and deadlines end its calls.

A call takes seconds to minutes, during which Python handles no signal. So each runs in a thread of its own while the
caller waits, and tells it to stop on Ctrl-C. No exception interrupts the work between two steps, so that a model is
always left in a known state.
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
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any, TypeVar

from askwhere.errors import ModelError
from askwhere.models.threads import in_thread

T = TypeVar("T")
MISSING = "a gguf model needs llama.cpp: pip install llama-cpp-python"
ERROR = 4  # GGML_LOG_LEVEL_ERROR

_logged: deque[str] = deque(maxlen=20)


@cache
def library() -> Any:
    """Return the module `llama_cpp`; raises `ModelError` where it is missing or does not load."""
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
    """Return the callback for llama.cpp's log; it lives as long as the process, as freeing a model logs too."""

    def listen(level: int, text: bytes, _: object) -> None:
        if level == ERROR:
            _logged.append(text.decode(errors="replace").strip())

    return import_module("llama_cpp").llama_log_callback(listen)


def clear_log() -> None:
    """Delete llama.cpp's logged messages, so that `logged_reason` returns one of the next call."""
    _logged.clear()


def logged_reason() -> str:
    """Return why llama.cpp failed, in its own words."""
    # The first line is the cause; then each caller logs that it failed, and the last of these lines adds nothing.
    lines = list(_logged)
    return "; ".join(line.split(": ", 1)[-1] for line in lines[:-1] or lines) or "it gave no reason"


class Stop:
    """A flag that tells C code to stop without calling Python; any thread may set it."""

    def __init__(self) -> None:
        self._byte = ctypes.create_string_buffer(2)

    def set(self) -> None:
        """Set the flag that tells running work to stop."""
        self._byte.value = b"!"

    def __bool__(self) -> bool:
        return bool(self._byte.value)

    def callback(self) -> tuple[Any, Any]:
        """Return the C function and its argument for `llama_set_abort_callback`: it returns 1 once the flag is set.

        llama.cpp calls it before each of the thousand operations of a step. A Python function would wait for the
        interpreter's lock each time, which takes milliseconds while another thread is busy. So it is C's `strlen`,
        whose argument is the flag's buffer: empty or `!`.
        """
        libc = ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
        return ctypes.cast(libc.strlen, library().ggml_abort_callback), ctypes.cast(self._byte, ctypes.c_void_p)


class Stopped(Exception):
    """Work was cancelled; raised inside the work, never in the caller that cancelled it."""


def stoppable(work: Callable[[Stop], T], seconds: float | None, late: str) -> T:
    """Run `work` in a thread of its own and return its result; Ctrl-C stops it.

    After `seconds` it is stopped too, and `ModelError` is raised with the text `late`.
    """
    stop, end = Stop(), math.inf if seconds is None else time.monotonic() + seconds

    def check() -> None:
        if time.monotonic() >= end:
            raise ModelError(late)

    return in_thread(lambda: work(stop), stop.set, check)


@contextmanager
def holding(lock: Lock, stop: Stop) -> Iterator[None]:
    """Hold `lock` during the block. Raise `Stopped` if `stop` is set before the lock is free."""
    while not lock.acquire(timeout=0.05):
        if stop:
            raise Stopped
    try:
        yield
    finally:
        lock.release()


def with_stderr(call: Callable[[], T]) -> tuple[T, str]:
    """Return the result of `call`, and the text that C code wrote to standard error during it.

    The parser of grammars writes there and not to the log. The process's standard error is redirected meanwhile.
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
