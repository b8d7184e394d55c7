"""What the guard takes a DuckDB value to have at most is not less than what comes out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

MEGABYTES = 3_000
# What once came out larger than the guard took it to be.
LARGER = (
    "1e308::BIGNUM::VARCHAR", "hex((id * 1e290)::BIGNUM)", "to_hex(1e308)", "bin(1e308)",
    "date_add(n, (id * 1e290)::BIGNUM)", "age(moment)::VARCHAR || age(moment)", "t.concat(t).concat(t)",
    "t.json_quote()", "t.list_value().list_value()", "translate(t, 'a', '😀')", "replace(t, 'a', '😀')",
    "regexp_replace(t, '.', '😀', 'g')", "nfc_normalize(t)", "upper(t)", "parse_path(t)",
    "list_concat(string_split(t, ''), words)", "array_to_string(string_split(t, ''), repeat('x', 100))",
    "list_transform(['', '', '', ''], lambda x: t)", "json_structure(t::JSON)", "b::VARCHAR", "bits::VARCHAR",
    "concat_ws(t, amount, range(100))", "equi_width_bins(amount, 0.5, 1, flag)", "(n * 1.5)::VARCHAR",
    "span::VARCHAR", "to_json(t)::VARCHAR::JSON", "json(b)", "json_extract(b, '$')", "json_merge_patch(b, b)",
)  # fmt: skip


def test_what_once_was_larger_than_its_estimate_is_not(tmp_path: Path) -> None:
    facts = _compared(tmp_path, *LARGER)
    assert facts["compared"] > 10 * len(LARGER)
    assert facts["larger"] == []


def test_no_value_is_larger_than_its_estimate(tmp_path: Path) -> None:
    facts = _compared(tmp_path, seed=1, count=1_000)
    assert facts["compared"] > 25
    assert facts["larger"] == []


def _compared(folder: Path, *expressions: str, seed: int = 0, count: int = 0) -> dict[str, object]:
    """What a process of its own compared, which has little memory and is killed where it hangs."""
    file = folder / "last.sql"
    command = [sys.executable, "-m", "guard.real_sizes", str(seed), str(count), str(file), *expressions]
    done = subprocess.run(
        ["bash", "-c", f'ulimit -v {MEGABYTES * 1024}; exec "$@"', "-", *command],
        capture_output=True,
        text=True,
        timeout=1_200,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        check=False,
    )
    assert done.returncode == 0, f"{done.returncode}: {file.read_text()}: {done.stderr[-300:]}"
    facts: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return facts
