"""Define the machine that reads a query token by token: its state, and the rules that every clause uses.

A rule is a function from a machine, a token and arguments of its own to the next machine. All rules call the machine
`m` and the token `t`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from askwhere.pipeline.binding.names import ANY, NULL, Names
from askwhere.pipeline.binding.state import Output, Query, Reference


class Token(NamedTuple):
    """A word, number, text or symbol; `whole` is False for one that is still being written and may continue."""

    sort: str
    text: str
    whole: bool = True


class Machine(NamedTuple):
    """The state of a reading.

    `todo` is the stack of rules, as nested pairs, the next rule first. `query` is the innermost query that is open, and
    `outputs` are the columns of the query that ended last. `kind` is the kind of the value read last; `single` is its
    column if it is nothing but a column, and `single_at` how many tokens the item had when that column was read.
    `written` are the tokens of the current item. `aggregates` and `queries` say whether an aggregate or a subquery may
    come next. `depth` and `level` are the nesting of queries and of values, which the grammar limits.

    `select` is the rule for a subquery. It is passed along here to avoid circular imports.
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
        """Return the innermost query."""
        assert self.query is not None
        return self.query

    def then(self, *rules: Any) -> Machine:
        """Return the machine with rules pushed on its stack, each given alone or as a tuple with its arguments."""
        todo = self.todo
        for rule in reversed(rules):
            todo = (rule if isinstance(rule, tuple) else (rule,), todo)
        return self._replace(todo=todo)

    def with_query(self, **facts: Any) -> Machine:
        """Return the machine with fields of the innermost query changed."""
        return self._replace(query=self.here._replace(**facts))


# What a rule returns: the machine after it and whether it took the token; None where the token cannot stand there.
Read: TypeAlias = "tuple[Machine, bool] | None"
Rule: TypeAlias = Callable[..., Read]
END = Token("end", "")


def step(machine: Machine, token: Token) -> Machine | None:
    """Return the machine after a token; None where no query that binds continues with it."""
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
    """Return a token's text to compare with keywords."""
    return token.text.upper() if token.sort == "word" else token.text


def expect(m: Machine, t: Token, *words: str) -> Read:
    """Read one of `words`, else fail."""
    return (m, True) if word(t) in words else None


def optional(m: Machine, t: Token, *words: str) -> Read:
    """Read one of `words`, or nothing."""
    return m, word(t) in words


def of_sort(m: Machine, t: Token, sort: str) -> Read:
    """Take a token of a sort, else fail."""
    return (m, True) if t.sort == sort else None


def clause(m: Machine, t: Token, first: str, *rules: Any) -> Read:
    """Take the word that a clause begins with, and read the clause by rules; or take nothing."""
    return took(m.then(*rules)) if word(t) == first else passed(m)


def listed(m: Machine, t: Token, rule: Any) -> Read:
    """Take a comma, and read another item by a rule, as often as commas follow."""
    return took(m.then(rule, (listed, rule))) if t.text == "," else passed(m)


def passed(m: Machine) -> Read:
    """Leave the token to the next rule."""
    return m, False


def took(m: Machine | None) -> Read:
    """Take the token; fail where `m` is None."""
    return (m, True) if m is not None else None


def deeper(m: Machine, *rules: Any) -> Machine:
    """Return the machine with rules pushed that read one level deeper."""
    return m.then(*rules, (level, m.level))._replace(level=m.level + 1)


def level(m: Machine, t: Token, before: int) -> Read:
    """Set the level of values back to the one before."""
    return passed(m._replace(level=before))


def of_kind(m: Machine, kind: str) -> Machine:
    """Return the machine after a value of a kind; in an engine without static types every value has the kind ANY."""
    return m._replace(kind=kind if m.names.typed else ANY)
