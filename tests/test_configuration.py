"""A configuration file that is damaged, or that somebody else put there, is said to be, and shows nothing it holds."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from askwhere import api_keys, configuration, settings
from askwhere.bindings.cli import config_file
from askwhere.errors import SettingError
from askwhere.models import prices

KEY = "sk-abcdefghijklmnop"
SENT = "is not used, as it says where questions and keys are sent,"
DEEP = "is not valid TOML: its values stand too deep in one another"
TEXTS = {
    "no end": (f'api_key = "{KEY}'.encode(), "is not valid TOML: Unterminated string"),
    "twice": (f'[{KEY}]\na = 1\n[b]\nc = "{KEY}"\nc = 1'.encode(), "is not valid TOML: Cannot overwrite a value"),
    "no UTF-8": (
        f'api_key = "{KEY}"\n\xff'.encode("latin-1"),
        "cannot be read: it is not valid TOML: no UTF-8",
    ),
    "deep lists": (
        b"a = " + b"[" * 5_000 + b"]" * 5_000,
        "is not valid TOML: its values stand too deep in one another",
    ),
    "deep tables": (b"a = " + b"{a=" * 50_000, DEEP),
    "a long number": (b"max_calls = " + b"9" * 100_000, "is not valid TOML: Exceeds the limit"),
    "large": (b"#" * (configuration.MOST + 1), "has more than 1,000,000 bytes; expected a file of settings"),
}


@pytest.fixture
def path() -> Path:
    """Where the user's configuration file would be."""
    path = settings.config_path()
    path.parent.mkdir(parents=True)
    return path


def refused(path: Path, said: str) -> None:
    """Fails where a reader of the file raises anything else, or shows the key."""
    readers: tuple[Callable[[], object], ...] = (lambda: settings.load({}), lambda: api_keys.find(file=path))
    for read in readers:
        with pytest.raises(SettingError, match=f"^{re.escape(str(path))} {re.escape(said)}") as caught:
            read()
        shown = (caught.value, caught.value.__cause__, caught.value.__context__)
        assert not any(KEY in repr(vars(each)) + repr(each) for each in shown if each is not None)
        assert shown[1:] == (None, None)
    assert prices.of_user()("gpt-5-mini", 1_000_000, 0) == 0.25


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_that_is_no_toml_is_said_and_not_shown(name: str, path: Path) -> None:
    content, said = TEXTS[name]
    path.write_bytes(content)
    refused(path, said)
    with pytest.raises(SettingError):
        config_file.write("model", "reader")
    assert path.read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
@pytest.mark.parametrize("made", [os.mkdir, os.mkfifo], ids=["a folder", "a pipe"])
def test_what_is_no_file_is_said_at_once(made: Callable[[Path], None], path: Path) -> None:
    made(path)
    refused(path, "cannot be read: expected a file, found a folder, a pipe or a device")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_links_are_followed_to_where_they_end(path: Path) -> None:
    path.symlink_to(os.devnull)
    assert settings.load({}).source("model") == "default"
    path.unlink()
    path.symlink_to(path)
    refused(path, f"cannot be read: {os.strerror(40)}" if sys.platform == "linux" else "cannot be read: ")


@pytest.mark.parametrize("price", ["nan", "inf", "-1", "1" + "0" * 400, "'2'"])
def test_prices_that_are_none_are_refused(price: str, path: Path) -> None:
    path.write_text(f"[prices]\nmine = [0.5, {price}]")
    with pytest.raises(SettingError, match=r"expected \[prices\] with dollars per million tokens"):
        prices.of_user()


needs_modes = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
needs_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")


@needs_modes
@pytest.mark.parametrize("mode", [0o666, 0o602, 0o1602])
def test_a_file_that_others_may_write_is_not_used(mode: int, path: Path) -> None:
    path.write_text("effort = 'fast'")
    path.chmod(mode)
    said = "is not used, as it says where questions and keys are sent, and"
    refused(path, f"{said} {path} may be written by other users: chmod go-w {path}")
    with pytest.raises(SettingError):
        config_file.write("model", "reader")
    path.chmod(0o644)
    assert settings.load({})["effort"] == "fast"


@needs_modes
def test_nor_one_in_a_folder_that_others_may_write(path: Path, tmp_path: Path) -> None:
    kept = tmp_path / "shared" / "mine" / "config.toml"
    kept.parent.mkdir(parents=True)
    kept.write_text("effort = 'fast'")
    path.symlink_to(kept)
    for folder in (path.parent, path.parent.parent, kept.parent, kept.parent.parent):
        before = folder.stat().st_mode
        folder.chmod(0o777)
        refused(path, f"{SENT} and {folder} may be written by")
        folder.chmod(0o1777)  # where nobody can take away what is another's
        assert settings.load({})["effort"] == "fast"
        folder.chmod(before)
    assert settings.load({})["effort"] == "fast"


@needs_modes
def test_what_is_above_the_home_folder_is_not_the_users_to_mend(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text("effort = 'fast'")
    monkeypatch.setenv("HOME", str(path.parent.parent))
    tmp_path.chmod(0o777)
    assert settings.load({})["effort"] == "fast"
    path.parent.parent.chmod(0o777)
    refused(path, f"{SENT} and {path.parent.parent} may be")


@needs_root
def test_nor_another_users(path: Path) -> None:
    path.write_text("effort = 'fast'")
    os.chown(path, 65_534, -1)
    refused(path, f"{SENT} and {path} is another user's (number ")
    os.chown(path, 0, -1)
    os.chown(path.parent, 65_534, -1)
    refused(path, f"{SENT} and {path.parent} is another user's")


@needs_root
@pytest.mark.parametrize(
    ("name", "members", "fine"),
    [("ann", [], True), ("ann", ["ann"], True), ("ann", ["bo"], False), ("users", [], False), (None, [], False)],
)
def test_a_group_of_the_owner_alone_is_nobody_else(
    name: str | None, members: list[str], fine: bool, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def group(number: int) -> SimpleNamespace:
        if name is None:
            raise KeyError(number)
        return SimpleNamespace(gr_name=name, gr_gid=number, gr_mem=members)

    path.write_text("effort = 'fast'")
    path.chmod(0o664)
    os.chown(path, -1, 12_345)
    monkeypatch.setattr("pwd.getpwuid", lambda number: SimpleNamespace(pw_name="ann", pw_gid=12_345))
    monkeypatch.setattr("grp.getgrgid", group)
    if fine:
        assert settings.load({})["effort"] == "fast"
    else:
        refused(path, f"{SENT} and {path} may be written by other")


@needs_modes
def test_a_key_that_others_may_read_is_not_used(path: Path) -> None:
    path.write_text(f'api_key = "{KEY}"\neffort = "fast"')
    assert settings.load({})["effort"] == "fast"
    with pytest.raises(SettingError, match=f"^{path} holds a key, and other users may read it: chmod 600 {path}$"):
        api_keys.find({})
    path.chmod(0o600)
    assert api_keys.find({})
