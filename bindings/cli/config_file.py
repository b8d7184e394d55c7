"""Change one setting in the user's configuration file, and leave everything else as it is."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path

from askwhere import configuration, files, settings
from askwhere.errors import SettingError

_VALUE = r"""("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#]+)"""


def write(name: str, value: str) -> Path:
    """Set `name` in the configuration file to a text, and return the file's path.

    The file is replaced at once by a complete one. A new one can be read by its owner only, since it may get a key.
    Raise `SettingError`, and change nothing, for a file that is not valid TOML or that more would have to change in.
    """
    path = files.named(settings.config_path())  # writes through a link
    if path.exists() and not os.access(path, os.R_OK):
        raise SettingError(f"{path} may not be read by this user")
    changed = with_value(configuration.text(path), name, value)
    if changed is None:
        raise SettingError(
            f"{path} cannot be changed: write {name} = {json.dumps(value)} into it, above its first [table]"
        )
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    files.write(path, changed)
    return path


def with_value(text: str, name: str, value: str) -> str | None:
    """Return a TOML text with `name` at its top set to a text, and all else unchanged; None where that fails.

    >>> with_value("# mine\\neffort = 'fast'\\n", "model", "reader")
    '# mine\\neffort = \\'fast\\'\\nmodel = "reader"\\n'
    """
    try:
        before = tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
    lines = text.splitlines(keepends=True)
    end = next((i for i, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    line = re.compile(rf"""^(\s*(?:{name}|"{name}"|'{name}')\s*=\s*){_VALUE}""")
    for i in [i for i in range(end) if line.match(lines[i])] or [end]:
        if i == end:
            gap = "\n" if end and not lines[end - 1].endswith("\n") else ""
            made = [*lines[:end], f"{gap}{name} = {json.dumps(value)}\n", *lines[end:]]
        else:
            made = [*lines[:i], line.sub(lambda m: m[1] + json.dumps(value), lines[i]), *lines[i + 1 :]]
        changed = "".join(made)
        if _reads(changed) == before | {name: value}:  # else the line was part of a text of several lines
            return changed
    return None


def _reads(text: str) -> object:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
