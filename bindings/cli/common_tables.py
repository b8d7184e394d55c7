"""Find the common table expressions of a statement that is being typed, with the columns that can be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from askwhere.engine import Column, Table
from askwhere.sql.identifiers import unquote
from askwhere.sql.lexer import Token

_OF_SELECT = ("select", "distinct", "all")
_ENDS_SELECT = ("from", "where", "group", "having", "order", "limit", "union", "except", "intersect", "window")


def common_tables(found: Sequence[Token]) -> Iterator[Table]:
    """Yield the common table expressions of a statement's tokens as tables.

    Their columns are those that they list, else the names of what their query selects, as far as these are written.
    """
    if not any(token.word == "with" for token in found):
        return
    for place, token in enumerate(found):
        if token.kind not in ("word", "name") or not place or not _may_stand_before(found[place - 1]):
            continue
        listed, rest = _listed(found, place + 1)
        opened = _opened(found, rest)
        if opened is not None:
            name = unquote(token.text)
            columns = tuple(Column(column, "") for column in listed or _selected(found[opened:]))
            yield Table((name,), columns, kind="table")


def _may_stand_before(token: Token) -> bool:
    return token.word in ("with", "recursive") or token.text == ","


def _listed(found: Sequence[Token], start: int) -> tuple[list[str], int]:
    """Return the columns listed in brackets from a place on, and where what follows them begins."""
    if start >= len(found) or found[start].text != "(":
        return [], start
    end = next((n for n in range(start, len(found)) if found[n].text == ")"), None)
    if end is None:
        return [], start
    return [unquote(token.text) for token in found[start + 1 : end : 2]], end + 1


def _opened(found: Sequence[Token], place: int) -> int | None:
    """Return where the query begins after `AS [NOT] [MATERIALIZED] (`; None where these do not stand there."""
    if place >= len(found) or found[place].word != "as":
        return None
    place += 1
    while place < len(found) and found[place].word in ("not", "materialized"):
        place += 1
    return place + 1 if place < len(found) and found[place].text == "(" else None


def _selected(found: Sequence[Token]) -> list[str]:
    """Return the names of what the query at the beginning of some tokens selects: aliases and plain columns."""
    if not found or found[0].word != "select":
        return []
    depth, ends = 0, list[Token]()
    for token, after in pairwise((*found, found[-1])):
        depth += (token.text == "(") - (token.text == ")")
        if depth < 0 or (depth == 0 and token.word in _ENDS_SELECT):
            break
        ended = after.text in (",", ")") or after.word in _ENDS_SELECT
        if depth == 0 and ended and token.kind in ("word", "name") and token.word not in _OF_SELECT:
            ends.append(token)
    return [unquote(token.text) for token in ends]
