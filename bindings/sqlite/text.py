"""Find `ask(…)` in the text of a SQLite statement, to replace it by the query that answers the question.

SQLite fixes the columns of a table-valued function before it runs. A subselect in the text has the answer's own
columns, its joins and filters run at native speed, and a view made of it is plain SQL that any program can read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from askwhere.bindings.sqlite.arguments import NAMING, closing, is_double, name_and_value, tokens
from askwhere.errors import AskError
from askwhere.frozen import frozen
from askwhere.sql.identifiers import quote, unquote
from askwhere.sql.lexer import Token
from askwhere.sql.parentheses import split
from askwhere.udfs.function import QUESTION

# Words that begin a clause: the meaning of a name or a comma depends on the clause.
_CLAUSES = frozenset(
    "select from join where group having order limit on set values returning window into table index using references"
    " view union except intersect".split()
)
_NO_ALIAS = _CLAUSES | set("left right full inner outer cross natural indexed not do end".split())
_OPTIONS = frozenset(f"ask_{argument.name}" for argument in QUESTION)


@frozen
class Value:
    """An argument of a call: the tokens of its SQL expression."""

    tokens: tuple[Token, ...]

    @property
    def parameters(self) -> tuple[Token, ...]:
        """Return the parameters in the expression, in order."""
        return tuple(t for t in self.tokens if t.kind == "parameter")


@frozen
class Call:
    """One `ask(…)`: the text from `start` to `end`, which a subselect and `suffix` replace.

    `alias` is the name of its rows in the statement. `options` are conditions such as `ask_choose = 2`: they are
    removed from the text, and their values become arguments.
    """

    start: int
    end: int
    arguments: tuple[Value, ...]
    named: tuple[tuple[str, Value], ...]
    alias: str
    suffix: str
    options: tuple[tuple[Token, Token], ...] = ()


def may_ask(sql: str) -> bool:
    """Return False if the text cannot contain a call: a quick check."""
    return "ask" in sql.lower()


@frozen
class Statement:
    """One statement with its tokens, which are read once."""

    sql: str
    tokens: tuple[Token, ...]

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """Return the calls of `ask`, in order. Raise AskError for one where no table can stand."""
        calls = list(_calls(self.tokens))
        options = list(_options(self.tokens)) if calls else []
        if len(calls) > 1 and any(not qualifier for qualifier, *_ in options):
            raise AskError("there are several ask() here: say which one is meant, as in a.ask_choose = 2")
        return tuple(
            _with_options(call, [(o, n, v) for q, o, n, v in options if q in ("", call.alias.lower())])
            for call in calls
        )


@lru_cache(8)  # clients prepare, describe and execute the same text
def statements(sql: str) -> tuple[Statement, ...]:
    """Return the statements of a script, each with its semicolon; a trigger's body stays whole."""
    script: list[Statement] = []
    pending: list[Token] = []
    start = depth = 0
    for token in tokens(sql):
        pending.append(token._replace(start=token.start - start, end=token.end - start))
        first = [t.word for t in pending[:4]]
        in_trigger = first[0] == "create" and "trigger" in first
        depth += in_trigger and token.word in ("begin", "case")
        depth -= in_trigger and token.word == "end"
        if token.text == ";" and depth <= 0:
            script.append(Statement(sql[start : token.end], tuple(pending)))
            start, depth, pending = token.end, 0, []
    # Spaces or a comment after the last statement are no statement.
    return (*script, Statement(sql[start:], tuple(pending))) if pending else tuple(script)


def _with_options(call: Call, options: Sequence[tuple[tuple[Token, Token], str, Value]]) -> Call:
    """Return the call with conditions on its hidden columns as named arguments."""
    named = call.named + tuple((name, value) for _, name, value in options)
    return replace(call, named=named, options=tuple(o for o, _, _ in options))


def _calls(all_tokens: Sequence[Token]) -> Iterator[Call]:
    """Yield the calls of `ask`, without conditions on hidden columns."""
    clauses = [""]
    skip = -1
    for place, token in enumerate(all_tokens):
        before = all_tokens[place - 1] if place else None
        if token.text == "(" and place > skip:
            clauses.append("from" if clauses[-1] in ("from", "join") else "")
        elif token.text == ")" and place > skip and len(clauses) > 1:
            clauses.pop()
        elif token.text == "," and clauses[-1] in ("join", "on"):
            clauses[-1] = "from"
        elif token.word in _CLAUSES and place > skip:
            clauses[-1] = token.word
        elif token.word == "ask" and place > skip and (before is None or before.text != "."):
            called = place + 1 < len(all_tokens) and all_tokens[place + 1].text == "("
            if not _is_table(clauses[-1], before, called, all_tokens):
                continue
            skip = closing(all_tokens, place + 1) if called else place
            yield _call(all_tokens, place, skip, before)


def _is_table(clause: str, before: Token | None, called: bool, all_tokens: Sequence[Token]) -> bool:
    """Return whether `ask` is our table here; False for the user's own table or function of that name.

    `called` says that a parenthesis follows. Raise `AskError` where a table cannot stand.
    """
    word = before.word if before else ""
    if word in ("from", "join", "in") or (clause in ("from", "join") and before is not None and before.text in ",("):
        return called or any(t.word == "ask_question" for t in all_tokens)
    if not called or word in ("table", "into", "on", "using", "references", "exists", "as", "update", "trigger"):
        return False  # somebody's own table of that name, or a stored answer
    if clause in ("select", "where", "having", "order", "group", "limit", "on", "set", "values", "returning"):
        raise AskError("ask() is a table: SELECT * FROM ask('…'). For one value there is ask_value('…')")
    return False


