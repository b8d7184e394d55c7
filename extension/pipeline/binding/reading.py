"""Read a reply while it is written, and decide which bytes may follow so that the query can still bind.

The grammar knows only names. A reading also knows which columns the tables in FROM have, and which columns the select
list requires of tables that FROM is yet to name. For DuckDB it also knows which kinds of values may be compared. Each
byte is read once. A reading is immutable: a sampler can try many tokens on one, each for the cost of that token.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from askwhere.indexer.catalog import Catalog
from askwhere.models import BoundGrammar
from askwhere.pipeline.binding import columns, expressions, promises, rules, sources
from askwhere.pipeline.binding.grammar import CLOSING, FENCE, grammar
from askwhere.pipeline.binding.machine import END, Machine, Token, step
from askwhere.pipeline.binding.names import Names, beginning, is_alias, names
from askwhere.sql.spans import WORDS

SPACES = " \n\t\r"
SYMBOLS = "(),.;*+-/%="
KEYWORDS = tuple(sorted(word.upper() for word in WORDS))
# For the first sign of a longer symbol, the signs that may follow it: `<=`, `<>`, `>=`, `!=`, `||`.
LONGER = {"<": "=>", ">": "=", "!": "=", "|": "|"}


class Reading(NamedTuple):
    """A query read so far, and the rules for what may follow (`machine`).

    `pending` is a word, number or text that may still continue. `known` caches, for each pending text, whether a token
    that begins with it may come next.
    """

    machine: Machine
    pending: str
    known: dict[str, bool]  # valid for this machine only

    def after(self, piece: bytes) -> Reading | None:
        """Return the reading after more bytes; None where no continuation could make the query bind."""
        machine, pending = self.machine, self.pending
        for letter in piece.decode("latin-1"):
            if pending and _goes_on(pending, letter):
                pending += letter
                continue
            if pending:
                finished = step(machine, _token(pending))
                if finished is None:
                    return None
                machine, pending = finished, ""
            if letter in SPACES or letter in SYMBOLS:
                next_ = _space(machine) if letter in SPACES else step(machine, Token("symbol", letter))
                if next_ is None:
                    return None
                machine = next_
            else:
                pending = letter
        known = self.known if machine is self.machine else {}
        if pending and pending not in known:
            known[pending] = _may_begin(machine, pending)
        return Reading(machine, pending, known) if not pending or known[pending] else None

    @property
    def is_empty(self) -> bool:
        """Return whether only spaces were read."""
        return not self.pending and not self.machine.written

    @property
    def ends(self) -> bool:
        """Return whether the query may end here."""
        machine = step(self.machine, _token(self.pending)) if self.pending else self.machine
        return machine is not None and step(machine, END) is not None


class Block(NamedTuple):
    """A reply read so far, whose query may be in a block of SQL.

    `query` is the reading of the query; `opened` and `closed` count the characters read of the block's first and last
    line.
    """

    query: Reading
    opened: int = 0
    closed: int = 0

    def after(self, piece: bytes) -> Block | None:
        """Return the reading after more bytes; None where no continuation could make the query bind."""
        if b"`" not in piece and self.opened in (0, len(FENCE)) and not self.closed:
            query = self.query.after(piece)
            return self._replace(query=query) if query else None
        read: Block | None = self
        for number in piece:
            read = read._after_letter(chr(number)) if read else None
        return read

    def _after_letter(self, letter: str) -> Block | None:
        """Return the block after one more character."""
        if 0 < self.opened < len(FENCE) or (letter == "`" and not self.opened and self.query.is_empty):
            return self._replace(opened=self.opened + 1) if letter == FENCE[self.opened] else None
        if self.closed or (letter == "`" and self.opened and self.query.ends):
            return self._replace(closed=self.closed + 1) if CLOSING[self.closed : self.closed + 1] == letter else None
        query = self.query.after(letter.encode("latin-1"))
        return self._replace(query=query) if query else None

    @property
    def ends(self) -> bool:
        """Return whether the reply may end here."""
        return self.closed == len(CLOSING) if self.opened else self.query.ends


def bound(catalog: Catalog, dialect: str) -> BoundGrammar:
    """Return the grammar of a catalog's names with the reading that replies begin with."""
    return BoundGrammar(
        grammar(catalog, dialect, titles=True), Block(Reading(rules.begin(names(catalog.tables, dialect)), "", {}))
    )


