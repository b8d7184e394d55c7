"""Match names of tables and columns by the patterns that settings give.

Examples are `orders.amount`, `*.token`, `"odd.name"."co""l"` and `staging_*?`. `*` is any text. A name in double quotes
is taken as it is, with dots, commas and stars. An entry that ends in `?` need not match anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from askwhere.errors import nearest, shown
from askwhere.frozen import frozen

_PIECE = re.compile(r'"(?:[^"]|"")*"|.', re.DOTALL)
_BETWEEN = "\0"  # joins the parts of a path to compare it: no name has this character


@frozen
class Pattern:
    """One entry of a setting that lists names; `text` is the entry as the user wrote it, without a final `?`."""

    text: str
    regex: re.Pattern[str]
    optional: bool
    plain: bool  # it has no `*`

    def fits(self, path: Sequence[str], least: int = 1) -> bool:
        """Return whether it matches the path, or an end of it with at least `least` names, in any case."""
        return any(self.regex.fullmatch(_BETWEEN.join(path[start:])) for start in range(len(path) - least + 1))


def split(text: str) -> tuple[str, ...]:
    """Return the entries of a list, which are separated by commas outside of double quotes."""
    commas = [piece.start() for piece in _PIECE.finditer(text) if piece[0] == ","]
    entries = (text[before + 1 : after].strip() for before, after in pairwise((-1, *commas, len(text))))
    return tuple(entry for entry in entries if entry)


@lru_cache(maxsize=1_000)
def pattern(entry: str) -> Pattern:
    """Return the pattern of an entry."""
    text = entry.strip()
    optional = text.endswith("?")
    text = text.removesuffix("?").rstrip()
    parts, begins = [list[str]()], True  # what stands between stars, in pieces
    for piece in _PIECE.findall(text):
        if begins and len(piece) > 1:
            parts[-1].append(re.escape(piece[1:-1].replace('""', '"')))
        elif piece == "*":
            parts.append([])
        else:
            parts[-1].append(f"[.{_BETWEEN}]" if piece == "." else re.escape(piece))
        begins = piece == "."
    flags = re.IGNORECASE | re.ASCII | re.DOTALL  # as both engines compare names
    return Pattern(text, re.compile(_joined([*map("".join, parts)]), flags), optional, plain=len(parts) == 1)


def _joined(parts: Sequence[str]) -> str:
    """Return a regular expression that matches the texts in order with anything between them.

    Atomic groups keep each text at its first match: a later one is never better, and backtracking over many stars would
    take exponential time.
    """
    if len(parts) == 1:
        return parts[0]
    first, *middle, last = parts
    return first + "".join(f"(?>.*?{text})" for text in middle if text) + f".*{last}"


def patterns(entries: Iterable[str]) -> tuple[Pattern, ...]:
    """Return the patterns of entries."""
    return tuple(pattern(entry) for entry in entries if entry.strip())


def any_fits(entries: Iterable[Pattern], paths: Sequence[Sequence[str]], least: int = 1) -> bool:
    """Return whether one of the patterns matches one of the paths, or an end of it with at least `least` names."""
    return any(entry.fits(path, least) for entry in entries for path in paths)


def written(path: Sequence[str]) -> str:
    """Return a path as an entry that matches it."""
    return ".".join(name if re.fullmatch(r"\w+", name) else '"' + name.replace('"', '""') + '"' for name in path)


def unmatched(
    setting: str, kind: str, entries: Iterable[str], paths: Iterable[Sequence[str]], least: int = 1
) -> str | None:
    """Return an error for the first entry that must match one of the paths and does not; None where there is none."""
    listed = list(paths)
    for entry in patterns(entries):
        if not entry.optional and not any(entry.fits(path, least) for path in listed):
            near = nearest(entry.text.strip("\"'`; "), (written(path[-least:]) for path in listed), 0.5)
            suggestion = f"did you mean {near!r}? Else " if near else ""
            return (
                f"setting {setting}: {shown(entry.text)} matches no {kind} of this database;"
                f" {suggestion}write {shown(entry.text + '?')} where it need not be there"
            )
    return None
