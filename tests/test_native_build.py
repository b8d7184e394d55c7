"""Where the extension is, which worker it is pointed at, and what is said where it was not built."""

from __future__ import annotations

import shutil
from pathlib import Path

import askwhere
import pytest
from askwhere.bindings.cli import doctor
from askwhere.bindings.loadable import library as native


def test_a_library_that_was_not_built_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(askwhere, "__path__", [str(tmp_path)])
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(askwhere.AskError, match=r"not built: there is no C compiler .*apt install gcc libsqlite3-dev"):
        native.extension_path()
    found = {what: (version, note) for what, version, note in doctor.report()}["SQLite extension"]
    assert found == ("not built", native.missing())


def test_without_the_header_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda _: str(compiler))
    assert "there is no sqlite3ext.h (Debian: apt install libsqlite3-dev)" in native.missing()


def test_the_path_points_the_library_at_this_installations_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(askwhere, "__path__", [str(tmp_path)])
    native.library().parent.mkdir()
    native.library().touch()
    assert native.extension_path() == native.library()
    assert native.library().with_suffix(".worker").read_text("utf-8") == f"{native.command()}\n"
    found = {what: (version, note) for what, version, note in doctor.report()}["SQLite extension"]
    assert found == ("built", "for sqlite3 and other programs: .load what askwhere extension-path prints")


def test_a_library_installed_beside_its_command_needs_no_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "lib" / "python3.12" / "site-packages" / "askwhere"
    command = tmp_path / "bin" / "askwhere"
    for folder in (package / "native", command.parent):
        folder.mkdir(parents=True)
    monkeypatch.setattr(askwhere, "__path__", [str(package)])
    monkeypatch.setattr(native, "command", lambda: command)
    native.library().touch()
    native.extension_path()
    assert not native.library().with_suffix(".worker").exists()