def _goes_on(pending: str, letter: str) -> bool:
    """Return whether a character continues the pending word, number, text or symbol."""
    first = pending[0]
    if first in "'\"":
        return letter == first or pending.count(first) % 2 == 1
    if first in LONGER:
        return len(pending) == 1 and letter in LONGER[first]
    if first.isdigit():
        return letter.isdigit() or (letter == "." and "." not in pending)
    return _in_word(letter)


def _in_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_" or letter >= "\x80"


def _token(text: str) -> Token:
    """Return the token of a finished text."""
    first = text[0]
    if first == "'":
        return Token("text", text)
    if first in LONGER:
        return Token("symbol", text)
    return Token("number", text) if first.isdigit() else Token("word", text)


def _space(machine: Machine) -> Machine | None:
    """Return the machine after a space, which ends a name that a dot or a parenthesis could have followed."""
    if machine.todo is None or machine.todo[0][0] not in (expressions.after_name, sources.path_end):
        return machine
    (rule, *arguments), rest = machine.todo
    read = rule(machine._replace(todo=rest), Token("space", " "), *arguments)
    return read[0] if read else None


def _may_begin(machine: Machine, pending: str) -> bool:
    """Return whether something that may follow begins with the pending text."""
    return any(step(machine, token) is not None for token in _beginning(machine, pending))


def _beginning(machine: Machine, pending: str) -> Iterator[Token]:
    """Yield tokens that begin with the pending text; for texts and numbers, the pending text itself."""
    first = pending[0]
    if first == "'":
        closed = pending.count("'") % 2 == 0
        yield from ([Token("text", pending)] if closed else [])
        yield Token("text", pending, whole=False)
    elif first in LONGER:
        yield Token("symbol", {"!": "!=", "|": "||"}.get(pending, pending))
    elif first.isdigit():
        yield Token("number", pending + "0" if pending.endswith(".") else pending)
    else:
        yield from (Token("word", word) for word in _words(machine, pending))


def _words(machine: Machine, start: str) -> Iterator[str]:
    """Yield the words that may follow and begin with `start`."""
    known = machine.names
    rule: tuple[Any, ...] = machine.todo[0] if machine.todo else (None,)
    if rule[0] is expressions.column_of:
        table = columns.name_of(machine, rule[3])
        for column in columns.columns_of(machine, table) if table else ():
            yield from _spelled(known, column, start)
        yield from beginning(known.table_words, start)
        return
    if rule[0] in (sources.path, sources.source):
        yield from beginning(known.table_words, start)
        return
    if rule[0] is expressions.type_:
        yield from (type_ for type_ in known.types if type_.startswith(start))
        return
    if rule[0] is rules.title:
        promised = promises.may_meet(machine.here, machine.kind)
        yield from (name for name in promised if name.startswith(start)) if promised else (start,)
        return
    if is_alias(start):
        yield start
        yield from (start + digit for digit in "0123456789" if len(start) == 1)
    yield from beginning(KEYWORDS, start.upper())
    yield from beginning(known.calls, start.lower())
    yield from _visible(machine, start)


def _spelled(known: Names, column: str, start: str) -> Iterator[str]:
    """Return the spellings of a column that begin with `start`; an alias is spelt only as in the reply."""
    return (word for word in known.spelled.get(column, (column,)) if word.startswith(start))


def _visible(machine: Machine, start: str) -> Iterator[str]:
    """Yield the words for columns and tables that begin with `start`.

    Once its FROM was read, a query offers only the columns of its sources.
    """
    known, query = machine.names, machine.query
    while query is not None:
        if query.part == "select":
            yield from beginning(known.words, start)
            yield from promises.beginning(start)
            return
        visible = dict.fromkeys(column for source in query.sources for column in source.columns)
        if query.part in ("group", "having", "order"):
            visible |= dict.fromkeys(output.column for output in query.first_arm if output.column)
        yield from (word for column in visible for word in _spelled(known, column, start))
        query = query.outer if query.sees_outer else None
    yield from beginning(known.table_words, start)
