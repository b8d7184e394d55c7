"""The files with what models made of prompts: whole or not there, for their owner alone, and never too many."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from askwhere.models import llama_states
from askwhere.models.llama_states import State

NOBODY = 65_534
KEY, OTHER = llama_states.key("model", [1, 2, 3]), llama_states.key("model", [1, 2, 4])
CONTENT = bytes(range(256)) * 40


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "prompts"


def save(folder: Path, key: bytes = KEY, content: bytes = CONTENT, count: int = 3) -> Path:
    array = (ctypes.c_uint8 * len(content)).from_buffer_copy(content)
    llama_states.save(key, "tiny.gguf", State(count, array), folder).join()
    return folder / f"{key.hex()}.state"


def load(folder: Path, key: bytes = KEY) -> tuple[int, bytes] | None:
    state = llama_states.load(key, folder)
    return (state.count, bytes(state.content)) if state else None


def test_what_is_saved_comes_back_and_is_private(folder: Path) -> None:
    assert load(folder) is None
    path = save(folder)
    assert load(folder) == (3, CONTENT)
    assert load(folder, OTHER) is None
    assert (path.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o700)
    assert list(folder.iterdir()) == [path]


def test_a_key_tells_everything_apart() -> None:
    keys = [llama_states.key(facts, tokens) for facts in ("a", "b") for tokens in ([1, 23], [12, 3], [1, 2, 3], [])]
    assert len(set(keys)) == len(keys)


def cut(at: int) -> Callable[[bytes], bytes]:
    return lambda whole: whole[:at]


def flipped(at: int) -> Callable[[bytes], bytes]:
    return lambda whole: (
        whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] if at >= 0 else flipped(len(whole) + at)(whole)
    )


DAMAGES = {
    "empty": cut(0),
    "cut in its header": cut(60),
    "cut in its state": cut(-100),
    "longer": lambda whole: whole + b"x",
    "of zeros": lambda whole: bytes(len(whole)),
    "foreign": lambda whole: b"GGUF" + whole[4:],
    "another sum": flipped(20),
    "another version": flipped(48),
    "another key": flipped(60),
    "another count": flipped(84),
    "another length of its name": flipped(88),
    "another length of its state": flipped(90),
    "an endless length": lambda whole: whole[:90] + b"\xff" * 8 + whole[98:],
    "another name": flipped(100),
    "another state": flipped(-1),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_removed_and_not_used(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    path = save(folder)
    path.write_bytes(damage(path.read_bytes()))
    assert load(folder) is None
    assert not path.exists()
    save(folder)
    assert load(folder) == (3, CONTENT)


def test_a_file_under_another_ones_name_is_not_used(folder: Path) -> None:
    save(folder).rename(folder / f"{OTHER.hex()}.state")
    assert load(folder, OTHER) is None
    assert list(folder.iterdir()) == []


FOREIGN: dict[str, Callable[[Path], object]] = {
    "a link": lambda path: (path.rename(path.with_suffix(".x")), path.symlink_to(path.with_suffix(".x"))),
    "a second name": lambda path: path.with_suffix(".x").hardlink_to(path),
    "a pipe": lambda path: (path.unlink(), os.mkfifo(path, 0o600)),
    "for all to write": lambda path: path.chmod(0o606),
    "for the group to read": lambda path: path.chmod(0o640),
}


@pytest.mark.parametrize("change", FOREIGN.values(), ids=FOREIGN)
def test_a_file_that_others_may_have_made_is_removed_and_not_used(
    folder: Path, change: Callable[[Path], object]
) -> None:
    path = save(folder)
    change(path)
    assert load(folder) is None
    assert not path.is_symlink()
    assert not path.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_another_user_is_removed_and_not_used(folder: Path) -> None:
    path = save(folder)
    os.chown(path, NOBODY, -1)
    assert load(folder) is None
    assert not path.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_folder_of_another_user_is_left_alone(folder: Path) -> None:
    path = save(folder)
    os.chown(folder, NOBODY, -1)
    assert load(folder) is None
    save(folder, OTHER)
    assert list(folder.iterdir()) == [path]


def test_a_folder_in_the_place_of_a_file_is_left_alone(folder: Path) -> None:
    (folder / f"{KEY.hex()}.state").mkdir(parents=True)
    assert load(folder) is None
    save(folder)
    assert (folder / f"{KEY.hex()}.state").is_dir()
    assert len(list(folder.iterdir())) == 1


def test_where_no_folder_can_be_made_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "prompts").write_text("a file")
    assert load(tmp_path / "prompts") is None
    save(tmp_path / "prompts")
    assert (tmp_path / "prompts").read_text() == "a file"


def test_the_state_of_more_tokens_stays(folder: Path) -> None:
    save(folder, count=3)
    save(folder, content=b"less", count=2)
    assert load(folder) == (3, CONTENT)
    save(folder, content=b"more", count=4)
    assert load(folder) == (4, b"more")


def test_of_too_many_bytes_those_used_longest_ago_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [llama_states.key("model", [i]) for i in range(5)]
    for i, key in enumerate(keys):
        os.utime(save(folder, key), (i, i))
    assert load(folder, keys[0]), "which is a use of it"
    monkeypatch.setattr(llama_states, "MOST", 4 * (len(CONTENT) + 200))
    save(folder, OTHER)
    assert [key for key in (*keys, OTHER) if load(folder, key)] == [keys[0], keys[3], keys[4], OTHER]


def test_what_is_larger_than_all_may_be_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(folder)
    monkeypatch.setattr(llama_states, "MOST", len(CONTENT) + 200)
    save(folder, OTHER, CONTENT + bytes(200))
    assert load(folder, OTHER) is None
    assert load(folder) == (3, CONTENT)


def test_they_are_listed_and_cleared(folder: Path) -> None:
    assert llama_states.saved(folder) == []
    paths = [save(folder, OTHER), save(folder)]
    for i, path in enumerate(paths):
        os.utime(path, (i, i))
    (folder / "broken.state").write_bytes(b"x")
    (folder / "notes.txt").write_text("not ours")
    (folder / "folder.state").mkdir()
    listed = llama_states.saved(folder)
    assert [(one.path, one.model, one.count) for one in listed] == [(path, "tiny.gguf", 3) for path in paths[::-1]]
    assert llama_states.clear(folder) == sum(one.size for one in listed) + 1
    assert {path.name for path in folder.iterdir()} == {"notes.txt", "folder.state"}


# -------------------------------------------------------------------------------------------- several processes

WRITES = """
import ctypes, sys
from pathlib import Path
from askwhere import files
from askwhere.models import llama_states
folder, which, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
def save(i):
    content = (ctypes.c_uint8 * 100_000).from_buffer_copy(bytes([i]) * 100_000)
    llama_states.save(llama_states.key("model", [i]), which, llama_states.State(1, content), folder).join()
