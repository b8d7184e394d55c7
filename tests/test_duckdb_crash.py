"""No expression that the guard lets through ends DuckDB's process, its instance, or its answering to interrupts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from servers import BIN

pytestmark = pytest.mark.slow

QUERIES = 800
# Processor seconds: an interrupt comes after two, and what does not hear of it goes on.
SLOWEST = 15.0
MEGABYTES = 4_000


@pytest.mark.parametrize("python", [sys.executable, BIN / "python"])
def test_no_expression_ends_the_engine(python: str | Path, tmp_path: Path) -> None:
    """The second is run with the DuckDB that `askwhere serve` has, which `make serving` installs."""
    file = tmp_path / "last.sql"
    limited = f'ulimit -v {MEGABYTES * 1024}; exec "$@"'
    command = [python, "-m", "guard.expressions", "1", str(QUERIES), str(file)]
    done = subprocess.run(
        ["bash", "-c", limited, "-", *command],
        capture_output=True,
        text=True,
        timeout=1_200,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        check=False,
    )
    assert done.returncode == 0, f"{done.returncode}: {file.read_text()}: {done.stderr[-300:]}"
    facts = json.loads(done.stdout.splitlines()[-1])
    assert facts["ran"] > 20
    assert facts["slowest"] < SLOWEST, facts["slow"]
