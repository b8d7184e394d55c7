"""Run files: written whole, read back as they were, also after a process was killed as it wrote."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from askwhere.errors import ArgumentError
from askwhere.evaluation import records
from askwhere.evaluation.records import Excluded, Header, Record, Run

HEADER = Header("dev.jsonl", settings={"grammar": "off"}, only=("shop",), scores=("bird_ex", "soft_f1"))
RIGHT = Record("1", "shop", "How many?", "SELECT 1", "SELECT 1", "answered", scores={"bird_ex": 1.0, "soft_f1": 1.0})
REFUSED = Record("2", "shop", "Où?", "SELECT 2", None, "refused", "cannot place")
RUN = Run(HEADER, (RIGHT, REFUSED), (Excluded("3", "shop", "gold fails"),), complete=False)


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    records.write(path, RUN)
    assert records.read(path) == RUN
    assert list(tmp_path.iterdir()) == [path]


def test_what_no_file_can_hold_is_escaped(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    run = replace(RUN, records=(replace(RIGHT, question="How \ud800\u2028\0 many?", predicted="SELECT '\udfff'"),))
    records.write(path, run)
    assert records.read(path) == run


def test_a_run_with_a_summary_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    records.write(path, RUN)
    records.summary_path(path).write_text("{}")
    assert records.summary_path(path).name == "run.summary.json"
    assert records.read(path).complete


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    text = records.line(HEADER) + records.line(RIGHT) + records.line(REFUSED)
    path.write_text(text[:-20], "utf-8")
    assert records.read(path).records == (RIGHT,)


def test_right_goes_by_the_first_score() -> None:
    assert RUN.right(RIGHT)
    assert not RUN.right(REFUSED)
    assert not RUN.right(replace(RIGHT, scores={"bird_ex": 0.0, "soft_f1": 1.0}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "its first line is not a run's header"),
        ("hello\n", "line 1 is no line of a run file"),
        ('{"kind": "run", "set": "x", "format": 9}\n', "has format 9, this askwhere reads 1"),
        ('{"kind": "run", "set": "x", "colour": 1, "format": 1}\n', "unknown colour"),
        ('{"kind": "run", "set": ["x"], "format": 1}\n', r'set is \["x"\]'),
        ('{"kind": "run", "set": "x", "scores": ["a", 1], "format": 1}\n', r'scores is \["a", 1\]'),
        ('{"kind": "run", "set": "x", "seconds": NaN, "format": 1}\n', "seconds is NaN"),
        ('{"kind": "run", "set": "x", "sample": true, "format": 1}\n', "sample is true"),
        ('{"kind": "run", "format": 1}\n', "missing 1 required"),
        ("[" * 100_000 + "\n", "line 1 is no line of a run file"),
    ],
)
def test_what_is_no_run_file_is_said(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(text)
    with pytest.raises(ArgumentError, match=said):
        records.read(path)


def test_a_run_file_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"there is no run file .*; `askwhere eval` writes one"):
        records.read(tmp_path / "run.jsonl")
