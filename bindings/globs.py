"""Find the files that globs name, within a bound on the entries of folders that are looked at."""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from collections.abc import Iterator

_SEPARATORS = re.compile(rf"[{re.escape(os.sep + (os.altsep or ''))}]+")


WILD = re.compile(r"[*?\[]")  # the signs of a glob


class TooManyEntries(Exception):
    """Folders hold more entries than may be looked at."""


class Globs:
    """Matches globs, looking at `most` entries of folders for all of them together."""

    def __init__(self, most: int) -> None:
        self._left = most

    def matching(self, text: str) -> Iterator[str]:
        """Yield the paths that a glob matches, unsorted and perhaps repeated. Raise `TooManyEntries`.

        `**` matches folders at any depth, but follows no links to folders, which may lead in circles.
        """
        drive, path = os.path.splitdrive(text)
        start = drive + os.sep if _SEPARATORS.match(path) else drive
        waiting = [(start, [part for part in _SEPARATORS.split(path) if part])]
        while waiting:
            folder, (first, *rest) = waiting.pop()
            if not glob.has_magic(first):
                matched = [os.path.join(folder, first)]
            elif first == "**":
                folders, files = self._below(folder)
                waiting += [(entry, [first, *rest]) for entry in folders]
                waiting += [(folder, rest)] if rest else []
                matched = [] if rest else [folder, *files] if folder else files
            else:
                matched = [os.path.join(folder, name) for name in self._names(folder, first)]
            if rest:
                waiting += [(entry, rest) for entry in matched if os.path.isdir(entry)]
            else:
                yield from filter(os.path.lexists, matched)

    def _below(self, folder: str) -> tuple[list[str], list[str]]:
        """Return the folders and the other entries of a folder, without hidden ones."""
        shown = [entry for entry in self._entries(folder) if not entry.name.startswith(".")]
        folders = [os.path.join(folder, entry.name) for entry in shown if entry.is_dir(follow_symlinks=False)]
        return folders, [os.path.join(folder, e.name) for e in shown if not e.is_dir(follow_symlinks=False)]

    def _names(self, folder: str, pattern: str) -> list[str]:
        """Return the names in a folder that match a pattern; hidden ones only where it begins with a dot."""
        names = [entry.name for entry in self._entries(folder)]
        return fnmatch.filter([name for name in names if pattern[0] == "." or name[0] != "."], pattern)

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        """Return the entries of a folder; none where it cannot be read."""
        listed = []
        try:
            with os.scandir(folder or os.curdir) as entries:
                for entry in entries:
                    self._left -= 1
                    if self._left < 0:
                        raise TooManyEntries
                    listed.append(entry)
        except OSError:
            return listed
        return listed