def _call(all_tokens: Sequence[Token], place: int, end: int, before: Token | None) -> Call:
    """Return the call whose name is at `place` and whose text ends at `end`."""
    plain, named = [], []
    for part in split(all_tokens[place + 2 : end]):
        name, value = name_and_value(part, (*NAMING, "="))
        if name:
            named.append((name, Value(tuple(value))))
        else:
            plain.append(Value(tuple(part)))
    given = _alias(all_tokens, end)
    suffix = "" if given or (before is not None and before.word == "in") else ' AS "ask"'
    return Call(all_tokens[place].start, all_tokens[end].end, tuple(plain), tuple(named), given or "ask", suffix)


def _alias(all_tokens: Sequence[Token], end: int) -> str:
    """Return the alias that follows a call, '' for none."""
    following = all_tokens[end + 1 : end + 3]
    if following and following[0].word == "as":
        following = following[1:]
    if following and _may_be_alias(following[0]):
        return unquote(following[0].text)
    return ""


def _may_be_alias(token: Token) -> bool:
    """Return whether a token after a call can be its alias."""
    return token.kind == "name" or (token.kind == "word" and token.word not in _NO_ALIAS)


def _options(all_tokens: Sequence[Token]) -> Iterator[tuple[str, tuple[Token, Token], str, Value]]:
    """Yield conditions on hidden columns: qualifier, first and last token, argument name, value."""
    for place, token in enumerate(all_tokens[:-2]):
        equals = all_tokens[place + 1]
        if token.word not in _OPTIONS or (equals.text != "=" and equals.word != "is"):
            continue
        doubled = is_double(all_tokens[place + 1 : place + 3])
        value = next(iter(all_tokens[place + 2 + doubled :]), None)
        if value is None or value.kind not in ("text", "number", "parameter"):
            shown = value.text if value else "nothing"
            raise AskError(f"{token.text}: expected a literal or a parameter, found {shown}")
        qualified = place > 1 and all_tokens[place - 1].text == "."
        first = all_tokens[place - 2] if qualified else token
        qualifier = unquote(first.text).lower() if qualified else ""
        yield qualifier, (first, value), token.word, Value((value,))


def numbered(statement: Statement) -> dict[int, int]:
    """Return the number that SQLite gives to each plain `?` and `?N` of a statement, by where it starts."""
    numbers: dict[int, int] = {}
    highest = 0
    named: dict[str, int] = {}
    for token in statement.tokens:
        if token.kind != "parameter":
            continue
        if token.text[0] != "?":
            number = named.setdefault(token.text, highest + 1)
        else:
            number = int(token.text[1:] or highest + 1)
            numbers[token.start] = number
        highest = max(highest, number)
    return numbers


def expression(sql: str, value: Value, numbers: dict[int, int]) -> str:
    """Return the text of an expression in `sql`, with each `?` numbered as in that statement."""
    pieces, place = [], value.tokens[0].start
    for token in value.tokens:
        if token.start in numbers:
            pieces += [sql[place : token.start], f"?{numbers[token.start]}"]
            place = token.end
    return "".join(pieces) + sql[place : value.tokens[-1].end]


def keeps_sql(statement: Statement) -> bool:
    """Return whether a statement creates something that stores its text: a view or a trigger."""
    words = [token.word for token in statement.tokens[:3]]
    return words[:1] == ["create"] and bool({"view", "trigger"} & set(words))


def view_schema(statement: Statement) -> str:
    """Return the database, in lower case, in whose file CREATE VIEW stores its text; '' for temp or no view."""
    lexed = statement.tokens
    words = [token.word for token in lexed[:5]]
    if words[:2] != ["create", "view"]:
        return ""
    place = 5 if words[2:] == ["if", "not", "exists"] else 2
    qualified = len(lexed) > place + 1 and lexed[place + 1].text == "."
    schema = unquote(lexed[place].text).lower() if qualified else "main"
    return "" if schema == "temp" else schema


def unqualified(sql: str, schema: str) -> str:
    """Return the query without the name of one database before its tables, as in `"main"."rivers"`."""
    lexed = tokens(sql)
    pieces, place = [], 0
    for number in range(len(lexed) - 2):
        first, dot, name = lexed[number : number + 3]
        if first.text.lower() == quote(schema) and dot.text == "." and name.kind == "name":
            pieces.append(sql[place : first.start])
            place = name.start
    return "".join(pieces) + sql[place:]


def shadows(statement: Statement, names: Collection[str]) -> bool:
    """Return whether a common table expression of the statement may have one of these names, in lower case."""
    words = {unquote(token.text).lower() for token in statement.tokens}
    return any(token.word == "with" for token in statement.tokens) and not words.isdisjoint(names)


def is_constant(text: str) -> bool:
    """Return whether a text is one literal, with or without a sign."""
    values = [token for token in tokens(text) if token.text not in "+-"]
    return len(values) == 1 and (values[0].kind in ("text", "number") or values[0].word == "null")
