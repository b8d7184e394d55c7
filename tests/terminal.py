"""The shell in a terminal, typed at as a user does, for tests and for the screenshots of the documentation."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import pexpect

# A prompt lets a terminal bracket what is pasted, as long as it waits for a line.
WAITS, WORKS = "\x1b[?2004h", "\x1b[?2004l"
_SECONDS = re.compile("\r[^\r\n]*?[0-9] s(?=\r)")  # of what takes long, each shown in place of the one before
_ESCAPES = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|[()][A-B0-2]|[=>78])|[\r\x07\x08\x0e\x0f]")


class Terminal:
    """A shell in a terminal of so many lines and columns."""

    def __init__(self, path: Path, lines: int, columns: int, **environment: str) -> None:
        usual = {name: value for name, value in os.environ.items() if name not in ("LINES", "COLUMNS", "PAGER", "LESS")}
        usual |= {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
        command = ["-m", "askwhere", "shell", str(path)]
        self.child: Any = pexpect.spawn(
            sys.executable,
            command,
            encoding="utf-8",
            timeout=600,
            env=usual | environment,
            dimensions=(lines, columns),
        )
        self.child.expect_exact(WAITS)
        self.banner = _ESCAPES.sub("", self.child.before)

    def type(self, text: str, shown: str) -> None:
        """Type without sending the line, and wait until the end of it shows."""
        self.child.send(text)
        self.child.expect_exact(shown)

    def start(self, text: str) -> None:
        """Send a line, and do not wait for what comes of it."""
        self.child.send(f"{text}\r")
        self.child.expect_exact(WORKS)

    def prompted(self) -> str:
        """What is printed until the prompt waits again, without colours and movements of the cursor."""
        self.child.expect_exact(WAITS)
        return _ESCAPES.sub("", _SECONDS.sub("", self.child.before))

    def run(self, text: str) -> str:
        """What is printed for a line."""
        self.start(text)
        return self.prompted()
