"""Find the parentheses among the tokens of a statement: which one closes another, and what stands between commas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from askwhere.sql.lexer import Token

_OPENED = {"(": 1, ")": -1}


def closing(lexed: Sequence[Token], opening: int) -> int:
    """Return the place of the parenthesis that closes the one at `opening`; the end where there is none."""
    depth = 0
    for place in range(opening, len(lexed)):
        depth += _OPENED.get(lexed[place].text, 0)
        if depth == 0:
            return place
    return len(lexed)


def by_depth(lexed: Sequence[Token]) -> Iterator[tuple[int, int, Token]]:
    """Yield the place of each token, how many parentheses it is in, and the token."""
    depth = 0
    for place, token in enumerate(lexed):
        depth += _OPENED.get(token.text, 0)
        yield place, depth, token


def split(inner: Sequence[Token]) -> list[list[Token]]:
    """Return the tokens of each argument, split at commas outside of parentheses."""
    parts: list[list[Token]] = [[]]
    for _, depth, token in by_depth(inner):
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]
