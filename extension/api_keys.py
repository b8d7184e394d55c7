"""Find a model server's key, and keep it out of everything that is shown."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from askwhere import configuration
from askwhere.errors import SettingError
from askwhere.settings import config_path

# The first one that is set wins: it is askwhere's own.
VARIABLES = ("ASKWHERE_API_KEY", "OPENAI_API_KEY")
HIDDEN = "[key]"
# Keys shorter than this are not hidden: words such as 'ollama' or 'EMPTY', for servers that need none, are no secrets.
SECRET = 8
_LIKE_KEYS = re.compile(r"\bsk-[\w*-]{3,}|\bBearer\s+[^\s\"',;]+", re.IGNORECASE)


class Key:
    """A key that is only shown through its `value`: it is not printed, pickled or listed.

    >>> Key("sk-12345678")
    Key([key])
    """

    def __init__(self, value: str) -> None:
        text = value.strip()
        if not (text.isascii() and text.isprintable()) or " " in text:
            raise SettingError("the key of the model server has spaces or characters that no key has; copy it again")
        # A closure, so that vars() and whatever walks attributes find no text.
        self._reveal: Callable[[], str] = lambda: text

    @property
    def value(self) -> str:
        """Return the key itself, for the one header that it is sent in."""
        return self._reveal()

    def hidden(self, text: str) -> str:
        """Return `text` without the key."""
        return text.replace(self.value, HIDDEN) if len(self.value) >= SECRET else text

    def __repr__(self) -> str:
        return f"Key({HIDDEN})"

    def __bool__(self) -> bool:
        return bool(self.value)

    def __reduce__(self) -> tuple[type[Key], tuple[str]]:
        return Key, ("",)  # what is pickled may be stored or sent: the key stays here

    def __copy__(self) -> Key:
        return self

    def __deepcopy__(self, memo: Any) -> Key:
        return self


def redact(text: str, key: Key | None = None) -> str:
    """Return `text` without `key` and without anything else that looks like one: `sk-…` and `Bearer …`."""
    return _LIKE_KEYS.sub(HIDDEN, key.hidden(text) if key else text)


def find(environment: Mapping[str, str] | None = None, file: Path | None = None) -> Key | None:
    """Return the key of `ASKWHERE_API_KEY` or `OPENAI_API_KEY`, else `api_key` of the configuration file, else None."""
    environment = os.environ if environment is None else environment
    values = [environment.get(name, "").strip() for name in VARIABLES]
    value = next(filter(None, values), "") or _from_file(config_path() if file is None else file)
    return Key(value) if value else None


def _from_file(path: Path) -> str:
    """Return the key in the configuration file, '' for none. Raise `SettingError` if others may read the file."""
    value = configuration.values(path).get("api_key", "")
    if not isinstance(value, str):
        raise SettingError(f"api_key in {path}: expected a text in quotes")
    if value:
        configuration.check_secret(path)
    return value.strip()
