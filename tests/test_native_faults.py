"""A worker that talks nonsense does the extension's host no harm: what it says is read under gcc's sanitizers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import askwhere
import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
SANITIZED = ["-g", "-O1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the extension, a program that loads it, and the worker, all of which stop at the first fault."""
    folder, gcc = tmp_path_factory.mktemp("sanitized"), shutil.which("gcc")
    assert gcc, "apt install gcc libsqlite3-dev"
    sources = sorted((ROOT / "extension" / "native").glob("*.c"))
    library = ["-std=gnu11", "-fPIC", "-shared", *sources, "-o", folder / "askwhere.so", "-lpthread", "-ldl"]
    program = [ROOT / "tests" / "hosts" / "faults.c", "-o", folder / "faults", "-lsqlite3"]
    for arguments in (library, program):
        subprocess.run([gcc, *SANITIZED, *arguments], check=True, timeout=600)
    worker = folder / "worker"
    worker.write_text(f"#!{sys.executable}\n{(ROOT / 'tests' / 'hosts' / 'nonsense.py').read_text()}")
    worker.chmod(0o755)
    return folder


@pytest.mark.parametrize("seed", range(2))
def test_nonsense_of_a_worker_is_an_error(built: Path, seed: int) -> None:
    wanted = {"VERSION": askwhere.__version__, "NONSENSE": str(seed), "ASKWHERE_WORKER": str(built / "worker")}
    done = subprocess.run(
        [built / "faults", built / "askwhere.so", "100"],
        capture_output=True,
        text=True,
        timeout=600,
        env=os.environ | wanted | {"ASAN_OPTIONS": "allocator_may_return_null=1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    ran, failed = (int(word) for word in done.stdout.split() if word.isdigit())
    assert ran == 1_100
    assert 400 < failed < ran  # some of what is said makes sense, and most does not
