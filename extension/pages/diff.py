"""Mark the words in which two texts differ, to show what a correction changed."""

from __future__ import annotations

import re

from askwhere.pages.markup import text
from markupsafe import Markup
from rapidfuzz.distance import Indel

# A literal and a quoted name are one word.
_WORD = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\w+|\s+|[^\w\s]", re.DOTALL)
# Texts of more words are not compared: the time grows with the square of their number. (With difflib it grows with the
# cube where words repeat: three minutes for 4,000.)
_MOST = 10_000


def marked(before: str, after: str) -> tuple[Markup, Markup]:
    """Return both texts as HTML, with words only of the first in `del`, and words only of the second in `ins`."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if max(len(old), len(new)) > _MOST:
        return _run("del", before, False), _run("ins", after, False)
    left: list[Markup] = []
    right: list[Markup] = []
    for same, i, j, k, m in _changes(old, new):
        deleted, inserted = "".join(old[i:j]), "".join(new[k:m])
        left.append(_run("del", deleted, same))
        right.append(_run("ins", inserted, same))
    return Markup("").join(left), Markup("").join(right)


def _changes(old: list[str], new: list[str]) -> list[tuple[bool, int, int, int, int]]:
    """Return (same, start and end in `old`, start and end in `new`) of runs of words that are equal or differ.

    A space between two changes belongs to them.
    """
    changes: list[tuple[bool, int, int, int, int]] = []
    for op in Indel.opcodes(old, new):
        run = (op.src_start, op.src_end, op.dest_start, op.dest_end)
        spaces = changes and op.src_end < len(old) and "".join(old[op.src_start : op.src_end]).isspace()
        same = op.tag == "equal" and not spaces
        if changes and not same and not changes[-1][0]:
            changes[-1] = (False, changes[-1][1], run[1], changes[-1][3], run[3])
        else:
            changes.append((same, *run))
    return changes


def _run(name: str, words: str, same: bool) -> Markup:
    """Return a run of words, in an element if it differs."""
    shown = text(words)
    return shown if same or not words else Markup(f"<{name}>{shown}</{name}>")
