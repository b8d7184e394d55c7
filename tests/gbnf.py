"""A GBNF parser in Python, which tells tests, without a model, which letters may come next in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

# A node is a tuple: ("text", letters), ("class", members, negated), ("all", nodes), ("any", nodes), ("rule", name) or
# ("times", node, least, most). What is to come is a pair of a node and what is to come after it; None is the end.
Node = tuple[Any, ...]
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|\{[0-9,]+\}|[a-zA-Z][a-zA-Z0-9-]*|[()|?*+]')


class Grammar:
    """A parsed GBNF grammar."""

    def __init__(self, text: str) -> None:
        self.rules = {}
        for line in text.splitlines():
            name, _, body = line.partition(" ::= ")
            tokens = TOKEN.findall(body)
            self.rules[name] = _alternatives(tokens)
            assert not tokens, (name, tokens)
        self._pairs: dict[tuple[int, int], Any] = {}

    def begin(self) -> Place:
        """Return where a text begins."""
        return Place(self, self.expanded([self.pair(("rule", "root"), None)]))

    def pair(self, node: Node, rest: Any) -> Any:
        """Return the one pair of both, so that equal pairs are the same object."""
        return self._pairs.setdefault((id(node), id(rest)), (node, rest))

    def expanded(self, stacks: list[Any]) -> tuple[Any, ...]:
        """Return what is to come as pairs that begin with a letter, and None for the end."""
        found, todo = {}, stacks
        seen = set()
        while todo:
            stack = todo.pop()
            if id(stack) in seen:
                continue
            seen.add(id(stack))
            if stack is None or stack[0][0] in ("text", "class"):
                found[id(stack)] = stack
            else:
                todo.extend(self._into(*stack))
        return tuple(found.values())

    def _into(self, node: Node, rest: Any) -> Iterator[Any]:
        if node[0] == "rule":
            yield self.pair(self.rules[node[1]], rest)
        elif node[0] == "any":
            yield from (self.pair(one, rest) for one in node[1])
        elif node[0] == "all":
            for one in reversed(node[1]):
                rest = self.pair(one, rest)
            yield rest
        else:
            _, one, least, most = node
            if least == 0:
                yield rest
            if most != 0:
                yield self.pair(one, self.pair(self._less(node), rest))

    def _less(self, node: Node) -> Node:
        _, one, least, most = node
        if most is None and least == 0:
            return node
        return self._kept(("times", one, max(least - 1, 0), None if most is None else most - 1))

    def _kept(self, node: Node) -> Node:
        key = (id(node[1]), (node[2], node[3]))
        return self._pairs.setdefault(key, node)  # type: ignore[arg-type]

    def text(self, letters: str) -> Node:
        """Return the one node for the rest of a text."""
        return self._pairs.setdefault((-1, letters), ("text", letters))  # type: ignore[arg-type]


class Place:
    """A position in a text that a grammar allows."""

    def __init__(self, grammar: Grammar, stacks: tuple[Any, ...]) -> None:
        self.grammar, self.stacks = grammar, stacks

    @property
    def ends(self) -> bool:
        """Whether the text may end here."""
        return None in self.stacks

    def letters(self) -> list[str]:
        """Return the letters that may come next; of classes that leave something out, a few."""
        found: dict[str, None] = {}
        for stack in self.stacks:
            if stack is not None:
                node = stack[0]
                some = (
                    node[1][0]
                    if node[0] == "text"
                    else "abcdefghijklmnopqrstuvwxyz0123456789 Z%_-é'"
                    if node[2]
                    else node[1]
                )
                found.update(dict.fromkeys(letter for letter in some if _matches(node, letter)))
        return list(found)

    def after(self, letter: str) -> Place | None:
        """Return the place after a letter; None where the letter is not allowed."""
        stacks = []
        for stack in self.stacks:
            if stack is not None and _matches(stack[0], letter):
                node, rest = stack
                more = node[0] == "text" and len(node[1]) > 1
                stacks.append(self.grammar.pair(self.grammar.text(node[1][1:]), rest) if more else rest)
        return Place(self.grammar, self.grammar.expanded(stacks)) if stacks else None


def accepts(grammar: Grammar, text: str) -> bool:
    """Return whether a grammar allows a text."""
    place: Place | None = grammar.begin()
    for letter in text:
        place = place.after(letter) if place else None
    return place is not None and place.ends


def _matches(node: Node, letter: str) -> bool:
    return node[1][0] == letter if node[0] == "text" else (letter in node[1]) != node[2]


def _alternatives(tokens: list[str]) -> Node:
    found = [_sequence(tokens)]
    while tokens and tokens[0] == "|":
        tokens.pop(0)
        found.append(_sequence(tokens))
    return found[0] if len(found) == 1 else ("any", tuple(found))


def _sequence(tokens: list[str]) -> Node:
    found = []
    while tokens and tokens[0] not in "|)":
        node = _one(tokens.pop(0), tokens)
        while tokens and tokens[0][0] in "?*+{":
            node = ("times", node, *_counts(tokens.pop(0)))
        found.append(node)
    return found[0] if len(found) == 1 else ("all", tuple(found))


def _one(token: str, tokens: list[str]) -> Node:
    if token == "(":
        node = _alternatives(tokens)
        assert tokens.pop(0) == ")"
        return node
    if token[0] == '"':
        letters = _unescaped(token[1:-1])
        return ("text", letters) if letters else ("all", ())
    if token[0] == "[":
        return _class(token[1:-1])
    return ("rule", token)


def _counts(token: str) -> tuple[int, int | None]:
    if token[0] == "{":
        least, _, most = token[1:-1].partition(",")
        return int(least), int(most or least)
    return {"?": (0, 1), "*": (0, None), "+": (1, None)}[token]


def _class(body: str) -> Node:
    negated = body.startswith("^")
    letters = _unescaped(body.removeprefix("^"))
    members = re.sub("(.)-(.)", lambda m: "".join(map(chr, range(ord(m[1]), ord(m[2]) + 1))), letters, flags=re.S)
    return ("class", members, negated)


def _unescaped(text: str) -> str:
    def letter(found: re.Match[str]) -> str:
        code = found[1]
        return {"n": "\n", "r": "\r", "t": "\t"}.get(code) or (chr(int(code[1:], 16)) if len(code) > 1 else code)

    return re.sub(r"\\(U[0-9A-F]{8}|x[0-9a-fA-F]{2}|.)", letter, text)
