"""A configuration file that is damaged, or that somebody else put there, is said to be, and shows nothing it holds."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from askwhere import api_keys, configuration, settings
from askwhere.bindings.cli import config_file
from askwhere.errors import SettingError
from askwhere.models import prices

KEY = "sk-abcdefghijklmnop"
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
