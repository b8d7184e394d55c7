"""Arguments, names of files and names of folders that are not in UTF-8, which no engine takes."""

from __future__ import annotations

import os
from pathlib import Path

import askwhere
import pytest
from askwhere.bindings.cli.main import main
from support import SHOP, connected

# What Python makes of the byte 0xE9, as in "café" in Latin-1.
LATIN = "caf\udce9"


@pytest.mark.parametrize(
    "arguments",
    [
        ("comments", "shop.db", "--synonym", LATIN, "orders"),
        ("ask", "shop.db", f"orders in {LATIN}"),
        ("shell", "shop.db", f"SELECT '{LATIN}'"),
        ("keys", "shop.db", "--drop", LATIN),
        (LATIN,),
    ],
)
def test_an_argument_that_is_not_utf8_is_one_line(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    assert capsys.readouterr().err.startswith("askwhere: an argument is not in UTF-8: '\\udce9' in ")


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_file_in_a_folder_whose_name_is_not_utf8_is_our_error(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / LATIN
    folder.mkdir()
    with connected(kind, tmp_path / "shop.db") as made:
        made.execute(SHOP)
    os.rename(tmp_path / "shop.db", folder / "shop.db")
    monkeypatch.chdir(folder)
    with pytest.raises(askwhere.DatabaseError, match="is not in UTF-8, and engines open no such file: rename it"):
        askwhere.connect("shop.db")
    (folder / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(askwhere.DatabaseError, match="is not in UTF-8"):
        askwhere.connect("t.csv")
    with askwhere.connect(":memory:") as memory:
        assert memory.execute("SELECT 1").fetchall() == [(1,)]


def test_a_folder_is_asked_without_its_files_whose_names_are_not_utf8(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("good", LATIN):
        (tmp_path / f"{name}.csv").write_text("a,b\n1,2\n")
    with askwhere.connect(tmp_path) as connection:
        assert connection.execute("SHOW TABLES").fetchall() == [("good",)]
    assert "caf\\udce9.csv': its name, or that of a folder it is in, is not in UTF-8" in caplog.text


@pytest.mark.parametrize(("name", "said"), [("a\0b", "its name has a NUL"), ("a" * 5_000, "File name too long")])
def test_a_name_that_no_file_can_have_is_our_error(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    for given, keep in ((name, None), ([name, name], None), (tmp_path / "t.csv", name)):
        with pytest.raises(askwhere.DatabaseError, match=said):
            askwhere.connect(given, keep=keep)
