"""What is named to `askwhere eval` may be no file of text."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from askwhere import user_files
from askwhere.bindings.cli import main as cli


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["/dev/zero"], "askwhere: /dev/zero is a device, not a file of questions\n"),
        (
            ["compare", "/dev/urandom", "b.jsonl"],
            "askwhere: /dev/urandom is a device, not a run file of askwhere eval\n",
        ),
    ],
)
def test_a_device_is_no_file(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["eval", *arguments]) == 1
    assert capsys.readouterr().err == said


def test_a_pipe_may_be_one_up_to_a_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("few words"))
    writer.start()
    assert user_files.text_of(pipe, "a file of questions") == "few words"
    writer.join()
    monkeypatch.setattr(user_files, "MOST", 1 << 20)
    (tmp_path / "large").write_bytes(b"x" * ((1 << 20) + 1))
    with pytest.raises(Exception, match="large is not a file of questions: it has more than 1 MB"):
        user_files.text_of(tmp_path / "large", "a file of questions")
