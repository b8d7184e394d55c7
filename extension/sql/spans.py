"""Find where SELECTs and their clauses stand in a text, so that a part can be changed and the rest left as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from askwhere.sql.lexer import Token, tokens

CLAUSES = ("from", "where", "group", "having", "window", "qualify", "order", "limit", "offset", "fetch")
# The words that queries are made of, in every engine.
WORDS = frozenset(
    "all and as asc between by case cast cross desc distinct else end except exists from group having in inner"
    " intersect is join left like limit not null offset on or order outer over partition select then union using when"
    " where with".split()
)
SET_OPERATIONS = ("union", "intersect", "except")


class Edit(NamedTuple):
    """A replacement of the characters from `start` to `end` by `new`."""

    start: int
    end: int
    new: str


@dataclass
class Select:
    """The place of one SELECT: its keyword, its end, and where each of its clauses begins."""

    start: int
    end: int = 0
    clauses: dict[str, int] = field(default_factory=dict)

    def after(self, clause: str) -> int:
        """Return where a clause ends, or would stand if there was one: before the next clause, or at the end."""
        later = CLAUSES[CLAUSES.index(clause) + 1 :]
        return min((self.clauses[name] for name in later if name in self.clauses), default=self.end)


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with all edits made, none of which overlap."""
    parts, done = [], 0
    for start, end, new in sorted(edits):
        parts += [text[done:start], new]
        done = end
    return "".join(parts) + text[done:]


def selects(text: str, dialect: str) -> list[Select]:
    """Return every SELECT of a text, in the order of their keywords."""
    clauses: list[Select] = []
    frames: list[Select | None] = [None]
    last = Token("", "", 0, 0)
    for token in tokens(text, dialect):
        word = token.word if token.kind in ("word", "sign") else ""
        now = frames[-1]
        if word == "select":
            clauses.append(Select(token.start))
            frames[-1] = clauses[-1]
        elif word == "(":
            frames.append(None)
        elif word in (")", ";") or word in SET_OPERATIONS:
            if now is not None:
                now.end = last.end
            frames[-1] = None
            if word == ")" and len(frames) > 1:
                frames.pop()
        elif now is not None and word in CLAUSES and not (word == "from" and last.word == "distinct"):
            now.clauses.setdefault(word, token.start)
        last = token
    for left in frames:
        if left is not None:
            left.end = last.end
    return clauses


def at(text: str, dialect: str, place: int) -> Select | None:
    """Return the innermost SELECT around a place of the text, or None."""
    holding = [s for s in selects(text, dialect) if s.start <= place < s.end]
    return max(holding, key=lambda s: s.start, default=None)


def before(text: str, dialect: str, place: int) -> int:
    """Return where the last token before a place ends."""
    return max((t.end for t in tokens(text, dialect) if t.end <= place), default=place)


def closing(text: str, dialect: str, place: int) -> int:
    """Return where the first parenthesis that opens at or after `place` closes; -1 where it does not."""
    depth = 0
    for token in tokens(text, dialect):
        if token.start >= place and token.kind == "sign" and token.text in "()":
            depth += 1 if token.text == "(" else -1
            if depth == 0:
                return token.end
    return -1


def lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line of a text after the place where it begins."""
    place = 0
    for line in text.splitlines(keepends=True):
        yield place, line
        place += len(line)
