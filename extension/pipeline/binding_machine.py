"""The machine that reads a query: what it knows, the rules that are to come, and how a token goes through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from askwhere.pipeline.binding_names import NULL, Names
from askwhere.pipeline.binding_scope import Output, Query, Reference


class Token(NamedTuple):
    """A word, number, text or symbol. One that is still being written may go on: then `whole` is False."""

    sort: str
    text: str
    whole: bool = True


class Machine(NamedTuple):
    """Where a reading stands. `todo` are the rules to come, nested pairs; `query` the innermost query.

    `kind` is that of what was read last, `single` the column that it is, if it is one, and `written` the tokens of the
    item so far, `single_at` how many these were then. `aggregates` and `queries` say what may stand here. `depth` and
    `level` are how deep queries stand in queries and values in values: the grammar ends both somewhere. `select` is the
    rule for a query in another, `outputs` are the columns of the last one that ended.
    """

    names: Names
    todo: Any
    select: Rule
    query: Query | None = None
    kind: str = NULL
    written: tuple[str, ...] = ()
    single: Reference | None = None
    single_at: int = 0
    aggregates: bool = False
    queries: bool = True
    outputs: tuple[Output, ...] = ()
    depth: int = -1
    level: int = 0

    @property
    def here(self) -> Query:
        """The innermost query."""
        assert self.query is not None
        return self.query

    def then(self, *rules: Any) -> Machine:
        """With rules to come first, each with its arguments in a tuple."""
        todo = self.todo
        for rule in reversed(rules):
            todo = (rule if isinstance(rule, tuple) else (rule,), todo)
        return self._replace(todo=todo)

    def asking(self, **facts: Any) -> Machine:
        """With facts of the innermost query changed."""
        return self._replace(query=self.here._replace(**facts))


Read: TypeAlias = "tuple[Machine, bool] | None"
Rule: TypeAlias = Callable[..., Read]
END = Token("end", "")


def step(machine: Machine, token: Token) -> Machine | None:
    """The machine after a token; None where no query that binds goes on so."""
    while machine.todo is not None:
        (rule, *arguments), rest = machine.todo
        read: Read = rule(machine._replace(todo=rest), token, *arguments)
        if read is None:
            return None
        machine, taken = read
        if taken:
            return machine._replace(written=(*machine.written, token.text.upper()))
    return machine if token is END else None


def word(token: Token) -> str:
    """A token as a keyword is compared."""
    return token.text.upper() if token.sort == "word" else token.text


def expect(m: Machine, t: Token, *words: str) -> Read:
    """Takes one of some words."""
    return (m, True) if word(t) in words else None


def optional(m: Machine, t: Token, *words: str) -> Read:
    """Takes one of some words, or nothing."""
    return m, word(t) in words


def passed(m: Machine) -> Read:
    """Leaves the token to the rules below."""
    return m, False


def took(m: Machine | None) -> Read:
    """Takes the token, unless there is no machine after it."""
    return (m, True) if m is not None else None