"""


def started(code: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITES + code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_processes_that_write_and_read_at_once_find_whole_states_or_none(folder: Path) -> None:
    code = """
for i in range(count):
    save(i)
    state = llama_states.load(llama_states.key("model", [i]), folder)
    assert state is None or set(state.content) == {i}, i
    if i % 5 == 4:
        llama_states.clear(folder)
"""
    writing = [started(code, folder, name, 10) for name in ("one", "other")]
    for process in writing:
        process.communicate(timeout=60)
    assert [process.returncode for process in writing] == [0, 0]
    assert not [path for path in folder.iterdir() if path.suffix != ".state"]


@pytest.mark.slow
def test_what_a_killed_process_left_goes_after_a_while(folder: Path) -> None:
    blocked = "files._to_disk = lambda part: (print(part, flush=True), sys.stdin.read())\nsave(1)"
    process = started(blocked, folder, "killed", 1)
    assert process.stdout
    part = Path(process.stdout.readline().strip())
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert [path.name for path in folder.iterdir()] == [part.name]
    assert load(folder, llama_states.key("model", [1])) is None
    save(folder)
    assert part.exists(), "it may be a process that writes now"
    long_ago = part.stat().st_mtime - llama_states.ABANDONED - 60
    os.utime(part, (long_ago, long_ago))
    save(folder, OTHER)
    assert not part.exists()
    assert load(folder) == (3, CONTENT)


@pytest.mark.slow
def test_a_process_ends_when_its_state_is_written(folder: Path) -> None:
    code = """
content = (ctypes.c_uint8 * 20_000_000)()
llama_states.save(llama_states.key("model", [1]), which, llama_states.State(1, content), folder)
"""
    started(code, folder, "one", 1).communicate(timeout=60)
    assert load(folder, llama_states.key("model", [1])) == (1, bytes(20_000_000))


@pytest.mark.slow
def test_a_full_disk_leaves_nothing_and_is_no_error(folder: Path) -> None:
    code = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))\nsave(1)\nprint('answered')"
    process = started(code, folder, "one", 1)
    assert process.communicate(timeout=60)[0] == "answered\n"
    assert process.returncode == 0
    assert list(folder.iterdir()) == []
