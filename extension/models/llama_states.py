"""Cache on disk the state of a model after the beginning of a prompt, so that no later process evaluates it again.

The name of a file is a digest of everything that its content depends on: the model's file and adapter, the library, and
the tokens. What is hidden from prompts changes the tokens, and so the name. The file's sha256 is checked before
llama.cpp reads it. A file that is damaged, or that others may have written, is deleted and written anew.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import stat
import struct
import time
from array import array
from pathlib import Path
from threading import Thread
from typing import IO, Any

from askwhere import files
from askwhere.errors import DatabaseError
from askwhere.frozen import frozen

MOST = 1_000_000_000  # bytes of all files together
ABANDONED = 3_600  # seconds after which an unfinished file is assumed to be a killed process's

_MAGIC = b"askwhere prompt\n"
_VERSION = 1
_CHECKED = struct.Struct("<16s32s")  # the magic, the sha256 of all that follows
_FACTS = struct.Struct("<I32sIHQ")  # the version, the key, tokens, bytes of the model's name, bytes of the state


@frozen
class State:
    """The state of llama.cpp after the first `count` tokens of a prompt, as a ctypes array of bytes."""

    count: int
    content: Any


@frozen
class Saved:
    """A state's file: its model, its number of tokens, its bytes, and when it was last used (seconds since 1970)."""

    path: Path
    model: str
    count: int
    size: int
    used: float


def default_folder() -> Path:
    """Return the folder of the files."""
    import platformdirs  # only where a model of a file is asked

    return platformdirs.user_cache_path("askwhere") / "prompts"


def key(facts: object, tokens: list[int]) -> bytes:
    """Return the key of the state after `tokens`; `facts` is everything else that it depends on."""
    return hashlib.sha256(repr((_VERSION, facts)).encode() + array("i", tokens).tobytes()).digest()


def load(state_key: bytes, folder: Path) -> State | None:
    """Return the state of a key; None if there is no intact file of this user's."""
    path = _path(state_key, folder)
    try:
        files.private_folder(folder)
    except (OSError, DatabaseError):
        return None  # the folder is another user's or cannot be written: nothing in it is used or deleted
    try:
        with files.reading(path) as file:
            state = _read(file, state_key)
        os.utime(path)
    except FileNotFoundError:
        return None
    except (ValueError, OSError):
        _delete(path)
        return None
    return state


def save(state_key: bytes, model: str, state: State, folder: Path) -> Thread:
    """Write a state in a thread, which this process waits for before it exits; a state that is too large is dropped.

    Errors such as a full disk are ignored: the next process then evaluates the prompt itself.
    """

    def write() -> None:
        with contextlib.suppress(OSError, DatabaseError):
            _write(state_key, model, state, files.private_folder(folder))

    thread = Thread(target=write, name="askwhere-state")
    thread.start()
    return thread


def saved(folder: Path) -> list[Saved]:
    """Return the files, the one used last first."""
    states = [state for path in folder.glob("*.state") if (state := _listed(path))]
    return sorted(states, key=lambda state: state.used, reverse=True)


def clear(folder: Path) -> int:
    """Delete the files, finished or not, and return their bytes."""
    sizes = _ours(folder)
    for path in sizes:
        path.unlink(missing_ok=True)
    return sum(size for size, _ in sizes.values())


def _path(state_key: bytes, folder: Path) -> Path:
    return folder / f"{state_key.hex()}.state"


# ------------------------------------------------------------------------------------------------------ one file


def _write(state_key: bytes, model: str, state: State, folder: Path) -> None:
    """Write a state's file, unless another process has written at least as long a state."""
    path = _path(state_key, folder)
    if (existing := _listed(path)) and existing.count >= state.count:
        return
    name = model.encode(errors="replace")[:1_000]
    facts = _FACTS.pack(_VERSION, state_key, state.count, len(name), len(state.content)) + name
    if (size := _CHECKED.size + len(facts) + len(state.content)) > MOST:
        return
    _make_room(folder, size)
    digest = hashlib.sha256(facts)
    digest.update(state.content)
    with files.replacing(path) as part, part.open("wb") as file:
        file.write(_CHECKED.pack(_MAGIC, digest.digest()) + facts)
        file.write(state.content)
    _make_room(folder, 0)  # another process may have written meanwhile


def _read(file: IO[bytes], state_key: bytes) -> State:
    """Return the state in a file. Raise ValueError if the file is damaged."""
    digest, key, count, name, size = _header(file)
    content = (ctypes.c_uint8 * size)()
    if key != state_key or file.readinto(content) != size:  # type: ignore[attr-defined]
        raise ValueError("another file's name, or cut off while it was read")
    computed = hashlib.sha256(_FACTS.pack(_VERSION, key, count, len(name), size) + name)
    computed.update(content)
    if computed.digest() != digest:
        raise ValueError("damaged")
    return State(count, content)


def _header(file: IO[bytes]) -> tuple[bytes, bytes, int, bytes, int]:
    """Return a file's sha256, key, number of tokens, model's name, and bytes of the state. Raise ValueError.

    The file must have exactly the stated number of bytes; so no more memory is allocated than the file's size.
    """
    begins = file.read(_CHECKED.size + _FACTS.size)
    if len(begins) < _CHECKED.size + _FACTS.size:
        raise ValueError("cut off")
    magic, digest = _CHECKED.unpack_from(begins)
    version, key, count, length, size = _FACTS.unpack_from(begins, _CHECKED.size)
    whole = os.fstat(file.fileno()).st_size
    if (magic, version) != (_MAGIC, _VERSION) or len(begins) + length + size != whole or whole > MOST:
        raise ValueError("not a state of this version, or cut off")
    return digest, key, count, file.read(length), size


def _listed(path: Path) -> Saved | None:
    """Return the facts in a file's header; None for a file that would not be used."""
    try:
        with files.reading(path) as file:
            _, _, count, name, _ = _header(file)
            facts = os.fstat(file.fileno())
    except (ValueError, OSError):
        return None
    model = "".join(c if c.isprintable() else "?" for c in name.decode(errors="replace"))
    return Saved(path, model, count, facts.st_size, facts.st_mtime)


# --------------------------------------------------------------------------------------------------- all files


def _make_room(folder: Path, size: int) -> None:
    """Delete the unfinished files of killed processes, then the least recently used files until `size` bytes fit."""
    states = _ours(folder)
    left = [path for path, (_, used) in states.items() if path.suffix == ".part" and used < time.time() - ABANDONED]
    oldest = sorted((path for path in states if path.suffix != ".part"), key=lambda path: states[path][1])
    total = sum(size for size, _ in states.values())
    for path in (*left, *oldest):
        if path not in left and total + size <= MOST:
            return
        _delete(path)
        total -= states[path][0]


def _ours(folder: Path) -> dict[Path, tuple[int, float]]:
    """Return every file that askwhere made in the folder, finished or not, with its bytes and last use.

    A folder of such a name is not askwhere's, and stays.
    """
    states = {}
    for path in (*folder.glob("*.state"), *folder.glob(".*.state.*.part")):
        with contextlib.suppress(FileNotFoundError):  # another process may delete it now
            facts = path.lstat()
            if stat.S_ISDIR(facts.st_mode):
                continue
            states[path] = (facts.st_size, facts.st_mtime)
    return states


def _delete(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
